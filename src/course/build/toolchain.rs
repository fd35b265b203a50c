//! The tools that builds use: where Rust is, whether builds can read it, and which ones are missing.

use std::fmt::Display;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use amazons_sandbox::find_program;
use thiserror::Error;

use crate::host::{has_gsl, landlock_error, seccomp_error};

/// Why a build is impossible here.
#[derive(Debug, Error)]
pub(super) enum Missing {
    #[error("sources cannot be built without {}", .0.join(" and "))]
    NoTools(Vec<&'static str>),
    #[error("sources cannot be built without {}: see 'server doctor'", .0.join(" and "))]
    NoWalls(Vec<&'static str>),
    #[error("rustc and cargo are missing")]
    NoRust,
    /// There is one in a folder that builds may not enter.
    #[error(
        "a server that runs as root builds as another user, who cannot enter {}: install Rust for all users, or run the \
         server as an ordinary user", .0.display()
    )]
    Closed(PathBuf),
}

/// Returns for each kind of sources whether this machine can build them, and a line about it.
pub fn abilities() -> [(bool, String); 3] {
    let missing: Vec<_> = ["make", "cc"].into_iter().filter(|name| find_program(name.as_ref()).is_none()).collect();
    let tools = (!missing.is_empty()).then_some(Missing::NoTools(missing));
    let rust = rust().err().map(|lack| format!("Rust sources cannot be built: {lack}"));
    [
        ability(walls().err(), "builds can be confined"),
        ability(tools, "sources with a Makefile can be built"),
        ability(rust, "Rust sources can be built"),
    ]
}

fn ability(lack: Option<impl Display>, able: &str) -> (bool, String) {
    (lack.is_none(), lack.map_or_else(|| able.to_owned(), |lack| lack.to_string()))
}

/// Returns the versions of the tools that builds use, once and for all.
pub(in crate::course) fn tools() -> &'static [String] {
    static TOOLS: OnceLock<Vec<String>> = OnceLock::new();
    let ask = |name: PathBuf| {
        let asked = Command::new(name).arg("--version").current_dir("/").stdin(Stdio::null()).output().ok()?;
        let told = String::from_utf8_lossy(&asked.stdout).lines().next().unwrap_or_default().to_owned();
        (asked.status.success() && !told.is_empty()).then_some(told)
    };
    TOOLS.get_or_init(|| {
        let rustc = rust().ok().map(|root| root.join("bin/rustc"));
        let compilers = ["cc".into(), "c++".into()].into_iter().chain(rustc).filter_map(ask);
        compilers.chain(has_gsl().then(|| "GSL".to_owned())).collect()
    })
}

/// Returns why no build can be confined here, as the sandbox finds out when one starts.
fn walls() -> Result<(), Missing> {
    let (landlock, seccomp) = (landlock_error(), seccomp_error());
    let lacks_landlock = landlock.is_some() && !rustix::process::geteuid().is_root();
    let missing = [("Landlock", lacks_landlock), ("seccomp", seccomp.is_some())];
    let missing: Vec<_> = missing.into_iter().filter_map(|(name, is_missing)| is_missing.then_some(name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(Missing::NoWalls(missing)) }
}

/// Returns the folder of the Rust toolchain, as rustup's programs choose one by files that no build may read; or why no
/// build can use it.
pub(super) fn rust() -> Result<&'static Path, Missing> {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    let ask = || {
        // Not where a file of a project could choose another one.
        let asked =
            Command::new("rustc").args(["--print", "sysroot"]).current_dir("/").stdin(Stdio::null()).output().ok()?;
        let root = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
        (asked.status.success() && root.join("bin/cargo").is_file()).then_some(root)
    };
    // It may be installed while the server runs.
    let found = ROOT.get().or_else(|| ask().map(|root| ROOT.get_or_init(|| root)));
    let root = found.ok_or(Missing::NoRust)?;
    closed(root).map_or(Ok(root), |closed| Err(Missing::Closed(closed)))
}

/// Returns the first folder on a path that other users cannot enter, if this process is root, whose builds are another
/// user's.
fn closed(path: &Path) -> Option<PathBuf> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_closed = |folder: &&Path| fs::metadata(folder).is_ok_and(|about| about.permissions().mode() & 0o001 == 0);
    let mut folders: Vec<&Path> = path.ancestors().collect();
    folders.reverse();
    folders.into_iter().find(is_closed).map(Path::to_owned)
}
