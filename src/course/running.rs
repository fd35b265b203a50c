//! A course that is at work: pages, checks and games in one process.

use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use amazons_pages::{Server, ServerLimits};
use amazons_program::Interrupt;
use anyhow::{Context, bail};

use super::baseline::Baseline;
use super::job::{Shared, Waiting};
use super::notify::keep_telling;
use super::roster::Roster;
use super::{CourseSite, LADDER, Store};
use crate::complain;
use crate::tournament::admission::AdmissionPool;
use crate::tournament::ladder::{Goal, OpenLadder, open as open_ladder, run as keep_running};
use crate::tournament::{Ended, RunError, RunOptions, Workers};

/// How long a ladder rests that could not go on, because of a full disk for example.
const REST: Duration = Duration::from_secs(10);

/// A course that is at work.
#[derive(Debug)]
pub struct Running {
    store: Shared,
    folder: PathBuf,
    server: Server,
    ladder: OpenLadder,
    baselines: Vec<Baseline>,
}

impl Running {
    /// Begins to serve pages; nothing is checked or played yet. Baselines whose files have changed since they joined
    /// the ladder play on as they were, unless `new_baselines`. Fails when another server works there, or something is
    /// wrong with the settings.
    pub fn start(mut store: Store, listener: TcpListener, new_baselines: bool) -> anyhow::Result<Self> {
        let folder = store.folder().join(LADDER);
        let settings = store.settings().0.clone();
        let mut baselines = Baseline::all(&settings, store.folder())?;
        store.check_names(&baselines)?;
        // From here on, no other server works there.
        let ladder = open_ladder(&folder, Some(settings.plan.clone()))?;
        if !new_baselines {
            for name in Baseline::keep(&mut baselines, &ladder.event, &folder) {
                complain(&format!(
                    "baselines: {name} is another file now: the one that the course began with plays on, since grades are \
                     relative to it; 'server course run --new-baselines' takes the new one"
                ));
            }
        }
        store.drop_incoming();
        let store = Arc::new(Mutex::new(store));
        let site = CourseSite::new(Arc::clone(&store), &folder, &settings.title)?;
        let server = Server::start(listener, Arc::new(site), ServerLimits::default()).context("cannot serve pages")?;
        Ok(Self { store, folder, server, ladder, baselines })
    }

    /// Returns the address of its pages.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Returns the ladder, as long as nothing is played.
    pub const fn ladder(&self) -> &OpenLadder {
        &self.ladder
    }

    /// Checks and plays until it is stopped.
    ///
    /// A disk that is full ends nothing: it is tried again. Fails when the pages do, or no worker elsewhere is
    /// left.
    pub fn run(
        self,
        goal: Goal,
        options: &RunOptions,
        mut elsewhere: Option<&mut dyn Workers>,
        interrupts: &Interrupt,
    ) -> anyhow::Result<Ended> {
        let Self { store, folder, server, mut ladder, baselines } = self;
        let pool = AdmissionPool::start(Waiting::new(Arc::clone(&store)));
        let is_stopping = Arc::new(AtomicBool::new(false));
        let told = thread::spawn({
            let (store, is_stopping) = (Arc::clone(&store), Arc::clone(&is_stopping));
            move || keep_telling(&store, &is_stopping)
        });
        let mut roster = Roster::new(Arc::clone(&store), folder.clone(), baselines, Arc::clone(&pool.needs_core));
        let ended = 'running: loop {
            // A borrow that ends here; `as_deref_mut` would lend it for as long as it was lent to us.
            let workers = elsewhere.as_mut().map(|workers| &mut **workers as &mut dyn Workers);
            match keep_running(&mut ladder, &mut roster, goal, options, workers, interrupts) {
                Ok(ended) => break ended,
                Err(RunError::Worker(reason)) if elsewhere.is_some() => bail!(reason),
                Err(error) => complain(&format!("no games are played for now: {}", error.advice())),
            }
            drop(ladder);
            ladder = loop {
                let begun = Instant::now();
                while begun.elapsed() < REST {
                    if interrupts.is_set() {
                        break 'running Ended::Stopped;
                    }
                    thread::sleep(Duration::from_millis(100));
                }
                match open_ladder(&folder, None) {
                    Ok(ladder) => break ladder,
                    Err(error) => complain(&error.to_string()),
                }
            };
        };
        drop(pool);
        is_stopping.store(true, Ordering::Relaxed);
        // A panic in there has been reported already.
        let _ = told.join();
        server.stop().context("the pages failed")?;
        Ok(ended)
    }
}
