use std::io::{self, Write};

use amazons_formats::{Game, GameOutcome, PlayedMove};
use amazons_rules::{Color, Nearer, Territory};
use anyhow::Context;

use crate::cli::ShowArgs;
use crate::command::Exit;
use crate::command::games::{cut, read};
use crate::terminal::{draw_board, draw_marks};
use crate::text::visible;

/// Shows a game at one moment.
pub(super) fn run(args: &ShowArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let source = read(&args.file, args.from.as_deref(), args.game)?;
    let moves = source.game.moves().len();
    let game = cut(source.game, &source.name, args.ply)?;
    tell(&game, moves, args, out).context("cannot write the game")?;
    Ok(Exit::Success)
}

fn tell(game: &Game, moves: usize, args: &ShowArgs, out: &mut impl Write) -> io::Result<()> {
    headers(game, out)?;
    let position = game.position();
    let last = game.moves().last();
    match last {
        Some(played) => told_move(game, moves, played, out)?,
        None => writeln!(out, "before the first of {moves} moves, {} to move", position.side_to_move())?,
    }
    if args.territory {
        let territory = Territory::new(position);
        out.write_all(draw_marks(position, |vertex| territory.mark(vertex)).as_bytes())?;
        let count = |nearer| territory.count(nearer);
        writeln!(
            out,
            "territory: black {}, white {}, equal {}, nobody's {}",
            count(Nearer::Color(Color::Black)),
            count(Nearer::Color(Color::White)),
            count(Nearer::Both),
            count(Nearer::Nobody)
        )?;
    } else {
        out.write_all(draw_board(position, last.map(|played| played.mv), args.color.palette()).as_bytes())?;
    }
    match &game.outcome {
        Some(outcome) => writeln!(out, "{}", result(outcome)),
        None if game.moves().len() < moves => Ok(()),
        None => writeln!(out, "the result is not known"),
    }
}

fn headers(game: &Game, out: &mut impl Write) -> io::Result<()> {
    let board = game.board();
    let shape = board.shape().map_or("rectangle", |shape| shape.name());
    writeln!(out, "board: {shape} {} x {}, {} vertices", board.columns(), board.rows(), board.vertex_count())?;
    for color in Color::ALL {
        let first = if color == game.start().side_to_move() { ", moves first" } else { "" };
        writeln!(out, "{color}: {}{first}", name(game, color))?;
    }
    let details = &game.details;
    let told = [
        ("event", &details.event),
        ("site", &details.site),
        ("date", &details.date),
        ("round", &details.round),
        ("time", &details.time_control),
        ("comments by", &details.annotator),
    ];
    for (what, value) in told {
        if let Some(value) = value {
            writeln!(out, "{what}: {}", visible(value))?;
        }
    }
    Ok(())
}

fn name(game: &Game, color: Color) -> String {
    visible(game.name(color).unwrap_or("nameless"))
}

/// Writes the last move with its clock: seconds, as far as they are known.
fn told_move(game: &Game, moves: usize, played: &PlayedMove, out: &mut impl Write) -> io::Result<()> {
    let ply = game.moves().len();
    let mover = game.position().side_to_move().opposite();
    let mut told = Vec::new();
    told.extend(played.time.map(|time| format!("{:.3} s", time.as_secs_f64())));
    told.extend(played.left.map(|left| format!("{:.3} s left", left.as_secs_f64())));
    told.extend(played.value.map(|value| format!("value {value:+.2}")));
    let numbers = if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) };
    let text = game.board().move_text(played.mv);
    writeln!(out, "move {ply} of {moves}, {mover} ({}): {text}{numbers}", name(game, mover))?;
    match &played.comment {
        Some(comment) => writeln!(out, "  {}", visible(comment)),
        None => Ok(()),
    }
}

fn result(outcome: &GameOutcome) -> String {
    let won = match (outcome.winner, outcome.ending) {
        (Some(winner), _) => format!("{winner} wins"),
        (None, Some(_)) => "nobody wins".to_owned(),
        (None, None) => "the result is not known".to_owned(),
    };
    let ending = outcome.ending.map_or_else(String::new, |ending| format!(": {ending}"));
    let detail = outcome.detail.as_deref().map_or_else(String::new, |detail| format!(" ({})", visible(detail)));
    format!("{won}{ending}{detail}")
}
