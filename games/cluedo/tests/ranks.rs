//! Games over ranks: records equal to those of direct calls, traffic, secrets, and faults.

use std::convert::Infallible;
use std::time::Duration;

use amazons_mpi::{Entry, Keep, ThreadWorld, Trace, TracedWorld, World, abort_on_panic};
use amazons_testing::{Faults, FaultyWorld};
use cluedo::classic::{
    AiType, Deal, Master, Over, Person, SeatedAi, Setup, Start, Streams, host, play, seat_ai, serve,
};
use cluedo::deck::{Card, CardSet};
use cluedo::game::{Action, Asking, Event, Player, Seats};

/// Long enough for any machine.
const AI_TIME: Duration = Duration::from_secs(60);

/// Rank 0 of a game of AIs alone.
pub(crate) struct Nobody;

impl Person for Nobody {
    type Error = Infallible;

    fn observe(&mut self, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }

    fn turn(&mut self) -> Result<Option<Action>, Infallible> {
        panic!("nobody plays at rank 0")
    }

    fn show(&mut self, _: CardSet, _: usize) -> Result<Option<Card>, Infallible> {
        panic!("nobody plays at rank 0")
    }
}

/// A person who plays like an AI, and knows only what is told.
struct Scripted<S>(S);

impl<S: Player> Person for Scripted<S> {
    type Error = Infallible;

    fn observe(&mut self, event: &Event) -> Result<(), Infallible> {
        if let Event::Show { seat, to, card } = *event {
            let is_concerned = seat == 0 || to == 0;
            assert_eq!(card.is_some(), is_concerned, "the person sees its own cards and those shown to it: {event:?}");
        }
        self.0.observe(event);
        Ok(())
    }

    fn turn(&mut self) -> Result<Option<Action>, Infallible> {
        Ok(Some(self.0.turn()))
    }

    fn show(&mut self, of: CardSet, to: usize) -> Result<Option<Card>, Infallible> {
        Ok(Some(self.0.show(of, to)))
    }
}

fn setup(ai_type: AiType, seats: Seats, game: u64) -> Setup {
    let ais = vec![ai_type; seats.last()];
    Setup { seats, ais, streams: Streams { seed: 21, game }, stays: false }
}

/// What a game came to on its ranks.
pub(crate) struct Played {
    pub(crate) over: Over,
    pub(crate) events: Vec<Event>,
    traces: Vec<Trace>,
    pub(crate) deal: Deal,
}

/// Plays a game of AIs, with one for a person, on a world of threads, which `wrap` may make worse.
fn over_threads<W: World>(setup: &Setup, ranks: usize, wrap: impl Fn(ThreadWorld) -> W + Sync) -> Played {
    let person = |deal: &Deal| SeatedAi::new(setup.seats, 0, AiType::Default, deal.hand(0), setup.streams.player(0));
    play_over(setup, ranks, wrap, seat_ai, person)
}

/// Plays a game of any strategies on a world of threads.
pub(crate) fn play_over<W: World, S: Player>(
    setup: &Setup,
    ranks: usize,
    wrap: impl Fn(ThreadWorld) -> W + Sync,
    make: impl Fn(usize, &Start, CardSet) -> S + Sync,
    person: impl Fn(&Deal) -> S + Sync,
) -> Played {
    let play = |world: &mut TracedWorld<W>| {
        if world.rank() > 0 {
            return (serve(world, &make, AI_TIME).expect("it is played"), Vec::new(), None);
        }
        let mut events = Vec::new();
        let watch = |event: &Event| {
            events.push(*event);
            Ok(())
        };
        let master = Master::new(setup.clone());
        let over = if setup.seats.has_person() {
            let ai = person(&master.deal);
            let mut person = Scripted(ai);
            host(world, &master, &mut person, watch, AI_TIME)
        } else {
            host(world, &master, &mut Nobody, watch, AI_TIME)
        };
        (Some(over.expect("it is played")), events, Some(master.deal))
    };
    let work = |world: ThreadWorld| {
        let mut world = TracedWorld::new(wrap(world), Keep::Messages);
        // A test that fails must not leave ranks that wait.
        let (over, events, deal) = abort_on_panic(&mut world, 70, play);
        (over, events, world.into_parts().1, deal)
    };
    let work = &work;
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> =
            ThreadWorld::connect(ranks).into_iter().map(|world| scope.spawn(move || work(world))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a rank")).collect::<Vec<_>>()
    });
    let over = results[0].0.expect("rank 0 knows the end");
    for (rank, result) in results.iter().enumerate() {
        assert_eq!(result.0, setup.seats.contains(rank).then_some(over).or((rank == 0).then_some(over)), "rank {rank}");
    }
    let events = results[0].1.clone();
    let deal = results[0].3.expect("the deal");
    Played { over, events, deal, traces: results.into_iter().map(|result| result.2).collect() }
}

