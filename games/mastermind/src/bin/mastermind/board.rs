//! Codes and answers at a terminal.

use std::env;
use std::io::{IsTerminal as _, stdout};

use amazons_mpi::Launch;
use mastermind::{Code, Game, History, Worth, review};

use crate::page::REVIEWED_MAX;

/// Grounds of the colours, as numbers of the 256 colours of terminals; light enough for black letters.
const GROUNDS: [u8; 16] = [203, 114, 75, 221, 176, 80, 215, 250, 150, 111, 218, 186, 152, 147, 224, 195];

/// How codes are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pegs {
    has_colours: bool,
}

impl Pegs {
    /// Colours at a terminal that has them, unless `NO_COLOR` is set; none under a launcher, whose terminal is not a
    /// person's.
    pub(crate) fn detect() -> Self {
        let is_plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { has_colours: stdout().is_terminal() && Launch::from_env().is_none() && !is_plain }
    }

    pub(crate) fn code(self, game: Game, code: Code) -> String {
        if !self.has_colours {
            return game.text(code);
        }
        let peg = |&colour: &u8| {
            let ground = GROUNDS[usize::from(colour)];
            format!("\x1b[30;48;5;{ground}m {} \x1b[0m", game.colour_name(colour))
        };
        code.pegs().iter().map(peg).collect::<Vec<_>>().join(" ")
    }
}

/// Returns what each guess was worth, for games that are small enough.
pub(crate) fn worths(history: &History) -> String {
    let game = history.game();
    if game.codes() > REVIEWED_MAX {
        return String::new();
    }
    let mut text = String::from("guess     answer  before  after  on average  best  skill   luck\n");
    for (turn, worth) in history.turns().iter().zip(&review(history)) {
        let Worth { before, after, expected, best, .. } = worth;
        let (guess, answer) = (game.text(turn.guess), turn.answer.to_string());
        let (skill, luck) = (100.0 * worth.skill(), worth.luck());
        text += &format!(
            "{guess:<10}{answer:>6}{before:>8}{after:>7}{expected:>12.1}{best:>6.1}{skill:>6.0}%{luck:>+7.1}\n"
        );
    }
    text + "skill: the best guess leaves so much of what this one leaves on average; luck: powers of two\n"
}

/// Returns a number of things.
pub(crate) fn count_of(number: usize, name: &str) -> String {
    let ending = if number == 1 {
        ""
    } else if name.ends_with('s') {
        "es"
    } else {
        "s"
    };
    format!("{number} {name}{ending}")
}

/// Returns numbers as text, with spaces between them.
pub(crate) fn numbers(numbers: &[u64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
