//! A player's surroundings in its process.

use amazons::referee::Seat;
use amazons_rules::Move;
use amazons_testing::wait_until;

use super::rig::{Source, fault, log_of};
use crate::support::is_gone;

#[test]
fn printing_is_bounded_and_harmless() {
    let body = "for (int i = 0; i < 100000; i++) printf(\"%099d\\n\", i);
                fprintf(stderr, \"too late\");
                return (struct move_t){1, (unsigned int)(write(1, \"x\", 1) < 0 ? errno : 0), EFBIG};";
    let mut rig = Source::new().play(body).build();
    rig.limits.log = 10_000;
    let mut seat = rig.ready();
    let Move { from, to, arrow } = seat.play(None).expect("the player lives").value;
    assert_eq!((from, to), (1, arrow), "a full log is an error of the write");
    let log = seat.log();
    let (lines, end) = log.split_at(10_000);
    assert!(lines.ends_with(b"0000000099\n"));
    assert_eq!(end, b"\n[cut off here: see --log-limit]\n");
    seat.finalize().expect("the player lives");
}

#[test]
fn everything_printed_goes_to_one_log() {
    let body = "printf(\"one \"); fflush(stdout); fprintf(stderr, \"two \"); if (write(1, \"three \", 6) < 0) abort();
                if (write(2, \"four \", 5) < 0) abort(); printf(\"five\"); return previous;";
    let mut seat = Source::new().play(body).build().ready();
    seat.play(None).expect("the player plays");
    assert_eq!(log_of(&seat), "one two three four five");
}

#[test]
fn the_environment_is_clean() {
    let body = "extern char **environ; for (char **e = environ; *e; e++) printf(\"%s\\n\", *e);";
    let mut rig = Source::new().initialize(body).build();
    rig.seed = u64::MAX;
    rig.limits.play = std::time::Duration::from_millis(1500);
    let log = log_of(&rig.ready());
    // The first four are handed on, when the tests have them; an instrumented server sets the last.
    let is_ours = |line: &&str| {
        let others = ["LD_LIBRARY_PATH=", "GSL_PATH=", "LLVM_PROFILE_FILE=", "RUST_BACKTRACE=", "__LLVM_PROFILE_"];
        !others.iter().any(|name| line.starts_with(name))
    };
    let mut lines: Vec<_> = log.lines().filter(is_ours).collect();
    lines.sort_unstable();
    let expected = [
        "AMAZONS_MOVE_CPU_MS=1500",
        "AMAZONS_MOVE_WALL_MS=4700",
        "AMAZONS_SEED=18446744073709551615",
        "AMAZONS_THREADS=1",
        "BLIS_NUM_THREADS=1",
        "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=262144",
        "GOMAXPROCS=1",
        "JULIA_NUM_THREADS=1",
        "KMP_AFFINITY=disabled",
        "KMP_BLOCKTIME=0",
        "LANG=C.UTF-8",
        "MKL_NUM_THREADS=1",
        "NUMEXPR_NUM_THREADS=1",
        "OMP_NUM_THREADS=1",
        "OMP_PROC_BIND=false",
        "OMP_THREAD_LIMIT=1",
        "OMP_WAIT_POLICY=passive",
        "OPENBLAS_NUM_THREADS=1",
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "RAYON_NUM_THREADS=1",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn nothing_of_the_player_runs_after_finalize() {
    let top = "static void late(void) { printf(\"late\\n\"); }
               static void __attribute__((destructor)) unload(void) { printf(\"unload\\n\"); }";
    let mut seat =
        Source::new().top(top).initialize("atexit(late);").finalize("printf(\"%d\\n\", getpid());").build().ready();
    seat.finalize().expect("the player finalizes");
    wait_until("the process ends by itself", || is_gone(log_of(&seat).trim()));
    assert_eq!(log_of(&seat).lines().count(), 1, "it says nothing more: {}", log_of(&seat));
}

#[test]
fn there_is_nothing_to_read_on_stdin() {
    let mut seat = Source::new().play("return (struct move_t){getchar() == EOF, 0, 0};").build().ready();
    assert_eq!(seat.play(None).expect("the player does not wait").value.from, 1);
}

#[test]
fn only_the_two_pipes_are_open() {
    let body = "unsigned int n = 0; for (int fd = 0; fd < 1024; fd++) n += fcntl(fd, F_GETFD) >= 0;
                return (struct move_t){n, (unsigned int)fcntl(3, F_GETFD), (unsigned int)fcntl(4, F_GETFD)};";
    // A descriptor without FD_CLOEXEC, as careless programs leak them.
    let stray = tempfile::tempfile().expect("a temporary file can be made");
    let stray = rustix::io::fcntl_dupfd_cloexec(&stray, 100).expect("a descriptor can be copied");
    rustix::io::fcntl_setfd(&stray, rustix::io::FdFlags::empty()).expect("a flag can be cleared");
    let mut seat = Source::new().play(body).build().ready();
    let close_on_exec = libc::FD_CLOEXEC.unsigned_abs();
    let expected = Move { from: 5, to: close_on_exec, arrow: close_on_exec };
    assert_eq!(seat.play(None).expect("the player plays").value, expected);
}

#[test]
fn the_stack_holds_forty_mebibytes() {
    // The array's size is not known to the compiler, as with players that keep one on the stack.
    let top = "static unsigned int fill(size_t n) {
                   volatile char array[n];
                   for (size_t i = 0; i < n; i += 4096) array[i] = 1;
                   return (unsigned int)array[n / 4096 / 2 * 4096];
               }";
    let body = "return (struct move_t){fill(40u << 20), 0, 0};";
    let mut seat = Source::new().top(top).play(body).build().ready();
    assert_eq!(seat.play(None).expect("there is room").value.from, 1);
}

#[test]
fn the_stack_ends_somewhere() {
    let top = "static unsigned int dig(volatile unsigned int *up) {
                   volatile unsigned int here[1024] = {*up}; here[0] = dig(here) + 1; return here[0];
               }";
    let body = "volatile unsigned int n = 0; previous.queen_src = dig(&n); return previous;";
    let fault = fault(Source::new().top(top).play(body).build().ready().play(None));
    assert_eq!(fault.signal, Some(libc::SIGSEGV), "{fault:?}");
}

#[test]
fn limits_and_signals_are_set() {
    let top = "#include <sys/resource.h>";
    let body = "struct rlimit core, size; struct sigaction pipe, size_signal;
                getrlimit(RLIMIT_CORE, &core); getrlimit(RLIMIT_FSIZE, &size);
                sigaction(SIGPIPE, NULL, &pipe); sigaction(SIGXFSZ, NULL, &size_signal);
                return (struct move_t){core.rlim_max == 0 && size.rlim_max == 1 << 20,
                                       pipe.sa_handler == SIG_DFL && size_signal.sa_handler == SIG_IGN,
                                       getsid(0) == getpid()};";
    let mut seat = Source::new().top(top).play(body).build().ready();
    assert_eq!(seat.play(None).expect("the player plays").value, Move { from: 1, to: 1, arrow: 1 });
}

#[test]
fn the_host_mode_is_not_for_people() {
    for arguments in [&["__host"][..], &["__host", "1"], &["__host", "nobody"]] {
        let output = std::process::Command::new(crate::support::server())
            .args(arguments)
            .stdin(std::process::Stdio::null())
            .output()
            .expect("the server can be run");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(output.stderr, b"server: __host is for internal use only\n");
        assert!(output.stdout.is_empty());
    }
}
