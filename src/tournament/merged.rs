use sha2::{Digest, Sha256};

use super::derived::{board_names, byes, field_of, rated_pairs};
use super::event::Event;
use super::plan::Entrant;
use super::standings::{Field, RankedBy, RatedPair, Standings};
use crate::referee::to_hex;

/// Returns the standings of several events together, where the same name, file and own settings make the same player.
///
/// Players that share only a name get a part of a hash added to it: of the file, or of the file and the settings. The standings of one event are
/// those of its folder.
#[must_use]
pub fn merged_standings(events: &[Event]) -> Standings {
    let mut merged = Merged::of(events);
    let boards: Vec<Vec<String>> = events.iter().map(|event| board_names(event.plan())).collect();
    let mut pairs = Vec::new();
    for ((event, boards), places) in events.iter().zip(&boards).zip(&merged.places) {
        for (player, byes) in byes(event).into_iter().enumerate() {
            merged.byes[places[player]] += byes;
        }
        for pair in rated_pairs(event, boards) {
            pairs.push(RatedPair { players: pair.players.map(|id| places[id]), ..pair });
        }
    }
    Standings::new(&match events {
        [event] => field_of(event, &pairs, &merged.byes),
        events => Field {
            players: &merged.players,
            pairs: &pairs,
            byes: &merged.byes,
            test: None,
            ranked_by: RankedBy::Rating,
            is_complete: events.iter().all(Event::is_over),
        },
    })
}

/// The players of several events.
#[derive(Default)]
pub(super) struct Merged {
    /// All players, under different names.
    pub players: Vec<Entrant>,
    /// For each event, where its players are among all of them.
    pub places: Vec<Vec<usize>>,
    byes: Vec<u32>,
}

impl Merged {
    pub(super) fn of(events: &[Event]) -> Self {
        let mut merged = Self::default();
        for event in events {
            let places = event.plan().players.iter().map(|player| merged.place(player)).collect();
            merged.places.push(places);
        }
        merged.tell_apart();
        merged
    }

    fn place(&mut self, player: &Entrant) -> usize {
        let is_same =
            |known: &Entrant| (&known.name, &known.sha256, &known.own) == (&player.name, &player.sha256, &player.own);
        self.players.iter().position(is_same).unwrap_or_else(|| {
            self.players.push(player.clone());
            self.byes.push(0);
            self.players.len() - 1
        })
    }

    fn tell_apart(&mut self) {
        let names: Vec<String> = self.players.iter().map(|player| player.name.clone()).collect();
        for player in &mut self.players {
            if names.iter().filter(|name| **name == player.name).count() > 1
                && let Some(hash) = hash_of(player)
            {
                player.name = format!("{}.{}", player.name, &hash[..8]);
            }
        }
    }
}

/// Returns a hash of what tells players apart that share a name: the file, and its own settings if it has any.
fn hash_of(player: &Entrant) -> Option<String> {
    if player.own.is_empty() {
        return player.sha256.clone();
    }
    let text = format!("{:?} {}", player.sha256, player.own.in_words());
    Some(to_hex(&Sha256::digest(text)))
}
