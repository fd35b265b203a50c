use std::convert::Infallible;
use std::time::Duration;

use amazons_mpi::{World, WorldError};

use crate::classic::message::{
    Answered, Fault, Message, Over, RIGHT, Report, Start, WRONG, decode_answer, decode_hand, encode_answer,
};
use crate::classic::post::{Post, TableError};
use crate::deck::{CardSet, Triple};
use crate::game::{Action, Asking, Event, Game, Player, Seats, Waiting};

type Done = Result<bool, TableError<Infallible>>;

/// An AI on a rank. It follows the game turn by turn, so messages of different ranks may arrive in any order.
struct Seat<'w, W, P> {
    rank: usize,
    post: Post<'w, W>,
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

/// Waits for the start of a game on any rank but 0, and plays with the player that `make` returns, such as
/// [`seat_ai`](super::seat_ai), until it is over. An AI that does not answer within `ai_time` is a fault. Returns how the
/// game ended, unless it goes on without this rank.
pub fn serve<W: World, P: Player>(
    world: &mut W,
    mut make: impl FnMut(usize, &Start, CardSet) -> P,
    ai_time: Duration,
) -> Result<Option<Over>, TableError<Infallible>> {
    let (rank, mut post) = (world.rank(), Post::new(world, ai_time));
    let first = |post: &mut Post<'_, W>| loop {
        match post.words(0) {
            // The person at rank 0 may think for ever.
            None => post.wait(None, ai_time)?,
            Some(words) => return Ok::<_, TableError<Infallible>>(words),
        }
    };
    let start = match Message::decode(0, &first(&mut post)?)? {
        Message::Over(over) => return Ok(Some(over)),
        Message::Start(start) if start.seats.contains(rank) => start,
        Message::Start(_) => return Ok(None),
        other => return Err(Fault::new(0, format!("sent {other:?} before the start")).into()),
    };
    let (seats, hand) = (start.seats, decode_hand(0, &first(&mut post)?)?);
    let mut seat = Seat {
        rank,
        post,
        seats,
        player: make(rank, &start, hand),
        hand,
        hears_answers: start.ai_type.hears_answers(),
        game: Game::new(seats, seats.first, Asking::Cyclic, usize::MAX),
        is_turn_due: rank != seats.first,
        heard: None,
        accused: None,
    };
    loop {
        let Seat { post, game, .. } = &mut seat;
        // Of an AI's accusation, rank 0 may tell earlier than the AI: what led to the end must be heard.
        let over = post.over(|over| match over.winner {
            Some(winner) => winner == 0 || winner == rank || game.is_out(winner),
            None => seats.has_person() || matches!(game.waiting(), Waiting::Over { .. }),
        })?;
        if over.is_some() {
            return Ok(over);
        }
        if !seat.step()? {
            let awaited = seat.asks().map(|(asked, _)| asked);
            seat.post.wait(awaited.filter(|&rank| rank != 0), ai_time)?;
        }
    }
}

