use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use amazons_mpi::jobs::{Dispatcher, Event, JobId, NobodyLeft, Task};
use amazons_mpi::{Deadline, World};
use serde::{Deserialize, Serialize};

use super::post::ProtocolError;
use crate::history::History;
use crate::scorer::{Candidates, Scorer};
use crate::strategy::{Choice, Strategy};

/// Maximum number of guesses of a chunk; there are several chunks for each rank.
const CHUNK_MAX: u32 = 64;

/// A job: some of the guesses of a position by their places, or with `first` some of all codes. Its answer is the best of
/// them, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The position, as [`History::parse`] reads it.
    pub turns: String,
    pub range: Range<u32>,
}

#[derive(Debug)]
struct Position {
    turns: String,
    history: History,
    /// The codes that are left and the guesses to score; with `first` neither is needed.
    scored: Option<(Candidates, Vec<u32>)>,
}

/// Does the jobs of a [`SharedLeader`] on any rank.
#[derive(Debug)]
pub struct SharedWorker<'s> {
    scorer: &'s Scorer,
    latest: Mutex<Option<Arc<Position>>>,
}

impl<'s> SharedWorker<'s> {
    pub const fn new(scorer: &'s Scorer) -> Self {
        Self { scorer, latest: Mutex::new(None) }
    }

    /// Returns the position after these turns, which is worked out once; `None` if the game has no such turns.
    fn position(&self, turns: &str) -> Option<Arc<Position>> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(position) = latest.as_ref().filter(|position| position.turns == turns) {
            return Some(Arc::clone(position));
        }
        let scorer = self.scorer;
        let history = History::parse(scorer.game, turns).ok()?;
        let scored = (scorer.strategy != Strategy::First).then(|| {
            // Of the position before, most codes need not be compared again.
            let known = latest.take().and_then(|before| {
                let later = history.turns().strip_prefix(before.history.turns())?;
                let (first, rest) = later.split_first()?;
                let left = scorer.keep(&before.scored.as_ref()?.0, *first);
                Some(rest.iter().fold(left, |left, turn| scorer.keep(&left, *turn)))
            });
            let candidates = known.unwrap_or_else(|| scorer.left(&history));
            let guesses: Vec<_> = history.turns().iter().map(|turn| turn.guess).collect();
            let representatives = scorer.representatives(&guesses, &candidates);
            (candidates, representatives)
        });
        let position = Arc::new(Position { turns: turns.to_owned(), history, scored });
        *latest = Some(Arc::clone(&position));
        Some(position)
    }

    /// Works through a chunk; fails if it is not one of this game: then rank 0 runs another program.
    pub fn work(&self, task: Task<'_, Chunk>) -> Result<Option<Choice>, String> {
        let (Chunk { turns, range }, game) = (task.job, self.scorer.game);
        let best = self.position(turns).and_then(|position| match &position.scored {
            Some((candidates, guesses)) => {
                Some(self.scorer.best(candidates, guesses.get(range.start as usize..range.end as usize)?))
            }
            None => {
                let mut fitting = (range.end <= game.codes()).then(|| position.history.fitting_in(range.clone()))?;
                Some(fitting.next().map(|index| Choice { key: 0, is_ruled_out: false, index }))
            }
        });
        best.ok_or_else(|| format!("rank 0 sent a chunk that {game} does not have"))
    }
}

/// Rank 0 of `shared`: chooses guesses with the help of all ranks, which [do its jobs](SharedWorker::work).
#[derive(Debug)]
pub struct SharedLeader<'a, 's, W> {
    pub ranks: &'a mut Dispatcher<W, Chunk, Option<Choice>>,
    worker: &'a SharedWorker<'s>,
    /// How many chunks each rank has done.
    pub chunks: Vec<u64>,
}

impl<'a, 's, W: World> SharedLeader<'a, 's, W> {
    pub fn new(ranks: &'a mut Dispatcher<W, Chunk, Option<Choice>>, worker: &'a SharedWorker<'s>) -> Self {
        let chunks = vec![0; ranks.world().size()];
        Self { ranks, worker, chunks }
    }

    /// Returns the next guess, the same for any number of ranks.
    pub fn choose(&mut self, history: &History) -> Result<u32, ProtocolError> {
        let position = self.worker.position(&history.to_string()).ok_or(ProtocolError::NoCode)?;
        let ranks = u32::try_from(self.chunks.len()).unwrap_or(u32::MAX);
        let (count, chunk) = match &position.scored {
            None => (history.game().codes(), history.game().codes().div_ceil(8 * ranks).max(1 << 12)),
            Some((candidates, _)) if candidates.indices.len() <= 2 => {
                return candidates.indices.first().copied().ok_or(ProtocolError::NoCode);
            }
            Some((_, guesses)) => {
                let count = u32::try_from(guesses.len()).unwrap_or(u32::MAX);
                (count, (count / (8 * ranks)).clamp(1, CHUNK_MAX))
            }
        };
        Ok(self.share(&position, count, chunk)?.ok_or(ProtocolError::NoCode)?.index)
    }

    /// Keeps in touch with the other ranks: to be called every few seconds between two guesses.
    pub fn idle(&mut self) -> Result<(), ProtocolError> {
        self.result(Deadline::after(std::time::Duration::ZERO)).map(drop)
    }

    /// Works through the places `0..count` in chunks on all ranks; returns the best choice.
    fn share(&mut self, position: &Position, count: u32, chunk: u32) -> Result<Option<Choice>, ProtocolError> {
        let mut waiting = Vec::new();
        for start in (0..count).step_by(chunk as usize) {
            let range = start..count.min(start.saturating_add(chunk));
            waiting.push((self.ranks.push(&Chunk { turns: position.turns.clone(), range: range.clone() }), range));
        }
        let mut least = None;
        while !waiting.is_empty() {
            let Some((job, rank, best)) = self.result(Deadline::NEVER)? else { continue };
            let Some(place) = waiting.iter().position(|(id, _)| *id == job) else { continue };
            if !is_possible(best, position, waiting.swap_remove(place).1) {
                return Err(ProtocolError::misbehaved(rank, "chose a code that is not in its chunk"));
            }
            self.chunks[rank] += 1;
            least = least.into_iter().chain(best).min();
        }
        Ok(least)
    }

    /// Waits for the next event; returns it if it is a result.
    fn result(&mut self, deadline: Deadline) -> Result<Option<(JobId, usize, Option<Choice>)>, ProtocolError> {
        match self.ranks.next_event(deadline) {
            Ok(Some(Event::Result { job, rank, answer })) => Ok(Some((job, rank, answer))),
            Ok(Some(Event::Unexpected { rank, reason })) => {
                Err(ProtocolError::misbehaved(rank, format_args!("sent {reason}")))
            }
            Ok(_) => Ok(None),
            Err(NobodyLeft) => Err(ProtocolError::NobodyLeft),
        }
    }
}

/// Returns whether a rank may have found this in its chunk.
fn is_possible(best: Option<Choice>, position: &Position, range: Range<u32>) -> bool {
    match (&position.scored, best) {
        (Some((_, guesses)), Some(choice)) => guesses[range.start as usize..range.end as usize].contains(&choice.index),
        (None, Some(Choice { index, .. })) => {
            range.contains(&index) && position.history.fits(position.history.game().code(index))
        }
        (scored, None) => scored.is_none(),
    }
}
