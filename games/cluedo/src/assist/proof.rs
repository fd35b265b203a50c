//! The entries from which a fact follows, and why it does, sentence by sentence.

use std::collections::BTreeSet;

use crate::assist::case::Case;
use crate::assist::entry::{Entry, Fact, Piece, Rule};
use crate::assist::words::{capital, uncapital};
use crate::deck::{Card, CardSet, KINDS};
use crate::knowledge::chances::Uncounted;
use crate::record::Answered;

/// Returns the sources of some rules: the own hand is 0, entries have their numbers.
pub fn sources(pieces: &[Piece]) -> Vec<usize> {
    let mut sources: Vec<usize> = pieces.iter().map(|piece| piece.source).collect();
    sources.dedup();
    sources
}

/// Returns rules from which a fact follows, or, without a fact, that contradict each other; nothing if it does not
/// follow. Without any of them, or of their sources, it does not.
pub fn support(case: &Case, fact: Option<Fact>) -> Option<Vec<Piece>> {
    let opposite = fact.map(|fact| fact.negated().rule());
    let is_enough = |pieces: &[Piece]| {
        let rules: Vec<Rule> = pieces.iter().map(|piece| piece.rule).chain(opposite).collect();
        matches!(case.deals(&rules), Err(Uncounted::NoDeal))
    };
    let mut left = case.pieces();
    if !is_enough(&left) {
        return None;
    }
    for source in sources(&left) {
        let fewer: Vec<Piece> = left.iter().copied().filter(|piece| piece.source != source).collect();
        if is_enough(&fewer) {
            left = fewer;
        }
    }
    // A source may have rules that are not needed.
    let mut place = 0;
    while place < left.len() {
        let piece = left.remove(place);
        if !is_enough(&left) {
            left.insert(place, piece);
            place += 1;
        }
    }
    Some(left)
}

/// Explains a fact, or without one a contradiction, by the rules that [`support`] found. Each string is a sentence, or a
/// few that belong together.
pub fn explain(case: &Case, fact: Option<Fact>, pieces: &[Piece]) -> Vec<String> {
    let mut proof = Proof::new(case, pieces);
    let ended = proof.run();
    if let Some(step) = fact.and_then(|fact| proof.step_of(fact, proof.steps.len())) {
        return proof.sentences(&[step], None);
    }
    if let Err(conflict) = ended {
        return proof.refutation(conflict);
    }
    let no_deal = |with: &str| format!("Going through all possible deals finds none that agrees with {with}.");
    let Some(fact) = fact else { return vec![no_deal("these entries")] };
    let (so, opposite) = (uncapital(&case.fact(fact)), case.fact(fact.negated()));
    let mut sentences = vec![format!("Suppose the opposite: {}.", uncapital(&opposite))];
    let mut proof = Proof::new(case, pieces);
    match proof.conclude(fact.negated(), None, &[]).and_then(|()| proof.run()) {
        Err(conflict) => {
            sentences.extend(proof.refutation(conflict));
            sentences.push(format!("That cannot be. So {so}."));
        }
        Ok(()) => {
            sentences.push(no_deal(&format!("these entries in which \"{opposite}\" is true")));
            sentences.push(format!("So {so}."));
        }
    }
    sentences
}

/// Why a number of cells of the grid is limited.
#[derive(Clone, Copy)]
enum Limit {
    Rule(Piece),
    /// A card is at one place.
    Card(Card),
    /// A player holds some cards.
    Hand(usize),
    /// The solution has one card of a type.
    Kind(usize),
}

/// Some cells of the grid, of which at least and at most so many are true.
#[derive(Clone)]
struct Constraint {
    limit: Limit,
    cells: Vec<Fact>,
    least: usize,
    most: usize,
}

/// A conclusion.
struct Step {
    fact: Fact,
    /// The number of the constraint that leads to it; none if it is assumed.
    cause: Option<usize>,
    /// The other cells of the constraint that were known.
    grounds: Vec<Fact>,
}

/// The reason why there is no deal.
enum Conflict {
    /// The last conclusion is the opposite of an earlier one.
    Clash,
    /// The constraint with this number is broken by these facts.
    Broken(usize, Vec<Fact>),
}

struct Proof<'a> {
    case: &'a Case,
    constraints: Vec<Constraint>,
    /// For each card, the places that are left, as bits.
    allowed: Vec<u16>,
    /// For each card, its place if it is known.
    placed: Vec<Option<usize>>,
    /// All conclusions in order; that a card which is somewhere is not elsewhere goes without saying.
    steps: Vec<Step>,
}

