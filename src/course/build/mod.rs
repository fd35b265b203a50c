//! Makes players of uploads: a shared library is taken as it is, sources are unpacked with care and built in the sandbox.
//!
//! A build runs `make` or `cargo` and whatever these start, none of it trusted: see `docs/security.md`, "Builds".

mod archive;
mod folder;
pub(super) use folder::Usage;
mod sandboxed;
mod toolchain;

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use amazons_pages::Token;
use amazons_program::files::{open, write_whole, write_whole_with};
use amazons_sandbox::SandboxMode;
use anyhow::Context;
use rustix::fs::{Mode, OFlags, openat};

pub use archive::{Unreadable, each_file};
pub(super) use archive::{head, is_left_out, useless};
use sandboxed::BuildJob;
pub use toolchain::abilities;
pub(super) use toolchain::tools;

use crate::files::ELF_MAGIC;
use crate::new_player;

/// The first argument that makes the server's executable unpack an archive into a folder, and its statuses when the
/// archive cannot be unpacked, or files not written; the reason is printed.
const UNPACK_MODE: &str = "__unpack";
const UNPACK_REFUSED: i32 = 3;
const UNPACK_FAILED: i32 = 4;

/// The memory for that.
const UNPACK_MEMORY: u64 = 256 << 20;

/// Removes a folder: follows no links, gets into closed folders, and goes deeper than files can be open.
const CLEAR: &str = "[ \"$(id -u)\" = 0 ] || chmod -R u+rwx -- \"$1\" 2>/dev/null; exec rm -rf -- \"$1\" 2>/dev/null";

/// How often is asked whether a build's folder is removed, and how long that may keep a server from stopping.
const LOOK_EVERY: Duration = Duration::from_millis(5);
const STOP_WAIT: Duration = Duration::from_secs(1);

/// The largest library that a build may leave: it is kept for every version.
const BUILT_MAX: u64 = 32 << 20;

/// The bytes of a Cargo.toml that are looked at.
const MANIFEST_MAX: u64 = 1 << 20;

/// Maximum number of names in a reason.
const NAMED_MAX: usize = 5;

/// The limits of one build.
#[derive(Clone, Debug)]
pub struct BuildLimits {
    /// From start to end.
    pub wall: Duration,
    /// The processor time of all processes together.
    pub processor: Duration,
    /// The memory of all processes together, in bytes.
    pub memory: u64,
    /// Maximum number of processes and threads at a time.
    pub processes: u32,
    /// The bytes on disk, sources included.
    pub disk: u64,
    /// The bytes that it may print; the first and the last of them are kept.
    pub output: u64,
    /// The reaction to a kernel that offers less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// A folder made by `cargo vendor`: crates that Rust players may use without vendoring them.
    pub crates: Option<PathBuf>,
}

impl Default for BuildLimits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(300),
            processor: Duration::from_secs(600),
            memory: 2 << 30,
            processes: 128,
            disk: 1 << 30,
            output: 8 << 20,
            sandbox: SandboxMode::default(),
            crates: None,
        }
    }
}

/// The memory and the time that a build takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildUse {
    /// The bytes of its memory now.
    pub memory: u64,
    /// The processor time of all its processes so far.
    pub computed: Duration,
}

/// An order to a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    Go,
    /// Stand still; its clocks do, too.
    Wait,
    /// End without a verdict.
    Stop,
}

/// A player that is ready for its check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The output of the build, for people.
    pub output: String,
    /// The folder in which the sources were; none for a library.
    pub sources: Option<PathBuf>,
}

/// Why there is no player.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The team's fault.
    #[error("{}", reasons.join("; "))]
    Refused {
        /// Lower-case fragments, at least one.
        reasons: Vec<String>,
        /// The output of the build until then.
        output: String,
    },
    #[error("{what} cannot be built: {cause}")]
    Unable { what: &'static str, cause: String },
    /// Ours: the team may have done everything right.
    #[error("{0:#}")]
    Own(#[from] anyhow::Error),
}

impl BuildError {
    fn refused(reason: impl Into<String>) -> Self {
        Self::Refused { reasons: vec![reason.into()], output: String::new() }
    }
}

/// Makes a player of what a team handed in: writes the file `player`, whole or not at all.
///
/// The build has a folder of its own below `work`, or in the folder for temporary files: where `work` has a blank in its
/// name, and where the server is root, since it builds as a user without rights. It is removed afterwards. `pace` is
/// asked several times a second, and told what the build uses; a build that is to stop ends with an
/// error of our own.
pub fn build(
    upload: &Path,
    work: &Path,
    player: &Path,
    limits: &BuildLimits,
    pace: &dyn Fn(BuildUse) -> Pace,
) -> Result<Built, BuildError> {
    let own = |error| BuildError::Own(anyhow::Error::from(error).context(format!("cannot read {}", upload.display())));
    if head(upload).map_err(own)?.starts_with(&ELF_MAGIC) {
        return take(&open(upload).map_err(own)?, player).map(|()| Built::default());
    }
    let room = Room::new(work, pace)?;
    let built = room.build(upload, player, limits, pace);
    room.clear(pace);
    built
}

/// Unpacks an archive if this process was started for that, and returns its status; `None` for an ordinary start.
pub fn unpack_mode() -> Option<u8> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != UNPACK_MODE {
        return None;
    }
    let (archive, folder) = (arguments.next()?, arguments.next()?);
    let (reason, status) = match archive::unpack(archive.as_ref(), folder.as_ref()) {
        Ok(()) => return Some(0),
        Err(error @ Unreadable::Refused(_)) => (error, UNPACK_REFUSED),
        Err(error @ Unreadable::Own(_)) => (error, UNPACK_FAILED),
    };
    // Should nobody listen any more, the status says it.
    let mut out = io::stdout();
    let _ = write!(out, "{reason}").and_then(|()| out.flush());
    u8::try_from(status).ok()
}

