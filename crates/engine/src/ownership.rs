use std::sync::LazyLock;

use amazons_rules::{Color, Position, Vertex};

use crate::classes::{KING_CLASSES, NEIGHBOR_CLASSES, QUEEN_CLASSES};
use crate::graph_game::{FAR, distances};

/// The probability that each free vertex becomes territory of either side, by vertex id; 0 for stones and holes.
///
/// The fate of a vertex is settled by an arrow that lands on it, or else by the first position in which no free vertex
/// is in reach of both sides' queens. It becomes territory of the side whose queens alone could come there, in that
/// position or right before the move with that arrow; in that position, a queen's own vertex is its side's. It becomes
/// nobody's if both could come there, or neither.
#[derive(Clone, Debug, PartialEq)]
pub struct Ownership {
    /// The probability that a vertex becomes Black's.
    pub black: Vec<f32>,
    /// The probability that a vertex becomes White's.
    pub white: Vec<f32>,
}

/// Estimates the fate of each free vertex when two equal, strong players go on from a position.
///
/// The probability of a side that can never come to a vertex is exactly 0; once no vertex is in reach of both, all are 0
/// or 1.
#[must_use]
pub fn ownership(position: &Position) -> Ownership {
    let view = OwnershipView::new(position);
    let [mut black, mut white] = [0, 1].map(|_| vec![0.0; position.board().vertex_ids()]);
    for vertex in position.board().vertices().filter(|&vertex| position.is_free(vertex)) {
        let mut chances = OwnershipModel::standard().chances(&view.inputs(vertex));
        if view.is_closed() {
            chances = view.sides.map(|side| f32::from(u8::from(view.owner(vertex) == Some(side))));
        }
        if view.sides[0] == Color::White {
            chances.swap(0, 1);
        }
        [black[vertex as usize], white[vertex as usize]] = chances;
    }
    Ownership { black, white }
}

/// A position as the model sees it. Pairs are of the player to move and of the opponent.
#[derive(Clone, Debug)]
pub struct OwnershipView<'a> {
    position: &'a Position,
    sides: [Color; 2],
    /// The moves of queens to each vertex, those of kings, and those of kings to whom queens are no obstacle.
    queen: [Vec<u32>; 2],
    king: [Vec<u32>; 2],
    ever: [Vec<u32>; 2],
    /// Which side's queens are nearer, -1 to 1: the mean around each vertex, near and wide, and over the board.
    near: Vec<f32>,
    wide: Vec<f32>,
    lead: f32,
    /// The share of the board that is contested, as [`crate::Features::phase`].
    phase: f32,
}

/// The inputs of the model for a free vertex. Pairs are of the player to move and of the opponent.
#[derive(Clone, Debug)]
pub struct OwnershipInputs {
    /// Whether a side can ever come here, were all queens to make way.
    pub is_possible: [bool; 2],
    /// Indices of weights, and how much of each counts.
    pub shares: Vec<(usize, f32)>,
}

impl<'a> OwnershipView<'a> {
    /// Looks at a position.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "boards have fewer vertices than a float counts exactly")]
    pub fn new(position: &'a Position) -> Self {
        let ids = position.board().vertex_ids();
        let sides = [position.side_to_move(), position.side_to_move().opposite()];
        let is_open = |vertex: Vertex| position.is_free(vertex) || position.queen_at(vertex).is_some();
        let kings = |side, is_passed: &dyn Fn(Vertex) -> bool| {
            distances(ids, position.queens(side), |from, next| {
                neighbors(position, from).filter(|&to| is_passed(to)).for_each(next);
            })
        };
        let queen = sides.map(|side| {
            distances(ids, position.queens(side), |from, next| {
                position.slides(from).flatten().for_each(|&to| next(to));
            })
        });
        let (mut nearer, mut contested, mut free) = (vec![0.0; ids], 0.0, 0);
        for vertex in position.board().vertices().filter(|&vertex| position.is_free(vertex)) {
            let ways = [0, 1].map(|side| queen[side][vertex as usize]);
            let balance = 0.5f32.powi(ways[0].min(5).abs_diff(ways[1].min(5)).cast_signed());
            let shared = if ways.contains(&FAR) { 0.0 } else { balance };
            contested += shared;
            free += 1;
            nearer[vertex as usize] = (1.0 - shared) * f32::from(ways[1].cmp(&ways[0]) as i8);
        }
        let count = free.max(1) as f32;
        let lead = nearer.iter().sum::<f32>() / count;
        for (side, value) in sides.into_iter().zip([1.0, -1.0]) {
            position.queens(side).iter().for_each(|&queen| nearer[queen as usize] = value);
        }
        let mean = |field: &Vec<f32>| {
            let mut means = vec![0.0; ids];
            for vertex in position.board().vertices().filter(|&vertex| is_open(vertex)) {
                let around = neighbors(position, vertex).filter(|&to| is_open(to)).chain([vertex]);
                let (sum, count) = around.fold((0.0, 0.0), |(sum, count), at| (sum + field[at as usize], count + 1.0));
                means[vertex as usize] = sum / count;
            }
            means
        };
        let near = mean(&mean(&mean(&nearer)));
        let wide = mean(&mean(&mean(&mean(&near))));
        let king = sides.map(|side| kings(side, &|to| position.is_free(to)));
        let ever = sides.map(|side| kings(side, &is_open));
        Self { position, sides, queen, king, ever, near, wide, lead, phase: contested / count }
    }

