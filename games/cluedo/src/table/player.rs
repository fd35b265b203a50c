use crate::deck::{CardSet, Triple};
use crate::table::ai::{Strategy, Turn};
use crate::table::event::Event;
use crate::table::mail::{Mail, Outgoing};
use crate::table::message::{
    Answered, Fault, Message, Over, RIGHT, Report, Start, WRONG, decode_answer, decode_hand, encode_answer,
};
use crate::table::seats::{Asking, SEATS_MAX, Seats};

/// A rank of an AI as a state machine: messages in, messages out.
///
/// It follows the game turn by turn, so messages of different ranks may arrive in any order.
#[derive(Debug)]
pub struct Player<S, F> {
    rank: usize,
    make: F,
    mail: Mail,
    state: State<S>,
}

#[derive(Debug)]
enum State<S> {
    Waiting,
    Starting(Start),
    Playing(Seat<S>),
    /// The game is over, or it goes on without this rank.
    Done(Option<Over>),
}

#[derive(Debug)]
struct Seat<S> {
    rank: usize,
    seats: Seats,
    strategy: S,
    /// The players that have accused wrongly, as far as it is known.
    is_out: [bool; SEATS_MAX],
    /// Whether its next turn begins with a message; only the first turn of the game does not.
    is_turn_due: bool,
    step: Step,
}

/// Where the game is.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A player's turn begins.
    Before(usize),
    /// A player's suggestion was heard.
    After(usize, Triple),
    /// This player asks a rank, the last of so many.
    Asking { cards: Triple, rank: usize, asked: usize },
    /// Rank 0 judges this player's accusation.
    Judged,
    /// Only the end of the game is due: an accusation was right, or nobody may play.
    Ending,
}

impl<S: Strategy, F: FnMut(usize, &Start, CardSet) -> S> Player<S, F> {
    /// Waits for the start of a game, and then plays with the strategy that `make` returns, such as [`seat_ai`](super::seat_ai).
    pub fn new(rank: usize, make: F) -> Self {
        Self { rank, make, mail: Mail::default(), state: State::Waiting }
    }

    /// Returns whether it waits for no more messages.
    pub const fn is_done(&self) -> bool {
        matches!(self.state, State::Done(_))
    }

    /// Returns how the game ended, if this rank was told.
    pub const fn over(&self) -> Option<Over> {
        match self.state {
            State::Done(over) => over,
            _ => None,
        }
    }

    /// Returns the rank whose answer it waits for.
    pub const fn awaits_answer(&self) -> Option<usize> {
        match &self.state {
            State::Playing(Seat { step: Step::Asking { rank, .. }, .. }) => Some(*rank),
            _ => None,
        }
    }

    /// Takes a message, and returns those to send.
    ///
    /// # Errors
    /// When the message is not one that the sender may send.
    pub fn receive(&mut self, from: usize, words: Vec<i32>) -> Result<Vec<Outgoing>, Fault> {
        self.mail.push(from, words)?;
        let mut out = Vec::new();
        while self.step(&mut out)? {}
        Ok(out)
    }

    /// Does what is due next; returns whether there was anything.
    fn step(&mut self, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        match &mut self.state {
            State::Done(_) => return Ok(false),
            State::Waiting => match self.mail.words(0).map(|words| Message::decode(0, &words)).transpose()? {
                None => return Ok(false),
                Some(Message::Over(over)) => self.state = State::Done(Some(over)),
                Some(Message::Start(start)) if start.seats.contains(self.rank) => self.state = State::Starting(start),
                Some(Message::Start(_)) => self.state = State::Done(None),
                Some(other) => return Err(Fault::new(0, format!("sent {other:?} before the start"))),
            },
            State::Starting(start) => {
                let Some(words) = self.mail.words(0) else { return Ok(false) };
                let hand = decode_hand(0, &words)?;
                let strategy = (self.make)(self.rank, start, hand);
                let (rank, seats) = (self.rank, start.seats);
                let step = Step::Before(seats.first);
                let (is_out, is_turn_due) = ([false; SEATS_MAX], rank != seats.first);
                self.state = State::Playing(Seat { rank, seats, strategy, is_out, is_turn_due, step });
            }
            State::Playing(seat) => match self.mail.over()? {
                Some(over) if seat.may_end(&over) => {
                    self.mail.words(0);
                    self.state = State::Done(Some(over));
                }
                _ => return seat.step(&mut self.mail, out),
            },
        }
        Ok(true)
    }
}

