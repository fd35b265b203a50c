//! Looks into files that were handed in, one after the other, with the lowest priority.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use amazons_program::files::{remove, write_whole};
use amazons_program::hex;
use amazons_sandbox::LIBRARY_MAX;
use rustix::process::setpriority_process;
use rustix::thread::gettid;
use sha2::{Digest, Sha256};

use crate::files::{copy_hashed, sha256_of};
use crate::game::DirectionsArg;
use crate::participant::Participant;
use crate::text::visible;
use crate::tournament::admission::{AdmissionPool, Checked, Checker, Source, Trial, Turn, Turns};
use crate::tournament::identity::{Identity, identity};
use crate::tournament::ladder::open::{ADMITTED, REJECTED};
use crate::tournament::ladder::{LadderPlan, PLAYERS, valid_name};
use crate::tournament::plan::name_rule;

/// How long a check may take.
const CHECK_MAX: Duration = Duration::from_secs(15 * 60);

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
pub(super) enum Examined {
    /// It plays already, or was refused already.
    Known,
    /// It was written meanwhile, or its examination was dropped.
    Changed,
    /// It may play: its hash, the copy, the numbering that it needs if that is not the ladder's, and its options.
    Admitted { sha256: String, file: String, directions: Option<DirectionsArg>, options: Option<String> },
    /// It may not.
    Refused { sha256: String, reason: String },
    /// We could not do our work.
    Failed(String),
}

/// Examines until it is dropped; an examination that still goes on is dropped, too.
#[derive(Debug)]
pub(super) struct Examiner {
    submissions: Sender<Submission>,
    results: Receiver<(String, Examined)>,
    pub(super) pool: AdmissionPool,
}

impl Examiner {
    pub(super) fn start(folder: &Path, plan: LadderPlan, check: Option<u32>) -> Self {
        let (submissions, received) = channel();
        let (sender, results) = channel();
        let desk = Arc::new(Desk { folder: folder.to_owned(), plan, check });
        let pool = AdmissionPool::start(Waiting { received, waiting: VecDeque::new(), desk, results: sender });
        Self { submissions, results, pool }
    }

    pub(super) fn submit(&self, submission: Submission) {
        // A thread that has ended has panicked, and said so.
        let _ = self.submissions.send(submission);
    }

    pub(super) fn examined(&self) -> Option<(String, Examined)> {
        self.results.try_recv().ok()
    }
}

/// Submissions in their order.
struct Waiting {
    received: Receiver<Submission>,
    waiting: VecDeque<Submission>,
    desk: Arc<Desk>,
    results: Sender<(String, Examined)>,
}

impl Source for Waiting {
    type Work = (Arc<Desk>, Submission, Sender<(String, Examined)>);

    fn next(&mut self, turns: &Turns<'_>) -> Option<String> {
        self.waiting.extend(self.received.try_iter());
        self.waiting.iter().map(|it| &it.name).find(|name| turns.is_free(name)).cloned()
    }

    fn take(&mut self, name: &str) -> Option<Self::Work> {
        // Of one name, the older file's result must come first.
        let at = self.waiting.iter().position(|it| it.name == name)?;
        Some((Arc::clone(&self.desk), self.waiting.remove(at)?, self.results.clone()))
    }

    fn work((desk, submission, results): Self::Work, turn: &Turn) {
        // Where that is not allowed, checks are as important as games. Their processes inherit it.
        let _ = setpriority_process(Some(gettid()), PRIORITY);
        let examined = desk.examine(&submission, turn).unwrap_or_else(|error| Examined::Failed(error.to_string()));
        // The ladder may have ended.
        let _ = results.send((submission.name, examined));
    }
}

/// The data that all examinations share.
struct Desk {
    folder: PathBuf,
    plan: LadderPlan,
    check: Option<u32>,
}

impl Desk {
    fn examine(&self, submission: &Submission, turn: &Turn) -> io::Result<Examined> {
        let Submission { name, path, playing, refused, .. } = submission;
        // One of a name is examined at a time, and a name may be too long to be a part of another one.
        let draft = &hex(&Sha256::digest(name))[..16];
        let incoming = self.folder.join(ADMITTED).join(format!(".incoming-{draft}"));
        let has_changed = || identity(path) != Some(submission.identity);
        let is_known = |hash: &String| playing.as_ref() == Some(hash) || refused.as_ref() == Some(hash);
        if let Some((reason, stand_in)) = uncopyable(submission)? {
            return if has_changed() {
                Ok(Examined::Changed)
            } else if is_known(&stand_in) {
                Ok(Examined::Known)
            } else {
                self.refuse(name, stand_in, reason, "")
            };
        }
        let copied = copy(path, &incoming);
        if has_changed() {
            return Ok(Examined::Changed);
        }
        let sha256 = copied?;
        if is_known(&sha256) {
            remove(&incoming)?;
            return Ok(Examined::Known);
        }
        if !valid_name(name) {
            remove(&incoming)?;
            return self.refuse(name, sha256, format!("its name cannot stand in a table: {}", name_rule()), "");
        }
        let output = self.folder.join(REJECTED).join(format!(".report-{draft}"));
        self.examine_copy(submission, turn, &incoming, output, sha256)
    }

    /// Looks into a copy, which is kept if it may play.
    fn examine_copy(
        &self,
        submission: &Submission,
        turn: &Turn,
        incoming: &Path,
        output: PathBuf,
        sha256: String,
    ) -> io::Result<Examined> {
        let Submission { name, path, passed, .. } = submission;
        let file = format!("{ADMITTED}/{name}-{}.so", &sha256[..16]);
        let copy = self.folder.join(&file);
        fs::rename(incoming, &copy)?;
        // What has passed once is named by the journal.
        let has_passed = passed.get(&sha256);
        let options = level_of(name, &sha256);
        let size = self.check.filter(|_| has_passed.is_none() && options.is_none());
        let checker = Checker::new(self.plan.clone(), CHECK_MAX, Arc::clone(&turn.is_stopping));
        let (reason, report) = match checker.examine(&copy, &sha256, &Trial { size, output, games: None })? {
            Checked::Passed(needed, _) => {
                let directions = has_passed.copied().unwrap_or(needed);
                return Ok(Examined::Admitted { sha256, file, directions, options });
            }
            Checked::Dropped => return Ok(Examined::Changed),
            Checked::Failed { reason, report } => {
                // The copy is removed; its author has the file that was handed in.
                let [copy, theirs] = [&copy, path].map(|path| path.display().to_string());
                (reason.replace(&copy, &theirs), report.replace(&copy, &theirs))
            }
        };
        if has_passed.is_none() {
            remove(&copy)?;
        }
        let report = format!("SHA-256 {sha256}\n\n{report}");
        self.refuse(name, sha256, reason, &report)
    }

    fn refuse(&self, name: &str, sha256: String, reason: String, report: &str) -> io::Result<Examined> {
        let reason = visible(&reason);
        let text = format!("{PLAYERS}/{name}.so was not admitted: {reason}\n{report}");
        // Names that are none must not lead anywhere.
        if valid_name(name) {
            write_whole(&self.folder.join(REJECTED).join(format!("{name}.txt")), text.as_bytes())?;
        }
        Ok(Examined::Refused { sha256, reason })
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
