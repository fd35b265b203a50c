//! The games as scripts of data: a list of all, and the moves of some hundred each.

use std::fs;

use anyhow::Context;
use serde_json::{Map, Value, json};

use crate::record::{Record, Step, outcome};
use crate::tournament::{FinishedGame, Overview};
use crate::watch::{Summary, without_paths};

/// How many pairs' moves are in one script.
pub(super) const CHUNK: u32 = 250;

/// The games so far.
#[derive(Debug, Default)]
pub(super) struct Games {
    /// A list for each game, with places in the lists of players, boards and endings.
    pub(super) rows: Vec<Value>,
    players: Vec<Value>,
    boards: Vec<Value>,
    endings: Vec<Value>,
    /// The number of a script, and the games in it.
    chunk: (u32, Map<String, Value>),
}

type Write<'a> = &'a dyn Fn(&str, &str) -> anyhow::Result<()>;

impl Games {
    /// Adds a game that has a record; one that cannot be read is left out.
    pub(super) fn add(&mut self, overview: &Overview, game: &FinishedGame<'_>, write: Write<'_>) -> anyhow::Result<()> {
        let (Some(path), _) = game.result.files(game.pair, game.number) else { return Ok(()) };
        let path = overview.folder.join(path);
        let read = || -> anyhow::Result<_> {
            let text = fs::read(&path)?;
            Ok((Record::read(&*text)?, Summary::of(&text)?))
        };
        match read() {
            Ok((record, summary)) => {
                let number = (game.pair - 1) / CHUNK;
                if self.chunk.0 != number {
                    self.write_chunk(write)?;
                    self.chunk.0 = number;
                }
                self.chunk.1.insert(format!("{}-{}", game.pair, game.number), moves_of(&record));
                self.list(game, json!(summary));
            }
            Err(error) => crate::complain(&format!("{}: {error:#}: the game is left out", path.display())),
        }
        Ok(())
    }

    fn list(&mut self, game: &FinishedGame<'_>, mut summary: Value) {
        let mut take = |key: &str| summary.get_mut(key).map_or(Value::Null, Value::take);
        let [black, white] = ["black", "white"].map(|color| place(&mut self.players, take(color)));
        let [columns, rows, holes] = ["columns", "rows", "holes"].map(&mut take);
        let board = json!({ "name": take("board"), "columns": columns, "rows": rows, "holes": holes });
        let (board, ending) = (place(&mut self.boards, board), take("ending"));
        let row = json!([
            game.pair,
            game.number,
            black,
            white,
            board,
            take("moves"),
            place(&mut self.endings, ending),
            take("winner"),
            take("position"),
        ]);
        self.rows.push(row);
    }

    fn write_chunk(&mut self, write: Write<'_>) -> anyhow::Result<()> {
        let (number, games) = std::mem::take(&mut self.chunk);
        write(&format!("data/records-{number}.js"), &format!("Object.assign(published.records, {});\n", json!(games)))
    }

    /// Writes what is left, and the list.
    pub(super) fn end(&mut self, write: Write<'_>) -> anyhow::Result<()> {
        self.write_chunk(write)?;
        let lists =
            json!({ "games": self.rows, "players": self.players, "boards": self.boards, "endings": self.endings });
        write("data/games.js", &format!("Object.assign(published, {lists});\n")).context("no list of games")
    }
}

/// Returns the place of a value in a list, to which it is added if it is not there.
fn place(list: &mut Vec<Value>, value: Value) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Returns the first position, the moves, their times in milliseconds as charged, and what went wrong.
fn moves_of(record: &Record) -> Value {
    let moves = || record.steps.iter().filter_map(|step| if let Step::Move(mv) = step { Some(mv) } else { None });
    let texts: Vec<&str> = moves().map(|mv| mv.text.as_str()).collect();
    let charged = moves().map(|mv| mv.charged_us(record.start.limits_of(mv.player)).unwrap_or(0));
    let times: Vec<String> = charged.map(|time| time.div_ceil(1000).to_string()).collect();
    let detail = outcome(record).and_then(|outcome| outcome.detail).map(|detail| without_paths(&detail));
    json!([record.start.position, texts.join(" "), times.join(" "), detail])
}
