//! UCI with the bundled engines, as GUIs, sites and match runners speak it.

use amazons_rules::Position;

use super::Engine;
use crate::support::player;

/// Starts an engine that has said `uciok`; returns its options, too.
pub(super) fn uci(name: &str) -> (Engine, Vec<String>) {
    let mut engine = Engine::start(&player(name), &[]);
    engine.say("uci");
    let (_, said) = engine.hear("uciok");
    (engine, said)
}

/// A field of an `info` line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|word| *word != name);
    words.next()?;
    words.next()
}

/// Removes the lines that only searches of several seconds have, as they are on a busy machine.
fn without_current_move(mut said: Vec<String>) -> Vec<String> {
    said.retain(|line| !line.starts_with("info currmove "));
    said
}

fn last_score(said: &[String]) -> String {
    let line = said.iter().rfind(|line| line.contains(" score ")).expect("a score");
    format!("{} {}", field(line, "score").expect("a score"), {
        let kind = field(line, "score").expect("a score");
        field(line, kind).expect("a number")
    })
}

#[test]
fn options_have_ranges_that_are_checked_and_names_in_any_case() {
    let (mut engine, said) = uci("champion");
    assert_eq!(said[0], "id name champion");
    for option in [
        "option name Hash type spin default 512 min 3 max 1048576",
        "option name Clear Hash type button",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name Ponder type check default false",
        "option name Skill Level type spin default 20 min -20 max 20",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_Variant type combo default amazons var amazons",
        "option name Shape type combo default square var square var donut var clover var figure-eight",
        "option name Size type spin default 10 min 5 max 181",
    ] {
        assert!(said.iter().any(|line| line == option), "{option}: {said:?}");
    }
    for (line, complaint) in [
        ("setoption name hash value 2", "Hash: expected a whole number from 3 to 1048576, found '2'"),
        ("setoption name Size value 182", "Size: expected a whole number from 5 to 181, found '182'"),
        ("setoption name Hash value 1048577", "Hash: expected a whole number from 3 to 1048576, found '1048577'"),
        ("setoption name MULTIPV value many", "MultiPV: expected a whole number from 1 to 500, found 'many'"),
        ("setoption name ponder value perhaps", "Ponder: expected true or false, found 'perhaps'"),
        ("setoption name shape value round", "Shape: expected square, donut, clover, figure-eight, found 'round'"),
    ] {
        engine.say(line);
        assert_eq!(engine.hear("info").0, format!("info string error: setoption {complaint}"));
    }
    let long = "x".repeat(1000);
    engine.say(&format!("setoption name {long} value red"));
    let cut = format!("info string error: setoption: unknown option '{} ...'", &long[..40]);
    assert_eq!(engine.hear("info").0, cut);
    for line in
        ["setoption name clear hash", "setoption name PONDER value TRUE", "setoption name move overhead value 3"]
    {
        engine.say(line);
    }
    engine.say("isready");
    assert_eq!(engine.hear("readyok").1, Vec::<String>::new(), "all of these are right");
}

#[test]
fn info_lines_have_what_parsers_want() {
    let (mut engine, _) = uci("champion");
    engine.say("setoption name MultiPV value 3");
    let (best, said) = engine.go("position startpos", "go nodes 3000");
    let said = without_current_move(said);
    assert!(said.len() >= 3 && said.iter().all(|line| line.starts_with("info depth ")), "{said:?}");
    for (number, line) in (1..).zip(&said[said.len() - 3..]) {
        for name in ["depth", "seldepth", "multipv", "cp", "nodes", "nps", "hashfull", "time"] {
            let value = field(line, name).unwrap_or_else(|| panic!("no {name} in {line}"));
            assert!(value.parse::<i64>().is_ok(), "{name} is a whole number: {line}");
        }
        assert_eq!(field(line, "multipv"), Some(number.to_string().as_str()));
        assert_eq!(field(line, "nodes"), Some("3000"));
        let (_, pv) = line.split_once(" pv ").expect("a line of play");
        let mut position = Position::standard();
        for text in pv.split(' ') {
            let mv = position.board().parse_move(text).expect("a move");
            position.try_play(mv).unwrap_or_else(|reason| panic!("{text} of {line}: {reason:?}"));
        }
    }
    let first = said[said.len() - 3].split_once(" pv ").expect("a line of play").1.split(' ').collect::<Vec<_>>();
    assert_eq!(best, format!("{} ponder {}", first[0], first[1]));
    let (_, said) = engine.go("position startpos", "go depth 3");
    assert_eq!(field(&said[said.len() - 3], "depth"), Some("3"));
    let (_, said) = engine.go("position startpos", "go depth 0 nodes 20000");
    let depth = |line: &String| field(line, "depth").expect("a depth").parse().expect("a number");
    let depths: Vec<u32> = without_current_move(said).iter().map(depth).collect();
    assert!(depths.is_sorted() && depths.last() > Some(&3), "it never falls, and 0 is no limit: {depths:?}");
}

