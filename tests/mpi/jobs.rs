//! Jobs, with both sides played by the tests where it matters which worker has which job.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use amazons_mpi::jobs::{Dismissal, Dispatcher, Event, InOrder, JobId, NobodyLeft, Options, Order, Timeouts, Worker};
use amazons_mpi::{Deadline, Keep, ThreadWorld, TracedWorld, decode, encode, jobs};
use amazons_testing::{let_pass, map_jobs};
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::conformance::{expected, mapped, steps};

/// Jobs and answers are bytes, messages are text.
type Leader = Dispatcher<ThreadWorld, u8, u8, String>;
type Helper = Worker<ThreadWorld, u8, u8, String>;

/// A dispatcher that does no jobs itself and two workers, on one thread.
fn three(options: &Options) -> (Leader, [Helper; 2]) {
    let mut worlds = ThreadWorld::connect(3).into_iter();
    let dispatcher = Dispatcher::new(worlds.next().expect("rank 0"), options);
    let workers: Vec<_> = worlds.map(|world| Worker::new(world, options.timeouts)).collect();
    (dispatcher, workers.try_into().expect("two"))
}

/// The messages for a worker so far.
fn orders(worker: &mut Helper) -> Vec<Order<u8, String>> {
    std::iter::from_fn(|| worker.next_order().expect("rank 0 is there")).collect()
}

/// The jobs given to a worker so far.
fn given(worker: &mut Helper) -> Vec<u8> {
    let job = |order| match order {
        Order::Job { job, .. } => job,
        other => panic!("{other:?}"),
    };
    orders(worker).into_iter().map(job).collect()
}

/// The events so far.
fn events(dispatcher: &mut Leader) -> Vec<Event<u8, String>> {
    std::iter::from_fn(|| dispatcher.next_event(Deadline::after(Duration::ZERO)).ok().flatten()).collect()
}

