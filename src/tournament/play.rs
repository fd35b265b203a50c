//! One game of an event.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use amazons_program::files::write_whole;
use amazons_program::hex;
use amazons_rules::{Directions, Position};
use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use super::contest::contest;
use super::overhead::Histogram;
use super::plan::{Entrant, Plan, PlanError, Records};
use super::results::{GameLine, log_path, record_path};
use super::schedule::Pair;
use crate::bridge::ProgramCommand;
use crate::game::{self, Attachments, GameConfig, OwnConfig, PlayedGame, PlayerSettings};
use crate::host::{Clock, Isolation, Launcher};
use crate::participant::Participant;
use crate::record::JsonLines;
use crate::referee::{Cause, Event, MatchRules, Observer, PlayerNumber, Void};

/// How often a game that is void is played before the event stops.
const VOID_MAX: u32 = 3;

/// Plays games of plans with the same rules, with a fork server of its own.
#[derive(Debug)]
pub(super) struct GameRunner {
    launcher: Launcher,
    folder: PathBuf,
    host: String,
    speed: f64,
    /// A game like all others.
    template: GameConfig,
}

impl GameRunner {
    /// Prepares games with the rules of a plan; a player may keep so many bytes, unless the plan says how many.
    pub(super) fn new(plan: &Plan, folder: &Path, memory: u64) -> anyhow::Result<Self> {
        let pair = Pair { number: 1, stage: 1, players: [0, 0], board: 0, opening: 0 };
        let player = Entrant { own: PlayerSettings::default(), ..plan.players[0].clone() };
        let mut template = plan.config(plan.opening(&pair)?, &player)?;
        if !plan.has_memory() {
            template.limits.memory = template.limits.memory.min(memory);
        }
        let launcher = Launcher::new(Isolation::Process)?;
        Ok(Self { launcher, folder: folder.to_owned(), host: host_name(), speed: speed(), template })
    }

    /// Plays a game, again if it is void, keeps its record and logs, and returns its line for the journal.
    pub(super) fn play(
        &mut self,
        plan: &Plan,
        pair: &Pair,
        game: u8,
        overhead: &mut Histogram,
    ) -> anyhow::Result<GameLine> {
        let config = self.config(plan, pair, game)?;
        let mut start = game::start_event(&config);
        for (player, id) in PlayerNumber::ALL.into_iter().zip(pair.players) {
            start.players[player].sha256.clone_from(&plan.players[id].sha256);
            start.players[player].entrant = Some(plan.players[id].name.clone());
        }
        start.contest = Some(contest(&self.folder, pair.number, game));
        let mut tries = 0;
        loop {
            tries += 1;
            let begun = Instant::now();
            let mut recorder = GameRecorder::new(&config);
            let launcher = &mut self.launcher;
            let played =
                game::play(launcher, &config, &Attachments::default(), &start, &mut [&mut recorder], |_| Ok(()))?;
            let Some(Void { reason, cause }) = &played.outcome.void else {
                overhead.merge(&recorder.overhead);
                return self.keep(plan, pair, game, &played, recorder, begun.elapsed());
            };
            if tries == VOID_MAX || *cause == Cause::Lasting {
                bail!("pair {}, game {game} was void in {tries} of {VOID_MAX} tries: {reason}", pair.number)
            }
        }
    }

    fn config(&self, plan: &Plan, pair: &Pair, game: u8) -> Result<GameConfig, PlanError> {
        let players = pair.players.map(|id| &plan.players[id]);
        let participant = |player: &Entrant| Participant::parse(&player.file).map_err(PlanError::new);
        let [one, two] = players.map(|player| player.directions.map(Directions::from));
        let [first, second] = self.template.directions;
        let participants = [participant(players[0])?, participant(players[1])?];
        let command = |player: usize| ProgramCommand::of(&participants[player]).map_err(PlanError::new);
        let memory = self.template.limits.memory;
        let own = players.map(|player| OwnConfig {
            limits: player.own.has_limits().then(|| player.own.limits(&plan.game, memory)),
            options: player.own.options.clone(),
            environment: player.own.variables(),
        });
        Ok(GameConfig {
            position: plan.opening(pair)?,
            own,
            programs: [command(0)?, command(1)?],
            players: participants,
            directions: [one.unwrap_or(first), two.unwrap_or(second)],
            seed: plan.seed_of(pair.number, game),
            rules: MatchRules {
                first: if game == 1 { PlayerNumber::One } else { PlayerNumber::Two },
                ..self.template.rules
            },
            ..self.template.clone()
        })
    }

