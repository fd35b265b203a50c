use crate::tournament::{
    Entrant, Event, EventPairs, Field, PairSource, RankedBy, RatedPair, Standings, byes, field_of,
};

/// Several events as one: who has the same name and the same file is the same player.
#[derive(Debug)]
pub struct Merged<'a> {
    events: &'a [Event],
    /// Each event's pairs, and which of our players its own are.
    pairs: Vec<(EventPairs<'a>, Vec<usize>)>,
    players: Vec<Entrant>,
    byes: Vec<u32>,
}

impl<'a> Merged<'a> {
    /// Adds up events in order; players that share a name but not a file get a part of the file's hash added to it.
    #[must_use]
    pub fn of(events: &'a [Event]) -> Self {
        let mut merged = Self { events, pairs: Vec::new(), players: Vec::new(), byes: Vec::new() };
        for event in events {
            let places: Vec<usize> = event.plan().players.iter().map(|player| merged.place(player)).collect();
            for (player, byes) in byes(event).into_iter().enumerate() {
                merged.byes[places[player]] += byes;
            }
            merged.pairs.push((EventPairs::of(event), places));
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

    /// Computes standings of all events together; those of one event are what its folder has.
    #[must_use]
    pub fn standings(&self) -> Standings {
        let field = match self.events {
            [event] => field_of(event, self, &self.byes),
            events => Field {
                players: &self.players,
                pairs: self,
                byes: &self.byes,
                test: None,
                ranked_by: RankedBy::Rating,
                is_complete: events.iter().all(Event::is_over),
            },
        };
        Standings::new(&field)
    }
}

impl PairSource for Merged<'_> {
    fn pairs(&self) -> Box<dyn Iterator<Item = RatedPair<'_>> + '_> {
        Box::new(self.pairs.iter().flat_map(|(pairs, places)| {
            pairs.pairs().map(|pair| RatedPair { players: pair.players.map(|id| places[id]), ..pair })
        }))
    }
}