impl<W: World, P: Player> Seat<'_, W, P> {
    fn step(&mut self) -> Done {
        if let Some((active, cards)) = self.heard
            && self.post.take(active, &Message::Ask)?
        {
            let held = self.hand & CardSet::of(cards);
            let card = (!held.is_empty()).then(|| self.player.show(held, active));
            if card.is_some() {
                self.player.observe(&Event::Show { seat: self.rank, to: active, card });
            }
            self.post.send(active, &encode_answer(card))?;
            return Ok(true);
        }
        match self.game.waiting() {
            _ if self.accused.is_some() => self.hear_verdict(),
            Waiting::Answer { seat, to, cards } if to == self.rank => self.hear_answer(seat, cards),
            Waiting::Answer { to, .. } => self.hear_answers(to),
            Waiting::Turn { seat } if seat == self.rank => self.begin_turn(),
            Waiting::Turn { seat } => Ok(self.pass_on()? || self.follow(seat)?),
            Waiting::Over { .. } => self.pass_on(),
        }
    }

    /// The rank that this one asks for a card, and the cards.
    fn asks(&self) -> Option<(usize, Triple)> {
        match self.game.waiting() {
            Waiting::Answer { seat, to, cards } if to == self.rank => Some((seat, cards)),
            _ => None,
        }
    }

    /// Takes its turn, once the player before has finished.
    fn begin_turn(&mut self) -> Done {
        if self.is_turn_due {
            let before = self.seats.before(self.rank);
            match self.post.message(before)? {
                None => return Ok(false),
                Some(Message::Turn) => {}
                Some(other) => {
                    return Err(Fault::new(before, format!("sent {other:?} instead of its turn's end")).into());
                }
            }
        }
        self.is_turn_due = true;
        self.heard = None;
        let action = self.player.turn();
        let message = match action {
            Action::Suggest(cards) => Message::Suggest(cards),
            Action::Accuse(cards) => Message::Accuse(cards),
        };
        self.post.tell(0..=self.seats.last(), message)?;
        match action {
            Action::Suggest(cards) => {
                self.happen(&Event::Suggest { seat: self.rank, cards })?;
                self.ask()?;
            }
            Action::Accuse(cards) => {
                self.post.tell([0], Message::Judge)?;
                self.accused = Some(cards);
            }
        }
        Ok(true)
    }

    /// Hears what another player does in its turn.
    fn follow(&mut self, active: usize) -> Done {
        let event = match self.post.message(active)? {
            None => return Ok(false),
            Some(Message::Suggest(cards)) => Event::Suggest { seat: active, cards },
            // If it is right, the end of the game comes next.
            Some(Message::Accuse(cards)) => Event::Accuse { seat: active, cards: Some(cards), is_right: false },
            Some(Message::Report(Report { asked: 0, shown: None })) if active == 0 => {
                Event::Accuse { seat: 0, cards: None, is_right: false }
            }
            Some(other) => return Err(Fault::new(active, format!("sent {other:?} instead of its turn")).into()),
        };
        self.heard = if let Event::Suggest { seat, cards } = event { Some((seat, cards)) } else { None };
        self.happen(&event)?;
        if !self.hears_answers {
            self.game.skip_answers();
        }
        Ok(true)
    }

    /// Hears from rank 0 how another player's suggestion went: its turn is over.
    fn hear_answers(&mut self, active: usize) -> Done {
        let Answered { asked, shower } = match self.post.message(0)? {
            None => return Ok(false),
            Some(Message::Answered(answered)) => answered,
            Some(other) => {
                return Err(Fault::new(0, format!("sent {other:?} instead of the answers to rank {active}")).into());
            }
        };
        let told = format!("told that {asked} players answered rank {active}, the last {shower:?}");
        for place in 1..=asked {
            let Waiting::Answer { seat, to, .. } = self.game.waiting() else { return Err(Fault::new(0, told).into()) };
            let shows = place == asked && shower == Some(seat);
            self.happen(&if shows { Event::Show { seat, to, card: None } } else { Event::Pass { seat } })?;
            if place == asked && shower.is_some() != shows {
                return Err(Fault::new(0, told).into());
            }
        }
        match self.game.waiting() {
            Waiting::Answer { .. } => Err(Fault::new(0, told).into()),
            Waiting::Turn { .. } | Waiting::Over { .. } => Ok(true),
        }
    }

    /// Hears the answer of the rank that it has asked, and asks the next one or ends its turn.
    fn hear_answer(&mut self, asked: usize, cards: Triple) -> Done {
        let Some(words) = self.post.words(asked) else { return Ok(false) };
        let card = decode_answer(asked, &words, cards)?;
        let to = self.rank;
        self.happen(&match card {
            Some(_) => Event::Show { seat: asked, to, card },
            None => Event::Pass { seat: asked },
        })?;
        if self.asks().is_some() {
            self.ask()?;
        } else {
            let count = self.seats.asked(to, Asking::Cyclic).take_while(|&seat| seat != asked).count() + 1;
            let report = Report { asked: count, shown: card.map(|card| (asked, card)) };
            self.post.tell([0], Message::Report(report))?;
            self.end_turn()?;
        }
        Ok(true)
    }

    fn hear_verdict(&mut self) -> Done {
        let is_right = match self.post.words(0).as_deref() {
            None => return Ok(false),
            Some([RIGHT]) => true,
            Some([WRONG]) => false,
            Some(words) => return Err(Fault::new(0, format!("judged with {words:?}")).into()),
        };
        let cards = self.accused.take();
        self.happen(&Event::Accuse { seat: self.rank, cards, is_right })?;
        let is_over = matches!(self.game.waiting(), Waiting::Over { .. });
        if !is_right && (!is_over || self.seats.has_person()) {
            self.end_turn()?;
        }
        Ok(true)
    }

    /// Takes an event in, and what follows from it.
    fn happen(&mut self, event: &Event) -> Result<(), Fault> {
        let follows = self.game.apply(event).map_err(|error| Fault::new(self.rank, error.to_string()))?;
        self.player.observe(event);
        if let Some(event) = follows {
            self.player.observe(&event);
        }
        Ok(())
    }

    /// Passes its turn at once if it plays no more.
    fn pass_on(&mut self) -> Done {
        let passes = self.game.is_out(self.rank) && self.post.take(self.seats.before(self.rank), &Message::Turn)?;
        if passes {
            self.end_turn()?;
        }
        Ok(passes)
    }

    fn ask(&mut self) -> Result<(), WorldError> {
        let asked = self.asks().map(|(asked, _)| asked);
        self.post.tell(asked, Message::Ask)
    }

    fn end_turn(&mut self) -> Result<(), WorldError> {
        self.post.tell([self.seats.after(self.rank)], Message::Turn)
    }
}
