//! The protocols on real ranks, against the program of one process.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use amazons_mpi::jobs::{self, Options, Task};
use amazons_mpi::{Deadline, World as _, decode, encode};
use amazons_program::ranks::is_first;
use amazons_program::speedup::{Report, Run, Stopwatch, check_cores};
use amazons_program::{Exit, launched, ranks_here, thread_time};
use mastermind::protocol::{
    Caller, Chunk, Master, Order, Pick, Player, Proposal, Protocol, ProtocolError, Searcher, SharedLeader,
    SharedWorker, end_game, end_session, lead, serve,
};
use mastermind::{Code, Feedback, Guesses, History, Scorer, Strategy, Turn};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bench_args::BenchArgs;
use crate::options::expect_at_most;
use crate::rank_rows::{RankRows, allowed, fastest};
use crate::ranks::{AnyPost, LOST_AFTER, failed, run as run_ranks};

/// Larger games would take too long to count and to time.
const MAX_CODES: u32 = 1_000_000;

/// The numbers of ranks, each with the protocols to time on so many.
pub(crate) type Sessions = BTreeMap<usize, Vec<Protocol>>;

/// Decides what is timed, on every rank alike.
pub(crate) fn plan(args: &BenchArgs) -> Result<Sessions, Exit> {
    expect_at_most(MAX_CODES, args.game, "bench counts")?;
    let mut sessions = Sessions::new();
    if args.timed == 0 {
        return Ok(sessions);
    }
    if let Some(size) = launched() {
        check_cores(ranks_here(size), args.force)?;
        return Ok([(size, args.protocol.clone())].into());
    }
    for &protocol in &args.protocol {
        for &players in &args.players {
            // The master of two protocols is one more.
            let ranks = players as usize + usize::from(protocol != Protocol::Shared);
            sessions.entry(ranks).or_default().push(protocol);
        }
    }
    // The counts of what has no core are there all the same.
    let numbers = allowed(&sessions.keys().copied().collect::<Vec<_>>(), args.force).unwrap_or_else(|refused| {
        eprintln!("mastermind: {}", refused.complaint().unwrap_or_default());
        Vec::new()
    });
    sessions.retain(|ranks, _| numbers.contains(ranks));
    Ok(sessions)
}

struct Games<'a> {
    args: &'a BenchArgs,
    order: Arc<Order>,
    scorer: Scorer,
    secrets: Vec<Code>,
}

/// Plays all sessions, for the report of rank 0.
pub(crate) fn run(args: &BenchArgs, sessions: &Sessions, report: &mut Report) -> Result<(), Exit> {
    let game = args.game;
    if sessions.is_empty() {
        return Ok(());
    }
    let mut secrets = args.secrets();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    let secrets = secrets.partial_shuffle(&mut random, args.timed).0.to_vec();
    let title = format!("{game}: {} games on real ranks; shared chooses by entropy", secrets.len());
    let scorer = Scorer::new(game, Strategy::Entropy);
    let games = Games { args, order: Arc::new(Order::new(game)), scorer, secrets };
    let (mut rows, mut bases) = (RankRows::new(title), HashMap::new());
    for (ranks, protocols) in sessions {
        let serve = |post: &mut AnyPost<'_>| protocols.iter().try_for_each(|&protocol| games.serve(post, protocol));
        run_ranks(*ranks, serve, |post| {
            let by = if launched().is_some() { "MPI" } else { "threads" };
            for &protocol in protocols {
                let base = match bases.entry(protocol) {
                    Entry::Occupied(base) => base.into_mut(),
                    Entry::Vacant(place) => {
                        let (base, ()) = fastest(args.repeat.get(), || Ok((games.alone(protocol), ())))?;
                        rows.add(&protocol.to_string(), "one process", None, &base, &base);
                        place.insert(base)
                    }
                };
                if protocol != Protocol::Shared && *ranks < 2 {
                    return Err(Exit::Usage(format!("{protocol} needs a master and at least one player")));
                }
                let run = games.lead(post, protocol).map_err(failed)?;
                rows.add(&protocol.to_string(), by, Some(*ranks), base, &run);
            }
            Ok(Exit::Success)
        })?;
    }
    if is_first() {
        rows.report(format!("timed-{game}.svg"), report);
    }
    Ok(())
}

