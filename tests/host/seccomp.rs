//! The system call filter: as the policy says, as the kernel would read it, and for real.

use std::collections::BTreeSet;
use std::env;
use std::fs::File;
use std::io;
use std::net::UdpSocket;
use std::os::unix::process::ExitStatusExt;
use std::process;
use std::thread;

use amazons_sandbox::confinement::{
    CallVerdict, Policy, Rule, Subject, Telling, Threads, Writing, name_of, program, verdict,
};
use libc::{EACCES, EAGAIN, EINVAL, ENOSYS, ENOTTY, EPERM, c_long};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::process::{Resource, Rlimit};
use seccompiler::sock_filter;

use crate::support::alone;
use CallVerdict::{Allowed, Refused, Told, Violation};

const X86_64: u32 = 0xC000_003E;
const OWN: u32 = 4711;
/// All known calls and a good many unknown ones.
const NUMBERS: std::ops::RangeInclusive<u32> = 0..=600;
pub(super) const NO_ARGUMENTS: [u64; 6] = [0; 6];

pub(super) const ONE: Policy = Policy {
    own_pid: OWN,
    subject: Subject::Player,
    threads: Threads::One,
    writing: Writing::Nothing,
    telling: Telling::Silent,
};
pub(super) const MANY: Policy = Policy { threads: Threads::Many, ..ONE };
const LANDLOCKED: Policy = Policy { writing: Writing::ByLandlock, ..ONE };
pub(super) const PROGRAM: Policy = Policy { subject: Subject::Program, ..MANY };
/// As it is where Landlock decides which files it changes.
const WRITER: Policy = Policy { writing: Writing::ByLandlock, ..PROGRAM };
pub(super) const BUILDER: Policy = Policy { subject: Subject::Builder, writing: Writing::ByLandlock, ..MANY };

/// Runs a program as the kernel does, strictly: anything unexpected fails the test.
fn run(program: &[sock_filter], architecture: u32, number: u32, arguments: &[u64; 6]) -> (CallVerdict, usize) {
    let mut data = vec![number, architecture, 0xDEAD_BEEF, 0xDEAD_BEEF];
    data.extend(arguments.iter().flat_map(|argument| [*argument as u32, (*argument >> 32) as u32]));
    let (mut accumulator, mut next, mut steps) = (0, 0, 0);
    loop {
        let sock_filter { code, jt, jf, k } = program[next];
        next += 1;
        steps += 1;
        let mut jump = |holds| next += usize::from(if holds { jt } else { jf });
        match code {
            0x20 => {
                assert_eq!(k % 4, 0, "words are aligned");
                accumulator = data[k as usize / 4];
            }
            0x05 => next += k as usize,
            0x15 => jump(accumulator == k),
            0x25 => jump(accumulator > k),
            0x35 => jump(accumulator >= k),
            0x45 => jump(accumulator & k != 0),
            0x06 => break (outcome(k), steps),
            _ => panic!("{code:#x} is no instruction that the policy needs"),
        }
    }
}

fn outcome(value: u32) -> CallVerdict {
    match (value & 0xFFFF_0000, value & 0xFFFF) {
        (0x7FFF_0000, 0) => Allowed,
        (0x0005_0000, error) => Refused(error as i32),
        (0x0003_0000, 0) => Violation,
        (0x7FC0_0000, 0) => Told,
        _ => panic!("{value:#x} is no verdict"),
    }
}

/// The verdict of the compiled policy, which must be the policy's own.
pub(super) fn judge(policy: Policy, program: &[sock_filter], number: c_long, arguments: [u64; 6]) -> CallVerdict {
    let number = number as u32;
    let (result, _) = run(program, X86_64, number, &arguments);
    assert_eq!(result, verdict(&policy, number, &arguments), "{number} {arguments:x?} {policy:?}");
    result
}

pub(super) fn with(pairs: &[(usize, u64)]) -> [u64; 6] {
    let mut arguments = NO_ARGUMENTS;
    for (argument, value) in pairs {
        arguments[*argument] = *value;
    }
    arguments
}