    fn keep(
        &self,
        plan: &Plan,
        pair: &Pair,
        game: u8,
        played: &PlayedGame,
        recorder: GameRecorder,
        wall: Duration,
    ) -> anyhow::Result<GameLine> {
        let outcome = &played.outcome;
        let is_faulty = !outcome.at_fault.is_empty();
        let is_kept = match plan.records {
            Records::All => true,
            Records::Faulty => is_faulty,
            Records::None => false,
        };
        let record = is_kept.then(|| record_path(pair.number, game));
        if let Some(path) = &record {
            self.write(path, &recorder.record)?;
        }
        let mut logs = [None, None];
        for player in PlayerNumber::ALL {
            if outcome.at_fault.contains(&player) {
                let path = log_path(pair.number, game, player);
                self.write(&path, &played.seats[player].log())?;
                logs[player] = Some(path);
            }
        }
        Ok(GameLine {
            pair: pair.number,
            game,
            players: pair.players.map(|id| plan.players[id].name.clone()),
            winner: outcome.winner,
            termination: outcome.termination,
            at_fault: outcome.at_fault.clone(),
            moves: outcome.moves,
            fingerprint: recorder.fingerprint(),
            slowest_us: recorder.slowest.map(crate::referee::micros),
            wall_us: crate::referee::micros(wall),
            idle_us: PlayerNumber::ALL
                .map(|player| crate::referee::micros(outcome.waited[player].saturating_sub(recorder.charged[player]))),
            host: self.host.clone(),
            speed: self.speed,
            record,
            logs,
        })
    }

    fn write(&self, path: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.folder.join(path);
        let written = match write_whole(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_whole(&path, bytes))
            }
            written => written,
        };
        written.with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Returns the name of this machine.
pub fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    crate::text::printable(name.trim().as_bytes())
}

/// Measures this processor with the rules: leaves in a microsecond, the best of three tries of a millisecond or two.
fn speed() -> f64 {
    let try_once = || {
        let begun = Instant::now();
        let leaves = Position::standard().perft(2);
        leaves as f64 / begun.elapsed().as_micros().max(1) as f64
    };
    let best = (0..3).map(|_| try_once()).fold(0.0, f64::max);
    (best * 10.0).round() / 10.0
}

/// Collects what the journal and the record keep of a game.
struct GameRecorder {
    clock: Clock,
    threads: [u32; 2],
    record: Vec<u8>,
    moves: Sha256,
    slowest: [Duration; 2],
    /// The time of all moves of each player.
    charged: [Duration; 2],
    overhead: Histogram,
    before: Instant,
}

impl GameRecorder {
    fn new(config: &GameConfig) -> Self {
        Self {
            clock: config.limits.clock,
            threads: PlayerNumber::ALL.map(|player| config.limits_of(player).threads.get()),
            record: Vec::new(),
            moves: Sha256::new(),
            slowest: [Duration::ZERO; 2],
            charged: [Duration::ZERO; 2],
            overhead: Histogram::default(),
            before: Instant::now(),
        }
    }

    fn fingerprint(&self) -> String {
        hex(&self.moves.clone().finalize()[..8])
    }
}

impl Observer for GameRecorder {
    fn observe(&mut self, event: &Event, position: &Position) -> io::Result<()> {
        match event {
            Event::Start(start) => {
                // A void game is played again, from the same start.
                (self.record, self.moves, self.slowest, self.charged, self.overhead) = Default::default();
                self.moves.update(&start.position);
            }
            Event::Move(mv) => {
                for vertex in [mv.from, mv.to, mv.arrow] {
                    self.moves.update(vertex.to_le_bytes());
                }
                let charged = match self.clock {
                    Clock::Cpu => mv.cpu_us.unwrap_or(0) / u64::from(self.threads[mv.player]),
                    Clock::Wall => mv.wall_us.unwrap_or(0),
                };
                let charged = Duration::from_micros(charged);
                self.slowest[mv.player] = self.slowest[mv.player].max(charged);
                self.charged[mv.player] += charged;
                self.overhead.add(self.before.elapsed().saturating_sub(charged));
            }
            Event::Fault(_) | Event::End(_) => {}
        }
        JsonLines::new(&mut self.record).observe(event, position)?;
        self.before = Instant::now();
        Ok(())
    }
}
