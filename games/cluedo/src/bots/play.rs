//! A bot at a seat of a course game: lines go in, answers come out.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bots::{Bot, Kind};
use crate::deck::CardSet;
use crate::game::{Action, Player as _};
use crate::line::message::{Answer, Line};
use crate::line::seat::{Request, Seat};

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
