use std::fmt;

use thiserror::Error;

use crate::{Color, Move, Position, Vertex};

/// The two halves of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The queen slides.
    Queen,
    /// The arrow flies from where the queen landed.
    Arrow,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Queen => "queen",
            Self::Arrow => "arrow",
        })
    }
}

/// The reasons why a move is not legal; vertices are given by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The queen is said to come from outside the board.
    #[error("origin {0} is not a vertex of the board")]
    OriginOffBoard(Vertex),
    /// A target is outside the board or in a hole.
    #[error("{step} target {target} is not a vertex of the board")]
    TargetOffBoard {
        /// Which half of the move.
        step: Step,
        /// The target.
        target: Vertex,
    },
    /// The origin has no queen.
    #[error("there is no queen on {0}")]
    NoQueen(Vertex),
    /// The origin has a queen of the other side.
    #[error("the queen on {from} is {owner}'s")]
    OpponentsQueen {
        /// The origin.
        from: Vertex,
        /// Whose queen it is.
        owner: Color,
    },
    /// A half of the move does not go anywhere.
    #[error("the {step} stays on {at}")]
    NoStep {
        /// Which half of the move.
        step: Step,
        /// Where it stays.
        at: Vertex,
    },
    /// No line leads from one vertex to the other.
    #[error("no line leads the {step} from {from} to {target}")]
    NotInLine {
        /// Which half of the move.
        step: Step,
        /// Where it starts.
        from: Vertex,
        /// Where it should end.
        target: Vertex,
    },
    /// A stone stands on the way or on the target.
    #[error("the {step}'s way from {from} to {target} is blocked on {at}")]
    Blocked {
        /// Which half of the move.
        step: Step,
        /// Where it starts.
        from: Vertex,
        /// Where it should end.
        target: Vertex,
        /// The first stone on the way.
        at: Vertex,
    },
}

impl Position {
    /// Checks a move of the side to move.
    ///
    /// # Errors
    /// Says why the move is not legal: the first reason in the order origin, queen's step, arrow.
    pub fn is_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        if !self.board().is_vertex(mv.from) {
            return Err(IllegalMove::OriginOffBoard(mv.from));
        }
        match self.queen_at(mv.from) {
            None => return Err(IllegalMove::NoQueen(mv.from)),
            Some(owner) if owner != self.side_to_move() => {
                return Err(IllegalMove::OpponentsQueen { from: mv.from, owner });
            }
            Some(_) => {}
        }
        self.check_step(Step::Queen, mv.from, mv.to, mv.from)?;
        self.check_step(Step::Arrow, mv.to, mv.arrow, mv.from)
    }

    /// Checks a slide over free vertices; `vacated` counts as free.
    fn check_step(&self, step: Step, from: Vertex, target: Vertex, vacated: Vertex) -> Result<(), IllegalMove> {
        if !self.board().is_vertex(target) {
            return Err(IllegalMove::TargetOffBoard { step, target });
        }
        if from == target {
            return Err(IllegalMove::NoStep { step, at: from });
        }
        let lines = self.board().lines();
        let mut nearest = None;
        for (start, end) in lines.places(from).into_iter().zip(lines.places(target)) {
            let Some(way) = lines.way(start, end) else { continue };
            let mut stones = way.filter(|&vertex| vertex != vacated && !self.is_free(vertex));
            let Some(at) = stones.next() else { return Ok(()) };
            nearest = nearest.or(Some(at));
        }
        Err(match nearest {
            Some(at) => IllegalMove::Blocked { step, from, target, at },
            None => IllegalMove::NotInLine { step, from, target },
        })
    }
}
