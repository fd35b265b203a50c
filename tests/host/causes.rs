//! The cause of a fault, as far as the player's output, its file and its stack tell it.

use std::fs;
use std::process::{Command, Stdio};

use amazons::referee::{Call, CallError, Seat, Termination};
use amazons_sandbox::text::telling_lines;
use amazons_testing::{output_of, wait_for};
use rustix::process::{Pid, Signal, kill_process};

use super::rig::{Rig, Source, fault, fault_of};
use crate::cli::{ran, server};
use crate::support::{self, children};

/// A player whose first `play` ends its process.
fn ending(play: &str) -> Rig {
    Source::new().play(&format!("{play} return previous;")).build()
}

#[test]
fn a_file_that_is_written_while_it_plays_makes_the_game_void() {
    let rig = ending("abort();");
    let bytes = fs::read(rig.library()).expect("the library can be read");
    let mut seat = rig.ready();
    fs::write(rig.library(), &bytes).expect("the library can be written");
    let Err(CallError::Void(void)) = seat.play(None) else { panic!("the file was written") };
    let expected = format!("{} was changed during the game, so the game does not count", rig.library().display());
    assert_eq!((void.to_string(), void.is_lasting()), (expected, true));
    assert!(seat.unchanged().is_err(), "an illegal move would not count, either");
    // In another file's place it does no harm, and then a fault is the player's own.
    let mut seat = rig.ready();
    let new = rig.library().with_file_name("new.so");
    fs::write(&new, "something else").expect("a file can be written");
    fs::rename(&new, rig.library()).expect("a file can be moved");
    assert_eq!(fault(seat.play(None)).termination, Termination::Crash);
}

#[test]
fn a_single_game_with_a_written_file_is_void() {
    let rig = ending("raise(SIGSTOP);");
    let bytes = fs::read(rig.library()).expect("the library can be read");
    let mut command = Command::new(support::server());
    command.args(["--quiet", "--move-time", "86400"]).args([rig.library(), &support::player("random")]);
    let game = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the server can be run");
    let is_stopped =
        |pid: &u32| fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") T "));
    let player = wait_for("the player's first move", || {
        let children = children(game.id());
        children.iter().flat_map(|&pid| support::children(pid)).chain(children.clone()).find(is_stopped)
    });
    fs::write(rig.library(), bytes).expect("the library can be written");
    let player = Pid::from_raw(i32::try_from(player).expect("a number")).expect("a process");
    kill_process(player, Signal::KILL).expect("it is ours");
    let played = ran(output_of(game));
    assert_eq!(played.status, 70, "{}{}", played.out, played.err);
    assert!(played.out.starts_with("the game is void after 0 moves: "), "{}", played.out);
    assert!(played.out.contains("was changed during the game, so the game does not count"), "{}", played.out);
}

