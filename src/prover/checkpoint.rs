use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use amazons_formats::color;
use amazons_program::journal::{self, Header, Journal, JournalError};
use amazons_rules::{Color, Move, Position};
use amazons_solve::CostlyResult;
use serde::{Deserialize, Serialize};

use super::job::{JobError, Weighed, received, sent};
use super::size::JobSize;

/// The results of a search's jobs, in a file that only grows: a search that was killed goes on from there.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    journal: Journal,
    /// By the position's text.
    known: HashMap<String, Found>,
    costly: Vec<CostlyResult>,
    pub(super) size: JobSize,
}

/// A finished job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done<'a> {
    /// The moves from the position that is solved.
    pub(super) path: &'a [Move],
    pub(super) found: &'a Found,
    /// The positions searched.
    pub(super) nodes: u64,
    /// The results that took many of them.
    pub(super) costly: &'a [CostlyResult],
}

/// A job's result.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// The winner, and the move by which the side to move wins, if known.
    Winner(Color, Option<Move>),
    /// It is too much for a job: the moves that matter; none if they were not kept.
    TooMuch(Vec<Weighed>),
}

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CheckpointHeader {
    /// The version of the format.
    journal: u32,
    /// The position that is solved.
    solve: String,
}

/// A finished job, as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct JobLine {
    /// The moves from the position.
    moves: Vec<String>,
    /// `black`, `white`, or null where a job was not enough.
    #[serde(with = "color")]
    winner: Option<Color>,
    /// The move by which the side to move wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// Where a job was not enough: moves, each with its player's chance and the number of answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weighed: Vec<(String, f32, u32)>,
    /// The positions searched; 0 where it only weighed.
    #[serde(default)]
    nodes: u64,
    /// The job's results that took many positions: numbers of 16 hexadecimal digits, two for each.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    costly: String,
}

impl Header for CheckpointHeader {
    type Line = JobLine;

    const FORMAT: u32 = 1;
}

impl Checkpoint {
    /// Opens the checkpoint of a position, or makes one. Fails when it cannot be read or written, or is another
    /// position's.
    pub(crate) fn open(path: &Path, root: &Position) -> Result<Self, JournalError> {
        let solve = root.to_string();
        if !path.exists() {
            let journal = Journal::create(path, &CheckpointHeader { journal: CheckpointHeader::FORMAT, solve })?;
            return Ok(Self { journal, known: HashMap::new(), costly: Vec::new(), size: JobSize::new() });
        }
        let refused = |reason| JournalError::Refused(format!("{}: {reason}", path.display()));
        let CheckpointHeader { solve: other, .. } = journal::read_header(path)?;
        if other != solve {
            return Err(refused(format!("it is of another position, {other}: name another file")));
        }
        let (mut known, mut costly, mut size) = (HashMap::new(), Vec::new(), JobSize::new());
        let (journal, _) = Journal::open::<CheckpointHeader, _>(path, |number, line| {
            let read = line.read(root).and_then(|(position, found)| {
                known.insert(position.to_string(), found);
                size.note(line.nodes, line.winner.is_some());
                line.add_costly(&mut costly)
            });
            read.map_err(|reason| refused(format!("line {number}: {reason}")))
        })?;
        Ok(Self { journal, known, costly, size })
    }

    /// Returns whether no job has been finished.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Takes the results of earlier jobs that took many positions.
    pub(super) fn take_costly(&mut self) -> Vec<CostlyResult> {
        std::mem::take(&mut self.costly)
    }

    /// Returns what a job found about a position.
    pub(super) fn known(&self, position: &Position) -> Option<Found> {
        self.known.get(&position.to_string()).cloned()
    }

    /// Adds what a job found.
    pub(super) fn keep(&mut self, root: &Position, done: Done<'_>) -> anyhow::Result<()> {
        let Done { path, found, nodes, costly } = done;
        let text = |mv| root.board().move_text(mv);
        let moves = path.iter().map(|&mv| text(mv)).collect();
        let (winner, answer, weighed) = match found {
            Found::Winner(winner, mv) => (Some(*winner), mv.map(text), Vec::new()),
            Found::TooMuch(weighed) => {
                (None, None, weighed.iter().map(|it| (text(received(it.mv)), it.chance, it.answers)).collect())
            }
        };
        let costly = costly.as_flattened().iter().map(|word| format!("{word:016x}")).collect();
        Ok(self.journal.append(&JobLine { moves, winner, answer, weighed, nodes, costly })?)
    }
}

impl JobLine {
    /// Returns the position that it is about, and what a job found about it.
    fn read(&self, root: &Position) -> Result<(Position, Found), JobError> {
        let mut position = root.clone();
        for text in &self.moves {
            play(&mut position, text)?;
        }
        let mut legal = |text| {
            let mv = play(&mut position, text)?;
            position.undo(mv);
            Ok::<_, JobError>(mv)
        };
        let found = match self.winner {
            Some(winner) => Found::Winner(winner, self.answer.as_deref().map(&mut legal).transpose()?),
            None => {
                let weighed = self.weighed.iter().map(|(text, chance, answers)| {
                    Ok(Weighed { mv: sent(legal(text)?), chance: *chance, answers: *answers })
                });
                Found::TooMuch(weighed.collect::<Result<_, JobError>>()?)
            }
        };
        Ok((position, found))
    }

    /// Adds the results that took many positions.
    fn add_costly(&self, results: &mut Vec<CostlyResult>) -> Result<(), JobError> {
        for text in self.costly.as_bytes().chunks(32) {
            let word = |range| u64::from_str_radix(str::from_utf8(text.get(range)?).ok()?, 16).ok();
            let result = word(0..16).zip(word(16..32)).ok_or(JobError::Digits)?;
            results.push(result.into());
        }
        Ok(())
    }
}

fn play(position: &mut Position, text: &str) -> Result<Move, JobError> {
    let (mv, board) = (position.board().parse_move(text)?, Arc::clone(position.board()));
    position.try_play(mv).map_err(|reason| JobError::Illegal { text: text.to_owned(), reason, board })?;
    Ok(mv)
}
