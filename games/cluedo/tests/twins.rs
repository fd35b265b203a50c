//! A slow twin of the AIs: plain loops over 21 numbers.

use cluedo::deck::{Card, CardSet, Deck, KINDS, Triple};
use cluedo::table::{Ai, AiKind, AiType, Asking, Deal, Event, Seats, Strategy, Stream, Streams, Turn, below, play};

struct Plain {
    is_listening: bool,
    hand: Vec<Card>,
    numbers: [i32; 21],
    stream: Stream,
}

impl Plain {
    fn new(kind: AiKind, hand: CardSet, stream: Stream) -> Self {
        let mut numbers = [0; 21];
        for card in hand.iter() {
            numbers[card] = -1;
        }
        Self { is_listening: kind == AiKind::Listening, hand: hand.iter().collect(), numbers, stream }
    }

    fn draw(&mut self, bound: usize) -> usize {
        below(&mut self.stream, bound.try_into().expect("small")) as usize
    }

    fn choose(&mut self, first: usize, count: usize) -> usize {
        let unknown: Vec<usize> = (first..first + count).filter(|&card| self.numbers[card] >= 0).collect();
        if !self.is_listening {
            let index = self.draw(unknown.len());
            return unknown[index];
        }
        let least = unknown.iter().map(|&card| self.numbers[card]).min().expect("the solution");
        let mut at = self.draw(count);
        while self.numbers[first + at] != least {
            at = (at + 1) % count;
        }
        first + at
    }
}

impl Strategy for Plain {
    fn turn(&mut self) -> Turn {
        let mut only = Vec::new();
        for kind in KINDS {
            let unknown: Vec<Card> = Deck::CLASSIC.range(kind).filter(|&card| self.numbers[card] >= 0).collect();
            if let [card] = unknown[..] {
                only.push(card);
            }
        }
        match only[..] {
            [suspect, weapon, room] => Turn::Accuse([suspect, weapon, room]),
            _ => Turn::Suggest([(0, 6), (6, 6), (12, 9)].map(|(first, count)| self.choose(first, count))),
        }
    }

    fn refute(&mut self, suggestion: Triple) -> Option<Card> {
        let mut matching: Vec<Card> = Vec::new();
        for card in suggestion {
            if self.hand.contains(&card) {
                matching.push(card);
            }
        }
        match matching.len() {
            0 | 1 => matching.pop(),
            several => Some(matching[self.draw(several)]),
        }
    }

    fn hear(&mut self, cards: Triple) {
        for card in cards {
            let number = &mut self.numbers[card];
            if self.is_listening && *number >= 0 {
                *number += 1;
            }
        }
    }

    fn see(&mut self, card: Card) {
        self.numbers[card] = -1;
    }

    fn unrefuted(&mut self, suggestion: Triple) {
        for index in 0..21 {
            if !suggestion.contains(&index) {
                self.numbers[index] = -1;
            }
        }
    }
}

#[test]
fn both_play_the_same_games() {
    for ai_type in AiType::REPORT {
        for (game, count) in (0..400).zip((2..=6).cycle()) {
            let seats = Seats { first: usize::from(count < 6), count };
            let streams = Streams { seed: 12, game };
            let deal = Deal::random(seats, &mut streams.deal());
            let mut fast: Vec<Event> = Vec::new();
            let ai = |rank| Ai::new(ai_type.kind(rank).expect("a plain AI"), deal.hand(rank), streams.player(rank));
            let one =
                play(&deal, Asking::Cyclic, &mut seats.ranks().map(ai).collect::<Vec<_>>(), |event| fast.push(event));
            let mut slow: Vec<Event> = Vec::new();
            let ai = |rank| Plain::new(ai_type.kind(rank).expect("a plain AI"), deal.hand(rank), streams.player(rank));
            let two =
                play(&deal, Asking::Cyclic, &mut seats.ranks().map(ai).collect::<Vec<_>>(), |event| slow.push(event));
            assert_eq!((one, fast), (two, slow), "{} {count} game {game}", ai_type.name());
        }
    }
}
