//! Events on the ranks of MPI jobs, with the real launchers.

use std::process::{Child, Command, Stdio};

use amazons_testing::wait_until;
use rustix::process::Pid;

use super::event::Hall;
use crate::cli::{Ran, ran};
use crate::support::{self, Mpi};

/// An event on that many ranks.
fn command(mpi: &Mpi, hall: &Hall, ranks: usize) -> Command {
    let mut command = mpi.launch(ranks);
    command.arg(support::server()).args(hall.args()).arg("--force");
    command
}

fn play(mpi: &Mpi, hall: &Hall, ranks: usize) -> Ran {
    ran(command(mpi, hall, ranks).output().expect("the launcher can be run"))
}

/// Finds the process of a rank that plays this event.
fn process(mpi: &Mpi, hall: &Hall, rank: usize) -> Pid {
    let (variable, folder) = (format!("{}={rank}", mpi.rank), hall.dir().display().to_string());
    support::process_with(&[&folder], Some(&variable)).expect("a process of this rank")
}

#[test]
fn ranks_come_to_the_same_as_threads() {
    let (players, options) = (
        ["random", "c_mobility", "territory"],
        ["--format", "swiss", "--rounds", "2", "--pairs", "4", "--boards", "c5"],
    );
    let threads = Hall::new(&players, &options);
    threads.finish();
    for mpi in Mpi::installed() {
        for ranks in [2, 4] {
            let hall = Hall::new(&players, &options);
            let ran = play(mpi, &hall, ranks);
            assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{} {ranks}: {}", mpi.program, ran.out);
            assert_eq!(hall.stable(), threads.stable(), "{} {ranks}", mpi.program);
            let journal = hall.read("journal.jsonl");
            assert!(journal.contains(&format!("\"concurrency\":{}", ranks - 1)), "{journal}");
            assert!(hall.file("records/000/000001-1.jsonl").exists());
            if ranks == 2 {
                let again = play(mpi, &hall, ranks);
                assert_eq!(again.status, 0, "{}", again.err);
                assert_eq!(hall.read("journal.jsonl"), journal, "a finished event stays finished");
            }
        }
    }
}

/// Launchers leave each rank the more open files the more ranks its machine has.
fn every_rank_of_a_machine_plays(ranks: usize) {
    for mpi in Mpi::installed() {
        let hall = Hall::new(&["random", "random"], &["--pairs", "40", "--boards", "c5"]);
        let ran = play(mpi, &hall, ranks);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}: {}", mpi.program, ran.out);
        assert_eq!(hall.games(), 80);
        assert!(hall.read("journal.jsonl").contains(&format!("\"concurrency\":{}", ranks - 1)), "{}", mpi.program);
    }
}

#[test]
fn nine_ranks_of_a_machine_play() {
    every_rank_of_a_machine_plays(9);
}

/// Long enough to be interrupted.
fn event_of(pairs: &str) -> Hall {
    Hall::new(&["random", "c_mobility"], &["--pairs", pairs, "--boards", "c6"])
}

/// Starts ranks and waits until they have finished some games.
fn started(mpi: &Mpi, hall: &Hall, ranks: usize) -> Child {
    let child = command(mpi, hall, ranks).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a launcher");
    let before = hall.games();
    wait_until("games are played", || hall.games() >= before + 20);
    child
}

/// Needs no launcher: their variables are enough to show what happens without a library.
#[test]
fn without_a_library_rank_0_plays_by_threads() {
    let srun = "which cannot talk to each other (use mpirun, srun --mpi=pmix or srun --mpi=pmi2)";
    for (variables, expected) in [
        (
            &[("PMI_RANK", "?"), ("PMI_SIZE", "3"), ("AMAZONS_MPI", "/nowhere/libmpi.so")][..],
            "a launcher of MPICH started 3 ranks, but cannot use its MPI library (/nowhere/libmpi.so: ",
        ),
        (
            &[("OMPI_COMM_WORLD_RANK", "?"), ("OMPI_COMM_WORLD_SIZE", "3"), ("AMAZONS_MPI", "libc.so.6")],
            "libc.so.6: it has no MPI_Init_thread",
        ),
        (&[("SLURM_STEP_ID", "0"), ("SLURM_PROCID", "?"), ("SLURM_STEP_NUM_TASKS", "3")], srun),
    ] {
        let hall = Hall::new(&["random", "random"], &["--boards", "c5"]);
        let play = |rank: &str| {
            let mut command = hall.command();
            command.envs(variables.iter().map(|&(name, value)| (name, value.replace('?', rank))));
            ran(command.output().expect("the server can be run"))
        };
        let other = play("1");
        assert_eq!((other.status, other.out.as_str(), other.err.as_str()), (0, "", ""));
        assert!(!hall.dir().exists(), "it leaves the event to rank 0");
        let first = play("0");
        assert_eq!(first.status, 0, "{}", first.err);
        assert!(first.err.contains(expected), "{}", first.err);
        assert!(
            first.err.ends_with(": rank 0 plays by threads on its machine, the others do nothing\n"),
            "{}",
            first.err
        );
        assert!(first.out.contains(", complete\n"), "{}", first.out);
    }
}

