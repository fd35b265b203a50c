//! Ranks that do what they must never do, players that accuse wrongly, and records that were changed.

use std::convert::Infallible;
use std::process::Command;
use std::time::Duration;

use amazons_mpi::{Deadline, Keep, ThreadWorld, TracedWorld, World};
use amazons_testing::{Faults, FaultyWorld};
use cluedo::classic::{
    AiType, Deal, Fault, GAME_TAG, Master, Message, Over, Person, Recorder, Report, SeatedAi, Setup, Start, Streams,
    TableError, encode_answer, encode_hand, host, host_threads, play, replay, seat_ai, serve,
};
use cluedo::deck::{Card, CardSet, Deck, KINDS, Triple};
use cluedo::game::{Action, Asking, Event, Player, Seats};

use crate::ranks::{check_secrets, check_traffic, play_over};
use crate::support::{PROGRAM, run};

fn setup(seats: Seats, game: u64, stays: bool) -> Setup {
    Setup { seats, ais: vec![AiType::Default; seats.last()], streams: Streams { seed: 33, game }, stays }
}

/// A person who follows a list, and then leaves.
struct Listed {
    turns: Vec<Action>,
    told: Vec<Event>,
}

impl Listed {
    fn new(turns: impl IntoIterator<Item = Action>) -> Self {
        let mut turns: Vec<Action> = turns.into_iter().collect();
        turns.reverse();
        Self { turns, told: Vec::new() }
    }
}

impl Person for Listed {
    type Error = Infallible;

    fn observe(&mut self, event: &Event) -> Result<(), Infallible> {
        self.told.push(*event);
        Ok(())
    }

    fn turn(&mut self) -> Result<Option<Action>, Infallible> {
        Ok(self.turns.pop())
    }

    fn show(&mut self, of: CardSet, _: usize) -> Result<Option<Card>, Infallible> {
        Ok(of.first())
    }
}

/// An AI that accuses wrongly in its first turn, if it is rash.
struct Rash {
    ai: SeatedAi,
    is_rash: bool,
}

impl Player for Rash {
    fn turn(&mut self) -> Action {
        // It cannot be right: it accuses of a card that it holds.
        let SeatedAi::Plain(plain) = &self.ai else { panic!("a plain AI") };
        let own = Deck::CLASSIC.all() - plain.unknown();
        match self.ai.turn() {
            Action::Suggest(cards) if self.is_rash => {
                let held = own.first().expect("a hand");
                Action::Accuse(
                    cards.map(|card| if Deck::CLASSIC.kind(card) == Deck::CLASSIC.kind(held) { held } else { card }),
                )
            }
            turn => turn,
        }
    }

    fn show(&mut self, of: CardSet, to: usize) -> Card {
        self.ai.show(of, to)
    }

    fn observe(&mut self, event: &Event) {
        self.ai.observe(event);
    }
}

#[test]
fn players_that_accuse_wrongly_go_on_refuting() {
    for game in 0..240 {
        let ais = 2 + (game % 4) as usize;
        let seats = if game % 2 == 0 { Seats::ais_alone(ais) } else { Seats::with_person(ais) };
        let setup = setup(seats, game, true);
        // Each game another set of rash AIs; in some all, and nobody wins.
        let is_rash = |rank: usize| (game / 4) >> rank & 1 == 1 || game >= 200;
        let rash = |rank: usize, ai: SeatedAi| Rash { ai, is_rash: is_rash(rank) };
        let make = |rank: usize, start: &Start, hand: CardSet| rash(rank, seat_ai(rank, start, hand));
        let default =
            |rank: usize, hand: CardSet| SeatedAi::new(seats, rank, AiType::Default, hand, setup.streams.player(rank));
        let person = |deal: &Deal| rash(0, default(0, deal.hand(0)));
        let late = |world: ThreadWorld| {
            let delayed = if game % 3 == 0 { 300 } else { 0 };
            let delay = Duration::from_micros(100);
            FaultyWorld::new(world, Faults { seed: game, delayed, delay, ..Faults::default() })
        };
        let played = play_over(&setup, seats.last() + 1, late, make, person);

        let deal = played.deal;
        let mut players: Vec<Rash> = seats.ranks().map(|rank| rash(rank, default(rank, deal.hand(rank)))).collect();
        let mut events = Vec::new();
        let outcome = play(&deal, Asking::Cyclic, &mut players, |event| events.push(event));
        assert_eq!((played.over.winner, &played.events), (outcome.winner, &events), "game {game}");
        check_traffic(&setup, &played);
        if game % 3 != 0 {
            check_secrets(&setup, &played);
        }
    }
}

