//! The folder where behaviours are compiled, once for all tests of this process.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::behaviour::Behaviour;
use crate::support;

const HEADERS: [(&str, &str); 3] = [
    ("hostile.h", include_str!("hostile.h")),
    ("shared.h", include_str!("shared.h")),
    ("watchers.h", include_str!("watchers.h")),
];
const RIVAL: &str = include_str!("rival.c");

type Built = Arc<OnceLock<PathBuf>>;

/// Returns whether there is a C compiler.
pub(super) fn has_compiler() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let mut command = support::compiler();
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

/// The library of a behaviour.
pub(super) fn library(behaviour: &Behaviour) -> PathBuf {
    built(behaviour.name, behaviour.source, &behaviour.build)
}

/// The honest rival's library; a slow one waits before its first moves.
pub(super) fn rival(is_slow: bool) -> PathBuf {
    if is_slow { built("slow_rival", RIVAL, &["-DSLOW".to_owned()]) } else { built("rival", RIVAL, &[]) }
}

/// A copy of the server that every user may run, and that a behaviour may damage.
pub(super) fn server() -> PathBuf {
    static COPY: OnceLock<PathBuf> = OnceLock::new();
    let copy = COPY.get_or_init(|| {
        let copy = folder().join("server");
        fs::copy(support::server(), &copy).expect("the server can be copied");
        open_up(&copy);
        copy
    });
    copy.clone()
}

/// Lets every user read and run a file or enter a folder.
pub(super) fn open_up(path: &Path) {
    fs::set_permissions(path, Permissions::from_mode(0o755)).expect("permissions can be set");
}

fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::Builder::new().prefix("amazons-stage-").tempdir().expect("there is room").keep();
        open_up(&folder);
        support::write_headers(&folder);
        for (name, text) in HEADERS {
            fs::write(folder.join(name), text).expect("a header can be written");
        }
        // SAFETY: the function lives as long as the process.
        unsafe { libc::atexit(remove_folder) };
        folder
    })
}

/// Statics are never dropped.
extern "C" fn remove_folder() {
    let _ = fs::remove_dir_all(folder());
}

fn built(name: &'static str, source: &str, arguments: &[String]) -> PathBuf {
    static BUILT: Mutex<BTreeMap<&str, Built>> = Mutex::new(BTreeMap::new());
    let slot = BUILT.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default().clone();
    slot.get_or_init(|| compile(name, source, arguments)).clone()
}

fn compile(name: &str, source: &str, arguments: &[String]) -> PathBuf {
    let folder = folder();
    let (source_file, library) = (folder.join(format!("{name}.c")), folder.join(format!("{name}.so")));
    fs::write(&source_file, source).expect("the source can be written");
    let output = support::compiler()
        .args(["-shared", "-fPIC", "-g", "-Wall", "-Wextra", "-DAMAZONS_NO_GSL", "-I"])
        .arg(folder)
        .arg("-o")
        .args([&library, &source_file])
        .args(arguments)
        .output()
        .expect("a C compiler is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    library
}
