//! The games as scripts of data: a list of all, and the moves of some hundred each.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::record::{Record, Step, outcome};
use crate::tournament::{FinishedGame, Overview};
use crate::watch::{Summary, without_paths};

/// How many pairs' moves are in one script.
pub(super) const CHUNK: u32 = 250;

/// How many games the page of the event shows, and how many of them with a drawing.
const LATEST: usize = 30;
const DRAWN: usize = 5;

/// The games so far.
#[derive(Debug, Default)]
pub(super) struct Games {
    rows: Vec<Value>,
    players: Names,
    boards: Names,
    endings: Names,
    /// The number of a script, and the games in it.
    chunk: (u32, Map<String, Value>),
    latest: std::collections::VecDeque<Value>,
}

/// Values that are named by their place.
#[derive(Debug, Default)]
struct Names {
    all: Vec<Value>,
    places: BTreeMap<String, usize>,
}

impl Names {
    fn place(&mut self, value: Value) -> usize {
        *self.places.entry(value.to_string()).or_insert_with(|| {
            self.all.push(value);
            self.all.len() - 1
        })
    }
}

type Write<'a> = &'a dyn Fn(&str, &str) -> anyhow::Result<()>;

impl Games {
    /// Adds a game that has a record; one that cannot be read is left out.
    pub(super) fn add(&mut self, overview: &Overview, game: &FinishedGame<'_>, write: Write<'_>) -> anyhow::Result<()> {
        let (Some(path), _) = game.result.files(game.pair, game.number) else { return Ok(()) };
        let path = overview.folder.join(path);
        let read = || -> anyhow::Result<_> {
            let text = fs::read(&path)?;
            Ok((Record::read(&*text)?, Summary::of(&text).map_err(anyhow::Error::msg)?))
        };
        let (record, summary) = match read().with_context(|| path.display().to_string()) {
            Ok(read) => read,
            Err(error) => {
                crate::complain(&format!("{error:#}: the game is left out"));
                return Ok(());
            }
        };
        let number = (game.pair - 1) / CHUNK;
        if self.chunk.0 != number {
            self.write_chunk(write)?;
            self.chunk.0 = number;
        }
        let id = format!("{}-{}", game.pair, game.number);
        self.chunk.1.insert(id.clone(), moves_of(&record));
        self.list(overview, game, id, &summary);
        Ok(())
    }

    fn list(&mut self, overview: &Overview, game: &FinishedGame<'_>, id: String, summary: &Summary) {
        let mut row = json!(summary);
        let mut take = |key: &str| row.get_mut(key).map_or(Value::Null, Value::take);
        let [black, white] = ["black", "white"].map(&mut take).map(|name| self.players.place(name));
        let board = json!({
            "name": take("board"), "columns": take("columns"), "rows": take("rows"), "holes": take("holes"),
        });
        let ending = self.endings.place(json!([take("ending"), take("reason")]));
        let winner = match take("winner").as_str() {
            Some("black") => 1,
            Some(_) => 2,
            None => 0,
        };
        let (moves, position) = (take("moves"), take("position"));
        let board = self.boards.place(board);
        self.rows.push(json!([game.pair, game.number, black, white, board, moves, ending, winner, position]));
        let termination = game.result.termination;
        let mut row = json!(summary);
        row["id"] = id.as_str().into();
        row["state"] = "over".into();
        self.latest.push_front(json!({
            "pair": game.pair, "game": game.number, "players": game.players.map(|id| &overview.plan.players[id].name),
            "winner": game.result.winner, "moves": game.result.moves, "termination": termination.name(),
            "reason": termination.reason(), "id": id, "logs": [], "row": row,
        }));
        self.latest.truncate(LATEST);
        if let Some(before) = self.latest.get_mut(DRAWN) {
            before["row"] = Value::Null;
        }
    }

    fn write_chunk(&mut self, write: Write<'_>) -> anyhow::Result<()> {
        let (number, games) = std::mem::take(&mut self.chunk);
        if games.is_empty() {
            return Ok(());
        }
        write(&format!("data/records-{number}.js"), &format!("Object.assign(published.records, {});\n", json!(games)))
    }

    /// Writes what is left, and the list.
    pub(super) fn end(&mut self, write: Write<'_>) -> anyhow::Result<()> {
        self.write_chunk(write)?;
        let parts = [("games", &self.rows), ("players", &self.players.all), ("boards", &self.boards.all)];
        let parts = parts.into_iter().chain([("endings", &self.endings.all)]);
        let text: String = parts.map(|(name, list)| format!("published.{name} = {};\n", json!(list))).collect();
        write("data/games.js", &text)
    }

    pub(super) fn count(&self) -> usize {
        self.rows.len()
    }

    pub(super) const fn latest(&self) -> &std::collections::VecDeque<Value> {
        &self.latest
    }
}

/// Returns the first position, the moves, their times in milliseconds as charged, and what went wrong.
fn moves_of(record: &Record) -> Value {
    let (mut moves, mut times) = (Vec::new(), Vec::new());
    for step in &record.steps {
        if let Step::Move(mv) = step {
            let charged = mv.charged_us(record.start.limits_of(mv.player)).unwrap_or(0);
            moves.push(mv.text.as_str());
            times.push(charged.div_ceil(1000).to_string());
        }
    }
    let detail = outcome(record).and_then(|outcome| outcome.detail).map(|detail| without_paths(&detail));
    json!([record.start.position, moves.join(" "), times.join(" "), detail])
}
