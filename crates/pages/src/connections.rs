//! Admission of connections: always for players and members, and for spectators while there is room.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{Request, Uri};
use tokio::task::AbortHandle;

use crate::pages::Pages;

/// Connections reserved for clients that have not sent a request yet; beyond that, the busiest address loses its oldest
/// one.
const WAITING: usize = 64;

/// Maximum number of connections of each player or member; a browser opens six.
const PER_PLAYER: usize = 16;

/// Connections reserved besides those of spectators.
pub(crate) const RESERVED: usize = WAITING + 2 * PER_PLAYER;

/// One address may have 1 / `SHARES` of the spectators' connections.
const SHARES: usize = 4;

/// All connections of a server.
pub(crate) struct Connections<P> {
    pages: Arc<P>,
    /// The maximum for all spectators, and for one address.
    spectators_max: usize,
    share_max: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// By number, so oldest first.
    all: BTreeMap<u64, Known>,
    next: u64,
}

#[derive(Debug)]
struct Known {
    address: IpAddr,
    role: Role,
    task: AbortHandle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Has sent no request yet, or its first one was refused.
    Waiting,
    Spectator,
    Player(usize),
}

/// A connection, listed until this is dropped.
pub(crate) struct Connection<P> {
    all: Arc<Connections<P>>,
    number: u64,
}

/// Why a request is refused for now; travels with the request.
#[derive(Clone, Debug)]
pub(crate) struct NoRoom(pub(crate) String);

impl<P: Pages> Connections<P> {
    pub(crate) fn new(pages: Arc<P>, spectators_max: usize) -> Arc<Self> {
        let share_max = (spectators_max / SHARES).max(1);
        Arc::new(Self { pages, spectators_max, share_max, open: Mutex::default() })
    }

    /// Serves a new connection in its own task; may abort one that is still waiting.
    pub(crate) fn spawn<F>(self: &Arc<Self>, address: IpAddr, serve: impl FnOnce(Connection<P>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut open = self.lock();
        let oldest = open.make_room(self.spectators_max + WAITING);
        let number = open.next;
        open.next += 1;
        // The task takes the lock when it begins and ends, so it is listed first.
        let task = tokio::spawn(serve(Connection { all: Arc::clone(self), number })).abort_handle();
        open.all.insert(number, Known { address: network_of(address), role: Role::Waiting, task });
        drop(open);
        if let Some(task) = oldest {
            task.abort();
        }
    }
}

impl<P> Connections<P> {
    fn lock(&self) -> MutexGuard<'_, Open> {
        // Nothing under the lock can fail half-way.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// If too many connections are not players', removes the oldest waiting one of the address that has most of them,
    /// and returns its task.
    fn make_room(&mut self, max: usize) -> Option<AbortHandle> {
        if self.count(|known| !matches!(known.role, Role::Player(_))) < max {
            return None;
        }
        let waiting = || self.all.iter().filter(|(_, known)| known.role == Role::Waiting);
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        waiting().for_each(|(_, known)| *counts.entry(known.address).or_default() += 1);
        let most = counts.values().max();
        let oldest = waiting().find(|(_, known)| counts.get(&known.address) == most).map(|(&number, _)| number)?;
        self.all.remove(&oldest).map(|known| known.task)
    }

    fn count(&self, is_counted: impl Fn(&Known) -> bool) -> usize {
        self.all.values().filter(|known| is_counted(known)).count()
    }
}

impl<P: Pages> Connection<P> {
    /// Decides whether to answer a request. Players may request anything below their own address, which is stripped
    /// here.
    pub(crate) fn admit<B>(&self, request: &mut Request<B>) -> Result<(), NoRoom> {
        let Connections { pages, spectators_max, share_max, .. } = &*self.all;
        let (player, shared) = pages.player(request.uri().path()).map(|(player, rest)| (player, shared(rest))).unzip();
        let player = player.or_else(|| pages.member(request.headers()));
        if let Some(uri) = shared.flatten() {
            *request.uri_mut() = uri;
        }
        let mut open = self.all.lock();
        let spectators = |address: Option<IpAddr>| {
            let is_counted = |known: &Known| address.is_none_or(|address| known.address == address);
            open.count(|known| known.role == Role::Spectator && is_counted(known))
        };
        let full = |reason: String| Err(NoRoom(reason));
        let known = open.all.get(&self.number);
        let role = match (known, player.map(Role::Player)) {
            (Some(Known { role: Role::Player(_), .. }), _) => return Ok(()),
            (Some(_), Some(player)) if open.count(|known| known.role == player) < PER_PLAYER => player,
            (Some(Known { role: Role::Spectator, .. }), _) => return Ok(()),
            (Some(_), _) if spectators(None) >= *spectators_max => {
                return full(format!("all {spectators_max} connections for spectators are taken: try again later"));
            }
            (Some(known), _) if spectators(Some(known.address)) >= *share_max => {
                return full(format!(
                    "your address already has {share_max} connections: close some or try again later"
                ));
            }
            (Some(_), _) => Role::Spectator,
            (None, _) => return full("too many requests at once: try again".to_owned()),
        };
        if let Some(known) = open.all.get_mut(&self.number) {
            known.role = role;
        }
        Ok(())
    }
}

impl<P> Drop for Connection<P> {
    fn drop(&mut self) {
        self.all.lock().all.remove(&self.number);
    }
}

/// Returns the path if anyone may request it.
fn shared(path: &str) -> Option<Uri> {
    let is_shared = path.starts_with("/assets/") || path.starts_with("/api/");
    is_shared.then(|| path.parse().ok()).flatten()
}

/// Returns what counts as one address: a machine usually has all IPv6 addresses of a /64 network.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}
