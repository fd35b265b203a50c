use crate::classic::random::Stream;
use crate::classic::seats::AiType;
use crate::deal::draw;
use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::game::{Action, Event, Player};

/// An AI: it excludes its own cards and those it has been shown, and nothing else.
#[derive(Clone, Debug)]
pub struct Ai {
    /// Whether it suggests what others have named least often.
    listens: bool,
    rank: usize,
    /// The cards that may be in the solution, as far as it knows.
    unknown: CardSet,
    /// How often others have named each card.
    counts: [u16; Deck::CLASSIC.len()],
    stream: Stream,
}

impl Ai {
    pub fn new(ai_type: AiType, rank: usize, hand: CardSet, stream: Stream) -> Self {
        Self {
            listens: ai_type.listens(rank),
            rank,
            unknown: Deck::CLASSIC.all() - hand,
            counts: [0; Deck::CLASSIC.len()],
            stream,
        }
    }

    pub const fn unknown(&self) -> CardSet {
        self.unknown
    }

    /// Returns the cards of one type that it may suggest.
    #[inline]
    pub fn candidates(&self, kind: usize) -> CardSet {
        let unknown = self.unknown & Deck::CLASSIC.of_kind(kind);
        if self.listens { self.least_named(unknown) } else { unknown }
    }

    fn least_named(&self, cards: CardSet) -> CardSet {
        let least = cards.iter().map(|card| self.counts[card]).min();
        cards.iter().filter(|&card| Some(self.counts[card]) == least).collect()
    }

    #[inline]
    fn choose(&mut self, kind: usize) -> Card {
        if self.listens {
            return self.choose_least_named(kind);
        }
        let unknown = self.unknown & Deck::CLASSIC.of_kind(kind);
        nth(unknown, kind, draw(&mut self.stream, count(unknown, kind)))
    }

    /// A function of its own, so that what AIs do that do not listen stays short enough to be unrolled.
    #[inline(never)]
    fn choose_least_named(&mut self, kind: usize) -> Card {
        let candidates = self.candidates(kind);
        let cards = Deck::CLASSIC.range(kind);
        let from = cards.start + draw(&mut self.stream, cards.len());
        let at_or_after = CardSet(candidates.0 >> from << from).first();
        at_or_after.or(candidates.first()).expect("the solution is never excluded")
    }

    /// Returns the only cards that it has not excluded, if there is one of each type.
    #[inline]
    pub fn solution(&self) -> Option<Triple> {
        let is_known = KINDS.iter().all(|&kind| count(self.unknown, kind) == 1);
        is_known.then(|| KINDS.map(|kind| nth(self.unknown, kind, 0)))
    }
}

impl Player for Ai {
    #[inline]
    fn turn(&mut self) -> Action {
        match self.solution() {
            Some(solution) => Action::Accuse(solution),
            None => Action::Suggest(KINDS.map(|kind| self.choose(kind))),
        }
    }

    #[inline]
    fn show(&mut self, of: CardSet, _to: usize) -> Card {
        let (mut held, mut count) = ([0; 3], 0);
        for card in of.iter().take(3) {
            held[count] = card;
            count += 1;
        }
        // One card is shown without a draw, as by a person.
        held[if count > 1 { draw(&mut self.stream, count) } else { 0 }]
    }

    #[inline(always)]
    fn observe(&mut self, event: &Event) {
        match *event {
            Event::Suggest { seat, cards } | Event::Accuse { seat, cards: Some(cards), .. }
                if self.listens && seat != self.rank =>
            {
                for card in cards {
                    self.counts[card] += 1;
                }
            }
            Event::Show { card: Some(card), .. } => self.unknown.remove(card),
            Event::Unanswered { seat, cards } if seat == self.rank => self.unknown = CardSet::of(cards),
            _ => {}
        }
    }
}

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
