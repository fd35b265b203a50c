use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::thread;

use amazons_rules::{Board, Color, Move, Position, Shape};
use amazons_solve::{Limit, NodeId, ProofTree, Prospect, Solution, SolveLimits, Solver, solve, verify_proof};

use super::slow;

pub(super) const SMALL: SolveLimits = SolveLimits {
    nodes: u64::MAX,
    table_bytes: 1 << 22,
    proof_positions: 100_000,
    threads: NonZeroU32::MIN,
    valued_from: 14,
};

pub(super) fn solved(position: &Position) -> Solution {
    solve(position, &SMALL, &mut || true).expect("a small board")
}

pub(super) fn winner(position: &Position) -> Color {
    solved(position).winner.expect("there is no limit")
}

/// Checks a solution against minimax, and its move by the reply.
fn assert_solved(position: &Position, seed: u64) {
    let solution = solved(position);
    let wins = slow::wins(position);
    assert_eq!(solution.winner == Some(position.side_to_move()), wins, "seed {seed} {position}");
    assert_eq!(solution.winning_move.is_some(), wins, "seed {seed} {position}");
    assert!(solution.proof_positions.is_some(), "seed {seed} {position}");
    if let Some(mv) = solution.winning_move {
        let mut next = position.clone();
        next.try_play(mv).expect("a legal move");
        assert!(!slow::wins(&next), "seed {seed} {position}: {}", position.board().move_text(mv));
    }
}

#[test]
fn small_positions_are_solved_as_by_minimax() {
    for (at, board) in slow::boards().into_iter().enumerate() {
        for seed in 0..200 {
            let queens = [1 + (seed % 3) as usize, 1 + (seed / 3 % 3) as usize];
            assert_solved(&slow::scattered(&board, queens, 3 + (seed % 4) as usize, seed), seed);
        }
        for seed in 1000..1020 {
            assert_solved(&slow::scattered(&board, [1, 1], 7, seed + at as u64), seed);
        }
    }
}

#[test]
fn a_table_that_is_too_small_changes_no_winner() {
    let board = &slow::boards()[0];
    for seed in 0..40 {
        let position = slow::scattered(board, [2, 2], 10, seed);
        let tiny = SolveLimits { table_bytes: 1, ..SMALL };
        let found = solve(&position, &tiny, &mut || true).expect("a small board");
        assert_eq!(found.winner, Some(winner(&position)), "seed {seed} {position}");
    }
}

#[test]
fn threads_share_what_they_find() {
    let board = &slow::boards()[0];
    for seed in 0..60 {
        let position = slow::scattered(board, [2, 2], 10, seed);
        let solver = Solver::new(&position, &SMALL).expect("a small board");
        let solve = || solver.solve(&position, u64::MAX, &mut || true);
        let [one, other] =
            thread::scope(|scope| [(); 2].map(|()| scope.spawn(solve)).map(|run| run.join().expect("no panic")));
        assert_eq!((one.winner, other.winner), (Some(winner(&position)), one.winner), "seed {seed} {position}");
        for mv in [one, other].into_iter().filter_map(|found| found.winning_move) {
            let mut next = position.clone();
            next.try_play(mv).expect("a legal move");
            assert_eq!(one.winner, Some(winner(&next)), "seed {seed} {position}");
        }
    }
}

#[test]
fn limits_end_a_search() {
    let position = Position::parse("1qq1/4/4/1QQ1 w").expect("a position");
    let few = solve(&position, &SolveLimits { nodes: 300, ..SMALL }, &mut || true).expect("a small board");
    assert_eq!((few.winner, few.limit, few.nodes), (None, Some(Limit::Nodes), 300));
    let stopped = solve(&position, &SMALL, &mut || false).expect("a small board");
    assert_eq!((stopped.winner, stopped.limit), (None, Some(Limit::Time)));
}

