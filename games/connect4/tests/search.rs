//! The averaged search on ranks: the same bits whatever happens.

use std::sync::LazyLock;
use std::time::Duration;

use amazons_mpi::jobs::{JOBS_TAG, Options, Task, Timeouts};
use amazons_mpi::{ThreadWorld, World, decode, encode, jobs};
use amazons_testing::{Faults, FaultyWorld, map_jobs};
use connect4::average::Value;
use connect4::jobs::{Answer, Job, Method, Question, Reply};
use connect4::search::{Computer, Evaluation, SearchError, SearchSettings, Searcher, alone};

use crate::support::position;

const POSITIONS: [(&str, u32); 4] = [("", 7), ("4444", 6), ("43445573", 7), ("434455", 9)];

/// How a search is led.
#[derive(Clone, Copy, Debug)]
enum Policy {
    Ours,
    Reported,
}

fn bits(evaluation: &Evaluation) -> Vec<u64> {
    evaluation.values.iter().map(|(_, value)| value.score().to_bits()).collect()
}

/// Returns the bits that one thread finds by the rule as it is written.
fn expected(moves: &str, depth: u32) -> Vec<u64> {
    let (values, _) =
        alone(&Computer::default(), &position(moves), depth, Method::Plain, 1, &|| true).expect("a depth");
    values.iter().map(|(_, value)| value.score().to_bits()).collect()
}

static EXPECTED: LazyLock<[Vec<u64>; 4]> = LazyLock::new(|| POSITIONS.map(|(moves, depth)| expected(moves, depth)));

/// Searches all positions on a world's ranks, which all call this; checks the bits on rank 0.
fn check<W: World>(world: &mut W, options: &Options, task_depths: &[Option<u32>], policy: Policy) {
    let (is_first, ranks) = (world.rank() == 0, world.size());
    let computer = Computer::default();
    let ended = jobs::lead(
        world,
        options,
        |task| computer.work(task),
        |dispatcher| {
            let mut searcher = Searcher::new(dispatcher, options.threads);
            // Even numbers of ranks share their tables, as processes of one machine do.
            if ranks.is_multiple_of(2) {
                searcher.tell(&computer.share_tables().expect("shared memory")).expect("all hear it");
            }
            for ((moves, depth), expected) in POSITIONS.into_iter().zip(EXPECTED.iter()) {
                for &task_depth in task_depths {
                    let settings = SearchSettings { depth, task_depth, method: Method::Table };
                    let position = position(moves);
                    let evaluation = match policy {
                        Policy::Ours => searcher.evaluate(&position, &settings),
                        Policy::Reported => searcher.evaluate_as_reported(&computer, &position, &settings),
                    };
                    let evaluation = evaluation.expect("a value for each column");
                    assert_eq!(bits(&evaluation), *expected, "{moves:?}, {task_depth:?}, {ranks} ranks, {policy:?}");
                }
            }
        },
    );
    // Messages to other ranks may be lost, the last one, too.
    assert!(!is_first || ended.is_ok(), "{ended:?}");
}

#[test]
fn any_number_of_ranks_finds_the_same_bits() {
    for ranks in 1..=4 {
        for threads in [1, 2] {
            let options = Options { threads, ..Options::default() };
            let ended = ThreadWorld::run(ranks, |world| {
                check(world, &options, &[None, Some(1), Some(2), Some(3)], Policy::Ours);
            });
            assert!(ended.iter().all(Result::is_ok), "{ranks} ranks");
        }
        let ended = ThreadWorld::run(ranks, |world| {
            check(world, &Options::default(), &[Some(1), Some(2), Some(3)], Policy::Reported);
        });
        assert!(ended.iter().all(Result::is_ok), "{ranks} ranks by the report's policy");
    }
}

