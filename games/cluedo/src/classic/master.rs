use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use amazons_mpi::{ThreadWorld, World, WorldError, abort_on_panic};

use crate::classic::message::{
    Answered, Fault, Message, Over, RIGHT, Report, Start, WRONG, decode_answer, encode_answer, encode_hand,
};
use crate::classic::player::serve;
use crate::classic::post::{Post, TableError};
use crate::classic::random::Streams;
use crate::classic::seats::AiType;
use crate::deal::Deal;
use crate::deck::{Card, CardSet, Triple};
use crate::game::{Action, Asking, Event, Game, Player, Seats, Waiting};

/// The exit status of a job that failed.
const FAILED: u8 = 70;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub seats: Seats,
    /// The type of each AI, from rank 1 on.
    pub ais: Vec<AiType>,
    pub streams: Streams,
    /// After a wrong accusation, the person goes on refuting, and the AIs play on; else the game is over.
    pub stays: bool,
}

/// The person at rank 0: a [`Player`] that may leave, and that cannot always be reached. The default methods suit games
/// of AIs alone.
pub trait Person {
    type Error;

    /// Takes in an event, with the cards that the person may see.
    fn observe(&mut self, _event: &Event) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Decides in its turn; nothing to leave the game.
    fn turn(&mut self) -> Result<Option<Action>, Self::Error> {
        Ok(None)
    }

    /// Chooses one of several cards to show; nothing to leave the game.
    fn show(&mut self, _of: CardSet, _to: usize) -> Result<Option<Card>, Self::Error> {
        Ok(None)
    }
}

/// A game that rank 0 deals.
#[derive(Debug)]
pub struct Master {
    pub setup: Setup,
    pub deal: Deal,
}

impl Master {
    pub fn new(setup: Setup) -> Self {
        let deal = Deal::classic(setup.seats, &mut setup.streams.deal());
        Self { setup, deal }
    }

    /// Returns the messages that begin the game for a rank.
    pub fn begin(&self, rank: usize) -> Vec<Vec<i32>> {
        let Setup { seats, ais, streams, .. } = &self.setup;
        let plays = seats.contains(rank);
        let ai_type = ais.get(rank - 1).copied().unwrap_or(AiType::Default);
        let stream = if plays { streams.player_bytes(rank) } else { [0; 32] };
        let start = Message::Start(Start { seats: *seats, ai_type, stream }).encode(0);
        [start].into_iter().chain(plays.then(|| encode_hand(self.deal.hand(rank)))).collect()
    }
}

/// Runs a game on rank 0 until it is over: deals, judges, checks every answer, and seats the person. `watch` gets every
/// event, with all cards; an AI that does not answer within `ai_time` is a fault.
pub fn host<W: World, P: Person>(
    world: &mut W,
    master: &Master,
    person: &mut P,
    watch: impl FnMut(&Event) -> Result<(), P::Error>,
    ai_time: Duration,
) -> Result<Over, TableError<P::Error>> {
    let Setup { seats, .. } = master.setup;
    let game = Game::new(seats, seats.first, Asking::Cyclic, usize::MAX);
    let (ranks, answered) = (1..world.size(), Answered { asked: 0, shower: None });
    let mut host = Host { master, seats, post: Post::new(world, ai_time), person, watch, game, answered };
    for rank in ranks {
        master.begin(rank).iter().try_for_each(|words| host.post.send(rank, words))?;
    }
    let over = Over { winner: host.play()?, solution: master.deal.solution };
    host.tell_ais(Message::Over(over))?;
    Ok(over)
}

/// Runs a game on a world of threads, with rank 0 on this one. The panic of an AI ends it for all.
pub fn host_threads<H: Person, P: Player>(
    master: &Master,
    person: &mut H,
    watch: impl FnMut(&Event) -> Result<(), H::Error>,
    make: impl Fn(usize, &Start, CardSet) -> P + Sync,
    ai_time: Duration,
) -> Result<Over, TableError<H::Error>> {
    let mut worlds = ThreadWorld::connect(master.setup.seats.last() + 1);
    let mut own = worlds.remove(0);
    let (make, found) = (&make, &OnceLock::new());
    let over = thread::scope(|scope| {
        for mut world in worlds {
            scope.spawn(move || {
                // A panic that is caught here is an abort for all others, and has said on standard error what it was.
                let _ = catch_unwind(AssertUnwindSafe(|| {
                    abort_on_panic(&mut world, FAILED, |world| {
                        if let Err(error) = serve(world, make, ai_time) {
                            if let TableError::Fault(fault) = error {
                                let _ = found.set(fault);
                            }
                            let _ = world.abort(FAILED);
                        }
                    });
                }));
            });
        }
        let over = host(&mut own, master, person, watch, ai_time);
        if over.is_err() {
            let _ = own.abort(FAILED);
        }
        over
    });
    match (over, found.get()) {
        // Rank 0 sees only that another rank gave up.
        (Err(TableError::World(_)), Some(fault)) => Err(fault.clone().into()),
        (over, _) => over,
    }
}

