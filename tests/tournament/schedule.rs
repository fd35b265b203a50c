use std::collections::{BTreeMap, BTreeSet};

use amazons::tournament::Format;
use amazons::tournament::schedule::{Meeting, Played, Schedule, next_stage};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The two of a meeting, the smaller number first.
fn two(meeting: Meeting) -> Option<[usize; 2]> {
    match meeting {
        Meeting::Pair([one, two]) => Some([one.min(two), one.max(two)]),
        Meeting::Bye(_) => None,
    }
}

/// Plays an event decided by strength, with some luck, and returns its stages.
fn play(format: &Format, players: usize, seed: u64) -> Vec<Vec<Played>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut stages, mut played) = (Vec::new(), Vec::new());
    loop {
        let meetings = next_stage(format, players, &played, &[]);
        if meetings.is_empty() {
            return stages;
        }
        let number = stages.len() as u32 + 1;
        let result = |meeting: &Meeting| {
            let half_points = match *meeting {
                Meeting::Bye(_) => 4,
                Meeting::Pair([one, two]) if rng.random_bool(0.7) => 4 * u8::from(one < two),
                Meeting::Pair(_) => 2 * rng.random_range(0..3),
            };
            Played { meeting: *meeting, stage: number, half_points }
        };
        let stage: Vec<Played> = meetings.iter().map(result).collect();
        played.extend(&stage);
        stages.push(stage);
        assert!(stages.len() < 1000, "the event ends");
    }
}

