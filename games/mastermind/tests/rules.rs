//! Games, codes, answers and histories.

use std::collections::BTreeMap;

use mastermind::{Code, Feedback, Game, History, Scorer, Strategy, review};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

fn game(text: &str) -> Game {
    text.parse().expect("a game")
}

fn answer(game: Game, guess: &str, secret: &str) -> String {
    let code = |text| game.parse_code(text).expect("a code");
    Feedback::of(code(guess), code(secret)).to_string()
}

/// Pairs up equal pegs one by one, and removes them.
fn slow_answer(guess: &[u8], secret: &[u8]) -> (u8, u8) {
    let (mut guess, mut secret) = (guess.to_vec(), secret.to_vec());
    let (mut black, mut white) = (0, 0);
    for place in (0..guess.len()).rev() {
        if guess[place] == secret[place] {
            guess.remove(place);
            secret.remove(place);
            black += 1;
        }
    }
    for colour in guess {
        if let Some(place) = secret.iter().position(|&other| other == colour) {
            secret.remove(place);
            white += 1;
        }
    }
    (black, white)
}

#[test]
fn answers_equal_the_vectors() {
    let classic = [("1122", "1122", "40"), ("1122", "2211", "04"), ("1112", "1222", "20"), ("1234", "4321", "04")];
    for (guess, secret, expected) in classic.into_iter().chain([("1123", "1312", "13")]) {
        assert_eq!(answer(game("4x6r"), guess, secret), expected, "{guess} {secret}");
    }
    assert_eq!(answer(game("4x10n"), "0123", "1230"), "04");
    assert_eq!(answer(game("4x10n"), "0123", "0132"), "22");
}

