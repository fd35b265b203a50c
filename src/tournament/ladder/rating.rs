use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// How much a volatility may change (Glickman proposes 0.3 to 1.2 for people): programs do not learn, so little.
const TAU: f64 = 0.1;

/// An opponent that is further away counts as one that is as far as this. A lost game against a hopeless player, after
/// all a machine's fault, would otherwise count more than all others; and the equation of the volatility has one root
/// only as long as surprises are bounded.
const FAR: f64 = 800.0;

/// The rating of an unknown player: as in Glickman's paper, but for the volatility. A version of a program is as strong
/// on its last day as on its first, so that its deviation should go on falling; with 0.005 it does down to some 15
/// points.
const UNKNOWN: [f64; 3] = [1500.0, 350.0, 0.005];

/// How strong a player is thought to be, by Glicko-2.
///
/// Mark E. Glickman, "Example of the Glicko-2 system", 2013.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// On the scale of Elo; newcomers have 1500.
    pub points: f64,
    /// One standard deviation.
    pub deviation: f64,
    /// How much the points are thought to change, on the inner scale of the paper.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Self {
        let [points, deviation, volatility] = UNKNOWN;
        Self { points, deviation, volatility }
    }
}

impl Rating {
    /// Returns the half-width of the 95 % interval.
    pub fn error(&self) -> f64 {
        amazons_statistics::Z95 * self.deviation
    }

    /// Returns this rating after games that count as played at once: the opponents as they were, and the half points
    /// against each, 0 to 2.
    pub fn after(&self, games: &[(Self, u8)]) -> Self {
        let config = Glicko2Config { tau: TAU, ..Glicko2Config::new() };
        let outcome = |half_points| match half_points {
            0 => Outcomes::LOSS,
            1 => Outcomes::DRAW,
            _ => Outcomes::WIN,
        };
        let near =
            |opponent: &Self| Self { points: opponent.points.clamp(self.points - FAR, self.points + FAR), ..*opponent };
        let games: Vec<(Glicko2Rating, Outcomes)> =
            games.iter().map(|(opponent, half_points)| (near(opponent).inner(), outcome(*half_points))).collect();
        let Glicko2Rating { rating, deviation, volatility } = glicko2_rating_period(&self.inner(), &games, &config);
        Self { points: rating, deviation, volatility }
    }

    const fn inner(&self) -> Glicko2Rating {
        Glicko2Rating { rating: self.points, deviation: self.deviation, volatility: self.volatility }
    }
}

/// Rates a pair of games, of which the first player made these half points: both are judged by what the other one was
/// before.
pub fn rate([one, two]: [Rating; 2], half_points: [u8; 2]) -> [Rating; 2] {
    let for_one = half_points.map(|points| (two, points));
    let for_two = half_points.map(|points| (one, 2 - points));
    [one.after(&for_one), two.after(&for_two)]
}
