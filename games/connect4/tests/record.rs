//! Records: written by the program, read back, refused where the rules do not allow a move.

use std::fs;

use connect4::record::{GameResult, Head, Line, Played, Reason, Record, Winner};
use connect4::{Position, Size};

use crate::support::{Folder, run};

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| serde_json::to_string(line).expect("it can be written") + "\n").collect()
}

fn head() -> Line {
    Line::Game(Head::new("", Size::STANDARD, ["human".to_owned(), "random".to_owned()], 2, 7))
}

fn moves(names: &str) -> Vec<Line> {
    names.chars().map(|name| Line::Move(Played::plain(name))).collect()
}

fn result(winner: Winner, reason: Reason) -> Line {
    Line::Result(GameResult { winner, reason })
}

#[test]
fn records_read_back() {
    let lines = [vec![head()], moves("4455667"), vec![result(Winner::First, Reason::Four)]].concat();
    let record = Record::parse(&text(&lines)).expect("a record");
    assert_eq!((record.all_moves(), record.head.first, record.head.seed), ("4455667".to_owned(), 2, 7));
    assert_eq!(record.position(), Position::from_moves(Size::STANDARD, "4455667").expect("legal moves"));
    assert_eq!(record.result, Some(GameResult { winner: Winner::First, reason: Reason::Four }));
    // The digit string opens, too.
    let record = Record::parse("4455667\n").expect("a record");
    assert_eq!((record.all_moves().as_str(), record.result), ("4455667", None));
}

#[test]
fn moves_that_were_taken_back_are_gone() {
    let back = [vec![head()], moves("44"), vec![Line::Undo { plies: 2 }], moves("35")].concat();
    assert_eq!(Record::parse(&text(&back)).expect("a record").all_moves(), "35");
    let over = [moves("4455667"), vec![result(Winner::First, Reason::Four), Line::Undo { plies: 1 }], moves("3")];
    let over = [vec![head()], over.concat()].concat();
    assert_eq!(Record::parse(&text(&over)).expect("a record").all_moves(), "4455663");
}

#[test]
fn what_the_rules_do_not_allow_is_refused_with_its_line() {
    let rows = [
        (moves("4444444"), "line 8: move 7: column 4 is full"),
        (moves("44556671"), "line 9: move 8: the game is over"),
        (moves("48"), "line 3: move 2: no column \"8\": columns are 1 to 7"),
        (vec![result(Winner::First, Reason::Four)], "line 2: the result is not that of the board"),
        (vec![result(Winner::None, Reason::Resigned)], "line 2: the result is not that of the board"),
        (vec![Line::Undo { plies: 1 }], "line 2: 1 moves are taken back, but fewer were played"),
        (vec![head()], "line 2: a second head"),
        ([vec![result(Winner::First, Reason::Resigned)], moves("1")].concat(), "line 3: a move after the result"),
    ];
    for (lines, reason) in rows {
        let error = Record::parse(&text(&[vec![head()], lines].concat())).expect_err(reason);
        assert_eq!(error.to_string(), reason);
    }
    let size = text(&[head()]).replace("7x6", "9x9");
    for (text, start) in [
        (String::new(), "line 1: the record has to begin with its head"),
        (text(&moves("4")), "line 1: the record has to begin with its head"),
        ("{\"line\":\"story\"}".to_owned(), "line 1: not a line of a record"),
        (size, "line 1: no board of 9x9"),
        (
            crate::record::text(&[head()]).replace("\"version\":1", "\"version\":9"),
            "line 1: a record of connect4 version 9",
        ),
        (crate::record::text(&[head()]).replace("\"first\":2", "\"first\":3"), "line 1: player 3 moves first"),
        ("4444444".to_owned(), "line 1: move 7: column 4 is full"),
        ("44\n55\n".to_owned(), "line 2: the record has to begin with its head"),
    ] {
        let error = Record::parse(&text).expect_err(start).to_string();
        assert!(error.starts_with(start), "{error}");
    }
}

#[test]
fn show_prints_a_record_or_says_where_it_is_wrong() {
    let folder = Folder::new("show");
    let file = folder.file("game.jsonl");
    let played = run(&format!("average:4 average:4 --seed 3 --quiet --record {}", file.display()), "");
    assert_eq!((played.status, played.err.as_str()), (Some(0), ""));
    let moves = "444444352122235265333675566635261111177777";
    assert!(played.out.contains(moves), "{}", played.out);
    let shown = run(&format!("show {}", file.display()), "");
    assert!(shown.out.contains(&format!("{moves} average:4 (O) won")), "{}", shown.out);
    let all = run(&format!("show --all {}", file.display()), "");
    assert!(all.out.contains("\n1. 4 (+0.000)\n") && all.out.contains("\n42. 7 "), "{}", all.out);

    // A record that is torn after its third line still has two moves.
    let text = fs::read_to_string(&file).expect("a record");
    let torn = text.lines().take(3).collect::<Vec<_>>().join("\n");
    fs::write(&file, torn).expect("it is written");
    assert!(run(&format!("show {}", file.display()), "").out.contains("44 (not finished)"));
    fs::write(&file, text.replacen("\"column\":\"4\"", "\"column\":\"9\"", 1)).expect("it is written");
    let refused = run(&format!("show {}", file.display()), "");
    let reason = format!("connect4: {}: line 2: move 1: no column \"9\": columns are 1 to 7\n", file.display());
    assert_eq!((refused.status, refused.err), (Some(2), reason));
}

#[test]
fn a_line_that_was_cut_short_is_left_out() {
    let folder = Folder::new("torn");
    let file = folder.file("game.jsonl");
    let whole = text(&[vec![head()], moves("445")].concat());
    let torn = &whole[..whole.len() - 9];
    fs::write(&file, torn).expect("it is written");
    let warning = format!("connect4: warning: {}: line 4 was cut short and is left out\n", file.display());
    let shown = run(&format!("show {}", file.display()), "");
    assert_eq!((shown.status, &shown.err), (Some(0), &warning));
    assert!(shown.out.contains("44 (not finished)"), "{}", shown.out);
    let resumed = run(&format!("human human --quiet --resume {}", file.display()), "6\nquit\n");
    assert!(resumed.status == Some(0) && resumed.err.starts_with(&warning), "{resumed:?}");
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert_eq!(record.all_moves(), "446");
    // A whole line that is wrong is no torn one, nor is a line in the middle.
    for wrong in [format!("{torn}\n"), whole.replacen("\"column\"", "\"col", 1)] {
        fs::write(&file, wrong).expect("it is written");
        let refused = run(&format!("show {}", file.display()), "");
        assert!(refused.status == Some(2) && refused.err.contains("not a line of a record"), "{refused:?}");
    }
}

#[test]
fn show_escapes_what_a_terminal_would_obey() {
    let folder = Folder::new("escape");
    let file = folder.file("game.jsonl");
    let players = ["\x1b[31mred\u{7}".to_owned(), "left\u{202e}\n".to_owned()];
    let lines = [vec![Line::Game(Head::new("", Size::STANDARD, players, 1, 0))], moves("4")].concat();
    fs::write(&file, text(&lines)).expect("it is written");
    let shown = run(&format!("show {}", file.display()), "").out;
    let first = r"\u{1b}[31mred\u{7} (X) against left\u{202e}\n (O) on 7x6";
    assert_eq!(shown.lines().next(), Some(first));
    assert!(!shown.contains(['\x1b', '\u{7}', '\u{202e}']), "{shown:?}");
}
