use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use amazons_rules::Position;
use anyhow::Context;
use rustix::process::{WaitOptions, getpid, set_child_subreaper, waitpid};

use crate::command::Exit;
use crate::game::{self, Attachments, GameArgs, GameConfig, PlayedGame};
use crate::host::{Isolation, Launcher, check_limits};
use crate::participant::Participant;
use crate::referee::{Event, FaultEvent, Observer, Outcome, PlayerNumber, Termination};
use crate::text::visible;
use crate::tournament::cores::{allowed_processors, stay_on};

/// Memory that a process may gain without anything being lost: pages of heaps that were not full.
const SLACK: u64 = 4 << 20;

/// Plays many games, and reports how fast that was, how they ended, and what was left of them.
pub(super) fn run(args: &GameArgs, games: u32, jobs: Option<NonZeroU32>, out: &mut impl Write) -> anyhow::Result<Exit> {
    let config = GameConfig::new(args)?;
    if config.players.iter().any(Participant::is_person) {
        return Ok(Exit::usage("a person cannot play so many games: name two programs"));
    }
    if config.isolation == Isolation::None {
        return Ok(Exit::usage("--isolation none plays one game at a time: leave it out"));
    }
    let cores = allowed_processors().context("cannot ask which cores there are")?;
    let jobs = jobs.map_or(cores.len(), |jobs| jobs.get() as usize).min(games as usize);
    let before = Resources::now().context("cannot count what this process holds")?;
    let tally = Mutex::new(Tally::default());
    check_limits(jobs)?;
    // What the players' processes leave behind becomes a child of this one, and is seen at the end.
    set_child_subreaper(Some(getpid())).context("cannot become the parent of processes that are left")?;
    let (started, clock) = (AtomicU32::new(0), Instant::now());
    let results: Vec<anyhow::Result<()>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs)
            .map(|job| {
                // A player with threads of its own needs more than one core.
                let core = (config.limits.threads == NonZeroU32::MIN).then(|| cores[job % cores.len()]);
                let (config, started, tally) = (&config, &started, &tally);
                scope.spawn(move || work(config, core, games, started, tally))
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("workers do not panic")).collect()
    });
    results.into_iter().collect::<anyhow::Result<()>>()?;
    let seconds = clock.elapsed().as_secs_f64();
    let after = Resources::now().context("cannot count what this process holds")?;
    let tally = tally.into_inner().expect("workers do not panic");
    let verdict = match after.growth(&before, tally.memory_early) {
        _ if tally.is_nothing_loaded(games) => Err("no game could be played: see the first fault".to_owned()),
        _ if tally.void.is_some() => Err(format!("games are void: {}", tally.void.as_deref().unwrap_or_default())),
        None => Ok(format!("nothing grew: no descriptor and no process is left, and no more than {} MiB", SLACK >> 20)),
        Some(growth) => Err(growth),
    };
    report(out, games, config.seed, seconds, &tally, [&before, &after])
        .and_then(|()| match &verdict {
            Ok(good) => writeln!(out, "passed: {good}"),
            Err(bad) => writeln!(out, "failed: {bad}"),
        })
        .context("cannot write")?;
    Ok(if verdict.is_ok() { Exit::Success } else { Exit::Partly })
}

/// Plays games until enough are started.
fn work(
    config: &GameConfig,
    core: Option<usize>,
    games: u32,
    started: &AtomicU32,
    tally: &Mutex<Tally>,
) -> anyhow::Result<()> {
    if let Some(core) = core {
        // The players' processes inherit it: then no game disturbs another, and none waits for another core to wake up.
        stay_on(core).context("cannot stay on one core")?;
    }
    let mut launcher = Launcher::new(config.isolation)?;
    loop {
        let number = started.fetch_add(1, Ordering::Relaxed);
        if number >= games {
            return Ok(());
        }
        let config = GameConfig { seed: config.seed.wrapping_add(number.into()), ..config.clone() };
        let start = game::start_event(&config);
        let mut witness = FirstFault::default();
        let (attachments, observers) = (Attachments::default(), &mut [&mut witness as &mut dyn Observer]);
        let PlayedGame { outcome, .. } =
            game::play(&mut launcher, &config, &attachments, &start, observers, |_| Ok(()))?;
        let mut tally = tally.lock().expect("workers do not panic");
        tally.add(&outcome);
        if let FirstFault(Some(fault)) = witness {
            tally.note(number, &config, &fault);
        }
        if number == games / 10 {
            tally.memory_early = resident();
        }
    }
}

/// Remembers a game's first fault.
#[derive(Debug, Default)]
struct FirstFault(Option<FaultEvent>);

