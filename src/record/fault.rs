use amazons_rules::Move;

use crate::record::ReplayError;
use crate::record::replay::Game;
use crate::referee::{Call, FaultEvent, Termination};

impl<'a> Game<'a> {
    /// Applies a fault that the referee can have reported at this point.
    pub(super) fn charge(&mut self, fault: &'a FaultEvent) -> Result<(), ReplayError> {
        if self.start.source.is_some() {
            let reason = "only the server that played the game can report one";
            return Err(ReplayError::Fault { player: fault.player, reason });
        }
        let when = match fault.call {
            Call::Load | Call::Initialize | Call::Name => self.judge_preparation(fault),
            Call::Play => self.judge_play(fault),
            Call::Finalize => self.judge_finalize(fault),
        };
        when.and_then(|()| judge_evidence(fault))
            .and_then(|()| self.judge_place(fault))
            .map_err(|reason| ReplayError::Fault { player: fault.player, reason })?;
        match fault.call {
            Call::Finalize => self.finalized.push(fault.player),
            _ => self.deciding.push(fault),
        }
        Ok(())
    }

    /// Both players are loaded before either is initialised, each time in the order of their moves.
    fn judge_preparation(&self, fault: &FaultEvent) -> Result<(), &'static str> {
        if self.moves > 0 || !self.finalized.is_empty() {
            return Err("this call comes before the first move");
        }
        if self.start.players[fault.player].name.is_some() {
            return Err("it has told its name, so nothing failed before");
        }
        let turn = |fault: &FaultEvent| (fault.call != Call::Load, fault.player != self.start.first);
        match self.deciding[..] {
            [] => Ok(()),
            [first] if first.call == Call::Play => Err("a fault had decided the game"),
            [first] if first.player == fault.player => Err("it had failed before"),
            [first] if turn(first) > turn(fault) => Err("this call comes before that of the other player's fault"),
            [_] => Ok(()),
            _ => Err("both players had failed"),
        }
    }

    fn judge_play(&self, fault: &FaultEvent) -> Result<(), &'static str> {
        match self.over() {
            Some(reason) => Err(reason),
            None if fault.player != self.to_move() => Err("the other player was to move"),
            None => Ok(()),
        }
    }

    fn judge_finalize(&self, fault: &FaultEvent) -> Result<(), &'static str> {
        if self.finalized.iter().any(|before| before.number() >= fault.player.number()) {
            return Err("players are finalised once, player 1 before player 2");
        }
        if !self.can_finalize(fault.player) {
            return Err("it was gone before it could be finalised");
        }
        Ok(())
    }

    fn judge_place(&self, fault: &FaultEvent) -> Result<(), &'static str> {
        if fault.ply != (fault.call == Call::Play).then_some(self.moves + 1) {
            return Err("the ply is not the one to be played");
        }
        if fault.position != self.position.to_string() {
            return Err("the position is not that of the game");
        }
        match fault.answer {
            Some([from, to, arrow]) if self.position.is_legal(Move { from, to, arrow }).is_ok() => {
                Err("the move is legal")
            }
            _ => Ok(()),
        }
    }
}

/// Checks that a fault's details match its kind.
const fn judge_evidence(fault: &FaultEvent) -> Result<(), &'static str> {
    let killed = fault.signal.is_some();
    let exited = fault.exit_code.is_some();
    if killed && exited {
        return Err("a process has either a signal or a status");
    }
    if matches!(fault.signal, Some(..1 | 65..)) || matches!(fault.exit_code, Some(..0 | 256..)) {
        return Err("no process ends like that");
    }
    if fault.machine.is_some() && !matches!(fault.termination, Termination::Timeout) {
        return Err("what the machine did belongs to a fault of time");
    }
    match (fault.termination, fault.call) {
        (
            Termination::NoMoves
            | Termination::Resign
            | Termination::MaxMoves
            | Termination::Counted
            | Termination::Void,
            _,
        ) => return Err("this ending is not a player's fault"),
        (Termination::IllegalMove, Call::Play) if fault.answer.is_none() => return Err("the illegal move is missing"),
        (Termination::IllegalMove, Call::Play) if killed || exited => {
            return Err("a player that answers a move is still running");
        }
        (Termination::IllegalMove, Call::Play) => return Ok(()),
        (Termination::IllegalMove, _) => return Err("only an answer of play is an illegal move"),
        (Termination::LoadError, Call::Initialize | Call::Name | Call::Play | Call::Finalize) => {
            return Err("it had been loaded");
        }
        (Termination::Crash, _) if !killed => return Err("the signal of the crash is missing"),
        (Termination::Exit, _) if !exited => return Err("the status of the exit is missing"),
        _ => {}
    }
    match fault.answer {
        Some(_) => Err("only an illegal move is reported as a move"),
        None => Ok(()),
    }
}
