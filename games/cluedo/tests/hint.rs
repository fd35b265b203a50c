//! What `hint` says at the terminal, against an enumeration of all deals that agree with what was printed.

use std::collections::HashMap;

use cluedo::card_names::CardNames;
use cluedo::deck::{CardSet, Deck};
use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::hint::Hint;

use crate::knowledge::enumeration::{each_deal, enumerate, weight_of};
use crate::support::{command, said};

fn number(name: &str) -> usize {
    CardNames::classic().find(name, None).unwrap_or_else(|error| panic!("{error}"))
}

fn cards(names: &str) -> [usize; 3] {
    let cards: Vec<usize> = names.trim_end_matches('.').split(", ").map(number).collect();
    cards.try_into().expect("three cards")
}

fn rank(name: &str) -> usize {
    name.strip_prefix("AI ").map_or(0, |rank| rank.parse().expect("a rank"))
}

/// Follows what a person reads: facts, and the text of each hint with the facts before it.
fn follow(text: &str, sizes: &[usize]) -> (Facts, Vec<(Facts, String)>) {
    let mut facts = Facts::new(Deck::CLASSIC, sizes.to_vec(), 0, CardSet::EMPTY);
    let (mut named, mut hints) = (CardSet::EMPTY, Vec::<(Facts, String)>::new());
    for line in text.lines() {
        let sentence = line.trim_end_matches(" Nobody refutes.").trim_end_matches('.');
        if let Some(hand) = sentence.strip_prefix("Your cards: ") {
            let number = |card: &str| card.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
            let hand = hand.split(", ").map(number).collect();
            facts = Facts::new(Deck::CLASSIC, sizes.to_vec(), 0, hand);
        } else if let Some((who, what)) = sentence.split_once(" suggests ").or(sentence.split_once(" suggest ")) {
            named = CardSet::of(cards(what));
            facts.suggests(rank(who), named);
        } else if let Some(who) = sentence.strip_suffix(" cannot refute") {
            facts.passes(rank(who), named);
        } else if let Some((who, card)) = sentence.split_once(" shows you ") {
            facts.shows_me(rank(who), named, number(card.split(" (").next().expect("a name")));
        } else if let Some((who, _)) = sentence.split_once(" refutes ") {
            facts.shows(rank(who), named);
        } else if sentence.contains(" left") {
            hints.push((facts.clone(), line.to_owned()));
        } else if line.starts_with("The likeliest solution") || line.starts_with("The suggestion that tells") {
            let text = &mut hints.last_mut().expect("a hint").1;
            *text = format!("{text}\n{line}");
        }
    }
    (facts, hints)
}

#[test]
fn hints_at_the_terminal_are_those_of_an_enumeration() {
    let input = "hint\n1 3 6 14\nhint\n1 4 9 15\nhint\n1 3 11 16\nhint\n1 4 10 17\nhint\n1 4 10 13\nhint\n0 4 10 13\n";
    let args = ["play", "--seed", "7", "--ais", "2", "--type", "default"];
    let text = said(command(&args), input.as_bytes());
    let (_, hints) = follow(&text, &[6, 6, 6]);
    assert_eq!(hints.len(), 6, "{text}");
    for (facts, hint) in &hints {
        let found = enumerate(facts, None);
        let count = hint.split(' ').next().expect("a number").replace(',', "");
        assert_eq!(count, found.deals.to_string(), "{hint}");
        let likeliest = found.triples.iter().map(|&(_, weight)| weight).fold(0.0, f64::max);
        let chance = |cards: [usize; 3]| {
            let weight = found.triples.iter().find(|(triple, _)| *triple == cards).expect("a possible solution").1;
            assert!(weight > likeliest * (1.0 - 1e-9), "{hint}: {weight}, not {likeliest}");
            100.0 * weight / found.weight
        };
        if let Some((_, certain)) = hint.split_once("certain: ") {
            assert_eq!((found.triples.len(), format!("{:.1}", chance(cards(certain)))), (1, "100.0".to_owned()));
            continue;
        }
        assert!(hint.contains(&format!(", with {} solutions.", found.triples.len())), "{hint}");
        let (percent, rest) = hint.split_once("solution, ").and_then(|(_, rest)| rest.split_once(" %: ")).expect("it");
        let solution = cards(rest.lines().next().expect("cards"));
        assert_eq!(percent, format!("{:.1}", chance(solution)), "{hint}");
        let question = cards(hint.split_once("tells most: ").expect("a suggestion").1);
        if found.deals < 10_000 {
            assert_best_question(facts, question);
        }
    }
    assert!(hints[5].1.contains("certain"), "{hints:?}");
    // Nothing else in the dialogue depends on hints.
    let without = said(command(&args), input.replace("hint\n", "").as_bytes());
    let plain = |text: &str| text.lines().filter(|line| !line.contains('?')).map(str::to_owned).collect::<Vec<_>>();
    let is_hint = |line: &String| hints.iter().any(|(_, hint)| hint.lines().any(|one| one == line));
    assert_eq!(plain(&without), plain(&text).into_iter().filter(|line| !is_hint(line)).collect::<Vec<_>>());
}