/// Killed, stopped and refused jobs; launchers take seconds for each.
mod long {
    use amazons_testing::output_of;
    use rustix::process::{Pid, Signal, kill_process};

    use super::{Mpi, event_of, every_rank_of_a_machine_plays, play, process, started};
    use crate::cli::{Ran, ran};
    use crate::support;
    use crate::tournament::event::Hall;

    #[test]
    fn sixty_five_ranks_of_a_machine_play() {
        every_rank_of_a_machine_plays(65);
    }

    #[test]
    fn a_killed_rank_loses_no_finished_game() {
        let quiet = event_of("150");
        for (index, mpi) in Mpi::installed().enumerate() {
            if index == 0 {
                quiet.finish();
            }
            // The runner, and a worker.
            for rank in [0, 2] {
                let hall = event_of("150");
                let child = started(mpi, &hall, 3);
                kill_process(process(mpi, &hall, rank), Signal::KILL).expect("it lives");
                let before = hall.games();
                let ended = ran(output_of(child));
                assert_ne!(ended.status, 0, "{}: {}{}", mpi.program, ended.out, ended.err);
                let games = hall.games();
                println!("{}: rank {rank} was killed after {games} of {} games", mpi.program, quiet.games());
                // The loss of a worker shows at once: the others may finish before the launcher ends them.
                let is_whole = rank > 0 && games == quiet.games();
                assert!(games >= before && (is_whole || games < quiet.games()), "{before}, {games}");
                let journal = hall.read("journal.jsonl");
                let resumed = play(mpi, &hall, 3);
                assert_eq!(resumed.status, 0, "{}{}", resumed.out, resumed.err);
                let goes_on = format!("going on after {games} games");
                assert!(is_whole || resumed.err.contains(&goes_on), "{}", resumed.err);
                let whole_lines = journal.rfind('\n').map_or("", |end| &journal[..=end]);
                assert!(hall.read("journal.jsonl").starts_with(whole_lines), "what was finished is kept");
                assert_eq!(hall.stable(), quiet.stable(), "{} {rank}", mpi.program);
            }
        }
    }

    #[test]
    fn a_launcher_that_is_stopped_leaves_a_whole_journal() {
        for mpi in Mpi::installed() {
            let hall = event_of("5000");
            let child = started(mpi, &hall, 2);
            kill_process(Pid::from_child(&child), Signal::INT).expect("it lives");
            let ended = ran(output_of(child));
            assert!(hall.games() < 10_000, "{}: {}{}", mpi.program, ended.out, ended.err);
            println!("{}: {} games\n{}", mpi.program, hall.games(), ended.err);
            assert!(hall.read("journal.jsonl").ends_with('\n'), "no line is torn");
            // Rank 0 itself is sure to receive the signal.
            let child = started(mpi, &hall, 2);
            kill_process(process(mpi, &hall, 0), Signal::TERM).expect("it lives");
            let ended = ran(output_of(child));
            assert_eq!(ended.status, 130, "{}{}", ended.out, ended.err);
            assert!(ended.err.contains("stopped before the end: the same command goes on\n"), "{}", ended.err);
            assert!(ended.out.contains("not complete"), "{}", ended.out);
        }
    }

    #[test]
    fn what_is_wrong_ends_all_ranks() {
        for mpi in Mpi::installed() {
            let missing = Hall::new(&["random", "random"], &["--boards", "c99999"]);
            let status = |ended: &Ran| Some(ended.status).filter(|status| *status >= 0);
            let ended = mpi.repeat(|| play(mpi, &missing, 3), status);
            assert_eq!(ended.status, 2, "{}: {}", mpi.program, ended.err);
            assert_eq!(ended.err.matches("server: ").count(), 1, "rank 0 speaks for all: {}", ended.err);
            let crowded = Hall::new(&["random", "random"], &["--boards", "c5", "-j", "1024"]);
            let play_all = || {
                let mut command = mpi.launch(2);
                command.arg(support::server()).args(crowded.args());
                ran(command.output().expect("the launcher can be run"))
            };
            let ended = mpi.repeat(play_all, status);
            assert_eq!(ended.status, 2, "{}", ended.err);
            assert!(ended.err.contains("server: 1024 games at a time on "), "{}", ended.err);
            let alone = Hall::new(&["random", "random"], &["--boards", "c5"]);
            let ended = play(mpi, &alone, 1);
            assert_eq!((ended.status, ended.err.as_str()), (0, ""), "one rank plays by threads");
        }
    }
}