/// Plays the same game by direct calls.
fn directly(setup: &Setup) -> (Option<usize>, Vec<Event>) {
    let deal = Deal::classic(setup.seats, &mut setup.streams.deal());
    let ai = |rank: usize| {
        let ai_type = if rank == 0 { AiType::Default } else { setup.ais[rank - 1] };
        SeatedAi::new(setup.seats, rank, ai_type, deal.hand(rank), setup.streams.player(rank))
    };
    let mut events = Vec::new();
    let mut players: Vec<SeatedAi> = setup.seats.ranks().map(ai).collect();
    let outcome = play(&deal, Asking::Cyclic, &mut players, |event| events.push(event));
    (outcome.winner, events)
}

/// Games of the report's types and of every number of players.
fn games(each: u64) -> impl Iterator<Item = Setup> {
    let all = AiType::ALL[..3].iter().copied().flat_map(|ai_type| (2..=5).map(move |ais| (ai_type, ais)));
    all.flat_map(move |(ai_type, ais)| {
        (0..each).map(move |game| {
            let seats = if game % 2 == 0 { Seats::ais_alone(ais) } else { Seats::with_person(ais) };
            setup(ai_type, seats, game)
        })
    })
}

/// Games with AIs that reason: all of a type, and tables of several types.
fn reasoning_games(each: u64) -> impl Iterator<Item = Setup> {
    use AiType::{Default, Exact, Listening, Logic, Memory, Mix};
    let tables = [
        vec![Memory; 3],
        vec![Logic; 2],
        vec![Logic; 4],
        vec![Exact; 2],
        vec![Exact; 3],
        vec![Exact; 5],
        vec![Exact, Default],
        vec![Default, Exact, Memory],
        vec![Mix, Logic, Listening, Exact],
        vec![Listening, Memory, Exact, Mix, Logic],
    ];
    tables.into_iter().flat_map(move |ais| {
        (0..each).map(move |game| {
            let count = ais.len();
            let seats = if game % 2 == 0 { Seats::ais_alone(count) } else { Seats::with_person(count) };
            Setup { seats, ais: ais.clone(), streams: Streams { seed: 22, game }, stays: false }
        })
    })
}

/// Checks the numbers of messages against the events: START, cards, REPORT and OVER do not count.
pub(crate) fn check_traffic(setup: &Setup, played: &Played) {
    let seats = setup.seats;
    let ranks = seats.last() + 1;
    let (mut by_all, mut answers, mut wrong, mut right) = (0, 0, 0, 0);
    for event in &played.events {
        match event {
            Event::Suggest { .. } => by_all += 1,
            Event::Pass { .. } | Event::Show { .. } => answers += 1,
            Event::Accuse { seat: 1.., is_right: true, .. } => right += 1,
            Event::Accuse { seat: 1.., is_right: false, .. } => wrong += 1,
            _ => {}
        }
    }
    let hears = |rank: &usize| setup.ais[rank - 1].hears_answers();
    let suggester = |event: &Event| if let Event::Suggest { seat, .. } = *event { Some(seat) } else { None };
    let told: usize = played
        .events
        .iter()
        .filter_map(suggester)
        .map(|suggester| (1..ranks).filter(|rank| *rank != suggester && hears(rank)).count())
        .sum();
    let (mut counted, mut answered) = (0, 0);
    for trace in &played.traces {
        for entry in &trace.log {
            let Entry::Sent(_, message) = entry else { continue };
            let words = words(&message.bytes);
            answered += usize::from(words[0] == -8);
            // Answers are one word; hands end with -1 and begin with no type.
            counted += usize::from(words.len() == 1 || (words[0] < 0 && ![-4, -7, -8].contains(&words[0])));
        }
    }
    let accusations = wrong * (ranks - 1 + 2 + 1) + right * (ranks - 1 + 2);
    let expected = by_all * (ranks - 1) + 2 * answers + by_all + accusations + passed_turns(setup, &played.events);
    assert_eq!((counted, answered), (expected, told), "{setup:?}");
}

/// The messages for turns of players that are out, and for a wrong accusation of the person; without the one that the
/// last of AIs alone does not send when nobody may play any more.
fn passed_turns(setup: &Setup, events: &[Event]) -> usize {
    let (seats, mut is_out, mut passed) = (setup.seats, [false; 6], 0);
    let (mut active, mut missing) = (seats.first, 0);
    for event in events {
        let rank = match *event {
            Event::Suggest { seat, .. } => seat,
            Event::Accuse { seat, .. } => seat,
            _ => continue,
        };
        while active != rank {
            assert!(is_out[active], "rank {active} has a turn before rank {rank}");
            passed += 1;
            active = seats.after(active);
        }
        if let Event::Accuse { is_right: false, .. } = event {
            is_out[rank] = true;
            passed += usize::from(rank == 0);
            if seats.ranks().all(|rank| is_out[rank]) {
                // With a person, the turn still passes on to rank 0, which ends the game.
                let to_rank_0 = if rank == 0 { seats.last() } else { seats.last() - rank };
                if seats.has_person() { passed += to_rank_0 } else { missing = 1 }
            }
        }
        active = seats.after(rank);
    }
    passed - missing
}

