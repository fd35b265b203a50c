use std::path::{Path, PathBuf};

use amazons_statistics::{Score, Sprt, SprtVerdict};
use serde::{Deserialize, Serialize};

use crate::referee::{PlayerNumber, Termination};
use crate::tournament::plan::PAIRS_MAX;

/// The folder of the tasks of an event.
pub(super) const TASKS: &str = "tasks";

/// A finished game: a line of the journal.
///
/// Player 1 is the first of the pair, whoever moved first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// The number of the pair.
    pub pair: u32,
    /// 1 or 2: player 1 moves first in game 1, player 2 in game 2.
    pub game: u8,
    /// The names of players 1 and 2.
    pub players: [String; 2],
    /// The winner; null for a draw.
    pub winner: Option<PlayerNumber>,
    /// How it ended.
    pub termination: Termination,
    /// The players at fault, also those that were only in `finalize`, where it changes nothing.
    pub at_fault: Vec<PlayerNumber>,
    /// How many moves were played after the opening.
    pub moves: u32,
    /// The same for games with the same opening and moves: 16 hexadecimal digits.
    pub fingerprint: String,
    /// The slowest move of each player, in microseconds as charged.
    pub slowest_us: [u64; 2],
    /// How long the game took, in microseconds on the wall clock.
    pub wall_us: u64,
    /// For how much of it each player was waited for beyond what its moves are charged, in microseconds.
    #[serde(default)]
    pub idle_us: [u64; 2],
    /// The machine that it was played on.
    pub host: String,
    /// How fast that was before its first game: leaves of perft 2 from the standard position in a microsecond.
    pub speed: f64,
    /// The record, a path in the folder of the event; null when it is not kept.
    pub record: Option<String>,
    /// The players' output, likewise; kept of players at fault.
    pub logs: [Option<String>; 2],
}

/// A game in memory, 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The winner; none for a draw.
    pub winner: Option<PlayerNumber>,
    /// How it ended.
    pub termination: Termination,
    /// Whether players 1 and 2 were at fault.
    pub at_fault: [bool; 2],
    /// Whether there is a record, and logs of players 1 and 2.
    pub kept: [bool; 3],
    /// How many moves were played.
    pub moves: u32,
    /// The same for the same game.
    pub fingerprint: u64,
    /// The slowest move of each player, in microseconds; more than an hour is an hour.
    pub slowest_us: [u32; 2],
}

impl From<&GameLine> for GameResult {
    fn from(line: &GameLine) -> Self {
        Self {
            winner: line.winner,
            termination: line.termination,
            at_fault: PlayerNumber::ALL.map(|player| line.at_fault.contains(&player)),
            kept: [line.record.is_some(), line.logs[0].is_some(), line.logs[1].is_some()],
            moves: line.moves,
            fingerprint: u64::from_str_radix(&line.fingerprint, 16).unwrap_or(0),
            slowest_us: line.slowest_us.map(|time| u32::try_from(time).unwrap_or(u32::MAX)),
        }
    }
}

impl GameResult {
    /// Returns where its record and the logs of both players are, those that are kept, in the folder of the event.
    pub fn files(&self, pair: u32, game: u8) -> (Option<String>, [Option<String>; 2]) {
        let [record, log1, log2] = self.kept;
        let log = |player, is_kept: bool| is_kept.then(|| log_path(pair, game, player));
        let logs = [log(PlayerNumber::One, log1), log(PlayerNumber::Two, log2)];
        (record.then(|| record_path(pair, game)), logs)
    }

    /// Returns the players, the one that moved first in front, of game 1 or 2 of a pair.
    pub const fn in_order<T: Copy>([one, two]: [T; 2], game: usize) -> [T; 2] {
        if game == 1 { [one, two] } else { [two, one] }
    }

    /// Returns the kind of a player's fault, 0 for player 1: how the game ended by it, or `finalize` behind the game.
    pub fn fault(&self, player: usize) -> Option<&'static str> {
        use Termination::{MaxMoves, NoMoves, Resign};
        let has_won = self.winner.is_some_and(|winner| winner == PlayerNumber::ALL[player]);
        let is_behind = has_won || matches!(self.termination, NoMoves | Resign | MaxMoves);
        self.at_fault[player].then(|| if is_behind { "finalize" } else { self.termination.name() })
    }

    /// Returns whether it tells how strong the players are: where one did not start, nobody moved.
    pub const fn is_measured(&self) -> bool {
        self.moves > 0
    }

    /// Returns the half points of player 1: 2 for a win, 1 for a draw.
    pub const fn half_points(&self) -> u8 {
        match self.winner {
            Some(PlayerNumber::One) => 2,
            None => 1,
            Some(PlayerNumber::Two) => 0,
        }
    }
}

/// Returns the path of a game's record in the folder of the event.
pub fn record_path(pair: u32, game: u8) -> String {
    format!("records/{:03}/{pair:06}-{game}.jsonl", pair / 1000)
}

