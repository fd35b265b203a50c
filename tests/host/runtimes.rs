//! Players that bring a runtime with threads, timers and events of its own: whole games, and crashes that are crashes.
//!
//! Each test needs a compiler that not every machine has. Those that build for seconds are in [`long`].

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use amazons_testing::skip;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{compiler, player, server, write_headers};

/// The player around a function `hook`, which is called before each move.
const PLAYER: &str = "#define AMAZONS_NO_GSL\n#include \"hostile.h\"\n\
    void hook(unsigned turn);\nvoid on_play(unsigned turn) { hook(turn); }\n";

/// A folder with the player's part in C.
pub(super) fn folder() -> TempDir {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    write_headers(folder.path());
    fs::write(folder.path().join("hostile.h"), include_str!("../hostile/hostile.h")).expect("it can be written");
    fs::write(folder.path().join("player.c"), PLAYER).expect("it can be written");
    folder
}

/// Runs the first of these compilers that is there, in a folder; without any, notes it.
pub(super) fn built(folder: &Path, ways: &[(&str, &[&str])]) -> bool {
    let mut missing = String::new();
    for (name, arguments) in ways {
        // Caches stay in the folder, and nothing is asked of the network.
        let mut command = Command::new(name);
        command.current_dir(folder).args(*arguments).env("CARGO_NET_OFFLINE", "true");
        for cache in ["GOCACHE", "ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR", "CARGO_TARGET_DIR"] {
            command.env(cache, folder.join("cache"));
        }
        command.env_remove("RUSTFLAGS").env_remove("RUSTC_WORKSPACE_WRAPPER").env_remove("MAKEFLAGS");
        let Ok(output) = command.output() else {
            missing.push_str(&format!("{name} is not installed; "));
            continue;
        };
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if output.status.success() {
            return true;
        }
        let lacks =
            ["No module named", "no matching package", "failed to download", "attempting to make an HTTP request"];
        assert!(lacks.iter().any(|lack| said.contains(lack)), "{name}: {said}");
        missing.push_str(&format!("{name}: {}; ", said.trim()));
    }
    skip(format!("{missing}the player is not tried"));
    false
}

/// Links the player's part in C with others.
pub(super) fn linked(folder: &Path, with: &[&str]) -> PathBuf {
    let library = folder.join("linked.so");
    let compiler = compiler();
    let name = compiler.get_program().to_str().expect("text");
    let options: Vec<&str> = compiler.get_args().map(|option| option.to_str().expect("text")).collect();
    let arguments = ["-shared", "-fPIC", "-g", "-o", "linked.so", "player.c"];
    assert!(built(folder, &[(name, &[options.as_slice(), &arguments, with].concat())]), "the tests need a C compiler");
    library
}

