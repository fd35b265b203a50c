//! The tables that `statistics` prints.

use std::io::Write;

use amazons_program::{Exit, TextTable};
use cluedo::classic::{AiType, Cell, ExactLaw, LineUp, Tally};
use serde_json::{Value, json};

/// The games of one cell with one seed.
pub(crate) struct Row {
    pub(crate) cell: Cell,
    pub(crate) seed: u64,
    pub(crate) tally: Tally,
}

/// A line for each cell; with `document`, the figures of the report of 2012, too.
pub(crate) fn table(rows: &[Row], document: bool, out: &mut impl Write) -> Result<Exit, Exit> {
    let reasons = rows.iter().any(|row| row.cell.ais.reasons());
    let head = ["AIs", "", "games", "rounds", "+-", "sd", "median", "max", "suggest", "answers"];
    let optional = [("wrong", reasons), ("report (sd), z", document)].into_iter().filter(|(_, is_shown)| *is_shown);
    let head = head.into_iter().chain(optional.map(|(title, _)| title)).chain(["wins by rank, %"]);
    let mut table = TextTable::of_names(head);
    for Row { cell: Cell { ais, .. }, tally, .. } in rows {
        let games = tally.games as f64;
        let (mean, deviation) = tally.mean_and_deviation();
        let mut cells = vec![
            name(ais),
            ais.count().to_string(),
            tally.games.to_string(),
            format!("{mean:.4}"),
            format!("{:.4}", deviation / games.sqrt()),
            format!("{deviation:.4}"),
            format!("{:.1}", tally.median()),
            tally.longest().to_string(),
            format!("{:.2}", tally.suggestions as f64 / games),
            format!("{:.2}", tally.answers as f64 / games),
        ];
        cells.extend(reasons.then(|| format!("{:.4}", tally.wrong as f64 / games)));
        if document {
            let text = |(figure, figure_deviation)| {
                format!("{figure:.2} ({figure_deviation:.2}) {:+6.1}", z(figure, mean, deviation))
            };
            cells.push(reported(ais).map_or_else(String::new, text));
        }
        let wins = tally.wins[..ais.count()].iter().map(|&wins| {
            let share = wins as f64 / games;
            format!("{:.2} +- {:.2}", 100.0 * share, 100.0 * (share * (1.0 - share) / games).sqrt())
        });
        cells.push(wins.collect::<Vec<_>>().join(", "));
        table.row(cells);
    }
    write!(out, "{}", table.to_text())?;
    writeln!(out, "rounds: own turns of the winner, including the accusation; +-: one standard error")?;
    if reasons {
        writeln!(out, "wrong: wrong accusations of a game; nobody wins a game in which all have accused wrongly")?;
    }
    let solved = rows.iter().find(|row| row.cell.ais == LineUp::uniform(AiType::Default, 2));
    if let Some(Row { tally, .. }) = solved {
        let law = ExactLaw::compute();
        let ((mean, deviation), (chi_square, degrees)) = (law.mean_and_deviation(), law.chi_square(&tally.rounds));
        let z = (tally.mean_and_deviation().0 - mean) / (deviation / (tally.games as f64).sqrt());
        writeln!(
            out,
            "two default AIs: {mean:.4} by the exact law, z {z:+.1}; chi-square of the rounds {chi_square:.1} with \
             {degrees} degrees of freedom"
        )?;
    }
    if document {
        writeln!(out, "report: mean of 250 games; z: its distance in standard errors of 250 games")?;
    }
    Ok(Exit::Success)
}

