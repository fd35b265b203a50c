//! Players that may be one program under two names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::tournament::plan::Entrant;
use crate::tournament::results::GameResult;
use crate::tournament::schedule::PlayerId;

/// How often different programs are thought to choose the same move at most. Then a game of 20 moves is the same by
/// chance once in 1000, and one of 40 once in a million.
const ALIKE_MAX: f64 = 0.5;

/// The chance, over all players, that a note is wrong.
const DOUBT: f64 = 0.05;

/// Warns of players that have the same file and settings, or that made the same moves in the same positions.
///
/// `games` are the players of each game, the one that moved first in front, and the game. Two games with one
/// fingerprint have the same opening and moves; where different players sat in the same seat, these played alike. That
/// also happens by chance, among many games and on small boards, and must be more than that.
pub(in crate::tournament) fn twins<'a>(
    players: impl IntoIterator<Item = (PlayerId, &'a Entrant)>,
    games: impl IntoIterator<Item = ([PlayerId; 2], GameResult)>,
) -> Vec<String> {
    let players: BTreeMap<PlayerId, &Entrant> = players.into_iter().collect();
    let name = |id: PlayerId| players[&id].name.as_str();
    let same_files = players.iter().filter_map(|(&id, player)| {
        let (&first, _) = players.iter().find(|(_, other)| is_same_file(other, player))?;
        (first != id).then(|| format!("{} and {} are the same file", name(first), name(id)))
    });
    let same_moves = alike(&players.keys().copied().collect(), games);
    let same_moves = same_moves.into_iter().filter(|([one, two], ..)| !is_same_file(players[one], players[two]));
    let same_moves = same_moves.map(|([one, two], count, games)| {
        let (one, two) = (name(one), name(two));
        format!(
            "{one} and {two} made the same moves in the same positions in {count} of {games} games, more than by chance: \
             they may be one program"
        )
    });
    same_files.chain(same_moves).collect()
}

/// Returns players that made the same moves in the same positions more often than by chance: the two, the number of
/// such games, and that of the games of the one that played fewer.
pub(in crate::tournament) fn alike(
    players: &BTreeSet<PlayerId>,
    games: impl IntoIterator<Item = ([PlayerId; 2], GameResult)>,
) -> Vec<([PlayerId; 2], u64, u64)> {
    let games = games.into_iter().filter(|(two, _)| two.iter().all(|id| players.contains(id)));
    let (counts, played) = same_moves(games);
    let couples = (players.len() * players.len().saturating_sub(1) / 2) as f64;
    let alike = counts.into_iter().filter_map(|([one, two], count)| {
        let [(games, chance), (others, other)] = [played[&one], played[&two]];
        let is_odd = couples * at_least(count, chance.min(other)) < DOUBT;
        is_odd.then_some(([one, two], count, games.min(others)))
    });
    alike.collect()
}

/// Returns whether two players have the same file and settings.
fn is_same_file(one: &Entrant, two: &Entrant) -> bool {
    let nameless = |player: &Entrant| Entrant { name: String::new(), file: PathBuf::new(), ..player.clone() };
    one.sha256.is_some() && one.sha256 == two.sha256 && nameless(one) == nameless(two)
}

/// The number of different games of a player, and of those that another program would play alike by chance.
type Share = (u64, f64);

/// Returns in how many games two players, the smaller number first, sat in the same seat and all moves were the same,
/// and what each of them played.
fn same_moves(
    games: impl Iterator<Item = ([PlayerId; 2], GameResult)>,
) -> (BTreeMap<[PlayerId; 2], u64>, BTreeMap<PlayerId, Share>) {
    let mut games: Vec<(u64, [PlayerId; 2], u32)> =
        games.map(|(players, game)| (game.fingerprint, players, game.moves)).collect();
    games.sort_unstable();
    games.dedup();
    let (mut counts, mut played) = (BTreeMap::new(), BTreeMap::<_, Share>::new());
    for (_, players, moves) in &games {
        for (seat, player) in (0..).zip(players) {
            let share = played.entry(*player).or_default();
            share.0 += 1;
            // The one who moves first has the odd move.
            share.1 += ALIKE_MAX.powi(i32::try_from((moves + 1 - seat) / 2).unwrap_or(i32::MAX));
        }
    }
    for same in games.chunk_by(|(one, ..), (two, ..)| one == two) {
        let mut couples = BTreeSet::new();
        for seat in [0, 1] {
            // One of several alike is named with each of the others.
            let first = same[0].1[seat];
            couples.extend(
                same.iter()
                    .map(|(_, players, _)| players[seat])
                    .filter(|&other| other != first)
                    .map(|other| [first.min(other), first.max(other)]),
            );
        }
        for couple in couples {
            *counts.entry(couple).or_default() += 1;
        }
    }
    (counts, played)
}

/// Returns the probability, at most, of so many events or more where `mean` are expected (Poisson).
fn at_least(count: u64, mean: f64) -> f64 {
    if count as f64 <= mean {
        return 1.0;
    }
    let exactly = ((1..=count).map(|number| (mean / number as f64).ln()).sum::<f64>() - mean).exp();
    // Each further one is less likely by this factor or more.
    exactly / (1.0 - mean / (count + 1) as f64)
}