#[test]
fn in_a_round_robin_everybody_meets_everybody_equally_often() {
    for players in 2..=13 {
        for pairs in 1..=3 {
            let meetings = next_stage(&Format::RoundRobin { pairs }, players, &[], &[]);
            let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
            let mut firsts = vec![0_i32; players];
            for meeting in &meetings {
                *met.entry(two(*meeting).expect("no byes")).or_default() += 1;
                let Meeting::Pair([one, two]) = *meeting else { panic!("no byes") };
                firsts[one] += 1;
                firsts[two] -= 1;
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(met.values().all(|&count| count == pairs), "{met:?}");
            // Each pair has both colours anyway; the order of names is also as even as possible.
            let most = if pairs % 2 == 0 { 0 } else { 1 };
            assert!(firsts.iter().all(|first| first.abs() <= most), "{players} players, {pairs} pairs: {firsts:?}");
        }
    }
}

#[test]
fn rounds_of_a_round_robin_have_nobody_twice() {
    let meetings = next_stage(&Format::RoundRobin { pairs: 1 }, 10, &[], &[]);
    for round in meetings.chunks(5) {
        let players: BTreeSet<usize> = round.iter().flat_map(|meeting| two(*meeting).expect("no byes")).collect();
        assert_eq!(players.len(), 10);
    }
}

#[test]
fn in_a_gauntlet_the_seeds_meet_all_others_and_nobody_else_meets() {
    let meetings = next_stage(&Format::Gauntlet { pairs: 2, seeds: 2 }, 5, &[], &[]);
    let expected: Vec<[usize; 2]> = vec![[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4]];
    let found: Vec<[usize; 2]> = meetings.into_iter().filter_map(two).collect();
    assert_eq!(found, [expected.clone(), expected].concat());
}

#[test]
fn swiss_repeats_no_meeting_while_that_can_be_avoided() {
    for players in 2..=16_usize {
        // With an odd number each round leaves one out: as many rounds as players. Else one fewer.
        let rounds = if players % 2 == 0 { players as u32 - 1 } else { players as u32 };
        for seed in 0..6 {
            let stages = play(&Format::Swiss { rounds, pairs: 1 }, players, seed);
            assert_eq!(stages.len(), rounds as usize);
            let (mut met, mut byes) = (BTreeSet::new(), BTreeSet::new());
            for (round, stage) in stages.iter().enumerate() {
                assert_eq!(stage.len(), players.div_ceil(2), "everybody is in the round");
                for played in stage {
                    match played.meeting {
                        Meeting::Bye(player) => assert!(byes.insert(player), "a second bye in round {}", round + 1),
                        meeting => {
                            let is_new = met.insert(two(meeting).expect("a pair"));
                            // Greedy rounds can reach a dead end; only then do two players meet again.
                            assert!(is_new || !can_avoid(players, &stages[..round]), "{players} players, seed {seed}");
                        }
                    }
                }
            }
        }
    }
}

/// What a round costs: repeated meetings; then points of who sits out; then, for each number of points from the highest,
/// players who meet one of fewer; then the differences of points; then the rounds of the last meetings of who met.
fn cost(round: &[[usize; 2]], bye: Option<usize>, points: &[u32], last_met: &BTreeMap<[usize; 2], u32>) -> Vec<u32> {
    let last: Vec<u32> = round.iter().filter_map(|two| last_met.get(two).copied()).collect();
    let both = |two: &[usize; 2]| two.map(|player| points[player]);
    let unequal: Vec<[u32; 2]> = round.iter().map(both).filter(|[one, two]| one != two).collect();
    let levels: BTreeSet<u32> = points.iter().copied().collect();
    let floats = levels.iter().rev().map(|of| unequal.iter().filter(|[one, two]| one.max(two) == of).count() as u32);
    let gap = unequal.iter().map(|[one, two]| one.abs_diff(*two)).sum();
    [last.len() as u32, bye.map_or(0, |bye| points[bye])]
        .into_iter()
        .chain(floats)
        .chain([gap, last.iter().sum()])
        .collect()
}

/// All ways to pair players off.
fn pairings(players: &[usize]) -> Vec<Vec<[usize; 2]>> {
    let Some((&one, others)) = players.split_first() else { return vec![Vec::new()] };
    let with = |&two: &usize| {
        let left: Vec<usize> = others.iter().copied().filter(|&player| player != two).collect();
        pairings(&left).into_iter().map(move |rest| [vec![[one, two]], rest].concat())
    };
    others.iter().flat_map(with).collect()
}

/// Recounts every round by trying all pairings: the slow twin.
#[test]
fn swiss_rounds_cost_the_least_and_share_the_byes() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(33);
    for event in 0..300_usize {
        let (players, rounds) = (4 + event % 7, rng.random_range(3..11));
        let format = Format::Swiss { rounds, pairs: 1 + event as u32 % 2 };
        let (mut absent, mut played): (Vec<usize>, Vec<Played>) = (Vec::new(), Vec::new());
        let mut last_met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
        let (mut byes, mut last_bye) = (vec![0; players], None);
        for stage in 1..=rounds {
            if players - absent.len() > 3 && rng.random_bool(0.15) {
                let present: Vec<usize> = (0..players).filter(|player| !absent.contains(player)).collect();
                absent.push(present[rng.random_range(0..present.len())]);
            }
            let present: Vec<usize> = (0..players).filter(|player| !absent.contains(player)).collect();
            let meetings = next_stage(&format, players, &played, &absent);
            let round: BTreeSet<[usize; 2]> = meetings.iter().copied().filter_map(two).collect();
            let round: Vec<[usize; 2]> = round.into_iter().collect();
            let bye = meetings.iter().find_map(|meeting| match meeting {
                Meeting::Bye(player) => Some(*player),
                Meeting::Pair(_) => None,
            });
            let mut there: Vec<usize> = round.iter().flatten().copied().chain(bye).collect();
            there.sort_unstable();
            assert_eq!(there, present, "everybody is in round {stage} of event {event} once");
            // Whoever had the fewest byes sits out, twice in a row only if nobody else had as few.
            let fewest = present.iter().map(|&player| byes[player]).min();
            let mut sitting: Vec<usize> = present.iter().copied().filter(|&it| Some(byes[it]) == fewest).collect();
            if sitting.len() > 1 {
                sitting.retain(|&player| last_bye != Some((player, stage - 1)));
            }
            let mut points = vec![0_u32; players];
            for &Played { meeting, half_points, .. } in &played {
                match meeting {
                    Meeting::Bye(player) => points[player] += 4 * (1 + event as u32 % 2),
                    Meeting::Pair([one, two]) => {
                        points[one] += u32::from(half_points);
                        points[two] += u32::from(4 - half_points);
                    }
                }
            }
            let all: Vec<(Option<usize>, Vec<[usize; 2]>)> = match bye {
                None => pairings(&present).into_iter().map(|round| (None, round)).collect(),
                Some(bye) => {
                    assert!(sitting.contains(&bye), "event {event}, round {stage}: {bye} of {sitting:?} sits out");
                    let without =
                        |out: &usize| present.iter().copied().filter(|player| player != out).collect::<Vec<usize>>();
                    let with = |&out: &usize| pairings(&without(&out)).into_iter().map(move |round| (Some(out), round));
                    sitting.iter().flat_map(with).collect()
                }
            };
            let costs = all.iter().map(|(bye, round)| cost(round, *bye, &points, &last_met));
            let least = costs.min().expect("a pairing");
            assert_eq!(cost(&round, bye, &points, &last_met), least, "event {event}, round {stage}: {round:?}");
            if let Some(bye) = bye {
                byes[bye] += 1;
                last_bye = Some((bye, stage));
                let counts = present.iter().map(|&player| byes[player]);
                assert!(counts.clone().max() <= counts.min().map(|fewest| fewest + 1));
            }
            last_met.extend(round.iter().map(|&two| (two, stage)));
            played.extend(meetings.into_iter().map(|meeting| {
                let half_points = if matches!(meeting, Meeting::Bye(_)) { 4 } else { rng.random_range(0..5) };
                Played { meeting, stage, half_points }
            }));
        }
    }
}

