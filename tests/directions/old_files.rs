//! Files of servers whose default was the subject's numbering keep their meaning.

use std::fs;

use amazons::game::{DirectionsArg, GameSettings};
use amazons::tournament::ladder::{LadderHeader, open, read};
use amazons::tournament::{Event, EventError, Header, JOURNAL, Journal, Line, Plan, read_header};
use tempfile::TempDir;

const EVENT: &str = include_str!("../data/old/event/journal.jsonl");
const LADDER: &str = include_str!("../data/old/ladder/journal.jsonl");
const OPTION: &str = "--directions=subject";

fn folder_with(journal: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(JOURNAL), journal).expect("a file");
    folder
}

#[test]
fn events_go_on_as_they_began() {
    let folder = folder_with(EVENT);
    let dir = folder.path();
    let plan = read_header::<Header>(dir).expect("a header").plan;
    assert_eq!(plan.game.options(), [OPTION]);
    assert_eq!(Event::read(dir).expect("an event").results().games(), 3);

    // The same command goes on: it does not name the numbering.
    let mut typed = plan.clone();
    typed.game.directions.clear();
    let mut open = Event::open(dir, typed).expect("the event goes on");
    assert_eq!(open.event.plan().game.options(), [OPTION]);
    open.begin(1, 1).expect("a line");
    drop(open);
    assert_eq!(Event::reopen(dir).expect("it goes on").event.plan().game.options(), [OPTION]);
    let mut lines = 0;
    Journal::open::<Header>(dir, |line| lines += usize::from(matches!(line, Line::Run(_)))).expect("a journal");
    assert_eq!(lines, 2);

    // Other options are still another event, and so is the other numbering.
    let frozen = GameSettings { freeze: true, ..GameSettings::default() };
    let ring = GameSettings { directions: vec![DirectionsArg::Ring], ..GameSettings::default() };
    for game in [frozen, ring] {
        let option = game.options();
        let other = Plan { game, ..plan.clone() };
        let Err(EventError::Changed { differences, .. }) = Event::open(dir, other) else { panic!("{option:?}") };
        assert!(differences[0].starts_with("game: --directions=subject before, "), "{differences:?}");
    }
}

#[test]
fn events_with_the_ring_go_on_without_naming_it() {
    let ring = EVENT.replace("\"game\":[]", "\"game\":[\"--directions=ring\"]");
    assert_ne!(ring, EVENT);
    let folder = folder_with(&ring);
    let mut plan = read_header::<Header>(folder.path()).expect("a header").plan;
    plan.game.directions.clear();
    assert!(Event::open(folder.path(), plan).is_ok());
}

#[test]
fn new_events_have_the_new_default() {
    let plan = read_header::<Header>(folder_with(EVENT).path()).expect("a header").plan;
    let folder = tempfile::tempdir().expect("a folder");
    let mut typed = plan;
    typed.game.directions.clear();
    drop(Event::open(folder.path(), typed.clone()).expect("a new event"));
    assert_eq!(read_header::<Header>(folder.path()).expect("a header").plan.game, GameSettings::default());
    typed.game.directions.push(DirectionsArg::Subject);
    assert!(matches!(Event::open(folder.path(), typed), Err(EventError::Changed { .. })));
}

#[test]
fn ladders_go_on_as_they_began() {
    let folder = folder_with(LADDER);
    let header: LadderHeader = read_header(folder.path()).expect("a header");
    assert_eq!(header.ladder.game.options(), [OPTION]);
    assert_eq!(read(folder.path()).expect("a ladder").results().games(), 4);
    let mut typed = header.ladder;
    typed.game.directions.clear();
    let open = open(folder.path(), Some(typed)).expect("the ladder goes on");
    assert_eq!(open.event.plan().game.options(), [OPTION]);
}
