use std::collections::{BTreeMap, BTreeSet};

use amazons_rules::Directions;
use sha2::{Digest, Sha256};

use super::{Openings, Plan};
use crate::game::DirectionsArg;
use amazons_program::hex;

impl Plan {
    /// Returns the differences of another plan, a line each; files may lie elsewhere.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        for old in &self.players {
            let difference = match other.players.iter().find(|new| new.name == old.name) {
                None => " is not in the plan any more".to_owned(),
                Some(new) if new.sha256 != old.sha256 => {
                    let short = |hash: &Option<String>| {
                        hash.as_ref().map_or("no file".to_owned(), |hash| hash.get(..8).unwrap_or(hash).to_owned())
                    };
                    let [before, now] = [short(&old.sha256), short(&new.sha256)];
                    format!(" has changed: {} was {before}, is {now}", new.file.display())
                }
                Some(new) if old.sha256.is_none() && new.file != old.file => {
                    format!(": {} before, {} now", old.file.display(), new.file.display())
                }
                Some(new) if new.directions != old.directions => {
                    let name = |directions: Option<DirectionsArg>| {
                        directions.map_or("as the game's", |own| Directions::from(own).name())
                    };
                    format!(": directions: {} before, {} now", name(old.directions), name(new.directions))
                }
                Some(new) if new.own != old.own => {
                    format!(": {} before, {} now", old.own.in_words(), new.own.in_words())
                }
                Some(_) => continue,
            };
            differences.push(format!("player {}{difference}", old.name));
        }
        for new in other.players.iter().filter(|new| !self.players.iter().any(|old| old.name == new.name)) {
            differences.push(format!("player {} is new", new.name));
        }
        if differences.is_empty() && self.names().ne(other.names()) {
            differences.push("the players stand in another order".to_owned());
        }
        let fields = |plan: &Self| -> BTreeMap<String, String> {
            let text = |value: serde_json::Result<String>| value.unwrap_or_default();
            // The default may be typed or not, and paths in any order.
            let mut game = plan.game.options();
            game.retain(|option| option != "--directions=ring");
            game.sort();
            let mut fields = BTreeMap::from(
                [
                    ("format", plan.format.to_string()),
                    ("boards", plan.boards.join(",")),
                    ("openings", openings_in_words(&plan.openings)),
                    ("seed", plan.seed.to_string()),
                    ("records", text(serde_json::to_string(&plan.records))),
                ]
                .map(|(name, value)| (name.to_owned(), value)),
            );
            for option in game {
                let (name, value) = option.split_once('=').unwrap_or((&option, "true"));
                let values = fields.entry(name.trim_start_matches("--").to_owned()).or_default();
                let comma = if values.is_empty() { "" } else { "," };
                *values += &format!("{comma}{value}");
            }
            fields
        };
        let (before, now) = (fields(self), fields(other));
        let names: BTreeSet<_> = before.keys().chain(now.keys()).collect();
        let told = |fields: &BTreeMap<_, String>, name| fields.get(name).map_or("not set", |value| value).to_owned();
        let changed = names.into_iter().filter(|name| before.get(*name) != now.get(*name));
        differences
            .extend(changed.map(|name| format!("{name}: {} before, {} now", told(&before, name), told(&now, name))));
        differences
    }
}

fn openings_in_words(openings: &Openings) -> String {
    match openings {
        Openings::Random { plies } => format!("{plies} random plies"),
        Openings::Listed(texts) => {
            let hash = hex(&Sha256::digest(texts.join("\n")));
            format!("{} positions ({})", texts.len(), &hash[..8])
        }
    }
}
