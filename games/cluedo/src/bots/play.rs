//! A bot at a seat of a course game: lines go in, answers come out.

use std::ops::Deref;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bots::{Kind, Policy};
use crate::game::Action;
use crate::line::message::{Answer, Line};
use crate::line::seat::{Request, Seat};

#[derive(Debug)]
pub struct SeatedBot {
    seat: Seat,
    pub policy: Box<dyn Policy>,
    rng: Xoshiro256PlusPlus,
}

pub fn seat_bot(kind: Kind, seat: usize, players: usize, rng: Xoshiro256PlusPlus) -> SeatedBot {
    SeatedBot { seat: Seat::new(seat, players), policy: kind.policy(), rng }
}

impl Deref for SeatedBot {
    type Target = Seat;

    fn deref(&self) -> &Seat {
        &self.seat
    }
}

impl SeatedBot {
    /// Takes a line in and returns the answer, if the line asks for one and the bot has one.
    pub fn answer(&mut self, line: Line) -> Option<Answer> {
        let Self { seat, policy, rng } = self;
        if matches!(line, Line::Won(_) | Line::Error(_)) {
            policy.finish(seat);
        }
        let game = seat.game;
        let request = seat.hear(line);
        if seat.game > game {
            policy.start(seat);
        }
        let answer = match request? {
            Request::Act => match policy.act(seat, rng) {
                Action::Suggest(cards) => Answer::Hypothesis(cards),
                Action::Accuse(cards) => Answer::Accusation(cards),
            },
            Request::Show { to, named } => Answer::Show(match seat.forced_card(named) {
                Some(card) => card,
                None => policy.show(seat, named & seat.facts.hand(), to, rng)?,
            }),
        };
        seat.says(&answer);
        Some(answer)
    }
}
