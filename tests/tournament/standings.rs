use std::collections::BTreeMap;

use amazons::game::PlayerSettings;
use amazons::referee::PlayerNumber;
use amazons::tournament::report::{Report, text};
use amazons::tournament::{Entrant, Field, GameLine, GameResult, RankedBy, RatedPair, Results, Standings, Test};
use amazons_statistics::{Sprt, SprtModel, SprtVerdict};

use super::journal::line;

const ONE: Option<PlayerNumber> = Some(PlayerNumber::One);
const TWO: Option<PlayerNumber> = Some(PlayerNumber::Two);

fn entrants(names: &[&str]) -> Vec<Entrant> {
    names
        .iter()
        .map(|name| Entrant {
            name: (*name).to_owned(),
            file: "x.so".into(),
            sha256: None,
            directions: None,
            own: PlayerSettings::default(),
        })
        .collect()
}

fn pair(number: u32, players: [usize; 2], winners: [Option<PlayerNumber>; 2]) -> RatedPair<'static> {
    let games = [1, 2].map(|game| GameResult::from(&line(number, game, winners[usize::from(game) - 1])));
    RatedPair { players, board: "c10", stage: 1, games }
}

fn standings(names: &[&str], pairs: &[RatedPair<'_>], ranked_by: RankedBy) -> Standings {
    let players = entrants(names);
    rated(&players, pairs, ranked_by)
}

fn rated(players: &[Entrant], pairs: &[RatedPair<'_>], ranked_by: RankedBy) -> Standings {
    let (byes, withdrawn) = (vec![0; players.len()], BTreeMap::new());
    let is_complete = true;
    Standings::new(&Field { players, pairs, byes: &byes, test: None, ranked_by, is_complete, withdrawn: &withdrawn })
}

#[test]
fn two_players_are_told_apart_by_their_pairs() {
    let pairs: Vec<RatedPair<'_>> = (1..=20)
        .map(|number| {
            pair(
                number,
                [0, 1],
                if number % 4 == 0 {
                    [ONE, TWO]
                } else if number % 5 == 0 {
                    [TWO, TWO]
                } else {
                    [ONE, ONE]
                },
            )
        })
        .collect();
    let standings = standings(&["new", "old"], &pairs, RankedBy::Rating);
    let [row] = &standings.meetings[..] else { panic!("one meeting") };
    assert_eq!((row.pairs, row.games, row.points, row.points_against), ([3, 0, 5, 0, 12], 40, 29.0, 11.0));
    assert_eq!(
        standings.sentence.clone().expect("games"),
        format!(
            "new is stronger than old by {:.0} +- {:.0} Elo, likely to {:.1} %",
            row.elo,
            row.error.expect("known"),
            100.0 * row.los
        )
    );
    let [new, old] = &standings.players[..] else { panic!("two players") };
    assert_eq!((new.rank, new.name.as_str(), new.points, new.won, new.lost), (Some(1), "new", 29.0, 29, 11));
    assert_eq!((old.rank, old.games, old.endings["no_moves"].lost), (Some(2), 40, 29));
    assert!((new.elo + old.elo).abs() < 0.02);
    // Player 1 of each pair moves first in game 1: except for the split pairs, first movers won half the games.
    let [board] = &standings.boards[..] else { panic!("one board") };
    assert_eq!((board.board.as_str(), board.games, board.first_won), ("c10", 40, 25));
}

#[test]
fn who_is_named_first_does_not_matter() {
    let straight: Vec<RatedPair<'_>> =
        (1..=9).map(|number| pair(number, [0, 1], [ONE, if number > 6 { TWO } else { ONE }])).collect();
    let turned: Vec<RatedPair<'_>> =
        (1..=9).map(|number| pair(number, [1, 0], [TWO, if number > 6 { ONE } else { TWO }])).collect();
    let [one, two] = [&straight, &turned].map(|pairs| standings(&["a", "b"], pairs, RankedBy::Rating));
    assert_eq!(one.meetings[0].pairs, two.meetings[0].pairs);
    assert_eq!(one.sentence, two.sentence);
    assert_eq!(one.players[0].elo, two.players[0].elo);
}

#[test]
fn the_order_follows_points_ratings_or_the_bracket() {
    // c beats a once; a beats b often.
    let pairs = [pair(1, [0, 1], [ONE, ONE]), pair(2, [0, 1], [ONE, ONE]), pair(3, [2, 0], [ONE, ONE])];
    let names = |ranked_by| {
        let standings = standings(&["a", "b", "c"], &pairs, ranked_by);
        standings.players.iter().map(|row| row.name.clone()).collect::<String>()
    };
    assert_eq!(names(RankedBy::Points), "acb");
    assert_eq!(names(RankedBy::Rating), "cab");
    let three = standings(&["a", "b", "c"], &pairs, RankedBy::Rating);
    let lead = three.players[0].elo - three.players[1].elo;
    let sentence = format!(
        "it is open whether c is stronger than a: by {lead:.0} +- {:.0} Elo, likely to {:.1} %",
        three.lead_error.expect("they are linked"),
        100.0 * three.los[0][1].expect("they are linked")
    );
    assert_eq!(three.sentence, Some(sentence));
    assert!(three.lead_error > Some(three.players[1].error), "a difference is less sure: {:?}", three.lead_error);
    let mut cup = pairs;
    cup[2].stage = 2;
    let standings = standings(&["a", "b", "c"], &cup, RankedBy::Knockout);
    assert_eq!(standings.players.iter().map(|row| row.name.as_str()).collect::<String>(), "cab");
    assert_eq!(standings.sentence.as_deref(), Some("c has won"));
}

#[test]
fn pairs_that_all_went_alike_prove_little() {
    let sentence = |pairs: u32| {
        let pairs: Vec<RatedPair<'_>> = (1..=pairs).map(|number| pair(number, [0, 1], [TWO, TWO])).collect();
        standings(&["a", "b"], &pairs, RankedBy::Points).sentence.expect("games")
    };
    assert_eq!(sentence(1), "b leads a after one pair, likely to 75.0 %: too few to say by how much");
    assert_eq!(
        sentence(4),
        "b leads a after 4 pairs that all went alike, likely to 96.9 %: too few to say by how much"
    );
}

/// Numbers beyond the maximum say so, in the line about the pairs of two players too.
#[test]
fn a_normalised_difference_beyond_the_maximum_is_marked() {
    let mut pairs: Vec<RatedPair<'_>> = (1..=60).map(|number| pair(number, [0, 1], [ONE, ONE])).collect();
    pairs.extend((61..=64).map(|number| pair(number, [0, 1], [ONE, TWO])));
    let told = |pairs: &[RatedPair<'_>]| {
        let standings = standings(&["a", "b"], pairs, RankedBy::Points);
        let report = Report { title: "x", subtitle: "y", standings: &standings, timing: None };
        (text(&report), standings.sentence.clone().expect("games"))
    };
    let (table, _) = told(&pairs);
    assert!(table.contains("60 won; Elo +596.5 +- 321.5, normalised > +800\n"), "{table}");
    let (_, sentence) = told(&pairs[34..62]);
    assert_eq!(sentence, "a leads b after 28 pairs, likely to 100.0 %: too few to say by how much");
}

#[test]
fn games_that_nobody_wins_are_half_a_point_each() {
    let standings = standings(&["a", "b"], &[pair(1, [0, 1], [None, ONE])], RankedBy::Points);
    assert_eq!(standings.meetings[0].pairs, [0, 0, 0, 1, 0]);
    assert_eq!([standings.players[0].points, standings.players[1].points], [1.5, 0.5]);
    assert_eq!(standings.players[1].endings["max_moves"].nobody, 1);
}

#[test]
fn repeated_games_and_faulty_players_are_noticed() {
    let mut pairs: Vec<RatedPair<'_>> = (1..=4).map(|number| pair(number, [0, 1], [ONE, ONE])).collect();
    for pair in &mut pairs {
        pair.games[0].fingerprint = 7;
        pair.games[1].at_fault = [false, true];
    }
    let standings = standings(&["a", "b", "c"], &pairs, RankedBy::Rating);
    assert_eq!(standings.meetings[0].different, 5);
    assert_eq!(
        standings.notices,
        [
            "a and b played 5 different games of 8: with more openings the error bars would be honest",
            "b was at fault in 4 of 8 games (finalize 4): see their records and its logs",
            "c has no whole pair yet: its rating says nothing",
        ]
    );
}

#[test]
fn faults_are_split_by_kind() {
    let mut pairs: Vec<RatedPair<'_>> = (1..=4).map(|number| pair(number, [0, 1], [ONE, ONE])).collect();
    for pair in &mut pairs {
        pair.games[0].termination = amazons::referee::Termination::Timeout;
        pair.games[0].at_fault = [true, true];
    }
    pairs[1].games[0].termination = amazons::referee::Termination::Crash;
    let standings = standings(&["a", "b"], &pairs, RankedBy::Rating);
    let faults = |player: usize| standings.players[player].faults.iter().map(|(kind, &count)| (&**kind, count));
    assert_eq!(faults(0).collect::<Vec<_>>(), [("finalize", 4)], "the winner's is behind the game");
    assert_eq!(faults(1).collect::<Vec<_>>(), [("crash", 1), ("timeout", 3)]);
    let noted = "b was at fault in 4 of 8 games (timeout 3, crash 1): see their records and its logs";
    assert!(standings.notices.iter().any(|notice| notice == noted), "{:?}", standings.notices);
}

#[test]
fn players_that_may_be_one_program_are_noted() {
    let twins = |players: &[Entrant], pairs: &[RatedPair<'_>]| rated(players, pairs, RankedBy::Rating).suspicions;
    let mut players = entrants(&["a", "b", "c"]);
    let mut pairs = [pair(1, [0, 1], [ONE, TWO]), pair(2, [0, 2], [ONE, TWO]), pair(3, [1, 2], [ONE, TWO])];
    assert!(twins(&players, &pairs).is_empty());
    // a and b play the same game against c, and the same one against each other, whoever moves first.
    (pairs[1].games[1].fingerprint, pairs[2].games[1].fingerprint) = (7, 7);
    let note = |count: u32| {
        format!(
            "a and b made the same moves in the same positions in {count} of 4 games, more than by chance: they may \
             be one program"
        )
    };
    assert_eq!(twins(&players, &pairs), [note(1)]);
    (pairs[0].games[0].fingerprint, pairs[0].games[1].fingerprint) = (8, 8);
    assert_eq!(twins(&players, &pairs), [note(2)]);
    let mut short = pairs;
    short.iter_mut().flat_map(|pair| &mut pair.games).for_each(|game| game.moves = 7);
    assert!(twins(&players, &short).is_empty(), "short games can be the same by chance");
    for player in [0, 1] {
        players[player].sha256 = Some("ab".repeat(32));
    }
    assert_eq!(twins(&players, &pairs), ["a and b are the same file"]);
}

/// On small boards, some of many games are the same by chance: few of many are no sign, most of few are one.
#[test]
fn games_that_are_the_same_by_chance_are_not_noted() {
    let notes = |games: u32, same: u32, moves: u32| {
        let mut pairs: Vec<RatedPair<'_>> = (1..=games)
            .flat_map(|number| [pair(2 * number, [0, 2], [ONE, TWO]), pair(2 * number + 1, [1, 2], [ONE, TWO])])
            .collect();
        for (number, two) in pairs.chunks_mut(2).enumerate() {
            two.iter_mut().flat_map(|pair| &mut pair.games).for_each(|game| game.moves = moves);
            if (number as u32) < same {
                two[1].games[0].fingerprint = two[0].games[0].fingerprint;
            }
        }
        let players = entrants(&["a", "b", "c"]);
        rated(&players, &pairs, RankedBy::Rating).suspicions.len()
    };
    assert_eq!(notes(10_000, 3, 11), 0, "as on a board of 5 x 5");
    assert_eq!(notes(10_000, 9_000, 11), 1, "most games");
    assert_eq!(notes(20, 18, 11), 1, "most of few games");
    assert_eq!(notes(20, 1, 8), 0);
    assert_eq!(notes(200, 1, 60), 1, "thirty moves of each are no chance");
    assert_eq!(notes(10_000, 3, 80), 1);
}

#[test]
fn a_match_that_nobody_won_is_noted() {
    let standings = standings(&["a", "b"], &[pair(1, [0, 1], [ONE, TWO])], RankedBy::Knockout);
    assert_eq!(standings.notices, ["a and b were even after 1 pair: the one named first went on"]);
}

#[test]
fn nothing_played_yet_is_no_trouble() {
    let empty = standings(&["a", "b"], &[], RankedBy::Points);
    assert_eq!((empty.pairs, &empty.sentence, empty.notices.len()), (0, &None, 0));
    assert_eq!(empty.los, [[Some(0.5), None], [None, Some(0.5)]]);
    let text = serde_json::to_string(&empty).expect("JSON");
    assert!(text.contains("\"lead_error\":null") && text.contains("\"sprt\":null"), "{text}");
}

#[test]
fn nothing_is_claimed_across_groups_that_never_met() {
    let apart = [pair(1, [0, 1], [ONE, ONE]), pair(2, [2, 3], [ONE, ONE]), pair(3, [3, 4], [ONE, TWO])];
    let apart_standings = standings(&["a", "b", "c", "d", "e", "f"], &apart, RankedBy::Rating);
    let notices = &apart_standings.notices;
    assert!(
        notices.contains(&"no game links these groups, so compare Elo only within each: a, b; c, e, d".to_owned())
            || notices
                .contains(&"no game links these groups, so compare Elo only within each: a, b; c, d, e".to_owned()),
        "{notices:?}"
    );
    assert_eq!(notices.iter().filter(|notice| notice.contains("f has no whole pair")).count(), 1, "{notices:?}");
    let [first, second] = [0, 1].map(|place| apart_standings.players[place].name.as_str());
    let told = format!("it is unknown whether {first} or {second} is stronger: no game links them");
    assert_eq!(apart_standings.sentence, Some(told));
    let place = |name: &str| apart_standings.players.iter().position(|row| row.name == name).expect("a player");
    for (one, two, is_known) in [("a", "b", true), ("a", "c", false), ("c", "e", true), ("f", "a", false)] {
        assert_eq!(apart_standings.los[place(one)][place(two)].is_some(), is_known, "{one} {two}");
    }
    // One game between the groups links all of them.
    let linked = [&apart[..], &[pair(4, [1, 2], [ONE, TWO]), pair(5, [5, 0], [ONE, TWO])]].concat();
    let standings = standings(&["a", "b", "c", "d", "e", "f"], &linked, RankedBy::Rating);
    assert!(standings.los.iter().flatten().all(Option::is_some) && standings.notices.is_empty());
}

#[test]
fn a_test_looks_at_pairs_in_their_order_whatever_came_first() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Normalized).expect("a test");
    let winners = |number: u32| {
        if number.is_multiple_of(6) {
            [TWO, TWO]
        } else if number.is_multiple_of(2) {
            [ONE, TWO]
        } else {
            [ONE, ONE]
        }
    };
    let lines: Vec<_> = (1..=60)
        .flat_map(|number| [1, 2].map(|game| line(number, game, winners(number)[usize::from(game) - 1])))
        .collect();
    let run = |order: &[usize]| {
        let mut results = Results::new(Some(sprt));
        order.iter().for_each(|&index| results.add(&lines[index]));
        let Test { counts, llr, verdict, .. } = results.test().expect("a test").clone();
        (counts, llr, verdict)
    };
    let forward: Vec<usize> = (0..lines.len()).collect();
    let mut backward = forward.clone();
    backward.reverse();
    let mut mixed = forward.clone();
    mixed.sort_by_key(|index| index * 7919 % 101);
    let expected = run(&forward);
    assert_eq!(expected.2, SprtVerdict::AcceptH1);
    assert!(expected.1.len() < 60, "it stops at its verdict");
    assert_eq!(run(&backward), expected);
    assert_eq!(run(&mixed), expected);
    let mut results = Results::new(Some(sprt));
    forward.iter().skip(2).for_each(|&index| results.add(&lines[index]));
    assert_eq!(results.test().expect("a test").llr.len(), 0, "without the first pair nothing is known");
}

#[test]
fn a_game_counts_once() {
    let mut results = Results::new(None);
    results.add(&line(2, 1, ONE));
    results.add(&line(2, 1, TWO));
    results.add(&line(0, 1, ONE));
    results.add(&line(1, 3, ONE));
    results.add(&line(4_000_000_000, 1, ONE));
    assert_eq!((results.games(), results.whole_pairs(), results.half_points(2)), (1, 0, None));
    results.add(&line(2, 2, None));
    assert_eq!((results.whole_pairs(), results.half_points(2), results.half_points(1)), (1, Some(3), None));
}

/// The second player does not start in the second game.
fn without_a_move(number: u32) -> RatedPair<'static> {
    let mut pair = pair(number, [0, 1], [ONE, ONE]);
    pair.games[1].moves = 0;
    pair
}

