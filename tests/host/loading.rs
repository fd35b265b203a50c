//! Loading of libraries, and the messages about others.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use amazons::host::{HostError, ProcessPlayer, SeatConfig};
use amazons::referee::{Seat, Termination};
use amazons_sandbox::Error;

use super::rig::{Rig, Source, fault, fork_server};
use crate::support::{self, alone};

/// The reason why a file is not loaded.
fn refusal(library: &Path) -> String {
    let rig = Rig::new(library.to_owned(), None);
    let fault = fault(rig.seat().load());
    assert_eq!(fault.termination, Termination::LoadError);
    fault.detail
}

#[test]
fn a_missing_file_is_reported_in_the_loader_s_words() {
    let detail = refusal(Path::new("/no/such/player.so"));
    assert_eq!(detail, "/no/such/player.so: cannot open shared object file: No such file or directory");
}

#[test]
fn a_text_file_is_reported_in_the_loader_s_words() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    for (name, content) in [("short.so", "hello"), ("long.so", &*"hello\n".repeat(1000)), ("empty.so", "")] {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file can be written");
        let detail = refusal(&path);
        assert!(detail.contains(name), "{detail}");
        let told = ["file too short", "invalid ELF header", "is empty"];
        assert!(told.iter().any(|told| detail.contains(told)), "{detail}");
    }
}

#[test]
fn a_folder_is_no_player() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let written = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        // What is in it may change at any time.
        scope.spawn(|| {
            while written.load(std::sync::atomic::Ordering::Relaxed) {
                std::fs::write(folder.path().join("file"), "").expect("a file can be written");
                std::fs::remove_file(folder.path().join("file")).expect("a file can be removed");
            }
        });
        let detail = refusal(folder.path());
        written.store(false, std::sync::atomic::Ordering::Relaxed);
        assert!(detail.starts_with(&format!("{}: cannot ", folder.path().display())), "{detail}");
    });
}

#[test]
fn reasons_have_nothing_in_them_that_turns_a_terminal_around() {
    let detail = refusal(Path::new("/no/such/\x1b[31m\u{202e}player.so"));
    assert!(detail.starts_with("/no/such/\u{fffd}[31m\u{fffd}player.so: cannot open"), "{detail}");
}

#[test]
fn every_missing_function_is_named() {
    let (_folder, library) = support::compile_c("void initialize(void) {} void finalize(void) {}", &[]);
    let detail = refusal(&library);
    assert_eq!(detail, format!("{} does not define get_player_name, play", library.display()));
}

/// As a C++ compiler leaves it to those who forget `extern "C"`.
#[test]
fn mangled_names_are_explained() {
    for (source, names) in [
        (
            "void _Z8finalizev(void) {} void _Z4play6move_t(void) {} void _Z15get_player_namev(void) {} \
             void _Z10initializejP7graph_tjPPj(void) {}",
            "get_player_name, initialize, play, finalize",
        ),
        ("void _Z8finalizev(void) {} void play(void) {}", "get_player_name, initialize, finalize"),
    ] {
        let (_folder, library) = support::compile_c(source, &[]);
        let expected = format!("{} does not define {names}; in C++, declare them extern \"C\"", library.display());
        assert_eq!(refusal(&library), expected);
    }
}

#[test]
fn paths_may_be_relative_or_strange() {
    let rig = Source::new().build();
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    for name in [&b"with blanks.so"[..], b"\xff\xfe.so", "\u{fc}ml\u{e4}ut'\"$.so".as_bytes(), b"no_suffix"] {
        let path = folder.path().join(OsStr::from_bytes(name));
        fs::copy(rig.library(), &path).expect("a library can be copied");
        Rig::new(path, None).seat().load().expect("the player loads");
    }
    let up: String = "../".repeat(64);
    let relative = Path::new(&up).join(rig.library().strip_prefix("/").expect("the path is absolute"));
    Rig::new(relative, None).seat().load().expect("the player loads");
}

#[test]
fn no_path_is_our_own_mistake() {
    let rig = Source::new().build();
    let config = SeatConfig { path: "".into(), ..rig.config() };
    assert!(matches!(ProcessPlayer::start(&fork_server(), &config), Err(HostError::Process(Error::Path { .. }))));
}

