//! Ranks that die or fall silent under the launchers of both MPI libraries.
//!
//! Open MPI lets the others live with `--enable-recovery`. MPICH ends all ranks when a signal has ended one, even with
//! `-disable-auto-cleanup`; there a rank is stopped instead, which nobody hears of either.

use amazons_launchers::Mpi;

use crate::support::launch;

/// Mistakes are told once, whether all ranks find them or rank 0 alone.
#[test]
fn a_mistake_is_told_once() {
    for mpi in Mpi::installed() {
        for (args, options, part) in [
            (&["auto", "--random"][..], &[][..], "--random is for the protocols first-come and seed"),
            (&["bench", "--game", "2x4r", "--svg", "/proc/nowhere"], &[], "cannot write /proc/nowhere: "),
            (&["break", "--html", "/nowhere/x"], &[mpi.keep_others], "no folder /nowhere: make it first"),
            (&["auto", "--protocol", "seed", "--html", "/nowhere/x"], &[mpi.keep_others], "no folder /nowhere"),
        ] {
            let job = || {
                let output = launch(mpi, 2, options).args(args).output().expect("the launcher runs");
                (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
            };
            // MPICH's launcher now and then loses what a process says right before its end, and lives.
            let is_whole = |err: &str| mpi.program != "mpirun.mpich" || err.contains("mastermind: ");
            let (_, err) = mpi.repeat(job, |(status, err)| status.filter(|_| is_whole(err)));
            let said: Vec<&str> = err.lines().filter(|line| line.starts_with("mastermind: ")).collect();
            assert!(said.len() == 1 && said[0].contains(part), "{} {args:?}: {err}", mpi.program);
        }
    }
}

mod long {
    use amazons_launchers::{Mpi, is_running, ranks_of};
    use amazons_testing::{output_of, wait_until};
    use rustix::process::{Signal, kill_process};

    use crate::support::{PROGRAM, after_lines, launch, start};

    /// Games that take rank 0 a second or more after the first line, so that no rank is lost too late.
    const GAMES: [&[&str]; 4] = [
        &["--protocol", "seed", "--game", "8x7r", "--secret", "77777777"],
        &["--protocol", "shared", "--game", "6x8r", "--secret", "888888"],
        &["--protocol", "first-come", "--game", "8x7r", "--secret", "77777777"],
        &["--protocol", "shared", "--game", "8x7r", "--strategy", "first", "--secret", "77777777"],
    ];

    /// A game, and the lines that rank 0 prints before a rank is lost: all of them take half a minute of processor time,
    /// for which a person sets `MASTERMIND_LOST_RANKS`.
    fn losses() -> Vec<(&'static [&'static str], usize)> {
        let all = [(GAMES[0], 1), (GAMES[1], 1), (GAMES[2], 1), (GAMES[3], 1), (GAMES[0], 3), (GAMES[2], 3)];
        let few = if std::env::var_os("MASTERMIND_LOST_RANKS").is_some() { all.len() } else { 2 };
        all[..few].to_vec()
    }

    /// A rank is lost at the start or after some rounds: the game goes on and finds the secret.
    #[test]
    fn a_lost_rank_costs_no_game() {
        for mpi in Mpi::installed() {
            let is_killed = mpi.program == "mpirun.openmpi";
            // In the others the secret may be found before anybody misses a rank; the farewell then waits for it.
            let losses = if is_killed { losses() } else { losses()[..2].to_vec() };
            for (game, wanted) in losses {
                let what = format!("{} {game:?}, after {wanted} lines", mpi.program);
                let mut command = launch(mpi, 4, &[mpi.keep_others]);
                let mut child = start(command.args(["auto", "--lost-after", "10"]).args(game));
                let rest = after_lines(&mut child, wanted);
                let ranks = ranks_of(&child, PROGRAM);
                assert_eq!(ranks.len(), 4, "{what}");
                let lost = ranks[2];
                kill_process(lost, if is_killed { Signal::KILL } else { Signal::STOP }).expect("it runs");
                // A stopped rank would keep its launcher waiting when the others have ended.
                wait_until(&what, || ranks.iter().all(|&id| id == lost || !is_running(id)));
                if !is_killed {
                    kill_process(lost, Signal::KILL).expect("it runs");
                }
                let output = output_of(child);
                let text = rest.join().expect("its output");
                let err = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(text.contains(" found with "), "{what}: {text} {err}");
                assert!(!err.contains("rank 1 is lost") && !err.contains("rank 3 is lost"), "{what}: {err}");
            }
        }
    }

    /// Players without a master end, long before its silence would tell.
    #[test]
    fn players_miss_their_master() {
        for mpi in Mpi::installed().filter(|mpi| mpi.program == "mpirun.openmpi") {
            for (game, _) in losses() {
                let mut command = launch(mpi, 3, &[mpi.keep_others]);
                let mut child = start(command.arg("auto").args(game));
                let rest = after_lines(&mut child, 1);
                let ranks = ranks_of(&child, PROGRAM);
                kill_process(ranks[0], Signal::KILL).expect("it runs");
                let output = output_of(child);
                // The launcher's own status is 0 when it was told to let ranks die.
                let err = String::from_utf8_lossy(&output.stderr).into_owned();
                // The launcher may end before it has passed on all they say.
                assert!(err.contains("rank 0 has ended"), "{game:?}: {err}");
                drop(rest.join());
                wait_until("all ranks end", || ranks.iter().all(|&id| !is_running(id)));
            }
        }
    }
}
