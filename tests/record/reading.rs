use amazons::record::ReadError;
use amazons::referee::{Call, Event, Termination};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{count_moves, read, written};
use crate::referee::Script;

fn split(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[test]
fn a_record_is_read_back() {
    let bytes = written([Script::Honest; 2], None);
    let record = read(&bytes).expect("our own record");
    assert_eq!(count_moves(&record), record.end.moves as usize);
    assert_eq!(split(&bytes).len(), record.steps.len() + 2);
    assert_eq!(record.start.seed, Some(7));
}

/// Most readers of JSON keep 53 bits of a number.
#[test]
fn large_seeds_are_written_as_text_and_read_as_either() {
    let bytes = written([Script::Honest; 2], None);
    let with = |seed: &str| {
        let text = String::from_utf8(bytes.clone()).expect("text");
        assert!(text.contains("\"seed\":7,"), "{text}");
        text.replacen("\"seed\":7,", &format!("\"seed\":{seed},"), 1)
    };
    for seed in [0, (1 << 53) - 1, 1 << 53, (1 << 53) + 1, u64::MAX] {
        let [number, text] = [seed.to_string(), format!("\"{seed}\"")];
        for form in [&number, &text] {
            let record = read(with(form).as_bytes()).expect("a record");
            assert_eq!(record.start.seed, Some(seed));
            let line = serde_json::to_string(&Event::Start(Box::new(record.start))).expect("a line");
            assert!(line.contains(&format!("\"seed\":{},", if seed < 1 << 53 { &number } else { &text })), "{line}");
        }
    }
    for wrong in ["-1", "1.5", "\"x\"", "\"18446744073709551616\"", "[]"] {
        let error = read(with(wrong).as_bytes()).expect_err("no seed").to_string();
        assert!(error.contains("seed"), "{wrong}: {error}");
    }
}

#[test]
fn a_record_that_stops_early_is_cut_off() {
    let lines = split(&written([Script::Honest; 2], Some(3)));
    for kept in 1..lines.len() {
        let error = read(&lines[..kept].concat()).expect_err("cut off");
        assert!(matches!(error, ReadError::CutOff(line) if line == kept), "{error}");
    }
    for text in ["", "{}", "[]\n", "nonsense", "{\"event\":\"move\"}"] {
        assert!(matches!(read(text.as_bytes()), Err(ReadError::NoRecord)), "{text}");
    }
}

#[test]
fn events_out_of_order_are_refused() {
    let lines = split(&written([Script::Honest; 2], Some(2)));
    let order = |indices: &[usize]| {
        let bytes: Vec<u8> = indices.iter().flat_map(|&index| lines[index].clone()).collect();
        read(&bytes).expect_err("out of order").to_string()
    };
    assert_eq!(order(&[1, 0, 2, 3]), "not a record of this server: its first line is not a start event");
    assert_eq!(order(&[0, 1, 0, 3]), "line 3: expected a move, a fault or an end");
    assert_eq!(order(&[0, 1, 2, 3, 3]), "line 5: expected nothing after the end");
}

#[test]
fn what_is_no_event_is_refused_with_line_and_column() {
    let lines = split(&written([Script::Honest; 2], Some(2)));
    let broken = |line: &[u8]| read(&[&lines[0], line, &lines[2], &lines[3]].concat()).expect_err("no event");
    let error = broken(b"{\"event\":\"move\",,}\n");
    assert!(matches!(error, ReadError::Json { line: 2, column: 17, .. }), "{error}");
    for line in ["\n", "null\n", "{}\n", "{\"event\":\"party\"}\n", "{\"event\":\"move\",\"ply\":-1}\n", "\u{feff}\n"] {
        assert!(matches!(broken(line.as_bytes()), ReadError::Json { line: 2, .. }), "{line:?}");
    }
    assert!(!error.to_string().contains('\n'));
}

#[test]
fn columns_count_from_1() {
    let lines = split(&written([Script::Honest; 2], Some(2)));
    for line in ["\n", " \n", "{\n", "{\"event\":\"move\"\n", "null\n", "{\"event\":\"end\""] {
        let error = read(&[&lines[0], line.as_bytes()].concat()).expect_err("no event");
        assert!(matches!(error, ReadError::Json { line: 2, column: 1.., .. }), "{line:?}: {error}");
    }
}

#[test]
fn blank_lines_may_follow_the_end() {
    let bytes = written([Script::Honest; 2], Some(2));
    let record = read(&bytes).expect("our own record");
    for blank in ["\n", "\r\n", "\n \n\n", " "] {
        assert_eq!(read(&[&bytes, blank.as_bytes()].concat()).expect("a record"), record, "{blank:?}");
    }
    assert!(matches!(read(&[&bytes[..], b"\n{}"].concat()), Err(ReadError::Order { line: 6, .. })));
}

#[test]
fn a_file_may_hold_several_records() {
    let [one, two] = [2, 3].map(|moves| written([Script::Honest; 2], Some(moves)));
    let both = [&one[..], b"\n", &two[..], b"\n"].concat();
    let nth = |number| amazons::record::Record::read_game(&both[..], number);
    for (number, moves) in [(1, 2), (2, 3)] {
        let (record, games) = nth(number).expect("a record");
        assert_eq!((record.end.moves, games), (moves, 2));
    }
    assert_eq!(nth(3).expect_err("too few").to_string(), "there is no game 3: the file holds 2");
    assert_eq!(read(&both).expect("the first").end.moves, 2);
}

#[test]
fn more_than_a_game_can_have_is_not_kept() {
    let lines = split(&written([Script::Fails(Call::Play, 2, Termination::Timeout), Script::Honest], None));
    let error = |line: usize, times: usize| {
        let bytes = [lines[0].clone(), lines[line].repeat(times), lines[lines.len() - 1].clone()].concat();
        read(&bytes).map_err(|error| error.to_string()).map(|_| ())
    };
    assert_eq!(error(1, 16), Ok(()), "as many moves as vertices");
    assert_eq!(error(1, 17), Err("line 18: no game on this board has more than 16 moves".to_owned()));
    assert_eq!(error(3, 4), Ok(()), "two faults of each player");
    assert_eq!(error(3, 5), Err("line 6: no game on this board has more than 4 faults".to_owned()));
}

#[test]
fn a_line_longer_than_any_event_is_refused() {
    let endless = std::io::BufReader::new(std::io::repeat(b' '));
    assert!(matches!(amazons::record::Record::read(endless), Err(ReadError::LineLength(1))));
}

#[test]
fn words_of_closed_sets_are_known() {
    let text = String::from_utf8(written([Script::Honest; 2], Some(1))).expect("JSON is text");
    for (key, word) in [("isolation", "process"), ("clock", "cpu"), ("pondering", "charged"), ("color", "black")] {
        let word = format!("\"{key}\":\"{word}\"");
        assert!(text.contains(&word), "{text}");
        let error = read(text.replacen(&word, &format!("\"{key}\":\"sundial\""), 1).as_bytes()).expect_err(key);
        assert!(error.to_string().contains("unknown variant `sundial`, expected `"), "{error}");
    }
}

#[test]
fn another_format_is_refused() {
    let text = String::from_utf8(written([Script::Honest; 2], Some(1))).expect("JSON is text");
    for format in [1, 2, 3, 5] {
        let expected = format!("not a record of this server: its format is {format}, not 4");
        let other = text.replace("\"format\":4", &format!("\"format\":{format}"));
        assert_eq!(read(other.as_bytes()).expect_err("another format").to_string(), expected);
        // Its other fields may be those of no format.
        let other = format!("{{\"event\":\"start\",\"format\":{format}}}\n");
        assert_eq!(read(other.as_bytes()).expect_err("another format").to_string(), expected);
        let second =
            [&text, &text.replace("\"format\":4", &format!("\"format\":{format}"))].map(String::as_str).concat();
        assert_eq!(read(second.as_bytes()).expect_err("another format").to_string(), expected);
    }
}

#[test]
fn damaged_records_never_panic() {
    let bytes = written([Script::Honest; 2], Some(6));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let (mut unread, mut refuted) = (0, 0);
    for _ in 0..5000 {
        let mut damaged = bytes.clone();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..damaged.len());
            match rng.random_range(0..3) {
                0 => damaged[at] = rng.random(),
                1 => damaged[at] = b"0123456789{}[]\",:"[rng.random_range(0..17)],
                _ => drop(damaged.drain(at..(at + rng.random_range(1..9)).min(damaged.len()))),
            }
        }
        match read(&damaged).map(|record| record.verify()) {
            Err(_) => unread += 1,
            Ok(Err(_)) => refuted += 1,
            Ok(Ok(_)) => {}
        }
    }
    assert!(unread > 100 && refuted > 100, "{unread} not read, {refuted} refuted");
}
