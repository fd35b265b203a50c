use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::message::Hello;

/// A machine that has fewer cores than its games need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crowded {
    /// The machine.
    pub host: String,
    /// How many games at a time its ranks play.
    pub games: usize,
    /// How many cores they need.
    pub needed: usize,
    /// How many they may use.
    pub cores: usize,
}

impl fmt::Display for Crowded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, games, needed, cores } = self;
        write!(f, "{games} games at a time on {host} need {needed} cores, and its ranks may use {cores}")
    }
}

/// Gives each rank as many cores as it plays games: of those that its launcher lets it use, the ones that fewest games
/// of the machine have so far. The second answer is a machine on which games must share cores, if there is one.
pub fn seating(ranks: &[Hello], games: usize, threads: usize) -> (Vec<Vec<usize>>, Option<Crowded>) {
    // Ranks with little choice choose first.
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by_key(|&rank| ranks[rank].cores.len());
    let mut used: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    let mut seats = vec![Vec::new(); ranks.len()];
    for rank in order {
        let Hello { machine, cores, .. } = &ranks[rank];
        for _ in 0..games * threads {
            let uses = |core: &usize| used.get(&(machine.as_str(), *core)).copied().unwrap_or(0);
            let Some(&core) = cores.iter().min_by_key(|&core| (uses(core), *core)) else { break };
            *used.entry((machine, core)).or_default() += 1;
            seats[rank].push(core);
        }
    }
    let crowded =
        used.iter().find(|(_, games)| **games > 1).map(|((machine, _), _)| crowded(ranks, machine, games, threads));
    (seats, crowded)
}

fn crowded(ranks: &[Hello], machine: &str, games: usize, threads: usize) -> Crowded {
    let here: Vec<&Hello> = ranks.iter().filter(|rank| rank.machine == machine).collect();
    let cores: BTreeSet<usize> = here.iter().flat_map(|rank| rank.cores.iter().copied()).collect();
    let games = games * here.len();
    Crowded { host: here[0].host.clone(), games, needed: games * threads, cores: cores.len() }
}

/// Returns how many ranks run on the same machine as each of them.
pub(super) fn neighbours(ranks: &[Hello]) -> Vec<usize> {
    ranks.iter().map(|rank| ranks.iter().filter(|other| other.machine == rank.machine).count()).collect()
}