#[test]
fn searchmoves_are_kept_to() {
    for name in ["champion", "alphabeta"] {
        let (mut engine, _) = uci(name);
        for only in ["a4a5,a5a6", "g1g2,g2g1"] {
            let (best, said) = engine.go("position startpos", &format!("go nodes 500 searchmoves {only}"));
            assert!(best.starts_with(only), "{name}: {best} {said:?}");
        }
        engine.say("position startpos");
        engine.say("go nodes 500 searchmoves e2e4 a4a5,a5a6");
        let (best, said) = engine.hear("bestmove");
        assert!(said[0].starts_with("info string error: go searchmoves 'e2e4': "), "{said:?}");
        assert!(best.starts_with("bestmove a4a5,a5a6"), "{best}");
        let (free, _) = engine.go("position startpos", "go nodes 500");
        assert!(!free.starts_with("a4a5,a5a6") && !free.starts_with("g1g2,g2g1"), "all moves are free again: {free}");
    }
}

#[test]
fn a_search_goes_on_until_it_is_stopped_or_its_move_is_played() {
    let (mut engine, _) = uci("champion");
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go infinite searchmoves a4a5,a5a6"] {
        engine.say("position startpos");
        engine.say(go);
        engine.say("isready");
        let (_, before) = engine.hear("readyok");
        assert!(before.iter().all(|line| line.starts_with("info ")), "{before:?}");
        engine.hear("info depth");
        engine.say("stop");
        engine.hear("bestmove ");
    }
    engine.say("go ponder movetime 100");
    engine.hear("info depth");
    engine.say("ponderhit");
    engine.hear("bestmove ");
    // A position that is decided at once waits, too.
    engine.say("position fen q5/6/6/6/6/Q5 w");
    engine.say("go infinite");
    engine.hear("info depth");
    engine.say("isready");
    assert!(engine.hear("readyok").1.iter().all(|line| line.starts_with("info ")));
    engine.say("stop");
    engine.hear("bestmove ");
    // What follows a stop waits for the move.
    for line in ["position startpos", "go infinite", "stop", "position startpos moves d1d7,d7g7", "go movetime 50"] {
        engine.say(line);
    }
    engine.hear("bestmove ");
    let (best, said) = engine.hear("bestmove ");
    let said = without_current_move(said);
    assert!(said.iter().all(|line| line.starts_with("info depth")) && best.len() > 9, "{best} {said:?}");
    // And what follows a search that goes on: each is answered, in order.
    for line in [
        "position startpos",
        "go nodes 3000",
        "setoption name MultiPV value 2",
        "position fen q5/6/6/6/6/Q5 w",
        "go depth 1",
    ] {
        engine.say(line);
    }
    let said = without_current_move(engine.hear("bestmove ").1);
    assert!(said.iter().all(|line| line.contains(" multipv 1 ")), "{said:?}");
    let (best, said) = engine.hear("bestmove ");
    assert!(
        best.starts_with("bestmove a1") && said.last().is_some_and(|line| line.contains(" multipv 2 ")),
        "{said:?}"
    );
    for line in ["go infinite", "go ponder", "go infinite", "stop"] {
        engine.say(line);
    }
    (0..3).for_each(|_| drop(engine.hear("bestmove ")));
    engine.say("go movetime 60000");
    engine.hear("info depth");
    engine.say("quit");
    engine.hear("bestmove ");
    let (mut engine, said) = uci("alphabeta");
    assert!(!said.iter().any(|line| line.contains("MultiPV")), "it has one line: {said:?}");
    engine.say("setoption name Hash value 1048576");
    assert!(
        engine.hear("info").0.starts_with("info string error: setoption Hash: only "),
        "nobody has a tebibyte free"
    );
    engine.say("go infinite");
    let (status, lines) = engine.end();
    assert!(status == Some(0) && lines.iter().any(|line| line.starts_with("bestmove ")), "the end stops it: {lines:?}");
}

