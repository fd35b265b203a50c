//! Boards from matrices: refused, or playable by the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use amazons_rules::{Board, Color, Directions, Move, MoveList, Position, Vertex};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sprs::CsMatI;

use super::boards::{board_spec, scattered};
use super::check;

type Matrix = CsMatI<u32, i32>;
type Edges = BTreeMap<(usize, usize), u32>;

/// Any small matrix, of any proportion.
pub(super) fn entries() -> impl Strategy<Value = Matrix> {
    let label = prop_oneof![5 => 1..9_u32, 1 => any::<u32>()];
    (0..8_usize, 0..8_usize).prop_flat_map(move |(rows, columns)| {
        let row = btree_map(0..columns.max(1), label.clone(), 0..4);
        vec(row, rows).prop_map(move |rows| {
            let inside = |edges: BTreeMap<usize, u32>| edges.into_iter().filter(|&(to, _)| to < columns).collect();
            let rows: Vec<Vec<(usize, u32)>> = rows.into_iter().map(inside).collect();
            matrix((rows.len(), columns), &rows)
        })
    })
}

fn matrix(shape: (usize, usize), rows: &[Vec<(usize, u32)>]) -> Matrix {
    let mut indptr = vec![0];
    indptr.extend(rows.iter().scan(0, |end, row| {
        *end += row.len() as i32;
        Some(*end)
    }));
    let (indices, data) = rows.iter().flatten().map(|&(to, label)| (to as i32, label)).unzip();
    CsMatI::new(shape, indptr, indices, data)
}

fn from_edges(size: usize, edges: &Edges) -> Matrix {
    let row = |from: usize| edges.range((from, 0)..(from + 1, 0)).map(|(&(_, to), &label)| (to, label)).collect();
    matrix((size, size), &(0..size).map(row).collect::<Vec<_>>())
}

fn edges_of(matrix: &Matrix) -> Edges {
    let rows = matrix.outer_iterator().enumerate();
    rows.flat_map(|(from, row)| row.iter().map(|(to, &label)| ((from, to), label)).collect::<Vec<_>>()).collect()
}

/// The vertices a queen sees, stepping by the labels alone.
fn seen(edges: &Edges, free: &BTreeSet<Vertex>, from: Vertex) -> BTreeSet<Vertex> {
    let step = |at: usize, wanted: u32| {
        let mut leaving = edges.range((at, 0)..(at + 1, 0));
        leaving.find(|&(_, &label)| label == wanted).map(|(&(_, to), _)| to)
    };
    let mut all = BTreeSet::new();
    for label in 1..=8 {
        let mut at = from as usize;
        while let Some(next) = step(at, label).filter(|&next| free.contains(&(next as Vertex))) {
            all.insert(next as Vertex);
            at = next;
        }
    }
    all
}

fn moves(edges: &Edges, position: &Position) -> BTreeSet<Move> {
    let mut free: BTreeSet<Vertex> = position.board().vertices().filter(|&vertex| position.is_free(vertex)).collect();
    let mut all = BTreeSet::new();
    for &from in position.queens(position.side_to_move()) {
        let targets = seen(edges, &free, from);
        free.insert(from);
        for to in targets {
            all.extend(seen(edges, &free, to).into_iter().filter(|&a| a != to).map(|arrow| Move { from, to, arrow }));
        }
        free.remove(&from);
    }
    all
}

/// An accepted board keeps its matrix, and its rules follow the labels.
fn judge(matrix: &Matrix, columns: u32, seed: u64) -> Result<bool, TestCaseError> {
    let Ok(board) = Board::from_matrix(&matrix.view(), columns) else { return Ok(false) };
    let kept = board.matrix(Directions::Ring);
    prop_assert_eq!(kept.shape(), matrix.shape());
    prop_assert_eq!(kept.proper_indptr(), matrix.proper_indptr());
    prop_assert_eq!((kept.indices(), kept.data()), (matrix.indices(), matrix.data()));
    let edges = edges_of(matrix);
    let known: BTreeSet<Vertex> = edges.keys().map(|&(from, _)| from as Vertex).collect();
    prop_assert!(board.vertices().eq(known.iter().copied()));
    prop_assert_eq!(board.vertex_count(), known.len());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = scattered(Arc::new(board), [2, 2], rng.random_range(0..60), Color::White, seed);
    for _ in 0..6 {
        judge_moves(&edges, &position, &mut rng)?;
        let Some(mv) = position.random_move(&mut rng) else { break };
        position.try_play(mv).map_err(|error| TestCaseError::fail(format!("{mv:?}: {error}")))?;
    }
    Ok(true)
}

