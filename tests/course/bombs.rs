//! Builds that attack: the machine, the network, the files of others.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

use super::rig::{Workshop, recipe, tar};

#[test]
fn a_build_that_takes_too_long_ends_by_either_clock() {
    let mut workshop = Workshop::new();
    workshop.limits.wall = Duration::from_millis(300);
    assert_eq!(workshop.commands_refused("sleep 1000").0, "the build took longer than 0.3 s");
    workshop.limits.wall = Duration::from_secs(60);
    workshop.limits.processor = Duration::from_millis(200);
    let busy = workshop.commands_refused("while :; do :; done & while :; do :; done");
    assert_eq!(busy.0, "it used more than 0.2 s of processor time");
}

#[test]
fn a_fork_bomb_is_stopped() {
    let mut workshop = Workshop::new();
    workshop.limits.processes = 32;
    let (reason, output) = workshop.commands_refused("for i in $(seq 300); do sleep 1000 & done; wait");
    // The kernel counts where the build's user has no other processes.
    assert!(reason.contains("more than 32 processes") || output.contains("fork"), "{reason}: {output}");
}

#[test]
fn too_much_memory_output_or_disk_ends_a_build() {
    let mut workshop = Workshop::new();
    workshop.limits.disk = 8 << 20;
    let full = "it used more than 8 MiB of disk";
    assert_eq!(workshop.commands_refused("while :; do head -c 1000000 /dev/zero >> a$((n=n+1)); done").0, full);
    let deep = workshop.commands_refused("while :; do mkdir a && cd a; done").0;
    assert_eq!(deep, "it nested more than 64 folders");
    // No file is longer than all may be together, even one that has no name any more.
    let (_, said) = workshop.commands_refused("exec 3> a; rm a; head -c 20000000 /dev/zero >&3; false");
    assert!(said.contains("File too large"), "{said}");
    workshop.limits.memory = 24 << 20;
    // Its own process is another one than the first.
    let hungry = "tail /dev/zero";
    let (reason, said) = workshop.commands_refused(hungry);
    assert_eq!(reason, "it used more than 24 MiB of memory", "{said}");
    workshop.limits.output = 1 << 20;
    let (reason, said) = workshop.commands_refused("echo begin; yes");
    assert_eq!(reason, "it printed more than 1024 KiB");
    assert!(said.starts_with("begin\ny\n") && said.contains("bytes left out]") && said.len() < 200_000);
}

#[test]
fn nothing_survives_its_build() {
    let workshop = Workshop::new();
    let seconds = 100_000 + std::process::id();
    let script = format!(
        "(trap '' HUP TERM; nohup sleep {seconds} > /dev/null 2>&1 &)
        setsid sleep {seconds} > /dev/null 2>&1 &
        (exec < /dev/null > /dev/null 2>&1; exec sleep {seconds}) &
        printf '\\177ELF' > a.so"
    );
    workshop.built(&tar(&[("Makefile", &recipe(&script))])).expect("make itself ends");
    let left = Command::new("pgrep").args(["-f", &format!("sleep {seconds}")]).output();
    if let Ok(left) = left {
        assert_eq!(String::from_utf8_lossy(&left.stdout), "", "it goes on");
    }
}

/// Tries what it is told with raw calls, and prints what succeeds.
const ATTACKS: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
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
#include <sys/un.h>
#include <unistd.h>
#define TRY(expression) if ((expression) >= 0) puts("succeeded: " #expression)
int main(int count, char **names) {
    for (int i = 1; i < count; i++) {
        TRY(open(names[i], O_RDONLY));
        TRY(open(names[i], O_WRONLY | O_CREAT, 0600));
        TRY(open(names[i], O_RDONLY | O_TRUNC));
        TRY(unlink(names[i]));
        chmod(names[i], 0777);
        TRY(rename(names[i], "stolen"));
        TRY(rename("attacks", names[i]));
        TRY(link(names[i], "linked"));
        TRY(mkdir(names[i], 0777));
        TRY(truncate(names[i], 0));
    }
    TRY(socket(AF_INET, SOCK_STREAM, 0));
    TRY(socket(AF_INET, SOCK_DGRAM, 0));
    TRY(socket(AF_INET6, SOCK_DGRAM, 0));
    TRY(socket(AF_UNIX, SOCK_STREAM, 0));
    TRY(socket(AF_NETLINK, SOCK_RAW, 0));
    TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){0, 0}));
    TRY(open("/etc/passwd", O_RDONLY));
    TRY(open("/proc/1/environ", O_RDONLY));
    TRY(open("/proc/self/mem", O_RDWR));
    TRY(open("/tmp/amazons-written", O_WRONLY | O_CREAT, 0600));
    TRY(open("/dev/shm/amazons-written", O_WRONLY | O_CREAT, 0600));
    TRY(open(".", O_TMPFILE | O_RDWR, 0600));
    TRY(mknod("device", S_IFCHR | 0666, 0x103));
    TRY(memfd_create("hidden", 0));
    TRY(kill(getppid(), SIGKILL));
    TRY(kill(-1, SIGKILL));
    TRY(ptrace(PTRACE_ATTACH, getppid(), 0, 0));
    TRY(setsid());
    TRY(setpgid(0, 0));
    TRY(unshare(CLONE_NEWUSER));
    TRY(syscall(SYS_io_uring_setup, 1, 0));
    TRY(syscall(SYS_bpf, 0, 0, 0));
    TRY(syscall(SYS_pidfd_open, getppid(), 0));
    if (mmap(0, 4096, PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) puts("succeeded: shared memory");
    return 1;
}
"#;