#[test]
fn whoever_is_free_gets_the_next_job() {
    let (mut dispatcher, [mut one, mut two]) = three(&Options::default());
    assert_eq!(dispatcher.workers().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(dispatcher.room(), 4);
    let ids: Vec<JobId> = (0..7).map(|number| dispatcher.push(&number)).collect();
    assert_eq!((dispatcher.room(), dispatcher.unfinished()), (0, 7));
    let (first, second) = (given(&mut one), given(&mut two));
    assert_eq!((first.len(), second.len()), (2, 2), "two jobs in hand each");
    assert_eq!(first.iter().chain(&second).copied().collect::<BTreeSet<u8>>(), BTreeSet::from([0, 1, 2, 3]));
    // The second one is quicker.
    for number in second {
        two.finish(ids[usize::from(number)], 10 + number).expect("it is sent");
    }
    let results = events(&mut dispatcher);
    assert!(
        matches!(&results[..], [Event::Result { rank: 2, answer: 10.., .. }, Event::Result { rank: 2, .. }]),
        "{results:?}"
    );
    assert_eq!((given(&mut one), given(&mut two)), (vec![], vec![4, 5]));
    dispatcher.set_in_hand(1, 5);
    assert_eq!(given(&mut one), [6]);
    assert_eq!(dispatcher.room(), 2);
    // A partial result leaves the job in hand.
    two.partial(ids[4], 44).expect("it is sent");
    assert_eq!(events(&mut dispatcher), [Event::Partial { job: ids[4], rank: 2, answer: 44 }]);
    dispatcher.replace(ids[4], &104);
    two.fail("no more room".to_owned()).expect("it is sent");
    assert_eq!(events(&mut dispatcher), [Event::Left { rank: 2, reason: Some("no more room".to_owned()) }]);
    assert_eq!(given(&mut one), [104, 5], "the rest of the job is what was left of it");
    assert_eq!(dispatcher.unfinished(), 5);
    let held: Vec<JobId> = one.in_hand().collect();
    for id in held {
        one.finish(id, 0).expect("it is sent");
    }
    assert_eq!(events(&mut dispatcher).len(), 5);
    assert_eq!(dispatcher.unfinished(), 0);
    let (_world, dismissal) = dispatcher.dismiss();
    assert_eq!(dismissal, Dismissal::Together, "one failed, but is there");
    assert_eq!(orders(&mut one), [Order::End(Dismissal::Together)]);
    assert_eq!(orders(&mut two), [Order::End(Dismissal::Together)]);
}

#[test]
fn callers_talk_beside_their_jobs() {
    let (mut dispatcher, [mut one, mut two]) = three(&Options::default());
    one.tell("hello".to_owned()).expect("it is sent");
    assert_eq!(events(&mut dispatcher), [Event::Message { rank: 1, message: "hello".to_owned() }]);
    dispatcher.tell(2, "begin".to_owned());
    assert_eq!(orders(&mut two), [Order::Message("begin".to_owned())]);
    dispatcher.tell(9, "nobody".to_owned());
    assert_eq!((orders(&mut one), events(&mut dispatcher)), (vec![], vec![]));
}

#[test]
fn cancelled_jobs_are_forgotten() {
    let (mut dispatcher, [mut one, mut two]) = three(&Options { in_hand: 1, ..Options::default() });
    let ids: Vec<JobId> = (0..4).map(|number| dispatcher.push(&number)).collect();
    let (first, second) = (given(&mut one)[0], given(&mut two)[0]);
    // One that waits, and one in hand, whose place is free at once.
    assert!(dispatcher.cancel(ids[2]) && dispatcher.cancel(ids[usize::from(first)]));
    assert!(!dispatcher.cancel(ids[2]), "it is gone");
    assert_eq!(orders(&mut one), [Order::Cancel(ids[usize::from(first)]), Order::Job { id: ids[3], job: 3 }]);
    // It had finished, or did not listen: both have the same effect.
    one.finish(ids[usize::from(first)], 1).expect("it is sent");
    one.finish(ids[3], 33).expect("it is sent");
    assert_eq!(events(&mut dispatcher), [Event::Result { job: ids[3], rank: 1, answer: 33 }]);
    // A result that was on its way when the job was cancelled.
    two.finish(ids[usize::from(second)], 2).expect("it is sent");
    dispatcher.cancel_all();
    assert_eq!((events(&mut dispatcher), dispatcher.unfinished()), (vec![], 0));
    assert_eq!(dispatcher.room(), 2);
}

#[test]
fn stopping_keeps_what_has_begun() {
    let (mut dispatcher, [mut one, mut two]) = three(&Options::default());
    let ids: Vec<JobId> = (0..9).map(|number| dispatcher.push(&number)).collect();
    let (first, _) = (given(&mut one), given(&mut two));
    dispatcher.stop();
    dispatcher.stop();
    assert_eq!((orders(&mut one), orders(&mut two)), (vec![Order::Stop], vec![Order::Stop]));
    one.finish(ids[usize::from(first[0])], 7).expect("it is sent");
    one.bye().expect("it is sent");
    two.fail("killed".to_owned()).expect("it is sent");
    assert!(one.in_hand().next().is_none());
    let told = events(&mut dispatcher);
    assert!(
        matches!(
            &told[..],
            [
                Event::Result { rank: 1, .. },
                Event::Left { rank: 1, reason: None },
                Event::Left { rank: 2, reason: Some(_) }
            ]
        ),
        "{told:?}"
    );
    assert_eq!(dispatcher.next_event(Deadline::NEVER), Err(NobodyLeft));
    assert_eq!((orders(&mut one), orders(&mut two)), (vec![], vec![]), "nothing is handed out any more");
    assert_eq!(dispatcher.dismiss().1, Dismissal::Together);
}

#[test]
fn rank_0_works_too_and_stops_after_its_jobs() {
    let ran = AtomicUsize::new(0);
    let results = ThreadWorld::run(1, |world| {
        let work = |_: jobs::Task<'_, u8>| {
            let_pass(Duration::from_millis(20));
            ran.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>(0_u8)
        };
        let options = Options { threads: 2, in_hand: 3, ..Options::default() };
        jobs::lead(world, &options, work, |dispatcher| {
            for _ in 0..20 {
                dispatcher.push(&0);
            }
            let first = dispatcher.next_event(Deadline::NEVER).expect("it works");
            assert!(matches!(first, Some(Event::Result { rank: 0, .. })), "{first:?}");
            dispatcher.stop();
            let mut results = 1;
            while let Ok(event) = dispatcher.next_event(Deadline::NEVER) {
                results += usize::from(matches!(event, Some(Event::Result { .. })));
            }
            results
        })
    });
    let (results, dismissal) = results.into_iter().next().expect("rank 0").expect("no panic").expect("no error");
    let results = results.expect("rank 0 has led");
    assert_eq!((results, dismissal), (ran.load(Ordering::Relaxed), Dismissal::Together));
    assert!(results < 20, "jobs that had not begun were dropped");
}