fn judge_moves(edges: &Edges, position: &Position, rng: &mut Xoshiro256PlusPlus) -> TestCaseResult {
    let expected = moves(edges, position);
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let found: BTreeSet<Move> = list.iter().copied().collect();
    prop_assert_eq!(&found, &expected);
    prop_assert_eq!(position.has_moves(), !expected.is_empty());
    prop_assert_eq!(position.perft(1), list.len() as u64);
    let size = position.board().vertex_ids() as u32 + 1;
    let guesses = (0..30).map(|_| [(); 3].map(|()| rng.random_range(0..size)));
    let guesses = guesses.map(|[from, to, arrow]| Move { from, to, arrow });
    for mv in guesses.chain(expected.iter().copied()) {
        prop_assert_eq!(position.is_legal(mv).is_ok(), expected.contains(&mv), "{:?}", mv);
    }
    Ok(())
}

#[test]
fn any_matrix_is_refused_or_a_board() {
    check("any matrices", 4000, &(entries(), 0..9_u32, any::<u64>()), |(matrix, columns, seed)| {
        judge(&matrix, columns, seed)?;
        prop_assert!(matrix.nnz() == 0 || Board::from_matrix(&matrix.to_csc().view(), columns).is_err());
        Ok(())
    });
}

/// Every edge gets its reverse edge, so that more is accepted than by chance alone.
#[test]
fn matrices_with_ways_back_are_refused_or_boards() {
    let edge = (0..8_usize, 0..8_usize, 1..9_u32);
    check("paired matrices", 4000, &(vec(edge, 0..12), 1..9_u32, any::<u64>()), |(pairs, columns, seed)| {
        let mut edges = Edges::new();
        for (from, to, label) in pairs {
            let back = (label + 3) % 8 + 1;
            edges.insert((from, to), label);
            edges.insert((to, from), back);
        }
        judge(&from_edges(8, &edges), columns, seed)?;
        Ok(())
    });
}

/// Vertices with other numbers, labels with other names and fewer edges: still a board.
#[test]
fn boards_in_disguise_are_boards() {
    let strategy = (board_spec(), any::<u64>(), vec(any::<Index>(), 0..20));
    check("disguised boards", 300, &strategy, |(spec, seed, removed)| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut edges = edges_of(&spec.build().matrix(Directions::Subject));
        let size = spec.build().vertex_ids();
        for index in removed {
            if let Some((from, to)) =
                (!edges.is_empty()).then(|| index.index(edges.len())).and_then(|at| edges.keys().nth(at).copied())
            {
                edges.remove(&(from, to));
                edges.remove(&(to, from));
            }
        }
        let mut numbers: Vec<usize> = (0..size).collect();
        numbers.shuffle(&mut rng);
        let mut labels: Vec<u32> = (1..=8).collect();
        labels.shuffle(&mut rng);
        let disguised: Edges = edges
            .into_iter()
            .map(|((from, to), label)| ((numbers[from], numbers[to]), labels[label as usize - 1]))
            .collect();
        prop_assert!(judge(&from_edges(size, &disguised), size as u32, seed)?, "refused");
        Ok(())
    });
}

#[test]
fn damaged_boards_are_refused_or_boards() {
    let changes = vec((any::<Index>(), 0..10_u32), 0..4);
    check("damaged boards", 500, &(board_spec(), changes, 0..9_u32, any::<u64>()), |(spec, changes, columns, seed)| {
        let mut matrix = spec.build().matrix(Directions::Ring);
        for (at, label) in changes {
            if matrix.nnz() > 0 {
                let at = at.index(matrix.nnz());
                matrix.data_mut()[at] = label;
            }
        }
        judge(&matrix, columns, seed)?;
        Ok(())
    });
}

/// A part of a larger matrix has offsets that do not start at 0.
#[test]
fn parts_of_matrices_are_refused_or_boards() {
    let strategy = (board_spec(), 1..5_usize, any::<u64>());
    check("parts of matrices", 300, &strategy, |(spec, above, seed)| {
        let board = spec.build();
        let whole = board.matrix(Directions::Ring);
        let size = whole.rows();
        let rows: Vec<Vec<(usize, u32)>> = (0..above)
            .map(|_| vec![(size - 1, 7)])
            .chain(whole.outer_iterator().map(|row| row.iter().map(|(to, &label)| (to, label)).collect()))
            .collect();
        let larger = matrix((size + above, size), &rows);
        let part = larger.slice_outer(above..size + above);
        prop_assert!(judge(&part.to_owned(), board.columns(), seed)?);
        Ok(())
    });
}
