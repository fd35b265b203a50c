//! Records: refused, or read as the game they were made from.

use std::sync::OnceLock;

use amazons::record::{JsonLines, Record, Step};
use amazons::referee::{Call, Observer, PlayerNumber, Termination};
use amazons_rules::{Color, Move};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use super::check;
use super::mutation::{Mutation, mutation, number};
use crate::referee::{Script, a_match, play};

const CASES: u32 = 1500;
const ALPHABET: &[u8] = b"0123456789{}[]\",:-*qQ/ wb_nul";

/// Records of games on two boards, with every kind of end.
fn originals() -> &'static [Vec<u8>] {
    static ORIGINALS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ORIGINALS.get_or_init(|| {
        let illegal = Script::Answers(2, Move { from: 0, to: 0, arrow: 0 });
        let fails = |call| Script::Fails(call, 1, Termination::Timeout);
        let honest = Script::Honest;
        let games = [
            ([honest; 2], None),
            ([honest; 2], Some(2)),
            ([honest; 2], Some(0)),
            ([illegal, honest], None),
            ([honest, illegal], Some(9)),
            ([fails(Call::Load), honest], None),
            ([fails(Call::Load), fails(Call::Name)], None),
            ([fails(Call::Initialize), fails(Call::Load)], None),
            ([honest, fails(Call::Play)], None),
            ([fails(Call::Finalize), fails(Call::Finalize)], Some(3)),
            ([Script::HostFails(Call::Play, 2), honest], None),
            ([Script::HostFails(Call::Finalize, 1), fails(Call::Play)], None),
        ];
        let boards = ["q2q/4/4/Q2Q b", "1q1q1/q2*q/5/Q3Q/1Q1Q1 w - - 0 17", "q*2/1*2/2Q1 b"];
        let game = |(text, (scripts, limit)): (&str, ([Script; 2], Option<u32>))| {
            let first = if limit.is_some() { PlayerNumber::Two } else { PlayerNumber::One };
            let game = a_match(text, first, limit);
            let (_, events, _) = play(&game, scripts);
            let mut bytes = Vec::new();
            for event in &events {
                JsonLines::new(&mut bytes).observe(event, &game.position).expect("memory takes everything");
            }
            bytes
        };
        let all = boards.into_iter().flat_map(|text| games.into_iter().map(move |played| (text, played)));
        all.map(game).filter(|bytes| read(bytes).is_some_and(|record| record.verify().is_ok())).collect()
    })
}

fn read(bytes: &[u8]) -> Option<Record> {
    Record::read(bytes).ok()
}

/// One change to a record.
#[derive(Clone, Debug)]
enum Change {
    Bytes(Mutation),
    DeleteLine(Index),
    RepeatLine(Index, Index),
    SwapLines(Index, Index),
    /// A move or fault of another record replaces one; its start or end would make it that other game.
    StealLine(Index, Index, Index),
    /// A number grows or shrinks by a little.
    Count(Index, i64),
    /// One string becomes another of the same record.
    CopyString(Index, Index),
    Null(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        3 => mutation(ALPHABET).prop_map(Change::Bytes),
        1 => mutation(b"").prop_map(Change::Bytes),
        1 => at().prop_map(Change::DeleteLine),
        1 => (at(), at()).prop_map(|(one, two)| Change::RepeatLine(one, two)),
        1 => (at(), at()).prop_map(|(one, two)| Change::SwapLines(one, two)),
        1 => (at(), at(), at()).prop_map(|(whose, which, to)| Change::StealLine(whose, which, to)),
        3 => (at(), -3..4_i64).prop_map(|(which, by)| Change::Count(which, by)),
        2 => (at(), number()).prop_map(|(which, to)| Change::Bytes(Mutation::Decimal(which, to.to_string()))),
        3 => (at(), at()).prop_map(|(one, two)| Change::CopyString(one, two)),
        2 => at().prop_map(Change::Null),
    ]
}

impl Change {
    fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let count = lines.len();
        if count == 0 {
            return bytes.to_vec();
        }
        match self {
            Self::Bytes(mutation) => {
                let mut bytes = bytes.to_vec();
                mutation.apply(&mut bytes);
                return bytes;
            }
            Self::DeleteLine(at) => drop(lines.remove(at.index(count))),
            Self::RepeatLine(from, to) => lines.insert(to.index(count + 1), lines[from.index(count)]),
            Self::SwapLines(one, two) => lines.swap(one.index(count), two.index(count)),
            Self::StealLine(whose, which, to) => {
                let other = whose.get(originals());
                let theirs: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
                if theirs.len() > 2 && count > 2 {
                    lines[1 + to.index(count - 2)] = theirs[1 + which.index(theirs.len() - 2)];
                }
            }
            Self::Count(which, by) => return self.replace_number(bytes, *which, *by),
            Self::CopyString(from, to) => {
                let strings = strings(bytes);
                if let [_, ..] = strings[..] {
                    let (start, end) = strings[from.index(strings.len())];
                    let copied = bytes[start..end].to_vec();
                    let (start, end) = strings[to.index(strings.len())];
                    return [&bytes[..start], &copied, &bytes[end..]].concat();
                }
            }
            Self::Null(which) => {
                let strings = strings(bytes);
                if let [_, ..] = strings[..] {
                    let (start, end) = strings[which.index(strings.len())];
                    return [&bytes[..start], b"null", &bytes[end..]].concat();
                }
            }
        }
        lines.concat()
    }

    fn replace_number(&self, bytes: &[u8], which: Index, by: i64) -> Vec<u8> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let is_start = |&at: &usize| {
            text.as_bytes()[at].is_ascii_digit() && (at == 0 || !text.as_bytes()[at - 1].is_ascii_alphanumeric())
        };
        let starts: Vec<usize> = (0..text.len()).filter(is_start).collect();
        if starts.is_empty() {
            return bytes.to_vec();
        }
        let start = starts[which.index(starts.len())];
        let len = text[start..].bytes().take_while(u8::is_ascii_digit).count();
        let number: i64 = text[start..start + len].parse().unwrap_or(0);
        format!("{}{}{}", &text[..start], number.wrapping_add(by), &text[start + len..]).into_bytes()
    }
}

