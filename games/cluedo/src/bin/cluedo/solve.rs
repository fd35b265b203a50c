//! `cluedo solve`: what follows from the lines that a seat has seen.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use cluedo::bots::describe::{Detail, describe};
use cluedo::knowledge::chances::Chances;
use cluedo::knowledge::count::{Problem, Weighing};
use cluedo::knowledge::logic::{Deductions, Rules};
use cluedo::line::deal::PLAYERS;
use cluedo::line::message::{Answer, Line};
use cluedo::line::seat::Seat;
use serde_json::{Value, json};

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// A file of lines from a server, or - for standard input; own lines begin with >, and ; is as good as a new line
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &SolveArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let wrong = |error: io::Error| Exit::usage(format!("{}: {error}", args.file.display()));
    let text = if args.file == Path::new("-") {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map_err(wrong)?;
        text
    } else {
        fs::read_to_string(&args.file).map_err(wrong)?
    };
    let seat = follow(&text).map_err(|reason| Exit::usage(format!("{}: {reason}", args.file.display())))?;
    if args.json {
        writeln!(out, "{}", result(&seat).ok_or_else(contradiction)?)?;
    } else {
        let is_possible = Chances::new(Problem::new(&seat.facts, Weighing::Alike)).is_some();
        write!(out, "{}", describe(&seat, Detail::Chances))?;
        if !is_possible {
            return Err(contradiction());
        }
    }
    Ok(Exit::Success)
}

fn contradiction() -> Exit {
    Exit::usage("the lines contradict each other: no deal agrees with all of them")
}

/// Follows the lines of a seat; says which one makes no sense.
fn follow(text: &str) -> Result<Seat, String> {
    let mut seat: Option<Seat> = None;
    let lines = text.split(['\n', ';']).map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    for (place, line) in lines {
        let place = place + 1;
        if let Some(answer) = line.strip_prefix('>') {
            let answer = Answer::parse(answer.as_bytes());
            match (answer, &mut seat) {
                (Some(answer), Some(seat)) => seat.says(&answer),
                (Some(Answer::Hello(_)), None) => {}
                _ => return Err(format!("line {place}: {line:?} is not a line of a client after \"B seat players\"")),
            }
            continue;
        }
        match (Line::parse(line.as_bytes()), &mut seat) {
            (Some(Line::Welcome { seat: number, players }), _) if PLAYERS.contains(&players) && number < players => {
                seat = Some(Seat::new(number, players));
            }
            (Some(Line::Hand(hand)), Some(seat)) if !seat.facts.pack.all().contains_all(hand) || hand.len() != 3 => {
                return Err(format!("line {place}: {line:?} is not a hand of {} players", seat.players()));
            }
            (Some(line), Some(seat)) => {
                seat.hear(line);
            }
            _ => return Err(format!("line {place}: {line:?} is not a line of a server after \"B seat players\"")),
        }
    }
    seat.filter(|seat| seat.game > 0).ok_or_else(|| "there is no hand: a line as C 0 4 8 is missing".to_owned())
}

fn result(seat: &Seat) -> Option<Value> {
    let facts = &seat.facts;
    let known = Deductions::new(facts, Rules::Further);
    let alike = Chances::new(Problem::of(facts, &known, Weighing::Alike))?;
    let shown = Chances::new(Problem::of(facts, &known, Weighing::Shown))?;
    let marginals = shown.marginals();
    let mut hands = vec![Value::Null; seat.players()];
    for (holder, chances) in shown.problem().holders.iter().zip(&marginals.hands) {
        let chance = |(card, &chance): (usize, &f64)| if known.has[holder.seat].contains(card) { 1.0 } else { chance };
        hands[holder.seat] = chances.iter().enumerate().map(chance).collect();
    }
    let own = |card| if facts.hand().contains(card) { 1.0 } else { 0.0 };
    hands[seat.me()] = (0..facts.pack.len()).map(own).collect();
    let triples: Vec<Value> = shown.triples()?.iter().map(|(cards, chance)| json!([cards, chance])).collect();
    let sets: Vec<Vec<Vec<usize>>> =
        known.sets.iter().map(|sets| sets.iter().map(|set| set.iter().collect()).collect()).collect();
    let candidates: Vec<Vec<usize>> = (0..3).map(|kind| known.candidates(kind).iter().collect()).collect();
    Some(json!({
        "seat": seat.me(),
        "players": seat.players(),
        "game": seat.game,
        "turn": seat.turn,
        "deals": alike.total(),
        "candidates": candidates,
        "solution": known.solution(),
        "sets": sets,
        "secret": marginals.secret,
        "hands": hands,
        "triples": triples,
    }))
}
