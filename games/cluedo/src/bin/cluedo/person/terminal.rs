//! A person at the terminal.

use std::io::Write;

use amazons_program::{Exit, Typed};
use cluedo::assist::words::capital;
use cluedo::card_names::CardError;
use cluedo::deck::{CardSet, KINDS, Triple};
use cluedo::record::{Rules, Story};
use thiserror::Error;

use super::dialogue::{Answers, Dialogue, Stop};
use super::sentence::{notebook, numbered};
use super::{Ask, Front, Reply, View};
use crate::hint::own_hint;
use crate::show::names;

const HELP: &str = "Type the number of a card or the beginning of its name; all answers of a turn may stand on a line.\n\
    A suggestion asks the others, in order, for one of three cards; an accusation wins, or ends the game.\n\
    notebook shows what you know of every card, hint the chances and what to ask, ? this.\n\
    back returns to the first question of your turn; quit, or the end of input, leaves the game.";

/// Why words answer no question.
#[derive(Debug, Error)]
enum Refused {
    #[error(transparent)]
    Card(#[from] CardError),
    #[error("you cannot show {name}: choose {choices}")]
    Hidden { name: String, choices: String },
    #[error("{0:?} is not a choice: type 0 for an accusation or 1 for a suggestion")]
    Choice(String),
}

pub(crate) struct Terminal<W> {
    out: W,
    /// Whether the notebook is shown before each turn.
    shows_notebook: bool,
    has_asked: bool,
}

impl<W> Terminal<W> {
    pub(crate) const fn new(out: W, shows_notebook: bool) -> Self {
        Self { out, shows_notebook, has_asked: false }
    }
}

impl<W: Write> Front for Terminal<W> {
    type Word = Typed;

    const IS_PAGE: bool = false;

    fn tell(&mut self, text: &str, _: &Story, _: Option<Triple>) -> Result<(), Exit> {
        if text.is_empty() { Ok(()) } else { self.say(text) }
    }

    fn say(&mut self, text: &str) -> Result<(), Exit> {
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }

    fn ask(
        &mut self,
        ask: Ask,
        view: Option<View<'_>>,
        words: &mut dyn FnMut() -> Option<Typed>,
    ) -> Result<Option<Reply>, Exit> {
        let Some(view) = view else { return Ok(None) };
        let mut dialogue = Dialogue::new(words, &mut self.out);
        if ask == Ask::Turn && self.shows_notebook {
            dialogue.say(notebook(view.story, view.me).trim_end())?;
        }
        // What was typed earlier is not meant for a question of another turn.
        if std::mem::replace(&mut self.has_asked, true) {
            dialogue.drop_typed_ahead()?;
        }
        loop {
            let asked = match ask {
                Ask::Turn => ask_turn(&mut dialogue, view),
                Ask::Card { asker, choices } => ask_card(&mut dialogue, asker, choices, view),
                Ask::Wait | Ask::Close => return Ok(None),
            };
            match asked {
                Ok(reply) => {
                    dialogue.end_questions()?;
                    return Ok(Some(reply));
                }
                Err(Stop::Back) if ask == Ask::Turn => {}
                Err(Stop::Back) => dialogue.say("There is no question before this one.")?,
                Err(Stop::Leave) => return Ok(Some(Reply::Leave)),
                Err(Stop::TooLate) => return Ok(None),
                Err(Stop::Failed(exit)) => return Err(exit),
            }
        }
    }
}

/// Asks for a turn; back leads to its beginning.
fn ask_turn<W: Write>(dialogue: &mut Dialogue<'_, W>, view: View<'_>) -> Result<Reply, Stop> {
    let names = names(view.story);
    let aside = |word: &str| aside(word, view);
    let read = |word: &str| choice(word, view.story.rules);
    let asked = dialogue.ask("Your turn: 0 accusation, 1 suggestion?", Answers::Several, aside, read);
    if let Err(Stop::Back) = asked {
        dialogue.say("This is the first question of your turn.")?;
    }
    let suggests = asked?;
    let mut cards = [0; 3];
    for kind in KINDS {
        let range = names.deck.range(kind);
        let question = format!("{}, {} to {}?", capital(&names.kinds[kind]), range.start, range.end - 1);
        let read = |text: &str| names.find(text, Some(kind));
        cards[kind] = dialogue.ask(&question, Answers::Several, aside, read)?;
    }
    Ok(if suggests { Reply::Suggest(cards) } else { Reply::Accuse(cards) })
}

fn ask_card<W: Write>(
    dialogue: &mut Dialogue<'_, W>,
    asker: usize,
    choices: CardSet,
    view: View<'_>,
) -> Result<Reply, Stop> {
    let names = names(view.story);
    let (asker, listed) = (capital(&view.story.seats[asker]), numbered(&names, choices.iter(), " or "));
    let question = format!("{asker} asks you. Which card do you show: {listed}?");
    let read = |text: &str| match names.find(text, None) {
        Ok(card) if choices.contains(card) => Ok(Reply::Card(card)),
        Ok(card) => Err(Refused::Hidden { name: names.name(card).to_owned(), choices: listed.clone() }),
        Err(error) => Err(error.into()),
    };
    dialogue.ask(&question, Answers::One, |word| aside(word, view), read)
}

/// Reads whether a turn is a suggestion; at a server's table, the letters of its lines do, too.
fn choice(word: &str, rules: Rules) -> Result<bool, Refused> {
    match (word, rules) {
        ("0", _) | ("A" | "a", Rules::Course) => Ok(false),
        ("1", _) | ("H" | "h", Rules::Course) => Ok(true),
        _ => Err(Refused::Choice(word.to_owned())),
    }
}

/// Answers the requests that a person may make at any question.
fn aside(word: &str, view: View<'_>) -> Option<String> {
    match word {
        "?" | "help" => Some(HELP.to_owned()),
        "notebook" => Some(notebook(view.story, view.me).trim_end().to_owned()),
        "hint" => own_hint(view.story, view.me, |cards| names(view.story).list(cards)),
        _ => None,
    }
}
