//! What an event is: players, boards, openings, format, limits.

mod boards;
mod differences;
mod error;
mod format;
mod names;
mod openings;
mod players;
mod validate;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use amazons_rules::Position;
use amazons_statistics::{Sprt, SprtModel};
use serde::{Deserialize, Serialize};

use crate::cli::{DirectionsArg, PlanArgs, RecordsArg};
use crate::game::{ConfigError, GameConfig};
use crate::tournament::rules::{game_args, options_of, rules_of};

pub(super) use boards::start_of;
use boards::{board_of, read_openings};
pub use error::PlanError;
use format::format_of;
pub(super) use names::{is_name, name_rule};
pub(super) use openings::{first_openings, mixed};
pub use openings::{opening, seed_of};
pub use players::Typed;
use players::{entrants, leave_out_common_directions, share_directions};

/// More pairs than anybody plays; an event keeps some 100 bytes of memory for each.
pub(super) const PAIRS_MAX: u64 = 10_000_000;

/// An event as it is written into its journal: everything that its games and standings follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Who meets whom.
    pub format: Format,
    /// Who plays.
    pub players: Vec<Entrant>,
    /// Names of boards; with openings from a file at most one.
    pub boards: Vec<String>,
    /// What is played before the players begin.
    pub openings: Openings,
    /// Seeds openings and players.
    pub seed: u64,
    /// Which games are kept.
    pub records: Records,
    /// Options of every game that are not the default, as for a single game.
    pub game: Vec<String>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin {
        /// How often.
        pairs: u32,
    },
    /// The first players meet all others.
    Gauntlet {
        /// How often.
        pairs: u32,
        /// How many first players.
        seeds: usize,
    },
    /// Players of equal points meet, nobody twice if that can be.
    Swiss {
        /// How many rounds.
        rounds: u32,
        /// Pairs of each meeting.
        pairs: u32,
    },
    /// Who loses a match is out.
    Knockout {
        /// Pairs of a match.
        best_of: u32,
    },
    /// Two players, until it is known who is stronger.
    Sprt {
        /// What is to be refuted.
        elo0: f64,
        /// What is to be shown.
        elo1: f64,
        /// The chance to accept `elo1` when `elo0` is true.
        alpha: f64,
        /// The chance to accept `elo0` when `elo1` is true.
        beta: f64,
        /// `normalized` or `logistic`.
        model: Model,
        /// When to stop without a verdict.
        max_pairs: u32,
    },
}

/// The Elo of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Of the mean score.
    Logistic,
    /// In deviations of a game's score.
    Normalized,
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
    /// How the edges of its graph are numbered, where that is not what the game's options say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<DirectionsArg>,
}

/// What is played before the players begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// So many random plies.
    Random {
        /// How many.
        plies: u32,
    },
    /// These positions, in turn.
    Listed(Vec<String>),
}

/// Which games are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Records {
    /// All.
    All,
    /// Those in which a player was at fault.
    Faulty,
    /// None.
    None,
}

impl From<Option<RecordsArg>> for Records {
    fn from(typed: Option<RecordsArg>) -> Self {
        match typed {
            None | Some(RecordsArg::All) => Self::All,
            Some(RecordsArg::Faulty) => Self::Faulty,
            Some(RecordsArg::None) => Self::None,
        }
    }
}

impl Plan {
    /// Checks a plan as it was typed and hashes its players; relative files are taken from a folder.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(args: &PlanArgs, players: &[Typed], base: &Path) -> Result<Self, PlanError> {
        let mut players = entrants(players, base)?;
        let rules = share_directions(&args.rules, &mut players)?;
        leave_out_common_directions(&rules, &mut players);
        let format = format_of(args)?;
        let openings = match (&args.openings, args.plies) {
            (Some(_), Some(_)) => return Err(PlanError::Option("plies: --openings has openings already".to_owned())),
            (Some(file), None) => Openings::Listed(read_openings(&base.join(file))?),
            (None, plies) => Openings::Random { plies: plies.unwrap_or(4) },
        };
        let boards = match (&args.boards[..], &openings) {
            ([], Openings::Random { .. }) => vec!["c10".to_owned()],
            (boards, _) => boards.to_vec(),
        };
        let plan = Self {
            format,
            players,
            boards,
            openings,
            seed: args.seed.unwrap_or(0),
            records: args.records.into(),
            game: options_of(&rules, base),
        };
        plan.validate()?;
        plan.check()?;
        Ok(plan)
    }

    /// Checks that each player can take a seat on each board.
    fn check(&self) -> Result<(), PlanError> {
        let positions = match &self.openings {
            Openings::Random { .. } => first_openings(self)?,
            Openings::Listed(texts) => {
                let mut positions = Vec::new();
                for index in 0..texts.len() {
                    let position = self.listed(texts, index)?;
                    if !position.has_moves() {
                        return Err(PlanError::Option(format!("openings: position {}: no player can move", index + 1)));
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
                self.config(position.clone(), [&player.file, &player.file])?;
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
        position.map_err(|error| PlanError::Option(format!("openings: position {}: {error}", index + 1)))
    }

    /// Returns the configuration of a game between two files, checked; numberings of the players' own are not in it.
    pub(super) fn config(&self, position: Position, players: [&Path; 2]) -> Result<GameConfig, PlanError> {
        let args = game_args(&self.game, players).map_err(PlanError::Game)?;
        match GameConfig::of(&args, position) {
            Ok(config) => Ok(config),
            // Which of a game's two players it is says nothing here.
            Err(error) => Err(PlanError::Game(plain(&error))),
        }
    }

    /// Returns the sequential test, if the event is one.
    #[must_use]
    pub fn sprt(&self) -> Option<Sprt> {
        let Format::Sprt { elo0, elo1, alpha, beta, model, .. } = self.format else { return None };
        let model = match model {
            Model::Logistic => SprtModel::Logistic,
            Model::Normalized => SprtModel::Normalized,
        };
        Sprt::new(elo0, elo1, alpha, beta, model).ok()
    }

    /// Returns how many threads each player may run.
    #[must_use]
    pub fn threads(&self) -> usize {
        let threads = rules_of(&self.game).ok().and_then(|rules| rules.limits.threads);
        threads.map_or(1, |threads| threads.get() as usize)
    }

    /// Returns whether the plan says how much memory a player may keep.
    #[must_use]
    pub fn has_memory(&self) -> bool {
        self.game.iter().any(|option| option.starts_with("--memory="))
    }

    /// Returns the players' names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.players.iter().map(|player| player.name.as_str())
    }
}

fn plain(error: &ConfigError) -> String {
    let text = error.to_string();
    text.strip_prefix("player 1: ").unwrap_or(&text).to_owned()
}
