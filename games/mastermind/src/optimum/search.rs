use super::board::{Board, IMPOSSIBLE, Index};
use super::memo::{Key, Known, Memo, mix};
use crate::symmetry::Symmetry;

/// No limit to the number of guesses.
pub(super) const UNLIMITED: u8 = u8::MAX;
/// Larger sets weigh the parts of a guess by their sizes; for smaller ones the number of parts is good enough.
const WEIGHED: usize = 40;
/// How many splits of a set are remembered, so that none is tried again.
const TRIED: usize = 256;
/// How many sets are searched between two looks at whether to stop.
const STOP_EVERY: u64 = 256;

/// A depth-first branch and bound.
pub(super) struct Search<'a> {
    board: &'a Board,
    memo: &'a Memo,
    run: Key,
    codes: &'a Codes,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    frames: Vec<Frame>,
    /// How many sets were searched.
    pub(super) nodes: u64,
    /// Whether the search was stopped; then its last result is worth nothing.
    pub(super) was_stopped: bool,
}

/// A search's data on each code.
#[derive(Debug)]
pub(super) struct Codes {
    keys: Vec<Key>,
    /// The set of its colours.
    colours: Vec<u16>,
}

/// A set of codes that may be the secret.
#[derive(Clone, Copy)]
pub(super) struct Node<'n> {
    pub(super) set: &'n [Index],
    pub(super) key: Key,
    /// How many guesses are left, or [`UNLIMITED`].
    pub(super) left: u8,
    /// The symmetry that the guesses so far leave.
    pub(super) symmetry: &'n Symmetry,
}

/// The scratch memory of one set.
#[derive(Default)]
struct Frame {
    seen: Vec<u16>,
    scores: Vec<u8>,
    guesses: Vec<(u32, Index)>,
    tried: Vec<u64>,
    codes: Vec<Index>,
}

/// One of the parts that a guess makes.
#[derive(Clone, Copy, Default)]
struct Part {
    start: usize,
    len: usize,
    key: Key,
    cost: u32,
    is_exact: bool,
}

impl Codes {
    pub(super) fn new(board: &Board) -> Self {
        let colours = |code: &[u8]| code.iter().fold(0, |colours, colour| colours | 1 << colour);
        Self {
            keys: (0..=Index::MAX).take(board.codes).map(Key::of).collect(),
            colours: board.game.all_codes().map(|(_, code)| colours(code.pegs())).collect(),
        }
    }

    pub(super) fn key(&self, set: &[Index]) -> Key {
        set.iter().fold(Key::default(), |key, &code| key.join(self.keys[usize::from(code)]))
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        board: &'a Board,
        codes: &'a Codes,
        memo: &'a Memo,
        run: u32,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        Self { board, memo, run: Key::of_run(run), codes, is_stopped, frames: Vec::new(), nodes: 0, was_stopped: false }
    }

    /// Returns the least cost of a set and a guess that has it, or a lower bound that is at least the limit.
    pub(super) fn solve(&mut self, node: Node<'_>, limit: u32, depth: usize) -> Known {
        let count = node.set.len();
        if node.left != UNLIMITED && count > self.board.capacity(node.left) {
            return Known { cost: IMPOSSIBLE, guess: None };
        }
        let least = self.board.least(count);
        if count < 3 {
            return Known { cost: least, guess: Some(node.set[0]) };
        }
        let mut known = Known { cost: least, guess: None };
        let key = self.memory_key(node.key, node.left);
        if known.cost < limit
            && let Some(found) = self.memo.get(key)
        {
            known = found;
        }
        if known.guess.is_some() || known.cost >= limit || self.should_stop() {
            return known;
        }
        known = self.expand(node, known.cost, limit, depth);
        if !self.was_stopped {
            self.memo.put(key, known);
        }
        known
    }

    /// Returns the cost of a set with this guess, or the limit if the cost is not below it.
    pub(super) fn solve_guess(&mut self, node: Node<'_>, guess: Index, limit: u32) -> Known {
        let mut frame = Frame { tried: vec![0; TRIED], ..Frame::default() };
        self.nodes += 1;
        match self.try_guess(node, guess, limit, 0, &mut frame) {
            Some(cost) => Known { cost, guess: Some(guess) },
            None => Known { cost: limit, guess: None },
        }
    }

    fn memory_key(&self, set: Key, left: u8) -> Key {
        (if left == UNLIMITED { set } else { set.with_guesses(left) }).join(self.run)
    }

