//! Strategies: the rule, tables over all secrets, classes of guesses that are alike.

use std::collections::BTreeMap;

use mastermind::{Choice, Code, Feedback, Game, Guesses, History, Scorer, Strategy, Table};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

const SCORING: [Strategy; 4] = [Strategy::Minimax, Strategy::Expected, Strategy::Entropy, Strategy::Parts];

fn game(text: &str) -> Game {
    text.parse().expect("a game")
}

fn next(game: Game, turns: &str, strategy: Strategy) -> String {
    let history = History::parse(game, turns).expect("a history");
    let guess = Scorer::new(game, strategy).next_guess(&history, Guesses::All).expect("codes are left");
    game.text(game.code(guess))
}

#[test]
fn next_guesses_equal_the_vectors() {
    let vectors = [
        ("4x10n", "0123:11 4056:02", ["0417", "0571", "0571", "0247"]),
        ("4x10n", "0123:02 1456:11", ["1047", "1274", "1274", "1047"]),
        ("4x10n", "0123:00", ["4567", "4567", "4567", "4567"]),
        ("4x10n", "1234:20 1256:12 5263:03", ["1635", "1635", "1635", "1635"]),
        ("4x6r", "1122:10", ["1344", "1344", "1345", "1334"]),
        ("4x6r", "1122:02 3341:11", ["2531", "2531", "2531", "2531"]),
        ("4x6r", "1122:20 1344:11 1525:12", ["1452", "1452", "1452", "1452"]),
        ("5x8r", "11223:12 44125:03", ["12462", "12562", "12562", "12516"]),
    ];
    for (text, turns, guesses) in vectors {
        assert_eq!(SCORING.map(|strategy| next(game(text), turns, strategy)), guesses, "{text} {turns}");
    }
    assert_eq!(next(game("4x6r"), "1122:10", Strategy::First), "1333");
    let history = History::parse(game("4x6r"), "1122:40 1122:10").expect("a history");
    assert_eq!(Scorer::new(game("4x6r"), Strategy::Parts).next_guess(&history, Guesses::All), None);
}

/// A table's first guess, total and distribution.
fn line(text: &str, strategy: Strategy, guesses: Guesses) -> (String, u64, Vec<u64>) {
    let game = game(text);
    let table = Table::new(game, strategy, guesses, 2);
    assert_eq!(table.secrets(), u64::from(game.codes()), "every secret is found once");
    (game.text(game.code(table.first.expect("a guess"))), table.total(), table.distribution)
}

#[test]
fn tables_equal_the_vectors() {
    let lines: [(&str, Strategy, &str, u64, &[u64]); 10] = [
        ("4x6r", Strategy::First, "1111", 7471, &[1, 4, 25, 108, 305, 602, 196, 49, 6]),
        ("4x6r", Strategy::Minimax, "1122", 5801, &[1, 6, 62, 533, 694]),
        ("4x6r", Strategy::Expected, "1123", 5696, &[1, 10, 54, 645, 583, 3]),
        ("4x6r", Strategy::Entropy, "1234", 5722, &[1, 4, 71, 612, 596, 12]),
        ("4x6r", Strategy::Parts, "1123", 5668, &[1, 12, 72, 635, 569, 7]),
        ("4x10n", Strategy::First, "0123", 28024, &[1, 13, 108, 596, 1668, 1768, 752, 129, 5]),
        ("4x10n", Strategy::Minimax, "0123", 27139, &[1, 3, 44, 515, 2124, 2151, 202]),
        ("4x10n", Strategy::Expected, "0123", 26551, &[1, 4, 59, 574, 2430, 1885, 87]),
        ("4x10n", Strategy::Entropy, "0123", 26424, &[1, 5, 62, 611, 2483, 1779, 98, 1]),
        ("4x10n", Strategy::Parts, "0123", 26751, &[1, 11, 80, 556, 2277, 1929, 183, 3]),
    ];
    for (text, strategy, first, total, distribution) in lines {
        let expected = (first.to_owned(), total, distribution.to_vec());
        assert_eq!(line(text, strategy, Guesses::All), expected, "{text} {strategy}");
    }
}

#[test]
fn totals_equal_the_vectors() {
    let games = [
        ("4x7r", ["1234", "1234", "1234", "1123"], [11613, 11409, 11378, 11388], [6, 6, 6, 6]),
        ("3x6r", ["123", "123", "123", "123"], [874, 859, 860, 859], [5, 5, 5, 5]),
        ("4x8r", ["1234", "1234", "1234", "1123"], [21230, 20725, 20688, 20896], [6, 7, 7, 7]),
        ("5x5r", ["11223", "11223", "11223", "11223"], [13867, 13653, 13593, 13598], [6, 6, 6, 6]),
    ];
    for (text, firsts, totals, longest) in games {
        for (number, strategy) in SCORING.into_iter().enumerate() {
            let (first, total, distribution) = line(text, strategy, Guesses::All);
            let expected = (firsts[number].to_owned(), totals[number], longest[number]);
            assert_eq!((first, total, distribution.len()), expected, "{text} {strategy}");
        }
    }
    for (strategy, total, longest) in [
        (Strategy::Minimax, 5828, 6),
        (Strategy::Expected, 5722, 6),
        (Strategy::Entropy, 5786, 6),
        (Strategy::Parts, 5701, 7),
    ] {
        let (_, sum, distribution) = line("4x6r", strategy, Guesses::Possible);
        assert_eq!((sum, distribution.len()), (total, longest), "{strategy}, possible codes only");
    }
}

