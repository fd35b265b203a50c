use connect4::perfect::Solver;
use connect4::{ColumnScores, Level, LevelPlayer, Position, Size};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Returns a game in play with so many free cells, after random moves.
pub(crate) fn random_position(size: Size, free: u32, random: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut position = Position::empty(size);
        while position.ending().is_none() && size.cells() - position.plies() > free {
            let columns: Vec<u32> = position.columns().collect();
            position.play_free(columns[random.random_range(0..columns.len())]);
        }
        if position.ending().is_none() {
            return position;
        }
    }
}

#[test]
fn alpha_beta_to_the_end_finds_the_scores_of_the_solver() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for size in [
        Size::STANDARD,
        Size::new(6, 5).expect("a size"),
        Size::new(8, 4).expect("a size"),
        Size::new(4, 4).expect("a size"),
    ] {
        let mut solver = Solver::new(size, 1 << 24, 1).expect("room");
        let mut engine = LevelPlayer::new(Level::AlphaBeta(60), size, 0).expect("room");
        for number in 0..100 {
            let position = random_position(size, 1 + number % 14, &mut random);
            let expected = ColumnScores::compute(&mut solver, &position, &|| false).expect("scores");
            let chosen = engine.choose(&position).expect("the game goes on");
            assert!(chosen.is_proven, "{chosen:?}\n{position}");
            assert_eq!(chosen.score, expected.best_score(), "{size}\n{position}");
            assert_eq!(expected.get(chosen.column), expected.best_score(), "{size}\n{position}");
        }
    }
}

#[test]
fn each_level_proves_only_what_is_true() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let size = Size::STANDARD;
    let mut solver = Solver::new(size, 1 << 24, 1).expect("room");
    let levels = ["average:6", "average:10", "alphabeta:3", "alphabeta:8", "mcts:500", "mcts:5000", "perfect"];
    let mut proven = [0; 7];
    for number in 0..60 {
        let position = random_position(size, 2 + number % 20, &mut random);
        let expected = ColumnScores::compute(&mut solver, &position, &|| false).expect("scores");
        for (level, proven) in levels.iter().zip(&mut proven) {
            let chosen = LevelPlayer::new(level.parse().expect("a level"), size, 0)
                .expect("room")
                .choose(&position)
                .expect("the game goes on");
            let score = expected.get(chosen.column).unwrap_or_else(|| panic!("{level} plays a full column"));
            if chosen.is_proven {
                *proven += 1;
                assert_eq!(chosen.value, Some(f64::from(score.signum())), "{level}: {chosen:?}\n{position}");
            }
            if let Some(claimed) = chosen.score {
                assert_eq!(claimed, score, "{level}\n{position}");
            }
        }
    }
    assert!(proven.iter().all(|&proven| proven >= 10) && proven[6] == 60, "{proven:?}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for level in ["random", "average:4", "alphabeta:4", "mcts:300"] {
        let game = |seed| {
            let mut engines = [seed, seed + 1]
                .map(|seed| LevelPlayer::new(level.parse().expect("a level"), Size::STANDARD, seed).expect("room"));
            let (mut position, mut moves) = (Position::empty(Size::STANDARD), Vec::new());
            while let Some(chosen) = engines[moves.len() % 2].choose(&position) {
                position.play(chosen.column).expect("a legal move");
                moves.push(chosen.column);
            }
            moves
        };
        assert_eq!(game(1), game(1), "{level}");
        assert_eq!(game(1) == game(2), level != "random", "only random has anything to draw lots for: {level}");
    }
}

#[test]
fn wins_are_taken_and_threats_stopped() {
    for level in ["average:2", "alphabeta:2", "mcts:100", "perfect"] {
        let plays = |moves: &str| {
            let position = Position::from_moves(Size::STANDARD, moves).expect("moves");
            LevelPlayer::new(level.parse().expect("a level"), Size::STANDARD, 0)
                .expect("room")
                .choose(&position)
                .expect("the game goes on")
                .column
        };
        assert_eq!(plays("112233"), 3, "{level} takes the win");
        assert_eq!(plays("1122337"), 3, "{level} stops the first player's");
    }
}

/// It looks at 159,281 positions; with a table of a few entries at nearly six times as many.
#[test]
fn an_averaged_level_searches_with_a_table_that_fits_its_depth() {
    let mut engine = LevelPlayer::new(Level::Average(10), Size::STANDARD, 0).expect("room");
    let chosen = engine.choose(&Position::empty(Size::STANDARD)).expect("the game goes on");
    assert!(chosen.nodes < 300_000, "{chosen:?}");
}
