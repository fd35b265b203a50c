use std::collections::BTreeMap;
use std::fs;

use amazons::game::{GameSettings, PlayerSettings};
use amazons::referee::{PlayerNumber, Termination};
use amazons::tournament::{
    Entrant, Event, EventError, EventLine, Format, GameLine, Header, JOURNAL, OpenEvent, Openings, Plan, Records,
    log_path, record_path,
};
use amazons_program::journal::{self, Journal, JournalError};

use crate::cli::{player, server};

/// A plan with two commands, which need no file.
pub(super) fn plan() -> Plan {
    let entrant = |name: &str| Entrant {
        name: name.to_owned(),
        file: format!("bridge:{name}").into(),
        sha256: None,
        directions: None,
        own: PlayerSettings::default(),
    };
    Plan {
        format: Format::RoundRobin { pairs: 3 },
        players: vec![entrant("a"), entrant("b")],
        boards: vec!["c10".to_owned()],
        openings: Openings::Random { plies: 4 },
        seed: 1,
        records: Records::All,
        game: GameSettings::default(),
        withdrawn: BTreeMap::new(),
    }
}

/// A finished game between the first two players.
pub(super) fn line(pair: u32, game: u8, winner: Option<PlayerNumber>) -> GameLine {
    GameLine {
        pair,
        game,
        players: ["a".to_owned(), "b".to_owned()],
        winner,
        termination: if winner.is_some() { Termination::NoMoves } else { Termination::MaxMoves },
        at_fault: Vec::new(),
        moves: 40 + pair,
        fingerprint: format!("{:016x}", u64::from(pair) << 8 | u64::from(game)),
        slowest_us: [1, 2],
        wall_us: 3,
        idle_us: [0, 0],
        host: "here".to_owned(),
        speed: 1.5,
        record: Some(record_path(pair, game)),
        logs: [None, None],
    }
}

fn header() -> Header {
    Header::new(plan())
}

fn lines() -> Vec<EventLine> {
    let winners = [Some(PlayerNumber::One), Some(PlayerNumber::Two), None];
    (0..6)
        .map(|index| EventLine::Game(line(index / 2 + 1, (index % 2) as u8 + 1, winners[index as usize % 3])))
        .collect()
}

#[test]
fn what_was_appended_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::create(&folder.path().join(JOURNAL), &header()).expect("a journal");
    for line in lines() {
        journal.append(&line).expect("room");
    }
    journal.sync().expect("a disk");
    let mut found = Vec::new();
    let opened = Journal::open::<Header, JournalError>(&folder.path().join(JOURNAL), |_, line| {
        found.push(line);
        Ok(())
    });
    let (_, read) = opened.expect("a journal");
    assert_eq!((read.header, read.torn), (header(), 0));
    assert_eq!(found, lines());
    let again = Journal::create(&folder.path().join(JOURNAL), &header());
    assert!(matches!(again, Err(JournalError::Io { .. })), "a journal is never made anew: {again:?}");
}

#[test]
fn a_journal_torn_at_any_byte_loses_its_last_line_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(JOURNAL);
    let mut journal = Journal::create(&folder.path().join(JOURNAL), &header()).expect("a journal");
    let mut lengths = Vec::new();
    for line in lines() {
        lengths.push(fs::metadata(&path).expect("a file").len() as usize);
        journal.append(&line).expect("room");
    }
    drop(journal);
    let whole = fs::read(&path).expect("a file");
    let before_last = *lengths.last().expect("lines");
    for cut in before_last..=whole.len() {
        fs::write(&path, &whole[..cut]).expect("room");
        let mut found = Vec::new();
        let opened = Journal::open::<Header, JournalError>(&path, |_, line| {
            found.push(line);
            Ok(())
        });
        let (mut journal, read) = opened.expect("a journal");
        let is_whole = cut == whole.len();
        assert_eq!(found.len(), if is_whole { 6 } else { 5 }, "cut at {cut}");
        assert_eq!(read.torn, if is_whole { 0 } else { (cut - before_last) as u64 });
        if !is_whole {
            journal.append(&lines()[5]).expect("room");
            assert_eq!(
                fs::read(&path).expect("a file"),
                whole,
                "the journal is as if nothing had happened, cut at {cut}"
            );
        }
    }
}

