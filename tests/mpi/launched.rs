//! The ranks of real MPI jobs: launchers run one of these tests as each rank.

use std::process::{Output, exit};
use std::time::{Duration, Instant};

use amazons_mpi::{Deadline, Filter, Launch, Launcher, MpiWorld, World, jobs};
use rustix::process::{Signal, getpid, kill_process};
use rustix::time::{ClockId, clock_gettime};

use super::conformance::{check, expected, long, mapped};
use crate::support::{Mpi, alone, retried};

/// Runs a test of this file on every rank.
fn run(mpi: &Mpi, ranks: usize, args: &[&str], test: &str) -> Output {
    let test = alone::command(&format!("mpi::launched::{test}"));
    let mut command = mpi.launch(ranks);
    command.args(args).arg(test.get_program()).args(test.get_args());
    for (name, value) in test.get_envs() {
        command.env(name, value.expect("a value"));
    }
    command.output().expect("the launcher can be run")
}

/// Runs a test of this file, which must pass on every rank; returns its output.
fn passes(mpi: &Mpi, ranks: usize, test: &str) -> String {
    let begun = Instant::now();
    let output = run(mpi, ranks, &[], test);
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{}, {ranks} ranks: {:.1} s", mpi.program, begun.elapsed().as_secs_f64());
    assert!(output.status.success(), "{}, {ranks} ranks: {said}", mpi.program);
    assert_eq!(said.matches("1 passed").count(), ranks, "{}: {said}", mpi.program);
    said
}

/// This process's rank, when a launcher runs a test.
fn rank() -> Option<MpiWorld> {
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
            passes(mpi, ranks, "every_library_is_a_world");
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
        let job = || run(mpi, 3, &[], "an_abort_ends_all_processes");
        let output = mpi.repeat(job, |output| output.status.code());
        assert_eq!(output.status.code(), Some(70), "{}: {output:?}", mpi.program);
    }
}

/// Processor time of this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.try_into().expect("seconds"), time.tv_nsec.try_into().expect("nanoseconds"))
}

/// Waits with a world as a game does while a person thinks; returns the share of a core used.
fn idle_share(world: &mut impl World) -> f64 {
    const PAUSE: Duration = Duration::from_secs(3);
    world.barrier(long()).expect("all are here");
    let (begun, before) = (Instant::now(), processor_time());
    let options = jobs::Options::default();
    let work = |_: jobs::Task<'_, u8>| Ok(0_u8);
    jobs::lead(world, &options, work, |dispatcher| {
        assert_eq!(dispatcher.next_event(Deadline::after(PAUSE)), Ok(None));
    })
    .expect("nobody is lost");
    let share = (processor_time() - before).as_secs_f64() / begun.elapsed().as_secs_f64();
    world.barrier(long()).expect("all are here");
    share
}

#[test]
fn ranks_that_wait_sleep() {
    if let Some(mut world) = rank() {
        let share = idle_share(&mut world);
        println!("rank {} used {:.2} % of a core", world.rank(), 100.0 * share);
        // The aim is 2 %; machines of tests may be slow, and programs without optimisation are.
        assert!(share < 0.05, "{share}");
        world.leave().expect("it ends");
        return;
    }
    for mpi in Mpi::installed() {
        retried(|| {
            let said = passes(mpi, 3, "ranks_that_wait_sleep");
            for line in said.lines().filter(|line| line.contains("of a core")) {
                println!("{}: {line}", mpi.program);
            }
        });
    }
}

#[test]
fn others_do_the_jobs_of_a_dead_rank() {
    if let Some(mut world) = rank() {
        if world.rank() == 2 {
            let mut worker = jobs::Worker::<_, u64, u32>::new(&mut world, jobs::Timeouts::default());
            let mut taken = 0;
            while taken < 2 {
                taken +=
                    usize::from(matches!(worker.next_order().expect("rank 0 lives"), Some(jobs::Order::Job { .. })));
            }
            // MPICH's launcher ends all others too when a signal has ended one.
            if Launch::from_env().is_some_and(|launch| launch.launcher == Launcher::Mpich) {
                exit(9);
            }
            kill_process(getpid(), Signal::KILL).expect("it dies");
        }
        let timeouts = jobs::Timeouts { alive_every: Duration::from_millis(50), lost_after: Duration::from_secs(2) };
        // Rank 0 does nothing itself, so that both others have jobs.
        let options = jobs::Options { timeouts, leader_works: false, ..jobs::Options::default() };
        let (results, dismissal) = mapped(&mut world, &options, 100);
        assert_eq!(dismissal, jobs::Dismissal::Scattered);
        if world.rank() == 0 {
            assert_eq!(results, expected(100));
            println!("all jobs are done");
        }
        // MPI would wait for the dead.
        world.part(dismissal).expect("nothing is left to do");
        return;
    }
    for mpi in Mpi::installed() {
        // Whoever gets no processor for two seconds is taken for dead.
        retried(|| {
            let output = run(mpi, 3, &[mpi.keep_others], "others_do_the_jobs_of_a_dead_rank");
            let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
            assert!(out.contains("all jobs are done"), "{}: {out}{err}", mpi.program);
        });
    }
}
