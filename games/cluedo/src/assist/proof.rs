//! Why something follows from a few entries, sentence by sentence.

use std::collections::BTreeSet;

use crate::assist::case::Case;
use crate::assist::entry::{Answer, Entry, Piece, Rule};
use crate::assist::logic::{Cause, Conflict, Fact, Logic, Shape};
use crate::assist::words::capital;
use crate::deck::CardSet;

/// Explains a fact, or without one a contradiction, by the rules of [`crate::assist::reasons::Support::pieces`]. Each
/// string is a sentence, or a few that belong together.
pub fn explain(case: &Case, fact: Option<Fact>, pieces: &[Piece]) -> Vec<String> {
    let shape = case.shape();
    let rules: Vec<Rule> = pieces.iter().map(|piece| piece.rule).collect();
    let new = || Proof { case, shape: &shape, pieces, logic: Logic::new(&shape, &rules) };
    let mut proof = new();
    let ended = proof.logic.run();
    if let Some(fact) = fact
        && let Some(step) = proof.step_of(fact, proof.logic.steps.len())
    {
        return proof.sentences(&[step], None);
    }
    if let Err(conflict) = ended {
        return proof.refutation(conflict);
    }
    let Some(fact) = fact else { return vec![no_deal("these entries")] };
    let mut proof = new();
    let opposite = capital(&case.fact(fact.negated()));
    let suppose = format!("Suppose the opposite: {}.", lower_first(case, fact.negated()));
    let ended = proof.logic.conclude(fact.negated(), Cause::Assumed).and_then(|()| proof.logic.run());
    if let Err(conflict) = ended {
        let mut sentences = vec![suppose];
        sentences.extend(proof.refutation(conflict));
        sentences.push(format!("That cannot be. So {}.", lower_first(case, fact)));
        return sentences;
    }
    vec![
        suppose,
        no_deal(&format!("these entries in which \"{opposite}\" is true")),
        format!("So {}.", lower_first(case, fact)),
    ]
}

fn no_deal(with: &str) -> String {
    format!("Going through all possible deals finds none that agrees with {with}.")
}

/// Returns a fact for the middle of a sentence.
fn lower_first(case: &Case, fact: Fact) -> String {
    uncapital(&case.fact(fact))
}

struct Proof<'a> {
    case: &'a Case,
    shape: &'a Shape,
    pieces: &'a [Piece],
    logic: Logic<'a>,
}