/// The jobs of a tree are single positions or a few, up to four at a time: the tree finds the winners and proves them.
#[test]
fn a_tree_of_jobs_finds_the_winners() {
    let mut met = 0;
    for (at, board) in slow::boards().iter().enumerate() {
        for seed in 0..12 {
            let position = slow::scattered(board, [1 + at % 2, 2], 7, seed);
            let solver = Solver::new(&position, &SMALL).expect("a small board");
            let (mut tree, mut jobs, mut under_way) = (ProofTree::new(&position), 0, VecDeque::new());
            let note = |tree: &ProofTree, solved: Vec<(NodeId, Color)>| {
                for (node, winner) in solved {
                    assert!(tree.is_moot(node));
                    solver.keep(&tree.position(node), winner, 1);
                }
            };
            while tree.winner().is_none() {
                while under_way.len() <= 3 * (seed as usize % 2)
                    && let Some(leaf) = tree.take_leaf()
                {
                    match solver.situation(&tree.position(leaf)).map(|situation| tree.meet(leaf, situation)) {
                        Ok(None) => under_way.push_back(leaf),
                        Ok(Some(solved)) => {
                            met += 1;
                            note(&tree, solved);
                        }
                        Err(winner) => {
                            let solved = tree.settle(leaf, winner, None);
                            note(&tree, solved);
                        }
                    }
                }
                let Some(leaf) = under_way.pop_front() else { continue };
                if tree.is_moot(leaf) {
                    continue;
                }
                jobs += 1;
                let at = tree.position(leaf);
                let found = solver.solve(&at, seed % 3, &mut || true);
                let solved = match found.winner {
                    Some(winner) => tree.settle(leaf, winner, found.winning_move),
                    None => {
                        let prospect = |mv: Move| Prospect { mv, chance: f64::from(mv.to % 7) / 7.0, answers: mv.to };
                        tree.expand(leaf, &solver.open_moves(&at).into_iter().map(prospect).collect::<Vec<_>>())
                    }
                };
                note(&tree, solved);
            }
            let expected = winner(&position);
            assert_eq!(tree.winner(), Some(expected), "seed {seed} {position} after {jobs} jobs");
            let (moves, _) = solver.proof(&position, (expected, u64::MAX), &mut || true).expect("no limit");
            assert!(verify_proof(&position, expected, &mut moves.iter()).is_ok(), "seed {seed} {position}");
        }
    }
    assert!(met > 100, "situations that were met again: {met}");
}

#[test]
fn known_results_are_found() {
    for (text, wins) in [
        // Small boards whose winners are known from other solvers.
        ("1q1q1/q3q/Q3Q/1Q1Q1 w", true),
        ("1q1q1/q3q/Q3Q/1Q1Q1 b", true),
        ("1qq1/q2q/Q2Q/1QQ1 w", false),
        ("1qq1/q2q/Q2Q/1QQ1 b", false),
    ] {
        let position = Position::parse(text).expect("a position");
        assert_eq!(winner(&position) == position.side_to_move(), wins, "{text}");
    }
    // Rotating a board does not change the winner.
    let columns = Position::parse("1qQ1/q2Q/4/q2Q/1qQ1 b").expect("a position");
    assert_eq!(winner(&columns), Color::Black);
}

#[test]
fn starts_of_the_shapes_repeat_their_node_counts() {
    // Positions searched: a change of order, judgement or keys changes them.
    for (at, winner, nodes) in [(1, Color::White, 8), (2, Color::Black, 137), (3, Color::Black, 126)] {
        let found = solved(&Position::start(slow::boards()[at].clone()));
        assert_eq!((found.winner, found.nodes), (Some(winner), nodes));
    }
}

