//! The ladder as a team sees it: results, faults, times, losses.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use amazons_program::locked;
use serde::Serialize;
use ts_rs::TS;

use crate::record::{Record as GameRecord, Step};
use crate::referee::PlayerNumber;
use crate::tournament::{FinishedGame, Overview, PlayerScore};

/// How long an overview is kept, and how many times as long as it took to read.
const KEEP: Duration = Duration::from_secs(5);
const KEEP_SHARE: u32 = 20;

/// How many faults and losses of a team are shown, and from how many games its times are taken, the newest ones.
const FAULTS_MAX: usize = 100;
const LOSSES_MAX: usize = 10;
const TIMED_MAX: usize = 20;

/// The results of a team on the ladder. Sums are of the version that plays, and of those before it together.
#[derive(Debug, Serialize, TS)]
pub(super) struct TeamResults {
    faults: Vec<TeamFault>,
    faults_total: usize,
    opponents: BTreeMap<String, [PlayerScore; 2]>,
    boards: BTreeMap<String, [PlayerScore; 2]>,
    losses: Vec<TeamLoss>,
    times: TeamTimes,
    /// The player whose games are those of the version that plays.
    plays_as: Option<String>,
}

/// A game in which a team was at fault; players are `name#version`.
#[derive(Debug, Serialize, TS)]
struct TeamFault {
    game: String,
    player: String,
    opponent: String,
    kind: &'static str,
    has_log: bool,
}

/// A game that a team lost without a fault.
#[derive(Debug, Serialize, TS)]
struct TeamLoss {
    game: String,
    opponent: String,
    elo: f64,
    board: String,
    moves: u32,
}

/// How long moves took, in microseconds, as charged and as the server waited for them: the median, the 99th of 100 and
/// the longest.
#[derive(Debug, Serialize, TS)]
struct TeamTimes {
    games: usize,
    moves: usize,
    charged: Option<[u64; 3]>,
    waited: Option<[u64; 3]>,
}

/// The ladder as it was a moment ago.
pub(super) struct Results {
    pub(super) ladder: PathBuf,
    kept: Mutex<Option<(Instant, Arc<Overview>)>>,
}

impl Results {
    pub(super) fn new(ladder: &Path) -> Self {
        Self { ladder: ladder.to_owned(), kept: Mutex::default() }
    }

    /// Returns the ladder, if there is one; may block for long.
    pub(super) fn now(&self) -> Option<Arc<Overview>> {
        // Requests during a read wait for its end.
        let mut kept = locked(&self.kept);
        if let Some((_, overview)) = kept.as_ref().filter(|(until, _)| Instant::now() < *until) {
            return Some(Arc::clone(overview));
        }
        let begun = Instant::now();
        let overview = Arc::new(Overview::read(&self.ladder).ok()?);
        let until = Instant::now() + KEEP.max(KEEP_SHARE * begun.elapsed());
        *kept = Some((until, Arc::clone(&overview)));
        Some(overview)
    }
}

pub(super) fn told(overview: &Overview, team: &str) -> TeamResults {
    let faults = faults(overview, team);
    TeamResults {
        faults_total: faults.len(),
        faults: faults.into_iter().take(FAULTS_MAX).collect(),
        opponents: split(overview, team, |game, seat| overview.name(game.players[1 - seat])),
        boards: split(overview, team, |game, _| game.board),
        losses: losses(overview, team),
        times: times(overview, team),
        plays_as: overview.current.get(team).map(|&player| overview.plan.players[player].name.clone()),
    }
}

/// Returns the games of a team and its seat in them, the newest first.
fn games<'a>(overview: &'a Overview, team: &'a str) -> impl Iterator<Item = (FinishedGame<'a>, usize)> {
    let seats = |game: FinishedGame<'a>| [0, 1].map(|seat| (game, seat));
    overview.games().rev().flat_map(seats).filter(move |(game, seat)| overview.name(game.players[*seat]) == team)
}

/// The name of a game, as in addresses.
fn id(game: &FinishedGame<'_>) -> String {
    format!("{}-{}", game.pair, game.number)
}

