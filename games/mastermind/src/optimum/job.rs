use std::time::Duration;

use super::board::Index;

/// A set to solve: the codes that answer a first guess alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) first: Index,
    pub(super) answer: u8,
    /// The guess to try; if there is none, all are.
    pub(super) second: Option<Index>,
    /// Costs from here on are of no interest.
    pub(super) limit: u32,
    /// The number of the proof, from 0: nothing is remembered from one to the next.
    pub(super) run: u32,
}

impl Job {
    pub(super) fn encode(self) -> Vec<u8> {
        let mut bytes = self.limit.to_le_bytes().to_vec();
        bytes.extend(self.first.to_le_bytes());
        bytes.push(self.answer);
        bytes.extend(self.second.map_or(Index::MAX, |second| second).to_le_bytes());
        bytes.extend(self.run.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (job, run) = bytes.split_last_chunk()?;
        let [a, b, c, d, e, f, answer, g, h] = *job else { return None };
        let second = Index::from_le_bytes([g, h]);
        Some(Self {
            first: Index::from_le_bytes([e, f]),
            answer,
            second: (second != Index::MAX).then_some(second),
            limit: u32::from_le_bytes([a, b, c, d]),
            run: u32::from_le_bytes(*run),
        })
    }

    /// Returns whether a game has these codes.
    pub(super) fn belongs_to(self, codes: usize) -> bool {
        let has = |code: Index| usize::from(code) < codes;
        has(self.first) && self.second.is_none_or(has)
    }
}

/// The result of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Solved {
    /// A cost below the limit of the job, or else a lower bound.
    pub(super) cost: u32,
    pub(super) guess: Option<Index>,
    pub(super) nodes: u64,
    /// How long it took, by the worker's clock.
    pub(super) spent: Duration,
}

impl Solved {
    pub(super) fn encode(self) -> Vec<u8> {
        let mut bytes = self.cost.to_le_bytes().to_vec();
        bytes.extend(self.guess.unwrap_or(Index::MAX).to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(u64::try_from(self.spent.as_nanos()).unwrap_or(u64::MAX).to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (cost, rest) = bytes.split_first_chunk()?;
        let (guess, rest) = rest.split_first_chunk()?;
        let (nodes, spent) = rest.split_first_chunk()?;
        let guess = Index::from_le_bytes(*guess);
        Some(Self {
            cost: u32::from_le_bytes(*cost),
            guess: (guess != Index::MAX).then_some(guess),
            nodes: u64::from_le_bytes(*nodes),
            spent: Duration::from_nanos(u64::from_le_bytes(spent.try_into().ok()?)),
        })
    }
}
