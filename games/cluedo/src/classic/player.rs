use crate::classic::mail::{Mail, Outgoing};
use crate::classic::message::{
    Answered, Fault, Message, Over, RIGHT, Report, Start, WRONG, decode_answer, decode_hand, encode_answer,
};
use crate::deck::{CardSet, Triple};
use crate::game::{Action, Asking, Event, Game, Player, Seats, Waiting};

/// A rank of an AI as a state machine: messages in, messages out.
///
/// It follows the game turn by turn, so messages of different ranks may arrive in any order.
#[derive(Debug)]
pub struct RankPlayer<P, F> {
    rank: usize,
    make: F,
    mail: Mail,
    state: State<P>,
}

#[derive(Debug)]
enum State<P> {
    Waiting,
    Starting(Start),
    Playing(Seat<P>),
    /// The game is over, or it goes on without this rank.
    Done(Option<Over>),
}

#[derive(Debug)]
struct Seat<P> {
    rank: usize,
    seats: Seats,
    player: P,
    hand: CardSet,
    /// Whether rank 0 tells it how the suggestions of others went.
    hears_answers: bool,
    /// The game as far as this rank follows it: an accusation counts as wrong until the end of the game comes.
    game: Game,
    /// Whether its next turn begins with a message; only the first turn of the game does not.
    is_turn_due: bool,
    /// The last suggestion of another player, who may ask for a card.
    heard: Option<(usize, Triple)>,
    /// Its accusation, which rank 0 judges.
    accused: Option<Triple>,
}

impl<P: Player, F: FnMut(usize, &Start, CardSet) -> P> RankPlayer<P, F> {
    /// Waits for the start of a game, and then plays with the player that `make` returns, such as
    /// [`seat_ai`](super::seat_ai).
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

    pub fn awaits_answer(&self) -> Option<usize> {
        match &self.state {
            State::Playing(seat) => seat.asks().map(|(asked, _)| asked),
            _ => None,
        }
    }

