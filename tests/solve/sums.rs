use amazons_rules::{Color, Position};
use amazons_solve::{Solution, SolveLimits, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::games::SMALL;
use super::slow;

/// Sums of four and of eight boards of 3 x 3, published with MCGS (github.com/ualberta-mueller-group/MCGS,
/// input/seg_tests/amazons) without winners; these were found here.
const PUBLISHED: [(&str, Color); 40] = [
    ("1qQ*3*q1q*1Q1/3*qQq*3*1Qq/Q1q*3*2Q*3 b", Color::Black),
    ("qq1*2q*1Q1*qq1/Q2*3*q2*1Q1/3*2Q*3*Q2 w", Color::White),
    ("Q2*Q2*1qQ*3/2q*1q1*q2*1Q1/3*3*2Q*q2 b", Color::Black),
    ("3*3*2q*2Q/1Q1*2q*q2*2q/qq1*2Q*1Q1*2q w", Color::Black),
    ("qQ1*1q1*2Q*qq1/3*Q2*2q*1Q1/Q1q*Q1q*3*2Q b", Color::Black),
    ("3*3*2q*q1Q/1Qq*q1Q*3*2Q/2q*q2*QQ1*2q w", Color::White),
    ("3*qqQ*3*q2/Qqq*Q2*3*2Q/3*3*qqQ*1Q1 b", Color::Black),
    ("2Q*1q1*2Q*Q1q/3*1Q1*Q2*3/Q1q*3*qq1*1qQ w", Color::White),
    ("3*3*3*2Q/1q1*1qq*1q1*1q1/2Q*1Q1*1Q1*1qQ b", Color::Black),
    ("1Q1*1QQ*1Q1*3/q1Q*3*1q1*q2/q2*2q*3*Q1q w", Color::White),
    ("3*q1Q*1Q1*Qq1/3*2Q*2q*Qq1/1Qq*3*Q2*3 b", Color::White),
    ("2q*3*3*3/1Q1*QQq*Q1q*2q/3*1q1*Q1q*1Q1 w", Color::White),
    ("2q*2Q*q2*1Q1/Q2*3*3*q1Q/2Q*q2*1QQ*q2 b", Color::White),
    ("Q2*qq1*1q1*1Q1/1qQ*3*3*3/2q*2Q*qQ1*Qq1 w", Color::White),
    ("Q1q*2Q*2q*qQ1/3*q1q*3*1Q1/q2*3*2Q*2q b", Color::Black),
    ("1q1*qQ1*3*3/Q2*3*1q1*Q2/Q2*Q2*1qQ*1Qq w", Color::White),
    ("Q1q*Q2*3*1q1/3*q2*3*3/qQ1*q2*QqQ*QQ1 b", Color::Black),
    ("qQ1*3*q2*3/q2*Qq1*3*Qq1/1Q1*3*Q1Q*Qq1 w", Color::White),
    ("Q1Q*3*1q1*2Q/3*1q1*3*3/1q1*1Q1*Q1q*2q b", Color::Black),
    ("2q*1qQ*QQq*2q/q2*3*3*1qQ/Q1Q*Q1q*3*1Q1 w", Color::White),
    ("QQ1*1Q1*2Q*3*3*2Q*3*q1Q/2q*3*2q*3*Q1Q*1q1*Q2*2Q/3*q2*1qQ*q1Q*1qq*Q2*Q1q*1q1 b", Color::White),
    ("q1q*Q2*q2*1Q1*3*1Q1*2Q*1Q1/Q1Q*3*3*q2*qQQ*2q*2q*2q/3*q2*Q2*Q2*q2*1q1*2Q*1Q1 w", Color::White),
    ("q2*Qq1*3*Q2*Q2*1Q1*2Q*1q1/q1Q*3*2Q*q2*1q1*1q1*q2*q2/1Q1*3*2q*Q2*2q*2Q*3*Q2 b", Color::Black),
    ("3*QQ1*Qq1*Q2*3*q2*Qq1*2q/1Q1*2q*1Q1*3*q1Q*1Q1*2q*1Q1/2q*1q1*q2*q1q*1Q1*3*3*2Q w", Color::White),
    ("1q1*3*q1Q*3*3*1Q1*q2*3/3*3*Q2*1Qq*2q*1Q1*1q1*3/2Q*qQ1*3*1q1*Q2*1qq*Q1Q*1qQ b", Color::Black),
    ("3*2Q*2q*1Qq*1Q1*1q1*3*1qQ/Qqq*Qq1*1q1*1Q1*2q*Q1Q*Q1q*3/3*3*Q2*3*3*1q1*3*3 w", Color::White),
    ("3*1Q1*1qq*1q1*3*1q1*3*Q2/1q1*qQ1*Q2*Q2*1qQ*1Q1*1qQ*3/Q2*3*3*Q2*3*2Q*1qQ*2q b", Color::White),
    ("3*1q1*3*3*qQ1*q2*2q*2Q/2q*Q1Q*1Q1*2q*1qQ*3*3*2Q/2Q*3*qq1*Qq1*3*QQq*Q1q*1q1 w", Color::Black),
    ("q1q*Q2*3*Q2*3*2Q*3*1qQ/Q2*1q1*1qQ*1Qq*1qQ*q2*Qq1*1Q1/Q2*q2*2q*3*3*3*2Q*2q b", Color::Black),
    ("3*qQ1*q2*1Q1*qq1*2Q*3*1Q1/2q*1Q1*3*q1q*1Q1*2q*2q*3/Q2*3*2Q*3*3*3*q1Q*2q w", Color::Black),
    ("q1Q*3*3*Q2*Q1Q*3*3*q2/3*1Qq*q1Q*1Qq*3*3*Q2*1Qq/2q*3*3*1q1*2q*QqQ*1q1*3 b", Color::Black),
    ("1q1*3*3*1Q1*Q2*1Q1*qq1*q2/qQ1*qqQ*qQ1*1Q1*3*2q*3*1q1/3*Q2*3*q2*2q*1Q1*2Q*2Q w", Color::White),
    ("q1Q*3*3*1Q1*1Q1*Q2*qQ1*2q/3*q2*qQ1*Q2*2q*2q*1Q1*Q2/q2*qQ1*q2*2q*3*3*3*2q b", Color::Black),
    ("1Qq*3*3*3*qQ1*q1Q*3*1Qq/3*1QQ*2Q*Q2*Q2*1q1*Q2*3/3*1qq*qQ1*1q1*2q*Q2*q2*3 w", Color::White),
    ("1Qq*1qQ*2Q*1q1*q1Q*3*1Q1*1Q1/3*Q2*q2*3*3*1Qq*q2*q2/3*3*3*2Q*3*3*3*3 b", Color::White),
    ("1Q1*q2*2q*3*3*3*3*3/Qq1*3*1Q1*2q*QQq*1Q1*1q1*q2/1q1*QQ1*Q2*q1Q*3*1q1*1Q1*Q2 w", Color::White),
    ("2q*2q*2Q*q2*1q1*3*1q1*2q/Q2*2Q*3*Q2*1Q1*3*Q2*2q/3*Q2*q2*2q*1q1*1qQ*3*1Q1 b", Color::Black),
    ("Q2*Q2*Q2*3*2q*Q1Q*1Q1*3/1Q1*3*q2*qQ1*1Q1*3*3*1Q1/1q1*1q1*Q2*q2*1Q1*q2*Qq1*qq1 w", Color::White),
    ("3*2Q*Q1q*3*2Q*2q*3*2q/3*q2*3*q1q*2q*3*Qq1*2Q/Qqq*q2*3*2Q*q2*QqQ*1q1*2Q b", Color::Black),
    ("2Q*2Q*1Qq*q2*3*Q2*Qq1*1q1/q2*Q2*1Q1*1Q1*q1Q*2q*3*1Q1/Qq1*1q1*1q1*3*Qq1*qQ1*1Q1*3 w", Color::White),
];

/// A small board: its rows, with `q`, `Q`, `.` and `*`.
type Piece = Vec<Vec<char>>;

fn piece(rng: &mut Xoshiro256PlusPlus, [columns, rows]: [usize; 2], queens: [usize; 2], arrows: usize) -> Piece {
    let mut squares: Vec<usize> = (0..columns * rows).collect();
    let mut piece = vec![vec!['.'; columns]; rows];
    for (content, count) in [('q', queens[0]), ('Q', queens[1]), ('*', arrows)] {
        for _ in 0..count {
            let square = squares.swap_remove(rng.random_range(0..squares.len()));
            piece[square / columns][square % columns] = content;
        }
    }
    piece
}

/// Exchanges the colours, and turns or mirrors the board.
fn negative(piece: &Piece, image: u32) -> Piece {
    let mut turned: Piece = piece.clone();
    if image & 1 == 1 {
        turned.reverse();
    }
    if image & 2 == 2 {
        turned.iter_mut().for_each(|row| row.reverse());
    }
    if image & 4 == 4 {
        turned = (0..turned[0].len()).map(|column| turned.iter().map(|row| row[column]).collect()).collect();
    }
    let exchanged = |content: &mut char| {
        *content = match *content {
            'q' => 'Q',
            'Q' => 'q',
            other => other,
        };
    };
    turned.iter_mut().flatten().for_each(exchanged);
    turned
}

/// Lays boards side by side, with arrows between them.
fn sum(pieces: &[Piece], side: char) -> Position {
    let height = pieces.iter().map(Vec::len).max().unwrap_or(0);
    let rows = (0..height).map(|row| {
        let part = |piece: &Piece| match piece.get(row) {
            Some(row) => row.iter().collect::<String>(),
            None => "*".repeat(piece[0].len()),
        };
        pieces.iter().map(part).collect::<Vec<String>>().join("*").replace('.', "1")
    });
    let text = rows.collect::<Vec<String>>().join("/");
    // Single free squares one after another are one number in a text.
    let mut short = String::new();
    let mut free = 0;
    for content in text.chars().chain([' ']) {
        if content == '1' {
            free += 1;
        } else {
            if free > 0 {
                short += &free.to_string();
            }
            free = 0;
            short.push(content);
        }
    }
    Position::parse(&format!("{short}{side}")).expect("a position")
}

fn solved(position: &Position, limits: SolveLimits) -> Solution {
    solve(position, &limits, &mut || true).expect("room for all vertices")
}

fn assert_decided(sums: &[(&str, Color)]) {
    for &(text, winner) in sums {
        let position = Position::parse(text).expect("a position");
        let solution = solved(&position, SolveLimits { table_bytes: 1 << 30, ..SMALL });
        assert_eq!(solution.winner, Some(winner), "{text}");
    }
}

#[test]
fn published_sums_of_four_are_decided() {
    assert_decided(&PUBLISHED[..20]);
}

/// G + H - G - H is nothing, in any order and however its boards lie: whoever moves loses.
#[test]
fn games_and_their_negatives_are_nothing() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for seed in 0..200 {
        let mut draw = || {
            let queens = [1, 1].map(|most: usize| most + rng.random_range(0..2));
            let arrows = rng.random_range(0..3);
            let piece = piece(&mut rng, [3 + seed % 2, 3 + seed / 2 % 3], queens, arrows);
            let negative = negative(&piece, rng.random_range(0..8));
            [piece, negative]
        };
        let mut pieces = [draw(), draw()].concat();
        for last in (1..pieces.len()).rev() {
            pieces.swap(last, rng.random_range(0..=last));
        }
        for side in ['b', 'w'] {
            let position = sum(&pieces, side);
            let solution = solved(&position, SMALL);
            assert_eq!((solution.winner, solution.nodes), (Some(position.side_to_move().opposite()), 0), "{position}");
        }
    }
}

