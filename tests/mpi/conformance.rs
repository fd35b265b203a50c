//! Requirements on every world, whatever its back-end.

use std::ops::ControlFlow;
use std::time::Duration;

use amazons_mpi::{Deadline, Filter, Keep, TAG_MAX, ThreadWorld, TracedWorld, World, WorldError, jobs};
use amazons_testing::{Faults, FaultyWorld, deadline, deadline_after, map_jobs};

/// Long enough for a loaded machine; never reached when all is well.
pub(super) fn long() -> Deadline {
    deadline().into()
}

/// Every rank runs this.
pub(super) fn check(world: &mut impl World) {
    messages_keep_their_order(world);
    a_rank_can_write_to_itself(world);
    probing_leaves_the_message(world);
    nothing_is_sent_to_nobody(world);
    collectives_are_not_mixed_with_messages(world);
    jobs_come_to_the_same(world);
    world.barrier(long()).expect("all are here");
}

fn messages_keep_their_order(world: &mut impl World) {
    // Short messages leave at once; long ones wait until their receiver is ready.
    let text = |from: usize, tag: u16, number: usize| {
        let mut bytes = vec![from as u8, tag as u8, number as u8];
        bytes.resize(3 + number * number * 40, number as u8);
        bytes
    };
    let (rank, size) = (world.rank(), world.size());
    for number in 0..50 {
        for to in (0..size).filter(|&to| to != rank) {
            for tag in [1, TAG_MAX] {
                world.send(to, tag, text(rank, tag, number)).expect("it can be sent");
            }
        }
    }
    // The second tag first: unrequested messages stay.
    for from in (0..size).rev().filter(|&from| from != rank) {
        for tag in [TAG_MAX, 1] {
            for number in 0..50 {
                let message = world.receive(Filter::ANY.sent_by(from).with_tag(tag), long()).expect("a message");
                assert_eq!((message.from, message.tag), (from, tag));
                assert!(message.bytes == text(from, tag, number), "from {from}, tag {tag}, number {number}");
            }
        }
    }
    assert!(world.flush(long()).expect("all has left"));
    assert_eq!(world.unsent(), Ok(0));
    world.barrier(long()).expect("all are here");
    assert_eq!(world.try_receive(Filter::ANY), Ok(None), "nothing comes twice");
}

fn a_rank_can_write_to_itself(world: &mut impl World) {
    let own = world.rank();
    world.send(own, 3, vec![1, 2, 3]).expect("it can be sent");
    let message = world.receive(Filter::ANY.sent_by(own), long()).expect("a message");
    assert_eq!((message.from, message.tag, message.bytes), (own, 3, vec![1, 2, 3]));
}

fn probing_leaves_the_message(world: &mut impl World) {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    assert_eq!(world.try_probe(Filter::ANY), Ok(None));
    if size > 1 {
        let none = world.receive(Filter::ANY.with_tag(9), Deadline::after(Duration::from_millis(30)));
        assert_eq!(none, Err(WorldError::TimedOut));
    }
    world.barrier(long()).expect("all are here");
    world.send(next, 5, vec![7; 77]).expect("it can be sent");
    for _ in 0..2 {
        assert_eq!(world.probe(Filter::ANY.sent_by(before), long()), Ok((before, 5, 77)));
        assert_eq!(world.try_probe(Filter::ANY.with_tag(6)), Ok(None), "another tag");
    }
    assert_eq!(world.try_receive(Filter::ANY.with_tag(5)).expect("it is here").map(|it| it.bytes), Some(vec![7; 77]));
    assert_eq!(world.try_probe(Filter::ANY.with_tag(5)), Ok(None));
}

fn nothing_is_sent_to_nobody(world: &mut impl World) {
    let size = world.size();
    assert_eq!(world.send(size, 0, vec![0; 3]), Err(WorldError::Unsendable { to: size, len: 3 }));
    assert!(world.is_gone(size));
    assert!((0..size).all(|rank| !world.is_gone(rank)), "nobody ends before the barrier");
}

