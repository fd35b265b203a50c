//! Games of other servers: match logs of Botzone and replays of Kaggle's `open_spiel_amazons`, both JSON.

use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Board, Color, Move, Position, Shape, Vertex};
use serde_json::Value;

use crate::read_error::{Complaint, complain, read_text, text_of};
use crate::{CannotWrite, Ending, Format, Game, GameOutcome, PlayedMove};

/// Match logs of Botzone and replays of Kaggle, read only.
pub const REPLAY: Format = Format {
    name: "replay",
    extensions: &[],
    writer: |_, _| Err(CannotWrite::Other("a replay of another server can only be read".to_owned())),
    reader: Some(|bytes, number| read_text(&text_of(bytes), number, |_| vec![0], read)),
};

/// Larger than any replay: Kaggle's repeat the board for each player in each step.
const BYTES_MAX: usize = 16 << 20;

/// The size of Botzone's only board.
const BOTZONE_SIZE: u32 = 8;

/// Returns what is at a path, or null.
fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    value.pointer(path).unwrap_or(&Value::Null)
}

fn read(text: &str) -> Result<Game, Complaint> {
    if text.len() > BYTES_MAX {
        return Err(complain(0, format!("a replay of another server may have at most {} MiB", BYTES_MAX >> 20)));
    }
    let unknown = || complain(0, "not a record of this server: its first line is not a start event");
    let value: Value = serde_json::from_str(text).map_err(|_| unknown())?;
    let log = value.get("log").unwrap_or(&value);
    let game = if value.get("steps").is_some_and(Value::is_array) {
        if at(&value, "/name") != "open_spiel_amazons" && at(&value, "/configuration/openSpielGameName") != "amazons" {
            return Err(unknown());
        }
        kaggle(&value)
    } else if let Some(responses) = value.get("responses").and_then(Value::as_array) {
        // A bot's requests repeat its opponent's moves, its responses its own.
        let requests = at(&value, "/requests").as_array().map_or(&[][..], Vec::as_slice);
        let own = responses.iter().map(Some).chain([None]);
        botzone(requests.iter().zip(own).flat_map(|(request, response)| [Some(request), response]).flatten())
    } else if let Some(items) = log.as_array().filter(|items| items.iter().any(|item| item.get("output").is_some())) {
        let answers = items.iter().flat_map(|item| ["0", "1"].map(|player| item.get(player))).flatten();
        botzone(answers.map(|answer| at(answer, "/response"))).and_then(|game| judged(game, items))
    } else {
        return Err(unknown());
    };
    game.map_err(|reason| complain(0, reason))
}