#[test]
fn running_jobs_hear_that_they_are_cancelled() {
    for size in [1, 2] {
        let has_begun = Barrier::new(2);
        let was_told = AtomicBool::new(false);
        let ended = ThreadWorld::run(size, |world| {
            let work = |task: jobs::Task<'_, u8>| {
                has_begun.wait();
                while !task.is_cancelled() {
                    thread::yield_now();
                }
                was_told.store(true, Ordering::Relaxed);
                Err::<u8, _>("nobody hears this".to_owned())
            };
            let options = Options { leader_works: size == 1, ..Options::default() };
            jobs::lead(world, &options, work, |dispatcher| {
                let id = dispatcher.push(&0);
                has_begun.wait();
                assert!(dispatcher.cancel(id));
                assert_eq!(dispatcher.next_event(Deadline::after(Duration::from_millis(50))), Ok(None));
                assert_eq!(dispatcher.workers().count(), 1, "whoever is cancelled may return anything");
            })
        });
        for result in ended {
            assert_eq!(result.expect("no panic").expect("no error").1, Dismissal::Together);
        }
        assert!(was_told.load(Ordering::Relaxed), "{size} ranks");
    }
}

#[test]
fn results_come_in_the_order_of_their_jobs() {
    for size in 1..=4 {
        let slow_then_quick = |task: jobs::Task<'_, u8>| {
            // The first jobs take the longest.
            let_pass(Duration::from_millis(u64::from(20_u8.saturating_sub(*task.job)) / 4));
            Ok::<_, Infallible>(*task.job)
        };
        let results = ThreadWorld::run(size, |world| {
            let mut results = Vec::new();
            let options = Options { threads: 2, ..Options::default() };
            let ended = map_jobs(world, &options, 0..40, slow_then_quick, |_, result| {
                results.push(result);
                ControlFlow::Continue(())
            });
            assert_eq!(ended, Ok(Dismissal::Together));
            results
        });
        assert_eq!(*results[0].as_ref().expect("results"), (0..40).collect::<Vec<u8>>());
    }
}

