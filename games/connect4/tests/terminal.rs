//! A person at the terminal, played by scripts.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use amazons_testing::output_of;
use connect4::record::Record;

use crate::support::{Folder, Ran, connect4, run};

/// Returns the lines that contain this.
fn lines<'a>(text: &'a str, part: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.contains(part)).collect()
}

#[test]
fn a_whole_game() {
    // The computer begins, as in the report; the person lets it win.
    let game = run("human average:4 --first 2 -j 1", "1\n1\n1\nhelp\n2\nquit\n");
    assert_eq!((game.status, game.err.as_str()), (Some(0), ""), "{}", game.out);
    assert!(game.out.contains("average:4 (X) wins. "), "{}", game.out);
    assert!(game.out.contains("[X]"), "the four is marked: {}", game.out);
    assert!(game.out.contains("(X)") && game.out.contains("new, undo or quit: "), "{}", game.out);
    assert!(!game.out.contains('\x1b'), "no colours where nobody sees them");
}

#[test]
fn the_end_of_input_resigns() {
    let game = run("human random", "4\n");
    assert_eq!(game.status, Some(0));
    assert!(game.out.contains("human (X) resigns: random (O) wins. 4"), "{}", game.out);
    let both = run("human human --quiet", "4\n4\n");
    assert_eq!(lines(&both.out, "resigns").len(), 1, "{}", both.out);
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let folder = Folder::new("undo");
    let file = folder.file("game.jsonl");
    let args = format!("human human --quiet --record {}", file.display());
    let game = run(&args, "4\n5\nundo\nundo\nundo\nredo\nredo\nredo\n6\nundo\n7\nquit\n");
    assert_eq!(game.status, Some(0), "{}", game.err);
    let expected = [
        "connect4: no move of yours can be taken back",
        "connect4: nothing was taken back",
        "connect4: to go on with this game: connect4 human human --position 457",
    ];
    assert_eq!(game.err.lines().collect::<Vec<_>>(), expected);
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert_eq!(record.all_moves(), "457");
    // Against a level, both the own move and its answer go.
    let game = run("human average:2", "4\nundo\nredo\nundo\nundo\nboard\nquit\n");
    assert_eq!(lines(&game.out, "no move of yours can be taken back").len(), 1, "{}", game.out);
    assert!(game.err.ends_with("connect4 human average:2\n"), "{}", game.err);
    // After the end, too.
    let game = run("human human --position 445566", "7\n1\nundo\n3\nquit\n");
    let over = "the game is over: new begins another, undo takes moves back";
    assert_eq!(lines(&game.out, over).len(), 1, "{}", game.out);
    assert_eq!(lines(&game.out, "human (X) wins. 4455667").len(), 1, "{}", game.out);
    assert_eq!(lines(&game.out, "human (X) wins. 4455663").len(), 1, "{}", game.out);
}

#[test]
fn hints_scores_and_files() {
    let folder = Folder::new("save");
    let file = folder.file("saved.jsonl");
    let input = format!("hint\nscores\nsave {}\nsave /nowhere/else\nsave\nresign\nresign\nquit\n", file.display());
    let game = run("human average:6 --position 4444", &input);
    assert_eq!(game.status, Some(0), "{}", game.err);
    let scores = "average:6: 1 +0.175   2 +0.641   3 +0.784   4 +0.000   5 +0.784   6 +0.641   7 +0.175";
    for expected in [
        "average:6 would play 3 (+0.784)",
        scores,
        "saved in",
        "cannot write /nowhere/else: ",
        "save needs a file: save game.jsonl",
        "human (X) resigns: average:6 (O) wins. 4444",
        "the game is over",
    ] {
        assert_eq!(lines(&game.out, expected).len(), 1, "{expected}: {}", game.out);
    }
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert_eq!((record.head.position.as_str(), record.moves.len()), ("4444", 0));
}

