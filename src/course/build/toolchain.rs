//! The tools that builds use: where Rust is, whether builds can read it, and which ones are missing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use amazons_sandbox::find_program;

use crate::host::{has_gsl, landlock_error, seccomp_error};

/// Returns for each kind of sources a line: that this machine can build them, or why not.
pub fn abilities() -> [Result<String, String>; 3] {
    let missing: Vec<&str> = ["make", "cc"].into_iter().filter(|name| find_program(name.as_ref()).is_none()).collect();
    let tools = match &missing[..] {
        [] => Ok("sources with a Makefile can be built".to_owned()),
        _ => Err(format!("sources cannot be built without {}", missing.join(" and "))),
    };
    let told = |_| "Rust sources can be built".to_owned();
    let rust = rust().map(told).map_err(|reason| format!("Rust sources cannot be built: {reason}"));
    [walls().map(|()| "builds can be confined".to_owned()), tools, rust]
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
fn walls() -> Result<(), String> {
    let (landlock, seccomp) = (landlock_error(), seccomp_error());
    let lacks_landlock = landlock.is_some() && !rustix::process::geteuid().is_root();
    let missing = [("Landlock", lacks_landlock), ("seccomp", seccomp.is_some())];
    let missing: Vec<&str> = missing.into_iter().filter_map(|(name, is_missing)| is_missing.then_some(name)).collect();
    match &missing[..] {
        [] => Ok(()),
        _ => Err(format!("sources cannot be built without {}: see 'server doctor'", missing.join(" and "))),
    }
}

/// Returns the folder of the Rust toolchain, as rustup's programs choose one by files that no build may read; or why no
/// build can use it.
pub(super) fn rust() -> Result<&'static Path, String> {
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
    let root = found.ok_or("rustc and cargo are missing")?;
    let Some(closed) = closed(root).map(|closed| closed.display().to_string()) else { return Ok(root) };
    let advice = "install Rust for all users, or run the server as an ordinary user";
    Err(format!("a server that runs as root builds as another user, who cannot enter {closed}: {advice}"))
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
