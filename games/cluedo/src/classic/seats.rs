use serde::{Deserialize, Serialize};

pub const SEATS_MAX: usize = 6;

/// Types of AIs that a person may choose; the last three reason: they play like bots of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AiType {
    /// It suggests any unknown cards.
    Default,
    /// It suggests unknown cards that others have named least often.
    Listening,
    /// AIs of odd rank listen, the others are of type default.
    Mix,
    /// Bot 1: it remembers what it was shown.
    Memory,
    /// Bot 2 with the further rules: it concludes from what everybody hears.
    Logic,
    /// Bot 4: it counts every deal, and dares.
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

    pub const fn name(self) -> &'static str {
        ["default", "listening", "mix", "memory", "logic", "exact"][self as usize]
    }

    /// Returns whether the AI with this rank listens.
    pub const fn listens(self, rank: usize) -> bool {
        matches!(self, Self::Listening) || matches!(self, Self::Mix) && rank % 2 == 1
    }

    pub const fn reasons(self) -> bool {
        matches!(self, Self::Memory | Self::Logic | Self::Exact)
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
        self.types().iter().any(|ai_type| ai_type.reasons())
    }
}
