//! The test vectors V1 to V8, and numbers of deals.

use cluedo::deck::CardSet;
use cluedo::knowledge::chances::Chances;
use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::logic::{Deductions, Rules};
use cluedo::knowledge::problem::Weighing;
use cluedo::line::message::{Answer, Line};
use cluedo::line::seat::Seat;

use super::problem;

/// A vector: lines, deals, triples; candidates by the strict and the further rules; chances of secret cards.
pub(crate) struct Vector {
    pub(crate) lines: &'static str,
    pub(crate) deals: f64,
    pub(crate) triples: usize,
    strict: [&'static [usize]; 3],
    further: [&'static [usize]; 3],
    chances: &'static [(usize, f64)],
    best: Option<f64>,
}

pub(crate) const VECTORS: [Vector; 8] = [
    Vector {
        lines: "B 1 3;C 2 5 8;H 1 7 8;C;>M 8;M 1;T;>H 3 4 9;P 2;M 0 3;H 2 4 9;P 0;C;>M 2;M 1;H 1 5 9;C;>M 5;M 1;T;\
                >H 1 6 10;P 2;M 0 6",
        deals: 1.0,
        triples: 1,
        strict: [&[0, 1], &[4], &[9]],
        further: [&[1], &[4], &[9]],
        chances: &[(1, 1.0), (4, 1.0), (9, 1.0)],
        best: Some(1.0),
    },
    Vector {
        lines: "B 0 3;C 3 10 11;T;>H 1 5 8;M 1 5;H 3 4 10;M 2;H 2 5 9;P 0;M 1;T;>H 2 4 8;P 1;M 2 8;H 1 6 11;M 2",
        deals: 3.0,
        triples: 2,
        strict: [&[0, 1, 2], &[6, 7], &[9]],
        further: [&[0, 1, 2], &[6, 7], &[9]],
        chances: &[(2, 1.0), (9, 1.0), (6, 2.0 / 5.0), (7, 3.0 / 5.0)],
        best: None,
    },
    Vector {
        lines: "B 0 3;C 1 9 10;T;>H 0 5 8;P 1;M 2 8;H 2 5 10;M 2;H 2 4 10;C;>M 10;M 0;T;>H 2 7 8;P 1;M 2 8;H 0 5 9;M 2",
        deals: 2.0,
        triples: 2,
        strict: [&[0, 2, 3], &[4, 5, 6, 7], &[11]],
        further: [&[0, 2], &[5, 7], &[11]],
        chances: &[(7, 1.0), (11, 1.0), (0, 3.0 / 7.0), (2, 4.0 / 7.0)],
        best: None,
    },
    Vector {
        lines: "B 0 4;C 3 11 14;T;>H 0 6 12;M 1 12;H 0 9 11;M 2;H 3 9 10;M 3;H 3 6 11;C;>M 3;M 0;T;>H 2 9 13;M 1 13",
        deals: 360.0,
        triples: 12,
        strict: [&[0, 1, 2, 4], &[5, 6, 7, 8, 9], &[10]],
        further: [&[1, 2, 4], &[5, 6, 7, 8], &[10]],
        chances: &[
            (10, 1.0),
            (2, 37.0 / 103.0),
            (1, 33.0 / 103.0),
            (4, 33.0 / 103.0),
            (6, 28.0 / 103.0),
            (5, 25.0 / 103.0),
            (7, 25.0 / 103.0),
            (8, 25.0 / 103.0),
        ],
        best: None,
    },
    Vector {
        lines: "B 0 4;C 1 3 14;T;>H 4 6 11;M 1 11;H 0 5 14;M 2;H 3 9 13;P 3;C;>M 3;M 0;H 1 8 10;C;>M 1;M 0;T;>H 2 8 13;\
                P 1;M 2 8;H 0 6 14;M 2;H 2 7 10;P 3;P 0;M 1",
        deals: 38.0,
        triples: 11,
        strict: [&[0, 2, 4], &[5, 6, 7, 9], &[10, 12, 13]],
        further: [&[0, 2, 4], &[5, 6, 7, 9], &[10, 12, 13]],
        chances: &[(0, 0.0), (2, 57.0 / 59.0), (9, 27.0 / 59.0), (7, 18.0 / 59.0), (13, 52.0 / 59.0)],
        best: Some(22.0 / 59.0),
    },
    Vector {
        lines: "B 2 4;C 2 11 14;H 0 8 11;P 1;C;>M 11;M 2;H 2 7 14;C;>M 14;M 2;T;>H 1 6 12;M 3 6;H 0 9 10;M 0;H 0 6 13;\
                P 1;P 2;M 3;H 0 6 13;P 2;M 3;T;>H 4 9 13;P 3;P 0;M 1 4",
        deals: 510.0,
        triples: 12,
        strict: [&[0, 1, 3], &[5, 7, 8, 9], &[13]],
        further: [&[0, 1, 3], &[5, 7, 8, 9], &[13]],
        chances: &[(13, 1.0), (1, 1347.0 / 3301.0), (0, 818.0 / 3301.0), (9, 2022.0 / 3301.0)],
        best: Some(810.0 / 3301.0),
    },
    Vector {
        lines: "B 0 5;C 4 10 16;T;>H 3 9 13;M 1 13;H 2 6 12;M 2;H 1 8 14;M 3;H 1 11 15;M 4;H 0 6 17;P 0;M 1;T;>H 5 7 13;\
                M 1 13;H 3 9 15;P 2;P 3;M 4;H 4 10 14;P 3;P 4;C;>M 10;M 0;H 3 11 16;M 4",
        deals: 32_989.0,
        triples: 88,
        strict: [&[0, 1, 2, 3, 5], &[6, 7, 8, 9, 11], &[12, 14, 15, 17]],
        further: [&[0, 1, 2, 3, 5], &[6, 7, 8, 9, 11], &[12, 14, 15, 17]],
        chances: &[(9, 14211.0 / 26192.0), (14, 1455.0 / 3274.0), (5, 15133.0 / 52384.0)],
        best: Some(1913.0 / 26192.0),
    },
    Vector {
        lines: "B 3 6;C 9 15 18;H 0 10 18;P 1;P 2;C;>M 18;M 3;H 0 10 15;P 2;C;>M 15;M 3;H 0 7 15;C;>M 15;M 3;T;>H 1 13 16;\
                P 4;P 5;M 0 16;H 3 10 16;M 5;H 2 12 14;P 0;P 1;P 2;P 3;M 4;H 6 10 17;P 1;M 2;H 0 11 14;P 2;P 3;P 4;P 5;\
                M 0",
        deals: 811_304.0,
        triples: 39,
        strict: [&[0, 1, 2, 3, 4, 5, 6], &[7, 8, 10, 11, 12, 13], &[14]],
        further: [&[0, 1, 2, 3, 4, 5, 6], &[7, 8, 10, 11, 12, 13], &[14]],
        chances: &[(14, 1.0), (1, 153_995.0 / 723_724.0), (11, 87235.0 / 361_862.0)],
        best: Some(1245.0 / 21286.0),
    },
];

/// Follows the lines of a vector.
pub(crate) fn seat(lines: &str) -> Seat {
    let mut seat: Option<Seat> = None;
    for line in lines.split(';').map(str::trim) {
        if let Some(answer) = line.strip_prefix('>') {
            let answer = Answer::parse(answer.as_bytes()).expect("a client's line");
            seat.as_mut().expect("seated").says(&answer);
            continue;
        }
        match Line::parse(line.as_bytes()).expect("a server's line") {
            Line::Welcome { seat: number, players } => seat = Some(Seat::new(number, players)),
            line => {
                seat.as_mut().expect("seated").hear(line);
            }
        }
    }
    seat.expect("seated")
}

#[test]
fn vectors() {
    for (place, vector) in VECTORS.iter().enumerate() {
        let name = format!("V{}", place + 1);
        let facts = seat(vector.lines).seen.facts;
        for (rules, candidates) in [(Rules::Strict, vector.strict), (Rules::Further, vector.further)] {
            let known = Deductions::new(&facts, rules);
            let found = [0, 1, 2].map(|kind| known.candidates(kind).iter().collect::<Vec<_>>());
            assert_eq!(found, candidates.map(<[usize]>::to_vec), "{name}, {rules:?}");
        }
        let alike = Chances::new(problem(&facts, Weighing::Alike)).expect("there are deals");
        assert_eq!(alike.total().to_bits(), vector.deals.to_bits(), "deals of {name}: {}", alike.total());
        assert_eq!(alike.triples().expect("few").len(), vector.triples, "triples of {name}");
        let shown = Chances::new(problem(&facts, Weighing::Shown)).expect("there are deals");
        let marginals = shown.marginals();
        for &(card, chance) in vector.chances {
            let found = marginals.secret[card];
            assert!((found - chance).abs() < 1e-12, "{name}, card {card}: {found} instead of {chance}");
        }
        if let Some(best) = vector.best {
            let found = shown.triples().expect("few")[0].1;
            assert!((found - best).abs() < 1e-12, "{name}, best triple: {found} instead of {best}");
        }
    }
}

#[test]
fn what_only_counting_finds() {
    let certain = |place: usize| {
        let facts = seat(VECTORS[place].lines).seen.facts;
        let chances = Chances::new(problem(&facts, Weighing::Alike)).expect("there are deals");
        let (problem, marginals) = (chances.problem.clone(), chances.marginals());
        let known = Deductions::new(&facts, Rules::Further);
        move |holder: usize, card: usize| {
            let place = problem.holders.iter().position(|one| one.seat == holder).expect("another seat");
            !known.has[holder].contains(card) && (marginals.hands[place][card] - 1.0).abs() < 1e-12
        }
    };
    assert!(certain(1)(1, 0), "V2: seat 1 has 0");
    assert!(certain(2)(2, 5), "V3: seat 2 has 5");
}

#[test]
fn sets_of_the_seventh_vector() {
    let known = Deductions::new(&seat(VECTORS[6].lines).facts, Rules::Strict);
    let mut sets: Vec<Vec<usize>> = known.sets[4].iter().map(|set| set.iter().collect()).collect();
    sets.sort();
    assert_eq!(sets, [vec![1, 11, 15], vec![3, 9, 15], vec![3, 11]]);
}

#[test]
fn four_sets_overlap() {
    let mut facts = Facts::course(4, 0, CardSet::of([4, 9, 14]));
    for cards in [[0, 5, 10], [0, 6, 11], [1, 6, 12], [2, 7, 13]] {
        facts.shows(2, CardSet::of(cards));
    }
    let known = Deductions::new(&facts, Rules::Strict);
    assert!(known.sets[2].contains(&CardSet::from_iter([0, 6])), "{:?}", known.sets[2]);
}

#[test]
fn numbers_of_deals() {
    let deals = |players: usize, cards: [usize; 3]| {
        let facts = Facts::course(players, 0, CardSet::of(cards));
        Chances::new(problem(&facts, Weighing::Alike)).map_or(0.0, |chances| chances.total())
    };
    let one_each = [540.0, 107_520.0, 46_200_000.0, 36_324_288_000.0, 47_068_205_184_000.0];
    for players in 3..=7 {
        let size = players + 1;
        assert_eq!(deals(players, [0, size, 2 * size]).to_bits(), f64::to_bits(one_each[players - 3]), "{players}");
    }
    let two_and_one = [6.0, 480.0, 100_800.0, 44_352_000.0, 35_315_280_000.0];
    let three = [0.0, 320.0, 84_000.0, 39_916_800.0, 32_960_928_000.0];
    for players in 2..=6 {
        assert_eq!(deals(players, [0, 1, players + 1]).to_bits(), f64::to_bits(two_and_one[players - 2]), "{players}");
        assert_eq!(deals(players, [0, 1, 2]).to_bits(), f64::to_bits(three[players - 2]), "{players}");
    }
    // Ten players: from a seat with one card of each type, as many as with nine players in all.
    let nine: f64 = 1e3 * (1..=27).map(f64::from).product::<f64>() / 6_f64.powi(9);
    assert!((deals(10, [0, 11, 22]) / nine - 1.0).abs() < 1e-12);
}

/// Sizes of the hands, the first seat's hand, and how many deals of the classic deck agree with it.
pub(crate) const CLASSIC_DEALS: [(&[usize], &[usize], f64); 5] = [
    (&[9, 9], &[0, 1, 2, 6, 7, 8, 12, 13, 14], 54.0),
    (&[6, 6, 6], &[0, 1, 6, 7, 12, 13], 103_488.0),
    (&[5, 5, 4, 4], &[0, 6, 7, 12, 13], 12_612_600.0),
    (&[4, 4, 4, 3, 3], &[0, 6, 12, 13], 735_735_000.0),
    (&[3, 3, 3, 3, 3, 3], &[0, 6, 12], 33_633_600_000.0),
];

#[test]
fn deals_of_the_classic_pack() {
    use cluedo::deck::Deck;
    let deals = |sizes: &[usize], hand: &[usize]| {
        let hand = hand.iter().copied().collect();
        let facts = Facts::new(Deck::CLASSIC, sizes.to_vec(), 0, hand);
        Chances::new(problem(&facts, Weighing::Alike)).expect("there are deals").total()
    };
    for (sizes, hand, expected) in CLASSIC_DEALS {
        assert_eq!(deals(sizes, hand).to_bits(), expected.to_bits(), "{sizes:?}");
    }
}
