//! The tables that `statistics` prints.

use std::io::Write;

use amazons_program::Exit;
use cluedo::classic::{AiType, Cell, ExactLaw, LineUp, Tally};
use serde::Serialize;

use crate::document;

/// The games of one cell with one seed.
pub(crate) struct Row {
    pub(crate) cell: Cell,
    pub(crate) seed: u64,
    pub(crate) tally: Tally,
}

/// Which figures stand beside those of the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    Nothing,
    /// The report of 2012.
    Document,
}

impl Beside {
    fn is_document(self) -> bool {
        self == Self::Document
    }

    fn figures(self, ais: &LineUp) -> Option<(f64, f64)> {
        document::figures(ais).filter(|_| self.is_document())
    }
}

/// A line for each cell.
pub(crate) fn table(rows: &[Row], beside: Beside, out: &mut impl Write) -> Result<Exit, Exit> {
    let document = if beside.is_document() { "  report (sd), z" } else { "" };
    let reasons = rows.iter().any(|row| row.cell.ais.reasons());
    let width = rows.iter().map(|row| name(&row.cell.ais).len()).fold(9, usize::max);
    let wrong = if reasons { "   wrong" } else { "" };
    writeln!(
        out,
        "{:width$} {:>4} {:>9} {:>8} {:>7} {:>7} {:>6} {:>4} {:>7} {:>8}{wrong}{document:>22}  wins by rank, %",
        "AIs", "", "games", "rounds", "+-", "sd", "median", "max", "suggest", "answers"
    )?;
    for Row { cell, tally, .. } in rows {
        let games = tally.games as f64;
        let (mean, deviation) = tally.mean_and_deviation();
        let mut document = String::new();
        let figures = beside.figures(&cell.ais);
        if let Some((figure, figure_deviation)) = figures {
            let z = z(figure, mean, deviation);
            document = format!("{figure:8.2} ({figure_deviation:.2}) {z:+6.1}");
        }
        let wrong = if reasons { format!(" {:7.4}", tally.wrong as f64 / games) } else { String::new() };
        writeln!(
            out,
            "{:width$} {:4} {:9} {mean:8.4} {:7.4} {deviation:7.4} {:6.1} {:4} {:7.2} {:8.2}{wrong}{document:>22}  {}",
            name(&cell.ais),
            cell.ais.count(),
            tally.games,
            deviation / games.sqrt(),
            tally.median(),
            tally.longest(),
            tally.suggestions as f64 / games,
            tally.answers as f64 / games,
            wins(tally, cell.ais.count())
                .iter()
                .map(|(share, error)| format!("{share:.2} +- {error:.2}"))
                .collect::<Vec<_>>()
                .join(", "),
        )?;
    }
    writeln!(out, "rounds: own turns of the winner, including the accusation; +-: one standard error")?;
    if reasons {
        writeln!(out, "wrong: wrong accusations of a game; nobody wins a game in which all have accused wrongly")?;
    }
    let solved = rows.iter().find(|row| row.cell.ais == LineUp::uniform(AiType::Default, 2));
    if let Some(Row { tally, .. }) = solved {
        let law = ExactLaw::new();
        let ((mean, deviation), (chi_square, degrees)) = (law.mean_and_deviation(), law.chi_square(&tally.rounds));
        let z = (tally.mean_and_deviation().0 - mean) / (deviation / (tally.games as f64).sqrt());
        writeln!(
            out,
            "two default AIs: {mean:.4} by the exact law, z {z:+.1}; chi-square of the rounds {chi_square:.1} with \
             {degrees} degrees of freedom"
        )?;
    }
    if beside.is_document() {
        writeln!(out, "report: mean of 250 games; z: its distance in standard errors of 250 games")?;
    }
    Ok(Exit::Success)
}

