//! The cost of waiting.

use std::time::{Duration, Instant};

use amazons_mpi::{Backoff, Deadline, Filter, ThreadWorld, World, WorldError, jobs};
use rustix::time::{ClockId, clock_gettime};

use crate::support::retried;

/// Processor time of the calling thread.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().expect("seconds"), time.tv_nsec.try_into().expect("nanoseconds"))
}

fn share_of_a_core(wait: impl FnOnce()) -> f64 {
    let (begun, before) = (Instant::now(), thread_time());
    wait();
    (thread_time() - before).as_secs_f64() / begun.elapsed().as_secs_f64()
}

#[test]
fn ranks_of_threads_sleep() {
    retried(|| {
        let pause = || Deadline::after(Duration::from_secs(1));
        let shares = ThreadWorld::run(3, |world| {
            let receive = share_of_a_core(|| {
                // Unrequested messages must not keep it awake.
                let own = world.rank();
                world.send(own, 1, vec![1]).expect("it can be sent");
                assert_eq!(world.receive(Filter::ANY.with_tag(2), pause()), Err(WorldError::TimedOut));
            });
            let idle = share_of_a_core(|| {
                let work = |_: jobs::Task<'_, u8>| Ok(0_u8);
                jobs::lead(world, &jobs::Options::default(), work, |dispatcher| {
                    assert_eq!(dispatcher.next_event(pause()), Ok(None));
                })
                .expect("nobody is lost");
            });
            // While its threads work, a rank looks for messages now and then.
            let busy = share_of_a_core(|| {
                let work = |_: jobs::Task<'_, u8>| {
                    std::thread::sleep(Duration::from_secs(1));
                    Ok(0_u8)
                };
                jobs::map(world, &jobs::Options { in_hand: 1, ..jobs::Options::default() }, 0..3, work, |_, _| {
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
    });
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

#[test]
fn deadlines() {
    let soon = Deadline::after(Duration::from_secs(100));
    assert!(!soon.is_over() && Deadline::after(Duration::ZERO).is_over() && !Deadline::NEVER.is_over());
    assert_eq!(Deadline::after(Duration::MAX), Deadline::NEVER);
    assert_eq!(Deadline::NEVER.left(), None);
    assert!(soon.left().is_some_and(|left| left > Duration::from_secs(50)));
    assert_eq!((soon.min(Deadline::NEVER), Deadline::NEVER.min(soon)), (soon, soon));
    let sooner = Deadline::from(Instant::now());
    assert_eq!(soon.min(sooner), sooner);
}
