//! `connect4 solve` at the command line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use amazons_testing::{output_of, status_of};
use connect4::{Position, Size};

fn connect4(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_connect4"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // It may end without reading.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = output_of(child);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The lines without the positions and microseconds that they took.
fn results(lines: &str) -> Vec<String> {
    let result = |line: &str| line.rsplitn(3, ' ').nth(2).unwrap_or_default().to_owned();
    lines.lines().map(result).collect()
}

#[test]
fn positions_are_answered_in_order() {
    let moves = ["2252576253462244111563365343671351441", "7137137772572421345312451664"];
    let (status, lines, error) = connect4(&["solve", moves[0], moves[1]], "");
    assert_eq!((status, &error[..]), (Some(0), ""));
    assert_eq!(results(&lines), [format!("{} -1", moves[0]), format!("{} -1", moves[1])]);
    let (_, lines, _) = connect4(&["solve", "--weak", "--book", "none", "-j", "1", "--memory", "1", moves[1]], "");
    assert_eq!(results(&lines), [format!("{} -1", moves[1])]);
    let (_, lines, _) = connect4(&["solve", "--columns", moves[1]], "");
    assert_eq!(results(&lines), [format!("{} -7 -7 -7 -7 -1 -7 x", moves[1])]);
    let (_, lines, _) = connect4(&["solve", "--columns", "--weak", moves[1]], "");
    assert_eq!(results(&lines), [format!("{} -1 -1 -1 -1 -1 -1 x", moves[1])]);
    let (_, lines, _) = connect4(&["solve", "--size", "4x4"], "");
    assert_eq!(results(&lines), [" 0"]);
    assert!(lines.split(' ').nth(2).and_then(|nodes| nodes.parse::<u64>().ok()) > Some(100), "{lines}");
}

#[test]
fn a_bad_line_is_reported_and_the_others_go_on() {
    let input =
        "7137137772572421345312451664\n4444444\n\u{fffd}\n121212145\n1212121\n2252576253462244111563365343671351441";
    let (status, lines, error) = connect4(&["solve", "--stdin"], input);
    let expected = ["7137137772572421345312451664 -1", "", "", "", "", "2252576253462244111563365343671351441 -1"];
    assert_eq!((status, results(&lines)), (Some(1), expected.map(str::to_owned).to_vec()));
    let complaints = [
        "line 2: column 4 is full at move 7",
        "line 3: no column \"\u{fffd}\": columns are 1 to 7 at move 1",
        "line 4: the game is over at move 8",
        "line 5: the game is over at move 7",
    ];
    assert_eq!(error.lines().collect::<Vec<_>>(), complaints);
}

/// Published sets: moves with a score, with blanks or commas, and all cells of a board.
#[test]
fn positions_as_people_have_them() {
    let moves = "7137137772572421345312451664";
    let position = Position::from_moves(Size::STANDARD, moves).expect("legal moves");
    let cell =
        |column, row, letters: [char; 3]| letters[position.stone(column, row).map_or(0, |side| 1 + side as usize)];
    let by_columns = |letters| (0..42).map(|place| cell(place / 6, place % 6, letters)).collect::<Vec<char>>();
    let by_rows = |letters| (0..42).map(|place| cell(place % 7, 5 - place / 7, letters)).collect::<Vec<char>>();
    let (uci, rows) = (by_columns(['b', 'x', 'o']), by_rows(['0', '1', '2']));
    let joined = |cells: &[char]| cells.iter().map(char::to_string).collect::<Vec<_>>().join(",");
    let text = |cells: &[char]| cells.iter().collect::<String>();
    let lines = [
        format!("{moves} -1\r"),
        format!("{moves} +3"),
        moves.chars().map(|column| format!("{column}, ")).collect(),
        format!("{} {}", &moves[..20], &moves[20..]),
        format!("{},loss", joined(&uci)),
        format!("[{}]", joined(&rows)),
        text(&by_columns(['.', 'X', 'O'])),
        "44444444 1".to_owned(),
    ];
    let (status, answers, error) = connect4(&["solve", "--stdin"], &lines.join("\n"));
    let same = || format!("{moves} -1");
    let cells = [text(&uci), text(&rows), text(&by_columns(['.', 'X', 'O']))].map(|cells| format!("{cells} -1"));
    let expected = [&[same(), same(), same(), same()][..], &cells, &[String::new()]].concat();
    assert_eq!(results(&answers), expected, "{error}");
    let complaints = ["line 2: the score is -1, not 3", "line 8: column 4 is full at move 7"];
    assert_eq!((status, error.lines().collect::<Vec<_>>()), (Some(1), complaints.to_vec()));
    let (status, answers, error) = connect4(&["solve", "--weak", &format!("{moves} -7"), "4 4 4 4 4 4"], "");
    assert_eq!((status, results(&answers), &error[..]), (Some(0), vec![same(), "444444 1".to_owned()], ""));
}

#[test]
fn a_blank_line_is_the_empty_board() {
    let (status, lines, error) = connect4(&["solve", "--stdin", "--size", "4x4"], "\u{feff}\n  \n12\n");
    assert_eq!((status, &error[..]), (Some(0), ""));
    assert_eq!(results(&lines), [" 0", " 0", "12 0"]);
}

#[test]
fn a_line_that_is_too_long_is_skipped() {
    let input = format!("{}\n7137137772572421345312451664\n", "1".repeat(1 << 20));
    let (status, lines, error) = connect4(&["solve", "--stdin"], &input);
    assert_eq!((status, &error[..]), (Some(1), "line 1: more than 4096 bytes\n"));
    assert_eq!(results(&lines), ["", "7137137772572421345312451664 -1"]);
}

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_connect4"));
    let child = command.args(["solve", "--stdin"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let (mut input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let mut lines = BufReader::new(output).lines();
    for moves in ["2252576253462244111563365343671351441", "7137137772572421345312451664"] {
        writeln!(input, "{moves}").expect("it reads");
        let line = lines.next().expect("a line").expect("text");
        assert!(line.starts_with(&format!("{moves} -1 ")), "{line}");
    }
    drop(input);
    assert!(status_of(&mut child).success());
}

#[test]
fn wrong_arguments_are_one_line_and_status_2() {
    for (arguments, complaint) in [
        (&["solve", "4x"][..], "no column \"x\""),
        (&["solve", "4444444"], "column 4 is full at move 7"),
        (&["solve", "1212121"], "the game is over"),
        (&["solve", "--book", "/dev/null", "4"], "/dev/null: not an opening book of Connect 4"),
        (&["solve", "--book", "/nonexistent/book", "4"], "/nonexistent/book: "),
        (&["book", "check", "/nonexistent/book"], "/nonexistent/book: "),
        (&["book", "make", "/nonexistent/book", "--size", "4x4", "--plies", "1"], "/nonexistent/book.part: "),
    ] {
        let (status, lines, error) = connect4(arguments, "");
        assert_eq!((status, &lines[..], error.lines().count()), (Some(2), "", 1), "{arguments:?}: {error}");
        assert!(error.contains(complaint), "{arguments:?}: {error}");
    }
    for arguments in [&["solve", "--size", "9x9"][..], &["solve", "--memory", "0"]] {
        let (status, lines, error) = connect4(arguments, "");
        assert_eq!((status, &lines[..]), (Some(2), ""), "{arguments:?}: {error}");
    }
}