/// How far the means of tables with different seeds lie apart.
pub(crate) fn scatter(rows: &[Row], seeds: usize, beside: Beside, out: &mut impl Write) -> Result<Exit, Exit> {
    let width = rows.iter().map(|row| name(&row.cell.ais).len()).fold(9, usize::max);
    writeln!(
        out,
        "{:width$} {:>4} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}{}",
        "AIs",
        "",
        "seeds",
        "games",
        "least",
        "mean",
        "most",
        "sd",
        "expected",
        if beside.is_document() { "    report" } else { "" }
    )?;
    for rows in rows.chunks(seeds) {
        let means: Vec<f64> = rows.iter().map(|row| row.tally.mean_and_deviation().0).collect();
        let mut all = Tally::default();
        rows.iter().for_each(|row| all += &row.tally);
        let (mean, deviation) = all.mean_and_deviation();
        let squares: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
        let cell = rows[0].cell;
        let figures = beside.figures(&cell.ais);
        let report = figures.map_or(String::new(), |(figure, _)| format!("{figure:10.2}"));
        writeln!(
            out,
            "{:width$} {:4} {seeds:6} {:9} {:9.4} {mean:9.4} {:9.4} {:9.4} {:9.4}{report}",
            name(&cell.ais),
            cell.ais.count(),
            rows[0].tally.games,
            means.iter().copied().fold(f64::INFINITY, f64::min),
            means.iter().copied().fold(0.0, f64::max),
            (squares / (seeds - 1) as f64).sqrt(),
            deviation / (rows[0].tally.games as f64).sqrt(),
        )?;
    }
    writeln!(out, "means of tables with different seeds; sd: how far they lie apart; expected: by chance alone")?;
    Ok(Exit::Success)
}

#[derive(Serialize)]
struct CellJson<'a> {
    ai_type: String,
    ais: usize,
    seed: u64,
    games: u64,
    mean: f64,
    standard_error: f64,
    standard_deviation: f64,
    median: f64,
    longest: usize,
    wins: Vec<u64>,
    suggestions: u64,
    answers: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong_accusations: Option<u64>,
    rounds: &'a [u64],
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<ReportJson>,
}

#[derive(Serialize)]
struct ReportJson {
    mean: f64,
    standard_deviation: f64,
    z: f64,
}

/// An array of cells; `rounds` counts the games that ended in round 0, 1, and so on.
pub(crate) fn json(rows: &[Row], beside: Beside, out: &mut impl Write) -> Result<Exit, Exit> {
    let cells: Vec<CellJson<'_>> = rows
        .iter()
        .map(|Row { cell, seed, tally }| {
            let (mean, deviation) = tally.mean_and_deviation();
            let figures = beside.figures(&cell.ais);
            let report = figures.map(|(figure, standard_deviation)| ReportJson {
                mean: figure,
                standard_deviation,
                z: z(figure, mean, deviation),
            });
            CellJson {
                ai_type: name(&cell.ais),
                ais: cell.ais.count(),
                seed: *seed,
                games: tally.games,
                mean,
                standard_error: deviation / (tally.games as f64).sqrt(),
                standard_deviation: deviation,
                median: tally.median(),
                longest: tally.longest(),
                wins: tally.wins[..cell.ais.count()].to_vec(),
                suggestions: tally.suggestions,
                answers: tally.answers,
                wrong_accusations: cell.ais.reasons().then_some(tally.wrong),
                rounds: &tally.rounds[..=tally.longest()],
                report,
            }
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &cells).map_err(|error| Exit::from(std::io::Error::from(error)))?;
    writeln!(out)?;
    Ok(Exit::Success)
}

/// The law of two default AIs.
pub(crate) fn exact(law: &ExactLaw, out: &mut impl Write) -> Result<Exit, Exit> {
    let (mean, deviation) = law.mean_and_deviation();
    writeln!(out, "two default AIs, alone")?;
    writeln!(out, "rounds        {mean:.4}, sd {deviation:.4}")?;
    writeln!(out, "turns         {:.4}, of which {:.4} are suggestions", law.turns, law.turns - 1.0)?;
    writeln!(
        out,
        "wins          {:.3} % by rank 1, {:.3} % by rank 2",
        100.0 * law.first_wins,
        100.0 * (1.0 - law.first_wins)
    )?;
    for (round, chance) in law.rounds.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        writeln!(out, "round {round:2}      {:7.4} %", 100.0 * chance)?;
    }
    Ok(Exit::Success)
}

/// The type of the AIs, or all their types.
fn name(ais: &LineUp) -> String {
    match ais.only_type() {
        Some(ai_type) => ai_type.name().to_owned(),
        None => ais.types().iter().map(|ai_type| ai_type.name()).collect::<Vec<_>>().join(","),
    }
}

/// Wins of each rank in percent, with standard errors.
fn wins(tally: &Tally, ais: usize) -> Vec<(f64, f64)> {
    let games = tally.games as f64;
    let share = |&wins: &u64| {
        let share = wins as f64 / games;
        (100.0 * share, 100.0 * (share * (1.0 - share) / games).sqrt())
    };
    tally.wins[..ais].iter().map(share).collect()
}

fn z(figure: f64, mean: f64, deviation: f64) -> f64 {
    (figure - mean) / (deviation / document::GAMES.sqrt())
}
