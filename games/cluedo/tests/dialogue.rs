//! What a person types at `cluedo play`: names of several words, what is typed ahead, and ways back and out.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::support::{PROGRAM, command, said};

/// What a person sees of a game with this seed against two AIs.
fn seen(seed: &str, typed: &str) -> String {
    said(command(&["play", "--ais", "2", "--type", "default", "--seed", seed]), typed.as_bytes())
}

/// The cards that the person shows.
fn shown(seen: &str) -> Vec<&str> {
    seen.lines().filter(|line| line.starts_with("You show")).collect()
}

const ASKED: &str = "AI 1 asks you. Which card do you show: 3 Reverend Green or 9 Revolver?";

#[test]
fn a_name_as_printed_answers_one_question() {
    let text = seen("66", "1 plum rope hall\nReverend Green\n");
    assert_eq!(shown(&text), ["You show AI 1 Reverend Green (3)."]);
    let asked = "AI 2 asks you. Which card do you show: 3 Reverend Green or 7 Knife?\nYou leave the game.\n";
    assert!(text.contains(asked), "{text}");
    let text = seen("2", "1 plum rope Salle à manger\n");
    assert_eq!(shown(&text), [""; 0]);
    assert!(text.contains("You suggest Professor Plum, Rope, Dining room."), "{text}");
    assert!(text.contains("2 Mrs White or 7 Knife or 13 Dining room?\nYou leave the game."), "{text}");
    for typed in [
        "1\nColonel Mustard\nLead pipe\nBilliard room\n",
        "1 Colonel Mustard Lead pipe Billiard room\n",
        "\u{feff}1 col mustard\r\nlead p\r\n\r\nbilliards\r\n",
        "1 colonel moutarde barre de fer\nBILLARD\n",
    ] {
        let text = seen("66", typed);
        assert!(text.contains("You suggest Colonel Mustard, Lead pipe, Billiard room."), "{typed}: {text}");
        assert_eq!(shown(&text), [""; 0], "{typed}");
    }
}

#[test]
fn what_is_left_of_a_line_answers_no_later_question() {
    for (typed, told) in [
        ("1 plum rope hall 3 9\n", "\"3 9\" is not taken: it answers no question"),
        ("1 plum rope hall Green\n", "\"Green\" is not taken: it answers no question"),
        ("1 plum rope hall\n3 9\n", "unknown card \"3 9\": type its number or the beginning of its name"),
        ("1 plum rope hall\nReverend Green Revolver\n", "unknown card \"Reverend Green Revolver\""),
        ("1 plum rope hall\nRope\n", "you cannot show Rope: choose 3 Reverend Green or 9 Revolver"),
        ("1 plumm rope hall\nplum rope hall\n", "of its name (\"rope hall\" is not taken, either)"),
        ("1 plum rope hall 3\nback\n", "There is no question before this one."),
    ] {
        let text = seen("66", typed);
        assert!(text.contains(told) && text.contains(ASKED), "{typed}: {text}");
        assert_eq!(shown(&text), [""; 0], "{typed}: {text}");
    }
    // Neither does it begin the next turn, nor end one.
    let text = seen("66", "1 plum rope hall\n3\n3\n1 plum rope hall 0 0 6 12\n");
    assert_eq!((shown(&text).len(), text.matches("You accuse").count()), (2, 0), "{text}");
    assert!(text.contains("\"0 0 6 12\" is not taken"), "{text}");
    let text = said(command(&["play", "--seed", "66"]), b"2 0 1 plum rope hall\n");
    assert!(text.contains("\"1 plum rope hall\" is not taken") && !text.contains("You suggest"), "{text}");
}

#[test]
fn every_prompt_leads_back_and_out() {
    let text = seen("66", "0\nback\n0 plum\ncancel\n0 plum rope\nBack\nback\n1 plum rope hall\nquit\n");
    assert_eq!(text.matches("Your turn: 0 accusation, 1 suggestion?").count(), 5, "{text}");
    assert!(text.contains("This is the first question of your turn.\n") && !text.contains("You accuse"), "{text}");
    assert!(text.contains(&format!("{ASKED}\nYou leave the game.\nNobody wins.\n")), "{text}");
    for word in ["quit", "exit", "QUIT"] {
        for typed in ["", "0 ", "1 plum ", "1 plum rope "] {
            let text = seen("66", &format!("{typed}{word}\n1 plum rope hall\n"));
            assert!(
                text.contains("?\nYou leave the game.\n") && !text.contains("You suggest"),
                "{typed}{word}: {text}"
            );
        }
    }
    let text = said(command(&["play", "--seed", "7"]), b"2\nback\n3\nexit\n");
    assert_eq!(text.matches("How many AIs, 2 to 5?").count(), 2, "{text}");
    assert!(text.ends_with("5 exact?\nYou leave before the game.\n"), "{text}");
}

/// At a terminal, even whole lines that were typed before a question are dropped: no card is shown unasked.
#[test]
fn lines_typed_ahead_at_a_terminal_are_dropped() {
    let game = format!("'{PROGRAM}' play --ais 2 --type default --seed 66");
    let mut script = Command::new("script");
    script.args(["-qec", &game, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    // The program belongs to the base system of Debian.
    let Ok(mut child) = script.spawn() else { return };
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    input.write_all(b"1 plum rope hall\n3\n").expect("it reads");
    let dropped = lines.by_ref().find(|line| line.starts_with("what you typed") || line.starts_with("You show"));
    assert_eq!(dropped.as_deref().map(str::trim_end), Some("what you typed before this question is not taken"));
    assert_eq!(lines.next().as_deref().map(str::trim_end), Some(ASKED));
    input.write_all(b"9\n").expect("it reads");
    let shown = lines.by_ref().find(|line| line.starts_with("You show"));
    assert_eq!(shown.as_deref().map(str::trim_end), Some("You show AI 1 Revolver (9)."));
    // Before the next question, this would be dropped, too.
    let is_question = |line: &String| line.starts_with("Your turn") || line.contains("asks you. Which card");
    assert!(lines.by_ref().any(|line| is_question(&line)));
    input.write_all(b"quit\n").expect("it reads");
    assert!(lines.any(|line| line.contains("You leave the game.")));
    child.kill().expect("it is ours");
    amazons_testing::status_of(&mut child);
}
