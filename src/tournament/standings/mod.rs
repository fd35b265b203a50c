//! The standings of an event, or of several.
//!
//! [`Standings::new`] is a pure function of pairs in the order of the schedule. It sees no times, so the same games
//! give the same bytes, whoever played them and however often that was interrupted; what depends on time is [`Timing`].

mod player_row;
mod rows;
mod timing;
mod twins;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use amazons_program::counted;
use amazons_statistics::{Ratings, ratings};
use serde::Serialize;

use super::plan::Entrant;
use super::results::{GameResult, Test};
use super::schedule::PlayerId;

pub use player_row::PlayerRow;
pub(super) use player_row::{EVENT_COLUMNS, LADDER_COLUMNS};
pub use rows::BoardRow;
pub(super) use rows::{MeetingRow, SprtRow};
pub(in crate::tournament) use rows::{boards, endings, rounded};
pub use timing::{Slowest, Timing};
pub(in crate::tournament) use twins::{alike, twins};

/// How often a player was at fault, by the kind of fault: see [`GameResult::fault`].
pub(crate) type Faults = BTreeMap<Cow<'static, str>, u64>;

/// A pair as it is rated.
#[derive(Clone, Copy, Debug)]
pub struct RatedPair<'a> {
    pub players: [PlayerId; 2],
    pub board: &'a str,
    pub stage: u32,
    pub games: [GameResult; 2],
}

impl RatedPair<'_> {
    /// Returns the half points of its first player, 0 to 4.
    pub const fn half_points(&self) -> u8 {
        self.games[0].half_points() + self.games[1].half_points()
    }

    /// Returns whether it tells how strong its players are.
    fn is_measured(&self) -> bool {
        self.games.iter().all(GameResult::is_measured)
    }
}

/// How players are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankedBy {
    /// By points, then by rating: all had as many games.
    Points,
    /// By rating: some had more games than others.
    Rating,
    /// By how far they got.
    Knockout,
}

/// The results of an event in all tables.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    /// Whether everything is played.
    pub is_complete: bool,
    /// How players are put in order.
    pub ranked_by: RankedBy,
    /// How many whole pairs are rated.
    pub pairs: u64,
    /// The result in one sentence, about the best two players or those of a test; null until there is a result.
    pub sentence: Option<String>,
    /// The players, the best first.
    pub players: Vec<PlayerRow>,
    /// Each two players who met, in the order of players.
    pub meetings: Vec<MeetingRow>,
    /// The half-width of the 95 % interval of the difference between the best two; null without games that link them.
    pub lead_error: Option<f64>,
    /// The chance that the player of a row is stronger than that of a column, in the order of players; 0 to 1, null
    /// without games that link them.
    pub los: Vec<Vec<Option<f64>>>,
    /// The test, if the event is one.
    pub sprt: Option<SprtRow>,
    /// The advantage of moving first, by board.
    pub boards: Vec<BoardRow>,
    /// Warnings about the numbers.
    pub notices: Vec<String>,
    /// Players that may be one program: nothing for the public, before people have judged it.
    pub suspicions: Vec<String>,
}

/// The input of standings.
#[derive(Debug)]
pub struct Field<'a> {
    pub players: &'a [Entrant],
    /// Whole pairs, in the order of the schedule.
    pub pairs: &'a [RatedPair<'a>],
    /// How many pairs' worth of byes each player had.
    pub byes: &'a [u32],
    pub test: Option<&'a Test>,
    /// How players are put in order.
    pub ranked_by: RankedBy,
    /// Whether everything is played.
    pub is_complete: bool,
    /// Players that were withdrawn, and the last round of each.
    pub withdrawn: &'a BTreeMap<String, u32>,
}

