//! How long tasks of known costs take on any number of processes: a model, for numbers that no machine at hand has.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How tasks are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// One task to each worker; then the first process stores a result that waits, or else computes a whole task itself
    /// while others may wait for it.
    Seed,
    /// Each task in its order to the process that is free first.
    List,
    /// The same in the order of costs, the largest first.
    Largest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// From the beginning to the last result, in the unit of the costs.
    pub makespan: u64,
    /// The tasks that the first process computed itself.
    pub by_first: usize,
    /// Tasks sent and results received, without the order to stop.
    pub messages: usize,
}

/// Computes a run on `processes` (at least one), with a latency for each message, in the unit of the costs.
pub fn run(policy: Policy, costs: &[u64], processes: usize, latency: u64) -> Run {
    assert!(processes > 0, "somebody has to compute");
    match policy {
        Policy::Seed => seed(costs, processes, latency),
        Policy::List => list(costs.iter().copied(), processes, latency),
        Policy::Largest => {
            let mut costs = costs.to_vec();
            costs.sort_unstable_by_key(|&cost| Reverse(cost));
            list(costs.into_iter(), processes, latency)
        }
    }
}

fn seed(costs: &[u64], processes: usize, latency: u64) -> Run {
    let mut left = costs.iter().copied();
    // When the result of a worker's task arrives.
    let mut results = BinaryHeap::new();
    for worker in 1..processes {
        if let Some(cost) = left.next() {
            results.push(Reverse((cost + 2 * latency, worker)));
        }
    }
    let (mut now, mut by_first, mut sent) = (0, 0, results.len());
    while left.len() > 0 {
        let waiting = results.peek().copied().filter(|&Reverse((at, _))| at <= now);
        let cost = left.next().expect("one is left");
        if let Some(Reverse((_, worker))) = waiting {
            results.pop();
            results.push(Reverse((now + cost + 2 * latency, worker)));
            sent += 1;
        } else {
            now += cost;
            by_first += 1;
        }
    }
    let last = results.into_iter().map(|Reverse((at, _))| at).max().unwrap_or(0);
    Run { makespan: now.max(last), by_first, messages: 2 * sent }
}

fn list(costs: impl Iterator<Item = u64>, processes: usize, latency: u64) -> Run {
    // The first process needs no message. All others have their next task in hand before they have finished one, so
    // the latency counts once on the way there and once on the way back.
    let mut free: BinaryHeap<_> =
        (0..processes).map(|process| Reverse((if process == 0 { 0 } else { latency }, process))).collect();
    let (mut makespan, mut by_first, mut sent) = (0, 0, 0);
    for cost in costs {
        let Reverse((at, process)) = free.pop().expect("there is a process");
        let end = at + cost;
        free.push(Reverse((end, process)));
        makespan = makespan.max(if process == 0 { end } else { end + latency });
        if process == 0 {
            by_first += 1;
        } else {
            sent += 1;
        }
    }
    Run { makespan, by_first, messages: 2 * sent }
}
