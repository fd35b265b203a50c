use serde::{Deserialize, Serialize};

pub const SEATS_MAX: usize = 6;

/// The two ways in which AIs choose suggestions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AiKind {
    /// Any unknown card.
    Default,
    /// An unknown card that others have named least often.
    Listening,
}

/// How an AI that reasons decides: it plays like a bot of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reasoning {
    /// Bot 1: it remembers what it was shown.
    Memory,
    /// Bot 2 with the further rules: it concludes from what everybody hears.
    Logic,
    /// Bot 4: it counts every deal, and dares.
    Exact,
}

/// Types of AIs that a person may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AiType {
    Default,
    Listening,
    /// AIs of odd rank listen, the others are of kind default.
    Mix,
    Memory,
    Logic,
    Exact,
}

/// The types of the AIs of a game, from rank 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<AiType>", try_from = "Vec<AiType>")]
pub struct LineUp {
    types: [AiType; SEATS_MAX - 1],
    count: usize,
}

impl AiType {
    /// All types, by number.
    pub const ALL: [Self; 6] = [Self::Default, Self::Listening, Self::Mix, Self::Memory, Self::Logic, Self::Exact];

    /// The types of the report of 2012.
    pub const REPORT: [Self; 3] = [Self::Default, Self::Listening, Self::Mix];

    pub const fn name(self) -> &'static str {
        ["default", "listening", "mix", "memory", "logic", "exact"][self as usize]
    }

    /// Returns the kind of the AI with this rank, unless it reasons.
    pub const fn kind(self, rank: usize) -> Option<AiKind> {
        match self {
            Self::Default => Some(AiKind::Default),
            Self::Mix if rank.is_multiple_of(2) => Some(AiKind::Default),
            Self::Listening | Self::Mix => Some(AiKind::Listening),
            Self::Memory | Self::Logic | Self::Exact => None,
        }
    }

    pub const fn reasoning(self) -> Option<Reasoning> {
        match self {
            Self::Default | Self::Listening | Self::Mix => None,
            Self::Memory => Some(Reasoning::Memory),
            Self::Logic => Some(Reasoning::Logic),
            Self::Exact => Some(Reasoning::Exact),
        }
    }

    /// Returns whether such an AI must be told who answers the suggestions of others.
    pub const fn hears_answers(self) -> bool {
        matches!(self, Self::Logic | Self::Exact)
    }
}

impl From<LineUp> for Vec<AiType> {
    fn from(ais: LineUp) -> Self {
        ais.types().to_vec()
    }
}

impl TryFrom<Vec<AiType>> for LineUp {
    type Error = &'static str;

    fn try_from(types: Vec<AiType>) -> Result<Self, Self::Error> {
        Self::new(&types).ok_or("2 to 5 AIs can play")
    }
}

impl LineUp {
    /// Panics when `count` is not 2 to 5.
    pub const fn uniform(ai_type: AiType, count: usize) -> Self {
        assert!(2 <= count && count < SEATS_MAX, "2 to 5 AIs can play");
        Self { types: [ai_type; SEATS_MAX - 1], count }
    }

    /// Nothing if they are not 2 to 5.
    pub fn new(types: &[AiType]) -> Option<Self> {
        let mut all = [AiType::Default; SEATS_MAX - 1];
        all.get_mut(..types.len()).filter(|places| places.len() >= 2)?.copy_from_slice(types);
        Some(Self { types: all, count: types.len() })
    }

    pub const fn count(&self) -> usize {
        self.count
    }

    pub fn types(&self) -> &[AiType] {
        &self.types[..self.count]
    }

    /// Returns the type of all of them, if it is the same.
    pub fn only_type(&self) -> Option<AiType> {
        let types = self.types();
        types.iter().all(|&other| other == types[0]).then_some(types[0])
    }

    /// Returns whether one of them or more reason.
    pub fn reasons(&self) -> bool {
        self.types().iter().any(|ai_type| ai_type.reasoning().is_some())
    }
}