#[test]
fn late_mixed_and_lost_messages_change_nothing() {
    let timeouts = Timeouts { alive_every: Duration::from_millis(5), lost_after: Duration::from_millis(200) };
    let options = Options { timeouts, ..Options::default() };
    for seed in 0..4 {
        let faults = Faults {
            seed,
            delayed: 200,
            delay: Duration::from_millis(4),
            overtaking: true,
            lost: if seed % 2 == 0 { 0 } else { 20 },
            silent_after: None,
        };
        let ended = ThreadWorld::run(3, |world| {
            // One of them is cut off in the middle.
            let silent_after = (world.rank() == 2 && seed >= 2).then_some(10);
            let mut world = FaultyWorld::new(world, Faults { silent_after, ..faults });
            check(&mut world, &options, &[Some(1), Some(2)], Policy::Ours);
        });
        assert!(ended[0].is_ok(), "seed {seed}");
    }
}

/// Leads one search over ranks that behave as `serve` says; returns what rank 0 found, and what it was told.
fn with_worker(serve: impl Fn(&mut ThreadWorld) + Sync) -> (Result<Vec<u64>, SearchError>, Vec<String>) {
    let results = ThreadWorld::run(2, |world| {
        if world.rank() == 1 {
            serve(world);
            return None;
        }
        let (computer, notes) = (Computer::default(), std::sync::Mutex::new(Vec::new()));
        let note = |line: &str| notes.lock().expect("no panic").push(line.to_owned());
        let (found, _) = jobs::lead(
            world,
            &Options::default(),
            |task| computer.work(task),
            |dispatcher| {
                let settings = SearchSettings { depth: 8, task_depth: Some(2), method: Method::Table };
                Searcher::new(dispatcher, 1).with_notes(&note).evaluate(&position(""), &settings)
            },
        )
        .expect("rank 0 ends");
        let found = found.expect("rank 0 has it").map(|evaluation| bits(&evaluation));
        Some((found, notes.into_inner().expect("no panic")))
    });
    results.into_iter().next().expect("rank 0").expect("no panic").expect("rank 0 has it")
}

#[test]
fn others_do_the_tasks_of_a_rank_that_fails() {
    // It ends, it panics, it gives up.
    let ends = |_: &mut ThreadWorld| ();
    let panics = |world: &mut ThreadWorld| {
        let _ = jobs::serve::<_, Job, Reply, String>(world, &Options::default(), |_| panic!("on purpose"));
    };
    let fails = |world: &mut ThreadWorld| {
        let _ = jobs::serve::<_, Job, Reply, String>(world, &Options::default(), |_| Err("out of paper".to_owned()));
    };
    let expected = expected("", 8);
    for (serve, reason) in
        [(&ends as &(dyn Fn(&mut ThreadWorld) + Sync), "ended"), (&panics, "on purpose"), (&fails, "out of paper")]
    {
        let (found, notes) = with_worker(serve);
        assert_eq!(found.expect("the others go on"), expected);
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].starts_with("rank 1 is lost") && notes[0].contains(reason), "{notes:?}");
    }
}

