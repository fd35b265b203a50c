/// The score of a log-odds of 1.
pub(crate) const UNIT: f32 = 4096.0;

/// The evaluation of a state for the player to move, or while an arrow is due for the player who stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The log-odds of winning in units of 1 / [`EvalTable::UNIT`](crate::EvalTable::UNIT).
    pub score: i32,
    /// The sum of 2^-|D1 - D2| over the vertices that both sides reach, in 1/16 vertex; queen distances over 5 count as
    /// 5.
    pub openness: u32,
    /// The numbers of vertices that only the player to move reaches, and only the opponent.
    pub own_only: [u32; 2],
}

impl Evaluation {
    /// Returns the probability of winning as a search weighs it, by the logistic function; people are told
    /// [`Evaluation::chance`].
    #[must_use]
    pub fn value(&self) -> f32 {
        self.logistic(UNIT)
    }

    /// Returns the logistic function of the score, given the score of a log-odds of 1.
    #[expect(clippy::cast_precision_loss, reason = "more than enough for a probability")]
    pub(crate) fn logistic(&self, unit: f32) -> f32 {
        1.0 / (1.0 + (self.score as f32 / -unit).exp())
    }

    /// Returns both sides' territories if no vertex is in reach of both.
    #[must_use]
    pub fn decided(&self) -> Option<[u32; 2]> {
        // A vertex in reach of both counts at least 1/16.
        (self.openness == 0).then_some(self.own_only)
    }

    /// Returns `false` only if [`Game::is_countable`](crate::Game::is_countable) does not hold.
    #[must_use]
    pub const fn may_be_countable(&self) -> bool {
        // A vertex in reach of both counts at most one.
        self.openness.div_ceil(16) <= self.own_only[0].abs_diff(self.own_only[1])
    }
}
