use std::io::{BufRead, Write};

use amazons_program::Exit;
use cluedo::deck::{Card, CardSet, KINDS, Kind, Triple};
use cluedo::table::{Event, Notebook, Over, Person, Seen, Turn};

use crate::dialogue::Dialogue;
use crate::hint::hint;

/// Whether the notebook is shown before each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShowNotebook {
    WhenAsked,
    EachTurn,
}

/// A person at the terminal.
pub(crate) struct Terminal<'d, R, W> {
    dialogue: &'d mut Dialogue<R, W>,
    notebook: Notebook,
    seen: Seen,
    show: ShowNotebook,
    /// Whose suggestion is being answered, whether anyone has refuted it, and how many must still be asked.
    suggester: usize,
    left: usize,
    others: usize,
}

const HELP: &str = "Type the number of a card or the beginning of its name; several answers may stand on a line.\n\
    A suggestion asks the others, in order, for one of three cards; an accusation wins, or ends the game.\n\
    notebook shows what you know of every card, hint the chances and what to ask, ? this; the end of input leaves.";

impl<'d, R: BufRead, W: Write> Terminal<'d, R, W> {
    pub(crate) fn new(dialogue: &'d mut Dialogue<R, W>, notebook: Notebook, seen: Seen, show: ShowNotebook) -> Self {
        let others = notebook.players() - 1;
        Self { dialogue, notebook, seen, show, suggester: 0, left: 0, others }
    }

    /// Says how the game has ended.
    pub(crate) fn say_end(&mut self, over: &Over) -> Result<(), Exit> {
        match over.winner {
            Some(0) => self.dialogue.say("You win.")?,
            Some(rank) => self.dialogue.say(format!("{} wins.", name(rank)))?,
            None => self.dialogue.say("Nobody wins.")?,
        }
        self.dialogue.say(format!("The solution: {}.", list(over.solution)))
    }

    fn ask<T>(&mut self, question: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, Exit> {
        let (notebook, seen) = (&self.notebook, &self.seen);
        self.dialogue.ask(question, &mut |word| aside(word, notebook, seen), read)
    }

    fn card(&mut self, kind: Kind) -> Result<Option<Card>, Exit> {
        let numbers = format!("{} to {}", kind.first(), kind.first() + kind.count() - 1);
        let mut question = format!("{kind}, {numbers}?");
        question[..1].make_ascii_uppercase();
        self.ask(&question, |word| Card::parse(word, Some(kind)).map_err(|error| error.to_string()))
    }
}

/// Answers the requests that a person may make at any question.
fn aside(word: &str, notebook: &Notebook, seen: &Seen) -> Option<String> {
    match word {
        "?" | "help" => Some(HELP.to_owned()),
        "notebook" => Some(notebook.to_string().trim_end().to_owned()),
        "hint" => {
            let names = |cards: [usize; 3]| cards.map(|card| Card::all().nth(card).map_or("", Card::name)).join(", ");
            Some(hint(seen.facts(), seen.wrong(), names))
        }
        _ => None,
    }
}

impl<R: BufRead, W: Write> Person for Terminal<'_, R, W> {
    type Error = Exit;

    fn tell(&mut self, event: &Event) -> Result<(), Exit> {
        self.notebook.note(event);
        self.seen.note(event);
        let text = match *event {
            Event::Suggest { rank, cards } => {
                (self.suggester, self.left) = (rank, self.others);
                format!("{} suggest{} {}.", name(rank), s(rank), list(cards))
            }
            Event::Pass { rank } => {
                self.left -= 1;
                let mut text = format!("{} cannot refute.", name(rank));
                if self.left == 0 {
                    text += " Nobody refutes.";
                }
                text
            }
            Event::Show { rank, card: Some(card) } => {
                format!("{} show{} {} {card} ({}).", name(rank), s(rank), object(self.suggester), card.number())
            }
            Event::Show { rank, card: None } => format!("{} refutes {}.", name(rank), object(self.suggester)),
            Event::Accuse { rank, cards, is_right } => {
                let verdict = if is_right { "right" } else { "wrong" };
                format!("{} accuse{}: {}. That is {verdict}.", name(rank), s(rank), list(cards))
            }
            Event::Leave { .. } => "You leave the game.".to_owned(),
        };
        self.dialogue.say(text)
    }

    fn turn(&mut self) -> Result<Option<Turn>, Exit> {
        if self.show == ShowNotebook::EachTurn {
            self.dialogue.say(self.notebook.to_string().trim_end())?;
        }
        let what = self.ask("Your turn: 0 accusation, 1 suggestion?", |word| match word {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(format!("{word:?} is not a choice: type 0 for an accusation or 1 for a suggestion")),
        })?;
        let Some(suggests) = what else { return Ok(None) };
        let mut cards = Vec::new();
        for kind in KINDS {
            let Some(card) = self.card(kind)? else { return Ok(None) };
            cards.push(card);
        }
        let cards: Triple = [cards[0], cards[1], cards[2]];
        Ok(Some(if suggests { Turn::Suggest(cards) } else { Turn::Accuse(cards) }))
    }

    fn refute(&mut self, asker: usize, _: Triple, choices: CardSet) -> Result<Option<Card>, Exit> {
        let cards: Vec<Card> = choices.into_iter().collect();
        let question = format!("{} asks you. Which card do you show: {}?", name(asker), numbered(&cards, " or "));
        self.ask(&question, |word| {
            let card = Card::parse(word, None).map_err(|error| error.to_string())?;
            if choices.contains(card) {
                return Ok(card);
            }
            Err(format!("you cannot show {card}: choose {}", numbered(&cards, " or ")))
        })
    }
}

/// Returns cards with their numbers.
pub(crate) fn numbered(cards: &[Card], separator: &str) -> String {
    cards.iter().map(|card| format!("{} {card}", card.number())).collect::<Vec<_>>().join(separator)
}

fn list(cards: Triple) -> String {
    cards.map(Card::name).join(", ")
}

/// Returns what a player is called at the beginning of a sentence.
fn name(rank: usize) -> String {
    if rank == 0 { "You".to_owned() } else { format!("AI {rank}") }
}

/// Returns what a player is called as an object.
fn object(rank: usize) -> String {
    if rank == 0 { "you".to_owned() } else { name(rank) }
}

/// Returns the ending of the verb after a player's name.
const fn s(rank: usize) -> &'static str {
    if rank == 0 { "" } else { "s" }
}