/// Values at the borders of every rule, and every single bit.
pub(super) fn telling_values() -> BTreeSet<u64> {
    let pids = [0, u64::MAX, u64::from(u32::MAX), OWN.into(), u64::from(OWN) - 1, u64::from(OWN) + 1];
    let garbage_above = [1 << 40 | u64::from(OWN), 1 << 63 | 31, 1 << 32 | 15];
    let constants = (0..=35).chain([1029, 1030, 1031, 0x5356_4D40, 0x5356_4D41, 0x5356_4D42]);
    (0..64).map(|bit| 1 << bit).chain(constants).chain(pids).chain(garbage_above).collect()
}

pub(super) fn names(chosen: impl Fn(u32) -> bool) -> BTreeSet<&'static str> {
    NUMBERS.filter(|number| chosen(*number)).map(|number| name_of(number.into()).expect("it is listed")).collect()
}

pub(super) fn words(text: &'static str) -> BTreeSet<&'static str> {
    text.split_whitespace().collect()
}

#[test]
fn the_program_is_the_policy() {
    let values = telling_values();
    let tellers = [ONE, MANY].map(|policy| Policy { telling: Telling::Teller, ..policy });
    let others = [ONE, MANY].map(|policy| Policy { telling: Telling::Elsewhere, ..policy });
    for policy in [ONE, MANY, LANDLOCKED, PROGRAM, WRITER, BUILDER].into_iter().chain(tellers).chain(others) {
        let program = program(&policy);
        for number in NUMBERS {
            for value in &values {
                for argument in 0..6 {
                    judge(policy, &program, number.into(), with(&[(argument, *value)]));
                }
            }
        }
    }
}

#[test]
fn any_rules_compile_to_what_they_say() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut detours = 0;
    for round in 0..40 {
        let subject = [Subject::Player, Subject::Program][round / 2 % 2];
        let policy = Policy {
            own_pid: rng.random_range(1..40),
            subject,
            threads: [Threads::One, Threads::Many][round % 2],
            writing: [Writing::Nothing, Writing::ByLandlock][round / 4 % 2],
            telling: [Telling::Silent, Telling::Teller, Telling::Elsewhere][round % 3],
        };
        let rules: Vec<Rule> = (0..rng.random_range(0..900))
            .map(|_| {
                let (argument, bits) = (rng.random_range(0..6), 1 << rng.random_range(0..32));
                let (refusal, values) = (rng.random_range(1..30), [&[][..], &[7], &[0, 3, 9]][rng.random_range(0..3)]);
                match rng.random_range(0..15) {
                    13 => Rule::Pair(values),
                    14 => Rule::Told(refusal),
                    0 => Rule::OwnPid([Violation, Refused(refusal)][rng.random_range(0..2)]),
                    11 => Rule::Open(argument),
                    12 => Rule::Fcntl,
                    9 => Rule::OwnClock,
                    1 => Rule::WithoutBits { argument, bits, refusal },
                    2 => Rule::OneOf { argument, values, refusal },
                    3 => Rule::KeepHandler,
                    4 => Rule::Map { flags: bits, protection: u32::from(argument) },
                    5 => Rule::ReadOwnLimit,
                    6 => Rule::NewThread,
                    7 => Rule::Always(Violation),
                    8 => Rule::Always(Refused(refusal)),
                    _ => Rule::Always(Allowed),
                }
            })
            .collect();
        let program = policy.compile(&rules);
        detours += program.iter().filter(|instruction| instruction.code == 0x05).count();
        for (number, rule) in rules.iter().enumerate() {
            for _ in 0..20 {
                let arguments = std::array::from_fn(|_| match rng.random_range(0..3) {
                    0 => 0,
                    1 => rng.random_range(0..40),
                    _ => rng.random(),
                });
                let (result, _) = run(&program, X86_64, number as u32, &arguments);
                assert_eq!(
                    result,
                    rule.verdict(&policy, &arguments),
                    "round {round}: {number} {rule:?} {arguments:x?}"
                );
            }
        }
        let (behind, _) = run(&program, X86_64, rules.len() as u32, &NO_ARGUMENTS);
        assert_eq!(behind, Refused(ENOSYS));
    }
    assert!(detours > 1000, "comparisons cannot skip 256 instructions: {detours}");
}

