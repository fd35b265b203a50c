use crate::deal::Deal;
use crate::deck::CardSet;
use crate::game::{Asking, Event, Game, Player, Waiting};

/// The counts of a game that is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The rank that accused rightly, if there is one.
    pub winner: Option<usize>,
    /// The round in which the game ended: the winner's own turns, including the accusation.
    pub rounds: u32,
    pub suggestions: u32,
    pub answers: u32,
    /// The wrong accusations.
    pub wrong: u32,
}

/// Plays a game to its end by direct calls; `players` are from the first seat on.
#[inline]
pub fn play<P: Player>(deal: &Deal, asking: Asking, players: &mut [P], mut on: impl FnMut(Event)) -> Outcome {
    let first = deal.seats.first;
    let mut game = Game::new(deal.seats, first, asking, usize::MAX);
    let mut outcome = Outcome::default();
    loop {
        match game.waiting() {
            Waiting::Turn { seat } => {
                let action = players[seat - first].turn();
                game.act(action, deal, |event| tell(players, first, &mut outcome, event, &mut on));
            }
            Waiting::Answer { seat, to, cards } => {
                let card = players[seat - first].show(deal.hand(seat) & CardSet::of(cards), to);
                game.show(card, |event| tell(players, first, &mut outcome, event, &mut on));
            }
            Waiting::Over { winner } => {
                #[expect(clippy::cast_possible_truncation, reason = "games are short")]
                let rounds = (game.turn() / players.len()) as u32 + 1;
                return Outcome { winner, rounds, ..outcome };
            }
        }
    }
}

/// Counts an event, and tells everybody of it. Its kind is known where it is called, which leaves little of it.
#[inline(always)]
fn tell<P: Player>(players: &mut [P], first: usize, outcome: &mut Outcome, event: Event, on: &mut impl FnMut(Event)) {
    match event {
        Event::Suggest { .. } => outcome.suggestions += 1,
        Event::Pass { .. } | Event::Show { .. } => outcome.answers += 1,
        Event::Accuse { is_right: false, .. } => outcome.wrong += 1,
        _ => {}
    }
    on(event);
    for (player, rank) in players.iter_mut().zip(first..) {
        player.observe(&seen_by_ai(event, rank));
    }
}

/// Returns an event as an AI sees it: only the game master hears what a person accuses of.
#[inline(always)]
pub(super) fn seen_by_ai(event: Event, rank: usize) -> Event {
    match event {
        Event::Accuse { seat: 0, is_right, .. } => Event::Accuse { seat: 0, cards: None, is_right },
        event => event.seen_by(rank),
    }
}
