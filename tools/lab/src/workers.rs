//! Work for several threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;

/// Runs `count` jobs on some threads; `done` receives the results one at a time, in order.
pub(crate) fn run<T: Send>(
    threads: usize,
    count: usize,
    job: impl Fn(usize) -> Result<T> + Sync,
    done: impl FnMut(usize, T) -> Result<()> + Send,
) -> Result<()> {
    let (next, reported) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let done = Mutex::new((done, Ok(()), BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let result = job(index);
                    let mut done = done.lock().expect("no thread panics while it reports");
                    let (report, state, waiting) = &mut *done;
                    waiting.insert(index, result);
                    while let Some(result) = waiting.remove(&reported.load(Ordering::Relaxed)) {
                        let index = reported.fetch_add(1, Ordering::Relaxed);
                        if state.is_ok() {
                            *state = result.and_then(|result| report(index, result));
                        }
                    }
                    if state.is_err() {
                        return;
                    }
                }
            });
        }
    });
    done.into_inner().expect("all threads have ended").1
}
