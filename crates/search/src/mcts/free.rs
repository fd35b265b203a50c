use std::collections::BTreeMap;

/// Places that were allocated and freed.
#[derive(Debug, Default)]
pub(super) struct Free {
    /// First places of runs, by the run's length. No list is empty.
    runs: BTreeMap<u16, Vec<u32>>,
    places: u32,
}

impl Free {
    /// The number of places.
    pub(super) const fn places(&self) -> u32 {
        self.places
    }

    /// Takes `count` adjacent places from the smallest run that has them.
    pub(super) fn take(&mut self, count: u16) -> Option<u32> {
        let (&len, firsts) = self.runs.range_mut(count..).next()?;
        let first = firsts.pop()?;
        if firsts.is_empty() {
            self.runs.remove(&len);
        }
        self.places -= u32::from(len);
        if len > count {
            self.put(first + u32::from(count), len - count);
        }
        Some(first)
    }

    /// Returns places to the list.
    pub(super) fn put(&mut self, first: u32, count: u16) {
        self.places += u32::from(count);
        self.runs.entry(count).or_default().push(first);
    }

    /// Joins adjacent runs between two multiples of `chunk`.
    pub(super) fn join(&mut self, chunk: u32) {
        let runs = std::mem::take(&mut self.runs).into_iter();
        let mut runs: Vec<(u32, u16)> =
            runs.flat_map(|(len, firsts)| firsts.into_iter().map(move |first| (first, len))).collect();
        runs.sort_unstable();
        let joined = runs.chunk_by(|&(first, len), &(next, _)| first + u32::from(len) == next && next % chunk != 0);
        self.places = 0;
        for run in joined {
            let (mut first, mut rest) = (run[0].0, run.iter().map(|&(_, len)| u32::from(len)).sum::<u32>());
            // A whole chunk has one place more than the longest run.
            while rest > 0 {
                let len = u16::try_from(rest).unwrap_or(u16::MAX);
                self.put(first, len);
                first += u32::from(len);
                rest -= u32::from(len);
            }
        }
    }
}
