//! Bots of Botzone.

use amazons_testing::skip;
use serde_json::Value;

use super::{events, open_folder, program, python};
use crate::cli::{player, server};

/// The rules of 8x8, for both forms; `answer` is told all moves so far and whether it is the first turn.
const RULES: &str = r#"
import json, sys
def start():
    board = {(x, y): 0 for x in range(8) for y in range(8)}
    for place in ((0, 2), (2, 0), (5, 0), (7, 2)): board[place] = 1
    for place in ((0, 5), (2, 7), (5, 7), (7, 5)): board[place] = 2
    return board
def slides(board, at):
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            x, y = at[0] + dx, at[1] + dy
            while (dx or dy) and board.get((x, y)) == 0:
                yield x, y
                x, y = x + dx, y + dy
def play(board, move):
    a, b, c = move[:2], move[2:4], move[4:]
    board[b], board[a] = board[a], 0
    board[c] = 3
def choose(moves):
    board = start()
    for move in moves: play(board, move)
    side = 1 + len(moves) % 2
    for queen in [place for place, stone in board.items() if stone == side]:
        board[queen] = 0
        for end in slides(board, queen):
            for arrow in slides(board, end): return queen + end + arrow
        board[queen] = side
    return (-1,) * 6
"#;

const JSON: &str = r#"
keys = ("x0", "y0", "x1", "y1", "x2", "y2")
told = json.loads(input())
assert set(told) == {"requests", "responses", "data", "globaldata", "time_limit", "memory_limit"}, told
read = lambda move: tuple(move[key] for key in keys)
moves = []
for i, request in enumerate(told["requests"]):
    if request["x0"] >= 0: moves.append(read(request))
    else: assert i == 0
    if i < len(told["responses"]): moves.append(read(told["responses"][i]))
turn = (told["data"] or 0) + 1
assert turn == len(told["requests"]), told
print(json.dumps({"response": dict(zip(keys, choose(moves))), "data": turn}))
"#;

const TEXT: &str = r#"
turns = int(input())
lines = [tuple(map(int, input().split())) for _ in range(2 * turns - 1)]
print(*choose([line for line in lines if line[0] >= 0]))
"#;

const KEPT: &str = r#"
keys = ("x0", "y0", "x1", "y1", "x2", "y2")
moves = []
first = True
for line in sys.stdin:
    told = json.loads(line)
    told = told["requests"][0] if first else told
    first = False
    if told["x0"] >= 0: moves.append(tuple(told[key] for key in keys))
    moves.append(choose(moves))
    print(json.dumps({"response": dict(zip(keys, moves[-1]))}))
    print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
    print("kept", file=sys.stderr, flush=True)
"#;

#[test]
fn bots_play_whole_games_in_every_form_and_on_both_sides() {
    let Some(python) = python() else { return skip("there is no /usr/bin/python3 (Debian: apt-get install python3)") };
    let folder = open_folder();
    let mut played: Vec<Vec<Value>> = Vec::new();
    for (name, prefix, talk) in [("json", "botzone", JSON), ("text", "botzone-text", TEXT), ("kept", "botzone", KEPT)] {
        let file = program(&folder, &format!("{name}_bot.py"), &format!("{RULES}{talk}"));
        let bot = format!("{prefix}:{python} {}", file.display());
        for first in ["1", "2"] {
            let events = events(&["-m", "8", "--seed", "4", "--first", first, &bot, &player("random")]);
            let end = events.last().expect("an end");
            assert_eq!(end["termination"], "no_moves", "{name}: {end} {}", events[events.len() - 2]);
            played.push(
                events.iter().filter(|event| event["event"] == "move").map(|event| event["text"].clone()).collect(),
            );
        }
    }
    assert_eq!((&played[0], &played[1]), (&played[2], &played[3]), "the form changes nothing");
    assert_eq!((&played[0], &played[1]), (&played[4], &played[5]), "nor does a process that is kept");
}

#[test]
fn what_is_computed_after_an_answer_is_charged() {
    let Some(python) = python() else { return skip("there is no /usr/bin/python3 (Debian: apt-get install python3)") };
    let folder = open_folder();
    let said = "    print(\">>>BOTZONE";
    let thinks = format!(
        "    sys.stdout.flush(); import time; end = time.process_time() + 0.1\n    while time.process_time() < end: pass\n{said}"
    );
    assert!(KEPT.contains(said));
    let file = program(&folder, "pondering_bot.py", &format!("{RULES}{}", KEPT.replace(said, &thinks)));
    let bot = format!("botzone:{python} {}", file.display());
    let events = events(&["-m", "8", "--max-moves", "3", "--move-time", "20", &bot, &player("random")]);
    let costs = events.iter().filter(|event| event["event"] == "move" && event["player"] == 1);
    let costs: Vec<u64> = costs.map(|event| event["cpu_us"].as_u64().expect("a number")).collect();
    assert!(costs.len() >= 2 && costs.iter().all(|&cost| cost >= 100_000), "{costs:?}");
}

#[test]
fn answers_that_are_none_are_charged() {
    let folder = open_folder();
    let fault = |text: &str| {
        let file = program(&folder, "bot.sh", text);
        let ran = server([
            "-m",
            "8",
            "--json",
            "--move-time",
            "0.5",
            &format!("botzone:/bin/sh {}", file.display()),
            &player("random"),
        ]);
        let fault: Value = serde_json::from_str(ran.out.lines().nth(1).expect("a fault")).expect("JSON");
        (fault["termination"].as_str().expect("text").to_owned(), fault["detail"].as_str().expect("text").to_owned())
    };
    let (termination, detail) = fault("echo nonsense\n");
    assert_eq!(
        (termination.as_str(), detail.as_str()),
        ("protocol_error", "its answer 'nonsense' is not a move on the board")
    );
    let answer = |numbers: &str| format!("echo '{{\"response\":{{{numbers}}}}}'\n");
    assert_eq!(fault(&answer("\"x0\":0,\"y0\":9,\"x1\":0,\"y1\":0,\"x2\":0,\"y2\":0")).0, "protocol_error");
    assert_eq!(fault(&answer("\"x0\":0,\"y0\":0,\"x1\":0,\"y1\":1,\"x2\":0,\"y2\":0")).0, "illegal_move");
    let (termination, detail) = fault(&answer("\"x0\":-1,\"y0\":-1,\"x1\":-1,\"y1\":-1,\"x2\":-1,\"y2\":-1"));
    assert!(termination == "illegal_move" && detail.starts_with("it gave up"), "{detail}");
    assert_eq!(fault("exit 3\n").0, "exit");
    assert_eq!(fault("sleep 60\n").0, "timeout");
}
