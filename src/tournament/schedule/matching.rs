//! Perfect matchings of general graphs, by Edmonds' blossoms.

use std::collections::VecDeque;

/// Returns whether everybody can be paired with a neighbour at the same time.
///
/// From each vertex without a partner a tree of alternating paths is grown; an odd cycle in it, a blossom, is contracted to
/// its base (J. Edmonds, "Paths, trees, and flowers", 1965). O(n^3) for each vertex at worst, which 100 players do not notice.
pub(super) fn perfect_matching(n: usize, is_edge: impl Fn(usize, usize) -> bool) -> bool {
    if !n.is_multiple_of(2) {
        return false;
    }
    let mut partner = vec![None; n];
    // Most find somebody at once.
    for i in 0..n {
        if partner[i].is_none()
            && let Some(j) = (i + 1..n).find(|&j| partner[j].is_none() && is_edge(i, j))
        {
            (partner[i], partner[j]) = (Some(j), Some(i));
        }
    }
    (0..n).all(|root| partner[root].is_some() || Forest::new(n, root).augment(&mut partner, &is_edge))
}

/// A tree of alternating paths.
struct Forest {
    root: usize,
    parent: Vec<Option<usize>>,
    base: Vec<usize>,
    is_even: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Forest {
    fn new(n: usize, root: usize) -> Self {
        let mut is_even = vec![false; n];
        is_even[root] = true;
        Self { root, parent: vec![None; n], base: (0..n).collect(), is_even, queue: VecDeque::from([root]) }
    }

    /// Looks for a path to another vertex without a partner, and swaps partners along it.
    fn augment(mut self, partner: &mut [Option<usize>], is_edge: &impl Fn(usize, usize) -> bool) -> bool {
        while let Some(v) = self.queue.pop_front() {
            for to in (0..partner.len()).filter(|&to| to != v && is_edge(v, to)) {
                if self.base[v] == self.base[to] || partner[v] == Some(to) {
                    continue;
                }
                let is_in_tree = to == self.root || partner[to].is_some_and(|mate| self.parent[mate].is_some());
                if is_in_tree {
                    self.contract(v, to, partner);
                } else if self.parent[to].is_none() {
                    self.parent[to] = Some(v);
                    match partner[to] {
                        None => {
                            self.swap(to, partner);
                            return true;
                        }
                        Some(mate) => {
                            self.is_even[mate] = true;
                            self.queue.push_back(mate);
                        }
                    }
                }
            }
        }
        false
    }

    fn swap(&self, end: usize, partner: &mut [Option<usize>]) {
        let mut at = Some(end);
        while let Some(v) = at {
            let Some(before) = self.parent[v] else { break };
            at = partner[before];
            (partner[v], partner[before]) = (Some(before), Some(v));
        }
    }

    fn contract(&mut self, v: usize, to: usize, partner: &[Option<usize>]) {
        let base = self.common_base(v, to, partner);
        let mut is_in_blossom = vec![false; partner.len()];
        self.mark(v, base, to, partner, &mut is_in_blossom);
        self.mark(to, base, v, partner, &mut is_in_blossom);
        for i in 0..partner.len() {
            if is_in_blossom[self.base[i]] {
                self.base[i] = base;
                if !self.is_even[i] {
                    self.is_even[i] = true;
                    self.queue.push_back(i);
                }
            }
        }
    }

    fn common_base(&self, v: usize, to: usize, partner: &[Option<usize>]) -> usize {
        let mut seen = vec![false; partner.len()];
        let mut at = v;
        loop {
            at = self.base[at];
            seen[at] = true;
            match partner[at].and_then(|mate| self.parent[mate]) {
                Some(above) => at = above,
                None => break,
            }
        }
        let mut at = self.base[to];
        while !seen[at] {
            match partner[at].and_then(|mate| self.parent[mate]) {
                Some(above) => at = self.base[above],
                None => break,
            }
        }
        at
    }

    fn mark(&mut self, from: usize, base: usize, child: usize, partner: &[Option<usize>], is_in_blossom: &mut [bool]) {
        let (mut at, mut child) = (from, child);
        while self.base[at] != base {
            let Some(mate) = partner[at] else { break };
            is_in_blossom[self.base[at]] = true;
            is_in_blossom[self.base[mate]] = true;
            self.parent[at] = Some(child);
            child = mate;
            let Some(above) = self.parent[mate] else { break };
            at = above;
        }
    }
}
