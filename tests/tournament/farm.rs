//! Rank 0 and the workers of a job, without MPI: both sides of a wire are played by the tests.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use amazons::tournament::farm::{
    Begin, Dismissal, Farm, Hello, Left, Patience, ToRunner, ToWorker, Wire, seating, serve,
};
use amazons::tournament::{
    Event, GameLine, Histogram, Interrupts, Job, Message, Pair, Plan, Workers, physical_cores, read_plan,
};
use amazons_mpi::{Launch, Launcher};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

use crate::support;

const WAIT: Duration = Duration::from_millis(1);

fn hello(machine: &str, cores: &[usize]) -> Hello {
    Hello { host: machine.to_owned(), machine: machine.to_owned(), cores: cores.to_vec() }
}

/// Messages, each with the rank that it is from or for.
type Messages = Rc<RefCell<VecDeque<(usize, Vec<u8>)>>>;

/// What goes through a wire: the test has one end.
#[derive(Clone, Default)]
struct Post {
    arrived: Messages,
    sent: Messages,
    ranks: usize,
}

impl Post {
    fn arrive(&self, from: usize, message: &impl Serialize) {
        self.arrived.borrow_mut().push_back((from, serde_json::to_vec(message).expect("JSON")));
    }

    /// What was sent since the last time.
    fn sent<T: DeserializeOwned>(&self) -> Vec<(usize, T)> {
        let sent = std::mem::take(&mut *self.sent.borrow_mut());
        sent.into_iter().map(|(to, bytes)| (to, serde_json::from_slice(&bytes).expect("a message"))).collect()
    }

    /// The pairs that were handed out since the last time, and to whom.
    fn handed_out(&self) -> Vec<(usize, u32)> {
        let number = |(to, message)| match message {
            ToWorker::Play(job) => Some((to, job.pair.number)),
            _ => None,
        };
        self.sent().into_iter().filter_map(number).collect()
    }
}

impl Wire for Post {
    fn size(&self) -> usize {
        self.ranks
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), String> {
        self.sent.borrow_mut().push_back((to, bytes));
        Ok(())
    }

