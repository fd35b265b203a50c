//! Kernels that lack something: how the server reacts, and its messages.

use std::ffi::{c_int, c_long};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use amazons_testing::skip;
use serde_json::Value;

use super::rig::{Rig, Source};
use crate::support::{self, without};

const NO_LANDLOCK: (c_long, c_int) = (libc::SYS_landlock_create_ruleset, libc::ENOSYS);
const LANDLOCK_OFF: (c_long, c_int) = (libc::SYS_landlock_create_ruleset, libc::EOPNOTSUPP);
const NO_SECCOMP: (c_long, c_int) = (libc::SYS_seccomp, libc::ENOSYS);
const NO_FILTERS: (c_long, c_int) = (libc::SYS_seccomp, libc::EINVAL);
const SECCOMP_FORBIDDEN: (c_long, c_int) = (libc::SYS_seccomp, libc::EPERM);
const NO_PIDFD: (c_long, c_int) = (libc::SYS_pidfd_open, libc::ENOSYS);

/// Plays against the bundled random player and returns the server's output.
fn run(missing: &[(c_long, c_int)], mode: &str, player: &Rig) -> Output {
    let mut server = without(missing);
    server.args(["-m", "5", "--seed", "1", "--first", "1", "--json", "--sandbox", mode, "--move-time", "200ms"]);
    server.arg(player.library()).arg(support::player("random"));
    server.output().expect("the server can be run")
}

/// The events of a finished game.
fn events(output: &Output) -> Vec<Value> {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*said), (Some(0), ""));
    let lines = std::str::from_utf8(&output.stdout).expect("JSON is text").lines();
    lines.map(|line| serde_json::from_str(line).expect("a line is an event")).collect()
}

fn fault(events: &[Value]) -> &Value {
    events.iter().find(|event| event["event"] == "fault").unwrap_or_else(|| panic!("{events:?}"))
}

