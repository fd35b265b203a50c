use std::io::{BufRead, Write};

use amazons_program::Exit;
use cluedo::card_names::CardNames;
use cluedo::classic::{Over, Person};
use cluedo::deck::{Card, CardSet, Deck, KINDS, Triple};
use cluedo::game::{Action, Event};
use cluedo::knowledge::seen::Seen;
use cluedo::knowledge::view::View;

use crate::dialogue::{Answers, Dialogue, Said};
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
    seen: Seen,
    show: ShowNotebook,
    /// How many must still be asked about the last suggestion, of how many.
    left: usize,
    others: usize,
    /// Whether the person has been asked anything yet.
    is_asked: bool,
}

const HELP: &str = "Type the number of a card or the beginning of its name; all answers of a turn may stand on a line.\n\
    A suggestion asks the others, in order, for one of three cards; an accusation wins, or ends the game.\n\
    notebook shows what you know of every card, hint the chances and what to ask, ? this.\n\
    back returns to the first question of your turn; quit, or the end of input, leaves the game.";

impl<'d, R: BufRead, W: Write> Terminal<'d, R, W> {
    pub(crate) fn new(dialogue: &'d mut Dialogue<R, W>, seen: Seen, show: ShowNotebook) -> Self {
        let others = seen.players() - 1;
        Self { dialogue, seen, show, left: 0, others, is_asked: false }
    }

    /// Prints how the game ended.
    pub(crate) fn say_end(&mut self, over: &Over) -> Result<(), Exit> {
        match over.winner {
            Some(0) => self.dialogue.say("You win.")?,
            Some(rank) => self.dialogue.say(format!("{} wins.", name(rank)))?,
            None => self.dialogue.say("Nobody wins.")?,
        }
        self.dialogue.say(format!("The solution: {}.", list(over.solution)))
    }

    fn ask<T>(
        &mut self,
        question: &str,
        answers: Answers,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Said<T>, Exit> {
        let seen = &self.seen;
        self.dialogue.ask(question, answers, &mut |word| aside(word, seen), read)
    }

    fn card(&mut self, kind: usize) -> Result<Said<Card>, Exit> {
        let cards = Deck::CLASSIC.range(kind);
        let mut question = format!("{}, {} to {}?", CardNames::classic().kinds[kind], cards.start, cards.end - 1);
        question[..1].make_ascii_uppercase();
        let read = |text: &str| CardNames::classic().find(text, Some(kind)).map_err(|error| error.to_string());
        self.ask(&question, Answers::Several, read)
    }

    /// Asks for a turn; nothing to begin again.
    fn ask_turn(&mut self) -> Result<Option<Said<Action>>, Exit> {
        let what = self.ask("Your turn: 0 accusation, 1 suggestion?", Answers::Several, |word| match word {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(format!("{word:?} is not a choice: type 0 for an accusation or 1 for a suggestion")),
        })?;
        let suggests = match what {
            Said::Answer(suggests) => suggests,
            Said::Back => {
                self.dialogue.say("This is the first question of your turn.")?;
                return Ok(None);
            }
            Said::Leave => return Ok(Some(Said::Leave)),
        };
        let mut cards = Vec::new();
        for kind in KINDS {
            match self.card(kind)? {
                Said::Answer(card) => cards.push(card),
                Said::Back => return Ok(None),
                Said::Leave => return Ok(Some(Said::Leave)),
            }
        }
        self.dialogue.end_questions()?;
        let cards: Triple = [cards[0], cards[1], cards[2]];
        Ok(Some(Said::Answer(if suggests { Action::Suggest(cards) } else { Action::Accuse(cards) })))
    }

    /// Before a question of another turn: what was typed earlier is not meant for it.
    fn begin_questions(&mut self) -> Result<(), Exit> {
        if std::mem::replace(&mut self.is_asked, true) { self.dialogue.drop_typed_ahead() } else { Ok(()) }
    }
}

/// Returns the grid of cards and players.
fn notebook(seen: &Seen) -> String {
    let others = (1..seen.players()).map(|rank| rank.to_string());
    let places: Vec<String> = std::iter::once("you".to_owned()).chain(others).chain(["solution".to_owned()]).collect();
    View::new(&seen.facts).text(&places, |card| format!("{card:2} {}", card_name(card)))
}

/// Answers the requests that a person may make at any question.
fn aside(word: &str, seen: &Seen) -> Option<String> {
    match word {
        "?" | "help" => Some(HELP.to_owned()),
        "notebook" => Some(notebook(seen).trim_end().to_owned()),
        "hint" => Some(hint(&seen.facts, &seen.wrong, list)),
        _ => None,
    }
}

impl<R: BufRead, W: Write> Person for Terminal<'_, R, W> {
    type Error = Exit;

    fn observe(&mut self, event: &Event) -> Result<(), Exit> {
        self.seen.observe(event);
        let text = match *event {
            Event::Suggest { seat: rank, cards } => {
                self.left = self.others;
                format!("{} suggest{} {}.", name(rank), s(rank), list(cards))
            }
            Event::Pass { seat: rank } => {
                self.left -= 1;
                let mut text = format!("{} cannot refute.", name(rank));
                if self.left == 0 {
                    text += " Nobody refutes.";
                }
                text
            }
            Event::Show { seat: rank, to, card: Some(card) } => {
                format!("{} show{} {} {} ({card}).", name(rank), s(rank), object(to), card_name(card))
            }
            Event::Show { seat: rank, to, card: None } => format!("{} refutes {}.", name(rank), object(to)),
            Event::Accuse { seat: rank, cards: Some(cards), is_right } => {
                let verdict = if is_right { "right" } else { "wrong" };
                format!("{} accuse{}: {}. That is {verdict}.", name(rank), s(rank), list(cards))
            }
            Event::Unanswered { .. } | Event::Accuse { .. } | Event::Fault { .. } => return Ok(()),
            Event::Leave { .. } => "You leave the game.".to_owned(),
        };
        self.dialogue.say(text)
    }

    fn turn(&mut self) -> Result<Option<Action>, Exit> {
        if self.show == ShowNotebook::EachTurn {
            self.dialogue.say(notebook(&self.seen).trim_end())?;
        }
        self.begin_questions()?;
        loop {
            match self.ask_turn()? {
                Some(Said::Answer(turn)) => return Ok(Some(turn)),
                Some(_) => return Ok(None),
                None => {}
            }
        }
    }

    fn show(&mut self, choices: CardSet, asker: usize) -> Result<Option<Card>, Exit> {
        let cards: Vec<Card> = choices.iter().collect();
        let question = format!("{} asks you. Which card do you show: {}?", name(asker), numbered(&cards, " or "));
        self.begin_questions()?;
        loop {
            let said = self.ask(&question, Answers::One, |text| {
                let card = CardNames::classic().find(text, None).map_err(|error| error.to_string())?;
                if choices.contains(card) {
                    return Ok(card);
                }
                Err(format!("you cannot show {}: choose {}", card_name(card), numbered(&cards, " or ")))
            })?;
            match said {
                Said::Answer(card) => return Ok(Some(card)),
                Said::Back => self.dialogue.say("There is no question before this one.")?,
                Said::Leave => return Ok(None),
            }
        }
    }
}

/// Returns cards with their numbers.
pub(crate) fn numbered(cards: &[Card], separator: &str) -> String {
    cards.iter().map(|&card| format!("{card} {}", card_name(card))).collect::<Vec<_>>().join(separator)
}

fn card_name(card: Card) -> &'static str {
    CardNames::classic().name(card)
}

fn list(cards: Triple) -> String {
    CardNames::classic().list(cards)
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