fn collectives_are_not_mixed_with_messages(world: &mut impl World) {
    let (rank, size) = (world.rank(), world.size());
    for round in 0..3_u8 {
        for root in 0..size {
            let own = vec![rank as u8; rank + usize::from(round)];
            world.send(root, 8, vec![round, root as u8]).expect("it can be sent");
            let all = world.gather(root, own.clone(), long()).expect("all take part");
            let expected: Vec<Vec<u8>> = (0..size).map(|rank| vec![rank as u8; rank + usize::from(round)]).collect();
            assert_eq!(all, if rank == root { expected } else { Vec::new() });
            let said = world.broadcast(root, vec![rank as u8, round], long()).expect("all take part");
            assert_eq!(said, [root as u8, round]);
            world.barrier(long()).expect("all are here");
        }
    }
    // Each rank sent its messages before it came to the last barrier; rank 0 has heard them all by then.
    for round in 0..3 {
        for from in 0..size {
            let mine = world.receive(Filter::ANY.sent_by(from).with_tag(8), long()).expect("a message");
            assert_eq!(mine.bytes, [round, rank as u8]);
        }
    }
    world.barrier(long()).expect("all are here");
    assert_eq!(world.try_receive(Filter::ANY), Ok(None));
}

/// Jobs of the collatz function: the number of steps for a number.
pub(super) fn steps(task: jobs::Task<'_, u64>) -> Result<u32, String> {
    Ok(steps_of(*task.job))
}

pub(super) fn steps_of(number: u64) -> u32 {
    let (mut number, mut steps) = (number + 1, 0);
    while number != 1 {
        number = if number % 2 == 0 { number / 2 } else { 3 * number + 1 };
        steps += 1;
    }
    steps
}

/// The results of these jobs in order, and how the ranks separate.
pub(super) fn mapped(world: &mut impl World, options: &jobs::Options, count: u64) -> (Vec<u32>, jobs::Dismissal) {
    let mut results = Vec::new();
    let dismissal = map_jobs(world, options, 0..count, steps, |place, result| {
        assert_eq!(place, results.len());
        results.push(result);
        ControlFlow::Continue(())
    });
    (results, dismissal.expect("somebody works"))
}

pub(super) fn expected(count: u64) -> Vec<u32> {
    (0..count).map(steps_of).collect()
}

fn jobs_come_to_the_same(world: &mut impl World) {
    for (leader_works, threads, in_hand) in [(true, 1, 2), (false, 2, 1), (true, 2, 3)] {
        let options = jobs::Options { threads, leader_works, in_hand, ..jobs::Options::default() };
        let (results, dismissal) = mapped(world, &options, 200);
        assert_eq!(dismissal, jobs::Dismissal::Together);
        assert_eq!(results, if world.rank() == 0 { expected(200) } else { Vec::new() });
    }
}

#[test]
fn threads() {
    for size in 1..=5 {
        for result in ThreadWorld::run(size, check) {
            result.expect("a rank of threads does what it must");
        }
    }
    assert!(ThreadWorld::run(0, |_| ()).is_empty());
    for result in ThreadWorld::run(2, |world| check(&mut (world as &mut dyn World))) {
        result.expect("whoever calls need not know what the world is");
    }
}

#[test]
fn late_messages() {
    for size in 1..=4 {
        let faults = Faults { seed: 11, delayed: 100, delay: Duration::from_millis(2), ..Faults::default() };
        for result in ThreadWorld::run(size, |world| check(&mut FaultyWorld::new(world, faults))) {
            result.expect("late messages change nothing");
        }
    }
}

