use amazons_rules::{Move, Position, Slides, Vertex};
use rand::{Rng, RngExt};

/// A position within a turn: each turn is three actions, the queen, its target and its arrow, each given by its vertex.
#[derive(Clone, Debug)]
pub(crate) struct Staged {
    /// The position before the turn.
    pub(crate) position: Position,
    pub(crate) stage: Stage,
}

/// The choices made in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing.
    Queen,
    /// The queen.
    Target(Vertex),
    /// The queen and its target.
    Arrow(Vertex, Vertex),
}

impl Staged {
    pub(crate) const fn new(position: Position) -> Self {
        Self { position, stage: Stage::Queen }
    }

    /// Returns 0 while the queen is to be chosen, 1 for the target, 2 for the arrow.
    pub(crate) const fn phase(&self) -> u8 {
        match self.stage {
            Stage::Queen => 0,
            Stage::Target(_) => 1,
            Stage::Arrow(..) => 2,
        }
    }

    /// Returns the queen and the target chosen.
    pub(crate) const fn chosen(&self) -> [Option<Vertex>; 2] {
        match self.stage {
            Stage::Queen => [None, None],
            Stage::Target(from) => [Some(from), None],
            Stage::Arrow(from, to) => [Some(from), Some(to)],
        }
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.stage == Stage::Queen && !self.position.has_moves()
    }

    /// Returns the legal vertices of the second and third action.
    #[inline]
    fn slides(&self) -> Option<Slides<'_>> {
        match self.stage {
            Stage::Queen => None,
            Stage::Target(from) => Some(self.position.slides(from)),
            Stage::Arrow(from, to) => Some(self.position.shots(from, to)),
        }
    }

    #[inline]
    fn movable(&self) -> impl Iterator<Item = Vertex> + '_ {
        let own = self.position.queens(self.position.side_to_move()).iter().copied();
        own.filter(|&queen| self.position.slides(queen).next().is_some())
    }

    /// Calls `f` with each legal action.
    #[inline]
    pub(crate) fn for_each_legal(&self, f: impl FnMut(Vertex)) {
        match self.slides() {
            None => self.movable().for_each(f),
            Some(slides) => slides.flatten().copied().for_each(f),
        }
    }

    #[inline]
    pub(crate) fn is_legal(&self, action: Vertex) -> bool {
        match self.slides() {
            None => self.movable().any(|queen| queen == action),
            Some(mut slides) => slides.any(|slide| slide.contains(&action)),
        }
    }

    /// Returns the reason why an action is not legal.
    pub(crate) fn explain(&self, action: Vertex) -> String {
        let mv = match self.stage {
            Stage::Queen => Move { from: action, to: action, arrow: action },
            Stage::Target(from) => Move { from, to: action, arrow: from },
            Stage::Arrow(from, to) => Move { from, to, arrow: action },
        };
        let board = self.position.board();
        match self.position.is_legal(mv) {
            // An own queen that goes nowhere passes as an origin: it is blocked.
            Err(_)
                if self.stage == Stage::Queen
                    && self.position.queen_at(action) == Some(self.position.side_to_move()) =>
            {
                format!("the queen on {} ({action}) cannot move", board.square(action))
            }
            Err(reason) => reason.describe(board),
            Ok(()) => format!("action {action} is not legal"),
        }
    }

    /// Applies a legal action.
    #[inline]
    pub(crate) fn apply(&mut self, action: Vertex) {
        self.stage = match self.stage {
            Stage::Queen => Stage::Target(action),
            Stage::Target(from) => Stage::Arrow(from, action),
            Stage::Arrow(from, to) => {
                self.position.play_unchecked(Move { from, to, arrow: action });
                Stage::Queen
            }
        };
    }

    /// Draws a legal action, each with the same chance; `None` when the game is over.
    #[inline]
    pub(crate) fn sample(&self, rng: &mut impl Rng) -> Option<Vertex> {
        let Some(slides) = self.slides() else {
            let count = self.movable().count();
            return (count > 0).then(|| rng.random_range(0..count)).and_then(|choice| self.movable().nth(choice));
        };
        let count: usize = slides.clone().map(<[Vertex]>::len).sum();
        let mut choice = rng.random_range(0..count);
        for slide in slides {
            match slide.get(choice) {
                Some(&action) => return Some(action),
                None => choice -= slide.len(),
            }
        }
        None
    }
}
