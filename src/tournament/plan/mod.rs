//! The plan of an event: players, boards, openings, format, limits.

mod boards;
mod differences;
mod error;
mod names;
mod openings;
mod players;
mod settings;
mod sprt_model;
mod validate;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use amazons_rules::Position;
use amazons_statistics::Sprt;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::game::{DirectionsArg, GameArgs, GameConfig, GameSettings, PlayerSettings};
use crate::values::Threads;

pub(super) use boards::start_of;
use boards::{board_of, read_openings};
pub use error::PlanError;
pub(super) use names::is_name;
pub(crate) use names::name_rule;
pub(super) use openings::mixed;
use players::{entrants, share_directions};
pub use settings::{PlanSettings, SprtSettings};

/// Maximum number of pairs; an event keeps some 100 bytes of memory for each.
pub(super) const PAIRS_MAX: u64 = 10_000_000;

/// An event as it is written into its journal: everything that its games and standings follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub format: Format,
    pub players: Vec<Entrant>,
    /// Names of boards; with openings from a file at most one.
    pub boards: Vec<String>,
    pub openings: Openings,
    /// Seeds openings and players.
    pub seed: u64,
    /// The games that are kept.
    pub records: Records,
    /// The settings of every game.
    #[serde(serialize_with = "GameSettings::serialize_table")]
    pub game: GameSettings,
    /// Players that were withdrawn from a Swiss event, and the last round of each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub withdrawn: BTreeMap<String, u32>,
}

/// The rule by which players meet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Each player meets all others.
    RoundRobin {
        /// Pairs of each meeting.
        pairs: u32,
    },
    /// The first players meet all others.
    Gauntlet {
        /// Pairs of each meeting.
        pairs: u32,
        /// The number of first players.
        seeds: usize,
    },
    /// Players of equal points meet, no two of them twice if that can be.
    Swiss {
        /// The number of rounds.
        rounds: u32,
        /// Pairs of each meeting.
        pairs: u32,
    },
    /// The loser of a match is out.
    Knockout {
        /// Pairs of a match.
        best_of: u32,
        /// How many pairs a match has at most before the player named first goes on.
        max_pairs: u32,
    },
    /// Two players, until it is known which one is stronger.
    Sprt {
        /// The test.
        #[serde(flatten)]
        test: SprtSettings,
        /// The pairs after which it stops without a verdict.
        max_pairs: u32,
    },
}

impl Format {
    /// Returns its name for people.
    pub const fn words(&self) -> &'static str {
        match self {
            Self::RoundRobin { .. } => "round robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss { .. } => "Swiss system",
            Self::Knockout { .. } => "knockout",
            Self::Sprt { .. } => "sequential test",
        }
    }
}

/// A player of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Its name in tables; no two are the same.
    pub name: String,
    /// Its file, absolute, or a command as for a game.
    pub file: PathBuf,
    /// The hash of the file; null for a command.
    pub sha256: Option<String>,
    /// Its own numbering of the edges of its graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<DirectionsArg>,
    /// Its settings in place of those of all games.
    #[serde(default, skip_serializing_if = "PlayerSettings::is_empty")]
    pub own: PlayerSettings,
}

/// The moves that are played before the players begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// Random plies.
    Random {
        /// The number of plies.
        plies: u32,
    },
    /// These positions, in turn.
    Listed(Vec<String>),
}

/// Which games are kept as records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Records {
    /// Every game
    #[default]
    All,
    /// Games in which a player was at fault
    Faulty,
    None,
}

impl Plan {
    /// Checks a plan as it was typed and hashes its players; relative files are taken from a folder.
    pub fn new(settings: &PlanSettings, base: &Path) -> Result<Self, PlanError> {
        let mut players = entrants(&settings.players, base)?;
        let directions = share_directions(&settings.game.directions, &mut players)?;
        let format = settings.format()?;
        let openings = match (&settings.openings, settings.plies) {
            (Some(_), Some(_)) => return Err(PlanError("plies: --openings has openings already".to_owned())),
            (Some(file), None) => Openings::Listed(read_openings(&base.join(file))?),
            (None, plies) => Openings::Random { plies: plies.unwrap_or(4) },
        };
        let boards = match (&settings.boards[..], &openings) {
            ([], Openings::Random { .. }) => vec!["c10".to_owned()],
            (boards, _) => boards.to_vec(),
        };
        let plan = Self {
            format,
            players,
            boards,
            openings,
            seed: settings.seed.unwrap_or(0),
            records: settings.records.unwrap_or_default(),
            game: GameSettings { directions, ..settings.game.in_folder(base).map_err(PlanError::new)? },
            withdrawn: BTreeMap::new(),
        };
        plan.validate()?;
        plan.check()?;
        Ok(plan)
    }

    /// Checks that each player can take a seat on each board.
    fn check(&self) -> Result<(), PlanError> {
        let positions = match &self.openings {
            Openings::Random { .. } => self.first_openings()?,
            Openings::Listed(texts) => {
                let mut positions = Vec::new();
                for index in 0..texts.len() {
                    let position = self.listed(texts, index)?;
                    if !position.has_moves() {
                        return Err(PlanError(format!("openings: position {}: no player can move", index + 1)));
                    }
                    positions.push(position);
                }
                // They differ in little that matters to a seat.
                positions.dedup_by_key(|position| (position.board().columns(), position.board().rows()));
                positions
            }
        };
        for position in &positions {
            for player in &self.players {
                let refuse = |error| match player.own.has_limits() {
                    true => PlanError(format!("player {}: {error}", player.name)),
                    false => error,
                };
                self.config(position.clone(), player).map_err(refuse)?;
            }
        }
        Ok(())
    }

    /// Returns one of the positions of a file, on the plan's board or on its own rectangle.
    pub(super) fn listed(&self, texts: &[String], index: usize) -> Result<Position, PlanError> {
        let position = match self.boards.first() {
            Some(name) => Position::parse_on(Arc::clone(board_of(name)?.board()), &texts[index]),
            None => Position::parse(&texts[index]),
        };
        position.map_err(|error| PlanError(format!("openings: position {}: {error}", index + 1)))
    }

    /// Returns the configuration of a player's game against itself, checked, with its own limits for both; its own
    /// numbering is not in it.
    pub(super) fn config(&self, position: Position, player: &Entrant) -> Result<GameConfig, PlanError> {
        let [options1, options2] = [0; 2].map(|_| player.own.options.clone());
        let game = GameArgs::between([&player.file; 2], player.own.over(&self.game));
        let args = GameArgs { options1, options2, ..game };
        // Which of a game's two players it is says nothing here.
        GameConfig::of(&args, position).map_err(|error| PlanError(error.without_player()))
    }

    /// Returns the sequential test, if the event is one.
    pub fn sprt(&self) -> Option<Sprt> {
        let Format::Sprt { test, .. } = self.format else { return None };
        test.sprt().ok()
    }

    /// Returns how many threads a player may run at most.
    pub fn threads(&self) -> usize {
        let own = self.players.iter().map(|player| player.own.threads.or(self.game.threads));
        own.flatten().map(Threads::get).max().or(self.game.threads.map(Threads::get)).unwrap_or(1) as usize
    }

    /// Returns whether the plan says how much memory a player may keep.
    pub fn has_memory(&self) -> bool {
        self.game.memory.is_some()
    }

    /// Returns the players' names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.players.iter().map(|player| player.name.as_str())
    }
}
