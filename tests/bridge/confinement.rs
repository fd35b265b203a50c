//! The limits on what a program can do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::{compiled, events, open_folder, program, shell_bot};
use crate::cli::player;
use crate::support;

/// Tries forbidden things and prints what succeeded.
const ATTACKS: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void no(const char *what, int succeeded) { if (succeeded) fprintf(stderr, "%s\n", what); }
static void attack(const char *who, pid_t stranger) {
    char name[200];
    #define TRY(expression) snprintf(name, sizeof name, "%s: %s", who, #expression), no(name, (expression) >= 0)
    TRY(socket(AF_INET, SOCK_STREAM, 0));
    TRY(socket(AF_INET6, SOCK_DGRAM, 0));
    TRY(socket(AF_UNIX, SOCK_STREAM, 0));
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){0, 0}));
    TRY(open("/etc/passwd", O_RDONLY));
    TRY(open("/proc/1/status", O_RDONLY));
    TRY(open(SECRET, O_RDONLY));
    TRY(open(SECRET, O_WRONLY));
    TRY(open(SECRET, O_RDONLY | O_TRUNC));
    TRY(open("/tmp/amazons-written", O_WRONLY | O_CREAT, 0600));
    TRY(open("/dev/full", O_WRONLY));
    TRY(open("/dev/zero", O_RDWR));
    TRY(open("written", O_RDWR | O_CREAT, 0600));
    TRY(mkdir("/tmp/amazons-made", 0700));
    TRY(unlink(SECRET));
    chmod(SECRET, 0700); /* only seems to work */
    TRY(kill(stranger, SIGKILL));
    TRY(kill(-1, SIGCONT));
    TRY(ptrace(PTRACE_TRACEME, 0, 0, 0));
    TRY(setsid());
    TRY(setpgid(0, 0));
    TRY(unshare(CLONE_NEWUSER));
    TRY(memfd_create("hidden", 0));
    TRY(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    TRY(syscall(SYS_io_uring_setup, 1, 0));
    TRY(syscall(SYS_bpf, 0, 0, 0));
    TRY(syscall(SYS_pidfd_open, getppid(), 0));
}
int main(void) {
    char line[1000];
    setvbuf(stdout, 0, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "aep", 3)) puts("aepok 1");
        if (!strncmp(line, "isready", 7)) puts("readyok");
        if (!strncmp(line, "go", 2)) {
            attack("the program", getppid());
            pid_t child = fork();
            if (child == 0) { attack("its child", getpid()); _exit(0); }
            int status = -1;
            if (waitpid(child, &status, 0) != child || status != 0) fprintf(stderr, "the child failed: %d\n", status);
            char c;
            int own = open(OWN, O_RDONLY);
            if (own < 0 || read(own, &c, 1) != 1) fprintf(stderr, "its own folder is closed\n");
            puts("bestmove none");
        }
    }
}
"#;

#[test]
fn programs_and_their_children_are_locked_in() {
    let (folder, elsewhere) = (open_folder(), open_folder());
    let own = program(&folder, "book.txt", "a book");
    let secret = program(&elsewhere, "secret.txt", "a secret");
    let source = format!("#define SECRET \"{}\"\n#define OWN \"{}\"\n{ATTACKS}", secret.display(), own.display());
    let path = compiled(&folder, &source);
    let logs = tempfile::tempdir().expect("a folder");
    let logs = logs.path().join("logs").display().to_string();
    let bot = format!("bridge:{}", path.display());
    let events = events(&["-m", "5", "--log-dir", &logs, &bot, &player("random")]);
    assert_eq!(events[0]["sandbox"]["level"], "full", "this test needs a kernel with all of the sandbox");
    assert_eq!(events[1]["termination"], "illegal_move", "{}", events[1]);
    assert_eq!(fs::read_to_string(format!("{logs}/player1.log")).expect("a log"), "", "what succeeded");
    assert_eq!(fs::read_to_string(&secret).expect("it is still there"), "a secret");
    assert_eq!(fs::metadata(&secret).expect("it is there").permissions().mode() & 0o777, 0o755);
}

#[test]
fn programs_drop_what_they_write_to_the_null_device_and_open_their_streams_again() {
    let folder = open_folder();
    let go = "ls /nonexistent 2> /dev/null > /dev/null < /dev/null || echo quiet >&2
        : < /dev/stdin && echo open >&2
        (echo text > /dev/zero) 2> /dev/null || echo kept >&2
        echo again >> /dev/stderr
        echo bestmove none > /dev/stdout";
    let (fault, _) = super::fault_of(&shell_bot(&folder, go), &[]);
    assert_eq!(fault["termination"], "illegal_move", "{fault:#}");
    assert_eq!(fault["log_tail"], serde_json::json!(["quiet", "open", "kept", "again"]), "{fault:#}");
}

#[test]
fn a_fork_bomb_ends_with_its_program() {
    let folder = open_folder();
    let bot = shell_bot(&folder, "bomb() { bomb & bomb & }; bomb; sleep 30");
    // Before an ordinary user's server looks, there may be thousands: the tests beside this one need processes, too.
    let limited = "ulimit -p 500 2>/dev/null || ulimit -u 500; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, "sh"])
        .arg(support::server())
        .args(["--json", "-m", "5", "--move-time", "0.5", &bot, &player("random")])
        .output()
        .expect("the server can be run");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let fault = text.lines().find(|line| line.contains("\"event\":\"fault\"")).expect("a fault");
    let terminations = ["violation", "timeout", "exit"].map(|name| format!("\"termination\":\"{name}\""));
    assert!(terminations.iter().any(|termination| fault.contains(termination)), "{fault}");
}

#[test]
fn folders_are_readable_when_they_are_named() {
    let (folder, elsewhere) = (open_folder(), open_folder());
    let book = program(&elsewhere, "book.txt", "a book");
    let go = format!("read -r book < {}; echo \"read: $book\" >&2; echo bestmove none", book.display());
    let bot = shell_bot(&folder, &go);
    let said = |options: &[&str]| super::fault_of(&bot, options).0["log_tail"].to_string();
    assert!(!said(&[]).contains("read: a book"));
    let allowed = elsewhere.path().display().to_string();
    assert!(said(&["--allow-read", &allowed]).contains("read: a book"));
}