/// Returns the path of a player's log of a game in the folder of the event.
pub fn log_path(pair: u32, game: u8, player: PlayerNumber) -> String {
    format!("logs/{:03}/{pair:06}-{game}-player{}.log", pair / 1000, player.number())
}

/// Returns where the task of a pair leaves its result, in the folder of the event.
pub(super) fn result_path(folder: &Path, pair: u32) -> PathBuf {
    folder.join(TASKS).join(format!("{pair:06}.json"))
}

/// Returns whether the task of a pair is being played or done.
pub(super) fn is_task_begun(folder: &Path, pair: u32) -> bool {
    let path = result_path(folder, pair);
    path.exists() || path.with_extension("lock").exists()
}

/// The games of an event by pair: those of pair n are at index n - 1.
#[derive(Clone, Debug, Default)]
pub struct Results {
    games: Vec<[Option<GameResult>; 2]>,
    count: usize,
    whole: usize,
    /// The test so far: over the pairs from the first to the last without a gap.
    test: Option<Test>,
}

/// A sequential test that looks at pairs in their order.
#[derive(Clone, Debug)]
pub struct Test {
    /// The hypotheses and the bounds.
    pub sprt: Sprt,
    /// The pairs that it has looked at, by the first player's points: 0, 1/2, 1, 3/2, 2.
    pub counts: [u64; 5],
    /// The log-likelihood ratio after each of them.
    pub llr: Vec<f64>,
    /// How many pairs were due: those with a game without a move tell nothing.
    pub passed: usize,
    /// Its verdict so far.
    pub verdict: SprtVerdict,
}

impl Test {
    /// Begins a test.
    pub const fn new(sprt: Sprt) -> Self {
        Self { sprt, counts: [0; 5], llr: Vec::new(), passed: 0, verdict: SprtVerdict::Continue }
    }

    /// Looks at the next pair; after a verdict it does not change any more.
    pub fn add(&mut self, half_points: u8) {
        if self.verdict != SprtVerdict::Continue {
            return;
        }
        self.counts[usize::from(half_points)] += 1;
        let llr = self.sprt.llr(&Score::pairs(self.counts));
        self.llr.push(llr);
        self.verdict = self.sprt.judge(llr, self.llr.len() as u64);
    }
}

impl Results {
    /// Starts without games; with a test, that is followed as games come in.
    pub fn new(sprt: Option<Sprt>) -> Self {
        Self { test: sprt.map(Test::new), ..Self::default() }
    }

    /// Adds a game; one that is known already changes nothing.
    pub fn add(&mut self, line: &GameLine) {
        let Some(index) = (line.pair as usize).checked_sub(1) else { return };
        if index as u64 >= PAIRS_MAX {
            return;
        }
        if index >= self.games.len() {
            self.games.resize(index + 1, [None; 2]);
        }
        let games = &mut self.games[index];
        let Some(game) = games.get_mut(usize::from(line.game).wrapping_sub(1)) else { return };
        if game.is_some() {
            return;
        }
        *game = Some(line.into());
        self.count += 1;
        if games.iter().all(Option::is_some) {
            self.whole += 1;
            self.go_on_testing();
        }
    }

    /// Takes the memory for so many pairs now, so that it does not grow while they are played.
    pub fn make_room(&mut self, pairs: usize) {
        if pairs > self.games.len() {
            self.games.resize(pairs, [None; 2]);
        }
    }

    fn go_on_testing(&mut self) {
        let Some(test) = &mut self.test else { return };
        while test.verdict == SprtVerdict::Continue
            && let Some(games) = self.games.get(test.passed)
            && let Some(half_points) = half_points(games)
        {
            test.passed += 1;
            if games.iter().flatten().all(GameResult::is_measured) {
                test.add(half_points);
            }
        }
    }

    /// Returns a game; games are numbered 1 and 2.
    pub fn game(&self, pair: u32, game: u8) -> Option<GameResult> {
        *self.games_of(pair).get(usize::from(game).wrapping_sub(1))?
    }

    /// Returns both games of a pair.
    pub fn games_of(&self, pair: u32) -> [Option<GameResult>; 2] {
        (pair as usize).checked_sub(1).and_then(|index| self.games.get(index)).copied().unwrap_or_default()
    }

    /// Returns the half points of the first player of a pair, 0 to 4; none when it is not whole.
    pub fn half_points(&self, pair: u32) -> Option<u8> {
        half_points(&self.games_of(pair))
    }

    /// Returns how many games there are.
    pub const fn games(&self) -> usize {
        self.count
    }

    /// Returns how many pairs are whole.
    pub const fn whole_pairs(&self) -> usize {
        self.whole
    }

    /// Returns the test, if there is one.
    pub const fn test(&self) -> Option<&Test> {
        self.test.as_ref()
    }

    /// Returns whether a test has its verdict.
    pub fn has_verdict(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.verdict != SprtVerdict::Continue)
    }
}

fn half_points(games: &[Option<GameResult>; 2]) -> Option<u8> {
    let [Some(one), Some(two)] = games else { return None };
    Some(one.half_points() + two.half_points())
}
