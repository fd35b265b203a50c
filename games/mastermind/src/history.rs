use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use crate::code::Code;
use crate::feedback::Feedback;
use crate::game::{Game, ParseError};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    pub guess: Code,
    pub answer: Feedback,
}

/// The guesses of a game so far, with their answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    game: Game,
    turns: Vec<Turn>,
}

/// Answers that fit no code together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    game: Game,
    turn: Turn,
    /// The first turn that leaves no code, counted from 0.
    pub place: usize,
    /// The turns before it that it contradicts, counted from 0; without any of them a code would be left.
    pub earlier: Vec<usize>,
}

impl Turn {
    pub fn fits(&self, code: Code) -> bool {
        Feedback::of(self.guess, code) == self.answer
    }
}

impl History {
    pub const fn new(game: Game) -> Self {
        Self { game, turns: Vec::new() }
    }

    /// Reads turns such as `1122:10 1344:11`; blanks and commas may stand in an answer or between turns.
    pub fn parse(game: Game, text: &str) -> Result<Self, ParseError> {
        let mut parts: Vec<(&str, String)> = Vec::new();
        for word in text.split_whitespace() {
            match (word.split_once(':'), parts.last_mut()) {
                (Some((code, answer)), _) => parts.push((code, answer.to_owned())),
                // More of the last answer, unless that is complete and this is a guess.
                (None, Some((_, answer))) if game.parse_guess(word).is_err() => *answer += &format!(" {word}"),
                (None, _) => {
                    let place = parts.len() + 1;
                    return Err(ParseError(format!(
                        "guess {place} ({word:?}) has no answer: write CODE:ANSWER, such as 1122:10"
                    )));
                }
            }
        }
        let turn = |(place, (code, answer)): (usize, (&str, String))| {
            let at = |what: &str, error| ParseError(format!("{what}guess {}: {error}", place + 1));
            let guess = game.parse_guess(code).map_err(|error| at("", error))?;
            let answer = game.parse_feedback(answer.trim_end_matches([',', ';']));
            Ok(Turn { guess, answer: answer.map_err(|error| at("answer to ", error))? })
        };
        let turns = parts.into_iter().enumerate().map(turn).collect::<Result<_, _>>()?;
        Ok(Self { game, turns })
    }

    pub const fn game(&self) -> Game {
        self.game
    }

    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    pub fn push(&mut self, guess: Code, answer: Feedback) {
        self.turns.push(Turn { guess, answer });
    }

    pub fn pop(&mut self) -> Option<Turn> {
        self.turns.pop()
    }

    /// Replaces an answer.
    pub fn correct(&mut self, place: usize, answer: Feedback) {
        self.turns[place].answer = answer;
    }

    pub fn fits(&self, code: Code) -> bool {
        self.turns.iter().all(|turn| turn.fits(code))
    }

    /// Returns the indices of the codes that agree with all answers, in order.
    pub fn fitting(&self) -> impl Iterator<Item = u32> {
        self.fitting_in(0..self.game.codes())
    }

    /// Returns the codes of an index range that agree with all answers, in order.
    pub fn fitting_in(&self, range: Range<u32>) -> impl Iterator<Item = u32> {
        self.game.codes_in(range).filter(|&(_, code)| self.fits(code)).map(|(index, _)| index)
    }

    pub fn contradiction(&self) -> Option<Contradiction> {
        let mut place = 0;
        for (_, code) in self.game.all_codes() {
            place = place.max(self.turns.iter().take_while(|turn| turn.fits(code)).count());
            if place == self.turns.len() {
                return None;
            }
        }
        // For each code the answers that it breaks; the answers contradict each other as long as each code breaks one.
        let broken = |code| (0..=place).filter(|&turn| !self.turns[turn].fits(code)).collect::<Vec<_>>();
        let broken: BTreeSet<Vec<usize>> = self.game.all_codes().map(|(_, code)| broken(code)).collect();
        let is_enough = |turns: &[usize]| {
            broken.iter().all(|broken| broken.iter().any(|turn| *turn == place || turns.contains(turn)))
        };
        let earlier = smallest(place, is_enough).unwrap_or_else(|| {
            let mut earlier: Vec<usize> = (0..place).collect();
            for turn in (0..place).rev() {
                let rest: Vec<usize> = earlier.iter().copied().filter(|&other| other != turn).collect();
                if is_enough(&rest) {
                    earlier = rest;
                }
            }
            earlier
        });
        Some(Contradiction { game: self.game, turn: self.turns[place], place, earlier })
    }
}

/// Maximum number of turns whose sets are all searched.
const TURNS_MAX: usize = 12;

/// Returns the smallest set of the first turns that is enough, unless there are too many sets.
fn smallest(turns: usize, is_enough: impl Fn(&[usize]) -> bool) -> Option<Vec<usize>> {
    if turns > TURNS_MAX {
        return None;
    }
    let mut sets: Vec<u32> = (0..1 << turns).collect();
    sets.sort_by_key(|set| set.count_ones());
    let members = |set: u32| (0..turns).filter(|turn| set >> turn & 1 != 0).collect::<Vec<_>>();
    sets.into_iter().map(members).find(|set| is_enough(set))
}

/// The form that [`History::parse`] reads.
impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turn = |turn: &Turn| format!("{}:{}", self.game.text(turn.guess), turn.answer);
        f.write_str(&self.turns.iter().map(turn).collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, guess, answer) = (self.place + 1, self.game.text(self.turn.guess), self.turn.answer);
        write!(f, "no code fits: the answer to guess {number} ({guess}: {answer}) ")?;
        let numbers: Vec<String> = self.earlier.iter().map(|place| (place + 1).to_string()).collect();
        match &numbers[..] {
            [] => write!(f, "is impossible in {}", self.game),
            [one] => write!(f, "contradicts guess {one}"),
            [most @ .., last] => write!(f, "contradicts guesses {} and {last}", most.join(", ")),
        }
    }
}