#[test]
fn what_cannot_be_read_is_named_and_the_last_position_stays() {
    let (mut engine, _) = uci("champion");
    engine.say("position startpos moves");
    for line in [
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position startpos moves e2e4",
        "position startpos moves d1d7,d7g7 e7e5",
    ] {
        engine.say(line);
        assert!(engine.hear("info").0.starts_with("info string error: position"), "{line}");
    }
    // A word that cannot be read is left out, and the others count.
    for go in ["go nodes x movetime 40", "go movetime 40 depth -1", "go wtime soon btime 100", "go fast"] {
        engine.say(go);
        assert!(engine.hear("info").0.starts_with("info string error: go: "), "{go}");
        engine.hear("bestmove ");
    }
    let position = Position::standard();
    for go in ["go nodes 99999999999999999999 movetime 40", "go wtime 100", "go movetime 20 fast", "go nodes 50"] {
        engine.say(go);
        let (best, _) = engine.hear("bestmove ");
        let first = best.split(' ').nth(1).expect("a move");
        let mv = position.board().parse_move(first).expect("a move");
        assert!(position.is_legal(mv).is_ok(), "{best}: White moves from the start");
    }
    engine.say("position startpos moves d1d7,d7g7");
    engine.say("d");
    let shown = engine.hear("Fen: ").0;
    assert_eq!(shown, "Fen: 3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b - - 0 1", "a site reads it");
    engine.say("isready");
    engine.hear("readyok");
}

#[test]
fn positions_come_with_and_without_a_pocket_and_on_any_board() {
    let (mut engine, _) = uci("champion");
    let start = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3";
    for position in [
        format!("position fen {start}[PPPPpppp] w - - 0 1 moves d1d7pg7"),
        format!("position fen {start}[] w - - 0 1 moves d1d7 P@g7"),
        format!("position fen {start} w moves d1d7,d7g7"),
    ] {
        let (best, said) = engine.go(&position, "go nodes 300 searchmoves a7a6,a6a7");
        assert!(best.starts_with("a7a6,a6a7"), "Black moves: {best} {said:?}");
    }
    engine.say("setoption name Shape value donut");
    engine.say("setoption name Size value 9");
    let (best, said) = engine.go("position startpos", "go nodes 300");
    assert!(!best.is_empty() && said.iter().all(|line| !line.contains("error")), "{best} {said:?}");
    let board = amazons_rules::Board::new(amazons_rules::Shape::Donut, 9).expect("a board");
    let mv = board.parse_move(best.split(' ').next().expect("a move")).expect("a move");
    assert!(Position::start(board.into()).is_legal(mv).is_ok());
}

/// More time than any machine needs to prove what is asked; who has proven it answers at once.
const AT_LEISURE: &str = "go movetime 3600000";

/// Match runners decide games by these lines; there are no draws.
#[test]
fn the_end_of_a_game_is_a_mate() {
    for name in ["champion", "alphabeta", "random"] {
        let (mut engine, _) = uci(name);
        // White takes the last square that Black could move to.
        let (best, said) = engine.go("position fen q1*/**Q/*** w - - 0 1", AT_LEISURE);
        assert_eq!(
            (best.split(' ').next(), last_score(&said).as_str()),
            (Some("c2b3,b3c2"), "mate 1"),
            "{name}: {said:?}"
        );
        let (best, said) = engine.go("position fen q1*/**Q/*** w - - 0 1 moves c2b3,b3c2", AT_LEISURE);
        assert_eq!((best.as_str(), last_score(&said).as_str()), ("(none)", "mate 0"), "{name}: {said:?}");
    }
    let (mut engine, _) = uci("champion");
    let (_, said) = engine.go("position fen q1****/1*****/******/******/*Q4/6 b - - 0 1", AT_LEISURE);
    assert!(last_score(&said).starts_with("mate -"), "{said:?}");
}

