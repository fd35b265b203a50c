//! A match as one seat hears it: the same story as the server's record, the same knowledge as the seat's own.

use cluedo::bots::Kind;
use cluedo::deal::stream;
use cluedo::line::message::{Answer, Fault, Line};
use cluedo::line::options::Options;
use cluedo::line::seat::Seat;
use cluedo::record::{Act, Answered, Ending, SeatLog, Stories, Story, Viewer};
use rand::RngExt as _;

use super::driver::{Bots, Net, SESSION, honest};

fn line(text: &str) -> Line {
    Line::parse(text.as_bytes()).unwrap_or_else(|| panic!("{text:?}"))
}

/// What a seat can tell of a turn, from a turn of the record.
fn as_heard(story: &Story, me: usize, of_record: &Story) {
    assert_eq!(story.turns.len(), of_record.turns.len(), "{:?} {:?}", story.turns, of_record.turns);
    for (heard, told) in story.turns.iter().zip(&of_record.turns) {
        assert_eq!(heard.seat, told.seat);
        match (&heard.act, &told.act) {
            (
                Act::Suggestion { cards, passed, shown },
                Act::Suggestion { cards: named, passed: without, shown: truth },
            ) => {
                assert_eq!((cards, passed), (named, without));
                let is_seen = |by: &Answered| by.seat == me || told.seat == me;
                let wanted = truth.map(|by| Answered { card: by.card.filter(|_| is_seen(&by)), ..by });
                assert_eq!(*shown, wanted);
            }
            (Act::Accusation { cards: Some(cards) }, Act::Accusation { cards: truth }) => {
                assert!(heard.seat == me && Some(*cards) == *truth, "{cards:?} {truth:?}");
            }
            (Act::Accusation { cards: None }, Act::Accusation { .. }) => assert_ne!(heard.seat, me),
            other => panic!("{other:?}"),
        }
    }
}

/// Every seat's story is that of the record without what the seat may not know, and its facts are the seat's facts.
#[test]
fn the_record_with_less_in_it() {
    let kinds =
        [[Kind::Bot1, Kind::Bot2, Kind::Bot3, Kind::Bot2Extended], [Kind::Bot0, Kind::Bot1, Kind::Bot2, Kind::Bot1]];
    let mut inferred = 0;
    for (players, seed) in [(2, 1), (3, 2), (4, 3), (4, 4), (4, 5)] {
        let mut options = Options::new(players, 1);
        options.seed = seed;
        let kinds = &kinds[usize::from(seed > 3)][..players];
        let mut heard: Vec<SeatLog> = (0..players).map(|seat| SeatLog::new(seat, players)).collect();
        let mut net = Net::seated(options);
        let mut bots = Bots::new(kinds, seed);
        // What each seat has heard is taken by the bots: a copy is heard first.
        loop {
            for (seat, heard) in heard.iter_mut().enumerate() {
                let own = std::mem::take(&mut net.heard[seat]);
                for text in own.lines().filter(|text| !text.starts_with('B')) {
                    heard.hear(line(text));
                    let answer = bots.players[seat].answer(line(text));
                    let facts = &bots.players[seat].seat.facts;
                    if let Some(story) = heard.story.as_ref().filter(|story| story.ending.is_none()) {
                        let told = story.facts(Viewer::Seat(seat), story.turns.len()).expect("the own hand is known");
                        assert_eq!(
                            (&told.has, &told.lacks, &told.sets, &told.shown),
                            (&facts.has, &facts.lacks, &facts.sets, &facts.shown)
                        );
                    }
                    if let Some(answer) = answer {
                        assert!(heard.only_answer().is_none_or(|only| only == answer));
                        heard.says(&answer);
                        let _ = honest(&answer.to_string()).map(|bytes| net.send(seat, &bytes));
                    }
                }
            }
            if net.heard.iter().all(String::is_empty) {
                break;
            }
        }
        // Bot 0 shows nothing: the game waits until that is an error.
        net.wait(60_000_000);
        for (seat, heard) in heard.iter_mut().enumerate() {
            let rest = std::mem::take(&mut net.heard[seat]);
            rest.lines().for_each(|text| heard.hear(line(text)));
        }
        let mut stories = Stories::default();
        net.entries.iter().for_each(|entry| stories.entry(entry).expect("an entry"));
        let mut of_record = stories.games.remove(0);
        of_record.turns.retain(|turn| !matches!(turn.act, Act::Fault(_)));
        for (seat, heard) in heard.iter().enumerate() {
            let mut story = heard.story.as_ref().expect("a game").clone();
            assert_eq!(story.ending, of_record.ending);
            assert_eq!((heard.ended, heard.wins), (1, u64::from(of_record.ending == Some(Ending::Won(seat)))));
            story.turns.retain(|turn| !matches!(turn.act, Act::Fault(_)));
            inferred += story.turns.iter().filter(|turn| turn.act == Act::Accusation { cards: None }).count();
            // Whoever accuses last, before an error, may not be missed by anybody.
            if !matches!(of_record.ending, Some(Ending::Error(_))) {
                as_heard(&story, seat, &of_record);
            }
        }
    }
    assert!(inferred > 0);
}