impl<'a> Proof<'a> {
    fn new(case: &'a Case, pieces: &[Piece]) -> Self {
        let (deck, solution) = (case.deck(), case.solution());
        let limit = |limit: Limit, place: usize, cards: CardSet, least: usize, most: usize| {
            let cells = cards.iter().map(|card| Fact::there(card, place)).collect();
            Constraint { limit, cells, least, most }
        };
        let rules = pieces.iter().map(|&piece| {
            let (place, cards, least, most) = match piece.rule {
                Rule::Has(place, cards) => (place, cards, cards.len(), cards.len()),
                Rule::Lacks(place, cards) => (place, cards, 0, 0),
                Rule::OneOf(seat, cards) => (seat, cards, 1, cards.len()),
                Rule::NotAll(cards) => (solution, CardSet::of(cards), 0, 2),
            };
            limit(Limit::Rule(piece), place, cards, least, most)
        });
        let closed = deck.all() - case.public;
        let cards = closed.iter().map(|card| {
            let cells = (0..=solution).map(|place| Fact::there(card, place)).collect();
            Constraint { limit: Limit::Card(card), cells, least: 1, most: 1 }
        });
        let hands =
            case.sizes.iter().enumerate().map(|(seat, &size)| limit(Limit::Hand(seat), seat, closed, size, size));
        let kinds = KINDS.map(|kind| limit(Limit::Kind(kind), solution, deck.of_kind(kind) & closed, 1, 1));
        let constraints = rules.chain(cards).chain(hands).chain(kinds).collect();
        let all = (1 << (solution + 1)) - 1;
        let allowed = (0..deck.len()).map(|card| if closed.contains(card) { all } else { 0 }).collect();
        Self { case, constraints, allowed, placed: vec![None; deck.len()], steps: Vec::new() }
    }

    fn conclude(&mut self, fact: Fact, cause: Option<usize>, grounds: &[Fact]) -> Result<(), Conflict> {
        let Fact { card, place, is_there } = fact;
        let (is_allowed, is_placed) = (self.allowed[card] >> place & 1 != 0, self.placed[card] == Some(place));
        if is_there && is_placed || !is_there && !is_allowed {
            return Ok(());
        }
        self.steps.push(Step { fact, cause, grounds: grounds.to_vec() });
        if is_there && !is_allowed || !is_there && is_placed {
            return Err(Conflict::Clash);
        }
        if is_there {
            (self.allowed[card], self.placed[card]) = (1 << place, Some(place));
        } else {
            self.allowed[card] &= !(1 << place);
        }
        if self.allowed[card] != 0 {
            return Ok(());
        }
        let is_its_own = |one: &Constraint| matches!(one.limit, Limit::Card(of) if of == card);
        let number = self.constraints.iter().position(is_its_own).unwrap_or_default();
        let nowhere = (0..=self.case.solution()).map(|place| Fact::elsewhere(card, place)).collect();
        Err(Conflict::Broken(number, nowhere))
    }

    /// Concludes all that follows step by step.
    fn run(&mut self) -> Result<(), Conflict> {
        loop {
            let before = self.steps.len();
            (0..self.constraints.len()).try_for_each(|number| self.apply(number))?;
            if self.steps.len() == before {
                return Ok(());
            }
        }
    }

    fn apply(&mut self, number: usize) -> Result<(), Conflict> {
        let Constraint { limit, cells, least, most } = self.constraints[number].clone();
        if let Limit::Rule(Piece { rule: Rule::Has(..) | Rule::Lacks(..), .. }) = limit {
            return cells.into_iter().try_for_each(|is_there| {
                self.conclude(if least > 0 { is_there } else { is_there.negated() }, Some(number), &[])
            });
        }
        let (may, not): (Vec<Fact>, _) =
            cells.into_iter().partition(|cell| self.allowed[cell.card] >> cell.place & 1 != 0);
        let (there, open): (Vec<Fact>, Vec<Fact>) =
            may.iter().partition(|cell| self.placed[cell.card] == Some(cell.place));
        let not: Vec<Fact> = not.into_iter().map(Fact::negated).collect();
        if there.len() > most {
            Err(Conflict::Broken(number, there))
        } else if may.len() < least {
            Err(Conflict::Broken(number, not))
        } else if there.len() == most {
            open.into_iter().try_for_each(|cell| self.conclude(cell.negated(), Some(number), &there))
        } else if may.len() == least {
            open.into_iter().try_for_each(|cell| self.conclude(cell, Some(number), &not))
        } else {
            Ok(())
        }
    }

    /// Returns the step that says a fact, among those before one: that a card is elsewhere may follow from where it is.
    fn step_of(&self, fact: Fact, before: usize) -> Option<usize> {
        let says = |step: &Fact| {
            *step == fact || !fact.is_there && step.is_there && step.card == fact.card && step.place != fact.place
        };
        self.steps[..before].iter().position(|step| says(&step.fact))
    }

