//! The files of an event's folder that can be made anew at any time.

use std::io;
use std::path::PathBuf;

use amazons_formats::BoardName;

use super::event::Event;
use super::overhead::Histogram;
use super::plan::{Format, Openings, Plan};
use super::report::{self, Report};
use super::schedule::Pair;
use super::standings::{Field, RankedBy, RatedPair, Slowest, Standings, Timing};

/// The standings of an event so far, ready to be written.
#[derive(Debug)]
pub struct Derived<'a> {
    event: &'a Event,
    title: String,
    pub(super) subtitle: String,
    /// The tables.
    pub standings: Standings,
    /// Everything that depends on time.
    pub timing: Timing,
}

impl<'a> Derived<'a> {
    /// Computes everything from the games.
    pub fn of(event: &'a Event, overhead: &Histogram) -> Self {
        let boards = board_names(event.plan());
        let standings = Standings::new(&field_of(event, &rated_pairs(event, &boards), &byes(event)));
        let mut timing = Timing {
            slowest: slowest(event),
            unrated_games: event.results().games() as u64 - 2 * standings.pairs,
            ..Timing::default()
        };
        timing.set_overhead(overhead);
        Self { event, title: report::title(event.folder()), subtitle: subtitle(event), standings, timing }
    }

    /// Returns the standings as text for a terminal, with what depends on time.
    pub fn text(&self) -> String {
        report::text(&Report { timing: Some(&self.timing), ..self.report() })
    }

    /// Returns what does not depend on time, so that its files are the same however the event was played.
    const fn report(&self) -> Report<'_> {
        let (title, subtitle) = (self.title.as_str(), self.subtitle.as_str());
        Report { title, subtitle, standings: &self.standings, timing: None }
    }

    /// Writes the standings, each file whole or not at all.
    pub fn write(&self) -> Result<(), (PathBuf, io::Error)> {
        let report = self.report();
        let timing = serde_json::to_string_pretty(&self.timing).unwrap_or_default() + "\n";
        let files = [
            ("standings.json", report::json(&self.standings)),
            ("standings.csv", report::csv(&self.standings)),
            ("standings.txt", report::text(&report)),
            ("timing.json", timing),
        ];
        report::write(self.event.folder(), files)
    }

    /// Writes the list of all games, too, which takes longer: at the end.
    pub fn write_all(&self) -> Result<(), (PathBuf, io::Error)> {
        self.write()?;
        let (plan, pairs, results) = (self.event.plan(), self.event.schedule().pairs(), self.event.results());
        report::write_games(self.event.folder(), plan, pairs, results, self.event.rated())
    }
}

/// Returns the field of an event with these pairs.
pub(super) fn field_of<'a>(event: &'a Event, pairs: &'a [RatedPair<'a>], byes: &'a [u32]) -> Field<'a> {
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
        withdrawn: &event.plan().withdrawn,
    }
}

/// Returns the whole pairs of an event, up to a test's verdict; `boards` are its [`board_names`].
pub(super) fn rated_pairs<'a>(event: &'a Event, boards: &'a [String]) -> Vec<RatedPair<'a>> {
    let rated = |pair: &Pair| {
        let [Some(one), Some(two)] = event.results().games_of(pair.number) else { return None };
        let board = board_of(event.plan(), boards, pair);
        Some(RatedPair { players: pair.players, board, stage: pair.stage, games: [one, two] })
    };
    event.schedule().pairs().iter().take(event.rated()).filter_map(rated).collect()
}

/// Returns the board of a pair among the [`board_names`] of its plan.
pub(super) fn board_of<'a>(plan: &Plan, boards: &'a [String], pair: &Pair) -> &'a str {
    match &plan.openings {
        Openings::Listed(texts) => &boards[pair.opening as usize % texts.len()],
        Openings::Random { .. } => &boards[pair.board],
    }
}

/// Returns the names of a plan's boards, or of the boards that its listed openings stand on.
pub(super) fn board_names(plan: &Plan) -> Vec<String> {
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
pub(super) fn byes(event: &Event) -> Vec<u32> {
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
    let (mut whole, mut games) = (event.results().whole_pairs(), event.results().games());
    let rated = event.rated();
    if event.is_over() && rated < whole {
        // How many pairs were begun beyond a verdict is a matter of time.
        (whole, games) = (rated, 2 * rated);
    }
    let counted = if rated < whole { format!("{rated} of ") } else { String::new() };
    let state = if event.is_over() { "complete" } else { "not complete" };
    let (format, players) = (event.plan().format.words(), event.plan().players.len());
    format!("{format}, {players} players, {counted}{whole} whole pairs, {games} games, {state}")
}
