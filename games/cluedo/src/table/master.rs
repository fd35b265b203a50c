use std::mem::take;

use crate::deck::{Card, CardSet, Triple};
use crate::table::ai::Turn;
use crate::table::deal::Deal;
use crate::table::event::Event;
use crate::table::mail::{Mail, Outgoing};
use crate::table::message::{
    Answered, Fault, Message, Over, RIGHT, Report, Start, WRONG, decode_answer, encode_answer, encode_hand,
};
use crate::table::player::next_player;
use crate::table::random::Streams;
use crate::table::seats::{AiType, Asking, SEATS_MAX, Seats};

/// A game as its master sets it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Who plays.
    pub seats: Seats,
    /// The type of each AI, from rank 1 on.
    pub ais: Vec<AiType>,
    /// Where the deal and the streams come from.
    pub streams: Streams,
    /// What follows a wrong accusation of the person.
    pub wrong: Wrong,
}

/// What follows a wrong accusation of the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrong {
    /// The game is over.
    #[default]
    Ends,
    /// The person goes on refuting, and the AIs play on.
    Stays,
}

/// Rank 0 as a state machine: it deals, judges, checks every answer, and is the person's seat.
#[derive(Debug)]
pub struct Master {
    setup: Setup,
    deal: Deal,
    mail: Mail,
    is_out: [bool; SEATS_MAX],
    step: Step,
    events: Vec<Event>,
    out: Vec<Outgoing>,
}

/// What the game master waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaits {
    /// A message of an AI about its own decision.
    Decision(usize),
    /// A message of an AI that may first wait for others.
    Report(usize),
    /// The person's turn.
    Turn,
    /// The person's choice of a card to show.
    Card {
        /// Who asks for it.
        asker: usize,
        /// What was suggested.
        cards: Triple,
        /// The cards that fit, of which there are several.
        choices: CardSet,
    },
    /// Nothing: the game is over.
    Over(Over),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// An AI's turn begins.
    Before(usize),
    /// An AI's suggestion was heard; the person has answered, or was not asked.
    Heard {
        active: usize,
        cards: Triple,
        answer: Option<Option<Card>>,
    },
    /// The person chooses a card to show.
    Showing {
        active: usize,
        cards: Triple,
    },
    /// An AI has accused.
    Accused {
        active: usize,
        cards: Triple,
    },
    /// The turn must come to the person.
    Returning,
    /// The person's turn.
    Own,
    /// The person asks a rank, the last of so many.
    Asking {
        cards: Triple,
        rank: usize,
        asked: usize,
    },
    Over(Over),
}

impl Master {
    /// Deals a game.
    pub fn new(setup: Setup) -> Self {
        let deal = Deal::random(setup.seats, &mut setup.streams.deal());
        Self::with_deal(setup, deal)
    }

    /// Plays a given deal.
    pub fn with_deal(setup: Setup, deal: Deal) -> Self {
        let step = if setup.seats.has_person() { Step::Own } else { Step::Before(setup.seats.first) };
        let (mail, is_out, events, out) = (Mail::default(), [false; SEATS_MAX], Vec::new(), Vec::new());
        Self { setup, deal, mail, is_out, step, events, out }
    }

    /// Returns the messages that begin the game in a world of this many ranks.
    pub fn begin(&self, ranks: usize) -> Vec<Outgoing> {
        let Setup { seats, ais, streams, .. } = &self.setup;
        let mut out = Vec::new();
        for rank in 1..ranks {
            let plays = seats.contains(rank);
            let ai_type = ais.get(rank - 1).copied().unwrap_or(AiType::Default);
            let stream = if plays { streams.player_bytes(rank) } else { [0; 32] };
            out.push((rank, Message::Start(Start { seats: *seats, ai_type, stream }).encode(0)));
            if plays {
                out.push((rank, encode_hand(self.deal.hand(rank))));
            }
        }
        out
    }

