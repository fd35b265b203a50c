use std::time::Duration;

use amazons_engine::TooLarge;
use amazons_rules::{Move, Position};

use crate::analysis::{Analyst, Candidate, Effort};

/// How long the engine thinks about a hint, and the number of moves to suggest.
const TIME: Duration = Duration::from_secs(1);
const COUNT: usize = 3;

/// A good move.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    pub mv: Move,
    /// Its player's chance of winning.
    pub win: f32,
}

impl Hint {
    /// Returns the chance in words: nothing but a proof is certain.
    pub fn chance(&self) -> String {
        match (self.win * 100.0).round() {
            ..1.0 => "< 1 %".to_owned(),
            100.0.. => "> 99 %".to_owned(),
            percent => format!("{percent} %"),
        }
    }
}

/// Returns good moves by the champion's engine, best first; takes a second.
pub fn hint(position: &Position) -> Result<Vec<Hint>, TooLarge> {
    let effort = Effort { time: Some(TIME), ..Effort::default() };
    let judgement = Analyst::new(position.board(), effort)?.judge(position, COUNT);
    let first = |candidate: &Candidate| Some(Hint { mv: *candidate.moves.first()?, win: candidate.win });
    Ok(judgement.candidates.iter().filter_map(first).collect())
}
