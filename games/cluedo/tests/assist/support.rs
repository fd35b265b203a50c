//! Random tables, and a plain enumeration of their deals.

use cluedo::assist::case::Case;
use cluedo::assist::entry::{Entry, Rule};
use cluedo::card_names::CardNames;
use cluedo::deck::{CardSet, Deck};
use cluedo::record::Answered;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A deck without names.
pub(super) fn deck(sizes: [usize; 3]) -> CardNames {
    let mut next = 0;
    let line = |size: usize| {
        let names: Vec<String> = (0..size)
            .map(|_| {
                next += 1;
                format!("card {}", next - 1)
            })
            .collect();
        names.join(", ")
    };
    let lines: Vec<String> =
        sizes.map(line).iter().zip(["who", "what", "where"]).map(|(l, k)| format!("{k}: {l}")).collect();
    CardNames::parse(&lines.join("\n")).expect("a deck")
}

/// Calls `visit` with every deal that agrees with rules: for each card its place; none for cards that lie open.
pub(super) fn enumerate(case: &Case, rules: &[Rule], visit: &mut dyn FnMut(&[usize])) {
    place(case, rules, &mut Vec::new(), visit);
}

fn place(case: &Case, rules: &[Rule], deal: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
    let players = case.sizes.len();
    let card = deal.len();
    let held = |deal: &[usize], place: usize| (0..deal.len()).filter(|&card| deal[card] == place).collect::<CardSet>();
    if card == case.deck().len() {
        let fits = |rule: &Rule| match *rule {
            Rule::Has(seat, cards) => held(deal, seat).contains_all(cards),
            Rule::Lacks(seat, cards) => !held(deal, seat).meets(cards),
            Rule::OneOf(seat, cards) => held(deal, seat).meets(cards),
            Rule::NotAll(cards) => !held(deal, players).contains_all(CardSet::of(cards)),
        };
        if rules.iter().all(fits) && held(deal, players).len() == 3 {
            visit(deal);
        }
        return;
    }
    if case.public.contains(card) {
        deal.push(usize::MAX);
        place(case, rules, deal, visit);
        deal.pop();
        return;
    }
    for to in 0..=players {
        let kind = case.deck().of_kind(case.deck().kind(card));
        let is_full = match case.sizes.get(to) {
            Some(&size) => held(deal, to).len() >= size,
            None => held(deal, to).meets(kind),
        };
        if !is_full {
            deal.push(to);
            place(case, rules, deal, visit);
            deal.pop();
        }
    }
}

/// A table where random things happened, truly; the deal too.
pub(super) fn random_case(rng: &mut Xoshiro256PlusPlus) -> (Case, Vec<usize>) {
    let sizes = [0; 3].map(|_| rng.random_range(2..=4));
    let card_names = deck(sizes);
    let deck: Deck = card_names.deck;
    let players = rng.random_range(2..=4);
    let me = rng.random_range(0..=players);
    let names = (0..players).map(|seat| format!("P{seat}")).collect();
    let mut case = Case::new(card_names, names, (me < players).then_some(me)).expect("a table");
    let open: usize = if rng.random_bool(0.3) && sizes[2] > 2 { 1 } else { 0 };
    case.set_public((deck.len() - open..deck.len()).collect()).expect("cards are left");
    let mut hands = case.sizes.clone();
    if hands[0] > 0 && rng.random_bool(0.3) {
        hands[0] -= 1;
        hands[players - 1] += 1;
        case.set_sizes(hands.clone()).expect("as many cards");
    }
    // The solution, then a shuffled rest.
    let mut deal = vec![usize::MAX; deck.len()];
    for kind in 0..3 {
        let cards: Vec<usize> = (deck.of_kind(kind) - case.public).iter().collect();
        deal[cards[rng.random_range(0..cards.len())]] = players;
    }
    let mut left: Vec<usize> = (deck.all() - case.public).iter().filter(|&card| deal[card] != players).collect();
    for (seat, &size) in hands.iter().enumerate() {
        for _ in 0..size {
            deal[left.swap_remove(rng.random_range(0..left.len()))] = seat;
        }
    }
    if me < players {
        case.set_hand((0..deck.len()).filter(|&card| deal[card] == me).collect()).expect("the size is right");
    }
    for turn in 0..rng.random_range(0..8) {
        let by = turn % players;
        let cards = [0, 1, 2].map(|kind| rng.random_range(deck.range(kind)));
        if rng.random_bool(0.1) {
            if cards.iter().any(|&card| deal[card] != players) {
                case.add(Entry::WrongAccusation { by, cards }).expect("an accusation");
            }
            continue;
        }
        let (mut passed, mut shown) = (Vec::new(), None);
        for seat in case.asked(by) {
            let held: Vec<usize> = cards.into_iter().filter(|&card| deal[card] == seat).collect();
            if held.is_empty() {
                passed.push(seat);
                continue;
            }
            let card = held[rng.random_range(0..held.len())];
            shown = Some(Answered { seat, card: Some(card).filter(|_| by == me) });
            break;
        }
        case.add(Entry::Suggestion { by, cards, passed, shown }).expect("a suggestion");
    }
    (case, deal)
}
