//! The ranks of real MPI jobs: launchers run one of these tests as each rank.

use std::process::Output;

use amazons_mpi::{Deadline, Filter, Launch, MpiWorld, World};

use super::conformance::check;
use crate::support::{Mpi, alone};

/// Runs a test of this folder on every rank.
pub(super) fn run(mpi: &Mpi, ranks: usize, args: &[&str], test: &str) -> Output {
    let test = alone::command(&format!("mpi::{test}"));
    let mut command = mpi.launch(ranks);
    command.args(args).arg(test.get_program()).args(test.get_args());
    for (name, value) in test.get_envs() {
        command.env(name, value.expect("a value"));
    }
    command.output().expect("the launcher can be run")
}

/// Runs a test of this folder, which must pass on every rank; returns its output.
pub(super) fn passes(mpi: &Mpi, ranks: usize, test: &str) -> String {
    let output = run(mpi, ranks, &[], test);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}, {ranks} ranks: {said}", mpi.program);
    assert_eq!(said.matches("1 passed").count(), ranks, "{}: {said}", mpi.program);
    said
}

/// This process's rank, when a launcher runs a test.
pub(super) fn rank() -> Option<MpiWorld> {
    let launch = alone::is_alone().then(Launch::from_env)??;
    let world = MpiWorld::join(&launch).expect("the launcher's library");
    assert_eq!((world.rank(), world.size()), (launch.rank, launch.size));
    assert_eq!(MpiWorld::join(&launch).expect_err("twice").to_string(), "a process can join an MPI job only once");
    Some(world)
}

#[test]
fn every_library_is_a_world() {
    if let Some(mut world) = rank() {
        check(&mut world);
        world.leave().expect("it ends");
        return;
    }
    for mpi in Mpi::installed() {
        for ranks in [1, 2, 3, 5] {
            passes(mpi, ranks, "launched::every_library_is_a_world");
        }
    }
}

#[test]
fn an_abort_ends_all_processes() {
    if let Some(mut world) = rank() {
        if world.rank() == 1 {
            let error = world.abort(70);
            panic!("abort returned: {error}");
        }
        let error = world.receive(Filter::ANY, Deadline::NEVER);
        panic!("nothing can come: {error:?}");
    }
    for mpi in Mpi::installed() {
        let job = || run(mpi, 3, &[], "launched::an_abort_ends_all_processes");
        let output = mpi.repeat(job, |output| output.status.code());
        assert_eq!(output.status.code(), Some(70), "{}: {output:?}", mpi.program);
    }
}