/// Copies a library to its place.
fn take(library: &File, player: &Path) -> Result<(), BuildError> {
    let about = library.metadata().context("cannot read the library")?;
    if about.len() > BUILT_MAX {
        return Err(BuildError::refused(format!("the library is larger than {} MiB", BUILT_MAX >> 20)));
    }
    let mut magic = Vec::new();
    library.take(4).read_to_end(&mut magic).context("cannot read the library")?;
    if magic != ELF_MAGIC {
        return Err(BuildError::refused("the build wrote a .so that is not a shared library"));
    }
    let whole = &mut io::Cursor::new(magic).chain(library.take(BUILT_MAX));
    write_whole_with(player, |out| io::copy(whole, out).map(drop))
        .with_context(|| format!("cannot write {}", player.display()))?;
    Ok(())
}

/// The folder of one build.
struct Room(PathBuf);

impl Room {
    /// Makes the folder, after that of an earlier build was removed. Its name was drawn, but is the same for all builds of
    /// a team, because libraries name their sources: equal sources make equal libraries.
    fn new(work: &Path, pace: &dyn Fn(BuildUse) -> Pace) -> Result<Self, BuildError> {
        let failed = |path: &Path| format!("cannot make {}", path.display());
        let work = std::path::absolute(work).context("cannot tell where the course is")?;
        fs::create_dir_all(&work).with_context(|| failed(&work))?;
        // Makefiles stumble over blanks.
        let has_blank = work.to_string_lossy().contains(char::is_whitespace);
        let is_elsewhere = has_blank || rustix::process::geteuid().is_root();
        let parent = if is_elsewhere { std::env::temp_dir() } else { work.clone() };
        let file = work.join("build-folder");
        if let Ok(name) = fs::read_to_string(&file) {
            let room = Self(parent.join(name));
            room.clear(pace);
            if make_folder(&room.0).is_ok() {
                return Ok(room);
            }
        }
        let name = format!("amazons-build-{}", Token::new().context("cannot draw a name")?.as_str());
        let room = Self(parent.join(&name));
        make_folder(&room.0)?;
        write_whole(&file, name.as_bytes()).with_context(|| failed(&file))?;
        Ok(room)
    }

    fn build(
        &self,
        upload: &Path,
        player: &Path,
        limits: &BuildLimits,
        pace: &dyn Fn(BuildUse) -> Pace,
    ) -> Result<Built, BuildError> {
        let (archive, sources) = (self.0.join("upload"), self.0.join("sources"));
        fs::copy(upload, &archive).with_context(|| format!("cannot write {}", archive.display()))?;
        make_folder(&sources)?;
        let unpacking = BuildLimits { memory: UNPACK_MEMORY, ..limits.clone() };
        BuildJob::new(&self.0, &sources, &unpacking).unpack(&archive, pace)?;
        let built = Project::find(&sources)?.build(&self.0, limits, pace)?;
        take(&built.1, player).map_err(|error| match error {
            BuildError::Refused { reasons, .. } => BuildError::Refused { reasons, output: built.0.output.clone() },
            own => own,
        })?;
        Ok(Built { sources: Some(sources), ..built.0 })
    }

