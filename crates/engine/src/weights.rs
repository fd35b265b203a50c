use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use amazons_rules::Step;

use crate::classes::{
    CLASSES, KING, KING_CLASSES, KING_TIE, LIBERTY, MOBILITY, NEIGHBOR_CLASSES, QUEEN, QUEEN_CLASSES, QUEEN_TIE, pair,
};
use crate::text::{self, Row, TextError};

/// The weights of the evaluation: for each input its share of the log-odds of winning, in each phase.
///
/// Phase 0 is a board whose territory is all decided, the last phase one where every vertex is as near to one side as
/// to the other; in between, weights are interpolated linearly by openness / free vertices.
///
/// The text form has a line per input: its name, then the weights of the phases. `#` starts a comment.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The weights in the order of [`Weights::names`].
    pub values: [[f32; Self::PHASES]; Self::COUNT],
}

/// The index of the first tie that counts while an arrow is due.
const SHOT_TIES: usize = CLASSES;
const SHOT_KING_TIES: usize = SHOT_TIES + QUEEN_CLASSES - 1;
/// The index of the constants: a step is due, an arrow is due.
const TEMPO: usize = SHOT_KING_TIES + KING_CLASSES - 1;

impl Weights {
    /// The number of phases.
    pub const PHASES: usize = 4;
    /// The number of inputs.
    pub const COUNT: usize = TEMPO + 2;
    /// All weights are smaller than this.
    pub const LIMIT: f32 = 7.9;

    /// Returns the built-in weights.
    ///
    /// # Panics
    /// Never: the tests also read them.
    #[must_use]
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<Weights> =
            LazyLock::new(|| include_str!("../weights.txt").parse().expect("weights.txt is part of the program"));
        &STANDARD
    }

    /// Returns the names of the inputs: what is counted, the distance of the player to move and that of the opponent.
    ///
    /// `queen 1 3` counts the vertices that are one move away from the player's queens and three from the opponent's,
    /// and the reverse with the opposite sign. In ties and constants, `shot` means that an arrow is due.
    #[must_use]
    pub fn names() -> Vec<String> {
        let mut names = vec![String::new(); Self::COUNT];
        let distances = [
            ("queen", QUEEN, QUEEN_TIE, SHOT_TIES, QUEEN_CLASSES),
            ("king", KING, KING_TIE, SHOT_KING_TIES, KING_CLASSES),
        ];
        for (piece, pairs, ties, shot_ties, classes) in distances {
            let label = |class: usize| match classes - class {
                1 => "never".to_owned(),
                2 => format!("{}+", class + 1),
                _ => (class + 1).to_string(),
            };
            for near in 0..classes - 1 {
                names[ties + near] = format!("{piece} tie {}", label(near));
                names[shot_ties + near] = format!("{piece} tie shot {}", label(near));
                for far in near + 1..classes {
                    names[pairs + pair(classes, near, far)] = format!("{piece} {} {}", label(near), label(far));
                }
            }
        }
        for count in 0..NEIGHBOR_CLASSES {
            names[LIBERTY + count] = format!("liberties {count}");
            names[MOBILITY + count] = format!("mobility {count}");
        }
        "tempo".clone_into(&mut names[TEMPO]);
        "tempo shot".clone_into(&mut names[TEMPO + 1]);
        names
    }

    /// Returns the input of a class while this half of a move is due; the class after all others is the constant.
    pub(crate) const fn input(class: usize, due: Step) -> usize {
        match due {
            Step::Queen if class == CLASSES => TEMPO,
            Step::Queen => class,
            Step::Arrow => match class {
                CLASSES => TEMPO + 1,
                QUEEN_TIE..KING => SHOT_TIES + class - QUEEN_TIE,
                KING_TIE..LIBERTY => SHOT_KING_TIES + class - KING_TIE,
                _ => class,
            },
        }
    }
}

impl FromStr for Weights {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let range = [-Self::LIMIT, Self::LIMIT];
        let rows: Vec<Row<f32>> = Self::names().into_iter().map(|name| Row { name, range }).collect();
        let expected = |_: &_| format!("{} numbers between -{limit} and {limit}", Self::PHASES, limit = Self::LIMIT);
        let values = text::read(text, &rows, expected)?;
        Ok(Self { values: values.try_into().expect("each input has a row") })
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, weights) in Self::names().iter().zip(&self.values) {
            write!(f, "{name:<18}")?;
            for weight in weights {
                write!(f, " {weight:>8.4}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
