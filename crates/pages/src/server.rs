use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use axum::http::header::ACCEPT;
use axum::middleware::from_fn_with_state;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, getrlimit, setpriority_process};
use rustix::thread::gettid;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::yield_now;
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;

use crate::connections::{Connection, Connections, NoRoom, RESERVED};
use crate::guard::guard;
use crate::pages::Pages;

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

/// How much lower the priority of this thread is than the others'.
const PRIORITY: i32 = 10;

/// A web server on its own thread.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl Server {
    /// Serves pages from now on.
    ///
    /// # Errors
    /// When the listener is of no use, or no thread can be started.
    pub fn start(listener: TcpListener, pages: Arc<impl Pages>, bounds: Bounds) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let thread = thread::Builder::new().name("pages".to_owned()).spawn(move || {
            // If not allowed, its priority is that of the other threads.
            let _ = setpriority_process(Some(gettid()), PRIORITY);
            let served = runtime.block_on(serve(listener, pages, bounds, stopped));
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

    /// Ends it, after [`Pages::farewell`].
    ///
    /// # Errors
    /// When it failed.
    pub fn stop(self) -> io::Result<()> {
        // The server may have ended already.
        let _ = self.stop.send(());
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

async fn serve(
    listener: TcpListener,
    pages: Arc<impl Pages>,
    bounds: Bounds,
    stopped: oneshot::Receiver<()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    tokio::spawn(Arc::clone(&pages).run());
    let connections = Connections::new(Arc::clone(&pages), room(bounds));
    let app = Arc::clone(&pages).routes().layer(from_fn_with_state(Arc::new(address), guard));
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
    pages.farewell().await;
    accepting.abort();
    Ok(())
}

/// Returns the number of connections that spectators may have.
fn room(bounds: Bounds) -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    let free = descriptors.unwrap_or(usize::MAX).saturating_sub(SPARE_DESCRIPTORS + RESERVED).max(8);
    bounds.connections.min(free)
}

async fn attend(stream: TcpStream, connection: Connection<impl Pages>, app: Router, bounds: Bounds) {
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
