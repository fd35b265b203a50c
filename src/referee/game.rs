use std::io;
use std::time::{Duration, Instant};

use amazons_rules::{IllegalMove, Move, Position};
use thiserror::Error;

use crate::referee::event::micros;
use crate::referee::{
    Agreement, Answer, Call, CallError, Cause, EndEvent, Ending, Event, Fault, FaultEvent, HostFailure, MatchRules,
    MoveEvent, Observer, Outcome, PlayerNumber, PlayerRequest, Seat, StartEvent, Termination, Void, separate,
};
use crate::text::{error_chain, printable, telling_lines};

/// A game to play.
#[derive(Clone, Debug)]
pub struct Match {
    /// The starting position.
    pub position: Position,
    /// Its rules, which the first event tells as well.
    pub rules: MatchRules,
    /// The first event, complete except for the players' names.
    pub start: StartEvent,
    /// Whether a fault that may be the machine's doing makes the game void; otherwise it counts like any other.
    pub excuses: bool,
}

/// The reason why a game could not be fully reported.
#[derive(Debug, Error)]
#[error("cannot report the game")]
pub struct GameError(#[from] io::Error);

/// Plays a game between players 1 and 2.
///
/// Loads and initialises both players before judging either. Then they move in turn until a move is illegal, a player
/// fails, the next player is blocked, or the move limit is reached; every initialised player is also finalised. A host
/// failure makes the game void. Fails when an observer fails. The players are still finalised.
pub fn play_game<'a, 'b>(
    game: &Match,
    seats: [&'a mut (dyn Seat + 'a); 2],
    observers: &'a mut [&'b mut (dyn Observer + 'b)],
) -> Result<Outcome, GameError> {
    let mut referee = Referee {
        seats,
        observers,
        position: game.position.clone(),
        logs: PlayerNumber::ALL.map(|player| game.start.players[player].log.clone()),
        moves: 0,
        played: Vec::new(),
        at_fault: Vec::new(),
        initialized: [false; 2],
        waited: [Duration::ZERO; 2],
        excuses: game.excuses,
    };
    let ending = referee.play(game);
    let finalized = referee.finalize();
    // Both are ended, whatever becomes of the first.
    let ended = referee.seats.each_mut().map(|seat| seat.end());
    let ending = ended.into_iter().collect::<Result<(), HostFailure>>().map_err(Stop::Void).and(ending);
    let void_ending = Ending { winner: None, termination: Termination::Void };
    let (Ending { winner, termination }, void) = match ending {
        Ok(ending) => (ending, None),
        Err(Stop::Void(error)) => {
            let cause = if error.is_lasting() { Cause::Lasting } else { Cause::Passing };
            (void_ending, Some(Void { reason: error_chain(&error), cause }))
        }
        Err(Stop::Disturbed(player, fault)) => {
            let reason = format!("{player}: {}, which may be the machine's doing", fault.detail);
            (void_ending, Some(Void { reason, cause: Cause::Disturbed }))
        }
        Err(Stop::Observer(error)) => return Err(error.into()),
    };
    finalized?;
    let position = referee.position.to_string();
    referee.report(&Event::End(EndEvent {
        winner,
        termination: Some(termination),
        moves: referee.moves,
        hash: EndEvent::hash_of(&position),
        position,
        detail: void.as_ref().map(|void| void.reason.clone()),
        analysis: None,
    }))?;
    Ok(Outcome {
        winner,
        termination,
        at_fault: referee.at_fault,
        moves: referee.moves,
        position: referee.position,
        waited: referee.waited,
        void,
    })
}

/// The reasons for a game to stop without a verdict.
#[derive(Debug)]
enum Stop {
    Void(HostFailure),
    /// The player was too late, and the machine may be to blame.
    Disturbed(PlayerNumber, Fault),
    Observer(io::Error),
}

impl From<HostFailure> for Stop {
    fn from(error: HostFailure) -> Self {
        Self::Void(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Observer(error)
    }
}

/// Returns the fault of a move; players resign with three times `UINT_MAX`.
fn illegal(position: &Position, mv: Move, reason: IllegalMove) -> String {
    let board = position.board();
    match mv {
        Move { from: u32::MAX, to: u32::MAX, arrow: u32::MAX } => {
            let had = match position.perft(1) {
                1 => "1 legal move".to_owned(),
                moves => format!("{moves} legal moves"),
            };
            format!("it gave up, although it had {had} (bestmove none, or three times UINT_MAX)")
        }
        _ => format!("{}: {}", board.move_text(mv), reason.describe(board)),
    }
}

struct Referee<'a, 'b> {
    seats: [&'a mut (dyn Seat + 'a); 2],
    observers: &'a mut [&'b mut (dyn Observer + 'b)],
    position: Position,
    logs: [Option<String>; 2],
    moves: u32,
    /// The moves, in order.
    played: Vec<Move>,
    at_fault: Vec<PlayerNumber>,
    initialized: [bool; 2],
    waited: [Duration; 2],
    excuses: bool,
}

impl Referee<'_, '_> {
    fn play(&mut self, game: &Match) -> Result<Ending, Stop> {
        let rules = &game.rules;
        let order = [rules.first, rules.first.opponent()];
        if let Some(ending) = self.begin(game, order)? {
            return Ok(ending);
        }
        let (mut previous, mut player, mut agreement) = (None, rules.first, Agreement::new(rules.resign));
        loop {
            if let Some(ending) = rules.ending(&self.position, self.moves, player, agreement) {
                return Ok(ending);
            }
            let answer = match self.ask(player, |seat| seat.play(previous)) {
                Err(CallError::Request(PlayerRequest::Resign)) => {
                    return Ok(Ending { winner: Some(player.opponent()), termination: Termination::Resign });
                }
                Err(CallError::Request(PlayerRequest::TakeBack)) => {
                    self.take_back()?;
                    (previous, agreement) = (None, Agreement::new(rules.resign));
                    continue;
                }
                answer => match separate(answer)? {
                    Ok(answer) => answer,
                    Err(fault) => return self.lose(player, fault, None),
                },
            };
            if let Err(reason) = self.position.try_play(answer.value) {
                self.seats[player].unchanged()?;
                let detail = illegal(&self.position, answer.value, reason);
                let fault = Fault::new(Termination::IllegalMove, Call::Play, detail);
                return self.lose(player, fault, Some(answer.value));
            }
            self.moves += 1;
            self.played.push(answer.value);
            let (value, comment) = self.seats[player].opinion().checked();
            self.report_move(player, answer, value, comment)?;
            agreement.add(player, value);
            previous = Some(answer.value);
            player = player.opponent();
        }
    }

    /// Goes back by one move of each side; the requesting player must have moved.
    fn take_back(&mut self) -> io::Result<()> {
        for _ in 0..2 {
            let Some(mv) = self.played.pop() else { break };
            self.position.undo(mv);
            self.moves -= 1;
        }
        for seat in &mut self.seats {
            seat.take_back(&self.position);
        }
        let mut result = Ok(());
        for observer in self.observers.iter_mut() {
            result = result.and(observer.take_back(self.moves, &self.position));
        }
        result
    }

    /// Loads and initialises both players, reports the start, and judges failures.
    fn begin(&mut self, game: &Match, order: [PlayerNumber; 2]) -> Result<Option<Ending>, Stop> {
        let mut start = game.start.clone();
        let introduced = self.introduce_both(order, &mut start);
        // The weaker of the players' sandboxes.
        start.sandbox = self.seats.iter().filter_map(|seat| seat.sandbox()).min_by_key(|sandbox| sandbox.level);
        // A record always begins with a start.
        self.report(&Event::Start(Box::new(start)))?;
        let mut ending = None;
        let faults = introduced?;
        // Nothing is reported of a game that says nothing.
        if let Some((player, fault)) = faults.iter().find(|(_, fault)| self.is_excused(fault)) {
            return Err(Stop::Disturbed(*player, fault.clone()));
        }
        for (player, fault) in faults {
            // If both fail, neither wins; the first fault names the ending.
            let lost = self.lose(player, fault, None)?;
            ending = match ending {
                None => Some(lost),
                Some(Ending { termination, .. }) => Some(Ending { winner: None, termination }),
            };
        }
        Ok(ending)
    }

    /// Calls a player, and adds up how long that takes.
    fn ask<T>(&mut self, player: PlayerNumber, call: impl FnOnce(&mut dyn Seat) -> T) -> T {
        let begun = Instant::now();
        let answer = call(&mut *self.seats[player]);
        self.waited[player] += begun.elapsed();
        answer
    }

    /// Loads, initialises and names both players; returns the faults.
    fn introduce_both(
        &mut self,
        order: [PlayerNumber; 2],
        start: &mut StartEvent,
    ) -> Result<Vec<(PlayerNumber, Fault)>, HostFailure> {
        let mut faults = Vec::new();
        for player in order {
            if let Err(fault) = separate(self.ask(player, |seat| seat.load()))? {
                faults.push((player, fault));
            }
        }
        for player in order {
            if faults.iter().any(|(faulty, _)| *faulty == player) {
                continue;
            }
            match self.introduce(player)? {
                Ok(name) => start.players[player].name = name,
                Err(fault) => faults.push((player, fault)),
            }
        }
        Ok(faults)
    }

    fn introduce(&mut self, player: PlayerNumber) -> Result<Result<Option<String>, Fault>, HostFailure> {
        if let Err(fault) = separate(self.ask(player, |seat| seat.initialize()))? {
            return Ok(Err(fault));
        }
        self.initialized[player] = true;
        let name = separate(self.ask(player, |seat| seat.name()))?;
        Ok(name.map(|answer| answer.value.map(|bytes| printable(&bytes))))
    }

    fn report_move(
        &mut self,
        player: PlayerNumber,
        answer: Answer<Move>,
        value: Option<f32>,
        comment: Option<String>,
    ) -> io::Result<()> {
        let Move { from, to, arrow } = answer.value;
        self.report(&Event::Move(MoveEvent {
            ply: self.moves,
            player,
            from,
            to,
            arrow,
            text: self.position.board().move_text(answer.value),
            wall_us: Some(micros(answer.usage.wall)),
            cpu_us: Some(micros(answer.usage.cpu)),
            idle_cpu_us: Some(micros(answer.usage.idle_cpu)),
            left_us: Some(micros(answer.left)),
            value,
            comment,
            analysis: None,
        }))
    }

    const fn is_excused(&self, fault: &Fault) -> bool {
        self.excuses && fault.is_excused
    }

    fn lose(&mut self, player: PlayerNumber, fault: Fault, answer: Option<Move>) -> Result<Ending, Stop> {
        if self.is_excused(&fault) {
            return Err(Stop::Disturbed(player, fault));
        }
        let termination = fault.termination;
        self.report_fault(player, fault, answer)?;
        Ok(Ending { winner: Some(player.opponent()), termination })
    }

    fn report_fault(&mut self, player: PlayerNumber, fault: Fault, answer: Option<Move>) -> io::Result<()> {
        if !self.at_fault.contains(&player) {
            self.at_fault.push(player);
        }
        let event = FaultEvent {
            player,
            termination: fault.termination,
            call: fault.call,
            detail: fault.detail,
            remedy_at: fault.remedy_at,
            ply: (fault.call == Call::Play).then_some(self.moves + 1),
            answer: answer.map(|mv| [mv.from, mv.to, mv.arrow]),
            position: self.position.to_string(),
            signal: fault.signal,
            exit_code: fault.exit_code,
            backtrace: fault.backtrace,
            log: self.logs[player].clone(),
            log_tail: telling_lines(&self.seats[player].call_log()),
            machine: fault.machine,
        };
        self.report(&Event::Fault(event))
    }

    /// Finalises the initialised players. Nothing here changes the result, not even a host failure.
    fn finalize(&mut self) -> io::Result<()> {
        let mut result = Ok(());
        for player in PlayerNumber::ALL {
            if !self.initialized[player] {
                continue;
            }
            // A dead player repeats the fault already reported.
            if let Ok(Err(fault)) = separate(self.ask(player, |seat| seat.finalize()))
                && fault.call == Call::Finalize
            {
                result = result.and(self.report_fault(player, fault, None));
            }
        }
        result
    }

    /// Sends an event to every observer, even if one of them fails.
    fn report(&mut self, event: &Event) -> io::Result<()> {
        let mut result = Ok(());
        for observer in self.observers.iter_mut() {
            result = result.and(observer.observe(event, &self.position));
        }
        result
    }
}