/// The places of strings that are values, including quotes; our records escape no quotes.
fn strings(bytes: &[u8]) -> Vec<(usize, usize)> {
    let quotes: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'"').collect();
    let pairs = quotes.as_chunks::<2>().0.iter().map(|&[start, end]| (start, end + 1));
    pairs.filter(|&(_, end)| bytes.get(end) != Some(&b':')).collect()
}

/// The facts in a record that the game itself confirms. All others cannot be checked: times, names, files, words.
#[derive(Debug, PartialEq)]
struct Confirmed {
    board: (Option<char>, u32, u32, Vec<u32>),
    queens: [Vec<u32>; 2],
    start: String,
    colors: [Color; 2],
    first: PlayerNumber,
    limit: Option<u32>,
    facts: Vec<Fact>,
    end: (Option<PlayerNumber>, Option<Termination>, u32, String, String),
}

#[derive(Debug, PartialEq)]
enum Fact {
    Move(u32, PlayerNumber, Move, String),
    Fault { player: PlayerNumber, termination: Option<Termination>, in_play: bool, illegal: bool, position: String },
}

fn confirmed(record: Record) -> Confirmed {
    let Record { start, steps, end } = record;
    // Any limit that was not reached would do.
    let limit = start.rules().max_moves.filter(|_| end.termination == Some(Termination::MaxMoves));
    let mut queens = [start.queens.black, start.queens.white];
    queens.iter_mut().for_each(|list| list.sort_unstable());
    Confirmed {
        board: (start.board.shape, start.board.columns, start.board.rows, start.board.holes),
        queens,
        start: start.position,
        colors: start.players.map(|player| player.color),
        first: start.first,
        limit,
        facts: facts(steps, end.termination),
        end: (end.winner, end.termination, end.moves, end.position, end.hash),
    }
}

fn facts(steps: Vec<Step>, termination: Option<Termination>) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut decided = false;
    for step in steps {
        match step {
            Step::Move(mv) => facts.push(Fact::Move(mv.ply, mv.player, mv.played(), mv.text)),
            // Faults that decide nothing may or may not have happened.
            Step::Fault(fault) if termination == Some(Termination::Void) || fault.call == Call::Finalize => {}
            Step::Fault(fault) => {
                facts.push(Fact::Fault {
                    player: fault.player,
                    termination: Some(fault.termination).filter(|_| !decided),
                    in_play: fault.call == Call::Play,
                    illegal: fault.answer.is_some(),
                    position: fault.position,
                });
                decided = true;
            }
        }
    }
    facts
}

fn judge(original: &[u8], changed: &[u8]) -> TestCaseResult {
    let Ok(record) = Record::read(changed) else { return Ok(()) };
    let Ok(position) = record.verify() else { return Ok(()) };
    prop_assert_eq!(&position.to_string(), &record.end.position);
    let original = read(original).expect("our own record");
    prop_assert_eq!(confirmed(record), confirmed(original));
    Ok(())
}

#[test]
fn there_are_originals() {
    assert!(originals().len() >= 28, "{}", originals().len());
    for original in originals() {
        judge(original, original).expect("the record is true");
    }
}

#[test]
fn noise_is_no_record() {
    let token = proptest::sample::select(
        &[
            "{",
            "}",
            "[",
            "]",
            "\"event\"",
            ":",
            ",",
            "\"start\"",
            "\"end\"",
            "\"move\"",
            "null",
            "1",
            "-1",
            "1e9",
            "\n",
        ][..],
    );
    let nested = (0..3000_usize).prop_map(|depth| "[".repeat(depth));
    let event = any::<String>().prop_map(|text| format!("{{\"event\":\"start\",\"board\":{text}"));
    let noise = prop_oneof![vec(token, 0..40).prop_map(|tokens| tokens.concat()), any::<String>(), nested, event];
    check("record noise", CASES, &noise, |text| {
        prop_assert!(read(text.as_bytes()).is_none());
        Ok(())
    });
    check("record bytes", CASES, &vec(any::<u8>(), 0..300), |bytes| {
        prop_assert!(read(&bytes).is_none());
        Ok(())
    });
}

#[test]
fn one_change_is_noticed_or_does_not_matter() {
    check("changed records", CASES, &(any::<Index>(), change()), |(which, change)| {
        let original = which.get(originals());
        judge(original, &change.apply(original))
    });
}

#[test]
fn many_changes_never_panic() {
    check("damaged records", CASES, &(any::<Index>(), vec(change(), 2..6)), |(which, changes)| {
        let original = which.get(originals()).clone();
        let changed = changes.iter().fold(original, |bytes, change| change.apply(&bytes));
        if let Some(record) = read(&changed) {
            let _ = record.verify().map(|position| assert_eq!(position.to_string(), record.end.position));
        }
        Ok(())
    });
}
