use std::fmt;

use amazons_rules::Color;
use serde::{Deserialize, Deserializer, Serialize, de};

/// An engine's evaluation of a move: chances are those of its player, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveNote {
    /// The chance of winning before the move.
    #[serde(deserialize_with = "chance")]
    pub win: f32,
    /// The proven winner before the move.
    #[serde(default, with = "color")]
    pub proven: Option<Color>,
    /// The chance of winning after the move.
    #[serde(deserialize_with = "chance")]
    pub win_after: f32,
    /// The proven winner after the move.
    #[serde(default, with = "color")]
    pub proven_after: Option<Color>,
    /// The chance given away; 0 for the engine's own move.
    #[serde(deserialize_with = "chance")]
    pub loss: f32,
    /// The grade of a bad move.
    pub mark: Option<Mark>,
    /// The accuracy of the move in percent.
    #[serde(deserialize_with = "percentage")]
    pub accuracy: f32,
    /// The best moves with the play that the engine expects, best first.
    pub lines: Vec<Variation>,
    /// Sentences on what the move changed, counted or proven.
    #[serde(default)]
    pub facts: Vec<String>,
    /// Visits of the search before the move.
    pub nodes: u64,
    /// Half-moves of the longest line searched.
    pub depth: u32,
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variation {
    /// The moves as text.
    pub moves: Vec<String>,
    /// The chance of winning of the player of the first move.
    #[serde(deserialize_with = "chance")]
    pub win: f32,
    /// The proven winner after the first move.
    #[serde(default, with = "color")]
    pub proven: Option<Color>,
    /// Visits of the tree through the first move.
    pub visits: u64,
}

/// A grade of a bad move, by the chance of winning that it gave away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mark {
    /// `?!`: at least a tenth.
    #[serde(rename = "?!")]
    Dubious,
    /// `?`: at least two tenths.
    #[serde(rename = "?")]
    Mistake,
    /// `??`: at least three tenths.
    #[serde(rename = "??")]
    Blunder,
}

impl Mark {
    /// All marks, mildest first.
    pub const ALL: [Self; 3] = [Self::Dubious, Self::Mistake, Self::Blunder];

    /// Returns the minimum loss for the mark.
    pub const fn threshold(self) -> f32 {
        match self {
            Self::Dubious => 0.1,
            Self::Mistake => 0.2,
            Self::Blunder => 0.3,
        }
    }

    /// Returns the mark of a move that gives away this chance.
    pub fn of(loss: f32) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| loss >= mark.threshold())
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        })
    }
}

impl MoveNote {
    /// Describes the move in words, for formats without such notes: empty for a good move.
    pub fn text(&self) -> String {
        let Some(mark) = self.mark else { return String::new() };
        let better = self.lines.first().and_then(|line| line.moves.first());
        let better = better.map_or_else(String::new, |better| format!("; better: {better}"));
        let change = format!("{mark} {:.0} % -> {:.0} %{better}.", 100.0 * self.win, 100.0 * self.win_after);
        std::iter::once(&change).chain(&self.facts).map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// Reads a chance. Fails when it is not from 0 to 1.
pub fn chance<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    within(deserializer, 1.0)
}

fn percentage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    within(deserializer, 100.0)
}

fn within<'de, D: Deserializer<'de>>(deserializer: D, most: f32) -> Result<f32, D::Error> {
    let number = f32::deserialize(deserializer)?;
    let wrong = || de::Error::custom(format_args!("{number} is not from 0 to {most}"));
    (0.0..=most).contains(&number).then_some(number).ok_or_else(wrong)
}

/// A colour as `black` or `white`, or null.
pub mod color {
    use amazons_rules::Color;
    use serde::{Deserialize, Deserializer, Serializer, de};

    /// Writes the colour's name.
    pub fn serialize<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        match color {
            Some(color) => serializer.collect_str(color),
            None => serializer.serialize_none(),
        }
    }

    /// Finds the colour with a name. Fails for any other text.
    pub fn named(name: &str) -> Result<Color, String> {
        let found = Color::ALL.into_iter().find(|color| color.to_string() == name);
        found.ok_or_else(|| format!("'{name}' is no colour: use black or white"))
    }

    /// Reads the colour's name. Fails for any other text.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        name.map(|name| named(&name).map_err(de::Error::custom)).transpose()
    }
}
