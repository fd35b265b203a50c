use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ConfigError, DirectionsArg, GameSettings};
use crate::host::Limits;
use crate::values::{Bytes, Seconds, Threads};

/// The variable that has a player's options.
const OPTIONS: &str = "AMAZONS_OPTIONS";

/// Maximum length of the name or value of a variable.
const TEXT_MAX: usize = 4096;

/// Maximum number of variables.
const VARIABLES_MAX: usize = 64;

/// A player of a plan; in a journal only what it has in place of the settings of all games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlayerSettings {
    /// Its name; by default that of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A library or a command; a plan has it for each player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The numbering of the edges of its graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directions: Option<DirectionsArg>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Seconds>,
    /// Time for all moves together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_time: Option<Seconds>,
    /// Time gained with each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment: Option<Seconds<0>>,
    /// How many threads it may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Threads>,
    /// How much memory it may keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes<{ 16 << 20 }>>,
    /// Its options, as `AMAZONS_OPTIONS` in its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<String>,
    /// Additional environment variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

impl PlayerSettings {
    /// Returns whether it has none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether it has limits of its own.
    pub fn has_limits(&self) -> bool {
        let Self { options, environment, .. } = self.clone();
        *self != Self { options, environment, ..Self::default() }
    }

    /// Returns the settings of all games with its own in their place.
    pub fn over(&self, game: &GameSettings) -> GameSettings {
        GameSettings {
            move_time: self.move_time.or(game.move_time),
            game_time: self.game_time.or(game.game_time),
            increment: self.increment.or(game.increment),
            threads: self.threads.or(game.threads),
            memory: self.memory.or(game.memory),
            ..game.clone()
        }
    }

    /// Returns its limits in place of those of all games; it may keep so many bytes if it does not say itself.
    pub fn limits(&self, game: &GameSettings, memory: u64) -> Limits {
        let memory = self.memory.map_or(memory, |Bytes(own)| own);
        self.over(game).limits(memory)
    }

    pub fn variables(&self) -> Vec<(String, String)> {
        let options = self.options.iter().map(|options| (OPTIONS.to_owned(), options.clone()));
        self.environment.clone().into_iter().chain(options).collect()
    }

    /// Checks what can be checked without the settings of all games.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let is_text = |text: &str| text.len() <= TEXT_MAX && !text.contains(char::is_control);
        if self.environment.len() > VARIABLES_MAX {
            return Err(ConfigError::Variables(VARIABLES_MAX));
        }
        for (name, value) in &self.environment {
            let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            if name.is_empty() || name.len() > 64 || !name.chars().all(is_letter) || name.starts_with(char::is_numeric)
            {
                return Err(ConfigError::VariableName(name.clone()));
            }
            if name.starts_with("AMAZONS_") {
                return Err(ConfigError::Reserved(name.clone()));
            }
            if !is_text(value) {
                return Err(ConfigError::Text { place: format!("environment: {name}"), most: TEXT_MAX });
            }
        }
        if self.options.as_deref().is_some_and(|options| !is_text(options)) {
            return Err(ConfigError::Text { place: "options".to_owned(), most: TEXT_MAX });
        }
        Ok(())
    }

    /// Returns the settings in words.
    pub fn in_words(&self) -> String {
        let Ok(Value::Object(table)) = serde_json::to_value(self) else { return String::new() };
        if table.is_empty() {
            return "nothing of its own".to_owned();
        }
        let word = |(name, value): (String, Value)| match value {
            Value::String(text) => format!("{name}={text}"),
            value => format!("{name}={value}"),
        };
        table.into_iter().map(word).collect::<Vec<_>>().join(" ")
    }
}
