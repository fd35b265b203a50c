//! Ladders as pure functions: ratings, pairings, and the result of a journal.

use std::collections::BTreeMap;

use amazons::game::GameSettings;
use amazons::referee::{PlayerNumber, Termination};
use amazons::tournament::ladder::{
    Candidate, Joined, Ladder, LadderLine, LadderPlan, LadderTable, Left, Meet, Rating, choose, cost, rate,
};
use amazons::tournament::{GameLine, Records};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(super) fn plan() -> LadderPlan {
    LadderPlan {
        boards: vec!["c5".to_owned(), "d6".to_owned()],
        plies: 2,
        pairs: 1,
        max_pairs: None,
        seed: 7,
        records: Records::All,
        game: GameSettings::default(),
    }
}

fn joined(name: &str, version: u32) -> LadderLine {
    let sha256 = format!("{name}{version:064}");
    LadderLine::Joined(Joined {
        name: name.to_owned(),
        version,
        sha256,
        file: format!("admitted/{name}.so"),
        directions: None,
        options: None,
        is_anchor: name.starts_with("base"),
        at: 0,
    })
}

fn left(name: &str, version: u32) -> LadderLine {
    LadderLine::Left(Left { name: name.to_owned(), version, at: 0 })
}

fn game(meet: &Meet, game: u8, winner: Option<PlayerNumber>) -> LadderLine {
    LadderLine::Game(GameLine {
        pair: meet.pair,
        game,
        players: meet.players.clone(),
        winner,
        termination: Termination::NoMoves,
        at_fault: Vec::new(),
        moves: 20,
        fingerprint: format!("{:016x}", u64::from(meet.pair) * 2 + u64::from(game)),
        slowest_us: [1, 1],
        wall_us: 1,
        idle_us: [0, 0],
        host: "here".to_owned(),
        speed: 1.0,
        record: None,
        logs: [None, None],
    })
}

/// Glicko-2 as in its paper, step by step, with bisection where the paper is clever.
fn slow_glicko(player: [f64; 3], games: &[([f64; 2], f64)], tau: f64) -> [f64; 3] {
    const SCALE: f64 = 173.7178;
    let (mu, phi, sigma) = ((player[0] - 1500.0) / SCALE, player[1] / SCALE, player[2]);
    let (mut information, mut surplus) = (0.0, 0.0);
    for &([points, deviation], score) in games {
        let (mu_j, phi_j) = ((points - 1500.0) / SCALE, deviation / SCALE);
        let g = 1.0 / (1.0 + 3.0 * phi_j * phi_j / (std::f64::consts::PI * std::f64::consts::PI)).sqrt();
        let e = 1.0 / (1.0 + (-g * (mu - mu_j)).exp());
        information += g * g * e * (1.0 - e);
        surplus += g * (score - e);
    }
    let v = 1.0 / information;
    let delta = v * surplus;
    let a = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let sum = phi * phi + v + e;
        e * (delta * delta - phi * phi - v - e) / (2.0 * sum * sum) - (x - a) / (tau * tau)
    };
    let (mut low, mut high) = (a - 30.0, a + 30.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    let new_sigma = (low / 2.0).exp();
    let before = phi * phi + new_sigma * new_sigma;
    let new_phi = 1.0 / (1.0 / before + 1.0 / v).sqrt();
    [(mu + new_phi * new_phi * surplus) * SCALE + 1500.0, new_phi * SCALE, new_sigma]
}

/// The example of Glickman's paper: 1464.06, 151.52, 0.05999.
const PAPER: ([f64; 3], [([f64; 2], f64); 3]) =
    ([1500.0, 200.0, 0.06], [([1400.0, 30.0], 1.0), ([1550.0, 100.0], 0.0), ([1700.0, 300.0], 0.0)]);

#[test]
fn ratings_are_those_of_the_paper() {
    let (player, games) = PAPER;
    let [points, deviation, volatility] = slow_glicko(player, &games, 0.5);
    assert!((points - 1464.06).abs() < 0.02, "{points}");
    assert!((deviation - 151.52).abs() < 0.01, "{deviation}");
    assert!((volatility - 0.05999).abs() < 0.00001, "{volatility}");
    let rating = |[points, deviation, volatility]: [f64; 3]| Rating { points, deviation, volatility };
    let games: Vec<(Rating, u8)> = games
        .iter()
        .map(|&([points, deviation], score)| (rating([points, deviation, 0.06]), (2.0 * score) as u8))
        .collect();
    let after = rating(player).after(&games);
    assert!((after.points - 1464.06).abs() < 0.02 && (after.deviation - 151.52).abs() < 0.01, "{after:?}");
}

