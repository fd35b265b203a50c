use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::catalogue::{GameStatus, Listing, RecordEntry};
use super::summary::{Summary, SummaryError};

/// Maximum and default number of records on a page.
const PAGE_MAX: usize = 200;
const PAGE: usize = 50;

/// Maximum number of players or boards to choose from.
const CHOICES_MAX: usize = 500;

/// Selects the records to list: a page, from 0, of the matching ones.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Query {
    #[serde(default)]
    page: usize,
    size: Option<usize>,
    player: Option<String>,
    /// Words of the players' names or the file's.
    search: Option<String>,
    board: Option<String>,
    /// The ending, or a state.
    ending: Option<String>,
    #[serde(default)]
    sort: Key,
    #[serde(default)]
    reverse: bool,
}

/// The column to sort by; times and numbers in descending order.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Key {
    #[default]
    Time,
    Name,
    Black,
    White,
    Board,
    Moves,
    Ending,
}

/// A page of the list.
#[derive(Debug, Serialize, TS)]
pub(super) struct GamePage {
    total: usize,
    page: usize,
    pages: usize,
    #[ts(type = "Array<ListedGame>")]
    games: Vec<GameRow>,
    players: BTreeSet<String>,
    boards: BTreeSet<String>,
    endings: BTreeSet<String>,
}

/// A game of the list.
#[derive(Debug, Serialize, TS)]
pub(crate) struct GameRow {
    pub(super) id: String,
    name: String,
    state: GameStatus,
    /// Seconds of the epoch.
    modified: i64,
    /// The error in the record.
    error: Option<String>,
    #[serde(flatten)]
    #[ts(skip)]
    summary: Option<Summary>,
}

impl GameRow {
    pub(super) fn new(entry: &RecordEntry) -> Self {
        Self {
            id: entry.id.clone(),
            name: entry.name(),
            state: entry.state(),
            modified: entry.modified(),
            error: entry.summary.as_ref().err().map(ToString::to_string),
            summary: entry.summary.as_ref().ok().cloned(),
        }
    }

    /// The row of a running game.
    pub(super) fn of_game(id: &str, summary: Result<Summary, SummaryError>) -> Self {
        let is_over = summary.as_ref().is_ok_and(|summary| summary.is_over);
        let state = if is_over { GameStatus::Over } else { GameStatus::Live };
        let error = summary.as_ref().err().map(ToString::to_string);
        Self { id: id.to_owned(), name: "this game".to_owned(), state, modified: 0, error, summary: summary.ok() }
    }
}

impl Query {
    /// Selects a page and lists the available choices.
    pub(super) fn page_of(&self, listing: &Listing) -> GamePage {
        let (mut players, mut boards, mut endings) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let words = self.search.as_deref().unwrap_or_default().to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let mut found: Vec<&Arc<RecordEntry>> = Vec::new();
        for entry in &listing.entries {
            offer(&mut endings, ending(entry));
            if let Ok(summary) = &entry.summary {
                offer(&mut players, &summary.black);
                offer(&mut players, &summary.white);
                offer(&mut boards, &summary.board);
            }
            if self.wants(entry) && has_words(entry, &words) {
                found.push(entry);
            }
        }
        found.sort_by(|a, b| {
            let order = self.sort.compare(a, b).then_with(|| a.file.cmp(&b.file));
            if self.reverse { order.reverse() } else { order }
        });
        let size = self.size.unwrap_or(PAGE).clamp(1, PAGE_MAX);
        let pages = found.len().div_ceil(size).max(1);
        let page = self.page.min(pages - 1);
        let games = found.iter().skip(page * size).take(size).map(|entry| GameRow::new(entry)).collect();
        GamePage { total: found.len(), page, pages, games, players, boards, endings }
    }

    fn wants(&self, entry: &RecordEntry) -> bool {
        let is = |wanted: &Option<String>, found: &[&str]| {
            wanted.as_deref().is_none_or(|wanted| wanted.is_empty() || found.contains(&wanted))
        };
        let (players, board) = match &entry.summary {
            Ok(summary) => (vec![&*summary.black, &*summary.white], vec![&*summary.board]),
            Err(_) => (Vec::new(), Vec::new()),
        };
        is(&self.player, &players) && is(&self.board, &board) && is(&self.ending, &[ending(entry)])
    }
}

fn has_words(entry: &RecordEntry, words: &[&str]) -> bool {
    if words.is_empty() {
        return true;
    }
    let players =
        entry.summary.as_ref().map_or_else(|_| String::new(), |known| format!("{} {}", known.black, known.white));
    let text = format!("{} {players}", entry.name()).to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn offer(choices: &mut BTreeSet<String>, choice: &str) {
    if !choice.is_empty() && choices.len() < CHOICES_MAX && !choices.contains(choice) {
        choices.insert(choice.to_owned());
    }
}

/// Returns how a game ended, or its progress otherwise.
fn ending(entry: &RecordEntry) -> &'static str {
    match (entry.state(), &entry.summary) {
        (GameStatus::Live, _) => "live",
        (GameStatus::CutOff, _) => "cut_off",
        (GameStatus::Broken, _) | (GameStatus::Over, Err(_)) => "broken",
        (GameStatus::Over, Ok(summary)) => summary.ending.unwrap_or("unknown"),
    }
}

impl Key {
    fn compare(self, a: &RecordEntry, b: &RecordEntry) -> Ordering {
        let text = |of: fn(&Summary) -> &str| {
            let [a, b] = [a, b].map(|entry| entry.summary.as_ref().map_or("", of));
            a.cmp(b)
        };
        let time = |entry: &RecordEntry| entry.stamp.map(|stamp| stamp.modified);
        let moves = |entry: &RecordEntry| entry.summary.as_ref().ok().and_then(|summary| summary.moves);
        match self {
            Self::Time => time(b).cmp(&time(a)),
            Self::Name => Ordering::Equal,
            Self::Black => text(|summary| &summary.black),
            Self::White => text(|summary| &summary.white),
            Self::Board => text(|summary| &summary.board),
            Self::Moves => moves(b).cmp(&moves(a)),
            Self::Ending => ending(a).cmp(ending(b)),
        }
    }
}
