//! The chances that people are told.

use std::sync::Arc;

use amazons_engine::{AnyGame, EngineConfig, EvalTable, Game, Isa, Method, SearchResult, chance, engine};
use amazons_rules::{Board, Position, Shape};
use amazons_search::{Limits, MctsConfig, Outcome, Player, Proof};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn start(shape: Shape, m: u32) -> Position {
    Position::start(Arc::new(Board::new(shape, m).expect("the size is legal")))
}

fn searched(position: &Position, nodes: u64) -> SearchResult {
    let method = Method::BestFirst(MctsConfig { memory_bytes: 64 << 20, ..MctsConfig::default() });
    let table = Arc::new(EvalTable::standard());
    let mut engine = engine(Arc::clone(position.board()), table, EngineConfig::new(method)).expect("not too large");
    engine.search(position, &mut Limits::nodes(nodes)).expect("nobody is blocked at the start")
}

#[test]
fn no_side_is_all_but_sure_of_a_large_board_at_its_start() {
    for shape in Shape::ALL {
        for m in [20, 26, 30, 40] {
            let position = start(shape, m);
            for nodes in [1, 300] {
                let result = searched(&position, nodes);
                let chance = chance(result.value, result.proof, &position);
                assert!((0.35..=0.85).contains(&chance), "{shape:?} {m}: {chance} from {}", result.value);
            }
        }
    }
}

#[test]
fn chances_of_few_free_vertices_are_those_of_the_search() {
    let mut late = start(Shape::Square, 14);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    while late.board().vertices().filter(|&vertex| late.is_free(vertex)).count() > 128 {
        late.play_unchecked(late.random_move(&mut rng).expect("much is free"));
    }
    let small = Shape::ALL.into_iter().flat_map(|shape| [8, 10, 12].map(|m| start(shape, m)));
    for position in small.chain([Position::standard(), late]) {
        for value in [-0.99_f32, -0.5, -0.123, 0.0, 0.3, 0.99] {
            assert_eq!(chance(value, None, &position), f32::midpoint(value, 1.0), "{position}");
        }
        let AnyGame::Small(game) =
            AnyGame::new(Arc::clone(position.board()), Arc::new(EvalTable::standard()), Isa::best())
        else {
            panic!("{position} is small");
        };
        let evaluation = game.evaluate(&game.state(&position));
        assert_eq!(evaluation.chance(&position), evaluation.value(), "{position}");
    }
}

#[test]
fn chances_rise_with_values_and_only_proofs_are_certain() {
    for position in [Position::standard(), start(Shape::Clover, 20), start(Shape::Donut, 40)] {
        let values = (-10..=10).map(|tenths| tenths as f32 / 10.0);
        let chances: Vec<f32> = values.map(|value| chance(value, None, &position)).collect();
        assert!(chances.is_sorted_by(|one, next| one < next), "{position}: {chances:?}");
        assert!(chances[0] > 0.0 && chances[20] < 1.0, "{position}: {chances:?}");
        for (one, other) in chances.iter().zip(chances.iter().rev()) {
            assert!((one + other - 1.0).abs() < 1e-5, "{position}: {chances:?}");
        }
        let won = Some(Proof { outcome: Outcome::Win(Player::First), plies: 40 });
        assert_eq!((chance(1.0, won, &position), chance(-1.0, won, &position)), (1.0, 0.0));
    }
}
