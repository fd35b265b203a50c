//! A viewer's knowledge of a game at a moment.

use crate::deck::CardSet;
use crate::knowledge::facts::Facts;
use crate::knowledge::view::{Counted, View};
use crate::record::story::{Act, Answered, Rules, Story, Turn};

/// Maximum number of states of a count for a page or a line of text; above, only conclusions by rules are shown.
const MAX_STATES: usize = 1 << 19;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Knows what all hear.
    Spectator,
    /// Knows what this seat has seen.
    Seat(usize),
    /// Knows everything, after the end.
    All,
}

impl Story {
    /// Returns whether this viewer's knowledge can be told: a seat's once its hand is known, all after the end.
    pub fn shows(&self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Spectator => true,
            Viewer::Seat(seat) => self.hands.get(seat).is_some_and(Option::is_some),
            Viewer::All => self.secret.is_some(),
        }
    }

    /// Returns the card that was shown in a turn, if the viewer has seen it.
    pub fn seen(&self, viewer: Viewer, suggester: usize, answered: Answered) -> Option<usize> {
        let has_seen = match viewer {
            Viewer::Spectator => false,
            Viewer::Seat(seat) => seat == suggester || seat == answered.seat,
            Viewer::All => true,
        };
        answered.card.filter(|_| has_seen)
    }

    /// Returns what was accused of and whether it was right, if the viewer knows it.
    pub fn accused(&self, viewer: Viewer, turn: &Turn) -> Option<([usize; 3], bool)> {
        let Act::Accusation { cards } = turn.act else { return None };
        let is_own = viewer == Viewer::All || viewer == Viewer::Seat(turn.seat);
        cards.filter(|(_, is_right)| self.rules == Rules::Classic || is_own || *is_right)
    }

    /// Returns what somebody has seen in the first turns; nothing if that cannot be told.
    pub fn facts(&self, viewer: Viewer, turns: usize) -> Option<Facts> {
        let (me, hand) = match viewer {
            Viewer::Seat(seat) => (seat, (*self.hands.get(seat)?)?),
            Viewer::Spectator => (self.players(), CardSet::EMPTY),
            Viewer::All => return None,
        };
        let mut sizes = self.sizes.clone();
        if viewer == Viewer::Spectator {
            sizes.push(0);
        }
        let mut facts = Facts::new(self.deck, sizes, me, hand);
        for turn in self.turns.iter().take(turns) {
            let Act::Suggestion { cards, passed, shown } = &turn.act else { continue };
            let named = CardSet::of(*cards);
            facts.suggests(turn.seat, named);
            for &seat in passed {
                facts.passes(seat, named);
            }
            if let Some(answered) = *shown {
                match self.seen(viewer, turn.seat, answered) {
                    Some(card) => facts.shows_me(answered.seat, named, card),
                    None => facts.shows(answered.seat, named),
                }
            }
        }
        Some(facts)
    }

    /// Returns what somebody knows after the first turns; nothing if that cannot be told.
    pub fn view(&self, viewer: Viewer, turns: usize) -> Option<View> {
        let facts = self.facts(viewer, turns)?;
        let view = View::new(&facts);
        let counted = Counted::new(&facts, &view.known, MAX_STATES, MAX_STATES >> 6).ok();
        Some(View { counted, ..view })
    }
}