#[test]
fn a_person_who_stays_passes_its_turns() {
    let setup = setup(Seats::with_person(3), 5, true);
    let master = Master::new(setup.clone());
    let wrong = [0, 6, 12];
    assert_ne!(master.deal.solution, wrong);
    let mut person = Listed::new([Action::Accuse(wrong)]);
    let mut recorder = Recorder::new(&setup, &master.deal);
    let mut lines = vec![recorder.start()];
    let watch = |event: &Event| {
        lines.extend(recorder.event(event));
        Ok(())
    };
    let over = host_threads(&master, &mut person, watch, seat_ai, Duration::from_secs(60)).expect("it is played");
    assert!(over.winner.is_some_and(|winner| winner > 0), "an AI wins");
    assert_eq!(person.told[0], Event::Accuse { seat: 0, cards: Some(wrong), is_right: false });
    assert!(person.told.iter().any(|event| matches!(event, Event::Show { seat: 0, card: Some(_), .. })), "it refutes");
    let hidden = |event: &Event| matches!(event, Event::Show { seat: 1.., to: 1.., card: Some(_) });
    assert!(!person.told.iter().any(hidden), "it sees no card that one AI shows another");
    lines.push(recorder.end(over.winner));
    let replayed = replay(&lines.join("\n")).expect("a right record");
    assert_eq!(replayed.winner, over.winner);
    // The first line and all before the end are free of secrets.
    assert!(lines[..lines.len() - 1].iter().all(|line| !line.contains("secret") && !line.contains("salt")));
}

/// Puts words of ranks into a world.
pub(crate) fn send(worlds: &mut [ThreadWorld], to: usize, words: impl IntoIterator<Item = (usize, Vec<i32>)>) {
    for (from, words) in words {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        worlds[from].send(to, GAME_TAG, bytes).expect("it is sent");
    }
}

/// Lets AI 1 hear words after its start and its hand.
fn ai_hears(words: impl IntoIterator<Item = (usize, Vec<i32>)>) -> Result<Option<Over>, TableError<Infallible>> {
    let mut worlds = ThreadWorld::connect(10);
    let master = Master::new(setup(Seats::with_person(3), 1, false));
    send(&mut worlds, 1, master.begin(1).into_iter().map(|words| (0, words)));
    send(&mut worlds, 1, words);
    serve(&mut worlds[1], seat_ai, Duration::from_secs(60))
}

fn fault<T: std::fmt::Debug, E: std::fmt::Debug>(result: Result<T, TableError<E>>) -> Fault {
    match result {
        Err(TableError::Fault(fault)) => fault,
        other => panic!("{other:?} is no fault"),
    }
}

#[test]
fn an_ai_takes_no_wrong_message() {
    let suggest = |rank: usize| Message::Suggest([0, 6, 12]).encode(rank);
    let solution = [1, 7, 13];
    let cases: Vec<(&str, usize, Vec<i32>)> = vec![
        ("nothing", 0, vec![]),
        ("one word", 0, vec![4]),
        ("an unknown type", 0, vec![-9, 0]),
        ("an unknown type", 0, vec![1, 0]),
        ("another name", 0, suggest(2)),
        ("no such rank", 9, suggest(9)),
        ("too short", 0, vec![-2, 0, 1, 7]),
        ("too long", 0, vec![-2, 0, 1, 7, 13, 13]),
        ("a card out of range", 0, vec![-2, 0, 1, 7, 21]),
        ("a negative card", 0, vec![-2, 0, -1, 7, 13]),
        ("two of a type", 0, vec![-2, 0, 1, 2, 13]),
        ("a turn without a suggestion", 0, Message::Turn.encode(0)),
        ("a question without a suggestion", 0, Message::Ask.encode(0)),
        ("a second start", 0, vec![0, 0, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0]),
        ("a wrong result", 0, vec![-4, 0, 0, 0, 1, 7, 13]),
        ("a winner who is not there", 0, vec![-4, 0, 0, 17, 1, 7, 13]),
    ];
    for (what, from, words) in cases {
        let fault = fault(ai_hears([(from, words)]));
        assert_eq!(fault.rank, from, "{what}");
        assert!(fault.to_string().starts_with(&format!("rank {from} ")), "{what}: {fault}");
    }
    // What other ranks send early waits, but not without a limit.
    assert_eq!(fault(ai_hears((0..1000).map(|_| (3, suggest(3))))).rank, 3);
    // The end may come at any time.
    let over = Over { winner: Some(0), solution };
    assert_eq!(ai_hears([(0, Message::Over(over).encode(0))]), Ok(Some(over)));
}

