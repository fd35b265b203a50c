//! Clusters that lack something: a shared folder, locks, a known MPI.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use amazons_testing::{skip, wait_until};

use super::event::Hall;
use super::tasks::{collect, has_parallel, tasks};
use crate::cli::{player, ran, server};
use crate::support::{self, Mpi, compile_c, without};

const DOCUMENT: &str = include_str!("../../docs/tournaments.md");
const SSHD: &str = "/usr/sbin/sshd";

/// Without locks, a file keeps others out: a server says so, and a second one whom to wait for.
#[test]
fn a_file_system_without_locks_has_a_file_instead() {
    let missing = [(libc::SYS_flock, libc::ENOSYS)];
    for missing in [missing, [(libc::SYS_flock, libc::EOPNOTSUPP)]] {
        let hall = Hall::new(&["random", "random"], &["--boards", "c5"]);
        let held = hall.file("lock.held");
        let play = || ran(without(&missing).args(hall.args()).output().expect("the server can be run"));
        let played = play();
        assert_eq!(played.status, 0, "{}", played.err);
        let expected = format!("its file system has no locks (flock): {} keeps other servers out", held.display());
        assert!(played.err.contains(&expected), "{}", played.err);
        assert!(!held.exists(), "the right is given back");
        fs::write(&held, "process 7 on ada").expect("a file");
        let refused = play();
        assert_eq!(refused.status, 2, "{}", refused.err);
        let expected = format!("process 7 on ada works there: wait for it, or remove {}", held.display());
        assert!(refused.err.contains(&expected), "{}", refused.err);
        fs::remove_file(&held).expect("it is there");
        let stop = ran(without(&missing).args(["tournament", "stop"]).arg(hall.dir()).output().expect("a server"));
        assert_eq!(stop.status, 2, "nobody works there: {}", stop.err);
        let task = format!("{}:1", hall.dir().display());
        let again = ran(without(&missing).args(["play-pair", &task]).output().expect("the server can be run"));
        assert_eq!((again.status, again.err.as_str()), (0, ""));
    }
}

#[test]
fn tasks_play_without_locks() {
    let hall = Hall::new(&["random", "random"], &["--boards", "c5"]);
    let missing = [(libc::SYS_flock, libc::ENOSYS)];
    for task in tasks(&hall) {
        let played = ran(without(&missing).args(["play-pair", &task]).output().expect("the server can be run"));
        assert_eq!((played.status, played.err.as_str()), (0, ""));
    }
    assert!(collect(&hall).out.contains(", complete\n"));
}

#[test]
fn tasks_after_a_verdict_do_nothing() {
    let options = ["--boards", "c5", "--max-pairs", "500", "--sprt", "elo0=0", "elo1=200", "model=logistic"];
    let hall = Hall::new(&["c_mobility", "random"], &options);
    let list = tasks(&hall);
    let result = |number: usize| hall.file(&format!("tasks/{number:06}.json"));
    let last = (1..=list.len()).find(|&number| {
        let played = server(["play-pair", &list[number - 1]]);
        assert_eq!(played.status, 0, "{}", played.err);
        !result(number).exists()
    });
    let last = last.expect("a verdict before the last pair");
    println!("{} pairs decide", last - 1);
    assert!(last < 300);
    assert!(collect(&hall).out.contains("log-likelihood ratio"));
    let after = server(["play-pair", &list[last]]);
    assert_eq!((after.status, after.err.as_str()), (0, ""));
    assert!(!result(last + 1).exists(), "nor after the results are taken in");
}

/// Counts how often the request to stop is looked for.
const COUNTER: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static unsigned long count;
static struct timespec begun;
__attribute__((constructor)) static void begin(void) { clock_gettime(CLOCK_MONOTONIC, &begun); }
int open64(char const *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    size_t len = strlen(path);
    count += len > 5 && strcmp(path + len - 5, "/stop") == 0;
    return ((int (*)(char const *, int, mode_t))dlsym(RTLD_NEXT, "open64"))(path, flags, mode);
}
__attribute__((destructor)) static void tell(void) {
    char const *to = getenv("COUNT_TO");
    FILE *file = to ? fopen(to, "w") : NULL;
    if (file) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        fprintf(file, "%lu %ld", count, (now.tv_sec - begun.tv_sec) * 10 + (now.tv_nsec - begun.tv_nsec) / 100000000);
        fclose(file);
    }
}
"#;

#[test]
fn the_request_to_stop_is_looked_for_ten_times_a_second() {
    let (_folder, library) = compile_c(COUNTER, &["-ldl"]);
    let hall = Hall::new(&["random", "random"], &["--boards", "c5", "--pairs", "200", "--records", "none"]);
    let count = library.with_file_name("count");
    let played = hall.command().env("LD_PRELOAD", &library).env("COUNT_TO", &count).output();
    let played = ran(played.expect("the server can be run"));
    assert_eq!(played.status, 0, "{}", played.err);
    let counted = fs::read_to_string(count).expect("a count");
    let (looks, tenths) = counted.split_once(' ').expect("two numbers");
    // The server's own life, so that it does not matter how long that was.
    let most = tenths.parse::<u64>().expect("a number") + 2;
    assert!((1..=most).contains(&looks.parse().expect("a number")), "{counted}, for {} games", hall.games());
}

