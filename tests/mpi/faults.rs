//! Messages that come late, out of order, or never.

use std::sync::Barrier;
use std::time::Duration;

use amazons_mpi::jobs::{Options, Timeouts};
use amazons_mpi::{Deadline, Filter, ThreadWorld, World, WorldError};
use amazons_testing::{Faults, FaultyWorld, map_jobs};

use super::conformance::{expected, long, steps};

/// The part of 300 messages from rank 1 that arrives.
fn arrivals(faults: Faults) -> Vec<u16> {
    let mut arrived = ThreadWorld::run(2, |world| {
        if world.rank() == 1 {
            for number in 0..300_u16 {
                world.send(0, 0, number.to_le_bytes().to_vec()).expect("it is sent");
            }
            return Vec::new();
        }
        let mut world = FaultyWorld::new(world, faults);
        let receive = || match world.receive(Filter::ANY, long()) {
            Ok(message) => Some(u16::from_le_bytes(message.bytes.try_into().expect("two bytes"))),
            Err(error) => {
                assert_eq!(error, WorldError::Alone, "the sender has ended, and nothing is on its way");
                None
            }
        };
        std::iter::from_fn(receive).collect()
    });
    arrived.swap_remove(0).expect("no panic")
}

#[test]
fn messages_are_lost_by_the_seed() {
    let all: Vec<u16> = (0..300).collect();
    assert_eq!(arrivals(Faults::default()), all);
    let lossy = |seed| arrivals(Faults { seed, lost: 100, ..Faults::default() });
    let (once, again, other) = (lossy(1), lossy(1), lossy(2));
    assert_eq!(once, again);
    assert_ne!(once, other);
    for arrived in [once, other] {
        assert!(arrived.is_sorted() && (240..=290).contains(&arrived.len()), "about a tenth: {}", arrived.len());
    }
    assert!(arrivals(Faults { lost: 1000, ..Faults::default() }).is_empty());
}

#[test]
fn messages_overtake_each_other_only_where_they_may() {
    let all: Vec<u16> = (0..300).collect();
    let late = Faults { seed: 4, delayed: 300, delay: Duration::from_millis(20), ..Faults::default() };
    assert_eq!(arrivals(late), all);
    let mut mixed = arrivals(Faults { overtaking: true, ..late });
    assert_ne!(mixed, all);
    mixed.sort_unstable();
    assert_eq!(mixed, all, "none is lost, none comes twice");
}

#[test]
fn whoever_waits_in_vain_says_so() {
    let (lossy, all) = (Faults { lost: 1000, ..Faults::default() }, Barrier::new(3));
    let ended = ThreadWorld::run(3, |world| {
        let mut world = FaultyWorld::new(world, lossy);
        let met = world.barrier(Deadline::after(Duration::from_millis(50)));
        // No rank ends before all have seen it.
        all.wait();
        met
    });
    for met in ended {
        assert_eq!(met.expect("no panic"), Err(WorldError::TimedOut));
    }
}

/// The purpose of it all: jobs have the same results whatever happens to their messages.
#[test]
fn jobs_come_to_the_same_whatever_happens_to_messages() {
    let timeouts = Timeouts { alive_every: Duration::from_millis(5), lost_after: Duration::from_secs(2) };
    for seed in 0..6 {
        let faults = Faults {
            seed,
            delayed: 300,
            delay: Duration::from_millis(8),
            overtaking: true,
            lost: [0, 50, 200][seed as usize % 3],
            silent_after: None,
        };
        let results = ThreadWorld::run(4, |world| {
            let rank = world.rank();
            // One of them is cut off in the middle.
            let silent_after = (rank == 3 && seed % 2 == 1).then_some(20);
            let mut world = FaultyWorld::new(world, Faults { silent_after, ..faults });
            let options = Options { timeouts, leader_works: seed > 2, ..Options::default() };
            let mut results = Vec::new();
            let ended = map_jobs(&mut world, &options, 0..80, steps, |_, result| {
                results.push(result);
                std::ops::ControlFlow::Continue(())
            });
            // Rank 0's final message may also be lost; then a worker notices that it is gone or silent.
            assert!(rank > 0 || ended.is_ok(), "{ended:?}");
            results
        });
        assert_eq!(*results[0].as_ref().expect("results"), expected(80), "seed {seed}");
    }
}
