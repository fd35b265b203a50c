//! Strengths in a field.

use amazons_statistics::{FieldGame, SeatEffects, field_ratings, ratings};
use cluedo::deal::stream;
use rand::RngExt;

fn games(players: usize, seats: usize, count: usize, chance: impl Fn(usize, usize) -> f64) -> Vec<FieldGame> {
    let mut rng = stream(5, 0, 0, "strengths");
    let game = |_| {
        let mut free: Vec<usize> = (0..players).collect();
        let players: Vec<usize> = (0..seats).map(|_| free.swap_remove(rng.random_range(0..free.len()))).collect();
        let weights: Vec<f64> = players.iter().enumerate().map(|(seat, &player)| chance(player, seat)).collect();
        let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
        let winner = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        FieldGame { players, winner: winner.unwrap_or(seats - 1) }
    };
    (0..count).map(game).collect()
}

#[test]
fn two_seats_alike_are_bradley_terry() {
    let games = games(5, 2, 300, |player, _| (player + 1) as f64);
    let mut won = vec![vec![0.0; 5]; 5];
    for game in &games {
        won[game.players[game.winner]][game.players[1 - game.winner]] += 1.0;
    }
    let (pairs, field) = (ratings(&won), field_ratings(5, 2, &games, SeatEffects::None));
    assert_eq!(field.seats, None);
    for player in 0..5 {
        assert!((pairs.points(player) - field.players.points(player)).abs() < 1e-6, "{player}");
        assert!((pairs.error(player) - field.players.error(player)).abs() < 1e-6, "{player}");
        for other in 0..5 {
            assert!((pairs.los(player, other) - field.players.los(player, other)).abs() < 1e-6);
        }
    }
}

#[test]
fn strengths_and_seats_are_found_again() {
    // 100 Elo from one player to the next, 60 from one seat to the next.
    let strength = |player: usize, seat: usize| 10_f64.powf((100.0 * player as f64 - 60.0 * seat as f64) / 400.0);
    let found = field_ratings(5, 4, &games(5, 4, 20_000, strength), SeatEffects::Fitted);
    for player in 0..5 {
        let off = found.players.points(player) - 100.0 * (player as f64 - 2.0);
        assert!(off.abs() < 2.0 * found.players.error(player), "player {player}: {off}");
    }
    let seats = found.seats.expect("fitted");
    for seat in 0..4 {
        let off = seats.points(seat) - 60.0 * (1.5 - seat as f64);
        assert!(off.abs() < 2.0 * seats.error(seat), "seat {seat}: {off}");
        assert!((1.0..20.0).contains(&seats.error(seat)));
    }
    // A program in all seats, and one that never wins: no number is infinite.
    let few = [FieldGame { players: vec![0, 0, 1], winner: 0 }, FieldGame { players: vec![1, 0, 0], winner: 1 }];
    let found = field_ratings(2, 3, &few, SeatEffects::Fitted);
    assert!(found.players.points(0) > 0.0 && found.players.error(0).is_finite());
}
