//! A table as a state machine: bytes, closed connections and time go in; bytes, effects and a deadline come out.

mod faults;
mod time;

use std::sync::Arc;

use amazons_program::hex;
use rand::RngExt;

use crate::deal::{Deal, stream};
use crate::game::{Event, Game, Waiting};
use crate::line::guest::{Guest, Status};
use crate::line::inbox::Received;
use crate::line::message::{Answer, Echo, Fault, Line, deliver};
use crate::line::options::{OnError, Options};
use crate::line::record::{At, By, Client, Entry, RULES};

/// A table's effect besides sending bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Close the seat's connection when its bytes are sent.
    Close(usize),
    /// The seat has no client and waits for one.
    Free(usize),
    /// Something for the log, of a seat or of the table.
    Log(Option<usize>, String),
    /// The same of a fault of a seat.
    Fault(usize, String),
    Record(Box<Entry>),
    /// The match is over; all connections close when their bytes are sent.
    Finished(Ending),
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Complete,
    /// Not all players came.
    Lobby,
    Left,
    Stopped,
}

/// An answer that is waited for.
#[derive(Clone, Copy, Debug)]
struct Open {
    seat: usize,
    since: u64,
    deadline: Option<u64>,
    /// Whether a client that came back has been given a fresh deadline for it.
    is_renewed: bool,
}

#[derive(Clone, Debug)]
struct Round {
    game: Game,
    deal: Deal,
    salt: [u8; 16],
    /// The cards that were shown, and those of accusations, for the last entry.
    shown: Vec<usize>,
    accused: Vec<[usize; 3]>,
}

#[derive(Debug)]
pub struct Table {
    options: Arc<Options>,
    number: u64,
    guests: Vec<Guest>,
    game: Option<Round>,
    /// The next game, or the one after the current.
    next_game: u64,
    open: Option<Open>,
    wait_until: Option<u64>,
    events: Vec<Event>,
    effects: Vec<Effect>,
    ending: Option<Ending>,
    stops: bool,
}

impl Table {
    pub fn new(options: Arc<Options>, number: u64, now: u64) -> Self {
        let guests = vec![Guest::default(); options.players];
        let wait_until = (options.wait > 0).then(|| now + options.wait);
        Self {
            options,
            number,
            guests,
            game: None,
            next_game: 0,
            open: None,
            wait_until,
            events: Vec::new(),
            effects: Vec::new(),
            ending: None,
            stops: false,
        }
    }

