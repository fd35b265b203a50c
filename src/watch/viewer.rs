use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use axum::http::header::ACCEPT;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, getrlimit, setpriority_process};
use rustix::thread::gettid;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};
use tokio_io_timeout::TimeoutStream;

use super::connections::{Connection, Connections, NoRoom, RESERVED};
use super::redact::Audience;
use super::routes::routes;
use super::site::Site;

/// The limits on spectators.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Simultaneous connections of spectators; a request over a further one is refused.
    pub connections: usize,
    /// How long a request may take to arrive, and how long a connection may be idle.
    pub request: Duration,
    /// How long the client may accept no bytes.
    pub stall: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { connections: 1000, request: Duration::from_secs(10), stall: Duration::from_secs(30) }
    }
}

/// The most bytes of a request, and the most headers.
const REQUEST_MAX: usize = 16 << 10;
const HEADERS_MAX: usize = 64;

/// Descriptors reserved for other uses.
const SPARE_DESCRIPTORS: usize = 64;

/// How long to wait at the end for spectators to receive the end of a game.
const FAREWELL: Duration = Duration::from_secs(1);

/// How much lower the spectators' priority is than the game's.
const PRIORITY: i32 = 10;

/// A web server on its own thread.
#[derive(Debug)]
pub struct Viewer {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<io::Result<()>>,
}

/// Listens on an address; port 0 means any free one.
///
/// # Errors
/// When the port is taken, or others could connect: only `Public` may leave this machine.
pub fn listen(host: IpAddr, port: u16, audience: Audience) -> io::Result<TcpListener> {
    if audience == Audience::Local && !host.is_loopback() {
        return Err(io::Error::other("others could look in there: spell out --public if they may"));
    }
    let listener = TcpListener::bind((host, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

impl Viewer {
    /// Serves a site from now on.
    pub fn start(listener: TcpListener, site: Site, bounds: Bounds) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let thread = thread::Builder::new().name("viewer".to_owned()).spawn(move || {
            // If not allowed, spectators have the game's priority.
            let _ = setpriority_process(Some(gettid()), PRIORITY);
            let served = runtime.block_on(serve(listener, Arc::new(site), bounds, stopped));
            // A file may still be being read there.
            runtime.shutdown_background();
            served
        })?;
        Ok(Self { address, stop, thread })
    }

    /// Returns its address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of the first page for a browser on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(if address.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                std::net::Ipv6Addr::LOCALHOST.into()
            });
        }
        format!("http://{address}/")
    }

    /// Ends it, after spectators of a finished game have received its end.
    pub fn stop(self) -> io::Result<()> {
        // The server may have ended already.
        let _ = self.stop.send(());
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Catches Ctrl-C and termination requests, which no longer end the process by themselves.
#[derive(Debug)]
pub struct Interrupt(Signals);

impl Interrupt {
    /// Starts listening.
    pub fn new() -> io::Result<Self> {
        Signals::new([SIGINT, SIGTERM]).map(Self)
    }

    /// Waits for either.
    pub fn wait(mut self) {
        self.0.forever().next();
    }
}

async fn serve(
    listener: TcpListener,
    site: Arc<Site>,
    bounds: Bounds,
    stopped: oneshot::Receiver<()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    if let Some(game) = site.playing().cloned() {
        tokio::spawn(async move { game.notify().await });
    }
    let connections = Connections::new(Arc::clone(&site), room(bounds));
    let app = routes(Arc::clone(&site), address);
    let accepting = tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((stream, from)) => {
                    let serve = |connection| attend(stream, connection, app.clone(), bounds);
                    connections.spawn(from.ip(), serve);
                    // What it has sent already tells whether it may stay.
                    yield_now().await;
                }
                // For example out of descriptors: others will be released.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    });
    // If the sender is gone, there is no stop signal to wait for.
    let _ = stopped.await;
    if site.playing().is_some_and(|game| game.length().is_over) {
        let deadline = Instant::now() + FAREWELL;
        while site.spectators.load(Ordering::Relaxed) > 0 && Instant::now() < deadline {
            sleep(Duration::from_millis(5)).await;
        }
        // One more turn passes the last writes to the kernel.
        sleep(Duration::from_millis(20)).await;
    }
    accepting.abort();
    Ok(())
}

/// Returns the number of connections that spectators may have.
fn room(bounds: Bounds) -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    let free = descriptors.unwrap_or(usize::MAX).saturating_sub(SPARE_DESCRIPTORS + RESERVED).max(8);
    bounds.connections.min(free)
}

async fn attend(stream: TcpStream, connection: Connection, app: Router, bounds: Bounds) {
    // Moves are small: send them without delay.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(bounds.stall));
    let io = TokioIo::new(Box::pin(stream));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.request)
        .max_buf_size(REQUEST_MAX)
        .max_headers(HEADERS_MAX);
    let app = TowerToHyperService::new(app);
    let service = service_fn(|mut request: Request<Incoming>| {
        let admitted = connection.admit(&mut request);
        // A browser comes back for its events, but only if it gets no answer.
        let is_stream = request.headers().get(ACCEPT).is_some_and(|kind| kind == "text/event-stream");
        let answer = match admitted {
            Err(NoRoom(reason)) if is_stream => Err(io::Error::other(reason)),
            Err(no_room) => {
                request.extensions_mut().insert(no_room);
                Ok(app.call(request))
            }
            Ok(()) => Ok(app.call(request)),
        };
        async { Ok::<_, io::Error>(answer?.await.unwrap_or_else(|never| match never {})) }
    });
    // It does not matter here how a connection ends.
    let _: Result<(), hyper::Error> = http.serve_connection(io, service).await;
}
