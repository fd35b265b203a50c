//! The tables of a tournament.

use std::io::Write;

use amazons_program::{Exit, TextTable, escaped};
use amazons_statistics::SprtVerdict;
use cluedo::tournament::{BlockResult, Format, Plan, Summary, pairs, standing};
use serde_json::json;

use super::{Matches, TournamentArgs};

/// How many errors of each program the text lists.
const LISTED: usize = 10;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:1rem;max-width:80rem;color-scheme:light dark}\
div{overflow-x:auto}table{border-collapse:collapse;margin-bottom:2rem}caption{text-align:left;font-weight:bold}\
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8888}th:first-child,td:first-child{text-align:left}";

pub(super) fn print(args: &TournamentArgs, plan: &Plan, matches: &Matches, out: &mut impl Write) -> Result<Exit, Exit> {
    let summary = Summary::new(plan, matches);
    let is_text = !args.json && args.html.is_none();
    let tables = [
        ("programs", Some(programs(plan, &summary))),
        ("matches", matches_of_two(plan, matches)),
        ("strengths", field(plan, &summary)),
        ("ladder", ladder(plan, matches)),
        ("seats", Some(seats(plan, &summary))),
        ("calibration", calibration(plan, &summary)),
        ("errors", errors(plan, matches, if is_text { LISTED } else { usize::MAX })),
    ];
    let tables: Vec<(&str, TextTable)> =
        tables.into_iter().filter_map(|(key, table)| table.map(|table| (key, table))).collect();
    let [blocks, games, open] = summary.played;
    let head = format!("{blocks} blocks, {games} games, {open} that nobody won; +- is one standard error");
    if let Some(file) = &args.html {
        let shown: Vec<&TextTable> = tables.iter().map(|(_, table)| table).collect();
        let written = std::fs::write(file, page(&args.plan.display().to_string(), &head, &shown));
        written.map_err(|error| Exit::usage(format!("{}: cannot write: {error}", file.display())))?;
    }
    if args.csv {
        write!(out, "{}", tables[0].1.to_csv())?;
    } else if args.json {
        let tables: serde_json::Map<_, _> =
            tables.iter().map(|(key, table)| ((*key).to_owned(), table.to_json())).collect();
        writeln!(out, "{}", json!({ "plan": plan, "blocks": blocks, "games": games, "open": open, "tables": tables }))?;
    } else {
        writeln!(out, "{head}")?;
        for (_, table) in &tables {
            write!(out, "\n{}", table.to_text())?;
        }
    }
    Ok(Exit::Success)
}

/// Writes the tables as a page without scripts.
fn page(title: &str, head: &str, tables: &[&TextTable]) -> String {
    let (title, head) = (escaped(title), escaped(head));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>{head}</p>\n"
    );
    page.extend(tables.iter().map(|table| table.to_html()));
    page
}

/// A number with so many digits, or `-` for none.
fn number(value: Option<f64>, digits: usize) -> String {
    value.filter(|value| value.is_finite()).map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

fn ratio(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part / whole as f64)
}

fn programs(plan: &Plan, summary: &Summary) -> TextTable {
    let head = "program,seats,wins %,+-,fair %,own turns,wrong %,errors,median ms,slowest ms,deduced %,of".split(',');
    let mut table = TextTable::new("programs", head);
    let mut order: Vec<usize> = (0..plan.bots.len()).collect();
    order.sort_by(|&a, &b| summary.programs[b].share().total_cmp(&summary.programs[a].share()).then(a.cmp(&b)));
    for place in order {
        let program = &summary.programs[place];
        let errors: Vec<String> = program.errors.iter().map(|(code, count)| format!("{count} x {code}")).collect();
        let milliseconds = |time: Option<u64>| number(time.map(|time| time as f64 / 1e3), 1);
        let [turns, found] = program.certain;
        table.row([
            plan.bots[place].name.clone(),
            program.seats.to_string(),
            number(Some(100.0 * program.share()), 1),
            number(Some(100.0 * program.bar), 1),
            number(Some(100.0 / plan.n as f64), 1),
            number(ratio(program.winning_turns as f64, program.wins), 2),
            number(ratio(100.0 * program.wrong as f64, program.seats), 1),
            if errors.is_empty() { "0".to_owned() } else { errors.join(" ") },
            milliseconds(program.median()),
            milliseconds(program.times.last().copied()),
            number(ratio(100.0 * found as f64, turns), 1),
            turns.to_string(),
        ]);
    }
    table
}

fn matches_of_two(plan: &Plan, matches: &Matches) -> Option<TextTable> {
    let head = ["first", "second", "0", "1/2", "1", "3/2", "2", "Elo", "+- 95 %", "nElo", "LOS %", "LLR", "test"];
    let mut table = TextTable::new("matches: pairs of games by the points of the first", head);
    for (matchup, blocks) in matches {
        let pair = matchup.pair?;
        let score = pairs(blocks, pair[0]);
        let estimate = score.estimate();
        let mut cells = pair.map(|program| plan.bots[program].name.clone()).to_vec();
        cells.extend(score.counts().iter().map(u64::to_string));
        let error = (!estimate.error.is_beyond()).then(|| estimate.error.points());
        cells.extend([format!("{:.1}", estimate.elo), number(error, 1), format!("{:.1}", estimate.nelo)]);
        cells.push(number(Some(100.0 * estimate.los), 1));
        let test = plan.sprt.and_then(|sprt| sprt.test().ok());
        cells.push(number(test.map(|test| test.llr(&score)), 2));
        cells.push(test.map_or("-".to_owned(), |test| match test.verdict(&score) {
            SprtVerdict::AcceptH0 => "elo0".to_owned(),
            SprtVerdict::AcceptH1 => "elo1".to_owned(),
            SprtVerdict::Continue => format!("open, {:.2} to {:.2}", test.bounds()[0], test.bounds()[1]),
        }));
        table.row(cells);
    }
    (!matches.is_empty()).then_some(table)
}

