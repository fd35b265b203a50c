use std::fmt;

use amazons_rules::Board;

use crate::limits::Clock;
use crate::shared::{Known, Shared};
use crate::state::{Codes, Key, State};
use crate::{Bits, Graph, Limit};

/// Winning answers to remember among the moves of a state.
const ANSWERS: usize = 4;

/// A limit ended the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped(pub(crate) Limit);

/// Finds the winner of a state by boolean alpha-beta search.
pub(crate) struct Search<'a, const W: usize> {
    pub(crate) graph: &'a Graph<W>,
    pub(crate) codes: Codes,
    pub(crate) shared: &'a Shared<W>,
    pub(crate) known: Known<W>,
    /// Positions whose moves were tried.
    pub(crate) nodes: u64,
    limit: u64,
    clock: Clock<'a>,
}

/// A state after a move, if counting does not decide it.
#[derive(Clone, Debug)]
pub(crate) struct Child<const W: usize> {
    pub(crate) key: Key,
    /// The estimated worth of the state for its side to move.
    pub(crate) rank: i32,
    pub(crate) state: State<W>,
}

/// A move on the board: from, to, arrow.
pub(crate) type OnBoard = [usize; 3];

/// The moves of a state.
#[derive(Clone, Debug)]
pub(crate) enum Moves<const W: usize> {
    /// One wins by counting; `None` is a spare move.
    Won(Option<OnBoard>),
    /// The moves that counting does not decide, best first; all others lose.
    Open(Vec<Child<W>>),
}

impl<'a, const W: usize> Search<'a, W> {
    /// Prepares a search of at most `limit` positions that goes on from what is known about regions.
    pub(crate) fn new(
        board: &Board,
        graph: &'a Graph<W>,
        limit: u64,
        (shared, known): (&'a Shared<W>, Known<W>),
        go_on: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        Self { graph, codes: Codes::new(board, graph), shared, known, nodes: 0, limit, clock: Clock::new(go_on) }
    }

    /// Returns whether the side to move wins a settled state that counting does not decide.
    pub(crate) fn wins(&mut self, state: &State<W>, key: Key) -> Result<bool, Stopped> {
        self.wins_beside(state, key, &mut Vec::new())
    }

    /// Finds the winner as [`Search::wins`] does, and tries first the moves that won by counting in siblings of the
    /// state; the latest comes first among them.
    fn wins_beside(&mut self, state: &State<W>, key: Key, answers: &mut Vec<OnBoard>) -> Result<bool, Stopped> {
        for index in 0..answers.len() {
            if self.wins_by(state, answers[index])? {
                self.count()?;
                answers[..=index].rotate_right(1);
                return Ok(true);
            }
        }
        if let Some(known) = self.shared.table.get(key, state.spare) {
            return Ok(known);
        }
        let before = self.nodes;
        self.count()?;
        let wins = self.any_move_wins(state, answers)?;
        // A single position is found again sooner than it is looked up.
        if self.nodes - before > 1 {
            self.shared.table.put(key, state.spare, wins, self.nodes - before);
        }
        Ok(wins)
    }

    /// Counts a position whose moves are tried.
    fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.limit {
            return Err(Stopped(Limit::Nodes));
        }
        self.nodes += 1;
        Ok(())
    }

    /// Returns whether a move is possible and wins by counting.
    fn wins_by(&mut self, state: &State<W>, [from, to, arrow]: OnBoard) -> Result<bool, Stopped> {
        let is_possible = state.own.contains(from) && self.graph.slides(from, state.free).contains(to) && {
            let left = (state.free | Bits::single(from)) - Bits::single(to);
            self.graph.slides(to, left).contains(arrow)
        };
        Ok(is_possible && self.judge(&mut state.play(&self.codes, from, to, arrow))? == Some(false))
    }

