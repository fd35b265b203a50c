//! The page of a folder with a tournament or a ladder.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::{Arc, Mutex};

use amazons_pages::Access;
use amazons_program::{Lock, locked};

use super::catalogue::RecordEntry;
use super::event_view::{EventGame, EventView, TableView};
use super::folder::{Folder, Stamp};
use super::query::GameRow;
use crate::host::Tail;
use crate::referee::PlayerNumber;
use crate::tournament::schedule::next_stage;
use crate::tournament::{EventLine, Format, HELD, Header, JOURNAL, LOCK, log_path, record_path};

/// The tables of a ladder and of a tournament: the first existing one is shown.
const TABLES: [&str; 2] = ["ladder.json", "standings.json"];

/// Larger tables are not read.
const TABLE_MAX: u64 = 16 << 20;

/// How much of a journal's end to read, and how many of its games to show.
const TAIL: u64 = 64 << 10;
const GAMES_MAX: usize = 30;

/// How many of them have a drawing.
const DRAWN: usize = 5;

/// Longer first lines of journals are not read.
const HEADER_MAX: u64 = 1 << 20;

/// The stamps of the table and of the journal, and whether a server is running the event.
pub(super) type Stamps = ([Option<Stamp>; 2], bool);

/// The page of a folder, cached until something changes.
#[derive(Debug, Default)]
pub(super) struct EventPage {
    kept: Mutex<Option<(Stamps, Arc<Told>)>>,
}

/// The content of a page, and its JSON.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) view: EventView,
    pub(super) json: String,
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
    /// Returns the page's content, reading only files that have changed.
    pub(super) fn told(&self, number: usize, folder: &Arc<Folder>, access: Access) -> io::Result<Arc<Told>> {
        let now = stamps(folder);
        // Requests during a read wait for its page.
        let mut kept = locked(&self.kept);
        if let Some((_, page)) = kept.as_ref().filter(|(stamps, _)| *stamps == now) {
            return Ok(Arc::clone(page));
        }
        let view = view(number, folder, access, now.1)?;
        let page = Arc::new(Told { json: serde_json::to_string(&view)?, view });
        *kept = Some((now, Arc::clone(&page)));
        Ok(page)
    }
}

fn view(number: usize, folder: &Arc<Folder>, access: Access, is_at_work: bool) -> io::Result<EventView> {
    let (journal, stamp) = folder.read(JOURNAL.as_ref())?;
    let header = header(folder);
    let table = match table_of(folder) {
        Some((name, _)) => {
            let table = serde_json::from_slice(&read_table(folder, name)?);
            TableView::new(
                name == TABLES[0],
                table.map_err(|error| io::Error::other(format!("{name}: {error}")))?,
                access,
            )
        }
        None => TableView::none(),
    };
    Ok(EventView {
        id: number.to_string(),
        title: folder.title(),
        changed: stamp.modified.0,
        is_at_work,
        about: header.as_ref().map(about),
        planned: header.as_ref().and_then(planned),
        games: latest(&journal, stamp.size, number, folder, access)?,
        table,
    })
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
) -> io::Result<Vec<EventGame>> {
    let tail = Tail::read(journal, size, TAIL)?;
    let lines = tail.bytes.rsplit(|&byte| byte == b'\n');
    // Partial lines and lines about other things do not count.
    let games = lines.filter_map(|line| match serde_json::from_slice(line) {
        Ok(EventLine::Game(game)) => Some(EventGame::new(&game, number, access)),
        _ => None,
    });
    let mut games: Vec<_> = games.take(GAMES_MAX).collect();
    for game in games.iter_mut().take(DRAWN) {
        game.row = game.id.as_deref().and_then(|id| {
            let (_, pair, number) = parts(id)?;
            entry(folder, id, pair, number).map(|entry| GameRow::new(&entry))
        });
    }
    Ok(games)
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