#[test]
fn starts_and_hands_are_checked() {
    let stream = [7; 32];
    let start = Start { seats: Seats::ais_alone(5), ai_type: AiType::Mix, stream };
    let words = Message::Start(start).encode(0);
    assert_eq!(Message::decode(0, &words), Ok(Message::Start(start)));
    for at in 2..words.len() {
        if (4..words.len() - 1).contains(&at) {
            continue;
        }
        for wrong in [-1, 77] {
            let mut words = words.clone();
            words[at] = wrong;
            assert!(Message::decode(0, &words).is_err(), "word {at} is {wrong}");
        }
    }
    for hand in [vec![], vec![0, 1], vec![0, 0, -1], vec![21, -1], vec![-1, -1]] {
        let mut worlds = ThreadWorld::connect(6);
        send(&mut worlds, 1, [(0, words.clone()), (0, hand.clone())]);
        let fault = fault(serve(&mut worlds[1], seat_ai, Duration::from_secs(60)));
        assert!(fault.what.starts_with("dealt a wrong hand"), "{hand:?}: {fault}");
    }
    assert_eq!(encode_hand([1, 7, 13].into_iter().collect()), [1, 7, 13, -1]);
}

/// The person suggests cards, and then rank 1 sends words: the fault that the master must name.
fn master_hears(words_of: impl Fn(&Deal, Triple) -> Vec<Vec<i32>>) -> Fault {
    let master = Master::new(setup(Seats::with_person(2), 2, false));
    let cards = only_rank_1_has(&master.deal);
    let mut worlds = ThreadWorld::connect(3);
    send(&mut worlds, 0, words_of(&master.deal, cards).into_iter().map(|words| (1, words)));
    let mut person = Listed::new([Action::Suggest(cards)]);
    fault(host(&mut worlds[0], &master, &mut person, |_| Ok(()), Duration::from_secs(60)))
}

/// A triple of which rank 1 holds a card, rank 2 none, and the person none.
fn only_rank_1_has(deal: &Deal) -> Triple {
    KINDS.map(|kind| {
        let own = (deal.hand(1) & Deck::CLASSIC.of_kind(kind)).first();
        own.unwrap_or(deal.solution[kind])
    })
}

#[test]
fn the_master_checks_every_answer() {
    let passes = master_hears(|_, _| vec![encode_answer(None)]);
    assert_eq!(passes.to_string(), "rank 1 told rank 0 that it cannot refute, but it holds a named card");
    let strange =
        master_hears(|_, cards| vec![encode_answer(Deck::CLASSIC.all().iter().find(|card| !cards.contains(card)))]);
    assert!(strange.to_string().starts_with("rank 1 answered with"), "{strange}");

    // Rank 1 then takes its own turn.
    let answer =
        |deal: &Deal, cards: Triple| encode_answer(cards.into_iter().find(|&card| deal.hand(1).contains(card)));
    let names = [
        ("a report of another card", Message::Report(Report { asked: 1, shown: Some((2, [0, 6, 12][0])) })),
        ("a report of nobody", Message::Report(Report { asked: 2, shown: None })),
        ("a question too early", Message::Ask),
        ("a turn", Message::Turn),
        ("a verdict", Message::Judge),
    ];
    for (what, message) in names {
        let fault = master_hears(|deal, asked| {
            // Rank 2 can refute this.
            let held = deal.hand(2).first().expect("a hand");
            let cards = KINDS.map(|kind| if kind == Deck::CLASSIC.kind(held) { held } else { deal.solution[kind] });
            let message = match message {
                Message::Report(Report { asked: 1, .. }) => {
                    let other = deal.hand(2).iter().find(|card| !cards.contains(card)).expect("another");
                    Message::Report(Report { asked: 1, shown: Some((2, other)) })
                }
                other => other,
            };
            vec![answer(deal, asked), Message::Suggest(cards).encode(1), message.encode(1)]
        });
        assert_eq!(fault.rank, 1, "{what}");
        if matches!(message, Message::Report(_)) {
            assert!(fault.to_string().contains("rank 2 refutes"), "{what}: {fault}");
        }
    }
    for words in [vec![-2, 1, 0, 0, 0], vec![0, 1], vec![-3, 2], vec![-7, 1, 1, -1, 5]] {
        let fault = master_hears(|deal, asked| vec![answer(deal, asked), words.clone()]);
        assert_eq!(fault.rank, 1, "{words:?}: {fault}");
    }
}

#[test]
fn a_silent_ai_is_named() {
    let mut worlds = ThreadWorld::connect(3);
    let (mut silent, mut other) = (worlds.pop().expect("rank 2"), worlds.pop().expect("rank 1"));
    let mut own = worlds.pop().expect("rank 0");
    let time = Duration::from_millis(300);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Rank 2 hears everything until the game is aborted, and says nothing.
            while silent.receive(amazons_mpi::Filter::ANY, Deadline::NEVER).is_ok() {}
        });
        let served = scope.spawn(move || serve(&mut other, seat_ai, time));
        let master = Master::new(setup(Seats::ais_alone(2), 0, false));
        let hosted = host(&mut own, &master, &mut Listed::new([]), |_| Ok(()), time);
        // Rank 1 asks rank 2, and gives up first.
        let fault = served.join().expect("it ends").expect_err("rank 2 is silent");
        assert_eq!(fault.to_string(), "rank 2 has not answered within 0.3 s");
        assert!(matches!(hosted, Err(TableError::Fault(Fault { rank: 1, .. }) | TableError::World(_))), "{hosted:?}");
        let _ = own.abort(70);
    });
}

