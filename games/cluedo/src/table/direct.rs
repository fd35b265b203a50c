use crate::deck::CardSet;
use crate::table::ai::{Strategy, Turn};
use crate::table::deal::Deal;
use crate::table::event::Event;
use crate::table::seats::{Asking, SEATS_MAX};

/// What a game came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The rank that accused rightly, if there is one.
    pub winner: Option<usize>,
    /// The round in which the game ended: the winner's own turns, including the accusation.
    pub rounds: u32,
    /// The turns of all players.
    pub turns: u32,
    /// The suggestions of all players.
    pub suggestions: u32,
    /// The answers to them.
    pub answers: u32,
    /// The wrong accusations.
    pub wrong: u32,
}

/// Plays a game to its end by direct calls; `players` are from the first on.
#[inline]
pub fn play<S: Strategy>(deal: &Deal, asking: Asking, players: &mut [S], mut on: impl FnMut(Event)) -> Outcome {
    let (seats, count) = (deal.seats, players.len());
    let mut is_out = [false; SEATS_MAX];
    let mut outcome = Outcome { rounds: 1, ..Outcome::default() };
    let mut seat = 0;
    while is_out[..count].contains(&false) {
        if is_out[seat] {
            (seat, outcome.rounds) = next(seat, count, outcome.rounds);
            continue;
        }
        outcome.turns += 1;
        let rank = seats.first + seat;
        let turn = players[seat].turn();
        let (Turn::Suggest(cards) | Turn::Accuse(cards)) = turn;
        for (other, player) in players.iter_mut().enumerate() {
            if other != seat {
                player.hear(cards);
            }
        }
        if let Turn::Accuse(_) = turn {
            let is_right = cards == deal.solution;
            let event = Event::Accuse { rank, cards, is_right };
            on(event);
            if is_right {
                outcome.winner = Some(rank);
                return outcome;
            }
            is_out[seat] = true;
            outcome.wrong += 1;
            for player in players.iter_mut() {
                // Nobody hears of what a person accuses.
                if rank > 0 {
                    player.observe(&event);
                }
                player.loses(rank);
            }
        } else {
            on(Event::Suggest { rank, cards });
            observe(players, seat, &Event::Suggest { rank, cards });
            outcome.suggestions += 1;
            let named = CardSet::of(cards);
            let mut shown = None;
            for asked in seats.asked(rank, asking) {
                outcome.answers += 1;
                // Who has none of the cards need not be asked.
                if deal.hand(asked).meets(named)
                    && let Some(card) = players[asked - seats.first].refute(cards)
                {
                    on(Event::Show { rank: asked, card: Some(card) });
                    observe(players, seat, &Event::Show { rank: asked, card: Some(card) });
                    shown = Some(card);
                    break;
                }
                on(Event::Pass { rank: asked });
                observe(players, seat, &Event::Pass { rank: asked });
            }
            match shown {
                Some(card) => players[seat].see(card),
                None => players[seat].unrefuted(cards),
            }
        }
        (seat, outcome.rounds) = next(seat, count, outcome.rounds);
    }
    outcome
}

/// Tells all players of an event in the turn of a seat.
#[inline]
fn observe<S: Strategy>(players: &mut [S], active: usize, event: &Event) {
    for (seat, player) in players.iter_mut().enumerate() {
        match *event {
            Event::Show { rank, .. } if seat != active => player.observe(&Event::Show { rank, card: None }),
            event => player.observe(&event),
        }
    }
}

/// Returns the next seat, and in which round.
const fn next(seat: usize, count: usize, round: u32) -> (usize, u32) {
    if seat + 1 == count { (0, round + 1) } else { (seat + 1, round) }
}