impl Standings {
    /// Rates a field.
    pub fn new(field: &Field<'_>) -> Self {
        let n = field.players.len();
        let measured: Vec<_> = field.pairs.iter().copied().filter(RatedPair::is_measured).collect();
        let ratings = ratings(&won(n, &measured));
        let mut players = rows::players(field, &ratings);
        let order = rank(field, &mut players);
        // How far players come in a knockout follows from all matches.
        let met = if field.ranked_by == RankedBy::Knockout { field.pairs } else { &measured };
        let meetings = meetings(met, &order, |id| &field.players[id].name);
        let groups = groups(n, &measured);
        let linked =
            |i: PlayerId, j: PlayerId, value: f64, digits| (groups[i] == groups[j]).then(|| rounded(value, digits));
        let los = order.iter().map(|&i| order.iter().map(|&j| linked(i, j, ratings.los(i, j), 4)).collect()).collect();
        let mut notices = notices(field, &players, &meetings);
        notices.extend(unlinked(&order, &groups, field));
        let mut standings = Self {
            is_complete: field.is_complete,
            ranked_by: field.ranked_by,
            pairs: field.pairs.len() as u64,
            sentence: None,
            lead_error: order.get(1).and_then(|&two| linked(order[0], two, ratings.difference(order[0], two).1, 2)),
            los,
            sprt: field.test.map(SprtRow::new),
            boards: rows::boards(&measured),
            notices,
            suspicions: twins(field.players.iter().enumerate(), games(field)),
            players,
            meetings,
        };
        standings.sentence = standings.result();
        standings
    }

    /// Returns the matches of a knockout, the first round first; nothing of other formats.
    pub fn matches(&self) -> Vec<&MeetingRow> {
        let mut matches: Vec<&MeetingRow> = self.meetings.iter().collect();
        matches.retain(|_| self.ranked_by == RankedBy::Knockout);
        matches.sort_by_key(|row| (row.stage, row.places));
        matches
    }

    fn result(&self) -> Option<String> {
        if self.pairs == 0 {
            return None;
        }
        if let Some(sprt) = &self.sprt {
            return Some(sprt.sentence());
        }
        let [first, second, ..] = &self.players[..] else { return None };
        if self.ranked_by == RankedBy::Knockout {
            return self.is_complete.then(|| format!("{} has won", first.name));
        }
        let met = self.meetings.iter().find(|row| row.places == [0, 1]);
        if let ([_, _], Some(met)) = (&self.players[..], met) {
            return Some(met.sentence());
        }
        let (difference, Some(los), Some(error)) = (first.elo - second.elo, self.los[0][1], self.lead_error) else {
            return Some(format!(
                "it is unknown whether {} or {} is stronger: no game links them",
                first.name, second.name
            ));
        };
        let (better, worse, los) = if difference < 0.0 { (second, first, 1.0 - los) } else { (first, second, los) };
        let (better, worse, by) = (&better.name, &worse.name, difference.abs());
        let measured = format!("by {by:.0} +- {error:.0} Elo, likely to {:.1} %", 100.0 * los);
        Some(rows::stronger(better, worse, &measured, by < error))
    }
}