#[test]
fn limits_stop_the_search() {
    let start = Position::start(slow::boards()[0].clone());
    let limits = SolveLimits { nodes: 100, ..SMALL };
    let found = solve(&start, &limits, &mut || true).expect("a small board");
    assert_eq!((found.winner, found.winning_move, found.proof_positions, found.nodes), (None, None, None, 100));
    assert_eq!(found.limit, Some(Limit::Nodes));
    let mut asked = 0;
    let mut go_on = || {
        asked += 1;
        asked < 5
    };
    let found = solve(&start, &SMALL, &mut go_on).expect("a small board");
    assert_eq!((found.winner, found.limit, asked), (None, Some(Limit::Time), 5));
    assert!(found.nodes < 64, "it is asked between moves, too: {}", found.nodes);
    let few = SolveLimits { proof_positions: 10, ..SMALL };
    let found = solve(&Position::start(slow::boards()[2].clone()), &few, &mut || true).expect("a small board");
    assert_eq!((found.winner, found.proof_positions), (Some(Color::Black), None));
    assert_eq!(found.limit, Some(Limit::Proof));
    let none = SolveLimits { proof_positions: 0, ..SMALL };
    let found = solve(&Position::start(slow::boards()[2].clone()), &none, &mut || true).expect("a small board");
    assert_eq!((found.winner, found.proof_positions, found.limit), (Some(Color::Black), None, None));
}

/// A limit that is reached while the proof is counted is no statement about its size.
#[test]
fn limits_stop_the_counting_of_a_proof() {
    let position = Position::parse("1qq1/4/4/1QQ1 w").expect("a position");
    let tiny = SolveLimits { table_bytes: 1 << 20, ..SMALL };
    let whole = solve(&position, &tiny, &mut || true).expect("a small board");
    assert_eq!((whole.winner, whole.proof_positions, whole.limit), (Some(Color::White), Some(1723), None));
    let few = SolveLimits { nodes: whole.nodes, ..tiny };
    let found = solve(&position, &few, &mut || true).expect("a small board");
    assert_eq!((found.winner, found.proof_positions, found.limit), (whole.winner, None, Some(Limit::Nodes)));
    // The clock is looked at while the table answers, too.
    let mut looks = 0;
    let searched = SolveLimits { proof_positions: 0, ..SMALL };
    solve(&position, &searched, &mut || {
        looks += 1;
        true
    })
    .expect("a small board");
    let mut left = looks + 1;
    let mut go_on = || {
        left -= 1;
        left > 0
    };
    let found = solve(&position, &SMALL, &mut go_on).expect("a small board");
    assert_eq!((found.winner, found.proof_positions, found.limit), (whole.winner, None, Some(Limit::Time)));
}

/// One position of a large board has tens of thousands of moves: the clock is looked at between them.
#[test]
fn large_boards_look_at_the_clock_between_moves() {
    let start = Position::start(Arc::new(Board::new(Shape::Square, 16).expect("a size")));
    for last in [1, 2, 20] {
        let mut looks = 0;
        let mut go_on = || {
            looks += 1;
            looks < last
        };
        let found = solve(&start, &SMALL, &mut go_on).expect("256 vertices");
        assert_eq!((found.winner, found.nodes, found.limit, looks), (None, 0, Some(Limit::Time), last));
    }
}

/// Positions of all shapes with 3 to 14 free vertices against minimax; `SOLVE_POSITIONS` says how many.
mod long {
    use super::super::slow;
    use super::winner;

    #[test]
    fn positions_of_up_to_fourteen_free_vertices_are_solved_as_by_minimax() {
        let count = std::env::var("SOLVE_POSITIONS").map_or(100, |count| count.parse().expect("a number"));
        let boards = slow::boards();
        for seed in 0..count {
            let board = &boards[seed as usize % boards.len()];
            let free = 3 + (seed / 8 % 12) as usize;
            // Minimax takes minutes for more queens on more room.
            let most = [3, 2, 1][usize::from(free > 9) + usize::from(free > 12)];
            let queens = [1 + seed / 80 % most, 1 + seed / 7 % most].map(|count| count as usize);
            let position = slow::scattered(board, queens, free, 10_000 + seed);
            let wins = slow::wins(&position);
            assert_eq!(winner(&position) == position.side_to_move(), wins, "seed {seed} {position}");
        }
    }
}
