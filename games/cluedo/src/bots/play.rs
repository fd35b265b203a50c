//! Games in one process: the same lines as over a network, without their text.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bots::{Bot, Kind};
use crate::deal::Deal;
use crate::deck::CardSet;
use crate::game::{Action, Event, Player as _, Waiting};
use crate::line::delivery::{Echo, deliver, request};
use crate::line::game::{action, begin, default_limit, showable};
use crate::line::message::{Answer, Codes, Fault, Line};
use crate::line::seat::{Request, Seat};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub winner: Option<usize>,
    /// The seat that made an error, and which.
    pub fault: Option<(usize, Fault)>,
    /// Turns of all seats, those of players who were out included.
    pub turns: usize,
    /// The winner's own turns.
    pub own_turns: usize,
    /// Seats that accused wrongly, as bits.
    pub wrong: u32,
    /// Lines that the server wrote, and those that the players wrote.
    pub lines: [usize; 2],
}

/// A bot at a seat of a course game.
pub type SeatedBot = Seat<Bot>;

pub fn seat_bot(kind: Kind, seat: usize, players: usize, rng: Xoshiro256PlusPlus) -> SeatedBot {
    Seat::of(Bot { policy: kind.policy(), seen: Seat::new(seat, players).player, rng })
}

impl SeatedBot {
    /// Takes a line in and returns the answer, if the line asks for one and the bot has one.
    pub fn answer(&mut self, line: Line) -> Option<Answer> {
        if matches!(line, Line::Won(_) | Line::Error(_)) {
            self.player.policy.finish(&self.player.seen);
        }
        let game = self.game;
        let request = self.hear(line);
        let hand = self.facts.hand();
        let bot = &mut self.player;
        if self.game > game {
            bot.policy.start(&bot.seen);
        }
        let answer = match request? {
            Request::Act => match bot.turn() {
                Action::Suggest(cards) => Answer::Hypothesis(cards),
                Action::Accuse(cards) => Answer::Accusation(cards),
            },
            Request::Show { to, named } => Answer::Show(match named & hand {
                // A defect of the server: it must be told something.
                CardSet::EMPTY => named.first().or_else(|| hand.first()).unwrap_or(0),
                cards => bot.choose(cards, to)?,
            }),
        };
        self.says(&answer);
        Some(answer)
    }
}

pub fn play(deal: &Deal, first: usize, players: &mut [SeatedBot]) -> Outcome {
    let count = players.len();
    let mut lines = [0, 0];
    let mut own_turns = [0; 32];
    let mut wrong = 0;
    for (player, &hand) in players.iter_mut().zip(deal.hands()) {
        lines[0] += 1;
        player.answer(Line::Hand(hand));
    }
    let mut game = begin(count, first, default_limit(count));
    let mut fault = None;
    while let Some((seat, line)) = request(&game) {
        lines[0] += 1;
        let answer = players[seat].answer(line);
        lines[1] += usize::from(answer.is_some());
        let tell = |event| {
            if let Event::Accuse { seat, is_right: false, .. } = event {
                wrong |= 1 << seat;
            }
            deliver(event, count, Echo::Others, &mut |seat, line| {
                lines[0] += 1;
                players[seat].answer(line);
            });
        };
        match (game.waiting(), answer) {
            (Waiting::Turn { .. }, answer) => match answer.as_ref().and_then(|answer| action(answer, deal.deck)) {
                Some(action) => {
                    own_turns[seat] += 1;
                    game.act(action, deal, tell);
                }
                None => fault = Some((seat, if answer.is_none() { Fault::NoAction } else { Fault::Action })),
            },
            (_, Some(Answer::Show(card))) if showable(&game, deal).contains(card) => game.show(card, tell),
            (_, answer) => fault = Some((seat, if answer.is_none() { Fault::NoCard } else { Fault::Card })),
        }
        if fault.is_some() {
            break;
        }
    }
    let winner = match game.waiting() {
        Waiting::Over { winner } => winner,
        Waiting::Turn { .. } | Waiting::Answer { .. } => None,
    };
    if winner.is_none() {
        let code = fault.map_or(Fault::Limit, |(_, fault)| fault).code(Codes::Subject, true);
        for player in players.iter_mut() {
            lines[0] += 1;
            player.answer(Line::Error(code));
        }
    }
    let turns = game.turn() + usize::from(winner.is_some());
    Outcome { winner, fault, turns, own_turns: winner.map_or(0, |seat| own_turns[seat]), wrong, lines }
}
