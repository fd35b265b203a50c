//! Records of the server: checked by playing them again, and shown as a seat had seen them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;

use cluedo::bots::Kind;
use cluedo::classic::Defect;
use cluedo::deal::stream;
use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::view::View;
use cluedo::line::message::{Answer, Codes, Line};
use cluedo::line::options::{OnError, Options, default_limit};
use cluedo::line::record::Entry;
use cluedo::line::seat::Seat;
use cluedo::record::{Stories, Totals, Viewer, check_course};
use cluedo::tournament::Observer;
use rand::RngExt;
use serde_json::Value;

use super::driver::{Bots, Net, SESSION, honest, session_options};
use crate::support::{TemporaryFile, command, run, said};

fn lines(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(Entry::line).collect()
}

fn check(lines: &[String]) -> Result<Totals, Defect> {
    check_course(lines.iter().map(|line| Ok::<_, String>(line.clone())))
}

/// Plays the session of the specification.
fn session() -> Net {
    let mut net = Net::seated(session_options());
    play_script(&mut net);
    net
}

/// Returns the record of the session, as a file has it.
pub(crate) fn session_record() -> String {
    lines(&session().entries).iter().map(|line| format!("{line}\n")).collect()
}

fn play_script(net: &mut Net) {
    let mut answers = SESSION.map(|script| {
        script.split(';').filter_map(|line| line.trim().strip_prefix('<')).skip(1).collect::<Vec<_>>().into_iter()
    });
    while let Some((seat, _)) = net.table.waits_for() {
        let answer = answers[seat].next().expect("an answer");
        net.send(seat, format!("{answer}\n").as_bytes());
    }
}

/// Plays games in which seat 1 now and then makes an error, or leaves and comes back.
fn faulty(players: usize, games: u64, options: Options, seed: u64) -> Net {
    let mut net = Net::new(Options { games, seed, rejoin: 1_000_000, ..options });
    for seat in 0..players {
        net.connect(seat);
        net.send(seat, format!("B p{seat}#{seat}\n").as_bytes());
    }
    let mut bots = Bots::new(&vec![Kind::Bot1; players], seed);
    let mut rng = stream(seed, 0, 0, "faulty");
    while net.ending.is_none() {
        bots.play(&mut net, |net, seat, answer| match rng.random_range(0..if seat == 1 { 40 } else { 4_000 }) {
            0 => Some(b"M 77\n".to_vec()),
            1 => Some(b"A 0 0 0\n".to_vec()),
            2 => {
                net.close(seat);
                None
            }
            3 => {
                net.close(seat);
                net.wait(500_000);
                net.table.rejoin(seat, net.now);
                honest(answer)
            }
            4 => Some(vec![b'x'; 5_000]),
            _ => honest(answer),
        });
        if net.ending.is_none() {
            net.wait(10_000_001);
        }
    }
    net
}

#[test]
fn every_record_that_a_table_writes_is_right() {
    let net = session();
    let totals = check(&lines(&net.entries)).expect("a right record");
    assert_eq!((totals.games, totals.hypotheses, totals.accusations, totals.faults), (2, 5, 2, 1));
    assert_eq!(totals.wins, BTreeMap::from([("p1".to_owned(), 1)]));
    for (seed, codes) in [(1, Codes::Subject), (2, Codes::Old), (3, Codes::Subject)] {
        for on_error in [OnError::Abort, OnError::Forfeit] {
            for (players, limit) in [(2, 8), (3, 27), (4, 5), (5, 125)] {
                let mut options = Options { codes, on_error, limit, ..Options::new(players, 1) };
                options.rotates = seed == 2;
                let net = faulty(players, 12, options, seed);
                let totals = check(&lines(&net.entries)).unwrap_or_else(|defect| {
                    panic!("{seed} {on_error:?} {players}: {defect}\n{}", lines(&net.entries).join("\n"))
                });
                assert_eq!(totals.games, net.table.games_begun());
                let gains: u64 = net.table.guests().iter().map(|guest| guest.wins).sum();
                assert_eq!(totals.wins.values().sum::<u64>(), gains);
                assert_eq!(totals.faults, net.table.guests().iter().map(|guest| guest.faults).sum::<u64>());
            }
        }
    }
}

