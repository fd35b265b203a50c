use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::table::event::Event;
use crate::table::random::{Stream, draw};
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
    counts: [u16; Deck::CLASSIC.len()],
    stream: Stream,
}

impl Ai {
    /// Seats an AI with a hand and its own random numbers.
    pub fn new(kind: AiKind, hand: CardSet, stream: Stream) -> Self {
        Self { kind, hand, unknown: Deck::CLASSIC.all() - hand, counts: [0; Deck::CLASSIC.len()], stream }
    }

    /// Returns the cards that it has not excluded.
    pub const fn unknown(&self) -> CardSet {
        self.unknown
    }

    /// Returns the cards of one type that it may suggest.
    #[inline]
    pub fn candidates(&self, kind: usize) -> CardSet {
        match self.kind {
            AiKind::Default => self.unknown & Deck::CLASSIC.of_kind(kind),
            AiKind::Listening => self.least_named(kind),
        }
    }

    fn least_named(&self, kind: usize) -> CardSet {
        let (mut set, mut least) = (CardSet::EMPTY, u16::MAX);
        for card in (self.unknown & Deck::CLASSIC.of_kind(kind)).iter() {
            let count = self.counts[card];
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
    fn choose(&mut self, kind: usize) -> Card {
        let candidates = self.candidates(kind);
        match self.kind {
            AiKind::Default => nth(candidates, kind, draw(&mut self.stream, count(candidates, kind))),
            AiKind::Listening => {
                let cards = Deck::CLASSIC.range(kind);
                let from = cards.start + draw(&mut self.stream, cards.len());
                let at_or_after = candidates.iter().find(|&card| card >= from);
                at_or_after.or(candidates.first()).expect("the solution is never excluded")
            }
        }
    }

    /// Returns the only cards that it has not excluded, if there is one of each type.
    #[inline]
    pub fn solution(&self) -> Option<Triple> {
        let is_known = KINDS.iter().all(|&kind| count(self.unknown, kind) == 1);
        is_known.then(|| KINDS.map(|kind| nth(self.unknown, kind, 0)))
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
        let (mut held, mut count) = ([0; 3], 0);
        for card in suggestion {
            held[count] = card;
            count += usize::from(self.hand.contains(card));
        }
        // One card is shown without a draw, as by a person.
        let index = if count > 1 { draw(&mut self.stream, count) } else { 0 };
        (count > 0).then_some(held[index])
    }

    fn hear(&mut self, cards: Triple) {
        if self.kind == AiKind::Listening {
            for card in cards {
                self.counts[card] += 1;
            }
        }
    }

    fn see(&mut self, card: Card) {
        self.unknown.remove(card);
    }

    fn unrefuted(&mut self, suggestion: Triple) {
        self.unknown = CardSet::of(suggestion);
    }
}

/// Returns how many of these cards are of a type.
#[inline]
fn count(cards: CardSet, kind: usize) -> usize {
    COUNTS[of_kind(cards, kind)] as usize
}

/// Returns the card of a type that this many of these cards of that type come before, without a branch.
#[inline]
fn nth(cards: CardSet, kind: usize, index: usize) -> Card {
    let range = Deck::CLASSIC.range(kind);
    let place = NTH[of_kind(cards, kind)][index] as usize;
    assert!(place < range.len(), "there are fewer cards");
    range.start + place
}

/// Returns the cards of a type as the bits of a number below 512.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "at most nine bits")]
const fn of_kind(cards: CardSet, kind: usize) -> usize {
    let range = Deck::CLASSIC.range(kind);
    (cards.0 >> range.start & ((1 << (range.end - range.start)) - 1)) as usize
}

/// For each set of at most nine bits, the number of its first bit, its second, and so on; 255 when there are fewer.
const NTH: [[u8; 9]; 512] = {
    let mut table = [[u8::MAX; 9]; 512];
    let mut set = 0;
    while set < 512 {
        let (mut bit, mut index) = (0, 0);
        while bit < 9 {
            if set >> bit & 1 == 1 {
                table[set][index] = bit;
                index += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

/// For each set of at most nine bits, how many they are: faster than counting where there is no instruction for it.
const COUNTS: [u8; 512] = {
    let mut counts = [0; 512];
    let mut set = 1;
    while set < 512 {
        counts[set] = counts[set / 2] + [0, 1][set % 2];
        set += 1;
    }
    counts
};
