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

pub(super) async fn accept(listener: TcpListener, shared: Rc<Shared>) {
    let mut asking = VecDeque::new();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are small and waited for. A socket that cannot do it is only slower.
                let _ = stream.set_nodelay(true);
                let client = Client { address: peer.ip().to_string(), ..Client::default() };
                enter(&mut asking, shared.connection(stream, client), &shared);
            }
            // Too many open files: some will be closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// A client takes a free seat, or may ask for the one that it had; those that ask already are the oldest first.
fn enter(asking: &mut VecDeque<AbortHandle>, connection: Connection, shared: &Rc<Shared>) {
    shared.counters.borrow_mut().connections += 1;
    let free = shared.free.borrow_mut().pop_first();
    if let Some(place) = free {
        return shared.sit(place, connection);
    }
    let may_come_back = shared.server.options.rejoin > 0;
    asking.retain(|one| !one.is_finished());
    if !may_come_back || asking.len() >= MAX_ASKING {
        shared.counters.borrow_mut().surplus += 1;
    }
    if may_come_back {
        // Silent clients keep no seat from its owner, who says its login at once.
        if asking.len() >= MAX_ASKING
            && let Some(oldest) = asking.pop_front()
        {
            oldest.abort();
        }
        asking.push_back(spawn_local(ask(Rc::clone(shared), connection)).abort_handle());
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
