use std::collections::HashSet;

use crate::search::{Moves, Search, Stopped};
use crate::state::{Key, State};

/// Walks through the proof of a result and counts its positions.
///
/// It follows one move of a winning side and all moves of a losing side; the resulting tree proves the result. It
/// trusts a table entry only after following it down to positions decided by counting.
#[derive(Debug, Default)]
pub(crate) struct Proof {
    seen: HashSet<(Key, i32)>,
}

impl Proof {
    /// Counts the distinct positions of the proof that counting alone does not decide; `None` if more than `most`.
    pub(crate) fn count<const W: usize>(
        &mut self,
        search: &mut Search<'_, W>,
        state: &State<W>,
        most: usize,
    ) -> Result<Option<usize>, Stopped> {
        let complete = self.walk(search, state, most)?;
        Ok(complete.then_some(self.seen.len()))
    }

    fn walk<const W: usize>(
        &mut self,
        search: &mut Search<'_, W>,
        state: &State<W>,
        most: usize,
    ) -> Result<bool, Stopped> {
        let key = state.key(&search.codes);
        if !self.seen.insert((key, state.spare)) {
            return Ok(true);
        }
        if self.seen.len() > most {
            return Ok(false);
        }
        let wins = search.wins(state, key)?;
        let Moves::Open(mut children) = search.moves(state)? else { return Ok(true) };
        search.rank(&mut children)?;
        if wins {
            let lost = |child: &&_| -> bool {
                let child: &crate::search::Child<W> = child;
                search.shared.table.get(child.key, child.state.spare) == Some(false)
            };
            if let Some(child) = children.iter().find(lost) {
                return self.walk(search, &child.state, most);
            }
            // The entry has been replaced since.
            for child in &children {
                if !search.wins(&child.state, child.key)? {
                    return self.walk(search, &child.state, most);
                }
            }
            return Ok(false);
        }
        for child in &children {
            if !self.walk(search, &child.state, most)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
