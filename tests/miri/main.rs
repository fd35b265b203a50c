//! Code that handles memory, under the interpreter Miri, which finds what is undefined: `make miri`.
//!
//! The same tests run natively as part of `alltests`, with larger boards.

#![expect(clippy::cast_sign_loss, reason = "the numbers of tests are small, and a wrong one fails")]

#[path = "../player/raw_graph.rs"]
mod raw_graph;
#[path = "../player/reader.rs"]
mod reader;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use amazons_engine::{AnyGame, EvalTable, Game, Isa};
use amazons_memory::{Lines, prefetch};
use amazons_rules::{MoveList, Position};

#[test]
fn threads_share_lines() {
    let lines = Lines::zeroed(4).expect("there is room");
    thread::scope(|scope| {
        for word in 0..3 {
            let lines = &lines;
            scope.spawn(move || lines.iter().for_each(|line| _ = line.0[word].fetch_add(1, Ordering::Relaxed)));
        }
    });
    prefetch(&lines[3]);
    assert_eq!(lines.iter().flat_map(|line| &line.0).map(|word| word.load(Ordering::Relaxed)).sum::<u64>(), 12);
    assert_eq!(Lines::zeroed(0).expect("no lines are a table, too").len(), 0);
}

#[test]
fn portable_states_are_played_and_judged() {
    let position = Position::parse("q3*/*****/***1Q b").expect("a position");
    let (board, table) = (Arc::clone(position.board()), Arc::new(EvalTable::standard()));
    let AnyGame::Small(game) = AnyGame::new(board, table, Isa::PORTABLE) else { panic!("a small board") };
    let mut state = game.state(&position);
    assert_eq!(game.evaluate(&state).decided(), Some([3, 1]));
    let (before, mut moves) = (state, MoveList::new());
    position.legal_moves(&mut moves);
    for &mv in moves.iter() {
        let [step, shot] = game.halves(mv);
        game.play(&mut state, step);
        game.play(&mut state, shot);
        let mut next = position.clone();
        next.play_unchecked(mv);
        let anew = game.state(&next);
        assert_eq!((game.key(&state), game.features(&state)), (game.key(&anew), game.features(&anew)), "{mv:?}");
        game.undo(&mut state, shot);
        game.undo(&mut state, step);
        assert_eq!(state, before);
    }
}
