use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use amazons_mpi::{Deadline, Filter, Tag, ThreadWorld, World, WorldError, abort_on_panic};
use thiserror::Error;

use crate::classic::mail::Outgoing;
use crate::classic::master::{Awaits, Master};
use crate::classic::message::{Fault, Message, Over, Start};
use crate::classic::player::RankPlayer;
use crate::deck::{Card, CardSet};
use crate::game::{Action, Event, Player};

pub const GAME_TAG: Tag = 1;

/// The exit status of a job that failed.
const FAILED: u8 = 70;

/// The person at rank 0: a [`Player`] that may leave, and that cannot always be reached.
pub trait Person {
    type Error;

    /// Takes in an event, with the cards that the person may see.
    fn observe(&mut self, event: &Event) -> Result<(), Self::Error>;

    /// Decides in its turn; nothing to leave the game.
    fn turn(&mut self) -> Result<Option<Action>, Self::Error>;

    /// Chooses one of several cards to show; nothing to leave the game.
    fn show(&mut self, of: CardSet, to: usize) -> Result<Option<Card>, Self::Error>;
}

/// Why a rank cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError<E> {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    World(#[from] WorldError),
    /// The person cannot be asked or told.
    #[error("{0}")]
    Person(E),
}

/// Plays an AI on any rank but 0 until the game is over. An AI that does not answer within `ai_time` is a fault.
pub fn serve<W: World, P: Player>(
    world: &mut W,
    make: impl FnMut(usize, &Start, CardSet) -> P,
    ai_time: Duration,
) -> Result<Option<Over>, TableError<std::convert::Infallible>> {
    let mut player = RankPlayer::new(world.rank(), make);
    while !player.is_done() {
        // The person at rank 0 may think for ever.
        let awaited = player.awaits_answer().filter(|&rank| rank != 0);
        let (from, words) = receive(world, awaited, ai_time)?;
        send(world, player.receive(from, words)?)?;
    }
    Ok(player.over())
}

/// Runs a game on rank 0 until it is over; `watch` gets every event, with all cards.
pub fn host<W: World, P: Person>(
    world: &mut W,
    master: &mut Master,
    person: &mut P,
    mut watch: impl FnMut(&Event) -> Result<(), P::Error>,
    ai_time: Duration,
) -> Result<Over, TableError<P::Error>> {
    send(world, master.begin(world.size()))?;
    loop {
        for event in master.events() {
            watch(&event).map_err(TableError::Person)?;
            person.observe(&event.seen_by(0)).map_err(TableError::Person)?;
        }
        let out = match master.awaits() {
            Awaits::Over(over) => return Ok(over),
            Awaits::Turn => match person.turn().map_err(TableError::Person)? {
                Some(turn) => master.take_turn(turn)?,
                None => master.leave(),
            },
            Awaits::Card { asker, choices } => match person.show(choices, asker).map_err(TableError::Person)? {
                Some(card) => master.show(card)?,
                None => master.leave(),
            },
            Awaits::Decision(rank) => {
                let (from, words) = receive(world, Some(rank), ai_time)?;
                master.receive(from, words)?
            }
            Awaits::Report(rank) => {
                // It may first wait for every other AI, which takes longer than one.
                let (from, words) = receive(world, Some(rank), ai_time.saturating_mul(8))?;
                master.receive(from, words)?
            }
        };
        send(world, out)?;
    }
}

/// Runs a game on a world of threads, with rank 0 on this one. The panic of an AI ends it for all.
pub fn host_threads<H: Person, P: Player>(
    master: &mut Master,
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
    for rank in 1..world.size() {
        send(world, vec![(rank, Message::Over(over).encode(0))])?;
    }
    Ok(())
}

fn send(world: &mut impl World, out: Vec<Outgoing>) -> Result<(), WorldError> {
    for (to, words) in out {
        world.send(to, GAME_TAG, words.iter().flat_map(|word| word.to_le_bytes()).collect())?;
    }
    Ok(())
}

/// How often a rank that waits looks whether others have ended: a launcher may let the rest live.
const CHECK_EVERY: Duration = Duration::from_millis(100);

/// Waits for any message; `awaited` is the rank to blame if none comes in time.
fn receive<E>(
    world: &mut impl World,
    awaited: Option<usize>,
    ai_time: Duration,
) -> Result<(usize, Vec<i32>), TableError<E>> {
    let end = awaited.map_or(Deadline::NEVER, |_| Deadline::after(ai_time));
    // AIs may have been told of the end before this one; rank 0 is the last to leave.
    let others = if world.rank() == 0 { 1..world.size() } else { 0..1 };
    let message = loop {
        match (world.receive(Filter::ANY, end.min(Deadline::after(CHECK_EVERY))), awaited) {
            (Ok(message), _) => break message,
            (Err(WorldError::TimedOut), awaited) => {
                if let Some(gone) = others.clone().find(|&rank| world.is_gone(rank)) {
                    return Err(WorldError::Gone(gone).into());
                }
                if let Some(rank) = awaited.filter(|_| end.is_over()) {
                    return Err(
                        Fault::new(rank, format!("has not answered within {:.1} s", ai_time.as_secs_f64())).into()
                    );
                }
            }
            (Err(error), _) => return Err(error.into()),
        }
    };
    let (words, rest) = message.bytes.as_chunks::<4>();
    if message.tag != GAME_TAG || !rest.is_empty() {
        let what = format!("sent {} bytes with tag {}, which is no message", message.bytes.len(), message.tag);
        return Err(Fault::new(message.from, what).into());
    }
    Ok((message.from, words.iter().map(|word| i32::from_le_bytes(*word)).collect()))
}
