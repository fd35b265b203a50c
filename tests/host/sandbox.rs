//! The sandbox: what a player cannot do, and what it still can.

use std::fmt::Write;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use amazons::host::{ProcessPlayer, SandboxMode, SeatConfig};
use amazons::referee::{Sandbox, SandboxLevel, SandboxUser, Seat, Termination};
use amazons_testing::skip;
use tempfile::TempDir;

use super::rig::{Rig, Source, fault, fork_server, log_of, seats};

fn is_root() -> bool {
    // SAFETY: the call has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

/// Makes a temporary folder accessible to all users, like most folders.
fn open_up(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("the folder is ours");
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    open_up(folder.path());
    folder
}

/// A player that tries each expression once and prints the resulting error, or 0.
fn trying(tries: &[String]) -> Rig {
    let top = "#include <dlfcn.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <sys/wait.h>
               static int reads(char const *path) {
                   char byte; int fd = open(path, O_RDONLY);
                   return fd < 0 || read(fd, &byte, 1) < 0 ? -1 : 0;
               }
               static char const *self(void) { Dl_info info; return dladdr(self, &info) ? info.dli_fname : \"\"; }
               static void *nothing(void *unused) { return unused; }";
    let mut body = String::new();
    for attempt in tries {
        write!(body, "errno = 0; printf(\"%d\\n\", {attempt} < 0 ? errno : 0);").expect("strings take everything");
    }
    Source::new().top(top).initialize(&body).build_with(&["-ldl", "-pthread"])
}

fn errors(config: &SeatConfig<'_>) -> Vec<i32> {
    let mut seat = ProcessPlayer::start(&fork_server(), config).expect("a process can be started");
    seat.load().expect("the player loads");
    seat.initialize().expect("the player tries and goes on");
    log_of(&seat).lines().map(|line| line.parse().expect("a number")).collect()
}

fn reading(path: impl AsRef<Path>) -> String {
    format!("reads({:?})", path.as_ref())
}

#[test]
fn the_sandbox_is_whole() {
    let mut seat = Source::new().build().ready();
    let Some(Sandbox { level, landlock, seccomp, user, refused: None }) = seat.sandbox() else {
        panic!("nobody says what there is")
    };
    assert_eq!((level, seccomp), (SandboxLevel::Full, true));
    assert!(landlock.is_some());
    let is_expected = if is_root() { user != SandboxUser::Ordinary } else { user == SandboxUser::Ordinary };
    assert!(is_expected, "{user:?}");
    seat.finalize().expect("the player is finalized");
}

#[test]
fn only_what_is_needed_can_be_read() {
    let parent = format!("/proc/{}/status", std::process::id());
    let tries = ["self()", "\"/proc/self/status\"", "\"/proc/self/maps\"", "\"/dev/urandom\"", "\"/dev/random\""];
    let mut tries: Vec<String> = tries.map(|file| format!("reads({file})")).into();
    let allowed = tries.len();
    tries.extend([reading("/etc/passwd"), reading("/etc/hostname"), reading(parent), reading("/proc/1/status")]);
    tries.extend([reading("/proc/self/net/tcp"), reading("/proc/self/mountinfo"), reading("/proc/self/cgroup")]);
    tries.extend(["reads(\"/\")", "open(\"/tmp\", O_RDONLY | O_DIRECTORY)"].map(str::to_owned));
    let rig = trying(&tries);
    for mode in [0o700, 0o755] {
        fs::set_permissions(rig.library().parent().expect("a folder"), fs::Permissions::from_mode(mode))
            .expect("the folder is ours");
        let errors = errors(&rig.config());
        assert_eq!(errors[..allowed], [0; 5], "{mode:o}");
        assert!(errors[allowed..].iter().all(|&error| error == libc::EACCES), "{mode:o}: {errors:?}");
    }
}

#[test]
fn what_the_user_allows_can_be_read() {
    let folder = folder();
    let (book, secret, inside) = (folder.path().join("book"), folder.path().join("secret"), folder.path().join("in"));
    fs::create_dir(&inside).expect("a folder can be made");
    let deep = inside.join("deep");
    for file in [&book, &secret, &deep] {
        fs::write(file, "text").expect("a file can be written");
    }
    let mut tries = vec![reading(&book), reading(&deep), reading(&secret)];
    tries.push(format!("open({book:?}, O_WRONLY)"));
    tries.push(format!("open({:?}, O_WRONLY | O_CREAT, 0600)", inside.join("new")));
    let rig = trying(&tries);
    let none = errors(&rig.config());
    assert_eq!(none, [libc::EACCES; 5]);
    let some = errors(&SeatConfig { allow_read: vec![book, inside], ..rig.config() });
    assert_eq!(some, [0, 0, libc::EACCES, libc::EACCES, libc::EACCES]);
}

#[test]
fn what_is_allowed_must_be_there() {
    let rig = Source::new().build();
    let config = SeatConfig { allow_read: vec!["/nonexistent/book".into()], ..rig.config() };
    let mut seat = ProcessPlayer::start(&fork_server(), &config).expect("a process can be started");
    let failed = format!("{:?}", seat.load().expect_err("there is no such file"));
    assert!(failed.contains("/nonexistent/book"), "{failed}");
}

#[test]
fn nothing_can_be_written() {
    let folder = folder();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("the folder is ours");
    let here = |name: &str| folder.path().join(name);
    fs::write(here("old"), "text").expect("a file can be written");
    fs::set_permissions(here("old"), fs::Permissions::from_mode(0o666)).expect("the file is ours");
    let (old, new, link, fifo) = (here("old"), here("new"), here("link"), here("fifo"));
    std::os::unix::fs::symlink(&new, &link).expect("a link can be made");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o666.into(), 0)
        .expect("a pipe can be made");
    let tries = [
        format!("open({old:?}, O_WRONLY | O_TRUNC)"),
        format!("open({old:?}, O_ACCMODE | O_TRUNC)"),
        format!("open({link:?}, O_WRONLY | O_CREAT, 0600)"),
        format!("open({link:?}, O_RDONLY | O_CREAT, 0600)"),
        format!("open({fifo:?}, O_RDWR | O_NONBLOCK)"),
        format!("open({fifo:?}, O_WRONLY)"),
        format!("open({new:?}, O_WRONLY | O_CREAT, 0600)"),
        format!("open({old:?}, O_RDWR)"),
        format!("open({old:?}, O_RDONLY | O_TRUNC)"),
        format!("open({:?}, O_RDWR | O_TMPFILE, 0600)", folder.path()),
        "open(\"/dev/shm/amazons-sandbox\", O_WRONLY | O_CREAT, 0600)".to_owned(),
        "open(self(), O_WRONLY)".to_owned(),
        format!("creat({new:?}, 0600)"),
        format!("mkdir({new:?}, 0700)"),
        format!("unlink({old:?})"),
        format!("rename({old:?}, {new:?})"),
        format!("link({old:?}, {new:?})"),
        format!("symlink({old:?}, {new:?})"),
        format!("truncate({old:?}, 0)"),
        format!("chmod({old:?}, 0777)"),
        format!("mkfifo({new:?}, 0600)"),
    ];
    let rig = trying(&tries);
    let errors = errors(&SeatConfig { allow_read: vec![folder.path().to_owned()], ..rig.config() });
    for (attempt, error) in tries.iter().zip(&errors) {
        assert!([libc::EACCES, libc::EPERM].contains(error), "{attempt}: {error}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).expect("the folder is ours").flatten().collect();
    assert_eq!((left.len(), fs::read_to_string(old).expect("it is there")), (3, "text".to_owned()));
}

/// What one player does to a descriptor that it was given is no note for the next one.
#[test]
fn descriptors_are_not_shared_with_the_next_player() {
    let body = "for (int fd = 0; fd < 3; fd++) {
                    printf(\"%d\\n\", fcntl(fd, F_GETFL) & (O_NONBLOCK | O_APPEND) ? 1 : 0);
                    fflush(stdout);
                    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK | O_APPEND);
                    printf(\"%d\\n\", fcntl(fd, F_GETFL) & O_NONBLOCK ? 1 : 0);
                }";
    let rig = Source::new().initialize(body).build();
    let server = fork_server();
    for _ in 0..2 {
        let mut seat = ProcessPlayer::start(&server, &rig.config()).expect("a process can be started");
        seat.load().expect("the player loads");
        seat.initialize().expect("the player looks");
        // Standard error is the log once more.
        assert_eq!(log_of(&seat).split_whitespace().collect::<Vec<_>>(), ["0", "1", "0", "1", "1", "1"]);
    }
}

#[test]
fn a_call_that_ends_a_player_with_its_signal_blocked_has_no_name() {
    let body = "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, NULL); kill(getppid(), 0);";
    let rig = Source::new().play(&format!("{body} return previous;")).build();
    let fault = fault(rig.ready().play(None));
    let detail = "killed by SIGSYS for a system call whose name is unknown, as the player had blocked this signal";
    assert_eq!((fault.termination, &*fault.detail), (Termination::Violation, detail));
}

#[test]
fn processes_and_connections_cannot_be_made() {
    let tries = [
        "fork()",
        "vfork()",
        "execl(\"/bin/true\", \"true\", NULL)",
        "socket(AF_INET, SOCK_STREAM, 0)",
        "socket(AF_UNIX, SOCK_STREAM, 0)",
        "socket(AF_NETLINK, SOCK_RAW, 0)",
        "socketpair(AF_UNIX, SOCK_SEQPACKET, 0, (int[2]){0})",
        "setuid(0) == 0 && getuid() != 0 ? 0 : setuid(1)",
        "nice(-5)",
    ];
    let errors = errors(&trying(&tries.map(str::to_owned)).config());
    for (attempt, error) in tries.iter().zip(&errors) {
        assert!([libc::EACCES, libc::EPERM, libc::EAGAIN].contains(error), "{attempt}: {error}");
    }
}

/// How many threads that wait can stand beside the first, up to 20, and why there are no more.
const COUNT_THREADS: &str = "pthread_t thread; unsigned int n = 0; int error = 0;
    while (n < 20 && !(error = pthread_create(&thread, NULL, wait_here, NULL))) n++;
    return (struct move_t){n, error, 0};";

#[test]
fn threads_are_counted() {
    let top = "static void *wait_here(void *unused) { for (;;) pause(); return unused; }";
    let mut rig = Source::new().top(top).play(COUNT_THREADS).build_with(&["-pthread"]);
    let count = |rig: &Rig| {
        let counted = rig.ready().play(None).expect("the player plays").value;
        (counted.from, counted.to)
    };
    let refused = libc::EAGAIN.unsigned_abs();
    assert_eq!(count(&rig), (0, refused));
    rig = rig.threaded();
    let (threads, error) = count(&rig);
    if is_root() {
        assert_eq!((threads, error), (4, refused));
    } else {
        assert!(threads >= 4, "{threads}");
    }
}

#[test]
fn players_of_root_are_strangers_to_each_other() {
    if !is_root() {
        return skip("only root gives players users of their own");
    }
    let body = "uid_t real, effective, saved; getresuid(&real, &effective, &saved);
                return (struct move_t){real, effective == real && saved == real && getgid() == real,
                                       getgroups(0, NULL)};";
    let rig = Source::new().play(body).build();
    let mut users = Vec::new();
    for mut seat in seats([&rig.config(), &rig.config()]) {
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
        let answer = seat.play(None).expect("the player plays").value;
        assert_eq!((answer.to, answer.arrow), (1, 0), "{answer:?}");
        users.push((answer.from, seat.sandbox().expect("the player says").user));
    }
    assert!(users.iter().all(|(user, _)| *user != 0), "{users:?}");
    if users[0].1 == SandboxUser::Stranger {
        assert_ne!(users[0].0, users[1].0);
    }
}

#[test]
fn a_library_that_only_root_can_reach_is_played_and_named() {
    let rig = Source::new().play("abort();").build();
    let library = rig.library();
    let folder = library.parent().expect("a folder");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).expect("the folder is ours");
    // Longer than what the player may write.
    let len = rig.config().limits.log + (1 << 20);
    OpenOptions::new().write(true).open(library).and_then(|file| file.set_len(len)).expect("the library is ours");
    for mode in [0o755, 0o600] {
        fs::set_permissions(library, fs::Permissions::from_mode(mode)).expect("the library is ours");
        let fault = fault(rig.ready().play(None));
        assert_eq!(fault.termination, Termination::Crash, "{mode:o}");
        let last = fault.backtrace.last().expect("the player says where it was");
        assert!(last.starts_with("play at ") && last.contains(" (library.so+0x"), "{mode:o}: {:?}", fault.backtrace);
    }
}

#[test]
fn a_call_of_32_bit_code_is_not_named_as_another_one() {
    // Number 20 is `getpid` there, and `writev` in 64 bits.
    let call = "long result; __asm__ volatile(\"int $0x80\" : \"=a\"(result) : \"a\"(20L) : \"memory\", \"r8\", \"r9\", \
                \"r10\", \"r11\");";
    let rig = Source::new().play(&format!("{call} return previous;")).build();
    let fault = fault(rig.ready().play(None));
    assert_eq!(fault.termination, Termination::Violation);
    assert!(
        fault.detail.starts_with("called system call 20 of 32-bit code, which the sandbox forbids"),
        "{}",
        fault.detail
    );
}

/// A hole of gigabytes costs its sender a moment of disk space: neither memory nor time of ours.
#[test]
fn a_library_that_is_too_large_is_a_load_error() {
    let rig = Source::new().build();
    let library = rig.library();
    OpenOptions::new().write(true).open(library).and_then(|file| file.set_len(3 << 30)).expect("the library is ours");
    for mode in [0o755, 0o600] {
        fs::set_permissions(library, fs::Permissions::from_mode(mode)).expect("the library is ours");
        let fault = fault(rig.seat().load());
        assert_eq!(fault.termination, Termination::LoadError, "{mode:o}");
        assert!(fault.detail.contains("it is larger than 256 MiB"), "{mode:o}: {}", fault.detail);
    }
}

#[test]
fn the_usual_mode_is_as_strict_where_the_kernel_has_all() {
    let mut rig = trying(&[reading("/etc/passwd"), "fork()".to_owned(), "socket(AF_INET, SOCK_STREAM, 0)".to_owned()]);
    rig.sandbox = SandboxMode::Strict;
    let strict = (errors(&rig.config()), rig.ready().sandbox());
    rig.sandbox = SandboxMode::Auto;
    assert_eq!((errors(&rig.config()), rig.ready().sandbox()), strict);
    rig.sandbox = SandboxMode::Off;
    let off = rig.ready().sandbox().expect("the player says");
    assert_eq!((off.level, off.landlock, off.seccomp), (SandboxLevel::Off, None, false));
}