#[test]
fn counted_messages() {
    for keep in [Keep::Counts, Keep::Messages] {
        let traces = ThreadWorld::run(3, |world| {
            let mut world = TracedWorld::new(world, keep);
            check(&mut world);
            world.into_parts().1
        });
        let traces: Vec<_> = traces.into_iter().map(|trace| trace.expect("a trace")).collect();
        let sum = |of: fn(&amazons_mpi::Trace) -> amazons_mpi::Traffic| {
            traces.iter().map(of).fold((0, 0), |sum, one| (sum.0 + one.messages, sum.1 + one.bytes))
        };
        assert_eq!(sum(amazons_mpi::Trace::all_sent), sum(amazons_mpi::Trace::all_received), "nothing is lost");
        let per_rank = &traces[0].sent[&1];
        // To each of two others 50 messages of 3 + 40 n^2 bytes.
        assert_eq!((per_rank.messages, per_rank.bytes), (100, 2 * (150 + 40 * 40_425)));
        for trace in &traces {
            let kept = trace.log.len() as u64;
            let all = trace.all_sent().messages + trace.all_received().messages;
            assert_eq!(kept, if keep == Keep::Messages { all } else { 0 });
        }
    }
}

#[test]
fn whoever_ends_is_missed_at_once() {
    let results = ThreadWorld::run(3, |world| match world.rank() {
        0 => {
            // The last words of a rank are heard after it has gone.
            assert_eq!(world.receive(Filter::ANY.sent_by(1), Deadline::NEVER).expect("its last words").bytes, b"bye");
            assert_eq!(world.receive(Filter::ANY.sent_by(1), Deadline::NEVER), Err(WorldError::Gone(1)));
            assert_eq!(world.receive(Filter::ANY, Deadline::NEVER), Err(WorldError::Alone));
            assert_eq!(world.send(2, 0, Vec::new()), Err(WorldError::Gone(2)));
            assert_eq!(world.barrier(Deadline::NEVER), Err(WorldError::Gone(1)));
            assert_eq!((world.is_gone(0), world.is_gone(1), world.is_gone(2)), (false, true, true));
        }
        1 => world.send(0, 4, b"bye".to_vec()).expect("it can be sent"),
        _ => panic!("on purpose"),
    });
    assert!(results[0].is_ok() && results[1].is_ok());
    let panic = results[2].as_ref().expect_err("it panicked");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"on purpose"));
}

#[test]
fn an_abort_reaches_everybody() {
    let aborted = WorldError::Aborted { rank: 1, status: 70 };
    let results = ThreadWorld::run(3, |world| match world.rank() {
        1 => {
            let first = world.abort(70);
            // The first one counts.
            assert_eq!(world.abort(71), first);
            first
        }
        _ => world.receive(Filter::ANY, Deadline::NEVER).expect_err("nothing is sent"),
    });
    assert!(results.iter().all(|result| *result.as_ref().expect("an error") == aborted), "{results:?}");
    let results = ThreadWorld::run(2, |world| {
        amazons_mpi::abort_on_panic(world, 70, |world| match world.rank() {
            0 => panic!("on purpose"),
            _ => world.barrier(Deadline::NEVER).expect_err("nobody comes"),
        })
    });
    assert!(results[0].is_err(), "the panic goes on");
    assert_eq!(*results[1].as_ref().expect("an error"), WorldError::Aborted { rank: 0, status: 70 });
}

#[test]
fn deadlines() {
    let soon = Deadline::after(Duration::from_secs(100));
    assert!(!soon.is_over() && Deadline::after(Duration::ZERO).is_over() && !Deadline::NEVER.is_over());
    assert_eq!(Deadline::after(Duration::MAX), Deadline::NEVER);
    assert_eq!(Deadline::NEVER.left(), None);
    assert!(soon.left().is_some_and(|left| !left.is_zero()));
    assert_eq!((soon.min(Deadline::NEVER), Deadline::NEVER.min(soon)), (soon, soon));
    let sooner = Deadline::from(deadline_after(Duration::ZERO));
    assert_eq!(soon.min(sooner), sooner);
}
