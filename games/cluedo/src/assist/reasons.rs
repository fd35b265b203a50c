//! Sets of sources from which a fact follows, or that contradict each other, without one that is not needed.

use crate::assist::entry::{Piece, Rule};
use crate::assist::logic::{Fact, Shape};
use crate::knowledge::chances::Uncounted;

/// Sources from which something follows; without any of them, it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The own hand is 0, entries have their numbers.
    pub sources: Vec<usize>,
    /// The rules of these sources that are needed.
    pub pieces: Vec<Piece>,
}

/// Returns sources from which a fact follows, or, without a fact, that contradict each other; nothing if it does not
/// follow.
pub fn support(shape: &Shape, pieces: &[Piece], fact: Option<Fact>) -> Option<Support> {
    let is_enough = |pieces: &[Piece]| {
        let rules: Vec<Rule> =
            pieces.iter().map(|piece| piece.rule).chain(fact.map(|fact| fact.negated().rule())).collect();
        matches!(shape.deals(&rules), Err(Uncounted::NoDeal))
    };
    if !is_enough(pieces) {
        return None;
    }
    let mut left = pieces.to_vec();
    for source in sources(pieces) {
        let fewer: Vec<Piece> = left.iter().copied().filter(|piece| piece.source != source).collect();
        if is_enough(&fewer) {
            left = fewer;
        }
    }
    // A source may have rules that are not needed.
    let mut place = 0;
    while place < left.len() {
        let mut fewer = left.clone();
        fewer.remove(place);
        if is_enough(&fewer) {
            left = fewer;
        } else {
            place += 1;
        }
    }
    Some(Support { sources: sources(&left), pieces: left })
}

fn sources(pieces: &[Piece]) -> Vec<usize> {
    let mut sources: Vec<usize> = pieces.iter().map(|piece| piece.source).collect();
    sources.dedup();
    sources
}
