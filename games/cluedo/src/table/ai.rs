use crate::deck::{CARDS, Card, CardSet, KINDS, Kind, Triple};
use crate::table::event::Event;
use crate::table::random::{Stream, below};
use crate::table::seats::AiKind;

/// What a player does in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It asks the others for one of three cards.
    Suggest(Triple),
    /// It says that these three are the solution.
    Accuse(Triple),
}

/// A player's decisions, and what it may learn from.
pub trait Strategy {
    /// Chooses the next turn.
    fn turn(&mut self) -> Turn;

    /// Chooses which of its cards to show, if it has one of three.
    fn refute(&mut self, suggestion: Triple) -> Option<Card>;

    /// Hears the cards that another player suggests, or of which it accuses.
    fn hear(&mut self, cards: Triple);

    /// Sees a card that another player shows it.
    fn see(&mut self, card: Card);

    /// Learns that nobody refuted its suggestion.
    fn unrefuted(&mut self, suggestion: Triple);

    /// Returns whether it must be told who answers the suggestions of others.
    fn hears_answers(&self) -> bool {
        false
    }

    /// Hears what all hear, its own turns included; [`Event::Show`] has its card only if it was shown to this player.
    ///
    /// The answers to others are told only to a player that [hears](Self::hears_answers) them.
    fn observe(&mut self, _event: &Event) {}

    /// Learns that a player has accused wrongly.
    fn loses(&mut self, _rank: usize) {}
}

/// An AI: it excludes its own cards and those it has been shown, and nothing else.
#[derive(Clone, Debug)]
pub struct Ai {
    kind: AiKind,
    hand: CardSet,
    /// The cards that may be in the solution, as far as it knows.
    unknown: CardSet,
    /// How often others have named each card.
    counts: [u16; CARDS],
    stream: Stream,
}

impl Ai {
    /// Seats an AI with a hand and its own random numbers.
    pub fn new(kind: AiKind, hand: CardSet, stream: Stream) -> Self {
        Self { kind, hand, unknown: hand.complement(), counts: [0; CARDS], stream }
    }

    /// Returns the cards that it has not excluded.
    pub const fn unknown(&self) -> CardSet {
        self.unknown
    }

    /// Returns the cards of one type that it may suggest.
    #[inline]
    pub fn candidates(&self, kind: Kind) -> CardSet {
        match self.kind {
            AiKind::Default => self.unknown.and(kind.set()),
            AiKind::Listening => self.least_named(kind),
        }
    }

    fn least_named(&self, kind: Kind) -> CardSet {
        let (mut set, mut least) = (CardSet::EMPTY, u16::MAX);
        for card in self.unknown.and(kind.set()) {
            let count = self.counts[card.index()];
            if count < least {
                (set, least) = (CardSet::EMPTY, count);
            }
            if count == least {
                set.insert(card);
            }
        }
        set
    }

    #[inline]
    fn choose(&mut self, kind: Kind) -> Card {
        let candidates = self.candidates(kind);
        match self.kind {
            AiKind::Default => candidates.nth(kind, draw(&mut self.stream, candidates.count(kind))),
            AiKind::Listening => {
                let from = usize::from(kind.first()) + draw(&mut self.stream, usize::from(kind.count()));
                let at_or_after = candidates.into_iter().find(|card| card.index() >= from);
                at_or_after.or(candidates.first()).expect("the solution is never excluded")
            }
        }
    }

    /// Returns the only cards that it has not excluded, if there is one of each type.
    #[inline]
    pub fn solution(&self) -> Option<Triple> {
        let is_known = KINDS.iter().all(|&kind| self.unknown.count(kind) == 1);
        is_known.then(|| KINDS.map(|kind| self.unknown.nth(kind, 0)))
    }
}

impl Strategy for Ai {
    #[inline]
    fn turn(&mut self) -> Turn {
        match self.solution() {
            Some(solution) => Turn::Accuse(solution),
            None => Turn::Suggest(KINDS.map(|kind| self.choose(kind))),
        }
    }

    fn refute(&mut self, suggestion: Triple) -> Option<Card> {
        let has = suggestion.map(|card| self.hand.contains(card));
        let count = has.iter().filter(|&&has| has).count();
        if count == 0 {
            return None;
        }
        // One card is shown without a draw, as by a person.
        let mut index = if count > 1 { draw(&mut self.stream, count) } else { 0 };
        let chosen = suggestion.into_iter().zip(has).find(|&(_, has)| {
            let is_chosen = has && index == 0;
            index = index.wrapping_sub(usize::from(has));
            is_chosen
        });
        chosen.map(|(card, _)| card)
    }

    fn hear(&mut self, cards: Triple) {
        if self.kind == AiKind::Listening {
            for card in cards {
                self.counts[card.index()] += 1;
            }
        }
    }

    fn see(&mut self, card: Card) {
        self.unknown.remove(card);
    }

    fn unrefuted(&mut self, suggestion: Triple) {
        self.unknown = suggestion.into();
    }
}

/// Draws a number below a number of cards.
#[inline]
fn draw(stream: &mut Stream, cards: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "there are 21 cards")]
    let cards = cards as u32;
    below(stream, cards) as usize
}