/// Plays Botzone's moves: columns from the left, rows from the top, -1 for no move.
fn botzone<'a>(moves: impl Iterator<Item = &'a Value>) -> Result<Game, String> {
    let board = Board::new(Shape::Square, BOTZONE_SIZE).map_err(|error| error.to_string())?;
    let mut game = Game::new(Position::start(Arc::new(board))).map_err(|error| error.to_string())?;
    game.details.site = Some("Botzone".to_owned());
    let mut faulty = None;
    for value in moves {
        let numbers = numbers(value);
        if numbers == [-1; 6] && game.moves().is_empty() {
            continue;
        }
        let ply = game.moves().len() + 1;
        if let Some(before) = faulty {
            return Err(before);
        }
        let vertex = |at: usize| {
            let [x, y] = [numbers.get(at)?, numbers.get(at + 1)?].map(|&number| u32::try_from(number).ok());
            let [x, y] = [x?, y?];
            (x < BOTZONE_SIZE && y < BOTZONE_SIZE).then_some(y * BOTZONE_SIZE + x)
        };
        match (vertex(0), vertex(2), vertex(4)) {
            (Some(from), Some(to), Some(arrow)) => {
                faulty = game.push(Move { from, to, arrow }).err().map(|error| error.to_string());
            }
            _ => faulty = Some(format!("move {ply}: {value} is not a move on Botzone's board")),
        }
    }
    // Only the last response may be wrong: it ended the game.
    if faulty.is_some() || !game.position().has_moves() {
        let winner = Some(game.position().side_to_move().opposite());
        let ending = faulty.is_some().then_some(Ending::IllegalMove);
        game.end(GameOutcome { winner, ending, detail: faulty }).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

/// Returns the six numbers of a move: an object, or a string in Botzone's simple form.
fn numbers(value: &Value) -> Vec<i64> {
    let number = |value: &Value| value.as_i64().or_else(|| value.as_str()?.trim().parse().ok());
    match value {
        Value::String(text) => text.split_whitespace().map_while(|word| word.parse().ok()).collect(),
        value => ["x0", "y0", "x1", "y1", "x2", "y2"].iter().map_while(|name| number(value.get(name)?)).collect(),
    }
}

/// Adds the judge's result and the last player's verdict.
fn judged(mut game: Game, items: &[Value]) -> Result<Game, String> {
    let Some(output) = items.iter().rev().find_map(|item| item.get("output")) else { return Ok(game) };
    let score = |player: &str| at(output, &format!("/content/{player}")).as_f64();
    let (Some(black), Some(white)) = (score("0"), score("1")) else { return Ok(game) };
    if at(output, "/command") != "finish" {
        return Ok(game);
    }
    let verdicts = items.iter().rev().flat_map(|item| ["/0/verdict", "/1/verdict"].map(|path| at(item, path).as_str()));
    let ending = match verdicts.flatten().next() {
        Some("TLE") => Some(Ending::Timeout),
        Some("MLE") => Some(Ending::OutOfMemory),
        Some("RE" | "CRASH") => Some(Ending::Crash),
        _ => game.outcome.as_ref().and_then(|outcome| outcome.ending),
    };
    let detail = game.outcome.take().and_then(|outcome| outcome.detail).filter(|_| ending == Some(Ending::IllegalMove));
    game.end(GameOutcome { winner: winner(black, white), ending, detail }).map_err(|error| error.to_string())?;
    Ok(game)
}

fn winner(black: f64, white: f64) -> Option<Color> {
    (black != white).then_some(if black > white { Color::Black } else { Color::White })
}

/// Plays a replay of Kaggle: three actions are a move, each `row * columns + column` from the top; X moves first.
fn kaggle(value: &Value) -> Result<Game, String> {
    let agents = || at(value, "/steps").as_array().into_iter().flatten().filter_map(Value::as_array).flatten();
    let first = agents().find_map(|agent| at(agent, "/observation/observationString").as_str());
    let (start, begun) = kaggle_start(first.ok_or("the replay shows no board")?)?;
    let mut game = Game::new(start).map_err(|error| error.to_string())?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    game.details.site = Some("Kaggle".to_owned());
    (game.details.black, game.details.white) =
        (text(at(value, "/info/TeamNames/0")), text(at(value, "/info/TeamNames/1")));
    let applied = |agent: &Value| {
        let action = agent.pointer("/info/actionApplied").unwrap_or(at(agent, "/action/submission"));
        let vertex = action.as_u64().and_then(|action| Vertex::try_from(action).ok())?;
        Some((vertex, at(agent, "/info/timeTaken").as_f64()))
    };
    let begun = begun.into_iter().map(|action| (action, None));
    let actions: Vec<(Vertex, Option<f64>)> = begun.chain(agents().filter_map(applied)).collect();
    let (turns, rest) = actions.as_chunks::<3>();
    for &[from, to, arrow] in turns {
        let seconds: Option<f64> = [from.1, to.1, arrow.1].into_iter().sum();
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let mv = Move { from: from.0, to: to.0, arrow: arrow.0 };
        game.push(PlayedMove { time, ..mv.into() }).map_err(|error| error.to_string())?;
    }
    if let (Some(black), Some(white)) = (at(value, "/rewards/0").as_f64(), at(value, "/rewards/1").as_f64()) {
        let unfinished = (!rest.is_empty()).then(|| format!("the game ends within move {}", turns.len() + 1));
        let outcome = GameOutcome { winner: winner(black, white), ending: None, detail: unfinished };
        game.end(outcome).map_err(|error| error.to_string())?;
    }
    Ok(game)
}

/// Reads a board of `X`, `O`, `#` and `.`: rows of a text, or those of Kaggle's JSON. Returns the position before the
/// move that is being made, and the actions of it so far: the environment may have played some itself.
fn kaggle_start(text: &str) -> Result<(Position, Vec<Vertex>), String> {
    let told = serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut rows: Vec<String> = if told.is_object() {
        let row = |row: &Value| row.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        at(&told, "/board").as_array().into_iter().flatten().map(row).collect()
    } else {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    let side = if at(&told, "/current_player").as_str() == Some("o") { 'w' } else { 'b' };
    let action = |path: &str| at(&told, path).as_u64().and_then(|action| usize::try_from(action).ok());
    let begun: Vec<usize> = [action("/from_action"), action("/to_action")].into_iter().flatten().collect();
    if let [from, to] = begun[..] {
        // The queen is back where it came from.
        let queen = if side == 'w' { "O" } else { "X" };
        put(&mut rows, to, ".");
        put(&mut rows, from, queen);
    }
    let rank = |row: &String| {
        let (mut rank, mut free) = (String::new(), 0);
        for letter in row.chars().chain(['/']) {
            if letter == '.' {
                free += 1;
                continue;
            }
            if free > 0 {
                rank += &free.to_string();
                free = 0;
            }
            rank.push(match letter {
                'X' | 'x' => 'q',
                'O' | 'o' => 'Q',
                '#' => '*',
                other => other,
            });
        }
        rank
    };
    let ranks: String = rows.iter().map(rank).collect();
    let text = format!("{} {side}", ranks.trim_end_matches('/'));
    let position = Position::parse(&text).map_err(|error| format!("the board of the replay: {error}"))?;
    Ok((position, begun.into_iter().filter_map(|action| Vertex::try_from(action).ok()).collect()))
}

/// Changes a square of rows that are equally long.
fn put(rows: &mut [String], square: usize, letter: &str) {
    let columns = rows.first().map_or(1, String::len).max(1);
    if let Some(row) = rows.get_mut(square / columns).filter(|row| row.is_ascii() && row.len() == columns) {
        row.replace_range(square % columns..=square % columns, letter);
    }
}