#[test]
fn ratings_equal_their_slow_twin() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..2000 {
        let mut random = || Rating {
            points: rng.random_range(500.0..2500.0),
            deviation: rng.random_range(15.0..350.0),
            volatility: rng.random_range(0.004..0.05),
        };
        let two = [random(), random()];
        let half_points = [rng.random_range(0..3), rng.random_range(0..3)];
        let rated = rate(two, half_points);
        for (player, other) in [(0, 1), (1, 0)] {
            let score = |half: u8| f64::from(if player == 0 { half } else { 2 - half }) / 2.0;
            // A player further away counts as 800 points away.
            let near = two[other].points.clamp(two[player].points - 800.0, two[player].points + 800.0);
            let opponent = [near, two[other].deviation];
            let games = half_points.map(|half| (opponent, score(half)));
            let Rating { points, deviation, volatility } = two[player];
            let [points, deviation, volatility] = slow_glicko([points, deviation, volatility], &games, 0.1);
            let found = rated[player];
            assert!((found.points - points).abs() < 1e-3, "{two:?} {half_points:?}: {found:?}, {points}");
            assert!((found.deviation - deviation).abs() < 1e-3, "{two:?} {half_points:?}: {found:?}, {deviation}");
            assert!((found.volatility - volatility).abs() < 1e-5, "{two:?} {half_points:?}: {found:?}, {volatility}");
        }
    }
}

#[test]
fn no_surprise_is_too_large() {
    let rating = |points, deviation| Rating { points, deviation, volatility: 0.005 };
    let (mut strong, mut weak) = (rating(4000.0, 350.0), rating(0.0, 15.0));
    for _ in 0..50 {
        [strong, weak] = rate([strong, weak], [0, 0]);
        for one in [strong, weak] {
            assert!(one.deviation <= 350.0 && one.volatility < 0.02 && one.points.abs() < 5000.0, "{one:?}");
        }
    }
    assert!(strong.points < weak.points, "{strong:?} {weak:?}");
}

fn candidate(points: f64, deviation: f64, load: f64) -> Candidate {
    Candidate {
        rating: Rating { points, deviation, volatility: 0.005 },
        load,
        pairs: 10,
        is_done: false,
        is_anchor: false,
    }
}

#[test]
fn whose_turn_it_is_meets_somebody_alike() {
    let field = [
        candidate(1500.0, 50.0, 9.0),
        candidate(2000.0, 50.0, 7.0),
        candidate(1520.0, 50.0, 9.5),
        candidate(2030.0, 50.0, 7.0),
        candidate(1000.0, 60.0, 7.0),
    ];
    for seed in 0..20 {
        // Of those with the least load, the most uncertain one.
        assert_eq!(choose(&field, |_, _| 0, seed).expect("two")[0], 4);
        let rest = &field[..4];
        assert_eq!(choose(rest, |_, _| 0, seed), Some([1, 3]), "the one alike, not those with other ratings");
        assert_eq!(choose(rest, |_, _| 0, seed), choose(rest, |_, _| 0, seed));
    }
    // A player that always met the same opponent meets another one that is nearly as good.
    let near = [candidate(1500.0, 50.0, 0.0), candidate(1500.0, 50.0, 0.0), candidate(1540.0, 50.0, 0.0)];
    assert_eq!(choose(&near, |_, two| if two == 1 { 10 } else { 0 }, 3), Some([0, 2]));
    // A player that has had its games only plays when another needs an opponent.
    let mut done = near;
    done[0].is_done = true;
    assert_eq!(choose(&done, |_, _| 0, 3).expect("two")[0], 1);
    done.iter_mut().for_each(|one| one.is_done = true);
    assert_eq!(choose(&done, |_, _| 0, 3), None);
    assert_eq!(choose(&near[..1], |_, _| 0, 3), None);
    assert!(cost(&near[0].rating) > 2.0 * cost(&Rating::default()), "newcomers play more often");
}

/// A night with players of known strength, whose games are decided by dice.
struct Night {
    ladder: Ladder,
    lines: Vec<LadderLine>,
    strength: BTreeMap<String, f64>,
    rng: Xoshiro256PlusPlus,
}

