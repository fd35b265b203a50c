use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use amazons_statistics::ratings;
use serde::Serialize;
use ts_rs::TS;

use super::derived::{Derived, board_names, board_of};
use super::error::EventError;
use super::event::Event;
use super::journal_lines::read_header;
use super::ladder::{self, LadderTable};
use super::overhead::Histogram;
use super::plan::Plan;
use super::report;
use super::results::{GameResult, Results};
use super::schedule::{Pair, PlayerId};
use super::standings::{Faults, PlayerRow, rounded};

/// The moments of a history, and those of one with so many players that each takes long.
const MOMENTS: usize = 40;
const FEW_MOMENTS: usize = 10;
const MANY_PLAYERS: usize = 200;

/// An event or a ladder, read from its folder to be shown.
#[derive(Debug)]
pub struct Overview {
    pub folder: PathBuf,
    /// Whether it is a ladder, whose players are versions: `name#version`.
    pub is_ladder: bool,
    /// The format and the numbers of players, pairs and games.
    pub about: String,
    /// Its tables as they would be written now: `ladder.json` or `standings.json`.
    pub table: String,
    /// The players of these tables, the best first.
    pub rows: Vec<PlayerRow>,
    /// On a ladder: versions that were replaced or removed.
    pub former: Vec<PlayerRow>,
    /// The plan that its games follow from; its players are all that ever played.
    pub plan: Plan,
    /// The players of the tables by name: on a ladder those that are there.
    pub current: BTreeMap<String, PlayerId>,
    boards: Vec<String>,
    pairs: Vec<Pair>,
    results: Results,
}

/// A finished game.
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame<'a> {
    /// The number of its pair.
    pub pair: u32,
    pub number: u8,
    pub players: [PlayerId; 2],
    /// The name of the board.
    pub board: &'a str,
    /// How it went.
    pub result: GameResult,
}

/// How a player did: points, games, and the kinds of its faults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
pub struct PlayerScore {
    /// A point for each win, half a point for each draw.
    pub points: f64,
    /// How many games.
    pub games: u64,
    /// The kinds of its faults.
    pub faults: Faults,
}

/// Ratings at some moments.
#[derive(Debug, Default, Serialize, TS)]
pub struct RatingHistory<'a> {
    /// How many games were rated by then.
    pub games: Vec<usize>,
    /// For each player that plays its rating and the half-width of its 95 % interval, those of the version that played
    /// last; null before its first pair.
    pub players: BTreeMap<&'a str, Vec<Option<[f64; 2]>>>,
}

impl Overview {
    /// Reads the event or the ladder of a folder, whether a server works there or not. Fails when it holds neither.
    pub fn read(folder: &Path) -> Result<Self, EventError> {
        let owned = folder.to_owned();
        if read_header::<ladder::LadderHeader>(folder).is_ok() {
            let ladder = ladder::read(folder)?;
            let (table, plan) = (LadderTable::of(&ladder), ladder.whole_plan(folder));
            let (about, boards) = (table.subtitle(), plan.boards.clone());
            let (table, rows, former) = (table.json(), table.players, table.former);
            let (pairs, results) = (ladder.pairs().to_vec(), ladder.results().clone());
            let contenders = ladder.contenders().iter().enumerate().filter(|(_, contender)| contender.is_present);
            let current = contenders.map(|(id, contender)| (contender.joined.name.clone(), id)).collect();
            return Ok(Self {
                folder: owned,
                is_ladder: true,
                about,
                table,
                rows,
                former,
                plan,
                current,
                boards,
                pairs,
                results,
            });
        }
        let event = Event::read(folder)?;
        let Derived { subtitle: about, standings, .. } = Derived::of(&event, &Histogram::default());
        Ok(Self {
            folder: owned,
            is_ladder: false,
            about,
            table: report::json(&standings),
            rows: standings.players,
            former: Vec::new(),
            plan: Plan::clone(event.plan()),
            current: event.plan().names().map(str::to_owned).zip(0..).collect(),
            boards: board_names(event.plan()),
            pairs: event.schedule().pairs().iter().take(event.rated()).copied().collect(),
            results: event.results().clone(),
        })
    }