impl Observer for FirstFault {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        match event {
            // A void game is played again.
            Event::Start(_) => self.0 = None,
            Event::Fault(fault) if self.0.is_none() => self.0 = Some(fault.clone()),
            _ => {}
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Tally {
    moves: u64,
    wins: [u32; 2],
    /// How many games ended so, and how often each player was at fault in them.
    terminations: BTreeMap<Termination, (u32, [u32; 2])>,
    /// The number of the earliest game with a fault, and that fault in words.
    first_fault: Option<(u32, String)>,
    /// Why a game is void.
    void: Option<String>,
    /// Resident memory after a tenth of the games.
    memory_early: Option<u64>,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        self.moves += u64::from(outcome.moves);
        self.void = self.void.take().or_else(|| outcome.void.as_ref().map(|void| void.reason.clone()));
        if let Some(winner) = outcome.winner {
            self.wins[winner] += 1;
        }
        let (count, at_fault) = self.terminations.entry(outcome.termination).or_default();
        *count += 1;
        for &player in &outcome.at_fault {
            at_fault[player] += 1;
        }
    }

    fn note(&mut self, number: u32, config: &GameConfig, fault: &FaultEvent) {
        if self.first_fault.as_ref().is_some_and(|(earliest, _)| *earliest < number) {
            return;
        }
        let FaultEvent { player, termination, call, detail, .. } = fault;
        let file = config.players[*player].typed().display();
        let ply = fault.ply.map_or_else(String::new, |ply| format!(", ply {ply}"));
        let again = format!("--seed {} --first {}", config.seed, config.rules.first.number());
        let line = format!(
            "{player} ({file}): {termination} in {call}{ply}: {detail} (again: server {again} and the rest as here)"
        );
        self.first_fault = Some((number, line));
    }

    /// Returns whether the games say nothing, because a library is no player.
    fn is_nothing_loaded(&self, games: u32) -> bool {
        self.terminations.get(&Termination::LoadError).is_some_and(|(count, _)| *count == games)
    }
}

/// The resources that a process should give back.
#[derive(Debug)]
struct Resources {
    descriptors: usize,
    has_children: bool,
    memory: Option<u64>,
    cpu: Duration,
}

impl Resources {
    fn now() -> io::Result<Self> {
        let has_children = loop {
            match waitpid(None, WaitOptions::NOHANG) {
                Err(rustix::io::Errno::CHILD) => break false,
                Err(errno) => return Err(errno.into()),
                Ok(None) => break true,
                // It has ended.
                Ok(Some(_)) => {}
            }
        };
        Ok(Self {
            descriptors: fs::read_dir("/proc/self/fd")?.count(),
            has_children,
            memory: resident(),
            cpu: crate::host::cpu_time_of_all(),
        })
    }

    /// Describes the first resource of which there is more than before.
    fn growth(&self, before: &Self, memory_early: Option<u64>) -> Option<String> {
        if self.descriptors > before.descriptors {
            return Some(format!("{} descriptors were left open", self.descriptors - before.descriptors));
        }
        if self.has_children && !before.has_children {
            return Some("processes were left".to_owned());
        }
        let (now, early) = (self.memory?, memory_early?);
        (now > early + SLACK).then(|| format!("memory grew from {} to {} KiB", early >> 10, now >> 10))
    }
}

fn report(
    out: &mut impl Write,
    games: u32,
    seed: u64,
    seconds: f64,
    tally: &Tally,
    [before, after]: [&Resources; 2],
) -> io::Result<()> {
    let cpu = after.cpu.saturating_sub(before.cpu).as_secs_f64();
    let per_game = f64::from(games);
    let last = seed.wrapping_add((games - 1).into());
    writeln!(out, "games: {games}, {:.1} moves each; seeds {seed} to {last}", tally.moves as f64 / per_game)?;
    writeln!(out, "player 1 won {}, player 2 won {}", tally.wins[0], tally.wins[1])?;
    for (termination, (count, at_fault)) in &tally.terminations {
        let faults = PlayerNumber::ALL.map(|player| format!("{player} at fault in {}", at_fault[player]));
        let faults = if *at_fault == [0, 0] { String::new() } else { format!(" ({})", faults.join(", ")) };
        writeln!(out, "{termination}: {count}{faults}")?;
    }
    if let Some((number, fault)) = &tally.first_fault {
        writeln!(out, "first fault: game {}: {}", number + 1, visible(fault))?;
    }
    writeln!(
        out,
        "speed: {:.1} games/s, {:.2} ms of processor time each",
        per_game / seconds,
        cpu * 1000.0 / per_game
    )?;
    let kib = |memory: Option<u64>| memory.map_or_else(|| "?".to_owned(), |bytes| (bytes >> 10).to_string());
    writeln!(
        out,
        "held by this process: memory {} KiB after a tenth of the games, {} KiB at the end; descriptors {} before, {} after",
        kib(tally.memory_early),
        kib(after.memory),
        before.descriptors,
        after.descriptors
    )
}

fn resident() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
