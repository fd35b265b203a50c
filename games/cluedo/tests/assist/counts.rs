//! Numbers of deals against the plain enumeration, the vectors, and known numbers.

use cluedo::assist::case::Case;
use cluedo::assist::deals::Deals;
use cluedo::assist::logic::{Logic, Shape};
use cluedo::card_names::CardNames;
use cluedo::knowledge::chances::Chances;
use cluedo::knowledge::count::{Problem, Weighing};
use cluedo::line::deal::stream;

use super::support::{enumerate, random_case};
use crate::knowledge::vectors::{VECTORS, seat};

#[test]
fn counts_equal_the_enumeration() {
    for game in 0..60 {
        let mut rng = stream(11, 0, game, "assist");
        let (case, truth) = random_case(&mut rng);
        let (shape, rules) = (case.shape(), case.rules());
        let players = shape.sizes.len();
        let mut total = 0;
        let mut places = vec![vec![0; shape.deck.len()]; players + 1];
        let mut solutions = std::collections::BTreeMap::new();
        let mut has_truth = false;
        enumerate(&shape, &rules, &mut |deal| {
            total += 1;
            has_truth |= deal == truth;
            for (card, &place) in deal.iter().enumerate().filter(|&(_, &place)| place <= players) {
                places[place][card] += 1;
            }
            let solution: Vec<usize> = (0..deal.len()).filter(|&card| deal[card] == players).collect();
            *solutions.entry([solution[0], solution[1], solution[2]]).or_insert(0) += 1;
        });
        assert!(has_truth, "{case:?}");
        let chances = case.chances().expect("few").expect("the true deal");
        assert_eq!((chances.total(), &chances.places), (total, &places), "{case:?}");
        let mut expected: Vec<([usize; 3], u128)> = solutions.into_iter().collect();
        expected.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        assert_eq!(case.solutions().expect("few"), expected, "{case:?}");
        for _ in 0..5 {
            let drawn = chances.deals.draw(&mut rng);
            let mut found = false;
            enumerate(&shape, &rules, &mut |deal| found |= deal == drawn);
            assert!(found, "{drawn:?} {case:?}");
        }
    }
}

#[test]
fn counts_the_vectors() {
    for (place, vector) in VECTORS.iter().enumerate() {
        let facts = seat(vector.lines).player.facts;
        let (shape, rules) = Shape::of(&facts);
        let mut logic = Logic::new(&shape, &rules);
        logic.run().expect("the true deal");
        let deals = Deals::new(&logic).expect("few");
        assert_eq!((deals.total() as f64).to_bits(), vector.deals.to_bits(), "V{}", place + 1);
        let solutions = Deals::solutions(&logic).expect("few");
        assert_eq!(solutions.len(), vector.triples, "V{}", place + 1);
        assert_eq!(solutions.iter().map(|(_, deals)| deals).sum::<u128>(), deals.total());
        // The bots' counter finds the same chances.
        let other = Chances::new(Problem::new(&facts, Weighing::Alike)).expect("the true deal").marginals();
        for (card, &count) in deals.places()[facts.players()].iter().enumerate() {
            let chance = count as f64 / deals.total() as f64;
            assert!((other.secret[card] - chance).abs() < 1e-12, "V{}, card {card}", place + 1);
        }
    }
}

#[test]
fn counts_the_deals_of_the_classic_deck() {
    let cases: [(&[usize], &[usize], u128); 5] = [
        (&[9, 9], &[0, 1, 2, 6, 7, 8, 12, 13, 14], 54),
        (&[6, 6, 6], &[0, 1, 6, 7, 12, 13], 103_488),
        (&[5, 5, 4, 4], &[0, 6, 7, 12, 13], 12_612_600),
        (&[4, 4, 4, 3, 3], &[0, 6, 12, 13], 735_735_000),
        (&[3, 3, 3, 3, 3, 3], &[0, 6, 12], 33_633_600_000),
    ];
    for (sizes, hand, expected) in cases {
        let names = sizes.iter().map(|size| format!("P{size}")).collect();
        let mut case = Case::new(CardNames::classic().clone(), names, Some(0)).expect("a table");
        assert_eq!(case.sizes(), sizes);
        case.set_hand(hand.iter().copied().collect()).expect("as many");
        assert_eq!(case.chances().expect("few").expect("deals").total(), expected);
    }
}

#[test]
fn counts_ten_players_exactly() {
    let deck = CardNames::course(10).expect("ten can play");
    let case = Case::new(deck, (0..10).map(|seat| seat.to_string()).collect(), None).expect("a table");
    let ways = |cards: u128| (1..=cards).product::<u128>();
    // 30! / 6^10 is 3 * (29! / 3 / 6^10 * 10): products of small factors avoid an overflow.
    let expected = (1..=10).fold(1_u128, |all, hand| all * (ways(3 * hand) / ways(3 * hand - 3)) / 6) * 11 * 11 * 11;
    assert_eq!(case.chances().expect("few enough").expect("deals").total(), expected);
}