#[test]
fn games_at_the_limit_and_stopped_ones_are_right() {
    let mut net = Net::seated(Options { limit: 2, ..session_options() });
    for (seat, line) in [(0, "H 0 4 8\n"), (1, "A 2 5 9\n"), (2, "H 3 7 11\n")] {
        net.send(seat, line.as_bytes());
    }
    net.send(0, b"H 0 4 8\n");
    net.table.stop_now(net.now);
    net.after();
    let totals = check(&lines(&net.entries)).expect("a right record");
    assert_eq!((totals.games, totals.unwon), (2, 2));
    // Without the last line it is torn.
    let mut torn = lines(&net.entries);
    torn.pop();
    let defect = check(&torn).expect_err("torn");
    assert_eq!(defect.what, "the record ends within game 1 of table 0");
    assert_eq!(default_limit(3), 27);
}

#[test]
fn tables_may_take_turns_in_a_record() {
    let with_table = |number: u64| {
        let all = lines(&session().entries);
        all.into_iter().map(|line| line.replace("\"table\":0", &format!("\"table\":{number}"))).collect::<Vec<_>>()
    };
    // The salt of another table is another one, but the check does not ask where a salt comes from.
    let mixed: Vec<String> = with_table(0).into_iter().zip(with_table(7)).flat_map(|(a, b)| [a, b]).collect();
    let totals = check(&mixed).expect("a right record");
    assert_eq!((totals.tables, totals.games), (2, 4));
    let mut stories = Stories::default();
    for line in &mixed {
        stories.line(line).expect("a line");
    }
    assert_eq!(stories.games.len(), 4);
    assert_eq!(stories.games[0].turns, stories.games[1].turns);
}

