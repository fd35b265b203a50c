//! A person's game against AIs in a browser.

use std::sync::Arc;

use amazons_program::Exit;
use cluedo::deck::{Card, CardSet, Deck, Triple};
use cluedo::record::{Act, Ending, Rules, Story};
use cluedo::table::{Event, Over, Person, Turn};

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

/// Takes over what the person may see.
fn tell(desk: &Desk, event: &Event) {
    told(desk, |story| match *event {
        Event::Suggest { rank, cards: named } => story.suggest(rank, named),
        Event::Pass { rank } => story.pass(rank),
        Event::Show { rank, card } => story.show(rank, card),
        Event::Accuse { rank, cards: named, is_right } => story.accuse(rank, Some((named, is_right))),
        Event::Leave { rank } => story.push(rank, Act::Leave),
    });
}

/// Opens everything after the end: the solution, the hands, and the cards that were shown.
pub(crate) fn show_end(desk: &Desk, over: &Over, hands: &[CardSet], shown: &[Card]) {
    told(desk, |story| {
        // The cards that the person saw are known already.
        let is_hidden: Vec<bool> = story
            .turns
            .iter()
            .filter_map(|turn| match turn.act {
                Act::Suggestion { shown: Some(answered), .. } => Some(answered.card.is_none()),
                _ => None,
            })
            .collect();
        let shown: Vec<usize> =
            shown.iter().zip(is_hidden).filter(|(_, is_hidden)| *is_hidden).map(|(&card, _)| card).collect();
        let ending = over.winner.map_or(Ending::Nobody, Ending::Won);
        story.end(ending, over.solution, hands, &shown, &[])
    });
}

/// A person who plays in the browser.
pub(crate) struct WebPerson(pub(crate) Arc<Desk>);

impl Person for WebPerson {
    type Error = Exit;

    fn tell(&mut self, event: &Event) -> Result<(), Exit> {
        tell(&self.0, event);
        Ok(())
    }

    fn turn(&mut self) -> Result<Option<Turn>, Exit> {
        Ok(match self.0.ask(Ask::Turn) {
            Reply::Suggest(cards) => Some(Turn::Suggest(cards)),
            Reply::Accuse(cards) => Some(Turn::Accuse(cards)),
            Reply::Card(_) | Reply::Leave => None,
        })
    }

    fn refute(&mut self, asker: usize, _: Triple, choices: CardSet) -> Result<Option<Card>, Exit> {
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

    fn tell(&mut self, event: &Event) -> Result<(), P::Error> {
        if let Some(desk) = &self.desk {
            tell(desk, event);
        }
        self.person.tell(event)
    }

    fn turn(&mut self) -> Result<Option<Turn>, P::Error> {
        self.person.turn()
    }

    fn refute(&mut self, asker: usize, cards: Triple, choices: CardSet) -> Result<Option<Card>, P::Error> {
        self.person.refute(asker, cards, choices)
    }
}
