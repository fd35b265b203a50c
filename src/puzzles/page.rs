use amazons_formats::{BOARD_JS, Page};
use serde_json::{Value, json};

use crate::puzzles::{Puzzle, Refutation};

const SCRIPT: &str = include_str!("assets/puzzles.js");
const STYLE: &str = include_str!("assets/puzzles.css");

const MAIN: &str = "<div id=\"puzzles-here\"></div>\n<noscript><p>The board needs JavaScript.</p></noscript>\n";

/// Returns a page to try puzzles, one file that needs no server: wrong moves are answered on the board.
pub fn page(puzzles: &[Puzzle]) -> String {
    let data: Value = puzzles.iter().map(data).collect();
    let script = format!("{BOARD_JS}{SCRIPT}");
    let title = format!("Amazons: {} puzzles, each with one move that wins", puzzles.len());
    let data = ("amazons-puzzles", &data);
    Page { title: &title, main: MAIN, data, elements: "", style: STYLE, script: &script }.html()
}

fn data(puzzle: &Puzzle) -> Value {
    let board = puzzle.position.board();
    let text = |mv| board.move_text(mv);
    let reply = |wrong: &Refutation| (text(wrong.mv), json!([text(wrong.reply), wrong.proof_positions]));
    let replies: serde_json::Map<String, Value> = puzzle.wrong.iter().map(reply).collect();
    json!({
        "board": { "columns": board.columns(), "rows": board.rows(), "holes": board.holes().collect::<Vec<_>>() },
        "position": puzzle.position.to_string(),
        "answer": text(puzzle.answer),
        "lure": text(puzzle.lure),
        "positions": puzzle.proof_positions,
        "visits": puzzle.visits,
        "players": puzzle.source.players,
        "ply": puzzle.source.ply,
        "played": puzzle.source.played.map(text),
        "wrong": replies,
    })
}