#[test]
fn another_program_may_do_what_players_may_and_this_and_nothing_is_a_violation() {
    let (of_players, of_programs) = (program(&MANY), program(&PROGRAM));
    let more = names(|number| {
        let arguments = NO_ARGUMENTS;
        let player = judge(MANY, &of_players, number.into(), arguments);
        let other = judge(PROGRAM, &of_programs, number.into(), arguments);
        assert_ne!(other, Violation, "{number}");
        // Instrumented players keep a profile, so they may do more.
        assert!(player != Allowed || other == Allowed || cfg!(coverage), "{number} is allowed to players");
        player != Allowed && other == Allowed
    });
    let expected = "fork vfork clone execve execveat wait4 waitid chdir fchdir sendmsg recvmsg getsockname getpeername
        getsockopt setsockopt";
    assert_eq!(more, words(expected));
    let of_writers = program(&WRITER);
    let changing = names(|number| {
        let [before, now] = [(PROGRAM, &of_programs), (WRITER, &of_writers)]
            .map(|(policy, program)| judge(policy, program, number.into(), NO_ARGUMENTS));
        before != now
    });
    let expected = "creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat
        ftruncate fallocate chmod fchmod fchmodat fchmodat2 utime utimes utimensat futimesat setxattr lsetxattr
        fsetxattr";
    assert_eq!(changing, words(expected), "where Landlock decides");
    for number in [libc::SYS_truncate, libc::SYS_chown, libc::SYS_mknod, libc::SYS_flock, libc::SYS_removexattr] {
        assert!(matches!(judge(WRITER, &of_writers, number, NO_ARGUMENTS), Refused(_)), "{number}");
    }
    for flag in [libc::CLONE_NEWUSER, libc::CLONE_NEWNET, libc::CLONE_PARENT] {
        let clone = judge(PROGRAM, &of_programs, libc::SYS_clone, with(&[(0, u64::from(flag.cast_unsigned()))]));
        assert_eq!(clone, Refused(EPERM), "{flag:#x}");
    }
}

#[test]
fn other_architectures_and_x32_are_violations() {
    let program = program(&ONE);
    for number in NUMBERS.chain([u32::MAX, 0x3FFF_FFFF, 0x4000_0000]) {
        // 32-bit x86, 64-bit ARM, and what is off by a bit or one.
        for architecture in [0x4000_0003, 0xC000_00B7, 0, u32::MAX, 62, X86_64 ^ 0x8000_0000, X86_64 + 1] {
            assert_eq!(run(&program, architecture, number, &NO_ARGUMENTS).0, Violation, "{number} {architecture:#x}");
        }
    }
    for number in NUMBERS.map(|number| number | 0x4000_0000).chain([0x7FFF_FFFF]) {
        assert_eq!(judge(ONE, &program, number.into(), NO_ARGUMENTS), Violation, "{number:#x}");
    }
    // Negative numbers stand for calls whose number the caller does not know.
    for number in [0x3FFF_FFFF, 0x8000_0000, 0xC000_0000, u32::MAX] {
        assert_eq!(judge(ONE, &program, number.into(), NO_ARGUMENTS), Refused(ENOSYS), "{number:#x}");
    }
}

#[test]
fn unknown_calls_do_not_exist() {
    let program = program(&ONE);
    for number in NUMBERS {
        let expected = if number > 469 { Refused(ENOSYS) } else { Refused(EPERM) };
        if name_of(number.into()).is_none() {
            assert_eq!(judge(ONE, &program, number.into(), NO_ARGUMENTS), expected, "{number}");
        }
    }
    assert_eq!((name_of(101), name_of(-1), name_of(600)), (Some("ptrace"), None, None));
}

