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
pub struct ServerLimits {
    /// Simultaneous connections; requests over any further one are refused.
    pub connections: usize,
    /// The time limit for a request to arrive, and for an idle connection.
    pub request: Duration,
    /// The longest time for which a client may accept no bytes.
    pub stall: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self { connections: 1000, request: Duration::from_secs(10), stall: Duration::from_secs(30) }
    }
}

/// Maximum length of a request's head, and maximum number of headers.
const REQUEST_MAX: usize = 16 << 10;
const HEADERS_MAX: usize = 64;

/// Descriptors reserved for other uses.
const SPARE_DESCRIPTORS: usize = 64;

/// How much the priority of this thread is lowered.
const PRIORITY: i32 = 10;

/// A web server on its own thread.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl Server {
    /// Starts serving.
    pub fn start(listener: TcpListener, pages: Arc<impl Pages>, bounds: ServerLimits) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let thread = thread::Builder::new().name("pages".to_owned()).spawn(move || {
            // If that is not allowed, the priority stays as it is.
            let _ = setpriority_process(Some(gettid()), PRIORITY);
            let served = runtime.block_on(serve(listener, pages, bounds, stopped));
            // A thread may still be reading a file.
            runtime.shutdown_background();
            served
        })?;
        Ok(Self { address, stop, thread })
    }

    /// Returns its address.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of the first page for a browser on this machine.
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

    /// Stops the server, after [`Pages::farewell`].
    pub fn stop(self) -> io::Result<()> {
        // The server may have ended already.
        let _ = self.stop.send(());
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

async fn serve<P: Pages>(
    listener: TcpListener,
    pages: Arc<P>,
    bounds: ServerLimits,
    stopped: oneshot::Receiver<()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    tokio::spawn(Arc::clone(&pages).run());
    let connections = Connections::new(Arc::clone(&pages), room(bounds));
    let app = Arc::clone(&pages).routes().layer(from_fn_with_state((address, Arc::clone(&pages)), guard::<P>));
    let accepting = tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((stream, from)) => {
                    let serve = |connection| attend(stream, connection, app.clone(), bounds);
                    connections.spawn(from.ip(), serve);
                    // Lets earlier connections read their requests, which decide whether they may stay.
                    yield_now().await;
                }
                // For example when out of descriptors: connections that close will release some.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    });
    // If the sender is gone, no stop signal will come.
    let _ = stopped.await;
    pages.farewell().await;
    accepting.abort();
    Ok(())
}

/// Returns how many connections spectators may have.
fn room(bounds: ServerLimits) -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok());
    let free = descriptors.unwrap_or(usize::MAX).saturating_sub(SPARE_DESCRIPTORS + RESERVED).max(8);
    bounds.connections.min(free)
}

async fn attend(stream: TcpStream, connection: Connection<impl Pages>, app: Router, bounds: ServerLimits) {
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
        // A browser reconnects for its events, but only if it gets no response.
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
    // How a connection ends does not matter here.
    let _: Result<(), hyper::Error> = http.serve_connection(io, service).await;
}
