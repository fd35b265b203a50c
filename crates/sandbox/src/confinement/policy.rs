//! The system calls that a player's process may make, as data. [`super::program`] compiles them for the kernel.
//!
//! A call that careless but honest code makes is refused: it returns an error code, and the game goes on. A call that
//! only an attack makes is a violation: it ends the process. Only argument values count, because memory behind a
//! pointer can change between the check and the call.
//!
//! Numbers are those of x86-64. The kernel reads most arguments as an `int`, so only their low halves count.

use std::ffi::{c_int, c_long};

use libc::{EACCES, EAGAIN, EINVAL, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM};

pub use super::kinds::{CallVerdict, Subject, Telling, Threads, Writing};
use CallVerdict::{Allowed, Refused, Violation};
use Rule::{
    Always, Fcntl, KeepHandler, Map, NewThread, OneOf, Open, OwnClock, OwnPid, Pair, ReadOwnLimit, Told, WithoutBits,
};

/// The number of the newest known system call: `file_setattr`, of Linux 6.17.
const HIGHEST: u32 = 469;

/// From this number on, calls belong to x32, which no player uses.
pub(super) const X32: u32 = 0x4000_0000;

/// Negative numbers are not calls: code without a number for a call uses -1.
pub(super) const NEGATIVE: u32 = 1 << 31;

/// The settings that vary by process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The process that the policy is for.
    pub own_pid: u32,
    /// The code that runs in it.
    pub subject: Subject,
    /// The number of threads allowed.
    pub threads: Threads,
    /// The files that may be opened for writing.
    pub writing: Writing,
    /// The filter that refuses calls about which a player's author should be told.
    pub telling: Telling,
}

/// How the arguments determine the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// They do not matter.
    Always(CallVerdict),
    /// Refused with this error code, which is told.
    Told(c_int),
    /// Allowed when argument 0 is the process's own id, which is also that of its first thread; otherwise this verdict.
    OwnPid(CallVerdict),
    /// Allowed when argument 0 is a clock of the system, of this process or of its threads, else a violation: a timer
    /// on another process's clock makes that clock advance in steps of a timer tick.
    OwnClock,
    /// Allowed when an argument has none of these bits.
    WithoutBits {
        /// The argument, from 0.
        argument: u8,
        /// The bits that are refused.
        bits: u32,
        /// The error code for them.
        refusal: c_int,
    },
    /// Allowed when an argument is one of these values.
    OneOf {
        /// The argument, from 0.
        argument: u8,
        /// The allowed values.
        values: &'static [u32],
        /// The error code for others.
        refusal: c_int,
    },
    /// `open`, by its flags in this argument: for reading, and for writing if Landlock decides where. On old kernels,
    /// Landlock ignores `O_TRUNC` in calls that do not open for writing.
    Open(u8),
    /// `fcntl`: copies of descriptors, and flags of descriptors.
    Fcntl,
    /// `socketpair`, allowed for local sockets of these kinds: their ends are connected to each other and to nothing
    /// else.
    Pair(&'static [u32]),
    /// `mmap`, refused when shared memory has one of these flags or protections.
    Map {
        /// Bits of argument 3.
        flags: u32,
        /// Bits of argument 2.
        protection: u32,
    },
    /// `rt_sigaction`, refused when it changes SIGSYS; queries are allowed, as some runtimes query all signals.
    KeepHandler,
    /// `prlimit64`, allowed when it reads a limit of the process itself.
    ReadOwnLimit,
    /// `clone`, allowed when it makes a thread and several are allowed; refusals are told, with an error of their own for
    /// threads.
    NewThread,
}

/// One system call.
#[derive(Clone, Copy, Debug)]
struct Call {
    name: &'static str,
    number: c_long,
}

