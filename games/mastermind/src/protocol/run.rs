use std::time::Duration;

use amazons_mpi::{Deadline, World};

use super::frame::{Body, Stamp};
use super::master::{Counts, Master, Proposal};
use super::player::Player;
use super::post::{Post, ProtocolError};
use crate::code::Code;
use crate::feedback::Feedback;
use crate::history::Turn;

/// How often the master looks for lost ranks.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Heartbeats of the master in the time after which it would count as lost.
const HEARTBEATS: u32 = 8;

/// The master may be silent for this many times as long as a player: it answers, and counts what is left.
const PATIENCE: u32 = 5;

/// How long the last messages may take to leave.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// The tests between two looks for news.
const BLOCK: u64 = 4096;

/// The master's questions to its caller.
pub trait Caller {
    /// Returns the answer to a code, or `None` to end the game; also gets the proposals since the last answer.
    fn evaluate(&mut self, code: Code, proposals: &[Proposal]) -> Option<Feedback>;

    fn lost(&mut self, _rank: usize) {}
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The guesses and answers; the last one is the secret.
    pub turns: Vec<Turn>,
    pub counts: Counts,
}

/// Plays a game on rank 0; the other ranks [`serve`]. A rank that is silent for too long counts as lost.
pub fn lead<W: World>(
    post: &mut Post<W>,
    mut master: Master,
    caller: &mut impl Caller,
    lost_after: Duration,
) -> Result<Played, ProtocolError> {
    let ranks = post.world.size();
    let mut deadlines = vec![Deadline::after(lost_after); ranks];
    let mut said = Deadline::after(lost_after / HEARTBEATS);
    loop {
        if said.is_over() {
            said = Deadline::after(lost_after / HEARTBEATS);
            master.say_alive();
        }
        let mut wanted = None;
        if let Some((rank, frame)) = post.try_receive()? {
            deadlines[rank] = Deadline::after(lost_after);
            wanted = master.take(rank, frame)?;
        } else {
            for (rank, deadline) in deadlines.iter().enumerate().skip(1) {
                let is_silent = master.waits_for(rank) && deadline.is_over();
                if !master.has_lost(rank) && (is_silent || post.is_gone(rank)?) {
                    post.has_lost = true;
                    caller.lost(rank);
                    wanted = master.lose(rank)?;
                    // Whoever has got its codes needs time for them.
                    break;
                }
            }
            if wanted.is_none() {
                send_all(post, &mut master, &mut deadlines, lost_after)?;
                post.wait(Deadline::after(LOOK_EVERY))?;
            }
        }
        if let Some(code) = wanted {
            let answer = caller.evaluate(code, &master.proposals).ok_or(ProtocolError::Stopped)?;
            master.answer(code, answer);
            if master.is_solved() {
                return Ok(Played { turns: master.turns, counts: master.counts });
            }
            // A person may have thought for long.
            deadlines.fill(Deadline::after(lost_after));
        }
        send_all(post, &mut master, &mut deadlines, lost_after)?;
    }
}

/// Sends what the master has to say. Whoever gets something to do has time for it.
fn send_all<W: World>(
    post: &mut Post<W>,
    master: &mut Master,
    deadlines: &mut [Deadline],
    lost_after: Duration,
) -> Result<(), ProtocolError> {
    master.outbox().into_iter().try_for_each(|(rank, stamp, body)| {
        if body != Body::ALIVE {
            deadlines[rank] = Deadline::after(lost_after);
        }
        post.send(rank, stamp, body)
    })
}

/// Notifies all ranks that this game is over and the next one begins.
pub fn end_game<W: World>(post: &mut Post<W>, number: u16) -> Result<(), ProtocolError> {
    end(post, number, true)
}

/// Notifies all ranks that this game was the last.
pub fn end_session<W: World>(post: &mut Post<W>) -> Result<(), ProtocolError> {
    end(post, 0, false)?;
    Ok(post.world.flush(Deadline::after(FLUSH_TIMEOUT)).map(drop)?)
}

fn end<W: World>(post: &mut Post<W>, number: u16, is_more: bool) -> Result<(), ProtocolError> {
    let stamp = Stamp { game: number, ..Stamp::default() };
    let has_lost = post.has_lost;
    (1..post.world.size()).try_for_each(|rank| post.send(rank, stamp, Body::End { is_more, has_lost }))
}

/// Plays for rank 0 until it ends the last game. Fails if rank 0 leaves before, or is silent for too long.
pub fn serve<W: World>(post: &mut Post<W>, mut player: Player, lost_after: Duration) -> Result<(), ProtocolError> {
    let mut silence = Deadline::after(lost_after * PATIENCE);
    loop {
        while let Some((rank, frame)) = post.try_receive()? {
            silence = Deadline::after(lost_after * PATIENCE);
            if rank != 0 {
                return Err(ProtocolError::misbehaved(rank, "sent a frame to another player"));
            }
            let session = player.take(frame).map_err(|what| ProtocolError::misbehaved(0, what))?;
            if session.is_break() {
                return Ok(());
            }
        }
        player.search(BLOCK);
        for (stamp, body) in player.outbox() {
            post.send(0, stamp, body)?;
        }
        if player.is_waiting() {
            if post.is_gone(0)? {
                return Err(amazons_mpi::WorldError::Gone(0).into());
            }
            post.wait(silence)?;
        }
        if silence.is_over() && post.is_silent()? {
            return Err(amazons_mpi::WorldError::Gone(0).into());
        }
    }
}
