//! Games in one process: the same lines as over a network, without their text.

use cluedo::bots::play::SeatedBot;
use cluedo::deal::Deal;
use cluedo::game::{Event, Game, Waiting};
use cluedo::line::message::{Answer, Codes, Echo, Fault, Line, deliver};
use cluedo::line::options::default_limit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) winner: Option<usize>,
    /// The seat that made an error, and which.
    pub(crate) fault: Option<(usize, Fault)>,
    /// Turns of all seats, those of players who were out included.
    pub(crate) turns: usize,
    /// The winner's own turns.
    pub(crate) own_turns: usize,
    /// Seats that accused wrongly, as bits.
    pub(crate) wrong: u32,
    /// Lines that the server wrote, and those that the players wrote.
    pub(crate) lines: [usize; 2],
}

pub(crate) fn play(deal: &Deal, first: usize, players: &mut [SeatedBot]) -> Outcome {
    let count = players.len();
    let mut lines = [0, 0];
    let mut own_turns = [0; 32];
    let mut wrong = 0;
    for (player, &hand) in players.iter_mut().zip(deal.hands()) {
        lines[0] += 1;
        player.answer(Line::Hand(hand));
    }
    let mut game = Game::course(count, first, default_limit(count));
    let mut fault = None;
    loop {
        let (seat, line) = match game.waiting() {
            Waiting::Turn { seat } => (seat, Line::Turn),
            Waiting::Answer { seat, .. } => (seat, Line::Ask),
            Waiting::Over { .. } => break,
        };
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
            (Waiting::Turn { .. }, answer) => match answer.as_ref().and_then(|answer| answer.action(deal.deck)) {
                Some(action) => {
                    own_turns[seat] += 1;
                    game.act(action, deal, tell);
                }
                None => fault = Some((seat, if answer.is_none() { Fault::NoAction } else { Fault::Action })),
            },
            (_, Some(Answer::Show(card))) if game.choices(deal).contains(card) => game.show(card, tell),
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
