use std::mem::take;

use crate::classic::mail::{Mail, Outgoing};
use crate::classic::message::{
    Answered, Fault, Message, Over, RIGHT, Report, Start, WRONG, decode_answer, encode_answer, encode_hand,
};
use crate::classic::random::Streams;
use crate::classic::seats::AiType;
use crate::deal::Deal;
use crate::deck::{Card, CardSet, Triple};
use crate::game::{Action, Asking, Event, Game, Seats, Waiting};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub seats: Seats,
    /// The type of each AI, from rank 1 on.
    pub ais: Vec<AiType>,
    pub streams: Streams,
    pub wrong: Wrong,
}

/// The consequence of a wrong accusation of the person.
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
    pub setup: Setup,
    pub deal: Deal,
    mail: Mail,
    game: Game,
    step: Step,
    /// The rank whose turn it is, and the true answers to its suggestion.
    active: usize,
    answered: Answered,
    events: Vec<Event>,
    out: Vec<Outgoing>,
}

/// The move that the game master waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaits {
    /// A message of an AI about its own decision.
    Decision(usize),
    /// A message of an AI that may first wait for others.
    Report(usize),
    /// The person's turn.
    Turn,
    /// The person's choice of one of several cards to show.
    Card { asker: usize, choices: CardSet },
    /// Nothing: the game is over.
    Over(Over),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// An AI's turn begins.
    Before,
    /// An AI's suggestion was heard: it asks the person, or reports how it went.
    Heard(PersonsAnswer),
    /// The person chooses a card to show to an AI.
    Showing,
    Accused(Triple),
    /// The turn must come to the person.
    Returning,
    /// The person's turn.
    Own,
    /// The person asks a rank, after all lower ones.
    Asking {
        cards: Triple,
        rank: usize,
    },
    Over(Over),
}

/// The person's part in the answers to an AI's suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PersonsAnswer {
    NotAsked,
    /// The AI will ask.
    Due,
    Passed,
    Showed(Card),
}

impl Master {
    /// Deals a game.
    pub fn new(setup: Setup) -> Self {
        let (deal, active) = (Deal::classic(setup.seats, &mut setup.streams.deal()), setup.seats.first);
        let step = if setup.seats.has_person() { Step::Own } else { Step::Before };
        let game = Game::new(setup.seats, active, Asking::Cyclic, usize::MAX);
        let answered = Answered { asked: 0, shower: None };
        let (mail, events, out) = (Mail::default(), Vec::new(), Vec::new());
        Self { setup, deal, mail, game, step, active, answered, events, out }
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

    /// Returns what has happened since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        take(&mut self.events)
    }

    pub fn awaits(&self) -> Awaits {
        match self.step {
            Step::Before | Step::Accused(_) => Awaits::Decision(self.active),
            Step::Asking { rank, .. } => Awaits::Decision(rank),
            Step::Heard(_) => Awaits::Report(self.active),
            Step::Returning => Awaits::Report(self.setup.seats.before(0)),
            Step::Own => Awaits::Turn,
            Step::Showing => Awaits::Card { asker: self.active, choices: self.game.choices(&self.deal) },
            Step::Over(over) => Awaits::Over(over),
        }
    }

    /// Takes a message, and returns those to send.
    pub fn receive(&mut self, from: usize, words: Vec<i32>) -> Result<Vec<Outgoing>, Fault> {
        if !self.setup.seats.contains(from) {
            return Err(Fault::new(from, "is not in the game and sent a message"));
        }
        self.mail.push(from, words)?;
        self.advance()
    }