impl Night {
    fn new(plan: LadderPlan) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
        Self { ladder: Ladder::new(plan), lines: Vec::new(), strength: BTreeMap::new(), rng }
    }

    fn add(&mut self, line: LadderLine) {
        self.ladder.apply(&line).expect("a line that follows");
        self.lines.push(line);
    }

    fn join(&mut self, name: &str, strength: f64) {
        self.strength.insert(format!("{name}#1"), strength);
        self.add(joined(name, 1));
    }

    fn meet(&mut self) -> Meet {
        let meet = self.ladder.next_meet().expect("somebody's turn");
        self.add(LadderLine::Meet(meet.clone()));
        meet
    }

    fn play(&mut self, meet: &Meet) {
        for number in [1, 2] {
            let [one, two] = meet.players.each_ref().map(|name| self.strength[name]);
            let chance = 1.0 / (1.0 + 10_f64.powf((two - one) / 400.0));
            let winner = if self.rng.random_bool(chance) { PlayerNumber::One } else { PlayerNumber::Two };
            self.add(game(meet, number, Some(winner)));
        }
    }

    /// Plays with three workers, so that games end in a different order than they began.
    fn go_on(&mut self, pairs: usize) {
        let mut running = Vec::new();
        for _ in 0..pairs {
            while running.len() < 3 {
                running.push(self.meet());
            }
            let meet = running.remove(self.rng.random_range(0..3));
            self.play(&meet);
        }
        for meet in running {
            self.play(&meet);
        }
    }
}

#[test]
fn a_night_of_25_players_ends_with_their_strengths_and_like_rates() {
    let mut night = Night::new(plan());
    for team in 0..25 {
        night.join(&format!("team{team:02}"), 1000.0 + 40.0 * f64::from(team));
    }
    night.go_on(2500);
    let table = LadderTable::of(&night.ladder);
    let games: Vec<u64> = table.players.iter().map(|row| row.games).collect();
    let (least, most) = (games.iter().min().expect("25"), games.iter().max().expect("25"));
    println!("games of each of 25 players: {least} to {most}");
    assert!((*most as f64) < 1.3 * *least as f64, "{games:?}");
    // The scale has no origin: differences count.
    let strength = |name: &str| night.strength[&format!("{name}#1")];
    let shift: f64 =
        table.players.iter().map(|row| row.elo - strength(&row.name)).sum::<f64>() / table.players.len() as f64;
    let inside = |row: &&amazons::tournament::PlayerRow| (row.elo - strength(&row.name) - shift).abs() < row.error;
    let covered = table.players.iter().filter(inside).count();
    println!(
        "{covered} of 25 strengths are inside their intervals of +- {:.0} to {:.0}",
        table.players.iter().map(|row| row.error).fold(f64::MAX, f64::min),
        table.players.iter().map(|row| row.error).fold(0.0, f64::max)
    );
    assert!(covered >= 21, "{covered}");
    // Game by game is good enough to find opponents.
    let off = |row: &amazons::tournament::PlayerRow| {
        (row.glicko.unwrap_or_default() - 1500.0 - (strength(&row.name) - 1480.0)).abs()
    };
    let off = table.players.iter().map(off).sum::<f64>() / 25.0;
    println!("Glicko-2 is {off:.0} off in the mean");
    assert!(off < 60.0, "{off}");
    // Games between similar players are most informative.
    let apart = night.ladder.pairs().iter().skip(500).map(|pair| {
        let [one, two] = pair.players.map(|id| night.strength[&night.ladder.contenders()[id].label()]);
        (one - two).abs()
    });
    let apart: Vec<f64> = apart.collect();
    let mean = apart.iter().sum::<f64>() / apart.len() as f64;
    println!("opponents are {mean:.0} Elo apart in the mean; those of a lot would be 347");
    assert!(mean < 300.0, "{mean}");
}

/// Equal players must not split by chance into groups that then only play among themselves.
#[test]
fn equal_players_meet_all_others() {
    let mut night = Night::new(plan());
    for team in 0..12 {
        night.join(&format!("team{team:02}"), 1500.0);
    }
    night.go_on(600);
    let mut met = std::collections::BTreeSet::new();
    night.ladder.pairs().iter().for_each(|pair| {
        met.insert([pair.players[0].min(pair.players[1]), pair.players[0].max(pair.players[1])]);
    });
    println!("{} of 66 pairings were played", met.len());
    assert!(met.len() >= 60, "{met:?}");
    let table = LadderTable::of(&night.ladder);
    let off = |row: &amazons::tournament::PlayerRow| row.elo.abs() > 1.5 * row.error;
    assert_eq!(table.players.iter().filter(|row| off(row)).count(), 0, "{table:?}");
}

