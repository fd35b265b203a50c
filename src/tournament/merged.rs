use super::derived::{board_names, byes, field_of, rated_pairs};
use super::event::Event;
use super::plan::Entrant;
use super::standings::{Field, RankedBy, RatedPair, Standings};

/// Returns the standings of several events together, where the same name and the same file make the same player.
///
/// Players that share a name but not a file get a part of the file's hash added to it. The standings of one event are
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