impl<S: Strategy> Seat<S> {
    /// Does what is due next; returns whether there was anything.
    fn step(&mut self, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        match self.step {
            Step::Before(active) if active == self.rank => self.begin_turn(mail, out),
            Step::Before(active) => self.follow(active, mail, out),
            Step::After(active, cards) => {
                if mail.take(active, |message| *message == Message::Ask)?.is_some() {
                    out.push((active, encode_answer(self.strategy.refute(cards))));
                    return Ok(true);
                }
                if self.strategy.hears_answers() {
                    return self.hear_answers(active, mail);
                }
                let Some(next) = self.next_player(active) else { return self.pass_on(mail, out) };
                let sender = if next == self.rank { self.seats.before(next) } else { next };
                if self.pass_on(mail, out)? {
                    return Ok(true);
                }
                // The next turn has begun, so nobody asks about this suggestion any more.
                let has_begun = mail.peek(sender)?.is_some();
                if has_begun {
                    self.step = Step::Before(next);
                }
                Ok(has_begun)
            }
            Step::Asking { cards, rank, asked } => {
                let Some(words) = mail.words(rank) else { return Ok(false) };
                let card = decode_answer(rank, &words, cards)?;
                let answer = if card.is_some() { Event::Show { rank, card } } else { Event::Pass { rank } };
                self.strategy.observe(&answer);
                if let Some(card) = card {
                    self.strategy.see(card);
                    self.report(Report { asked, shown: Some((rank, card)) }, out);
                } else if asked + 1 == self.seats.count {
                    self.strategy.unrefuted(cards);
                    self.report(Report { asked, shown: None }, out);
                } else {
                    self.ask(cards, self.seats.after(rank), asked + 1, out);
                }
                Ok(true)
            }
            Step::Judged => {
                match mail.words(0).as_deref() {
                    None => return Ok(false),
                    Some([RIGHT]) => self.step = Step::Ending,
                    Some([WRONG]) => {
                        self.is_out[self.rank] = true;
                        self.strategy.loses(self.rank);
                        if self.next_player(self.rank).is_some() || self.seats.has_person() {
                            self.end_turn(out);
                        } else {
                            self.step = Step::Ending;
                        }
                    }
                    Some(words) => return Err(Fault::new(0, format!("judged with {words:?}"))),
                }
                Ok(true)
            }
            Step::Ending => self.pass_on(mail, out),
        }
    }

    /// Returns whether it has heard what led to the end: of an AI's accusation, rank 0 may tell earlier than the AI.
    fn may_end(&self, over: &Over) -> bool {
        match over.winner {
            Some(winner) => winner == 0 || winner == self.rank || self.is_out[winner],
            None => self.seats.has_person() || matches!(self.step, Step::Ending),
        }
    }

    /// Takes its turn, once the player before has finished.
    fn begin_turn(&mut self, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        if self.is_turn_due {
            let before = self.seats.before(self.rank);
            match mail.peek(before)? {
                None => return Ok(false),
                Some(Message::Turn) => mail.words(before),
                Some(other) => return Err(Fault::new(before, format!("sent {other:?} instead of its turn's end"))),
            };
        }
        self.is_turn_due = true;
        let turn = self.strategy.turn();
        let message = match turn {
            Turn::Suggest(cards) => Message::Suggest(cards),
            Turn::Accuse(cards) => Message::Accuse(cards),
        };
        let words = message.encode(self.rank);
        out.extend((0..=self.seats.last()).filter(|&to| to != self.rank).map(|to| (to, words.clone())));
        if let Turn::Suggest(cards) = turn {
            self.strategy.observe(&Event::Suggest { rank: self.rank, cards });
            self.ask(cards, self.seats.after(self.rank), 1, out);
        } else {
            out.push((0, Message::Judge.encode(self.rank)));
            self.step = Step::Judged;
        }
        Ok(true)
    }