/// The session of the specification, seat by seat.
#[test]
fn the_session() {
    for (seat, script) in SESSION.iter().enumerate() {
        let mut heard = SeatLog::new(seat, 3);
        let mut games = Vec::new();
        for text in script.split(';').map(str::trim).filter(|text| !text.contains('B')) {
            match text.strip_prefix('<') {
                Some(said) => heard.says(&Answer::parse(said.as_bytes()).expect("an answer")),
                None => heard.hear(line(text)),
            }
            if text.starts_with(['F', 'E']) {
                games.push(heard.story.as_ref().expect("a game").clone());
            }
        }
        let [first, second] = &games[..] else { panic!("{games:?}") };
        let seats: Vec<usize> = first.turns.iter().map(|turn| turn.seat).collect();
        assert_eq!((seats, first.ending), (vec![0, 1, 2, 0, 1, 0, 1], Some(Ending::Won(1))));
        let wrong = (seat == 2).then_some(([2, 5, 9], false));
        assert_eq!(first.turns[2].act, Act::Accusation { cards: wrong });
        let right = (seat == 1).then_some(([2, 5, 10], true));
        assert_eq!(first.turns[6].act, Act::Accusation { cards: right });
        assert_eq!(second.ending, Some(Ending::Error(201)));
        assert_eq!((heard.ended, heard.wins), (2, u64::from(seat == 1)));
    }
}

/// What foreign servers may do changes nothing: the same lines with an echo, and answers in another order, tell the same.
#[test]
fn habits_of_foreign_servers() {
    let tell = |lines: &[&str]| {
        let mut heard = SeatLog::new(0, 3);
        for text in lines {
            match text.strip_prefix('<') {
                Some(said) => heard.says(&Answer::parse(said.as_bytes()).expect("an answer")),
                None => heard.hear(line(text)),
            }
        }
        heard.story.as_ref().expect("a game").clone()
    };
    let plain = tell(&["C 0 4 8", "T", "<H 1 6 10", "P 1", "M 2 10", "H 2 7 8", "C", "<M 8", "M 0", "E 202"]);
    let strange = tell(&[
        "C  8 04 0 ",
        "T ",
        "<H 1 6 10",
        "H 1 6 10",
        "P 1 ",
        "M 2",
        "M 2 10",
        "M 2",
        "H 2 7 8",
        "C ",
        "<M 8",
        "E 202",
    ]);
    assert_eq!(plain, strange);
    let shown = Some(Answered { seat: 2, card: Some(10) });
    assert_eq!(plain.turns[0].act, Act::Suggestion { cards: [1, 6, 10], passed: vec![1], shown });
}

/// Any lines in any order: no panic, and a story that fits the seat.
#[test]
fn any_lines_in_any_order() {
    for seed in 0..200 {
        let mut rng = stream(seed, 0, 0, "heard");
        let players = 2 + (seed % 4) as usize;
        let mut heard = SeatLog::new(0, players);
        let cards = 3 * (players + 1);
        for _ in 0..80 {
            let mut any = |end: usize| rng.random_range(0..end);
            let named = [any(players + 1), players + 1 + any(players + 1), 2 * players + 2 + any(players + 1)];
            let line = match any(14) {
                0 | 1 => Line::Hand([0, players + 1, 2 * players + 2].into_iter().collect()),
                2 if any(4) == 0 => Line::Won(any(players + 1)),
                2 => Line::Error([202, 301, 104, 7][any(4)]),
                3 => Line::Hypothesis([any(cards + 2), any(cards), any(cards)]),
                4 | 5 => Line::Hypothesis(named),
                6 => Line::Pass(any(players + 1)),
                7 => Line::Shown(any(players + 1)),
                8 => Line::ShownToYou(any(players + 1), any(cards + 1)),
                9 => Line::Nobody,
                10 | 11 => Line::Ask,
                _ => Line::Turn,
            };
            heard.hear(line);
            if let Some(answer) = heard.only_answer() {
                heard.says(&answer);
            } else if let Some(card) = heard.choices().first() {
                heard.says(&Answer::Show(card));
            } else if heard.request.is_some() {
                heard.says(&if any(4) == 0 { Answer::Accusation(named) } else { Answer::Hypothesis(named) });
            }
            assert_eq!(heard.request, None);
            if let Some(story) = &heard.story {
                assert!(story.view(Viewer::Seat(0), story.turns.len()).is_some() && story.secret.is_none());
            }
        }
    }
}

/// Both sets of numbers are understood, and no other.
#[test]
fn numbers_of_errors() {
    let faults = [
        (Fault::Hello, &[101, 103][..]),
        (Fault::Action, &[201, 111]),
        (Fault::NoAction, &[202, 112]),
        (Fault::Card, &[211, 121]),
        (Fault::NoCard, &[212, 122]),
        (Fault::Limit, &[301, 104]),
    ];
    let known: Vec<u32> = faults.iter().flat_map(|(_, codes)| codes.to_vec()).collect();
    for (fault, codes) in faults {
        assert!(codes.iter().all(|&code| Fault::of_code(code) == Some(fault)), "{fault:?}");
    }
    assert!((0..400).all(|code| Fault::of_code(code).is_some() == known.contains(&code)));
    assert_eq!(Seat::new(1, 3).hypothesis.map(|now| now.named), None);
}
