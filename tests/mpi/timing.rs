//! The cost of waiting, and ranks that are missed after a while: these tests measure time, so they run alone.

use std::convert::Infallible;
use std::process::exit;
use std::time::{Duration, Instant};

use amazons_mpi::jobs::{Dismissal, Options, ServeError};
use amazons_mpi::{Backoff, Deadline, Filter, Launch, Launcher, ThreadWorld, World, WorldError, jobs};
use amazons_testing::{Faults, FaultyWorld, let_pass, map_jobs};
use rustix::process::{Signal, getpid, kill_process};
use rustix::time::{ClockId, clock_gettime};

use super::conformance::{expected, long, mapped, steps};
use super::launched::{passes, rank, run};
use super::lost::QUICK;
use crate::support::Mpi;

/// Processor time of this process or of the calling thread.
fn used(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.try_into().expect("seconds"), time.tv_nsec.try_into().expect("nanoseconds"))
}

/// The share of a core that is used while something waits.
fn share_of_a_core(clock: ClockId, wait: impl FnOnce()) -> f64 {
    let (begun, before) = (Instant::now(), used(clock));
    wait();
    (used(clock) - before).as_secs_f64() / begun.elapsed().as_secs_f64()
}

#[test]
fn ranks_of_threads_sleep() {
    let pause = || Deadline::after(Duration::from_secs(1));
    let shares = ThreadWorld::run(3, |world| {
        let receive = share_of_a_core(ClockId::ThreadCPUTime, || {
            // Unrequested messages must not keep it awake.
            let own = world.rank();
            world.send(own, 1, vec![1]).expect("it can be sent");
            assert_eq!(world.receive(Filter::ANY.with_tag(2), pause()), Err(WorldError::TimedOut));
        });
        let idle = share_of_a_core(ClockId::ThreadCPUTime, || {
            let work = |_: jobs::Task<'_, u8>| Ok::<_, Infallible>(0_u8);
            jobs::lead(world, &jobs::Options::default(), work, |dispatcher| {
                assert_eq!(dispatcher.next_event(pause()), Ok(None));
            })
            .expect("nobody is lost");
        });
        // While its threads work, a rank looks for messages now and then.
        let busy = share_of_a_core(ClockId::ThreadCPUTime, || {
            let work = |_: jobs::Task<'_, u8>| {
                let_pass(Duration::from_secs(1));
                Ok::<_, Infallible>(0_u8)
            };
            map_jobs(world, &jobs::Options { in_hand: 1, ..jobs::Options::default() }, 0..3, work, |_, _| {
                std::ops::ControlFlow::Continue(())
            })
            .expect("nobody is lost");
        });
        [receive, idle, busy]
    });
    for (rank, shares) in shares.into_iter().enumerate() {
        let shares = shares.expect("shares");
        println!("rank {rank}: receive, idle, busy: {shares:.5?} of a core");
        assert!(shares.iter().all(|share| *share < 0.05), "{shares:?}");
    }
}

#[test]
fn naps_are_a_small_part_of_the_wait() {
    const MAX: Duration = Duration::from_millis(1);
    let mut backoff = Backoff::up_to(MAX);
    let begun = Instant::now();
    assert!(backoff.next_nap().is_zero(), "an answer may be there at once");
    let first = begun.elapsed();
    loop {
        let before = begun.elapsed();
        let nap = backoff.next_nap();
        let [least, most] = [before - first, begun.elapsed()].map(|waited| waited / 16);
        assert!(nap.is_zero() || nap >= Duration::from_micros(10), "{nap:?}");
        assert!(nap <= most.max(Duration::from_micros(10)) && nap <= MAX, "{nap:?} after {most:?} x 16");
        assert!(nap >= least.min(MAX) || before < Duration::from_millis(1), "{nap:?} after {least:?} x 16");
        if nap == MAX {
            break;
        }
    }
    backoff.reset();
    assert!(backoff.next_nap().is_zero(), "it looks again at once");
}

/// Waits with a world as a game does while a person thinks; returns the share of a core used.
fn idle_share(world: &mut impl World) -> f64 {
    const PAUSE: Duration = Duration::from_secs(3);
    world.barrier(long()).expect("all are here");
    let share = share_of_a_core(ClockId::ProcessCPUTime, || {
        let work = |_: jobs::Task<'_, u8>| Ok::<_, Infallible>(0_u8);
        jobs::lead(world, &jobs::Options::default(), work, |dispatcher| {
            assert_eq!(dispatcher.next_event(Deadline::after(PAUSE)), Ok(None));
        })
        .expect("nobody is lost");
    });
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
        let said = passes(mpi, 3, "timing::ranks_that_wait_sleep");
        for line in said.lines().filter(|line| line.contains("of a core")) {
            println!("{}: {line}", mpi.program);
        }
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
        let output = run(mpi, 3, &[mpi.keep_others], "timing::others_do_the_jobs_of_a_dead_rank");
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(out.contains("all jobs are done"), "{}: {out}{err}", mpi.program);
    }
}

#[test]
fn a_rank_that_falls_silent_is_lost_after_a_while() {
    for silent_after in [0, 3, 10] {
        let results = ThreadWorld::run(3, |world| {
            let silent_after = (world.rank() == 1).then_some(silent_after);
            let is_silent = silent_after.is_some();
            let mut world = FaultyWorld::new(world, Faults { silent_after, ..Faults::default() });
            let options = Options { timeouts: QUICK, leader_works: false, ..Options::default() };
            if is_silent {
                let served = jobs::serve(&mut world, &options, steps);
                // It hears nothing either; which of the two it notices first depends on the others' speed.
                let silence = ServeError::Silence(QUICK.lost_after * 5);
                assert!(served == Err(silence) || served == Err(WorldError::Gone(0).into()), "{served:?}");
                return (Vec::new(), Dismissal::Scattered);
            }
            mapped(&mut world, &options, 300)
        });
        assert_eq!(*results[0].as_ref().expect("results"), (expected(300), Dismissal::Scattered));
        assert!(results.iter().all(Result::is_ok), "{results:?}");
    }
}