    fn should_stop(&mut self) -> bool {
        self.nodes += 1;
        self.was_stopped |= self.nodes.is_multiple_of(STOP_EVERY) && (self.is_stopped)();
        self.was_stopped
    }

    /// Searches a set; `floor` is a lower bound.
    fn expand(&mut self, node: Node<'_>, floor: u32, limit: u32, depth: usize) -> Known {
        let count = node.set.len();
        if count <= self.board.found + 1 {
            let cost = 2 * self.board.least(count).div_ceil(2);
            if floor < cost
                && node.left > 1
                && let Some(guess) = self.splits_all(node.set)
            {
                return Known { cost: cost - 1, guess: Some(guess) };
            }
            if cost >= limit {
                return Known { cost, guess: None };
            }
        }
        if self.frames.len() <= depth {
            self.frames.resize_with(depth + 1, Frame::default);
        }
        let mut frame = std::mem::take(&mut self.frames[depth]);
        frame.tried.clear();
        frame.tried.resize(TRIED, 0);
        let known = if count > WEIGHED {
            self.try_weighed(node, limit, depth, &mut frame)
        } else {
            self.try_scored(node, limit, depth, &mut frame)
        };
        self.frames[depth] = frame;
        known
    }

    /// Returns a code of the set to which each of them answers differently.
    fn splits_all(&self, set: &[Index]) -> Option<Index> {
        let splits = |&&guess: &&Index| {
            let row = self.board.row(guess);
            let mut seen = 0u16;
            set.iter().all(|&code| {
                let bit = 1 << row[usize::from(code)];
                let is_new = seen & bit == 0;
                seen |= bit;
                is_new
            })
        };
        set.iter().find(splits).copied()
    }

    /// Tries the guesses of a small set by their number of answers.
    fn try_scored(&mut self, node: Node<'_>, limit: u32, depth: usize, frame: &mut Frame) -> Known {
        let (mut seen, mut scores) = (std::mem::take(&mut frame.seen), std::mem::take(&mut frame.scores));
        seen.resize(self.board.codes, 0);
        scores.resize(self.board.codes, 0);
        self.board.scores(node.set, &mut seen, &mut scores);
        let three = 3 * u32::try_from(node.set.len()).expect("few");
        let most = scores.iter().copied().max().unwrap_or(0);
        let mut best = Known { cost: limit.max(three - u32::from(most)), guess: None };
        let mut limit = limit;
        for score in (2..=most).rev() {
            if three - u32::from(score) >= limit {
                break;
            }
            for (guess, _) in (0..=Index::MAX).zip(&scores).filter(|(_, other)| **other == score) {
                if let Some(cost) = self.try_guess(node, guess, limit, depth, frame) {
                    (limit, best) = (cost, Known { cost, guess: Some(guess) });
                    if three - u32::from(score) >= limit {
                        break;
                    }
                }
            }
        }
        (frame.seen, frame.scores) = (seen, scores);
        best
    }

    /// Tries the guesses of a large set by the sizes of their parts, of those that are alike only the lowest.
    fn try_weighed(&mut self, node: Node<'_>, limit: u32, depth: usize, frame: &mut Frame) -> Known {
        let mut guesses = std::mem::take(&mut frame.guesses);
        self.weigh(node, &mut guesses);
        guesses.sort_unstable();
        let first = guesses.first().map_or(IMPOSSIBLE, |(cost, _)| *cost);
        let mut best = Known { cost: limit.max(first), guess: None };
        let mut limit = limit;
        for &(cost, guess) in &guesses {
            if cost >= limit {
                break;
            }
            if let Some(cost) = self.try_guess(node, guess, limit, depth, frame) {
                (limit, best) = (cost, Known { cost, guess: Some(guess) });
            }
        }
        frame.guesses = guesses;
        best
    }

    /// Lists the guesses with their least costs.
    pub(super) fn weigh(&self, node: Node<'_>, guesses: &mut Vec<(u32, Index)>) {
        let present = node.set.iter().fold(0, |colours, &code| colours | self.codes.colours[usize::from(code)]);
        guesses.clear();
        node.symmetry.representatives(node.symmetry.free_colours(present), |guess| {
            let guess = Index::try_from(guess).expect("few codes");
            let row = self.board.row(guess);
            let mut counts = [[0u16; 16]; 2];
            for pair in node.set.chunks(2) {
                for (&code, counts) in pair.iter().zip(&mut counts) {
                    counts[usize::from(row[usize::from(code)] & 15)] += 1;
                }
            }
            let sizes = (0..self.board.found).map(|answer| usize::from(counts[0][answer] + counts[1][answer]));
            let cost: u32 = sizes.map(|size| self.board.least(size)).sum();
            let own = self.board.least(1) * u32::try_from(node.set.len()).expect("few");
            guesses.push((own + cost, guess));
        });
    }

