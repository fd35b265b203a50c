//! Records of games: JSON Lines, written as the game goes.

use amazons_program::journal::reason_of;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::code::Code;
use crate::feedback::Feedback;
use crate::game::{Game, ParseError};
use crate::history::History;
use crate::protocol::Protocol;
use crate::strategy::Strategy;

/// The chooser of the guesses when a person did.
pub const PERSON: &str = "person";
/// The chooser of the guesses when players proposed them.
pub const PROPOSALS: &str = "proposals";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Line {
    /// The first line.
    Game {
        /// The game, such as 4x6r.
        game: String,
        /// The chooser of the guesses: a strategy or a person.
        strategy: String,
        /// The protocol of the ranks, if ranks chose.
        protocol: Option<String>,
        ranks: usize,
        /// The seed of the secret.
        seed: Option<u64>,
    },
    Round {
        guess: String,
        /// Its answer, such as 12.
        answer: String,
        /// The codes that agree with all answers so far.
        left: u64,
        /// The proposals since the last answer, in the order of arrival.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        proposals: Vec<Proposed>,
        /// The ranks that were lost since the last answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lost: Vec<usize>,
        /// The time since the last answer.
        seconds: f64,
    },
    /// The last line.
    End {
        /// The secret, if it is known.
        secret: Option<String>,
        is_solved: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposed {
    pub rank: usize,
    /// The code; nothing from a rank that has none left.
    pub code: Option<String>,
    /// The comparisons that the rank made since its last proposal.
    pub tests: u64,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub lines: Vec<Line>,
    pub history: History,
    pub secret: Option<Code>,
    /// Whether the last line is there.
    pub is_complete: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    pub what: String,
}

impl Line {
    /// Returns the line as text, without its end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a line of plain values")
    }
}

impl Record {
    /// Reads a record, and checks every answer, the numbers of codes left and the secret.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let mut lines = Vec::new();
        for (place, text) in text.lines().enumerate() {
            lines.push(serde_json::from_str(text).map_err(|error| RecordError {
                line: place + 1,
                what: if error.is_eof() {
                    "the line is torn".to_owned()
                } else {
                    // Where it is in the line helps nobody.
                    format!("not a line of a record: {}", reason_of(&error))
                },
            })?);
        }
        let Some(Line::Game { game, strategy, protocol, .. }) = lines.first() else {
            return Err(RecordError { line: 1, what: "a record begins with its game".to_owned() });
        };
        let wrong = |error: ParseError| RecordError { line: 1, what: error.to_string() };
        if ![PERSON, PROPOSALS].contains(&strategy.as_str()) {
            strategy.parse::<Strategy>().map_err(wrong)?;
        }
        if let Some(protocol) = protocol {
            protocol.parse::<Protocol>().map_err(wrong)?;
        }
        let game: Game = game.parse().map_err(wrong)?;
        let mut kept = None;
        let mut record = Self { history: History::new(game), lines: Vec::new(), secret: None, is_complete: false };
        for (place, line) in lines.iter().enumerate().skip(1) {
            record.add(game, line, &mut kept).map_err(|what| RecordError { line: place + 1, what })?;
        }
        record.lines = lines;
        Ok(record)
    }

    fn add(&mut self, game: Game, line: &Line, kept: &mut Option<Vec<Code>>) -> Result<(), String> {
        if self.is_complete {
            return Err("nothing follows the end of a game".to_owned());
        }
        match line {
            Line::Game { .. } => Err("a second game in one record".to_owned()),
            Line::Round { guess, answer, left, .. } => {
                if self.history.turns().last().is_some_and(|turn| turn.answer == game.solved()) {
                    return Err("no guess follows the secret".to_owned());
                }
                let guess = game.parse_guess(guess).map_err(|error| error.to_string())?;
                let answer = game.parse_feedback(answer).map_err(|error| error.to_string())?;
                self.history.push(guess, answer);
                let found = left_after(kept, &self.history);
                if found == *left { Ok(()) } else { Err(format!("{left} codes are said to be left, but {found} are")) }
            }
            Line::End { secret, is_solved } => {
                self.is_complete = true;
                let Some(secret) = secret else {
                    return if *is_solved { Err("a secret that was found is known".to_owned()) } else { Ok(()) };
                };
                let code = game.parse_code(secret).map_err(|error| error.to_string())?;
                self.secret = Some(code);
                let wrong = |turn: &&crate::Turn| Feedback::of(turn.guess, code) != turn.answer;
                if let Some(turn) = self.history.turns().iter().find(wrong) {
                    return Err(format!("the answer to {} is wrong for {secret}", game.text(turn.guess)));
                }
                let is_found = self.history.turns().last().is_some_and(|turn| turn.guess == code);
                if is_found == *is_solved { Ok(()) } else { Err("the last guess says otherwise".to_owned()) }
            }
        }
    }
}

/// How many codes may be kept.
const KEPT_MAX: u64 = 1 << 20;

/// Returns how many codes are left after another turn; they are kept once they are few.
fn left_after(kept: &mut Option<Vec<Code>>, history: &History) -> u64 {
    if let (Some(codes), Some(turn)) = (&mut *kept, history.turns().last()) {
        codes.retain(|&code| turn.fits(code));
        return codes.len() as u64;
    }
    let found = history.fitting().count() as u64;
    *kept = (found <= KEPT_MAX).then(|| history.fitting().map(|index| history.game().code(index)).collect());
    found
}
