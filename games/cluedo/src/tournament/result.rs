//! The result of a block, and the observer that follows its games.

use serde::{Deserialize, Serialize};

use crate::knowledge::chances::Chances;
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::problem::{Problem, Weighing};
use crate::line::record::{By, Entry};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accusation {
    pub seat: usize,
    /// The chance of these cards: bot 4's own; for others counted from all that the seat had seen, at tables of at most
    /// six.
    pub chance: Option<f64>,
    pub right: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultNote {
    pub seat: usize,
    pub code: u32,
    /// Its answer, escaped.
    pub sent: String,
    /// The request: `B`, `T`, `C`, or empty.
    pub asked: String,
    /// Why nothing came, and the end of what it printed to standard error.
    pub why: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    pub seats: Vec<usize>,
    pub winner: Option<usize>,
    pub turns: Vec<u32>,
    /// For each seat, the turns at which the secret followed from what it had seen, and those of them at which it
    /// accused rightly.
    pub certain: Vec<[u32; 2]>,
    pub accusations: Vec<Accusation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultNote>,
    /// The times of the answers of each seat in microseconds; of bots of this program they are not taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Vec<u64>>,
}

/// A block: the games of one deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockResult {
    pub matchup: u64,
    pub block: u64,
    pub games: Vec<GameResult>,
}

impl BlockResult {
    /// Returns the half points of a program in a match of two: 2 for a game that one of its seats won, 1 for a game that
    /// nobody won.
    pub fn half_points(&self, program: usize) -> usize {
        let points = |game: &GameResult| game.winner.map_or(1, |seat| usize::from(game.seats[seat] == program) * 2);
        self.games.iter().map(points).sum()
    }
}

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
