use amazons_rules::Position;

use crate::{Limit, Solution, SolveLimits, Solver, TooManyVertices};

/// Finds the winner with best play and counts the positions of a proof, unless `go_on`, called every few positions and
/// moves, returns false. Fails when more than 256 vertices have no arrow.
pub fn solve(
    position: &Position,
    limits: &SolveLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Solution, TooManyVertices> {
    let solver = Solver::new(position, limits)?;
    let solution = solver.solve(position, limits.nodes, go_on);
    Ok(solver.with_proof_size(position, solution, limits, go_on))
}

impl Solver {
    /// Adds the size of the proof to a solution of the position, unless a limit is reached; the winner stays.
    pub fn with_proof_size(
        &self,
        position: &Position,
        solution: Solution,
        limits: &SolveLimits,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Solution {
        if solution.winner.is_none() || limits.proof_positions == 0 {
            return solution;
        }
        let most = (limits.proof_positions, limits.nodes.saturating_sub(solution.nodes));
        match self.proof_positions(position, most, go_on) {
            Ok(None) => Solution { limit: Some(Limit::Proof), ..solution },
            Ok(proof_positions) => Solution { proof_positions, ..solution },
            Err(limit) => Solution { limit: Some(limit), ..solution },
        }
    }
}
