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
///
/// Connect 4 in a screenful:
///
/// ```
/// use amazons_search::{AlphaBeta, AlphaBetaConfig, Evaluator, Game, Limits, Outcome, Player, Searcher};
///
/// /// The stones of the side to move and those of both: seven bits a column from below, the seventh always free.
/// #[derive(Clone, Default)]
/// struct Connect4 {
///     own: u64,
///     stones: u64,
/// }
///
/// impl Connect4 {
///     const BOTTOM: u64 = 0x0408_1020_4081;
///     const CELLS: u64 = Self::BOTTOM * 0x3f;
///
///     fn top(&self, column: u32) -> u64 {
///         let column = 0x7f << (7 * column);
///         (self.stones + Self::BOTTOM) & column
///     }
/// }
///
/// impl Game for Connect4 {
///     type Move = u32;
///
///     fn pack(column: u32) -> u32 {
///         column
///     }
///
///     fn unpack(packed: u32) -> u32 {
///         packed
///     }
///
///     fn turn(&self) -> Player {
///         if self.stones.count_ones() % 2 == 0 { Player::First } else { Player::Second }
///     }
///
///     fn moves(&self, columns: &mut Vec<u32>) {
///         columns.clear();
///         columns.extend((0..7).filter(|&column| self.top(column) & Self::CELLS != 0));
///     }
///
///     fn play(&mut self, column: u32) {
///         self.own ^= self.stones;
///         self.stones |= self.top(column);
///     }
///
///     fn undo(&mut self, column: u32) {
///         self.stones ^= self.top(column) >> 1;
///         self.own = (self.own ^ self.stones) & self.stones;
///     }
///
///     fn outcome(&self) -> Option<Outcome> {
///         let last = self.own ^ self.stones;
///         let has_four = [1, 6, 7, 8].into_iter().any(|by| {
///             let pairs = last & (last >> by);
///             pairs & (pairs >> (2 * by)) != 0
///         });
///         if has_four {
///             return Some(Outcome::Win(self.turn().opponent()));
///         }
///         (self.stones == Self::CELLS).then_some(Outcome::Draw)
///     }
///
///     fn key(&self) -> u64 {
///         let key = (self.own + self.stones + Self::BOTTOM).wrapping_mul(0xbf58_476d_1ce4_e5b9);
///         (key ^ (key >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb)
///     }
/// }
///
/// /// Knows nothing before the end of the game.
/// struct Even;
///
/// impl Evaluator<Connect4> for Even {
///     fn evaluate(&mut self, _: &Connect4) -> f32 {
///         0.0
///     }
/// }
///
/// let mut game = Connect4::default();
/// // First threatens three in a row with both ends open.
/// [3, 3, 4, 4].into_iter().for_each(|column| game.play(column));
/// let config = AlphaBetaConfig { table_bytes: 1 << 16, ..AlphaBetaConfig::default() };
/// let report = AlphaBeta::new(config, Even).search(&game, &mut Limits::depth(5));
/// assert!(matches!(report.best, Some(2 | 5)));
/// assert_eq!(report.proof.map(|proof| (proof.outcome, proof.plies)), Some((Outcome::Win(Player::First), 3)));
/// ```
pub trait Game: Clone {
    /// A move; it does not always pass the turn.
    type Move: Copy + Eq + Debug;

    /// Packs a move into 32 bits; moves of one position get different numbers.
    fn pack(mv: Self::Move) -> u32;

    /// Inverts [`Game::pack`].
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

    /// Returns a well-mixed hash of everything that the future depends on, including [`Game::turn`].
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
    pub const fn sign(self) -> f32 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
        }
    }
}

impl Outcome {
    /// Returns 1 when First wins, −1 when Second does, 0 for a draw.
    pub const fn value(self) -> f32 {
        match self {
            Self::Win(player) => player.sign(),
            Self::Draw => 0.0,
        }
    }
}