#[test]
fn these_calls_and_no_others_are_always_allowed() {
    let allowed = "read write readv writev pread64 pwrite64 close close_range fstat newfstatat stat lstat statx lseek
        mprotect munmap brk mremap madvise mincore rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigpending
        rt_sigtimedwait pause sigaltstack sched_yield nanosleep gettimeofday
        time times getpid gettid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgid getpgrp
        getsid futex set_robust_list get_robust_list rseq exit exit_group getrandom getrusage sysinfo uname
        sched_getaffinity sched_getparam sched_getscheduler getpriority getcpu access faccessat faccessat2 readlink
        readlinkat getcwd poll ppoll select pselect6 restart_syscall set_tid_address membarrier getdents64 alarm
        setitimer getitimer timer_settime timer_gettime timer_getoverrun timer_delete umask arch_prctl
        pipe eventfd eventfd2 timerfd_settime timerfd_gettime epoll_create epoll_create1 epoll_wait epoll_pwait
        epoll_pwait2 shutdown getrlimit dup dup2 dup3 fsync fdatasync statfs fstatfs pkey_alloc pkey_free pkey_mprotect";
    let profile = if cfg!(coverage) { "open openat ftruncate fcntl mkdir unlink" } else { "" };
    let values = telling_values();
    let program = program(&MANY);
    let always = names(|number| {
        let single = values.iter().flat_map(|value| (0..6).map(move |argument| with(&[(argument, *value)])));
        // SIGSYS is 31.
        let mut cases = single.chain([with(&[(0, 31), (1, 1)])]);
        cases.all(|arguments| judge(MANY, &program, number.into(), arguments) == Allowed)
    });
    assert_eq!(always, &words(allowed) | &words(profile));
}

#[test]
fn only_the_processs_own_clocks_run() {
    let program = program(&MANY);
    let own = MANY.own_pid;
    let of = |pid: u32, kind: u32| !pid << 3 | kind;
    let allowed = [0, 1, 2, 3, 7, 11, of(0, 2), of(own, 0), of(own, 1), of(own, 2), of(77, 4 | 2), of(own, 4 | 2)];
    let forbidden = [of(1, 2), of(77, 0), of(77, 1), of(own + 1, 2), of(own - 1, 2), of(5, 3)];
    for call in [libc::SYS_timer_create, libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep] {
        for clock in allowed {
            assert_eq!(judge(MANY, &program, call, with(&[(0, clock.into())])), Allowed, "{call}: {clock:x}");
        }
        for clock in forbidden {
            assert_eq!(judge(MANY, &program, call, with(&[(0, clock.into())])), Violation, "{call}: {clock:x}");
        }
    }
}

#[test]
fn what_only_an_attack_does_is_a_violation() {
    let attacks = "ptrace pidfd_getfd pidfd_send_signal bpf open_by_handle_at unshare setns mount umount2 pivot_root
        chroot move_mount fsopen fsconfig fsmount fspick open_tree mount_setattr init_module finit_module
        delete_module kexec_load kexec_file_load reboot swapon swapoff iopl ioperm acct quotactl syslog settimeofday
        clock_settime sethostname setdomainname vhangup";
    let program = program(&ONE);
    // To the whole process group or another process, without arguments.
    let signals = words("kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo process_vm_readv process_vm_writev");
    let violations = names(|number| judge(ONE, &program, number.into(), NO_ARGUMENTS) == Violation);
    assert_eq!(violations, &words(attacks) | &signals);
}

