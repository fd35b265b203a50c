use std::any::Any;
use std::collections::HashMap;
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

use crate::codec::Payload;
use crate::jobs::JobId;

/// A job in progress.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a, J> {
    /// The job.
    pub job: &'a J,
    stage: &'a AtomicU8,
}

impl<J> Task<'_, J> {
    /// Returns whether the result is no longer wanted; any result will then do.
    pub fn is_cancelled(&self) -> bool {
        self.stage.load(Ordering::Relaxed) == CANCELLED
    }
}

/// The stages of a job.
const WAITING: u8 = 0;
const RUNNING: u8 = 1;
const CANCELLED: u8 = 2;

/// The threads of a rank that do jobs. Dropping it cancels the jobs.
#[derive(Debug)]
pub(super) struct Compute<J, A> {
    queue: Sender<Queued<J>>,
    done: Receiver<Done<A>>,
    /// The waiting and running jobs.
    stages: HashMap<JobId, Arc<AtomicU8>>,
}

type Queued<J> = (JobId, J, Arc<AtomicU8>);

/// A finished job: its result, or why this rank cannot go on.
pub(super) type Done<A> = (JobId, Result<A, String>);

impl<J: Payload, A: Payload> Compute<J, A> {
    /// Starts the threads, which end when this is dropped; returns also what kept it from starting all of them.
    pub(super) fn start<'scope, F, E: Display>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        work: &'scope F,
    ) -> (Self, io::Result<()>)
    where
        F: Fn(Task<'_, J>) -> Result<A, E> + Sync,
    {
        let ((queue, jobs), (sender, done)) = (channel(), channel());
        let jobs = Arc::new(Mutex::new(jobs));
        let started = (0..threads.max(1)).try_for_each(|_| {
            let (jobs, sender) = (Arc::clone(&jobs), sender.clone());
            Builder::new().spawn_scoped(scope, move || do_jobs(&jobs, work, &sender)).map(drop)
        });
        (Self { queue, done, stages: HashMap::new() }, started)
    }

    pub(super) fn push(&mut self, id: JobId, job: J) {
        let stage = Arc::new(AtomicU8::new(WAITING));
        self.stages.insert(id, Arc::clone(&stage));
        // The threads receive as long as this lives.
        let _ = self.queue.send((id, job, stage));
    }

    pub(super) fn cancel(&mut self, id: JobId) {
        if let Some(stage) = self.stages.get(&id)
            && stage.swap(CANCELLED, Ordering::Relaxed) == WAITING
        {
            self.stages.remove(&id);
        }
    }

    /// Cancels the jobs that no thread has begun.
    pub(super) fn drop_waiting(&mut self) {
        self.stages.retain(|_, stage| !advance(stage, CANCELLED));
    }

    /// Returns whether a job waits or runs.
    pub(super) fn has(&self, id: JobId) -> bool {
        self.stages.contains_key(&id)
    }

    /// Returns whether no job waits or runs.
    pub(super) fn is_idle(&self) -> bool {
        self.stages.is_empty()
    }

    /// Waits until a job is done, for at most this long.
    pub(super) fn done(&mut self, timeout: Duration) -> Option<Done<A>> {
        let done = self.done.recv_timeout(timeout).ok()?;
        self.stages.remove(&done.0);
        Some(done)
    }
}

impl<J, A> Drop for Compute<J, A> {
    fn drop(&mut self) {
        self.stages.values().for_each(|stage| stage.store(CANCELLED, Ordering::Relaxed));
    }
}

/// Moves a waiting job to another stage; returns whether it was waiting.
fn advance(stage: &AtomicU8, to: u8) -> bool {
    stage.compare_exchange(WAITING, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

/// Does jobs until the queue closes.
fn do_jobs<J, A, E: Display>(
    queue: &Mutex<Receiver<Queued<J>>>,
    work: &impl Fn(Task<'_, J>) -> Result<A, E>,
    sender: &Sender<Done<A>>,
) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok((id, job, stage)) = next() {
        if advance(&stage, RUNNING) {
            let task = Task { job: &job, stage: &stage };
            let result = catch_unwind(AssertUnwindSafe(|| work(task).map_err(|error| error.to_string())));
            let result = result.unwrap_or_else(|panic| Err(message(&*panic)));
            // Fails only when the result is no longer wanted.
            let _ = sender.send((id, result));
        }
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a thread panicked: {}", text.unwrap_or("without a message"))
}
