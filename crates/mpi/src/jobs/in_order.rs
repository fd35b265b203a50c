use std::collections::BTreeMap;

use crate::jobs::JobId;

/// Returns results in the order of their jobs, whatever order they arrive in.
#[derive(Clone, Debug)]
pub struct InOrder<T>(BTreeMap<JobId, Option<T>>);

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> InOrder<T> {
    /// Expects the result of a job.
    pub fn expect(&mut self, id: JobId) {
        self.0.insert(id, None);
    }

    /// Adds a result; unexpected ones are dropped.
    pub fn insert(&mut self, id: JobId, result: T) {
        if let Some(place) = self.0.get_mut(&id) {
            *place = Some(result);
        }
    }

    /// Returns the result of the oldest expected job, once it has arrived.
    pub fn pop(&mut self) -> Option<(JobId, T)> {
        let mut oldest = self.0.first_entry()?;
        let result = oldest.get_mut().take()?;
        Some((oldest.remove_entry().0, result))
    }

    /// Returns whether all results have been returned.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
