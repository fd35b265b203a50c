/// The most players of a game.
pub const SEATS_MAX: usize = 6;

/// The players of a game: their ranks follow each other, and the first of them moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    /// The rank of the first player: 0 if the game master plays, else 1.
    pub first: usize,
    /// How many play.
    pub count: usize,
}

/// The two ways in which AIs choose suggestions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AiKind {
    /// Any unknown card.
    Default,
    /// An unknown card that others have named least often.
    Listening,
}

/// Types of AIs that a person may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AiType {
    /// All of kind [`AiKind::Default`].
    Default,
    /// All of kind [`AiKind::Listening`].
    Listening,
    /// AIs of odd rank listen, the others are of kind default.
    Mix,
}

/// Who is asked first to refute a suggestion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asking {
    /// The next rank, then cyclically.
    #[default]
    Cyclic,
    /// The lowest rank.
    Lowest,
}

impl Seats {
    /// AIs alone: rank 0 is only the game master.
    #[must_use]
    pub const fn ais_alone(ais: usize) -> Self {
        Self { first: 1, count: ais }
    }

    /// A person on rank 0 and this many AIs.
    #[must_use]
    pub const fn with_person(ais: usize) -> Self {
        Self { first: 0, count: ais + 1 }
    }

    /// Returns the highest rank.
    #[must_use]
    pub const fn last(self) -> usize {
        self.first + self.count - 1
    }

    /// Returns whether rank 0 plays.
    #[must_use]
    pub const fn has_person(self) -> bool {
        self.first == 0
    }

    /// Returns whether a rank plays.
    #[must_use]
    pub const fn contains(self, rank: usize) -> bool {
        rank >= self.first && rank <= self.last()
    }

    /// Returns the ranks in order.
    #[must_use]
    pub const fn ranks(self) -> std::ops::RangeInclusive<usize> {
        self.first..=self.last()
    }

    /// Returns the rank after another, cyclically.
    #[must_use]
    pub const fn after(self, rank: usize) -> usize {
        if rank == self.last() { self.first } else { rank + 1 }
    }

    /// Returns the rank before another, cyclically.
    #[must_use]
    pub const fn before(self, rank: usize) -> usize {
        if rank == self.first { self.last() } else { rank - 1 }
    }

    /// Returns the other ranks in the order in which they are asked to refute a suggestion of `rank`.
    pub fn asked(self, rank: usize, asking: Asking) -> impl Iterator<Item = usize> {
        let mut next = match asking {
            Asking::Cyclic => self.after(rank),
            Asking::Lowest => self.first,
        };
        (0..self.count).filter_map(move |_| {
            let asked = next;
            next = self.after(next);
            (asked != rank).then_some(asked)
        })
    }
}

impl AiType {
    /// All types, by number.
    pub const ALL: [Self; 3] = [Self::Default, Self::Listening, Self::Mix];

    /// Returns its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["default", "listening", "mix"][self as usize]
    }

    /// Returns the kind of the AI with this rank.
    #[must_use]
    pub const fn kind(self, rank: usize) -> AiKind {
        match self {
            Self::Default => AiKind::Default,
            Self::Mix if rank.is_multiple_of(2) => AiKind::Default,
            Self::Listening | Self::Mix => AiKind::Listening,
        }
    }
}