    /// Takes a message, and returns those to send.
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
            State::Waiting => match self.mail.message(0)? {
                None => return Ok(false),
                Some(Message::Over(over)) => self.state = State::Done(Some(over)),
                Some(Message::Start(start)) if start.seats.contains(self.rank) => self.state = State::Starting(start),
                Some(Message::Start(_)) => self.state = State::Done(None),
                Some(other) => return Err(Fault::new(0, format!("sent {other:?} before the start"))),
            },
            State::Starting(start) => {
                let Some(words) = self.mail.words(0) else { return Ok(false) };
                let hand = decode_hand(0, &words)?;
                let (rank, seats) = (self.rank, start.seats);
                self.state = State::Playing(Seat {
                    rank,
                    seats,
                    player: (self.make)(rank, start, hand),
                    hand,
                    hears_answers: start.ai_type.hears_answers(),
                    game: Game::new(seats, seats.first, Asking::Cyclic, usize::MAX),
                    is_turn_due: rank != seats.first,
                    heard: None,
                    accused: None,
                });
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

impl<P: Player> Seat<P> {
    fn step(&mut self, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        if let Some((active, cards)) = self.heard
            && mail.take(active, &Message::Ask)?
        {
            let held = self.hand & CardSet::of(cards);
            let card = (!held.is_empty()).then(|| self.player.show(held, active));
            if card.is_some() {
                self.player.observe(&Event::Show { seat: self.rank, to: active, card });
            }
            out.push((active, encode_answer(card)));
            return Ok(true);
        }
        match self.game.waiting() {
            _ if self.accused.is_some() => self.hear_verdict(mail, out),
            Waiting::Answer { seat, to, cards } if to == self.rank => self.hear_answer(seat, cards, mail, out),
            Waiting::Answer { to, .. } => self.hear_answers(to, mail),
            Waiting::Turn { seat } if seat == self.rank => self.begin_turn(mail, out),
            Waiting::Turn { seat } => Ok(self.pass_on(mail, out)? || self.follow(seat, mail)?),
            Waiting::Over { .. } => self.pass_on(mail, out),
        }
    }

    /// The rank that this one asks for a card, and the cards.
    fn asks(&self) -> Option<(usize, Triple)> {
        match self.game.waiting() {
            Waiting::Answer { seat, to, cards } if to == self.rank => Some((seat, cards)),
            _ => None,
        }
    }

    /// Returns whether it has heard what led to the end: of an AI's accusation, rank 0 may tell earlier than the AI.
    fn may_end(&self, over: &Over) -> bool {
        match over.winner {
            Some(winner) => winner == 0 || winner == self.rank || self.game.is_out(winner),
            None => self.seats.has_person() || matches!(self.game.waiting(), Waiting::Over { .. }),
        }
    }

    /// Takes its turn, once the player before has finished.
    fn begin_turn(&mut self, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        if self.is_turn_due {
            let before = self.seats.before(self.rank);
            match mail.message(before)? {
                None => return Ok(false),
                Some(Message::Turn) => {}
                Some(other) => return Err(Fault::new(before, format!("sent {other:?} instead of its turn's end"))),
            }
        }
        self.is_turn_due = true;
        self.heard = None;
        let action = self.player.turn();
        let message = match action {
            Action::Suggest(cards) => Message::Suggest(cards),
            Action::Accuse(cards) => Message::Accuse(cards),
        };
        let words = message.encode(self.rank);
        out.extend((0..=self.seats.last()).filter(|&to| to != self.rank).map(|to| (to, words.clone())));
        match action {
            Action::Suggest(cards) => {
                self.happen(&Event::Suggest { seat: self.rank, cards })?;
                self.ask(out);
            }
            Action::Accuse(cards) => {
                out.push((0, Message::Judge.encode(self.rank)));
                self.accused = Some(cards);
            }
        }
        Ok(true)
    }

    /// Hears what another player does in its turn.
    fn follow(&mut self, active: usize, mail: &mut Mail) -> Result<bool, Fault> {
        let event = match mail.message(active)? {
            None => return Ok(false),
            Some(Message::Suggest(cards)) => Event::Suggest { seat: active, cards },
            // If it is right, the end of the game comes next.
            Some(Message::Accuse(cards)) => Event::Accuse { seat: active, cards: Some(cards), is_right: false },
            Some(Message::Report(Report { asked: 0, shown: None })) if active == 0 => {
                Event::Accuse { seat: 0, cards: None, is_right: false }
            }
            Some(other) => return Err(Fault::new(active, format!("sent {other:?} instead of its turn"))),
        };
        self.heard = if let Event::Suggest { seat, cards } = event { Some((seat, cards)) } else { None };
        self.happen(&event)?;
        if !self.hears_answers {
            self.game.skip_answers();
        }
        Ok(true)
    }

    /// Hears from rank 0 how another player's suggestion went: its turn is over.
    fn hear_answers(&mut self, active: usize, mail: &mut Mail) -> Result<bool, Fault> {
        let Answered { asked, shower } = match mail.message(0)? {
            None => return Ok(false),
            Some(Message::Answered(answered)) => answered,
            Some(other) => {
                return Err(Fault::new(0, format!("sent {other:?} instead of the answers to rank {active}")));
            }
        };
        let told = format!("told that {asked} players answered rank {active}, the last {shower:?}");
        for place in 1..=asked {
            let Waiting::Answer { seat, to, .. } = self.game.waiting() else { return Err(Fault::new(0, told)) };
            let shows = place == asked && shower == Some(seat);
            self.happen(&if shows { Event::Show { seat, to, card: None } } else { Event::Pass { seat } })?;
            if place == asked && shower.is_some() != shows {
                return Err(Fault::new(0, told));
            }
        }
        match self.game.waiting() {
            Waiting::Answer { .. } => Err(Fault::new(0, told)),
            Waiting::Turn { .. } | Waiting::Over { .. } => Ok(true),
        }
    }

    /// Hears the answer of the rank that it has asked, and asks the next one or ends its turn.
    fn hear_answer(
        &mut self,
        asked: usize,
        cards: Triple,
        mail: &mut Mail,
        out: &mut Vec<Outgoing>,
    ) -> Result<bool, Fault> {
        let Some(words) = mail.words(asked) else { return Ok(false) };
        let card = decode_answer(asked, &words, cards)?;
        let to = self.rank;
        self.happen(&match card {
            Some(_) => Event::Show { seat: asked, to, card },
            None => Event::Pass { seat: asked },
        })?;
        if self.asks().is_some() {
            self.ask(out);
        } else {
            let count = self.seats.asked(to, Asking::Cyclic).take_while(|&seat| seat != asked).count() + 1;
            let report = Report { asked: count, shown: card.map(|card| (asked, card)) };
            out.push((0, Message::Report(report).encode(to)));
            self.end_turn(out);
        }
        Ok(true)
    }

    fn hear_verdict(&mut self, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        let is_right = match mail.words(0).as_deref() {
            None => return Ok(false),
            Some([RIGHT]) => true,
            Some([WRONG]) => false,
            Some(words) => return Err(Fault::new(0, format!("judged with {words:?}"))),
        };
        let cards = self.accused.take();
        self.happen(&Event::Accuse { seat: self.rank, cards, is_right })?;
        let is_over = matches!(self.game.waiting(), Waiting::Over { .. });
        if !is_right && (!is_over || self.seats.has_person()) {
            self.end_turn(out);
        }
        Ok(true)
    }

    /// Takes an event in, and what follows from it.
    fn happen(&mut self, event: &Event) -> Result<(), Fault> {
        let follows = self.game.apply(event).map_err(|error| Fault::new(self.rank, error))?;
        self.player.observe(event);
        if let Some(event) = follows {
            self.player.observe(&event);
        }
        Ok(())
    }

    /// Passes its turn at once if it plays no more.
    fn pass_on(&self, mail: &mut Mail, out: &mut Vec<Outgoing>) -> Result<bool, Fault> {
        let passes = self.game.is_out(self.rank) && mail.take(self.seats.before(self.rank), &Message::Turn)?;
        if passes {
            self.end_turn(out);
        }
        Ok(passes)
    }

    fn ask(&self, out: &mut Vec<Outgoing>) {
        out.extend(self.asks().map(|(asked, _)| (asked, Message::Ask.encode(self.rank))));
    }

    fn end_turn(&self, out: &mut Vec<Outgoing>) {
        out.push((self.seats.after(self.rank), Message::Turn.encode(self.rank)));
    }
}