    fn limit(&self, step: &Step) -> Option<Limit> {
        step.cause.map(|number| self.constraints[number].limit)
    }

    /// Returns whether a card is not in the own hand because all cards of that were known from the beginning.
    fn is_not_dealt(&self, index: usize) -> bool {
        let step = &self.steps[index];
        let is_dealt = |fact: &Fact| {
            let limit = self.step_of(*fact, index).and_then(|step| self.limit(&self.steps[step]));
            matches!(limit, Some(Limit::Rule(Piece { source: 0, .. })))
        };
        matches!(self.limit(step), Some(Limit::Hand(seat)) if self.case.me == Some(seat) && !step.fact.is_there)
            && step.grounds.iter().all(is_dealt)
    }

    fn refutation(&self, conflict: Conflict) -> Vec<String> {
        let (end, case) = (self.steps.len(), self.case);
        let (number, facts) = match conflict {
            Conflict::Clash => {
                let earlier = self.step_of(self.steps[end - 1].fact.negated(), end - 1).unwrap_or(end - 1);
                let known = self.steps[earlier].fact;
                let why = self.whys(&[known], end - 1);
                let sentence = format!("But {}{why}.", uncapital(&case.fact(known)));
                return self.sentences(&[end - 1, earlier], Some(sentence));
            }
            Conflict::Broken(number, facts) => (number, facts),
        };
        let Constraint { limit, cells, least, .. } = &self.constraints[number];
        let there = facts.first().is_some_and(|fact| fact.is_there);
        let named = cards(&facts);
        let left = cards(cells) - named;
        let sentence = match *limit {
            Limit::Card(card) => {
                format!("Then {} would be nowhere{}.", case.card_names.the(card), self.whys(&facts, end))
            }
            Limit::Hand(seat) if there => format!(
                "Then {} {}: {} cards, but {} only {least}.",
                case.does(seat, "would have", "would have"),
                case.cards(named, "and"),
                named.len(),
                case.does(seat, "hold", "holds")
            ),
            Limit::Hand(seat) => {
                let left =
                    if left.is_empty() { "no card".to_owned() } else { format!("only {}", case.cards(left, "and")) };
                let (who, holds) = (case.who(seat), case.does(seat, "hold", "holds"));
                format!("Then {left} would be left for {who}, but {holds} {least}.")
            }
            Limit::Kind(kind) => {
                let (held, kind) = (case.cards(named, "and"), &case.card_names.kinds[kind]);
                match there {
                    true => format!("Then {held} would both be in the solution, which has one {kind}."),
                    false => format!("Then no {kind} would be left for the solution."),
                }
            }
            Limit::Rule(piece) => match piece.rule {
                Rule::OneOf(seat, cards) => {
                    let (shows, can) = (self.shown(piece, seat, cards), case.does(seat, "can have", "can have"));
                    format!("{shows}, but {can} none of them{}.", self.whys(&facts, end))
                }
                _ => {
                    let (source, cards) = (self.source(piece), case.cards(named, "and"));
                    format!("{source}: the accusation of {cards} was wrong, but all three would be in the solution.")
                }
            },
        };
        let steps: Vec<usize> = facts.iter().filter_map(|&fact| self.step_of(fact, end)).collect();
        self.sentences(&steps, Some(sentence))
    }

    /// Returns the sentences for steps and all that they rest on, then a last one.
    fn sentences(&self, targets: &[usize], last: Option<String>) -> Vec<String> {
        let mut needed = BTreeSet::new();
        let mut open = targets.to_vec();
        while let Some(index) = open.pop() {
            // What the own hand does not hold needs no more words.
            if needed.insert(index) && !self.is_not_dealt(index) {
                open.extend(self.steps[index].grounds.iter().filter_map(|&fact| self.step_of(fact, index)));
            }
        }
        let mut sentences = Vec::new();
        while let Some(first) = needed.pop_first() {
            // What has the same cause is said once.
            let step = &self.steps[first];
            let is_same = |&other: &usize| {
                let other = &self.steps[other];
                other.cause == step.cause && other.fact.is_there == step.fact.is_there
            };
            let (same, others): (BTreeSet<usize>, BTreeSet<usize>) = needed.into_iter().partition(is_same);
            needed = others;
            let same: CardSet = same.into_iter().chain([first]).map(|step| self.steps[step].fact.card).collect();
            sentences.extend(self.sentence(first, same));
        }
        sentences.extend(last);
        sentences
    }