    /// Takes the person's turn, and returns the messages to send; panics when it is not the person's turn.
    pub fn take_turn(&mut self, action: Action) -> Result<Vec<Outgoing>, Fault> {
        assert!(matches!(self.step, Step::Own), "it is not the person's turn");
        self.act(action);
        match action {
            Action::Suggest(cards) => {
                self.tell_ais(Message::Suggest(cards));
                self.ask(cards, 1);
            }
            Action::Accuse(_) => {
                let is_right = self.game.waiting() == (Waiting::Over { winner: Some(0) });
                if is_right || self.setup.wrong == Wrong::Ends {
                    self.end(is_right.then_some(0));
                } else {
                    // The AIs do not hear the accusation, but must know whose turn comes next.
                    self.tell_ais(Message::Report(Report { asked: 0, shown: None }));
                    self.end_own_turn();
                }
            }
        }
        self.advance()
    }

    /// Shows the card that the person has chosen, and returns the messages to send; panics when it was not asked for.
    pub fn show(&mut self, card: Card) -> Result<Vec<Outgoing>, Fault> {
        assert!(matches!(self.step, Step::Showing), "the person is not asked");
        assert!(self.game.choices(&self.deal).contains(card), "the person cannot show this card");
        self.answer(Some(card));
        self.advance()
    }

    /// Ends the game because the person leaves, and returns the messages to send.
    pub fn leave(&mut self) -> Vec<Outgoing> {
        self.events.push(Event::Leave { seat: 0 });
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
        if self.game.is_out(0) && self.mail.take(self.setup.seats.last(), &Message::Turn)? {
            match self.game.waiting() {
                Waiting::Over { .. } => self.end(None),
                Waiting::Turn { .. } | Waiting::Answer { .. } => self.out.push((1, Message::Turn.encode(0))),
            }
            return Ok(true);
        }
        match self.step {
            Step::Own | Step::Showing | Step::Over(_) => Ok(false),
            Step::Returning => {
                let is_here = self.mail.take(self.setup.seats.last(), &Message::Turn)?;
                if is_here {
                    self.step = Step::Own;
                }
                Ok(is_here)
            }
            Step::Asking { cards, rank } => self.hear_answer(cards, rank),
            Step::Before => self.hear_turn(),
            Step::Heard(person) => self.hear_question_or_report(person),
            Step::Accused(cards) => self.judge(cards),
        }
    }

    /// Plays a turn in the game, and finds how it is answered: from here on, AIs are held to it.
    fn act(&mut self, action: Action) {
        let Self { game, deal, events, .. } = self;
        let mut asked = 0;
        game.act(action, deal, |event| {
            asked += usize::from(matches!(event, Event::Pass { .. }));
            events.push(event);
        });
        self.answered = match game.waiting() {
            Waiting::Answer { seat, .. } => Answered { asked: asked + 1, shower: Some(seat) },
            Waiting::Turn { .. } | Waiting::Over { .. } => Answered { asked, shower: None },
        };
    }

    fn show_card(&mut self, card: Card) {
        self.game.show(card, |event| self.events.push(event));
    }

    fn hear_answer(&mut self, cards: Triple, rank: usize) -> Result<bool, Fault> {
        let Some(words) = self.mail.words(rank) else { return Ok(false) };
        let card = decode_answer(rank, &words, cards)?;
        let is_shower = self.answered.shower == Some(rank);
        match card {
            Some(card) if is_shower && self.game.choices(&self.deal).contains(card) => self.show_card(card),
            None if !is_shower => {}
            Some(_) => return Err(Fault::new(rank, "showed rank 0 a card that it does not hold")),
            None => return Err(Fault::new(rank, "told rank 0 that it cannot refute, but it holds a named card")),
        }
        if rank < self.answered.asked {
            self.ask(cards, rank + 1);
        } else {
            self.tell_answers();
            self.end_own_turn();
        }
        Ok(true)
    }

    fn hear_turn(&mut self) -> Result<bool, Fault> {
        let Some(message) = self.mail.message(self.active)? else { return Ok(false) };
        match message {
            Message::Suggest(cards) => {
                self.act(Action::Suggest(cards));
                let mut asked = self.setup.seats.asked(self.active, Asking::Cyclic).take(self.answered.asked);
                let is_due = asked.any(|rank| rank == 0);
                self.step = Step::Heard(if is_due { PersonsAnswer::Due } else { PersonsAnswer::NotAsked });
            }
            Message::Accuse(cards) => self.step = Step::Accused(cards),
            other => return Err(Fault::new(self.active, format!("sent {other:?} instead of its turn"))),
        }
        Ok(true)
    }

