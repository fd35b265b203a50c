use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use amazons_pages::Access;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::analyses::Analyses;
use super::catalogue::{Catalogue, GameStatus, Listing, RecordEntry};
use super::event_page::{EventPage, Told, entry, is_event_folder, parts};
use super::folder::Folder;
use super::frame::{PLACES, Places};
use super::game::WatchedGame;
use super::open_records::OpenRecords;
use super::opponents::Opponents;
use super::play_seat::PlaySeat;
use super::query::GameRow;
use super::summary::Summary;
use crate::host::Printed;
use crate::text::printable;

/// Maximum number of running games on the first page.
const LIVE_MAX: usize = 100;

/// Maximum number of simultaneous conversions.
const CONVERSIONS: usize = 2;

/// Everything that the viewer shows: a game played here, records in folders, or both.
#[derive(Debug)]
pub struct Site {
    pub(super) access: Access,
    /// The number of spectators.
    pub(super) spectators: Arc<AtomicUsize>,
    /// Limits simultaneous conversions.
    pub(super) conversions: Semaphore,
    playing: Option<Playing>,
    catalogue: Catalogue,
    /// The page of each folder with an event.
    event_pages: Vec<EventPage>,
    logs: Vec<Folder>,
    open_records: OpenRecords,
    pub(super) analyses: Option<Analyses>,
    pub(super) opponents: Opponents,
    /// The pages that the top bar leads to.
    pub(super) places: Places,
}

/// A game played here.
#[derive(Debug)]
struct Playing {
    id: String,
    game: Arc<WatchedGame>,
    places: Vec<Arc<PlaySeat>>,
    printed: [Printed; 2],
}

impl Site {
    /// Shows the records of folders, with players' logs from these or other folders.
    pub fn of_folders(access: Access, folders: Vec<Folder>, logs: Vec<Folder>) -> Self {
        Self {
            access,
            spectators: Arc::default(),
            conversions: Semaphore::new(CONVERSIONS),
            playing: None,
            event_pages: folders.iter().map(|_| EventPage::default()).collect(),
            catalogue: Catalogue::new(folders),
            logs,
            open_records: OpenRecords::new(access),
            analyses: None,
            opponents: Opponents::default(),
            places: PLACES,
        }
    }

    /// Sets how old a list of records may be that is used again: a second otherwise.
    #[must_use]
    pub fn with_fresh_lists(self, fresh: Duration) -> Self {
        Self { catalogue: self.catalogue.with_fresh(fresh), ..self }
    }

    /// Analyses games and positions for spectators.
    #[must_use]
    pub fn with_analyses(self) -> Self {
        Self { analyses: Some(Analyses::default()), ..self }
    }

    /// Lets the top bar lead to other pages.
    #[must_use]
    pub(crate) fn with_places(self, places: Places) -> Self {
        Self { places, ..self }
    }

    /// Lets visitors play.
    #[must_use]
    pub fn with_opponents(self, opponents: Opponents) -> Self {
        Self { opponents, ..self }
    }

    /// Shows a running game and its players' output, and lets the people in these seats play.
    pub fn of_game(
        access: Access,
        id: String,
        game: Arc<WatchedGame>,
        places: Vec<Arc<PlaySeat>>,
        printed: [Printed; 2],
    ) -> Self {
        let site = Self::of_folders(access, Vec::new(), Vec::new());
        Self { playing: Some(Playing { id, game, places, printed }), ..site }
    }

    /// Returns the records; may block for long.
    pub fn listing(&self) -> Arc<Listing> {
        self.catalogue.listing()
    }

    /// Returns the game played here.
    pub(super) fn playing(&self) -> Option<&Arc<WatchedGame>> {
        self.playing.as_ref().map(|playing| &playing.game)
    }

    /// Returns the name in addresses of the game played here.
    pub(super) fn playing_id(&self) -> Option<&str> {
        self.playing.as_ref().map(|playing| &*playing.id)
    }

    /// Returns whether a game played here has this name in addresses.
    pub(super) fn is_playing(&self, id: &str) -> bool {
        self.playing.as_ref().is_some_and(|playing| playing.id == id)
    }

    /// Returns the output of the first (0) or second (1) player of the game played here with this name in addresses.
    pub(super) fn printed(&self, id: &str, player: usize) -> Option<&Printed> {
        self.playing.as_ref().filter(|playing| playing.id == id)?.printed.get(player)
    }