    /// Returns the deal, which only the game master knows.
    pub const fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Returns how the game was set up.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns what has happened since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        take(&mut self.events)
    }

    /// Returns what it waits for.
    pub fn awaits(&self) -> Awaits {
        match self.step {
            Step::Before(rank) | Step::Accused { active: rank, .. } | Step::Asking { rank, .. } => {
                Awaits::Decision(rank)
            }
            Step::Heard { active, .. } => Awaits::Report(active),
            Step::Returning => Awaits::Report(self.setup.seats.before(0)),
            Step::Own => Awaits::Turn,
            Step::Showing { active, cards } => {
                Awaits::Card { asker: active, cards, choices: self.deal.hand(0) & CardSet::of(cards) }
            }
            Step::Over(over) => Awaits::Over(over),
        }
    }

    /// Takes a message, and returns those to send.
    ///
    /// # Errors
    /// When a rank did what it must never do.
    pub fn receive(&mut self, from: usize, words: Vec<i32>) -> Result<Vec<Outgoing>, Fault> {
        if !self.setup.seats.contains(from) {
            return Err(Fault::new(from, "is not in the game and sent a message"));
        }
        self.mail.push(from, words)?;
        self.advance()
    }

    /// Takes the person's turn, and returns the messages to send.
    ///
    /// # Errors
    /// When a rank did what it must never do.
    ///
    /// # Panics
    /// When it is not the person's turn.
    pub fn take_turn(&mut self, turn: Turn) -> Result<Vec<Outgoing>, Fault> {
        assert!(matches!(self.step, Step::Own), "it is not the person's turn");
        match turn {
            Turn::Suggest(cards) => {
                self.events.push(Event::Suggest { rank: 0, cards });
                self.tell_ais(Message::Suggest(cards));
                self.ask(cards, 1, 1);
            }
            Turn::Accuse(cards) => {
                let is_right = cards == self.deal.solution;
                self.events.push(Event::Accuse { rank: 0, cards, is_right });
                if is_right || self.setup.wrong == Wrong::Ends {
                    self.end(is_right.then_some(0));
                } else {
                    self.is_out[0] = true;
                    // The AIs do not hear the accusation, but must know whose turn comes next.
                    self.tell_ais(Message::Report(Report { asked: 0, shown: None }));
                    self.end_own_turn();
                }
            }
        }
        self.advance()
    }

    /// Shows the card that the person has chosen, and returns the messages to send.
    ///
    /// # Errors
    /// When a rank did what it must never do.
    ///
    /// # Panics
    /// When the person is not asked for this card.
    pub fn show(&mut self, card: Card) -> Result<Vec<Outgoing>, Fault> {
        let Step::Showing { active, cards } = self.step else { panic!("the person is not asked") };
        assert!(cards.contains(&card) && self.deal.hand(0).contains(card), "the person cannot show this card");
        self.answer(active, cards, Some(card));
        self.advance()
    }

    /// Ends the game because the person leaves, and returns the messages to send.
    pub fn leave(&mut self) -> Vec<Outgoing> {
        self.events.push(Event::Leave { rank: 0 });
        self.end(None);
        take(&mut self.out)
    }

    /// Does all that is due.
    fn advance(&mut self) -> Result<Vec<Outgoing>, Fault> {
        while self.step()? {}
        Ok(take(&mut self.out))
    }

    fn step(&mut self) -> Result<bool, Fault> {
        if let Step::Over(_) = self.step {
            return Ok(false);
        }
        if self.is_out[0] && self.mail.take(self.setup.seats.last(), is_turn)?.is_some() {
            match self.next_player(0) {
                None => self.end(None),
                Some(_) => self.out.push((1, Message::Turn.encode(0))),
            }
            return Ok(true);
        }
        match self.step {
            Step::Own | Step::Showing { .. } | Step::Over(_) => Ok(false),
            Step::Returning => {
                let is_here = self.mail.take(self.setup.seats.last(), is_turn)?.is_some();
                if is_here {
                    self.step = Step::Own;
                }
                Ok(is_here)
            }
            Step::Asking { cards, rank, asked } => self.hear_answer(cards, rank, asked),
            Step::Before(active) => self.hear_turn(active),
            Step::Heard { active, cards, answer } => self.hear_question_or_report(active, cards, answer),
            Step::Accused { active, cards } => self.judge(active, cards),
        }
    }

    fn hear_answer(&mut self, cards: Triple, rank: usize, asked: usize) -> Result<bool, Fault> {
        let Some(words) = self.mail.words(rank) else { return Ok(false) };
        let card = decode_answer(rank, &words, cards)?;
        let held = self.deal.hand(rank) & CardSet::of(cards);
        match card {
            Some(card) if held.contains(card) => self.events.push(Event::Show { rank, card: Some(card) }),
            None if held.is_empty() => self.events.push(Event::Pass { rank }),
            Some(_) => return Err(Fault::new(rank, "showed rank 0 a card that it does not hold")),
            None => return Err(Fault::new(rank, "told rank 0 that it cannot refute, but it holds a named card")),
        }
        if card.is_none() && asked + 1 < self.setup.seats.count {
            self.ask(cards, rank + 1, asked + 1);
        } else {
            self.tell_answers(0, Answered { asked, shower: card.map(|_| rank) });
            self.end_own_turn();
        }
        Ok(true)
    }

    fn hear_turn(&mut self, active: usize) -> Result<bool, Fault> {
        match self.mail.peek(active)? {
            None => return Ok(false),
            Some(Message::Suggest(cards)) => {
                self.events.push(Event::Suggest { rank: active, cards });
                self.step = Step::Heard { active, cards, answer: None };
            }
            Some(Message::Accuse(cards)) => self.step = Step::Accused { active, cards },
            Some(other) => return Err(Fault::new(active, format!("sent {other:?} instead of its turn"))),
        }
        self.mail.words(active);
        Ok(true)
    }

    fn hear_question_or_report(
        &mut self,
        active: usize,
        cards: Triple,
        answer: Option<Option<Card>>,
    ) -> Result<bool, Fault> {
        let seats = self.setup.seats;
        let asked: Vec<usize> = seats.asked(active, Asking::Cyclic).collect();
        let (count, refuter) = self.deal.refuter(active, cards, asked.iter().copied());
        let asked = &asked[..count];
        let reported = match self.mail.peek(active)? {
            None => return Ok(false),
            Some(Message::Ask) if answer.is_none() && asked.contains(&0) => None,
            Some(Message::Report(report)) if answer.is_some() || !asked.contains(&0) => Some(report),
            Some(other) => return Err(Fault::new(active, format!("sent {other:?} after its suggestion"))),
        };
        self.mail.words(active);
        // The person's answer, and what came before it, are events already.
        let person = asked.iter().position(|&rank| rank == 0);
        let Some(report) = reported else {
            let before = &asked[..person.unwrap_or(0)];
            self.events.extend(before.iter().map(|&rank| Event::Pass { rank }));
            let held = self.deal.hand(0) & CardSet::of(cards);
            if held.len() > 1 {
                self.step = Step::Showing { active, cards };
            } else {
                self.answer(active, cards, held.first());
            }
            return Ok(true);
        };
        let is_true = report.asked == count
            && match (report.shown, refuter) {
                (None, None) => true,
                (Some((rank, card)), Some(refuter)) => {
                    let held = self.deal.hand(refuter) & CardSet::of(cards);
                    rank == refuter && held.contains(card) && (rank != 0 || answer == Some(Some(card)))
                }
                _ => false,
            };
        if !is_true {
            let truth = refuter.map_or("nobody can refute".to_owned(), |rank| format!("rank {rank} refutes"));
            return Err(Fault::new(active, format!("reported {report:?} of a suggestion that {truth}")));
        }
        for &rank in &asked[person.map_or(0, |person| person + 1)..] {
            let shown = report.shown.filter(|(shower, _)| *shower == rank);
            self.events.push(shown.map_or(Event::Pass { rank }, |(_, card)| Event::Show { rank, card: Some(card) }));
        }
        self.tell_answers(active, Answered { asked: count, shower: refuter });
        self.go_on_after(active);
        Ok(true)
    }

    fn judge(&mut self, active: usize, cards: Triple) -> Result<bool, Fault> {
        match self.mail.peek(active)? {
            None => return Ok(false),
            Some(Message::Judge) => self.mail.words(active),
            Some(other) => return Err(Fault::new(active, format!("sent {other:?} after its accusation"))),
        };
        let is_right = cards == self.deal.solution;
        self.events.push(Event::Accuse { rank: active, cards, is_right });
        self.out.push((active, vec![if is_right { RIGHT } else { WRONG }]));
        if is_right {
            self.end(Some(active));
        } else {
            self.is_out[active] = true;
            self.go_on_after(active);
        }
        Ok(true)
    }

    /// Answers an AI in the person's name.
    fn answer(&mut self, active: usize, cards: Triple, card: Option<Card>) {
        let event = if card.is_some() { Event::Show { rank: 0, card } } else { Event::Pass { rank: 0 } };
        self.events.push(event);
        self.out.push((active, encode_answer(card)));
        self.step = Step::Heard { active, cards, answer: Some(card) };
    }

    fn ask(&mut self, cards: Triple, rank: usize, asked: usize) {
        self.out.push((rank, Message::Ask.encode(0)));
        self.step = Step::Asking { cards, rank, asked };
    }

    /// Tells the AIs that hear the answers to others how a suggestion of `active` went.
    fn tell_answers(&mut self, active: usize, answered: Answered) {
        let words = Message::Answered(answered).encode(0);
        let hears = self.setup.ais.iter().zip(1..=self.setup.seats.last());
        let hears = hears.filter(|&(ai_type, rank)| ai_type.hears_answers() && rank != active);
        self.out.extend(hears.map(|(_, rank)| (rank, words.clone())));
    }

    fn end_own_turn(&mut self) {
        self.out.push((1, Message::Turn.encode(0)));
        self.go_on_after(0);
    }

    fn go_on_after(&mut self, rank: usize) {
        match self.next_player(rank) {
            Some(0) => self.step = Step::Returning,
            Some(next) => self.step = Step::Before(next),
            None if self.setup.seats.has_person() => self.step = Step::Returning,
            None => self.end(None),
        }
    }

    fn next_player(&self, rank: usize) -> Option<usize> {
        next_player(self.setup.seats, self.is_out, rank)
    }

    fn end(&mut self, winner: Option<usize>) {
        let over = Over { winner, solution: self.deal.solution };
        self.tell_ais(Message::Over(over));
        self.step = Step::Over(over);
    }

    fn tell_ais(&mut self, message: Message) {
        let words = message.encode(0);
        self.out.extend((1..=self.setup.seats.last()).map(|to| (to, words.clone())));
    }
}

fn is_turn(message: &Message) -> bool {
    *message == Message::Turn
}
