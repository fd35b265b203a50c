//! The page of a folder with a tournament or a ladder.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use amazons_pages::Access;
use amazons_program::Lock;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::catalogue::RecordEntry;
use super::folder::{Folder, Stamp};
use super::query::GameRow;
use crate::host::Tail;
use crate::referee::PlayerNumber;
use crate::tournament::ladder::Refused;
use crate::tournament::schedule::next_stage;
use crate::tournament::{Format, GameLine, HELD, Header, JOURNAL, LOCK, Line, PlayerRow, log_path, record_path};

/// The tables of a ladder and of a tournament: the first existing one is shown.
const TABLES: [&str; 2] = ["ladder.json", "standings.json"];

/// Larger tables are not read.
const TABLE_MAX: u64 = 16 << 20;

/// How much of a journal's end to read, and how many of its games to show.
const TAIL: u64 = 64 << 10;
const GAMES_MAX: usize = 30;

/// How many of them have a drawing, and the maximum number of players of a cross table.
const DRAWN: usize = 5;
const CROSS_MAX: usize = 64;

/// Longer first lines of journals are not read.
const HEADER_MAX: u64 = 1 << 20;

/// Maximum number of players and of other lines on a page.
const PLAYERS_MAX: usize = 1000;
const LINES_MAX: usize = 100;

/// Takes the place of a result until there is one.
const NO_RESULT: &str = "no pair is finished yet";

/// The stamps of the table and of the journal, and whether a server is running the event.
pub(super) type Stamps = ([Option<Stamp>; 2], bool);

/// The page of a folder, cached until something changes.
#[derive(Debug, Default)]
pub(super) struct EventPage {
    kept: Mutex<Option<(Stamps, Arc<String>)>>,
}

