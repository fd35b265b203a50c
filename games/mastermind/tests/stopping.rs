//! Ctrl-C in every command.

use std::process::Command;

use amazons_launchers::ticks;
use amazons_testing::{output_of, wait_until};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{PROGRAM, start};

/// Presses Ctrl-C once the program has computed for a while, or waits for a person.
fn stop(args: &[&str], is_busy: bool) {
    let mut child = start(Command::new(PROGRAM).args(args));
    let stdin = child.stdin.take();
    if is_busy {
        wait_until(format!("{args:?} computes"), || ticks(Pid::from_child(&child)) >= 10);
    } else {
        // It has printed its first line: it is about to wait.
        let mut line = String::new();
        let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        std::io::BufRead::read_line(&mut out, &mut line).expect("a line");
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let output = output_of(child);
    drop(stdin);
    assert_eq!(output.status.code(), Some(130), "{args:?}: {output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{args:?}: {output:?}");
}

#[test]
fn a_person_may_leave_at_any_time() {
    stop(&["make"], false);
    stop(&["break", "--game", "3x4r"], false);
}

#[test]
fn what_computes_ends_with_130() {
    for args in [
        &["auto", "--game", "8x8r", "--strategy", "first"][..],
        &["auto", "--game", "8x8r", "--protocol", "first-come"],
        &["auto", "--game", "8x8r", "--protocol", "seed"],
        &["optimum", "--game", "4x9r"],
        &["table", "--game", "5x9r"],
        &["bench", "--scoring", "6x9r", "--players", "1"],
        &["bench", "--optimum", "4x9r", "--players", "1"],
        &["bench", "--game", "5x9r", "--players", "1"],
    ] {
        stop(args, true);
    }
}

/// Under launchers all ranks end; the launcher's own status is its own affair.
mod long {
    use amazons_launchers::{Mpi, is_running, ranks_of};

    use super::*;
    use crate::support::launch;

    #[test]
    fn all_ranks_end() {
        for mpi in Mpi::installed() {
            for args in [
                &["auto", "--game", "8x8r", "--strategy", "first"][..],
                &["auto", "--game", "8x8r", "--protocol", "first-come"],
                &["auto", "--game", "8x8r", "--protocol", "seed"],
                &["break", "--game", "4x10n"],
                &["optimum", "--game", "4x9r"],
                &["bench", "--scoring", "6x9r", "--force"],
                &["bench", "--optimum", "4x9r", "--force"],
            ] {
                let mut child = start(launch(mpi, 2, &[]).args(args));
                let stdin = child.stdin.take();
                let mut ranks = Vec::new();
                wait_until(format!("{} starts {args:?}", mpi.program), || {
                    ranks = ranks_of(&child, PROGRAM);
                    ranks.len() == 2 && ranks.iter().map(|&id| ticks(id)).sum::<u64>() >= 10
                });
                kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
                let output = output_of(child);
                drop(stdin);
                wait_until("all ranks end", || ranks.iter().all(|&id| !is_running(id)));
                assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{args:?}: {output:?}");
            }
        }
    }
}