#[test]
fn answers_equal_a_slow_twin() {
    for text in ["3x4r", "4x5n"] {
        let game = game(text);
        for (_, guess) in game.all_codes() {
            for (_, secret) in game.all_codes() {
                let fast = Feedback::of(guess, secret);
                assert_eq!((fast.black, fast.white), slow_answer(guess.pegs(), secret.pegs()), "{guess:?} {secret:?}");
                assert!(game.feedback(fast.black.into(), fast.white.into()).is_ok());
            }
        }
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    for _ in 0..20_000 {
        let (pegs, colours) = (random.random_range(1..=10), random.random_range(1..=12));
        let mut code = || Code::from_pegs(&(0..pegs).map(|_| random.random_range(0..colours)).collect::<Vec<u8>>());
        let (guess, secret) = (code(), code());
        let fast = Feedback::of(guess, secret);
        assert_eq!((fast.black, fast.white), slow_answer(guess.pegs(), secret.pegs()), "{guess:?} {secret:?}");
    }
}

#[test]
fn codes_are_numbered_in_lexicographic_order() {
    for text in ["4x6r", "4x10n", "1x1r", "1x1n", "3x3n", "2x16r", "2x16n", "5x8r", "7x7n"] {
        let game = game(text);
        let texts: Vec<String> = game.all_codes().map(|(_, code)| game.text(code)).collect();
        assert_eq!(texts.len(), usize::try_from(game.codes()).expect("small"));
        assert!(texts.is_sorted() && texts.windows(2).all(|pair| pair[0] != pair[1]), "{text}");
        for (index, code) in game.all_codes() {
            assert_eq!(game.code(index), code, "{text} {index}");
            assert_eq!(game.index(code), Some(index));
            assert_eq!(game.parse_code(&game.text(code)), Ok(code));
        }
        let part: Vec<_> = game.codes_in(game.codes() / 3..game.codes()).collect();
        assert_eq!(part, game.all_codes().skip(usize::try_from(game.codes() / 3).expect("small")).collect::<Vec<_>>());
    }
    let large = game("10x11n");
    assert_eq!(large.codes(), 39_916_800);
    assert_eq!(large.text(large.code(39_916_799)), "a987654321");
    assert_eq!(large.codes_in(5..5).count(), 0);
}

#[test]
fn a_first_guess_makes_the_parts_of_the_vectors() {
    let parts = |text: &str, guess: &str| {
        let game = game(text);
        let guess = game.parse_code(guess).expect("a code");
        let mut parts = BTreeMap::new();
        for (_, code) in game.all_codes() {
            *parts.entry(Feedback::of(guess, code)).or_insert(0) += 1;
        }
        parts.values().copied().collect::<Vec<u32>>()
    };
    assert_eq!(parts("4x6r", "1122"), [256, 256, 96, 16, 1, 256, 208, 36, 114, 32, 4, 20, 1]);
    assert_eq!(parts("4x6r", "1123"), [81, 276, 222, 44, 2, 182, 230, 84, 4, 105, 40, 5, 20, 1]);
    assert_eq!(parts("4x6r", "1234"), [16, 152, 312, 136, 9, 108, 252, 132, 8, 96, 48, 6, 20, 1]);
    for guess in ["0123", "9876", "2468"] {
        assert_eq!(parts("4x10n", guess), [360, 1440, 1260, 264, 9, 480, 720, 216, 8, 180, 72, 6, 24, 1]);
    }
}

#[test]
fn histories_leave_the_codes_of_the_vectors() {
    let vectors = [
        ("4x10n", "0123:11 4056:02", 180, "0247", "9620"),
        ("4x10n", "0123:02 1456:11", 180, "1047", "9431"),
        ("4x10n", "0123:00", 360, "4567", "9876"),
        ("4x10n", "1234:20 1256:12 5263:03", 1, "1635", "1635"),
        ("4x6r", "1122:10", 256, "1333", "6662"),
        ("4x6r", "1122:02 3341:11", 18, "2243", "6411"),
        ("4x6r", "1122:20 1344:11 1525:12", 2, "1452", "5124"),
        ("5x8r", "11223:12 44125:03", 356, "12334", "85231"),
    ];
    for (text, turns, left, first, last) in vectors {
        let game = game(text);
        let history = History::parse(game, turns).expect("a history");
        let fitting: Vec<u32> = history.fitting().collect();
        let name = |index: Option<&u32>| game.text(game.code(*index.expect("some are left")));
        assert_eq!((fitting.len(), name(fitting.first()), name(fitting.last())), (left, first.into(), last.into()));
        assert_eq!(history.contradiction(), None);
        for &index in &fitting {
            assert!(history.fits(game.code(index)));
        }
    }
}

#[test]
fn contradictions_name_the_guesses() {
    let explain = |text: &str, turns: &str| {
        let history = History::parse(game(text), turns).expect("a history");
        history.contradiction().expect("no code fits").to_string()
    };
    assert_eq!(
        explain("4x6r", "1111:20 2222:20 1344:11 5566:00"),
        "no code fits: the answer to guess 3 (1344: 11) contradicts guesses 1 and 2"
    );
    assert_eq!(
        explain("4x6r", "3456:01 1122:40 1122:10"),
        "no code fits: the answer to guess 2 (1122: 40) contradicts guess 1"
    );
    assert_eq!(explain("4x5n", "0123:00"), "no code fits: the answer to guess 1 (0123: 00) is impossible in 4x5n");
}

#[test]
fn bad_input_is_refused_with_the_rule() {
    let refused = |text: &str| text.parse::<Game>().expect_err(text).to_string();
    for text in ["", "4x6", "4x6q", "x6r", "4xr", "-4x6r", "4x6r ", "4,6r", "4x0006r", "4x6\u{e9}"] {
        assert!(refused(text).starts_with("unknown game"), "{text}");
    }
    assert!(refused("0x6r").contains("1 to 10 pegs") && refused("4x17n").contains("1 to 16 colours"));
    assert!(refused("11x12n").contains("1 to 10 pegs") && refused("4x0r").contains("1 to 16 colours"));
    assert_eq!(refused("5x4n"), "5x4n has no code: without repetition there are at most as many pegs as colours");
    assert_eq!(refused("10x12n"), "10x12n has 239500800 codes: at most 100000000 are supported");
    assert_eq!(game("8x10r").codes(), 100_000_000);

    let code = |game: Game, text: &str| game.parse_code(text).expect_err(text).to_string();
    let (classic, bulls) = (game("4x6r"), game("4x10n"));
    assert_eq!(code(classic, "112"), "\"112\" has 3 pegs: a code of 4x6r has 4");
    let colour = "\"1127\" has no valid colour at peg 4: the colours of 4x6r are 1 to 6";
    assert_eq!(code(classic, "1127"), colour);
    assert!(code(classic, "0111").contains("peg 1") && code(classic, "11\u{e9}1").contains("peg 3"));
    assert_eq!(code(bulls, "0120"), "\"0120\" repeats colour 0: codes of 4x10n have each colour once at most");

    let feedback = |text: &str| classic.parse_feedback(text).expect_err(text).to_string();
    for text in ["5", "-1", "", "123", "1,", "a0", "1,-2", "\u{e9}", "+1,2"] {
        assert!(feedback(text).starts_with("unknown answer"), "{text}");
    }
    assert!(feedback("31").ends_with("1 white is impossible: the last peg has no other place"));
    assert_eq!(feedback("32"), "an answer of 3 black and 2 white is impossible: there are only 4 pegs");
    assert!(feedback("50").contains("only 4 pegs"));

    for (text, black, white) in [
        ("12", 1, 2),
        ("1,2", 1, 2),
        ("1, 2", 1, 2),
        ("1 2", 1, 2),
        ("1-2", 1, 2),
        ("1 - 2", 1, 2),
        ("1/2", 1, 2),
        ("1.2", 1, 2),
        (" 1;2 ", 1, 2),
        ("BWW", 1, 2),
        ("wbw", 1, 2),
        ("b w w", 1, 2),
        ("B,W,W", 1, 2),
        ("1B2W", 1, 2),
        ("2w1b", 1, 2),
        ("1b 2w", 1, 2),
        ("1A2B", 1, 2),
        ("1a, 2b", 1, 2),
        ("0A2B", 0, 2),
        ("1B 2C", 1, 2),
        ("1 black, 2 white", 1, 2),
        ("2 whites and 1 black", 1, 2),
        ("1 bull 2 cows", 1, 2),
        ("BB", 2, 0),
        ("2b", 2, 0),
        ("W", 0, 1),
        ("3w", 0, 3),
        ("0", 0, 0),
        ("00", 0, 0),
        ("none", 0, 0),
        ("None", 0, 0),
        ("4b", 4, 0),
        ("0B0W", 0, 0),
    ] {
        assert_eq!(classic.parse_feedback(text), Ok(mastermind::Feedback { black, white }), "{text:?}");
    }
    // What might mean two things is none.
    for text in [
        "1", "1 2 3", "1,2,3", "1B1B", "2BB", "BB2W1", "B2", "1W2C", "ABW", "1,-2", "1--2", "bx", "2 red", "b1w2",
        "1:2",
    ] {
        assert!(feedback(text).starts_with("unknown answer"), "{text}");
    }

    let ten = game("10x10n");
    assert_eq!(ten.parse_feedback("10,0").map(|answer| answer.to_string()), Ok("10,0".to_owned()));
    assert_eq!(ten.feedbacks().count(), 65);
    assert_eq!(classic.feedbacks().count(), 14);

    // Answers with blanks, and guesses that cannot be the secret.
    let counted = |game: Game, text: &str| History::parse(game, text).expect(text).fitting().count();
    for text in ["1122:1, 1 1344:0 2", "1122:1A1B, 1344:2w", "1122:bw 1344: 0-2", "1122: 11 1344:02"] {
        assert_eq!(counted(classic, text), counted(classic, "1122:11 1344:02"), "{text}");
    }
    assert_eq!(counted(bulls, "1111:00"), 3024);
    assert_eq!(counted(bulls, "1111:10 2222:00"), 1344);
    // Ten colours are the ten digits.
    let lock = game("4x10r");
    assert_eq!(lock.parse_code("0987").map(|code| lock.text(code)), Ok("0987".to_owned()));
    assert_eq!(lock.parse_code("1a1A"), lock.parse_code("1010"));
    assert_eq!(counted(lock, "0111:40"), 1);
    assert!(classic.parse_code("0123").is_err());

    let history = |text: &str| History::parse(bulls, text).expect_err(text).to_string();
    assert!(history("0123:31").starts_with("answer to guess 1: an answer of 3 black"));
    assert!(history("0123:11 4567").starts_with("guess 2 (\"4567\") has no answer"));
    assert!(history("0123:11 45678:11").starts_with("guess 2: \"45678\" has 5 pegs"));
}

/// Guesses that leave all codes are judged like any other, by the definition.
#[test]
fn the_worth_of_guesses() {
    let game = game("4x6r");
    let history = History::parse(game, "1111:10 1111:10 1122:10 1111:10 1234:11").expect("a history");
    let worths = review(&history);
    let (scorer, mut known) = (Scorer::new(game, Strategy::Expected), History::new(game));
    assert_eq!(worths.len(), 5);
    for (turn, worth) in history.turns().iter().zip(&worths) {
        let left: Vec<Code> = known.fitting().map(|index| game.code(index)).collect();
        let mean = |guess| {
            let mut parts = BTreeMap::<String, f64>::new();
            left.iter().for_each(|&code| *parts.entry(Feedback::of(guess, code).to_string()).or_default() += 1.0);
            parts.values().map(|part| part * part).sum::<f64>() / left.len() as f64
        };
        let all: Vec<u32> = (0..game.codes()).collect();
        let best = scorer.best(&scorer.candidates(known.fitting().collect()), &all).expect("a guess").index;
        known.push(turn.guess, turn.answer);
        assert_eq!((worth.before, worth.after), (left.len() as u64, known.fitting().count() as u64));
        assert_eq!(worth.best_guess, best);
        assert!((worth.expected - mean(turn.guess)).abs() < 1e-9 && (worth.best - mean(game.code(best))).abs() < 1e-9);
    }
    assert_eq!(worths.iter().map(|worth| worth.after).collect::<Vec<_>>(), [500, 500, 128, 128, 38]);
}
