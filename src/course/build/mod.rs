//! Makes players of uploads: a shared library is taken as it is, sources are unpacked with care and built in the sandbox.
//!
//! A build runs `make` or `cargo` and whatever these start, none of it trusted: see `docs/security.md`, "Builds".

mod archive;
mod folder;
mod sandboxed;
mod toolchain;

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use amazons_program::files::{open, write_whole_with};
use amazons_program::hex;
use amazons_sandbox::SandboxMode;
use anyhow::Context;
use rustix::fs::{Mode, OFlags, openat};
use sha2::{Digest, Sha256};

pub use archive::{Unreadable, each_file};
pub(super) use archive::{head, useless};
use sandboxed::BuildJob;
pub use toolchain::abilities;
pub(super) use toolchain::tools;

use crate::new_player;

/// The first bytes of a shared library.
const ELF_MAGIC: [u8; 4] = *b"\x7fELF";

/// The largest library that a build may leave: it is kept for every version.
const BUILT_MAX: u64 = 32 << 20;

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

/// An order to a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Go on.
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
    /// Ours, and another try would end in the same way: what this machine cannot build, and why, for the teacher.
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

impl From<Unreadable> for BuildError {
    fn from(error: Unreadable) -> Self {
        match error {
            Unreadable::Refused(reason) => Self::refused(reason),
            Unreadable::Own(error) => Self::Own(error),
        }
    }
}

/// Makes a player of what a team handed in: writes the file `player`, whole or not at all.
///
/// The build has a folder of its own below `work`; a server that runs as root builds as a user without rights, who may
/// not be able to enter that, and takes one in the folder for temporary files. Either is empty again afterwards. `pace`
/// is asked several times a second; a build that is to stop ends with an error of our own.
///
/// # Errors
/// When there is no player.
pub fn build(
    upload: &Path,
    work: &Path,
    player: &Path,
    limits: &BuildLimits,
    pace: &dyn Fn() -> Pace,
) -> Result<Built, BuildError> {
    let own = |error| BuildError::Own(anyhow::Error::from(error).context(format!("cannot read {}", upload.display())));
    if head(upload).map_err(own)?.starts_with(&ELF_MAGIC) {
        return take(&open(upload).map_err(own)?, player).map(|()| Built::default());
    }
    let room = Room::new(work)?;
    let sources = sources(work)?;
    make_folder(&sources)?;
    archive::unpack(upload, &sources)?;
    let built = Project::find(&sources)?.build(&room.0, limits, pace)?;
    take(&built.1, player).map_err(|error| match error {
        BuildError::Refused { reasons, .. } => BuildError::Refused { reasons, output: built.0.output.clone() },
        own => own,
    })?;
    Ok(built.0)
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

/// Returns the folder of a build: always the same, since a server that was killed leaves it, and builds again.
fn room(work: &Path) -> anyhow::Result<PathBuf> {
    let work = std::path::absolute(work).context("cannot tell where the course is")?;
    if !rustix::process::geteuid().is_root() {
        return Ok(work.join("build"));
    }
    let name = hex(&Sha256::digest(work.as_os_str().as_encoded_bytes()));
    Ok(std::env::temp_dir().join(format!("amazons-build-{}", &name[..16])))
}

/// Returns the folder in which a build has its sources.
pub(super) fn sources(work: &Path) -> anyhow::Result<PathBuf> {
    Ok(room(work)?.join("sources"))
}

/// The folder of one build, removed with everything in it.
struct Room(PathBuf);

impl Room {
    fn new(work: &Path) -> Result<Self, BuildError> {
        let room = Self(room(work)?);
        if let Some(parent) = room.0.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        }
        room.clear();
        make_folder(&room.0)?;
        Ok(room)
    }

    fn clear(&self) {
        folder::open_up(&self.0);
        if self.0.exists() && fs::remove_dir_all(&self.0).is_err() {
            // Folders may be nested deeper than files can be open. What is left shows when the folder is made again.
            let _ = std::process::Command::new("rm").args(["-rf", "--"]).arg(&self.0).status();
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.clear();
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
        loop {
            let has = |name: &&str| folder.join(name).is_file();
            if ["GNUmakefile", "makefile", "Makefile"].iter().any(has) {
                return Ok(Self { folder, is_cargo: false });
            }
            if has(&"Cargo.toml") {
                let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
                return match manifest.contains("cdylib") {
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
            let [only] = &folders[..] else {
                let names = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned());
                let found = listed(names.collect());
                return Err(BuildError::refused(format!(
                    "there is neither a Makefile nor a Cargo.toml at the top: found {found}; pack the folder that has it alone"
                )));
            };
            folder.clone_from(only);
        }
    }

    /// Builds, and returns the library, still open.
    fn build(&self, room: &Path, limits: &BuildLimits, pace: &dyn Fn() -> Pace) -> Result<(Built, File), BuildError> {
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
        Ok((Built { output }, library))
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
fn listed(mut names: Vec<String>) -> String {
    names.sort();
    let more = names.len().saturating_sub(NAMED_MAX);
    names.truncate(NAMED_MAX);
    match (names.is_empty(), more) {
        (true, _) => "nothing".to_owned(),
        (false, 0) => names.join(", "),
        _ => format!("{} and {more} more", names.join(", ")),
    }
}
