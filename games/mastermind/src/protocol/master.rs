use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::frame::{Body, Frame, Stamp};
use super::order::{Order, Span};
use super::post::ProtocolError;
use super::{Pick, Protocol};
use crate::code::Code;
use crate::feedback::Feedback;
use crate::history::Turn;

/// A player asked for codes gives up half of them, but not fewer than this.
const WORTH_ASKING: u64 = 32;

/// The master of one game of `seed` or `first-come`: what it does with the frames of the players, and what it sends.
#[derive(Debug)]
pub struct Master {
    protocol: Protocol,
    order: Arc<Order>,
    pick: Pick,
    random: Xoshiro256PlusPlus,
    number: u16,
    pub turns: Vec<Turn>,
    seats: Vec<Seat>,
    /// The proposals since the last answer, in the order of arrival.
    pub proposals: Vec<Proposal>,
    pub counts: Counts,
    outbox: Vec<(usize, Stamp, Body)>,
}

#[derive(Debug)]
struct Seat {
    /// The codes that it may still have to search.
    owned: Vec<Span>,
    /// About how many of them are left.
    left: u64,
    /// How many ranges it was given.
    given: u16,
    /// Whether it was asked to give up half.
    is_asked: bool,
    state: SeatState,
    /// The last report of this round, when `seed` waits for all: the code, and the ranges it had taken over.
    report: Option<(Option<u32>, u16)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SeatState {
    Searching,
    Dry,
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    pub rank: usize,
    /// The code; `None` from a player that has none left.
    pub code: Option<Code>,
    /// The tests that it made since its last proposal.
    pub tests: u64,
}

/// The numbers of the messages of a game, by their kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub proposals: u64,
    /// Proposals that no longer agreed with all answers when they arrived.
    pub stale: u64,
    /// Messages of players without codes.
    pub empties: u64,
    pub answers: u64,
    /// Messages about codes that change hands, in both directions.
    pub handovers: u64,
    /// The tests that players told of.
    pub tests: u64,
    /// The sum over all rounds of the most tests of a player.
    pub slowest: u64,
}

impl Master {
    /// Begins a game with this number of players, who know their parts.
    pub fn new(
        protocol: Protocol,
        order: Arc<Order>,
        players: usize,
        number: u16,
        pick: Pick,
        random: Xoshiro256PlusPlus,
    ) -> Self {
        let seat = |player| {
            let owned: Vec<_> = protocol.parts().part(order.game, player, to_u32(players)).into();
            let left = owned.iter().map(|span| u64::from(span.len())).sum();
            Seat { owned, left, given: 0, is_asked: false, state: SeatState::Searching, report: None }
        };
        let seats = (0..to_u32(players)).map(seat).collect();
        let (turns, proposals, outbox) = (Vec::new(), Vec::new(), Vec::new());
        Self { protocol, pick, random, number, turns, seats, proposals, counts: Counts::default(), outbox, order }
    }

    /// Takes the frame of a rank, and returns the code to evaluate now, if there is one: then call [`Master::answer`].
    /// Fails on a code that the player must know to be wrong, on what no player sends, and when all is searched.
    pub fn take(&mut self, rank: usize, frame: Frame) -> Result<Option<Code>, ProtocolError> {
        let Frame { stamp, body } = frame;
        let is_known = (1..=self.seats.len()).contains(&rank);
        if !is_known {
            return Err(ProtocolError::misbehaved(rank, "is not a player"));
        }
        let seat = rank - 1;
        if stamp.game != self.number || self.seats[seat].state == SeatState::Lost {
            return Ok(None);
        }
        if usize::from(stamp.round) > self.turns.len() {
            return Err(ProtocolError::misbehaved(rank, "knows answers that were not given"));
        }
        match body {
            Body::Propose { index, tests } => {
                let code = self.checked(rank, index, stamp)?;
                self.counts.proposals += 1;
                self.counts.tests += tests;
                self.proposals.push(Proposal { rank, code: Some(code), tests });
                self.proposed(seat, code, stamp)
            }
            Body::Empty { tests } => {
                self.counts.empties += 1;
                self.counts.tests += tests;
                self.proposals.push(Proposal { rank, code: None, tests });
                self.empty(seat, stamp)
            }
            Body::Take(span) => {
                self.counts.handovers += 1;
                self.given_up(rank, span)?;
                Ok(None)
            }
            Body::Heartbeat(span) => {
                self.seats[seat].left = span.len().into();
                Ok(None)
            }
            Body::Answer { .. } | Body::End { .. } => {
                Err(ProtocolError::misbehaved(rank, "sent a frame that only a master sends"))
            }
        }
    }