type Group = (Rule, &'static [Call]);

/// Lists calls by the C library's constants.
macro_rules! calls {
    ($($constant:ident)*) => {
        &[$(Call { name: stringify!($constant).split_at("SYS_".len()).1, number: libc::$constant }),*]
    };
}

/// The rule for calls not in the table.
const UNLISTED: Rule = Always(Refused(EPERM));

/// Makes an unnamed file; its constant includes `O_DIRECTORY`.
pub(super) const NAMELESS: u32 = (libc::O_TMPFILE & !libc::O_DIRECTORY).cast_unsigned();
pub(super) const WRITE_ONLY: u32 = libc::O_WRONLY.cast_unsigned();
pub(super) const READ_WRITE: u32 = libc::O_RDWR.cast_unsigned();
/// Flags that change files even without access for writing.
pub(super) const CHANGING: u32 = (libc::O_CREAT | libc::O_TRUNC).cast_unsigned() | NAMELESS;

pub(super) const FCNTL: &[u32] = &[
    libc::F_GETFD.cast_unsigned(),
    libc::F_SETFD.cast_unsigned(),
    libc::F_GETFL.cast_unsigned(),
    libc::F_DUPFD.cast_unsigned(),
    libc::F_DUPFD_CLOEXEC.cast_unsigned(),
];

pub(super) const SET_FLAGS: u32 = libc::F_SETFL.cast_unsigned();

/// Flags that `F_SETFL` must not set: signals on events, pipes in packet mode, reading without updating access times.
pub(super) const UNUSUAL_FLAGS: u32 = (libc::O_ASYNC | libc::O_DIRECT | libc::O_NOATIME).cast_unsigned();

/// All flags of `pipe2` but the usual ones. Others make packet pipes or queues of kernel notifications.
const UNUSUAL_PIPE: u32 = !(libc::O_CLOEXEC | libc::O_NONBLOCK).cast_unsigned();

/// The clocks allowed for `timerfd_create`; others wake the machine.
const CLOCKS: &[u32] = &[
    libc::CLOCK_REALTIME.cast_unsigned(),
    libc::CLOCK_MONOTONIC.cast_unsigned(),
    libc::CLOCK_BOOTTIME.cast_unsigned(),
];

/// Only descriptors below 16 can be watched. The kernel notifies every watcher of a timer in an interrupt, at the
/// expense of whichever process is running; a file counts once for each number under which it is watched.
const UNWATCHED: u32 = !15;

pub(super) const LOCAL: u32 = libc::AF_UNIX.cast_unsigned();

const STREAMS: &[u32] = &[
    libc::SOCK_STREAM.cast_unsigned(),
    (libc::SOCK_STREAM | libc::SOCK_CLOEXEC).cast_unsigned(),
    (libc::SOCK_STREAM | libc::SOCK_NONBLOCK).cast_unsigned(),
    (libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK).cast_unsigned(),
];

/// Rust waits for a program to start by one of the latter.
const PAIRS: &[u32] = &[
    libc::SOCK_STREAM.cast_unsigned(),
    (libc::SOCK_STREAM | libc::SOCK_CLOEXEC).cast_unsigned(),
    libc::SOCK_SEQPACKET.cast_unsigned(),
    (libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC).cast_unsigned(),
];

/// All flags of messages but those of ordinary streams.
const UNUSUAL_MESSAGE: u32 =
    !(libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL | libc::MSG_PEEK | libc::MSG_WAITALL).cast_unsigned();

/// The number of bytes to read, and flags of a descriptor. Others, such as that of `isatty`, find no device.
const IOCTL: &[u32] = &[0x541B, 0x5421, 0x5450, 0x5451];

/// The query of `personality`.
const QUERY: &[u32] = &[u32::MAX];

/// Clock numbers from this one on belong to processes: the complement of an id, shifted by three, plus the kind of
/// time; see clock_getcpuclockid(3).
pub(super) const FIRST_OF_PROCESS: u32 = 1 << 31;

/// Marks a thread's clock; the kernel lets a process read only those of its own threads.
pub(super) const OF_THREAD: u32 = 4;

/// From this number on, the id is 0, meaning the caller.
pub(super) const OF_CALLER: u32 = !0 << 3;

/// The clocks of a process by its id: user and system time, user time, and scheduler time.
pub(super) fn own_clocks(pid: u32) -> [u32; 3] {
    [0, 1, 2].map(|measure| !pid << 3 | measure)
}

/// Names of threads and, for allocators, of memory.
const PRCTL: &[u32] =
    &[libc::PR_SET_NAME.cast_unsigned(), libc::PR_GET_NAME.cast_unsigned(), libc::PR_SET_VMA.cast_unsigned()];

const TABLE: &[Group] = &[
    // Opening files, as far as Landlock allows.
    (
        Always(Allowed),
        calls![
            SYS_read SYS_readv SYS_pread64 SYS_write SYS_writev SYS_pwrite64 SYS_lseek SYS_fsync SYS_fdatasync
            SYS_close SYS_close_range SYS_dup SYS_dup2 SYS_dup3 SYS_umask
            SYS_stat SYS_fstat SYS_lstat SYS_newfstatat SYS_statx SYS_statfs SYS_fstatfs
            SYS_access SYS_faccessat SYS_faccessat2 SYS_readlink SYS_readlinkat SYS_getcwd SYS_getdents64
            SYS_poll SYS_ppoll SYS_select SYS_pselect6
        ],
    ),
    (Open(1), calls![SYS_open]),
    (Open(2), calls![SYS_openat]),
    (Fcntl, calls![SYS_fcntl]),
    // The process's own pipes, events and timers. Without processes and ways to pass descriptors on, no other process
    // has them; the limit on descriptors bounds the kernel's memory for them.
    (
        Always(Allowed),
        calls![
            SYS_pipe SYS_eventfd SYS_eventfd2 SYS_timerfd_settime SYS_timerfd_gettime
            SYS_epoll_create SYS_epoll_create1 SYS_epoll_wait SYS_epoll_pwait SYS_epoll_pwait2 SYS_shutdown
        ],
    ),
    (Pair(STREAMS), calls![SYS_socketpair]),
    (WithoutBits { argument: 3, bits: UNUSUAL_MESSAGE, refusal: EACCES }, calls![SYS_sendto SYS_recvfrom]),
    (OneOf { argument: 1, values: IOCTL, refusal: ENOTTY }, calls![SYS_ioctl]),
    (WithoutBits { argument: 1, bits: UNUSUAL_PIPE, refusal: EINVAL }, calls![SYS_pipe2]),
    (OneOf { argument: 0, values: CLOCKS, refusal: EPERM }, calls![SYS_timerfd_create]),
    (WithoutBits { argument: 2, bits: UNWATCHED, refusal: EPERM }, calls![SYS_epoll_ctl]),
    // The process's own memory. Shared memory would outlive it and escape the limits.
    (
        Always(Allowed),
        calls![
            SYS_munmap SYS_mremap SYS_mprotect SYS_madvise SYS_mincore SYS_brk
            SYS_pkey_alloc SYS_pkey_free SYS_pkey_mprotect
        ],
    ),
    (
        Map { flags: libc::MAP_ANONYMOUS.cast_unsigned(), protection: libc::PROT_WRITE.cast_unsigned() },
        calls![SYS_mmap],
    ),
    // Signals and timers.
    (
        Always(Allowed),
        calls![
            SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigsuspend SYS_rt_sigpending SYS_rt_sigtimedwait SYS_sigaltstack
            SYS_pause SYS_alarm SYS_setitimer SYS_getitimer SYS_timer_settime SYS_timer_gettime
            SYS_timer_getoverrun SYS_timer_delete
        ],
    ),
    (OwnPid(Violation), calls![SYS_kill SYS_tgkill SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo]),
    // Names only a thread, possibly another one of the process: some runtimes abort that way.
    (OwnPid(Refused(EPERM)), calls![SYS_tkill]),
    (OwnClock, calls![SYS_timer_create SYS_clock_gettime SYS_clock_getres SYS_clock_nanosleep]),
    // The handler of this signal reports violations.
    (KeepHandler, calls![SYS_rt_sigaction]),
    // Time, randomness, and facts about the process.
    (
        Always(Allowed),
        calls![
            SYS_nanosleep SYS_gettimeofday SYS_time SYS_times SYS_getrandom SYS_uname SYS_sysinfo SYS_getrusage SYS_getrlimit SYS_getcpu SYS_getpriority
            SYS_getpid SYS_gettid SYS_getppid SYS_getpgid SYS_getpgrp SYS_getsid
            SYS_getuid SYS_geteuid SYS_getresuid SYS_getgid SYS_getegid SYS_getresgid SYS_getgroups
        ],
    ),
    (ReadOwnLimit, calls![SYS_prlimit64]),
    (OneOf { argument: 0, values: PRCTL, refusal: EPERM }, calls![SYS_prctl]),
    (OneOf { argument: 0, values: QUERY, refusal: EPERM }, calls![SYS_personality]),
    // Threads.
    (
        Always(Allowed),
        calls![
            SYS_futex SYS_set_robust_list SYS_get_robust_list SYS_set_tid_address SYS_rseq SYS_membarrier
            SYS_arch_prctl SYS_restart_syscall SYS_exit SYS_exit_group
            SYS_sched_yield SYS_sched_getaffinity SYS_sched_getparam SYS_sched_getscheduler
        ],
    ),
    (NewThread, calls![SYS_clone]),
    // The calls above can do the same; these read their flags from memory.
    (Always(Refused(ENOSYS)), calls![SYS_clone3 SYS_openat2]),
    // Optional kernel features: runtimes, allocators, profilers and drivers try them and do without.
    (
        Always(Refused(ENOSYS)),
        calls![
            SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register SYS_pidfd_open SYS_process_madvise SYS_kcmp
            SYS_perf_event_open SYS_userfaultfd SYS_seccomp SYS_modify_ldt SYS_name_to_handle_at
            SYS_keyctl SYS_add_key SYS_request_key
        ],
    ),
    // Other processes and programs.
    (Told(EPERM), calls![SYS_fork SYS_vfork]),
    (Told(EACCES), calls![SYS_execve SYS_execveat]),
    // Changes to files.
    (
        Always(Refused(EACCES)),
        calls![
            SYS_creat SYS_mknod SYS_mknodat SYS_mkdir SYS_mkdirat SYS_rmdir SYS_unlink SYS_unlinkat
            SYS_rename SYS_renameat SYS_renameat2 SYS_link SYS_linkat SYS_symlink SYS_symlinkat
            SYS_truncate SYS_ftruncate SYS_fallocate SYS_chmod SYS_fchmod SYS_fchmodat SYS_fchmodat2
            SYS_chown SYS_fchown SYS_lchown SYS_fchownat SYS_utime SYS_utimes SYS_utimensat SYS_futimesat
            SYS_setxattr SYS_lsetxattr SYS_fsetxattr SYS_removexattr SYS_lremovexattr SYS_fremovexattr
        ],
    ),
    // The network.
    (
        Always(Refused(EACCES)),
        calls![
            SYS_socket SYS_bind SYS_listen SYS_accept SYS_accept4 SYS_connect
            SYS_getsockname SYS_getpeername SYS_setsockopt SYS_getsockopt
            SYS_sendmsg SYS_sendmmsg SYS_recvmsg SYS_recvmmsg
        ],
    ),
    // Ways to reach other processes.
    (
        Always(Refused(EPERM)),
        calls![
            SYS_memfd_create SYS_memfd_secret SYS_signalfd SYS_signalfd4
            SYS_inotify_init SYS_inotify_init1 SYS_inotify_add_watch SYS_inotify_rm_watch
            SYS_fanotify_init SYS_fanotify_mark
            SYS_shmget SYS_shmat SYS_shmctl SYS_shmdt SYS_semget SYS_semop SYS_semtimedop SYS_semctl
            SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl SYS_mq_open SYS_mq_unlink SYS_mq_timedsend SYS_mq_timedreceive
            SYS_mq_notify SYS_mq_getsetattr
        ],
    ),
    // A process's own status; the last two also report how exact the system's clock is.
    (
        Always(Refused(EPERM)),
        calls![
            SYS_setrlimit SYS_setpriority SYS_ioprio_set SYS_sched_setparam SYS_sched_setscheduler
            SYS_sched_setaffinity SYS_sched_setattr SYS_setpgid SYS_setsid SYS_setuid SYS_setreuid SYS_setresuid
            SYS_setfsuid SYS_setgid SYS_setregid SYS_setresgid SYS_setfsgid SYS_setgroups SYS_capset
            SYS_adjtimex SYS_clock_adjtime
        ],
    ),
    // Attacks on other processes.
    (OwnPid(Violation), calls![SYS_process_vm_readv SYS_process_vm_writev]),
    (Always(Violation), calls![SYS_pidfd_getfd SYS_pidfd_send_signal SYS_ptrace]),
    // Attacks on the kernel, or ways around this policy.
    (Always(Violation), calls![SYS_bpf SYS_open_by_handle_at]),
    // Attacks on the whole system.
    (
        Always(Violation),
        calls![
            SYS_unshare SYS_setns SYS_chroot SYS_pivot_root SYS_mount SYS_umount2 SYS_move_mount SYS_mount_setattr
            SYS_open_tree SYS_fsopen SYS_fsconfig SYS_fsmount SYS_fspick
            SYS_init_module SYS_finit_module SYS_delete_module SYS_kexec_load SYS_kexec_file_load SYS_reboot
            SYS_swapon SYS_swapoff SYS_iopl SYS_ioperm SYS_acct SYS_quotactl SYS_syslog SYS_vhangup
            SYS_settimeofday SYS_clock_settime SYS_sethostname SYS_setdomainname
        ],
    ),
];

/// Takes precedence over the table for other programs.
const PROGRAM: &[Group] = &[
    (
        Always(Allowed),
        calls![
            SYS_fork SYS_vfork SYS_execve SYS_execveat SYS_wait4 SYS_waitid SYS_rt_sigaction SYS_chdir SYS_fchdir
            SYS_epoll_ctl SYS_sendto SYS_sendmsg SYS_recvfrom SYS_recvmsg
            SYS_getsockname SYS_getpeername SYS_getsockopt SYS_setsockopt
        ],
    ),
    (WithoutBits { argument: 0, bits: NEW_SPACES, refusal: EPERM }, calls![SYS_clone]),
];

/// The commands of `fcntl` for programs that build: they also lock files, and without an owner, no flag sends signals.
const LOCKS: &[u32] = &[
    libc::F_GETFD.cast_unsigned(),
    libc::F_SETFD.cast_unsigned(),
    libc::F_GETFL.cast_unsigned(),
    SET_FLAGS,
    libc::F_DUPFD.cast_unsigned(),
    libc::F_DUPFD_CLOEXEC.cast_unsigned(),
    libc::F_GETLK.cast_unsigned(),
    libc::F_SETLK.cast_unsigned(),
    libc::F_SETLKW.cast_unsigned(),
];

/// Takes precedence over the table for programs that may change files where Landlock allows that: in a temporary folder
/// of their own, or in the folder that they build in.
const FILES: &[Group] = &[
    (
        Always(Allowed),
        calls![
            SYS_creat SYS_mkdir SYS_mkdirat SYS_rmdir SYS_unlink SYS_unlinkat SYS_rename SYS_renameat SYS_renameat2
            SYS_link SYS_linkat SYS_symlink SYS_symlinkat SYS_ftruncate SYS_fallocate
        ],
    ),
    // Landlock lets these change any file of the user: they only seem to work, as `install` needs.
    (
        Always(Refused(0)),
        calls![
            SYS_chmod SYS_fchmod SYS_fchmodat SYS_fchmodat2 SYS_utime SYS_utimes SYS_utimensat SYS_futimesat
        ],
    ),
    // As on a file system without attributes: then `install` does without.
    (Always(Refused(EOPNOTSUPP)), calls![SYS_setxattr SYS_lsetxattr SYS_fsetxattr]),
    // Linkers write their output through shared memory of a file, and semaphores by name are such memory.
    (Map { flags: libc::MAP_ANONYMOUS.cast_unsigned(), protection: 0 }, calls![SYS_mmap]),
];

/// Takes precedence over the table for programs that build.
const BUILDER: &[Group] = &[
    // A lock needs no right to write, so other programs could talk through the system's files.
    (Always(Allowed), calls![SYS_flock SYS_copy_file_range SYS_sendfile]),
    (OneOf { argument: 1, values: LOCKS, refusal: EPERM }, calls![SYS_fcntl]),
    (Pair(PAIRS), calls![SYS_socketpair]),
    // make starts programs with its own user's rights; without capabilities, there is no other user to become.
    (Always(Allowed), calls![SYS_setuid SYS_setreuid SYS_setresuid SYS_setgid SYS_setregid SYS_setresgid]),
];

/// Flags of `clone` that leave the process's family or enter other namespaces.
const NEW_SPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT
    | libc::CLONE_PTRACE)
    .cast_unsigned();

