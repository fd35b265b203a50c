//! The order in which cards are placed: the fewer sets and types are begun but not finished, the fewer states.

use crate::knowledge::count::Problem;
use crate::pack::CardSet;

/// What a type costs that is begun but not finished, in comparison with a set of a seat.
const TYPE_COST: f64 = 0.5;
const SET_COST: f64 = 0.5;
const CHOICE_COST: f64 = 0.6;

/// Returns the open cards in the order in which they are placed.
pub(crate) fn order(problem: &Problem) -> Vec<usize> {
    let mut groups: Vec<(CardSet, f64)> = Vec::new();
    for kind in 0..3 {
        let cards = problem.secret[kind] & problem.open;
        if cards.len() > 1 {
            groups.push((cards, TYPE_COST));
        }
    }
    for holder in &problem.holders {
        groups.extend(holder.sets.iter().map(|&set| (set, SET_COST)));
        groups.extend(holder.choices.iter().map(|choice| (choice.others, CHOICE_COST)));
    }
    let mut rest = problem.open;
    let mut order = Vec::with_capacity(rest.len());
    while let Some(card) = next(rest, problem.open - rest, &groups) {
        rest.remove(card);
        order.push(card);
    }
    order
}

/// Returns the card after which the groups that are begun and not finished cost least.
fn next(rest: CardSet, placed: CardSet, groups: &[(CardSet, f64)]) -> Option<usize> {
    let cost = |card: usize| {
        let (rest, placed) = (rest - CardSet::one(card), placed | CardSet::one(card));
        groups
            .iter()
            .filter(|(group, _)| group.meets(placed) && group.meets(rest))
            // A group that is nearly finished is finished first.
            .map(|(group, cost)| cost * (1.0 + 0.1 * (*group & rest).len() as f64))
            .sum::<f64>()
    };
    rest.iter().map(|card| (cost(card), card)).min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, card)| card)
}
