//! Fixed work for the engine.

use std::sync::Arc;

use amazons::bench::{best_first, depth_first, evaluate};
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
