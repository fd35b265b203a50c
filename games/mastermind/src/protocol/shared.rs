use std::collections::VecDeque;
use std::time::Duration;

use amazons_mpi::{Deadline, World, WorldError};

use super::frame::{Body, Frame, Stamp};
use super::order::Span;
use super::post::{Post, ProtocolError};
use super::run::PATIENCE;
use crate::game::Game;
use crate::history::{History, Turn};
use crate::scorer::{Candidates, Scorer};
use crate::strategy::{Choice, Strategy};

/// How many chunks another rank has: the current one and the next.
const IN_HAND: usize = 2;

/// Maximum number of guesses of a chunk; there are several chunks for each rank.
const CHUNK_MAX: usize = 64;

/// How many signs of life rank 0 sends in the time after which it would count as lost.
const SIGNS: u32 = 8;

/// How often rank 0 looks for lost ranks while it waits.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A position of the game as every rank holds it.
#[derive(Debug)]
struct Position<'s> {
    scorer: &'s Scorer,
    history: History,
    /// The codes that are left, if they are known.
    left: Option<Candidates>,
    /// The same and the guesses to score, once they are needed.
    prepared: Option<(Candidates, Vec<u32>)>,
}

impl<'s> Position<'s> {
    fn new(scorer: &'s Scorer) -> Self {
        Self { scorer, history: History::new(scorer.game()), left: None, prepared: None }
    }

    fn game(&self) -> Game {
        self.scorer.game()
    }

    fn push(&mut self, turn: Turn) {
        self.history.push(turn.guess, turn.answer);
        // What was left before is known, so most codes need not be looked at again.
        let known = self.prepared.take().map(|(left, _)| left).or(self.left.take());
        self.left = known.map(|left| self.scorer.keep(&left, turn));
    }

    fn prepared(&mut self) -> &(Candidates, Vec<u32>) {
        self.prepared.get_or_insert_with(|| {
            let candidates = self.left.take().unwrap_or_else(|| self.scorer.left(&self.history));
            let guesses: Vec<_> = self.history.turns().iter().map(|turn| turn.guess).collect();
            let representatives = self.scorer.representatives(&guesses, &candidates);
            (candidates, representatives)
        })
    }

    /// Works through a chunk: of the guesses to score, or with `first` of all codes.
    fn best(&mut self, chunk: Span) -> Option<Body> {
        let range = chunk.from..chunk.to;
        if self.scorer.strategy() == Strategy::First {
            let mut fitting = (chunk.to <= self.game().codes()).then(|| self.history.fitting_in(range))?;
            let lowest = fitting.next();
            let count = u32::from(lowest.is_some()) + u32::try_from(fitting.count()).unwrap_or(u32::MAX);
            let index = lowest.unwrap_or_default();
            return Some(Body::Best { from: chunk.from, key: 0, is_possible: lowest.is_some(), index, count });
        }
        let scorer = self.scorer;
        let (candidates, guesses) = self.prepared();
        let guesses = guesses.get(chunk.from as usize..chunk.to as usize)?;
        let Choice { key, is_ruled_out, index } = scorer.best(candidates, guesses)?;
        let count = chunk.len();
        Some(Body::Best { from: chunk.from, key, is_possible: !is_ruled_out, index, count })
    }
}

/// Rank 0 of `shared`: chooses guesses with the help of the ranks that [`serve_shared`].
#[derive(Debug)]
pub struct SharedLeader<'s, W> {
    post: &'s mut Post<W>,
    position: Position<'s>,
    number: u16,
    helpers: Vec<Helper>,
    lost_after: Duration,
    /// When the next sign of life is due.
    said: Deadline,
    chunks: Vec<u64>,
}

#[derive(Debug)]
struct Helper {
    chunks: Vec<Span>,
    is_lost: bool,
    deadline: Deadline,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedChoice {
    pub index: u32,
    /// How many codes agreed with all answers.
    pub left: u64,
    /// How many guesses were scored.
    pub scored: u64,
}

impl<'s, W: World> SharedLeader<'s, W> {
    pub fn new(post: &'s mut Post<W>, scorer: &'s Scorer, lost_after: Duration) -> Self {
        let ranks = post.world().size();
        let helper = |_| Helper { chunks: Vec::new(), is_lost: false, deadline: Deadline::NEVER };
        let helpers = (0..ranks).map(helper).collect();
        let (position, said) = (Position::new(scorer), Deadline::after(lost_after / SIGNS));
        Self { post, position, number: 0, helpers, lost_after, said, chunks: vec![0; ranks] }
    }

