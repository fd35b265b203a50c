//! Lost ranks, and their jobs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use amazons_mpi::jobs::{Dismissal, Dispatcher, Event, JOBS_TAG, NobodyLeft, Options, Order, Timeouts, Worker};
use amazons_mpi::{Deadline, Filter, ThreadWorld, World, WorldError, jobs};
use amazons_testing::{let_pass, map_jobs};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::conformance::{expected, mapped, steps};

pub(super) const QUICK: Timeouts =
    Timeouts { alive_every: Duration::from_millis(10), lost_after: Duration::from_millis(400) };

const UNKNOWN: &str = "an unknown message of 3 bytes: the ranks run different programs";

/// A dispatcher whose jobs and answers are bytes.
type OfBytes = Dispatcher<ThreadWorld, u8, u8>;

#[test]
fn a_rank_that_panics_loses_its_jobs_to_the_others() {
    for unlucky in 0..3 {
        let panics = AtomicUsize::new(0);
        let results = ThreadWorld::run(3, |world| {
            let rank = world.rank();
            let work = |task: jobs::Task<'_, u64>| {
                if rank == unlucky && *task.job >= 20 {
                    panics.fetch_add(1, Ordering::Relaxed);
                    panic!("on purpose");
                }
                // Others do not take all jobs before it has come to its own.
                while *task.job >= 60 && panics.load(Ordering::Relaxed) == 0 {
                    let_pass(Duration::from_millis(1));
                }
                steps(task)
            };
            let mut results = Vec::new();
            let ended = map_jobs(world, &Options::default(), 0..120, work, |_, result| {
                results.push(result);
                std::ops::ControlFlow::Continue(())
            });
            assert_eq!(ended, Ok(Dismissal::Together), "it failed, but is there");
            results
        });
        let panics = panics.load(Ordering::Relaxed);
        assert!((1..=2).contains(&panics), "whoever has failed gets no job beyond those in hand: {panics}");
        assert_eq!(*results[0].as_ref().expect("results"), expected(120));
    }
}

#[test]
fn a_rank_that_ends_is_missed_at_once() {
    // Nobody waits for signs of life, or this takes days.
    let timeouts = Timeouts { lost_after: Duration::from_secs(360_000), ..Timeouts::default() };
    let results = ThreadWorld::run(3, |world| {
        if world.rank() == 2 {
            let mut worker = Worker::<_, u64, u32>::new(&mut *world, timeouts);
            while worker.in_hand().count() < 2 {
                worker.next_order().expect("rank 0 lives");
            }
            return (Vec::new(), Dismissal::Scattered);
        }
        mapped(world, &Options { timeouts, leader_works: false, ..Options::default() }, 100)
    });
    assert_eq!(*results[0].as_ref().expect("results"), (expected(100), Dismissal::Scattered));
}

#[test]
fn silence_shows_also_between_signs_of_life() {
    let timeouts = Timeouts { alive_every: Duration::from_secs(100), lost_after: Duration::from_millis(100) };
    let mut worlds = ThreadWorld::connect(2);
    let _silent = worlds.pop();
    let mut dispatcher: OfBytes =
        Dispatcher::new(worlds.pop().expect("rank 0"), &Options { timeouts, ..Options::default() });
    let event = dispatcher.next_event(Deadline::NEVER);
    let reason = Some("nothing was heard of it for 0.1 s".to_owned());
    assert_eq!(event, Ok(Some(Event::Left { rank: 1, reason })));
}

#[test]
fn somebody_must_be_left() {
    let results = ThreadWorld::run(3, |world| {
        let fails = |_: jobs::Task<'_, u8>| Err::<u8, _>("no more room".to_owned());
        let options = Options { leader_works: false, ..Options::default() };
        map_jobs(world, &options, [1, 2], fails, |_, _| panic!("there is no result"))
    });
    let error = results[0].as_ref().expect("no panic").as_ref().expect_err("nobody works").to_string();
    assert!(
        ["no rank is left that works; rank 1: no more room", "no rank is left that works; rank 2: no more room"]
            .contains(&error.as_str()),
        "{error}"
    );
}

#[test]
fn a_worker_without_a_leader_ends() {
    let mut worlds = ThreadWorld::connect(2);
    let mut worker = Worker::<_, u8, u8>::new(worlds.pop().expect("rank 1"), QUICK);
    let error = loop {
        match worker.next_order() {
            Ok(order) => assert_eq!(order, None),
            Err(error) => break error,
        }
        worker.wait(Deadline::NEVER).expect("nobody aborts");
    };
    assert_eq!(error.to_string(), "nothing was heard of rank 0 for 2 s");
    let mut leader = worlds.pop().expect("rank 0");
    let mut signs = 0;
    while leader.try_receive(Filter::ANY.with_tag(JOBS_TAG)).expect("no abort").is_some() {
        signs += 1;
    }
    assert!(signs > 10, "it says that it lives: {signs}");
    drop(leader);
    assert_eq!(worker.next_order(), Err(WorldError::Gone(0).into()));
}

