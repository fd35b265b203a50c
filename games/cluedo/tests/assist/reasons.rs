//! The entries from which something follows: enough, and all of them needed.

use cluedo::assist::case::Case;
use cluedo::assist::entry::{Entry, Fact, Piece, Rule};
use cluedo::assist::proof::{explain, sources, support};
use cluedo::deal::stream;
use rand::RngExt;

use super::support::{enumerate, random_case};

/// Whether no deal agrees with some sources in which a fact is false.
fn follows(case: &Case, pieces: &[Piece], sources: u32, fact: Option<Fact>) -> bool {
    let rules: Vec<Rule> =
        pieces.iter().filter(|piece| sources >> piece.source & 1 != 0).map(|piece| piece.rule).collect();
    let mut found = false;
    enumerate(case, &rules, &mut |deal| {
        found |= fact.is_none_or(|fact| (deal[fact.card] == fact.place) != fact.is_there);
    });
    !found
}

fn check(case: &Case, fact: Option<Fact>) -> bool {
    let pieces = case.pieces();
    let found = support(case, fact);
    assert_eq!(found.is_some(), follows(case, &pieces, u32::MAX, fact), "{case:?} {fact:?}");
    let Some(found) = found else { return false };
    let named = sources(&found);
    let sources = named.iter().fold(0, |all, source| all | 1 << source);
    assert!(follows(case, &found, sources, fact), "{found:?}");
    // Every source and every single rule is needed.
    for source in &named {
        assert!(!follows(case, &pieces, sources & !(1 << source), fact), "{found:?}");
    }
    for place in 0..found.len() {
        let mut fewer = found.clone();
        fewer.remove(place);
        assert!(!follows(case, &fewer, sources, fact), "{found:?}");
    }
    true
}

/// Small random tables.
pub(super) fn cases(label: &str, count: u64) -> impl Iterator<Item = (Case, rand_xoshiro::Xoshiro256PlusPlus)> {
    let label = label.to_owned();
    (0..)
        .map(move |game| {
            let mut rng = stream(12, 0, game, &label);
            (random_case(&mut rng).0, rng)
        })
        .filter(|(case, _)| case.deck().len() <= 8 && case.entries.len() <= 6)
        .take(usize::try_from(count).expect("few"))
}

#[test]
fn all_reasons_are_needed() {
    let mut checked = 0;
    for (case, mut rng) in cases("reasons", 30) {
        let chances = case.chances().expect("the true deal");
        let places = case.names.len() + 1;
        let facts: Vec<Fact> = (0..places)
            .flat_map(|place| case.deck().all().iter().map(move |card| (card, place)))
            .filter(|&(card, _)| !case.public.contains(card))
            .filter_map(|(card, place)| chances.fact(card, place))
            .collect();
        assert!(facts.iter().filter(|fact| fact.is_there).all(|fact| chances.located().contains(fact)));
        for _ in 0..facts.len().min(3) {
            assert!(check(&case, Some(facts[rng.random_range(0..facts.len())])));
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn what_is_not_certain_has_no_reason() {
    for (case, _) in cases("open", 20) {
        let chances = case.chances().expect("the true deal");
        for card in (case.deck().all() - case.public).iter() {
            for place in (0..=case.names.len()).filter(|&place| chances.fact(card, place).is_none()) {
                assert_eq!(support(&case, Some(Fact::there(card, place))), None);
                assert_eq!(support(&case, Some(Fact::elsewhere(card, place))), None);
            }
        }
    }
}

#[test]
fn contradictions_have_only_what_they_need() {
    let mut contradictory = 0;
    for (mut case, mut rng) in cases("contradictions", 40) {
        for _ in 0..3 {
            let card = rng.random_range(0..case.deck().len());
            let seat = rng.random_range(0..case.names.len());
            if !case.public.contains(card) {
                let entry = Entry::Known(Fact { card, place: seat, is_there: rng.random_bool(0.5) });
                case.add(entry).expect("an entry");
            }
        }
        contradictory += usize::from(check(&case, None));
    }
    assert!((5..38).contains(&contradictory), "{contradictory}");
}

#[test]
fn explanations_name_what_they_rest_on() {
    let (mut direct, mut searched) = (0, 0);
    for (case, _) in cases("proofs", 60) {
        let chances = case.chances().expect("the true deal");
        for fact in chances.located() {
            let found = support(&case, Some(fact)).expect("it is certain");
            let text = explain(&case, Some(fact), &found).join(" ");
            assert!(text.ends_with('.') && !text.contains("  "), "{text}");
            if text.contains("Going through all possible deals") {
                searched += 1;
                continue;
            }
            direct += 1;
            for piece in &found {
                let is_named = match piece.source {
                    0 => ["You hold", "you have", "your hand", "you hold", "cards are", "card is"]
                        .iter()
                        .any(|word| text.contains(word)),
                    number => text.contains(&format!("ntry {number}")),
                };
                assert!(is_named, "{text} {found:?} {case:?}");
            }
        }
    }
    assert!(direct > 50 && searched * 10 < direct, "{direct} by steps, {searched} by search");
}
