use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

use super::{HALF_POINTS, Meeting, Played, PlayerId};

/// Up to so many players, a round repeats the meetings of the longest ago; of more, it only repeats as few as possible.
const MAX_EXACT: usize = 16;

/// The cost of a repeated meeting: one here, and one in the digit of the round of the last meeting.
const REPEAT: u128 = 1 << (DIGIT_BITS * DIGITS);
/// A digit has room for all pairs of [`MAX_EXACT`] players.
const DIGIT_BITS: u32 = 5;
/// Meetings of more rounds ago are equally long ago.
const DIGITS: u32 = 23;

/// Pairs players of equal points, with as few repeated meetings as possible, and those of the longest ago; absent ones
/// are left out.
pub(super) fn next_round(
    players: usize,
    rounds: u32,
    pairs: u32,
    played: &[Played],
    absent: &[PlayerId],
) -> Vec<Meeting> {
    let mut order: Vec<PlayerId> = (0..players).filter(|player| !absent.contains(player)).collect();
    if order.len() < 2 || played.last().is_some_and(|last| last.stage >= rounds) {
        return Vec::new();
    }
    let mut past = Rounds::new(players, pairs, played);
    // Stable: among equals, the order of the plan.
    order.sort_by_key(|&player| Reverse(past.half_points[player]));
    let mut meetings = Vec::new();
    if let Some(bye) = past.bye(&order) {
        meetings.push(Meeting::Bye(bye));
        order.retain(|&player| player != bye);
    }
    let couples = past.couples(order);
    for _ in 0..pairs {
        meetings.extend(couples.iter().map(|&two| Meeting::Pair(two)));
    }
    meetings
}

/// The rounds so far.
struct Rounds {
    half_points: Vec<u32>,
    /// The last round in which two players met, the smaller number first.
    met: BTreeMap<[PlayerId; 2], u32>,
    /// How many byes a player had, and the round of the last one.
    byes: Vec<(u32, u32)>,
    firsts: Vec<u32>,
    /// The number of the last round.
    round: u32,
    /// Results of [`Rounds::least`].
    known: HashMap<Vec<PlayerId>, u128>,
}

impl Rounds {
    fn new(players: usize, pairs: u32, played: &[Played]) -> Self {
        let mut table = Self {
            half_points: vec![0; players],
            met: BTreeMap::new(),
            byes: vec![(0, 0); players],
            firsts: vec![0; players],
            round: played.iter().map(|played| played.stage).max().unwrap_or(0),
            known: HashMap::new(),
        };
        for &Played { meeting, half_points, stage } in played {
            match meeting {
                Meeting::Bye(player) => {
                    table.half_points[player] += u32::from(HALF_POINTS) * pairs;
                    table.byes[player].0 += 1;
                    table.byes[player].1 = table.byes[player].1.max(stage);
                }
                Meeting::Pair([one, two]) => {
                    table.half_points[one] += u32::from(half_points);
                    table.half_points[two] += u32::from(HALF_POINTS - half_points);
                    let last = table.met.entry([one.min(two), one.max(two)]).or_default();
                    *last = stage.max(*last);
                    table.firsts[one] += 1;
                }
            }
        }
        table
    }

    /// Returns the player that sits out an odd round: of those with the fewest byes, and not the one of the last round
    /// if there are others, the lowest without which the round costs the least.
    fn bye(&mut self, order: &[PlayerId]) -> Option<PlayerId> {
        if order.len().is_multiple_of(2) {
            return None;
        }
        let claim = |player: PlayerId| (self.byes[player].0, self.byes[player].1 == self.round && self.round > 0);
        let first = order.iter().map(|&player| claim(player)).min()?;
        let candidates: Vec<PlayerId> = order.iter().rev().copied().filter(|&player| claim(player) == first).collect();
        let mut best = None;
        for bye in candidates {
            let rest: Vec<PlayerId> = order.iter().copied().filter(|&player| player != bye).collect();
            let cost = self.least(&rest);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, bye));
            }
            if cost == 0 {
                break;
            }
        }
        best.map(|(_, bye)| bye)
    }

    /// Goes down the table: each takes the next below with which the round costs the least.
    fn couples(&mut self, mut rest: Vec<PlayerId>) -> Vec<[PlayerId; 2]> {
        let mut couples = Vec::new();
        while let Some(&one) = rest.first() {
            let is_large = rest.len() > MAX_EXACT;
            let rounded = |cost: u128| if is_large { cost / REPEAT } else { cost };
            let target = rounded(self.least(&rest));
            let mut partners = rest[1..].to_vec();
            if is_large {
                // The total does not tell old meetings from new ones.
                partners.sort_by_key(|&two| self.cost(one, two));
            }
            let fits = |&two: &PlayerId| {
                let others: Vec<PlayerId> =
                    rest.iter().copied().filter(|player| ![one, two].contains(player)).collect();
                rounded(self.cost(one, two) + self.least(&others)) == target
            };
            let Some(two) = partners.into_iter().find(fits) else { break };
            rest.retain(|player| ![one, two].contains(player));
            // The one that was named first less often is now.
            couples.push(if self.firsts[two] < self.firsts[one] { [two, one] } else { [one, two] });
        }
        couples
    }

    /// Returns the cost of a meeting: nothing unless it is repeated, more the shorter ago the last one was.
    fn cost(&self, one: PlayerId, two: PlayerId) -> u128 {
        self.met.get(&[one.min(two), one.max(two)]).map_or(0, |last| {
            let age = self.round - last;
            REPEAT + if age < DIGITS { 1 << (DIGIT_BITS * (DIGITS - 1 - age)) } else { 0 }
        })
    }

    /// Returns the least cost of pairing an even number of players; of many, only the repeated meetings count.
    fn least(&mut self, players: &[PlayerId]) -> u128 {
        let Some((&one, rest)) = players.split_first() else { return 0 };
        if players.len() > MAX_EXACT {
            let new = matching(players.len(), |i, j| self.cost(players[i], players[j]) == 0);
            return REPEAT * (players.len() / 2 - new) as u128;
        }
        if let Some(&known) = self.known.get(players) {
            return known;
        }
        let mut least = u128::MAX;
        for &two in rest {
            let cost = self.cost(one, two);
            if cost < least {
                let others: Vec<PlayerId> = rest.iter().copied().filter(|&player| player != two).collect();
                least = least.min(cost + self.least(&others));
            }
            if least == 0 {
                break;
            }
        }
        self.known.insert(players.to_vec(), least);
        least
    }
}

/// Returns how many pairs of neighbours there can be at the same time.
fn matching(n: usize, is_edge: impl Fn(usize, usize) -> bool) -> usize {
    // Often everybody can take the first that is left, which needs no graph.
    let mut free: Vec<usize> = (0..n).collect();
    while let Some(one) = free.first().copied()
        && let Some(place) = (1..free.len()).find(|&place| is_edge(one, free[place]))
    {
        free.remove(place);
        free.remove(0);
    }
    if free.is_empty() {
        return n / 2;
    }
    let mut graph = UnGraph::<(), ()>::with_capacity(n, n * n / 2);
    let nodes: Vec<NodeIndex> = (0..n).map(|_| graph.add_node(())).collect();
    for (one, two) in (0..n).flat_map(|one| (0..one).map(move |two| (one, two))) {
        if is_edge(one, two) {
            graph.add_edge(nodes[one], nodes[two], ());
        }
    }
    maximum_matching(&graph).len()
}