#[test]
fn careless_calls_get_an_error() {
    let program = program(&ONE);
    for (error, calls) in [
        (EACCES, vec![libc::SYS_creat, libc::SYS_rmdir, libc::SYS_rename, libc::SYS_link, libc::SYS_chmod]),
        (EACCES, vec![libc::SYS_socket, libc::SYS_socketpair, libc::SYS_connect, libc::SYS_sendmsg]),
        (EACCES, vec![libc::SYS_execve, libc::SYS_execveat]),
        (EPERM, vec![libc::SYS_fork, libc::SYS_vfork, libc::SYS_clone]),
        (ENOSYS, vec![libc::SYS_clone3, libc::SYS_openat2]),
        (ENOSYS, vec![libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register]),
        (ENOSYS, vec![libc::SYS_pidfd_open, libc::SYS_process_madvise, libc::SYS_kcmp, libc::SYS_userfaultfd]),
        (ENOSYS, vec![libc::SYS_perf_event_open, libc::SYS_seccomp, libc::SYS_modify_ldt, libc::SYS_keyctl]),
        (ENOSYS, vec![libc::SYS_add_key, libc::SYS_request_key, libc::SYS_name_to_handle_at]),
        (EPERM, vec![libc::SYS_get_mempolicy, libc::SYS_io_setup, libc::SYS_copy_file_range, libc::SYS_sched_getattr]),
        (EPERM, vec![libc::SYS_adjtimex, libc::SYS_clock_adjtime, libc::SYS_personality, libc::SYS_tkill]),
        (ENOTTY, vec![libc::SYS_ioctl]),
        (EPERM, vec![libc::SYS_memfd_create, libc::SYS_shmget, libc::SYS_mq_open, libc::SYS_signalfd4]),
        (EPERM, vec![libc::SYS_setrlimit, libc::SYS_setpriority, libc::SYS_setuid, libc::SYS_setsid, libc::SYS_chdir]),
    ] {
        for number in calls {
            assert_eq!(judge(ONE, &program, number, NO_ARGUMENTS), Refused(error), "{number}");
        }
    }
}

#[test]
fn signals_reach_the_process_itself_alone() {
    let program = program(&ONE);
    let own = u64::from(OWN);
    let (others, threads) = ([libc::SYS_process_vm_readv, libc::SYS_process_vm_writev], [libc::SYS_tkill]);
    let signals = [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];
    for number in signals.into_iter().chain(others).chain(threads) {
        let expected = if number == libc::SYS_tkill { Refused(EPERM) } else { Violation };
        for pid in [own, own | 1 << 32, own | 0xDEAD_BEEF << 32] {
            assert_eq!(judge(ONE, &program, number, with(&[(0, pid), (1, 9)])), Allowed, "{pid:#x}");
        }
        let group = u64::from(OWN.wrapping_neg());
        for pid in [0, 1, own - 1, own + 1, group, u64::MAX - own + 1, u64::from(u32::MAX), u64::MAX, own << 32] {
            assert_eq!(judge(ONE, &program, number, with(&[(0, pid), (1, own)])), expected, "{pid:#x}");
        }
    }
    for signal in 0..=64 {
        let expected = if signal == 31 { Refused(EPERM) } else { Allowed };
        for signal in [signal, 1 << 32 | signal] {
            for action in [1, 1 << 32, u64::MAX] {
                let arguments = with(&[(0, signal), (1, action)]);
                assert_eq!(judge(ONE, &program, libc::SYS_rt_sigaction, arguments), expected, "{signal}");
            }
            assert_eq!(judge(ONE, &program, libc::SYS_rt_sigaction, with(&[(0, signal)])), Allowed, "only asks");
        }
    }
}

/// The verdict of a rule alone: instrumented players may do more with their profiles.
fn judge_rule(policy: Policy, rule: Rule, arguments: [u64; 6]) -> CallVerdict {
    let (result, _) = run(&policy.compile(&[rule]), X86_64, 0, &arguments);
    assert_eq!(result, rule.verdict(&policy, &arguments), "{rule:?} {arguments:x?} {policy:?}");
    result
}