#[test]
fn games_without_a_move_tell_nothing_about_strength() {
    let played: Vec<_> =
        (1..=8).map(|number| pair(number, [0, 1], [ONE, if number % 3 == 0 { ONE } else { TWO }])).collect();
    let all: Vec<_> = played.iter().copied().chain((9..=40).map(without_a_move)).collect();
    let [expected, found] = [&played, &all].map(|pairs| standings(&["new", "old"], pairs, RankedBy::Rating));
    let strength = |standings: &Standings| {
        let row = &standings.meetings[0];
        let elo: Vec<f64> = standings.players.iter().map(|player| player.elo).collect();
        (row.pairs, row.elo, row.error, row.los, standings.sentence.clone(), standings.los.clone(), elo)
    };
    assert_eq!(strength(&found), strength(&expected));
    assert_eq!(found.players[0].points, expected.players[0].points + 64.0, "they count in the table");
    let notice = "32 pairs with a game without a move: in the points, not in Elo or a test";
    assert!(found.notices.contains(&notice.to_owned()), "{:?}", found.notices);
    let dead: Vec<_> = (1..=5).map(without_a_move).collect();
    let nothing = standings(&["new", "old"], &dead, RankedBy::Rating);
    assert_eq!((nothing.meetings.len(), nothing.los[0][1], nothing.players[0].elo), (0, None, 0.0));
    let unknown = "it is unknown whether new or old is stronger: no game links them";
    assert_eq!(nothing.sentence.as_deref(), Some(unknown));
}

#[test]
fn a_test_passes_over_games_without_a_move() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Normalized).expect("a test");
    let run = |dead: &[u32]| {
        let mut results = Results::new(Some(sprt));
        for number in 1..=200 {
            for game in [1, 2] {
                let moves = if dead.contains(&number) && game == 1 { 0 } else { 30 };
                results.add(&GameLine { moves, ..line(number, game, ONE) });
            }
        }
        results.test().expect("a test").clone()
    };
    let (whole, broken) = (run(&[]), run(&[1, 2, 5]));
    assert_eq!((whole.verdict, broken.verdict), (SprtVerdict::AcceptH1, SprtVerdict::AcceptH1));
    assert_eq!((&broken.counts, &broken.llr), (&whole.counts, &whole.llr));
    assert_eq!((whole.passed, broken.passed), (whole.llr.len(), whole.llr.len() + 3));
    let dead: Vec<u32> = (1..=200).collect();
    let nothing = run(&dead);
    assert_eq!((nothing.verdict, nothing.llr.len(), nothing.passed), (SprtVerdict::Continue, 0, 200));
}
