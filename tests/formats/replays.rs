//! Games of other servers.

use amazons_formats::{Ending, Game, GameOutcome, REPLAY};
use amazons_rules::{Color, Position, Shape};
use serde_json::{Value, json};

use super::{random_game, read, refused, start};

/// Botzone's six numbers: columns from the left, rows from the top.
fn numbers(mv: amazons_rules::Move) -> [u32; 6] {
    let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| [vertex % 8, vertex / 8]);
    [from[0], from[1], to[0], to[1], arrow[0], arrow[1]]
}

fn point(numbers: [i64; 6]) -> Value {
    let [x0, y0, x1, y1, x2, y2] = numbers;
    json!({ "x0": x0, "y0": y0, "x1": x1, "y1": y1, "x2": x2, "y2": y2 })
}

/// A match log: the judge and a player in turn.
fn log(answers: &[Value], end: &Value) -> Vec<Value> {
    let mut items = Vec::new();
    let mut before = point([-1; 6]);
    for (ply, answer) in answers.iter().enumerate() {
        let player = (ply % 2).to_string();
        let output = json!({ "command": "request", "content": { player.clone(): before }, "display": {} });
        items.push(json!({ "output": output, "verdict": "OK", "time": 2, "memory": 4 }));
        items.push(json!({ player: { "response": answer, "verdict": "OK", "time": 10, "memory": 9 } }));
        before = answer.clone();
    }
    items.push(json!({ "output": { "command": "finish", "content": end, "display": {} }, "verdict": "OK" }));
    items
}

fn botzone_game() -> (Game, Vec<Value>) {
    let game = random_game(start(Shape::Square, 8), 100, 5);
    let answers = game.moves().iter().map(|played| point(numbers(played.mv).map(i64::from))).collect();
    (game, answers)
}

#[test]
fn match_logs_of_botzone_are_read() {
    let (game, answers) = botzone_game();
    let black_won = game.position().side_to_move() == Color::White;
    let end = if black_won { json!({ "0": 2, "1": 0 }) } else { json!({ "0": 0, "1": 2 }) };
    let items = log(&answers, &end);
    for text in [json!(items), json!({ "log": items, "players": [] })] {
        let found = read(REPLAY, text.to_string()).expect("a match log");
        assert_eq!(found.position().to_string(), game.position().to_string());
        assert_eq!(found.details.site.as_deref(), Some("Botzone"));
        let outcome = found.outcome.expect("a result");
        assert_eq!((outcome.winner == Some(Color::Black), outcome.ending), (black_won, Some(Ending::NoMoves)));
    }
    let simple: Vec<Value> =
        game.moves().iter().map(|played| json!(numbers(played.mv).map(|it| it.to_string()).join(" "))).collect();
    let found = read(REPLAY, json!(log(&simple, &end)).to_string()).expect("answers as text");
    assert_eq!(found.moves().len(), game.moves().len());
    // What a bot is told, as Black and as White.
    let (black, white): (Vec<_>, Vec<_>) = answers.iter().enumerate().partition(|(ply, _)| ply % 2 == 0);
    let [black, white] = [black, white].map(|moves| moves.into_iter().map(|(_, mv)| mv.clone()).collect::<Vec<_>>());
    let requests = [vec![point([-1; 6])], white.clone()].concat();
    for told in [json!({ "requests": requests, "responses": black }), json!({ "requests": black, "responses": white })]
    {
        let found = read(REPLAY, told.to_string()).expect("a bot's input");
        assert_eq!(found.position().to_string(), game.position().to_string(), "{told}");
    }
}

#[test]
fn the_last_answer_may_be_wrong() {
    let (_, answers) = botzone_game();
    let wrong = [&answers[..2], &[point([0, 0, 1, 1, 2, 2])]].concat();
    let found = read(REPLAY, json!(log(&wrong, &json!({ "0": 0, "1": 2 }))).to_string()).expect("a match log");
    assert_eq!(found.moves().len(), 2);
    let outcome = found.outcome.expect("a result");
    assert_eq!((outcome.winner, outcome.ending), (Some(Color::White), Some(Ending::IllegalMove)));
    assert!(outcome.detail.expect("a reason").starts_with("move 3: "));
    let mut late = log(&[&answers[..2], &[Value::Null]].concat(), &json!({ "0": 0, "1": 2 }));
    late[5]["0"]["verdict"] = json!("TLE");
    let outcome = read(REPLAY, json!(late).to_string()).expect("a match log").outcome.expect("a result");
    assert_eq!((outcome.winner, outcome.ending, outcome.detail), (Some(Color::White), Some(Ending::Timeout), None));
    let inside = [&answers[..1], &[point([0, 0, 1, 1, 2, 2])], &answers[2..4]].concat();
    let refused = refused(REPLAY, json!(log(&inside, &json!({ "0": 0, "1": 2 }))).to_string());
    assert!(refused.starts_with("line 1, column 1: move 2: "), "{refused}");
}