impl Games<'_> {
    /// Plays all games in one process, without messages.
    fn alone(&self, protocol: Protocol) -> Run {
        let watch = Stopwatch::of_thread();
        for &secret in &self.secrets {
            match protocol {
                Protocol::Shared => {
                    let next = |history: &History| self.scorer.next_guess(history, Guesses::All).ok_or(());
                    self.score(secret, next).expect("the secret is left");
                }
                Protocol::FirstCome | Protocol::Seed => self.search_alone(protocol, secret),
            }
        }
        Run::of_one(&watch)
    }

    /// Plays a game of `shared`; `next` chooses the guesses.
    fn score<E>(&self, secret: Code, mut next: impl FnMut(&History) -> Result<u32, E>) -> Result<(), E> {
        let mut history = History::new(self.args.game);
        loop {
            let guess = self.args.game.code(next(&history)?);
            if guess == secret {
                return Ok(());
            }
            history.push(guess, Feedback::of(guess, secret));
        }
    }

    /// One player that has all codes and is its own master.
    fn search_alone(&self, protocol: Protocol, secret: Code) {
        let part = protocol.parts().part(self.args.game, 0, 1);
        let mut searcher = Searcher::new(Arc::clone(&self.order), part);
        loop {
            while !searcher.search(u64::MAX) {}
            let Some(guess) = searcher.plausible().filter(|guess| *guess != secret) else { return };
            searcher.learn(Turn { guess, answer: Feedback::of(guess, secret) });
        }
    }

    /// Plays all games on another rank than 0, and tells rank 0 its processor time.
    fn serve(&self, post: &mut AnyPost<'_>, protocol: Protocol) -> Result<(), ProtocolError> {
        let watch = Stopwatch::of_thread();
        let [number, players] =
            [post.world.rank() - 1, post.world.size() - 1].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let spent = if protocol == Protocol::Shared {
            self.share(post)?.1
        } else {
            let order = Arc::clone(&self.order);
            serve(post, Player::new(protocol, order, number, players), LOST_AFTER)?;
            Duration::ZERO
        };
        gather_busy(post, watch.busy() + spent)?;
        // Players of the next session propose at once: not before rank 0 is ready.
        post.world.broadcast(0, Vec::new(), Deadline::after(LOST_AFTER))?;
        Ok(())
    }

    /// Plays all games on rank 0, several times; the time is that of the fastest, the shares are the mean of all.
    fn lead(&self, post: &mut AnyPost<'_>, protocol: Protocol) -> Result<Run, ProtocolError> {
        let watch = Stopwatch::of_thread();
        let (fastest, spent) = match protocol {
            Protocol::Shared => self.share(post)?,
            Protocol::FirstCome | Protocol::Seed => (self.propose(post, protocol)?, Duration::ZERO),
        };
        let (elapsed, own) = (watch.time(), watch.busy() + spent);
        if protocol != Protocol::Shared {
            end_session(post)?;
        }
        let busy = gather_busy(post, own)?;
        // Proposals that came too late for the last game are not for the next session.
        while post.try_receive()?.is_some() {}
        post.world.broadcast(0, Vec::new(), Deadline::after(LOST_AFTER))?;
        let part = fastest.as_secs_f64() / elapsed.as_secs_f64();
        let busy = busy.into_iter().map(|busy| busy.mul_f64(part)).collect();
        Ok(Run { time: fastest, busy, serial: Duration::ZERO })
    }

    /// Plays all games several times; returns the shortest time.
    fn fastest(&self, mut play: impl FnMut(Code) -> Result<(), ProtocolError>) -> Result<Duration, ProtocolError> {
        let mut fastest = Duration::MAX;
        for _ in 0..self.args.repeat.get() {
            let at = Instant::now();
            self.secrets.iter().try_for_each(|&secret| play(secret))?;
            fastest = fastest.min(at.elapsed());
        }
        Ok(fastest)
    }

    /// Plays all games of `shared` on all ranks, which must all call this; returns the shortest time on rank 0, and the
    /// processor time of this rank's jobs.
    fn share(&self, post: &mut AnyPost<'_>) -> Result<(Duration, Duration), ProtocolError> {
        let (worker, spent) = (SharedWorker::new(&self.scorer), Mutex::new(Duration::ZERO));
        let work = |task: Task<'_, Chunk>| {
            let begun = thread_time();
            let best = worker.work(task);
            *spent.lock().unwrap_or_else(PoisonError::into_inner) += thread_time().saturating_sub(begun);
            best
        };
        let (led, _) = jobs::lead(&mut post.world, &Options::default(), work, |ranks| {
            let mut leader = SharedLeader::new(ranks, &worker);
            let fastest = self.fastest(|secret| self.score(secret, |history| leader.choose(history)));
            // No message may be on its way when the next session begins.
            ranks.cancel_all();
            ranks.stop();
            while ranks.next_event(Deadline::NEVER).is_ok() {}
            fastest
        })?;
        let spent = spent.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((led.unwrap_or(Ok(Duration::ZERO))?, spent))
    }

    /// Plays all games of another protocol on rank 0; returns the shortest time.
    fn propose(&self, post: &mut AnyPost<'_>, protocol: Protocol) -> Result<Duration, ProtocolError> {
        let mut number = 0u16;
        self.fastest(|secret| {
            let (players, order) = (post.world.size() - 1, Arc::clone(&self.order));
            let random = Xoshiro256PlusPlus::seed_from_u64(self.args.seed);
            let master = Master::new(protocol, order, players, number, Pick::Lowest, random);
            lead(post, master, &mut Owner(secret), LOST_AFTER)?;
            end_game(post, number)?;
            number = number.wrapping_add(1);
            Ok(())
        })
    }
}

/// Sends the processor time of this rank to rank 0; returns all ranks' times there.
fn gather_busy(post: &mut AnyPost<'_>, own: Duration) -> Result<Vec<Duration>, ProtocolError> {
    let told = post.world.gather(0, encode(&own).expect("a time"), Deadline::after(LOST_AFTER))?;
    Ok(told.iter().map(|bytes| decode(bytes).unwrap_or_default()).collect())
}

/// Answers as the owner of a secret.
struct Owner(Code);

impl Caller for Owner {
    fn evaluate(&mut self, code: Code, _: &[Proposal]) -> Option<Feedback> {
        Some(Feedback::of(code, self.0))
    }
}
