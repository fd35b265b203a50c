//! Input from a person.

use amazons::human::HumanCommand;
use amazons_rules::Position;

#[test]
fn words_and_moves_are_read_in_any_case() {
    let position = Position::standard();
    let board = position.board();
    let d1 = board.parse_square("d1").expect("a square");
    let mv = board.parse_move("d1-d7/g7").expect("a move");
    for (line, entry) in [
        ("", HumanCommand::Nothing),
        (" Undo \n", HumanCommand::Undo),
        ("HINT", HumanCommand::Hint),
        ("moves", HumanCommand::Moves(None)),
        ("Moves D1", HumanCommand::Moves(Some(d1))),
        ("resign", HumanCommand::Resign),
        ("exit", HumanCommand::Quit),
        ("?", HumanCommand::Help),
        ("board", HumanCommand::Board),
        ("d1-d7/g7", HumanCommand::Move(mv)),
        ("  D1 d7 x G7", HumanCommand::Move(mv)),
    ] {
        assert_eq!(HumanCommand::parse(&position, line).as_ref(), Ok(&entry), "{line}");
    }
    for (line, error) in [
        ("hello\n", "column 6: expected a square such as d1, found the end"),
        ("moves z9", "column 1: square z9 is not on the board"),
        ("d1-d7\r\n", "column 6: a square is missing: a move is three, such as d1-d7/g7"),
    ] {
        let found = HumanCommand::parse(&position, line).map_err(|error| error.to_string());
        assert_eq!(found, Err(error.to_owned()), "{line}");
    }
}