/// Returns the points of each of so many players against each other one.
pub(in crate::tournament) fn won(players: usize, pairs: &[RatedPair<'_>]) -> Vec<Vec<f64>> {
    let mut won = vec![vec![0.0; players]; players];
    for pair in pairs {
        let ([one, two], points) = (pair.players, f64::from(pair.half_points()) / 2.0);
        won[one][two] += points;
        won[two][one] += 2.0 - points;
    }
    won
}

/// Returns the games of each two players who met, of those in this order.
pub(in crate::tournament) fn meetings<'a>(
    pairs: &[RatedPair<'_>],
    order: &[PlayerId],
    name: impl Fn(PlayerId) -> &'a str,
) -> Vec<MeetingRow> {
    let place: HashMap<PlayerId, usize> = order.iter().enumerate().map(|(place, &player)| (player, place)).collect();
    let mut tallies: HashMap<[PlayerId; 2], MeetingTally> = HashMap::new();
    for pair in pairs.iter().filter(|pair| pair.players.iter().all(|player| place.contains_key(player))) {
        let [one, two] = pair.players;
        tallies.entry([one.min(two), one.max(two)]).or_default().add(pair);
    }
    let mut meetings: Vec<MeetingRow> =
        tallies.into_iter().map(|(two, tally)| tally.row(two, two.map(|id| name(id).to_owned()), &place)).collect();
    meetings.sort_by_key(|row| row.places);
    meetings
}

/// Returns for each player the first of the group that games link it with, directly or through others.
fn groups(players: usize, pairs: &[RatedPair<'_>]) -> Vec<PlayerId> {
    let mut groups: Vec<PlayerId> = (0..players).collect();
    for pair in pairs {
        let [one, two] = pair.players.map(|player| groups[player]);
        if one != two {
            groups.iter_mut().filter(|group| **group == one.max(two)).for_each(|group| *group = one.min(two));
        }
    }
    groups
}

/// Warns of groups of players that no game links.
fn unlinked(order: &[PlayerId], groups: &[PlayerId], field: &Field<'_>) -> Option<String> {
    let members = |group: PlayerId| order.iter().filter(move |&&player| groups[player] == group);
    // A player without any pair has a note of its own.
    let firsts = (0..groups.len()).filter(|&player| groups[player] == player && members(player).count() > 1);
    let names =
        |group| members(group).map(|&player| field.players[player].name.as_str()).collect::<Vec<_>>().join(", ");
    let names: Vec<String> = firsts.map(names).collect();
    (names.len() > 1)
        .then(|| format!("no game links these groups, so compare Elo only within each: {}", names.join("; ")))
}

/// Puts rows in order, numbers them, and returns which players they are.
fn rank(field: &Field<'_>, players: &mut [PlayerRow]) -> Vec<PlayerId> {
    let progress = knockout_progress(field);
    let key = |player: PlayerId, row: &PlayerRow| match field.ranked_by {
        RankedBy::Points => [row.points, row.elo],
        RankedBy::Rating => [row.elo, row.points],
        RankedBy::Knockout => progress[player],
    };
    let keys: Vec<[f64; 2]> = players.iter().enumerate().map(|(player, row)| key(player, row)).collect();
    let mut order: Vec<PlayerId> = (0..players.len()).collect();
    // Among equals, the order of the plan.
    order.sort_by(|&i, &j| keys[j][0].total_cmp(&keys[i][0]).then(keys[j][1].total_cmp(&keys[i][1])));
    for (place, &player) in order.iter().enumerate() {
        players[player].rank = Some(place + 1);
    }
    players.sort_by_key(|row| row.rank);
    order
}

/// How far each got: the last stage that it played in, and its points against its last opponent.
fn knockout_progress(field: &Field<'_>) -> Vec<[f64; 2]> {
    let mut progress = vec![[0.0; 2]; field.players.len()];
    let mut opponents = vec![usize::MAX; field.players.len()];
    for pair in field.pairs {
        let [one, two] = pair.players;
        for (player, opponent, half_points) in [(one, two, pair.half_points()), (two, one, 4 - pair.half_points())] {
            if opponents[player] != opponent {
                progress[player][1] = 0.0;
            }
            opponents[player] = opponent;
            progress[player][0] = f64::from(pair.stage);
            progress[player][1] += f64::from(half_points);
        }
    }
    progress
}

/// The games of two players against each other.
#[derive(Debug, Default)]
struct MeetingTally {
    /// Pairs by the points of the player with the smaller number.
    counts: [u64; 5],
    /// The games' fingerprints, in which the last bit tells which of the two moved first.
    games: Vec<u64>,
    stage: u32,
}

impl MeetingTally {
    fn add(&mut self, pair: &RatedPair<'_>) {
        self.stage = pair.stage;
        let is_turned = pair.players[0] > pair.players[1];
        let half_points = if is_turned { 4 - pair.half_points() } else { pair.half_points() };
        self.counts[usize::from(half_points)] += 1;
        for (index, game) in pair.games.iter().enumerate() {
            self.games.push(game.fingerprint & !1 | u64::from((index == 0) != is_turned));
        }
    }

    fn row(mut self, two: [PlayerId; 2], mut names: [String; 2], place: &HashMap<PlayerId, usize>) -> MeetingRow {
        let mut places = two.map(|player| place[&player]);
        if places[0] > places[1] {
            names.swap(0, 1);
            places.swap(0, 1);
            self.counts.reverse();
        }
        self.games.sort_unstable();
        self.games.dedup();
        MeetingRow::new(names, places, self.stage, self.counts, self.games.len())
    }
}

/// Returns the players of each game, the one that moved first in front, and the game.
fn games<'a>(field: &Field<'a>) -> impl Iterator<Item = ([PlayerId; 2], GameResult)> + use<'a> {
    field
        .pairs
        .iter()
        .flat_map(|pair| [1, 2].map(|game| (GameResult::in_order(pair.players, game), pair.games[game - 1])))
}