/// Large fields are paired fast, and repeat no meeting while that can be avoided.
#[test]
fn large_swiss_rounds_repeat_as_few_as_possible() {
    let stages = play(&Format::Swiss { rounds: 40, pairs: 1 }, 18, 1);
    let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
    for (round, stage) in stages.iter().enumerate() {
        let repeats = stage.iter().filter_map(|played| two(played.meeting)).filter(|two| met.contains_key(two)).count();
        let all = met.len() == 18 * 17 / 2;
        assert!(if round < 9 { repeats == 0 } else { all || repeats < 9 }, "round {}: {repeats}", round + 1);
        stage.iter().filter_map(|played| two(played.meeting)).for_each(|two| *met.entry(two).or_default() += 1);
    }
    assert_eq!(met.len(), 18 * 17 / 2, "everybody has met everybody");
    assert_eq!(play(&Format::Swiss { rounds: 12, pairs: 1 }, 101, 1).len(), 12);
}

/// Tries all ways to pair every player with a new opponent: the slow twin of a matching.
fn can_avoid(players: usize, stages: &[Vec<Played>]) -> bool {
    let met: BTreeSet<[usize; 2]> = stages.iter().flatten().filter_map(|played| two(played.meeting)).collect();
    let had_bye = |player: usize| stages.iter().flatten().any(|played| played.meeting == Meeting::Bye(player));
    fn pairs(rest: &[usize], met: &BTreeSet<[usize; 2]>) -> bool {
        let Some((&one, others)) = rest.split_first() else { return true };
        others.iter().any(|&two| {
            let left: Vec<usize> = others.iter().copied().filter(|&player| player != two).collect();
            !met.contains(&[one.min(two), one.max(two)]) && pairs(&left, met)
        })
    }
    let all: Vec<usize> = (0..players).collect();
    if players.is_multiple_of(2) {
        return pairs(&all, &met);
    }
    all.iter().filter(|&&bye| !had_bye(bye)).any(|&bye| {
        let rest: Vec<usize> = all.iter().copied().filter(|&player| player != bye).collect();
        pairs(&rest, &met)
    })
}

#[test]
fn swiss_pairs_equals_and_plays_pairs_with_the_same_opponent() {
    let stages = play(&Format::Swiss { rounds: 3, pairs: 2 }, 8, 1);
    for stage in &stages {
        assert_eq!(stage.len(), 8);
        let met: BTreeSet<[usize; 2]> = stage.iter().filter_map(|played| two(played.meeting)).collect();
        assert_eq!(met.len(), 4, "both pairs of a meeting have the same players");
    }
    // The winners of round 1 meet each other in round 2.
    let winner = |played: &Played| match played.meeting {
        Meeting::Pair([one, two]) => {
            if played.half_points > 2 {
                one
            } else {
                two
            }
        }
        Meeting::Bye(player) => player,
    };
    let decided = |stage: &[Played]| stage.iter().all(|played| played.half_points != 2);
    for seed in 0..50 {
        let stages = play(&Format::Swiss { rounds: 2, pairs: 1 }, 8, seed);
        if !decided(&stages[0]) {
            continue;
        }
        let winners: BTreeSet<usize> = stages[0].iter().map(winner).collect();
        for played in &stages[1] {
            let [one, two] = two(played.meeting).expect("a pair");
            assert_eq!(winners.contains(&one), winners.contains(&two), "seed {seed}");
        }
    }
}

#[test]
fn a_knockout_leaves_one() {
    for players in 2..=17_usize {
        for best_of in 1..=3 {
            for seed in 0..4 {
                let stages = play(&Format::Knockout { best_of, max_pairs: 2 * best_of }, players, seed);
                // Players that stop are out: all but one.
                let last = stages.last().expect("a final");
                assert_eq!(last.len(), 1, "the final is a match of its own");
                let everybody: BTreeSet<usize> =
                    stages.iter().flatten().filter_map(|p| two(p.meeting)).flatten().collect();
                assert_eq!(everybody.len(), players, "everybody plays");
                let matches: BTreeSet<[usize; 2]> = stages.iter().flatten().filter_map(|p| two(p.meeting)).collect();
                assert_eq!(matches.len(), players - 1, "each match puts one out");
                let mut pairs: BTreeMap<[usize; 2], u32> = BTreeMap::new();
                for played in stages.iter().flatten() {
                    *pairs.entry(two(played.meeting).expect("a pair")).or_default() += 1;
                }
                assert!(pairs.values().all(|&count| count <= 2 * best_of), "{pairs:?}");
            }
        }
    }
}