/// The events of a game against `random`, and what both have printed.
pub(super) fn game(library: &Path, options: &[&str]) -> (Vec<Value>, String) {
    let logs = TempDir::new().expect("there is room for a temporary folder");
    let output = Command::new(server())
        .args(["-m", "5", "--seed", "1", "--json", "--log-dir"])
        .arg(logs.path().join("logs"))
        .args(options)
        .args([library, player("random").as_path()])
        .output()
        .expect("the server can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("JSON is text");
    let events = lines.lines().map(|line| serde_json::from_str(line).expect("a line is an event")).collect();
    (events, fs::read_to_string(logs.path().join("logs/player1.log")).expect("the log is kept"))
}

fn plays_whole_games(library: &Path, options: &[&str]) {
    for _ in 0..5 {
        let (events, log) = game(library, options);
        let end = events.last().expect("a game has an end");
        assert_eq!((&end["termination"], &*log), (&"no_moves".into(), ""), "{end}");
        assert!(!events.iter().any(|event| event["event"] == "fault"), "{events:?}");
    }
}

fn crashes(library: &Path, signal: i32) -> String {
    let (events, log) = game(library, &[]);
    let fault = events.iter().find(|event| event["event"] == "fault").expect("it crashes");
    assert_eq!((&fault["termination"], &fault["signal"]), (&"crash".into(), &signal.into()), "{fault}");
    log
}

/// musl's `abort` to the letter: the signal by `tkill`, then without its handler, then a privileged instruction.
#[test]
fn the_abort_of_musl_is_a_crash() {
    const ABORT: &str = "#define _GNU_SOURCE
        #include <signal.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static void tkill_self(int signal) { syscall(SYS_tkill, syscall(SYS_gettid), signal); }
        void hook(unsigned turn) {
            sigset_t all, old, only;
            struct sigaction by_default = {.sa_handler = SIG_DFL};
            if (turn < 2) return;
            sigfillset(&all);
            sigprocmask(SIG_BLOCK, &all, &old);
            tkill_self(SIGABRT);
            if (!IN_TIME) { sigaction(SIGABRT, &by_default, 0); tkill_self(SIGABRT); sigemptyset(&only);
                sigaddset(&only, SIGABRT); sigprocmask(SIG_UNBLOCK, &only, 0); __asm__ volatile(\"hlt\"); }
            sigprocmask(SIG_SETMASK, &old, 0);
        }";
    for in_time in ["-DIN_TIME=1", "-DIN_TIME=0"] {
        let folder = folder();
        fs::write(folder.path().join("abort.c"), ABORT).expect("it can be written");
        crashes(&linked(folder.path(), &[in_time, "abort.c"]), libc::SIGABRT);
    }
}

mod long {
    use std::fs;

    use super::{built, crashes, folder, linked, plays_whole_games};

    #[test]
    fn a_player_in_go_sleeps_and_uses_timeouts() {
        const GO: &str = r#"package main
import "C"
import ("context"; "fmt"; "os"; "time")
//export hook
func hook(turn C.uint) {
    start := time.Now()
    limit, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
    defer cancel()
    naps := 0
    for ; limit.Err() == nil; naps++ { time.Sleep(200 * time.Microsecond) }
    if naps == 0 || time.Since(start) < 2*time.Millisecond { fmt.Fprintln(os.Stderr, "no timer") }
}
func main() {}
"#;
        let folder = folder();
        fs::write(folder.path().join("main.go"), GO).expect("it can be written");
        fs::write(folder.path().join("go.mod"), "module player\n\ngo 1.19\n").expect("it can be written");
        if built(folder.path(), &[("go", &["build", "-buildmode=c-shared", "-o", "go.so", "."])]) {
            // Go needs a few threads for itself.
            plays_whole_games(&folder.path().join("go.so"), &["--threads", "16"]);
        }
    }

    #[test]
    fn a_player_in_rust_uses_the_timers_of_tokio() {
        const MANIFEST: &str = "[package]\nname = \"hook\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\n\
            crate-type = [\"staticlib\"]\npath = \"hook.rs\"\n[dependencies]\n\
            tokio = { version = \"1\", features = [\"rt\", \"time\", \"net\", \"signal\"] }\n[workspace]\n";
        const HOOK: &str = "use std::time::Duration;
            #[no_mangle] pub extern \"C\" fn hook(_: u32) {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                let fast = Duration::from_millis(1);
                let late = runtime.block_on(async {
                    tokio::time::timeout(fast, std::future::pending::<()>()).await
                });
                assert!(late.is_err());
            }";
        let folder = folder();
        fs::write(folder.path().join("Cargo.toml"), MANIFEST).expect("it can be written");
        fs::write(folder.path().join("hook.rs"), HOOK).expect("it can be written");
        if built(folder.path(), &[("cargo", &["build", "--quiet"])]) {
            let library = linked(folder.path(), &["cache/debug/libhook.a", "-lpthread", "-ldl", "-lm"]);
            plays_whole_games(&library, &[]);
        }
    }

    #[test]
    fn a_panic_in_zig_is_a_crash_with_its_message() {
        const ZIG: &str = "var index: usize = 9;
            export fn hook(turn: c_uint) void {
                const values = [_]u8{ 1, 2, 3 };
                var slice: []const u8 = &values;
                _ = &slice;
                if (turn == 2 and slice[index] == 7) index = 1;
            }";
        let folder = folder();
        fs::write(folder.path().join("hook.zig"), ZIG).expect("it can be written");
        // From Zig's own packages, or as PyPI's `ziglang`.
        let build = ["build-obj", "-fPIC", "hook.zig"];
        if built(folder.path(), &[("zig", &build), ("python3", &[&["-m", "ziglang"][..], &build].concat())]) {
            let log = crashes(&linked(folder.path(), &["hook.o", "-z", "noexecstack"]), libc::SIGABRT);
            assert!(log.contains("index out of bounds: index 9, len 3"), "{log}");
        }
    }
}
