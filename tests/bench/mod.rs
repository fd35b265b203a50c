//! Fixed work for the engine.

mod timing;

use std::sync::Arc;

use amazons::bench::{bench_rows, best_first, depth_first, evaluate, median, positions, ratios};
use amazons_engine::{Isa, random_playouts};
use amazons_rules::{Board, Position, Shape};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

#[test]
fn counts_do_not_depend_on_the_instructions() {
    for (shape, m, depth, visits) in
        [(Shape::Square, 8, 3, 1_500), (Shape::Clover, 10, 3, 500), (Shape::Donut, 17, 1, 30)]
    {
        let position = Position::start(Arc::new(Board::new(shape, m).expect("a legal size")));
        let counted = |isa| {
            let [depth_first, best_first] = [depth_first(&position, isa, depth), best_first(&position, isa, visits)];
            assert_eq!((depth_first.depth, best_first.nodes), (depth, visits));
            let evaluated = evaluate(&position, isa, 1);
            assert!(evaluated.evaluations > 100);
            let searches =
                [depth_first, best_first].map(|searched| (searched.nodes, searched.signature, searched.depth));
            (searches, evaluated.evaluations, evaluated.sum)
        };
        let expected = counted(Isa::PORTABLE);
        for isa in Isa::available().into_iter().filter(|isa| *isa != Isa::PORTABLE) {
            assert_eq!(counted(isa), expected, "{} on {shape:?} {m}", isa.name());
        }
    }
}

#[test]
fn signatures_tell_other_work_apart() {
    let position = Position::start(Arc::new(Board::new(Shape::Square, 6).expect("a legal size")));
    let isa = Isa::best();
    let trees = [100, 200, 400].map(|visits| best_first(&position, isa, visits).signature);
    assert!(trees.is_sorted() && trees[0] < trees[2], "{trees:?}");
    let nodes = [1, 2, 3].map(|depth| depth_first(&position, isa, depth).signature);
    assert!(nodes[0] < nodes[1] && nodes[1] < nodes[2], "{nodes:?}");
}

#[test]
fn playouts_are_those_of_the_rules() {
    let start = Position::start(Arc::new(Board::new(Shape::Donut, 6).expect("a legal size")));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let plies: u64 = (0..50).map(|_| u64::from(start.clone().random_playout(&mut rng))).sum();
    assert_eq!(random_playouts(&start, 5, 50), plies);
    assert_ne!(random_playouts(&start, 6, 50), plies, "another seed plays other games");
}

/// The output of `bench` before it measured processor time, and that of a newer version.
const OLDER: &str = "perft                   vertices          nodes   seconds    G nodes/s
standard 10x10               100      172286080     0.220         0.78
gone 10                       84      168750400     0.345         0.49

best-first search       vertices          nodes   seconds         tree    k nodes/s depth
standard 10x10               100          40000     0.500       755843         91.4    18

search nodes: 3118179000000000000
nodes: 40227501
";

#[test]
fn rows_of_bench_are_read_back() {
    let rows = bench_rows(OLDER);
    let read: Vec<_> = rows.iter().map(|row| (row.table.as_str(), row.name.as_str(), row.count, row.seconds)).collect();
    let expected = [
        ("perft", "standard 10x10", 172_286_080, 0.22),
        ("perft", "gone 10", 168_750_400, 0.345),
        ("best-first search", "standard 10x10", 40_000, 0.5),
    ];
    assert_eq!(read, expected);
}

#[test]
fn builds_are_compared_run_by_run() {
    let newer = |seconds: f64| {
        let text = OLDER.replace("gone", "new ").replace("0.220", &format!("{seconds:.3}"));
        bench_rows(&text.replace("         40000     0.500", "         80000     0.500"))
    };
    // The machine was slower in the second run, for both.
    let slow = bench_rows(&OLDER.replace("0.220", "2.200"));
    let runs = [[newer(0.11), bench_rows(OLDER)], [newer(1.1), slow], [newer(0.22), bench_rows(OLDER)]];
    let compared = ratios(&runs);
    let rows: Vec<_> =
        compared.iter().map(|row| (row.row[0].as_str(), row.row[1].as_str(), row.is_same_work)).collect();
    assert_eq!(rows, [("perft", "standard 10x10", true), ("best-first search", "standard 10x10", false)]);
    assert!((compared[0].ratio - 2.0).abs() < 1e-9 && (compared[1].ratio - 2.0).abs() < 1e-9, "{compared:?}");
    assert!((compared[0].speeds[1] - 172_286_080.0 / 0.22).abs() < 1.0, "{compared:?}");
    assert_eq!(ratios(&[]), []);
}

#[test]
fn the_middle_counts() {
    assert_eq!([median(vec![3.0, 1.0, 2.0]), median(vec![1.0, 2.0]), median(Vec::new())], [2.0, 2.0, 0.0]);
}

#[test]
fn positions_go_from_open_to_closed() {
    let all = positions(&Position::standard());
    assert_eq!((all[0].perft(1), all.iter().filter(|position| !position.has_moves()).count()), (2176, 40));
}
