//! Every state of a client against every kind of event: the code, who hears it, the gain, and the next game.

use cluedo::bots::Kind;
use cluedo::line::guest::Status;
use cluedo::line::options::{OnError, Options};
use cluedo::line::record::Entry;
use cluedo::line::table::Ending;

use super::driver::{Bots, Net, honest, session_options};

/// What a client does.
#[derive(Clone, Copy, Debug)]
enum Event {
    Bytes(&'static [u8]),
    Repeated(&'static [u8], usize),
    Silence,
    Close,
    HalfLineThenClose,
    Drip,
}

const EVENTS: [Event; 22] = [
    Event::Bytes(b"X 1\n"),
    Event::Bytes(b"H 1 5\n"),
    Event::Bytes(b"H 1 5 99\n"),
    Event::Bytes(b"H 1 5 x\n"),
    Event::Bytes(b"H 1 2 9\n"),
    Event::Bytes(b"A 0 4 4\n"),
    Event::Bytes(b"M 99\n"),
    Event::Bytes(b"M\n"),
    Event::Bytes(b"M 18446744073709551616\n"),
    Event::Bytes(b"B again\n"),
    Event::Bytes(b"H 1 5 9\0\n"),
    Event::Bytes(b"\xff\xfe\n"),
    Event::Bytes(b"\x00\n"),
    Event::Bytes(b"H 1 5 9                                                           \n"),
    Event::Repeated(b"x", 65),
    Event::Repeated(b"M 1\n", 1000),
    Event::Repeated(b"\n", 5000),
    Event::Bytes(b"H 1 2 9\nH 0 4 8\n"),
    Event::Silence,
    Event::Close,
    Event::HalfLineThenClose,
    Event::Drip,
];

/// Does it, with the client at a seat.
fn act(net: &mut Net, seat: usize, event: Event) {
    match event {
        Event::Bytes(bytes) => net.send(seat, bytes),
        Event::Repeated(bytes, count) => net.send(seat, &bytes.repeat(count)),
        Event::Silence => net.wait(10_000_000),
        Event::Close => net.close(seat),
        Event::HalfLineThenClose => {
            net.send(seat, b"H 1");
            net.close(seat);
        }
        Event::Drip => {
            for _ in 0..20 {
                net.send(seat, b"H");
                net.wait(600_000);
            }
        }
    }
}

/// Whether nothing but time can tell that something is wrong.
const fn is_late(event: Event) -> bool {
    matches!(event, Event::Silence | Event::Close | Event::HalfLineThenClose | Event::Drip)
}

const fn leaves(event: Event) -> bool {
    matches!(event, Event::Close | Event::HalfLineThenClose)
}

fn options(on_error: OnError) -> Options {
    let mut options = session_options();
    options.on_error = on_error;
    options.games = 3;
    options
}

/// Plays on with good clients; returns the winners of the games.
fn play_on(net: &mut Net) -> Vec<Option<usize>> {
    let mut bots = Bots::new(&[Kind::Bot2; 3], 4);
    // The bots hear only from the next hand on what they must know.
    for seat in 0..3 {
        if let Some(place) = net.heard[seat].rfind("C ") {
            net.heard[seat].drain(..place);
        }
    }
    bots.play(net, |_, _, answer| honest(answer));
    let winner = |entry: &Entry| match entry {
        Entry::End { winner, .. } => Some(*winner),
        _ => None,
    };
    net.entries.iter().filter_map(winner).collect()
}

/// Brings a table to where seat `seat` is asked: for its turn, or for a card.
fn asked(on_error: OnError, seat: usize, for_card: bool) -> Net {
    let mut net = Net::seated(options(on_error));
    // Hands: 0 4 8, 1 6 9, 3 7 11.
    match (seat, for_card) {
        (0, false) => {}
        (1, false) => net.send(0, b"A 0 4 9\n"),
        (1, true) => net.send(0, b"H 1 4 8\n"),
        (2, true) => net.send(0, b"H 3 4 8\n"),
        _ => unreachable!("not used"),
    }
    assert_eq!(net.table.waits_for().map(|(seat, _)| seat), Some(seat));
    net
}

#[test]
fn faults_of_who_is_asked() {
    for on_error in [OnError::Abort, OnError::Forfeit] {
        for (seat, for_card) in [(0, false), (1, false), (1, true), (2, true)] {
            for event in EVENTS {
                // Blank lines are skipped: only time ends them.
                let is_blank = matches!(event, Event::Repeated(b"\n", _));
                if matches!(event, Event::Repeated(b"M 1\n", _)) && for_card && seat == 1 {
                    continue;
                }
                let mut net = asked(on_error, seat, for_card);
                (0..3).for_each(|seat| drop(net.take(seat)));
                act(&mut net, seat, event);
                if is_blank {
                    act(&mut net, seat, Event::Silence);
                }
                let code = match (for_card, is_late(event) || is_blank) {
                    (false, false) => 201,
                    (false, true) => 202,
                    (true, false) => 211,
                    (true, true) => 212,
                };
                let what = format!("{on_error:?}, seat {seat}, card {for_card}, {event:?}");
                let line = format!("E {code}");
                for other in 0..3 {
                    let hears = net.heard[other].lines().any(|heard| heard == line);
                    assert_eq!(hears, other == seat || on_error == OnError::Abort, "{what}: seat {other}");
                    assert_eq!(net.table.guests()[other].gain, -i64::from(other == seat), "{what}: gain of {other}");
                }
                match on_error {
                    OnError::Abort if leaves(event) => assert_eq!(net.ending, Some(Ending::Left), "{what}"),
                    OnError::Abort => {
                        if matches!(event, Event::Repeated(b"x", _) | Event::Drip) {
                            // The long line must end before another can be understood.
                            net.send(seat, b"\n");
                        }
                        let winners = play_on(&mut net);
                        assert!(
                            winners.len() == 3 && winners[0].is_none() && winners[2].is_some(),
                            "{what}: {winners:?}"
                        );
                        assert_eq!(net.ending, Some(Ending::Complete), "{what}");
                    }
                    OnError::Forfeit => {
                        assert_eq!(net.table.guests()[seat].status, Status::Ghost, "{what}");
                        assert!(net.closed[seat], "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn faults_at_the_greeting() {
    for event in EVENTS {
        let mut net = Net::new(options(OnError::Abort));
        net.connect(0);
        net.connect(1);
        net.send(1, b"B bob\n");
        (0..2).for_each(|seat| drop(net.take(seat)));
        act(&mut net, 0, event);
        if matches!(event, Event::Repeated(b"\n", _)) {
            act(&mut net, 0, Event::Silence);
        }
        match event {
            Event::Bytes(b"B again\n") => assert_eq!(net.table.guests()[0].status, Status::Ready),
            _ => {
                assert_eq!(net.table.guests()[0].status, Status::Empty, "{event:?}");
                let heard = net.take(0);
                assert_eq!(heard, "E 101", "{event:?}");
            }
        }
        assert_eq!(net.table.guests()[1].status, Status::Ready, "{event:?}: others keep their seats");
        assert_eq!(net.take(1), "", "{event:?}");
        // The seat goes to the next comer, and the game begins.
        if net.table.guests()[0].status == Status::Empty {
            net.connect(0);
            net.send(0, b"B dora\n");
        }
        net.connect(2);
        net.send(2, b"B cleo\n");
        assert!(net.heard[1].starts_with("C 1 6 9\n"), "{event:?}");
    }
}

#[test]
fn events_of_who_is_not_asked() {
    for on_error in [OnError::Abort, OnError::Forfeit] {
        for event in EVENTS {
            let mut net = asked(on_error, 0, false);
            (0..3).for_each(|seat| drop(net.take(seat)));
            if matches!(event, Event::Silence | Event::Drip) {
                continue;
            }
            act(&mut net, 2, event);
            let is_flood = matches!(event, Event::Repeated(b"x" | b"\n", _))
                || matches!(event, Event::Bytes(bytes) if bytes.len() > 65);
            let gain = net.table.guests()[2].gain;
            assert_eq!(gain, -i64::from(is_flood), "{event:?}");
            if is_flood {
                assert!(net.heard[2].starts_with("E 201\n"), "{event:?}: {}", net.heard[2]);
                assert_eq!(net.heard[0].contains("E 201"), on_error == OnError::Abort, "{event:?}");
            } else {
                // The table does not notice, and the game goes on to its end.
                assert_eq!((net.take(0), net.take(1), net.take(2)), Default::default(), "{event:?}");
                assert_eq!(net.table.guests()[2].inbox.dropped > 0, !matches!(event, Event::Close), "{event:?}");
                net.send(0, b"A 2 5 10\n");
                assert!(net.heard[1].starts_with("F 0\n"), "{event:?}");
                assert_eq!(net.ending.is_some(), leaves(event) && on_error == OnError::Abort, "{event:?}");
            }
        }
    }
}

#[test]
fn a_line_before_the_request_is_never_its_answer() {
    let mut net = asked(OnError::Abort, 0, false);
    net.send(1, b"M 1\nM ");
    net.send(0, b"H 1 4 8\n");
    assert_eq!(net.table.waits_for().map(|(seat, _)| seat), Some(1), "the early M 1 was dropped");
    // The rest of the line that had begun is no answer either.
    net.send(1, b"9\n");
    assert_eq!(net.table.guests()[1].gain, 0);
    net.send(1, b"M 1\n");
    assert_eq!(net.table.waits_for().map(|(seat, _)| seat), Some(1), "its turn");
}

#[test]
fn bytes_do_not_renew_the_deadline() {
    let mut net = asked(OnError::Abort, 0, false);
    for _ in 0..9 {
        net.wait(1_000_000);
        net.send(0, b"0");
        assert_eq!(net.table.guests()[0].gain, 0);
    }
    net.wait(1_000_000);
    assert_eq!(net.table.guests()[0].gain, -1);
}

#[test]
fn the_lobby_does_not_wait_for_ever() {
    let mut net = Net::new(options(OnError::Abort));
    net.connect(0);
    net.send(0, b"B ada\n");
    net.wait(59_999_999);
    assert_eq!(net.ending, None);
    net.wait(1);
    assert_eq!((net.ending, net.take(0).as_str()), (Some(Ending::Lobby), "B 0 3;E 101"));
}

#[test]
fn all_accuse_wrongly() {
    let mut net = asked(OnError::Abort, 0, false);
    (0..3).for_each(|seat| net.send(seat, b"A 0 4 9\n"));
    for seat in 0..3 {
        assert!(net.take(seat).contains(";T;E 301;C"), "seat {seat}");
        assert_eq!(net.table.guests()[seat].gain, 0);
    }
}

#[test]
fn the_last_player_goes_on_alone_to_the_limit() {
    let mut net = asked(OnError::Abort, 0, false);
    net.send(0, b"A 0 4 9\n");
    net.send(1, b"A 0 4 9\n");
    let mut turns = 0;
    while net.entries.iter().all(|entry| !matches!(entry, Entry::End { .. })) {
        let (seat, _) = net.table.waits_for().expect("a request");
        match seat {
            2 => {
                net.send(2, b"H 0 7 11\n");
                turns += 1;
            }
            // Out, but still asked.
            0 => net.send(0, b"M 0\n"),
            _ => unreachable!("seat 1 has none of the cards"),
        }
    }
    // Turns 2, 5, .. 26: turn 27 is the last that may be visited, and it is seat 0's.
    assert_eq!(turns, 9);
    assert!(net.take(2).contains(";E 301;"));
    assert_eq!(net.table.guests()[2].gain, 0);
}

#[test]
fn ghosts_show_cards_and_never_play() {
    let mut net = asked(OnError::Forfeit, 1, false);
    net.send(1, b"nonsense\n");
    assert_eq!(net.table.waits_for().map(|(seat, _)| seat), Some(2), "the next seat's turn");
    net.send(2, b"H 1 6 11\n");
    let heard = net.take(2);
    assert!(heard.contains("P 0;M 1 1") || heard.contains("P 0;M 1 6"), "{heard}");
    let winners = {
        net.send(2, b"A 2 5 10\n");
        play_on(&mut net)
    };
    assert!(winners.iter().skip(1).all(|winner| *winner != Some(1)), "{winners:?}");
    let ghosts = net.entries.iter().any(|entry| matches!(entry, Entry::Start { ghosts, .. } if ghosts == &[1]));
    assert!(ghosts, "the record says which seat is a ghost");
}

#[test]
fn echo_blanks_codes_and_rotation() {
    use cluedo::line::message::Codes;
    use cluedo::line::message::Echo;
    let mut changed = options(OnError::Abort);
    changed.echo = Echo::All;
    changed.trailing_blank = true;
    changed.codes = Codes::Old;
    changed.rotates = true;
    let mut net = Net::seated(changed);
    net.send(0, b"H 10 1 6\n");
    assert_eq!(net.heard[0], "B 0 3\nC 0 4 8\nT \nH 10 1 6\n");
    assert_eq!(net.heard[1], "B 1 3\nC 1 6 9\nH 10 1 6\nC \n");
    net.send(1, b"Q\n");
    assert!(net.heard[0].ends_with("E 121\nC 2 6 10\n"), "{}", net.heard[0]);
    assert!(net.heard[1].ends_with("E 121\nC 0 4 8\nT \n"), "game 1 begins with seat 1: {}", net.heard[1]);
    net.send(1, b"Q 1 2 3\n");
    assert!(net.heard[2].contains("E 111\n"), "{}", net.heard[2]);
}