#[test]
fn reading_a_torn_journal_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(JOURNAL);
    let mut journal = Journal::create(&folder.path().join(JOURNAL), &header()).expect("a journal");
    journal.append(&lines()[0]).expect("room");
    let whole = fs::read(&path).expect("a file");
    fs::write(&path, &whole[..whole.len() - 5]).expect("room");
    let mut found = Vec::new();
    let read = journal::read::<Header, JournalError>(&path, |number, line| {
        found.push((number, line));
        Ok(())
    });
    let read = read.expect("a journal");
    assert!(found.is_empty() && read.torn > 0);
    assert_eq!(fs::read(&path).expect("a file").len(), whole.len() - 5);
}

#[test]
fn the_first_refused_line_ends_the_reading_and_nothing_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(JOURNAL);
    let mut journal = Journal::create(&path, &header()).expect("a journal");
    for line in lines() {
        journal.append(&line).expect("room");
    }
    // Neither what is damaged behind it nor a torn line is looked at.
    let text = fs::read_to_string(&path).expect("text").replacen("\"pair\":2", "\"pair\":\"x\"", 1) + "{\"torn";
    fs::write(&path, &text).expect("room");
    let refuse = |number, _| Err(JournalError::Refused(format!("line {number}")));
    for refused in [Journal::open::<Header, _>(&path, refuse).err(), journal::read::<Header, _>(&path, refuse).err()] {
        assert_eq!(refused.expect("an error").to_string(), "line 2");
    }
    assert_eq!(fs::read_to_string(&path).expect("text"), text);
}

#[test]
fn damage_in_the_middle_is_said_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(JOURNAL);
    let mut journal = Journal::create(&folder.path().join(JOURNAL), &header()).expect("a journal");
    for line in lines() {
        journal.append(&line).expect("room");
    }
    let text = fs::read_to_string(&path).expect("text");
    let error_of = |text: &str| {
        fs::write(&path, text).expect("room");
        Journal::open::<Header, JournalError>(&path, |_, _| Ok(())).expect_err("damage").to_string()
    };
    let damaged = error_of(&text.replacen("\"pair\":2", "\"pair\":\"x\"", 1));
    assert!(damaged.contains("journal.jsonl: line 4 is damaged (invalid type"), "{damaged}");
    for format in [2, 4] {
        let unknown = error_of(&text.replacen("{\"journal\":3", &format!("{{\"journal\":{format}"), 1));
        assert!(unknown.contains(&format!("journal format {format} is not known: ")), "{unknown}");
    }
    let nothing = error_of("");
    assert!(nothing.contains("the first line, the plan, is missing"), "{nothing}");
    let half = error_of(&text[..40]);
    assert!(half.contains("the first line, the plan, is missing"), "{half}");
}

#[test]
fn a_new_journal_has_a_table_of_settings_that_resumes() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path().join("event").display().to_string();
    let begun = |pairs: &'static str, init_time: &'static str| {
        let options =
            ["--boards=c5", "-j1", "--dir", &dir, "--move-time=2", "--memory=64M", "--freeze", init_time, pairs];
        let players = [player("random"), player("territory")];
        server(["tournament", "-q"].into_iter().chain(options).map(str::to_owned).chain(players))
    };
    let ran = begun("--pairs=1", "--init-time=15");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let journal = fs::read_to_string(root.path().join("event/journal.jsonl")).expect("a journal");
    let header = journal.lines().next().expect("a line");
    assert!(header.starts_with("{\"journal\":3,"), "{header}");
    let table = "\"game\":{\"freeze\":true,\"memory\":67108864,\"move-time\":\"2000ms\"}";
    assert!(header.contains(table), "the defaults are left out: {header}");
    let refused = begun("--pairs=2", "--init-time=3");
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("holds another event: init-time: "), "{}", refused.err);
    let ran = begun("--pairs=2", "--init-time=15");
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("going on after 2 games"), "{}", ran.err);
}