impl Proof<'_> {
    /// Returns the step that says a fact, among those before one: that a card is elsewhere may follow from where it is.
    fn step_of(&self, fact: Fact, before: usize) -> Option<usize> {
        let steps = &self.logic.steps[..before];
        let says = |step: &Fact| {
            *step == fact || !fact.is_there && step.is_there && step.card == fact.card && step.place != fact.place
        };
        steps.iter().position(|step| says(&step.fact))
    }

    fn excluded(&self, cards: CardSet, place: usize) -> Vec<Fact> {
        cards.iter().map(|card| Fact::elsewhere(card, place)).collect()
    }

    /// Returns what a step rests on.
    fn grounds(&self, index: usize) -> Vec<Fact> {
        let step = self.logic.steps[index];
        let Fact { card, place, .. } = step.fact;
        match step.cause {
            Cause::Rule(rule) => match self.logic.rules[rule] {
                Rule::OneOf(seat, cards) => self.excluded(cards - CardSet::one(card), seat),
                Rule::NotAll(cards) => (CardSet::of(cards) - CardSet::one(card))
                    .iter()
                    .map(|card| Fact::there(card, self.shape.solution()))
                    .collect(),
                Rule::Has(..) | Rule::Lacks(..) => Vec::new(),
            },
            // What the own hand does not hold needs no more words.
            Cause::Full(slot) if self.is_own_hand(slot, index) => Vec::new(),
            Cause::Full(slot) => self.held(slot, index),
            Cause::Needs(slot) => {
                let (_, _, cards) = self.shape.slot(slot);
                let left = self.left(slot, index);
                self.excluded(cards - left, place)
            }
            Cause::LastPlace => {
                let others = (0..=self.shape.solution()).filter(|&other| other != place);
                others.map(|place| Fact::elsewhere(card, place)).collect()
            }
            Cause::Assumed => Vec::new(),
        }
    }

    /// Returns cards that were known to be in a slot before a step, as many as fit.
    fn held(&self, slot: usize, before: usize) -> Vec<Fact> {
        let (place, size, cards) = self.shape.slot(slot);
        let steps = self.logic.steps[..before].iter().map(|step| step.fact);
        steps.filter(|fact| fact.is_there && fact.place == place && cards.contains(fact.card)).take(size).collect()
    }

    /// Returns whether a slot is the own hand, and all its cards were known from the beginning.
    fn is_own_hand(&self, slot: usize, before: usize) -> bool {
        let is_dealt = |fact: &Fact| {
            let step = self.step_of(*fact, before).map(|step| self.logic.steps[step].cause);
            matches!(step, Some(Cause::Rule(rule)) if self.pieces[rule].source == 0)
        };
        self.case.me() == Some(slot) && self.held(slot, before).iter().all(is_dealt)
    }

    /// Returns the cards that were left for a slot before a step.
    fn left(&self, slot: usize, before: usize) -> CardSet {
        let (place, _, cards) = self.shape.slot(slot);
        cards.iter().filter(|&card| self.step_of(Fact::elsewhere(card, place), before).is_none()).collect()
    }

    fn refutation(&self, conflict: Conflict) -> Vec<String> {
        let end = self.logic.steps.len();
        let case = self.case;
        let (grounds, sentence) = match conflict {
            Conflict::Clash => {
                let last = self.logic.steps[end - 1].fact;
                let opposite = last.negated();
                let earlier = self.step_of(opposite, end - 1).unwrap_or(end - 1);
                let known = self.logic.steps[earlier].fact;
                let sentence = format!("But {}{}.", lower_first(case, known), self.short(known, end - 1));
                return self.sentences(&[end - 1, earlier], Some(sentence));
            }
            Conflict::NoPlace(card) => {
                let places = (0..=self.shape.solution()).map(|place| Fact::elsewhere(card, place)).collect();
                let why = self.whys((0..=self.shape.solution()).map(|place| Fact::elsewhere(card, place)), end);
                (places, format!("Then {} would be nowhere{why}.", case.card_names.the(card)))
            }
            Conflict::TooMany(slot) => {
                let (place, size, cards) = self.shape.slot(slot);
                let there = self.logic.there(place) & cards;
                let facts = there.iter().map(|card| Fact::there(card, place)).collect();
                let held = case.cards(there, "and");
                let sentence = if slot < self.shape.sizes.len() {
                    format!(
                        "Then {} {held}: {} cards, but {} only {size}.",
                        case.does(slot, "would have", "would have"),
                        there.len(),
                        case.does(slot, "hold", "holds")
                    )
                } else {
                    format!("Then {held} would both be in the solution, which has one {}.", self.kind(slot))
                };
                (facts, sentence)
            }
            Conflict::TooFew(slot) => {
                let (place, size, cards) = self.shape.slot(slot);
                let left = self.logic.may(place) & cards;
                let sentence = if slot < self.shape.sizes.len() {
                    let cards = match left.len() {
                        0 => "no card".to_owned(),
                        _ => format!("only {}", case.cards(left, "and")),
                    };
                    format!(
                        "Then {cards} would be left for {}, but {} {size}.",
                        case.who(slot),
                        case.does(slot, "hold", "holds")
                    )
                } else {
                    format!("Then no {} would be left for the solution.", self.kind(slot))
                };
                (self.excluded(cards - left, place), sentence)
            }
            Conflict::Rule(rule) => match self.logic.rules[rule] {
                Rule::OneOf(seat, cards) => {
                    let facts = self.excluded(cards, seat);
                    let why = self.whys(facts.iter().copied(), end);
                    let shows = self.shown(rule, seat, cards);
                    (facts, format!("{shows}, but {} none of them{why}.", case.does(seat, "can have", "can have")))
                }
                _ => {
                    let cards = self.rule_cards(rule);
                    let facts = cards.iter().map(|card| Fact::there(card, self.shape.solution())).collect();
                    let source = self.source(rule);
                    (
                        facts,
                        format!(
                            "{source}: the accusation of {} was wrong, but all three would be in the solution.",
                            case.cards(cards, "and")
                        ),
                    )
                }
            },
        };
        let steps: Vec<usize> = grounds.iter().filter_map(|&fact| self.step_of(fact, end)).collect();
        self.sentences(&steps, Some(sentence))
    }

    fn rule_cards(&self, rule: usize) -> CardSet {
        match self.logic.rules[rule] {
            Rule::Has(_, cards) | Rule::Lacks(_, cards) | Rule::OneOf(_, cards) => cards,
            Rule::NotAll(cards) => CardSet::of(cards),
        }
    }

    fn kind(&self, slot: usize) -> &str {
        &self.case.card_names.kinds[slot - self.shape.sizes.len()]
    }

    /// Returns the sentences for steps and all that they rest on, then a last one.
    fn sentences(&self, targets: &[usize], last: Option<String>) -> Vec<String> {
        let mut needed = BTreeSet::new();
        let mut open = targets.to_vec();
        while let Some(index) = open.pop() {
            if needed.insert(index) {
                open.extend(self.grounds(index).into_iter().filter_map(|fact| self.step_of(fact, index)));
            }
        }
        let mut sentences = Vec::new();
        while let Some(first) = needed.pop_first() {
            let step = self.logic.steps[first];
            let mut cards = CardSet::one(step.fact.card);
            // What has the same cause is said once.
            if step.cause != Cause::LastPlace {
                let same: Vec<usize> = needed
                    .iter()
                    .copied()
                    .filter(|&other| {
                        let other = self.logic.steps[other];
                        other.cause == step.cause && other.fact.is_there == step.fact.is_there
                    })
                    .collect();
                for index in same {
                    needed.remove(&index);
                    cards.insert(self.logic.steps[index].fact.card);
                }
            }
            sentences.extend(self.sentence(first, cards));
        }
        sentences.extend(last);
        sentences
    }

    /// Returns the sentence for steps with the same cause; none for what is assumed.
    fn sentence(&self, index: usize, cards: CardSet) -> Option<String> {
        let case = self.case;
        let step = self.logic.steps[index];
        let Fact { card, place, is_there } = step.fact;
        let all = case.facts(cards, place, is_there);
        let so = if is_there || place == self.shape.solution() { lower_first(case, step.fact) } else { all.clone() };
        Some(match step.cause {
            Cause::Assumed => return None,
            Cause::Rule(rule) => match self.logic.rules[rule] {
                Rule::Has(..) | Rule::Lacks(..) => self.told(rule, place, cards),
                Rule::OneOf(seat, named) => {
                    let others = named - CardSet::one(card);
                    let shows = self.shown(rule, seat, named);
                    let why = self.whys(others.iter().map(|card| Fact::elsewhere(card, seat)), index);
                    let not = case.does(seat, "do not have", "does not have");
                    format!(
                        "{shows}. {} {}{why}, so it was {}.",
                        capital(&not),
                        case.cards(others, "or"),
                        case.card_names.the(card)
                    )
                }
                Rule::NotAll(named) => {
                    let others = case.cards(CardSet::of(named) - CardSet::one(card), "and");
                    let source = self.source(rule);
                    format!("{source}: the accusation was wrong, but {others} are in the solution. So {so}.")
                }
            },
            Cause::Full(slot) if self.is_own_hand(slot, index) => format!("{all}: you hold others."),
            Cause::Full(slot) if slot < self.shape.sizes.len() => {
                let held: CardSet = self.held(slot, index).iter().map(|fact| fact.card).collect();
                let known = match held.len() {
                    0 => format!("{} no cards", case.does(slot, "hold", "holds")),
                    1 => format!("{} only card is {}", case.whose(slot), case.cards(held, "and")),
                    count => format!("{} {count} cards are {}", case.whose(slot), case.cards(held, "and")),
                };
                format!("{}. So {}.", capital(&known), uncapital(&all))
            }
            Cause::Full(slot) => {
                let there = self.held(slot, index);
                let found = there.first().map_or(card, |fact| fact.card);
                let verb = if cards.len() == 1 { "is" } else { "are" };
                let (found, others) = (capital(&case.card_names.the(found)), case.cards(cards, "and"));
                format!("{found} is the {} of the solution, so {others} {verb} not.", self.kind(slot))
            }
            Cause::Needs(slot) if slot < self.shape.sizes.len() => {
                let left = case.cards(self.left(slot, index) | cards, "and");
                let holds = capital(&case.does(slot, "hold", "holds"));
                let size = self.shape.sizes[slot];
                format!(
                    "{holds} {size} {}, and only {left} can be there. So {}.",
                    if size == 1 { "card" } else { "cards" },
                    uncapital(&all)
                )
            }
            Cause::Needs(slot) => {
                let (_, _, domain) = self.shape.slot(slot);
                let others = domain - CardSet::one(card);
                let why = self.whys(others.iter().map(|card| Fact::elsewhere(card, place)), index);
                format!(
                    "No other {} can be in the solution{why}. So it is {}.",
                    self.kind(slot),
                    case.card_names.the(card)
                )
            }
            Cause::LastPlace => {
                let solution = self.shape.solution();
                let others = (0..=solution).filter(|&other| other != place);
                let why = self.whys(others.map(|place| Fact::elsewhere(card, place)), index);
                let the = case.card_names.the(card);
                if place == solution {
                    format!("Nobody can have {the}{why}. So this card is in the solution.")
                } else {
                    format!("{} can be nowhere else{why}. So {} it.", capital(&the), case.does(place, "have", "has"))
                }
            }
        })
    }

    /// Returns "Entry 7", or "Your hand".
    fn source(&self, rule: usize) -> String {
        capital(&self.case.sources(&[self.pieces[rule].source]))
    }

    fn entry(&self, rule: usize) -> Option<&Entry> {
        self.case.entries().get(self.pieces[rule].source.checked_sub(1)?)
    }

    /// Returns what a rule says of cards by itself.
    fn told(&self, rule: usize, seat: usize, cards: CardSet) -> String {
        let case = self.case;
        let source = self.source(rule);
        let is_there = matches!(self.logic.rules[rule], Rule::Has(..));
        let all = case.facts(cards, seat, is_there);
        match self.entry(rule) {
            None => format!("{} {}.", capital(&case.does(seat, "hold", "holds")), case.cards(cards, "and")),
            Some(Entry::Suggestion { by, answers, .. }) => {
                let is_show = answers.iter().any(|answer| matches!(answer, Answer::ShowsCard(of, _) if *of == seat));
                if is_there && is_show {
                    let to = if case.me() == Some(*by) { "you " } else { "" };
                    return format!("{source}: {} showed {to}{}.", case.who(seat), case.cards(cards, "and"));
                }
                format!("{source}: {} passed. So {}.", case.who(seat), uncapital(&all))
            }
            Some(_) => format!("{source}: {}.", uncapital(&all)),
        }
    }

    /// Returns "Entry 7: Carl showed one of the Rope and the Hall".
    fn shown(&self, rule: usize, seat: usize, cards: CardSet) -> String {
        format!("{}: {} showed one of {}", self.source(rule), self.case.who(seat), self.case.cards(cards, "and"))
    }

    /// Returns short reasons for several facts, in brackets.
    fn whys(&self, facts: impl Iterator<Item = Fact>, before: usize) -> String {
        let mut reasons: Vec<String> = Vec::new();
        for fact in facts {
            let reason = self.short(fact, before);
            let reason = reason.trim_start_matches(" (").trim_end_matches(')').to_owned();
            if !reason.is_empty() && !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join("; ")) }
    }

    /// Returns a short reason for a fact that is known before a step.
    fn short(&self, fact: Fact, before: usize) -> String {
        let Some(index) = self.step_of(fact, before) else { return String::new() };
        let step = self.logic.steps[index];
        if step.fact.is_there && !fact.is_there {
            return format!(" ({})", lower_first(self.case, step.fact));
        }
        match step.cause {
            Cause::Rule(rule) => format!(" ({})", self.case.sources(&[self.pieces[rule].source])),
            Cause::Assumed => " (as supposed)".to_owned(),
            _ => String::new(),
        }
    }
}

/// Takes the capital from "You" and "The".
fn uncapital(text: &str) -> String {
    let found = ["You ", "The "].into_iter().find_map(|word| Some((word, text.strip_prefix(word)?)));
    found.map_or_else(|| text.to_owned(), |(word, rest)| format!("{}{rest}", word.to_lowercase()))
}
