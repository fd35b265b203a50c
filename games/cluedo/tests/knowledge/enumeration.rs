//! A plain enumeration of all deals that agree with a seat's facts: the slow twin of the count.

use cluedo::deck::CardSet;
use cluedo::knowledge::facts::Facts;

/// What the enumeration found.
#[derive(Debug)]
pub(crate) struct Enumeration {
    pub(crate) deals: u64,
    pub(crate) weight: f64,
    /// Weights by seat and card; the secret comes after the last seat.
    pub(crate) places: Vec<Vec<f64>>,
    pub(crate) triples: Vec<([usize; 3], f64)>,
    /// Cards that each seat has, or the secret is, in some deal and in all deals.
    pub(crate) ever: Vec<CardSet>,
    pub(crate) always: Vec<CardSet>,
}

/// Enumerates all deals; `factors` are those of cards that a seat named itself.
pub(crate) fn enumerate(facts: &Facts, factors: Option<&[f64]>) -> Enumeration {
    let places = facts.players() + 1;
    let mut found = Enumeration {
        deals: 0,
        weight: 0.0,
        places: vec![vec![0.0; facts.deck.len()]; places],
        triples: Vec::new(),
        ever: vec![CardSet::EMPTY; places],
        always: vec![facts.deck.all(); places],
    };
    each_deal(facts, &mut |hands| complete(facts, factors, hands, &mut found));
    found
}

/// Visits all deals: the hands, then the secret.
pub(crate) fn each_deal(facts: &Facts, visit: &mut dyn FnMut(&[CardSet])) {
    place(facts, 0, &mut vec![CardSet::EMPTY; facts.players() + 1], visit);
}

/// Returns the chance that the cards which were shown would be shown, if these were the hands.
pub(crate) fn weight_of(facts: &Facts, hands: &[CardSet]) -> f64 {
    facts.shown.iter().map(|shown| 1.0 / (shown.named & hands[shown.seat]).len() as f64).product()
}

fn place(facts: &Facts, card: usize, hands: &mut [CardSet], visit: &mut dyn FnMut(&[CardSet])) {
    let players = facts.players();
    if card == facts.deck.len() {
        let holds = (0..players).all(|seat| {
            hands[seat].len() == facts.sizes[seat] && facts.sets[seat].iter().all(|set| set.meets(hands[seat]))
        });
        if holds && hands[players].len() == 3 {
            visit(hands);
        }
        return;
    }
    for seat in 0..players {
        let must = (0..players).any(|other| other != seat && facts.has[other].contains(card));
        if !must && !facts.lacks[seat].contains(card) && hands[seat].len() < facts.sizes[seat] {
            hands[seat].insert(card);
            place(facts, card + 1, hands, visit);
            hands[seat].remove(card);
        }
    }
    let is_held = facts.has.iter().any(|has| has.contains(card));
    if !is_held && !hands[players].meets(facts.deck.of_kind(facts.deck.kind(card))) {
        hands[players].insert(card);
        place(facts, card + 1, hands, visit);
        hands[players].remove(card);
    }
}

fn complete(facts: &Facts, factors: Option<&[f64]>, hands: &[CardSet], found: &mut Enumeration) {
    let players = facts.players();
    let mut weight = weight_of(facts, hands);
    if let Some(factors) = factors {
        for seat in (0..players).filter(|&seat| seat != facts.me) {
            for named in &facts.named[seat] {
                weight *= factors[seat].powi(i32::try_from((*named & hands[seat]).len()).expect("few"));
            }
        }
    }
    found.deals += 1;
    found.weight += weight;
    for (place, &hand) in hands.iter().enumerate() {
        found.ever[place] |= hand;
        found.always[place] &= hand;
        for card in hand.iter() {
            found.places[place][card] += weight;
        }
    }
    let secret: Vec<usize> = hands[players].iter().collect();
    let secret = [secret[0], secret[1], secret[2]];
    match found.triples.iter_mut().find(|(triple, _)| *triple == secret) {
        Some((_, sum)) => *sum += weight,
        None => found.triples.push((secret, weight)),
    }
}
