use std::collections::VecDeque;

use crate::classic::message::{Fault, Message, Over};
use crate::classic::seats::SEATS_MAX;

/// A message to send: the rank and the words.
pub type Outgoing = (usize, Vec<i32>);

/// Maximum number of waiting messages; no rank sends as many in a game: AIs alone do not wait for rank 0.
const WAITING_MAX: usize = 256;

/// Messages that are not due yet. The order is kept for each sender only, so a message of the next turn may come
/// before one of this turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mail {
    queues: [VecDeque<Vec<i32>>; SEATS_MAX],
}

impl Mail {
    pub(crate) fn push(&mut self, from: usize, words: Vec<i32>) -> Result<(), Fault> {
        let queue =
            self.queues.get_mut(from).ok_or_else(|| Fault::new(from, "is not in the game and sent a message"))?;
        if queue.len() >= WAITING_MAX {
            return Err(Fault::new(from, "sends more messages than it may"));
        }
        queue.push_back(words);
        Ok(())
    }

    /// Takes the oldest words of a rank.
    pub(crate) fn words(&mut self, from: usize) -> Option<Vec<i32>> {
        self.queues[from].pop_front()
    }

    /// Takes the oldest message of a rank.
    pub(crate) fn message(&mut self, from: usize) -> Result<Option<Message>, Fault> {
        self.words(from).map(|words| Message::decode(from, &words)).transpose()
    }

    fn peek(&self, from: usize) -> Result<Option<Message>, Fault> {
        self.queues[from].front().map(|words| Message::decode(from, words)).transpose()
    }

    /// Takes the oldest message of a rank if it is the wanted one; returns whether it was.
    pub(crate) fn take(&mut self, from: usize, wanted: &Message) -> Result<bool, Fault> {
        let is_there = self.peek(from)?.as_ref() == Some(wanted);
        if is_there {
            self.queues[from].pop_front();
        }
        Ok(is_there)
    }

    /// Returns the end of the game, if it is the oldest message of rank 0. It may come instead of an answer, which is a
    /// single word.
    pub(crate) fn over(&self) -> Result<Option<Over>, Fault> {
        let is_message = self.queues[0].front().is_some_and(|words| words.len() > 1);
        match if is_message { self.peek(0)? } else { None } {
            Some(Message::Over(over)) => Ok(Some(over)),
            _ => Ok(None),
        }
    }
}
