use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use crate::tournament::farm::message::{from_bytes, to_bytes};
use crate::tournament::farm::runner::NAPS;
use crate::tournament::farm::{Begin, Dismissal, Hello, Patience, ToRunner, ToWorker, Wire};
use crate::tournament::identity::Identities;
use crate::tournament::runner::memory_of;
use crate::tournament::{Interrupts, Message, Plan, Pool, PoolConfig, Workers, read_header};

/// The runner may be busy with its files for longer than a worker may be silent.
const RUNNER_PATIENCE: u32 = 5;

/// Other machines may see a new file a little later.
const FOLDER_PATIENCE: Duration = Duration::from_secs(5);

/// How a worker's work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The runner said so, and how to leave the job.
    Dismissed(Dismissal),
    /// Somebody wants this process to end now.
    Interrupted,
}

/// Plays what the runner, rank 0, hands out.
///
/// # Errors
/// When the runner cannot be reached any more; what went wrong with games is the runner's to say.
pub fn serve(wire: &mut impl Wire, interrupts: &Interrupts, patience: Patience) -> Result<Left, String> {
    let hello = Hello::here().map_err(|error| format!("cannot ask which cores there are: {error}"))?;
    let mut worker = Worker { wire, patience, heard: Instant::now(), spoken: Instant::now() };
    worker.say(&ToRunner::Hello(hello))?;
    let mut pool = None;
    let mut nap = NAPS[0];
    loop {
        // A first Ctrl-C reaches the runner too, which finishes what is running and says what to do.
        if interrupts.count() > 1 {
            return Ok(Left::Interrupted);
        }
        let mut is_idle = true;
        while let Some(message) = worker.hear()? {
            is_idle = false;
            match (message, &mut pool) {
                (ToWorker::End { together: true }, _) => return Ok(Left::Dismissed(Dismissal::Together)),
                (ToWorker::End { together: false }, _) => return Ok(Left::Dismissed(Dismissal::Scattered)),
                (ToWorker::Begin(begin), None) => match team(&begin) {
                    Ok(team) => pool = Some(team),
                    Err(reason) => worker.say(&ToRunner::Failed(reason))?,
                },
                (ToWorker::Play(job), Some(team)) => team.pool.push(job),
                (ToWorker::Stop, Some(team)) => team.pool.stop(),
                (ToWorker::Stop, None) => worker.say(&ToRunner::Bye)?,
                (ToWorker::Alive | ToWorker::Begin(_) | ToWorker::Play(_), _) => {}
            }
        }
        match &mut pool {
            Some(team) => is_idle &= team.report(&mut worker, nap)?,
            None => thread::sleep(nap),
        }
        nap = if is_idle { (nap * 2).min(NAPS[1]) } else { NAPS[0] };
    }
}

struct Worker<'a, W> {
    wire: &'a mut W,
    patience: Patience,
    heard: Instant,
    spoken: Instant,
}

impl<W: Wire> Worker<'_, W> {
    fn say(&mut self, message: &ToRunner) -> Result<(), String> {
        self.spoken = Instant::now();
        self.wire.send(0, to_bytes(message)?)
    }

    /// Returns what the runner says next, and says that we live.
    fn hear(&mut self) -> Result<Option<ToWorker>, String> {
        if self.spoken.elapsed() >= self.patience.alive_every {
            self.say(&ToRunner::Alive)?;
        }
        self.wire.unsent()?;
        let Some((_, bytes)) = self.wire.receive()? else {
            let limit = self.patience.lost_after * RUNNER_PATIENCE;
            if self.heard.elapsed() >= limit {
                return Err(format!("nothing was heard of rank 0 for {} s", limit.as_secs_f64()));
            }
            return Ok(None);
        };
        self.heard = Instant::now();
        from_bytes(&bytes).map(Some)
    }
}

/// The threads that play here.
struct Team {
    pool: Pool,
    failure: Option<String>,
    is_done: bool,
}

impl Team {
    /// Passes on what the threads have to say within a while; tells whether that is nothing.
    fn report(&mut self, worker: &mut Worker<'_, impl Wire>, patience: Duration) -> Result<bool, String> {
        if self.is_done {
            thread::sleep(patience);
            return Ok(true);
        }
        match self.pool.message(patience) {
            Ok(Message::Game(line, overhead)) => worker.say(&ToRunner::Game(line, overhead))?,
            // The first one is the cause; other games are finished.
            Ok(Message::Failed(reason)) => {
                self.failure.get_or_insert(reason);
                self.pool.stop();
            }
            Ok(Message::Note(_)) => {}
            Err(RecvTimeoutError::Timeout) => return Ok(true),
            Err(RecvTimeoutError::Disconnected) => {
                self.is_done = true;
                worker.say(&self.failure.take().map_or(ToRunner::Bye, ToRunner::Failed))?;
            }
        }
        Ok(false)
    }
}

/// Starts threads for an event, if it is the same here as at the runner.
fn team(begin: &Begin) -> Result<Team, String> {
    let Begin { plan, folder, games, cores, games_of_machine } = begin;
    let files = Identities::of_unchanged(plan)?;
    check_folder(folder, plan)?;
    let pool = Pool::start(&PoolConfig {
        plan: Arc::new(plan.clone()),
        folder: folder.clone(),
        workers: *games,
        cores: cores.clone(),
        memory: memory_of(*games_of_machine),
        files: Arc::new(files),
    });
    Ok(Team { pool, failure: None, is_done: false })
}

/// Records are written where the journal is, so it must be the same folder.
fn check_folder(folder: &Path, plan: &Plan) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let is_same = read_header(folder).is_ok_and(|header| header.plan.differences(plan).is_empty());
        if is_same {
            return Ok(());
        }
        if begun.elapsed() > FOLDER_PATIENCE {
            return Err(format!(
                "{} is not the event's folder here: use --dir with a folder that all machines share",
                folder.display()
            ));
        }
        thread::sleep(FOLDER_PATIENCE / 50);
    }
}