    /// Returns the proposed code, if the player could believe in it.
    fn checked(&self, rank: usize, index: u32, stamp: Stamp) -> Result<Code, ProtocolError> {
        let game = self.order.game;
        if index >= game.codes() {
            let what = format_args!("proposed code {index}: {game} has {}", game.codes());
            return Err(ProtocolError::misbehaved(rank, what));
        }
        let code = game.code(index);
        match self.turns[..usize::from(stamp.round)].iter().position(|turn| !turn.fits(code)) {
            None => Ok(code),
            Some(place) => {
                let (text, number) = (game.text(code), place + 1);
                Err(ProtocolError::misbehaved(rank, format_args!("proposed {text}, which breaks answer {number}")))
            }
        }
    }

    fn proposed(&mut self, seat: usize, code: Code, stamp: Stamp) -> Result<Option<Code>, ProtocolError> {
        if self.protocol == Protocol::Seed {
            return self.reported(seat, self.order.game.index(code), stamp);
        }
        let news = &self.turns[usize::from(stamp.round)..];
        let is_plausible = news.iter().all(|turn| turn.fits(code));
        self.counts.stale += u64::from(!is_plausible);
        Ok(is_plausible.then_some(code))
    }

    fn reported(&mut self, seat: usize, code: Option<u32>, stamp: Stamp) -> Result<Option<Code>, ProtocolError> {
        if usize::from(stamp.round) == self.turns.len() {
            self.seats[seat].report = Some((code, stamp.taken));
        }
        self.picked()
    }

    fn empty(&mut self, seat: usize, stamp: Stamp) -> Result<Option<Code>, ProtocolError> {
        if self.protocol == Protocol::Seed {
            return self.reported(seat, None, stamp);
        }
        // Otherwise it has been given more codes in the meantime.
        if stamp.taken == self.seats[seat].given {
            self.seats[seat].state = SeatState::Dry;
            self.seats[seat].owned.clear();
            self.seats[seat].left = 0;
            self.find_work();
            self.check_left()?;
        }
        Ok(None)
    }

    /// Returns the proposal that `seed` picks, once all players have reported.
    fn picked(&mut self) -> Result<Option<Code>, ProtocolError> {
        let living = self.living()?;
        let reports: Option<Vec<_>> = living
            .iter()
            .map(|seat| seat.report.filter(|(_, taken)| *taken == seat.given).map(|(index, _)| index))
            .collect();
        let Some(reports) = reports else { return Ok(None) };
        let picked = self.pick.of(&reports, &mut self.random);
        picked.map(|index| Some(self.order.game.code(index))).ok_or(ProtocolError::NoCode)
    }

    pub fn answer(&mut self, guess: Code, answer: Feedback) {
        self.turns.push(Turn { guess, answer });
        let most = |rank| self.proposals.iter().filter(|one| one.rank == rank).map(|one| one.tests).sum::<u64>();
        self.counts.slowest += (1..=self.seats.len()).map(most).max().unwrap_or_default();
        self.proposals.clear();
        if answer == self.order.game.solved() {
            return;
        }
        let index = self.order.game.index(guess).unwrap_or_default();
        for seat in 0..self.seats.len() {
            self.seats[seat].report = None;
            if self.seats[seat].state != SeatState::Lost {
                self.counts.answers += 1;
                self.send(seat, Body::Answer { index, blacks: answer.black, whites: answer.white });
            }
        }
    }

    /// Asks players that have many codes to give up half of them, as long as others have none.
    fn find_work(&mut self) {
        let dry = self.seats.iter().filter(|seat| seat.state == SeatState::Dry).count();
        let mut asked = self.seats.iter().filter(|seat| seat.is_asked).count();
        while asked < dry {
            let has_much =
                |seat: &Seat| seat.state == SeatState::Searching && !seat.is_asked && seat.left >= 2 * WORTH_ASKING;
            let fullest = (0..self.seats.len()).rev().filter(|&seat| has_much(&self.seats[seat]));
            let Some(seat) = fullest.max_by_key(|&seat| self.seats[seat].left) else { return };
            self.seats[seat].is_asked = true;
            self.counts.handovers += 1;
            self.send(seat, Body::Empty { tests: 0 });
            asked += 1;
        }
    }