#[test]
fn the_first_two_seeds_can_meet_in_the_final_only() {
    let format = Format::Knockout { best_of: 1, max_pairs: 101 };
    let mut played: Vec<Played> = Vec::new();
    let mut stage = 0;
    loop {
        let meetings = next_stage(&format, 8, &played, &[]);
        if meetings.is_empty() {
            break;
        }
        stage += 1;
        // The higher seed wins.
        played.extend(meetings.into_iter().map(|meeting| {
            let Meeting::Pair([one, two]) = meeting else { panic!("no byes") };
            Played { meeting, stage, half_points: if one < two { 4 } else { 0 } }
        }));
    }
    assert_eq!(stage, 3);
    assert_eq!(played.last().and_then(|played| two(played.meeting)), Some([0, 1]));
}

/// Plays a match of two pairs; each pair has these half points of the higher seed.
fn play_match(max_pairs: u32, half_points: impl Fn(u32) -> u8) -> u32 {
    let format = Format::Knockout { best_of: 2, max_pairs };
    let (mut played, mut count) = (Vec::new(), 0);
    while let [meeting] = next_stage(&format, 2, &played, &[])[..] {
        count += 1;
        let Meeting::Pair([one, _]) = meeting else { panic!("no byes") };
        let of_first = half_points(count);
        played.push(Played { meeting, stage: count, half_points: if one == 0 { of_first } else { 4 - of_first } });
    }
    count
}

#[test]
fn an_even_match_goes_on_until_it_is_decided() {
    assert_eq!(play_match(102, |count| if count < 57 { 2 } else { 1 }), 57);
    assert_eq!(play_match(102, |_| 2), 102, "two players that always share their points do not play for ever");
    assert_eq!(play_match(4, |_| 2), 4, "the higher seed goes on after two pairs and two more");
    let three = Format::Knockout { best_of: 2, max_pairs: 102 };
    assert_eq!(next_stage(&three, 3, &[], &[]).len(), 1, "of three, the first waits for the final");
}

#[test]
fn a_withdrawn_player_is_in_no_later_round() {
    let format = Format::Swiss { rounds: 3, pairs: 1 };
    let mut schedule = Schedule::default();
    schedule.withdraw(2, 1);
    while schedule.advance(&format, 4, 1, |_| 2) {}
    let stages_of = |player: usize| -> Vec<u32> {
        let pairs = schedule.pairs().iter().filter(|pair| pair.players.contains(&player));
        let mut stages: Vec<u32> = pairs
            .map(|pair| pair.stage)
            .chain(schedule.byes().filter(|bye| bye.0 == player).map(|bye| bye.1))
            .collect();
        stages.sort_unstable();
        stages
    };
    assert_eq!(stages_of(2), [1]);
    assert!([0, 1, 3].into_iter().all(|player| stages_of(player) == [1, 2, 3]), "a bye for one of three in each round");
    schedule = Schedule::default();
    [1, 2, 3].into_iter().for_each(|player| schedule.withdraw(player, 1));
    while schedule.advance(&format, 4, 1, |_| 2) {}
    assert_eq!(schedule.pairs().len(), 2, "one player has no opponent");
}

#[test]
fn all_pairings_have_the_same_boards_and_openings() {
    let mut schedule = Schedule::default();
    assert!(schedule.advance(&Format::RoundRobin { pairs: 5 }, 4, 2, |_| panic!("nothing is played yet")));
    let mut seen: BTreeMap<[usize; 2], Vec<(usize, u32)>> = BTreeMap::new();
    for (index, pair) in schedule.pairs().iter().enumerate() {
        assert_eq!(pair.number as usize, index + 1);
        let mut key = pair.players;
        key.sort_unstable();
        seen.entry(key).or_default().push((pair.board, pair.opening));
    }
    let expected = vec![(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)];
    assert!(seen.len() == 6 && seen.values().all(|openings| *openings == expected), "{seen:?}");
    assert!(!schedule.advance(&Format::RoundRobin { pairs: 5 }, 4, 2, |_| 2), "there is one stage");
    assert_eq!(schedule.pairs().len(), 30);
}

#[test]
fn stages_are_numbered_and_byes_are_remembered() {
    let format = Format::Swiss { rounds: 3, pairs: 1 };
    let mut schedule = Schedule::default();
    while schedule.advance(&format, 5, 1, |number| (number % 3 * 2) as u8) {}
    let stages: Vec<u32> = schedule.pairs().iter().map(|pair| pair.stage).collect();
    assert_eq!(stages, [1, 1, 2, 2, 3, 3]);
    let byes: Vec<(usize, u32)> = schedule.byes().collect();
    assert_eq!(byes.iter().map(|(_, stage)| *stage).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(byes.iter().map(|(player, _)| *player).collect::<BTreeSet<_>>().len(), 3, "{byes:?}");
}