    pub fn guests(&self) -> &[Guest] {
        &self.guests
    }

    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref().map(|round| &round.game)
    }

    pub const fn games_begun(&self) -> u64 {
        self.next_game
    }

    /// Returns the seat that is waited for, and since when.
    pub fn waits_for(&self) -> Option<(usize, u64)> {
        self.open.map(|open| (open.seat, open.since))
    }

    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Appends the bytes for each seat's client that have not been taken.
    pub fn take_bytes(&mut self, mut take: impl FnMut(usize, &mut Vec<u8>)) {
        for (seat, guest) in self.guests.iter_mut().enumerate().filter(|(_, guest)| !guest.out.is_empty()) {
            take(seat, &mut guest.out);
        }
    }

    pub fn connect(&mut self, seat: usize, now: u64) {
        let players = self.options.players;
        let deadline = self.fresh_deadline(now);
        self.guests[seat].sit(Status::Hello { deadline });
        self.guests[seat].login.clear();
        self.send(seat, Line::Welcome { seat, players });
        self.log(seat, "connected");
    }

    pub fn introduce(&mut self, seat: usize, client: Client) {
        self.guests[seat].client = client;
    }

    /// Returns the seat that a client with this whole login may have back.
    pub fn seat_of(&self, login: &str) -> Option<usize> {
        self.guests.iter().position(|guest| matches!(guest.status, Status::Away { .. }) && guest.login == login)
    }

    /// A client comes back to its seat: it gets the lines of this game that it was due, then the open request.
    pub fn rejoin(&mut self, seat: usize, now: u64) {
        let players = self.options.players;
        self.guests[seat].sit(Status::Ready);
        self.send(seat, Line::Welcome { seat, players });
        let heard = std::mem::take(&mut self.guests[seat].heard);
        self.guests[seat].out.extend_from_slice(&heard);
        self.guests[seat].heard = heard;
        self.log(seat, "is back");
        if let Some(open) = self.open.filter(|open| open.seat == seat) {
            // A fresh deadline, but only once: a client that left and came back again and again could hold the table.
            let deadline = if open.is_renewed { open.deadline } else { self.fresh_deadline(now) };
            self.send_request(Open { since: now, deadline, is_renewed: true, ..open });
        }
    }

    pub fn receive(&mut self, seat: usize, bytes: &[u8], now: u64) {
        let is_hello = matches!(self.guests[seat].status, Status::Hello { .. });
        let is_asked = is_hello || self.is_asked(seat);
        let guest = &mut self.guests[seat];
        if self.ending.is_some() || !(is_hello || guest.status == Status::Ready) {
            return;
        }
        let received = if is_asked { guest.inbox.asked(bytes, now) } else { guest.inbox.unasked(bytes, now) };
        match received {
            Received::Nothing => {}
            Received::Line(line, used) => {
                // The rest came before the next request is sent, so it does not answer that.
                let rest = guest.inbox.unasked(&bytes[used..], now);
                self.answer(seat, &line, now);
                if let (Received::TooMuch(line), None, Status::Ready) = (rest, self.ending, self.guests[seat].status) {
                    self.fault_of_flood(seat, &line, now);
                }
            }
            Received::TooMuch(line) => self.fault_of_flood(seat, &line, now),
        }
    }

    /// Bytes from a seat's client that arrived before the request that is open was sent: they cannot answer it.
    pub fn receive_early(&mut self, seat: usize, bytes: &[u8], now: u64) {
        if self.ending.is_some() || self.guests[seat].status != Status::Ready {
            return;
        }
        let inbox = &mut self.guests[seat].inbox;
        let received = inbox.unasked(bytes, now);
        if let Received::TooMuch(line) = received {
            self.fault_of_flood(seat, &line, now);
        } else {
            let dropped = inbox.open();
            self.log_dropped(seat, dropped);
        }
    }

    fn is_turn(&self) -> bool {
        self.game().is_some_and(|game| matches!(game.waiting(), Waiting::Turn { .. }))
    }

    fn is_asked(&self, seat: usize) -> bool {
        self.open.is_some_and(|open| open.seat == seat)
    }

    fn no_answer(&self) -> Fault {
        if self.is_turn() { Fault::NoAction } else { Fault::NoCard }
    }

    fn answer(&mut self, seat: usize, line: &[u8], now: u64) {
        let answer = Answer::parse(line);
        if matches!(self.guests[seat].status, Status::Hello { .. }) {
            match answer {
                Some(Answer::Hello(login)) => self.hello(seat, login, now),
                _ => self.fault(seat, Fault::Hello, line, now),
            }
            return;
        }
        let is_turn = self.is_turn();
        let Some(Round { deal, game, .. }) = &mut self.game else { return };
        let events = &mut self.events;
        let is_done = match answer {
            Some(Answer::Show(card)) if !is_turn && game.choices(deal).contains(card) => {
                game.show(card, |event| events.push(event));
                true
            }
            Some(answer) if is_turn => {
                answer.action(deal.deck).map(|action| game.act(action, deal, |event| events.push(event))).is_some()
            }
            _ => false,
        };
        if is_done {
            self.open = None;
            self.go_on(now);
        } else {
            self.fault(seat, if is_turn { Fault::Action } else { Fault::Card }, line, now);
        }
    }

    fn hello(&mut self, seat: usize, login: String, now: u64) {
        (self.guests[seat].login, self.guests[seat].status) = (login, Status::Ready);
        self.log(seat, "hello");
        if self.guests.iter().all(|guest| guest.status == Status::Ready) {
            self.wait_until = None;
            self.deal(now);
            self.go_on(now);
        }
    }

    fn deal(&mut self, now: u64) {
        let game = self.next_game;
        let (deal, salt) = self.options.deal(self.number, game);
        self.next_game += 1;
        let players = self.options.players;
        let first = if self.options.rotates { usize::try_from(game % players as u64).unwrap_or(0) } else { 0 };
        let ghosts: Vec<usize> = (0..players).filter(|&seat| self.guests[seat].status == Status::Ghost).collect();
        self.record(Entry::Start {
            version: Entry::VERSION,
            at: self.moment(now),
            game,
            rules: RULES.to_owned(),
            seats: self.guests.iter().map(|guest| guest.name().to_owned()).collect(),
            clients: self.guests.iter().map(|guest| guest.client.clone()).collect(),
            options: Some(Options::clone(&self.options)),
            ghosts: ghosts.clone(),
            first,
            limit: self.options.limit,
            commitment: deal.commitment(&salt),
        });
        for seat in 0..players {
            self.guests[seat].heard.clear();
            self.guests[seat].stream = None;
            self.send(seat, Line::Hand(deal.hands()[seat]));
        }
        let mut game = Game::course(players, first, self.options.limit);
        ghosts.iter().for_each(|&seat| game.forfeit(seat));
        self.game = Some(Round { game, deal, salt, shown: Vec::new(), accused: Vec::new() });
    }

    /// Reports events and asks the next seat, through the ends of games.
    fn go_on(&mut self, now: u64) {
        while self.ending.is_none() {
            self.tell(now);
            let Some(Round { deal, game, .. }) = &mut self.game else { return };
            let is_over = matches!(game.waiting(), Waiting::Over { .. });
            if !is_over && self.open.is_some() {
                // Another seat's fault changes nothing for the one that was asked before.
                return;
            }
            match game.waiting() {
                Waiting::Over { winner } => self.over(winner, None, now),
                Waiting::Turn { seat } | Waiting::Answer { seat, .. } => match self.guests[seat].status {
                    Status::Ghost => {
                        let cards = game.choices(deal);
                        let begin =
                            || stream(self.options.seed, self.number, self.next_game - 1, &format!("ghost {seat}"));
                        let stream = self.guests[seat].stream.get_or_insert_with(begin);
                        let place = stream.random_range(0..cards.len().max(1));
                        // A ghost is asked only for a card that it has.
                        game.show(cards.nth(place).unwrap_or(0), |event| self.events.push(event));
                    }
                    Status::Away { .. } => {
                        self.open = Some(Open { seat, since: now, deadline: None, is_renewed: false });
                        return;
                    }
                    Status::Gone => {
                        self.fault_once(seat, self.no_answer(), b"", now);
                    }
                    Status::Ready | Status::Empty | Status::Hello { .. } => {
                        let deadline = self.fresh_deadline(now);
                        return self.send_request(Open { seat, since: now, deadline, is_renewed: false });
                    }
                },
            }
        }
    }

    fn fresh_deadline(&self, now: u64) -> Option<u64> {
        (self.options.timeout > 0).then(|| now + self.options.timeout)
    }

    fn send_request(&mut self, open: Open) {
        let line = if self.is_turn() { Line::Turn } else { Line::Ask };
        let guest = &mut self.guests[open.seat];
        let dropped = guest.inbox.open();
        line.write(&mut guest.out, self.options.trailing_blank);
        self.log_dropped(open.seat, dropped);
        self.open = Some(open);
    }

    /// Sends and records the events that have happened.
    fn tell(&mut self, now: u64) {
        let events = std::mem::take(&mut self.events);
        let keeps_own = self.options.rejoin > 0 && self.options.echo == Echo::Others;
        let at = self.moment(now);
        for &event in &events {
            match event {
                Event::Suggest { seat, cards } => {
                    self.record(Entry::Hypothesis { by: By { at, seat }, cards });
                    if keeps_own {
                        Line::Hypothesis(cards).write(&mut self.guests[seat].heard, self.options.trailing_blank);
                    }
                }
                Event::Pass { seat } => self.record(Entry::Pass(By { at, seat })),
                Event::Show { seat, card, .. } => {
                    self.game.iter_mut().for_each(|round| round.shown.extend(card));
                    self.record(Entry::Show(By { at, seat }));
                }
                Event::Accuse { seat, cards, .. } => {
                    self.game.iter_mut().for_each(|round| round.accused.extend(cards));
                    self.record(Entry::Accuse(By { at, seat }));
                }
                Event::Unanswered { .. } | Event::Fault { .. } | Event::Leave { .. } => {}
            }
            let (players, echo) = (self.options.players, self.options.echo);
            deliver(event, players, echo, &mut |seat, line| self.send(seat, line));
        }
        self.events = events;
        self.events.clear();
    }

    /// A game is over; deals the next one, or ends the match.
    fn over(&mut self, winner: Option<usize>, fault: Option<u32>, now: u64) {
        self.open = None;
        let limit = Fault::Limit.code(self.options.codes, true);
        if winner.is_none() && fault.is_none() {
            self.send_all(Line::Error(limit));
        }
        // A game stays until the next one: there is no lobby any more.
        self.record_end(winner, fault.or_else(|| winner.is_none().then_some(limit)), now);
        if let Some(seat) = winner {
            self.guests[seat].gain += 1;
            self.guests[seat].wins += 1;
            self.log(seat, "has won");
        } else {
            let what = format!("game {} is over, nobody has won", self.next_game - 1);
            self.effects.push(Effect::Log(None, what));
        }
        let has_left = |guest: &Guest| matches!(guest.status, Status::Gone | Status::Ghost);
        if self.next_game >= self.options.games {
            self.finish(Ending::Complete);
        } else if self.stops {
            self.finish(Ending::Stopped);
        } else if self.guests.iter().all(has_left)
            || self.options.on_error == OnError::Abort && self.guests.iter().any(has_left)
        {
            self.finish(Ending::Left);
        } else {
            self.deal(now);
        }
    }

    fn record_end(&mut self, winner: Option<usize>, code: Option<u32>, time: u64) {
        let Some(Round { deal, salt, shown, accused, .. }) = self.game.clone() else { return };
        self.record(Entry::End {
            at: self.moment(time),
            game: self.next_game - 1,
            winner,
            code,
            secret: deal.solution,
            hands: deal.lists(),
            salt: hex(&salt),
            shown,
            accused,
        });
    }

    fn record(&mut self, entry: Entry) {
        self.effects.push(Effect::Record(Box::new(entry)));
    }

    const fn moment(&self, time: u64) -> At {
        At { time, table: self.number }
    }

    fn finish(&mut self, ending: Ending) {
        self.ending = Some(ending);
        self.open = None;
        self.effects.push(Effect::Finished(ending));
    }

    fn send_all(&mut self, line: Line) {
        for seat in 0..self.guests.len() {
            self.send(seat, line);
        }
    }

    /// Sends a line, if the seat has a client or may get one back.
    fn send(&mut self, seat: usize, line: Line) {
        let guest = &mut self.guests[seat];
        let blank = self.options.trailing_blank;
        if self.options.rejoin > 0 && !matches!(line, Line::Welcome { .. }) {
            line.write(&mut guest.heard, blank);
        }
        if matches!(guest.status, Status::Hello { .. } | Status::Ready | Status::Gone) {
            line.write(&mut guest.out, blank);
        }
    }

    fn log_dropped(&mut self, seat: usize, bytes: usize) {
        if bytes > 0 {
            let s = if bytes == 1 { "" } else { "s" };
            self.log(seat, &format!("dropped {bytes} byte{s} that came before the request"));
        }
    }

    fn log(&mut self, seat: usize, what: &str) {
        self.effects.push(Effect::Log(Some(seat), what.to_owned()));
    }
}
