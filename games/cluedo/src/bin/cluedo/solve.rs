//! `cluedo solve`: what follows from the lines that a seat has seen.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use cluedo::assist::deals::Deals;
use cluedo::assist::logic::{Logic, Shape};
use cluedo::bots::describe::{count, describe_view};
use cluedo::knowledge::chances::{Chances, Uncounted};
use cluedo::knowledge::count::{Problem, Weighing};
use cluedo::knowledge::logic::{Deductions, Rules};
use cluedo::knowledge::view::View;
use cluedo::line::deal::PLAYERS;
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
    let wrong = |error: io::Error| Exit::usage(format!("{}: {error}", args.file.display()));
    let text = if args.file == Path::new("-") {
        read_text(io::stdin().lock(), MAX_TEXT_LEN)
    } else {
        read_file(&args.file, MAX_TEXT_LEN)
    };
    let text = text.map_err(wrong)?;
    let seat = follow(&text).map_err(|reason| Exit::usage(format!("{}: {reason}", args.file.display())))?;
    if args.json {
        writeln!(out, "{}", result(&seat).map_err(uncounted)?)?;
    } else {
        let view = View::new(&seat.facts);
        let (counted, why) = count(&seat, &view).map_or_else(|why| (None, Some(why)), |counted| (Some(counted), None));
        write!(out, "{}", describe_view(&seat, &View { counted, ..view }))?;
        why.map_or(Ok(()), |why| Err(uncounted(why)))?;
        write_counts(&seat, out)?;
    }
    Ok(Exit::Success)
}

/// Numbers of deals, all weighed alike.
struct Counts {
    total: u128,
    /// For each seat and then the secret, of each card.
    places: Vec<Vec<u128>>,
    triples: Vec<([usize; 3], u128)>,
}

impl Counts {
    /// Nothing if there are too many deals, or none.
    fn of(seat: &Seat) -> Option<Self> {
        let (shape, rules) = Shape::of(&seat.facts);
        let mut logic = Logic::new(&shape, &rules);
        logic.run().ok()?;
        let deals = Deals::new(&logic).ok().filter(|deals| deals.total() > 0)?;
        Some(Self { total: deals.total(), places: deals.places(), triples: Deals::solutions(&logic).ok()? })
    }
}

/// Prints in how many deals each card is where, and the likeliest secrets.
fn write_counts(seat: &Seat, out: &mut impl Write) -> Result<(), Exit> {
    let Some(counts) = Counts::of(seat) else { return Ok(()) };
    writeln!(out, "of {} deals, in how many each seat has a card, then in how many it is secret:", counts.total)?;
    let width = counts.total.to_string().len();
    for card in 0..seat.facts.deck.len() {
        write!(out, "{card:3} |")?;
        for place in &counts.places {
            write!(out, " {:>width$}", place[card])?;
        }
        writeln!(out)?;
    }
    for ([a, b, c], count) in counts.triples.iter().take(5) {
        writeln!(out, "secret {a} {b} {c}: {count} of {} deals", counts.total)?;
    }
    Ok(())
}

/// Numbers of deals as decimal strings: they may be larger than other programs' numbers.
fn counts(seat: &Seat) -> Option<Value> {
    let counts = Counts::of(seat)?;
    let texts = |counts: &Vec<u128>| counts.iter().map(u128::to_string).collect::<Vec<_>>();
    let (secret, hands) = counts.places.split_last()?;
    let triples: Vec<Value> = counts.triples.iter().map(|(cards, count)| json!([cards, count.to_string()])).collect();
    let hands: Vec<Vec<String>> = hands.iter().map(texts).collect();
    Some(json!({ "total": counts.total.to_string(), "secret": texts(secret), "hands": hands, "triples": triples }))
}

fn uncounted(why: Uncounted) -> Exit {
    match why {
        Uncounted::NoDeal => Exit::usage(format!("the lines contradict each other: {why}")),
        Uncounted::TooMany => Exit::Failure(format!("{why}: only what follows by rules can be told, without --json")),
    }
}

/// Follows the lines of a seat; says which one makes no sense.
fn follow(text: &str) -> Result<Seat, String> {
    let mut seat: Option<Seat> = None;
    let lines = text.split(['\n', ';']).map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    for (place, line) in lines {
        let (place, text) = (place + 1, line);
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
            (Some(Line::Hand(hand)), Some(seat)) if !seat.facts.deck.all().contains_all(hand) || hand.len() != 3 => {
                return Err(format!("line {place}: {line:?} is not a hand of {} players", seat.players()));
            }
            (Some(line), Some(seat)) => {
                let unknown_lines = seat.unknown_lines;
                seat.hear(line);
                if seat.unknown_lines > unknown_lines {
                    return Err(format!("line {place}: {text:?} makes no sense after the lines before it"));
                }
            }
            _ => return Err(format!("line {place}: {line:?} is not a line of a server after \"B seat players\"")),
        }
    }
    seat.filter(|seat| seat.game > 0).ok_or_else(|| "there is no hand: a line as C 0 4 8 is missing".to_owned())
}

fn result(seat: &Seat) -> Result<Value, Uncounted> {
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
    hands[seat.me()] = (0..facts.deck.len()).map(own).collect();
    let triples: Vec<Value> =
        shown.triples().ok_or(Uncounted::TooMany)?.iter().map(|(cards, chance)| json!([cards, chance])).collect();
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
        "secret": marginals.secret,
        "hands": hands,
        "triples": triples,
        "counts": counts(seat),
    }))
}
