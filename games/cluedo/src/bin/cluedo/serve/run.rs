//! The server's sockets and signals, and where clients come in.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fs::File;
use std::future::poll_fn;
use std::io::{self, Write};
use std::os::unix::net::UnixStream as Pipe;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use amazons_program::Exit;
use cluedo::line::inbox::{Inbox, Received};
use cluedo::line::record::Client;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpSocket, UnixStream};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{AbortHandle, LocalSet, spawn_local};
use tokio::time::timeout;

use super::connection::Connection;
use super::shared::{Arrival, Shared};
use super::{Server, own, report, table};
use crate::web::{Address, LiveTables, Site, Source, failed};

/// Maximum number of clients that ask for their former seats.
const MAX_ASKING: usize = 64;

/// Descriptors besides those of clients.
const OTHER_FILES: u64 = 32;

/// The kernel's buffer for a client's lines, in bytes.
const SEND_BUFFER: u32 = 64 * 1024;

/// How long clients may take to read their last lines after all matches.
const LAST_LINES: Duration = Duration::from_secs(1);

pub(super) fn run(server: Server, out: &mut impl Write) -> Result<Exit, Exit> {
    let args = &server.args;
    let clients = server.tables as u64 * server.options.players as u64;
    let programs = server.tables as u64 * server.own.len() as u64;
    let asking = if server.options.rejoin > 0 { MAX_ASKING as u64 } else { 0 };
    raise_limit(clients + asking + OTHER_FILES + own::FILES * programs)?;
    let record = args.record.as_ref().map(|path| {
        File::create(path).map_err(|error| Exit::usage(format!("{}: cannot write: {error}", path.display())))
    });
    let tables = args.watch.then(|| Arc::new(LiveTables::default()));
    let record = record.transpose()?;
    let address = args.watch.then(|| Address::new(args.watch_port.unwrap_or(0), "--watch-port")).transpose()?;
    let site = tables.clone().map(|tables| Site::new(Source::Live(tables)));
    let pages = address.zip(site).map(|(address, site)| address.serve(site)).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Exit::failure)?;
    let pages_url = pages.as_ref().map(amazons_pages::Server::url);
    let served = LocalSet::new().block_on(&runtime, async {
        let (senders, doors) = (0..server.tables).map(|_| unbounded_channel()).unzip();
        let shared = Rc::new(Shared::new(server, senders, record, tables));
        serve(&shared, doors, pages_url.as_deref()).await.map(|was_stopped| (shared, was_stopped))
    });
    let (shared, was_stopped) = served?;
    if let Some(pages) = pages {
        pages.stop().map_err(failed)?;
    }
    shared.finish_record()?;
    report::results(&shared, out)?;
    match (was_stopped, shared.is_complete()) {
        (true, _) => Ok(Exit::Stopped),
        (false, true) => Ok(Exit::Success),
        (false, false) => Ok(Exit::Partly),
    }
}

/// Allows as many open files as are needed.
fn raise_limit(needed: u64) -> Result<(), Exit> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < needed) {
        let enough = limit.maximum.is_none_or(|maximum| maximum >= needed);
        let raised = Rlimit { current: Some(needed), maximum: limit.maximum };
        if !enough || setrlimit(Resource::Nofile, raised).is_err() {
            return Err(Exit::usage(format!("so many clients need {needed} open files: ulimit -n {needed}")));
        }
    }
    Ok(())
}

/// Serves until all tables have finished; returns whether a signal ended it early.
async fn serve(shared: &Rc<Shared>, doors: Vec<UnboundedReceiver<Arrival>>, pages: Option<&str>) -> Result<bool, Exit> {
    let server = &shared.server;
    let listener = listen(server).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            Exit::usage(format!("{}: another program listens there; 0 picks a free port", server.address))
        }
        _ => Exit::usage(format!("{}: {error}", server.address)),
    })?;
    let address = listener.local_addr().map_err(Exit::failure)?;
    seat_own(shared)?;
    let play = |(number, door)| spawn_local(table::play(Rc::clone(shared), number, door));
    let tables: Vec<_> = doors.into_iter().enumerate().map(play).collect();
    let entrance = spawn_local(accept(listener, Rc::clone(shared)));
    let stops = Rc::new(Cell::new(0));
    for signal in [SIGUSR1, SIGINT, SIGTERM] {
        let (pipe, ours) = pipe().map_err(Exit::failure)?;
        signal_hook::low_level::pipe::register(signal, ours).map_err(Exit::failure)?;
        spawn_local(signals(signal, pipe, Rc::clone(shared), Rc::clone(&stops)));
    }
    // Whoever started the server may have closed its standard error.
    let _ = writeln!(io::stderr(), "listening on {address}");
    if let Some(url) = pages {
        let _ = writeln!(io::stderr(), "watch at {url}");
    }
    for table in tables {
        table.await.map_err(Exit::failure)?;
    }
    entrance.abort();
    // Those that read too slowly lose their last lines.
    let _ = timeout(LAST_LINES, shared.closing.take().join_all()).await;
    Ok(stops.get() > 1 || stops.get() == 1 && !shared.is_complete())
}

fn pipe() -> io::Result<(UnixStream, Pipe)> {
    let (pipe, other) = Pipe::pair()?;
    pipe.set_nonblocking(true)?;
    Ok((UnixStream::from_std(pipe)?, other))
}

/// Starts the programs that have seats, and gives them the first seats of each table.
fn seat_own(shared: &Shared) -> Result<(), Exit> {
    let server = &shared.server;
    let clients = server.own.iter().map(own::client).collect::<Result<Vec<_>, Exit>>()?;
    for (table, (seat, command)) in
        (0..server.tables).flat_map(|table| server.own.iter().enumerate().map(move |own| (table, own)))
    {
        let (pipe, theirs) = pipe().map_err(Exit::failure)?;
        own::start(command, server.args.sandbox, theirs)?;
        shared.sit((table, seat), shared.connection(pipe, clients[seat].clone()));
    }
    Ok(())
}

fn listen(server: &Server) -> io::Result<TcpListener> {
    let socket = if server.address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    // Clients inherit it: what waits for one that does not read stays small.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(server.address)?;
    socket.listen(4096)
}

async fn signals(signal: i32, mut pipe: UnixStream, shared: Rc<Shared>, stops: Rc<Cell<u32>>) {
    let mut byte = [0; 64];
    while let Ok(count @ 1..) = pipe.read(&mut byte).await {
        if signal == SIGUSR1 {
            report::state(&shared);
            continue;
        }
        // Two that come at once are two.
        for _ in 0..count {
            stops.set(stops.get() + 1);
            shared.stop(stops.get() == 1);
        }
    }
}

async fn accept(listener: TcpListener, shared: Rc<Shared>) {
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