    /// Returns the sentence for steps with the same cause; none for what is assumed.
    fn sentence(&self, index: usize, same: CardSet) -> Option<String> {
        let case = self.case;
        let step = &self.steps[index];
        let Fact { card, place, is_there } = step.fact;
        let all = case.facts(same, place, is_there);
        let (the, why) = (case.card_names.the(card), self.whys(&step.grounds, index));
        let known = cards(&step.grounds);
        Some(match self.limit(step)? {
            Limit::Rule(piece) => match piece.rule {
                Rule::Has(..) | Rule::Lacks(..) => self.told(piece, place, same),
                Rule::OneOf(seat, named) => {
                    let (shows, not) =
                        (self.shown(piece, seat, named), case.does(seat, "do not have", "does not have"));
                    format!("{shows}. {} {}{why}, so it was {the}.", capital(&not), case.cards(known, "or"))
                }
                Rule::NotAll(_) => format!(
                    "{}: the accusation was wrong, but {} are in the solution. So {}.",
                    self.source(piece),
                    case.cards(known, "and"),
                    uncapital(&case.fact(step.fact))
                ),
            },
            Limit::Card(_) if place == case.solution() => {
                format!("Nobody can have {the}{why}. So this card is in the solution.")
            }
            Limit::Card(_) => {
                format!("{} can be nowhere else{why}. So {} it.", capital(&the), case.does(place, "have", "has"))
            }
            Limit::Hand(_) if self.is_not_dealt(index) => format!("{all}: you hold others."),
            Limit::Hand(seat) if !is_there => {
                let held = match known.len() {
                    0 => format!("{} no cards", case.does(seat, "hold", "holds")),
                    1 => format!("{} only card is {}", case.whose(seat), case.cards(known, "and")),
                    count => format!("{} {count} cards are {}", case.whose(seat), case.cards(known, "and")),
                };
                format!("{}. So {}.", capital(&held), uncapital(&all))
            }
            Limit::Hand(seat) => {
                let left = case.cards(case.deck().all() - case.public - known, "and");
                let (holds, size) = (capital(&case.does(seat, "hold", "holds")), case.sizes[seat]);
                let cards = if size == 1 { "card" } else { "cards" };
                format!("{holds} {size} {cards}, and only {left} can be there. So {}.", uncapital(&all))
            }
            Limit::Kind(kind) if is_there => {
                let kind = &case.card_names.kinds[kind];
                format!("No other {kind} can be in the solution{why}. So it is {the}.")
            }
            Limit::Kind(kind) => {
                let verb = if same.len() == 1 { "is" } else { "are" };
                let (found, others) = (capital(&case.cards(known, "and")), case.cards(same, "and"));
                format!("{found} is the {} of the solution, so {others} {verb} not.", case.card_names.kinds[kind])
            }
        })
    }

    /// Returns "Entry 7", or "Your hand".
    fn source(&self, piece: Piece) -> String {
        capital(&self.case.sources(&[piece.source]))
    }

    /// Returns what a rule says of cards by itself.
    fn told(&self, piece: Piece, seat: usize, cards: CardSet) -> String {
        let (case, source) = (self.case, self.source(piece));
        let is_there = matches!(piece.rule, Rule::Has(..));
        let all = uncapital(&case.facts(cards, seat, is_there));
        match piece.source.checked_sub(1).and_then(|place| case.entries.get(place)) {
            None => format!("{} {}.", capital(&case.does(seat, "hold", "holds")), case.cards(cards, "and")),
            Some(Entry::Suggestion { by, shown: Some(Answered { card: Some(_), .. }), .. }) if is_there => {
                let to = if case.me == Some(*by) { "you " } else { "" };
                format!("{source}: {} showed {to}{}.", case.who(seat), case.cards(cards, "and"))
            }
            Some(Entry::Suggestion { .. }) => format!("{source}: {} passed. So {all}.", case.who(seat)),
            Some(_) => format!("{source}: {all}."),
        }
    }

    /// Returns "Entry 7: Carl showed one of the Rope and the Hall".
    fn shown(&self, piece: Piece, seat: usize, cards: CardSet) -> String {
        format!("{}: {} showed one of {}", self.source(piece), self.case.who(seat), self.case.cards(cards, "and"))
    }

    /// Returns short reasons for facts that are known before a step, in brackets.
    fn whys(&self, facts: &[Fact], before: usize) -> String {
        let mut reasons: Vec<String> = Vec::new();
        for &fact in facts {
            let Some(index) = self.step_of(fact, before) else { continue };
            let step = &self.steps[index];
            let reason = match self.limit(step) {
                _ if step.fact.is_there && !fact.is_there => uncapital(&self.case.fact(step.fact)),
                Some(Limit::Rule(piece)) => self.case.sources(&[piece.source]),
                None => "as supposed".to_owned(),
                _ => continue,
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) }
    }
}

fn cards(facts: &[Fact]) -> CardSet {
    facts.iter().map(|fact| fact.card).collect()
}
