//! The perfect player on ranks: scores never depend on their number, or on lost messages.

use std::sync::Mutex;
use std::time::Duration;

use amazons_mpi::jobs::{self, Options, Timeouts};
use amazons_mpi::{ThreadWorld, World};
use amazons_testing::{Faults, FaultyWorld};
use connect4::Size;
use connect4::jobs::Job;
use connect4::perfect::Solver;
use connect4::perfect::frontier::Frontier;

use super::{MEMORY, position};

/// Positions with few and many free cells, one that ends with the next stone, and one that is over.
const POSITIONS: [&str; 6] = [
    "2252576253462244111563365343671351441",
    "7137137772572421345312451664",
    "5554224333234511764415115",
    "2113121222725633415156",
    "121212",
    "1212121",
];

fn scores(world: &mut impl World) -> Option<Vec<(i32, i32)>> {
    let solver = Mutex::new(Solver::new(Size::STANDARD, MEMORY, 1).expect("8 MiB"));
    let timeouts = Timeouts { alive_every: Duration::from_millis(20), lost_after: Duration::from_secs(60) };
    let options = Options { timeouts, ..Options::default() };
    let (ranks, never) = (world.size(), || false);
    let work = |task: jobs::Task<'_, Job>| {
        let Job::Perfect(question) = task.job else { return Err("another kind of job".to_owned()) };
        let answer = solver.lock().expect("no panic").answer(question, &|| task.is_cancelled());
        answer.ok_or_else(|| "stopped".to_owned())
    };
    let led = jobs::lead(world, &options, work, |dispatcher| {
        let mut frontier = Frontier::new(dispatcher, ranks);
        let mut solve = |moves| {
            let position = position(Size::STANDARD, moves);
            let score = frontier.score(&position, &never).expect("ranks");
            (score, frontier.winner(&position, &never).expect("ranks"))
        };
        let all = POSITIONS.map(&mut solve).to_vec();
        // A solver of rank 0 that tries first, and gives the larger ones up, changes nothing.
        let mut own = Solver::new(Size::STANDARD, MEMORY, 1).expect("8 MiB");
        let mut frontier = Frontier::new(dispatcher, ranks).trying_alone(&mut own, 5000);
        for (moves, (score, winner)) in POSITIONS.iter().zip(&all) {
            let position = position(Size::STANDARD, moves);
            assert_eq!(frontier.score(&position, &never).expect("ranks"), *score, "{moves}");
            assert_eq!(frontier.winner(&position, &never).expect("ranks"), *winner, "{moves}");
            let best = frontier.best(&position, &never).expect("ranks");
            let expected = super::solver(Size::STANDARD, 1).best(&position, &never).map(|column| (column, *score));
            assert_eq!(best, expected, "{moves}");
        }
        all
    });
    led.expect("rank 0 lives").0
}

fn expected() -> Vec<(i32, i32)> {
    let mut solver = super::solver(Size::STANDARD, 1);
    POSITIONS.iter().map(|moves| super::score(&mut solver, moves)).map(|score| (score, score.signum())).collect()
}

#[test]
fn any_number_of_ranks_finds_the_same_scores() {
    for ranks in 1..=4 {
        let results = ThreadWorld::run(ranks, scores);
        assert_eq!(results[0].as_ref().expect("rank 0").as_deref(), Some(&expected()[..]), "{ranks} ranks");
    }
}

#[test]
fn late_and_lost_messages_change_nothing() {
    for seed in 0..3 {
        let results = ThreadWorld::run(3, |world| {
            let faults = Faults { seed, delayed: 200, delay: Duration::from_millis(2), lost: 50, ..Faults::default() };
            scores(&mut FaultyWorld::new(world, faults))
        });
        assert_eq!(results[0].as_ref().expect("rank 0").as_deref(), Some(&expected()[..]), "seed {seed}");
    }
}
