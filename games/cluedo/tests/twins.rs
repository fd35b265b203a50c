//! A slow twin of the AIs: plain loops over 21 numbers.

use cluedo::classic::{Ai, AiType, Deal, Stream, Streams, below, play};
use cluedo::deck::{Card, CardSet, Deck, KINDS, Triple};
use cluedo::game::{Action, Asking, Event, Player, Seats};

struct Plain {
    is_listening: bool,
    rank: usize,
    numbers: [i32; 21],
    stream: Stream,
}

impl Plain {
    fn new(is_listening: bool, rank: usize, hand: CardSet, stream: Stream) -> Self {
        let mut numbers = [0; 21];
        for card in hand.iter() {
            numbers[card] = -1;
        }
        Self { is_listening, rank, numbers, stream }
    }

    fn hear(&mut self, cards: Triple) {
        for card in cards {
            let number = &mut self.numbers[card];
            if self.is_listening && *number >= 0 {
                *number += 1;
            }
        }
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

impl Player for Plain {
    fn turn(&mut self) -> Action {
        let mut only = Vec::new();
        for kind in KINDS {
            let unknown: Vec<Card> = Deck::CLASSIC.range(kind).filter(|&card| self.numbers[card] >= 0).collect();
            if let [card] = unknown[..] {
                only.push(card);
            }
        }
        match only[..] {
            [suspect, weapon, room] => Action::Accuse([suspect, weapon, room]),
            _ => Action::Suggest([(0, 6), (6, 6), (12, 9)].map(|(first, count)| self.choose(first, count))),
        }
    }

    fn show(&mut self, of: CardSet, _to: usize) -> Card {
        let matching: Vec<Card> = of.iter().collect();
        match matching.len() {
            1 => matching[0],
            several => matching[self.draw(several)],
        }
    }

    fn observe(&mut self, event: &Event) {
        match *event {
            Event::Suggest { seat, cards } if seat != self.rank => self.hear(cards),
            Event::Accuse { seat, cards: Some(cards), .. } if seat != self.rank => self.hear(cards),
            Event::Show { card: Some(card), .. } => self.numbers[card] = -1,
            Event::Unanswered { seat, cards } if seat == self.rank => {
                for index in 0..21 {
                    if !cards.contains(&index) {
                        self.numbers[index] = -1;
                    }
                }
            }
            _ => {}
        }
    }
}

#[test]
fn both_play_the_same_games() {
    for ai_type in &AiType::ALL[..3] {
        for (game, count) in (0..400).zip((2..=6).cycle()) {
            let seats = Seats { first: usize::from(count < 6), count };
            let streams = Streams { seed: 12, game };
            let deal = Deal::classic(seats, &mut streams.deal());
            let mut fast: Vec<Event> = Vec::new();
            let ai = |rank| Ai::new(*ai_type, rank, deal.hand(rank), streams.player(rank));
            let one =
                play(&deal, Asking::Cyclic, &mut seats.ranks().map(ai).collect::<Vec<_>>(), |event| fast.push(event));
            let mut slow: Vec<Event> = Vec::new();
            let ai = |rank| Plain::new(ai_type.listens(rank), rank, deal.hand(rank), streams.player(rank));
            let two =
                play(&deal, Asking::Cyclic, &mut seats.ranks().map(ai).collect::<Vec<_>>(), |event| slow.push(event));
            assert_eq!((one, fast), (two, slow), "{} {count} game {game}", ai_type.name());
        }
    }
}
