use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex whose value is in order even if a thread panics while it holds the lock.
pub fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
