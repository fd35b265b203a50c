use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::derived::{board_names, byes, field_of, rated_pairs};
use super::event::Event;
use super::plan::Entrant;
use super::schedule::Pair;
use super::standings::{Field, RankedBy, RatedPair, Standings};
use amazons_program::hex;

/// Returns the standings of several events together, where the same name, file and own settings make the same player.
///
/// Players that share only a name get a part of a hash added to it: of the file, or of the file and the settings. The
/// standings of one event are those of its folder.
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
    let none = BTreeMap::new();
    Standings::new(&match events {
        [event] => field_of(event, &pairs, &merged.byes),
        events => Field {
            players: &merged.players,
            pairs: &pairs,
            byes: &merged.byes,
            test: None,
            ranked_by: RankedBy::Rating,
            is_complete: events.iter().all(Event::is_over),
            withdrawn: &none,
        },
    })
}

/// Returns two events of a list and two players that have met in both on the same openings, if there are any: their
/// games would count twice.
pub fn counted_twice(events: &[Event]) -> Option<([usize; 2], [String; 2])> {
    let merged = Merged::of(events);
    let meetings: Vec<BTreeSet<[usize; 2]>> = events
        .iter()
        .zip(&merged.places)
        .map(|(event, places)| {
            let is_whole = |pair: &&Pair| event.results().half_points(pair.number).is_some();
            let two = |pair: &Pair| {
                let [one, two] = pair.players.map(|id| places[id]);
                [one.min(two), one.max(two)]
            };
            event.schedule().pairs().iter().filter(is_whole).map(two).collect()
        })
        .collect();
    (0..events.len()).flat_map(|two| (0..two).map(move |one| [one, two])).find_map(|[one, two]| {
        let has_same_games = events[one].plan().has_openings_of(events[two].plan());
        let met = meetings[one].intersection(&meetings[two]).next().filter(|_| has_same_games)?;
        Some(([one, two], met.map(|player| merged.players[player].name.clone())))
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
    Some(hex(&Sha256::digest(text)))
}