    /// Removes it with everything in it, which may take long; what a server that is to stop leaves, the next one removes.
    fn clear(&self, pace: &dyn Fn(BuildUse) -> Pace) {
        if !self.0.symlink_metadata().is_ok_and(|about| about.is_dir()) {
            return;
        }
        let command = Command::new("/bin/sh").args(["-c", CLEAR, "clear"]).arg(&self.0).spawn();
        // What is left shows when the folder is made again.
        let Ok(mut clearing) = command else { return };
        let begun = Instant::now();
        while let Ok(None) = clearing.try_wait() {
            if pace(BuildUse::default()) == Pace::Stop && begun.elapsed() > STOP_WAIT {
                let _ = clearing.kill().and_then(|()| clearing.wait());
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
    }
}

/// Makes a folder that nobody else enters: a build can make programs that run with the rights of its user.
fn make_folder(path: &Path) -> Result<(), BuildError> {
    let made = DirBuilder::new().mode(0o700).create(path);
    Ok(made.with_context(|| format!("cannot make {}", path.display()))?)
}

/// Sources that can be built.
struct Project {
    folder: PathBuf,
    /// By cargo alone, without a Makefile.
    is_cargo: bool,
}

impl Project {
    /// Finds the Makefile, or else the crate: in this folder, or in the only folder in it.
    fn find(sources: &Path) -> Result<Self, BuildError> {
        let mut folder = sources.to_owned();
        // At the top, below folders that are alone.
        let mut names = Vec::new();
        loop {
            let has = |name: &&str| folder.join(name).is_file();
            if ["GNUmakefile", "makefile", "Makefile"].iter().any(has) {
                return Ok(Self { folder, is_cargo: false });
            }
            if has(&"Cargo.toml") {
                let mut manifest = Vec::new();
                let read =
                    open(&folder.join("Cargo.toml")).map(|file| file.take(MANIFEST_MAX).read_to_end(&mut manifest));
                read.and_then(|it| it).context("cannot read Cargo.toml")?;
                return match String::from_utf8_lossy(&manifest).contains("cdylib") {
                    true => Ok(Self { folder, is_cargo: true }),
                    false => Err(BuildError::refused(
                        "there is no Makefile, and Cargo.toml makes no shared library: add crate-type = [\"cdylib\"] \
                         below [lib]",
                    )),
                };
            }
            let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
            let entries = entries.context("cannot read the sources")?;
            let folders: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).filter(|path| path.is_dir()).collect();
            if names.len() <= 1 {
                names = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            }
            let [only] = &folders[..] else {
                let found = listed(names);
                return Err(BuildError::refused(format!(
                    "there is neither a Makefile nor a Cargo.toml at the top: found {found}; pack the folder that has it alone"
                )));
            };
            folder.clone_from(only);
        }
    }

    /// Builds, and returns the library, still open.
    fn build(
        &self,
        room: &Path,
        limits: &BuildLimits,
        pace: &dyn Fn(BuildUse) -> Pace,
    ) -> Result<(Built, File), BuildError> {
        // The build may put something else in its place.
        let folder = File::open(&self.folder).context("cannot read the sources")?;
        let mut job = BuildJob::new(room, &self.folder, limits);
        if !self.folder.join("include/player.h").exists() {
            let headers = room.join("include");
            make_folder(&headers)?;
            for (name, text) in new_player::headers() {
                let path = room.join(name);
                fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            }
            job.set("HEADERS", &headers);
            job.set("CPATH", &headers);
        }
        job.add_rust(self.is_cargo || self.has_manifest())?;
        let command: &[&str] = match self.is_cargo {
            true => &["cargo", "build", "--release", "--target-dir", "target"],
            false => &["make"],
        };
        let output = job.run(command, pace)?;
        let library = self.library(folder).map_err(|reason| match reason {
            Ok(reason) => BuildError::Refused { reasons: vec![reason], output: output.clone() },
            Err(error) => BuildError::Own(error),
        })?;
        Ok((Built { output, sources: None }, library))
    }

    fn has_manifest(&self) -> bool {
        self.folder.join("Cargo.toml").exists()
    }

    /// Opens the one library that was built: beside the Makefile, or else anywhere below, without the
    /// folders of cargo's own. Nothing on the way to it may be a link.
    fn library(&self, folder: File) -> Result<File, Result<String, anyhow::Error>> {
        let below: &[&str] = if self.is_cargo { &["target", "release"] } else { &[] };
        let real = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let inside = |folder: File, name: &&str| openat(folder, *name, real, Mode::empty()).map(File::from);
        let Ok(folder) = below.iter().try_fold(folder, inside) else {
            return Err(Ok("cargo wrote no folder target/release".to_owned()));
        };
        let top = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()));
        let mut found = folder::libraries(&top, false).map_err(Err)?;
        if found.is_empty() && !self.is_cargo {
            found = folder::libraries(&top, true).map_err(Err)?;
        }
        let wanted = if self.is_cargo { "cargo" } else { "make" };
        match &found[..] {
            [only] => {
                let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
                let opened = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(top.join(only));
                let file = opened.map_err(|error| Err(error.into()))?;
                match file.metadata().is_ok_and(|about| about.is_file()) {
                    true => Ok(file),
                    false => Err(Ok(format!("{} is not a regular file", only.display()))),
                }
            }
            [] => Err(Ok(format!("{wanted} wrote no .so: it must leave exactly one"))),
            several => {
                let names = several.iter().map(|path| path.display().to_string()).collect();
                let names = listed(names);
                Err(Ok(format!("{wanted} wrote several .so files: {names}; leave exactly one beside the Makefile")))
            }
        }
    }
}

/// Joins the first of these names.
pub(super) fn listed(mut names: Vec<String>) -> String {
    names.sort();
    let more = names.len().saturating_sub(NAMED_MAX);
    names.truncate(NAMED_MAX);
    match (names.is_empty(), more) {
        (true, _) => "nothing".to_owned(),
        (false, 0) => names.join(", "),
        _ => format!("{} and {more} more", names.join(", ")),
    }
}