/// The part of a table that is shown.
#[derive(Debug, Deserialize)]
struct TableFile {
    pairs: u64,
    games: Option<u64>,
    is_complete: Option<bool>,
    players: Vec<PlayerRow>,
    /// Points of each two players who met.
    #[serde(default)]
    meetings: Vec<Meeting>,
    /// The advantage of moving first, by board.
    #[serde(default)]
    boards: Vec<Value>,
    sentence: Option<String>,
    #[serde(default)]
    notices: Vec<String>,
    /// Missing in tables of earlier servers, which have them among the notices.
    suspicions: Option<Vec<String>>,
    #[serde(default)]
    running: Vec<Value>,
    #[serde(default)]
    refused: Vec<Refused>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Meeting {
    players: [String; 2],
    games: u64,
    points: f64,
    points_against: f64,
}

/// Returns whether an event is or was played in a folder.
pub(super) fn is_event_folder(folder: &Folder) -> bool {
    folder.is_whole() && folder.stamp(OsStr::new(JOURNAL)).is_ok()
}

/// Returns the current state of a folder's files.
pub(super) fn stamps(folder: &Folder) -> Stamps {
    let files = [table_of(folder).map(|(_, stamp)| stamp), folder.stamp(OsStr::new(JOURNAL)).ok()];
    let has_stand_in = || Ok(folder.stamp(OsStr::new(HELD)).is_ok());
    let lock = folder.read(LOCK.as_ref()).and_then(|(file, _)| Lock::is_taken(&file, has_stand_in));
    (files, lock.unwrap_or(false))
}

fn table_of(folder: &Folder) -> Option<(&'static str, Stamp)> {
    TABLES.into_iter().find_map(|name| Some((name, folder.stamp(OsStr::new(name)).ok()?)))
}

impl EventPage {
    /// Returns the page's content as JSON, reading only files that have changed.
    pub(super) fn told(&self, number: usize, folder: &Arc<Folder>, access: Access) -> io::Result<Arc<String>> {
        let now = stamps(folder);
        // Requests during a read wait for its page.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, page)) = kept.as_ref().filter(|(stamps, _)| *stamps == now) {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(tell(number, folder, access, now.1)?.to_string());
        *kept = Some((now, Arc::clone(&page)));
        Ok(page)
    }
}

fn tell(number: usize, folder: &Arc<Folder>, access: Access, is_at_work: bool) -> io::Result<Value> {
    let (journal, stamp) = folder.read(JOURNAL.as_ref())?;
    let mut page = Map::new();
    let mut add = |key: &str, value: Value| drop(page.insert(key.to_owned(), value));
    add("id", number.to_string().into());
    add("title", folder.title().into());
    add("changed", stamp.modified.0.into());
    add("is_at_work", is_at_work.into());
    add("games", latest(&journal, stamp.size, number, folder, access)?.into());
    let header = header(folder);
    add("about", header.as_ref().map(about).into());
    add("planned", header.as_ref().and_then(planned).into());
    let Some((name, _)) = table_of(folder) else {
        add("kind", "tournament".into());
        add("sentence", NO_RESULT.into());
        return Ok(page.into());
    };
    let content = page_of_table(name == TABLES[0], &read_table(folder, name)?, access);
    page.extend(content.map_err(|error| io::Error::other(format!("{name}: {error}")))?);
    Ok(page.into())
}

/// Returns the part of a page that follows from a table of a ladder or of a tournament.
pub(crate) fn page_of_table(is_ladder: bool, text: &[u8], access: Access) -> io::Result<Map<String, Value>> {
    let table: TableFile = serde_json::from_slice(text)?;
    let mut page = Map::new();
    let mut add = |key: &str, value: Value| drop(page.insert(key.to_owned(), value));
    let is_crossed = table.players.len() <= CROSS_MAX;
    add("meetings", if is_crossed { json!(table.meetings) } else { Value::Null });
    let players: Vec<Value> = table.players.iter().take(PLAYERS_MAX).map(player).collect();
    // Reasons for refusing a file may name folders.
    let refused = table.refused.into_iter().take(LINES_MAX).map(|Refused { name, reason, .. }| {
        let reason = (access == Access::Local).then_some(reason);
        json!({ "name": name, "reason": reason })
    });
    add("kind", if is_ladder { "ladder" } else { "tournament" }.into());
    add("pairs", table.pairs.into());
    add("count", json!(table.games));
    add("is_complete", json!(table.is_complete));
    add("players", players.into());
    add("refused", refused.collect());
    add("running", table.running.into_iter().take(LINES_MAX).collect());
    let none_yet = || if table.pairs == 0 { NO_RESULT } else { "" }.to_owned();
    add("sentence", table.sentence.unwrap_or_else(none_yet).into());
    let notices = match (access, table.suspicions) {
        (Access::Local, suspicions) => [table.notices, suspicions.unwrap_or_default()].concat(),
        (Access::Public, Some(_)) => table.notices,
        (Access::Public, None) => Vec::new(),
    };
    add("notices", notices.into_iter().take(LINES_MAX).collect());
    add("boards", table.boards.into_iter().take(LINES_MAX).collect());
    Ok(page)
}

/// Reads the plan of an event; a ladder's journal has none.
fn header(folder: &Folder) -> Option<Header> {
    let (journal, _) = folder.read(JOURNAL.as_ref()).ok()?;
    let mut line = Vec::new();
    BufReader::new(journal).take(HEADER_MAX).read_until(b'\n', &mut line).ok()?;
    serde_json::from_slice(&line).ok()
}

/// Describes the format, the players and the boards.
fn about(Header { plan, .. }: &Header) -> String {
    format!("{}, {} players, {}", plan.format.words(), plan.players.len(), plan.boards.join(" "))
}

/// Returns the number of pairs of a format in which it is known from the start.
fn planned(Header { plan, .. }: &Header) -> Option<usize> {
    let is_known = matches!(plan.format, Format::RoundRobin { .. } | Format::Gauntlet { .. });
    is_known.then(|| next_stage(&plan.format, plan.players.len(), &[], &[]).len())
}

/// Returns the part of a player's row that is shown, without its file.
fn player(row: &PlayerRow) -> Value {
    let PlayerRow { rank, name, version, elo, error, glicko, glicko_error, games, won, lost, at_fault, faults, .. } =
        row;
    json!({
        "rank": rank, "name": name, "version": version, "elo": elo, "error": error, "glicko": glicko,
        "glicko_error": glicko_error, "points": row.points, "points_max": row.points_max(), "games": games,
        "won": won, "lost": lost, "at_fault": at_fault, "faults": faults,
    })
}

fn read_table(folder: &Folder, name: &str) -> io::Result<Vec<u8>> {
    let (file, stamp) = folder.read(name.as_ref())?;
    if stamp.size > TABLE_MAX {
        return Err(io::Error::other(format!("{name} is larger than {} MiB", TABLE_MAX >> 20)));
    }
    let mut text = Vec::new();
    file.take(TABLE_MAX).read_to_end(&mut text)?;
    Ok(text)
}

/// Returns the games at the end of a journal, newest first.
fn latest(
    journal: &std::fs::File,
    size: u64,
    number: usize,
    folder: &Arc<Folder>,
    access: Access,
) -> io::Result<Vec<Value>> {
    let tail = Tail::read(journal, size, TAIL)?;
    let lines = tail.bytes.rsplit(|&byte| byte == b'\n');
    // Partial lines and lines about other things do not count.
    let games = lines.filter_map(|line| match serde_json::from_slice(line) {
        Ok(Line::Game(game)) => Some(shown(&game, number, access)),
        _ => None,
    });
    let mut games: Vec<Value> = games.take(GAMES_MAX).collect();
    for game in games.iter_mut().take(DRAWN) {
        let id = game.get("id").and_then(Value::as_str).map(ToOwned::to_owned);
        let row = id.and_then(|id| {
            let (_, pair, number) = parts(&id)?;
            entry(folder, &id, pair, number).map(|entry| json!(GameRow::new(&entry)))
        });
        if let Some(game) = game.as_object_mut() {
            game.insert("row".to_owned(), row.into());
        }
    }
    Ok(games)
}

fn shown(game: &GameLine, number: usize, access: Access) -> Value {
    let id = game.record.is_some().then(|| format!("{number}-{}-{}", game.pair, game.game));
    let logs = PlayerNumber::ALL.into_iter().zip(&game.logs);
    let logs = logs.filter(|(_, log)| log.is_some() && access == Access::Local);
    let logs: Vec<u8> = logs.map(|(player, _)| player.number()).collect();
    json!({
        "pair": game.pair, "game": game.game, "players": game.players, "winner": game.winner, "moves": game.moves,
        "termination": game.termination.name(), "id": id, "logs": logs,
    })
}

/// Splits the name of an event's game in URLs: folder, pair, game.
pub(super) fn parts(id: &str) -> Option<(usize, u32, u8)> {
    let mut parts = id.split('-');
    let (folder, pair, game) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    // Only one name per game, so that caches hold it once.
    let is_usual = format!("{folder}-{pair}-{game}") == id;
    is_usual.then_some((folder, pair, game))
}

/// Finds the record of a game of an event.
pub(super) fn entry(folder: &Arc<Folder>, id: &str, pair: u32, game: u8) -> Option<RecordEntry> {
    let file = OsString::from(record_path(pair, game));
    let mut entry = RecordEntry::named(id.to_owned(), folder, &file);
    entry.stamp?;
    if let Ok(summary) = &mut entry.summary {
        for (player, log) in PlayerNumber::ALL.into_iter().zip(&mut summary.logs) {
            // The record does not name its event's logs, whose names follow from the game's.
            log.get_or_insert_with(|| log_path(pair, game, player));
        }
    }
    Some(entry)
}