    /// Returns whether no free vertex is in reach of both sides, as at the end of every game.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.phase == 0.0
    }

    /// Returns the side whose queens alone could come to a vertex if it were free.
    #[must_use]
    pub fn owner(&self, vertex: Vertex) -> Option<Color> {
        let reached = [0, 1].map(|side| {
            let is_reached = |from| self.king[side][from as usize] != FAR;
            let is_queen = |from| self.position.queen_at(from) == Some(self.sides[side]);
            neighbors(self.position, vertex).any(|from| is_reached(from) || is_queen(from))
        });
        (reached[0] != reached[1]).then(|| self.sides[usize::from(reached[1])])
    }

    /// Returns the inputs for a free vertex.
    #[must_use]
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    pub fn inputs(&self, vertex: Vertex) -> OwnershipInputs {
        let at = vertex as usize;
        let pair = |ways: &[Vec<u32>; 2], classes: usize| {
            let class = |way: u32| if way == FAR { classes - 1 } else { (way as usize).min(classes - 1) - 1 };
            (class(ways[0][at]) * classes + class(ways[1][at])) as f32
        };
        let level = |balance: f32| (balance + 1.0) / 2.0 * (LEVELS - 1) as f32;
        let free = neighbors(self.position, vertex).filter(|&to| self.position.is_free(to)).count() as f32;
        let [queen, king] = [pair(&self.queen, QUEEN_CLASSES), pair(&self.king, KING_CLASSES)];
        let places = [queen, king, free, level(self.near[at]), level(self.wide[at]), level(self.lead)];
        let split = |place: f32, rows: usize| {
            let lower = (place as usize).min(rows - 2);
            [(lower, 1.0 - place + lower as f32), (lower + 1, place - lower as f32)]
        };
        let (mut shares, mut first) = (Vec::with_capacity(4 * GROUPS.len()), 0);
        for (place, (classes, sides)) in places.into_iter().zip(GROUPS) {
            for (row, share) in split(place, classes.pow(sides)).into_iter().filter(|&(_, share)| share > 0.0) {
                let phases = split(self.phase * (PHASES - 1) as f32, PHASES);
                shares.extend(phases.map(|(phase, part)| ((first + row) * PHASES + phase, share * part)));
            }
            first += classes.pow(sides);
        }
        OwnershipInputs { is_possible: [0, 1].map(|side| self.ever[side][at] != FAR), shares }
    }
}

fn neighbors(position: &Position, vertex: Vertex) -> impl Iterator<Item = Vertex> {
    position.board().neighbors(vertex).into_iter().flatten().flatten()
}

const PHASES: usize = OwnershipModel::PHASES;
/// Between two levels of a mean, both count.
const LEVELS: usize = 9;
/// The inputs: the number of classes, and of sides that are in one of them.
const GROUPS: [(usize, u32); 6] =
    [(QUEEN_CLASSES, 2), (KING_CLASSES, 2), (NEIGHBOR_CLASSES, 1), (LEVELS, 1), (LEVELS, 1), (LEVELS, 1)];

/// The weights of a multinomial logistic regression: the log-odds of the player to move and of the opponent against
/// nobody, for each class of an input and each phase, as for [`crate::Weights`].
///
/// The inputs are pairs of queen distances and of king distances, the free neighbours, and who is nearer (from the
/// opponent to the player to move) close by, further around and on the whole board.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnershipModel {
    /// The weights, all phases of the first class first.
    pub values: Vec<[f32; 2]>,
}

impl OwnershipModel {
    /// The number of phases.
    pub const PHASES: usize = 4;

    /// Returns the built-in weights.
    ///
    /// # Panics
    /// Never: the tests also read them.
    #[must_use]
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<OwnershipModel> = LazyLock::new(|| {
            let lines = include_str!("../ownership.txt").lines().filter(|line| !line.starts_with('#'));
            let number = |word: &str| word.parse().expect("ownership.txt is part of the program");
            let numbers: Vec<f32> = lines.flat_map(str::split_whitespace).map(number).collect();
            OwnershipModel { values: numbers.as_chunks().0.to_vec() }
        });
        &STANDARD
    }

    /// Returns the probabilities that a vertex becomes territory of the player to move, and of the opponent.
    #[must_use]
    pub fn chances(&self, inputs: &OwnershipInputs) -> [f32; 2] {
        let odds = [0, 1].map(|side| {
            let sum: f32 = inputs.shares.iter().map(|&(at, share)| self.values[at][side] * share).sum();
            if inputs.is_possible[side] { sum.exp() } else { 0.0 }
        });
        odds.map(|odd| odd / (1.0 + odds[0] + odds[1]))
    }
}