#[test]
fn a_newcomer_is_soon_known_and_keeps_nobody_from_playing() {
    let mut night = Night::new(plan());
    for team in 0..10 {
        night.join(&format!("team{team}"), 1500.0 + 20.0 * f64::from(team));
    }
    night.go_on(600);
    let before: Vec<u32> = night.ladder.contenders().iter().map(|contender| contender.pairs).collect();
    night.join("late", 1900.0);
    assert_eq!(night.ladder.next_meet().expect("a pair").players[0], "late#1", "who comes has the next turn");
    night.go_on(80);
    let late = night.ladder.present("late").expect("it is there");
    let others: Vec<u32> =
        night.ladder.contenders().iter().zip(before).map(|(contender, before)| contender.pairs - before).collect();
    println!("of 80 pairs the newcomer had {}, the others {others:?}, and it has {:?}", late.pairs, late.rating);
    assert!((16..=50).contains(&late.pairs), "{}", late.pairs);
    assert!(others.iter().all(|&pairs| pairs >= 6), "{others:?}");
    assert!(late.rating.points > 1650.0 && late.rating.deviation < 90.0, "{:?}", late.rating);
}

/// They had played each other for long before anybody came, and a strong team has nothing to learn from them.
#[test]
fn everybody_meets_the_anchors() {
    let mut night = Night::new(LadderPlan { max_pairs: Some(100), ..plan() });
    night.join("base-weak", 1000.0);
    night.join("base-strong", 1300.0);
    night.go_on(90);
    let teams = ["ada", "bob", "cid", "dan", "eve", "fay"];
    teams.iter().zip([1100.0, 1400.0, 1600.0, 1800.0, 2300.0, 2400.0]).for_each(|(name, it)| night.join(name, it));
    night.go_on(180);
    for name in teams.map(|name| format!("{name}#1")) {
        let of = |line: &&LadderLine| matches!(line, LadderLine::Meet(meet) if meet.players.contains(&name));
        let own: Vec<&LadderLine> = night.lines.iter().filter(of).collect();
        let met = ["base-weak#1", "base-strong#1"].map(|anchor| {
            own.iter()
                .filter(|line| matches!(line, LadderLine::Meet(it) if it.players.iter().any(|it| it == anchor)))
                .count()
        });
        println!("{name}: {met:?} of {}", own.len());
        assert!(met.iter().all(|&count| count * 12 > own.len()), "{name}: {met:?} of {}", own.len());
    }
}

#[test]
fn who_loses_to_a_friend_on_purpose_is_noted() {
    let notes = |has_friend: bool| {
        let mut night = Night::new(plan());
        for team in 0..8 {
            night.join(&format!("team{team}"), 1500.0 + 60.0 * f64::from(team));
        }
        for _ in 0..600 {
            let meet = night.meet();
            match meet.players.iter().position(|name| name == "team2#1") {
                Some(place) if has_friend && meet.players.contains(&"team6#1".to_owned()) => {
                    [1, 2]
                        .into_iter()
                        .for_each(|number| night.add(game(&meet, number, Some(PlayerNumber::ALL[place]))));
                }
                _ => night.play(&meet),
            }
        }
        LadderTable::of(&night.ladder).suspicions
    };
    assert_eq!(notes(false), [""; 0]);
    let found = notes(true);
    assert!(
        found.len() == 1 && found[0].starts_with("team2 has ") && found[0].contains(" against team6, "),
        "{found:?}"
    );
}

/// A player that sleeps makes its games last thirty times as long, but they are nearly as rare.
#[test]
fn who_keeps_games_waiting_has_no_more_of_the_ladders_time() {
    let mut night = Night::new(plan());
    let names = ["ada", "bob", "cid", "dan", "eve"];
    names.iter().for_each(|name| night.join(name, 1500.0));
    let mut time = [0, 0];
    for _ in 0..500 {
        let meet = night.meet();
        let idle = meet.players.each_ref().map(|name| if name == "eve#1" { 300_000 } else { 0 });
        let wall_us = 10_000 + idle[0] + idle[1];
        for number in [1, 2] {
            let LadderLine::Game(line) = game(&meet, number, None) else { panic!("a game") };
            night.add(LadderLine::Game(GameLine { wall_us, idle_us: idle, ..line }));
        }
        time[usize::from(idle != [0, 0])] += wall_us;
    }
    let pairs: Vec<u32> = night.ladder.contenders().iter().map(|it| it.pairs).collect();
    println!("pairs {pairs:?}, microseconds without and with the sleeper {time:?}");
    assert!(pairs[..4].iter().all(|&count| count > 200) && pairs[4] > 0, "{pairs:?}");
    assert!(time[1] < time[0], "{time:?}");
}