/// A player that tries to write a file and to open a socket, prints the results, and resigns.
fn attacker(file: &str) -> Rig {
    let body = format!(
        "int file = open(\"{file}\", O_WRONLY | O_CREAT, 0666); int error = errno;
         int ours = open(\"/proc/self/fd/1\", O_RDWR); int again = errno;
         int nothing = open(\"/dev/null\", O_WRONLY | O_CREAT | O_TRUNC, 0666);
         printf(\"null %d\\n\", nothing < 0 ? errno : 0);
         printf(\"file %d\\nlog %d\\n\", file < 0 ? error : 0, ours < 0 ? again : 0);
         printf(\"socket %d\\n\", socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0);
         printf(\"kill %d\\n\", kill(getppid(), 0) < 0 ? errno : 0);"
    );
    let top = "#include <sys/socket.h>";
    Source::new().top(top).initialize(&body).play("return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX};").build()
}

/// An attacker's findings on such a kernel: the sandbox of the record and the lines of its log.
fn attacked(missing: &[(c_long, c_int)], mode: &str) -> (Value, Value) {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    std::fs::set_permissions(folder.path(), open).expect("the folder is ours");
    let file = folder.path().join("made");
    let events = events(&run(missing, mode, &attacker(file.to_str().expect("text"))));
    assert!(!file.exists());
    (events[0]["sandbox"].clone(), fault(&events).clone())
}

#[test]
fn a_kernel_that_has_all_is_not_changed_by_the_test() {
    let (sandbox, fault) = attacked(&[], "auto");
    assert_eq!((&sandbox["level"], &sandbox["seccomp"]), (&"full".into(), &true.into()));
    // Signals to others are a violation.
    assert_eq!((&fault["termination"], &fault["call"]), (&"violation".into(), &"initialize".into()), "{fault}");
    let log = fault["log_tail"].to_string();
    assert!(log.contains("null 0") && log.contains("file 13") && log.contains("log 13"), "{fault}");
}

#[test]
fn without_landlock_the_filter_stands() {
    if support::server_counts() {
        return println!("skipped: instrumented players keep their profiles in files");
    }
    for missing in [NO_LANDLOCK, LANDLOCK_OFF] {
        let (sandbox, fault) = attacked(&[missing], "auto");
        assert_eq!((&sandbox["level"], &sandbox["landlock"]), (&"reduced".into(), &Value::Null));
        assert_eq!(sandbox["seccomp"], true);
        assert_eq!(fault["termination"], "violation", "{fault}");
        let log = fault["log_tail"].to_string();
        let refusals = ["null 13", "file 13", "log 13", "socket 13"];
        assert!(refusals.iter().all(|refusal| log.contains(refusal)), "{fault}");
    }
}

#[test]
fn without_seccomp_landlock_stands() {
    for missing in [NO_SECCOMP, NO_FILTERS, SECCOMP_FORBIDDEN] {
        let (sandbox, fault) = attacked(&[missing], "auto");
        assert_eq!((&sandbox["level"], &sandbox["seccomp"]), (&"reduced".into(), &false.into()));
        assert!(sandbox["landlock"].is_u64(), "{sandbox}");
        // The attacker resigned; nothing that it did ended the game.
        assert_eq!((&fault["termination"], &fault["call"]), (&"illegal_move".into(), &"play".into()), "{fault}");
        let log = fault["log_tail"].to_string();
        assert!(log.contains("null 0") && log.contains("file 13") && log.contains("socket 0"), "{fault}");
        assert!(!log.contains("kill 0"), "{fault}");
    }
}

#[test]
fn with_neither_nobody_plays_unless_told_to() {
    let player = Source::new().build();
    for mode in ["auto", "strict"] {
        let output = run(&[NO_LANDLOCK, NO_SECCOMP], mode, &player);
        assert_eq!(output.status.code(), Some(70));
        let text = String::from_utf8(output.stdout).expect("JSON is text");
        let end: Value = serde_json::from_str(text.lines().last().expect("an end")).expect("JSON");
        assert_eq!(end["termination"], "void");
        assert_eq!(
            end["detail"],
            "the kernel offers neither Landlock nor seccomp: --sandbox off runs players without a sandbox"
        );
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "once is enough: that would not change");
    }
    let events = events(&run(&[NO_LANDLOCK, NO_SECCOMP], "off", &player));
    assert_eq!(events[0]["sandbox"]["level"], "off");
    assert_eq!(fault(&events)["termination"], "illegal_move");
}

/// Root that may not change its user: players would keep its rights.
#[test]
fn strict_lets_no_player_run_as_root() {
    fn drop_rights() -> io::Result<()> {
        // CAP_SETGID and CAP_SETUID, as the kernel's headers number them.
        for right in [6, 7] {
            // SAFETY: the call takes numbers only.
            if unsafe { libc::prctl(libc::PR_CAPBSET_DROP, right) } != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
    if !rustix::process::geteuid().is_root() {
        return skip("only root can have players of root");
    }
    let player = Source::new().build();
    let play = |mode| {
        let mut server = Command::new(support::server());
        server.args(["-m", "5", "--json", "--sandbox", mode]).args([player.library(), player.library()]);
        // SAFETY: the function makes system calls and nothing else.
        unsafe { server.pre_exec(drop_rights) };
        server.output().expect("the server can be run")
    };
    assert_eq!(events(&play("auto"))[0]["sandbox"]["user"], "root");
    let strict = play("strict");
    assert_eq!(strict.status.code(), Some(70));
    let said = String::from_utf8_lossy(&strict.stdout);
    assert!(said.contains("the players would run as root, which --sandbox strict forbids"), "{said}");
}

#[test]
fn strict_refuses_what_is_not_whole() {
    let player = Source::new().build();
    for (missing, what) in [(NO_LANDLOCK, "Landlock"), (LANDLOCK_OFF, "Landlock"), (NO_SECCOMP, "seccomp")] {
        let output = run(&[missing], "strict", &player);
        assert_eq!(output.status.code(), Some(70));
        let expected = format!("the kernel offers no {what}, and --sandbox strict requires it");
        assert!(String::from_utf8_lossy(&output.stdout).contains(&expected));
    }
}

/// Plays through every ending on such a kernel.
fn verdicts(missing: &[(c_long, c_int)]) {
    let cases = [
        ("abort();", "crash", "play"),
        ("for (;;);", "timeout", "play"),
        ("for (;;) pause();", "timeout", "play"),
        ("exit(3);", "exit", "play"),
        ("raise(SIGKILL);", "crash", "play"),
        ("raise(SIGSTOP);", "timeout", "play"),
        ("close(3); close(4);", "protocol_error", "play"),
        ("kill(getppid(), SIGKILL);", "violation", "play"),
        ("return previous;", "illegal_move", "play"),
    ];
    for (body, termination, call) in cases {
        let player = Source::new().play(&format!("{body} return previous;")).build();
        let events = events(&run(missing, "auto", &player));
        let fault = fault(&events);
        assert_eq!((&fault["termination"], &fault["call"]), (&termination.into(), &call.into()), "{body}: {fault}");
        assert_eq!(events[0]["sandbox"]["level"], "full");
    }
    let random = support::player("random");
    let mut server = without(missing);
    let output = server.args(["-m", "7", "--seed", "1", "--json"]).args([&random, &random]).output();
    let events = events(&output.expect("the server can be run"));
    assert_eq!(events.last().expect("an end")["termination"], "no_moves");
}

#[test]
fn without_process_descriptors_every_verdict_is_the_same() {
    verdicts(&[]);
    verdicts(&[NO_PIDFD]);
}

#[test]
fn where_signals_through_process_descriptors_are_refused_every_verdict_is_the_same() {
    verdicts(&[(libc::SYS_pidfd_send_signal, libc::EPERM)]);
}

#[test]
fn without_a_way_to_close_many_descriptors_they_are_closed_one_by_one() {
    let body = "unsigned int n = 0; for (int fd = 0; fd < 1024; fd++) n += fcntl(fd, F_GETFD) >= 0; exit(n);";
    let player = Source::new().play(body).build();
    for error in [libc::ENOSYS, libc::EPERM] {
        let events = events(&run(&[(libc::SYS_close_range, error)], "auto", &player));
        assert_eq!(events[0]["sandbox"]["level"], "full");
        let fault = fault(&events);
        // The standard streams and the two pipes.
        assert_eq!((&fault["termination"], &fault["exit_code"]), (&"exit".into(), &5.into()));
    }
}

#[test]
fn a_kernel_that_is_too_old_is_named() {
    let output = run(&[(libc::SYS_memfd_create, libc::ENOSYS)], "auto", &Source::new().build());
    assert_eq!(output.status.code(), Some(70));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.ends_with(
            "server: cannot start the players: cannot make a log for a player: Function not implemented (os error 38)\n"
        ),
        "{said}"
    );
}