#[test]
fn pairs_equal_the_vectors() {
    let pairs = |text, strategy| Table::new(game(text), strategy, Guesses::All, 1).pairs;
    assert_eq!(SCORING.map(|strategy| pairs("4x6r", strategy)), [5_877_360, 5_689_440, 5_697_216, 5_707_584]);
    let bulls = [109_892_160, 107_422_560, 107_130_240, 108_995_040];
    assert_eq!(SCORING.map(|strategy| pairs("4x10n", strategy)), bulls);
}

/// The rule's choice, straight from its words.
fn slow_choice(game: Game, codes: &[u32], strategy: Strategy, guess: u32) -> Choice {
    let mut parts: BTreeMap<Feedback, u64> = BTreeMap::new();
    for &code in codes {
        *parts.entry(Feedback::of(game.code(guess), game.code(code))).or_insert(0) += 1;
    }
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "few codes")]
    let key = match strategy {
        Strategy::Minimax => parts.values().max().copied().unwrap_or(0).cast_signed(),
        Strategy::Expected => parts.values().map(|size| size * size).sum::<u64>().cast_signed(),
        Strategy::Entropy => {
            let share = |&size: &u64| (size as f64 * (size as f64).log2() * f64::from(1 << 20)).round() as i64;
            parts.values().map(share).sum()
        }
        Strategy::Parts => -i64::try_from(parts.len()).expect("few"),
        Strategy::First => 0,
    };
    Choice { key, is_ruled_out: !codes.contains(&guess), index: guess }
}

#[test]
fn choices_equal_a_slow_twin() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    // Words of 64 and of 128 bits; few and many candidates; four sizes of counters.
    for text in ["4x6r", "5x13n", "6x5r", "7x3r", "8x8n", "10x2r", "4x10n", "1x9r"] {
        let game = game(text);
        for count in [3, 17, 255, 256, 700] {
            let mut codes: Vec<u32> = (0..count).map(|_| random.random_range(0..game.codes())).collect();
            codes.sort_unstable();
            codes.dedup();
            let guesses: Vec<u32> =
                (0..30).map(|_| random.random_range(0..game.codes())).chain(codes.iter().copied().take(3)).collect();
            for strategy in SCORING {
                let scorer = Scorer::new(game, strategy);
                let candidates = scorer.candidates(codes.clone());
                let slow = guesses.iter().map(|&guess| slow_choice(game, &codes, strategy, guess)).min();
                assert_eq!(scorer.best(&candidates, &guesses), slow, "{text} {strategy} {count}");
            }
        }
    }
}

#[test]
fn classes_of_guesses_do_not_change_the_choice() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for text in ["4x6r", "4x7n", "3x8r", "5x4r", "3x10n", "5x6n", "2x12r", "6x3r", "7x2r"] {
        let game = game(text);
        let all: Vec<u32> = (0..game.codes()).collect();
        for _ in 0..8 {
            let secret = game.code(random.random_range(0..game.codes()));
            let mut history = History::new(game);
            for _ in 0..4 {
                let left: Vec<u32> = history.fitting().collect();
                let guesses: Vec<Code> = history.turns().iter().map(|turn| turn.guess).collect();
                for strategy in SCORING {
                    let scorer = Scorer::new(game, strategy);
                    let candidates = scorer.candidates(left.clone());
                    let classes = scorer.representatives(&guesses, &candidates);
                    assert!(classes.is_sorted() && !classes.is_empty());
                    assert_eq!(scorer.best(&candidates, &classes), scorer.best(&candidates, &all), "{history:?}");
                    let expected = match left[..] {
                        [lowest] | [lowest, _] => lowest,
                        _ => scorer.best(&candidates, &all).expect("codes are left").index,
                    };
                    assert_eq!(scorer.next_guess(&history, Guesses::All), Some(expected), "{history:?}");
                }
                let guess = game.code(random.random_range(0..game.codes()));
                history.push(guess, Feedback::of(guess, secret));
            }
        }
    }
}

#[test]
fn classes_are_few() {
    let classes = |text: &str, turns: &str| {
        let game = game(text);
        let scorer = Scorer::new(game, Strategy::Parts);
        let history = History::parse(game, turns).expect("a history");
        let guesses: Vec<Code> = history.turns().iter().map(|turn| turn.guess).collect();
        scorer.representatives(&guesses, &scorer.candidates(history.fitting().collect())).len()
    };
    let patterns = [("4x6r", 5), ("4x10n", 1), ("5x8r", 7), ("6x9r", 11), ("6x3r", 7)];
    for (text, count) in patterns {
        assert_eq!(classes(text, ""), count, "{text}: the ways to split the pegs among colours");
    }
    // 0 to 4 of the digits 0 to 3 in other places, up to the exchanges of places.
    assert_eq!(classes("4x10n", "0123:02"), 20);
}