fn words(bytes: &[u8]) -> Vec<i32> {
    let (words, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    words.iter().map(|word| i32::from_le_bytes(*word)).collect()
}

/// Checks that no rank is sent a card of another hand, or of the solution, unless it is shown it or all hear it, and that
/// nothing follows the end of the game.
pub(crate) fn check_secrets(setup: &Setup, played: &Played) {
    for (rank, trace) in played.traces.iter().enumerate().skip(1) {
        let mut known = if setup.seats.contains(rank) { played.deal.hand(rank) } else { CardSet::EMPTY };
        let (mut received, mut is_over, mut sends_after) = (0, false, 0);
        for entry in &trace.log {
            let message = match entry {
                Entry::Received(message) => message,
                Entry::Sent(..) => {
                    sends_after += usize::from(is_over);
                    continue;
                }
            };
            assert!(!is_over, "rank {rank} receives {message:?} after the end");
            let words = words(&message.bytes);
            // What other ranks send may come before the start.
            received += usize::from(message.from == 0);
            let from_master = if message.from == 0 { received } else { usize::MAX };
            match (from_master, &words[..]) {
                (1, [0, 0, _, _, stream @ .., _]) => {
                    let own = setup.streams.player_bytes(rank);
                    let expected = if setup.seats.contains(rank) { own } else { [0; 32] };
                    assert_eq!(stream.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>(), expected);
                }
                (2, [cards @ .., -1]) => {
                    let cards: CardSet = cards.iter().map(|&word| card(word)).collect();
                    assert_eq!(cards, known, "rank {rank} is dealt its own cards");
                }
                (_, [-2 | -6, _, _, _, _]) => {}
                (_, [-1 | -3 | -5, _]) => {}
                (_, [-1]) => {}
                (_, [0]) if message.from == 0 && played.over.winner == Some(rank) => {}
                (_, [shown]) => {
                    let shown = card(*shown);
                    assert!(played.deal.hand(message.from).contains(shown), "{message:?}");
                    let at = known.len();
                    known.insert(shown);
                    assert!(known.len() > at, "an AI asks for unknown cards only");
                }
                (_, [-4, ..]) => is_over = true,
                (_, [-7, 0, 0, -1, -1]) => {}
                // Who was asked and who showed, but no card.
                (_, [-8, 0, 1..=5, -1..=5]) if message.from == 0 && setup.ais[rank - 1].hears_answers() => {}
                (_, other) => panic!("rank {rank} receives {other:?}"),
            }
        }
        assert_eq!(sends_after, 0, "rank {rank} sends nothing after the end");
        assert!(is_over || !setup.seats.contains(rank), "rank {rank} hears of the end");
    }
}

fn card(word: i32) -> Card {
    word.try_into().expect("a card's number")
}

#[test]
fn threads_play_the_games_of_direct_calls() {
    for setup in games(24) {
        let played = over_threads(&setup, setup.seats.last() + 1, |world| world);
        assert_eq!((played.over.winner, played.events.clone()), directly(&setup), "{setup:?}");
        check_traffic(&setup, &played);
        check_secrets(&setup, &played);
    }
}

#[test]
fn reasoning_ais_play_the_games_of_direct_calls() {
    for setup in reasoning_games(8) {
        let played = over_threads(&setup, setup.seats.last() + 1, |world| world);
        assert_eq!((played.over.winner, played.events.clone()), directly(&setup), "{setup:?}");
        check_traffic(&setup, &played);
        check_secrets(&setup, &played);
    }
}

#[test]
fn late_messages_change_nothing() {
    for setup in games(6).chain(reasoning_games(4)) {
        let played = over_threads(&setup, setup.seats.last() + 1, |world| {
            let delay = Duration::from_micros(200);
            FaultyWorld::new(world, Faults { seed: setup.streams.game, delayed: 400, delay, ..Faults::default() })
        });
        assert_eq!((played.over.winner, played.events), directly(&setup), "{setup:?}");
    }
}

#[test]
fn ranks_without_a_seat_leave() {
    let setup = setup(AiType::Mix, Seats::with_person(2), 3);
    let played = over_threads(&setup, 6, |world| world);
    assert_eq!((played.over.winner, played.events.clone()), directly(&setup));
    check_secrets(&setup, &played);
    for trace in &played.traces[3..] {
        assert_eq!((trace.log.len(), trace.all_sent().messages), (1, 0), "only the start");
    }
}
