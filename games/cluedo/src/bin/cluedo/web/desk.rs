//! A person's own seat in a browser: what the page shows, what it asks, and the answers.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use amazons_pages::{Refusal, Server, missing};
use amazons_program::Exit;
use axum::http::StatusCode;
use cluedo::deck::Triple;
use cluedo::record::Story;
use serde::Deserialize;

use super::Address;
use super::route::{Followed, Key};
use crate::person::{Ask, Front, Reply, View};
use crate::show::names;

/// How many games of a match can be looked at.
const KEPT: usize = 100;

/// The table of a person and what it is asked.
pub(crate) struct Desk {
    pub(super) key: Key,
    table: Mutex<Table>,
    answered: Condvar,
    pub(super) followed: Followed,
}

/// The page's state. It contains nothing of other hands and of the solution before the end.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) me: usize,
    /// The latest games; several in a match.
    pub(crate) games: Vec<Arc<Story>>,
    /// Where the person plays several games, what is to be said of them.
    pub(crate) about_match: Option<AboutMatch>,
    pub(super) ask: Option<Ask>,
    /// Counts questions: an answer to an old one is not taken.
    pub(super) step: usize,
    /// When the latest one was asked.
    pub(super) asked_at: Instant,
    reply: Option<Reply>,
    /// Counts changes.
    pub(super) version: usize,
}

/// A match at a server's table.
#[derive(Clone, Default)]
pub(crate) struct AboutMatch {
    pub(crate) place: String,
    /// The latest events.
    pub(crate) notice: String,
    /// Cards that are asked for, nobody knows yet by whom.
    pub(crate) pending: Option<[usize; 3]>,
}

/// An answer of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) step: usize,
    #[serde(default)]
    cards: Vec<usize>,
}

impl Table {
    /// Asks something else; what was asked before is no longer waited for.
    pub(crate) fn ask(&mut self, ask: Option<Ask>) {
        if self.ask != ask {
            self.step += 1;
            (self.ask, self.reply, self.asked_at) = (ask, None, Instant::now());
        }
    }

    /// Shows a new game, or what has happened in the latest one.
    fn show(&mut self, story: &Story) {
        if self.games.last().is_some_and(|last| last.game == story.game) {
            self.games.pop();
        } else if self.games.len() == KEPT {
            self.games.remove(0);
        }
        self.games.push(Arc::new(story.clone()));
    }

    /// Returns a game by its number, or the latest.
    pub(super) fn game(&self, number: Option<u64>) -> Option<&Arc<Story>> {
        match number {
            Some(number) => self.games.iter().find(|story| story.game == number),
            None => self.games.last(),
        }
    }
}

impl Desk {
    pub(crate) fn new(me: usize, games: Vec<Arc<Story>>, about_match: Option<AboutMatch>) -> Result<Arc<Self>, Exit> {
        let asked_at = Instant::now();
        let table = Table { me, games, about_match, ask: None, step: 0, asked_at, reply: None, version: 0 };
        Ok(Arc::new(Self {
            key: Key::new()?,
            table: Mutex::new(table),
            answered: Condvar::new(),
            followed: Followed::default(),
        }))
    }

    /// Shows the page; returns its server and its address.
    pub(crate) fn serve(self: &Arc<Self>, address: Address) -> Result<(Server, String), Exit> {
        self.key.serve(address, Arc::clone(self))
    }

    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Table) -> T) -> T {
        let mut table = self.lock();
        table.version += 1;
        change(&mut table)
    }

    /// Waits for an answer; returns the number of the question, too.
    pub(crate) fn await_reply(&self) -> (usize, Reply) {
        let mut table = self.lock();
        loop {
            if let Some(reply) = table.reply.take() {
                return (table.step, reply);
            }
            table = self.answered.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn reply(&self, name: &str, request: &Request) -> Result<(), Refusal> {
        let unprocessable = |why: String| (StatusCode::UNPROCESSABLE_ENTITY, format!("{why}\n"));
        let mut table = self.lock();
        let ask = table.ask.filter(|_| table.step == request.step);
        let ask =
            ask.ok_or_else(|| (StatusCode::CONFLICT, "this was not asked, or is answered already\n".to_owned()))?;
        let reply = match (name, ask) {
            ("suggest" | "accuse", Ask::Turn) => {
                let story = table.games.last().ok_or_else(missing)?;
                let three = <[usize; 3]>::try_from(&request.cards[..]).ok().and_then(|cards| story.deck.triple(cards));
                let cards = three.ok_or_else(|| {
                    let [first, second, third] = &names(story).kinds;
                    unprocessable(format!("choose a {first}, a {second} and a {third}"))
                })?;
                if name == "suggest" { Reply::Suggest(cards) } else { Reply::Accuse(cards) }
            }
            ("show", Ask::Card { choices, .. }) => match request.cards[..] {
                [card] if card < 64 && choices.contains(card) => Reply::Card(card),
                _ => return Err(unprocessable("choose one of the cards that you can show".to_owned())),
            },
            ("leave", _) => Reply::Leave,
            _ => return Err(missing()),
        };
        (table.ask, table.reply) = (None, Some(reply));
        table.version += 1;
        self.answered.notify_all();
        Ok(())
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone)]
pub(crate) struct Browser(pub(crate) Arc<Desk>);

impl Browser {
    fn note(&self, change: impl FnOnce(&mut AboutMatch)) {
        self.0.change(|table| table.about_match.as_mut().map(change));
    }
}

impl Front for Browser {
    type Word = (usize, Reply);

    const IS_PAGE: bool = true;

    fn tell(&mut self, _: &str, story: &Story, pending: Option<Triple>) -> Result<(), Exit> {
        self.0.change(|table| {
            table.me = story.seats.iter().position(|name| name == "you").unwrap_or(0);
            table.show(story);
        });
        self.note(|about| about.pending = pending);
        Ok(())
    }

    fn say(&mut self, text: &str) -> Result<(), Exit> {
        self.note(|about| text.clone_into(&mut about.notice));
        Ok(())
    }

    fn add(&mut self, text: &str) -> Result<(), Exit> {
        self.note(|about| about.notice += &format!(" {text}"));
        Ok(())
    }

    fn ask(
        &mut self,
        ask: Ask,
        _: Option<View<'_>>,
        words: &mut dyn FnMut() -> Option<(usize, Reply)>,
    ) -> Result<Option<Reply>, Exit> {
        self.0.change(|table| table.ask(Some(ask)));
        // A reply to an earlier question is not taken.
        let is_open = |&(step, _): &(usize, Reply)| {
            let table = self.0.lock();
            (table.ask, table.step) == (None, step)
        };
        Ok(std::iter::from_fn(words).find(is_open).map(|(_, reply)| reply))
    }
}
