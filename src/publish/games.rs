//! The games as scripts of data: a list of all, and the moves of some hundred each.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context;
use serde::Serialize;
use ts_rs::TS;

use crate::record::{Record, Step, outcome};
use crate::tournament::{FinishedGame, Overview};
use crate::watch::{Summary, without_paths};

/// How many pairs' moves are in one script.
pub(super) const CHUNK: u32 = 250;

/// The games so far, and what the numbers in them name.
#[derive(Debug, Default, Serialize, TS)]
pub(crate) struct PublishedGames {
    pub(super) games: Vec<PublishedGame>,
    players: Vec<String>,
    boards: Vec<PublishedBoard>,
    endings: Vec<Option<&'static str>>,
    /// The number of a script, and the games in it.
    #[serde(skip)]
    chunk: (u32, BTreeMap<String, PublishedMoves>),
}

/// The pair, the game, black, white, the board, the number of moves, the ending, the winner and the last position.
#[derive(Debug, Serialize, TS)]
pub(super) struct PublishedGame(u32, u8, usize, usize, usize, Option<u32>, usize, Option<String>, Option<String>);

#[derive(Debug, PartialEq, Serialize, TS)]
struct PublishedBoard {
    name: String,
    columns: u32,
    rows: u32,
    holes: Option<Vec<u32>>,
}

/// The first position, the moves, their times in milliseconds as charged, and what went wrong.
#[derive(Debug, Serialize, TS)]
pub(crate) struct PublishedMoves(String, String, String, Option<String>);

type Write<'a> = &'a dyn Fn(&str, &str) -> anyhow::Result<()>;

impl PublishedGames {
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
                self.list(game, summary);
            }
            Err(error) => crate::complain(&format!("{}: {error:#}: the game is left out", path.display())),
        }
        Ok(())
    }

    fn list(&mut self, game: &FinishedGame<'_>, summary: Summary) {
        let Summary { black, white, board: name, columns, rows, holes, moves, ending, winner, position, .. } = summary;
        let [black, white] = [black, white].map(|player| place(&mut self.players, player));
        let holes = Some(holes).filter(|holes| !holes.is_empty());
        let board = place(&mut self.boards, PublishedBoard { name, columns, rows, holes });
        let ending = place(&mut self.endings, ending);
        let (pair, number) = (game.pair, game.number);
        self.games.push(PublishedGame(pair, number, black, white, board, moves, ending, winner, position));
    }

    fn write_chunk(&mut self, write: Write<'_>) -> anyhow::Result<()> {
        let (number, games) = std::mem::take(&mut self.chunk);
        let games = serde_json::to_string(&games)?;
        write(&format!("data/records-{number}.js"), &format!("Object.assign(published.records, {games});\n"))
    }

    /// Writes what is left, and the list.
    pub(super) fn end(&mut self, write: Write<'_>) -> anyhow::Result<()> {
        self.write_chunk(write)?;
        let lists = serde_json::to_string(self)?;
        write("data/games.js", &format!("Object.assign(published, {lists});\n")).context("no list of games")
    }
}

/// Returns the place of a value in a list, to which it is added if it is not there.
fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

fn moves_of(record: &Record) -> PublishedMoves {
    let moves = || record.steps.iter().filter_map(|step| if let Step::Move(mv) = step { Some(mv) } else { None });
    let texts: Vec<&str> = moves().map(|mv| mv.text.as_str()).collect();
    let charged = moves().map(|mv| mv.charged_us(record.start.limits_of(mv.player)).unwrap_or(0));
    let times: Vec<String> = charged.map(|time| time.div_ceil(1000).to_string()).collect();
    let detail = outcome(record).and_then(|outcome| outcome.detail).map(|detail| without_paths(&detail));
    PublishedMoves(record.start.position.clone(), texts.join(" "), times.join(" "), detail)
}