    /// Returns its name: that of its folder.
    pub fn title(&self) -> String {
        report::title(&self.folder)
    }

    /// Returns how those that play did on each board.
    pub fn by_board<'a>(&'a self) -> BTreeMap<&'a str, BTreeMap<&'a str, PlayerScore>> {
        let key = |game: &FinishedGame<'a>, seat: usize| Some((game.players[seat], game.board));
        let mut tables = BTreeMap::<&str, BTreeMap<&str, PlayerScore>>::new();
        for ((player, board), record) in self.records(key) {
            if self.current.get(self.name(player)) == Some(&player) {
                tables.entry(self.name(player)).or_default().insert(board, record);
            }
        }
        tables
    }

    /// Returns the name of a player, on a ladder without its version.
    pub fn name(&self, player: PlayerId) -> &str {
        let label = self.plan.players[player].name.as_str();
        label.rsplit_once('#').filter(|_| self.is_ladder).map_or(label, |(name, _)| name)
    }

    /// Returns the finished games by pair.
    pub fn games(&self) -> impl DoubleEndedIterator<Item = FinishedGame<'_>> {
        self.pairs.iter().flat_map(move |pair| {
            let (players, board) = (pair.players, board_of(&self.plan, &self.boards, pair));
            [1, 2].into_iter().filter_map(move |number| {
                let result = self.results.game(pair.number, number)?;
                Some(FinishedGame { pair: pair.number, number, players, board, result })
            })
        })
    }

    /// Sums games up by whatever they have in common; seats without a key are left out.
    pub fn records<'a, K: Ord>(
        &'a self,
        key: impl Fn(&FinishedGame<'a>, usize) -> Option<K>,
    ) -> BTreeMap<K, PlayerScore> {
        let mut records = BTreeMap::<K, PlayerScore>::new();
        for game in self.games() {
            for seat in [0, 1] {
                if let Some(key) = key(&game, seat) {
                    records.entry(key).or_default().add(&game, seat);
                }
            }
        }
        records
    }

    /// Computes ratings at some moments, from the first pairs to all.
    pub fn history(&self) -> RatingHistory<'_> {
        let rated = self.pairs.iter().filter_map(|pair| Some((pair.players, self.results.half_points(pair.number)?)));
        let rated: Vec<_> = rated.collect();
        let n = self.plan.players.len();
        let step = rated.len().div_ceil(if n > MANY_PLAYERS { FEW_MOMENTS } else { MOMENTS }).max(1);
        let mut won = vec![vec![0.0; n]; n];
        // The version that each name stands for now.
        let mut current = BTreeMap::new();
        let mut history = RatingHistory::default();
        for (count, &([one, two], half_points)) in (1_usize..).zip(&rated) {
            let points = f64::from(half_points) / 2.0;
            won[one][two] += points;
            won[two][one] += 2.0 - points;
            current.extend([one, two].map(|player| (self.name(player), player)));
            if count % step != 0 && count != rated.len() {
                continue;
            }
            let ratings = ratings(&won);
            for name in self.current.keys() {
                let point = current.get(name.as_str()).map(|&player| [ratings.points(player), ratings.error(player)]);
                history.players.entry(name).or_default().push(point.map(|it| it.map(|it| rounded(it, 1))));
            }
            history.games.push(2 * count);
        }
        history
    }
}

impl FinishedGame<'_> {
    /// Returns the points of a player, 0 for player 1.
    pub fn points(&self, seat: usize) -> f64 {
        let half_points = self.result.half_points();
        f64::from(if seat == 0 { half_points } else { 2 - half_points }) / 2.0
    }
}

impl PlayerScore {
    fn add(&mut self, game: &FinishedGame<'_>, seat: usize) {
        self.games += 1;
        self.points += game.points(seat);
        if let Some(kind) = game.result.fault(seat) {
            *self.faults.entry(kind.into()).or_default() += 1;
        }
    }
}
