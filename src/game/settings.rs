use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Command, FromArgMatches};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::choices::DirectionsArg;
use super::error::ConfigError;
use crate::host::{Clock, GameTime, Limits, Pondering, SandboxMode};
use crate::referee::{MatchRules, PlayerNumber};
use crate::values::{Bytes, Count, Seconds, Threads, Whole, texts};

/// The settings of a game: options on the command line, a table in plans and journals.
#[derive(Clone, Debug, PartialEq, Eq, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Limits")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields, expecting = "a table of settings")]
pub struct GameSettings {
    /// Stop a game without a winner after N moves; in an event: half a point each
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = "Game")]
    pub max_moves: Option<Count>,
    /// How the edges of the graph are numbered, for all players, or for each in turn: subject,ring [default: ring]
    #[arg(long, value_name = "NUMBERING", value_delimiter = ',', num_args = 1, help_heading = "Game")]
    #[serde(deserialize_with = "directions")]
    pub directions: Vec<DirectionsArg>,
    /// Time for each move, in seconds (2, 0.5) or with a unit (500ms) [default: 15, none with --game-time]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub move_time: Option<Seconds>,
    /// Time for all moves of a player together
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub game_time: Option<Seconds>,
    /// Time that a player gains with each move, with --game-time
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, requires = "game_time")]
    pub increment: Option<Seconds<0>>,
    /// The clock: cpu, processor time of all threads divided by --threads, with three times the limit and 200 ms on the wall clock as a backstop; or the wall clock
    #[arg(long, value_name = "CLOCK", default_value = "cpu")]
    pub clock: Clock,
    /// Stop players while their opponent is to move; without it, what they compute then is charged to their next move
    #[arg(long)]
    pub freeze: bool,
    /// Time for initialize
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, default_value = "15")]
    pub init_time: Seconds,
    /// Time for loading a player
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, default_value = "5")]
    pub load_time: Seconds,
    /// Time for finalize
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, default_value = "1")]
    pub finalize_time: Seconds,
    /// How many threads a player may run; with 1 it cannot start any [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<Threads>,
    /// How much memory a player may keep, in bytes or with a unit (512M, 2G, 1T) [default: 4G, or 45 % of what is free]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub memory: Option<Bytes<{ 16 << 20 }>>,
    /// How much a player may print
    #[arg(long, value_name = "SIZE", default_value = "1M", allow_negative_numbers = true)]
    pub log_limit: Bytes<{ 1 << 10 }>,
    /// The reaction to a kernel that offers less than the sandbox needs: refuse, use what there is, or run players
    /// without a sandbox
    #[arg(long, value_name = "MODE", default_value = "auto", help_heading = "Safety")]
    pub sandbox: SandboxMode,
    /// Let players read a file or folder besides their own file and the system's libraries; may be repeated
    #[arg(long, value_name = "PATH", help_heading = "Safety")]
    #[serde(serialize_with = "path_texts", deserialize_with = "paths")]
    pub allow_read: Vec<PathBuf>,
    /// End a game once no region is shared and counting the moves that are left proves who wins
    #[arg(long, help_heading = "Game")]
    pub adjudicate: bool,
    /// End a game as resigned once both players' values give one of them a chance of at least so many percent to win, in three moves of each in a row; libraries report no values
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, help_heading = "Game")]
    pub resign: Option<Whole<51, 100>>,
}

impl Default for GameSettings {
    /// Returns the settings of a command line without options.
    fn default() -> Self {
        let command = Self::augment_args(Command::new("game"));
        let parsed = command.try_get_matches_from(["game"]).and_then(|matches| Self::from_arg_matches(&matches));
        parsed.expect("defaults are valid")
    }
}

impl GameSettings {
    /// Returns the settings with relative paths resolved against a folder, for a file.
    pub fn in_folder(&self, base: &Path) -> Result<Self, ConfigError> {
        let allow_read: Vec<PathBuf> = self.allow_read.iter().map(|path| base.join(path)).collect();
        match allow_read.iter().find(|path| path.to_str().is_none()) {
            Some(path) => Err(ConfigError::NotUtf8(path.clone())),
            None => Ok(Self { allow_read, ..self.clone() }),
        }
    }

    /// Returns the rules of a match in which this player moves first.
    pub fn rules(&self, first: PlayerNumber) -> MatchRules {
        let (max_moves, resign) = (self.max_moves.map(Count::get), self.resign.map(Whole::get));
        MatchRules { first, max_moves, adjudicate: self.adjudicate, resign }
    }

    /// Returns the limits of a player that may keep so many bytes.
    pub fn limits(&self, memory: u64) -> Limits {
        let default = Limits::default();
        let usual = if self.game_time.is_some() { Limits::NO_LIMIT } else { default.play };
        Limits {
            load: self.load_time.0,
            initialize: self.init_time.0,
            play: self.move_time.map_or(usual, |time| time.0),
            finalize: self.finalize_time.0,
            game: self.game_time.map(|bank| GameTime {
                bank: bank.0,
                increment: self.increment.map_or(Duration::ZERO, |increment| increment.0),
            }),
            clock: self.clock,
            pondering: if self.freeze { Pondering::Frozen } else { Pondering::Charged },
            threads: self.threads.map_or(default.threads, NonZeroU32::from),
            memory,
            log: self.log_limit.0,
            ..default
        }
    }

    /// Returns the settings that differ from the default, by name.
    fn table(&self) -> Map<String, Value> {
        let all = |settings: &Self| match serde_json::to_value(settings) {
            Ok(Value::Object(table)) => table,
            _ => Map::new(),
        };
        let (mut table, default) = (all(self), all(&Self::default()));
        table.retain(|name, value| default.get(name) != Some(value));
        table
    }

    /// Writes only the settings that differ from the default.
    pub fn serialize_table<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.table().serialize(to)
    }

    /// Returns the settings that differ from the default as command line options.
    pub fn options(&self) -> Vec<String> {
        let option = |name: &str, value: &Value| match (value, value.as_u64()) {
            (Value::Bool(_), _) => format!("--{name}"),
            (Value::String(text), _) => format!("--{name}={text}"),
            (_, Some(bytes)) if name == "memory" && bytes % (1 << 20) == 0 => format!("--{name}={}M", bytes >> 20),
            _ => format!("--{name}={value}"),
        };
        let options = |(name, value): (String, Value)| match value {
            Value::Array(values) => values.iter().map(|value| option(&name, value)).collect(),
            value => vec![option(&name, &value)],
        };
        self.table().into_iter().flat_map(options).collect()
    }
}

fn directions<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<DirectionsArg>, D::Error> {
    let texts = texts(from)?;
    let words = texts.iter().flat_map(|text| text.split(','));
    words.map(|word| DirectionsArg::deserialize(word.into_deserializer())).collect()
}

fn path_texts<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

fn paths<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
    Ok(texts(from)?.into_iter().map(PathBuf::from).collect())
}