fn field(plan: &Plan, summary: &Summary) -> Option<TextTable> {
    let ratings = &summary.field.as_ref()?.players;
    let seats = if plan.seat_effects { ", with seats taken into account" } else { "" };
    let mut table = TextTable::new(format!("strengths in Elo{seats}"), ["program", "Elo", "+- 95 %", "LOS %"]);
    let mut order: Vec<usize> = (0..ratings.players()).collect();
    order.sort_by(|&a, &b| ratings.points(b).total_cmp(&ratings.points(a)).then(a.cmp(&b)));
    for (place, &program) in order.iter().enumerate() {
        let los = order.get(place + 1).map(|&next| 100.0 * ratings.los(program, next));
        let (points, error) = (Some(ratings.points(program)), Some(ratings.error(program)));
        table.row([plan.bots[program].name.clone(), number(points, 1), number(error, 1), number(los, 1)]);
    }
    Some(table)
}

fn ladder(plan: &Plan, matches: &Matches) -> Option<TextTable> {
    if plan.format != Format::Ladder {
        return None;
    }
    let finished: Vec<Vec<BlockResult>> = matches.iter().map(|(_, blocks)| blocks.clone()).collect();
    let mut table = TextTable::new("ladder", ["rung", "program"]);
    for (place, program) in standing(plan, &finished).into_iter().enumerate() {
        table.row([(place + 1).to_string(), plan.bots[program].name.clone()]);
    }
    Some(table)
}

fn seats(plan: &Plan, summary: &Summary) -> TextTable {
    let games = summary.played[1];
    let seats = summary.field.as_ref().and_then(|field| field.seats.as_ref());
    let mut table = TextTable::new("seats", ["seat", "wins %", "Elo", "+- 95 %"]);
    for (seat, &wins) in summary.seat_wins.iter().enumerate().take(plan.n) {
        let (points, error) = (seats.map(|seats| seats.points(seat)), seats.map(|seats| seats.error(seat)));
        let share = ratio(100.0 * wins as f64, games);
        table.row([seat.to_string(), number(share, 1), number(points, 1), number(error, 1)]);
    }
    table
}

fn calibration(plan: &Plan, summary: &Summary) -> Option<TextTable> {
    let head = ["program", "chance %", "accusations", "mean %", "right %", "+-"];
    let mut table =
        TextTable::new("accusations by their chance: bot 4's own, others' counted from what the seat had seen", head);
    let mut is_empty = true;
    for (program, bot) in summary.programs.iter().zip(&plan.bots) {
        for (bin, &(count, sum, right)) in program.bins.iter().enumerate().filter(|(_, bin)| bin.0 > 0) {
            is_empty = false;
            let share = right as f64 / count as f64;
            let bar = (share * (1.0 - share) / count as f64).sqrt();
            table.row([
                bot.name.clone(),
                format!("{}..{}", 10 * bin, 10 * bin + 10),
                count.to_string(),
                number(ratio(100.0 * sum, count), 1),
                number(Some(100.0 * share), 1),
                number(Some(100.0 * bar), 1),
            ]);
        }
    }
    (!is_empty).then_some(table)
}

/// The errors of programs, the first ones of each.
fn errors(plan: &Plan, matches: &Matches, most: usize) -> Option<TextTable> {
    let head = ["program", "match", "block", "game", "seat", "error", "asked", "sent", "why"];
    let mut table = TextTable::new("errors of programs", head);
    let mut counts = vec![0; plan.bots.len()];
    for block in matches.iter().flat_map(|(_, blocks)| blocks) {
        for (number, game) in block.games.iter().enumerate() {
            for fault in &game.faults {
                let program = game.seats[fault.seat];
                counts[program] += 1;
                if counts[program] <= most {
                    let numbers = [block.matchup, block.block, number as u64, fault.seat as u64, u64::from(fault.code)];
                    let mut cells = vec![plan.bots[program].name.clone()];
                    cells.extend(numbers.map(|number| number.to_string()));
                    cells.extend([fault.asked.clone(), format!("\"{}\"", fault.sent), fault.why.clone()]);
                    table.row(cells);
                }
            }
        }
    }
    for (bot, count) in plan.bots.iter().zip(&counts).filter(|(_, count)| **count > most) {
        let more = format!("and {} more, which --json and --html list", count - most);
        table.row([bot.name.clone()].into_iter().chain(std::iter::repeat_n(String::new(), 7)).chain([more]));
    }
    counts.iter().any(|&count| count > 0).then_some(table)
}
