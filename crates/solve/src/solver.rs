use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use amazons_rules::{Board, Color, Move, MoveList, Position};

use crate::proof::{ProofMoves, write};
use crate::proof_size::Proof;
use crate::race::with_width;
use crate::search::{Child, Search, Stopped};
use crate::shared::{Known, Shared};
use crate::state::{Key, State};
use crate::sum::Sums;
use crate::table::{CostlyResult, TableFile};
use crate::{Filler, Graph, Limit, SolveLimits, TooManyVertices};

/// The number of filled regions to remember.
const FILLINGS: usize = 1 << 16;

/// The winner of a position with best play, and the cost of the proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// The winner; `None` if a limit was reached.
    pub winner: Option<Color>,
    /// A move that wins, if the side to move does.
    pub winning_move: Option<Move>,
    /// The number of positions whose moves were tried to find the winner; one met again may count again.
    pub nodes: u64,
    /// The number of positions in the table.
    pub table_entries: u64,
    /// The distinct positions of a proof that counting moves does not decide; `None` if a limit was reached or counting
    /// was not requested.
    pub proof_positions: Option<usize>,
    /// The limit that was reached.
    pub limit: Option<Limit>,
}

/// The part of a position that decides who wins, the same for all its mirror images, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    key: Key,
    spare: i32,
}

/// A position prepared for solving it and positions that follow from it, by any number of threads that share a table.
#[derive(Debug)]
pub struct Solver(Box<dyn Solves>);

/// The methods of a [`Solver`], with sets of any width.
pub trait Solves: fmt::Debug + Send + Sync {
    /// Finds the winner of the position or of one that follows from it, trying the moves of at most `nodes` positions,
    /// unless `go_on`, called every few positions and moves, returns false. The proof is not counted.
    fn solve(&self, position: &Position, nodes: u64, go_on: &mut dyn FnMut() -> bool) -> Solution;

    /// Returns the moves of a position that counting leaves open, one of several with the same result, the most
    /// promising first.
    fn open_moves(&self, position: &Position) -> Vec<Move>;

    /// Returns the part of a position that decides who wins. The error is the winner if counting decides the position
    /// or the table has it.
    fn situation(&self, position: &Position) -> Result<Situation, Color>;

    /// Keeps a result that was found elsewhere, and took so many positions.
    fn keep(&self, position: &Position, winner: Color, nodes: u64);

    /// Takes the results that took many positions, of all threads since the last time.
    #[must_use]
    fn take_costly(&self) -> Vec<CostlyResult>;

    /// Stores such results of an earlier search of the same position.
    fn restore(&self, results: &[CostlyResult]);

