use std::collections::HashMap;
use std::path::Path;

use amazons_formats::color;
use amazons_program::journal::{Header, Journal, JournalError};
use amazons_rules::{Color, Move, Position};
use serde::{Deserialize, Serialize};

use super::job::{Weighed, received, sent};

/// The results of a search's jobs, in a file that only grows: a search that was killed goes on from there.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    journal: Journal,
    /// By the position's text.
    known: HashMap<String, Found>,
}

/// A job's result.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// The winner.
    Winner(Color),
    /// It is too much for a job: the moves that matter; none if they were not kept.
    TooMuch(Vec<Weighed>),
}

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct First {
    /// The version of the format.
    journal: u32,
    /// The position that is solved.
    solve: String,
}

/// A finished job.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    /// The moves from the position.
    moves: Vec<String>,
    /// `black`, `white`, or null where a job was not enough.
    #[serde(with = "color")]
    winner: Option<Color>,
    /// Where a job was not enough: moves, each with its player's chance and the number of answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weighed: Vec<(String, f32, u32)>,
}

impl Header for First {
    type Line = Line;

    const FORMAT: u32 = 1;
}

impl Checkpoint {
    /// Opens the checkpoint of a position, or makes one.
    ///
    /// # Errors
    /// When it cannot be read or written, or is another position's.
    pub(crate) fn open(path: &Path, root: &Position) -> Result<Self, JournalError> {
        let solve = root.to_string();
        if !path.exists() {
            let journal = Journal::create(path, &First { journal: First::FORMAT, solve })?;
            return Ok(Self { journal, known: HashMap::new() });
        }
        let (mut known, mut wrong) = (HashMap::new(), None);
        let (journal, read) = Journal::open::<First>(path, |line| match line.read(root) {
            Ok((position, found)) => drop(known.insert(position.to_string(), found)),
            Err(reason) => wrong = Some(reason),
        })?;
        let file = path.display();
        if read.header.solve != solve {
            let other = read.header.solve;
            return Err(JournalError::Refused(format!(
                "{file}: it is of another position, {other}: name another file"
            )));
        }
        match wrong {
            Some(reason) => Err(JournalError::Refused(format!("{file}: {reason}"))),
            None => Ok(Self { journal, known }),
        }
    }

    /// Returns what a job found about a position.
    pub(super) fn known(&self, position: &Position) -> Option<Found> {
        self.known.get(&position.to_string()).cloned()
    }

    /// Adds what a job found.
    pub(super) fn keep(&mut self, root: &Position, path: &[Move], found: &Found) -> anyhow::Result<()> {
        let text = |mv| root.board().move_text(mv);
        let moves = path.iter().map(|&mv| text(mv)).collect();
        let (winner, weighed) = match found {
            Found::Winner(winner) => (Some(*winner), Vec::new()),
            Found::TooMuch(weighed) => {
                (None, weighed.iter().map(|it| (text(received(it.mv)), it.chance, it.answers)).collect())
            }
        };
        Ok(self.journal.append(&Line { moves, winner, weighed })?)
    }
}

impl Line {
    /// Returns the position that it is about, and what a job found about it.
    fn read(&self, root: &Position) -> Result<(Position, Found), String> {
        let mut position = root.clone();
        for text in &self.moves {
            play(&mut position, text)?;
        }
        let weighed = self.weighed.iter().map(|(text, chance, answers)| {
            let mv = play(&mut position, text)?;
            position.undo(mv);
            Ok(Weighed { mv: sent(mv), chance: *chance, answers: *answers })
        });
        let weighed = weighed.collect::<Result<_, String>>()?;
        Ok((position, self.winner.map_or(Found::TooMuch(weighed), Found::Winner)))
    }
}

fn play(position: &mut Position, text: &str) -> Result<Move, String> {
    let mv = position.board().parse_move(text).map_err(|error| error.to_string())?;
    position.try_play(mv).map_err(|error| format!("{text}: {}", error.describe(position.board())))?;
    Ok(mv)
}
