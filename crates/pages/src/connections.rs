//! Who may connect: people who play always, spectators while there is room.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{Request, Uri};
use tokio::task::AbortHandle;

use crate::pages::Pages;

/// Connections reserved for those whose first request is still to come; in a full house, the oldest of the busiest
/// address makes room.
const WAITING: usize = 64;

/// Connections reserved for each person who plays; a browser opens six.
const PER_PLAYER: usize = 16;

/// Connections reserved besides those of spectators.
pub(crate) const RESERVED: usize = WAITING + 2 * PER_PLAYER;

/// An address may have one of so many spectators' connections.
const SHARES: usize = 4;

/// All connections of a server.
pub(crate) struct Connections<P> {
    pages: Arc<P>,
    /// The most of spectators, and of those the most from one address.
    spectators_max: usize,
    share_max: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// By number, so the oldest first.
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
    /// Its first request is still to come, or was refused.
    Waiting,
    Spectator,
    Player(usize),
}

/// A connection, known until this is dropped.
pub(crate) struct Connection<P> {
    all: Arc<Connections<P>>,
    number: u64,
}

/// The reason why a request is refused for now; it travels with the request.
#[derive(Clone, Debug)]
pub(crate) struct NoRoom(pub(crate) String);

impl<P: Pages> Connections<P> {
    pub(crate) fn new(pages: Arc<P>, spectators_max: usize) -> Arc<Self> {
        let share_max = (spectators_max / SHARES).max(1);
        Arc::new(Self { pages, spectators_max, share_max, open: Mutex::default() })
    }

    /// Serves a new connection in a task of its own; may end one that has been waiting.
    pub(crate) fn spawn<F>(self: &Arc<Self>, address: IpAddr, serve: impl FnOnce(Connection<P>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut open = self.lock();
        let oldest = open.make_room(self.spectators_max + WAITING);
        let number = open.next;
        open.next += 1;
        // The task needs the lock to begin or to end, so it is listed before.
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
    /// If so many that do not play are open, removes the oldest waiting one of the address that has the most of them,
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
    /// Decides whether a request is answered. People who play may ask for anything below their own address, which is
    /// taken off here.
    pub(crate) fn admit<B>(&self, request: &mut Request<B>) -> Result<(), NoRoom> {
        let Connections { pages, spectators_max, share_max, .. } = &*self.all;
        let (player, shared) = pages.player(request.uri().path()).map(|(player, rest)| (player, shared(rest))).unzip();
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
                return full(format!("all {spectators_max} places of spectators are taken: try again later"));
            }
            (Some(known), _) if spectators(Some(known.address)) >= *share_max => {
                return full(format!(
                    "your address has {share_max} connections already: close some or try again later"
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

/// Returns what anybody may ask for under this path.
fn shared(path: &str) -> Option<Uri> {
    let is_shared = path.starts_with("/assets/") || path.starts_with("/api/");
    is_shared.then(|| path.parse().ok()).flatten()
}

/// Returns what counts as one address: a machine has all IPv6 addresses of a network.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}
