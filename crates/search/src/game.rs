use std::fmt::Debug;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The player for whom positive values are good.
    First,
    /// The player for whom negative values are good.
    Second,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player wins.
    Win(Player),
    /// Neither player wins.
    Draw,
}

/// A position of a game, with its rules.
///
/// While [`Game::outcome`] is `None` there is at least one move.
pub trait Game: Clone {
    /// A move; it does not always pass the turn.
    type Move: Copy + Eq + Debug;

    /// Packs a move into 32 bits; moves of one position get different numbers.
    fn pack(mv: Self::Move) -> u32;

    /// Returns the move that [`Game::pack`] packed.
    fn unpack(packed: u32) -> Self::Move;

    /// Returns the player who chooses the next move, possibly the one who chose the last.
    fn turn(&self) -> Player;

    /// Replaces the contents of `moves` by the legal moves, in a fixed order.
    fn moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays one of [`Game::moves`].
    fn play(&mut self, mv: Self::Move);

    /// Undoes `mv`, the last move played.
    fn undo(&mut self, mv: Self::Move);

    /// Returns the outcome if the game is over, or if the game itself can prove it (a solved endgame).
    fn outcome(&self) -> Option<Outcome>;

    /// Returns a well-mixed hash of all that the future depends on, [`Game::turn`] included.
    fn key(&self) -> u64;
}

impl Player {
    /// Returns the other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns 1 for First and −1 for Second: the factor between a value and this player's view of it.
    #[must_use]
    pub const fn sign(self) -> f32 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
        }
    }
}

impl Outcome {
    /// Returns 1 when First wins, −1 when Second does, 0 for a draw.
    #[must_use]
    pub const fn value(self) -> f32 {
        match self {
            Self::Win(player) => player.sign(),
            Self::Draw => 0.0,
        }
    }
}