    /// Returns the cost of a guess if it is below the limit.
    fn try_guess(&mut self, node: Node<'_>, guess: Index, limit: u32, depth: usize, frame: &mut Frame) -> Option<u32> {
        let left = if node.left == UNLIMITED { UNLIMITED } else { node.left - 1 };
        let mut codes = std::mem::take(&mut frame.codes);
        let (mut parts, count) = self.split(node.set, guess, &mut codes);
        let parts = &mut parts[..count];
        let cost = if parts.len() == 1 && parts[0].len == node.set.len() || !is_new(frame, parts) {
            None
        } else {
            self.add_up(node, guess, left, limit, depth, &codes, parts)
        };
        frame.codes = codes;
        cost
    }

    /// Adds up the costs of the parts that a guess makes, as long as they are below the limit.
    #[expect(clippy::too_many_arguments, reason = "the inner step of the search")]
    fn add_up(
        &mut self,
        node: Node<'_>,
        guess: Index,
        left: u8,
        limit: u32,
        depth: usize,
        codes: &[Index],
        parts: &mut [Part],
    ) -> Option<u32> {
        let mut sum = u32::try_from(node.set.len()).expect("few");
        for part in parts.iter_mut() {
            part.cost = self.board.least(part.len);
            part.is_exact = part.len < 3;
            if left != UNLIMITED && part.len > self.board.capacity(left) {
                return None;
            }
            if part.len > 2
                && let Some(known) = self.memo.get(self.memory_key(part.key, left))
            {
                (part.cost, part.is_exact) = (known.cost, known.guess.is_some());
            }
            sum += part.cost;
        }
        if sum >= limit {
            return None;
        }
        parts.sort_unstable_by_key(|part| part.len);
        let mut symmetry = None;
        // First what is cheap to know, then everything.
        for is_last in [false, true] {
            for part in parts.iter_mut().filter(|part| !part.is_exact) {
                let symmetry: &Symmetry = if part.len > WEIGHED {
                    symmetry.get_or_insert_with(|| node.symmetry.after(self.board.game.code(u32::from(guess))))
                } else {
                    node.symmetry
                };
                let set = &codes[part.start..part.start + part.len];
                let most = limit - (sum - part.cost);
                let limit_here = if is_last { most } else { most.min(part.cost + 1) };
                let known = self.solve(Node { set, key: part.key, left, symmetry }, limit_here, depth + 1);
                sum += known.cost - part.cost;
                (part.cost, part.is_exact) = (known.cost, known.guess.is_some());
                if sum >= limit || self.was_stopped {
                    return None;
                }
            }
        }
        Some(sum)
    }

    /// Splits a set by the answers to a guess; the guess itself belongs to no part.
    fn split(&self, set: &[Index], guess: Index, codes: &mut Vec<Index>) -> ([Part; 16], usize) {
        let row = self.board.row(guess);
        let mut counts = [0usize; 16];
        for &code in set {
            counts[usize::from(row[usize::from(code)] & 15)] += 1;
        }
        let (mut parts, mut numbers, mut count, mut start) = ([Part::default(); 16], [0usize; 16], 0, 0);
        for (answer, &len) in counts[..self.board.found].iter().enumerate() {
            if len > 0 {
                numbers[answer] = count;
                parts[count] = Part { start, len: 0, ..Part::default() };
                count += 1;
                start += len;
            }
        }
        codes.clear();
        codes.resize(set.len(), 0);
        for &code in set {
            let answer = usize::from(row[usize::from(code)] & 15);
            if answer < self.board.found {
                let part = &mut parts[numbers[answer]];
                codes[part.start + part.len] = code;
                part.len += 1;
                part.key = part.key.join(self.codes.keys[usize::from(code)]);
            }
        }
        (parts, count)
    }
}

/// Notes a split; returns whether it is not known to be the same as an earlier one.
fn is_new(frame: &mut Frame, parts: &[Part]) -> bool {
    let all = parts.iter().fold(1u64, |all, part| all.wrapping_add(mix(part.key.check)));
    let place = &mut frame.tried[usize::from(all.to_le_bytes()[7])];
    std::mem::replace(place, all) != all
}
