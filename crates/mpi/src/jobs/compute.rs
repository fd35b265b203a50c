use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;

use crate::jobs::JobId;

/// A job that is being done.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// What is to be done.
    pub bytes: &'a [u8],
    is_cancelled: &'a AtomicBool,
}

impl Task<'_> {
    /// Returns whether nobody wants the result any more; whoever does the job may return anything then.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

/// The threads of a rank that do jobs. Dropping this cancels what they are at.
#[derive(Debug)]
pub(super) struct Compute {
    shared: Arc<Shared>,
    pub(super) done: Receiver<Done>,
}

/// A job that is done: its result, or why this rank can do no more.
pub(super) type Done = (JobId, Result<Vec<u8>, String>);

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<(JobId, Vec<u8>)>,
    running: HashMap<JobId, Arc<AtomicBool>>,
    is_closed: bool,
}

impl Compute {
    /// Starts the threads; they end with this.
    pub(super) fn start<'scope, F>(scope: &'scope Scope<'scope, '_>, threads: usize, work: &'scope F) -> Self
    where
        F: Fn(Task<'_>) -> Result<Vec<u8>, String> + Sync,
    {
        let shared = Arc::new(Shared::default());
        let (sender, done) = channel();
        for _ in 0..threads.max(1) {
            let (shared, sender) = (Arc::clone(&shared), sender.clone());
            scope.spawn(move || shared.work(work, &sender));
        }
        Self { shared, done }
    }

    pub(super) fn push(&self, id: JobId, bytes: Vec<u8>) {
        self.shared.queue().waiting.push_back((id, bytes));
        self.shared.news.notify_one();
    }

    pub(super) fn cancel(&self, id: JobId) {
        let mut queue = self.shared.queue();
        queue.waiting.retain(|(waiting, _)| *waiting != id);
        if let Some(is_cancelled) = queue.running.get(&id) {
            is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets jobs that no thread has begun, and returns those that are being done.
    pub(super) fn drop_waiting(&self) -> Vec<JobId> {
        let mut queue = self.shared.queue();
        queue.waiting.clear();
        queue.running.keys().copied().collect()
    }

    /// Returns whether all threads wait for jobs.
    pub(super) fn is_idle(&self) -> bool {
        let queue = self.shared.queue();
        queue.waiting.is_empty() && queue.running.is_empty()
    }
}

impl Drop for Compute {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.is_closed = true;
        queue.waiting.clear();
        for is_cancelled in queue.running.values() {
            is_cancelled.store(true, Ordering::Relaxed);
        }
        drop(queue);
        self.shared.news.notify_all();
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, work: &impl Fn(Task<'_>) -> Result<Vec<u8>, String>, sender: &Sender<Done>) {
        while let Some((id, bytes, is_cancelled)) = self.next() {
            let task = Task { bytes: &bytes, is_cancelled: &is_cancelled };
            let result = catch_unwind(AssertUnwindSafe(|| work(task))).unwrap_or_else(|panic| Err(said(&*panic)));
            // Before the job counts as ended, so that an idle rank has nothing left to say.
            if sender.send((id, result)).is_err() {
                return;
            }
            self.queue().running.remove(&id);
        }
    }

    /// Waits for a job; none when there will be no more.
    fn next(&self) -> Option<(JobId, Vec<u8>, Arc<AtomicBool>)> {
        let mut queue = self.queue();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some((id, bytes)) = queue.waiting.pop_front() {
                let is_cancelled = Arc::new(AtomicBool::new(false));
                queue.running.insert(id, Arc::clone(&is_cancelled));
                return Some((id, bytes, is_cancelled));
            }
            queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a thread panicked: {}", text.unwrap_or("without a message"))
}
