//! A person's game against AIs in a browser.

use std::sync::Arc;

use amazons_program::Exit;
use cluedo::classic::{Over, Person};
use cluedo::deck::{Card, CardSet, Deck};
use cluedo::game::{Action, Event};
use cluedo::record::{Ending, Rules, Story};

use super::desk::{Ask, Desk, Reply};

/// Sets the table for rank 0, with its hand.
pub(crate) fn desk(sizes: &[usize], hand: CardSet, commitment: String) -> Result<Arc<Desk>, Exit> {
    let name = |rank| if rank == 0 { "you".to_owned() } else { format!("AI {rank}") };
    let names = (0..sizes.len()).map(name).collect();
    let mut story = Story::new(Rules::Classic, names, Deck::CLASSIC, sizes.to_vec());
    story.hands[0] = Some(hand);
    story.commitment = commitment;
    Desk::new(0, vec![Arc::new(story)], None)
}

/// Changes the story of the game.
fn told(desk: &Desk, tell: impl FnOnce(&mut Story) -> Result<(), String>) {
    let told = desk.change(|table| table.games.last_mut().map_or(Ok(()), |story| tell(Arc::make_mut(story))));
    // What the master says always fits.
    debug_assert_eq!(told, Ok(()));
}

/// Opens everything after the end: the solution, the hands, and the cards that were shown.
pub(crate) fn show_end(desk: &Desk, over: &Over, hands: &[CardSet], shown: &[Card]) {
    let ending = over.winner.map_or(Ending::Nobody, Ending::Won);
    told(desk, |story| story.end(ending, over.solution, hands, shown, &[]));
}

/// A person who plays in the browser.
pub(crate) struct WebPerson(pub(crate) Arc<Desk>);

impl Person for WebPerson {
    type Error = Exit;

    fn observe(&mut self, event: &Event) -> Result<(), Exit> {
        told(&self.0, |story| story.note(event));
        Ok(())
    }

    fn turn(&mut self) -> Result<Option<Action>, Exit> {
        Ok(match self.0.ask(Ask::Turn) {
            Reply::Suggest(cards) => Some(Action::Suggest(cards)),
            Reply::Accuse(cards) => Some(Action::Accuse(cards)),
            Reply::Card(_) | Reply::Leave => None,
        })
    }

    fn show(&mut self, choices: CardSet, asker: usize) -> Result<Option<Card>, Exit> {
        Ok(match self.0.ask(Ask::Card { asker, choices }) {
            Reply::Card(card) => Some(card),
            Reply::Suggest(_) | Reply::Accuse(_) | Reply::Leave => None,
        })
    }
}

/// A person elsewhere, whose game a page shows, too.
pub(crate) struct Watching<P> {
    pub(crate) person: P,
    pub(crate) desk: Option<Arc<Desk>>,
}

impl<P: Person> Person for Watching<P> {
    type Error = P::Error;

    fn observe(&mut self, event: &Event) -> Result<(), P::Error> {
        if let Some(desk) = &self.desk {
            told(desk, |story| story.note(event));
        }
        self.person.observe(event)
    }

    fn turn(&mut self) -> Result<Option<Action>, P::Error> {
        self.person.turn()
    }

    fn show(&mut self, of: CardSet, to: usize) -> Result<Option<Card>, P::Error> {
        self.person.show(of, to)
    }
}
