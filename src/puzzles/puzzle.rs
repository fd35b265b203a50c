use amazons_rules::{Move, Position};

/// A position in which exactly one move wins.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Where it was found.
    pub source: Source,
    pub position: Position,
    /// The move that wins.
    pub answer: Move,
    /// The move that a short search prefers, which loses.
    pub lure: Move,
    /// The visits after which the engine prefers the answer for good; `None` if it does not find it.
    pub visits: Option<u64>,
    /// The positions of the proof that the answer wins, as [`amazons_solve::Solution::proof_positions`] counts them.
    pub proof_positions: usize,
    /// All other moves.
    pub wrong: Vec<Refutation>,
}

/// A game, and a moment of it.
#[derive(Clone, Debug)]
pub struct Source {
    pub file: String,
    /// The number of the game in it, from 1.
    pub game: usize,
    /// The number of moves before the position.
    pub ply: usize,
    /// The names of Black and White, as far as they are known.
    pub players: [Option<String>; 2],
    /// The move that was played.
    pub played: Option<Move>,
}

/// A move that loses, and why.
#[derive(Clone, Copy, Debug)]
pub struct Refutation {
    pub mv: Move,
    /// A reply that wins.
    pub reply: Move,
    pub proof_positions: usize,
}

impl Puzzle {
    /// The order of puzzles: those that the engine does not find come last.
    pub fn difficulty(&self) -> u64 {
        self.visits.unwrap_or(u64::MAX)
    }

    /// The stones and the side to move as text, which the moves before do not change.
    pub fn placement(&self) -> String {
        self.position.to_string().split(' ').take(2).collect()
    }

    /// The positions of all proofs together: that the answer wins, and that no other move does.
    pub fn all_positions(&self) -> usize {
        self.proof_positions + self.wrong.iter().map(|wrong| wrong.proof_positions).sum::<usize>()
    }
}
