//! The averaged search: the specification's vectors, and a slow twin on a board of characters.

use connect4::average::{Evaluator, Plain, Table, Value};
use connect4::geometry::{AnySize, Geometry, Standard};
use connect4::search::{Computer, Method, alone};
use connect4::{Position, Side, Size};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support::position;

/// The rule in its own words: columns of stones, every line of four looked at.
struct Twin {
    width: usize,
    height: usize,
    columns: Vec<Vec<u8>>,
    calls: u64,
}

impl Twin {
    fn new(size: Size, moves: &str) -> Self {
        let width = size.width() as usize;
        let mut twin = Self { width, height: size.height() as usize, columns: vec![Vec::new(); width], calls: 0 };
        for (ply, name) in moves.chars().enumerate() {
            let column = name.to_digit(36).expect("a column") as usize - 1;
            twin.columns[column].push(u8::from(ply % 2 == 1));
        }
        twin
    }

    fn is_won_by(&self, mover: u8) -> bool {
        let at = |column: isize, row: isize| {
            let stones = self.columns.get(usize::try_from(column).ok()?)?;
            stones.get(usize::try_from(row).ok()?).copied()
        };
        let size = self.width.max(self.height).cast_signed();
        (0..size).any(|column| {
            (0..size).any(|row| {
                [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .into_iter()
                    .any(|(right, up)| (0..4).all(|step| at(column + step * right, row + step * up) == Some(mover)))
            })
        })
    }

    fn evaluate(&mut self, mover: u8, searcher: u8, depth: u32) -> f64 {
        self.calls += 1;
        if self.is_won_by(mover) {
            return if mover == searcher { 1.0 } else { -1.0 };
        }
        if self.columns.iter().all(|column| column.len() == self.height) || depth == 0 {
            return 0.0;
        }
        let (next, mut values) = (1 - mover, Vec::new());
        let best = if next == searcher { 1.0 } else { -1.0 };
        for column in 0..self.width {
            if self.columns[column].len() < self.height {
                self.columns[column].push(next);
                let value = self.evaluate(next, searcher, depth - 1);
                self.columns[column].pop();
                if value == best {
                    return value;
                }
                values.push(value);
            }
        }
        match () {
            () if values.iter().all(|value| *value == 1.0) => 1.0,
            () if values.iter().all(|value| *value == -1.0) => -1.0,
            () => values.iter().fold(0.0, |sum, value| sum + value) / values.len() as f64,
        }
    }

    /// Returns the bits of the columns' values for the side to move.
    fn bits(&mut self, turn: u8, depth: u32) -> Vec<u64> {
        let mut values = Vec::new();
        for column in 0..self.width {
            if self.columns[column].len() < self.height {
                self.columns[column].push(turn);
                let before = self.calls;
                values.push(self.evaluate(turn, turn, depth - 1).to_bits());
                if self.is_won_by(turn) || self.columns.iter().all(|column| column.len() == self.height) {
                    // A game that is over is no task.
                    self.calls = before;
                }
                self.columns[column].pop();
            }
        }
        values
    }
}

fn bits(position: &Position, depth: u32, method: Method) -> (Vec<u64>, u64) {
    let (values, calls) = alone(&Computer::default(), position, depth, method, 1, &|| true).expect("a depth");
    // A negative zero of the rule's is a zero here.
    (values.iter().map(|(_, value)| (0.0 + value.score()).to_bits()).collect(), calls)
}

fn scores(moves: &str, depth: u32) -> Vec<f64> {
    bits(&position(moves), depth, Method::Table).0.into_iter().map(f64::from_bits).collect()
}

#[test]
fn scores_are_those_of_the_specification() {
    let rows: [(&str, u32, &[f64]); 8] = [
        (
            "",
            7,
            &[
                0.05569108109716191,
                0.1342297852085441,
                0.19955970726483013,
                0.2648896293211162,
                0.1995597072648301,
                0.13422978520854403,
                0.0556910810971619,
            ],
        ),
        (
            "",
            8,
            &[
                -0.04969018011202816,
                0.06573791532439716,
                0.1697761986927216,
                0.25825973871431124,
                0.16977619869272156,
                0.06573791532439714,
                -0.049690180112028144,
            ],
        ),
        ("", 9, &[0.03471464149412965, 0.1563269920332029, 0.26895256228272235, 0.3770173506422858]),
        ("", 10, &[-0.03867175987514575, 0.10112924973472628, 0.23044524867380506, 0.3605147861999053]),
        ("", 12, &[-0.034888772842675116, 0.11517942691031204, 0.2584583206682392, 0.4199448580342916]),
        (
            "4444",
            6,
            &[
                0.1749271137026239,
                0.6413994169096211,
                0.7842565597667639,
                0.0,
                0.7842565597667638,
                0.641399416909621,
                0.1749271137026239,
            ],
        ),
        (
            "444",
            7,
            &[
                -0.3549116439578747,
                -0.23680609269947045,
                -0.07014934253584816,
                -0.4573094543940025,
                -0.07014934253584816,
                -0.23680609269947045,
                -0.3549116439578747,
            ],
        ),
        (
            "43445573",
            7,
            &[
                0.811269114059618,
                0.8192419825072886,
                0.7364788480990063,
                0.8621672186853361,
                0.8539894091747486,
                1.0,
                0.8380436722794073,
            ],
        ),
    ];
    for (moves, depth, expected) in rows {
        let found = scores(moves, depth);
        assert_eq!(&found[..expected.len()], expected, "{moves:?} at depth {depth}");
        for (column, score) in found.iter().enumerate().skip(expected.len()) {
            assert!((score - found[6 - column]).abs() < 1e-12, "{moves:?}: column {} mirrors", column + 1);
        }
    }
    for depth in 1..=6 {
        assert_eq!(scores("", depth), [0.0; 7], "nobody can win at depth {depth}");
    }
}

#[test]
fn calls_are_counted() {
    let rows = [
        ("", 1, 7),
        ("", 2, 56),
        ("", 3, 399),
        ("", 4, 2800),
        ("", 5, 19_607),
        ("", 6, 137_256),
        ("", 7, 891_792),
        ("", 8, 5_950_771),
        ("4444", 6, 91_824),
        ("4444", 8, 3_321_059),
        ("44555", 8, 1_864_364),
        ("444", 7, 792_157),
        ("43445573", 7, 277_148),
    ];
    for (moves, depth, calls) in rows {
        let position = position(moves);
        let (plain, counted) = bits(&position, depth, Method::Plain);
        assert_eq!(counted, calls, "{moves:?} at depth {depth}");
        assert_eq!(bits(&position, depth, Method::Table).0, plain, "{moves:?} at depth {depth}");
    }
}

#[test]
fn a_slow_twin_finds_the_same_bits() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
    let sizes = [(7, 6), (4, 4), (5, 4), (4, 5), (6, 5), (8, 7), (2, 2), (3, 7), (9, 6), (4, 15), (16, 3)];
    for round in 0..400 {
        let (width, height) = sizes[round % sizes.len()];
        let size = Size::new(width, height).expect("a size");
        let (mut position, mut moves) = (Position::empty(size), String::new());
        let plies = random.random_range(0..size.cells());
        while position.plies() < plies && position.ending().is_none() {
            let columns: Vec<u32> = position.columns().collect();
            let column = columns[random.random_range(0..columns.len())];
            position.play(column).expect("a free column");
            moves.push(size.column_name(column));
        }
        if position.ending().is_some() {
            continue;
        }
        let depth = random.random_range(1..=if width > 7 { 3 } else { 5 });
        let mut twin = Twin::new(size, &moves);
        let turn = u8::from(position.turn() == Side::Second);
        let expected: Vec<u64> =
            twin.bits(turn, depth).into_iter().map(|bits| (0.0 + f64::from_bits(bits)).to_bits()).collect();
        let what = format!("{moves} on {size} at depth {depth}");
        assert_eq!(bits(&position, depth, Method::Plain), (expected.clone(), twin.calls), "{what}");
        assert_eq!(bits(&position, depth, Method::Table).0, expected, "{what}");
        let mirrored = bits(&position.mirrored(), depth, Method::Table).0;
        for (one, other) in mirrored.iter().rev().zip(&expected) {
            assert!((f64::from_bits(*one) - f64::from_bits(*other)).abs() < 1e-12, "{what}, mirrored");
        }
    }
}

#[test]
fn one_size_and_any_size_are_the_same_board() {
    let any = AnySize::new(Size::STANDARD);
    assert_eq!((any.bottom(), any.cells()), (Standard.bottom(), Standard.cells()));
    let position = position("4444");
    let evaluate = |geometry: &dyn Fn(&Table) -> Option<Value>| geometry(&Table::new(12)).map(Value::score);
    let (own, stones) = (position.own(), position.stones());
    let one = evaluate(&|table| Evaluator::new(Standard, table).evaluate(own, stones, 6));
    let other = evaluate(&|table| Evaluator::new(any, table).evaluate(own, stones, 6));
    assert_eq!(one, other);
}

#[test]
fn what_nobody_wants_ends_soon() {
    let position = position("");
    let mut plain = Plain::new(Standard).while_wanted(&|| false);
    assert_eq!(plain.evaluate(position.own(), position.stones(), 20, false), None);
    let table = Table::new(16);
    let mut evaluator = Evaluator::new(Standard, &table).while_wanted(&|| false);
    assert_eq!(evaluator.evaluate(position.own(), position.stones(), 20), None);
}