    fn unsent(&mut self) -> Result<usize, String> {
        Ok(0)
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, String> {
        Ok(self.arrived.borrow_mut().pop_front())
    }
}

/// A runner with two workers, of one game at a time each.
fn farm(patience: Patience) -> (Post, Farm<Post>) {
    let post = Post { ranks: 3, ..Post::default() };
    for rank in [1, 2] {
        post.arrive(rank, &ToRunner::Hello(hello("node", &[rank])));
    }
    let farm = Farm::assemble(post.clone(), 1, patience);
    (post, farm)
}

fn job(number: u32) -> Job {
    Job { pair: Pair { number, stage: 1, players: [0, 1], board: 0, opening: 0 }, games: [true; 2] }
}

fn game(pair: u32, game: u8, wall_ms: u64) -> ToRunner {
    let line = serde_json::json!({
        "pair": pair, "game": game, "players": ["a", "b"], "winner": 1, "termination": "no_moves", "at_fault": [],
        "moves": 9, "fingerprint": "0", "slowest_us": [1, 1], "wall_us": wall_ms * 1000, "host": "node", "speed": 1.0,
        "record": null, "logs": [null, null],
    });
    ToRunner::Game(Box::new(serde_json::from_value::<GameLine>(line).expect("a line")), Histogram::default())
}

#[test]
fn pairs_of_a_worker_that_fails_are_played_by_the_others() {
    let (post, mut farm) = farm(Patience::default());
    assert_eq!(farm.room(), 2);
    for number in 1..=3 {
        farm.push(job(number));
    }
    let mut first = post.handed_out();
    first.sort_unstable();
    assert_eq!(first.iter().map(|(to, _)| *to).collect::<Vec<_>>(), [1, 2], "one each, one waits");
    let (lost, kept) = (first[0].1, first[1].1);
    post.arrive(1, &game(lost, 1, 900));
    post.arrive(1, &ToRunner::Failed("no more room".to_owned()));
    assert!(matches!(farm.message(WAIT), Ok(Message::Game(line, _)) if (line.pair, line.game) == (lost, 1)));
    let Ok(Message::Note(note)) = farm.message(WAIT) else { panic!("a note") };
    assert_eq!(note, "rank 1 on node plays no more: no more room");
    assert_eq!(farm.room(), 0);
    for game in [game(kept, 1, 900), game(kept, 2, 900)] {
        post.arrive(2, &game);
        assert!(matches!(farm.message(WAIT), Ok(Message::Game(..))));
    }
    assert_eq!(post.handed_out(), [(2, 3)]);
    post.arrive(2, &game(3, 1, 900));
    post.arrive(2, &game(3, 2, 900));
    while farm.message(WAIT).is_ok() {}
    let rest: Vec<(usize, ToWorker)> = post.sent();
    let Some((2, ToWorker::Play(job))) = rest.last() else { panic!("{rest:?}") };
    assert_eq!((job.pair.number, job.games), (lost, [false, true]), "its first game is not played again");
    post.arrive(2, &ToRunner::Failed("nor here".to_owned()));
    assert!(matches!(farm.message(WAIT), Ok(Message::Note(_))));
    let Ok(Message::Failed(reason)) = farm.message(WAIT) else { panic!("the end") };
    assert_eq!(reason, "no rank is left that plays; rank 2 on node plays no more: nor here");
    assert_eq!(farm.message(WAIT).expect_err("nobody is left"), RecvTimeoutError::Disconnected);
    assert_eq!(farm.dismiss().1, Dismissal::Together, "they failed, but are there");
}

#[test]
fn a_silent_worker_is_given_up() {
    let patience = Patience { alive_every: Duration::from_millis(5), lost_after: Duration::from_millis(300) };
    let (post, mut farm) = farm(patience);
    farm.push(job(1));
    farm.push(job(2));
    let of_first = post.handed_out().into_iter().find(|(to, _)| *to == 1).expect("a pair").1;
    let note = loop {
        post.arrive(2, &ToRunner::Alive);
        match farm.message(Duration::from_millis(10)) {
            Ok(Message::Note(note)) => break note,
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(note, "rank 1 on node plays no more: nothing was heard of it for 0.3 s");
    let sent: Vec<(usize, ToWorker)> = post.sent();
    assert!(sent.contains(&(1, ToWorker::Alive)) && sent.contains(&(2, ToWorker::Alive)), "{sent:?}");
    // It comes back too late: others may have played that.
    post.arrive(1, &game(of_first, 1, 900));
    assert!(matches!(farm.message(WAIT), Err(RecvTimeoutError::Timeout)));
    assert_eq!(farm.dismiss().1, Dismissal::Scattered, "MPI would wait for it");
    let said: Vec<(usize, ToWorker)> = post.sent();
    assert!(said.contains(&(2, ToWorker::End { together: false })), "{said:?}");
}

#[test]
fn quick_workers_have_pairs_in_advance_and_stop_at_once() {
    let (post, mut farm) = farm(Patience::default());
    for number in 1..=2 {
        farm.push(job(number));
    }
    let pairs = post.handed_out();
    let of = |rank| pairs.iter().find(|(to, _)| *to == rank).expect("a pair").1;
    post.arrive(1, &game(of(1), 1, 2));
    assert!(matches!(farm.message(WAIT), Ok(Message::Game(..))));
    assert_eq!(farm.room(), 2, "its next games would be over before a pair could arrive");
    farm.push(job(3));
    assert_eq!(post.handed_out(), [(1, 3)]);
    farm.stop();
    let sent: Vec<(usize, ToWorker)> = post.sent();
    assert_eq!(sent, [(1, ToWorker::Stop), (2, ToWorker::Stop)]);
    post.arrive(1, &ToRunner::Bye);
    post.arrive(2, &game(of(2), 1, 2));
    post.arrive(2, &ToRunner::Bye);
    assert!(matches!(farm.message(WAIT), Ok(Message::Game(..))), "what was running is kept");
    assert_eq!(farm.message(WAIT).expect_err("they have left"), RecvTimeoutError::Disconnected);
    assert_eq!(post.handed_out(), []);
    assert_eq!(farm.dismiss().1, Dismissal::Together);
}

#[test]
fn a_worker_that_fails_while_it_stops_fails_nothing() {
    let (post, mut farm) = farm(Patience::default());
    farm.stop();
    post.arrive(1, &ToRunner::Failed("killed".to_owned()));
    post.arrive(2, &ToRunner::Bye);
    assert!(matches!(farm.message(WAIT), Ok(Message::Note(_))));
    assert_eq!(farm.message(WAIT).expect_err("they have left"), RecvTimeoutError::Disconnected);
}

#[test]
fn a_runner_that_was_busy_gives_up_nobody() {
    let patience = Patience { alive_every: Duration::from_millis(5), lost_after: Duration::from_millis(40) };
    let (post, mut farm) = farm(patience);
    farm.push(job(1));
    std::thread::sleep(Duration::from_millis(80));
    assert!(matches!(farm.message(WAIT), Err(RecvTimeoutError::Timeout)));
    // Who drops running games does not wait for those who play them.
    assert_eq!(farm.dismiss().1, Dismissal::Scattered);
    let said: Vec<(usize, ToWorker)> = post.sent();
    assert!(said.contains(&(1, ToWorker::End { together: false })), "{said:?}");
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
        // A batch script is no step: it stands alone.
        (&slurm[..1], None),
        (&[slurm[0], slurm[1], slurm[2], ("PMIX_RANK", "1")], Some((Launcher::Pmix, 1, 4))),
        (&[slurm[0], slurm[1], slurm[2], ("PMI_RANK", "1"), ("PMI_SIZE", "4")], Some((Launcher::Mpich, 1, 4))),
    ] {
        assert_eq!(detect(variables), expected, "{variables:?}");
    }
}

/// A runner that sends what the test says, and the end once a worker has said its last word.
struct Runner {
    says: VecDeque<ToWorker>,
    heard: Vec<ToRunner>,
}

impl Wire for Runner {
    fn size(&self) -> usize {
        2
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), String> {
        assert_eq!(to, 0);
        let message = serde_json::from_slice(&bytes).expect("a message");
        let games = self.heard.iter().filter(|message| matches!(message, ToRunner::Game(..))).count();
        match message {
            ToRunner::Failed(_) | ToRunner::Bye => self.says.push_back(ToWorker::End { together: true }),
            ToRunner::Game(..) if games == 1 => self.says.push_back(ToWorker::Stop),
            _ => {}
        }
        self.heard.push(message);
        Ok(())
    }

    fn unsent(&mut self) -> Result<usize, String> {
        Ok(0)
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, String> {
        Ok(self.says.pop_front().map(|message| (0, serde_json::to_vec(&message).expect("JSON"))))
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

fn begin(plan: &Plan, folder: &Path) -> ToWorker {
    let cores = physical_cores().expect("cores");
    ToWorker::Begin(Box::new(Begin {
        plan: plan.clone(),
        folder: folder.to_owned(),
        games: 1,
        cores,
        games_of_machine: 1,
    }))
}

/// What a worker says to that, after its first word.
fn heard(says: Vec<ToWorker>) -> Vec<ToRunner> {
    let mut runner = Runner { says: says.into(), heard: Vec::new() };
    let left = serve(&mut runner, &Interrupts::default(), Patience::default());
    assert_eq!(left, Ok(Left::Dismissed(Dismissal::Together)));
    assert!(matches!(&runner.heard[0], ToRunner::Hello(hello) if !hello.cores.is_empty()));
    runner.heard.split_off(1)
}

#[test]
fn a_worker_refuses_another_file_and_another_folder() {
    let (root, plan) = event();
    let elsewhere = heard(vec![begin(&plan, root.path())]);
    let [ToRunner::Failed(reason)] = &elsewhere[..] else { panic!("{elsewhere:?}") };
    assert!(
        reason.ends_with("is not the event's folder here: use --dir with a folder that all machines share"),
        "{reason}"
    );
    fs::copy(support::player("territory"), root.path().join("random.so")).expect("another player");
    let other = heard(vec![begin(&plan, &root.path().join("event")), ToWorker::Play(job(1))]);
    let [ToRunner::Failed(reason)] = &other[..] else { panic!("{other:?}") };
    assert!(
        reason.starts_with("player random: ") && reason.contains("is not the file that the event began with"),
        "{reason}"
    );
}

#[test]
fn a_worker_that_is_silent_itself_ends_when_the_runner_is() {
    let mut runner = Runner { says: VecDeque::new(), heard: Vec::new() };
    let patience = Patience { alive_every: Duration::from_millis(20), lost_after: Duration::from_millis(20) };
    let left = serve(&mut runner, &Interrupts::default(), patience);
    assert_eq!(left, Err("nothing was heard of rank 0 for 0.1 s".to_owned()));
    assert!(runner.heard.iter().filter(|message| **message == ToRunner::Alive).count() > 1, "{:?}", runner.heard);
}
