//! Looks into files that were handed in, on threads of its own, with the lowest priority: one after the other, but one
//! that takes long holds no other one back.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use amazons_program::files::write_whole;
use amazons_program::hex;
use amazons_sandbox::LIBRARY_MAX;
use rustix::process::setpriority_process;
use rustix::thread::gettid;
use sha2::{Digest, Sha256};

use super::checker::{Checked, Checker};
use crate::files::{copy_hashed, sha256_of};
use crate::game::DirectionsArg;
use crate::participant::Participant;
use crate::text::visible;
use crate::tournament::identity::{Identity, identity};
use crate::tournament::ladder::open::{ADMITTED, REJECTED};
use crate::tournament::ladder::{LadderPlan, PLAYERS, valid_name};
use crate::tournament::plan::name_rule;

/// How long a check may take.
const CHECK_MAX: Duration = Duration::from_secs(15 * 60);

/// How long an examination holds the next one back. Checks of honest players seldom share a core that way.
const HOLD: Duration = Duration::from_secs(2);

/// How many examinations go on at a time.
const EXAMINATIONS_MAX: usize = 16;

/// How often it is asked whether an examination has ended.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// The lowest priority, so that a check costs the games as little as possible.
const PRIORITY: i32 = 19;

/// A file to be examined.
#[derive(Debug)]
pub(super) struct Submission {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// The file as it was when it was found.
    pub(super) identity: Identity,
    /// The hash of what plays under this name.
    pub(super) playing: Option<String>,
    /// The hash of what was refused under this name.
    pub(super) refused: Option<String>,
    /// Hashes of what has passed its check already, and the numbering that each needs.
    pub(super) passed: BTreeMap<String, Option<DirectionsArg>>,
}

/// The result of an examination.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It plays already, or was refused already.
    Known,
    /// It was written meanwhile.
    Changed,
    /// It may play: its hash, the copy, the numbering that it needs if that is not the ladder's, and its options.
    Admitted { sha256: String, file: String, directions: Option<DirectionsArg>, options: Option<String> },
    /// It may not.
    Refused { sha256: String, reason: String },
    /// We could not do our work.
    Failed(String),
}