    /// Finds a seat by its token, with the name of its game in addresses.
    pub(super) fn place(&self, token: &str) -> Option<(&str, &Arc<PlaySeat>)> {
        let Playing { id, places, .. } = self.playing.as_ref()?;
        Some((id, places.iter().find(|place| place.token.is(token))?))
    }

    /// Returns the row of the game played here.
    pub(super) fn playing_row(&self) -> Option<GameRow> {
        let Playing { id, game, .. } = self.playing.as_ref()?;
        Some(GameRow::of_game(id, Summary::new(&game.start()?, &game.last()?)))
    }

    /// Returns whether a person who plays does not know yet that the game is over.
    pub(super) fn is_awaited(&self) -> bool {
        self.playing.iter().flat_map(|playing| &playing.places).any(|place| place.session.is_awaited())
    }

    /// Returns a name for a game's files, without an extension: that of its event and record, or the players.
    pub(super) async fn file_name(self: &Arc<Self>, id: &str) -> String {
        if self.is_playing(id) {
            let summary = self.playing().and_then(|game| Summary::new(&game.start()?, &game.last()?).ok());
            let players = summary.map_or_else(String::new, |summary| format!("{}-{}-", summary.black, summary.white));
            return format!("{players}{}", id.get(..6).unwrap_or(id));
        }
        let Some(entry) = self.find(id).await else { return id.to_owned() };
        let stem = std::path::Path::new(&entry.file).file_stem().unwrap_or_default();
        let event = parts(id).map_or_else(String::new, |_| format!("{}-", entry.folder.title()));
        event + &printable(stem.as_encoded_bytes())
    }

    /// Finds a record by its name in addresses.
    pub(super) async fn find(self: &Arc<Self>, id: &str) -> Option<Arc<RecordEntry>> {
        let Some((number, pair, game)) = parts(id) else { return self.listed().await.find(id).cloned() };
        let (folder, id) = (Arc::clone(self.folders().get(number)?), id.to_owned());
        let found = spawn_blocking(move || entry(&folder, &id, pair, game).filter(|_| is_event_folder(&folder)));
        found.await.ok().flatten().map(Arc::new)
    }

    pub(super) fn folders(&self) -> &[Arc<Folder>] {
        &self.catalogue.folders
    }

    /// Returns the content of an event's page; may block for long.
    pub(super) fn event_page(&self, number: usize) -> Option<io::Result<Arc<Told>>> {
        let (page, folder) = (self.event_pages.get(number)?, self.folders().get(number)?);
        Some(page.told(number, folder, self.access))
    }

    /// Returns the names of the running games; if there are many, the newest.
    pub async fn live(self: &Arc<Self>) -> BTreeSet<String> {
        let listing = self.listed().await;
        let mut live: Vec<_> = listing.entries.iter().filter(|entry| entry.state() == GameStatus::Live).collect();
        live.sort_by_key(|entry| entry.age());
        let ids = live.into_iter().take(LIVE_MAX).map(|entry| entry.id.clone());
        let playing = self.playing.as_ref().filter(|playing| !playing.game.length().is_over);
        playing.map(|playing| playing.id.clone()).into_iter().chain(ids).collect()
    }

    /// Opens a game by its name in addresses.
    pub async fn open(self: &Arc<Self>, id: &str) -> io::Result<Arc<WatchedGame>> {
        if let Some(playing) = self.playing.as_ref().filter(|playing| playing.id == id) {
            return Ok(Arc::clone(&playing.game));
        }
        let entry = self.find(id).await.ok_or(io::ErrorKind::NotFound)?;
        self.open_records.open(&entry).await
    }

    /// Returns the folders that may have a record's logs.
    pub(super) fn log_folders<'a>(&'a self, entry: &'a RecordEntry) -> impl Iterator<Item = &'a Folder> {
        std::iter::once(&*entry.folder).chain(&self.logs)
    }

    /// Returns the number of files followed or cached.
    pub fn watched(&self) -> usize {
        self.open_records.watched()
    }

    async fn listed(self: &Arc<Self>) -> Arc<Listing> {
        let site = Arc::clone(self);
        // After a panic in there, already reported, the list is empty.
        spawn_blocking(move || site.listing()).await.unwrap_or_default()
    }
}