    pub const fn post(&mut self) -> &mut Post<W> {
        self.post
    }

    /// Returns how many chunks each rank has done.
    pub fn chunks(&self) -> &[u64] {
        &self.chunks
    }

    /// Returns the next guess, the same for any number of ranks.
    pub fn choose(&mut self, history: &History) -> Result<SharedChoice, ProtocolError> {
        self.catch_up(history)?;
        let ranks = u32::try_from(self.helpers.len()).unwrap_or(u32::MAX);
        if self.position.scorer.strategy() == Strategy::First {
            let codes = self.position.game().codes();
            let found = self.share(codes, codes.div_ceil(8 * ranks).max(1 << 12))?;
            let left = found.iter().map(|best| u64::from(best.1)).sum();
            let lowest = found.iter().filter(|best| best.1 > 0).map(|best| best.0.index).min();
            return lowest.map(|index| SharedChoice { index, left, scored: 0 }).ok_or(ProtocolError::NoCode);
        }
        let (candidates, guesses) = self.position.prepared();
        let left = candidates.indices().len() as u64;
        if left <= 2 {
            let lowest = candidates.indices().first().copied().ok_or(ProtocolError::NoCode)?;
            return Ok(SharedChoice { index: lowest, left, scored: 0 });
        }
        let count = u32::try_from(guesses.len()).unwrap_or(u32::MAX);
        let chunk = (guesses.len() / (8 * self.helpers.len())).clamp(1, CHUNK_MAX);
        let found = self.share(count, u32::try_from(chunk).unwrap_or(1))?;
        let least = found.iter().map(|best| best.0).min().ok_or(ProtocolError::NoCode)?;
        Ok(SharedChoice { index: least.index, left, scored: count.into() })
    }

    /// Sends all ranks a heartbeat if one is due: call it every few seconds between two guesses.
    pub fn say_alive(&mut self) -> Result<(), ProtocolError> {
        if !self.said.is_over() {
            return Ok(());
        }
        self.said = Deadline::after(self.lost_after / SIGNS);
        self.living().into_iter().try_for_each(|rank| self.send(rank, Body::ALIVE))
    }

    /// Ends the work of all ranks.
    pub fn end(&mut self) -> Result<(), ProtocolError> {
        super::run::end_session(self.post)
    }

    /// Sends the others the answers since the last guess; after another beginning, all answers.
    fn catch_up(&mut self, history: &History) -> Result<(), ProtocolError> {
        let known = self.position.history.turns().len();
        if history.turns().get(..known) != Some(self.position.history.turns()) {
            super::run::end_game(self.post, self.number)?;
            self.number = self.number.wrapping_add(1);
            self.position = Position::new(self.position.scorer);
        }
        for turn in &history.turns()[self.position.history.turns().len()..] {
            self.position.push(*turn);
            // The code is one of the game's.
            let index = self.position.game().index(turn.guess).unwrap_or_default();
            let body = Body::Answer { index, blacks: turn.answer.black, whites: turn.answer.white };
            for rank in self.living() {
                self.send(rank, body)?;
            }
        }
        Ok(())
    }

    fn living(&self) -> Vec<usize> {
        (1..self.helpers.len()).filter(|&rank| !self.helpers[rank].is_lost).collect()
    }

    fn stamp(&self) -> Stamp {
        let round = u16::try_from(self.position.history.turns().len()).unwrap_or(u16::MAX);
        Stamp { game: self.number, round, ..Stamp::default() }
    }

    fn send(&mut self, rank: usize, body: Body) -> Result<(), ProtocolError> {
        self.post.send(rank, self.stamp(), body)
    }

    /// Works through the places `0..count` in chunks on all ranks; returns what each chunk gave.
    fn share(&mut self, count: u32, chunk: u32) -> Result<Vec<(Choice, u32)>, ProtocolError> {
        let all = (0..count).step_by(chunk as usize);
        let mut waiting: VecDeque<_> =
            all.map(|from| Span { from, to: count.min(from.saturating_add(chunk)), step: 1 }).collect();
        let wanted = waiting.len();
        let mut found = Vec::with_capacity(wanted);
        while found.len() < wanted {
            self.say_alive()?;
            for rank in self.living() {
                while self.helpers[rank].chunks.len() < IN_HAND
                    && let Some(chunk) = waiting.pop_front()
                {
                    self.helpers[rank].chunks.push(chunk);
                    self.helpers[rank].deadline = Deadline::after(self.lost_after);
                    self.send(rank, Body::Chunk(chunk))?;
                }
            }
            if let Some((rank, frame)) = self.post.try_receive()? {
                found.extend(self.result(rank, frame)?);
            } else if let Some(own) = waiting.pop_front() {
                self.chunks[0] += 1;
                found.extend(self.position.best(own).and_then(|body| choice(&body)));
            } else {
                for rank in self.living() {
                    let is_silent = !self.helpers[rank].chunks.is_empty() && self.helpers[rank].deadline.is_over();
                    if is_silent || self.post.is_gone(rank)? {
                        self.post.note_loss();
                        self.helpers[rank].is_lost = true;
                        waiting.extend(std::mem::take(&mut self.helpers[rank].chunks));
                    }
                }
                if waiting.is_empty() {
                    self.post.wait(Deadline::after(LOOK_EVERY))?;
                }
            }
        }
        Ok(found)
    }

