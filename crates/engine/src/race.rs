use amazons_rules::Color;
use amazons_search::{Avoided, Budget, Game as SearchGame, Outcome, Progress, Proof};
use amazons_solve::MoveBounds;

use crate::endgame::{Effort, Endgame, Wanted};
use crate::game::Game;
use crate::half_move::HalfMove;
use crate::half_moves::{HalfMoves, player};
use crate::think::Thought;

/// The most positions that the choice of a move looks at for one number.
const MOST_NODES: u64 = 500;
/// Moves judged before the budget is asked again.
const MOVES: u64 = 64;

/// Chooses the move in a position that counting decides; nothing in others.
///
/// The winner's move keeps what decides it. The loser's gets as much as it can, for the winner may err. A move that is
/// avoided is chosen only where no other does.
pub(crate) fn play<G: Game>(
    root: &HalfMoves<G>,
    budget: &mut dyn Budget,
    avoided: Option<&Avoided<'_, HalfMove>>,
) -> Option<Thought> {
    let endgame = root.endgame()?;
    let (game, state) = (root.game(), root.state());
    if game.is_blocked(state) || !game.is_countable(state) {
        return None;
    }
    let side = game.side_to_move(state);
    let (winner, claims) = decide(root, endgame, budget)?;
    let aim = if winner == side { Aim::Keep(claims.margin(side, side)) } else { Aim::Resist };
    let mut race = Race { root, endgame, budget, avoided, side, aim, judged: 0, best: None };
    race.choose();
    let mv = race.best.map(|(_, [step, shot])| root.whole(step, shot))?;
    let outcome = Outcome::Win(player(winner));
    // The loser has no more moves than it can claim, and the winner answers each; a move is two half-moves.
    let answered = claims.moves[winner.opposite().index()].upper;
    let plies = 4 * answered + if winner == side { 2 } else { 0 };
    Some(Thought {
        mv,
        value: root.turn().sign() * outcome.value(),
        proof: Some(Proof { outcome, plies }),
        nodes: race.judged,
        depth: 2,
        principal_variation: vec![mv],
    })
}

/// Finds out who wins, and by what claims.
fn decide<G: Game>(root: &HalfMoves<G>, endgame: &Endgame, budget: &mut dyn Budget) -> Option<(Color, MoveBounds)> {
    let (game, state) = (root.game(), root.state());
    let mut go_on = patience::<HalfMoves<G>>(budget);
    // Where both can go a search does better than more counting.
    let most = if game.decided(state).is_some() { MOST_NODES } else { Endgame::NODES };
    for nodes in [Endgame::NODES, most] {
        let claims = endgame.claims(game, state, Wanted::Winner, Effort::Much(nodes, &mut go_on));
        if let Some(winner) = claims.winner(game.side_to_move(state)) {
            return Some((winner, claims));
        }
    }
    None
}

/// Asks the budget each time that some moves have been tried.
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

/// What the side to move wants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// It wins by this margin, and no move need cost it any.
    Keep(i32),
    /// It loses if nobody errs.
    Resist,
}

/// The moves to look at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// Those with an arrow to where the queen came from.
    Back,
    /// All others.
    NotBack,
    /// Those that are to be avoided.
    Avoided,
    /// All others.
    NotAvoided,
}

/// How good a move is; the larger, the better. The last number is 1 for one that is preferred.
type Merit = [i32; 3];

struct Race<'a, G: Game> {
    root: &'a HalfMoves<G>,
    endgame: &'a Endgame,
    budget: &'a mut dyn Budget,
    avoided: Option<&'a Avoided<'a, HalfMove>>,
    side: Color,
    aim: Aim,
    /// Moves judged.
    judged: u64,
    best: Option<(Merit, [HalfMove; 2])>,
}

impl<G: Game> Race<'_, G> {
    /// Judges moves, until one is good enough or the budget ends.
    fn choose(&mut self) {
        if self.aim == Aim::Resist {
            // What it gets here is remembered with the moves that get it.
            let mut go_on = patience::<HalfMoves<G>>(self.budget);
            let effort = Effort::Much(MOST_NODES, &mut go_on);
            self.endgame.claims(self.root.game(), self.root.state(), Wanted::Numbers, effort);
        }
        // A walk that shuts the door behind it keeps what walks have counted, and what a search has found is remembered;
        // only if it was forgotten is there anything to search again.
        let walks = [(Moves::Back, 0), (Moves::NotBack, 0), (Moves::Back, MOST_NODES), (Moves::NotBack, MOST_NODES)];
        // With any other arrow walks may count too little: then a search is due before a move that is avoided.
        let (wanted, avoided) = (Moves::NotAvoided, Moves::Avoided);
        let keeping = [(wanted, 0), (wanted, MOST_NODES), (avoided, 0), (avoided, MOST_NODES)];
        let resisting = [(wanted, 0), (avoided, 0), (wanted, MOST_NODES)];
        // Behind these a safe move is enough.
        let (passes, ends): (&[_], _) = match (self.avoided, self.aim) {
            (None, _) => (&walks, 2..3),
            (Some(_), Aim::Keep(_)) => (&keeping, 1..4),
            (Some(_), Aim::Resist) => (&resisting, 3..4),
        };
        for (done, &(moves, nodes)) in (1..).zip(passes) {
            let may_give_up = moves == Moves::NotAvoided;
            if self.judge(moves, nodes, may_give_up) && (!may_give_up || self.is_safe()) {
                return;
            }
            if ends.contains(&done) && self.is_safe() {
                return;
            }
        }
    }

    /// Judges all such moves; tells whether it stopped before the last.
    fn judge(&mut self, moves: Moves, nodes: u64, may_give_up: bool) -> bool {
        let mut game = self.root.clone();
        let (mut steps, mut arrows) = (Vec::new(), Vec::new());
        game.moves(&mut steps);
        for step in steps {
            game.play(step);
            game.moves(&mut arrows);
            for shot in arrows.iter().copied() {
                if !self.is_among(moves, step, shot) {
                    continue;
                }
                game.play(shot);
                let merit = self.merit(&game, nodes, moves == Moves::NotAvoided);
                game.undo(shot);
                if self.best.is_none_or(|(best, _)| merit > best) {
                    self.best = Some((merit, [step, shot]));
                }
                self.judged += 1;
                if self.is_enough(may_give_up) {
                    return true;
                }
            }
            game.undo(step);
        }
        false
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
        let claims = self.endgame.claims(after.game(), after.state(), wanted, Effort::Much(nodes, &mut go_on));
        match self.aim {
            Aim::Keep(_) => [claims.margin(side, other), 0, is_preferred.into()],
            // The number that is sure is the one that comes from a search.
            Aim::Resist => {
                let own = claims.moves[side.index()].lower.cast_signed();
                [own, -claims.margin(other, other), is_preferred.into()]
            }
        }
    }

    /// Whether the best move gives nothing away that matters.
    fn is_safe(&self) -> bool {
        self.aim == Aim::Resist || self.best.is_some_and(|([margin, ..], _)| margin >= 0)
    }

    /// Whether to look at no more moves.
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