    /// Counts the positions of the proof for a position that is solved; `None` if there are more than the first of the
    /// limits. What is no longer in the table is searched again, as many positions as the second of them at most. Fails
    /// when that limit was reached or `go_on` returned false.
    fn proof_positions(
        &self,
        position: &Position,
        limits: (usize, u64),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Limit>;

    /// Returns the winner's moves of a proof for a position that is solved, and the positions that the proof visits. So
    /// many positions at most, which are no longer in the table, are searched again. Fails when that limit was reached
    /// or `go_on` returned false.
    fn proof(
        &self,
        position: &Position,
        winner_and_nodes: (Color, u64),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(ProofMoves, usize), Limit>;

    /// Returns the number of positions in the table.
    fn table_entries(&self) -> u64;
}

impl Deref for Solver {
    type Target = dyn Solves;

    fn deref(&self) -> &(dyn Solves + 'static) {
        &*self.0
    }
}

#[derive(Debug)]
struct OnGraph<const W: usize> {
    board: Arc<Board>,
    graph: Graph<W>,
    shared: Shared<W>,
    /// [`SolveLimits::valued_from`].
    valued_from: u32,
}

fn on_graph<const W: usize>(
    root: &Position,
    limits: &SolveLimits,
    file: Option<&TableFile>,
) -> Result<Solver, TooManyVertices> {
    let (graph, _) = Graph::<W>::of_position(root)?;
    let (board, shared) = (Arc::clone(root.board()), Shared::new(limits, file));
    Ok(Solver(Box::new(OnGraph { board, graph, shared, valued_from: limits.valued_from })))
}

impl Solver {
    /// Prepares a position; of the limits, those on memory count. Fails when more than 256 vertices have no arrow.
    pub fn new(root: &Position, limits: &SolveLimits) -> Result<Self, TooManyVertices> {
        with_width!(on_graph(root, limits, None))
    }

    /// Prepares a position as [`Solver::new`] does, with a table that other processes share if the system allows it.
    /// Fails when more than 256 vertices have no arrow.
    pub fn sharing(root: &Position, limits: &SolveLimits, file: &TableFile) -> Result<Self, TooManyVertices> {
        with_width!(on_graph(root, limits, Some(file)))
    }
}

/// The moves of a position on the board.
enum RootMoves<const W: usize> {
    /// One wins by counting.
    Won(Move),
    /// Those that counting leaves open, best first.
    Open(Vec<(Child<W>, Move)>),
}

impl<const W: usize> OnGraph<W> {
    fn search<'a>(&'a self, nodes: u64, go_on: &'a mut dyn FnMut() -> bool) -> Search<'a, W> {
        Search::new(&self.board, &self.graph, nodes, (&self.shared, self.nothing_known()), go_on)
    }

    /// Prepares a search that knows what earlier ones found out about regions, for [`Shared::leave_known`].
    fn next_search<'a>(&'a self, nodes: u64, go_on: &'a mut dyn FnMut() -> bool) -> Search<'a, W> {
        let known = self.shared.take_known().unwrap_or_else(|| self.nothing_known());
        Search::new(&self.board, &self.graph, nodes, (&self.shared, known), go_on)
    }

    fn nothing_known(&self) -> Known<W> {
        let sums = Sums::new(&self.board, &self.graph, self.shared.for_sums, self.valued_from);
        Known { filler: Filler::new(FILLINGS), sums }
    }

    fn state(&self, search: &Search<'_, W>, position: &Position) -> State<W> {
        let stones = self.graph.stones(position);
        let [own, other] = [position.side_to_move(), position.side_to_move().opposite()];
        State::new(&search.codes, stones.free, stones.queens[own.index()], stones.queens[other.index()])
    }

    /// Returns the part of a position that decides who wins, or the winner if counting tells.
    fn undecided(&self, position: &Position) -> Result<Situation, Color> {
        let mut go_on = || true;
        let mut search = self.next_search(0, &mut go_on);
        let mut state = self.state(&search, position);
        // Nothing stops it.
        let decided = search.judge(&mut state).unwrap_or_default();
        let situation = Situation { key: state.key(&search.codes), spare: state.spare };
        self.shared.leave_known(search.known);
        decided.map_or(Ok(situation), |wins| Err(winner(position, wins)))
    }

    /// Returns a winning move; `None` if all lose.
    fn winning_move(&self, position: &Position, search: &mut Search<'_, W>) -> Result<Option<Move>, Stopped> {
        let root = self.state(search, position);
        let mut settled = root;
        if search.judge(&mut settled)? == Some(false) {
            return Ok(None);
        }
        let moves = match self.root_moves(position, &root, search)? {
            RootMoves::Won(mv) => return Ok(Some(mv)),
            RootMoves::Open(moves) => moves,
        };
        for (child, mv) in &moves {
            if !search.wins(&child.state, child.key)? {
                return Ok(Some(*mv));
            }
        }
        search.nodes += 1;
        self.shared.table.put(settled.key(&search.codes), settled.spare, false, search.nodes);
        Ok(None)
    }

    fn root_moves(
        &self,
        position: &Position,
        root: &State<W>,
        search: &mut Search<'_, W>,
    ) -> Result<RootMoves<W>, Stopped> {
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        let index = |vertex| self.graph.vertices().binary_search(&vertex).expect("a move stays within free vertices");
        let (mut children, mut moves) = (Vec::new(), Vec::new());
        for &mv in list.iter() {
            let mut state = root.play(&search.codes, index(mv.from), index(mv.to), index(mv.arrow));
            match search.judge(&mut state)? {
                Some(true) => {}
                Some(false) => return Ok(RootMoves::Won(mv)),
                None => {
                    let key = state.key(&search.codes);
                    moves.push(((key, state.spare), mv));
                    children.push(Child { key, rank: 0, state });
                }
            }
        }
        search.rank(&mut children)?;
        let named = |child: Child<W>| {
            let name = (child.key, child.state.spare);
            let (_, mv) = moves.iter().find(|(found, _)| *found == name).expect("every child has a move");
            (child, *mv)
        };
        Ok(RootMoves::Open(children.into_iter().map(named).collect()))
    }
}

/// Returns the winner of a position, given whether its side to move wins.
fn winner(position: &Position, wins: bool) -> Color {
    let mover = position.side_to_move();
    if wins { mover } else { mover.opposite() }
}

impl<const W: usize> Solves for OnGraph<W> {
    fn solve(&self, position: &Position, nodes: u64, go_on: &mut dyn FnMut() -> bool) -> Solution {
        let mut search = self.next_search(nodes, go_on);
        let found = self.winning_move(position, &mut search);
        let mover = position.side_to_move();
        let (winner, winning_move, limit) = match found {
            Ok(Some(mv)) => (Some(mover), Some(mv), None),
            Ok(None) => (Some(mover.opposite()), None, None),
            Err(Stopped(limit)) => (None, None, Some(limit)),
        };
        let (nodes, table_entries) = (search.nodes, self.shared.table.used());
        self.shared.leave_known(search.known);
        Solution { winner, winning_move, nodes, table_entries, proof_positions: None, limit }
    }

    fn open_moves(&self, position: &Position) -> Vec<Move> {
        let mut go_on = || true;
        let mut search = self.next_search(0, &mut go_on);
        let root = self.state(&search, position);
        let moves = match self.root_moves(position, &root, &mut search) {
            Ok(RootMoves::Open(moves)) => {
                let is_open =
                    |(child, _): &(Child<W>, Move)| self.shared.table.get(child.key, child.state.spare) != Some(true);
                moves.into_iter().filter(is_open).map(|(_, mv)| mv).collect()
            }
            Ok(RootMoves::Won(mv)) => vec![mv],
            // Nothing stops it.
            Err(Stopped(_)) => Vec::new(),
        };
        self.shared.leave_known(search.known);
        moves
    }

    fn situation(&self, position: &Position) -> Result<Situation, Color> {
        let situation = self.undecided(position)?;
        match self.shared.table.get(situation.key, situation.spare) {
            Some(wins) => Err(winner(position, wins)),
            None => Ok(situation),
        }
    }

    fn keep(&self, position: &Position, winner: Color, nodes: u64) {
        if let Ok(Situation { key, spare }) = self.undecided(position) {
            self.shared.table.put(key, spare, winner == position.side_to_move(), nodes);
        }
    }

    fn take_costly(&self) -> Vec<CostlyResult> {
        self.shared.table.take_costly()
    }

    fn restore(&self, results: &[CostlyResult]) {
        results.iter().for_each(|&result| self.shared.table.restore(result));
    }

    fn proof_positions(
        &self,
        position: &Position,
        (most, nodes): (usize, u64),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Limit> {
        let mut search = self.search(nodes, go_on);
        let mut root = self.state(&search, position);
        let counted = match search.judge(&mut root) {
            Ok(None) => Proof::default().count(&mut search, &root, most),
            decided => decided.map(|_| Some(0)),
        };
        counted.map_err(|Stopped(limit)| limit)
    }

    fn proof(
        &self,
        position: &Position,
        (winner, nodes): (Color, u64),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(ProofMoves, usize), Limit> {
        let written = write(self.search(nodes, go_on), &self.graph.stones(position), position.side_to_move(), winner);
        written.map_err(|Stopped(limit)| limit)
    }

    fn table_entries(&self) -> u64 {
        self.shared.table.used()
    }
}
