//! The protocols on real ranks, against the program of one process.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_mpi::{Deadline, World as _};
use amazons_program::ranks::is_first;
use amazons_program::speedup::{Report, Run, Stopwatch, check_cores};
use amazons_program::{Exit, launched, ranks_here};
use mastermind::protocol::{
    Caller, Master, Order, Pick, Player, Proposal, Protocol, ProtocolError, Searcher, SharedLeader, end_game,
    end_session, lead, serve, serve_shared,
};
use mastermind::{Code, Feedback, Guesses, History, Scorer, Strategy, Turn};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bench_args::{BenchArgs, check_codes};
use crate::rank_rows::{RankRows, allowed, fastest};
use crate::ranks::{AnyPost, LOST_AFTER, failed, run as run_ranks};

/// How long a rank may take to tell what it has done.
const TOLD_AFTER: Duration = Duration::from_secs(60);

pub(crate) struct Timed<'a> {
    args: &'a BenchArgs,
    /// The numbers of ranks, each with the protocols to time on so many.
    sessions: Vec<(usize, Vec<Protocol>)>,
}

/// Decides what is timed, on every rank alike.
pub(crate) fn plan(args: &BenchArgs) -> Result<Timed<'_>, Exit> {
    check_codes(args.game)?;
    let mut timed = Timed { args, sessions: Vec::new() };
    if args.timed == 0 {
        return Ok(timed);
    }
    if let Some(size) = launched() {
        check_cores(ranks_here(size), args.force)?;
        timed.sessions.push((size, args.protocol.clone()));
        return Ok(timed);
    }
    let of = |protocol: Protocol| args.players().iter().map(move |&players| (ranks_of(protocol, players), protocol));
    let wanted: Vec<_> = args.protocol.iter().copied().flat_map(of).collect();
    let mut numbers: Vec<usize> = wanted.iter().map(|(ranks, _)| *ranks).collect();
    numbers.sort_unstable();
    numbers.dedup();
    // The counts of what has no core are there all the same.
    let numbers = allowed(&numbers, args.force).unwrap_or_else(|refused| {
        eprintln!("mastermind: {}", refused.complaint().unwrap_or_default());
        Vec::new()
    });
    for ranks in numbers {
        let protocols = wanted.iter().filter(|(number, _)| *number == ranks).map(|(_, protocol)| *protocol);
        timed.sessions.push((ranks, protocols.collect()));
    }
    Ok(timed)
}

/// Returns the ranks that so many players make: the master of two protocols is one more.
fn ranks_of(protocol: Protocol, players: u32) -> usize {
    players as usize + usize::from(protocol != Protocol::Shared)
}

struct Games<'a> {
    args: &'a BenchArgs,
    order: Arc<Order>,
    scorer: Scorer,
    secrets: Vec<Code>,
}

impl Timed<'_> {
    /// Plays all sessions, for the report of rank 0.
    pub(crate) fn run(self, report: &mut Report) -> Result<(), Exit> {
        let (args, game) = (self.args, self.args.game);
        if self.sessions.is_empty() {
            return Ok(());
        }
        let mut secrets = args.secrets();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed);
        let secrets = secrets.partial_shuffle(&mut random, args.timed).0.to_vec();
        let title = format!("{game}: {} games on real ranks; shared chooses by entropy", secrets.len());
        let scorer = Scorer::new(game, Strategy::Entropy);
        let games = Games { args, order: Arc::new(Order::new(game)), scorer, secrets };
        let (mut rows, mut bases) = (RankRows::new(title), HashMap::new());
        for (ranks, protocols) in &self.sessions {
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
}

