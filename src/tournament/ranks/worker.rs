use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use amazons_mpi::jobs::{self, Dismissal, JobId, Order, Timeouts};
use amazons_mpi::{Backoff, Deadline, Json, World};
use amazons_program::Interrupt;

use super::message::{Begin, Hello, Played, RankJob, SetUp};
use crate::tournament::identity::Identities;
use crate::tournament::journal_lines::{Header, read_header};
use crate::tournament::ladder::LadderHeader;
use crate::tournament::plan::Plan;
use crate::tournament::pool::{Message, Pool, PoolConfig, Workers};

/// Other machines may see a new file a little later.
const FOLDER_PATIENCE: Duration = Duration::from_secs(5);

/// How long a worker may take to notice an order or an interrupt: at first, and after a while.
const MIN_SLEEP: Duration = Duration::from_micros(500);
const MAX_SLEEP: Duration = Duration::from_millis(10);

/// How a worker's work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The runner ended the job; this is how to leave it.
    Dismissed(Dismissal),
    /// This process was asked to end now.
    Interrupted,
}

/// Plays what the runner, rank 0, hands out. Fails when the runner cannot be reached any more; failures of games are
/// reported to the runner.
pub fn serve(world: &mut impl World, interrupts: &Interrupt, timeouts: Timeouts) -> Result<Left, String> {
    let hello = Hello::here().map_err(|error| format!("cannot ask which cores there are: {error}"))?;
    let mut worker = jobs::Worker::<_, RankJob, Played, SetUp>::new(world, timeouts);
    worker.tell(SetUp::Hello(hello)).map_err(|error| error.to_string())?;
    let mut team: Option<Team> = None;
    let mut backoff = Backoff::up_to(MAX_SLEEP);
    loop {
        // A first Ctrl-C reaches the runner too, which finishes what is running and says what to do.
        if interrupts.count() > 1 {
            return Ok(Left::Interrupted);
        }
        while let Some(order) = worker.next_order().map_err(|error| error.to_string())? {
            backoff.reset();
            match (order, &mut team) {
                (Order::End(dismissal), _) => return Ok(Left::Dismissed(dismissal)),
                (Order::Message(SetUp::Begin(begin)), None) => match Team::of(&begin) {
                    Ok(begun) => team = Some(begun),
                    Err(reason) => worker.fail(reason).map_err(|error| error.to_string())?,
                },
                (Order::Job { id, job }, Some(team)) => team.push(id, job),
                (Order::Stop, Some(team)) => team.pool.stop(),
                (Order::Stop, None) => worker.bye().map_err(|error| error.to_string())?,
                // Pairs are never cancelled, and come after the event that they belong to.
                (Order::Message(_) | Order::Job { .. } | Order::Cancel(_), _) => {}
            }
        }
        let is_idle = match &mut team {
            Some(team) if !team.is_done => team.report(&mut worker, backoff.next_nap().max(MIN_SLEEP))?,
            _ => {
                worker.wait(Deadline::after(MAX_SLEEP)).map_err(|error| error.to_string())?;
                true
            }
        };
        if !is_idle {
            backoff.reset();
        }
    }
}

/// The threads that play here.
struct Team {
    plan: Arc<Plan>,
    pool: Pool,
    /// The unfinished parts of the pairs in hand, by their numbers.
    jobs: HashMap<u32, (JobId, [bool; 2])>,
    failure: Option<String>,
    is_done: bool,
}

impl Team {
    /// Starts threads for an event, if it is the same here as at the runner.
    fn of(begin: &Begin) -> Result<Self, String> {
        let Begin { plan: Json(plan), folder, games, cores, games_of_machine } = begin;
        let files = Identities::of_unchanged(plan).map_err(|swapped| swapped.to_string())?;
        check_folder(folder, plan)?;
        let pool = Pool::start(&PoolConfig {
            folder: folder.clone(),
            workers: *games,
            ahead: 2,
            cores: cores.clone(),
            games_of_machine: *games_of_machine,
            files: Arc::new(files),
        });
        Ok(Self { plan: Arc::new(plan.clone()), pool, jobs: HashMap::new(), failure: None, is_done: false })
    }

    fn push(&mut self, id: JobId, RankJob { pair: job, plan }: RankJob) {
        self.jobs.insert(job.pair.number, (id, job.games));
        self.pool.push(job, &plan.map_or_else(|| Arc::clone(&self.plan), |Json(own)| Arc::new(own)));
    }

    /// Passes on a message of the threads; returns whether there was none for a while.
    fn report(
        &mut self,
        worker: &mut jobs::Worker<impl World, RankJob, Played, SetUp>,
        patience: Duration,
    ) -> Result<bool, String> {
        let said = match self.pool.message(patience) {
            Ok(Message::Game(line, overhead)) => {
                let (pair, game) = (line.pair, usize::from(line.game).wrapping_sub(1));
                let played = Played(Json(line), overhead);
                let Some((id, left)) = self.jobs.get_mut(&pair) else { return Ok(false) };
                if let Some(is_wanted) = left.get_mut(game) {
                    *is_wanted = false;
                }
                if left.contains(&true) {
                    worker.partial(*id, played)
                } else {
                    let id = *id;
                    self.jobs.remove(&pair);
                    worker.finish(id, played)
                }
            }
            // The first one is the cause; other games are finished.
            Ok(Message::Failed(reason)) => {
                self.failure.get_or_insert(reason);
                self.pool.stop();
                Ok(())
            }
            Ok(Message::Note(_)) => Ok(()),
            Err(RecvTimeoutError::Timeout) => return Ok(true),
            Err(RecvTimeoutError::Disconnected) => {
                self.is_done = true;
                match self.failure.take() {
                    Some(reason) => worker.fail(reason),
                    None => worker.bye(),
                }
            }
        };
        said.map(|()| false).map_err(|error| error.to_string())
    }
}

/// Records are written where the journal is, so it must be the same folder.
fn check_folder(folder: &Path, plan: &Plan) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let ladder = || read_header::<LadderHeader>(folder).map(|header| header.ladder.with(Vec::new()));
        let there = read_header::<Header>(folder).map(|header| header.plan).or_else(|_| ladder());
        if there.is_ok_and(|there| there.differences(plan).is_empty()) {
            return Ok(());
        }
        if begun.elapsed() > FOLDER_PATIENCE {
            return Err(format!("{} is not the same folder here: name one that all machines share", folder.display()));
        }
        thread::sleep(FOLDER_PATIENCE / 50);
    }
}
