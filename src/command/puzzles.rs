use std::io::Write;

use amazons_program::files::write_whole;
use amazons_program::{Interrupt, TextTable};
use anyhow::Context;
use serde::Serialize;

use crate::cli::PuzzlesArgs;
use crate::command::Exit;
use crate::command::games::read_games;
use crate::complain;
use crate::puzzles::{Finder, Puzzle, page};

/// A puzzle as JSON.
#[derive(Serialize)]
struct PuzzleLine<'a> {
    position: String,
    /// The side to move, `black` or `white`.
    color: String,
    #[serde(rename = "move")]
    answer: String,
    lure: String,
    played: Option<String>,
    visits: Option<u64>,
    legal_moves: usize,
    proof_positions: usize,
    all_positions: usize,
    file: &'a str,
    game: usize,
    ply: usize,
    black: Option<&'a str>,
    white: Option<&'a str>,
}

/// Finds puzzles in games, and lists them from the easiest on.
pub(super) fn run(args: &PuzzlesArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::catch_all().context("cannot catch signals")?;
    let go_on = || interrupt.count() == 0;
    let finder = Finder { nodes: args.nodes, visits: args.visits, interrupt: &interrupt };
    let (mut puzzles, mut games, mut positions) = (Vec::<Puzzle>::new(), 0, 0);
    'files: for path in &args.records {
        let (name, in_file) = read_games(path)?;
        for (number, game) in (1..).zip(&in_file) {
            let (puzzle, solved) = finder.hardest(game, &name, number);
            (games, positions) = (games + 1, positions + solved);
            let is_new = |puzzle: &Puzzle| puzzles.iter().all(|known| known.placement() != puzzle.placement());
            puzzles.extend(puzzle.filter(is_new));
            if puzzles.len() >= args.count as usize || !go_on() {
                break 'files;
            }
        }
    }
    puzzles.sort_by_key(Puzzle::difficulty);
    let searched = format!("{positions} positions of {games} games solved");
    if !go_on() {
        complain(&format!("interrupted: {searched}, {} puzzles found so far", puzzles.len()));
    }
    if !puzzles.is_empty() {
        let text = if args.json { json(&puzzles)? } else { format!("{}{searched}\n", table(&puzzles, args.visits)) };
        out.write_all(text.as_bytes()).context("cannot write the puzzles")?;
        if let Some(path) = &args.html {
            let written = write_whole(path, page(&puzzles).as_bytes());
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(if !go_on() {
        Exit::Stopped
    } else if puzzles.is_empty() {
        Exit::Refuted(format!("no puzzles found: {searched}"))
    } else {
        Exit::Success
    })
}

fn json(puzzles: &[Puzzle]) -> serde_json::Result<String> {
    let line = |puzzle: &Puzzle| {
        let Puzzle { source, position, .. } = puzzle;
        let text = |mv| position.board().move_text(mv);
        let [black, white] = source.players.each_ref().map(Option::as_deref);
        let line = PuzzleLine {
            position: position.to_string(),
            color: position.side_to_move().to_string(),
            answer: text(puzzle.answer),
            lure: text(puzzle.lure),
            played: source.played.map(text),
            visits: puzzle.visits,
            legal_moves: 1 + puzzle.wrong.len(),
            proof_positions: puzzle.proof_positions,
            all_positions: puzzle.all_positions(),
            file: &source.file,
            game: source.game,
            ply: source.ply,
            black,
            white,
        };
        serde_json::to_string(&line).map(|line| line + "\n")
    };
    puzzles.iter().map(line).collect()
}

fn table(puzzles: &[Puzzle], limit: u64) -> String {
    let head = ["file", "game", "ply", "to move", "wins", "looks best", "moves", "proofs", "visits"];
    let mut table = TextTable::of_names(head);
    for puzzle in puzzles {
        let Puzzle { source, position, .. } = puzzle;
        let text = |mv| position.board().move_text(mv);
        table.row([
            source.file.clone(),
            source.game.to_string(),
            source.ply.to_string(),
            position.side_to_move().to_string(),
            text(puzzle.answer),
            text(puzzle.lure),
            (1 + puzzle.wrong.len()).to_string(),
            puzzle.all_positions().to_string(),
            puzzle.visits.map_or_else(|| format!("> {limit}"), |visits| visits.to_string()),
        ]);
    }
    table.to_text()
}
