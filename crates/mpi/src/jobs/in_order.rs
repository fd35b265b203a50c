use std::collections::{BTreeMap, BTreeSet};

use crate::jobs::JobId;

/// Gives results back in the order of their jobs, whatever order they come in.
#[derive(Clone, Debug)]
pub struct InOrder<T> {
    expected: BTreeSet<JobId>,
    here: BTreeMap<JobId, T>,
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self { expected: BTreeSet::new(), here: BTreeMap::new() }
    }
}

impl<T> InOrder<T> {
    /// Waits for the result of a job.
    pub fn expect(&mut self, id: JobId) {
        self.expected.insert(id);
    }

    /// Waits no more for the result of a job.
    pub fn cancel(&mut self, id: JobId) {
        self.expected.remove(&id);
        self.here.remove(&id);
    }

    /// Takes in a result; those that nobody waits for are dropped.
    pub fn insert(&mut self, id: JobId, result: T) {
        if self.expected.contains(&id) {
            self.here.insert(id, result);
        }
    }

    /// Returns the result of the oldest job that is expected, once it is here.
    pub fn pop(&mut self) -> Option<(JobId, T)> {
        let id = *self.expected.first()?;
        let result = self.here.remove(&id)?;
        self.expected.remove(&id);
        Some((id, result))
    }

    /// Returns how many results have been expected and not been given back.
    #[must_use]
    pub fn len(&self) -> usize {
        self.expected.len()
    }

    /// Returns whether all results have been given back.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.expected.is_empty()
    }
}
