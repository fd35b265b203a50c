//! The protocols on real ranks, against the program of one process.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_mpi::{Deadline, World as _};
use amazons_program::{Exit, launched, thread_time};
use mastermind::protocol::{
    Caller, Master, Order, Pick, Player, Proposal, Protocol, ProtocolError, Searcher, SharedLeader, end_game,
    end_session, lead, serve, serve_shared,
};
use mastermind::{Code, Feedback, Guesses, History, Scorer, Strategy, Turn};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bench::{BenchArgs, Measured};
use crate::ranks::{AnyPost, LOST_AFTER, failed, run as run_ranks};
use crate::timing::{Rows, Run, allowed, check, fastest};

/// The largest game whose games are counted and timed.
const CODES_MAX: u32 = 1_000_000;

/// How long a rank may take to tell what it has done.
const TOLD_AFTER: Duration = Duration::from_secs(60);

/// What to time.
pub(crate) struct Timed<'a> {
    args: &'a BenchArgs,
    /// The numbers of ranks, each with the protocols to time on so many.
    sessions: Vec<(usize, Vec<Protocol>)>,
}

/// Decides what is timed, on every rank alike.
pub(crate) fn plan(args: &BenchArgs) -> Result<Timed<'_>, Exit> {
    let (game, codes) = (args.game, args.game.codes());
    if codes > CODES_MAX {
        return Err(Exit::Usage(format!("{game} has {codes} codes: bench counts at most {CODES_MAX}")));
    }
    let mut timed = Timed { args, sessions: Vec::new() };
    if args.timed == 0 {
        return Ok(timed);
    }
    if let Some(size) = launched() {
        check(size, args.force).map_err(Exit::Usage)?;
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

/// What all sessions need.
struct Games<'a> {
    args: &'a BenchArgs,
    order: Arc<Order>,
    scorer: Scorer,
    secrets: Vec<Code>,
}

impl Timed<'_> {
    /// Plays all sessions; rank 0 gets the table.
    pub(crate) fn run(self) -> Result<Option<Measured>, Exit> {
        let (args, game) = (self.args, self.args.game);
        if self.sessions.is_empty() {
            return Ok(None);
        }
        let mut secrets = args.secrets();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(args.seed);
        let secrets = secrets.partial_shuffle(&mut random, args.timed).0.to_vec();
        let title = format!("{game}: {} games on real ranks; shared chooses by entropy", secrets.len());
        let scorer = Scorer::new(game, Strategy::Entropy);
        let games = Games { args, order: Arc::new(Order::new(game)), scorer, secrets };
        let (rows, bases) = (RefCell::new(Rows::new(title)), RefCell::new(Vec::new()));
        for (ranks, protocols) in &self.sessions {
            let serve = |post: &mut AnyPost<'_>| protocols.iter().try_for_each(|&protocol| games.serve(post, protocol));
            run_ranks(*ranks, serve, |post| {
                let by = if launched().is_some() { "MPI" } else { "threads" };
                for &protocol in protocols {
                    let mut bases = bases.borrow_mut();
                    let known = bases.iter().position(|(other, _)| *other == protocol);
                    let place = known.map_or_else(
                        || {
                            let (base, ()) = fastest(args.repeat.get(), || Ok((games.alone(protocol), ())))?;
                            rows.borrow_mut().add(&protocol.to_string(), "one process", None, &base, &base);
                            bases.push((protocol, base));
                            Ok::<_, Exit>(bases.len() - 1)
                        },
                        Ok,
                    )?;
                    if protocol != Protocol::Shared && *ranks < 2 {
                        return Err(Exit::Usage(format!("{protocol} needs a master and at least one player")));
                    }
                    let run = games.lead(post, protocol).map_err(failed)?;
                    rows.borrow_mut().add(&protocol.to_string(), by, Some(*ranks), &bases[place].1, &run);
                }
                Ok(Exit::Success)
            })?;
        }
        Ok(Some(rows.into_inner().done(format!("timed-{game}.svg"))))
    }
}

impl Games<'_> {
    /// Plays all games in one process, without messages.
    fn alone(&self, protocol: Protocol) -> Run {
        let (begun, at) = (thread_time(), Instant::now());
        for &secret in &self.secrets {
            match protocol {
                Protocol::Shared => self.score_alone(secret),
                Protocol::FirstCome | Protocol::Seed => self.search_alone(protocol, secret),
            }
        }
        let busy = vec![thread_time().saturating_sub(begun)];
        Run { time: at.elapsed(), busy, serial: Duration::ZERO }
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
        let begun = thread_time();
        let (rank, ranks) = (post.world().rank(), post.world().size());
        if protocol == Protocol::Shared {
            serve_shared(post, &self.scorer, LOST_AFTER)?;
        } else {
            let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            let (order, parts) = (Arc::clone(&self.order), protocol.parts());
            serve(post, Player::new(protocol, parts, order, number(rank - 1), number(ranks - 1)), LOST_AFTER)?;
        }
        let busy = u64::try_from(thread_time().saturating_sub(begun).as_nanos()).unwrap_or(u64::MAX);
        post.world().gather(0, busy.to_le_bytes().to_vec(), Deadline::after(TOLD_AFTER))?;
        // Players of the next session propose at once: not before rank 0 is ready.
        post.world().broadcast(0, Vec::new(), Deadline::after(TOLD_AFTER))?;
        Ok(())
    }

    /// Plays all games on rank 0, several times; the time is that of the fastest, the shares are the mean of all.
    fn lead(&self, post: &mut AnyPost<'_>, protocol: Protocol) -> Result<Run, ProtocolError> {
        let (begun, at) = (thread_time(), Instant::now());
        let times = match protocol {
            Protocol::Shared => self.lead_shared(post)?,
            Protocol::FirstCome | Protocol::Seed => self.lead_proposals(post, protocol)?,
        };
        let (elapsed, own) = (at.elapsed(), thread_time().saturating_sub(begun));
        end_session(post)?;
        let own = u64::try_from(own.as_nanos()).unwrap_or(u64::MAX).to_le_bytes().to_vec();
        let told = post.world().gather(0, own, Deadline::after(TOLD_AFTER))?;
        // Proposals that came too late for the last game are not for the next session.
        while post.try_receive()?.is_some() {}
        post.world().broadcast(0, Vec::new(), Deadline::after(TOLD_AFTER))?;
        let time = times.into_iter().min().unwrap_or(elapsed);
        let part = time.as_secs_f64() / elapsed.as_secs_f64();
        let busy = |bytes: &Vec<u8>| {
            let nanos = bytes.as_slice().try_into().map_or(0, u64::from_le_bytes);
            Duration::from_nanos(nanos).mul_f64(part)
        };
        Ok(Run { time, busy: told.iter().map(busy).collect(), serial: Duration::ZERO })
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

/// Answers as the owner of a secret.
struct Owner(Code);

impl Caller for Owner {
    fn evaluate(&mut self, code: Code, _: &[Proposal]) -> Option<Feedback> {
        Some(Feedback::of(code, self.0))
    }
}
