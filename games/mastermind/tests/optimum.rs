//! The optimum and its trees.

use std::collections::HashMap;
use std::time::Duration;

use amazons_mpi::ThreadWorld;
use amazons_mpi::jobs::{self, Dispatcher, Options};
use mastermind::optimum::{Job, Outcome, Settings, Solved, Solver, prove};
use mastermind::{Feedback, Game, Guesses, Strategy, Table, Tree, TreeError};

fn game(text: &str) -> Game {
    text.parse().expect("a game")
}

/// Proves on this many ranks with this many threads each.
fn outcome(game: Game, ranks: usize, threads: usize, settings: Settings, is_stopped: bool) -> Outcome {
    let results = ThreadWorld::run(ranks, |world| {
        let solver = Solver::new(game, settings).expect("a small game");
        let lead = |ranks: &mut Dispatcher<&mut ThreadWorld, Job, Solved>| {
            prove(0, ranks, &solver, &|| is_stopped, &mut |_| ())
        };
        let options = Options { threads, ..Options::default() };
        let led = jobs::lead(world, &options, |task| solver.do_job(task, || Duration::ZERO), lead)
            .expect("no rank is lost")
            .0;
        led.transpose().expect("ranks are left")
    });
    let outcome = results.into_iter().next().expect("rank 0").expect("no panic").expect("rank 0 has it");
    if let Some(tree) = &outcome.tree {
        let text = tree.to_text(game).expect("every secret is found");
        let (read, _, walk) = Tree::check(&text).expect("the tree holds");
        assert_eq!(&read, tree);
        assert_eq!(Some(walk.total()), outcome.upper.map(u64::from));
        let most = settings.max_guesses.map_or(usize::MAX, usize::from);
        assert!(walk.distribution.len() <= most, "{:?}", walk.distribution);
    }
    outcome
}

/// The proven optimum on one thread, and the most guesses of its tree.
fn optimum(text: &str, max_guesses: Option<u8>) -> u32 {
    let outcome = outcome(game(text), 1, 1, Settings { max_guesses, ..Settings::default() }, false);
    assert_eq!(Some(outcome.lower), outcome.upper, "{text} is proved");
    outcome.lower
}

#[test]
fn small_optima_equal_the_vectors() {
    let values = [
        ("2x4r", 45),
        ("2x6r", 132),
        ("3x4r", 206),
        ("2x5n", 60),
        ("3x4n", 72),
        ("3x5n", 196),
        ("3x6r", 854),
        ("3x7r", 1474),
        ("3x8r", 2359),
        ("4x5r", 2463),
        ("3x6n", 436),
        ("4x6n", 1446),
        ("4x7n", 3639),
        ("3x10n", 3575),
        ("4x6r", 5625),
    ];
    for (text, total) in values {
        assert_eq!(optimum(text, None), total, "{text}");
    }
}

/// The least cost of a set, by trying every guess.
fn exhaustive(answers: &[Vec<Feedback>], set: &[usize], known: &mut HashMap<Vec<usize>, usize>) -> usize {
    if set.len() < 2 {
        return set.len();
    }
    if let Some(&cost) = known.get(set) {
        return cost;
    }
    let mut best = usize::MAX;
    for (guess, row) in answers.iter().enumerate() {
        let mut parts: HashMap<Feedback, Vec<usize>> = HashMap::new();
        for &code in set.iter().filter(|&&code| code != guess) {
            parts.entry(row[code]).or_default().push(code);
        }
        if parts.values().all(|part| part.len() < set.len()) {
            let cost: usize = parts.values().map(|part| exhaustive(answers, part, known)).sum();
            best = best.min(set.len() + cost);
        }
    }
    known.insert(set.to_vec(), best);
    best
}

#[test]
fn optima_equal_an_exhaustive_search() {
    for text in ["1x7r", "2x3r", "2x4r", "3x2r", "4x2r", "2x4n", "2x5n", "3x4n", "4x4n"] {
        let game = game(text);
        let codes: Vec<_> = game.all_codes().map(|(_, code)| code).collect();
        let row = |&guess| codes.iter().map(|&code| Feedback::of(guess, code)).collect();
        let answers: Vec<Vec<Feedback>> = codes.iter().map(row).collect();
        let all: Vec<usize> = (0..codes.len()).collect();
        let slow = exhaustive(&answers, &all, &mut HashMap::new());
        assert_eq!(usize::try_from(optimum(text, None)), Ok(slow), "{text}");
    }
}