    fn given_up(&mut self, rank: usize, span: Span) -> Result<(), ProtocolError> {
        let seat = &mut self.seats[rank - 1];
        if !seat.is_asked {
            return Err(ProtocolError::misbehaved(rank, "gave up codes without being asked"));
        }
        seat.is_asked = false;
        if span.is_empty() {
            seat.left = 0;
        } else {
            let owned = seat.owned.iter_mut().find(|owned| owned.has(span.from) && owned.to == span.to);
            let Some(owned) = owned else {
                return Err(ProtocolError::misbehaved(rank, "gave up codes that it does not have"));
            };
            owned.to = span.from;
            seat.left = (seat.left / 2).min(u64::from(span.len()));
            self.give(span)?;
        }
        self.find_work();
        self.check_left()
    }

    /// Gives codes to a player that has none, or else few.
    fn give(&mut self, span: Span) -> Result<(), ProtocolError> {
        let living = (0..self.seats.len()).filter(|&seat| self.seats[seat].state != SeatState::Lost);
        let emptiest = living.min_by_key(|&seat| (self.seats[seat].state != SeatState::Dry, self.seats[seat].left));
        let chosen = emptiest.ok_or(ProtocolError::NobodyLeft)?;
        let seat = &mut self.seats[chosen];
        seat.state = SeatState::Searching;
        seat.owned.push(span);
        seat.left += u64::from(span.len());
        seat.given += 1;
        self.counts.handovers += 1;
        self.send(chosen, Body::Take(span));
        Ok(())
    }

    /// Gives the codes of a lost rank to others; returns the code to evaluate, if only that rank was missing.
    pub fn lose(&mut self, rank: usize) -> Result<Option<Code>, ProtocolError> {
        let seat = &mut self.seats[rank - 1];
        seat.state = SeatState::Lost;
        seat.is_asked = false;
        for span in std::mem::take(&mut seat.owned) {
            self.give(span)?;
        }
        if self.protocol == Protocol::Seed {
            return self.picked();
        }
        self.find_work();
        self.check_left()?;
        Ok(None)
    }

    fn living(&self) -> Result<Vec<&Seat>, ProtocolError> {
        let living: Vec<_> = self.seats.iter().filter(|seat| seat.state != SeatState::Lost).collect();
        if living.is_empty() { Err(ProtocolError::NobodyLeft) } else { Ok(living) }
    }

    fn check_left(&self) -> Result<(), ProtocolError> {
        let is_dry = self.living()?.iter().all(|seat| seat.state == SeatState::Dry);
        if is_dry { Err(ProtocolError::NoCode) } else { Ok(()) }
    }

    fn send(&mut self, seat: usize, body: Body) {
        let round = u16::try_from(self.turns.len()).unwrap_or(u16::MAX);
        let stamp = Stamp { game: self.number, round, taken: self.seats[seat].given, number: 0 };
        self.outbox.push((seat + 1, stamp, body));
    }

    pub fn say_alive(&mut self) {
        for seat in 0..self.seats.len() {
            if self.seats[seat].state != SeatState::Lost {
                self.send(seat, Body::ALIVE);
            }
        }
    }

    /// Returns the frames to send, in order, each with the rank.
    pub fn outbox(&mut self) -> Vec<(usize, Stamp, Body)> {
        std::mem::take(&mut self.outbox)
    }

    pub fn is_solved(&self) -> bool {
        self.turns.last().is_some_and(|turn| turn.answer == self.order.game.solved())
    }

    /// Returns whether the master waits for something of a rank, which therefore may not be silent.
    pub fn waits_for(&self, rank: usize) -> bool {
        let seat = &self.seats[rank - 1];
        match seat.state {
            SeatState::Lost => false,
            // A player of `seed` that has reported waits for the others.
            SeatState::Searching => seat.report.is_none_or(|(_, taken)| taken != seat.given),
            SeatState::Dry => seat.is_asked,
        }
    }

    pub fn has_lost(&self, rank: usize) -> bool {
        self.seats[rank - 1].state == SeatState::Lost
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