/// Takes precedence over the table: an instrumented player maps and locks its profile file.
#[cfg(coverage)]
const PROFILE: &[Group] = &[
    (Always(Allowed), calls![SYS_open SYS_openat SYS_ftruncate SYS_fcntl SYS_mkdir SYS_unlink]),
    (Map { flags: libc::MAP_ANONYMOUS.cast_unsigned(), protection: 0 }, calls![SYS_mmap]),
];

#[cfg(not(coverage))]
const PROFILE: &[Group] = &[];

/// Returns the name of a system call known to the policy.
pub fn name_of(number: i64) -> Option<&'static str> {
    TABLE
        .iter()
        .chain(PROGRAM)
        .chain(FILES)
        .chain(BUILDER)
        .flat_map(|(_, calls)| *calls)
        .find(|call| call.number == number)
        .map(|call| call.name)
}

/// Returns the rules of all known calls, from number 0 to [`HIGHEST`].
pub(super) fn rules(policy: Policy) -> Vec<Rule> {
    let mut rules = vec![policy.part(UNLISTED); HIGHEST as usize + 1];
    for (rule, calls) in TABLE.iter().chain(exceptions(policy).into_iter().rev().flatten()) {
        for call in *calls {
            if let Some(entry) = usize::try_from(call.number).ok().and_then(|number| rules.get_mut(number)) {
                *entry = policy.part(*rule);
            }
        }
    }
    rules
}

