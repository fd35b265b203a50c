//! Numbers of deals against the plain enumeration, the vectors, and known numbers.

use cluedo::assist::case::{Case, Chances};
use cluedo::assist::entry::{Entry, Fact};
use cluedo::assist::proof::{sources, support};
use cluedo::assist::words::grouped;
use cluedo::card_names::CardNames;
use cluedo::deal::{Deal, stream};
use cluedo::deck::CardSet;
use cluedo::record::Answered;
use rand::RngExt;

use super::support::{enumerate, random_case};
use crate::knowledge::vectors::CLASSIC_DEALS;

#[test]
fn counts_equal_the_enumeration() {
    let mut wrong = 0;
    for game in 0..60 {
        let mut rng = stream(11, 0, game, "assist");
        let (case, truth) = random_case(&mut rng);
        let rules = case.rules();
        let players = case.sizes.len();
        let mut total = 0_u32;
        let mut places = vec![vec![0_u32; case.deck().len()]; players + 1];
        let mut solutions = std::collections::BTreeMap::new();
        let mut has_truth = false;
        enumerate(&case, &rules, &mut |deal| {
            total += 1;
            has_truth |= deal == truth;
            for (card, &place) in deal.iter().enumerate().filter(|&(_, &place)| place <= players) {
                places[place][card] += 1;
            }
            let solution: Vec<usize> = (0..deal.len()).filter(|&card| deal[card] == players).collect();
            *solutions.entry([solution[0], solution[1], solution[2]]).or_insert(0) += 1;
        });
        assert!(has_truth, "{case:?}");
        let chances = case.chances().expect("the true deal");
        assert_eq!(chances.deals.total(), f64::from(total), "{case:?}");
        let counts: Vec<Vec<u32>> = chances.places.iter().map(|place| counted(&chances, place)).collect();
        assert_eq!(counts, places, "{case:?}");
        for (place, counts) in places.iter().enumerate() {
            for (card, &count) in counts.iter().enumerate().filter(|&(card, _)| !case.public.contains(card)) {
                let is_certain = chances.fact(card, place).map(|fact| fact.is_there);
                assert_eq!(
                    is_certain,
                    [(0, false), (total, true)].into_iter().find(|one| one.0 == count).map(|one| one.1)
                );
            }
        }
        let mut expected: Vec<([usize; 3], u32)> = solutions.into_iter().collect();
        expected.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        let (cards, shares): (Vec<_>, Vec<_>) = chances.deals.triples().expect("few").into_iter().unzip();
        let mut found: Vec<([usize; 3], u32)> = cards.into_iter().zip(counted(&chances, &shares)).collect();
        found.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        assert_eq!(found, expected, "{case:?}");
        let mut drawn = 0;
        chances.deals.draw(&mut rng, |deal| {
            assert!(expected.iter().any(|(solution, _)| *solution == deal.secret), "{deal:?} {case:?}");
            drawn += 1;
            drawn == 10
        });
        wrong += case.entries.iter().filter(|entry| matches!(entry, Entry::WrongAccusation { .. })).count();
    }
    assert!(wrong > 10, "{wrong} wrong accusations");
}

fn counted(chances: &Chances, shares: &[f64]) -> Vec<u32> {
    let count = |&share: &f64| {
        let count = chances.deals.count(share);
        assert!((count - share * chances.deals.total()).abs() < 1e-6, "{share}");
        format!("{count}").parse().expect("a small number")
    };
    shares.iter().map(count).collect()
}

#[test]
fn counts_the_deals_of_the_classic_deck() {
    for (sizes, hand, expected) in CLASSIC_DEALS {
        let names = sizes.iter().map(|size| format!("P{size}")).collect();
        let mut case = Case::new(CardNames::classic().clone(), names, Some(0)).expect("a table");
        assert_eq!(case.sizes, sizes);
        case.set_hand(hand.iter().copied().collect()).expect("as many");
        assert_eq!(case.chances().expect("deals").deals.total(), expected);
    }
}

#[test]
fn counts_ten_players() {
    let deck = CardNames::course(10).expect("ten can play");
    let case = Case::new(deck, (0..10).map(|seat| seat.to_string()).collect(), None).expect("a table");
    // 11^3 solutions, and 30! / 6^10 hands.
    let expected = (1..=30).fold(1331.0, |all, card| all * f64::from(card)) / 6_f64.powi(10);
    let total = case.chances().expect("deals").deals.total();
    assert!((total / expected - 1.0).abs() < 1e-12, "{total}");
    assert_eq!(grouped(total), "about 5.8e27");
    assert_eq!(grouped(33_633_600_000.0), "33,633,600,000");
}

#[test]
fn ten_players_are_counted_at_any_time_of_a_game() {
    let names = (0..10).map(|seat| format!("P{seat}")).collect();
    let mut case = Case::new(CardNames::course(10).expect("ten can play"), names, None).expect("a table");
    let deal = Deal::course(10, &mut stream(5, 0, 0, "deal"));
    let mut rng = stream(5, 0, 0, "suggestions");
    let mut certain = Vec::new();
    for turn in 0..40 {
        let cards = [0, 11, 22].map(|first| first + rng.random_range(0..11));
        let (mut passed, mut shown) = (Vec::new(), None);
        for seat in case.asked(turn % 10) {
            if deal.hands()[seat].meets(CardSet::of(cards)) {
                shown = Some(Answered { seat, card: None });
                break;
            }
            passed.push(seat);
        }
        case.add(Entry::Suggestion { by: turn % 10, cards, passed, shown }).expect("an entry");
        let located = case.chances().expect("the true deal").located();
        let new: Vec<Fact> = located.iter().filter(|fact| !certain.contains(*fact)).copied().collect();
        for fact in new {
            assert!(deal.hands()[fact.place].contains(fact.card), "{fact:?}");
            let found = support(&case, Some(fact)).expect("it follows");
            assert_eq!(sources(&found).last(), Some(&(turn + 1)), "{fact:?}");
        }
        certain = located;
    }
    assert!(certain.len() > 10, "{certain:?}");
}
