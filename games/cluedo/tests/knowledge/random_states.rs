//! Counts, marginals, samples and rules against the plain enumeration, in states of random play.

use cluedo::deal::{Deal, stream};
use cluedo::deck::{CardSet, Deck};
use cluedo::knowledge::chances::Chances;
use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::logic::{Deductions, Rules};
use cluedo::knowledge::problem::Weighing;
use cluedo::knowledge::samples::{Sample, Sampler};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::enumeration::enumerate;
use super::problem;

/// Plays one random hypothesis and tells every seat what it sees.
fn hypothesis(deal: &Deal, suggester: usize, seats: &mut [Facts], rng: &mut Xoshiro256PlusPlus) {
    let players = seats.len();
    let deck = Deck::course(players);
    let named: CardSet = (0..3).map(|kind| rng.random_range(deck.range(kind))).collect();
    seats.iter_mut().for_each(|facts| facts.suggests(suggester, named));
    for seat in (1..players).map(|step| (suggester + step) % players) {
        let holds = deal.hands()[seat] & named;
        if let Some(card) = (!holds.is_empty()).then(|| rng.random_range(0..holds.len())).and_then(|nth| holds.nth(nth))
        {
            for facts in seats {
                if facts.me == suggester { facts.shows_me(seat, named, card) } else { facts.shows(seat, named) }
            }
            return;
        }
        seats.iter_mut().for_each(|facts| facts.passes(seat, named));
    }
}

/// Calls `check` with a seat's facts in many states of random games.
fn states(players: usize, games: u64, mut check: impl FnMut(&Deal, &Facts)) {
    for game in 0..games {
        let mut rng = stream(7, players as u64, game, "states");
        let deal = Deal::course(players, &mut rng);
        let mut seats: Vec<Facts> =
            deal.hands().iter().enumerate().map(|(me, &hand)| Facts::course(players, me, hand)).collect();
        let turns = rng.random_range(players - 1..=3 * players);
        for turn in 0..turns {
            hypothesis(&deal, turn % players, &mut seats, &mut rng);
        }
        check(&deal, &seats[rng.random_range(0..players)]);
    }
}

/// Compares everything that is counted with the enumeration.
fn compare(facts: &Facts, weighing: Weighing<'_>, factors: Option<&[f64]>) {
    let slow = enumerate(facts, factors);
    let alike = Chances::new(problem(facts, Weighing::Alike)).expect("the true deal is there");
    assert_eq!(alike.total().to_bits(), (slow.deals as f64).to_bits(), "{facts:?}");
    let fast = Chances::new(problem(facts, weighing)).expect("the true deal is there");
    let (marginals, known) = (fast.marginals(), Deductions::new(facts, Rules::Further));
    let near =
        |one: f64, other: f64, what: &str| assert!((one - other).abs() < 1e-9, "{what}: {one} {other} {facts:?}");
    for card in facts.deck.all().iter() {
        near(marginals.secret[card], slow.places[facts.players()][card] / slow.weight, "secret");
        let mut sum = marginals.secret[card];
        for (holder, chances) in fast.problem.holders.iter().zip(&marginals.hands) {
            let has = f64::from(u8::from(known.has[holder.seat].contains(card)));
            near(chances[card] + has, slow.places[holder.seat][card] / slow.weight, "hand");
            sum += chances[card] + has;
        }
        near(sum + f64::from(u8::from(facts.hand().contains(card))), 1.0, "sum of a card");
    }
    for (holder, chances) in fast.problem.holders.iter().zip(&marginals.hands) {
        near(chances.iter().sum(), holder.free as f64, "sum of a hand");
    }
    let triples = fast.triples().expect("few");
    assert_eq!(triples.len(), slow.triples.len());
    for (triple, weight) in &slow.triples {
        let found = triples.iter().find(|(one, _)| one == triple).expect("a triple");
        near(found.1, weight / slow.weight, "triple");
    }
}

#[test]
fn counts_equal_the_enumeration() {
    for (players, games) in [(2, 250), (3, 250), (4, 100)] {
        let factors = [0.1, 0.3, 0.5, 0.7];
        states(players, games, |_, facts| {
            compare(facts, Weighing::Shown, None);
            compare(facts, Weighing::Asking(&factors[..players]), Some(&factors[..players]));
        });
    }
}