#[test]
fn a_panic_of_an_ai_ends_the_game_for_all() {
    let master = Master::new(setup(Seats::ais_alone(4), 0, false));
    let make = |rank: usize, start: &Start, hand: CardSet| {
        assert!(rank != 3, "AI 3 fails, as this test wants");
        seat_ai(rank, start, hand)
    };
    let error = host_threads(&master, &mut Listed::new([]), |_| Ok(()), make, Duration::from_secs(60));
    assert_eq!(error.expect_err("it fails").to_string(), "rank 3 aborted the job with status 70");
}

#[test]
fn a_message_with_another_tag_is_a_fault() {
    let mut worlds = ThreadWorld::connect(3).into_iter();
    let (mut own, mut other) = (worlds.next().expect("rank 0"), worlds.next().expect("rank 1"));
    for (tag, bytes) in [(GAME_TAG + 1, vec![0; 8]), (GAME_TAG, vec![0; 7])] {
        own.send(1, tag, bytes).expect("it is sent");
        let error = serve(&mut other, seat_ai, Duration::from_secs(60)).expect_err("a fault");
        assert!(error.to_string().starts_with("rank 0 sent"), "{error}");
    }
    let mut traced = TracedWorld::new(&mut own, Keep::Counts);
    let master = Master::new(setup(Seats::ais_alone(2), 0, false));
    other.send(0, GAME_TAG, 5_i32.to_le_bytes().to_vec()).expect("it is sent");
    let error = host(&mut traced, &master, &mut Listed::new([]), |_| Ok(()), Duration::from_secs(60));
    assert!(matches!(error, Err(TableError::Fault(Fault { rank: 1, .. }))), "{error:?}");
}

/// The lines of a game of AIs alone.
fn record(ai_type: AiType, game: u64) -> Vec<String> {
    let mut setup = setup(Seats::ais_alone(4), game, false);
    setup.ais = vec![ai_type; 4];
    let master = Master::new(setup.clone());
    let mut recorder = Recorder::new(&setup, &master.deal);
    let mut lines = vec![recorder.start()];
    let watch = |event: &Event| {
        lines.extend(recorder.event(event));
        Ok(())
    };
    let over = host_threads(&master, &mut Listed::new([]), watch, seat_ai, Duration::from_secs(60)).expect("played");
    lines.push(recorder.end(over.winner));
    lines
}

#[test]
fn a_changed_record_is_found() {
    let lines = record(AiType::Mix, 3);
    replay(&lines.join("\n")).expect("it is right");
    // Every line matters, and so does every number.
    for at in 0..lines.len() {
        let mut without = lines.clone();
        without.remove(at);
        assert!(replay(&without.join("\n")).is_err(), "without line {}", at + 1);
        let mut twice = lines.clone();
        twice.insert(at, lines[at].clone());
        assert!(replay(&twice.join("\n")).is_err(), "line {} twice", at + 1);
        for (place, digit) in lines[at].char_indices().filter(|(_, letter)| letter.is_ascii_digit()) {
            let other = if digit == '9' { '8' } else { char::from(digit as u8 + 1) };
            let mut changed = lines.clone();
            changed[at].replace_range(place..=place, &other.to_string());
            let is_found = replay(&changed.join("\n")).is_err();
            // An AI of kind default may as well have suggested another card that it had not excluded, if the same
            // player still refutes with the same card.
            assert!(is_found || lines[at].contains("hypothesis"), "line {}, {place}: {}", at + 1, changed[at]);
        }
    }
    assert_eq!(replay("").expect_err("empty").line, 1);
    assert!(replay("{}\n[]").expect_err("no lines").to_string().starts_with("1: is not a line"));
}

#[test]
fn threads_that_cannot_be_started_are_named() {
    let mut limited = Command::new("sh");
    // With stacks of 128 MiB, two threads start and the third one does not, and the two that run have room left for what
    // they need: with small stacks it would be chance whether a new thread or one that has started finds no room first.
    limited.args(["-c", "ulimit -v 400000; exec timeout 120 \"$0\" statistics -j 1000 --games 1000", PROGRAM]);
    limited.env("RUST_MIN_STACK", (128 << 20).to_string());
    let output = run(limited, b"");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), error.lines().count()), (Some(70), 2), "{error}");
    assert!(error.starts_with("cluedo: rank 0 left: cannot start 1000 threads: "), "{error}");
}
