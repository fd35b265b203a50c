//! The filters of programs that build, and of what tells refusals.

use amazons_sandbox::confinement::{Policy, Telling, Threads, program};
use libc::{EACCES, EPERM};

use super::seccomp::{BUILDER, MANY, NO_ARGUMENTS, ONE, PROGRAM, judge, names, telling_values, with, words};
use amazons_sandbox::confinement::CallVerdict::{Allowed, Refused, Told};

#[test]
fn builders_change_files_by_descriptors_and_by_names_that_landlock_checks() {
    let (builder, of_programs) = (program(&BUILDER), program(&PROGRAM));
    let more = names(|number| {
        let [one, other] = [(BUILDER, &builder), (PROGRAM, &of_programs)]
            .map(|(policy, program)| judge(policy, program, number.into(), NO_ARGUMENTS));
        one == Allowed && other != Allowed
    });
    let changes = "creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat \
                   ftruncate fallocate flock copy_file_range sendfile setuid setreuid setresuid setgid setregid \
                   setresgid";
    assert_eq!(more, words(changes));
    // Landlock does not check these: they do nothing, and say nothing.
    for number in [libc::SYS_chmod, libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_utimensat, libc::SYS_utimes] {
        assert_eq!(judge(BUILDER, &builder, number, NO_ARGUMENTS), Refused(0));
    }
    for number in [libc::SYS_truncate, libc::SYS_chown, libc::SYS_fchownat, libc::SYS_mknod] {
        assert_eq!(judge(BUILDER, &builder, number, NO_ARGUMENTS), Refused(EACCES));
    }
    for kind in telling_values() {
        // SOCK_STREAM or SOCK_SEQPACKET, with SOCK_CLOEXEC or without.
        let is_connected = [1, 5].contains(&(kind as u32 & !0o2_000_000));
        let expected = if is_connected { Allowed } else { Refused(EACCES) };
        assert_eq!(judge(BUILDER, &builder, libc::SYS_socketpair, with(&[(0, 1), (1, kind)])), expected, "{kind:#x}");
        let other = judge(BUILDER, &builder, libc::SYS_socketpair, with(&[(0, 30), (1, kind)]));
        assert_eq!(other, Refused(EACCES), "TIPC has pairs, too");
    }
    for command in 0..1100 {
        let is_plain = (0..=7).contains(&command) || command == 1030;
        let expected = if is_plain { Allowed } else { Refused(EPERM) };
        assert_eq!(judge(BUILDER, &builder, libc::SYS_fcntl, with(&[(1, command)])), expected, "{command}");
    }
    // Shared memory of files, but not of its own.
    for (flags, expected) in [(1, Allowed), (3, Allowed), (0x21, Refused(EPERM)), (0x22, Allowed)] {
        assert_eq!(judge(BUILDER, &builder, libc::SYS_mmap, with(&[(2, 3), (3, flags)])), expected, "{flags:#x}");
    }
}

#[test]
fn one_filter_tells_what_another_leaves_to_it() {
    for policy in [ONE, MANY] {
        let [teller, other] = [Telling::Teller, Telling::Elsewhere].map(|telling| Policy { telling, ..policy });
        let (of_teller, of_other, alone) = (program(&teller), program(&other), program(&policy));
        let told = names(|number| {
            let [told, left, refused] = [(teller, &of_teller), (other, &of_other), (policy, &alone)]
                .map(|(policy, program)| judge(policy, program, number.into(), NO_ARGUMENTS));
            // Together they let through what the policy does, and nothing else.
            assert_eq!(left == Allowed && told == Allowed, refused == Allowed, "{number}");
            told == Told
        });
        assert_eq!(told, words("fork vfork clone execve execveat"));
        let thread = judge(teller, &of_teller, libc::SYS_clone, with(&[(0, 1 << 16)]));
        assert_eq!(thread, if policy.threads == Threads::One { Told } else { Allowed });
    }
}
