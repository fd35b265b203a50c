use std::collections::HashSet;
use std::process::Command;

use connect4::matches::{PlayedGame, Results, play, schedule};
use connect4::{Ending, Level, LevelPlayer, Position, Side, Size};
use serde_json::Value;

const LEVELS: [&str; 5] = ["random", "average:4", "average:7", "alphabeta:6", "mcts:400"];

/// Plays each level against perfect play from random openings, and returns the results.
fn against_perfect(pairs: u32, plies: u32, seed: u64) -> Results {
    let mut perfect = LevelPlayer::new(Level::Perfect, Size::STANDARD, 0).expect("room");
    let mut results = Results::new(2);
    for (number, pairing) in schedule(2, pairs, Size::STANDARD, plies, seed).expect("openings").iter().enumerate() {
        let level = LEVELS[number % LEVELS.len()].parse().expect("a level");
        let mut other = LevelPlayer::new(level, Size::STANDARD, pairing.seed).expect("room");
        let first =
            play(Size::STANDARD, &pairing.opening, [&mut perfect, &mut other], &|| false).expect("nothing stops it");
        let second =
            play(Size::STANDARD, &pairing.opening, [&mut other, &mut perfect], &|| false).expect("nothing stops it");
        for game in [&first, &second] {
            assert_ne!(game.is_kept(), Some(false), "against {level}: {game:?}");
        }
        results.add(pairing, &[first, second]);
    }
    results
}

#[test]
fn perfect_play_keeps_what_it_has() {
    let results = against_perfect(50, 16, 1);
    assert!(results.promised >= 40 && results.kept == results.promised, "{results:?}");
    let [lost, drawn, won] = results.games(0, 1);
    assert!(lost + drawn + won == 100 && won > lost, "{results:?}");
}

pub(crate) mod long {
    #[test]
    fn perfect_play_keeps_what_it_has_in_a_thousand_games() {
        let results = super::against_perfect(500, 14, 2);
        println!("{results:?}");
        assert!(results.promised >= 400 && results.kept == results.promised, "{results:?}");
    }
}

#[test]
fn broken_promises_are_seen() {
    let game = |ending, promised| PlayedGame { moves: String::new(), ending, promised };
    let won = Ending::Win(Side::First);
    assert_eq!(game(won, [Some(1), None]).is_kept(), Some(true));
    assert_eq!(game(won, [Some(0), None]).is_kept(), Some(true), "more than was promised");
    assert_eq!(game(won, [None, Some(0)]).is_kept(), Some(false));
    assert_eq!(game(Ending::Draw, [Some(1), Some(-1)]).is_kept(), Some(false));
    assert_eq!(game(won, [None, Some(-1)]).is_kept(), None, "there was nothing to keep");
    assert_eq!(game(won, [None, None]).is_kept(), None);
}

#[test]
fn every_two_levels_meet_on_the_same_openings() {
    let pairings = schedule(4, 10, Size::STANDARD, 9, 3).expect("openings");
    assert_eq!(pairings.len(), 60);
    assert_eq!(pairings, schedule(4, 10, Size::STANDARD, 9, 3).expect("openings"));
    assert_ne!(pairings, schedule(4, 10, Size::STANDARD, 9, 4).expect("openings"));
    let mut openings = HashSet::new();
    for round in pairings.chunks(6) {
        let met: HashSet<[usize; 2]> = round.iter().map(|pairing| pairing.levels).collect();
        assert_eq!(met, HashSet::from([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]));
        assert!(round.iter().all(|pairing| pairing.opening == round[0].opening));
        let position = Position::from_moves(Size::STANDARD, &round[0].opening).expect("moves");
        assert!(position.plies() == 9 && position.ending().is_none());
        openings.insert(round[0].opening.clone());
    }
    assert!(openings.len() >= 9, "{openings:?}");
    assert!(schedule(2, 1, Size::STANDARD, 43, 1).is_err());
}

#[test]
fn results_count_games_and_pairs() {
    let pairings = schedule(3, 2, Size::STANDARD, 2, 1).expect("openings");
    let mut results = Results::new(3);
    let game = |ending| PlayedGame { moves: String::new(), ending, promised: [None; 2] };
    let [first, second, draw] = [Ending::Win(Side::First), Ending::Win(Side::Second), Ending::Draw].map(game);
    // The first level of a pairing moves second in the second game.
    assert_eq!(pairings[0].levels, [0, 1]);
    results.add(&pairings[0], &[first.clone(), second.clone()]);
    results.add(&pairings[0], &[draw.clone(), first]);
    results.add(&pairings[1], &[second, draw]);
    assert_eq!(results.games(0, 1), [1, 1, 2]);
    assert_eq!(results.games(1, 0), [2, 1, 1]);
    assert_eq!(results.score(0, 1).counts(), [0, 1, 0, 0, 1]);
    assert_eq!(results.score(2, 0).counts(), [0, 0, 0, 1, 0]);
    assert_eq!(results.points(0), (3.0, 6));
    let ratings = results.ratings();
    assert!(ratings.points(2) > ratings.points(0) && ratings.points(0) > ratings.points(1), "{ratings:?}");
}

fn connect4(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_connect4")).args(args).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    let args = ["match", "random", "average:3", "alphabeta:3", "--games", "8", "--seed", "5", "--json"];
    let run = |threads| {
        let (status, out, error) = connect4(&[&args[..], &["-j", threads]].concat());
        assert_eq!((status, error.as_str()), (Some(0), ""), "{out}");
        let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
        let results: Value = serde_json::from_str(&lines.pop().expect("results")).expect("JSON");
        lines.sort();
        (lines, results)
    };
    let (games, results) = run("1");
    assert_eq!(run("3"), (games.clone(), results.clone()));
    assert_eq!(games.len(), 3 * 8);
    let sum: f64 = results["levels"].as_array().expect("levels").iter().filter_map(|it| it["points"].as_f64()).sum();
    assert!((sum - 24.0).abs() < 1e-9, "{results}");
    for game in games.iter().map(|game| serde_json::from_str::<Value>(game).expect("JSON")) {
        let position =
            Position::from_moves(Size::STANDARD, game["moves"].as_str().expect("moves")).expect("legal moves");
        let points = match position.ending().expect("a whole game") {
            Ending::Win(Side::First) => 1.0,
            Ending::Draw => 0.5,
            Ending::Win(Side::Second) => 0.0,
        };
        assert_eq!(game["result"], points, "{game}");
    }
}

#[test]
fn what_no_match_can_be_is_refused_in_one_line() {
    for (args, wanted) in [
        (&["match", "random", "average:2", "--games", "3"][..], "games come in pairs"),
        (&["match", "random"], "2 values required"),
        (&["match", "random", "perfekt"], "unknown player \"perfekt\""),
        (&["match", "random", "random", "--openings", "42"], "choose shorter openings"),
    ] {
        let (status, out, error) = connect4(args);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}");
        assert!(error.contains(wanted), "{args:?}: {error}");
    }
}