impl Games<'_> {
    /// Plays all games in one process, without messages.
    fn alone(&self, protocol: Protocol) -> Run {
        let watch = Stopwatch::of_thread();
        for &secret in &self.secrets {
            match protocol {
                Protocol::Shared => self.score_alone(secret),
                Protocol::FirstCome | Protocol::Seed => self.search_alone(protocol, secret),
            }
        }
        Run::of_one(&watch)
    }

    fn score_alone(&self, secret: Code) {
        let game = self.args.game;
        let mut history = History::new(game);
        while let Some(index) = self.scorer.next_guess(&history, Guesses::All) {
            let guess = game.code(index);
            if guess == secret {
                break;
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
        let (rank, ranks) = (post.world().rank(), post.world().size());
        if protocol == Protocol::Shared {
            serve_shared(post, &self.scorer, LOST_AFTER)?;
        } else {
            let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            let (order, parts) = (Arc::clone(&self.order), protocol.parts());
            serve(post, Player::new(protocol, parts, order, number(rank - 1), number(ranks - 1)), LOST_AFTER)?;
        }
        gather_busy(post, watch.busy())?;
        // Players of the next session propose at once: not before rank 0 is ready.
        post.world().broadcast(0, Vec::new(), Deadline::after(TOLD_AFTER))?;
        Ok(())
    }

    /// Plays all games on rank 0, several times; the time is that of the fastest, the shares are the mean of all.
    fn lead(&self, post: &mut AnyPost<'_>, protocol: Protocol) -> Result<Run, ProtocolError> {
        let watch = Stopwatch::of_thread();
        let times = match protocol {
            Protocol::Shared => self.lead_shared(post)?,
            Protocol::FirstCome | Protocol::Seed => self.lead_proposals(post, protocol)?,
        };
        let (elapsed, own) = (watch.time(), watch.busy());
        end_session(post)?;
        let busy = gather_busy(post, own)?;
        // Proposals that came too late for the last game are not for the next session.
        while post.try_receive()?.is_some() {}
        post.world().broadcast(0, Vec::new(), Deadline::after(TOLD_AFTER))?;
        let time = times.into_iter().min().unwrap_or(elapsed);
        let part = time.as_secs_f64() / elapsed.as_secs_f64();
        let busy = busy.into_iter().map(|busy| busy.mul_f64(part)).collect();
        Ok(Run { time, busy, serial: Duration::ZERO })
    }

    fn lead_shared(&self, post: &mut AnyPost<'_>) -> Result<Vec<Duration>, ProtocolError> {
        let (game, mut times) = (self.args.game, Vec::new());
        let mut leader = SharedLeader::new(post, &self.scorer, LOST_AFTER);
        for _ in 0..self.args.repeat.get() {
            let at = Instant::now();
            for &secret in &self.secrets {
                let mut history = History::new(game);
                loop {
                    let guess = game.code(leader.choose(&history)?.index);
                    if guess == secret {
                        break;
                    }
                    history.push(guess, Feedback::of(guess, secret));
                }
            }
            times.push(at.elapsed());
        }
        Ok(times)
    }

    fn lead_proposals(&self, post: &mut AnyPost<'_>, protocol: Protocol) -> Result<Vec<Duration>, ProtocolError> {
        let (mut number, mut times) = (0u16, Vec::new());
        for _ in 0..self.args.repeat.get() {
            let at = Instant::now();
            for &secret in &self.secrets {
                let (players, order) = (post.world().size() - 1, Arc::clone(&self.order));
                let random = Xoshiro256PlusPlus::seed_from_u64(self.args.seed);
                let master = Master::new(protocol, protocol.parts(), order, players, number, Pick::Lowest, random);
                lead(post, master, &mut Owner(secret), LOST_AFTER)?;
                end_game(post, number)?;
                number = number.wrapping_add(1);
            }
            times.push(at.elapsed());
        }
        Ok(times)
    }
}

/// Sends the processor time of this rank to rank 0; returns all ranks' times there.
fn gather_busy(post: &mut AnyPost<'_>, own: Duration) -> Result<Vec<Duration>, ProtocolError> {
    let nanos = u64::try_from(own.as_nanos()).unwrap_or(u64::MAX);
    let told = post.world().gather(0, nanos.to_le_bytes().to_vec(), Deadline::after(TOLD_AFTER))?;
    let busy = |bytes: &Vec<u8>| bytes.as_slice().try_into().map_or(0, u64::from_le_bytes);
    Ok(told.iter().map(busy).map(Duration::from_nanos).collect())
}

/// Answers as the owner of a secret.
struct Owner(Code);

impl Caller for Owner {
    fn evaluate(&mut self, code: Code, _: &[Proposal]) -> Option<Feedback> {
        Some(Feedback::of(code, self.0))
    }
}
