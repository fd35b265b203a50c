//! The files of an event's folder that can be made anew at any time.

use std::io;
use std::path::PathBuf;

use amazons_formats::BoardName;

use crate::referee::PlayerNumber;
use crate::tournament::report::{self, PairLink, Report};
use crate::tournament::{
    Event, Field, Format, Histogram, Openings, Plan, RankedBy, RatedPair, Slowest, Standings, Timing, log_path,
    record_path, write_whole,
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
        let names = board_names(event.plan());
        let pairs = rated_pairs(event, &names);
        let standings = Standings::new(&field_of(event, &pairs, &byes(event)));
        let mut timing = Timing {
            slowest: slowest(event),
            unrated_games: event.results().games() - 2 * pairs.len(),
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

    /// Writes all files, each whole or not at all.
    ///
    /// # Errors
    /// Names the first file that the folder cannot take.
    pub fn write(&self) -> Result<(), (PathBuf, io::Error)> {
        let report = self.report();
        let timing = serde_json::to_string_pretty(&self.timing).unwrap_or_default() + "\n";
        let (plan, pairs, results) = (self.event.plan(), self.event.schedule().pairs(), self.event.results());
        let rated = results.test().map_or(pairs.len(), |test| test.llr.len());
        let files = [
            ("standings.json", report::json(&self.standings)),
            ("standings.csv", report::csv(&self.standings)),
            ("standings.txt", report::text(&report)),
            ("standings.html", report::html(&report, &self.links(rated))),
            ("games.csv", report::games_csv(plan, pairs, results, rated)),
            ("timing.json", timing),
        ];
        for (name, text) in files {
            let path = self.event.folder().join(name);
            write_whole(&path, text.as_bytes()).map_err(|error| (path, error))?;
        }
        Ok(())
    }

    fn links(&self, rated: usize) -> Vec<PairLink> {
        let (plan, results) = (self.event.plan(), self.event.results());
        let link = |pair: &crate::tournament::Pair| {
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
        self.event.schedule().pairs().iter().take(rated).filter_map(link).collect()
    }
}

/// Returns the field of an event with these pairs.
#[must_use]
pub fn field_of<'a>(event: &'a Event, pairs: &'a [RatedPair<'a>], byes: &'a [u32]) -> Field<'a> {
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

/// Returns the whole pairs in the order of the schedule, up to a test's verdict; boards are named by [`board_names`].
#[must_use]
pub fn rated_pairs<'a>(event: &'a Event, names: &'a [String]) -> Vec<RatedPair<'a>> {
    let results = event.results();
    let rated = results.test().map_or(usize::MAX, |test| test.llr.len());
    let pair = |pair: &crate::tournament::Pair| {
        let [Some(one), Some(two)] = results.games_of(pair.number) else { return None };
        let board = match &event.plan().openings {
            Openings::Listed(texts) => &names[pair.opening as usize % texts.len()],
            Openings::Random { .. } => &names[pair.board],
        };
        Some(RatedPair { players: pair.players, board, stage: pair.stage, games: [one, two] })
    };
    event.schedule().pairs().iter().take(rated).filter_map(pair).collect()
}

/// Returns the names of a plan's boards, or of the boards that its listed openings stand on.
#[must_use]
pub fn board_names(plan: &Plan) -> Vec<String> {
    let Openings::Listed(texts) = &plan.openings else { return plan.boards.clone() };
    let name = |text: &String| match plan.boards.first() {
        Some(name) => name.clone(),
        None => {
            let position = plan.listed(text).ok();
            position
                .and_then(|position| BoardName::of(position.board()))
                .map_or("?".to_owned(), |name| name.to_string())
        }
    };
    texts.iter().map(name).collect()
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
    let state = if event.is_over() { "complete" } else { "not complete" };
    format!("{format}, {} players, {whole} whole pairs, {games} games, {state}", event.plan().players.len())
}
