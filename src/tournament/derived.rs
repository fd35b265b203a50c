//! The files of an event's folder that can be made anew at any time.

use std::io;
use std::path::PathBuf;

use amazons_formats::BoardName;

use crate::referee::PlayerNumber;
use crate::tournament::report::{self, PAIRS_SHOWN, PairLink, Report};
use crate::tournament::{
    Event, Field, Format, Histogram, Openings, Pair, PairSource, Plan, RankedBy, RatedPair, Slowest, Standings, Timing,
    log_path, record_path, write_whole, write_whole_with,
};

/// What an event comes to so far, ready to be written.
#[derive(Debug)]
pub struct Derived<'a> {
    event: &'a Event,
    title: String,
    subtitle: String,
    /// The tables.
    pub standings: Standings,
    /// What depends on time.
    pub timing: Timing,
}

impl<'a> Derived<'a> {
    /// Computes everything from the games.
    #[must_use]
    pub fn of(event: &'a Event, overhead: &Histogram) -> Self {
        let standings = Standings::new(&field_of(event, &EventPairs::of(event), &byes(event)));
        let mut timing = Timing {
            slowest: slowest(event),
            unrated_games: event.results().games() as u64 - 2 * standings.pairs,
            ..Timing::default()
        };
        timing.set_overhead(overhead);
        let folder = std::path::absolute(event.folder()).unwrap_or_default();
        let title = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Self { event, title: crate::text::visible(&title), subtitle: subtitle(event), standings, timing }
    }

    /// Returns the standings as text.
    #[must_use]
    pub fn text(&self) -> String {
        report::text(&self.report())
    }

    const fn report(&self) -> Report<'_> {
        Report {
            title: self.title.as_str(),
            subtitle: self.subtitle.as_str(),
            standings: &self.standings,
            timing: Some(&self.timing),
        }
    }

    /// Writes the standings, each file whole or not at all.
    ///
    /// # Errors
    /// Names the first file that the folder cannot take.
    pub fn write(&self) -> Result<(), (PathBuf, io::Error)> {
        let report = self.report();
        let timing = serde_json::to_string_pretty(&self.timing).unwrap_or_default() + "\n";
        let files = [
            ("standings.json", report::json(&self.standings)),
            ("standings.csv", report::csv(&self.standings)),
            ("standings.txt", report::text(&report)),
            ("standings.html", report::html(&report, &self.links(), self.standings.pairs)),
            ("timing.json", timing),
        ];
        for (name, text) in files {
            let path = self.event.folder().join(name);
            write_whole(&path, text.as_bytes()).map_err(|error| (path, error))?;
        }
        Ok(())
    }

    /// Writes the list of all games, which takes longer: at the end.
    ///
    /// # Errors
    /// Names the file when the folder cannot take it.
    pub fn write_games(&self) -> Result<(), (PathBuf, io::Error)> {
        let (plan, pairs, results) = (self.event.plan(), self.event.schedule().pairs(), self.event.results());
        let path = self.event.folder().join("games.csv");
        let write = |out: &mut dyn io::Write| report::games_csv(plan, pairs, results, self.event.rated(), out);
        write_whole_with(&path, write).map_err(|error| (path, error))
    }

    /// Returns the first pairs, as many as a page shows.
    fn links(&self) -> Vec<PairLink> {
        let (plan, results) = (self.event.plan(), self.event.results());
        let link = |pair: &Pair| {
            let half_points = results.half_points(pair.number)?;
            let games = results.games_of(pair.number);
            let record = |game: u8| {
                let is_kept = games[usize::from(game) - 1].is_some_and(|game| game.kept[0]);
                is_kept.then(|| record_path(pair.number, game))
            };
            let mut logs = Vec::new();
            for (game, result) in (1..).zip(games) {
                for player in PlayerNumber::ALL {
                    if result.is_some_and(|result| result.kept[usize::from(u8::from(player))]) {
                        logs.push(log_path(pair.number, game, player));
                    }
                }
            }
            let players = pair.players.map(|id| plan.players[id].name.clone());
            Some(PairLink { players, number: pair.number, half_points, records: [record(1), record(2)], logs })
        };
        let pairs = self.event.schedule().pairs().iter().take(self.event.rated());
        pairs.filter_map(link).take(PAIRS_SHOWN).collect()
    }
}

