//! What is known of bots that play themselves, and bands for those that play each other.

use cluedo::bots::Kind;

use super::measured::{games, share};

/// The same bot in all seats: the winner's own turns and their deviation, total turns, wins by seat in percent.
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) players: usize,
    pub(super) own: (f64, f64),
    pub(super) turns: f64,
    pub(super) seats: &'static [f64],
    pub(super) most_turns: usize,
}

const fn row(kind: Kind, players: usize, own: (f64, f64), turns: f64, seats: &'static [f64], most: usize) -> Row {
    Row { kind, players, own, turns, seats, most_turns: most }
}

const ROWS: [Row; 12] = [
    row(Kind::Bot1, 3, (4.57, 1.54), 12.5, &[46.4, 29.0, 24.7], 19),
    row(Kind::Bot1, 4, (6.10, 2.15), 22.7, &[31.5, 25.3, 22.5, 20.7], 37),
    row(Kind::Bot1Literal, 2, (3.21, 0.96), 5.79, &[63.5], 9),
    row(Kind::Bot1Literal, 3, (4.59, 1.55), 12.6, &[], 22),
    row(Kind::Bot1Literal, 4, (6.13, 2.17), 22.9, &[], 41),
    row(Kind::Bot2, 3, (3.63, 0.95), 9.8, &[40.9, 27.4, 31.7], 64),
    row(Kind::Bot2, 4, (4.04, 0.99), 14.6, &[28.8, 22.9, 23.0, 25.3], 64),
    row(Kind::Bot2Extended, 3, (3.44, 0.80), 9.2, &[43.4, 27.5, 29.1], 64),
    row(Kind::Bot2Extended, 4, (3.85, 0.87), 13.8, &[30.7, 22.5, 22.7, 24.1], 64),
    row(Kind::Bot3, 3, (2.92, 0.86), 7.8, &[34.3, 28.8, 37.0], 64),
    row(Kind::Bot3, 4, (3.04, 0.87), 10.7, &[26.2, 23.0, 26.4, 24.5], 64),
    row(Kind::Bot2, 2, (3.1092, 0.81), 5.4875, &[73.089], 7),
];

/// Plays a row; `se` are the standard errors of the table itself, about 0.5 points a share.
pub(super) fn check(row: &Row, count: u64) {
    let (mut own, mut turns, mut wins) = (0.0, 0.0, vec![0.0; row.players]);
    games(&vec![row.kind; row.players], count, 11, |_, outcome| {
        let winner = outcome.winner.expect("such bots always find the secret");
        assert!(outcome.turns <= row.most_turns, "{} turns", outcome.turns);
        wins[winner] += 1.0;
        own += outcome.own_turns as f64;
        turns += outcome.turns as f64;
    });
    let count = count as f64;
    let name = format!("{} x {}", row.kind.name(), row.players);
    let within = |what: &str, found: f64, expected: f64, error: f64| {
        assert!((found - expected).abs() <= 4.0 * error, "{name}: {what} {found} instead of {expected} +- {error}");
    };
    // The table has two decimals, from 20,000 games or so.
    within("own turns", own / count, row.own.0, row.own.1 * (1.0 / count + 1.0 / 2e4).sqrt() + 0.003);
    let per_seat = row.players as f64;
    within("turns", turns / count, row.turns, per_seat * row.own.1 * (1.0 / count + 1.0 / 2e4).sqrt() + 0.02);
    for (seat, &share) in row.seats.iter().enumerate() {
        let p = share / 100.0;
        within("wins", wins[seat] / count, p, (p * (1.0 - p) * (1.0 / count + 1.0 / 2e4)).sqrt() + 0.0005);
    }
}

#[test]
fn the_same_bot_in_all_seats() {
    for row in &ROWS {
        check(row, 6_000);
    }
}

#[test]
fn two_memory_bots_follow_the_exact_law() {
    let law = [15.0, 12.708, 19.462, 14.203, 38.627];
    let (mut counts, mut own, mut first) = ([0.0; 5], 0.0, 0.0);
    let count = 100_000;
    games(&[Kind::Bot1; 2], count, 3, |_, outcome| {
        counts[outcome.turns - 3] += 1.0;
        own += outcome.own_turns as f64;
        first += f64::from(u8::from(outcome.winner == Some(0)));
    });
    let games = count as f64;
    let chi: f64 = law
        .iter()
        .zip(counts)
        .map(|(percent, count)| (count - percent / 100.0 * games).powi(2) / (percent / 100.0 * games))
        .sum();
    // 4 degrees of freedom: 23.5 is exceeded once in 10,000 seeds.
    assert!(chi < 23.5, "chi-square {chi}: {counts:?}");
    assert!((own / games - 214_907.0 / 69_120.0).abs() < 4.0 * 0.81 / games.sqrt());
    assert!((first / games - 0.73089).abs() < 4.0 * (0.73_f64 * 0.27 / games).sqrt());
}

#[test]
fn bands_of_strength() {
    let against = |one: Kind, others: Kind, games: u64| share(&[one, others, others, others], games, 5);
    let (wins, wrong) = against(Kind::Bot4, Kind::Bot2Extended, 800);
    assert!(wins >= 0.70 && wrong <= 0.08, "bot4 against extended bot2: {wins}, wrong {wrong}");
    let (wins, _) = against(Kind::Bot4, Kind::Bot3, 800);
    assert!(wins >= 0.53, "bot4 against bot3: {wins}");
    let (wins, wrong) = against(Kind::Bot2Extended, Kind::Bot2, 6_000);
    assert!(wins >= 0.33 && wrong == 0.0, "extended against strict: {wins}");
    let (wins, _) = against(Kind::Bot1, Kind::Bot2, 6_000);
    assert!(wins <= 0.06, "bot1 against strict: {wins}");
    let (wins, _) = against(Kind::Bot3, Kind::Bot2Extended, 6_000);
    assert!(wins >= 0.26, "bot3 against extended: {wins}");
}
