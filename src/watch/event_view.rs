//! The content of the pages of a tournament or a ladder, live and published: values without files and clocks.

use std::collections::BTreeMap;

use amazons_pages::Access;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::query::GameRow;
use crate::referee::PlayerNumber;
use crate::tournament::ladder::{Refused, Running};
use crate::tournament::{BoardRow, Faults, GameLine, PlayerRow, PlayerScore, RatingHistory};

/// Maximum number of players of a cross table, of players at all, and of other lines on a page.
const CROSS_MAX: usize = 64;
const PLAYERS_MAX: usize = 1000;
const LINES_MAX: usize = 100;

/// Takes the place of a result until there is one.
const NO_RESULT: &str = "no pair is finished yet";

/// The kinds of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventKind {
    Ladder,
    #[default]
    Tournament,
}

/// The page of an event that a server shows.
#[derive(Debug, Serialize, TS)]
pub(crate) struct EventView {
    pub(super) id: String,
    pub(super) title: String,
    /// Seconds of the epoch.
    pub(super) changed: i64,
    /// Whether a server works on it.
    pub(super) is_at_work: bool,
    pub(super) about: Option<String>,
    /// The number of pairs, where it is known from the start.
    pub(super) planned: Option<usize>,
    /// The last games, newest first.
    pub(super) games: Vec<EventGame>,
    #[serde(flatten)]
    pub(super) table: TableView,
}

/// The page of an event that is published, without its games.
#[derive(Debug, Serialize, TS)]
pub(crate) struct PublishedEvent<'a> {
    pub(crate) title: &'a str,
    pub(crate) about: &'a str,
    /// Seconds of the epoch.
    pub(crate) changed: u64,
    /// How each player did on each board.
    pub(crate) by_board: BTreeMap<&'a str, BTreeMap<&'a str, PlayerScore>>,
    pub(crate) history: RatingHistory<'a>,
    /// How many pairs' moves are in one script.
    pub(crate) chunk: u32,
    #[serde(flatten)]
    pub(crate) table: TableView,
}

/// An event in a list.
#[derive(Debug, Serialize, TS)]
pub(crate) struct EventSummary<'a> {
    pub(super) id: String,
    pub(super) title: String,
    /// Nothing if it cannot be read.
    #[serde(flatten)]
    #[ts(skip)]
    pub(super) state: Option<EventState<'a>>,
}

/// How far an event has come.
#[derive(Debug, Serialize, TS)]
pub(crate) struct EventState<'a> {
    kind: EventKind,
    sentence: &'a str,
    pairs: Option<u64>,
    planned: Option<usize>,
    is_complete: Option<bool>,
    is_at_work: bool,
}

/// The table of an event, in the part that is shown.
#[derive(Debug, Default, Serialize, TS)]
pub(crate) struct TableView {
    kind: EventKind,
    sentence: String,
    /// Whole pairs, and games; nothing before there is a table.
    pairs: Option<u64>,
    count: Option<u64>,
    /// Not known of a ladder.
    is_complete: Option<bool>,
    players: Vec<PlayerView>,
    /// Nothing where there are too many players.
    meetings: Option<Vec<Meeting>>,
    boards: Vec<BoardRow>,
    notices: Vec<String>,
    refused: Vec<RefusedView>,
    running: Vec<Running>,
}

/// A player's row, without its file.
#[derive(Debug, Serialize, TS)]
struct PlayerView {
    rank: Option<usize>,
    name: String,
    version: Option<u32>,
    elo: f64,
    error: f64,
    glicko: Option<f64>,
    glicko_error: Option<f64>,
    points: f64,
    points_max: u64,
    games: u64,
    won: u64,
    lost: u64,
    at_fault: u64,
    faults: Faults,
}

/// A file that was not admitted; the reason may name folders.
#[derive(Debug, Serialize, TS)]
struct RefusedView {
    name: String,
    reason: Option<String>,
}

/// Points of two players who met.
#[derive(Debug, Deserialize, Serialize, TS)]
struct Meeting {
    players: [String; 2],
    games: u64,
    points: f64,
    points_against: f64,
}

