//! Rank 0 and the workers of an event, over threads' messages: the tests play one of the sides.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use amazons::tournament::cores::physical_cores;
use amazons::tournament::ranks::{Begin, Hello, Left, Played, RankJob, RankPool, SetUp, seating, serve};
use amazons::tournament::schedule::Pair;
use amazons::tournament::{Event, GameLine, Histogram, Message, PairJob, Plan, Workers, read_plan};
use amazons_mpi::jobs::{self, Dismissal, Dispatcher, JOBS_TAG, JobId, Options, Order, Timeouts};
use amazons_mpi::{Deadline, Json, Launch, Launcher, ThreadWorld, World as _};
use amazons_program::Interrupt;
use amazons_testing::wait_for;
use tempfile::TempDir;

use crate::support;

const WAIT: Duration = Duration::from_millis(1);

fn hello(machine: &str, cores: &[usize]) -> Hello {
    Hello { host: machine.to_owned(), machine: machine.to_owned(), cores: cores.to_vec() }
}

/// A worker that the test plays.
struct Worker(jobs::Worker<ThreadWorld, RankJob, Played, SetUp>);

impl Worker {
    /// The messages since the last time.
    fn orders(&mut self) -> Vec<Order<RankJob, SetUp>> {
        std::iter::from_fn(|| self.0.next_order().expect("the runner is there")).collect()
    }

    /// The pairs given to it since the last time.
    fn given(&mut self) -> Vec<(JobId, PairJob)> {
        let job = |order: Order<RankJob, SetUp>| match order {
            Order::Job { id, job } => Some((id, job.pair)),
            _ => None,
        };
        self.orders().into_iter().filter_map(job).collect()
    }

    /// Plays the first game of a pair, or the last one.
    fn plays(&mut self, (id, job): (JobId, PairJob), number: u8, wall_ms: u64) {
        let played = game(job.pair.number, number, wall_ms);
        if number == 1 { self.0.partial(id, played) } else { self.0.finish(id, played) }.expect("it is sent");
    }
}

/// A runner with two workers, each with one game at a time.
fn ranks(timeouts: Timeouts) -> (RankPool<ThreadWorld>, [Worker; 2]) {
    let mut worlds = ThreadWorld::connect(3).into_iter();
    let runner = worlds.next().expect("rank 0");
    let worker = |(index, world)| {
        let mut worker = jobs::Worker::new(world, timeouts);
        worker.tell(SetUp::Hello(hello("node", &[index + 1]))).expect("it is sent");
        Worker(worker)
    };
    let workers: Vec<Worker> = worlds.enumerate().map(worker).collect();
    (RankPool::assemble(runner, 1, timeouts), workers.try_into().ok().expect("two"))
}

/// A worker's messages about an event before its pairs.
fn plan() -> Arc<Plan> {
    Arc::new(super::journal::plan())
}

fn job(number: u32) -> PairJob {
    PairJob { pair: Pair { number, stage: 1, players: [0, 1], board: 0, opening: 0 }, games: [true; 2] }
}

fn game(pair: u32, game: u8, wall_ms: u64) -> Played {
    let line = serde_json::json!({
        "pair": pair, "game": game, "players": ["a", "b"], "winner": 1, "termination": "no_moves", "at_fault": [],
        "moves": 9, "fingerprint": "0", "slowest_us": [1, 1], "wall_us": wall_ms * 1000, "host": "node", "speed": 1.0,
        "record": null, "logs": [null, null],
    });
    Played(Json(Box::new(serde_json::from_value::<GameLine>(line).expect("a line"))), Histogram::default())
}