/// Calls a function with each number of a value, one at a time, and puts it back.
fn each_number(
    value: &mut Value,
    path: &str,
    visit: &mut impl FnMut(&str, u64) -> Vec<u64>,
    out: &mut Vec<(String, u64, Vec<u64>)>,
) {
    match value {
        Value::Number(number) => {
            if let Some(number) = number.as_u64() {
                let others = visit(path, number);
                out.push((path.to_owned(), number, others));
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter_mut().enumerate() {
                each_number(item, &format!("{path}/{at}"), visit, out);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                each_number(field, &format!("{path}/{name}"), visit, out);
            }
        }
        _ => {}
    }
}

#[test]
fn a_changed_number_is_found_or_changes_nothing() {
    let forfeits = faulty(3, 4, Options { on_error: OnError::Forfeit, ..Options::new(3, 4) }, 5);
    let (mut changed, mut found) = (0, 0);
    for entries in [session().entries, forfeits.entries] {
        let all = lines(&entries);
        let right = check(&all).expect("a right record");
        for at in 0..all.len() {
            let mut value: Value = serde_json::from_str(&all[at]).expect("JSON");
            let mut numbers = Vec::new();
            each_number(&mut value, "", &mut |_, number| vec![number + 1, number.wrapping_sub(1), 63], &mut numbers);
            for (path, number, others) in numbers {
                for other in others.into_iter().filter(|&other| other != number) {
                    *value.pointer_mut(&path).expect("it is there") = other.into();
                    let mut record = all.clone();
                    record[at] = value.to_string();
                    changed += 1;
                    match check(&record) {
                        Err(_) => found += 1,
                        // Times, a limit that is not reached, time-outs, other cards that the same answers fit, another
                        // error of the kind.
                        Ok(totals) => {
                            assert_eq!(totals, right, "{path} {number} -> {other} in {}", all[at]);
                            let field = path.split('/').nth(1).unwrap_or_default();
                            assert!(
                                ["time", "limit", "options", "cards", "code", "shown", "accused"].contains(&field),
                                "{path} in {}",
                                all[at]
                            );
                        }
                    }
                }
                *value.pointer_mut(&path).expect("it is there") = number.into();
            }
        }
    }
    assert!(found * 2 > changed && changed > 500, "{found} of {changed}");
}

#[test]
fn a_view_knows_what_the_seat_has_seen() {
    let net = session();
    let mut stories = Stories::default();
    net.entries.iter().for_each(|entry| stories.entry(entry).expect("a line"));
    let story = &stories.games[0];
    // What the seat itself concludes from its lines.
    for (me, script) in SESSION.iter().enumerate() {
        let mut seat = Seat::new(me, 3);
        let end = script.find(";F 1").expect("the end of the first game");
        for line in script[..end].split(';').map(str::trim) {
            match line.strip_prefix('<') {
                Some(answer) => seat.says(&Answer::parse(answer.as_bytes()).expect("an answer")),
                None => drop(seat.hear(Line::parse(line.as_bytes()).expect("a line"))),
            }
        }
        let facts = story.facts(Viewer::Seat(me), story.turns.len()).expect("its hand is known");
        let of = |facts: &Facts| (facts.has.clone(), facts.lacks.clone(), facts.sets.clone(), facts.shown.clone());
        assert_eq!(of(&facts), of(&seat.facts), "seat {me}");
    }
    let View { counted, .. } = story.view(Viewer::Spectator, 0).expect("anybody may look on");
    let counted = counted.expect("few deals");
    assert_eq!(counted.deals, 107_520.0);
    assert!(counted.places[..3].iter().flatten().all(|&chance| (chance - 0.25).abs() < 1e-12));
    assert!(counted.places[4].iter().all(|&chance| (chance - 0.25).abs() < 1e-12));
    let counted = story.view(Viewer::Seat(1), story.turns.len()).and_then(|view| view.counted).expect("counted");
    assert_eq!((counted.triples[0], counted.deals), (([2, 5, 10], 1.0), 1.0));
}

/// A set of cards has 64 places: 64 must not stand for card 0.
#[test]
fn a_number_that_is_no_card_leaves_a_hand_too_small() {
    let mut stories = Stories::default();
    for mut entry in session().entries {
        if let Entry::End { hands, .. } = &mut entry {
            assert_eq!(hands[0], [0, 4, 8]);
            hands[0][0] = 64;
            assert!(stories.entry(&entry).is_err(), "{entry:?}");
            return;
        }
        stories.entry(&entry).expect("a line");
    }
    panic!("the game has no end");
}

#[test]
fn an_observer_counts_the_turns_of_each_seat() {
    let net = session();
    let mut stories = Stories::default();
    net.entries.iter().for_each(|entry| stories.entry(entry).expect("a line"));
    let story = &stories.games[0];
    let facts = story.facts(Viewer::Seat(0), 0).expect("its hand is known");
    let mut observer = Observer::new(vec![0, 1, 2]);
    let game = net.entries.iter().take_while(|entry| !matches!(entry, Entry::End { .. }));
    game.for_each(|entry| observer.entry(entry, &facts, None));
    assert_eq!(observer.result.turns, [3, 3, 1]);
}

fn file(lines: &[String]) -> TemporaryFile {
    let file = TemporaryFile::new();
    fs::write(&file.0, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).expect("a file");
    file
}

#[test]
fn the_program_checks_and_shows_records() {
    let all = lines(&session().entries);
    let record = file(&all);
    let text = said(command(&["replay", record.name()]), b"");
    let right = "right: 2 games at 1 table, 5 hypotheses, 8 answers, 2 accusations, 1 fault; p1 wins 1; nobody 1\n";
    assert_eq!(text, format!("{}: {right}", record.name()));

    let text = said(command(&["show", record.name(), "--view", "1", "--ply", "2"]), b"");
    let expected = "game 0 of table 0, turn 2 of 7: seat 1 (p1)\nhand of p1: 1 6 9\n   \
                    1  p0 suggests 1 6 10; p1 shows 1\n   2  p1 suggests 2 7 8; p2 shows 7\n";
    assert!(text.starts_with(expected), "{text}");
    let row = |text: &str, name: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(name)).expect("a row");
        line.split_whitespace().skip(2).map(str::to_owned).collect()
    };
    assert_eq!(row(&text, "weapon 7 "), ["-", "-", "x", "-"]);
    assert_eq!(row(&text, "place 1 "), ["-", "x", "-", "-"]);
    // A spectator does not know the card, and a seat does not know who accused of what.
    let text = said(command(&["show", record.name(), "--ply", "3"]), b"");
    assert!(text.contains("2  p1 suggests 2 7 8; p2 shows a card\n   3  p2 accuses\n"), "{text}");
    let text = said(command(&["show", record.name(), "--view", "all"]), b"");
    assert!(text.contains("3  p2 accuses: 2 5 9, which is wrong\n") && text.contains("p1 wins.\n"), "{text}");
    let text = said(command(&["show", record.name(), "--game", "1", "--view", "0"]), b"");
    assert!(text.contains("hand of p0: 2 6 10\n   1  p0 makes error 201\n"), "{text}");
}

