use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use amazons_rules::Step;

use crate::classes::{
    COARSE_KING, COARSE_KING_CLASSES, KING, KING_CLASSES, KING_TIE, LIBERTY, NETWORK_INPUTS, NETWORK_KING,
    NETWORK_KING_TIE, NETWORK_LIBERTY, QUEEN_CLASSES, QUEEN_TIE, pair,
};
use crate::phase::{PARTS, part};
use crate::text::{self, Row, TextError};
use crate::{Evaluation, Features};

/// A network with one hidden layer that evaluates the same counts on every board, whatever its size and shape.
///
/// Each of [`Network::HIDDEN`] neurons takes the counts of both sides, once as the player to move sees them and once as the
/// opponent does: max(0, bias + sum of weights * counts). The score is the sum of all neurons of both views times the weights of
/// the output, which are interpolated between phases as [`crate::Weights`] are. All numbers are integers; counts over
/// [`Network::MAX_COUNT`] enter as that.
///
/// The text form has a line per input and view, per bias, and per view and phase of the output: its name, then a number for
/// each neuron. `#` starts a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Weights of the counts, by input: of the side whose view it is, of the other side.
    pub inputs: [[[i8; Self::HIDDEN]; 2]; Self::INPUTS],
    /// Biases, for a position where a step is due and for one where an arrow is.
    pub biases: [[i32; Self::HIDDEN]; 2],
    /// Weights of the output by phase: of the mover's view, of the opponent's; in units of 1 / [`Network::OUTPUT_UNIT`] of
    /// the score.
    pub outputs: [[[i16; Self::HIDDEN]; 2]; Self::PHASES],
}

impl Network {
    /// The number of neurons.
    pub const HIDDEN: usize = 32;
    /// The number of counts of each side.
    pub const INPUTS: usize = NETWORK_INPUTS;
    /// The number of phases.
    pub const PHASES: usize = 4;
    /// Larger counts enter as this one.
    pub const MAX_COUNT: u8 = 127;
    /// The score is an output weight times a neuron, divided by this.
    pub const OUTPUT_UNIT: i64 = 256;
    /// The largest bias allowed.
    pub const MAX_BIAS: i32 = 1 << 20;

    /// A network of zeros.
    pub const ZERO: Self = Self {
        inputs: [[[0; Self::HIDDEN]; 2]; Self::INPUTS],
        biases: [[0; Self::HIDDEN]; 2],
        outputs: [[[0; Self::HIDDEN]; 2]; Self::PHASES],
    };