#[test]
fn pairs_of_a_worker_that_fails_are_played_by_the_others() {
    let (mut pool, [mut one, mut two]) = ranks(Timeouts::default());
    assert_eq!((pool.room(), pool.strength()), (2, (2, 2)));
    for number in 1..=3 {
        pool.push(job(number), &plan());
    }
    let (first, second) = (one.given(), two.given());
    assert_eq!((first.len(), second.len()), (1, 1), "one each, one waits");
    let lost = first[0].1.pair.number;
    one.plays(first[0], 1, 900);
    one.0.fail("no more room".to_owned()).expect("it is sent");
    assert!(matches!(pool.message(WAIT), Ok(Message::Game(line, _)) if (line.pair, line.game) == (lost, 1)));
    let Ok(Message::Note(note)) = pool.message(WAIT) else { panic!("a note") };
    assert_eq!(note, "rank 1 on node plays no more: no more room");
    assert_eq!(pool.room(), 0);
    for number in [1, 2] {
        two.plays(second[0], number, 900);
        assert!(matches!(pool.message(WAIT), Ok(Message::Game(..))));
    }
    let rest = two.given();
    assert_eq!(rest[0].1, PairJob { games: [false, true], ..job(lost) }, "its first game is not played again");
    two.plays(rest[0], 2, 900);
    while pool.message(WAIT).is_ok() {}
    assert_eq!(two.given()[0].1, job(3));
    two.0.fail("nor here".to_owned()).expect("it is sent");
    assert!(matches!(pool.message(WAIT), Ok(Message::Note(_))));
    let Ok(Message::Failed(reason)) = pool.message(WAIT) else { panic!("the end") };
    assert_eq!(reason, "no rank is left that plays; rank 2 on node plays no more: nor here");
    assert_eq!(pool.message(WAIT).expect_err("nobody is left"), RecvTimeoutError::Disconnected);
    assert_eq!(pool.dismiss().1, Dismissal::Together, "they failed, but are there");
}

