//! Games in one process: the same lines as over a network, without their text.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bots::Bot;
use crate::line::deal::Deal;
use crate::line::delivery::{Echo, deliver, request};
use crate::line::game::{Action, Event, Game, Waiting};
use crate::line::message::{Answer, Codes, Fault, Line};
use crate::line::seat::{Request, Seat};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner.
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

/// A player: a bot, what it sees, its random stream.
pub struct Player {
    /// How it decides.
    pub bot: Box<dyn Bot>,
    /// What it sees.
    pub seat: Seat,
    /// Its stream.
    pub rng: Xoshiro256PlusPlus,
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl Player {
    /// Takes a line in and returns the answer, if the line asks for one and the bot has one.
    pub fn answer(&mut self, line: Line) -> Option<Answer> {
        if matches!(line, Line::Won(_) | Line::Error(_)) {
            self.bot.finish(&self.seat);
        }
        let game = self.seat.game;
        let request = self.seat.hear(line);
        if self.seat.game > game {
            self.bot.start(&self.seat);
        }
        let answer = match request? {
            Request::Act => match self.bot.act(&self.seat, &mut self.rng) {
                Action::Hypothesis(cards) => Answer::Hypothesis(cards),
                Action::Accusation(cards) => Answer::Accusation(cards),
            },
            Request::Show { to, named } => {
                let cards = named & self.seat.facts.hand();
                match cards.len() {
                    // A defect of the server: it must be told something.
                    0 => Answer::Show(named.first().or_else(|| self.seat.facts.hand().first()).unwrap_or(0)),
                    _ => Answer::Show(self.bot.show(&self.seat, cards, to, &mut self.rng)?),
                }
            }
        };
        self.seat.says(&answer);
        Some(answer)
    }
}

/// Buffers of a game, kept from one to the next.
#[derive(Debug, Default)]
pub struct Buffers {
    events: Vec<Event>,
}

/// Plays one game.
pub fn play(deal: Deal, first: usize, players: &mut [Player], buffers: &mut Buffers) -> Outcome {
    let count = players.len();
    let mut lines = [0, 0];
    let mut own_turns = [0; 32];
    let mut wrong = 0;
    for (player, &hand) in players.iter_mut().zip(&deal.hands) {
        lines[0] += 1;
        player.answer(Line::Hand(hand));
    }
    buffers.events.clear();
    let mut game = Game::new(deal, first, Game::default_limit(count), 0, &mut buffers.events);
    let mut fault = None;
    loop {
        for event in buffers.events.drain(..) {
            if let Event::Accusation { seat, right: false, .. } = event {
                wrong |= 1 << seat;
            }
            deliver(event, count, Echo::Others, Codes::Subject, &mut |seat, line| {
                lines[0] += 1;
                players[seat].answer(line);
            });
        }
        let Some((seat, line)) = request(&game) else { break };
        lines[0] += 1;
        let answer = players[seat].answer(line);
        lines[1] += usize::from(answer.is_some());
        let done = match (game.waiting(), answer) {
            (Waiting::Turn { .. }, Some(Answer::Hypothesis(cards))) => {
                own_turns[seat] += 1;
                game.act(Action::Hypothesis(cards), &mut buffers.events)
            }
            (Waiting::Turn { .. }, Some(Answer::Accusation(cards))) => {
                own_turns[seat] += 1;
                game.act(Action::Accusation(cards), &mut buffers.events)
            }
            (Waiting::Card { .. }, Some(Answer::Show(card))) => game.show(card, &mut buffers.events),
            (Waiting::Turn { .. }, None) => Err(Fault::NoAction),
            (Waiting::Turn { .. }, Some(_)) => Err(Fault::Action),
            (_, None) => Err(Fault::NoCard),
            (_, Some(_)) => Err(Fault::Card),
        };
        if let Err(what) = done {
            fault = Some((seat, what));
            for player in players.iter_mut() {
                lines[0] += 1;
                player.answer(Line::Error(what.code(Codes::Subject, true)));
            }
            break;
        }
    }
    let winner = match game.waiting() {
        Waiting::Over { winner } => winner,
        Waiting::Turn { .. } | Waiting::Card { .. } => None,
    };
    let turns = game.turn() + usize::from(winner.is_some());
    Outcome { winner, fault, turns, own_turns: winner.map_or(0, |seat| own_turns[seat]), wrong, lines }
}