/// A player with only its functions says what it cannot do, and has a score all the same.
#[test]
fn a_player_of_another_kind_does_what_it_can() {
    let (mut engine, said) = uci("c_mobility");
    assert!(!said.iter().any(|line| line.contains("Hash")), "{said:?}");
    let (_, said) = engine.go("position startpos", "go movetime 500 depth 4");
    assert_eq!(said[0], "info string this player knows only time, not depth");
    assert!(last_score(&said).starts_with("cp ") && !last_score(&said).starts_with("cp 0"), "{said:?}");
    engine.say("go infinite");
    engine.hear("info depth");
    engine.say("isready");
    assert_eq!(engine.hear("readyok").1, Vec::<String>::new(), "it waits for a stop");
    engine.say("stop");
    engine.hear("bestmove ");
}

/// The first limit that is reached ends the search; the server sends a move's limit and the clock.
#[test]
fn each_limit_of_a_go_counts() {
    let (mut engine, _) = uci("champion");
    engine.say("position startpos");
    for go in [
        "go movetime 36000000 wtime 200 btime 200 winc 0 binc 0",
        "go movetime 50 wtime 36000000 btime 36000000",
        "go wtime 36000000 btime 36000000 nodes 50",
        "go depth 1 movetime 36000000",
    ] {
        engine.say(go);
        engine.hear("bestmove ");
    }
}

/// A level's work is the same on every machine; an analysis is at full strength.
#[test]
fn strength_is_limited_by_skill_or_elo_unless_a_position_is_analysed() {
    let (mut engine, said) = uci("champion");
    let elo = said.iter().find(|line| line.starts_with("option name UCI_Elo ")).expect("an option");
    let least: u32 = field(elo, "min").expect("a minimum").parse().expect("a number");
    let mut nodes = |options: &[&str]| {
        options.iter().for_each(|option| engine.say(&format!("setoption name {option}")));
        let (_, said) = engine.go("position startpos", "go nodes 30000");
        field(said.last().expect("a line"), "nodes").expect("nodes").parse::<u64>().expect("a number")
    };
    let full = nodes(&["Skill Level value 20"]);
    let weakest = nodes(&["Skill Level value -20"]);
    let middle = nodes(&["Skill Level value 0"]);
    let limited = nodes(&["UCI_LimitStrength value true", &format!("UCI_Elo value {least}")]);
    let analysed = nodes(&["UCI_AnalyseMode value true"]);
    assert!(weakest < 100 && weakest == limited && weakest < middle, "{weakest} {middle} {limited}");
    assert!(middle < full && middle < analysed, "{middle} {full} {analysed}");
}

/// With a clock and with a move's limit; without any it waits to be stopped.
#[test]
fn a_sole_move_is_answered_at_once() {
    for name in ["champion", "alphabeta"] {
        let (mut engine, _) = uci(name);
        for go in ["go movetime 36000000", "go wtime 36000000 btime 36000000"] {
            let (best, _) = engine.go("position fen Q1*2q/***3/6/6/6/6 w - - 0 1", go);
            assert!(best.starts_with("a6b6,b6a6"), "{name}: {best}");
        }
    }
}

/// Neither its reports nor an earlier search change the result.
#[test]
fn a_number_of_nodes_gives_one_move() {
    for player in ["champion", "alphabeta"] {
        let mut answers = Vec::new();
        for lines in ["1", "3"] {
            let (mut engine, _) = uci(player);
            engine.say(&format!("setoption name MultiPV value {lines}"));
            engine.say("position startpos");
            for nodes in ["300", "20000", "300", "20000"] {
                let (text, said) = engine.go("position startpos", &format!("go nodes {nodes}"));
                let told = said.iter().rfind(|line| line.contains(" multipv 1 ")).expect("a line");
                answers.push((
                    nodes,
                    text,
                    field(told, "cp").map(str::to_owned),
                    field(told, "nodes").map(str::to_owned),
                ));
            }
            engine.end();
        }
        for one in &answers {
            let first = answers.iter().find(|other| other.0 == one.0).expect("the same");
            assert_eq!(one, first, "{player}");
        }
    }
}