/// The thread; it ends when this is dropped, and a check that still goes on is dropped.
#[derive(Debug)]
pub(super) struct Examiner {
    submissions: Option<Sender<Submission>>,
    verdicts: Receiver<(String, Verdict)>,
    is_stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Examiner {
    pub(super) fn start(folder: &Path, plan: LadderPlan, check: Option<u32>) -> Self {
        let (submissions, received) = channel::<Submission>();
        let (sender, verdicts) = channel();
        let is_stopping = Arc::new(AtomicBool::new(false));
        let checker = Checker::new(plan, CHECK_MAX, Arc::clone(&is_stopping));
        let desk = Arc::new(Desk { folder: folder.to_owned(), checker, check });
        let thread = thread::spawn(move || {
            // Where that is not allowed, checks are as important as games. Threads and processes inherit it.
            let _ = setpriority_process(Some(gettid()), PRIORITY);
            hand_out(&desk, &received, &sender);
        });
        Self { submissions: Some(submissions), verdicts, is_stopping, thread: Some(thread) }
    }

    pub(super) fn submit(&self, submission: Submission) {
        if let Some(submissions) = &self.submissions {
            // A thread that has ended has panicked, and said so.
            let _ = submissions.send(submission);
        }
    }

    pub(super) fn verdict(&self) -> Option<(String, Verdict)> {
        self.verdicts.try_recv().ok()
    }
}

impl Drop for Examiner {
    fn drop(&mut self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.submissions = None;
        if let Some(thread) = self.thread.take() {
            // Should it have panicked, that was said.
            let _ = thread.join();
        }
    }
}

/// An examination that goes on.
struct Running {
    name: String,
    /// Distinguishes its files from those of others.
    slot: usize,
    begun: Instant,
    thread: JoinHandle<()>,
}

/// Begins examinations in the order of their submissions until there will be no more, and waits for all.
fn hand_out(desk: &Arc<Desk>, submissions: &Receiver<Submission>, verdicts: &Sender<(String, Verdict)>) {
    let (mut waiting, mut running) = (VecDeque::new(), Vec::<Running>::new());
    loop {
        let is_idle = waiting.is_empty() && running.is_empty();
        let patience = if is_idle { Duration::MAX } else { ASK_EVERY };
        match submissions.recv_timeout(patience) {
            Ok(submission) => waiting.push_back(submission),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        running.retain(|it| !it.thread.is_finished());
        if running.len() >= EXAMINATIONS_MAX || running.iter().any(|it| it.begun.elapsed() < HOLD) {
            continue;
        }
        // Of one name, the older file's verdict must come first.
        let is_free = |submission: &Submission| running.iter().all(|it| it.name != submission.name);
        let Some(submission) = waiting.iter().position(is_free).and_then(|at| waiting.remove(at)) else { continue };
        let slot = (0..).find(|slot| running.iter().all(|it| it.slot != *slot)).unwrap_or_default();
        let (name, begun) = (submission.name.clone(), Instant::now());
        let (desk, verdicts) = (Arc::clone(desk), verdicts.clone());
        let thread = thread::spawn(move || {
            let verdict = desk.examine(&submission, slot).unwrap_or_else(|error| Verdict::Failed(error.to_string()));
            // The ladder may have ended.
            let _ = verdicts.send((submission.name, verdict));
        });
        running.push(Running { name, slot, begun, thread });
    }
    for it in running {
        // Should it have panicked, that was said.
        let _ = it.thread.join();
    }
}

/// The data of the threads.
struct Desk {
    folder: PathBuf,
    checker: Checker,
    check: Option<u32>,
}

impl Desk {
    fn examine(&self, submission: &Submission, slot: usize) -> io::Result<Verdict> {
        let Submission { name, path, playing, refused, .. } = submission;
        let incoming = self.folder.join(ADMITTED).join(format!(".incoming-{slot}"));
        let has_changed = || identity(path) != Some(submission.identity);
        let is_known = |hash: &String| playing.as_ref() == Some(hash) || refused.as_ref() == Some(hash);
        if let Some((reason, stand_in)) = uncopyable(submission)? {
            return if has_changed() {
                Ok(Verdict::Changed)
            } else if is_known(&stand_in) {
                Ok(Verdict::Known)
            } else {
                self.refuse(name, stand_in, reason, "")
            };
        }
        let copied = copy(path, &incoming);
        if has_changed() {
            return Ok(Verdict::Changed);
        }
        let sha256 = copied?;
        if is_known(&sha256) {
            remove(&incoming)?;
            return Ok(Verdict::Known);
        }
        if !valid_name(name) {
            remove(&incoming)?;
            return self.refuse(name, sha256, format!("its name cannot stand in a table: {}", name_rule()), "");
        }
        self.examine_copy(submission, slot, &incoming, sha256)
    }

    /// Looks into a copy, which is kept if it may play.
    fn examine_copy(
        &self,
        submission: &Submission,
        slot: usize,
        incoming: &Path,
        sha256: String,
    ) -> io::Result<Verdict> {
        let Submission { name, path, passed, .. } = submission;
        let file = format!("{ADMITTED}/{name}-{}.so", &sha256[..16]);
        let copy = self.folder.join(&file);
        fs::rename(incoming, &copy)?;
        // What has passed once is named by the journal.
        let has_passed = passed.get(&sha256);
        let options = level_of(name, &sha256);
        let checked = match (self.checker.unplayable(&copy, &sha256), self.check, has_passed) {
            (Some(reason), ..) => Err((reason, String::new())),
            (None, ..) if options.is_some() => Ok(None),
            (None, _, Some(&directions)) => Ok(directions),
            (None, None, None) => Ok(None),
            (None, Some(size), None) => match self.check(&copy, size, slot)? {
                Checked::Passed(directions, _) => Ok(directions),
                Checked::Dropped => return Ok(Verdict::Changed),
                Checked::Failed { reason, report } => {
                    // The copy is removed; its author has the file that was handed in.
                    let [copy, theirs] = [&copy, path].map(|path| path.display().to_string());
                    Err((reason.replace(&copy, &theirs), report.replace(&copy, &theirs)))
                }
            },
        };
        let (reason, report) = match checked {
            Ok(directions) => return Ok(Verdict::Admitted { sha256, file, directions, options }),
            Err(failed) => failed,
        };
        if has_passed.is_none() {
            remove(&copy)?;
        }
        let report = format!("SHA-256 {sha256}\n\n{report}");
        self.refuse(name, sha256, reason, &report)
    }

    /// Runs `server check` on a player.
    fn check(&self, copy: &Path, size: u32, slot: usize) -> io::Result<Checked> {
        self.checker.check(copy, size, &self.folder.join(REJECTED).join(format!(".report-{slot}")))
    }

    fn refuse(&self, name: &str, sha256: String, reason: String, report: &str) -> io::Result<Verdict> {
        let reason = visible(&reason);
        let text = format!("{PLAYERS}/{name}.so was not admitted: {reason}\n{report}");
        // Names that are none must not lead anywhere.
        if valid_name(name) {
            write_whole(&self.folder.join(REJECTED).join(format!("{name}.txt")), text.as_bytes())?;
        }
        Ok(Verdict::Refused { sha256, reason })
    }
}

/// Returns why a file must not be copied, and what takes the place of its hash; nothing when it may be.
fn uncopyable(submission: &Submission) -> io::Result<Option<(String, String)>> {
    let metadata = fs::symlink_metadata(&submission.path)?;
    if metadata.is_symlink() {
        // It may lead to what only the server may read.
        let target = fs::read_link(&submission.path)?;
        let reason = "it is a link: hand in the file itself".to_owned();
        return Ok(Some((reason, hex(&Sha256::digest(target.as_os_str().as_bytes())))));
    }
    if !metadata.is_file() {
        // A pipe would be waited for.
        let what = if metadata.is_dir() { "a folder" } else { "a pipe or a device" };
        return Ok(Some((format!("it is {what}: hand in a file"), hex(&Sha256::digest(what)))));
    }
    if metadata.len() > LIBRARY_MAX {
        let stand_in = hex(&Sha256::digest(format!("{:?}", submission.identity)));
        return Ok(Some((format!("it is larger than {} MiB", LIBRARY_MAX >> 20), stand_in)));
    }
    Ok(None)
}

/// Removes a file that may be there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Copies a file for the server alone and returns its hash.
fn copy(from: &Path, to: &Path) -> io::Result<String> {
    // It may have become a pipe or a link meanwhile, which must not be waited for or followed.
    let source = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOFOLLOW).open(from)?;
    if !source.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut source = source.take(LIBRARY_MAX);
    remove(to)?;
    let mut target = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    let sha256 = copy_hashed(&mut source, &mut target)?;
    // A journal that names it must not outlive it.
    target.sync_all()?;
    Ok(sha256)
}

/// Returns the options of the bundled champion under the name of one of its levels.
fn level_of(name: &str, sha256: &str) -> Option<String> {
    let participant = Participant::parse(name.replacen('-', ":", 1)).ok()?;
    let options = participant.options(None).ok()??;
    (sha256_of(participant.file()).ok()? == sha256).then_some(options)
}