/// Checks that no question leaves a tenth of a bit less to know than this one.
fn assert_best_question(facts: &Facts, question: [usize; 3]) {
    let mut deals = Vec::new();
    each_deal(facts, &mut |hands| deals.push((hands.to_vec(), weight_of(facts, hands))));
    let mut least = f64::INFINITY;
    for first in 0..6 {
        for second in 6..12 {
            for third in 12..21 {
                least = least.min(entropy_after(&deals, [first, second, third]));
            }
        }
    }
    let left = entropy_after(&deals, question);
    assert!(left < least + 0.1, "{question:?} leaves {left} bits, another {least}");
}

/// Returns how many bits about the secret are expected to be unknown after a question of seat 0.
fn entropy_after(deals: &[(Vec<CardSet>, f64)], cards: [usize; 3]) -> f64 {
    let (mut outcomes, mut cells) = (HashMap::new(), HashMap::new());
    for (hands, weight) in deals {
        let (secret, hands) = hands.split_last().expect("the secret");
        let matching = |seat: usize| hands[seat] & CardSet::of(cards);
        let refuter = (1..hands.len()).find(|&seat| !matching(seat).is_empty());
        let shown: Vec<Option<usize>> =
            refuter.map_or(vec![None], |seat| matching(seat).iter().map(|card| Some(100 * seat + card)).collect());
        for outcome in &shown {
            let part = weight / shown.len() as f64;
            *outcomes.entry(*outcome).or_insert(0.0) += part;
            *cells.entry((*outcome, *secret)).or_insert(0.0) += part;
        }
    }
    let all: f64 = outcomes.values().sum();
    cells.iter().map(|((outcome, _), part): (_, &f64)| part / all * (outcomes[outcome] / part).log2()).sum()
}

#[test]
fn wrong_accusations_are_no_solutions() {
    let args = ["play", "--seed", "7", "--ais", "2", "--type", "default"];
    let (facts, _) = follow(&said(command(&args), b"1 3 6 14 1 4 9 15 1 3 11 16 1 4 10 17"), &[6, 6, 6]);
    let before = Hint::new(&facts, &[]).expect("a hint");
    let found = enumerate(&facts, None);
    let mut deals = 0;
    each_deal(&facts, &mut |hands| deals += u64::from(hands[3] != CardSet::of(before.likeliest)));
    let (weight, likeliest) = found
        .triples
        .iter()
        .filter(|(triple, _)| *triple != before.likeliest)
        .fold((0.0, 0.0), |(sum, most): (f64, f64), &(_, weight)| (sum + weight, most.max(weight)));
    let after = Hint::new(&facts, &[before.likeliest]).expect("a hint");
    assert_eq!((after.deals, after.solutions + 1), (deals as f64, before.solutions));
    assert!(after.likeliest != before.likeliest && (after.chance - likeliest / weight).abs() < 1e-9, "{after:?}");
    let all: Vec<[usize; 3]> = found.triples.iter().map(|&(triple, _)| triple).collect();
    assert_eq!(Hint::new(&facts, &all), None);
    let one = Hint::new(&facts, &all[1..]).expect("a hint");
    assert_eq!((one.likeliest, one.solutions, one.question), (all[0], 1, None));
}
