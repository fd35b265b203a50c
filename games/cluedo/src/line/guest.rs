//! A table's state of the client at a seat.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::line::inbox::Inbox;
use crate::line::record::Client;

/// Whether a seat has a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    #[default]
    Empty,
    /// A client has connected and must say hello in time.
    Hello {
        deadline: Option<u64>,
    },
    Ready,
    /// The client has left and may come back.
    Away {
        until: u64,
    },
    /// The client has left; its next request is its fault.
    Gone,
    /// The server answers for it.
    Ghost,
}

#[derive(Clone, Debug, Default)]
pub struct Guest {
    pub status: Status,
    pub inbox: Inbox,
    pub out: Vec<u8>,
    /// Points: 1 for a win, -1 for a fault.
    pub gain: i64,
    pub wins: u64,
    pub faults: u64,
    pub(crate) client: Client,
    /// The whole login, with what comes after `#`.
    pub(crate) login: String,
    /// Lines of this game that it was due, kept for its return.
    pub(crate) heard: Vec<u8>,
    /// Whether it was seen to end no lines.
    pub(crate) is_unended: bool,
    /// The random choices of the ghost that has taken over, in this game.
    pub(crate) stream: Option<Xoshiro256PlusPlus>,
}

impl Guest {
    /// Returns the name that others may see: the login up to `#`.
    pub fn name(&self) -> &str {
        self.login.split('#').next().unwrap_or_default()
    }

    /// Returns whether the login has a secret part, which nobody knows who knows the name.
    pub(crate) fn has_secret(&self) -> bool {
        self.login.split_once('#').is_some_and(|(_, secret)| !secret.is_empty())
    }

    /// A client takes the seat, or comes back to it.
    pub(crate) fn sit(&mut self, status: Status) {
        self.status = status;
        self.inbox = Inbox::default();
        self.out.clear();
        self.is_unended = false;
    }
}