#[test]
fn chances_are_ratios_of_counts() {
    for (players, games) in [(4, 15), (5, 15), (6, 10), (8, 1)] {
        states(players, games, |_, facts| {
            let count = |facts: &Facts| {
                let chances = Chances::new(problem(facts, Weighing::Alike));
                chances.map_or(0.0, |chances| chances.total())
            };
            let chances = Chances::new(problem(facts, Weighing::Alike)).expect("the true deal is there");
            let (all, marginals) = (chances.total(), chances.marginals());
            let known = Deductions::new(facts, Rules::Further);
            for (holder, found) in chances.problem.holders.iter().zip(&marginals.hands) {
                for card in holder.may.iter() {
                    let mut more = facts.clone();
                    more.has[holder.seat].insert(card);
                    let chance = count(&more) / all;
                    assert!((found[card] - chance).abs() < 1e-9, "{card}: {} {chance} {facts:?}", found[card]);
                }
                assert!((found.iter().sum::<f64>() - known.free(holder.seat) as f64).abs() < 1e-9, "{facts:?}");
            }
        });
    }
}

/// How long a count takes depends on the machine, how many ways it follows does not.
#[test]
fn counts_follow_few_ways() {
    for (players, most) in [(4, 300), (5, 850), (6, 2_300)] {
        let mut ways = Vec::new();
        states(players, 100, |_, facts| {
            let chances = Chances::new(problem(facts, Weighing::Shown)).expect("the true deal is there");
            ways.push(chances.size().1);
        });
        ways.sort_unstable();
        let found = ways[ways.len() * 95 / 100];
        assert!(found <= most, "{players} players: {found} ways at the 95th percentile");
    }
}

#[test]
fn rules_are_sound_and_incomplete() {
    for (players, games) in [(2, 200), (3, 400), (4, 100)] {
        let (mut larger, mut strict_larger, mut all) = (0, 0, 0);
        states(players, games, |deal, facts| {
            let slow = enumerate(facts, None);
            for rules in [Rules::Strict, Rules::Further] {
                let known = Deductions::new(facts, rules);
                for seat in 0..players {
                    assert!(slow.always[seat].contains_all(known.has[seat]), "{rules:?} {facts:?}");
                    assert!(!known.lacks[seat].meets(slow.ever[seat]), "{rules:?} {facts:?}");
                    assert!(deal.hands()[seat].contains_all(known.has[seat]));
                    assert!(known.sets[seat].iter().all(|set| set.meets(deal.hands()[seat])));
                }
                let candidates = (0..3).fold(CardSet::EMPTY, |all, kind| all | known.candidates(kind));
                assert!(candidates.contains_all(slow.ever[players]), "{rules:?} {facts:?}");
                let is_larger = usize::from(candidates != slow.ever[players]);
                *if rules == Rules::Strict { &mut strict_larger } else { &mut larger } += is_larger;
            }
            all += 1;
        });
        assert!(larger <= strict_larger && strict_larger < all, "{larger} {strict_larger} of {all}");
        assert!(players == 2 || strict_larger > 0, "the rules are incomplete, or the enumeration is wrong");
    }
}

#[test]
fn every_fact_lowers_the_count() {
    for game in 0..40 {
        let mut rng = stream(8, 4, game, "falling");
        let deal = Deal::course(5, &mut rng);
        let mut seats: Vec<Facts> =
            deal.hands().iter().enumerate().map(|(me, &hand)| Facts::course(5, me, hand)).collect();
        let mut last = vec![f64::INFINITY; 5];
        for turn in 0..15 {
            hypothesis(&deal, turn % 5, &mut seats, &mut rng);
            for (facts, last) in seats.iter().zip(&mut last) {
                let count = Chances::new(problem(facts, Weighing::Alike)).expect("the true deal").total();
                assert!((1.0..=*last).contains(&count), "{count} after {last}");
                *last = count;
            }
        }
    }
}

#[test]
fn samples_follow_the_chances() {
    let mut sum = 0.0;
    let mut freedom = 0.0;
    states(4, 20, |_, facts| {
        let chances = Chances::new(problem(facts, Weighing::Shown)).expect("the true deal is there");
        let triples = chances.triples().expect("few");
        let mut counts = vec![0.0; triples.len()];
        let mut rng = stream(9, 0, 0, "samples");
        let sampler = Sampler::new(&chances);
        let mut sample = Sample::default();
        let draws = 20_000.0;
        for _ in 0..20_000 {
            sampler.draw(&mut rng, &mut sample);
            let place = triples.iter().position(|(triple, _)| *triple == sample.secret).expect("a possible triple");
            counts[place] += 1.0;
            for (holder, hand) in chances.problem.holders.iter().zip(&sample.hands) {
                assert_eq!(hand.len(), holder.free);
                assert!(holder.may.contains_all(*hand) && holder.sets.iter().all(|set| set.meets(*hand)));
            }
        }
        for ((_, chance), count) in triples.iter().zip(counts).filter(|((_, chance), _)| chance * draws >= 5.0) {
            sum += (count - chance * draws).powi(2) / (chance * draws);
            freedom += 1.0;
        }
        freedom -= 1.0;
    });
    // Five standard deviations of a chi-square.
    assert!(sum < freedom + 5.0 * f64::sqrt(2.0 * freedom), "chi-square {sum} with {freedom} degrees");
}