/// How far the means of tables with different seeds lie apart.
pub(crate) fn scatter(rows: &[Row], seeds: usize, document: bool, out: &mut impl Write) -> Result<Exit, Exit> {
    let head = ["AIs", "", "seeds", "games", "least", "mean", "most", "sd", "expected"];
    let mut table = TextTable::of_names(head.into_iter().chain(document.then_some("report")));
    for rows in rows.chunks(seeds) {
        let (ais, games) = (&rows[0].cell.ais, rows[0].tally.games);
        let means: Vec<f64> = rows.iter().map(|row| row.tally.mean_and_deviation().0).collect();
        let mut all = Tally::default();
        rows.iter().for_each(|row| all += &row.tally);
        let (mean, deviation) = all.mean_and_deviation();
        let squares: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
        let (least, most) =
            means.iter().fold((f64::INFINITY, 0.0), |(least, most), &one| (one.min(least), one.max(most)));
        let spread = [(squares / (seeds - 1) as f64).sqrt(), deviation / (games as f64).sqrt()];
        let figures = [least, mean, most].into_iter().chain(spread).map(|figure| format!("{figure:.4}"));
        let report = reported(ais).filter(|_| document).map(|(figure, _)| format!("{figure:.2}"));
        let cells = [name(ais), ais.count().to_string(), seeds.to_string(), games.to_string()];
        table.row(cells.into_iter().chain(figures).chain(report));
    }
    write!(out, "{}", table.to_text())?;
    writeln!(out, "means of tables with different seeds; sd: how far they lie apart; expected: by chance alone")?;
    Ok(Exit::Success)
}

/// An array of cells; `rounds` counts the games that ended in round 0, 1, and so on.
pub(crate) fn json(rows: &[Row], document: bool, out: &mut impl Write) -> Result<Exit, Exit> {
    let cell = |Row { cell: Cell { ais, .. }, seed, tally }: &Row| {
        let (mean, deviation) = tally.mean_and_deviation();
        let mut cell = json!({
            "ai_type": name(ais),
            "ais": ais.count(),
            "seed": seed,
            "games": tally.games,
            "mean": mean,
            "standard_error": deviation / (tally.games as f64).sqrt(),
            "standard_deviation": deviation,
            "median": tally.median(),
            "longest": tally.longest(),
            "wins": tally.wins[..ais.count()],
            "suggestions": tally.suggestions,
            "answers": tally.answers,
            "rounds": tally.rounds[..=tally.longest()],
        });
        if ais.reasons() {
            cell["wrong_accusations"] = tally.wrong.into();
        }
        if let Some((figure, figure_deviation)) = reported(ais).filter(|_| document) {
            let z = z(figure, mean, deviation);
            cell["report"] = json!({ "mean": figure, "standard_deviation": figure_deviation, "z": z });
        }
        cell
    };
    writeln!(out, "{:#}", rows.iter().map(cell).collect::<Value>())?;
    Ok(Exit::Success)
}

/// The law of two default AIs.
pub(crate) fn exact(law: &ExactLaw, out: &mut impl Write) -> Result<Exit, Exit> {
    let (mean, deviation) = law.mean_and_deviation();
    let wins = [law.first_wins, 1.0 - law.first_wins].map(|chance| 100.0 * chance);
    writeln!(out, "two default AIs, alone")?;
    writeln!(out, "rounds        {mean:.4}, sd {deviation:.4}")?;
    writeln!(out, "turns         {:.4}, of which {:.4} are suggestions", law.turns, law.turns - 1.0)?;
    writeln!(out, "wins          {:.3} % by rank 1, {:.3} % by rank 2", wins[0], wins[1])?;
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

fn z(figure: f64, mean: f64, deviation: f64) -> f64 {
    (figure - mean) / (deviation / REPORT_GAMES.sqrt())
}

/// The number of games of each figure in the report of 2012 that described this game.
const REPORT_GAMES: f64 = 250.0;

/// Returns the mean number of rounds and its standard deviation; nothing for AIs that the report of 2012 did not have.
fn reported(ais: &LineUp) -> Option<(f64, f64)> {
    const FIGURES: [[(f64, f64); 4]; 3] = [
        [(7.27, 2.29), (8.79, 2.93), (9.61, 3.09), (9.40, 3.26)],
        [(8.60, 2.12), (8.63, 2.80), (9.12, 3.26), (9.40, 3.32)],
        [(7.95, 2.27), (9.95, 2.96), (9.70, 3.41), (10.23, 3.18)],
    ];
    FIGURES.get(ais.only_type()? as usize).map(|row| row[ais.count() - 2])
}
