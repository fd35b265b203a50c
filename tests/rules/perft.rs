use std::sync::Arc;

use amazons_rules::{Board, Position};

#[test]
fn every_oracle_holds() {
    let oracles = include_str!("../data/perft.txt");
    let mut checked = 0;
    for line in oracles.lines().filter(|line| !line.starts_with('#')) {
        let (subject, facts) = line.split_once(" ; ").expect("a subject and facts");
        let position = position(subject);
        for fact in facts.split(" ; ") {
            let (key, value) = fact.split_once(' ').expect("a key and a value");
            let found = match key {
                "V" => position.board().vertex_count() as u64,
                "E" => position.board().edge_count() as u64,
                depth => {
                    position.perft(depth.strip_prefix('D').and_then(|depth| depth.parse().ok()).expect("D and a depth"))
                }
            };
            assert_eq!(found.to_string(), value, "{key} of {subject}");
            checked += 1;
        }
    }
    assert!(checked >= 60, "only {checked} facts");
}

#[test]
fn depth_zero_is_one_and_a_blocked_side_has_none() {
    let position = Position::parse("q*/Q1 b").expect("a position");
    assert_eq!(position.perft(0), 1);
    let blocked = Position::parse("q*/** b").expect("a position");
    assert_eq!(blocked.perft(1), 0);
    assert_eq!(blocked.perft(2), 0);
}

fn position(subject: &str) -> Position {
    match subject.split_once(' ') {
        Some((shape, m)) if shape.len() == 1 => {
            let board = Board::new(shape.parse().expect("a shape"), m.parse().expect("a size"));
            Position::start(Arc::new(board.expect("a board")))
        }
        _ => Position::parse(subject).expect("a position text"),
    }
}