#[test]
fn breaking_off_cancels_the_rest() {
    let begun = AtomicUsize::new(0);
    let counted = |task: jobs::Task<'_, u64>| {
        begun.fetch_add(1, Ordering::Relaxed);
        steps(task)
    };
    let seen = ThreadWorld::run(3, |world| {
        let mut seen = Vec::new();
        let ended = map_jobs(world, &Options::default(), 0..100_000, counted, |place, _| {
            seen.push(place);
            if place == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(ended, Ok(Dismissal::Together));
        seen
    });
    assert_eq!(*seen[0].as_ref().expect("places"), (0..=10).collect::<Vec<usize>>());
    assert!(begun.load(Ordering::Relaxed) < 50_000, "{begun:?}");
}

#[test]
fn results_wait_for_their_turn() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for _ in 0..200 {
        let count = rng.random_range(0..30);
        let (mut in_order, mut got) = (InOrder::default(), Vec::new());
        let mut ids: Vec<JobId> = (0..count).map(JobId).collect();
        let wanted: Vec<JobId> = ids.clone();
        ids.iter().for_each(|id| in_order.expect(*id));
        ids.shuffle(&mut rng);
        for id in ids {
            in_order.insert(id, id.0 * 3);
            // It has had its turn, or waits for it.
            in_order.insert(JobId(count + 1), 0);
            got.extend(std::iter::from_fn(|| in_order.pop()));
        }
        got.extend(std::iter::from_fn(|| in_order.pop()));
        assert_eq!(got, wanted.iter().map(|id| (*id, id.0 * 3)).collect::<Vec<_>>());
        assert!(in_order.is_empty());
    }
}

#[test]
fn a_job_costs_two_messages() {
    let traces = ThreadWorld::run(3, |world| {
        let mut world = TracedWorld::new(world, Keep::Counts);
        // No signs of life while this lasts.
        let timeouts = Timeouts { alive_every: Duration::from_secs(600), lost_after: Duration::from_secs(600) };
        let options = Options { leader_works: false, timeouts, ..Options::default() };
        let (results, _) = mapped(&mut world, &options, 300);
        assert_eq!(results, if world.trace().sent.is_empty() { vec![] } else { results.clone() });
        (results, world.into_parts().1)
    });
    let traces: Vec<_> = traces.into_iter().map(|trace| trace.expect("a trace")).collect();
    assert_eq!(traces[0].0, expected(300));
    let sent = traces[0].1.all_sent();
    // A byte has 7 bits of a number. A message is its kind, the number of the job, and the job, which is that number
    // here, or its result; the end is two bytes for each worker.
    let len = |number: u64| if number < 128 { 1 } else { 2 };
    let jobs: u64 = (0..300).map(|number| 1 + 2 * len(number)).sum();
    assert_eq!((sent.messages, sent.bytes), (302, jobs + 4));
    let results: u64 = (0..).zip(expected(300)).map(|(number, steps)| 1 + len(number) + len(steps.into())).sum();
    let back = traces[0].1.all_received();
    assert_eq!((back.messages, back.bytes), (300, results));
}

#[test]
fn bytes_of_another_type_are_refused() {
    let bytes = encode(&(7_u32, "seven".to_owned(), Some(-0.5))).expect("bytes");
    assert_eq!(decode(&bytes), Ok((7_u32, "seven".to_owned(), Some(-0.5))));
    type Three = (u32, String, Option<f64>);
    for len in 0..bytes.len() {
        assert_eq!(decode::<Three>(&bytes[..len]).expect_err("torn").to_string(), unknown(len), "{len} bytes");
    }
    assert!(decode::<Three>(&[&bytes[..], &[0]].concat()).is_err(), "a byte too many");
    assert!(decode::<(u32, String, Option<bool>)>(&bytes).is_err());
    // A text as long as the memory.
    assert!(decode::<String>(&[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]).is_err());
}

fn unknown(len: usize) -> String {
    format!("an unknown message of {len} bytes: the ranks run different programs")
}

#[test]
fn a_job_that_cannot_be_written_ends_the_work() {
    let ended = ThreadWorld::run(2, |world| {
        let work = |_: jobs::Task<'_, PathBuf>| Ok::<_, Infallible>(0_u8);
        let path = PathBuf::from(OsStr::from_bytes(b"\xFF"));
        map_jobs(world, &Options::default(), [path], work, |_, _| panic!("it was sent"))
    });
    let error = ended[0].as_ref().expect("no panic").as_ref().expect_err("no rank can do it").to_string();
    assert!(error.ends_with("a message cannot be written: are its paths UTF-8?"), "{error}");
}
