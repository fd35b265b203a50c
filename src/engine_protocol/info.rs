use std::time::Duration;

use amazons_engine::{Variation, chance};
use amazons_protocol::Dialect;
use amazons_rules::{Color, Move, Position};
use amazons_search::{Outcome, Player, Proof};

/// The state of a search, as `info` lines tell it.
pub(super) struct Info<'a> {
    pub(super) position: &'a Position,
    /// The best lines, best first.
    pub(super) lines: &'a [Variation],
    /// Half-moves of the longest line searched.
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) fullness: Option<f32>,
}

/// The value of a move for the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Score {
    /// The chance of winning, neither 0 nor 1.
    Chance(f64),
    /// A proven win in about as many moves, or a loss if negative.
    Mate(i64),
}

impl Score {
    /// Returns the score of a player's opinion, -1 to 1.
    pub(super) fn of_opinion(value: f32) -> Self {
        Self::Chance(f64::midpoint(1.0, value.into()))
    }

    fn new(position: &Position, line: &Variation) -> Self {
        let side = position.side_to_move();
        match (line.proof, line.moves.first()) {
            (Some(Proof { outcome: Outcome::Win(winner), plies }), Some(&mv)) => {
                let is_won = winner == if side == Color::Black { Player::First } else { Player::Second };
                // Four half-moves are a move and its answer. Most proofs end where counting decides.
                let (won_in, lost_in) = (i64::from(plies.div_ceil(4)), i64::from(plies / 4));
                Self::Mate(match is_won {
                    true if ends_game(position, mv) => 1,
                    true => won_in.max(2),
                    false => -lost_in.max(1),
                })
            }
            _ => Self::Chance(chance(line.value, None, position).into()),
        }
    }

    pub(super) fn words(self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Self::Chance(chance), _) => dialect.value_words(chance.clamp(0.0001, 0.9999)),
            (Self::Mate(moves), Dialect::Aep) => dialect.value_words(if moves > 0 { 1.0 } else { 0.0 }),
            (Self::Mate(moves), Dialect::Uci) => format!("score mate {moves}"),
        }
    }
}

/// Returns whether the other side is blocked after a move.
pub(super) fn ends_game(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    !after.has_moves()
}

impl Info<'_> {
    /// Returns one line for each line of play.
    pub(super) fn text(&self, dialect: Dialect) -> Vec<String> {
        let millis = self.time.as_millis();
        let Self { nodes, position, .. } = self;
        let board = position.board();
        // A move is two half-moves.
        let depth = self.depth.div_ceil(2).max(1);
        let text = |(number, line): (usize, &Variation)| {
            let score = Score::new(position, line).words(dialect);
            let moves: Vec<String> = line.moves.iter().map(|&mv| dialect.move_text(board, mv)).collect();
            let moves = moves.join(" ");
            if dialect == Dialect::Aep {
                return format!("info time {millis} depth {depth} nodes {nodes} {score} pv {moves}");
            }
            let longest = depth.max(u32::try_from(line.moves.len()).unwrap_or(u32::MAX));
            let speed = u128::from(*nodes) * 1000 / millis.max(1);
            let full = self.fullness.map_or_else(String::new, |full| format!(" hashfull {:.0}", full * 1000.0));
            format!(
                "info depth {depth} seldepth {longest} multipv {number} {score} nodes {nodes} nps {speed}{full} time {millis} \
                 pv {moves}"
            )
        };
        (1..).zip(self.lines).map(text).collect()
    }
}
