//! Clients that leave and come back.

use cluedo::line::guest::Status;
use cluedo::line::options::Options;
use cluedo::line::table::Ending;

use super::driver::{Net, session_options};

fn seated() -> Net {
    seated_with("B cleo\n")
}

/// A table whose seat 2 says this hello.
fn seated_with(hello: &str) -> Net {
    let options = Options { rejoin: 30_000_000, ..session_options() };
    let mut net = Net::new(options);
    for (seat, hello) in ["B ada#secret\n", "B bob#x\n", hello].iter().enumerate() {
        net.connect(seat);
        net.send(seat, hello.as_bytes());
    }
    net
}

#[test]
fn only_the_whole_login_gives_the_seat_back() {
    let mut net = seated();
    assert_eq!(net.table.guests()[0].name(), "ada");
    net.send(0, b"H 1 4 8\n");
    net.send(1, b"M 1\n");
    net.close(0);
    for guess in ["ada", "ada#", "ada#Secret", "ada#secret2", "bob#x", "#secret", ""] {
        assert_eq!(net.table.seat_of(guess), None, "{guess}");
    }
    assert_eq!(net.table.seat_of("ada#secret"), Some(0));
    // Others play on while it is away; then it is waited for.
    net.send(1, b"H 0 6 9\n");
    assert!(matches!(net.table.guests()[0].status, Status::Away { .. }));
    assert_eq!(net.table.waits_for().map(|(seat, _)| seat), Some(0));
    net.wait(20_000_000);
    net.take(0);
    net.table.rejoin(0, net.now);
    net.after();
    let heard = net.take(0);
    // Seat 2 has none of 0 6 9; seat 0 is asked.
    assert_eq!(heard, "B 0 3;C 0 4 8;H 1 4 8;M 1 1;H 0 6 9;P 2;C");
    net.send(0, b"M 0\n");
    assert_eq!(net.take(0), "M 0");
}

#[test]
fn a_client_that_does_not_come_back_is_gone() {
    let mut net = seated();
    net.close(0);
    net.wait(29_999_999);
    assert_eq!(net.ending, None);
    net.wait(1);
    assert_eq!(net.ending, Some(Ending::Left));
    assert!(net.take(1).ends_with("E 202"));
    // Without a secret part there is no way back: who knows the name could take the seat.
    for hello in ["B cleo\n", "B cleo#\n"] {
        let mut net = seated_with(hello);
        net.send(0, b"H 3 4 8\n");
        net.close(2);
        assert_eq!(net.ending, Some(Ending::Left), "{hello}");
        assert!(net.take(0).ends_with("E 212"));
    }
}

/// Comes back to seat 0 and returns what that hears.
fn come_back(net: &mut Net) -> String {
    net.take(0);
    net.table.rejoin(0, net.now);
    net.after();
    net.take(0)
}

/// A request has a fresh deadline after the first return to it, and keeps that one after any further return.
#[test]
fn nobody_holds_the_table_by_coming_back_again_and_again() {
    const SECOND: u64 = 1_000_000;
    for is_there_at_the_end in [true, false] {
        let mut net = seated();
        net.wait(9 * SECOND);
        net.close(0);
        net.wait(20 * SECOND);
        assert_eq!(come_back(&mut net), "B 0 3;C 0 4 8;T");
        // From here on it has 10 seconds, however often it leaves.
        for _ in 0..9 {
            net.close(0);
            net.wait(SECOND / 2);
            assert_eq!(come_back(&mut net), "B 0 3;C 0 4 8;T");
            net.wait(SECOND / 2);
        }
        if !is_there_at_the_end {
            net.close(0);
        }
        net.wait(SECOND - 1);
        assert_eq!(net.table.guests()[0].gain, 0);
        net.wait(1);
        assert_eq!(net.table.guests()[0].gain, -1);
        assert_eq!(net.take(1).split(';').filter(|line| *line == "E 202").count(), 1);
        assert_eq!(net.ending, (!is_there_at_the_end).then_some(Ending::Left));
    }
    // An answer ends it: the next request can be renewed again.
    let mut net = seated();
    net.close(0);
    come_back(&mut net);
    net.send(0, b"H 1 4 8\n");
    net.send(1, b"M 1\n");
    net.send(1, b"H 0 6 9\n");
    net.wait(9 * SECOND);
    net.close(0);
    net.wait(29 * SECOND);
    assert!(come_back(&mut net).ends_with(";P 2;C"));
    net.wait(10 * SECOND - 1);
    net.send(0, b"M 0\n");
    assert_eq!(net.take(0), "M 0");
}

/// Whoever takes a seat back knows what it would know if it had stayed.
#[test]
fn the_lines_of_a_return_tell_everything() {
    use cluedo::bots::Kind;
    use cluedo::bots::play::seat_bot;
    use cluedo::deal::stream;
    use cluedo::line::message::Line;

    let player = |kind: Kind| seat_bot(kind, 0, 3, stream(1, 0, 0, "seat 0"));
    // What a hypothesis of its own came to: nobody showed, the second showed, the first showed.
    let returns = [
        ("C 0 4 8;H 1 5 9;P 1;P 2;M;T", None, Some([1, 5, 9])),
        ("C 0 4 8;H 1 5 9;P 1;M 2 5;T", Some((2, 5)), None),
        ("C 0 4 8;H 1 5 9;M 1 5;T", Some((1, 5)), None),
        ("C 0 4 8;H 1 5 9;M 1;M 1 5;H 2 6 10;P 2;C;H 1 6 9;P 0;M 1;T", Some((1, 5)), None),
    ];
    for (lines, shown, unanswered) in returns {
        for kind in [Kind::Bot1, Kind::Bot2, Kind::Bot3, Kind::Bot4] {
            let mut player = player(kind);
            let answers =
                lines.split(';').filter_map(|line| player.answer(Line::parse(line.as_bytes()).expect("a line")));
            let last = answers.last().expect("an answer").to_string();
            let seat = &player.seat;
            assert_eq!((seat.unanswered, seat.unknown_lines), (unanswered, 0), "{lines}");
            assert!(
                shown.is_none_or(|(who, card)| seat.facts.has[who].contains(card)),
                "{lines}: {:?}",
                seat.facts.has
            );
            assert!(unanswered.is_none() || kind != Kind::Bot1 || last == "A 1 5 9", "{kind:?}: {last}");
        }
    }
}
