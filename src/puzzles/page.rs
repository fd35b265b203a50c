use std::collections::BTreeMap;

use amazons_formats::{BOARD_JS, Page};
use amazons_rules::Vertex;
use serde::Serialize;
use ts_rs::TS;

use crate::puzzles::{Puzzle, Refutation, Source};

const SCRIPT: &str = include_str!("assets/puzzles.js");
const STYLE: &str = include_str!("assets/puzzles.css");

const MAIN: &str = "<div id=\"puzzles-here\"></div>\n<noscript><p>The board needs JavaScript.</p></noscript>\n";

/// Returns a page to try puzzles, one file that needs no server: wrong moves are answered on the board.
pub fn page(puzzles: &[Puzzle]) -> String {
    let puzzles: Vec<_> = puzzles.iter().map(PuzzleView::new).collect();
    let script = format!("{BOARD_JS}{SCRIPT}");
    let title = format!("Amazons: {} puzzles, each with one move that wins", puzzles.len());
    let data = ("amazons-puzzles", &*serde_json::to_string(&puzzles).unwrap_or_default());
    Page { title: &title, main: MAIN, data, elements: "", style: STYLE, script: &script }.html()
}

/// A puzzle on the page.
#[derive(Debug, Serialize, TS)]
pub(crate) struct PuzzleView<'a> {
    board: PuzzleBoard,
    position: String,
    answer: String,
    lure: String,
    /// Those of the proof.
    positions: usize,
    visits: Option<u64>,
    players: &'a [Option<String>; 2],
    ply: usize,
    played: Option<String>,
    /// The reply to each other move, and the positions of its proof.
    wrong: BTreeMap<String, (String, usize)>,
}

#[derive(Debug, Serialize, TS)]
struct PuzzleBoard {
    columns: u32,
    rows: u32,
    holes: Vec<Vertex>,
}

impl<'a> PuzzleView<'a> {
    fn new(puzzle: &'a Puzzle) -> Self {
        let board = puzzle.position.board();
        let text = |mv| board.move_text(mv);
        let reply = |wrong: &Refutation| (text(wrong.mv), (text(wrong.reply), wrong.proof_positions));
        let Source { players, ply, played, .. } = &puzzle.source;
        let (ply, played) = (*ply, played.map(text));
        let [answer, lure] = [puzzle.answer, puzzle.lure].map(text);
        let (positions, visits) = (puzzle.proof_positions, puzzle.visits);
        let (position, wrong) = (puzzle.position.to_string(), puzzle.wrong.iter().map(reply).collect());
        let board = PuzzleBoard { columns: board.columns(), rows: board.rows(), holes: board.holes().collect() };
        Self { board, position, answer, lure, positions, visits, players, ply, played, wrong }
    }
}