fn faults(overview: &Overview, team: &str) -> Vec<TeamFault> {
    let fault = |(game, seat): (FinishedGame<'_>, usize)| {
        let [player, opponent] = [seat, 1 - seat].map(|seat| overview.plan.players[game.players[seat]].name.clone());
        let (kind, has_log) = (game.result.fault(seat)?, game.result.kept[1 + seat]);
        Some(TeamFault { game: id(&game), player, opponent, kind, has_log })
    };
    games(overview, team).filter_map(fault).collect()
}

/// Finds what a team has printed in a game in which it was at fault, in the folder of the ladder.
pub(super) fn log_of(overview: &Overview, team: &str, name: &str) -> Option<String> {
    let (game, seat) = games(overview, team).find(|(game, _)| id(game) == name)?;
    game.result.fault(seat)?;
    game.result.files(game.pair, game.number).1.into_iter().nth(seat)?
}

/// Sums up the games of a team by something.
fn split<'a>(
    overview: &'a Overview,
    team: &str,
    key: impl Fn(&FinishedGame<'a>, usize) -> &'a str,
) -> BTreeMap<String, [PlayerScore; 2]> {
    let current = overview.current.get(team);
    let records = overview.records(|game, seat| {
        let player = game.players[seat];
        (overview.name(player) == team).then(|| (key(game, seat), Some(&player) != current))
    });
    let mut rows = BTreeMap::<_, [PlayerScore; 2]>::new();
    for ((name, is_before), record) in records {
        rows.entry(name.to_owned()).or_default()[usize::from(is_before)] = record;
    }
    rows
}

/// Returns the losses of the version that plays from which most can be learnt: against the weakest opponents, the newest
/// first among those against one.
fn losses(overview: &Overview, team: &str) -> Vec<TeamLoss> {
    let current = overview.current.get(team).copied();
    let elo = |name: &str| overview.rows.iter().find(|row| row.name == name).map(|row| row.elo);
    let lost = games(overview, team).filter_map(|(game, seat)| {
        let is_lost = Some(game.players[seat]) == current && game.points(seat) == 0.0;
        let opponent = overview.name(game.players[1 - seat]);
        let elo = elo(opponent).filter(|_| is_lost && game.result.fault(seat).is_none())?;
        let (opponent, board) = (opponent.to_owned(), game.board.to_owned());
        Some(TeamLoss { game: id(&game), opponent, elo, board, moves: game.result.moves })
    });
    let mut lost: Vec<_> = lost.collect();
    lost.sort_by(|one, two| one.elo.total_cmp(&two.elo));
    lost.truncate(LOSSES_MAX);
    lost
}

/// Returns the times of the version that plays in its newest games.
fn times(overview: &Overview, team: &str) -> TeamTimes {
    let current = overview.current.get(team).copied();
    let (mut charged, mut waited, mut games_read) = (Vec::new(), Vec::new(), 0);
    for (game, seat) in
        games(overview, team).filter(|(game, seat)| Some(game.players[*seat]) == current).take(TIMED_MAX)
    {
        let path = game.result.files(game.pair, game.number).0.map(|path| overview.folder.join(path));
        let file = path.and_then(|path| File::open(path).ok());
        let Some(record) = file.and_then(|file| GameRecord::read(BufReader::new(file)).ok()) else { continue };
        games_read += 1;
        // In records of events, player 1 is the first of the pair, too.
        let own = |step: &Step| match step {
            Step::Move(mv) if mv.player == PlayerNumber::ALL[seat] => {
                Some((mv.charged_us(record.start.limits_of(mv.player))?, mv.wall_us?))
            }
            _ => None,
        };
        let (more_charged, more_waited): (Vec<u64>, Vec<u64>) = record.steps.iter().filter_map(own).unzip();
        charged.extend(more_charged);
        waited.extend(more_waited);
    }
    TeamTimes { games: games_read, moves: charged.len(), charged: quantiles(charged), waited: quantiles(waited) }
}

fn quantiles(mut times: Vec<u64>) -> Option<[u64; 3]> {
    times.sort_unstable();
    let last = times.len().checked_sub(1)?;
    let at = |share: usize| times.get(last * share / 100).copied();
    Some([at(50)?, at(99)?, at(100)?])
}