#[test]
fn the_files_of_others_the_network_and_processes_are_out_of_reach() {
    let workshop = Workshop::new();
    // As open as files can be: the sandbox decides.
    let secret = workshop.path("secret");
    fs::write(&secret, "token").expect("it can be written");
    for (path, mode) in [(workshop.root.path(), 0o777), (&secret, 0o666)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    }
    let makefile = format!(
        "all:\n\t@cc -o attacks attacks.c\n\t@./attacks {0} ../../../secret ../../secret {1}/new; cat {0}; \
         ln -s {0} link; cat link; cp link a.so\n\t@false\n",
        secret.display(),
        workshop.root.path().display(),
    );
    let (_, said) = workshop.refused(&tar(&[("Makefile", &makefile), ("attacks.c", ATTACKS)]));
    assert!(!said.contains("succeeded") && !said.contains("token"), "{said}");
    assert!(said.contains("Permission denied"), "{said}");
    assert_eq!(fs::read_to_string(&secret).expect("it is there"), "token");
    assert_eq!(fs::metadata(&secret).expect("it is there").permissions().mode() & 0o777, 0o666);
    let left: Vec<_> =
        fs::read_dir(workshop.root.path()).expect("it is ours").map(|entry| entry.expect("read").file_name()).collect();
    assert!(left.iter().all(|name| ["secret", "upload", "work"].iter().any(|known| name == known)), "{left:?}");
}

#[test]
fn listeners_on_this_machine_hear_nothing() {
    let workshop = Workshop::new();
    let local = workshop.path("socket");
    let unix = UnixListener::bind(&local).expect("a socket");
    fs::set_permissions(&local, fs::Permissions::from_mode(0o777)).expect("it is ours");
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let (tcp_port, udp_port) =
        (tcp.local_addr().expect("it has one").port(), udp.local_addr().expect("it has one").port());
    let script = format!(
        "bash -c 'echo secret > /dev/tcp/127.0.0.1/{tcp_port}'
        bash -c 'echo secret > /dev/udp/127.0.0.1/{udp_port}'
        perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => \"{}\") or die $!'
        false",
        local.display()
    );
    let (_, said) = workshop.commands_refused(&script);
    assert!(said.contains("Permission denied"), "{said}");
    tcp.set_nonblocking(true).expect("it is ours");
    udp.set_nonblocking(true).expect("it is ours");
    unix.set_nonblocking(true).expect("it is ours");
    assert!(tcp.accept().is_err() && udp.recv(&mut [0; 9]).is_err() && unix.accept().is_err());
}

#[test]
fn twenty_thousand_nested_folders_are_removed() {
    let workshop = Workshop::new();
    let script = "perl -e 'for (1..20000) { mkdir \"a\"; chdir \"a\" }'; sleep 1000";
    assert_eq!(workshop.commands_refused(script).0, "it nested more than 64 folders");
}

/// A build may move its own folders, but what stands in their place afterwards is not taken.
#[test]
fn a_build_hands_in_no_library_of_others() {
    let workshop = Workshop::new();
    let rival = workshop.path("rival");
    fs::create_dir_all(&rival).expect("a folder");
    fs::write(rival.join("player.so"), "\x7fELF of others").expect("a file");
    let steal = format!("cd .. && mv sources old && ln -s '{}' sources", rival.display());
    assert!(workshop.commands_refused(&steal).0.contains("make wrote no .so"));
    assert!(!workshop.path("player.so").exists());
}

#[test]
fn a_folder_that_hides_what_it_holds_ends_a_build_and_is_removed() {
    let workshop = Workshop::new();
    // Root looks into it, so that a build of root's has to end by itself.
    let is_root = rustix::process::geteuid().is_root();
    let rest = if is_root { "false" } else { "sleep 1000" };
    let hidden = format!("umask 0477; mkdir -p hidden && cd hidden && mkdir more && : > file; {rest}");
    let reason = workshop.commands_refused(&hidden).0;
    assert!(reason.contains("cannot be read") || is_root, "{reason}");
    workshop.built(&tar(&[("Makefile", &recipe("printf '\\177ELF' > a.so"))])).expect("nothing is in the way");
}
