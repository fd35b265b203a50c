use std::time::Duration;

use amazons_search::{
    Choice, Evaluator, Game, Limits, Mcts, MctsConfig, Outcome, Player, Progress, RootMove, SearchReport, Searcher,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::boxes::Boxes;
use super::domineering::Domineering;
use super::nim::Nim;
use super::slow::{self, Noise};
use super::slow_mcts;

/// Enough for every game here to be proven.
const PLENTY: u64 = 5_000_000;

/// Very different settings, which must all prove the same.
fn config(rng: &mut Xoshiro256PlusPlus) -> MctsConfig {
    MctsConfig {
        expand_after: rng.random_range(1..4),
        judge_first: [0, 1, 2, 3, 8][rng.random_range(0..5)],
        judge_all_after: [0, 3, 8, u32::MAX][rng.random_range(0..4)],
        minimax_weight: [0.0, 0.3, 1.0][rng.random_range(0..3)],
        widening_start: rng.random_range(0..4),
        widening_factor: [0.0, 0.5, f32::INFINITY][rng.random_range(0..3)],
        memory_bytes: 0,
        backup_delay: [0.0, 0.05, 0.4, 2.0][rng.random_range(0..4)],
        ..MctsConfig::default()
    }
}

fn assert_proves<G: Game + Send + std::fmt::Debug>(config: MctsConfig, game: &G) -> Outcome {
    let (outcome, plies) = slow::solve(game);
    let mut mcts = Mcts::new(config.clone(), Noise);
    let report = mcts.search(game, &mut Limits::nodes(PLENTY));
    let proof = report.proof.unwrap_or_else(|| panic!("no proof of {game:?} with {config:?}"));
    assert_eq!(proof.outcome, outcome, "{game:?} with {config:?}");
    assert!(outcome == Outcome::Draw || proof.plies >= plies, "{proof:?} for {plies}, {game:?}");
    assert_eq!(report.value, outcome.value(), "{game:?}");
    assert_plays_to(game.clone(), &report, outcome);
    outcome
}

/// The move chosen keeps the outcome.
fn assert_plays_to<G: Game + std::fmt::Debug>(mut game: G, report: &SearchReport<G::Move>, outcome: Outcome) {
    if let Some(best) = report.best {
        game.play(best);
        assert_eq!(slow::solve(&game).0, outcome, "{best:?} to {game:?}");
    }
}

#[test]
fn proves_what_minimax_proves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let mut draws = 0;
    for _ in 0..300 {
        let left = rng.random_range(1..=8);
        let game = Boxes::random(&mut rng, left);
        draws += u32::from(assert_proves(config(&mut rng), &game) == Outcome::Draw);
        let free = rng.random_range(2..15);
        let game = Domineering::random(&mut rng, free);
        assert_proves(config(&mut rng), &game);
        let game = Nim::random(&mut rng, 4);
        assert_eq!(assert_proves(config(&mut rng), &game), Outcome::Win(game.winner()), "{game:?}");
    }
    assert!(draws > 30, "{draws} draws");
}

/// The tree grows like the slow twin's.
fn assert_grows_like_the_slow_twin<G: Game + Send + std::fmt::Debug>(config: MctsConfig, game: &G, visits: u64) {
    let slow = slow_mcts::search(&config, game, visits);
    let report = Mcts::new(config.clone(), Noise).search(game, &mut Limits::nodes(visits));
    let packed = |root: &RootMove<G::Move>| {
        let RootMove { mv, visits, value, proof } = *root;
        RootMove { mv: G::pack(mv), visits, value, proof }
    };
    let mut moves: Vec<_> = report.moves.iter().map(packed).collect();
    moves.sort_by_key(|root| root.mv);
    assert_eq!(moves, slow, "{visits} visits of {game:?} with {config:?}");
}

#[test]
fn trees_grow_like_the_slow_twin() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(25);
    for _ in 0..350 {
        let visits = rng.random_range(0..600);
        let left = rng.random_range(2..=11);
        let game = Boxes::random(&mut rng, left);
        assert_grows_like_the_slow_twin(config(&mut rng), &game, visits);
        let free = rng.random_range(6..25);
        let game = Domineering::random(&mut rng, free);
        if game.outcome().is_none() {
            assert_grows_like_the_slow_twin(config(&mut rng), &game, visits);
        }
    }
}

#[test]
fn unfinished_searches_prove_nothing_false() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
    for _ in 0..750 {
        let left = rng.random_range(4..=9);
        let game = Boxes::random(&mut rng, left);
        let budget = rng.random_range(0..300);
        let report = Mcts::new(config(&mut rng), Noise).search(&game, &mut Limits::nodes(budget));
        assert!(report.nodes <= budget, "{} of {budget}", report.nodes);
        let truth = slow::solve(&game).0;
        assert!(report.proof.is_none_or(|proof| proof.outcome == truth), "{game:?}");
        let mut losses_only = true;
        for root in &report.moves {
            let mut child = game.clone();
            child.play(root.mv);
            if let Some(proof) = root.proof {
                assert_eq!(proof.outcome, slow::solve(&child).0, "{:?} in {game:?}", root.mv);
            }
            losses_only &= root.proof.is_some_and(|proof| proof.outcome == Outcome::Win(game.turn().opponent()));
        }
        let loses = |proof: amazons_search::Proof| proof.outcome == Outcome::Win(game.turn().opponent());
        assert!(losses_only || !report.moves[0].proof.is_some_and(loses), "a proven loss chosen in {game:?}");
    }
}