/// A finished game of an event.
#[derive(Debug, Serialize, TS)]
pub(super) struct EventGame {
    pair: u32,
    game: u8,
    players: [String; 2],
    /// 1 or 2; nothing for a draw.
    winner: Option<u8>,
    moves: u32,
    termination: &'static str,
    /// Its name in addresses, if it has a record.
    pub(super) id: Option<String>,
    /// The players whose output was kept.
    logs: Vec<u8>,
    /// For a drawing, of few games.
    #[ts(type = "ListedGame | null")]
    pub(super) row: Option<GameRow>,
}

/// A table of a folder, as far as it is shown.
#[derive(Debug, Deserialize)]
pub(crate) struct TableFile {
    pairs: u64,
    games: Option<u64>,
    is_complete: Option<bool>,
    players: Vec<PlayerRow>,
    #[serde(default)]
    meetings: Vec<Meeting>,
    /// The advantage of moving first, by board.
    #[serde(default)]
    boards: Vec<BoardRow>,
    sentence: Option<String>,
    #[serde(default)]
    notices: Vec<String>,
    /// Missing in tables of earlier servers, which have them among the notices.
    suspicions: Option<Vec<String>>,
    #[serde(default)]
    running: Vec<Running>,
    #[serde(default)]
    refused: Vec<Refused>,
}

impl EventView {
    /// Returns how far it has come.
    pub(super) fn state(&self) -> EventState<'_> {
        let TableView { kind, sentence, pairs, is_complete, .. } = &self.table;
        let (kind, pairs, is_complete) = (*kind, *pairs, *is_complete);
        EventState { kind, sentence, pairs, planned: self.planned, is_complete, is_at_work: self.is_at_work }
    }
}

impl TableView {
    /// Returns that of an event that has no table yet.
    pub(super) fn none() -> Self {
        Self { sentence: NO_RESULT.to_owned(), ..Self::default() }
    }

    /// Returns the part of a table that is shown with an access.
    pub(crate) fn new(is_ladder: bool, table: TableFile, access: Access) -> Self {
        let is_crossed = table.players.len() <= CROSS_MAX;
        let no_result = if table.pairs == 0 { NO_RESULT } else { "" };
        let notices = match (access, table.suspicions) {
            (Access::Local, suspicions) => [table.notices, suspicions.unwrap_or_default()].concat(),
            (Access::Public, Some(_)) => table.notices,
            (Access::Public, None) => Vec::new(),
        };
        let refused = table.refused.into_iter().map(|Refused { name, reason, .. }| RefusedView {
            name,
            reason: (access == Access::Local).then_some(reason),
        });
        Self {
            kind: if is_ladder { EventKind::Ladder } else { EventKind::Tournament },
            sentence: table.sentence.unwrap_or_else(|| no_result.to_owned()),
            pairs: Some(table.pairs),
            count: table.games,
            is_complete: table.is_complete,
            players: table.players.into_iter().take(PLAYERS_MAX).map(PlayerView::from).collect(),
            meetings: is_crossed.then_some(table.meetings),
            boards: first(table.boards),
            notices: first(notices),
            refused: first(refused),
            running: first(table.running),
        }
    }
}

fn first<T>(lines: impl IntoIterator<Item = T>) -> Vec<T> {
    lines.into_iter().take(LINES_MAX).collect()
}

impl From<PlayerRow> for PlayerView {
    fn from(row: PlayerRow) -> Self {
        Self {
            points_max: row.points_max(),
            rank: row.rank,
            name: row.name,
            version: row.version,
            elo: row.elo,
            error: row.error,
            glicko: row.glicko,
            glicko_error: row.glicko_error,
            points: row.points,
            games: row.games,
            won: row.won,
            lost: row.lost,
            at_fault: row.at_fault,
            faults: row.faults,
        }
    }
}

impl EventGame {
    /// Returns a game of the event with this number.
    pub(super) fn new(game: &GameLine, number: usize, access: Access) -> Self {
        let logs = PlayerNumber::ALL.into_iter().zip(&game.logs);
        let logs = logs.filter(|(_, log)| log.is_some() && access == Access::Local);
        Self {
            pair: game.pair,
            game: game.game,
            players: game.players.clone(),
            winner: game.winner.map(PlayerNumber::number),
            moves: game.moves,
            termination: game.termination.name(),
            id: game.record.is_some().then(|| format!("{number}-{}-{}", game.pair, game.game)),
            logs: logs.map(|(player, _)| player.number()).collect(),
            row: None,
        }
    }
}