    /// Hears what another player does in its turn.
    fn follow(&mut self, active: usize, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        if self.pass_on(mail, out)? {
            return Ok(true);
        }
        match mail.peek(active)? {
            None => return Ok(false),
            Some(Message::Suggest(cards)) => {
                self.strategy.hear(cards);
                self.strategy.observe(&Event::Suggest { rank: active, cards });
                self.step = Step::After(active, cards);
            }
            Some(Message::Accuse(cards)) => {
                self.strategy.hear(cards);
                // If it is right, the end of the game comes next.
                self.strategy.observe(&Event::Accuse { rank: active, cards, is_right: false });
                self.lose(active);
            }
            Some(Message::Report(Report { asked: 0, shown: None })) if active == 0 => self.lose(0),
            Some(other) => return Err(Fault::new(active, format!("sent {other:?} instead of its turn"))),
        }
        mail.words(active);
        Ok(true)
    }

    /// Hears from rank 0 how another player's suggestion went: its turn is over.
    fn hear_answers(&mut self, active: usize, mail: &mut Mail) -> Result<bool, Fault> {
        let Answered { asked, shower } = match mail.peek(0)? {
            None => return Ok(false),
            Some(Message::Answered(answered)) => answered,
            Some(other) => {
                return Err(Fault::new(0, format!("sent {other:?} instead of the answers to rank {active}")));
            }
        };
        let ranks: Vec<usize> = self.seats.asked(active, Asking::Cyclic).take(asked).collect();
        let is_possible = match shower {
            Some(shower) => ranks.len() == asked && ranks.last() == Some(&shower),
            None => asked + 1 == self.seats.count,
        };
        if !is_possible {
            return Err(Fault::new(
                0,
                format!("told that {asked} players answered rank {active}, the last {shower:?}"),
            ));
        }
        for rank in ranks {
            let is_shower = shower == Some(rank);
            self.strategy.observe(&if is_shower { Event::Show { rank, card: None } } else { Event::Pass { rank } });
        }
        mail.words(0);
        self.step = self.next_player(active).map_or(Step::Ending, Step::Before);
        Ok(true)
    }

    /// Notes a wrong accusation: if it was right, the end of the game comes next.
    fn lose(&mut self, rank: usize) {
        self.is_out[rank] = true;
        self.strategy.loses(rank);
        self.step = self.next_player(rank).map_or(Step::Ending, Step::Before);
    }

    /// Passes its turn at once if it plays no more.
    fn pass_on(&self, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        let passes = self.is_out[self.rank]
            && mail.take(self.seats.before(self.rank), |message| *message == Message::Turn)?.is_some();
        if passes {
            out.push((self.seats.after(self.rank), Message::Turn.encode(self.rank)));
        }
        Ok(passes)
    }

    fn ask(&mut self, cards: Triple, rank: usize, asked: usize, out: &mut Vec<Outgoing>) {
        out.push((rank, Message::Ask.encode(self.rank)));
        self.step = Step::Asking { cards, rank, asked };
    }

    fn report(&mut self, report: Report, out: &mut Vec<Outgoing>) {
        out.push((0, Message::Report(report).encode(self.rank)));
        self.end_turn(out);
    }

    fn end_turn(&mut self, out: &mut Vec<Outgoing>) {
        out.push((self.seats.after(self.rank), Message::Turn.encode(self.rank)));
        self.step = self.next_player(self.rank).map_or(Step::Ending, Step::Before);
    }

    /// Returns the next player that may have a turn; it may be the same.
    fn next_player(&self, rank: usize) -> Option<usize> {
        next_player(self.seats, self.is_out, rank)
    }
}

/// Returns the next rank that is not out; it may be the same.
pub(crate) fn next_player(seats: Seats, is_out: [bool; SEATS_MAX], rank: usize) -> Option<usize> {
    seats.asked(rank, Asking::Cyclic).chain([rank]).find(|&rank| !is_out[rank])
}
