//! The event loop.

use std::cell::RefCell;
use std::fs::File;
use std::future::poll_fn;
use std::io;
use std::io::Write;
use std::os::unix::net::UnixStream as Pipe;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use amazons_program::Exit;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpSocket, UnixStream};
use tokio::sync::Notify;
use tokio::task::{LocalSet, spawn_local};

use super::connection::Stream;
use super::hub::{Hub, MAX_ASKING};
use super::{Server, own, report};
use crate::web::{Address, LiveTables, Site, failed};

/// Descriptors besides those of clients.
const OTHER_FILES: u64 = 32;

/// The kernel's buffer for a client's lines, in bytes.
const SEND_BUFFER: u32 = 64 * 1024;

/// How many times what a client has sent is read before it is closed.
const MAX_READ_AT_END: usize = 100;

/// What the tasks share.
#[derive(Clone)]
struct Shared {
    hub: Rc<RefCell<Hub>>,
    /// Bytes wait to be sent.
    dirty: Rc<Notify>,
    /// Something may be due earlier than before.
    timer: Rc<Notify>,
    /// All tables have finished, or the server is stopped.
    done: Rc<Notify>,
}

pub(super) fn run(server: &Server, out: &mut impl Write) -> Result<Exit, Exit> {
    let clients = server.tables as u64 * server.options.players as u64;
    let programs = server.tables as u64 * server.own.len() as u64;
    let asking = if server.options.rejoin > 0 { MAX_ASKING as u64 } else { 0 };
    raise_limit(clients + asking + OTHER_FILES + own::FILES * programs)?;
    let record = server.record.as_ref().map(|path| {
        File::create(path).map_err(|error| Exit::usage(format!("{}: cannot write: {error}", path.display())))
    });
    let tables = server.watch.map(|_| Arc::new(LiveTables::default()));
    let hub = Rc::new(RefCell::new(Hub::new(server, record.transpose()?, tables.clone())));
    let address = server.watch.map(|port| Address::new(port, "--watch-port")).transpose()?;
    let pages = address.zip(tables).map(|(address, tables)| address.serve(Site::of_server(tables))).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Exit::failure)?;
    let tasks = LocalSet::new();
    let pages_url = pages.as_ref().map(amazons_pages::Server::url);
    let was_stopped = tasks.block_on(&runtime, serve(server, &hub, pages_url.as_deref()))?;
    // What is still queued is sent within a second.
    let hub_ref = &hub;
    tasks.block_on(&runtime, async {
        let drained = poll_fn(|_| match hub_ref.borrow().connections.is_empty() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        });
        let _ = tokio::time::timeout(Duration::from_millis(1), drained).await;
        for _ in 0..100 {
            if hub_ref.borrow().connections.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    if let Some(pages) = pages {
        pages.stop().map_err(failed)?;
    }
    let mut hub = hub.borrow_mut();
    hub.flush_record();
    if let Some(failure) = hub.failure.take() {
        return Err(Exit::Failure(failure));
    }
    report::results(&hub, server, out)?;
    match (was_stopped, hub.is_complete()) {
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
async fn serve(server: &Server, hub: &Rc<RefCell<Hub>>, pages: Option<&str>) -> Result<bool, Exit> {
    let listener = listen(server).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            Exit::usage(format!("{}: another program listens there; 0 picks a free port", server.address))
        }
        _ => Exit::usage(format!("{}: {error}", server.address)),
    })?;
    let address = listener.local_addr().map_err(Exit::failure)?;
    let shared = Shared {
        hub: Rc::clone(hub),
        dirty: Rc::new(Notify::new()),
        timer: Rc::new(Notify::new()),
        done: Rc::new(Notify::new()),
    };
    seat_own(server, &shared)?;
    spawn_local(accept(listener, shared.clone()));
    spawn_local(flush(shared.clone()));
    spawn_local(timer(shared.clone()));
    let stopped = Rc::new(RefCell::new(0));
    for signal in [SIGUSR1, SIGINT, SIGTERM] {
        let (pipe, ours) = Pipe::pair().map_err(Exit::failure)?;
        signal_hook::low_level::pipe::register(signal, ours).map_err(Exit::failure)?;
        pipe.set_nonblocking(true).map_err(Exit::failure)?;
        let pipe = UnixStream::from_std(pipe).map_err(Exit::failure)?;
        spawn_local(signals(signal, pipe, shared.clone(), Rc::clone(&stopped)));
    }
    // Whoever started the server may have closed its standard error.
    let _ = writeln!(io::stderr(), "listening on {address}");
    if let Some(url) = pages {
        let _ = writeln!(io::stderr(), "watch at {url}");
    }
    while hub.borrow().unfinished > 0 && *stopped.borrow() < 2 {
        shared.done.notified().await;
    }
    hub.borrow_mut().flush();
    let signals = *stopped.borrow();
    Ok(signals > 1 || signals == 1 && !hub.borrow().is_complete())
}