#[test]
fn a_limit_to_the_guesses_is_kept() {
    assert_eq!(optimum("4x6r", Some(5)), 5626);
    assert_eq!(optimum("4x6r", Some(6)), 5625);
    assert_eq!(optimum("3x6r", Some(5)), 854);
    for (text, max) in [("4x6r", 4), ("3x6r", 4), ("4x6r", 0), ("2x2r", 1)] {
        let settings = Settings { max_guesses: Some(max), ..Settings::default() };
        let outcome = outcome(game(text), 1, 1, settings, false);
        assert_eq!((outcome.upper, outcome.tree), (None, None), "{text} takes more than {max} guesses");
    }
}

#[test]
fn no_strategy_beats_the_optimum() {
    for text in ["3x5r", "4x4r", "3x6r", "4x6n"] {
        let best = u64::from(optimum(text, None));
        let totals = Strategy::ALL.map(|strategy| Table::new(game(text), strategy, Guesses::All, 1).total());
        assert!(totals.iter().all(|&total| total >= best), "{text}");
        assert!(totals.iter().all(|&total| total <= totals[0]), "{text}: `first` is no better than any");
    }
}

#[test]
fn all_ranks_and_threads_prove_the_same() {
    for (ranks, threads) in [(1, 2), (2, 1), (3, 2), (4, 1)] {
        let settings = Settings { memory_bits: Some(12), ..Settings::default() };
        let outcome = outcome(game("4x5r"), ranks, threads, settings, false);
        assert_eq!((outcome.lower, outcome.upper), (2463, Some(2463)), "{ranks} ranks of {threads} threads");
    }
}

#[test]
fn a_stopped_search_leaves_bounds_and_a_tree() {
    let stopped = outcome(game("4x6r"), 2, 1, Settings::default(), true);
    let upper = stopped.upper.expect("the strategies give one");
    assert!(stopped.lower <= 5625 && (5625..=5668).contains(&upper), "{} to {upper}", stopped.lower);
    assert!(stopped.lower > 5000, "{}", stopped.lower);
}

#[test]
fn games_too_large_are_refused() {
    for text in ["5x5r", "4x10r", "6x6n"] {
        let error = Solver::new(game(text), Settings::default()).expect_err(text).to_string();
        assert!(error.starts_with(&format!("the optimum of {text} is out of reach: at most 4 pegs and 8192 codes")));
    }
}

#[test]
fn wrong_trees_are_refused() {
    let text = outcome(game("3x4r"), 1, 1, Settings::default(), false)
        .tree
        .and_then(|tree| tree.to_text(game("3x4r")).ok())
        .expect("a tree");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "mastermind tree 3x4r 206");
    let changed = |number: usize, line: &str| {
        let mut lines = lines.clone();
        lines[number] = line;
        Tree::check(&lines.join("\n")).expect_err(line)
    };
    // One guess of the middle is another.
    for (number, line) in lines.iter().enumerate().skip(2) {
        let (start, guess) = line.split_at(line.len() - 3);
        let other = if guess == "111" { "222" } else { "111" };
        let error = changed(number, &format!("{start}{other}"));
        assert!(matches!(error, TreeError::NotFound { .. } | TreeError::Total { .. }), "{line}: {error}");
    }
    assert!(matches!(changed(0, "mastermind tree 3x4r 205"), TreeError::Total { found: 206, said: 205 }));
    assert_eq!(changed(0, "mastermind 3x4r 206"), TreeError::Head);
    assert!(matches!(changed(0, "mastermind tree 3x4q 206"), TreeError::Game(_)));
    assert!(matches!(changed(1, "115"), TreeError::Code(2, _)));
    assert!(matches!(changed(2, " 21 111"), TreeError::Answer(3, _)));
    assert!(matches!(changed(2, "   00 111"), TreeError::Line(3, _)));
    assert!(matches!(changed(2, " 00"), TreeError::Line(3, _)));
    let torn = |count: usize| Tree::check(&lines[..count].join("\n")).expect_err("too short");
    assert_eq!((torn(0), torn(1)), (TreeError::Head, TreeError::Empty));
    assert!(matches!(torn(lines.len() - 1), TreeError::NotFound { .. }));
    let twice = format!("{text}{}\n", lines[2]);
    assert!(matches!(Tree::check(&twice), Err(TreeError::Twice(..) | TreeError::Line(..))));
}

/// What takes long.
mod long {
    use super::optimum;

    #[test]
    fn larger_optima_equal_the_vectors() {
        for (text, total) in [("4x8n", 7817), ("4x7r", 11228), ("4x10n", 26274), ("4x8r", 20471)] {
            assert_eq!(optimum(text, None), total, "{text}");
        }
    }
}
