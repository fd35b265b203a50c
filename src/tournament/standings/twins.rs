//! Players that may be one program under two names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::tournament::plan::Entrant;
use crate::tournament::results::GameResult;
use crate::tournament::schedule::PlayerId;

/// Shorter games can be the same by chance.
const MOVES_LEAST: u32 = 8;

/// Warns of players that have the same file and settings, or that made the same moves in the same positions.
///
/// `games` are the players of each game, the one that moved first in front, and the game. Two games with one
/// fingerprint have the same opening and moves; where different players sat in the same seat, these played alike.
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
    let games = games.into_iter().filter(|(two, _)| two.iter().all(|id| players.contains_key(id)));
    let same_moves = same_moves(games).into_iter().filter(|([one, two], _)| !is_same_file(players[one], players[two]));
    let same_moves = same_moves.map(|([one, two], count)| {
        let games = if count == 1 { "a game".to_owned() } else { format!("{count} games") };
        let [one, two] = [name(one), name(two)];
        format!("{one} and {two} made the same moves in the same positions in {games}: they may be one program")
    });
    same_files.chain(same_moves).collect()
}

/// Returns whether two players have the same file and settings.
fn is_same_file(one: &Entrant, two: &Entrant) -> bool {
    let nameless = |player: &Entrant| Entrant { name: String::new(), file: PathBuf::new(), ..player.clone() };
    one.sha256.is_some() && one.sha256 == two.sha256 && nameless(one) == nameless(two)
}

/// Returns in how many games two players, the smaller number first, sat in the same seat and all moves were the same.
fn same_moves(games: impl Iterator<Item = ([PlayerId; 2], GameResult)>) -> BTreeMap<[PlayerId; 2], u64> {
    let long = games.filter(|(_, game)| game.moves >= MOVES_LEAST);
    let mut games: Vec<(u64, [PlayerId; 2])> = long.map(|(players, game)| (game.fingerprint, players)).collect();
    games.sort_unstable();
    games.dedup();
    let mut counts = BTreeMap::new();
    for same in games.chunk_by(|(one, _), (two, _)| one == two) {
        let mut couples = BTreeSet::new();
        for seat in [0, 1] {
            // One of several alike is named with each of the others.
            let first = same[0].1[seat];
            couples.extend(
                same.iter()
                    .map(|(_, players)| players[seat])
                    .filter(|&other| other != first)
                    .map(|other| [first.min(other), first.max(other)]),
            );
        }
        for couple in couples {
            *counts.entry(couple).or_default() += 1;
        }
    }
    counts
}
