use amazons_rules::Color;
use amazons_search::{Avoid, Budget, Game as SearchGame, Outcome, Progress, Proof};
use amazons_solve::MoveBounds;

use crate::endgame::{Effort, Endgame, Wanted};
use crate::engine::SearchResult;
use crate::game::Game;
use crate::half_move::HalfMove;
use crate::half_moves::{HalfMoves, player};

/// Maximum number of positions to search for one number when choosing a move.
const MAX_NODES: u64 = 500;
/// Moves judged between two checks of the budget.
const MOVES: u64 = 64;

/// Chooses the move in a position decided by counting; `None` in others.
///
/// The winner's move keeps the win. The loser's gets as much as possible, as the winner may err. An avoided move is
/// chosen only if there is no other.
pub(crate) fn play<G: Game>(
    root: &HalfMoves<G>,
    budget: &mut dyn Budget,
    avoided: Avoid<'_, HalfMove>,
) -> Option<SearchResult> {
    let endgame = root.endgame()?;
    let (game, state) = (root.game(), root.state());
    if game.is_blocked(state) || !game.is_countable(state) {
        return None;
    }
    let side = game.side_to_move(state);
    let (winner, bounds) = decide(root, endgame, budget)?;
    let aim = if winner == side { Aim::Keep(bounds.margin(side, side)) } else { Aim::Resist };
    let mut choice = Choice { root, endgame, budget, avoided, side, aim, judged: 0, best: None };
    choice.make();
    let mv = choice.best.map(|(_, [step, shot])| root.whole(step, shot))?;
    let outcome = Outcome::Win(player(winner));
    // The loser has no more moves than its upper bound, and the winner answers each; a move is two half-moves.
    let answered = bounds.moves[winner.opposite().index()].upper;
    let plies = 4 * answered + if winner == side { 2 } else { 0 };
    Some(SearchResult {
        mv,
        value: root.turn().sign() * outcome.value(),
        proof: Some(Proof { outcome, plies }),
        nodes: choice.judged,
        depth: 2,
        principal_variation: vec![mv],
    })
}

/// Finds the winner and the bounds that prove it.
fn decide<G: Game>(root: &HalfMoves<G>, endgame: &Endgame, budget: &mut dyn Budget) -> Option<(Color, MoveBounds)> {
    let (game, state) = (root.game(), root.state());
    let mut go_on = patience::<HalfMoves<G>>(budget);
    // Where both sides can still go, a search does better than more counting.
    let most = if game.decided(state).is_some() { MAX_NODES } else { Endgame::NODES };
    for nodes in [Endgame::NODES, most] {
        let bounds = endgame.move_bounds(game, state, Wanted::Winner, Effort::Much(nodes, &mut go_on));
        if let Some(winner) = bounds.winner(game.side_to_move(state)) {
            return Some((winner, bounds));
        }
    }
    None
}

/// Checks the budget after every [`MOVES`] moves tried.
fn patience<G: SearchGame>(budget: &mut dyn Budget) -> impl FnMut() -> bool {
    let mut tried = 0;
    move || {
        tried += 1;
        tried % MOVES > 0 || !budget.exhausted(&progress::<G>(0, None))
    }
}

fn progress<G: SearchGame>(nodes: u64, best: Option<G::Move>) -> Progress {
    Progress { nodes, depth: 2, best: best.map(G::pack), value: 0.0, lead: 0 }
}

/// The aim of the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Win by this margin; no move needs to cost any of it.
    Keep(i32),
    /// Lose by as little as possible: the side loses if neither errs.
    Resist,
}

/// The moves to consider.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// Those with an arrow to where the queen came from.
    Back,
    /// All others.
    NotBack,
    /// Those to avoid.
    Avoided,
    /// All others.
    NotAvoided,
}

/// The worth of a move: larger is better. The last number is 1 for a preferred move.
type Merit = [i32; 3];

/// The choice of a move so far.
struct Choice<'a, G: Game> {
    root: &'a HalfMoves<G>,
    endgame: &'a Endgame,
    budget: &'a mut dyn Budget,
    avoided: Avoid<'a, HalfMove>,
    side: Color,
    aim: Aim,
    /// Moves judged.
    judged: u64,
    best: Option<(Merit, [HalfMove; 2])>,
}

