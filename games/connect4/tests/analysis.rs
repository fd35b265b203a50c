use std::fs;
use std::process::{self, Command};

use connect4::analysis::{Analysis, Verdict};
use connect4::perfect::Solver;
use connect4::record::Record;
use connect4::{Side, Size};
use serde_json::Value;

fn game(moves: &str) -> Record {
    Record::parse(moves).expect("legal moves")
}

/// Judges the last move of a game.
fn judged(moves: &str) -> (i32, Vec<u32>, i32, Verdict) {
    let mut solver = Solver::new(Size::STANDARD, 1 << 22, 1).expect("room");
    let last = moves.len() - 1;
    let analysis = Analysis::new(&game(moves), last, &mut solver, &|| false, |_| {}).expect("moves");
    assert_eq!((analysis.judged.len(), analysis.skipped()), (1, last));
    let judged = &analysis.judged[0];
    (judged.score(), judged.scores.best(), judged.gave_away(), judged.verdict())
}

#[test]
fn moves_are_judged_by_what_they_give_away() {
    let rows = [
        ("2113121222725633415156", '5', (10, vec![4], 0, Verdict::Best)),
        ("2113121222725633415156", '4', (3, vec![4], 7, Verdict::Slower)),
        ("633633576262152", '7', (3, vec![6], 0, Verdict::Best)),
        ("633633576262152", '5', (0, vec![6], 3, Verdict::Mistake)),
        ("633633576262152", '1', (-4, vec![6], 7, Verdict::Blunder)),
        ("626464466652344771", '3', (-12, vec![3, 4, 1, 0, 6], 1, Verdict::Slower)),
        ("626464466652344771", '1', (-11, vec![3, 4, 1, 0, 6], 0, Verdict::Best)),
        ("43173244467443", '6', (-3, vec![2, 4, 1, 0], 3, Verdict::Mistake)),
    ];
    for (moves, column, expected) in rows {
        assert_eq!(judged(&format!("{moves}{column}")), expected, "{moves} {column}");
    }
}

#[test]
fn a_whole_game_ends_as_its_scores_say() {
    let moves = "4356464467655577667733511544711113";
    assert_eq!(moves.len(), 34);
    let mut solver = Solver::new(Size::STANDARD, 1 << 24, 1).expect("room");
    let mut left = Vec::new();
    let made = Analysis::new(&game(moves), 20, &mut solver, &|| false, |it| left.push(it));
    let analysis = made.expect("moves");
    assert_eq!(left, (0..14).rev().collect::<Vec<_>>());
    for pair in analysis.judged.windows(2) {
        // What a move scores is the best score of the other side, with its sign turned round.
        assert_eq!(pair[0].score(), -pair[1].best_score());
    }
    assert_eq!(analysis.moves().next().map(|(number, side, _)| (number, side)), Some((21, Side::First)));
    assert_eq!(analysis.last.ending(), None);
    let stopped = Analysis::new(&game("44"), 0, &mut solver, &|| true, |_| {});
    assert_eq!(stopped, None);
}

pub(crate) fn connect4(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_connect4")).args(args).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A game that X wins.
pub(crate) const GAME: &str = "444444333333552";

#[test]
fn the_command_prints_a_table_json_and_a_page() {
    let path = std::env::temp_dir().join(format!("connect4-analysis-{}.html", process::id()));
    let moves = "6336335762621521";
    let (status, out, error) = connect4(&["analyze", moves, "--from", "14"]);
    assert_eq!((status, error.as_str()), (Some(0), ""));
    let last = out.lines().nth(3).expect("a line for move 16");
    let words: Vec<&str> = last.split_whitespace().collect();
    let expected = "16 O 1 -4 7 +3 7 -4 -2 -4 -10 0 -4 +3 ?? blunder";
    assert_eq!(words.join(" "), expected);
    assert!(out.lines().last().is_some_and(|line| line.starts_with("not finished; blunders: ")), "{out}");

    let html = path.to_str().expect("text");
    let (status, out, _) = connect4(&["analyze", moves, "--from", "16", "--json", "--html", html]);
    assert_eq!(status, Some(0));
    let json: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["moves"][0]["scores"].to_string(), "[-4,-2,-4,-10,0,-4,3]");
    assert_eq!(json["moves"][0]["verdict"], "blunder");
    let page = fs::read_to_string(&path).expect("the page");
    fs::remove_file(&path).expect("it is ours");
    assert!(page.contains(out.trim()), "{page}");
    // The one address is the name of the format of pictures.
    assert_eq!(page.matches("http://").count() + page.matches("https://").count(), 1, "{page}");
    assert!(!["src=", "url(", "@import"].iter().any(|loads| page.contains(loads)), "nothing comes from elsewhere");
}

#[test]
fn what_cannot_be_analysed_is_refused_in_one_line() {
    let rows: [(&[&str], &str); 6] = [
        (&["analyze", "44x"], "no column \"x\": columns are 1 to 7 at move 3"),
        (&["analyze", "4444444"], "column 4 is full at move 7"),
        (&["analyze", ""], "neither a file nor moves"),
        (&["analyze", "no/such.jsonl"], "neither a file nor moves"),
        (&["analyze", "4453", "--from", "5"], "--from 5: the game has 4 moves"),
        (
            &["analyze", GAME, "--from", "15", "--html", "/no/such/folder/page.html"],
            "cannot write /no/such/folder/page",
        ),
    ];
    for (args, wanted) in rows {
        let (status, out, error) = connect4(args);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(error.contains(wanted) && error.lines().count() == 1, "{args:?}: {error}");
    }
}
