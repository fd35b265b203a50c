//! Lines: what is read, what is written, what is not a line.

use cluedo::deal::{Deal, DealError};
use cluedo::deck::CardSet;
use cluedo::line::message::{Answer, Codes, Fault, Line};
use rand::RngExt;

#[test]
fn answers() {
    let cases: [(&[u8], Option<Answer>); 26] = [
        (b"H 1 2 3", Some(Answer::Hypothesis([1, 2, 3]))),
        (b" \tH  01\t2 0003 ", Some(Answer::Hypothesis([1, 2, 3]))),
        (b"A 9 5 1", Some(Answer::Accusation([9, 5, 1]))),
        (b"M 7", Some(Answer::Show(7))),
        (b"B ada#x", Some(Answer::Hello("ada#x".to_owned()))),
        (b"B 7", Some(Answer::Hello("7".to_owned()))),
        (b"h 1 2 3", None),
        (b"H 1 2", None),
        (b"H 1 2 3 4", None),
        (b"H1 2 3", None),
        (b"H +1 2 3", None),
        (b"H -1 2 3", None),
        (b"H 1.0 2 3", None),
        (b"H 1_0 2 3", None),
        ("H \u{664} 2 3".as_bytes(), None),
        (b"H 1 2 3\0", None),
        (b"HH 1 2 3", None),
        (b"M", None),
        (b"M 1 2", None),
        (b"M x", None),
        (b"B", None),
        (b"B a b", None),
        (b"B 123456789012345678901234567890123", None),
        (b"B \xff", None),
        (b"", None),
        (b"X 1", None),
    ];
    for (line, answer) in cases {
        assert_eq!(Answer::parse(line), answer, "{}", line.escape_ascii());
    }
    let huge = format!("M {}", "9".repeat(60));
    assert_eq!(Answer::parse(huge.as_bytes()), Some(Answer::Show(usize::MAX)));
}

#[test]
fn lines_survive_writing_and_reading() {
    let lines = [
        Line::Welcome { seat: 3, players: 10 },
        Line::Hand(CardSet::of([0, 15, 32])),
        Line::Turn,
        Line::Hypothesis([12, 1, 32]),
        Line::Pass(9),
        Line::Ask,
        Line::Shown(0),
        Line::ShownToYou(1, 31),
        Line::Nobody,
        Line::Won(2),
        Line::Error(301),
    ];
    for line in lines {
        for trailing_blank in [false, true] {
            let mut bytes = Vec::new();
            line.write(&mut bytes, trailing_blank);
            assert_eq!(bytes.pop(), Some(b'\n'));
            assert_eq!(Line::parse(&bytes), Some(line));
            assert_eq!(bytes.ends_with(b" "), trailing_blank && matches!(line, Line::Turn | Line::Ask | Line::Nobody));
        }
    }
}

#[test]
fn parsers_bear_anything() {
    let mut rng = cluedo::deal::stream(1, 0, 0, "bytes");
    let letters = b"HAMBCTPFE 0123456789 \t\r\0\xff-+._#|";
    for _ in 0..200_000 {
        let length = rng.random_range(0..20);
        let line: Vec<u8> = (0..length).map(|_| letters[rng.random_range(0..letters.len())]).collect();
        if let Some(answer) = Answer::parse(&line) {
            assert_eq!(Answer::parse(answer.to_string().as_bytes()), Some(answer));
        }
        if let Some(line) = Line::parse(&line) {
            let mut bytes = Vec::new();
            line.write(&mut bytes, false);
        }
        if let Ok(deal) = Deal::parse(&String::from_utf8_lossy(&line), 2) {
            assert_eq!(deal.hands().len(), 2);
        }
    }
}

#[test]
fn deals_that_are_wrong() {
    let wrong = |text: &str| Deal::parse(text, 3).expect_err("it is wrong");
    assert_eq!(wrong("2 5 10 | 0 4 8 | 1 6 9"), DealError::Hands(2, 3));
    assert_eq!(wrong("2 3 10 | 0 4 8 | 1 6 9 | 5 7 11"), DealError::Secret);
    assert_eq!(wrong("2 5 10 | 0 4 8 | 1 6 9 | 3 7 10"), DealError::Twice(10));
    assert_eq!(wrong("2 5 10 | 0 4 12 | 1 6 9 | 3 7 11"), DealError::Cards("0 4 12".to_owned(), 12));
    assert_eq!(wrong(""), DealError::Cards(String::new(), 12));
}

#[test]
fn codes() {
    let faults = [Fault::Hello, Fault::Action, Fault::NoAction, Fault::Card, Fault::NoCard, Fault::Limit];
    assert_eq!(faults.map(|fault| fault.code(Codes::Subject, false)), [101, 201, 202, 211, 212, 301]);
    assert_eq!(faults.map(|fault| fault.code(Codes::Old, false)), [103, 111, 112, 121, 122, 104]);
}

#[test]
fn deals_are_uniform() {
    // 64 secrets and 9 places for a card, each alike: 3 and 12 cards.
    let (mut secrets, mut first) = ([0.0; 64], [0.0; 3]);
    let games = 64_000;
    for game in 0..games {
        let deal = Deal::course(3, &mut cluedo::deal::stream(2, 0, game, "deal"));
        let [a, b, c] = deal.solution;
        secrets[a * 16 + (b - 4) * 4 + c - 8] += 1.0;
        let all = deal.hands().iter().fold(CardSet::of(deal.solution), |all, &hand| all | hand);
        assert_eq!((all.len(), deal.hands().iter().map(|hand| hand.len()).max()), (12, Some(3)));
        if let Some(seat) = deal.hands().iter().position(|hand| hand.contains(5)) {
            first[seat] += 1.0;
        }
    }
    let chi: f64 = secrets.iter().map(|count: &f64| (count - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi < 63.0 + 5.0 * 126_f64.sqrt(), "chi-square {chi}");
    for share in first.map(|count| count / games as f64) {
        assert!((share - 0.25).abs() < 0.008, "{first:?}");
    }
}