#[test]
fn game_lines_may_stand_in_any_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b] = <[Entrant; 2]>::try_from(plan().players).expect("two players");
    let [c, d] =
        ["c", "d"].map(|name| Entrant { name: name.to_owned(), file: format!("bridge:{name}").into(), ..a.clone() });
    let format = Format::Swiss { rounds: 2, pairs: 1 };
    let mut open = Event::open(folder.path(), Plan { format, players: vec![a, b, c, d], ..plan() }).expect("an event");
    for number in 1..=4 {
        let pair = open.event.schedule().pairs()[number as usize - 1];
        let players = pair.players.map(|id| open.event.plan().players[id].name.clone());
        for game in [1, 2] {
            let line = line(number, game, Some(PlayerNumber::One));
            open.add(GameLine { players: players.clone(), ..line }).expect("room");
        }
    }
    assert!(open.event.is_over());
    let (pairs, path) = (open.event.schedule().pairs().to_vec(), folder.path().join(JOURNAL));
    let text = fs::read_to_string(&path).expect("text");
    let (first, games) = text.split_once('\n').expect("a first line");
    let turned: String = games.lines().rev().map(|line| format!("{line}\n")).collect();
    fs::write(&path, format!("{first}\n{turned}")).expect("room");
    let event = Event::read(folder.path()).expect("an event");
    assert!(event.is_over() && event.results().games() == 8);
    assert_eq!(event.schedule().pairs(), pairs);
    let other = turned.replacen("\"players\":[\"", "\"players\":[\"z", 1);
    fs::write(&path, format!("{first}\n{other}")).expect("room");
    let refused = Event::read(folder.path()).expect_err("another player");
    assert!(matches!(refused, EventError::Foreign { .. }), "{refused}");
    assert!(refused.to_string().contains("a game of pair 4 in the journal is not in its plan"), "{refused}");
}

/// Writes down a won pair of games.
fn play_pair(open: &mut OpenEvent, number: u32) {
    let pair = open.event.schedule().pairs()[number as usize - 1];
    let players = pair.players.map(|id| open.event.plan().players[id].name.clone());
    for game in [1, 2] {
        open.add(GameLine { players: players.clone(), ..line(number, game, Some(PlayerNumber::One)) }).expect("room");
    }
}

/// An event of four players.
fn four(format: Format) -> Plan {
    let [a, b] = <[Entrant; 2]>::try_from(plan().players).expect("two players");
    let [c, d] =
        ["c", "d"].map(|name| Entrant { name: name.to_owned(), file: format!("bridge:{name}").into(), ..a.clone() });
    Plan { format, players: vec![a, b, c, d], ..plan() }
}

#[test]
fn a_plan_may_add_pairs_and_take_none_away() {
    for (less, more) in [
        (Format::RoundRobin { pairs: 2 }, Format::RoundRobin { pairs: 3 }),
        (Format::Gauntlet { pairs: 2, seeds: 1 }, Format::Gauntlet { pairs: 3, seeds: 1 }),
        (Format::Swiss { rounds: 2, pairs: 1 }, Format::Swiss { rounds: 3, pairs: 1 }),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = || fs::read_to_string(folder.path().join(JOURNAL)).expect("text");
        let mut open = Event::open(folder.path(), four(less)).expect("an event");
        for number in 1.. {
            play_pair(&mut open, number);
            if open.event.is_over() {
                break;
            }
        }
        let (pairs, before) = (open.event.schedule().pairs().to_vec(), journal());
        drop(open);
        let mut open = Event::open(folder.path(), four(more)).expect("the same event with more pairs");
        assert!(!open.event.is_over() && open.event.results().whole_pairs() == pairs.len());
        assert_eq!(open.event.schedule().pairs()[..pairs.len()], pairs, "what was played is the beginning");
        play_pair(&mut open, pairs.len() as u32 + 1);
        drop(open);
        let after = journal();
        assert!(after.split_once('\n').expect("lines").1.starts_with(before.split_once('\n').expect("lines").1));
        assert_eq!(Event::read(folder.path()).expect("an event").plan().format, more, "the journal has the new plan");
        let refused = Event::open(folder.path(), four(less)).expect_err("fewer pairs").to_string();
        assert!(refused.contains(&format!("format: {more} before, {less} now")), "{refused}");
    }
}