#[test]
fn files_are_opened_for_reading_unless_landlock_decides() {
    const CHANGES: [u64; 3] = [0o100, 0o1000, 1 << 22];
    let others = (2..64).map(|bit| 1 << bit).filter(|bit| !CHANGES.contains(bit)).chain([0]);
    for (other, policy) in others.flat_map(|other| [(other, ONE), (other, LANDLOCKED)]) {
        // All subsets of O_CREAT, O_TRUNC and O_TMPFILE, which includes O_DIRECTORY.
        for changes in 0..8 {
            let flag = |bit: usize| if changes >> bit & 1 != 0 { CHANGES[bit] } else { 0 };
            let flags = other | flag(0) | flag(1) | flag(2);
            for mode in 0..4 {
                let is_allowed = match mode {
                    0 => changes == 0,
                    1 | 2 => policy == LANDLOCKED && changes < 4,
                    _ => false,
                };
                let expected = if is_allowed { Allowed } else { Refused(EACCES) };
                let judged = judge_rule(policy, Rule::Open(2), with(&[(2, flags | mode), (1, !0)]));
                assert_eq!(judged, expected, "{flags:#o} {mode} {policy:?}");
            }
        }
    }
}

#[test]
fn descriptors_keep_their_owners_and_sizes() {
    let (of_programs, program) = (program(&PROGRAM), program(&ONE));
    for command in 0..1100 {
        let expected = if [0, 1, 2, 3, 4, 1030].contains(&command) { Allowed } else { Refused(EPERM) };
        assert_eq!(judge_rule(ONE, Rule::Fcntl, with(&[(0, 1), (1, command)])), expected, "{command}");
    }
    for bit in 0..64 {
        // O_ASYNC, O_DIRECT and O_NOATIME.
        let expected = if [13, 14, 18].contains(&bit) { Refused(EPERM) } else { Allowed };
        let flags = with(&[(0, 1), (1, 4), (2, 1 << bit | 0o2000)]);
        assert_eq!(judge_rule(ONE, Rule::Fcntl, flags), expected, "F_SETFL, bit {bit}");
        // O_NONBLOCK and O_CLOEXEC.
        let expected = if [11, 19].contains(&bit) || bit >= 32 { Allowed } else { Refused(EINVAL) };
        assert_eq!(judge(ONE, &program, libc::SYS_pipe2, with(&[(1, 1 << bit)])), expected, "pipe2, bit {bit}");
    }
    for number in 0..70 {
        let clock = if [0, 1, 7].contains(&number) { Allowed } else { Refused(EPERM) };
        assert_eq!(judge(ONE, &program, libc::SYS_timerfd_create, with(&[(0, number)])), clock, "clock {number}");
        let watched = if number < 16 { Allowed } else { Refused(EPERM) };
        let arguments = with(&[(0, 40), (1, 1), (2, number)]);
        assert_eq!(judge(ONE, &program, libc::SYS_epoll_ctl, arguments), watched, "epoll_ctl of {number}");
        assert_eq!(judge(PROGRAM, &of_programs, libc::SYS_epoll_ctl, arguments), Allowed);
    }
}

#[test]
fn sockets_are_connected_to_each_other_alone() {
    for policy in [ONE, PROGRAM] {
        let program = program(&policy);
        for (domain, kind) in (0..50).flat_map(|domain| telling_values().into_iter().map(move |kind| (domain, kind))) {
            // SOCK_STREAM, with SOCK_NONBLOCK and SOCK_CLOEXEC or without.
            let is_stream = kind as u32 & !0o2_004_000 == 1;
            let expected = if domain == 1 && is_stream { Allowed } else { Refused(EACCES) };
            let arguments = with(&[(0, domain), (1, kind)]);
            assert_eq!(judge(policy, &program, libc::SYS_socketpair, arguments), expected, "{domain} {kind:#x}");
        }
        for command in (0x5400..0x5480).chain([0x8905, 0xB701, u64::MAX]) {
            let is_plain = [0x541B, 0x5421, 0x5450, 0x5451].contains(&command);
            let expected = if is_plain { Allowed } else { Refused(ENOTTY) };
            assert_eq!(judge(policy, &program, libc::SYS_ioctl, with(&[(1, command)])), expected, "{command:#x}");
        }
    }
    let program = program(&ONE);
    for bit in 0..32 {
        // MSG_PEEK, MSG_DONTWAIT, MSG_WAITALL and MSG_NOSIGNAL.
        let expected = if [1, 6, 8, 14].contains(&bit) { Allowed } else { Refused(EACCES) };
        for number in [libc::SYS_sendto, libc::SYS_recvfrom] {
            assert_eq!(judge(ONE, &program, number, with(&[(3, 1 << bit)])), expected, "{number} bit {bit}");
        }
    }
}

