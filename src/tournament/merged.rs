use std::collections::{BTreeMap, BTreeSet};

use super::derived::{board_names, byes, field_of, rated_pairs};
use super::event::Event;
use super::plan::Entrant;
use super::schedule::Pair;
use super::standings::{Field, RankedBy, RatedPair, Standings};

/// Returns the standings of several events together, where the same name and the same file make the same player.
///
/// Players that share a name but not a file get a part of the file's hash added to it. The standings of one event are
/// those of its folder.
#[must_use]
pub fn merged_standings(events: &[Event]) -> Standings {
    let mut merged = Merged::default();
    let boards: Vec<Vec<String>> = events.iter().map(|event| board_names(event.plan())).collect();
    let mut pairs = Vec::new();
    for (event, boards) in events.iter().zip(&boards) {
        let places: Vec<usize> = event.plan().players.iter().map(|player| merged.place(player)).collect();
        for (player, byes) in byes(event).into_iter().enumerate() {
            merged.byes[places[player]] += byes;
        }
        for pair in rated_pairs(event, boards) {
            pairs.push(RatedPair { players: pair.players.map(|id| places[id]), ..pair });
        }
    }
    merged.tell_apart();
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
#[must_use]
pub fn counted_twice(events: &[Event]) -> Option<([usize; 2], [String; 2])> {
    let (mut merged, mut meetings) = (Merged::default(), Vec::new());
    for event in events {
        let places: Vec<usize> = event.plan().players.iter().map(|player| merged.place(player)).collect();
        let whole = event.schedule().pairs().iter().filter(|pair| event.results().half_points(pair.number).is_some());
        let two = |pair: &Pair| {
            let [one, two] = pair.players.map(|id| places[id]);
            [one.min(two), one.max(two)]
        };
        meetings.push(whole.map(two).collect::<BTreeSet<[usize; 2]>>());
    }
    (0..events.len()).flat_map(|two| (0..two).map(move |one| [one, two])).find_map(|[one, two]| {
        let has_same_games = events[one].plan().has_openings_of(events[two].plan());
        let met = meetings[one].intersection(&meetings[two]).next().filter(|_| has_same_games)?;
        Some(([one, two], met.map(|player| merged.players[player].name.clone())))
    })
}

#[derive(Default)]
struct Merged {
    players: Vec<Entrant>,
    byes: Vec<u32>,
}

impl Merged {
    fn place(&mut self, player: &Entrant) -> usize {
        let is_same = |known: &Entrant| known.name == player.name && known.sha256 == player.sha256;
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
                && let Some(hash) = &player.sha256
            {
                player.name = format!("{}.{}", player.name, &hash[..8]);
            }
        }
    }
}
