//! A seat's observations, as followed by the referee.

use crate::knowledge::chances::Chances;
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::problem::{Problem, Weighing};
use crate::line::record::{By, Entry};
use crate::tournament::{Accusation, GameResult};

/// Maximum number of players for counting chances.
const MAX_COUNTED: usize = 6;

#[derive(Debug)]
struct Accuser {
    seat: usize,
    facts: Facts,
    /// Whether the secret followed from its facts.
    was_certain: bool,
    /// The chance that it gave the accusation itself.
    announced: Option<f64>,
}

/// Follows a game and keeps what the tables of a tournament need.
#[derive(Debug)]
pub struct Observer {
    /// To which errors and times can be added.
    pub result: GameResult,
    /// The seat whose turn it is, if the secret follows from what it has seen.
    is_certain: bool,
    /// Those whose accusations are still secret.
    accusers: Vec<Accuser>,
}

impl Observer {
    pub fn new(seats: Vec<usize>) -> Self {
        let (turns, certain) = (vec![0; seats.len()], vec![[0; 2]; seats.len()]);
        let result = GameResult { seats, turns, certain, ..GameResult::default() };
        Self { result, is_certain: false, accusers: Vec::new() }
    }

    /// It is a seat's turn, which has seen this.
    pub fn turn(&mut self, seat: usize, facts: &Facts) {
        self.is_certain = Deductions::new(facts, Rules::Further).solution().is_some();
        self.result.certain[seat][0] += u32::from(self.is_certain);
    }

    /// Takes an entry of the record in, with what the seat had seen at its turn, and the chance that it gave its
    /// accusation, if it says one.
    pub fn entry(&mut self, entry: &Entry, facts: &Facts, announced: Option<f64>) {
        match entry {
            Entry::Hypothesis { by, .. } => self.result.turns[by.seat] += 1,
            &Entry::Accuse(By { seat, .. }) => {
                self.result.turns[seat] += 1;
                let (facts, was_certain) = (facts.clone(), self.is_certain);
                self.accusers.push(Accuser { seat, facts, was_certain, announced });
            }
            Entry::End { winner, secret, accused, .. } => {
                self.result.winner = *winner;
                for (accuser, cards) in self.accusers.drain(..).zip(accused) {
                    let (seat, right) = (accuser.seat, cards == secret);
                    self.result.certain[seat][1] += u32::from(right && accuser.was_certain);
                    let chance = accuser.announced.or_else(|| chance(&accuser.facts, *cards));
                    self.result.accusations.push(Accusation { seat, chance, right });
                }
            }
            _ => {}
        }
    }
}

/// Returns the chance of cards, counted from what a seat has seen.
fn chance(facts: &Facts, cards: [usize; 3]) -> Option<f64> {
    if facts.players() > MAX_COUNTED {
        return None;
    }
    let known = Deductions::new(facts, Rules::Further);
    if let Some(solution) = known.solution() {
        return Some(f64::from(u8::from(solution == cards)));
    }
    let triples = Chances::new(Problem::new(facts, &known, Weighing::Shown)).ok()?.triples()?;
    Some(triples.iter().find(|(triple, _)| *triple == cards).map_or(0.0, |(_, chance)| *chance))
}