#[test]
fn habits_of_old_kernels_are_only_asked_for() {
    let program = program(&ONE);
    for value in telling_values() {
        let expected = if value as u32 == u32::MAX { Allowed } else { Refused(EPERM) };
        assert_eq!(judge(ONE, &program, libc::SYS_personality, with(&[(0, value)])), expected, "{value:#x}");
    }
}

#[test]
fn memory_is_not_shared() {
    let program = program(&ONE);
    for flags in (0..64).flat_map(|bit| [0, 1, 2, 3, 0x21, 0x22, 0x23].map(|kind| 1 << bit | kind)) {
        for protection in (0..64).map(|bit| 1 << bit).chain([0, 1, 3, 7]) {
            let is_written = protection & 2 != 0 && !cfg!(coverage);
            let is_refused = flags & 1 != 0 && (flags & 0x20 != 0 || is_written);
            let expected = if is_refused { Refused(EPERM) } else { Allowed };
            let arguments = with(&[(2, protection), (3, flags)]);
            assert_eq!(judge(ONE, &program, libc::SYS_mmap, arguments), expected, "{flags:#x} {protection:#x}");
        }
    }
}

#[test]
fn only_its_own_limits_are_read_and_none_set() {
    let program = program(&ONE);
    let own = u64::from(OWN);
    for pid in [0, own, 1 << 32, own | 1 << 32, own + 1, 1, u64::MAX] {
        for limit in [0, 1, 1 << 31, 1 << 32, 1 << 63, 0x7FFF_0000_0000] {
            let expected = if [0, OWN].contains(&(pid as u32)) && limit == 0 { Allowed } else { Refused(EPERM) };
            let arguments = with(&[(0, pid), (1, 3), (2, limit), (3, 0x7FFF_0000_1234)]);
            assert_eq!(judge(ONE, &program, libc::SYS_prlimit64, arguments), expected, "{pid:#x} {limit:#x}");
        }
    }
}

#[test]
fn names_are_set_and_nothing_else_about_the_process() {
    let program = program(&ONE);
    for option in (0..100).chain([0x5356_4D41, 0x5356_4D42, 0x5961_6D61, u64::MAX]) {
        let expected = if [15, 16, 0x5356_4D41].contains(&option) { Allowed } else { Refused(EPERM) };
        assert_eq!(judge(ONE, &program, libc::SYS_prctl, with(&[(0, option)])), expected, "{option}");
    }
}

#[test]
fn threads_are_made_when_there_may_be_many() {
    let programs = [ONE, MANY].map(|policy| (policy, program(&policy)));
    for bit in 0..64 {
        for (policy, program) in &programs {
            let expected = match (bit, policy.threads) {
                (16, Threads::Many) => Allowed,
                (16, Threads::One) => Refused(EAGAIN),
                // Whoever reads the error does not take a process for a thread.
                _ => Refused(EPERM),
            };
            assert_eq!(judge(*policy, program, libc::SYS_clone, with(&[(0, 1 << bit)])), expected, "bit {bit}");
        }
    }
}