/// The rules that take precedence over the table, the strongest first.
const fn exceptions(policy: Policy) -> [&'static [Group]; 3] {
    match (policy.subject, policy.writing) {
        (Subject::Player, _) => [PROFILE, &[], &[]],
        (Subject::Program, Writing::Nothing) => [PROGRAM, &[], &[]],
        (Subject::Program, Writing::ByLandlock) => [FILES, PROGRAM, &[]],
        (Subject::Builder, _) => [BUILDER, FILES, PROGRAM],
    }
}

impl Policy {
    /// The verdict for a player's violation.
    pub(super) const fn violation(self) -> CallVerdict {
        match self.subject {
            Subject::Player => Violation,
            Subject::Program | Subject::Builder => Refused(EPERM),
        }
    }

    /// Returns a filter's part in a rule.
    const fn part(self, rule: Rule) -> Rule {
        match (self.telling, rule) {
            (Telling::Silent | Telling::Elsewhere, _) | (Telling::Teller, Told(_) | NewThread) => rule,
            (Telling::Teller, _) => Always(Allowed),
        }
    }

    /// The verdict for what is refused with this error and told.
    pub(super) const fn told(self, error: c_int) -> CallVerdict {
        match self.telling {
            Telling::Silent => Refused(error),
            Telling::Teller => CallVerdict::Told,
            Telling::Elsewhere => Allowed,
        }
    }

