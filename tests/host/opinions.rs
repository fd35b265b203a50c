//! The optional function of a player: what it thinks of the position after its last move.

use std::time::Duration;

use amazons::referee::{Call, Opinion, Seat, Termination};

use super::rig::{Rig, Source, fault};

/// A player with this body of `get_opinion`.
fn thinker(body: &str) -> Rig {
    let top = format!("#include <math.h>\ndouble get_opinion(char const **text) {{ {body} }}");
    Source::new().top(&top).build()
}

fn opinion_of(rig: &Rig) -> Opinion {
    let mut seats: [Box<dyn Seat>; 2] = [Box::new(rig.ready()), rig.ready_in_process()];
    let [separate, here] = seats.each_mut().map(|seat| {
        seat.play(None).expect("an answer");
        seat.opinion()
    });
    assert_eq!((separate.checked(), &separate.text), (here.checked(), &here.text));
    separate
}

#[test]
fn a_value_and_a_line_reach_the_server() {
    let told = opinion_of(&thinker("*text = \"depth 3\"; return 0.25;")).checked();
    assert_eq!(told, (Some(0.25), Some("depth 3".to_owned())));
    for (body, value) in [("return -1;", Some(-1.0)), ("return 1;", Some(1.0)), ("return NAN;", None)] {
        assert_eq!(opinion_of(&thinker(body)).checked(), (value, None), "{body}");
    }
    assert_eq!(opinion_of(&Source::new().build()).checked(), (None, None), "not every player has the function");
}

/// A value out of range is left out of the record, whose comment says so.
#[test]
fn values_out_of_range_are_ignored() {
    for (value, told) in [
        ("INFINITY", "(opinion inf ignored: not from -1 to 1)"),
        ("-INFINITY", "(opinion -inf ignored: not from -1 to 1)"),
        ("1.5", "(opinion 1.5e0 ignored: not from -1 to 1)"),
        ("-7", "(opinion -7e0 ignored: not from -1 to 1)"),
    ] {
        assert_eq!(opinion_of(&thinker(&format!("return {value};"))).checked(), (None, Some(told.to_owned())));
    }
    let (value, told) = opinion_of(&thinker("*text = \"won\"; return 1e300;")).checked();
    assert!(value.is_none() && told.is_some_and(|told| told.starts_with("won (opinion ")));
}

#[test]
fn texts_are_short_lines_of_printable_characters() {
    let (_, text) = opinion_of(&thinker(
        "char *big = malloc(1 << 20); memset(big, 'x', (1 << 20) - 1); big[(1 << 20) - 1] = 0; *text = big; return 0;",
    ))
    .checked();
    assert_eq!(text, Some(format!("{}...", "x".repeat(200))));
    let (_, text) = opinion_of(&thinker("*text = \"\\x1b[31m<b>a\\nb\\xff\\u202e\\t\"; return 0;")).checked();
    let text = text.expect("a text");
    assert!(
        text.contains("<b>a") && !text.chars().any(|character| character.is_control() || character == '\u{202e}'),
        "{text:?}"
    );
}

/// The call is part of the move, and is judged as the move is.
#[test]
fn a_call_that_fails_loses_as_play_does() {
    for (body, ending) in [
        ("*text = (char const *)1; return 0;", Termination::Crash),
        ("abort();", Termination::Crash),
        ("exit(3);", Termination::Exit),
        ("for (;;) {}", Termination::Timeout),
        ("sleep(5); return 0;", Termination::Timeout),
    ] {
        let mut rig = thinker(body);
        rig.limits.play = Duration::from_millis(300);
        let fault = fault(rig.ready().play(None));
        assert_eq!((fault.termination, fault.call), (ending, Call::Play), "{body}");
    }
}
