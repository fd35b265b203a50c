use std::fmt::Write as _;

use amazons_formats::{Mark, MoveNote};
use amazons_rules::{Color, Move, Nearer, Position, Territory};

use crate::analysis::{Annotator, Candidate, Certain, Judgement};
use crate::referee::SideEvent;
use crate::terminal::draw_marks;
use crate::text::visible;

/// Maximum number of moves of a line to show.
const LINE_MAX: usize = 8;

/// Describes the evaluation of a position: the map, the best moves, the effort.
pub fn position_text(position: &Position, judgement: &Judgement) -> String {
    let territory = Territory::new(position);
    let mut text = draw_marks(position, |vertex| territory.mark(vertex));
    // Writing to a string cannot fail.
    let mut line = |words: String| {
        let _ = writeln!(text, "{words}");
    };
    line(legend(&territory));
    let side = position.side_to_move();
    line(format!("{position}"));
    if judgement.candidates.is_empty() {
        line(format!("{side} cannot move: {} has won", side.opposite()));
        return text;
    }
    line(format!("{side} to move: {}", chances(side, judgement.win, judgement.certain)));
    for (number, candidate) in (1..).zip(&judgement.candidates) {
        line(candidate_text(position, judgement, number, candidate));
    }
    line(cost(judgement));
    text
}

/// Smaller losses are not shown.
const SHOWN_LOSS: f32 = 0.0005;

/// Explains the marks and counts them.
fn legend(territory: &Territory) -> String {
    let kinds = [
        (Nearer::Color(Color::Black), "nearer to black"),
        (Nearer::Color(Color::White), "to white"),
        (Nearer::Both, "equally near"),
        (Nearer::Nobody, "in nobody's reach"),
    ];
    let kind = |(nearer, words): (Nearer, _)| format!("{} {words} {}", nearer.mark(), territory.count(nearer));
    format!("{}, in queen moves", kinds.map(kind).join(", "))
}

/// Returns the winning probability, or the proven result, of the side that moves.
fn chances(side: Color, win: f32, certain: Option<Certain>) -> String {
    match certain {
        Some(Certain { moves: Some(1), .. }) => "wins in 1 move".to_owned(),
        Some(Certain { winner, .. }) => format!("proven {}", if winner == side { "win" } else { "loss" }),
        // A round number would look proven.
        None if win >= 0.9995 => "> 99.9 %".to_owned(),
        None if win < 0.0005 => "< 0.1 %".to_owned(),
        None => format!("{:.1} %", 100.0 * win),
    }
}

fn candidate_text(position: &Position, judgement: &Judgement, number: u32, candidate: &Candidate) -> String {
    let value = chances(position.side_to_move(), candidate.win, candidate.certain);
    let share = 100.0 * share(candidate, judgement);
    let moves: Vec<String> = candidate.moves.iter().take(LINE_MAX).map(|&mv| position.board().move_text(mv)).collect();
    let more = if candidate.moves.len() > LINE_MAX { " ..." } else { "" };
    format!("{number:>3}. {value:<15} {share:>5.1} % of visits  {}{more}", moves.join(" "))
}

/// Returns a candidate's share of all visits, 0 to 1.
pub(super) fn share(candidate: &Candidate, judgement: &Judgement) -> f64 {
    candidate.visits as f64 / judgement.nodes.max(candidate.visits).max(1) as f64
}

fn cost(judgement: &Judgement) -> String {
    let Judgement { nodes, depth, time, .. } = *judgement;
    let seconds = time.as_secs_f64();
    format!("{nodes} nodes, {seconds:.3} s, {:.0} nodes/s, depth {depth} half-moves", speed(nodes, seconds))
}

pub(super) fn speed(nodes: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 }
}

/// Describes a move of a game in a line, and what it changed in another.
pub fn ply_text(ply: u32, position: &Position, played: Move, note: &MoveNote) -> String {
    let side = position.side_to_move();
    let (color, played) = (side.to_string(), position.board().move_text(played));
    let mark = note.mark.map_or_else(String::new, |mark| mark.to_string());
    let certain = |winner: Option<Color>| winner.map(|winner| Certain { winner, moves: None });
    let before = chances(side, note.win, certain(note.proven));
    let mut text = format!("{ply:>3}. {color:<5} {:<15} {before:>16}", format!("{played} {mark}"));
    let best = note.lines.first().and_then(|line| line.moves.first());
    if let Some(better) = best.filter(|&best| *best != played) {
        let _ = write!(text, "   {:<12}", visible(better));
    }
    if note.loss >= SHOWN_LOSS {
        let _ = write!(text, " -{:.1}", 100.0 * note.loss);
    }
    if note.proven == Some(side) && note.proven_after == Some(side.opposite()) {
        text.push_str(", a proven win thrown away");
    }
    text.truncate(text.trim_end().len());
    for fact in &note.facts {
        let _ = write!(text, "\n     {}", visible(fact));
    }
    text
}

/// Sums up a game; `players` are Black and White.
pub fn summary_text(annotator: &Annotator<'_>, players: &[String; 2]) -> String {
    let side = annotator.position.side_to_move();
    let last = &annotator.judgement;
    let last = if last.candidates.is_empty() {
        format!("{side} cannot move")
    } else {
        format!("{side} to move: {}", chances(side, last.win, last.certain))
    };
    let mut text = format!("at the end: {last}\n");
    for (player, side) in players.iter().zip(&annotator.review().sides) {
        let SideEvent { color, moves, accuracy: Some(accuracy), mean_loss: Some(mean), .. } = side else { continue };
        let marks = [(side.dubious, Mark::Dubious), (side.mistakes, Mark::Mistake), (side.blunders, Mark::Blunder)];
        let marks = marks.map(|(count, mark)| format!("{count} {mark}")).join(", ");
        let mean = 100.0 * mean;
        let _ = writeln!(
            text,
            "{color}, {player}: {moves} moves, accuracy {accuracy:.1} %, mean loss {mean:.1} points, {marks}"
        );
    }
    text
}
