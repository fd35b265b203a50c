use sha2::{Digest as _, Sha256};

use crate::card_names::CardNames;
use crate::classic::random::{Stream, draw};
use crate::classic::seats::SEATS_MAX;
use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::game::{Dealt, Seats};

/// The solution and the hands of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    pub seats: Seats,
    /// The suspect, the weapon and the room.
    pub solution: Triple,
    /// The hands, from the first player on.
    hands: [CardSet; SEATS_MAX],
}

impl Deal {
    /// Draws the solution, shuffles the other cards and deals them one by one.
    pub fn random(seats: Seats, stream: &mut Stream) -> Self {
        let solution = KINDS.map(|kind| {
            let cards = Deck::CLASSIC.range(kind);
            cards.start + draw(stream, cards.len())
        });
        let mut cards = [solution[0]; Deck::CLASSIC.len() - 3];
        let others = Deck::CLASSIC.all() - CardSet::of(solution);
        for (place, card) in cards.iter_mut().zip(others.iter()) {
            *place = card;
        }
        let mut hands = [CardSet::EMPTY; SEATS_MAX];
        let mut seat = 0;
        // Each card is drawn from those that are left.
        for dealt in 0..cards.len() {
            let drawn = dealt + draw(stream, cards.len() - dealt);
            cards.swap(dealt, drawn);
            hands[seat].insert(cards[dealt]);
            seat = if seat + 1 == seats.count { 0 } else { seat + 1 };
        }
        Self { seats, solution, hands }
    }

    /// Hands are from the first player on. Fails when a card is missing or twice, or a hand has a wrong size.
    pub fn new(seats: Seats, solution: Triple, hands: &[CardSet]) -> Result<Self, String> {
        if hands.len() != seats.count || seats.count > SEATS_MAX {
            return Err(format!("{} hands for {} players", hands.len(), seats.count));
        }
        if Deck::CLASSIC.triple(solution) != Some(solution) {
            return Err("the solution is not a suspect, a weapon and a room".to_owned());
        }
        let mut seen = CardSet::of(solution);
        for (seat, &hand) in hands.iter().enumerate() {
            let size = hand_size(seats.count, seat);
            if hand.len() != size {
                return Err(format!("rank {} has {} cards, not {size}", seats.first + seat, hand.len()));
            }
            if let Some(twice) = (hand & seen).first() {
                return Err(format!("{} was dealt twice", CardNames::classic().name(twice)));
            }
            seen |= hand;
        }
        let mut all = [CardSet::EMPTY; SEATS_MAX];
        all[..hands.len()].copy_from_slice(hands);
        Ok(Self { seats, solution, hands: all })
    }

    pub fn hand(&self, rank: usize) -> CardSet {
        self.hands[rank - self.seats.first]
    }

    /// Returns the hands, from the first player on.
    pub fn hands(&self) -> &[CardSet] {
        &self.hands[..self.seats.count]
    }

    /// Returns SHA-256 of a salt and the deal: published before the game, it shows afterwards that nothing was changed.
    pub fn commitment(&self, salt: &[u8; 32]) -> [u8; 32] {
        let mut hash = Sha256::new().chain_update(salt).chain_update(self.solution.map(byte));
        for hand in self.hands() {
            hash.update([u8::MAX]);
            hash.update(hand.iter().map(byte).collect::<Vec<_>>());
        }
        hash.finalize().into()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "there are 21 cards")]
const fn byte(card: Card) -> u8 {
    card as u8
}

impl Dealt for Deal {
    #[inline]
    fn hand(&self, rank: usize) -> CardSet {
        self.hands[rank - self.seats.first]
    }

    #[inline]
    fn solution(&self) -> Triple {
        self.solution
    }
}

pub(crate) const fn hand_size(players: usize, place: usize) -> usize {
    18 / players + if place < 18 % players { 1 } else { 0 }
}