#[test]
fn the_program_is_short() {
    for policy in [ONE, MANY, LANDLOCKED] {
        let program = program(&policy);
        assert!(program.len() < 300, "installing takes longer the more there are: {}", program.len());
        for number in NUMBERS {
            let (_, steps) = run(&program, X86_64, number, &[u64::MAX; 6]);
            assert!(steps <= 20, "{number} takes {steps}");
        }
    }
}

/// Puts this process under the policy; nothing takes it away again.
fn confine(threads: Threads) {
    rustix::process::setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })
        .expect("limits can be lowered");
    let policy = Policy { own_pid: process::id(), threads, ..ONE };
    seccompiler::apply_filter(&program(&policy)).expect("the kernel takes the program");
}

/// Makes a call without pointers.
fn call(number: c_long, first: c_long, second: c_long) -> Result<c_long, i32> {
    // SAFETY: the calls of these tests read no memory, and the kernel refuses those that would do anything.
    let result = unsafe { libc::syscall(number, first, second, 0, 0, 0, 0) };
    if result == -1 { Err(error_code(&io::Error::last_os_error())) } else { Ok(result) }
}

fn error_code(error: &io::Error) -> i32 {
    error.raw_os_error().expect("it comes from the kernel")
}

#[test]
fn a_confined_process_gets_on() {
    if !alone::is_alone() {
        alone::run(&mut alone::command("host::seccomp::a_confined_process_gets_on"));
        return;
    }
    let own_pid = c_long::from(process::id());
    confine(Threads::One);
    assert_eq!(call(libc::SYS_getpid, 0, 0), Ok(own_pid));
    assert_eq!(call(libc::SYS_kill, own_pid, 0), Ok(0));
    assert_eq!(call(600, 0, 0), Err(ENOSYS));
    assert_eq!(call(libc::SYS_fork, 0, 0), Err(EPERM));
    File::open("/dev/null").expect("reading is allowed");
    if !cfg!(coverage) {
        let opened = File::options().write(true).open("/dev/null");
        assert_eq!(opened.map_err(|error| error_code(&error)).expect_err("writing is not"), EACCES);
    }
    let bound = UdpSocket::bind("127.0.0.1:0");
    assert_eq!(bound.map_err(|error| error_code(&error)).expect_err("the network is not"), EACCES);
    let spawned = thread::Builder::new().spawn(|| ());
    assert_eq!(spawned.map_err(|error| error_code(&error)).expect_err("threads are not"), EAGAIN);
}

#[test]
fn a_confined_process_has_its_threads() {
    if !alone::is_alone() {
        alone::run(&mut alone::command("host::seccomp::a_confined_process_has_its_threads"));
        return;
    }
    confine(Threads::Many);
    let sum = thread::spawn(|| (0..1_000_000).fold(0_u64, u64::wrapping_add)).join().expect("the thread ends");
    assert_eq!(sum, 499_999_500_000);
    assert_eq!(call(libc::SYS_clone, libc::SIGCHLD.into(), 0), Err(EPERM));
}

#[test]
fn an_attack_ends_the_process() {
    const ATTACK: &str = "SECCOMP_ATTACK";
    if alone::is_alone() {
        let attack = env::var(ATTACK).expect("it is set below");
        let parent = rustix::process::getppid().expect("the tests wait for this one").as_raw_nonzero().get();
        confine(Threads::One);
        let result = match &*attack {
            "trace" => call(libc::SYS_ptrace, libc::PTRACE_TRACEME.into(), 0),
            "signal" => call(libc::SYS_kill, parent.into(), 0),
            "x32" => call(0x4000_0000 | libc::SYS_getpid, 0, 0),
            _ => unreachable!("{attack} is none"),
        };
        panic!("still there: {attack} gave {result:?}");
    }
    for attack in ["trace", "signal", "x32"] {
        let mut command = alone::command("host::seccomp::an_attack_ends_the_process");
        let output = command.env(ATTACK, attack).output().expect("the tests can be run again");
        assert_eq!(output.status.signal(), Some(libc::SIGSYS), "{attack}: {output:?}");
    }
}
