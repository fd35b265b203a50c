//! Servers that make no sense: a bot says so, answers or leaves, and never hangs or panics.

use std::io::Write;
use std::process::{Command, Stdio};

use amazons_testing::output_of;
use cluedo::bots::Kind;
use cluedo::bots::play::seat_bot;
use cluedo::deal::stream;
use cluedo::deck::CardSet;
use cluedo::line::message::{Answer, Line};
use rand::RngExt;

use super::driver::SESSION;
use crate::support::{PROGRAM, command, run};

/// Lines in any order, with any numbers: every bot answers every request.
#[test]
fn any_lines_in_any_order() {
    for kind in Kind::ALL {
        for seed in 0..60 {
            let mut rng = stream(seed, 0, 0, "lines");
            let players = 2 + (seed % 3) as usize;
            let cards = 3 * (players + 1);
            let rng_of_bot = stream(seed, 0, 0, "bot");
            let mut player = seat_bot(kind, 0, players, rng_of_bot);
            player.answer(Line::Hand(CardSet::of([0, players + 1, 2 * players + 2])));
            for _ in 0..60 {
                let mut any = |end: usize| rng.random_range(0..end);
                let size = players + 1;
                let named = [any(size), size + any(size), 2 * size + any(size)];
                let line = match any(13) {
                    0 if any(8) == 0 => Line::Hand(CardSet::of([any(cards + 1), any(cards), any(cards)])),
                    1 if any(4) == 0 => Line::Won(any(players + 1)),
                    2 if any(4) == 0 => Line::Error(202),
                    3 => Line::Hypothesis([any(cards + 2), any(cards), any(cards)]),
                    4 | 5 => Line::Hypothesis(named),
                    6 => Line::Pass(any(players + 1)),
                    7 => Line::Shown(any(players + 1)),
                    8 => Line::ShownToYou(any(players + 1), any(cards + 1)),
                    9 => Line::Nobody,
                    10 | 11 => Line::Ask,
                    _ => Line::Turn,
                };
                let is_request = matches!(line, Line::Ask | Line::Turn);
                let answer = player.answer(line);
                let may_be_silent = matches!(kind, Kind::Bot0 | Kind::Bot0Literal) && line == Line::Ask;
                assert!(answer.is_some() == is_request || may_be_silent, "{kind:?}, seed {seed}: {line:?}");
                assert!(!matches!(answer, Some(Answer::Hello(_))));
            }
        }
    }
}

/// What a bot says of a server, and how it ends.
fn bot(level: &str, server: &[u8]) -> (Option<i32>, String) {
    let output = run(command(&["bot", level, "-", "--seed", "1"]), server);
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn how_a_bot_ends() {
    let before = "cluedo: the server left before the first game; are all seats taken?\n";
    let during = "cluedo: the server left in the middle of a game\n";
    let cases: [(&[u8], i32, &str); 12] = [
        (b"", 1, before),
        (b"B 0 3\n", 1, before),
        (b"B 0 3\nE 101\n", 1, "cluedo: error 101 before the first game: a wrong login, or not all players came\n"),
        (b"B 0 3\nC 0 4 8\nT\n", 1, during),
        (b"B 0 3\nC 0 4 8\nF 1\n", 0, ""),
        (b"B 0 3\r\nC  0 4\t8 \r\n F 1", 1, during),
        (b"B 0 3\nC 0 4 8\nE 12345678901234567890123\n", 0, ""),
        (b"B 3 3\n", 2, "cluedo: the server says \"B 3 3\": 2 to 10 can play\n"),
        (b"B 0 11\n", 2, "cluedo: the server says \"B 0 11\": 2 to 10 can play\n"),
        (b"B 0 3\nC 0 4 8\nF 1\n\0\xff\n", 0, "unknown line: \"\\x00\\xff\"\n"),
        (b"B 0 3\nC 0 4 12\n", 1, "a line that makes no sense now: \"C 0 4 12\"\n"),
        (b"T\n", 1, "the server did not say which seat this is: \"T\"\n"),
    ];
    for (server, status, says) in cases {
        for level in ["1", "2", "3", "4"] {
            let (code, errors) = bot(level, server);
            assert_eq!(code, Some(status), "{}: {errors}", server.escape_ascii());
            assert!(errors.starts_with(says), "{}: {errors}", server.escape_ascii());
            assert!(errors.lines().count() <= 2, "{errors}");
        }
    }
    let endless = vec![b'C'; 3 << 20];
    let (code, errors) = bot("2", &endless);
    assert_eq!(code, Some(2));
    assert_eq!(errors, "cluedo: the server sends a line of more than a megabyte: is this a Cluedo server?\n");
}

/// A session cut after any byte ends the bot, and its standard error need not be read.
#[test]
fn a_session_cut_anywhere() {
    let lines: Vec<&str> = SESSION[1].split(';').map(str::trim).filter(|line| !line.starts_with('<')).collect();
    let text = lines.join("\n");
    for end in (0..text.len()).step_by(7) {
        let mut child = Command::new(PROGRAM)
            .args(["bot", "4", "-", "--explain"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a bot");
        drop(child.stderr.take());
        // It may have ended.
        let _ = child.stdin.take().expect("piped").write_all(&text.as_bytes()[..end]);
        let status = output_of(child).status.code();
        assert!(matches!(status, Some(0 | 1)), "{end}: {status:?}");
    }
}