/// Warns of what makes numbers look better than they are.
fn notices(field: &Field<'_>, players: &[PlayerRow], meetings: &[MeetingRow]) -> Vec<String> {
    let mut notices = Vec::new();
    notices.extend(field.withdrawn.iter().map(|(name, round)| match round {
        0 => format!("{name} was withdrawn before the first round"),
        round => format!("{name} was withdrawn after round {round}"),
    }));
    if field.ranked_by == RankedBy::Knockout && field.is_complete {
        // Nothing else ends a match without a winner.
        let even = meetings.iter().filter(|row| row.points == row.points_against);
        notices.extend(even.map(|row| {
            let [one, two] = &row.players;
            format!("{one} and {two} were even after {}: the one named first went on", counted(row.games / 2, "pair"))
        }));
    }
    for row in meetings.iter().filter(|row| row.different < row.games) {
        notices.push(format!(
            "{} and {} played {} different games of {}: with more openings the error bars would be honest",
            row.players[0], row.players[1], row.different, row.games
        ));
    }
    notices.extend(players.iter().filter_map(faulty));
    let unmeasured = field.pairs.iter().filter(|pair| !pair.is_measured()).count() as u64;
    if unmeasured > 0 {
        let pairs = counted(unmeasured, "pair");
        notices.push(format!("{pairs} with a game without a move: in the points, not in Elo or a test"));
    }
    let met: std::collections::HashSet<&str> =
        meetings.iter().flat_map(|row| &row.players).map(String::as_str).collect();
    if !meetings.is_empty() {
        let unmet = players.iter().filter(|row| !met.contains(row.name.as_str()));
        notices.extend(unmet.map(|row| unrated(&row.name)));
    }
    notices
}

/// Warns of a player that was at fault in half of its games.
pub(super) fn faulty(PlayerRow { name, games, faults, .. }: &PlayerRow) -> Option<String> {
    let at_fault: u64 = faults.values().sum();
    let is_often = at_fault > 0 && 2 * at_fault >= *games;
    let kinds = fault_kinds(faults);
    is_often.then(|| {
        format!("{name} was at fault in {at_fault} of {games} games ({kinds}): see their records and its logs")
    })
}

/// Returns how often each kind of fault occurred: `timeout 3, crash 1`, the most frequent first.
pub(super) fn fault_kinds(faults: &Faults) -> String {
    let mut kinds: Vec<(&str, u64)> = faults.iter().map(|(kind, &count)| (&**kind, count)).collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

/// Warns of a rating that follows from nothing.
pub(super) fn unrated(name: &str) -> String {
    format!("{name} has no whole pair yet: its rating says nothing")
}

/// Returns the ratings of a field in the order of its players.
pub(super) fn rating_of(ratings: &Ratings, player: PlayerId) -> (f64, f64) {
    (rounded(ratings.points(player), 2), rounded(ratings.error(player), 2))
}
