use std::sync::atomic::Ordering;

use amazons_rules::{Color, Move, MoveList, Position};

use crate::proof_size::Proof;
use crate::race::with_width;
use crate::search::{Child, Search, Stopped};
use crate::shared::Shared;
use crate::state::State;
use crate::{Graph, Limit, SolveLimits, Stones, TooManyVertices};

/// The winner of a position with best play, and the cost of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Finds the winner with best play, unless `go_on`, called every few positions and moves, returns false.
///
/// # Errors
/// When more than 256 vertices have no arrow.
pub fn solve(
    position: &Position,
    limits: &SolveLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Solution, TooManyVertices> {
    with_width!(solve_on(position, limits, go_on))
}

fn solve_on<const W: usize>(
    position: &Position,
    limits: &SolveLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Solution, TooManyVertices> {
    let (graph, stones) = Graph::<W>::of_position(position)?;
    let shared = Shared::new(limits);
    let mut search = Search::new(position.board(), &graph, limits, &shared, go_on);
    Ok(solve_with(position, &stones, limits, &mut search))
}

/// Finds the winner with a search that is ready.
pub(crate) fn solve_with<const W: usize>(
    position: &Position,
    stones: &Stones<W>,
    limits: &SolveLimits,
    search: &mut Search<'_, W>,
) -> Solution {
    let (mover, waiting) = (position.side_to_move(), position.side_to_move().opposite());
    let queens = stones.queens;
    let root = State::new(&search.codes, stones.free, queens[mover.index()], queens[waiting.index()]);
    let (result, helped) = on_threads(position, limits, search, &root);
    let (nodes, table_entries) = (search.nodes + helped, search.shared.table.used());
    let solution =
        Solution { winner: None, winning_move: None, nodes, table_entries, proof_positions: None, limit: None };
    let winning_move = match result {
        Ok(winning_move) => winning_move,
        Err(Stopped(limit)) => return Solution { limit: Some(limit), ..solution },
    };
    let winner = Some(if winning_move.is_some() { mover } else { waiting });
    // The size of the proof is a by-product: a limit reached here does not affect the result.
    let (proof_positions, limit) = match proof_size(search, root, limits.proof_positions) {
        Ok(None) if limits.proof_positions > 0 => (None, Some(Limit::Proof)),
        Ok(positions) => (positions, None),
        Err(Stopped(limit)) => (None, Some(limit)),
    };
    Solution { winner, winning_move, proof_positions, limit, ..solution }
}

/// Finds a winning move as [`root_moves`] does, on as many threads as the limits say; and the number of positions whose
/// moves other threads tried.
fn on_threads<const W: usize>(
    position: &Position,
    limits: &SolveLimits,
    search: &mut Search<'_, W>,
    root: &State<W>,
) -> (Result<Option<Move>, Stopped>, u64) {
    let (graph, shared) = (search.graph, search.shared);
    let help = || {
        let mut go_on = || true;
        let mut search = Search::new(position.board(), graph, limits, shared, &mut go_on);
        let is_solved = root_moves(position, &mut search, root).is_ok();
        if is_solved {
            shared.is_over.store(true, Ordering::Relaxed);
        }
        (is_solved, search.nodes)
    };
    let (found, helped) = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..limits.threads.get()).map(|_| scope.spawn(help)).collect();
        let found = root_moves(position, search, root);
        shared.is_over.store(true, Ordering::Relaxed);
        let joined = helpers.into_iter().map(|helper| helper.join().expect("a helper does not panic"));
        (found, joined.fold((false, 0), |all, one| (all.0 || one.0, all.1 + one.1)))
    });
    shared.is_over.store(false, Ordering::Relaxed);
    // What a helper has solved is in the table.
    let found = if found.is_err() && helped.0 { root_moves(position, search, root) } else { found };
    (found, helped.1)
}

/// Counts the positions of the proof; `None` if there are more than `most`, or if that is 0.
fn proof_size<const W: usize>(
    search: &mut Search<'_, W>,
    mut root: State<W>,
    most: usize,
) -> Result<Option<usize>, Stopped> {
    match most {
        0 => Ok(None),
        _ if search.judge(&mut root)?.is_some() => Ok(Some(0)),
        _ => Proof::default().count(search, &root, most),
    }
}

/// Returns a winning move; `None` if all lose.
fn root_moves<const W: usize>(
    position: &Position,
    search: &mut Search<'_, W>,
    root: &State<W>,
) -> Result<Option<Move>, Stopped> {
    let mut settled = *root;
    if search.judge(&mut settled)? == Some(false) {
        return Ok(None);
    }
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let graph = search.graph;
    let index = |vertex| graph.vertices().binary_search(&vertex).expect("a move stays within free vertices");
    let (mut children, mut moves) = (Vec::new(), Vec::new());
    for &mv in list.iter() {
        let mut state = root.play(&search.codes, index(mv.from), index(mv.to), index(mv.arrow));
        match search.judge(&mut state)? {
            Some(true) => {}
            Some(false) => return Ok(Some(mv)),
            None => {
                let key = state.key(&search.codes);
                moves.push(((key, state.spare), mv));
                children.push(Child { key, rank: 0, state });
            }
        }
    }
    search.rank(&mut children)?;
    for child in &children {
        if !search.wins(&child.state, child.key)? {
            let name = (child.key, child.state.spare);
            return Ok(moves.iter().find(|(found, _)| *found == name).map(|&(_, mv)| mv));
        }
    }
    search.nodes += 1;
    let key = settled.key(&search.codes);
    search.shared.table.put(key, settled.spare, false, search.nodes);
    Ok(None)
}
