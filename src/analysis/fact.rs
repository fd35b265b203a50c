use std::fmt;

use amazons_program::counted;
use amazons_rules::Color;

/// A fact about a move, counted or proved; `Display` writes it as a sentence.
///
/// Where `better` is the text of a move, the fact is about the position after that move; otherwise it is about the
/// position after the move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A side wins by counting: it is sure of some moves, and the other then has at most `held`.
    Moves { better: Option<String>, winner: Color, sure: u32, held: u32 },
    /// The other side was shut out of a region: for good if `sealed`, or else as long as the owner's queens stay.
    Region { better: Option<String>, owner: Color, squares: u32, sealed: bool },
    /// A queen reaches few squares or none: for good if `sealed`, or else as long as the other side's queens stay.
    Enclosed { better: Option<String>, color: Color, square: String, squares: u32, sealed: bool },
    /// The number of squares that a queen would still reach.
    Reach { better: String, color: Color, square: String, squares: u32 },
    /// A count for the mover, and one for the other side, after the better move and after the one played.
    Comparison { of: Measure, better: String, mover: Color, kept: [u32; 2], left: [u32; 2] },
}

/// Something to count for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Squares that the side is nearer to, in queen moves without arrows.
    NearerInMoves,
    /// Squares that the side is nearer to, in steps to a neighbouring square.
    NearerInSteps,
    /// Squares that are at most three steps away.
    ThreeSteps,
    /// Ways to move a queen, without its arrow.
    Ways,
}

impl Measure {
    /// All measures, those that matter most first.
    pub const ALL: [Self; 4] = [Self::NearerInMoves, Self::NearerInSteps, Self::ThreeSteps, Self::Ways];
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moves { better, winner, sure, held } => {
                let (winner, loser) = (name(*winner), name(winner.opposite()));
                let held = if *held == 0 { "none" } else { &held.to_string() };
                let moves = counted((*sure).into(), "more move");
                match (better, sure) {
                    (None, 0) => write!(f, "{loser} can no longer move."),
                    (Some(better), 0) => write!(f, "After {better} {loser} could no longer have moved."),
                    (None, _) => {
                        write!(f, "{winner} is sure of {moves} and can hold {loser} to {held}, enough to win.")
                    }
                    (Some(better), _) => {
                        write!(f, "After {better} {winner} would have been sure of {moves} and could have held ")?;
                        write!(f, "{loser} to {held}, enough to win.")
                    }
                }
            }
            Self::Region { better, owner, squares, sealed } => {
                let (start, can, lets) = match better {
                    None if *sealed => ("The arrow closes", "can", "lets"),
                    None => ("The move closes", "can", "lets"),
                    Some(better) => (&*format!("{better} would have closed"), "could", "let"),
                };
                let (owner, other) = (name(*owner), name(owner.opposite()));
                write!(f, "{start} a region of {squares} squares that only {owner} {can} reach")?;
                if *sealed { f.write_str(".") } else { write!(f, " unless it {lets} {other} in.") }
            }
            Self::Enclosed { better, color, square, squares, sealed } => {
                let after = better.as_ref().map(|better| format!("After {better} ")).unwrap_or_default();
                let fate = match (squares, better) {
                    (0, None) => "can no longer move",
                    (0, Some(_)) => "could no longer have moved",
                    (_, None) => &format!("is shut in with {}", counted((*squares).into(), "square")),
                    (_, Some(_)) => &format!("would have been shut in with {}", counted((*squares).into(), "square")),
                };
                write!(f, "{after}{}'s queen on {square} {fate}", name(*color))?;
                let makes = if better.is_none() { "makes" } else { "made" };
                if *sealed { f.write_str(".") } else { write!(f, " unless {} {makes} way.", name(color.opposite())) }
            }
            Self::Reach { better, color, square, squares } => {
                let (color, squares) = (name(*color), counted((*squares).into(), "square"));
                write!(f, "After {better} {color}'s queen on {square} would still reach {squares}.")
            }
            Self::Comparison { of, better, mover, kept: [own, theirs], left: [own_left, theirs_left] } => {
                let (verb, noun, and) = match of {
                    Measure::NearerInMoves => ("been nearer to", "square", ["", " to"]),
                    Measure::NearerInSteps => ("been nearer, in single steps, to", "square", ["", " to"]),
                    Measure::ThreeSteps => ("been within three steps of", "square", ["", " of"]),
                    Measure::Ways => ("had", "way", [" to move a queen", ""]),
                };
                let (mover, other, own) = (name(*mover), name(mover.opposite()), counted((*own).into(), noun));
                write!(f, "After {better} {mover} would have {verb} {own}{} and {other}{} {theirs}", and[0], and[1])?;
                write!(f, "; after the move played it is {own_left} to {theirs_left}.")
            }
        }
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