/// Returns the field of an event with these pairs.
#[must_use]
pub fn field_of<'a>(event: &'a Event, pairs: &'a dyn PairSource, byes: &'a [u32]) -> Field<'a> {
    Field {
        players: &event.plan().players,
        pairs,
        byes,
        test: event.results().test(),
        ranked_by: match event.plan().format {
            Format::RoundRobin { .. } | Format::Swiss { .. } => RankedBy::Points,
            Format::Gauntlet { .. } | Format::Sprt { .. } => RankedBy::Rating,
            Format::Knockout { .. } => RankedBy::Knockout,
        },
        is_complete: event.is_over(),
    }
}

/// The whole pairs of an event, up to a test's verdict.
#[derive(Debug)]
pub struct EventPairs<'a> {
    event: &'a Event,
    boards: Vec<String>,
}

impl<'a> EventPairs<'a> {
    /// Looks at an event.
    #[must_use]
    pub fn of(event: &'a Event) -> Self {
        Self { event, boards: board_names(event.plan()) }
    }

    fn rated(&self, pair: &Pair) -> Option<RatedPair<'_>> {
        let [Some(one), Some(two)] = self.event.results().games_of(pair.number) else { return None };
        let board = match &self.event.plan().openings {
            Openings::Listed(texts) => &self.boards[pair.opening as usize % texts.len()],
            Openings::Random { .. } => &self.boards[pair.board],
        };
        Some(RatedPair { players: pair.players, board, stage: pair.stage, games: [one, two] })
    }
}

impl PairSource for EventPairs<'_> {
    fn pairs(&self) -> Box<dyn Iterator<Item = RatedPair<'_>> + '_> {
        let pairs = self.event.schedule().pairs().iter().take(self.event.rated());
        Box::new(pairs.filter_map(|pair| self.rated(pair)))
    }
}

/// Returns the names of a plan's boards, or of the boards that its listed openings stand on.
#[must_use]
fn board_names(plan: &Plan) -> Vec<String> {
    let Openings::Listed(texts) = &plan.openings else { return plan.boards.clone() };
    let name = |index| match plan.boards.first() {
        Some(name) => name.clone(),
        None => {
            let position = plan.listed(texts, index).ok();
            position
                .and_then(|position| BoardName::of(position.board()))
                .map_or("?".to_owned(), |name| name.to_string())
        }
    };
    (0..texts.len()).map(name).collect()
}

/// Returns how many pairs' worth of byes each player had.
#[must_use]
pub fn byes(event: &Event) -> Vec<u32> {
    let mut byes = vec![0; event.plan().players.len()];
    let each = if let Format::Swiss { pairs, .. } = event.plan().format { pairs } else { 1 };
    for (player, _) in event.schedule().byes() {
        byes[player] += each;
    }
    byes
}

fn slowest(event: &Event) -> Vec<Slowest> {
    let names = event.plan().names();
    let mut rows: Vec<Slowest> = names.map(|name| Slowest { player: name.to_owned(), ..Slowest::default() }).collect();
    for pair in event.schedule().pairs() {
        for (game, result) in (1..).zip(event.results().games_of(pair.number)) {
            let Some(result) = result else { continue };
            for (player, time) in pair.players.into_iter().zip(result.slowest_us) {
                let ms = f64::from(time) / 1000.0;
                if ms > rows[player].ms {
                    rows[player] = Slowest { ms, pair: pair.number, game, ..rows[player].clone() };
                }
            }
        }
    }
    rows
}

fn subtitle(event: &Event) -> String {
    let format = match event.plan().format {
        Format::RoundRobin { .. } => "round robin",
        Format::Gauntlet { .. } => "gauntlet",
        Format::Swiss { .. } => "Swiss system",
        Format::Knockout { .. } => "knockout",
        Format::Sprt { .. } => "sequential test",
    };
    let (whole, games) = (event.results().whole_pairs(), event.results().games());
    let counted = if event.rated() < whole { format!("{} of ", event.rated()) } else { String::new() };
    let state = if event.is_over() { "complete" } else { "not complete" };
    format!("{format}, {} players, {counted}{whole} whole pairs, {games} games, {state}", event.plan().players.len())
}