/// A wrapper that has the standard interface, in front of a library that is there.
#[test]
fn the_standard_interface_of_mpi_is_recognised() {
    let (_folder, library) = compile_c(include_str!("mpi_abi.c"), &["-ldl"]);
    for mpi in Mpi::installed().filter(|mpi| mpi.program.ends_with("mpich")) {
        let hall = Hall::new(&["random", "c_mobility"], &["--boards", "c5", "--pairs", "4"]);
        let mut command = mpi.launch(3);
        command.arg(support::server()).args(hall.args()).arg("--force").env("AMAZONS_MPI", &library);
        let played = ran(command.output().expect("the launcher can be run"));
        assert_eq!((played.status, played.err.as_str()), (0, ""), "{}", played.out);
        assert!(hall.read("journal.jsonl").contains("\"concurrency\":2"));
    }
}

/// A server of secure shells for this user, on this machine; it ends on drop.
struct Node {
    root: tempfile::TempDir,
    daemon: Child,
}

impl Node {
    fn is_possible() -> bool {
        let runs = |program: &str| Command::new(program).arg("--version").stdin(Stdio::null()).output().is_ok();
        let is_there = Path::new(SSHD).exists() && runs("ssh") && runs("rsync");
        if !is_there {
            skip("ssh, sshd or rsync is not installed (Debian: apt-get install openssh-server rsync)");
        }
        is_there
    }

    fn start() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let here = root.path().display().to_string();
        for key in ["host", "user"] {
            let mut command = Command::new("ssh-keygen");
            command.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(root.path().join(key));
            assert_eq!(ran(command.output().expect("ssh-keygen can be run")).status, 0);
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
        let user = ran(Command::new("id").arg("-un").output().expect("id can be run")).out;
        let server = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {here}/host\nAuthorizedKeysFile {here}/user.pub\n\
             StrictModes no\nUsePAM no\nPidFile none\nMaxStartups 100\n"
        );
        let client = format!(
            "Host node\nHostName 127.0.0.1\nPort {port}\nUser {user}IdentityFile {here}/user\nIdentitiesOnly yes\n\
             UserKnownHostsFile {here}/known\nStrictHostKeyChecking no\nLogLevel ERROR\nConnectTimeout 60\n"
        );
        fs::write(root.path().join("server.conf"), server).expect("a file");
        fs::write(root.path().join("client.conf"), client).expect("a file");
        // Where root's daemon puts its part without rights.
        let _ = fs::create_dir_all("/run/sshd")
            .and_then(|()| fs::set_permissions("/run/sshd", fs::Permissions::from_mode(0o755)));
        let log = fs::File::create(root.path().join("log")).expect("a log");
        let daemon =
            Command::new(SSHD).args(["-D", "-e", "-f"]).arg(root.path().join("server.conf")).stderr(log).spawn();
        let node = Self { root, daemon: daemon.expect("sshd can be run") };
        wait_until("a secure shell", || {
            let shell = node.shell();
            let mut words = shell.split(' ');
            let said = Command::new(words.next().expect("ssh")).args(words).args(["node", "true"]).output();
            said.is_ok_and(|output| output.status.success())
        });
        node
    }

    fn shell(&self) -> String {
        format!("ssh -F {}/client.conf", self.root.path().display())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

/// The options of the documentation that send files along.
fn sent_along() -> Vec<String> {
    let (_, rest) = DOCUMENT.split_once("parallel --sshloginfile nodes ").expect("a command");
    let (command, _) = rest.split_once(" --joblog").expect("its end");
    let output = Command::new("sh").args(["-c", &format!("printf '%s\\n' {}", command.replace("\\\n", " "))]).output();
    ran(output.expect("a shell")).out.lines().map(str::to_owned).collect()
}

/// A journal goes to a folder of each task, its result comes back.
#[test]
fn machines_without_a_shared_folder_play_over_secure_shells() {
    if !has_parallel() || !Node::is_possible() {
        return;
    }
    let options = ["--pairs", "2", "--boards", "c5"];
    let threads = Hall::new(&["random", "c_mobility"], &options);
    threads.finish();
    let node = Node::start();
    let far = Hall::new(&["random", "c_mobility"], &options);
    let beside = far.dir().parent().expect("a folder").to_owned();
    // The list names the folder as it will be elsewhere.
    let list = Command::new(support::server())
        .current_dir(&beside)
        .args(["tournament", "tasks"])
        .args([player("random"), player("c_mobility")])
        .args(options)
        .args(["--dir", "event"])
        .output();
    fs::write(beside.join("tasks.txt"), ran(list.expect("the server can be run")).out).expect("a list");
    let mut parallel = Command::new("parallel");
    parallel.current_dir(&beside).stdin(Stdio::null()).args(["--will-cite", "-q", "--ssh", &node.shell()]);
    parallel
        .args(["-S", "2/node"])
        .args(sent_along())
        .args(["-a", "tasks.txt"])
        .arg(support::server())
        .arg("play-pair");
    let joined = ran(parallel.output().expect("parallel can be run"));
    assert_eq!(joined.status, 0, "{}{}", joined.out, joined.err);
    assert!(!far.file("records").exists(), "it was played elsewhere");
    let collected = collect(&far);
    assert!(collected.out.contains(", complete\n"), "{}{}", collected.out, collected.err);
    assert_eq!(far.stable(), threads.stable());
}
