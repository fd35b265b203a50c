//! Kernels that lack something: the server runs under a filter that makes system calls fail.

use std::ffi::{c_int, c_long};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use seccompiler::{BpfProgram, apply_filter, sock_filter};

use super::server;

// Instructions, as `linux/bpf_common.h` composes them.
const LOAD: u16 = 0x20;
const IS_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

/// The server on a kernel where each of these system calls fails with this error code.
///
/// The server's processes inherit the filter, in addition to the sandbox's own.
pub(crate) fn without(missing: &[(c_long, c_int)]) -> Command {
    let filter = filter(missing);
    let mut command = Command::new(server());
    // SAFETY: as long as it succeeds, the closure makes system calls and nothing else.
    unsafe { command.pre_exec(move || apply_filter(&filter).map_err(io::Error::other)) };
    command
}

fn filter(missing: &[(c_long, c_int)]) -> BpfProgram {
    let instruction = |code, jf, k| sock_filter { code, jt: 0, jf, k };
    // The number of the call is what comes first.
    let mut program = vec![instruction(LOAD, 0, 0)];
    for &(call, error) in missing {
        program.push(instruction(IS_EQUAL, 1, u32::try_from(call).expect("numbers of calls are small")));
        program.push(instruction(RETURN, 0, libc::SECCOMP_RET_ERRNO | error.unsigned_abs()));
    }
    program.push(instruction(RETURN, 0, libc::SECCOMP_RET_ALLOW));
    program
}