#[test]
fn the_output_of_the_failing_call_is_told() {
    let rig = Source::new()
        .initialize("for (int i = 0; i < 50; i++) printf(\"begin %d\\n\", i);")
        .play(
            "printf(\"first\\n\"); for (int i = 0; i < 50; i++) printf(\"noise %d\\n\", i);
             fprintf(stderr, \"player.c:7: Assertion `x > 0' failed.\\n\");
             for (int i = 0; i < 50; i++) printf(\"more %d\\n\", i); abort(); return previous;",
        )
        .build();
    let random = support::player("random").display().to_string();
    let played = server(["--boards", "never", &rig.library().display().to_string(), &random]);
    let told: Vec<&str> = played.out.lines().filter_map(|line| line.strip_prefix("  | ")).collect();
    let expected = [
        "first",
        "noise 0",
        "noise 1",
        "...",
        "player.c:7: Assertion `x > 0' failed.",
        "...",
        "more 43",
        "more 44",
        "more 45",
        "more 46",
        "more 47",
        "more 48",
        "more 49",
    ];
    assert_eq!(told, expected, "{}", played.out);
}

#[test]
fn lines_that_announce_an_error_are_kept() {
    let noise = |count: usize| "noise\n".repeat(count);
    for announced in [
        &["thread '<unnamed>' panicked at q.rs:8:14:", "index out of bounds: the len is 0 but the index is 3"][..],
        &["fatal error: all goroutines are asleep - deadlock!"],
        &["panic: runtime error: index out of range [3] with length 0"],
        &["terminate called after throwing an instance of 'std::out_of_range'", "  what():  vector::at"],
        &["*** stack smashing detected ***: terminated"],
        &["free(): double free detected in tcache 2"],
        &["malloc(): corrupted top size"],
        &["==7==ERROR: AddressSanitizer: heap-use-after-free"],
        &["play.c:3:5: runtime error: signed integer overflow"],
        &["Exception in thread \"main\" java.lang.NullPointerException"],
        &["object.Exception@d.d(7): no book"],
        &["Tried to raise:: Index out of bounds (IndexError)"],
        &["org.team.NoMoveException"],
    ] {
        let output = format!("{}{}\n{}", noise(30), announced.join("\n"), noise(30));
        let lines = telling_lines(output.as_bytes());
        let at = lines.iter().position(|line| line == announced[0]).unwrap_or_else(|| panic!("{lines:?}"));
        assert_eq!(lines[at..at + announced.len()], *announced);
        assert_eq!(
            (lines[at - 1].as_str(), lines[at + announced.len()].as_str(), lines.len()),
            ("...", "...", announced.len() + 12)
        );
    }
    // The message stands below a traceback.
    let traceback =
        "Traceback (most recent call last):\n  File \"bot.py\", line 3, in play\n    book()\nOSError: no book\n";
    let lines = telling_lines(format!("{}{traceback}{}", noise(30), noise(30)).as_bytes());
    assert!(lines.contains(&"OSError: no book".to_owned()), "{lines:?}");
    assert_eq!(telling_lines(noise(10).as_bytes()), ["noise"; 10]);
    // The places of a trace do not push it out, even in files and functions of such names.
    let trace = "  from lib/MyError.cr:7 in 'raise'\n        at java.lang.Error.<init>(Error.java)\n".repeat(20);
    let lines = telling_lines(format!("{}Index out of bounds (IndexError)\n{trace}", noise(9)).as_bytes());
    assert!(lines.contains(&"Index out of bounds (IndexError)".to_owned()) && lines.len() == 13, "{lines:?}");
    // A player that announces nothing but errors is not told at length.
    assert!(telling_lines("panic: again\n".repeat(9999).as_bytes()).len() < 20);
}

#[test]
fn what_the_kernel_refused_in_the_call_is_named_whatever_is_printed() {
    let thread = "; starting a thread was refused: allow them with --threads N (in a plan: threads = N)";
    let process = "; starting a process was refused: a player may start no processes and no programs";
    let program = "; running a program was refused: a player may start no processes and no programs";
    let start = "pthread_t t; if (pthread_create(&t, NULL, (void *(*)(void *))abs, NULL) != 0)";
    for end in ["exit(1);", "abort();", "raise(SIGINT);"] {
        for (refused, hint) in [
            (start, thread),
            ("if (fork() < 0)", process),
            ("if (vfork() < 0)", process),
            ("if (system(\"true\") != 0)", process),
            ("if (!popen(\"true\", \"r\"))", process),
            ("execl(\"/bin/true\", \"true\", NULL);", program),
            // The last one is nearest to the end.
            ("if (fork() < 0) execl(\"/bin/true\", \"true\", NULL);", program),
        ] {
            let fault = fault_of(&ending(&format!("{refused} {{ {end} }}")));
            assert!(fault.detail.ends_with(hint), "{refused} {end} {}", fault.detail);
            assert_eq!(fault.call, Call::Play);
        }
        let text = "pthread_create: Resource temporarily unavailable; fork: Operation not permitted";
        let other = fault_of(&ending(&format!("fprintf(stderr, \"{text}\\n\"); {end}")));
        assert!(!other.detail.contains("refused"), "{end} {}", other.detail);
    }
    // What was refused in another call says nothing.
    let rig = Source::new().initialize("fork();").play("abort(); return previous;").build();
    assert!(!fault_of(&rig).detail.contains("refused"));
    // Where there may be several, the kernel counts them, and only the player is told.
    let loops = "pthread_t t; while (!pthread_create(&t, NULL, (void *(*)(void *))pause, NULL)) {}
                 fprintf(stderr, \"libgomp: Thread creation failed: Resource temporarily unavailable\\n\"); exit(1);";
    if rustix::process::geteuid().is_root() {
        let fault = fault_of(&ending(loops).threaded());
        assert!(fault.detail.contains("; starting a thread beyond --threads "), "{}", fault.detail);
    }
}

/// A player that is refused something again and again waits for each answer, and gets on.
#[test]
fn refusals_are_quick() {
    let rig = Source::new()
        .play(
            "for (int i = 0; i < 2000; i++) if (fork() != -1 || errno != EPERM) abort();
        if (execl(\"/bin/true\", \"true\", NULL) != -1 || errno != EACCES) abort(); return previous;",
        )
        .build_with(&["-include", "errno.h"]);
    let mut seat = rig.ready();
    seat.play(None).expect("its time is enough");
    seat.finalize().expect("it goes on");
}

#[test]
fn a_handler_of_the_players_own_hides_the_place() {
    let top = "static void own(int s) { signal(s, SIG_DFL); }";
    for (signal, die) in
        [("SIGSEGV", "*(int volatile *)16 = 1;"), ("SIGABRT", "abort();"), ("SIGFPE", "raise(SIGFPE); raise(SIGFPE);")]
    {
        let rig = Source::new().top(top).play(&format!("signal({signal}, own); {die} return previous;")).build();
        let told = format!("killed by {signal}; where is unknown, as its own handler took this signal");
        assert_eq!(fault_of(&rig).detail, told);
    }
    // Nobody reports these.
    assert_eq!(fault_of(&ending("raise(SIGINT);")).detail, "killed by SIGINT");
}

#[test]
fn a_large_local_variable_names_the_stack() {
    let top = "static __attribute__((noinline)) int big(int i)
               { volatile char a[100 << 20]; memset((char *)a, i, sizeof a); return a[i]; }";
    let rig = Source::new().top(top).play("return (struct move_t){(unsigned int)big(1), 0, 0};").build();
    let fault = fault_of(&rig);
    assert!(fault.detail.contains("(its stack is full: it may grow to 64 MiB"), "{}", fault.detail);
    // Other addresses do not.
    for play in ["*(int volatile *)16 = 1;", "int volatile x; (&x)[-1000000000L] = 1;"] {
        let fault = fault_of(&ending(play));
        assert!(fault.signal == Some(libc::SIGSEGV) && !fault.detail.contains("stack"), "{}", fault.detail);
    }
}

#[test]
fn places_in_libraries_of_languages_are_passed_over() {
    for file in [
        "/rustc/0123/library/std/src/panicking.rs",
        "/usr/include/c++/12/bits/stl_vector.h",
        "/root/.cargo/registry/src/index/rand-0.9.0/src/lib.rs",
        "/usr/lib/go-1.19/src/runtime/panic.go",
        "../sysdeps/unix/raise.c",
    ] {
        let top = format!("\n#line 1 \"{file}\"\nstatic void inner(void) {{ abort(); }}\n#line 900 \"player.c\"\n");
        let rig = Source::new().top(&top).play("inner(); return previous;").build_with(&["-O0"]);
        let fault = fault_of(&rig);
        assert!(fault.detail.contains(" in play at ") && fault.detail.contains("player.c:"), "{}", fault.detail);
        // So is what is inlined.
        let top = top.replace("static void", "static inline __attribute__((always_inline)) void");
        let top = top.replace("abort();", "*(int volatile *)16 = 1;");
        let fault = fault_of(&Source::new().top(&top).play("inner(); return previous;").build_with(&["-O1"]));
        assert!(fault.detail.contains(" in play at ") && fault.detail.contains("player.c:"), "{}", fault.detail);
    }
}

#[test]
fn a_name_of_the_c_library_is_told() {
    let rig = Source::new()
        .top("unsigned int insque(unsigned int vertex, unsigned int direction) { return vertex + direction; }")
        .play("return (struct move_t){insque(previous.queen_src & 7, 1), 0, 0};")
        .build();
    let fault = fault_of(&rig);
    let told = "; insque: its calls reach the C library's: make it static, or link with -Wl,-Bsymbolic";
    assert!(fault.detail.ends_with(told), "{}", fault.detail);
}