    /// The verdict for a new thread.
    pub(super) const fn thread(self) -> CallVerdict {
        match self.threads {
            Threads::One => self.told(EAGAIN),
            Threads::Many => Allowed,
        }
    }
}

/// Returns the verdict on a call of x86-64: the reference for the compiled program.
pub fn verdict(policy: &Policy, number: u32, arguments: &[u64; 6]) -> CallVerdict {
    if (X32..NEGATIVE).contains(&number) {
        return Violation;
    }
    if number > HIGHEST {
        return Refused(ENOSYS);
    }
    let lists_it = |(_, calls): &&Group| calls.iter().any(|call| call.number == c_long::from(number));
    let (rule, _) = exceptions(*policy).into_iter().flatten().chain(TABLE).find(lists_it).unwrap_or(&(UNLISTED, &[]));
    policy.part(*rule).verdict(policy, arguments)
}

impl Rule {
    /// Returns the verdict on a call under this rule: the reference for the compiled instructions.
    pub fn verdict(&self, policy: &Policy, arguments: &[u64; 6]) -> CallVerdict {
        let low = |argument: u8| low_half(arguments[usize::from(argument)]);
        let refused_if = |is_refused, refusal| if is_refused { Refused(refusal) } else { Allowed };
        match *self {
            Always(Violation) => policy.violation(),
            Always(verdict) => verdict,
            Told(error) => policy.told(error),
            OwnPid(_) if low(0) == policy.own_pid => Allowed,
            OwnPid(otherwise) => Always(otherwise).verdict(policy, arguments),
            OwnClock => {
                if low(0) < FIRST_OF_PROCESS
                    || low(0) & OF_THREAD != 0
                    || low(0) >= OF_CALLER
                    || own_clocks(policy.own_pid).contains(&low(0))
                {
                    Allowed
                } else {
                    policy.violation()
                }
            }
            WithoutBits { argument, bits, refusal } => refused_if(low(argument) & bits != 0, refusal),
            OneOf { argument, values, refusal } => refused_if(!values.contains(&low(argument)), refusal),
            Open(argument) => {
                let mode = low(argument) & (WRITE_ONLY | READ_WRITE);
                let is_refused = match (mode, policy.writing) {
                    (0, _) => low(argument) & CHANGING != 0,
                    (WRITE_ONLY | READ_WRITE, Writing::ByLandlock) => low(argument) & NAMELESS != 0,
                    _ => true,
                };
                refused_if(is_refused, EACCES)
            }
            Pair(kinds) => refused_if(low(0) != LOCAL || !kinds.contains(&low(1)), EACCES),
            Fcntl if low(1) == SET_FLAGS => refused_if(low(2) & UNUSUAL_FLAGS != 0, EPERM),
            Fcntl => refused_if(!FCNTL.contains(&low(1)), EPERM),
            Map { flags, protection } => {
                // The validating kind of sharing also has this bit.
                let is_shared = low(3) & libc::MAP_SHARED.cast_unsigned() != 0;
                refused_if(is_shared && (low(3) & flags != 0 || low(2) & protection != 0), EPERM)
            }
            KeepHandler => refused_if(low(0) == libc::SIGSYS.cast_unsigned() && arguments[1] != 0, EPERM),
            ReadOwnLimit => {
                let is_own = low(0) == 0 || low(0) == policy.own_pid;
                refused_if(!is_own || arguments[2] != 0, EPERM)
            }
            NewThread => {
                let is_thread = low(0) & libc::CLONE_THREAD.cast_unsigned() != 0;
                if is_thread { policy.thread() } else { policy.told(EPERM) }
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a half is 32 bits")]
fn low_half(argument: u64) -> u32 {
    argument as u32
}
