//! `cluedo solve`: what follows from the lines that a seat has seen.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use cluedo::bots::play::{count, describe};
use cluedo::deal::PLAYERS;
use cluedo::knowledge::chances::Uncounted;
use cluedo::knowledge::deals::{Deals, MAX_EXACT};
use cluedo::knowledge::logic::{Deductions, Rules};
use cluedo::knowledge::problem::Weighing;
use cluedo::knowledge::view::View;
use cluedo::line::message::{Answer, Line};
use cluedo::line::seat::Seat;
use serde_json::{Value, json};

use crate::input_file::MAX_TEXT_LEN;
use amazons_program::files::{read_file, read_text};

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// A file of lines from a server, or - for standard input; own lines begin with >, and ; is as good as a new line
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &SolveArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let text = match args.file == Path::new("-") {
        true => read_text(io::stdin().lock(), MAX_TEXT_LEN),
        false => read_file(&args.file, MAX_TEXT_LEN),
    };
    let wrong = |reason: String| Exit::Usage(format!("{}: {reason}", args.file.display()));
    let seat = follow(&text.map_err(|error| wrong(error.to_string()))?, wrong)?;
    if args.json {
        writeln!(out, "{}", result(&seat).map_err(uncounted)?)?;
    } else {
        let view = View::new(&seat.facts);
        let counted = count(&seat, &view);
        write!(out, "{}", describe(&seat, &View { counted: counted.as_ref().ok().cloned(), ..view }))?;
        counted.map_err(uncounted)?;
        write_counts(&seat, out)?;
    }
    Ok(Exit::Success)
}

/// Prints in how many deals each card is where, and the likeliest secrets.
fn write_counts(seat: &Seat, out: &mut impl Write) -> Result<(), Exit> {
    let known = Deductions::new(&seat.facts, Rules::Further);
    let deals = Deals::new(&seat.facts, &known, Weighing::Alike, &[]);
    // Numbers of deals are told while they are exact.
    let Some(deals) = deals.ok().filter(|deals| deals.total() <= MAX_EXACT) else { return Ok(()) };
    let total = deals.total();
    writeln!(out, "of {total} deals, in how many each seat has a card, then in how many it is secret:")?;
    let width = total.to_string().len();
    let places = deals.places(&known);
    for card in 0..seat.facts.deck.len() {
        write!(out, "{card:3} |")?;
        for place in &places {
            write!(out, " {:>width$}", deals.count(place[card]))?;
        }
        writeln!(out)?;
    }
    for ([a, b, c], chance) in deals.triples().into_iter().flatten().take(5) {
        writeln!(out, "secret {a} {b} {c}: {} of {total} deals", deals.count(chance))?;
    }
    Ok(())
}

/// Numbers of deals as decimal strings, while they are exact.
fn counts(known: &Deductions, deals: &Deals) -> Option<Value> {
    if deals.total() > MAX_EXACT {
        return None;
    }
    let text = |chance: f64| deals.count(chance).to_string();
    let texts = |chances: &Vec<f64>| chances.iter().map(|&chance| text(chance)).collect();
    let mut hands: Vec<Vec<String>> = deals.places(known).iter().map(texts).collect();
    let secret = hands.pop();
    let triples: Vec<Value> = deals.triples()?.iter().map(|&(cards, chance)| json!([cards, text(chance)])).collect();
    Some(json!({ "total": deals.total().to_string(), "secret": secret, "hands": hands, "triples": triples }))
}

fn uncounted(why: Uncounted) -> Exit {
    match why {
        Uncounted::NoDeal => Exit::usage(format!("the lines contradict each other: {why}")),
        Uncounted::TooMany => Exit::Failure(format!("{why}: only what follows by rules can be told, without --json")),
    }
}

/// Follows the lines of a seat; says which one makes no sense.
fn follow(text: &str, wrong: impl Fn(String) -> Exit) -> Result<Seat, Exit> {
    let mut seat: Option<Seat> = None;
    let lines = text.split(['\n', ';']).map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    for (place, line) in lines {
        let (place, text) = (place + 1, line);
        let wrong = |what: String| wrong(format!("line {place}: {what}"));
        if let Some(answer) = line.strip_prefix('>') {
            let answer = Answer::parse(answer.as_bytes());
            match (answer, &mut seat) {
                (Some(answer), Some(seat)) => seat.says(&answer),
                (Some(Answer::Hello(_)), None) => {}
                _ => return Err(wrong(format!("{line:?} is not a line of a client after \"B seat players\""))),
            }
            continue;
        }
        match (Line::parse(line.as_bytes()), &mut seat) {
            (Some(Line::Welcome { seat: number, players }), _) if PLAYERS.contains(&players) && number < players => {
                seat = Some(Seat::new(number, players));
            }
            (Some(Line::Hand(hand)), Some(seat)) if !seat.facts.deck.all().contains_all(hand) || hand.len() != 3 => {
                return Err(wrong(format!("{line:?} is not a hand of {} players", seat.players())));
            }
            (Some(line), Some(seat)) => {
                let unknown_lines = seat.unknown_lines;
                seat.hear(line);
                if seat.unknown_lines > unknown_lines {
                    return Err(wrong(format!("{text:?} makes no sense after the lines before it")));
                }
            }
            _ => return Err(wrong(format!("{line:?} is not a line of a server after \"B seat players\""))),
        }
    }
    seat.filter(|seat| seat.game > 0).ok_or_else(|| wrong("there is no hand: a line as C 0 4 8 is missing".to_owned()))
}

fn result(seat: &Seat) -> Result<Value, Uncounted> {
    let facts = &seat.facts;
    let known = Deductions::new(facts, Rules::Further);
    let count = |weighing| Deals::new(facts, &known, weighing, &[]);
    let (alike, shown) = (count(Weighing::Alike)?, count(Weighing::Shown)?);
    let mut hands = shown.places(&known);
    let secret = hands.pop();
    let triples = shown.triples().ok_or(Uncounted::TooMany)?;
    let sets: Vec<Vec<Vec<usize>>> =
        known.sets.iter().map(|sets| sets.iter().map(|set| set.iter().collect()).collect()).collect();
    let candidates: Vec<Vec<usize>> = (0..3).map(|kind| known.candidates(kind).iter().collect()).collect();
    Ok(json!({
        "seat": seat.me(),
        "players": seat.players(),
        "game": seat.game,
        "turn": seat.turn,
        "deals": alike.total(),
        "candidates": candidates,
        "solution": known.solution(),
        "sets": sets,
        "secret": secret,
        "hands": hands,
        "triples": triples,
        "counts": counts(&known, &alike),
    }))
}
