//! Completion with Tab.

use amazons::human::completions;
use amazons_rules::{Board, MoveList, Position, Shape};

#[test]
fn squares_and_commands_are_offered_as_far_as_they_are_typed() {
    let position = Position::parse("5/4q/5/5/Q*3 w").expect("a position");
    let offers = |typed: &str| completions(&position, typed);
    assert_eq!(offers("a"), (0, vec!["a1-".to_owned()]));
    assert_eq!(offers("  h"), (2, vec!["hint".to_owned(), "help".to_owned()]));
    assert_eq!(offers("moves "), (6, vec!["a1".to_owned()]));
    assert_eq!(offers("A1-").1, ["a5/", "e5/", "a4/", "d4/", "a3/", "c3/", "a2/", "b2/"], "from the top");
    assert_eq!(offers("a1-b"), (3, vec!["b2/".to_owned()]));
    assert!(offers("a1-a2/").1.contains(&"a1".to_owned()), "the queen has left its square");
    assert_eq!(offers("a1-a2/e").1, ["e2"]);
    assert_eq!(offers("z1-"), (3, Vec::new()));
    assert_eq!(offers("a1-b2/zz").1, Vec::<String>::new());
}

#[test]
fn what_is_offered_step_by_step_is_all_legal_moves_and_nothing_else() {
    let position = Position::start(Board::new(Shape::Donut, 6).expect("a board").into());
    let mut found = Vec::new();
    for from in completions(&position, "").1.into_iter().filter(|offer| offer.ends_with('-')) {
        for to in completions(&position, &from).1 {
            let begun = format!("{from}{to}");
            found.extend(completions(&position, &begun).1.into_iter().map(|arrow| format!("{begun}{arrow}")));
        }
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut expected: Vec<String> = moves.iter().map(|&mv| position.board().move_text(mv)).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
}
