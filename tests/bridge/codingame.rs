//! Bots of CodinGame.

use amazons_testing::skip;
use serde_json::Value;

use super::{events, open_folder, program, python};
use crate::cli::{player, server};

/// Checks what it is told, and plays the first legal move that it finds.
const BOT: &str = r#"
import sys
size = int(input())
assert size == 8
board, mine, turns = None, None, 0
def slides(board, at):
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            x, y = at[0] + dx, at[1] + dy
            while (dx or dy) and board.get((x, y)) == '.':
                yield x, y
                x, y = x + dx, y + dy
def text(place): return 'abcdefgh'[place[0]] + str(8 - place[1])
def square(word): return 'abcdefgh'.index(word[0]), 8 - int(word[1])
def play(board, action):
    a, b, c = square(action[:2]), square(action[2:4]), square(action[4:])
    board[b], board[a] = board[a], '.'
    board[c] = '-'
while True:
    color = input()
    rows = [input() for _ in range(size)]
    last, count = input(), int(input())
    told = {(x, y): rows[y][x] for x in range(8) for y in range(8)}
    if board is None:
        mine = color
        assert (last == 'null') == (color == 'w'), (color, last)
    else:
        play(board, last)
        assert board == told, (board, told)
    assert color == mine
    moves = []
    for queen in [place for place, stone in told.items() if stone == color]:
        told[queen] = '.'
        for end in slides(told, queen):
            moves += [text(queen) + text(end) + text(arrow) for arrow in slides(told, end)]
        told[queen] = color
    assert len(moves) == count, (len(moves), count)
    board, turns = told, turns + 1
    play(board, moves[0])
    print(moves[0] + (' msg turn %d' % turns if turns % 2 else ''), flush=True)
"#;

#[test]
fn bots_play_whole_games_on_both_sides_from_any_position() {
    let Some(python) = python() else { return skip("there is no /usr/bin/python3 (Debian: apt-get install python3)") };
    let folder = open_folder();
    let bot = format!("codingame:{python} {}", program(&folder, "bot.py", BOT).display());
    let random = player("random");
    let start = "q6Q/8/2**4/8/8/4q3/1*6/Q7 w";
    for place in [&["-m", "8"][..], &["-m", "8", "-t", "d"], &["--position", start]] {
        for first in ["1", "2"] {
            let events = events(&[place, &["--seed", "4", "--first", first, &bot, &random]].concat());
            let end = events.last().expect("an end");
            assert_eq!(end["termination"], "no_moves", "{place:?}: {end} {}", events[events.len() - 2]);
            let mut own = events.iter().filter(|event| event["event"] == "move" && event["player"] == 1);
            assert_eq!(own.next().expect("a move")["comment"], "turn 1");
            assert_eq!(own.next().expect("a move")["comment"], Value::Null);
        }
    }
}

#[test]
fn answers_that_are_no_moves_are_quoted() {
    let folder = open_folder();
    let fault = |text: &str| {
        let bot = format!("codingame:/bin/sh {}", program(&folder, "bot.sh", text).display());
        events(&["-m", "8", "--move-time", "0.5", &bot, &player("random")]).swap_remove(1)
    };
    for answer in
        ["", "hello", "a3", "a3a4", "a3-a4/a5", "a3a4,a4a5", "A3A4A5", "a3a4a5 hello", "a3a4a5 msgs", "a3a4a9"]
    {
        let fault = fault(&format!("echo '{answer}'\n"));
        let detail = format!("its answer '{answer}' is not a move such as d8d1d7, or d8d1d7 msg TEXT");
        assert_eq!((&fault["termination"], &fault["detail"]), (&"protocol_error".into(), &detail.into()), "{fault}");
    }
    assert_eq!(fault("echo a1a2a3\n")["termination"], "illegal_move");
    assert_eq!(fault("exit 3\n")["termination"], "exit");
    assert_eq!(fault("sleep 60\n")["termination"], "timeout");
    let refused = server(["codingame:sh", &player("random")]);
    let expected = "server: player 1: bots of CodinGame play on eight columns and eight rows: add -m 8\n";
    assert_eq!((refused.status, refused.err.as_str()), (2, expected));
}
