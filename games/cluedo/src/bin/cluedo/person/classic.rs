//! A person at a classic table.

use amazons_program::Exit;
use cluedo::classic::Person;
use cluedo::deck::{Card, CardSet};
use cluedo::game::{Action, Event};
use cluedo::record::Story;

use super::{Ask, Front, Reply, View, opening, sentence};

/// A person on rank 0, at a terminal or in a browser.
pub(crate) struct Seated<'w, F: Front, P> {
    pub(crate) front: F,
    /// Reads what comes from the person.
    pub(crate) words: &'w mut dyn FnMut() -> Option<F::Word>,
    /// A page that shows the game of a person at the terminal.
    pub(crate) page: Option<P>,
    pub(crate) story: Story,
}

impl<F: Front, P: Front> Seated<'_, F, P> {
    pub(crate) fn begin(&mut self) -> Result<(), Exit> {
        self.tell(&opening(&self.story, 0))
    }

    pub(crate) fn tell(&mut self, text: &str) -> Result<(), Exit> {
        if let Some(page) = &mut self.page {
            page.tell("", &self.story, None)?;
        }
        self.front.tell(text, &self.story, None)
    }

    fn ask(&mut self, ask: Ask) -> Result<Reply, Exit> {
        let view = View { story: &self.story, me: 0 };
        Ok(self.front.ask(ask, Some(view), self.words)?.unwrap_or(Reply::Leave))
    }

    pub(crate) fn await_close(&mut self) -> Result<(), Exit> {
        if F::IS_PAGE { self.ask(Ask::Close).map(drop) } else { Ok(()) }
    }
}

impl<F: Front, P: Front> Person for Seated<'_, F, P> {
    type Error = Exit;

    fn observe(&mut self, event: &Event) -> Result<(), Exit> {
        let noted = self.story.note(event);
        // What the master says always fits.
        debug_assert_eq!(noted, Ok(()));
        self.tell(&sentence(event, &self.story, 0).unwrap_or_default())
    }

    fn turn(&mut self) -> Result<Option<Action>, Exit> {
        Ok(match self.ask(Ask::Turn)? {
            Reply::Suggest(cards) => Some(Action::Suggest(cards)),
            Reply::Accuse(cards) => Some(Action::Accuse(cards)),
            Reply::Card(_) | Reply::Leave => None,
        })
    }

    fn show(&mut self, choices: CardSet, asker: usize) -> Result<Option<Card>, Exit> {
        Ok(match self.ask(Ask::Card { asker, choices })? {
            Reply::Card(card) => Some(card),
            Reply::Suggest(_) | Reply::Accuse(_) | Reply::Leave => None,
        })
    }
}