#[test]
fn typing_errors_are_answered() {
    let game = run("human human", "0\n8\nx\n4.5\n\n44\n4\n4\n4\n4\n4\n4\n4\nsave\nplay now\nquit\n");
    for expected in [
        "no column \"0\": columns are 1 to 7; help lists what else you can type",
        "no column \"8\": ",
        "no column \"x\": ",
        "no column \"4.5\": ",
        "no column \"44\": ",
        "type a column, or help",
        "column 4 is full: choose another one",
        "unknown command \"play now\": help lists them",
    ] {
        assert!(!lines(&game.out, expected).is_empty(), "{expected}: {}", game.out);
    }
}

#[test]
fn a_game_goes_on_from_its_record() {
    let folder = Folder::new("resume");
    let file = folder.file("game.jsonl");
    let args = format!("human average:4 --first 2 --quiet --record {}", file.display());
    run(&args, "1\n2\nundo\nquit\n");
    let resumed = run(&format!("--resume {} --quiet", file.display()), "3\nquit\n");
    assert_eq!(resumed.status, Some(0), "{}", resumed.err);
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert!(record.all_moves().starts_with("41") && record.all_moves().len() == 5, "{}", record.all_moves());
    assert_eq!((record.head.first, record.moves[3].column.as_str()), (2, "3"));
    // What was played before can be taken back, too.
    let undone =
        run(&format!("--resume {} --quiet --record {}", file.display(), folder.file("b").display()), "undo\nundo\n");
    assert_eq!(undone.status, Some(0), "{}", undone.err);
    let record = Record::parse(&fs::read_to_string(folder.file("b")).expect("a record")).expect("it reads back");
    assert_eq!(record.all_moves().len(), 1, "{}", record.all_moves());
    let over = run("random random --quiet --record", "");
    assert_eq!(over.status, Some(2));
}

#[test]
fn every_game_has_a_record_of_its_own() {
    let folder = Folder::new("new");
    let file = folder.file("game.jsonl");
    let args = format!("human human --quiet --record {}", file.display());
    assert_eq!(run(&args, "1\nnew\n2\nnew\n3\nquit\n").status, Some(0));
    for (name, moves) in [("game.jsonl", "1"), ("game-2.jsonl", "2"), ("game-3.jsonl", "3")] {
        let text = fs::read_to_string(folder.file(name)).expect(name);
        assert_eq!(Record::parse(&text).expect("it reads back").all_moves(), moves);
    }
}

#[test]
fn json_is_the_record() {
    let game = run("human average:3 --json --first 2 --seed 9", "1\nquit\n");
    let record = Record::parse(&game.out).expect("only the record is on standard output");
    assert_eq!((record.moves.len(), record.head.seed, record.head.first), (3, 9, 2));
    assert!(record.moves[0].score.is_some() && record.moves[1].score.is_none());
    assert!(game.err.contains("human (O): "), "questions are on standard error: {}", game.err);
}

#[test]
fn random_moves_follow_from_the_seed() {
    let game = |seed| run(&format!("random random --quiet --seed {seed}"), "").out;
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
    let wide = run("random random --quiet --size 16x3 --seed 4", "").out;
    assert!(wide.contains(|letter: char| ('a'..='g').contains(&letter)), "columns beyond 9 are letters: {wide}");
}

#[test]
fn a_game_that_was_given_up_is_not_played_on() {
    let folder = Folder::new("redo");
    let file = folder.file("game.jsonl");
    let args = format!("human human --quiet --record {}", file.display());
    let game = run(&args, "4\nundo\nresign\nredo\n5\nundo\nquit\n");
    assert_eq!(game.err.matches("the game is over: ").count(), 2, "{game:?}");
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert_eq!((record.all_moves().as_str(), record.result.is_some()), ("", true));
    // A move that is taken back takes the resignation back, too.
    run(&args, "4\n5\nresign\nundo\nredo\n6\nquit\n");
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert_eq!(record.all_moves(), "456");
}

#[test]
fn the_running_record_is_not_saved_over() {
    let folder = Folder::new("over");
    let (file, other) = (folder.file("game.jsonl"), folder.file("link.jsonl"));
    std::os::unix::fs::symlink(&file, &other).expect("a link");
    let args = format!("human human --record {}", file.display());
    let game = run(&args, &format!("4\nsave {}\nsave {}\n5\nquit\n", file.display(), other.display()));
    assert_eq!(lines(&game.out, "is where this game is recorded already").len(), 2, "{game:?}");
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert_eq!(record.all_moves(), "45");
}