/// Ends the wait of ranks for a game that does not begin.
pub fn dismiss(world: &mut impl World, over: Over) -> Result<(), WorldError> {
    let ranks = 1..world.size();
    Post::new(world, Duration::ZERO).tell(ranks, Message::Over(over))
}

struct Host<'g, W, P, F> {
    master: &'g Master,
    seats: Seats,
    post: Post<'g, W>,
    person: &'g mut P,
    watch: F,
    game: Game,
    /// The true answers to the last suggestion.
    answered: Answered,
}

impl<W: World, P: Person, F: FnMut(&Event) -> Result<(), P::Error>> Host<'_, W, P, F> {
    /// Plays until somebody wins, the person leaves, or nobody may play any more; returns the winner.
    fn play(&mut self) -> Result<Option<usize>, TableError<P::Error>> {
        loop {
            match self.game.waiting() {
                Waiting::Over { winner: Some(winner) } => return Ok(Some(winner)),
                Waiting::Turn { seat: seat @ 1.. } => match self.hear(seat, self.post.ai_time)? {
                    Message::Suggest(cards) => {
                        self.act(Action::Suggest(cards))?;
                        if self.follow(seat)?.is_none() {
                            return Ok(None);
                        }
                    }
                    Message::Accuse(cards) => self.judge(seat, cards)?,
                    other => return Err(Fault::new(seat, format!("sent {other:?} instead of its turn")).into()),
                },
                waiting => {
                    // Even if nobody may play any more, the turn passes on to the person.
                    let last = self.seats.last();
                    let is_due = self.seats.has_person() && self.game.turn() > 0;
                    while is_due && !self.post.take(last, &Message::Turn)? {
                        self.post.wait(Some(last), self.long())?;
                    }
                    if matches!(waiting, Waiting::Over { .. }) || self.own_turn()?.is_none() {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// How long an AI may take that first waits for every other one.
    const fn long(&self) -> Duration {
        self.post.ai_time.saturating_mul(8)
    }

    /// Passes an event on to the watcher and the person.
    fn tell(&mut self, event: &Event) -> Result<(), TableError<P::Error>> {
        (self.watch)(event).map_err(TableError::Person)?;
        self.person.observe(&event.seen_by(0)).map_err(TableError::Person)
    }

    /// Waits for the next words of an AI; meanwhile, the turns of a person that is out pass on.
    fn words(&mut self, from: usize, time: Duration) -> Result<Vec<i32>, TableError<P::Error>> {
        loop {
            if self.game.is_out(0) && self.post.take(self.seats.last(), &Message::Turn)? {
                self.post.tell([1], Message::Turn)?;
            } else if let Some(words) = self.post.words(from) {
                return Ok(words);
            } else {
                self.post.wait(Some(from), time)?;
            }
        }
    }

    fn hear(&mut self, from: usize, time: Duration) -> Result<Message, TableError<P::Error>> {
        Ok(Message::decode(from, &self.words(from, time)?)?)
    }

    /// Plays a turn in the game, and finds how it is answered: from here on, AIs are held to it.
    fn act(&mut self, action: Action) -> Result<(), TableError<P::Error>> {
        let mut events = Vec::new();
        self.game.act(action, &self.master.deal, |event| events.push(event));
        let asked = events.iter().filter(|event| matches!(event, Event::Pass { .. })).count();
        self.answered = match self.game.waiting() {
            Waiting::Answer { seat, .. } => Answered { asked: asked + 1, shower: Some(seat) },
            Waiting::Turn { .. } | Waiting::Over { .. } => Answered { asked, shower: None },
        };
        events.iter().try_for_each(|event| self.tell(event))
    }

    /// The cards that the rank that is asked may show.
    fn choices(&self) -> CardSet {
        self.game.choices(&self.master.deal)
    }

    fn show(&mut self, card: Card) -> Result<(), TableError<P::Error>> {
        let mut shown = None;
        self.game.show(card, |event| shown = Some(event));
        shown.map_or(Ok(()), |event| self.tell(&event))
    }

    /// Ends the game because the person leaves.
    fn leave(&mut self) -> Result<Option<()>, TableError<P::Error>> {
        self.tell(&Event::Leave { seat: 0 })?;
        Ok(None)
    }

    /// Takes the person's turn; nothing if the game ends with it.
    fn own_turn(&mut self) -> Result<Option<()>, TableError<P::Error>> {
        let Some(action) = self.person.turn().map_err(TableError::Person)? else { return self.leave() };
        self.act(action)?;
        match action {
            Action::Suggest(cards) => {
                self.tell_ais(Message::Suggest(cards))?;
                for rank in 1..=self.answered.asked {
                    self.ask(cards, rank)?;
                }
                self.tell_answers(0)?;
            }
            Action::Accuse(_) if self.game.waiting() == (Waiting::Over { winner: Some(0) }) => return Ok(Some(())),
            Action::Accuse(_) if !self.master.setup.stays => return Ok(None),
            // The AIs do not hear the accusation, but must know whose turn comes next.
            Action::Accuse(_) => self.tell_ais(Message::Report(Report { asked: 0, shown: None }))?,
        }
        self.post.tell([1], Message::Turn)?;
        Ok(Some(()))
    }

    /// Asks an AI for a card in the person's name.
    fn ask(&mut self, cards: Triple, rank: usize) -> Result<(), TableError<P::Error>> {
        self.post.tell([rank], Message::Ask)?;
        let words = self.words(rank, self.post.ai_time)?;
        let is_shower = self.answered.shower == Some(rank);
        match decode_answer(rank, &words, cards)? {
            Some(card) if is_shower && self.choices().contains(card) => self.show(card),
            None if !is_shower => Ok(()),
            Some(_) => Err(Fault::new(rank, "showed rank 0 a card that it does not hold").into()),
            None => Err(Fault::new(rank, "told rank 0 that it cannot refute, but it holds a named card").into()),
        }
    }

    /// Hears how an AI's suggestion goes on, and answers it for the person; nothing if the person leaves.
    fn follow(&mut self, active: usize) -> Result<Option<()>, TableError<P::Error>> {
        let Answered { asked, shower } = self.answered;
        let mut message = self.hear(active, self.long())?;
        let mut own = None;
        let is_asked = self.seats.asked(active, Asking::Cyclic).take(asked).any(|rank| rank == 0);
        let has_asked = is_asked && message == Message::Ask;
        if has_asked {
            let held = if shower == Some(0) { self.choices() } else { CardSet::EMPTY };
            own = held.first();
            if held.len() > 1 {
                own = self.person.show(held, active).map_err(TableError::Person)?;
                let Some(card) = own else { return self.leave() };
                assert!(held.contains(card), "the person cannot show this card");
            }
            own.map_or(Ok(()), |card| self.show(card))?;
            self.post.send(active, &encode_answer(own))?;
            message = self.hear(active, self.long())?;
        }
        let report = match message {
            Message::Report(report) if is_asked == has_asked => report,
            other => return Err(Fault::new(active, format!("sent {other:?} after its suggestion")).into()),
        };
        let is_true = report.asked == asked
            && match (report.shown, shower) {
                (None, None) => true,
                (Some((0, card)), Some(0)) => own == Some(card),
                (Some((rank, card)), Some(shower)) => rank == shower && self.choices().contains(card),
                _ => false,
            };
        if !is_true {
            let refutes = |rank| format!("rank {rank} refutes");
            let truth = shower.map_or("nobody can refute".to_owned(), refutes);
            return Err(Fault::new(active, format!("reported {report:?} of a suggestion that {truth}")).into());
        }
        if let Some((1.., card)) = report.shown {
            self.show(card)?;
        }
        self.tell_answers(active)?;
        Ok(Some(()))
    }

    /// Judges an AI's accusation.
    fn judge(&mut self, active: usize, cards: Triple) -> Result<(), TableError<P::Error>> {
        match self.hear(active, self.post.ai_time)? {
            Message::Judge => self.act(Action::Accuse(cards))?,
            other => return Err(Fault::new(active, format!("sent {other:?} after its accusation")).into()),
        }
        let is_right = self.game.waiting() == (Waiting::Over { winner: Some(active) });
        Ok(self.post.send(active, &[if is_right { RIGHT } else { WRONG }])?)
    }

    /// Sends the outcome of a suggestion to the AIs that hear answers to others.
    fn tell_answers(&mut self, active: usize) -> Result<(), WorldError> {
        let hears = self.master.setup.ais.iter().zip(1..=self.seats.last());
        let hears = hears.filter(|&(ai_type, rank)| ai_type.hears_answers() && rank != active);
        self.post.tell(hears.map(|(_, rank)| rank), Message::Answered(self.answered))
    }

    fn tell_ais(&mut self, message: Message) -> Result<(), WorldError> {
        self.post.tell(1..=self.seats.last(), message)
    }
}