#[test]
fn what_is_no_record_gets_one_line() {
    let all = lines(&session().entries);
    let mut torn = all.clone();
    let half = torn.pop().expect("lines");
    torn.push(half[..half.len() / 2].to_owned());
    let mut damaged = all.clone();
    damaged[2] = damaged[2].replace("\"seat\":1", "\"seat\":2");
    let mut huge = TemporaryFile::new();
    let mut writer = fs::File::create(&huge.0).expect("a file");
    writer.write_all(&vec![b'{'; 3 << 20]).expect("written");
    let endless = std::mem::replace(&mut huge, TemporaryFile::new());
    fs::write(&huge.0, b"\xff\xfe\n").expect("a file");
    let last = all.len();
    let cases = [
        (file(&torn), format!(":{last}: is not a line: EOF"), Some(1)),
        (file(&damaged), ":3: seat 1 must answer, not 2".to_owned(), Some(1)),
        (file(&all[..last - 1]), ": the record ends within game 1 of table 0".to_owned(), Some(1)),
        (
            file(&["{\"event\":\"start\",\"game\":\"go\"}".to_owned()]),
            ":1: it does not begin like a record".to_owned(),
            Some(1),
        ),
        (file(&[]), ":1: the record is empty".to_owned(), Some(1)),
        (endless, ":1: is longer than 1048576 bytes".to_owned(), Some(1)),
        (huge, ":1: is not text".to_owned(), Some(1)),
    ];
    for (file, wanted, status) in &cases {
        let output = run(command(&["replay", file.name()]), b"");
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!((output.status.code(), error.lines().count()), (*status, 1), "{error}");
        assert!(error.starts_with(&format!("cluedo: {}", file.name())) && error.contains(wanted), "{error}");
    }
    // What can be read of a torn record is shown.
    let output = run(command(&["show", cases[0].0.name(), "--game", "1"]), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("; this is what comes before"), "{output:?}");
    let record = file(&all);
    for (args, wanted) in [
        (&["--view", "3"][..], "--view 3: the seats of this game are 0 to 2"),
        (&["--view", "me"], "write the number of a seat, spectator, or all"),
        (&["--ply", "8"], "--ply 8: this game has 7 turns"),
        (&["--game", "2"], "there is no such game in this record"),
    ] {
        let output = run(command(&[&["show", record.name()], args].concat()), b"");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.code() == Some(2) && error.contains(wanted), "{args:?}: {error}");
    }
    let output = run(command(&["replay", "/"]), b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read /: it is not a regular file"), "{output:?}");
}