#[test]
fn quiet_games_still_say_what_is_wrong() {
    for args in ["human human --quiet", "human human --quiet --json"] {
        let game = run(args, "save /nowhere/x\n9\nfoo\nquit\n");
        for expected in ["cannot write /nowhere/x: ", "no column \"9\"", "no column \"foo\""] {
            assert_eq!(lines(&game.err, expected).len(), 1, "{args}: {expected}: {game:?}");
        }
    }
}

#[test]
fn a_line_that_is_no_text_is_asked_again() {
    let mut child = connect4()
        .args(["human", "human"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be run");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"4\n\xff\xfe\n5\nquit\n").expect("it reads");
    drop(stdin);
    let game = Ran::from(output_of(child));
    assert_eq!(lines(&game.out, "that line is not text").len(), 1, "{game:?}");
    assert!(game.err.ends_with("--position 45\n") && !game.out.contains("resigns"), "{game:?}");
}

#[test]
fn no_file_is_overwritten() {
    let folder = Folder::new("taken");
    let file = folder.file("game.jsonl");
    fs::write(folder.file("game-2.jsonl"), "mine").expect("it is written");
    let args = format!("human human --quiet --record {}", file.display());
    assert_eq!(run(&args, "1\nnew\n2\nnew\n3\nquit\n").status, Some(0));
    assert_eq!(fs::read_to_string(folder.file("game-2.jsonl")).expect("it is there"), "mine");
    for (name, moves) in [("game.jsonl", "1"), ("game-3.jsonl", "2"), ("game-4.jsonl", "3")] {
        let text = fs::read_to_string(folder.file(name)).expect(name);
        assert_eq!(Record::parse(&text).expect("it reads back").all_moves(), moves);
    }
    let before = fs::read_to_string(&file).expect("a record");
    let page = run(&format!("analyze {0} --html {0}", file.display()), "");
    assert_eq!((page.status, page.err.lines().count()), (Some(2), 1), "{page:?}");
    assert!(page.err.contains("that is the record: name another file"), "{page:?}");
    assert_eq!(fs::read_to_string(&file).expect("a record"), before);
}

#[test]
fn a_record_is_replaced_as_a_whole() {
    let folder = Folder::new("whole");
    let file = folder.file("game.jsonl");
    let args = format!("human human --quiet --record {}", file.display());
    assert_eq!(run(&args, "1\n2\nquit\n").status, Some(0));
    // Whoever has the old file open still has all of it.
    let mut old = fs::File::open(&file).expect("a record");
    let resumed = run(&format!("--quiet --resume {}", file.display()), "3\nquit\n");
    assert_eq!(resumed.status, Some(0), "{resumed:?}");
    let text = std::io::read_to_string(&mut old).expect("text");
    assert_eq!(Record::parse(&text).expect("it reads back").all_moves(), "12");
    let text = fs::read_to_string(&file).expect("a record");
    assert_eq!(Record::parse(&text).expect("it reads back").all_moves(), "123");
    assert_eq!(fs::read_dir(folder.file("")).expect("a folder").count(), 1, "nothing else is left");
}

#[test]
fn a_game_of_a_page_goes_on_at_the_terminal() {
    let folder = Folder::new("page");
    let file = folder.file("game.jsonl");
    let head =
        r#"{"line":"game","game":"connect4","version":1,"size":"7x6","players":["web","random"],"first":1,"seed":1}"#;
    fs::write(&file, format!("{head}\n")).expect("a file");
    let game = run(&format!("--quiet --resume {}", file.display()), "4\nquit\n");
    assert_eq!(game.status, Some(0), "{}", game.err);
    let record = Record::parse(&fs::read_to_string(&file).expect("a record")).expect("it reads back");
    assert_eq!((record.moves.len(), record.head.players), (2, ["human".to_owned(), "random".to_owned()]));
}
