use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::convert::Infallible;

use petgraph::graph::UnGraph;
use rustworkx_core::max_weight_matching::max_weight_matching;

use super::{HALF_POINTS, Meeting, Played, PlayerId};

/// Returns the meetings of a round without the absent players: who sits out has the fewest byes, and did not sit out
/// the last round if others have as few. Of all ways to pair the rest, it is the least, in this order, of
///
/// 1. meetings that are repeated,
/// 2. points of who sits out,
/// 3. players of the most points who meet one of fewer, then such players of the next points, and so on,
/// 4. differences of points in all meetings,
/// 5. rounds in which repeated meetings were last played,
/// 6. places between players in the table.
pub(super) fn next_round(
    players: usize,
    rounds: u32,
    pairs: u32,
    played: &[Played],
    absent: &[PlayerId],
) -> Vec<Meeting> {
    let mut table: Vec<PlayerId> = (0..players).filter(|player| !absent.contains(player)).collect();
    if table.len() < 2 || played.last().is_some_and(|last| last.stage >= rounds) {
        return Vec::new();
    }
    let past = Rounds::new(players, pairs, played);
    // Stable: among equals, the order of the plan.
    table.sort_by_key(|&player| Reverse(past.half_points[player]));
    let (mut meetings, mut couples) = (Vec::new(), Vec::new());
    for [one, two] in past.best(&table) {
        match table.get(two) {
            None => meetings.push(Meeting::Bye(table[one])),
            Some(&two) => couples.push(past.named([table[one], two])),
        }
    }
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
}

impl Rounds {
    fn new(players: usize, pairs: u32, played: &[Played]) -> Self {
        let mut table = Self {
            half_points: vec![0; players],
            met: BTreeMap::new(),
            byes: vec![(0, 0); players],
            firsts: vec![0; players],
            round: played.iter().map(|played| played.stage).max().unwrap_or(0),
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

    /// Returns the best couples of places in the table, the upper one first; the place behind the last one is a bye.
    fn best(&self, table: &[PlayerId]) -> Vec<[usize; 2]> {
        let unit = Units::new(self, table);
        let mut edges = Vec::new();
        for (upper, &one) in table.iter().enumerate() {
            for (lower, &two) in table.iter().enumerate().skip(upper + 1) {
                edges.push((upper, lower, self.cost(one, two, &unit) + unit.seat * wide(lower - upper)));
            }
        }
        if !table.len().is_multiple_of(2) {
            let claim = |player: PlayerId| (self.byes[player].0, self.byes[player].1 == self.round && self.round > 0);
            let first = table.iter().map(|&player| claim(player)).min();
            let candidates = table.iter().enumerate().filter(|(_, player)| Some(claim(**player)) == first);
            edges.extend(candidates.map(|(place, &player)| {
                let cost = unit.bye * i128::from(self.half_points[player]) + unit.seat * wide(table.len() - place);
                (place, table.len(), cost)
            }));
        }
        let most = edges.iter().map(|(.., cost)| *cost).max().unwrap_or_default();
        let graph = UnGraph::<(), i128, usize>::from_edges(edges);
        let weight = |edge: petgraph::graph::EdgeReference<'_, i128, usize>| Ok::<_, Infallible>(most - *edge.weight());
        let Ok(found) = max_weight_matching(&graph, true, weight, false);
        let mut couples: Vec<[usize; 2]> = found.into_iter().map(|(one, two)| [one.min(two), one.max(two)]).collect();
        couples.sort_unstable();
        couples
    }

    /// Returns the cost of a meeting; the first player has no fewer points.
    fn cost(&self, one: PlayerId, two: PlayerId, unit: &Units) -> i128 {
        let [upper, lower] = [one, two].map(|player| self.half_points[player]);
        let float = if upper > lower { unit.float[&upper] } else { 0 };
        let repeat = self.met.get(&[one.min(two), one.max(two)]);
        let repeat = repeat.map_or(0, |&last| unit.repeat + unit.age * i128::from(last));
        repeat + float + unit.gap * i128::from(upper - lower)
    }

    /// The one that was named first less often is now.
    fn named(&self, [one, two]: [PlayerId; 2]) -> [PlayerId; 2] {
        if self.firsts[two] < self.firsts[one] { [two, one] } else { [one, two] }
    }
}

/// The highest cost of a meeting, with room for what a matching computes of it.
const COST_MAX: i128 = i128::MAX >> 5;

/// The unit of each criterion is more than all criteria behind it can come to.
struct Units {
    repeat: i128,
    bye: i128,
    /// For players of so many half points.
    float: BTreeMap<u32, i128>,
    gap: i128,
    age: i128,
    seat: i128,
}

impl Units {
    fn new(past: &Rounds, table: &[PlayerId]) -> Self {
        let mut groups = BTreeMap::new();
        for &player in table {
            *groups.entry(past.half_points[player]).or_insert(0) += 1;
        }
        let most = groups.keys().next_back().copied().unwrap_or_default();
        let (players, meetings) = (wide(table.len()), wide(table.len().div_ceil(2)));
        let seat = 1;
        let age = seat * (meetings * players + 1);
        let gap = age * (meetings * i128::from(past.round) + 1);
        let lowest = gap * (meetings * i128::from(most) + 1);
        // Of very many points, only the highest have a unit of their own.
        let mut room = COST_MAX / (lowest * (players + 1) * (i128::from(most) + 1) * (meetings + 1));
        let is_exact = |(_, size): &(&u32, &i128)| {
            room /= *size + 1;
            room > 0
        };
        let exact: Vec<(u32, i128)> = groups.iter().rev().take_while(is_exact).map(|(&of, &size)| (of, size)).collect();
        let mut float: BTreeMap<u32, i128> = groups.keys().map(|&of| (of, lowest)).collect();
        let mut next = lowest * (players + 1);
        for &(of, size) in exact.iter().rev() {
            float.insert(of, next);
            next *= size + 1;
        }
        Self { repeat: next * (i128::from(most) + 1), bye: next, float, gap, age, seat }
    }
}

fn wide(number: usize) -> i128 {
    i128::try_from(number).unwrap_or(i128::MAX)
}
