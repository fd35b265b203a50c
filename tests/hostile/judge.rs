//! Compares a game with its expectations.

use serde_json::Value;

use super::behaviour::{Behaviour, Charge, Expected};
use super::game::{Observed, Seating};

/// Lists what is wrong.
pub(super) fn findings(behaviour: &Behaviour, seating: Seating, observed: &Observed) -> Vec<String> {
    let mut found = Vec::new();
    if observed.report.ended != "status 0" {
        found.push(format!("the server ended with {}: {}", observed.report.ended, observed.stderr.trim()));
    }
    found.extend(observed.report.leftovers.iter().map(|process| format!("left a process: {process}")));
    found.extend(observed.traces.iter().cloned());
    let text = String::from_utf8_lossy(&observed.stdout);
    let events: Option<Vec<Value>> = text.lines().map(|line| serde_json::from_str(line).ok()).collect();
    match events {
        Some(events) => judge_events(&behaviour.expected, seating, &events, &mut found),
        None => found.push(format!("the server's output is not its own: {text:?}")),
    }
    if observed.stdout != observed.record {
        found.push("the record is not what the server wrote".to_owned());
    }
    found.extend(observed.replay.iter().map(|complaint| format!("the record does not verify: {complaint}")));
    for (log, whose) in observed.logs.iter().zip(["its", "the rival's"]) {
        let log = String::from_utf8_lossy(log);
        found.extend(log.lines().filter(|line| line.contains("HARM: ")).map(|line| format!("{whose} log: {line}")));
    }
    found
}

fn judge_events(expected: &Expected, seating: Seating, events: &[Value], found: &mut Vec<String>) {
    let of_kind = |kind: &'static str| events.iter().filter(move |event| event["event"] == kind);
    let ends: Vec<_> = of_kind("end").collect();
    let &[end] = &ends[..] else {
        found.push(format!("{} events tell the end", ends.len()));
        return;
    };
    let (own, others): (Vec<_>, Vec<_>) = of_kind("fault").partition(|event| event["player"] == seating.number);
    found.extend(others.iter().map(|event| format!("the rival is charged: {}", told(event))));
    match (expected, &own[..]) {
        (Expected::PlaysOn, []) => {}
        (Expected::Fault(charge), [fault]) if fits(charge, fault) => {}
        // A player that answers an illegal move still runs, and may do more harm when finalised.
        (Expected::Fault(charge), [fault, last])
            if fits(charge, fault) && charge.termination == "illegal_move" && last["call"] == "finalize" => {}
        (_, []) => found.push("no fault".to_owned()),
        (_, faults) => found.extend(faults.iter().map(|event| told(event))),
    }
    found.extend(events.first().and_then(unprintable).map(|name| format!("a name that is not printable: {name:?}")));
    let decided = own.first().filter(|fault| fault["call"] != "finalize");
    let (termination, winner) = match decided {
        Some(fault) => (&fault["termination"], Some(3 - seating.number)),
        None => (&Value::from("no_moves"), None),
    };
    if end["termination"] != *termination || winner.is_some_and(|winner| end["winner"] != winner) {
        found.push(format!("the game ends with {}, winner {}", end["termination"], end["winner"]));
    }
}

fn fits(charge: &Charge, fault: &Value) -> bool {
    fault["termination"] == *charge.termination
        && fault["call"] == *charge.call
        && charge.signal.is_none_or(|signal| fault["signal"] == signal)
        && charge.status.is_none_or(|status| fault["exit_code"] == status)
}

/// A fault in the words that behaviours use.
fn told(fault: &Value) -> String {
    let word = |key: &str| fault[key].as_str().unwrap_or_default().to_owned();
    let number = |key: &str| fault[key].as_i64().map(|number| number as i32);
    let charge = Charge {
        termination: word("termination"),
        call: word("call"),
        signal: number("signal"),
        status: number("exit_code"),
    };
    format!("{charge} ({})", word("detail"))
}

/// A name that a terminal would obey instead of showing it.
fn unprintable(start: &Value) -> Option<&str> {
    let is_odd = |c: char| c.is_control() || ('\u{200b}'..='\u{206f}').contains(&c) || c == '\u{feff}';
    let names = [0, 1].map(|player| start["players"][player]["name"].as_str().unwrap_or_default());
    names.into_iter().find(|name| name.chars().any(is_odd))
}