    /// Returns the built-in network.
    ///
    /// # Panics
    /// Never: the tests also read it.
    #[must_use]
    pub fn standard() -> &'static Self {
        static STANDARD: LazyLock<Network> =
            LazyLock::new(|| include_str!("../network.txt").parse().expect("network.txt is part of the program"));
        &STANDARD
    }

    /// Returns the names of the inputs: what is counted, the distance of the side itself and that of the other.
    #[must_use]
    pub fn input_names() -> [String; Self::INPUTS] {
        const KING_NAMES: [&str; COARSE_KING_CLASSES] = ["1", "2", "3-4", "5+", "never"];
        const QUEEN_NAMES: [&str; QUEEN_CLASSES] = ["1", "2", "3", "4", "5+", "never"];
        let mut names = [const { String::new() }; Self::INPUTS];
        let mut name = |kind: &str, classes: &[&str], pairs: usize, ties: usize| {
            for (near, class) in classes.iter().enumerate() {
                for (far, other) in classes.iter().enumerate().skip(near + 1) {
                    names[pairs + pair(classes.len(), near, far)] = format!("{kind} {class} {other}");
                }
                if near + 1 < classes.len() {
                    names[ties + near] = format!("{kind} {class} {class}");
                }
            }
        };
        name("queen", &QUEEN_NAMES, 0, QUEEN_TIE);
        name("king", &KING_NAMES, NETWORK_KING, NETWORK_KING_TIE);
        let neighbors = ["liberties", "mobility"].into_iter().flat_map(|kind| (0..=8).map(move |count| (kind, count)));
        for (name, (kind, count)) in names[NETWORK_LIBERTY..].iter_mut().zip(neighbors) {
            *name = format!("{kind} {count}");
        }
        names
    }

    /// Evaluates counts; the reference for the fast paths.
    #[must_use]
    pub fn evaluate(&self, features: &Features) -> Evaluation {
        let counts = features.network_inputs();
        let neuron = |view: usize, neuron: usize| {
            let sum: i32 = counts
                .iter()
                .zip(&self.inputs)
                .map(|(sides, [own, other])| {
                    i32::from(sides[view]) * i32::from(own[neuron])
                        + i32::from(sides[1 - view]) * i32::from(other[neuron])
                })
                .sum();
            i64::from((sum + self.biases[due_index(features.due)][neuron]).max(0))
        };
        let outputs = self.interpolated(part(features.openness, features.free));
        let sum: i64 = (0..2)
            .flat_map(|view| (0..Self::HIDDEN).map(move |index| (view, index)))
            .map(|(view, index)| neuron(view, index) * i64::from(outputs[view][index]))
            .sum();
        Evaluation { score: score(sum), openness: features.openness, own_only: features.own_only }
    }

    /// Returns the output's weights at a step from closed to open, of [`PARTS`].
    #[expect(clippy::cast_possible_truncation, reason = "between two 16-bit numbers")]
    pub(crate) fn interpolated(&self, part: u32) -> [[i16; Self::HIDDEN]; 2] {
        const STEPS: u32 = Network::PHASES as u32 - 1;
        const WHOLE: i32 = PARTS.cast_signed();
        let place = part * STEPS;
        let lower = (place / PARTS).min(STEPS - 1);
        let share = (place - lower * PARTS).cast_signed();
        let mix =
            |lower: i16, upper: i16| ((i32::from(lower) * (WHOLE - share) + i32::from(upper) * share) / WHOLE) as i16;
        let lower = lower as usize;
        let (lower, upper) = (&self.outputs[lower], &self.outputs[lower + 1]);
        std::array::from_fn(|view| std::array::from_fn(|index| mix(lower[view][index], upper[view][index])))
    }

    /// The rows of the text.
    fn rows() -> Vec<Row<i32>> {
        let row = |name, largest: i32| Row { name, range: [-largest, largest] };
        let names = Self::input_names();
        let inputs = names.iter().flat_map(|name| [format!("{name} mine"), format!("{name} theirs")]);
        let inputs = inputs.map(|name| row(name, i8::MAX.into()));
        let biases = ["bias step", "bias arrow"].map(|name| row(name.to_owned(), Self::MAX_BIAS));
        let outputs =
            (0..Self::PHASES).flat_map(|phase| [format!("output {phase} mine"), format!("output {phase} theirs")]);
        let outputs = outputs.map(|name| row(name, i16::MAX.into()));
        inputs.chain(biases).chain(outputs).collect()
    }

    /// The numbers in the order of [`Network::rows`].
    fn numbers(&self) -> Vec<[i32; Self::HIDDEN]> {
        let inputs = self.inputs.as_flattened().iter().map(|row| row.map(i32::from));
        let outputs = self.outputs.as_flattened().iter().map(|row| row.map(i32::from));
        inputs.chain(self.biases).chain(outputs).collect()
    }

    #[expect(clippy::cast_possible_truncation, reason = "each row is within its range")]
    fn from_numbers(rows: &[[i32; Self::HIDDEN]]) -> Self {
        let mut network = Self::ZERO;
        let mut rows = rows.iter();
        for (own, row) in network.inputs.as_flattened_mut().iter_mut().zip(&mut rows) {
            *own = row.map(|number| number as i8);
        }
        for (bias, row) in network.biases.iter_mut().zip(&mut rows) {
            *bias = *row;
        }
        for (output, row) in network.outputs.as_flattened_mut().iter_mut().zip(&mut rows) {
            *output = row.map(|number| number as i16);
        }
        network
    }
}

#[inline(always)]
pub(crate) const fn due_index(due: Step) -> usize {
    match due {
        Step::Queen => 0,
        Step::Arrow => 1,
    }
}

/// Scales the sum of the outputs to the units of a score.
#[inline(always)]
pub(crate) fn score(sum: i64) -> i32 {
    let score = (sum / Network::OUTPUT_UNIT).clamp(i64::from(-i32::MAX), i64::from(i32::MAX));
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let score = score as i32;
    score
}

impl Features {
    /// Returns the network's counts, of the player to move and of the opponent.
    ///
    /// Both distances of a tie count for both sides; king distances are coarser than [`Features::king`].
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "limited")]
    pub fn network_inputs(&self) -> [[u8; 2]; Network::INPUTS] {
        let mut sums = [[0; 2]; Network::INPUTS];
        sums[..KING].copy_from_slice(&self.counts[..KING]);
        sums[NETWORK_LIBERTY..].copy_from_slice(&self.counts[LIBERTY..]);
        let mut add = |at: usize, [own, other]: [u32; 2]| {
            sums[at][0] += own;
            sums[at][1] += other;
        };
        for (near, &coarse_near) in COARSE_KING.iter().enumerate().take(KING_CLASSES - 1) {
            add(NETWORK_KING_TIE + coarse_near, self.counts[KING_TIE + near]);
            for (far, &coarse_far) in COARSE_KING.iter().enumerate().skip(near + 1) {
                let [own, other] = self.counts[KING + pair(KING_CLASSES, near, far)];
                if coarse_near == coarse_far {
                    add(NETWORK_KING_TIE + coarse_near, [own + other; 2]);
                } else {
                    add(NETWORK_KING + pair(COARSE_KING_CLASSES, coarse_near, coarse_far), [own, other]);
                }
            }
        }
        sums.map(|sides| sides.map(|count| count.min(u32::from(Network::MAX_COUNT)) as u8))
    }
}

impl FromStr for Network {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let expected =
            |row: &Row<i32>| format!("{} whole numbers from {} to {}", Self::HIDDEN, row.range[0], row.range[1]);
        Ok(Self::from_numbers(&text::read(text, &Self::rows(), expected)?))
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (Row { name, .. }, numbers) in Self::rows().iter().zip(self.numbers()) {
            write!(f, "{name:<22}")?;
            for number in numbers {
                write!(f, " {number}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