    fn hear_question_or_report(&mut self, person: PersonsAnswer) -> Result<bool, Fault> {
        let (active, answered, is_due) = (self.active, self.answered, person == PersonsAnswer::Due);
        let Some(message) = self.mail.message(active)? else { return Ok(false) };
        match message {
            Message::Ask if is_due => {
                let held = if answered.shower == Some(0) { self.game.choices(&self.deal) } else { CardSet::EMPTY };
                if held.len() > 1 {
                    self.step = Step::Showing;
                } else {
                    self.answer(held.first());
                }
            }
            Message::Report(report) if !is_due => {
                let is_true = report.asked == answered.asked
                    && match (report.shown, answered.shower) {
                        (None, None) => true,
                        (Some((0, card)), Some(0)) => person == PersonsAnswer::Showed(card),
                        (Some((rank, card)), Some(shower)) => {
                            rank == shower && self.game.choices(&self.deal).contains(card)
                        }
                        _ => false,
                    };
                if !is_true {
                    let refutes = |rank| format!("rank {rank} refutes");
                    let truth = answered.shower.map_or("nobody can refute".to_owned(), refutes);
                    return Err(Fault::new(active, format!("reported {report:?} of a suggestion that {truth}")));
                }
                if let Some((1.., card)) = report.shown {
                    self.show_card(card);
                }
                self.tell_answers();
                self.go_on();
            }
            other => return Err(Fault::new(active, format!("sent {other:?} after its suggestion"))),
        }
        Ok(true)
    }

    fn judge(&mut self, cards: Triple) -> Result<bool, Fault> {
        let active = self.active;
        match self.mail.message(active)? {
            None => return Ok(false),
            Some(Message::Judge) => {}
            Some(other) => return Err(Fault::new(active, format!("sent {other:?} after its accusation"))),
        }
        self.act(Action::Accuse(cards));
        let is_right = self.game.waiting() == (Waiting::Over { winner: Some(active) });
        self.out.push((active, vec![if is_right { RIGHT } else { WRONG }]));
        if is_right {
            self.end(Some(active));
        } else {
            self.go_on();
        }
        Ok(true)
    }

    /// Answers an AI in the person's name.
    fn answer(&mut self, card: Option<Card>) {
        if let Some(card) = card {
            self.show_card(card);
        }
        self.out.push((self.active, encode_answer(card)));
        self.step = Step::Heard(card.map_or(PersonsAnswer::Passed, PersonsAnswer::Showed));
    }

    fn ask(&mut self, cards: Triple, rank: usize) {
        self.out.push((rank, Message::Ask.encode(0)));
        self.step = Step::Asking { cards, rank };
    }

    /// Sends the outcome of a suggestion to the AIs that hear answers to others.
    fn tell_answers(&mut self) {
        let words = Message::Answered(self.answered).encode(0);
        let hears = self.setup.ais.iter().zip(1..=self.setup.seats.last());
        let hears = hears.filter(|&(ai_type, rank)| ai_type.hears_answers() && rank != self.active);
        self.out.extend(hears.map(|(_, rank)| (rank, words.clone())));
    }

    fn end_own_turn(&mut self) {
        self.out.push((1, Message::Turn.encode(0)));
        self.go_on();
    }

    fn go_on(&mut self) {
        (self.active, self.step) = match self.game.waiting() {
            Waiting::Turn { seat } if seat > 0 => (seat, Step::Before),
            // Even if nobody may play any more, the turn passes on to the person.
            _ if self.setup.seats.has_person() => (0, Step::Returning),
            _ => return self.end(None),
        };
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
