//! Where clients come in.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use cluedo::line::inbox::{Inbox, Received};
use cluedo::line::record::Client;
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, spawn_local};
use tokio::time::timeout;

use super::connection::Connection;
use super::shared::Shared;

/// Maximum number of clients that ask for their former seats.
pub(super) const MAX_ASKING: usize = 64;

/// Clients that have no seat and may say who they were, the oldest first; they leave when this is dropped.
#[derive(Default)]
struct Asking(VecDeque<AbortHandle>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.iter().for_each(AbortHandle::abort);
    }
}

pub(super) async fn accept(listener: TcpListener, shared: Rc<Shared>) {
    let mut asking = Asking::default();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are small and waited for. A socket that cannot do it is only slower.
                let _ = stream.set_nodelay(true);
                let client = Client { address: peer.ip().to_string(), ..Client::default() };
                asking.enter(shared.connection(stream, client), &shared);
            }
            // Too many open files: some will be closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

impl Asking {
    /// A client takes a free seat, or may ask for the one that it had.
    fn enter(&mut self, connection: Connection, shared: &Rc<Shared>) {
        shared.count(|counters| counters.connections += 1);
        if let Some(place) = shared.free_seat() {
            return shared.sit(place, connection);
        }
        self.0.retain(|one| !one.is_finished());
        if !shared.may_come_back() || self.0.len() >= MAX_ASKING {
            shared.count(|counters| counters.surplus += 1);
        }
        if shared.may_come_back() {
            // Silent clients keep no seat from its owner, who says its login at once.
            if self.0.len() >= MAX_ASKING
                && let Some(oldest) = self.0.pop_front()
            {
                oldest.abort();
            }
            self.0.push_back(spawn_local(ask(Rc::clone(shared), connection)).abort_handle());
        }
    }
}

/// Gives a client that has no seat the one that it had, if it says so in time.
async fn ask(shared: Rc<Shared>, mut connection: Connection) {
    let mut inbox = Inbox::default();
    let hello = poll_fn(|context| poll_line(&mut connection, &mut inbox, context));
    let hello = timeout(Duration::from_micros(shared.patience()), hello).await;
    if let Ok(Some(line)) = hello
        && let Some(place) = shared.seat_of(&line)
    {
        shared.sit_again(place, connection);
    }
}

/// Reads a line; nothing if the client sends none.
fn poll_line(connection: &mut Connection, inbox: &mut Inbox, context: &mut Context<'_>) -> Poll<Option<Vec<u8>>> {
    let mut buffer = [0; 2048];
    loop {
        let Ok(bytes @ [_, ..]) = ready!(connection.poll_read(&mut buffer, context)) else { return Poll::Ready(None) };
        match inbox.asked(bytes, 0) {
            Received::Nothing => {}
            Received::Line(line, _) => return Poll::Ready(Some(line)),
            Received::TooMuch(_) => return Poll::Ready(None),
        }
    }
}