    fn any_move_wins(&mut self, state: &State<W>, answers: &mut Vec<OnBoard>) -> Result<bool, Stopped> {
        let mut children = match self.moves(state)? {
            Moves::Open(children) => children,
            Moves::Won(mv) => {
                if let Some(mv) = mv {
                    answers.insert(0, mv);
                    answers.truncate(ANSWERS);
                }
                return Ok(true);
            }
        };
        // If a child is known to lose, its siblings need no search.
        let known: Vec<Option<bool>> =
            children.iter().map(|child| self.shared.table.get(child.key, child.state.spare)).collect();
        if known.contains(&Some(false)) {
            return Ok(true);
        }
        let mut known = known.into_iter();
        children.retain(|_| known.next().flatten().is_none());
        self.rank(&mut children)?;
        let mut answers = Vec::new();
        for child in &children {
            if !self.wins_beside(&child.state, child.key, &mut answers)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Plays every move of a settled state, unless one wins by counting.
    pub(crate) fn moves(&mut self, state: &State<W>) -> Result<Moves<W>, Stopped> {
        let mut children = Vec::new();
        for from in state.own {
            let lifted = state.free | Bits::single(from);
            for to in self.graph.slides(from, state.free) {
                for arrow in self.graph.slides(to, lifted ^ Bits::single(to)) {
                    let next = state.play(&self.codes, from, to, arrow);
                    if self.add(&mut children, next)? {
                        return Ok(Moves::Won(Some([from, to, arrow])));
                    }
                }
            }
        }
        if state.spare > 0 && self.add(&mut children, state.play_spare())? {
            return Ok(Moves::Won(None));
        }
        Ok(Moves::Open(children))
    }

    /// Adds a child unless counting decides it; returns whether it is lost for its side to move.
    fn add(&mut self, children: &mut Vec<Child<W>>, mut state: State<W>) -> Result<bool, Stopped> {
        match self.judge(&mut state)? {
            Some(wins) => Ok(!wins),
            None => {
                children.push(Child { key: state.key(&self.codes), rank: 0, state });
                Ok(false)
            }
        }
    }

    /// Settles a state; returns whether its side to move wins, if counting decides.
    pub(crate) fn judge(&mut self, state: &mut State<W>) -> Result<Option<bool>, Stopped> {
        let clock = &mut self.clock;
        let regions = state.settle(self.graph, &self.codes, &mut self.known.filler, &mut || clock.goes_on());
        self.look()?;
        let decided = state.judge(self.graph);
        if decided.is_some() || regions < 2 {
            return Ok(decided);
        }
        let (gone, wins) = self.known.sums.simplify(self.graph, &mut self.known.filler, state);
        if gone.is_empty() || wins.is_some() {
            return Ok(wins);
        }
        state.remove(&self.codes, gone);
        Ok(state.judge(self.graph))
    }

    fn look(&mut self) -> Result<(), Stopped> {
        if self.clock.goes_on() { Ok(()) } else { Err(Stopped(Limit::Time)) }
    }

    /// Orders children, worst for their side to move first, and drops mirror images.
    pub(crate) fn rank(&mut self, children: &mut Vec<Child<W>>) -> Result<(), Stopped> {
        for child in children.iter_mut() {
            self.look()?;
            child.rank = self.guess(&child.state);
        }
        children.sort_unstable_by_key(|child| (child.rank, child.key, child.state.spare));
        children.dedup_by_key(|child| (child.key, child.state.spare));
        Ok(())
    }

    /// Estimates a state for its side to move: the vertices that its queens reach in one or two moves, no later than
    /// the other side's.
    ///
    /// The weights were tuned by counting nodes on positions of 5 x 4 and 5 x 5 boards.
    pub(crate) fn guess(&self, state: &State<W>) -> i32 {
        let sees = |from: Bits<W>| {
            from.fold((Bits::EMPTY, 0), |(all, ways), at| {
                let seen = self.graph.slides(at, state.free);
                (all | seen, ways + seen.count().cast_signed())
            })
        };
        let ((own, own_ways), (other, other_ways)) = (sees(state.own), sees(state.other));
        // Few vertices take two moves, and what such a one sees is enough to know it.
        let two_moves = |soon: Bits<W>| {
            let late = (state.free - soon).filter(|&at| self.graph.slides(at, state.free).meets(soon));
            soon | late.collect::<Bits<W>>()
        };
        let (own_later, other_later) = (two_moves(own), two_moves(other));
        let lead = |one: Bits<W>, two: Bits<W>| (one - two).count().cast_signed();
        let soon = lead(own, other) - lead(other, own);
        let later = lead(own_later, other_later | other) - lead(other_later, own_later | own);
        8 * state.spare + 4 * soon + 6 * later + own_ways - other_ways
    }
}

impl<const W: usize> fmt::Debug for Search<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}
