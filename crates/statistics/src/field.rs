use crate::bradley_terry::{PRIOR_GAMES, Ratings, centered, fit};

/// A game with several players, one of which won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldGame {
    /// The player at each seat; a player may have several seats.
    pub players: Vec<usize>,
    /// The seat that won.
    pub winner: usize,
}

/// Whether to fit strengths of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatEffects {
    /// Fit a strength for each seat.
    Fitted,
    /// Treat all seats alike.
    None,
}

/// Strengths of players, and of seats, estimated from games with several players.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRatings {
    /// The players.
    pub players: Ratings,
    /// The seats, if fitted.
    pub seats: Option<Ratings>,
}

/// Fits strengths to games of several players: the odds of a seat are `10^((player + seat) / 400)`, so its chance is
/// that divided by the sum of all seats of the game (a softmax). With two seats that are alike this is the
/// Bradley-Terry model of [`ratings`](crate::ratings), to the digit: the likelihood has the same virtual games, also
/// for seats, and is maximised in the same way. Error bars come from the inverse of the Fisher information. Panics when
/// a game has a player or seat that is out of range.
pub fn field_ratings(players: usize, seats: usize, games: &[FieldGame], effects: SeatEffects) -> FieldRatings {
    let extra = if effects == SeatEffects::Fitted { seats } else { 0 };
    let count = players + extra;
    let (natural, covariance) = fit(count, |natural| derivatives(players, games, natural));
    let part = |from: usize, to: usize| {
        let rows = (from..to).flat_map(|row| &covariance[row * count + from..row * count + to]);
        centered(&natural[from..to], &rows.copied().collect::<Vec<f64>>())
    };
    let seats = (effects == SeatEffects::Fitted).then(|| part(players, count));
    FieldRatings { players: part(0, players), seats }
}

/// Returns the first derivative of the log-likelihood, and the negated second.
fn derivatives(players: usize, games: &[FieldGame], natural: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let count = natural.len();
    let has_seats = count > players;
    let (mut gradient, mut information) = (vec![0.0; count], vec![0.0; count * count]);
    for (place, &strength) in natural.iter().enumerate() {
        let p = 1.0 / (1.0 + (-strength).exp());
        gradient[place] += PRIOR_GAMES * (0.5 - p);
        information[place * count + place] += PRIOR_GAMES * p * (1.0 - p);
    }
    // The strengths that a seat of a game has.
    let own = |game: &FieldGame, seat: usize| [Some(game.players[seat]), has_seats.then_some(players + seat)];
    let mut means = vec![0.0; count];
    for game in games {
        let seats = game.players.len();
        let total = |seat: usize| own(game, seat).into_iter().flatten().map(|place| natural[place]).sum::<f64>();
        let most = (0..seats).map(total).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = (0..seats).map(|seat| (total(seat) - most).exp()).sum();
        let mut used = Vec::new();
        for place in own(game, game.winner).into_iter().flatten() {
            gradient[place] += 1.0;
        }
        for seat in 0..seats {
            let p = (total(seat) - most).exp() / sum;
            for row in own(game, seat).into_iter().flatten() {
                gradient[row] -= p;
                means[row] += p;
                used.push(row);
                for column in own(game, seat).into_iter().flatten() {
                    information[row * count + column] += p;
                }
            }
        }
        used.sort_unstable();
        used.dedup();
        for &row in &used {
            for &column in &used {
                information[row * count + column] -= means[row] * means[column];
            }
        }
        used.iter().for_each(|&place| means[place] = 0.0);
    }
    (gradient, information)
}
