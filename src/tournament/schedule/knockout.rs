use super::{HALF_POINTS, Meeting, Played, PlayerId};

/// How a match between two players stands.
#[derive(Clone, Copy, Debug)]
struct Match {
    /// The smaller number is the higher seed.
    players: [PlayerId; 2],
    pairs: u32,
    /// Of the first of the two.
    half_points: u32,
}

impl Match {
    /// Returns the winner, once the other player cannot catch up.
    /// A match that is even after its pairs goes on pair by pair until it is decided. Should it be even after the most
    /// pairs, the higher seed goes on.
    fn winner(&self, [best_of, most]: [u32; 2]) -> Option<PlayerId> {
        let [mine, theirs] = [self.half_points, u32::from(HALF_POINTS) * self.pairs - self.half_points];
        let left = u32::from(HALF_POINTS) * best_of.saturating_sub(self.pairs);
        if mine > theirs + left {
            Some(self.players[0])
        } else if theirs > mine + left {
            Some(self.players[1])
        } else {
            (self.pairs >= most).then_some(self.players[0])
        }
    }
}

/// Returns one pair for each match of the round that is not decided, or the first ones of the next round.
///
/// `pairs` are those of a match, and the most that it can have.
///
/// The bracket is the usual one: the first seed meets the last, and the first two can meet in the final only. Where
/// seeds are missing, the highest go on without playing.
pub(super) fn next_step(players: usize, pairs: [u32; 2], played: &[Played]) -> Vec<Meeting> {
    let mut standing = bracket(players);
    let mut rest = played;
    while standing.len() > 1 {
        let mut matches = Vec::new();
        for couple in standing.chunks(2) {
            if let [Some(one), Some(two)] = *couple {
                let players = [one.min(two), one.max(two)];
                matches.push(Match { players, pairs: 0, half_points: 0 });
            }
        }
        // Two players meet in one round only, so what they played belongs to it.
        let mut used = 0;
        for done in rest {
            let Meeting::Pair([one, two]) = done.meeting else { break };
            let same = |game: &&mut Match| game.players == [one.min(two), one.max(two)];
            let Some(game) = matches.iter_mut().find(same) else { break };
            game.pairs += 1;
            let scored = if one < two { done.half_points } else { HALF_POINTS - done.half_points };
            game.half_points += u32::from(scored);
            used += 1;
        }
        rest = &rest[used..];
        let open: Vec<Meeting> = matches.iter().filter(|game| game.winner(pairs).is_none()).map(next_pair).collect();
        if !open.is_empty() {
            return open;
        }
        let winner_of = |couple: &[Option<PlayerId>]| match *couple {
            [Some(one), Some(two)] => matches
                .iter()
                .find(|game| game.players == [one.min(two), one.max(two)])
                .and_then(|game| game.winner(pairs)),
            [one, two] => one.or(two),
            _ => None,
        };
        standing = standing.chunks(2).map(winner_of).collect();
    }
    Vec::new()
}

/// The two take turns in being named first.
fn next_pair(game: &Match) -> Meeting {
    let [one, two] = game.players;
    Meeting::Pair(if game.pairs.is_multiple_of(2) { [one, two] } else { [two, one] })
}

/// Returns the seeds in the order of the bracket; places beyond the last player are empty.
fn bracket(players: usize) -> Vec<Option<PlayerId>> {
    let mut order = vec![0];
    while order.len() < players {
        let size = 2 * order.len();
        order = order.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
    }
    order.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}