    fn result(&mut self, rank: usize, frame: Frame) -> Result<Option<(Choice, u32)>, ProtocolError> {
        let own = self.stamp();
        if (frame.stamp.game, frame.stamp.round) != (own.game, own.round) || self.helpers[rank].is_lost {
            return Ok(None);
        }
        let (Body::Best { from, .. }, Some((choice, count))) = (frame.body, choice(&frame.body)) else {
            return Err(ProtocolError::misbehaved(rank, "sent a frame that is not the best of a chunk"));
        };
        let Some(place) = self.helpers[rank].chunks.iter().position(|chunk| chunk.from == from) else {
            return Err(ProtocolError::misbehaved(rank, format_args!("answered chunk {from}, which it does not have")));
        };
        let chunk = self.helpers[rank].chunks.remove(place);
        self.helpers[rank].deadline = Deadline::after(self.lost_after);
        self.chunks[rank] += 1;
        let is_there = if self.position.scorer.strategy() == Strategy::First {
            let fits = |index| chunk.has(index) && self.position.history.fits(self.position.game().code(index));
            count == 0 || fits(choice.index)
        } else {
            let guesses = &self.position.prepared().1;
            guesses[chunk.from as usize..chunk.to as usize].contains(&choice.index)
        };
        if !is_there {
            let what = format_args!("chose code {}, which is not in its chunk", choice.index);
            return Err(ProtocolError::misbehaved(rank, what));
        }
        Ok(Some((choice, count)))
    }
}

fn choice(body: &Body) -> Option<(Choice, u32)> {
    match *body {
        Body::Best { key, is_possible, index, count, .. } => {
            Some((Choice { key, is_ruled_out: !is_possible, index }, count))
        }
        _ => None,
    }
}

/// Helps rank 0 to choose guesses until the session ends. Fails if rank 0 leaves before, or is silent for too long.
pub fn serve_shared<W: World>(post: &mut Post<W>, scorer: &Scorer, lost_after: Duration) -> Result<(), ProtocolError> {
    let mut position = Position::new(scorer);
    let (mut number, mut silence) = (0, Deadline::after(lost_after * PATIENCE));
    loop {
        let Some((rank, frame)) = post.try_receive()? else {
            if post.is_gone(0)? || silence.is_over() && post.is_silent()? {
                return Err(WorldError::Gone(0).into());
            }
            post.wait(silence)?;
            continue;
        };
        silence = Deadline::after(lost_after * PATIENCE);
        let game = position.game();
        let known = u16::try_from(position.history.turns().len()).unwrap_or(u16::MAX);
        let wrong = |what: &str| Err(ProtocolError::misbehaved(rank, what));
        if rank == 0 && matches!(frame.body, Body::End { is_more: false, .. }) {
            return Ok(());
        }
        if rank != 0 || frame.stamp.game != number {
            return wrong("sent a frame that belongs to another rank or game");
        }
        match frame.body {
            Body::Answer { index, blacks, whites } => match game.feedback(blacks.into(), whites.into()) {
                Ok(answer) if index < game.codes() => position.push(Turn { guess: game.code(index), answer }),
                _ => return wrong("sent an answer that the game does not have"),
            },
            Body::ALIVE => {}
            Body::Chunk(chunk) if frame.stamp.round == known => match position.best(chunk) {
                Some(body) => post.send(0, Stamp { game: number, round: known, ..Stamp::default() }, body)?,
                None => return wrong("sent a chunk that the game does not have"),
            },
            Body::End { is_more: true, .. } => {
                position = Position::new(scorer);
                number = number.wrapping_add(1);
            }
            _ => return wrong("sent a frame that no helper gets"),
        }
    }
}