#[test]
fn a_silent_worker_is_given_up() {
    let timeouts = Timeouts { alive_every: Duration::from_millis(5), lost_after: Duration::from_millis(300) };
    let (mut pool, [mut one, mut two]) = ranks(timeouts);
    pool.push(job(1), &plan());
    pool.push(job(2), &plan());
    let of_first = one.given()[0];
    // The other one answers between any two looks.
    let note = wait_for("a worker is given up", || {
        two.orders();
        match pool.message(Duration::ZERO) {
            Ok(Message::Note(note)) => Some(note),
            Err(RecvTimeoutError::Timeout) => None,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(note, "rank 1 on node plays no more: nothing was heard of it for 0.3 s");
    // It comes back too late: another worker may have played that.
    one.plays(of_first, 1, 900);
    assert!(matches!(pool.message(WAIT), Err(RecvTimeoutError::Timeout)));
    let (_world, dismissal) = pool.dismiss();
    assert_eq!(dismissal, Dismissal::Scattered, "MPI would wait for it");
    assert!(two.orders().contains(&Order::End(Dismissal::Scattered)));
}

#[test]
fn quick_workers_have_pairs_in_advance_and_stop_at_once() {
    let (mut pool, [mut one, mut two]) = ranks(Timeouts::default());
    for number in 1..=2 {
        pool.push(job(number), &plan());
    }
    let (first, second) = (one.given()[0], two.given()[0]);
    one.plays(first, 1, 2);
    assert!(matches!(pool.message(WAIT), Ok(Message::Game(..))));
    assert_eq!(pool.room(), 2, "its next games would be over before a pair could arrive");
    pool.push(job(3), &plan());
    assert_eq!(one.given()[0].1, job(3));
    pool.stop();
    assert_eq!((one.orders(), two.orders()), (vec![Order::Stop], vec![Order::Stop]));
    one.0.bye().expect("it is sent");
    two.plays(second, 2, 2);
    two.0.bye().expect("it is sent");
    assert!(matches!(pool.message(WAIT), Ok(Message::Game(..))), "what was running is kept");
    assert_eq!(pool.message(WAIT).expect_err("they have left"), RecvTimeoutError::Disconnected);
    assert_eq!((one.orders(), two.orders()), (vec![], vec![]));
    assert_eq!(pool.dismiss().1, Dismissal::Together);
}

#[test]
fn a_worker_that_fails_while_it_stops_fails_nothing() {
    let (mut pool, [mut one, mut two]) = ranks(Timeouts::default());
    pool.stop();
    one.0.fail("killed".to_owned()).expect("it is sent");
    two.0.bye().expect("it is sent");
    assert!(matches!(pool.message(WAIT), Ok(Message::Note(_))));
    assert_eq!(pool.message(WAIT).expect_err("they have left"), RecvTimeoutError::Disconnected);
}

#[test]
fn a_worker_of_another_server_is_given_up() {
    let (mut pool, [mut one, mut two]) = ranks(Timeouts::default());
    pool.push(job(1), &plan());
    pool.push(job(2), &plan());
    let first = one.given()[0];
    // A game of another pair, a message of the wrong side, and foreign bytes.
    one.0.finish(first.0, game(9, 1, 900)).expect("it is sent");
    let Ok(Message::Note(note)) = pool.message(WAIT) else { panic!("a note") };
    assert_eq!(
        note,
        format!("rank 1 on node plays no more: it sent a game of pair 9 for pair {}", first.1.pair.number)
    );
    two.0.tell(SetUp::Begin(Box::new(begin(&plan(), Path::new("/"))))).expect("it is sent");
    let Ok(Message::Note(note)) = pool.message(WAIT) else { panic!("a note") };
    assert_eq!(note, "rank 2 on node plays no more: it sent what only a runner sends");
    assert!(matches!(pool.message(WAIT), Ok(Message::Failed(_))));
    let mut worlds = ThreadWorld::connect(2);
    let mut other = worlds.pop().expect("rank 1");
    let mut worker = jobs::Worker::<_, RankJob, Played, SetUp>::new(&mut other, Timeouts::default());
    worker.tell(SetUp::Hello(hello("node", &[1]))).expect("it is sent");
    let mut pool = RankPool::assemble(worlds.pop().expect("rank 0"), 1, Timeouts::default());
    other.send(0, JOBS_TAG, b"?".to_vec()).expect("it is sent");
    let Ok(Message::Note(note)) = pool.message(WAIT) else { panic!("a note") };
    assert!(note.starts_with("rank 1 on node plays no more: an unknown message of 1 bytes: "), "{note}");
    assert!(matches!(pool.message(WAIT), Ok(Message::Failed(_))));
}

#[test]
fn every_game_has_a_core_of_its_own_while_there_are_enough() {
    let cores = |ranks: &[Hello], games, threads| seating(ranks, games, threads);
    // Launchers bind to cores, to sockets, or not at all.
    let ranks = [hello("a", &[0, 1, 2, 3]), hello("a", &[0, 1]), hello("b", &[0, 1]), hello("a", &[1])];
    let (seats, crowded) = cores(&ranks, 1, 1);
    assert_eq!((seats, crowded), (vec![vec![2], vec![0], vec![0], vec![1]], None));
    let (seats, crowded) = cores(&ranks[..1], 3, 1);
    assert_eq!((seats, crowded), (vec![vec![0, 1, 2]], None));
    for (games, threads) in [(1, 2), (2, 1)] {
        let crowded = cores(&ranks[..2], games, threads).1;
        assert_eq!(crowded, None, "four cores are enough");
        let crowded = cores(&ranks, games, threads).1.expect("they are not").to_string();
        let wanted = 3 * games;
        assert_eq!(crowded, format!("{wanted} games at a time on a need 6 cores, and its ranks may use 4"));
    }
    assert_eq!(cores(&[], 1, 1), (vec![], None));
}

#[test]
fn launchers_are_told_by_their_variables() {
    let detect = |variables: &[(&str, &str)]| {
        Launch::detect(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
            .map(|Launch { launcher, rank, size }| (launcher, rank, size))
    };
    let slurm = [("SLURM_PROCID", "1"), ("SLURM_STEP_ID", "0"), ("SLURM_STEP_NUM_TASKS", "4")];
    for (variables, expected) in [
        (&[][..], None),
        (&[("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "3")], Some((Launcher::OpenMpi, 2, 3))),
        (&[("PMI_RANK", "0"), ("PMI_SIZE", "8")], Some((Launcher::Mpich, 0, 8))),
        (&[("PMI_RANK", "8"), ("PMI_SIZE", "8")], None),
        (&[("PMI_RANK", "x"), ("PMI_SIZE", "8")], None),
        (&slurm, Some((Launcher::Srun, 1, 4))),
        // A batch script is not a step: it stands alone.
        (&slurm[..1], None),
        (&[slurm[0], slurm[1], slurm[2], ("PMIX_RANK", "1")], Some((Launcher::Pmix, 1, 4))),
        (&[slurm[0], slurm[1], slurm[2], ("PMI_RANK", "1"), ("PMI_SIZE", "4")], Some((Launcher::Mpich, 1, 4))),
    ] {
        assert_eq!(detect(variables), expected, "{variables:?}");
    }
}

/// An event of one pair in a folder.
fn event() -> (TempDir, Arc<Plan>) {
    let root = tempfile::tempdir().expect("a folder");
    for name in ["random", "territory"] {
        fs::copy(support::player(name), root.path().join(format!("{name}.so"))).expect("a player");
    }
    let text = "boards = [\"c5\"]\nrecords = \"none\"\n[[players]]\nfile = \"random.so\"\n[[players]]\nfile = \"territory.so\"\n";
    fs::write(root.path().join("event.toml"), text).expect("a plan");
    let plan = read_plan(&root.path().join("event.toml")).expect("a plan");
    let open = Event::open(&root.path().join("event"), plan).expect("an event");
    (root, Arc::clone(open.event.plan()))
}

fn begin(plan: &Plan, folder: &Path) -> Begin {
    let cores = physical_cores().expect("cores");
    Begin { plan: Json(plan.clone()), folder: folder.to_owned(), games: 1, cores, games_of_machine: 1 }
}

/// Returns why a worker refuses an event, after saying where it is.
fn refusal(begin: Begin) -> String {
    let mut worlds = ThreadWorld::connect(2);
    let mut world = worlds.pop().expect("rank 1");
    let runner = worlds.pop().expect("rank 0");
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || serve(&mut world, &Interrupt::default(), Timeouts::default()));
        let mut dispatcher: Dispatcher<_, RankJob, Played, SetUp> =
            Dispatcher::new(runner, &Options { in_hand: 1, ..Options::default() });
        let first = dispatcher.next_event(Deadline::NEVER);
        let Ok(Some(jobs::Event::Message { message: SetUp::Hello(hello), .. })) = first else { panic!("a first word") };
        assert!(!hello.cores.is_empty());
        dispatcher.tell(1, SetUp::Begin(Box::new(begin)));
        // It has refused by the time that this arrives.
        dispatcher.push(&RankJob { pair: job(1), plan: None });
        let Ok(Some(jobs::Event::Left { rank: 1, reason: Some(reason) })) = dispatcher.next_event(Deadline::NEVER)
        else {
            panic!("a last word")
        };
        assert_eq!(dispatcher.dismiss().1, Dismissal::Together);
        assert_eq!(worker.join().expect("no panic"), Ok(Left::Dismissed(Dismissal::Together)));
        reason
    })
}

#[test]
fn a_worker_refuses_another_file_and_another_folder() {
    let (root, plan) = event();
    let elsewhere = refusal(begin(&plan, root.path()));
    assert!(elsewhere.ends_with("is not the same folder here: name one that all machines share"), "{elsewhere}");
    fs::copy(support::player("territory"), root.path().join("random.so")).expect("another player");
    let other = refusal(begin(&plan, &root.path().join("event")));
    assert!(
        other.starts_with("player random: ") && other.contains("is not the file that the event began with"),
        "{other}"
    );
}

#[test]
fn a_worker_that_is_silent_itself_ends_when_the_runner_is() {
    let mut worlds = ThreadWorld::connect(2);
    let mut world = worlds.pop().expect("rank 1");
    let timeouts = Timeouts { alive_every: Duration::from_millis(20), lost_after: Duration::from_millis(20) };
    let left = serve(&mut world, &Interrupt::default(), timeouts);
    assert_eq!(left, Err("nothing was heard of rank 0 for 0.1 s".to_owned()));
}