#[test]
fn a_rank_that_sends_something_else_is_named() {
    let garbage = |world: &mut ThreadWorld| {
        world.send(0, JOBS_TAG, vec![99, 1, 2]).expect("it is sent");
        let _ = jobs::serve(world, &Options::default(), |_: Task<'_, Job>| Ok::<_, String>(Reply::Tables));
    };
    let no_answers = |world: &mut ThreadWorld| {
        let _ = jobs::serve(world, &Options::default(), |_: Task<'_, Job>| Ok::<_, String>([9_u8; 3]));
    };
    let other_answers = |world: &mut ThreadWorld| {
        let _ = jobs::serve(world, &Options::default(), |_: Task<'_, Job>| Ok::<_, String>(Reply::Tables));
    };
    for (serve, reason) in [
        (
            &garbage as &(dyn Fn(&mut ThreadWorld) + Sync),
            "rank 1: an unknown message of 3 bytes: the ranks run different programs",
        ),
        (&no_answers, "rank 1: an unknown message of 5 bytes: the ranks run different programs"),
        (&other_answers, "rank 1: it answered a job of another kind"),
    ] {
        let (found, _) = with_worker(serve);
        assert_eq!(found.expect_err("it is named").to_string(), reason);
    }
}

#[test]
fn messages_are_short_and_read_back() {
    let position = position("4453");
    let question = Question { search: 77, position, depth: 9, method: Method::Table, whole_depth: 12 };
    let (value, cpu) = (Value::Guess(-0.25), Duration::from_nanos(123));
    let answer = Answer { value, calls: 1 << 40, cpu };
    let (job, result) = (Job::Average(question), Reply::Average(answer));
    let (job_bytes, result_bytes) = (encode(&job).expect("bytes"), encode(&result).expect("bytes"));
    assert_eq!((decode(&job_bytes), decode(&result_bytes)), (Ok(job), Ok(result)));
    // A message adds its kind and the number of the job: at most 40 bytes in all.
    assert!(job_bytes.len() + 11 <= 40 && result_bytes.len() + 11 <= 40);
    for len in 0..job_bytes.len() {
        assert!(decode::<Job>(&job_bytes[..len]).is_err(), "{len} bytes");
    }
    // Bytes of the right form for what no game has.
    let with_stones = |size: (u32, u32), own: u64, stones: u64| {
        decode::<Question>(&encode(&(77_u32, (size, own, stones), 9_u32, Method::Table, 12_u32)).expect("bytes"))
    };
    assert_eq!(with_stones((7, 6), position.own(), position.stones()), Ok(question));
    for (size, own, stones) in [((7, 6), 0, 0xF0), ((7, 6), 1, 1), ((99, 6), 0, 0), ((7, 6), 0, 1 << 60)] {
        assert!(with_stones(size, own, stones).is_err(), "{size:?}, {own}, {stones}");
    }
    for score in [f64::NAN, 1.5, -2.0] {
        assert!(decode::<Value>(&encode(&Value::Guess(score)).expect("bytes")).is_err(), "{score}");
    }
}

#[test]
fn a_job_that_cannot_be_done_is_refused() {
    let question = Question { search: 1, position: position("4453"), depth: 9, method: Method::Plain, whole_depth: 9 };
    let over = Question { position: position("4141414"), ..question };
    let (deep, whole) = (Question { depth: u32::MAX, ..question }, Question { whole_depth: u32::MAX, ..question });
    for question in [over, deep, whole] {
        let mut world = ThreadWorld::connect(1).pop().expect("a rank");
        let (computer, jobs) = (Computer::default(), [Job::Average(question)]);
        let done =
            map_jobs(&mut world, &Options::default(), jobs, |task| computer.work(task), |_, _| panic!("{question:?}"));
        let reason = done.expect_err("no rank does it").to_string();
        assert_eq!(reason, "no rank is left that works; rank 0: rank 0 sent a job that cannot be done");
    }
}

#[test]
fn decided_parents_cancel_their_tasks() {
    let mut world = ThreadWorld::connect(1).pop().expect("a rank");
    let computer = Computer::default();
    let (calls, _) = jobs::lead(
        &mut world,
        &Options::default(),
        |task| computer.work(task),
        |dispatcher| {
            let mut searcher = Searcher::new(dispatcher, 1);
            let settings = SearchSettings { depth: 8, task_depth: Some(3), method: Method::Plain };
            let all = searcher.evaluate_all_tasks(&position("4444"), &settings).expect("values");
            let some = searcher.evaluate(&position("4444"), &settings).expect("values");
            assert_eq!(bits(&all), bits(&some));
            assert_eq!((all.tasks, all.calls), (342, 3_782_742));
            (some.computed[0], some.calls)
        },
    )
    .expect("it ends");
    let (computed, calls) = calls.expect("rank 0 has it");
    assert!(computed < 342 && calls < 3_782_742, "{computed} tasks, {calls} calls");
}

#[test]
fn a_search_that_nobody_wants_stops() {
    let mut world = ThreadWorld::connect(1).pop().expect("a rank");
    let computer = Computer::default();
    let (found, _) = jobs::lead(
        &mut world,
        &Options::default(),
        |task| computer.work(task),
        |dispatcher| {
            let mut searcher = Searcher::new(dispatcher, 1).while_wanted(&|| false);
            // It would take hours.
            searcher.choose(&position(""), 40)
        },
    )
    .expect("it ends");
    assert!(matches!(found, Some(Err(SearchError::Stopped))));
}
