use crate::deck::{Card, Triple};

/// Something that happens at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A player suggests three cards.
    Suggest {
        /// Its rank.
        rank: usize,
        /// The cards.
        cards: Triple,
    },
    /// A player has none of them.
    Pass {
        /// Its rank.
        rank: usize,
    },
    /// A player shows one of them to the player who suggested them.
    Show {
        /// Its rank.
        rank: usize,
        /// The card; nothing for those who may not see it.
        card: Option<Card>,
    },
    /// A player accuses.
    Accuse {
        /// Its rank.
        rank: usize,
        /// The cards.
        cards: Triple,
        /// Whether they are the solution.
        is_right: bool,
    },
    /// A person leaves the game, which ends it.
    Leave {
        /// The person's rank.
        rank: usize,
    },
}