#[test]
fn the_same_lines_give_the_same_ladder_and_the_same_next_pair() {
    let mut night = Night::new(LadderPlan { pairs: 2, ..plan() });
    for name in ["ada", "bob", "cid", "dan"] {
        night.join(name, 1500.0);
    }
    night.go_on(40);
    night.add(left("bob", 1));
    night.strength.insert("bob#2".to_owned(), 1700.0);
    night.add(joined("bob", 2));
    night.go_on(40);
    let mut again = Ladder::new(night.ladder.plan().clone());
    for line in &night.lines {
        if let LadderLine::Meet(meet) = line {
            assert_eq!(again.next_meet().as_ref(), Some(meet));
        }
        again.apply(line).expect("the same lines");
    }
    assert_eq!(LadderTable::of(&again).json(), LadderTable::of(&night.ladder).json());
    // A match has two pairs, on two boards.
    let pairs = again.pairs();
    assert!(pairs[..40].chunks(2).all(|two| two[0].players == two[1].players), "{pairs:?}");
    // The other seed, and the same night is another one.
    let mut other = Night::new(LadderPlan { pairs: 2, seed: 8, ..plan() });
    for name in ["ada", "bob", "cid", "dan"] {
        other.join(name, 1500.0);
    }
    other.go_on(40);
    assert_ne!(other.ladder.pairs()[..40], night.ladder.pairs()[..40]);
}

#[test]
fn versions_are_told_apart_and_come_back() {
    let mut night = Night::new(plan());
    night.join("ada", 1500.0);
    night.join("bob", 1500.0);
    night.go_on(10);
    let before = night.ladder.present("ada").expect("it is there").rating;
    let meet = night.meet();
    night.add(left("ada", 1));
    assert_eq!(night.ladder.unfinished().count(), 0, "nobody waits for who has gone");
    assert!(night.ladder.next_meet().is_none());
    night.play(&meet);
    assert_ne!(night.ladder.newest("ada").expect("it was there").rating, before, "its last pair counts all the same");
    assert_eq!(night.ladder.version_of("ada", &format!("ada{:064}", 1)), 1, "the same file");
    assert_eq!(night.ladder.version_of("ada", "another"), 2);
    let mut back = night.ladder.clone();
    back.apply(&joined("ada", 1)).expect("it comes back");
    assert_eq!(back.present("ada").expect("it is there").tally.games, 26, "with what it had");
    night.add(joined("ada", 2));
    let fresh = night.ladder.present("ada").expect("it is there");
    assert_eq!((fresh.tally.games, fresh.rating), (0, Rating::default()), "a new version has nothing of the old one");
    let table = LadderTable::of(&night.ladder);
    assert_eq!((table.players.len(), table.former.len()), (2, 1));
    assert!(table.notices.iter().any(|note| note.starts_with("ada has no whole pair yet")), "{:?}", table.notices);
}

#[test]
fn lines_that_do_not_follow_are_refused() {
    let mut night = Night::new(plan());
    night.join("ada", 1500.0);
    night.join("bob", 1500.0);
    let meet = night.meet();
    let wrong = |line: LadderLine, expected: &str| {
        let reason = night.ladder.clone().apply(&line).expect_err("it does not follow");
        assert!(reason.to_string().contains(expected), "{reason}");
    };
    wrong(joined("ada", 2), "ada joins twice");
    wrong(joined("cid", 0), "version 0 of cid is another file");
    wrong(left("cid", 1), "version 1 of cid leaves, and was not there");
    wrong(LadderLine::Meet(Meet { pair: 3, ..meet.clone() }), "pair 3 is not the next one");
    wrong(LadderLine::Meet(Meet { pair: 2, board: 9, ..meet.clone() }), "pair 2 has no board");
    wrong(
        LadderLine::Meet(Meet { pair: 2, players: ["ada#1", "eve#1"].map(str::to_owned), ..meet }),
        "unknown players",
    );
    wrong(game(&Meet { pair: 2, ..meet.clone() }, 1, None), "game 1 of pair 2 is not due");
    let mut turned = meet.clone();
    turned.players.reverse();
    wrong(game(&turned, 1, None), "is not due");
    night.add(game(&meet, 1, None));
    assert!(night.ladder.apply(&game(&meet, 1, None)).is_err(), "twice");
}
