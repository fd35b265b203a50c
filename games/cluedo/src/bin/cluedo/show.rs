//! `cluedo show`: what a seat had seen at a moment of a recorded game.

use std::borrow::Cow;
use std::io::Write;
use std::path::PathBuf;

use amazons_program::Exit;
use clap::Args;
use cluedo::card_names::CardNames;
use cluedo::knowledge::view::View;
use cluedo::record::{Act, Ending, Rules, Stories, Story, Turn, Viewer};

use crate::input_file;
use crate::values::viewer;

/// Maximum number of games of a file to search.
const GAMES_MAX: usize = 1_000_000;

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// A record of `cluedo play --record` or `cluedo serve --record`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The viewer: the number of a seat, spectator, or all
    #[arg(long, value_name = "SEAT", default_value = "spectator", value_parser = viewer)]
    view: Viewer,
    /// After how many turns [default: all]
    #[arg(long, value_name = "K")]
    ply: Option<usize>,
    /// The table [default: that of the first game]
    #[arg(long)]
    table: Option<u64>,
    /// The game at this table [default: the first]
    #[arg(long)]
    game: Option<u64>,
}

pub(crate) fn run(args: &ShowArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let file = args.file.display();
    let story = find(args)?;
    if let Viewer::Seat(seat) = args.view
        && seat >= story.players()
    {
        return Err(Exit::usage(format!("--view {seat}: the seats of this game are 0 to {}", story.players() - 1)));
    }
    if !story.shows(args.view) {
        let why = "the record does not tell who had which card, as the game is not over: only --view spectator";
        return Err(Exit::usage(format!("{file}: {why}")));
    }
    let turns = story.turns.len();
    let ply = args.ply.unwrap_or(turns);
    if ply > turns {
        return Err(Exit::usage(format!("--ply {ply}: this game has {turns} turns")));
    }
    let who = match args.view {
        Viewer::Spectator => "a spectator".to_owned(),
        Viewer::Seat(seat) => format!("seat {seat} ({})", story.seats[seat]),
        Viewer::All => "everything".to_owned(),
    };
    writeln!(out, "game {} of table {}, turn {ply} of {turns}: {who}", story.game, story.table)?;
    for (seat, hand) in story.hands.iter().enumerate() {
        if args.view == Viewer::All || args.view == Viewer::Seat(seat) {
            writeln!(out, "hand of {}: {}", story.seats[seat], card_list(&story, hand.unwrap_or_default().iter()))?;
        }
    }
    for (turn, number) in story.turns.iter().zip(1..=ply) {
        writeln!(out, "{number:4}  {}", turn_text(&story, args.view, turn))?;
    }
    if ply == turns
        && let Some(ending) = story.ending
    {
        writeln!(out, "      {}", ending_text(&story, ending))?;
    }
    if let Some(view) = story.view(args.view, ply) {
        write!(out, "{}", grid(&story, &view))?;
    }
    Ok(Exit::Success)
}

/// Reads the game that is wanted, and not much more.
fn find(args: &ShowArgs) -> Result<Story, Exit> {
    let file = args.file.display();
    let mut stories = Stories::default();
    let mut wrong = None;
    let is_wanted = |story: &Story| {
        args.table.is_none_or(|table| table == story.table) && args.game.is_none_or(|game| game == story.game)
    };
    for (line, number) in input_file::open_record(&args.file)?.zip(1..) {
        if let Err(what) = line.and_then(|line| Ok(stories.line(&line)?)) {
            wrong = Some(format!("{file}:{number}: {what}"));
            break;
        }
        if stories.games.len() > GAMES_MAX
            || stories.games.iter().any(|story| is_wanted(story) && story.ending.is_some())
        {
            break;
        }
        if stories.games.last().is_some_and(|story| story.ending.is_some()) {
            stories.forget(|story| !is_wanted(story));
        }
    }
    let found = stories.games.into_iter().find(is_wanted);
    if let (Some(_), Some(wrong)) = (&found, &wrong) {
        eprintln!("cluedo: {wrong}; this is what comes before");
    }
    let missing = || format!("{file}: there is no such game in this record");
    found.ok_or_else(|| Exit::Usage(wrong.unwrap_or_else(missing)))
}

pub(crate) fn card_name(story: &Story, card: usize) -> String {
    match story.rules {
        Rules::Classic => CardNames::classic().name(card).to_owned(),
        Rules::Course => card.to_string(),
    }
}

/// Returns the names of a game's cards.
pub(crate) fn names(story: &Story) -> Cow<'static, CardNames> {
    let course = CardNames::course(story.players()).filter(|_| story.rules == Rules::Course);
    course.map_or(Cow::Borrowed(CardNames::classic()), Cow::Owned)
}

pub(crate) fn card_list(story: &Story, cards: impl Iterator<Item = usize>) -> String {
    let separator = if story.rules == Rules::Classic { ", " } else { " " };
    cards.map(|card| card_name(story, card)).collect::<Vec<_>>().join(separator)
}

fn turn_text(story: &Story, viewer: Viewer, turn: &Turn) -> String {
    let name = |seat: usize| &story.seats[seat];
    let who = name(turn.seat);
    match &turn.act {
        Act::Suggestion { cards, passed, shown } => {
            let mut text = format!("{who} suggests {}", card_list(story, cards.iter().copied()));
            let passes: Vec<&str> = passed.iter().map(|&seat| name(seat).as_str()).collect();
            if !passes.is_empty() {
                text += &format!("; {} cannot refute", passes.join(", "));
            }
            match *shown {
                Some(answered) => match story.seen(viewer, turn.seat, answered) {
                    Some(card) => text += &format!("; {} shows {}", name(answered.seat), card_name(story, card)),
                    None => text += &format!("; {} shows a card", name(answered.seat)),
                },
                None if passed.len() + 1 >= story.players() => text += "; nobody shows a card",
                None => {}
            }
            text
        }
        Act::Accusation { .. } => match story.accused(viewer, turn) {
            None => format!("{who} accuses"),
            Some((cards, is_right)) => {
                let verdict = if is_right { "right" } else { "wrong" };
                format!("{who} accuses: {}, which is {verdict}", card_list(story, cards.into_iter()))
            }
        },
        Act::Fault(code) => format!("{who} makes error {code}"),
        Act::Leave => format!("{who}: left the game"),
    }
}

pub(crate) fn ending_text(story: &Story, ending: Ending) -> String {
    match (ending, story.rules) {
        (Ending::Won(0), Rules::Classic) => "You win.".to_owned(),
        (Ending::Won(seat), _) => format!("{} wins.", story.seats[seat]),
        (Ending::Nobody, _) => "Nobody wins.".to_owned(),
        (Ending::Error(code), _) => format!("Error {code}: the game is void."),
    }
}

/// Returns the grid, and the likeliest secrets.
fn grid(story: &Story, view: &View) -> String {
    let places: Vec<String> = (0..story.players()).map(|seat| seat.to_string()).chain(["secret".to_owned()]).collect();
    let names = names(story);
    let mut text = view.text(&places, |card| names.name(card).to_owned());
    for (cards, chance) in view.counted.iter().flat_map(|counted| &counted.triples) {
        text += &format!("secret {}: {:.1} %\n", card_list(story, cards.iter().copied()), 100.0 * chance);
    }
    text
}