/// A replay of Kaggle: a start, then a step for each of three actions of a move.
fn kaggle(game: &Game, rewards: &Value, text: bool) -> Value {
    let columns = game.board().columns();
    let letter = |position: &Position, vertex| match position.queen_at(vertex) {
        Some(Color::Black) => "X",
        Some(Color::White) => "O",
        None if position.is_free(vertex) => ".",
        None => "#",
    };
    let board: Vec<Vec<&str>> = (0..columns)
        .map(|row| (0..columns).map(|column| letter(game.start(), row * columns + column)).collect())
        .collect();
    let observation = if text {
        board.iter().map(|row| row.concat() + "\n").collect()
    } else {
        json!({ "board": board, "phase": "from", "winner": null }).to_string()
    };
    let idle =
        json!({ "action": { "submission": -1 }, "info": {}, "observation": { "observationString": observation } });
    let mut steps = vec![json!([{ "action": { "submission": -1 }, "observation": {} }, idle]), json!([idle, idle])];
    for (ply, played) in game.moves().iter().enumerate() {
        for action in [played.mv.from, played.mv.to, played.mv.arrow] {
            let info = json!({ "actionApplied": action, "timeTaken": 0.5 });
            let agent = json!({ "action": { "submission": action }, "info": info, "observation": {} });
            steps.push(if ply % 2 == 0 { json!([agent, idle]) } else { json!([idle, agent]) });
        }
    }
    json!({
        "name": "open_spiel_amazons", "configuration": { "openSpielGameName": "amazons" }, "steps": steps,
        "rewards": rewards, "info": { "TeamNames": ["one", "two"] }
    })
}

#[test]
fn replays_of_kaggle_are_read() {
    for (board, text) in [("3Q2Q3/10/10/Q8Q/10/10/q8q/10/10/3q2q3 b", false), ("2Q3/6/Q4Q/q4q/6/3q2 b", true)] {
        let game = random_game(Position::parse(board).expect("a start"), 200, 3);
        let white_lost = game.position().side_to_move() == Color::White;
        let rewards = if white_lost { json!([1.0, -1.0]) } else { json!([-1.0, 1.0]) };
        let found = read(REPLAY, serde_json::to_string_pretty(&kaggle(&game, &rewards, text)).expect("JSON"))
            .expect("a replay");
        assert_eq!(found.position().to_string(), game.position().to_string());
        assert_eq!(found.details.black.as_deref(), Some("one"), "X moves first");
        assert_eq!(found.moves()[0].time, Some(std::time::Duration::from_millis(1500)));
        let winner = Some(if white_lost { Color::Black } else { Color::White });
        assert_eq!(found.outcome, Some(GameOutcome { winner, ending: Some(Ending::NoMoves), detail: None }));
    }
    // The environment has begun, also in the middle of a move.
    for done in 0..3 {
        let game = random_game(Position::parse("3Q2Q3/10/10/Q8Q/10/10/q8q/10/10/3q2q3 w").expect("a start"), 200, 4);
        let mut replay = kaggle(&game, &json!([null, null]), false);
        let first = replay["steps"][0][1]["observation"]["observationString"].as_str().expect("text").to_owned();
        let mut shown: Value = serde_json::from_str(&first).expect("JSON");
        let mv = game.moves()[0].mv;
        shown["current_player"] = "o".into();
        if done > 0 {
            shown["from_action"] = mv.from.into();
        }
        if done > 1 {
            shown["to_action"] = mv.to.into();
            for (square, letter) in [(mv.from, "."), (mv.to, "O")] {
                shown["board"][square as usize / 10][square as usize % 10] = letter.into();
            }
        }
        replay["steps"][0][1]["observation"]["observationString"] = shown.to_string().into();
        replay["steps"].as_array_mut().expect("steps").drain(2..2 + done);
        let found = read(REPLAY, replay.to_string()).expect("a replay");
        assert_eq!(found.position().to_string(), game.position().to_string(), "{done} actions");
    }
    let mut cut = kaggle(&random_game(Position::standard(), 0, 1), &json!([null, null]), false);
    assert_eq!(read(REPLAY, cut.to_string()).expect("a start").outcome, None);
    cut["steps"] = json!([]);
    assert_eq!(refused(REPLAY, cut.to_string()), "line 1, column 1: the replay shows no board");
}

#[test]
fn other_json_is_refused_in_our_words() {
    for text in
        ["", "{}", "[]", "null", "x", "{\"id\":1,\"steps\":[]}", "[[\"c1\",\"c4\",\"b4\"]]", "{\"log\":[{}]}", "[1"]
    {
        let told = refused(REPLAY, text);
        assert_eq!(
            told, "line 1, column 1: not a record of this server: its first line is not a start event",
            "{text}"
        );
    }
}
