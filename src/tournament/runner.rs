//! Plays events and ladders, whoever the workers are.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use amazons_program::Interrupt;

use super::lock::StopRequest;
use super::overhead::Histogram;
use super::pool::{Message, Workers};
use super::progress::{Progress, Show};
use super::source::{RunError, Source};

/// How long the runner waits for news before it looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// How many times longer than a write of the tables the time between two of them is.
const WRITE_SHARE: u32 = 50;

/// How an event or a ladder is played.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many games at a time.
    pub concurrency: usize,
    /// The cores that they run on; none to leave that to the kernel.
    pub cores: Vec<usize>,
    /// How progress is shown.
    pub show: Show,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is left to be played.
    Complete,
    /// It was asked to stop; what was running is finished.
    Stopped,
    /// It was asked to stop at once; what was running is dropped, and its threads end with this process.
    Dropped,
}

/// Plays what a source has, and returns how that ended and what the moves cost us. Fails when it cannot go on; running
/// games are finished and kept as far as possible.
pub(super) fn play(
    source: &mut impl Source,
    workers: &mut (impl Workers + ?Sized),
    show: Show,
    interrupts: &Interrupt,
) -> Result<(Ended, Histogram), RunError> {
    let mut run = Run::new(source, workers, show);
    let ended = run.play(interrupts);
    run.progress.finish();
    Ok((ended?, run.overhead))
}

struct Run<'a, S, W: ?Sized> {
    source: &'a mut S,
    workers: &'a mut W,
    progress: Progress,
    overhead: Histogram,
    /// Why the first worker failed, which is the cause of what others say.
    failure: Option<String>,
    /// How it will end once no game runs any more.
    stopping: Option<Ended>,
    /// The stop requested from another shell, and when that was last checked.
    asked: Option<StopRequest>,
    looked: Option<Instant>,
    written: Instant,
    pause: Duration,
}

impl<'a, S: Source, W: Workers + ?Sized> Run<'a, S, W> {
    fn new(source: &'a mut S, workers: &'a mut W, show: Show) -> Self {
        Self {
            progress: Progress::new(show, S::LINE_EVERY, source.results(), source.pairs()),
            source,
            workers,
            overhead: Histogram::default(),
            failure: None,
            stopping: None,
            asked: None,
            looked: None,
            written: Instant::now(),
            pause: S::WRITE_EVERY,
        }
    }

    fn play(&mut self, interrupts: &Interrupt) -> Result<Ended, RunError> {
        loop {
            match self.stop_request(interrupts) {
                Some(StopRequest::Now) => return Ok(Ended::Dropped),
                Some(StopRequest::Finish) if self.stopping != Some(Ended::Stopped) => {
                    self.progress.note("stopping after the games that are running; once more drops them");
                    self.stop(Ended::Stopped);
                }
                _ => {}
            }
            if self.stopping.is_none() {
                if self.source.look_around(&self.progress)? {
                    self.pause = Duration::ZERO;
                }
                self.feed()?;
            }
            if let Some(ended) = self.listen()? {
                return Ok(ended);
            }
            let (source, progress) = (&*self.source, &mut self.progress);
            progress.update(source.results(), source.pairs(), |pace| source.status(pace));
            self.write_sometimes();
        }
    }

    /// Returns what was asked for by Ctrl-C or from another shell.
    fn stop_request(&mut self, interrupts: &Interrupt) -> Option<StopRequest> {
        // The folder may be on the disk of another machine: games that last a millisecond must not ask it each time.
        if self.looked.is_none_or(|at| at.elapsed() >= PATIENCE) {
            self.asked = self.source.lock().stop_request();
            self.looked = Some(Instant::now());
        }
        match interrupts.count() {
            0 => self.asked,
            1 => Some(self.asked.unwrap_or(StopRequest::Finish)),
            _ => Some(StopRequest::Now),
        }
    }

    fn stop(&mut self, ended: Ended) {
        self.stopping = Some(ended);
        self.workers.stop();
    }

    /// Gives the workers as much as they need for a while, or lets them end.
    fn feed(&mut self) -> Result<(), RunError> {
        if self.source.is_over() {
            self.stop(Ended::Complete);
        }
        while self.stopping.is_none()
            && self.failure.is_none()
            && self.workers.room() > 0
            && let Some((job, plan)) = self.source.next_job()?
        {
            self.workers.push(job, &plan);
        }
        Ok(())
    }

    /// Waits for a message; returns how the run ended when no worker is left.
    fn listen(&mut self) -> Result<Option<Ended>, RunError> {
        match self.workers.message(PATIENCE) {
            Ok(Message::Game(line, measured)) => {
                self.overhead.merge(&measured);
                self.source.add(*line)?;
            }
            Ok(Message::Note(text)) => self.progress.note(&text),
            Ok(Message::Failed(reason)) => {
                self.failure.get_or_insert(reason);
                self.workers.stop();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return match self.failure.take() {
                    Some(reason) => Err(RunError::Worker(reason)),
                    None => Ok(Some(self.stopping.unwrap_or(Ended::Stopped))),
                };
            }
        }
        Ok(None)
    }

    /// Writes the tables now and then, so that people can look at them.
    fn write_sometimes(&mut self) {
        if self.written.elapsed() < self.pause {
            return;
        }
        let begun = Instant::now();
        self.source.write(&self.overhead);
        self.written = Instant::now();
        self.pause = S::WRITE_EVERY.max(begun.elapsed() * WRITE_SHARE);
    }
}