#[test]
fn children_are_judged_by_the_side_to_move() {
    // Unvisited children keep their static value: the search must prefer First's for First, Second's for Second.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(23);
    for _ in 0..500 {
        let mut game = Boxes::random(&mut rng, 9);
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        game.moves(&mut moves);
        Noise.evaluate_moves(&mut game, &moves, &mut values);
        let report = Mcts::new(MctsConfig { memory_bytes: 0, ..MctsConfig::default() }, Noise)
            .search(&game, &mut Limits::nodes(0));
        let best = values.iter().map(|value| value * game.turn().sign()).fold(f32::MIN, f32::max);
        assert!((report.value * game.turn().sign() - best).abs() < 1e-5, "{game:?}");
    }
}

#[test]
fn searches_are_deterministic_and_their_size_is_known() {
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(24), 25);
    let run = || {
        let mut mcts = Mcts::new(MctsConfig { memory_bytes: 0, ..MctsConfig::default() }, Noise);
        let report = mcts.search(&game, &mut Limits::nodes(2000));
        (mcts.tree_nodes(), report)
    };
    let (nodes, report) = run();
    assert_eq!((nodes, report.clone()), run());
    // A different count is a different search: say so in the commit.
    assert_eq!((nodes, report.nodes, report.depth), (5008, 2000, 12));
}

/// Returns what the budget sees last of a search of that many nodes.
fn progress_of<G: Game + Send>(game: &G, nodes: u64) -> (Progress, SearchReport<G::Move>) {
    let mut last = None;
    let mut budget = |progress: &Progress| {
        last = Some(*progress);
        progress.nodes >= nodes
    };
    // Backed up at once, and asked after every evaluation.
    let config = MctsConfig { backup_delay: 0.0, effort_per_question: 1, ..MctsConfig::default() };
    let report = Mcts::new(config, Noise).search(game, &mut budget);
    (last.expect("it asked"), report)
}

#[test]
fn the_lead_is_over_moves_that_are_not_lost() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
    let mut sole = 0;
    for _ in 0..200 {
        let game = Domineering::random(&mut rng, 24);
        let (progress, report) = progress_of(&game, 60);
        if report.proof.is_some() {
            continue;
        }
        let best = report.moves[0];
        assert_eq!(progress.best, Some(Domineering::pack(best.mv)), "{report:?}");
        let is_lost =
            |root: &&RootMove<_>| root.proof.is_some_and(|proof| proof.outcome == Outcome::Win(game.turn().opponent()));
        let next = report.moves[1..].iter().find(|root| !is_lost(root));
        let lead = next.map_or(u64::MAX, |next| best.visits.saturating_sub(next.visits));
        assert_eq!(progress.lead, lead, "{report:?}");
        sole += usize::from(lead == u64::MAX);
    }
    println!("{sole} of 200 had one move that is not lost");
}

#[test]
fn a_choice_needs_more_time_when_it_changes_or_falls() {
    let millis = Duration::from_millis;
    let at = |best, value| Progress { nodes: 1000, depth: 5, best: Some(best), value, lead: 100 };
    let watch = |turn, seen: &[(u32, f32, u64)]| {
        let mut choice = Choice::new(turn);
        let shares = seen.iter().map(|&(best, value, used)| choice.share(&at(best, value), millis(used)));
        shares.last().expect("something is seen")
    };
    let calm = watch(Player::First, &[(1, 0.1, 1), (1, 0.1, 100)]);
    let changed = watch(Player::First, &[(1, 0.1, 1), (2, 0.1, 100)]);
    let earlier = watch(Player::First, &[(1, 0.1, 1), (2, 0.1, 50), (2, 0.1, 100)]);
    assert!(calm < earlier && earlier < changed, "{calm} {earlier} {changed}");
    // A value is First's: falling for one is rising for the other.
    let falls = [(1, 0.1, 1), (1, -0.1, 100)];
    assert!(watch(Player::First, &falls) > calm + 0.5);
    assert!((watch(Player::Second, &falls) - calm).abs() < 1e-6);
}

#[test]
fn a_choice_is_settled_once_nothing_can_catch_up_at_the_speed_of_the_search() {
    let millis = Duration::from_millis;
    let at = |nodes| Progress { nodes, depth: 5, best: Some(1), value: 0.0, lead: 1000 };
    let mut choice = Choice::new(Player::First);
    // The first nodes come late, because the old tree was made smaller: their speed says nothing.
    assert!(!choice.is_settled(&at(5), [millis(100), millis(5000)]));
    assert!(!choice.is_settled(&at(6), [millis(101), millis(5000)]));
    // Ten nodes a millisecond.
    assert!(!choice.is_settled(&at(505), [millis(150), millis(101)]));
    assert!(choice.is_settled(&at(505), [millis(150), millis(99)]));
    // A search that goes on counts its nodes anew.
    assert!(!choice.is_settled(&at(5), [millis(151), millis(99)]));
    assert!(!choice.is_settled(&at(205), [millis(171), millis(101)]));
    assert!(choice.is_settled(&at(205), [millis(171), millis(99)]));
    // Without another move that is not lost.
    let sole = Progress { lead: u64::MAX, ..at(405) };
    assert!(choice.is_settled(&sole, [millis(191), millis(60_000)]));
}