#[test]
fn a_leader_that_was_busy_gives_up_nobody() {
    let mut worlds = ThreadWorld::connect(2);
    let timeouts = Timeouts { alive_every: Duration::from_millis(5), lost_after: Duration::from_millis(40) };
    let _worker = worlds.pop();
    let mut dispatcher: OfBytes =
        Dispatcher::new(worlds.pop().expect("rank 0"), &Options { timeouts, ..Options::default() });
    dispatcher.push(&1);
    let_pass(Duration::from_millis(80));
    assert_eq!(dispatcher.next_event(Deadline::after(Duration::ZERO)), Ok(None));
    // Ranks still at a job are not waited for.
    assert_eq!(dispatcher.dismiss().1, Dismissal::Scattered);
}

#[test]
fn jobs_that_got_lost_are_sent_again() {
    // After a quarter of this a job is sent again.
    let timeouts = Timeouts { lost_after: Duration::from_secs(4), ..QUICK };
    let mut worlds = ThreadWorld::connect(2);
    let mut world = worlds.pop().expect("rank 1");
    let mut dispatcher: OfBytes =
        Dispatcher::new(worlds.pop().expect("rank 0"), &Options { timeouts, ..Options::default() });
    let id = dispatcher.push(&5);
    assert!(world.arrived().expect("no abort").pop_front().is_some(), "this one is lost on its way");
    let mut worker = Worker::new(world, timeouts);
    let next = |worker: &mut Worker<_, u8, u8>, dispatcher: &mut OfBytes| {
        let event = dispatcher.next_event(Deadline::after(Duration::from_millis(1))).expect("the worker lives");
        (worker.next_order().expect("rank 0 lives"), event)
    };
    while next(&mut worker, &mut dispatcher) != (Some(Order::Job { id, job: 5 }), None) {}
    // A job in hand is listed, and not sent again.
    for _ in 0..1500 {
        assert_eq!(next(&mut worker, &mut dispatcher), (None, None));
    }
    worker.finish(id, 25).expect("it is sent");
    let result = dispatcher.next_event(Deadline::NEVER);
    assert_eq!(result, Ok(Some(Event::Result { job: id, rank: 1, answer: 25 })));
}

#[test]
fn noise_costs_its_sender_only() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for round in 0..300 {
        let mut worlds = ThreadWorld::connect(3);
        let (mut two, one) = (worlds.pop().expect("rank 2"), worlds.pop().expect("rank 1"));
        let mut dispatcher: OfBytes = Dispatcher::new(worlds.pop().expect("rank 0"), &Options::default());
        let id = dispatcher.push(&1);
        let noise: Vec<u8> = (0..rng.random_range(0..12)).map(|_| rng.random_range(0..=20)).collect();
        two.send(0, JOBS_TAG, if round == 0 { vec![99, 1, 2] } else { noise }).expect("it is sent");
        if round == 0 {
            let reason = UNKNOWN.to_owned();
            for expected in
                [Event::Unexpected { rank: 2, reason: reason.clone() }, Event::Left { rank: 2, reason: Some(reason) }]
            {
                assert_eq!(dispatcher.next_event(Deadline::NEVER).expect("rank 1 lives"), Some(expected));
            }
        }
        drop(two);
        let mut one = Worker::<_, u8, u8>::new(one, Timeouts::default());
        while one.in_hand().next().is_none() {
            one.next_order().expect("rank 0 lives");
            // An unknown job number has no effect.
            let event = dispatcher.next_event(Deadline::after(Duration::ZERO)).expect("rank 1 lives");
            assert!(!matches!(event, Some(Event::Result { rank: 2, job, .. }) if job != id), "{event:?}");
            if matches!(event, Some(Event::Result { .. })) {
                break;
            }
        }
    }
    let mut worlds = ThreadWorld::connect(2);
    let mut worker = Worker::<_, u8, u8>::new(worlds.pop().expect("rank 1"), Timeouts::default());
    worlds[0].send(1, JOBS_TAG, vec![1, 2, 3]).expect("it is sent");
    assert_eq!(worker.next_order().expect_err("three numbers are too many").to_string(), UNKNOWN);
}

#[test]
fn an_aborted_job_has_nobody_left() {
    let mut worlds = ThreadWorld::connect(2);
    let mut worker = worlds.pop().expect("rank 1");
    let mut dispatcher: OfBytes = Dispatcher::new(worlds.pop().expect("rank 0"), &Options::default());
    worker.abort(70);
    let event = dispatcher.next_event(Deadline::NEVER);
    let reason = "rank 1 aborted the job with status 70".to_owned();
    assert_eq!(event, Ok(Some(Event::Left { rank: 1, reason: Some(reason) })));
    while dispatcher.next_event(Deadline::NEVER).is_ok() {}
    assert_eq!(dispatcher.next_event(Deadline::NEVER), Err(NobodyLeft));
}
