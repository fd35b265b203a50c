//! Whole games of programs that follow the protocol.

use std::fs;

use serde_json::Value;

use super::{events, open_folder, program, python_example, shell_bot};
use crate::cli::{player, server};

#[test]
fn the_example_plays_on_every_shape_and_side_and_its_record_holds() {
    let Some(bot) = python_example() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (shape, size)) in [("c", "5"), ("d", "7"), ("t", "6"), ("8", "6"), ("c", "11")].into_iter().enumerate()
    {
        let record = folder.path().join(format!("{number}.jsonl")).display().to_string();
        let first = ["1", "2"][number % 2];
        let ran =
            server(["-t", shape, "-m", size, "--first", first, "--record", &record, "-q", &bot, &player("random")]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert!(ran.last_line().ends_with("cannot move") && ran.last_line().contains("(random bot)"), "{}", ran.out);
        let replayed = server(["replay", &record]);
        assert_eq!((replayed.status, replayed.err.as_str()), (0, ""), "{}", replayed.out);
        let text = fs::read_to_string(&record).expect("a record");
        let start: Value = serde_json::from_str(text.lines().next().expect("a line")).expect("JSON");
        assert_eq!(start["players"][0]["file"].as_str(), Some(bot.as_str()), "what was typed");
        assert_eq!(
            (&start["players"][0]["sha256"], &start["players"][0]["name"]),
            (&Value::Null, &"random bot".into())
        );
        assert!(start["players"][1]["sha256"].is_string());
    }
}

#[test]
fn values_reach_the_record_of_players_that_have_some() {
    let Some(bot) = python_example() else { return };
    let events = events(&["-m", "5", &bot, &player("random")]);
    let moves: Vec<&Value> = events.iter().filter(|event| event["event"] == "move").collect();
    assert!(moves.len() > 4);
    for mv in moves {
        assert_eq!(mv["value"].as_f64(), (mv["player"] == 1).then_some(0.0), "{mv}");
    }
}

#[test]
fn a_value_that_is_no_chance_is_left_out_of_records_and_refused_in_them() {
    let folder = open_folder();
    let bot = shell_bot(&folder, "echo 'info value 7'; echo bestmove a4-a3/a4");
    let record = folder.path().join("game.jsonl").display().to_string();
    let ran = server(["-m", "5", "--max-moves", "1", "--record", &record, &bot, &player("random")]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    let text = fs::read_to_string(&record).expect("a record");
    assert!(text.contains("\"value\":null") && !text.contains("\"value\":7"), "{text}");
    fs::write(&record, text.replace("\"value\":null", "\"value\":7")).expect("a file");
    let refuted = server(["replay", &record]);
    assert!(refuted.status == 1 && refuted.err.contains("move 1: a value is from -1 to 1"), "{}", refuted.err);
}

#[test]
fn a_program_starts_from_a_position_and_is_told_its_clock() {
    let folder = open_folder();
    let bot = shell_bot(&folder, "echo \"go $rest\" >&2; echo bestmove a1-b1/a1");
    let said = |options: &[&str]| {
        let random = player("random");
        let mut args = vec!["--position", "5/4q/5/5/Q4 w", "--max-moves", "1", &bot, &random];
        let logs = tempfile::tempdir().expect("a folder");
        let logs = logs.path().join("logs").display().to_string();
        args.extend(options);
        args.extend(["--log-dir", &logs, "-q"]);
        let ran = server(args);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        fs::read_to_string(format!("{logs}/player1.log")).expect("a log")
    };
    assert_eq!(said(&["--move-time", "2"]), "go movetime 2000\n");
    assert_eq!(said(&["--game-time", "30", "--increment", "1"]), "go wtime 30000 winc 1000\n");
    assert_eq!(said(&["--game-time", "30", "--move-time", "3"]), "go movetime 3000 wtime 30000 winc 0\n");
}

#[test]
fn a_program_is_stopped_while_its_opponent_thinks() {
    let Some(python) = super::python() else { return };
    let folder = open_folder();
    let text = include_str!("../../examples/bridge/random_bot.py");
    // It computes for as long as it lives, beside what it is asked for.
    let busy =
        "import threading\ndef burn():\n    while True: pass\nthreading.Thread(target=burn, daemon=True).start()\n";
    let bot = program(&folder, "busy.py", &text.replace("import random\n", &format!("import random\n{busy}")));
    let bot = format!("bridge:{python} {}", bot.display());
    let (_library, slow) = crate::support::player_in_c("slow", "sleep(1);", "");
    let ran = server(["-m", "5", "--json", "--move-time", "3", &bot, &slow]);
    let events: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(events[1]["event"], "move", "{}", ran.out);
    // The slow player answers nonsense after a second, in which the other would have been busy.
    assert_eq!((&events[2]["event"], &events[2]["player"]), (&"fault".into(), &2.into()), "{}", ran.out);
}

#[test]
fn one_of_our_players_behind_the_protocol_plays_one_in_a_library() {
    // The server itself cannot run in its sandbox, so its words are played back by the shell.
    let folder = open_folder();
    let bot = shell_bot(&folder, "echo 'info string hello'; echo 'bestmove a1b1,b1a1 ponder a5a4,a4a5'");
    let events = events(&["--position", "5/4q/5/5/Q4 w", "--max-moves", "1", &bot, &player("random")]);
    assert_eq!(events[1]["text"], "a1-b1/a1", "either way of writing is read");
}

#[test]
fn check_tells_step_by_step_what_is_wrong() {
    if let Some(bot) = python_example() {
        let ran = server(["check", &bot, "-m", "6"]);
        // The example answers at once, so that there is nothing to stop; it passes over nothing else either.
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert_eq!(ran.last_line(), "passed: 9 passed", "{}", ran.out);
    }
    let folder = open_folder();
    let ran = server(["check", "-m", "5", "--json", &shell_bot(&folder, "echo bestmove a1-a1/a1")]);
    assert_eq!(ran.status, 1, "{}", ran.out);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let status =
        |name: &str| lines.iter().find(|line| line["name"] == name).map(|line| line["status"].clone()).expect("a step");
    assert_eq!(
        (status("hello"), status("garbage"), status("quit")),
        ("passed".into(), "passed".into(), "passed".into())
    );
    assert_eq!(
        (status("shapes"), status("clocks"), status("blocked")),
        ("failed".into(), "failed".into(), "failed".into())
    );
    let ran = server(["check", "bridge:/bin/true"]);
    assert!(
        ran.status == 1 && ran.out.contains(" 1  Failed   it identifies itself: exit: ended its process with status 0"),
        "{}",
        ran.out
    );
    assert_eq!(server(["check", "botzone:/bin/true"]).status, 2);
}
