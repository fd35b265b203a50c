use std::collections::BTreeSet;
use std::fmt;

use super::names::PLAYERS;
use super::players::check_spelling;
use super::{Format, Openings, PAIRS_MAX, Plan, PlanError, SprtSettings};

impl Plan {
    /// Checks everything that can be checked without boards and the players' files: journals can be edited.
    pub fn validate(&self) -> Result<(), PlanError> {
        let players = self.players.len();
        if !PLAYERS.contains(&players) {
            return Err(PlanError::of_players(players));
        }
        let mut names = BTreeSet::new();
        for player in &self.players {
            check_spelling(&player.name)?;
            if !names.insert(&player.name) {
                let name = &player.name;
                return Err(PlanError(format!("two players are called '{name}': give each a name of its own")));
            }
            let is_hash = |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !player.sha256.as_ref().is_none_or(is_hash) {
                return Err(PlanError(format!("player {}: invalid SHA-256", player.name)));
            }
            let game = player.own.over(&self.game);
            if player.own.increment.is_some() && game.game_time.is_none() {
                return Err(PlanError(format!("player {}: increment: missing game-time", player.name)));
            }
            player.own.validate().map_err(|reason| PlanError(format!("player {}: {reason}", player.name)))?;
        }
        self.validate_games()?;
        let pairs = self.format.most_pairs(players);
        if pairs.is_none_or(|pairs| pairs > PAIRS_MAX) {
            return Err(PlanError(format!("pairs: the event would have more than {PAIRS_MAX} of them")));
        }
        match self.format {
            Format::Gauntlet { seeds, .. } if seeds >= players => {
                Err(PlanError(format!("seeds: {seeds} of {players} players leave no opponents")))
            }
            Format::Sprt { test, .. } => {
                if players != 2 {
                    return Err(PlanError(format!("sprt: a test has two players, not {players}")));
                }
                test.sprt().map(drop).map_err(|error| PlanError(format!("sprt: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Checks that games have somewhere to begin, and their settings fit together.
    pub(in crate::tournament) fn validate_games(&self) -> Result<(), PlanError> {
        let reason = match &self.openings {
            Openings::Listed(texts) if texts.is_empty() => "openings: there is no position",
            Openings::Listed(_) if self.boards.len() > 1 => {
                "openings: positions of a file stand on one board: name no other"
            }
            Openings::Random { .. } if self.boards.is_empty() => "boards: none given",
            _ if self.game.increment.is_some() && self.game.game_time.is_none() => "game: missing --game-time",
            _ => return Ok(()),
        };
        Err(PlanError(reason.to_owned()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundRobin { pairs } => write!(f, "round-robin (pairs {pairs})"),
            Self::Gauntlet { pairs, seeds } => write!(f, "gauntlet (pairs {pairs}, seeds {seeds})"),
            Self::Swiss { rounds, pairs } => write!(f, "swiss (rounds {rounds}, pairs {pairs})"),
            Self::Knockout { best_of, max_pairs } => write!(f, "knockout (best-of {best_of}, max-pairs {max_pairs})"),
            Self::Sprt { test: SprtSettings { elo0, elo1, alpha, beta, model }, max_pairs } => {
                let model = model.name();
                let test = format!("elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}");
                write!(f, "sprt ({test}, max-pairs {max_pairs})")
            }
        }
    }
}

impl Format {
    /// Returns whether this only adds pairs or rounds to another format, whose schedule is then the beginning of this
    /// one's.
    pub(in crate::tournament) fn extends(&self, before: &Self) -> bool {
        match (*self, *before) {
            (Self::RoundRobin { pairs }, Self::RoundRobin { pairs: had }) => pairs > had,
            (Self::Gauntlet { pairs, seeds }, Self::Gauntlet { pairs: had, seeds: same }) => {
                pairs > had && seeds == same
            }
            (Self::Swiss { rounds, pairs }, Self::Swiss { rounds: had, pairs: same }) => rounds > had && pairs == same,
            (Self::Sprt { test, max_pairs }, Self::Sprt { test: same, max_pairs: had }) => {
                max_pairs > had && test == same
            }
            _ => false,
        }
    }

    /// Returns a bound for the number of pairs that players can meet in; nothing beyond all numbers.
    pub(super) fn most_pairs(&self, players: usize) -> Option<u64> {
        let meetings = (players as u64).checked_mul(players as u64)? / 2;
        match *self {
            Self::RoundRobin { pairs } | Self::Gauntlet { pairs, .. } => meetings.checked_mul(pairs.into()),
            Self::Swiss { rounds, pairs } => meetings.checked_mul(rounds.into())?.checked_mul(pairs.into()),
            Self::Knockout { max_pairs, .. } => meetings.checked_mul(max_pairs.into()),
            Self::Sprt { max_pairs, .. } => Some(max_pairs.into()),
        }
    }
}
