//! A person at a terminal or in a browser: questions and replies.

mod dialogue;
mod sentence;
mod terminal;

use amazons_program::Exit;
use cluedo::deck::{Card, CardSet, Triple};
use cluedo::record::Story;

pub(crate) use dialogue::{Answers, Dialogue, Stop};
pub(crate) use sentence::{opening, sentence};
pub(crate) use terminal::Terminal;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// A suggestion or an accusation.
    Turn,
    /// Which of these cards to show.
    Card { asker: usize, choices: CardSet },
    /// Nothing now, but to leave is possible.
    Wait,
    /// To close the page, after the end.
    Close,
}

#[derive(Clone, Copy)]
pub(crate) enum Reply {
    Suggest(Triple),
    Accuse(Triple),
    Card(Card),
    Leave,
}

/// The game of a person's seat.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) story: &'a Story,
    pub(crate) me: usize,
}

/// A terminal or a browser, at which a person plays.
pub(crate) trait Front {
    /// A typed line, or a click.
    type Word;

    /// Whether the person may leave while nothing is asked, and looks on after the end.
    const IS_PAGE: bool;

    /// Shows how the game goes on; `pending` are cards that some seat asks for.
    fn tell(&mut self, text: &str, story: &Story, pending: Option<Triple>) -> Result<(), Exit>;

    /// Prints what is not an event of the game.
    fn say(&mut self, text: &str) -> Result<(), Exit>;

    /// Prints more: the text before it is still to be read.
    fn add(&mut self, text: &str) -> Result<(), Exit> {
        self.say(text)
    }

    /// Asks until there is a reply; nothing if there are no more words before. There is no view before the first game.
    fn ask(
        &mut self,
        ask: Ask,
        view: Option<View<'_>>,
        words: &mut dyn FnMut() -> Option<Self::Word>,
    ) -> Result<Option<Reply>, Exit>;
}