/// Starts the programs that have seats, and gives them the first seats of each table.
fn seat_own(server: &Server, shared: &Shared) -> Result<(), Exit> {
    let clients = server.own.iter().map(own::client).collect::<Result<Vec<_>, Exit>>()?;
    for (table, (seat, command)) in
        (0..server.tables).flat_map(|table| server.own.iter().enumerate().map(move |own| (table, own)))
    {
        let (pipe, theirs) = Pipe::pair().map_err(Exit::failure)?;
        own::start(command, server.sandbox, theirs)?;
        pipe.set_nonblocking(true).map_err(Exit::failure)?;
        let stream = Rc::new(Stream::Own(UnixStream::from_std(pipe).map_err(Exit::failure)?));
        let id = shared.hub.borrow_mut().seat(Rc::clone(&stream), table, seat, clients[seat].clone());
        spawn_local(client(id, stream, shared.clone()));
        shared.after();
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

async fn accept(listener: TcpListener, shared: Shared) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are small and waited for. A socket that cannot do it is only slower.
                let _ = stream.set_nodelay(true);
                let stream = Rc::new(Stream::Tcp(stream));
                let id = shared.hub.borrow_mut().connect(Rc::clone(&stream));
                if let Some(id) = id {
                    spawn_local(client(id, stream, shared.clone()));
                    shared.after();
                }
            }
            // Too many open files: some will be closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

impl Shared {
    /// Wakes the tasks that have something to do after an event.
    fn after(&self) {
        let hub = self.hub.borrow();
        if hub.is_dirty() {
            self.dirty.notify_one();
        }
        self.timer.notify_one();
        if hub.unfinished == 0 {
            self.done.notify_one();
        }
    }
}

/// Reads from a client and writes what could not be written at once.
async fn client(id: u64, stream: Rc<Stream>, shared: Shared) {
    poll_fn(|context| {
        // Not kept while the client is waited for: there may be thousands.
        let mut buffer = [0; 2048];
        loop {
            let mut is_idle = true;
            let is_ended = {
                let mut hub = shared.hub.borrow_mut();
                let Some(connection) = hub.connections.get_mut(&id) else { return Poll::Ready(()) };
                connection.waker = Some(context.waker().clone());
                if connection.is_closing && connection.out.is_empty() {
                    return Poll::Ready(());
                }
                connection.is_ended
            };
            if !is_ended && stream.poll_read_ready(context).is_ready() {
                match stream.try_read(&mut buffer) {
                    Ok(0) => shared.hub.borrow_mut().ended(id, false),
                    Ok(count) => shared.hub.borrow_mut().receive(id, &buffer[..count]),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
                    Err(_) => shared.hub.borrow_mut().ended(id, true),
                }
                is_idle = false;
                shared.after();
            }
            let mut hub = shared.hub.borrow_mut();
            let now = hub.now();
            if let Some(connection) = hub.connections.get_mut(&id)
                && connection.waits_since.is_some()
                && stream.poll_write_ready(context).is_ready()
            {
                if connection.flush(now).is_err() {
                    hub.ended(id, true);
                }
                is_idle = false;
            }
            if is_idle {
                return Poll::Pending;
            }
        }
    })
    .await;
    let connection = shared.hub.borrow_mut().connections.remove(&id);
    let mut buffer = [0; 2048];
    // A socket that is closed with bytes unread resets the connection, and the client may lose its last lines.
    for _ in 0..MAX_READ_AT_END {
        if connection.as_ref().is_none_or(|one| !one.stream.read_arrived(&mut buffer).is_ok_and(|count| count > 0)) {
            break;
        }
    }
}

/// Sends what was gathered, after all that was ready has been read.
async fn flush(shared: Shared) {
    loop {
        shared.dirty.notified().await;
        shared.hub.borrow_mut().flush();
        shared.after();
    }
}

async fn timer(shared: Shared) {
    loop {
        let wait = {
            let hub = shared.hub.borrow();
            hub.deadline().map(|at| Duration::from_micros(at.saturating_sub(hub.now())))
        };
        let changed = shared.timer.notified();
        match wait {
            Some(wait) if wait.is_zero() => {
                shared.hub.borrow_mut().tick();
                shared.after();
                tokio::task::yield_now().await;
            }
            Some(wait) => {
                let _ = tokio::time::timeout(wait, changed).await;
            }
            None => changed.await,
        }
    }
}

async fn signals(signal: i32, mut pipe: UnixStream, shared: Shared, stopped: Rc<RefCell<u32>>) {
    let mut byte = [0; 64];
    while let Ok(count @ 1..) = pipe.read(&mut byte).await {
        if signal == SIGUSR1 {
            report::state(&shared.hub.borrow());
        } else {
            // Two that come at once are two.
            for _ in 0..count {
                let is_first = *stopped.borrow() == 0;
                *stopped.borrow_mut() += 1;
                shared.hub.borrow_mut().stop(is_first);
            }
            shared.done.notify_one();
        }
        shared.after();
    }
}
