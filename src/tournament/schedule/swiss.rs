use std::collections::{BTreeMap, HashSet};

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

use super::{HALF_POINTS, Meeting, Played, PlayerId};

/// Pairs players of equal points who have not met, as far as that is possible; absent ones are left out.
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
    let table = Table::new(players, pairs, played);
    // Stable: among equals, the order of the plan.
    order.sort_by_key(|&player| std::cmp::Reverse(table.half_points[player]));
    let mut meetings = Vec::new();
    let mut couples = Vec::new();
    // No two meet again while that can be avoided; then once again, and so on.
    for often in 0.. {
        if let Some((bye, found)) = table.pair_all(&order, often) {
            meetings.extend(bye.map(Meeting::Bye));
            couples = found;
            break;
        }
    }
    for _ in 0..pairs {
        meetings.extend(couples.iter().map(|&two| Meeting::Pair(two)));
    }
    meetings
}

/// The rounds so far.
struct Table {
    half_points: Vec<u32>,
    /// How many rounds two players have spent with each other, the smaller number first.
    met: BTreeMap<[PlayerId; 2], u32>,
    byes: HashSet<PlayerId>,
    firsts: Vec<u32>,
}

impl Table {
    fn new(players: usize, pairs: u32, played: &[Played]) -> Self {
        let mut table = Self {
            half_points: vec![0; players],
            met: BTreeMap::new(),
            byes: HashSet::new(),
            firsts: vec![0; players],
        };
        for &Played { meeting, half_points, .. } in played {
            match meeting {
                Meeting::Bye(player) => {
                    table.half_points[player] += u32::from(HALF_POINTS) * pairs;
                    table.byes.insert(player);
                }
                Meeting::Pair([one, two]) => {
                    table.half_points[one] += u32::from(half_points);
                    table.half_points[two] += u32::from(HALF_POINTS - half_points);
                    *table.met.entry([one.min(two), one.max(two)]).or_default() += 1;
                    table.firsts[one] += 1;
                }
            }
        }
        table.met.values_mut().for_each(|met| *met /= pairs);
        table
    }

    fn has_met(&self, one: PlayerId, two: PlayerId, often: u32) -> bool {
        self.met.get(&[one.min(two), one.max(two)]).is_some_and(|&met| met > often)
    }

    /// Pairs all players so that no two have met more often than this; with an odd number the lowest possible gets a
    /// bye, first among those who had none.
    fn pair_all(&self, order: &[PlayerId], often: u32) -> Option<(Option<PlayerId>, Vec<[PlayerId; 2]>)> {
        if order.len().is_multiple_of(2) {
            return Some((None, self.couples(order, often)?));
        }
        let (had, had_not): (Vec<PlayerId>, Vec<PlayerId>) =
            order.iter().rev().partition(|player| self.byes.contains(player));
        // A second bye is worse than a second meeting, unless everybody had one.
        let candidates = if had_not.is_empty() { had } else { had_not };
        candidates.into_iter().find_map(|bye| {
            let rest: Vec<PlayerId> = order.iter().copied().filter(|&player| player != bye).collect();
            Some((Some(bye), self.couples(&rest, often)?))
        })
    }

    /// Goes down the table: each takes the next below with whom everybody else can still be paired.
    fn couples(&self, order: &[PlayerId], often: u32) -> Option<Vec<[PlayerId; 2]>> {
        let can_pair =
            |players: &[PlayerId]| perfect_matching(players.len(), |i, j| !self.has_met(players[i], players[j], often));
        if !can_pair(order) {
            return None;
        }
        let (mut rest, mut couples) = (order.to_vec(), Vec::new());
        while let Some(&one) = rest.first() {
            let partner = (1..rest.len()).find(|&place| {
                let others: Vec<PlayerId> = rest
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != 0 && *at != place)
                    .map(|(_, &player)| player)
                    .collect();
                !self.has_met(one, rest[place], often) && can_pair(&others)
            })?;
            let two = rest.remove(partner);
            rest.remove(0);
            // The one that was named first less often is now.
            couples.push(if self.firsts[two] < self.firsts[one] { [two, one] } else { [one, two] });
        }
        Some(couples)
    }
}

/// Returns whether everybody can be paired with a neighbour at the same time.
fn perfect_matching(n: usize, is_edge: impl Fn(usize, usize) -> bool) -> bool {
    // Often everybody can take the first that is left, which needs no graph.
    let mut free: Vec<usize> = (0..n).collect();
    while let Some(one) = free.first().copied()
        && let Some(place) = (1..free.len()).find(|&place| is_edge(one, free[place]))
    {
        free.remove(place);
        free.remove(0);
    }
    if free.is_empty() {
        return true;
    }
    let mut graph = UnGraph::<(), ()>::with_capacity(n, n * n / 2);
    let nodes: Vec<NodeIndex> = (0..n).map(|_| graph.add_node(())).collect();
    for (one, two) in (0..n).flat_map(|one| (0..one).map(move |two| (one, two))) {
        if is_edge(one, two) {
            graph.add_edge(nodes[one], nodes[two], ());
        }
    }
    maximum_matching(&graph).is_perfect()
}