#[test]
fn a_player_of_a_swiss_event_can_be_withdrawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = four(Format::Swiss { rounds: 3, pairs: 1 });
    let mut open = Event::open(folder.path(), plan.clone()).expect("an event");
    play_pair(&mut open, 1);
    drop(open);
    let dir = folder.path().display().to_string();
    let withdraw = |name: &str| server(["tournament", "withdraw", &dir, name]);
    let ran = withdraw("c");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, "c plays no more after round 1: the same command goes on\n");
    let mut open = Event::open(folder.path(), plan).expect("the same plan goes on");
    assert_eq!(open.event.results().games(), 2);
    for number in 2.. {
        play_pair(&mut open, number);
        if open.event.is_over() {
            break;
        }
    }
    let pairs = open.event.schedule().pairs();
    assert_eq!(pairs.len(), 4, "two in the first round, then one");
    assert!(pairs[..2].iter().any(|pair| pair.players.contains(&2)), "the round that was on is finished");
    assert!(pairs[2..].iter().all(|pair| !pair.players.contains(&2)));
    drop(open);
    let rated = server(["rate", &dir]);
    assert!(rated.out.contains("note: c was withdrawn after round 1\n"), "{}{}", rated.out, rated.err);
    for (name, expected) in [
        ("x", "there is no player x: use one of a, b, c, d"),
        ("c", "c was withdrawn after round 1"),
        ("a", "a cannot be withdrawn: no round is left after this one"),
    ] {
        let ran = withdraw(name);
        assert_eq!((ran.status, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

/// A round that nobody has begun is paired again without the player.
#[test]
fn a_withdrawal_between_rounds_takes_effect_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = four(Format::Swiss { rounds: 3, pairs: 1 });
    drop(Event::open(folder.path(), plan.clone()).expect("an event"));
    let dir = folder.path().display().to_string();
    let withdraw = |name: &str| server(["tournament", "withdraw", &dir, name]).out;
    assert_eq!(withdraw("d"), "d plays no more from the first round on: the same command goes on\n");
    let mut open = Event::open(folder.path(), plan.clone()).expect("the same plan goes on");
    assert_eq!(open.event.schedule().pairs().len(), 1, "three players are left");
    play_pair(&mut open, 1);
    assert_eq!(open.event.schedule().stages(), 2);
    drop(open);
    assert_eq!(withdraw("c"), "c plays no more after round 1: the same command goes on\n");
    let open = Event::open(folder.path(), plan).expect("the same plan goes on");
    let last = open.event.schedule().pairs().last().expect("a pair").players;
    assert_eq!((open.event.schedule().stages(), [last[0].min(last[1]), last[0].max(last[1])]), (2, [0, 1]));
    drop(open);
    // Once a task of the round is begun, the round is finished with everybody.
    fs::create_dir(folder.path().join("tasks")).expect("a folder");
    fs::write(folder.path().join("tasks/000002.lock"), "").expect("a file");
    assert_eq!(withdraw("a"), "a plays no more after round 2: the same command goes on\n");
    let rated = server(["rate", &dir]).out;
    for note in
        ["a was withdrawn after round 2", "c was withdrawn after round 1", "d was withdrawn before the first round"]
    {
        assert!(rated.contains(&format!("note: {note}\n")), "{rated}");
    }
}

#[test]
fn files_of_games_have_names_of_their_own() {
    assert_eq!(record_path(12, 1), "records/000/000012-1.jsonl");
    assert_eq!(record_path(1_234_567, 2), "records/1234/1234567-2.jsonl");
    assert_eq!(log_path(999, 2, PlayerNumber::Two), "logs/000/000999-2-player2.log");
}
