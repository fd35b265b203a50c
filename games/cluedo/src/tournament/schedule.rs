//! The schedule: matches, blocks and seats, as functions of the plan and of earlier results.

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::deal::stream;
use crate::tournament::{BlockResult, Format, Plan};

/// A part of a tournament: two programs, or a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matchup {
    pub number: u64,
    /// The two programs; none for a field.
    pub pair: Option<[usize; 2]>,
}

/// A deal, and who sits where in its first game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    pub matchup: u64,
    pub block: u64,
    pub seats: Vec<usize>,
    /// How many games; the programs move on one seat after each.
    pub games: usize,
}

impl Block {
    pub fn seating(&self, game: usize) -> Vec<usize> {
        let mut seats = self.seats.clone();
        seats.rotate_right(game % self.seats.len());
        seats
    }
}

impl Matchup {
    /// Returns the blocks, in the order in which results count.
    pub fn blocks(&self, plan: &Plan) -> Vec<Block> {
        let block = |number: u64, seats: Vec<usize>, games| Block { matchup: self.number, block: number, seats, games };
        match self.pair {
            Some(pair) => {
                let seats: Vec<usize> = (0..plan.n).map(|seat| pair[seat % 2]).collect();
                (0..plan.blocks).map(|number| block(number, seats.clone(), 2)).collect()
            }
            None => field(plan).zip(0..plan.blocks).map(|(seats, number)| block(number, seats, plan.n)).collect(),
        }
    }
}

/// Returns the programs at each table of a field, without end. More blocks change nothing of the first ones.
fn field(plan: &Plan) -> impl Iterator<Item = Vec<usize>> {
    let programs = plan.bots.len();
    let kinds = if programs < plan.n { kinds(programs, plan.n) } else { Vec::new() };
    let (mut waiting, mut round) = (Vec::new(), 0);
    (0..).map(move |table: u64| {
        let few = || small_table(plan, &kinds, table);
        let mut seats = if programs < plan.n { few() } else { large_table(plan, &mut waiting, &mut round) };
        seats.shuffle(&mut stream(plan.seed, table, 0, "seats"));
        seats
    })
}

/// Fills the next table of more programs than seats: each program plays once in each round.
fn large_table(plan: &Plan, waiting: &mut Vec<usize>, round: &mut u64) -> Vec<usize> {
    while waiting.len() < plan.n {
        let mut fresh: Vec<usize> = (0..plan.bots.len()).collect();
        fresh.shuffle(&mut stream(plan.seed, *round, 0, "field"));
        *round += 1;
        // No program sits at a table twice: those that still wait come later in the new round.
        let (later, first): (Vec<_>, Vec<_>) = fresh.into_iter().partition(|program| waiting.contains(program));
        let missing = plan.n - waiting.len();
        let (now, rest) = first.split_at(missing.min(first.len()));
        waiting.extend(now.iter().chain(&later).chain(rest));
    }
    waiting.drain(..plan.n).collect()
}

/// Fills a table of fewer programs than seats: all kinds of tables with every program, in turn.
fn small_table(plan: &Plan, kinds: &[Vec<usize>], table: u64) -> Vec<usize> {
    let (round, place) = (table / kinds.len() as u64, table % kinds.len() as u64);
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.shuffle(&mut stream(plan.seed, round, 0, "field"));
    kinds[order[usize::try_from(place).unwrap_or(0)]].clone()
}

/// Lists how many seats each program may have, as a sorted list of programs, each there at least once.
fn kinds(programs: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut kinds: Vec<Vec<usize>> = vec![Vec::new()];
    for program in 0..programs {
        let others = programs - program - 1;
        let longer = |kind: &Vec<usize>| {
            let most = seats - kind.len() - others;
            let least = if others == 0 { most } else { 1 };
            let kind = kind.clone();
            (least..=most).map(move |count| [&kind[..], &vec![program; count]].concat()).collect::<Vec<_>>()
        };
        kinds = kinds.iter().flat_map(longer).collect();
    }
    kinds
}

/// Returns the next match after the finished ones, whose results are given in order.
pub fn next_matchup(plan: &Plan, finished: &[Vec<BlockResult>]) -> Option<Matchup> {
    let number = finished.len() as u64;
    match plan.format {
        Format::Versus => finished.is_empty().then_some(Matchup { number, pair: Some([0, 1]) }),
        Format::Field => finished.is_empty().then_some(Matchup { number, pair: None }),
        Format::Ladder => climb(plan, finished).1.map(|pair| Matchup { number, pair: Some(pair) }),
    }
}

/// Returns the programs of a ladder, the top first, as far as the finished matches decide.
pub fn standing(plan: &Plan, finished: &[Vec<BlockResult>]) -> Vec<usize> {
    climb(plan, finished).0
}

/// Lets the programs enter and climb; returns the standing and the match that is missing.
fn climb(plan: &Plan, finished: &[Vec<BlockResult>]) -> (Vec<usize>, Option<[usize; 2]>) {
    let (mut standing, mut results) = (Vec::new(), finished.iter());
    for newcomer in 0..plan.bots.len() {
        standing.push(newcomer);
        let mut place = standing.len() - 1;
        while place > 0 {
            let Some(blocks) = results.next() else { return (standing.clone(), Some([newcomer, standing[place - 1]])) };
            let points: usize = blocks.iter().map(|block| block.half_points(newcomer)).sum();
            let most: usize = blocks.iter().map(|block| 2 * block.games.len()).sum();
            if points * 2 <= most {
                break;
            }
            standing.swap(place, place - 1);
            place -= 1;
        }
    }
    (standing, None)
}
