use std::error::Error;
use std::fmt;

use crate::{Board, Color, Move, Position, Vertex};

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

/// Why a move is illegal.
///
/// `Display` shows vertices by id; [`IllegalMove::describe`] adds their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The origin is outside the board.
    OriginOffBoard(Vertex),
    /// A target is outside the board or in a hole.
    TargetOffBoard {
        /// The half of the move.
        step: Step,
        /// The target.
        target: Vertex,
    },
    /// The origin has no queen.
    NoQueen(Vertex),
    /// The origin has a queen of the other side.
    OpponentsQueen {
        /// The origin.
        from: Vertex,
        /// The queen's owner.
        owner: Color,
    },
    /// A half of the move goes nowhere.
    NoStep {
        /// The half of the move.
        step: Step,
        /// The vertex.
        at: Vertex,
    },
    /// No line leads from one vertex to the other.
    NotInLine {
        /// The half of the move.
        step: Step,
        /// Its start.
        from: Vertex,
        /// Its target.
        target: Vertex,
    },
    /// A stone blocks the path or the target.
    Blocked {
        /// The half of the move.
        step: Step,
        /// Its start.
        from: Vertex,
        /// Its target.
        target: Vertex,
        /// The first stone on the path.
        at: Vertex,
    },
}

impl IllegalMove {
    /// Describes the reason with squares of the board.
    pub fn describe(&self, board: &Board) -> String {
        self.say(|vertex| match board.is_vertex(vertex) {
            true => format!("{} ({vertex})", board.square(vertex)),
            false => vertex.to_string(),
        })
    }

    fn say(&self, name: impl Fn(Vertex) -> String) -> String {
        match *self {
            Self::OriginOffBoard(vertex) => format!("origin {} is not a vertex of the board", name(vertex)),
            Self::TargetOffBoard { step, target } => {
                format!("{step} target {} is not a vertex of the board", name(target))
            }
            Self::NoQueen(vertex) => format!("there is no queen on {}", name(vertex)),
            Self::OpponentsQueen { from, owner } => format!("the queen on {} is {owner}'s", name(from)),
            Self::NoStep { step: Step::Queen, at } => format!("the queen does not leave {}", name(at)),
            Self::NoStep { step: Step::Arrow, at } => format!("the arrow hits its own queen on {}", name(at)),
            Self::NotInLine { step, from, target } => {
                format!("no line leads the {step} from {} to {}", name(from), name(target))
            }
            Self::Blocked { step, from, target, at } => {
                format!("the {step}'s way from {} to {} is blocked on {}", name(from), name(target), name(at))
            }
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.say(|vertex| vertex.to_string()))
    }
}

impl Error for IllegalMove {}

impl Position {
    /// Plays a legal move. The error is the reason why the move is illegal; the position is then unchanged.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.is_legal(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Checks a move of the side to move. The error is the reason why the move is illegal: the first in the order
    /// origin, queen's step, arrow.
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
