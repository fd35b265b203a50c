//! Finds the results of `make install`, and builds small libraries from C.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use amazons_testing::skip;
use tempfile::TempDir;

/// The headers as they were when the tests were built: the installed tests need no sources.
const HEADERS: [(&str, &str); 4] = [
    ("dir.h", include_str!("../../crates/player/include/dir.h")),
    ("graph.h", include_str!("../../crates/player/include/graph.h")),
    ("move.h", include_str!("../../crates/player/include/move.h")),
    ("player.h", include_str!("../../crates/player/include/player.h")),
];

/// Returns the folder with the server and the players: `AMAZONS_INSTALL_DIR`, or the folder of the running tests, or
/// `install` in the sources.
///
/// # Panics
/// When none of them has anything installed.
pub(crate) fn install_dir() -> PathBuf {
    let running = env::current_exe().expect("the tests know where they are");
    let candidates = [
        env::var_os("AMAZONS_INSTALL_DIR").map(PathBuf::from),
        running.parent().map(Path::to_owned),
        Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("install")),
    ];
    candidates
        .into_iter()
        .flatten()
        .find(|folder| folder.join("random.so").exists() || folder.join("server").exists())
        .expect("nothing is installed: run `make install` first")
}

/// Returns an installed player, by its name without `.so`.
///
/// # Panics
/// When it is not installed.
pub(crate) fn player(name: &str) -> PathBuf {
    installed(&format!("{name}.so"))
}

/// Returns the installed server.
///
/// # Panics
/// When it is not installed.
pub(crate) fn server() -> PathBuf {
    installed("server")
}

/// Returns whether the installed server counts for coverage: its players keep their counts in files. These tests always
/// count, and say nothing about the server.
pub(crate) fn server_counts() -> bool {
    static COUNTS: OnceLock<bool> = OnceLock::new();
    const SECTION: &[u8] = b"__llvm_prf_names";
    let counts = || fs::read(server()).expect("it is readable").windows(SECTION.len()).any(|bytes| bytes == SECTION);
    *COUNTS.get_or_init(counts)
}

fn installed(file: &str) -> PathBuf {
    let path = install_dir().join(file);
    assert!(path.is_file(), "{} is missing: run `make install` first", path.display());
    path
}

/// The C compiler: `CC`, which may hold options, or `cc`.
pub(crate) fn compiler() -> Command {
    named_compiler("CC", "cc")
}

fn named_compiler(variable: &str, usual: &str) -> Command {
    let named = env::var(variable).unwrap_or_default();
    let mut words = named.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(usual));
    command.args(words);
    command
}

/// Writes the four headers into a folder.
pub(crate) fn write_headers(folder: &Path) {
    for (name, text) in HEADERS {
        fs::write(folder.join(name), text).expect("a header can be written");
    }
}

/// Builds a shared library from C source that includes our headers; it is gone with the folder.
///
/// The arguments come last, so that libraries can be named.
///
/// # Panics
/// When the compiler reports anything.
pub(crate) fn compile_c(source: &str, arguments: &[&str]) -> (TempDir, PathBuf) {
    compiled_c(source, arguments).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The same, with arguments that not every compiler supports.
pub(crate) fn try_compile_c(source: &str, arguments: &[&str]) -> Option<(TempDir, PathBuf)> {
    compiled_c(source, arguments).ok()
}

/// Returns the compiler's words if it fails.
fn compiled_c(source: &str, arguments: &[&str]) -> Result<(TempDir, PathBuf), String> {
    let (folder, library, output) = built(compiler(), "source.c", source, arguments);
    if output.status.success() { Ok((folder, library)) } else { Err(words_of(&output)) }
}

/// Runs a compiler on a file of this name.
fn built(mut compiler: Command, name: &str, source: &str, arguments: &[&str]) -> (TempDir, PathBuf, Output) {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    write_headers(folder.path());
    let source_file = folder.path().join(name);
    let library = folder.path().join("library.so");
    fs::write(&source_file, source).expect("the source can be written");
    let output = compiler
        .args(["-shared", "-fPIC", "-g", "-I"])
        .arg(folder.path())
        .arg("-o")
        .args([&library, &source_file])
        .args(arguments)
        .output()
        .expect("a compiler is installed");
    (folder, library, output)
}

fn words_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Builds a shared library from C++ source that includes our headers, as [`compile_c`] does; `None`, with a note, where
/// there is no C++ compiler.
///
/// # Panics
/// When the compiler reports anything.
pub(crate) fn compile_cpp(source: &str, arguments: &[&str]) -> Option<(TempDir, PathBuf)> {
    let compiler = || named_compiler("CXX", "c++");
    if !compiler().arg("--version").output().is_ok_and(|output| output.status.success()) {
        skip("there is no C++ compiler (Debian: apt-get install g++)");
        return None;
    }
    let arguments = [&["-Wall", "-Wextra"], arguments].concat();
    let (folder, library, output) = built(compiler(), "source.cpp", source, &arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", words_of(&output));
    Some((folder, library))
}

/// Builds a simple player in C: it moves as `play` says, or else returns the move that it was given.
pub(crate) fn player_in_c(name: &str, play: &str, finalize: &str) -> (TempDir, String) {
    let source = format!(
        "#define _GNU_SOURCE\n#include <limits.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <unistd.h>\n#include \"player.h\"\n\
         char const *get_player_name(void) {{ return \"{name}\"; }}\n\
         void initialize(unsigned int id, struct graph_t *graph, unsigned int n, unsigned int *queens[NUM_PLAYERS])\n\
         {{ (void)id; (void)graph; (void)n; (void)queens; }}\n\
         struct move_t play(struct move_t previous) {{ {play} return previous; }}\n\
         void finalize(void) {{ {finalize} }}\n"
    );
    let (folder, library) = compile_c(&source, &["-pthread"]);
    (folder, library.display().to_string())
}

/// Builds an honest player that rests that many milliseconds before each move.
pub(crate) fn slow_player(millis: u32) -> (TempDir, PathBuf) {
    let source = format!(
        "#define play play_at_once\n{}\n#undef play\n\
         #include <time.h>\n\
         struct move_t play(struct move_t previous) {{\n\
             struct timespec pause = {{0, {millis} * 1000000}};\n\
             nanosleep(&pause, NULL);\n\
             return play_at_once(previous);\n\
         }}\n",
        include_str!("../../players/c_mobility/c_mobility.c")
    );
    compile_c(&source, &["-O2"])
}

/// Builds a program from C source that includes our headers, in its final folder; players that it opens find its
/// functions before the C library's.
///
/// # Panics
/// When the compiler reports anything.
pub(crate) fn compile_program(source: &str, program: &Path) {
    let folder = program.parent().expect("a program lies in a folder");
    write_headers(folder);
    let source_file = folder.join("program.c");
    fs::write(&source_file, source).expect("the source can be written");
    let output = compiler()
        .args(["-std=c99", "-DAMAZONS_NO_GSL", "-rdynamic", "-g", "-I"])
        .args([folder, &source_file])
        .arg("-o")
        .arg(program)
        .arg("-ldl")
        .output()
        .expect("a C compiler is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