#[test]
fn sums_of_small_regions_are_decided_as_by_minimax() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for seed in 0..40 {
        let mut draw = |size| piece(&mut rng, size, [1, 1], 1 + seed % 2);
        let pieces = [draw([3, 2]), draw([2, 3]), draw([3, 2])];
        for side in ['b', 'w'] {
            let position = sum(&pieces, side);
            let solution = solved(&position, SolveLimits { valued_from: 0, ..SMALL });
            assert_eq!(solution.winning_move.is_some(), slow::wins(&position), "{position}");
            assert_eq!(solution.winner == Some(position.side_to_move()), solution.winning_move.is_some());
        }
    }
}

/// Values and a plain search find the same winners, and the move of a winner wins.
#[test]
fn values_and_search_agree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let searched = SolveLimits { valued_from: u32::MAX, proof_positions: 0, ..SMALL };
    for seed in 0..16 {
        let mut draw = |size, queens| piece(&mut rng, size, queens, 1 + seed % 2);
        let pieces = [draw([3, 3], [1, 1 + seed % 2]), draw([2, 3], [1, 1]), draw([4, 2], [1 + seed / 2 % 2, 1])];
        let position = sum(&pieces, ['b', 'w'][seed / 4 % 2]);
        let valued = solved(&position, SMALL);
        assert_eq!(valued.winner, solved(&position, searched).winner, "{position}");
        if let Some(mv) = valued.winning_move {
            let mut next = position.clone();
            next.try_play(mv).expect("a legal move");
            assert_eq!(solved(&next, searched).winner, valued.winner, "{position}");
        }
    }
}

mod long {
    use super::*;

    #[test]
    fn published_sums_of_eight_are_decided() {
        assert_decided(&PUBLISHED[20..]);
    }
}