#[test]
fn libm_is_there_for_players_that_do_not_name_it() {
    let body = "volatile double x = 2.0; return (struct move_t){(unsigned int)pow(x, 10.0), 0, 0};";
    let source = Source::new().top("#include <math.h>").play(body);
    let mut seat = source.build_with(&["-fno-builtin"]).ready();
    assert_eq!(seat.play(None).expect("pow is found").value.from, 1024);
}

/// A player that is linked without naming the library that it needs.
fn gsl_player() -> Source {
    Source::new().top("unsigned int gsl_answer(void);").play("return (struct move_t){gsl_answer(), 0, 0};")
}

#[test]
fn gsl_is_found_in_its_prefix() {
    const TEST: &str = "host::loading::gsl_is_found_in_its_prefix";
    if alone::is_alone() {
        let mut seat = gsl_player().build().ready();
        assert_eq!(seat.play(None).expect("the function is found").value.from, 42);
        return;
    }
    // Stands in for GSL; like the real one it needs a second library.
    let prefix = tempfile::tempdir().expect("there is room for a temporary folder");
    let lib = prefix.path().join("lib");
    fs::create_dir(&lib).expect("a folder can be made");
    for (name, code) in [
        ("libgslcblas.so.0", "unsigned int cblas_half(void) { return 21; }"),
        ("libgsl.so.28", "unsigned int cblas_half(void); unsigned int gsl_answer(void) { return 2 * cblas_half(); }"),
    ] {
        let (_folder, library) = support::compile_c(code, &[]);
        fs::copy(library, lib.join(name)).expect("a library can be copied");
    }
    for name in ["libgsl.so.27", "libgsl.so.25"] {
        fs::write(lib.join(name), "no library").expect("a file can be written");
    }
    alone::run(alone::command(TEST).env("GSL_PATH", prefix.path()).env("LD_LIBRARY_PATH", broken_gsl(prefix.path())));
}

#[test]
fn missing_gsl_is_explained_in_one_line() {
    const TEST: &str = "host::loading::missing_gsl_is_explained_in_one_line";
    if alone::is_alone() {
        let rig = gsl_player().build();
        let fault = fault(rig.seat().load());
        assert_eq!(fault.termination, Termination::LoadError);
        assert!(!fault.detail.contains('\n'), "{}", fault.detail);
        for part in ["gsl_answer", "libgsl-dev", "GSL_PATH", "LD_LIBRARY_PATH"] {
            assert!(fault.detail.contains(part), "{}", fault.detail);
        }
        return;
    }
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    alone::run(alone::command(TEST).env_remove("GSL_PATH").env("LD_LIBRARY_PATH", broken_gsl(folder.path())));
}

#[test]
fn a_player_that_names_gsl_gets_the_one_that_it_names() {
    // A player with its own GSL must not be given another one first.
    const TEST: &str = "host::loading::a_player_that_names_gsl_gets_the_one_that_it_names";
    if alone::is_alone() {
        let detail = refusal(&env_path("NAMED_PLAYER"));
        assert!(detail.contains("broken/libgsl.so.28: ") && detail.contains("LD_LIBRARY_PATH"), "{detail}");
        return;
    }
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let (_gsl_folder, gsl) =
        support::compile_c("unsigned int gsl_answer(void) { return 42; }", &["-Wl,-soname,libgsl.so.28"]);
    let gsl = gsl.to_str().expect("temporary folders have plain names");
    let rig = gsl_player().build_with(&[gsl]);
    alone::run(
        alone::command(TEST).env("NAMED_PLAYER", rig.library()).env("LD_LIBRARY_PATH", broken_gsl(folder.path())),
    );
}

fn env_path(name: &str) -> PathBuf {
    std::env::var_os(name).expect("the test sets it").into()
}

/// A folder in which the dynamic loader finds files of GSL's names that it cannot load.
fn broken_gsl(parent: &Path) -> PathBuf {
    let folder = parent.join("broken");
    fs::create_dir(&folder).expect("a folder can be made");
    for name in ["libgsl.so.27", "libgsl.so.28", "libgsl.so.25", "libgsl.so", "libgslcblas.so.0", "libgslcblas.so"] {
        fs::write(folder.join(name), "no library").expect("a file can be written");
    }
    folder
}