impl<G: Game> Choice<'_, G> {
    /// Judges moves until one is good enough or the budget ends.
    fn make(&mut self) {
        if self.aim == Aim::Resist {
            // The filler remembers the result and the moves that lead to it.
            let mut go_on = patience::<HalfMoves<G>>(self.budget);
            let effort = Effort::Much(MAX_NODES, &mut go_on);
            self.endgame.move_bounds(self.root.game(), self.root.state(), Wanted::Numbers, effort);
        }
        // After an arrow back, what walks have counted stays valid, and search results are remembered; only a forgotten
        // one must be searched again.
        let walks = [(Moves::Back, 0), (Moves::NotBack, 0), (Moves::Back, MAX_NODES), (Moves::NotBack, MAX_NODES)];
        // With any other arrow walks may count too little: then a search is due before a move is avoided.
        let (wanted, avoided) = (Moves::NotAvoided, Moves::Avoided);
        let keeping = [(wanted, 0), (wanted, MAX_NODES), (avoided, 0), (avoided, MAX_NODES)];
        let resisting = [(wanted, 0), (avoided, 0), (wanted, MAX_NODES)];
        // After these passes a safe move is enough.
        let (passes, ends): (&[_], _) = match (self.avoided, self.aim) {
            (None, _) => (&walks, 2..3),
            (Some(_), Aim::Keep(_)) => (&keeping, 1..4),
            (Some(_), Aim::Resist) => (&resisting, 3..4),
        };
        for (done, &(moves, nodes)) in (1..).zip(passes) {
            let may_give_up = moves == Moves::NotAvoided;
            if self.judge(moves, nodes) && (!may_give_up || self.is_safe()) {
                return;
            }
            if ends.contains(&done) && self.is_safe() {
                return;
            }
        }
    }

    /// Judges all these moves; returns whether it stopped before the last.
    fn judge(&mut self, moves: Moves, nodes: u64) -> bool {
        let may_give_up = moves == Moves::NotAvoided;
        let stopped = self.root.find_move(|after, halves| {
            let [step, shot] = halves;
            if !self.is_among(moves, step, shot) {
                return None;
            }
            let merit = self.merit(after, nodes, may_give_up);
            if self.best.is_none_or(|(best, _)| merit > best) {
                self.best = Some((merit, halves));
            }
            self.judged += 1;
            self.is_enough(may_give_up).then_some(())
        });
        stopped.is_some()
    }

    fn is_among(&self, moves: Moves, step: HalfMove, shot: HalfMove) -> bool {
        let is_avoided = || self.avoided.is_some_and(|avoided| (avoided.is_avoided)(step, shot));
        match moves {
            Moves::Back => shot.to == step.from,
            Moves::NotBack => shot.to != step.from,
            Moves::Avoided => is_avoided(),
            Moves::NotAvoided => !is_avoided(),
        }
    }

    fn merit(&mut self, after: &HalfMoves<G>, nodes: u64, is_preferred: bool) -> Merit {
        let (side, other) = (self.side, self.side.opposite());
        let wanted = if self.aim == Aim::Resist { Wanted::Numbers } else { Wanted::Winner };
        let mut go_on = patience::<HalfMoves<G>>(self.budget);
        let bounds = self.endgame.move_bounds(after.game(), after.state(), wanted, Effort::Much(nodes, &mut go_on));
        match self.aim {
            Aim::Keep(_) => [bounds.margin(side, other), 0, is_preferred.into()],
            // Only a searched number is certain.
            Aim::Resist => {
                let own = bounds.moves[side.index()].lower.cast_signed();
                [own, -bounds.margin(other, other), is_preferred.into()]
            }
        }
    }

    /// Returns whether the best move gives away nothing that matters.
    fn is_safe(&self) -> bool {
        self.aim == Aim::Resist || self.best.is_some_and(|([margin, ..], _)| margin >= 0)
    }

    /// Returns whether to stop judging moves.
    fn is_enough(&mut self, may_give_up: bool) -> bool {
        if let (Aim::Keep(margin), Some(([best, ..], _))) = (self.aim, self.best)
            && best >= margin
        {
            return true;
        }
        let best = self.best.map(|(_, [step, _])| step);
        let is_asked = self.judged.is_multiple_of(MOVES) && (may_give_up || self.is_safe());
        is_asked && self.budget.exhausted(&progress::<HalfMoves<G>>(self.judged, best))
    }
}
