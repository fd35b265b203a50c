//! Bot 4: exact chances, the questions that tell most, opponents that rarely name their own cards, and daring.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Policy, prefer};
use crate::deck::{Card, CardSet, Triple};
use crate::game::Action;
use crate::knowledge::chances::Chances;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::problem::{Problem, Weighing};
use crate::knowledge::questions::{best_question, nameable};
use crate::knowledge::samples::{Sample, Sampler};
use crate::knowledge::seen::Seen;
use crate::line::options::default_limit;

#[derive(Clone, Copy, Debug)]
pub struct ExactOptions {
    /// How much less likely an opponent names a card of its own than another, at first.
    pub lambda: f64,
    pub learning: Learning,
    /// How many cards the first guess is worth when it is learnt.
    pub weight: f64,
    /// Deals drawn for each question. More ask for less of what they tell others: of 5,000 games against three extended
    /// bot2, 20 win 76.9 +- 0.6 %, 40 win 75.8, 100 win 74.8, 300 win 72.3.
    pub samples: usize,
    /// The chance at which it accuses, by the number of players; 1: only when certain.
    pub daring: Option<f64>,
}

/// When bot 4 learns how its opponents ask, from the cards that they certainly had or certainly had not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// Before each of its turns, from the game so far.
    Turns,
    /// After each game.
    Games,
}

impl Default for ExactOptions {
    fn default() -> Self {
        Self { lambda: 0.1, learning: Learning::Games, weight: 10.0, samples: 20, daring: None }
    }
}

impl ExactOptions {
    /// How an AI of ranks plays. It meets its opponents for one game only, and most of them never name their own cards:
    /// of 1,000 games against one default AI, it wins 92 % with a first guess of 0.1 and a daring of 0.9.
    pub const RANKS: Self =
        Self { lambda: 0.03, learning: Learning::Turns, weight: 1.0, samples: 20, daring: Some(0.8) };
}

#[derive(Clone, Debug, Default)]
pub struct Exact {
    options: ExactOptions,
    /// How much less likely each seat names its own cards: the first guess, and what was learnt.
    guesses: Vec<f64>,
    lambdas: Vec<f64>,
    /// Own cards named, and how many would have been by chance, for each seat.
    named: Vec<(f64, f64)>,
    deals: Vec<Sample>,
    announced: Option<f64>,
}

/// The chance at which an accusation pays, for 2, 3, .. players.
/// At four players 0.5 wins as often, with twice as many wrong accusations.
const DARING: [f64; 5] = [0.9, 0.7, 0.58, 0.5, 0.4];

impl Exact {
    pub fn new(options: ExactOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Guesses how much less likely an opponent names a card of its own than another, once the game has begun.
    pub fn guess(&mut self, seat: usize, lambda: f64) {
        (self.guesses[seat], self.lambdas[seat]) = (lambda, lambda);
    }

    /// Counts the deals that agree with what a seat knows; the model of opponents goes first if none does.
    fn chances(&self, seen: &Seen, known: &Deductions) -> Option<Chances> {
        if self.options.learning == Learning::Turns && seen.rivals() == 0 {
            // Nobody hurries it, so it relies on nothing but facts.
            return Chances::new(Problem::new(&seen.facts, known, Weighing::Shown)).ok();
        }
        let learnt = (self.options.learning == Learning::Turns).then(|| self.learn(seen, known, self.named.clone()));
        let lambdas = learnt.as_ref().map_or(&self.lambdas, |(_, lambdas)| lambdas);
        Chances::new(Problem::new(&seen.facts, known, Weighing::Asking(lambdas))).ok()
    }

    /// Adds the cards that each opponent has named to what was `named` before; returns that and how much less likely each
    /// names its own cards.
    fn learn(&self, seen: &Seen, known: &Deductions, mut named: Vec<(f64, f64)>) -> (Vec<(f64, f64)>, Vec<f64>) {
        let mut lambdas = self.lambdas.clone();
        for other in (0..seen.players()).filter(|&other| other != seen.me()) {
            let (has, lacks) = (known.has[other], known.lacks[other]);
            let certain = has | lacks;
            if has.is_empty() || lacks.is_empty() {
                continue;
            }
            let share = has.len() as f64 / certain.len() as f64;
            for cards in &seen.facts.named[other] {
                let (own, all) = ((*cards & has).len() as f64, (*cards & certain).len() as f64);
                named[other].0 += own * (1.0 - share);
                named[other].1 += (all - own) * share;
            }
            // The odds of own cards against others, with some cards' worth of the first guess.
            let ((own, others), weight) = (named[other], self.options.weight);
            lambdas[other] = ((own + weight * self.guesses[other]) / (others + weight)).clamp(0.01, 1.0);
        }
        (named, lambdas)
    }

    fn threshold(&self, seen: &Seen) -> f64 {
        let players = seen.players();
        if seen.rivals() == 0 {
            return 1.0 - 1e-9;
        }
        // The last turn before the limit.
        if seen.turn + players > default_limit(players) {
            return 0.0;
        }
        self.options.daring.unwrap_or_else(|| DARING[(players - 2).min(DARING.len() - 1)])
    }

    /// Returns the likeliest secret and its chance, if it pays to accuse of it.
    fn dare(&self, seen: &Seen, known: &Deductions, chances: &Chances) -> Option<([usize; 3], f64)> {
        let threshold = self.threshold(seen);
        let secret = chances.secret();
        let bound = (0..3)
            .map(|kind| known.candidates(kind).iter().map(|card| secret[card]).fold(0.0, f64::max))
            .fold(1.0, f64::min);
        // Chances grow when secrets are known to be wrong.
        if bound < threshold && seen.wrong.is_empty() {
            return None;
        }
        let triples = chances.triples()?;
        let wrong: f64 =
            triples.iter().filter(|(triple, _)| seen.wrong.contains(triple)).map(|(_, chance)| chance).sum();
        let &(triple, chance) = triples.iter().find(|(triple, _)| !seen.wrong.contains(triple))?;
        let chance = chance / (1.0 - wrong);
        (chance >= threshold).then_some((triple, chance))
    }

    /// Returns the question after which the secret is least uncertain.
    fn question(
        &mut self,
        seen: &Seen,
        known: &Deductions,
        chances: &Chances,
        rng: &mut Xoshiro256PlusPlus,
    ) -> [usize; 3] {
        self.deals.resize(self.options.samples, Sample::default());
        let sampler = Sampler::new(chances);
        for deal in &mut self.deals {
            sampler.draw(rng, deal);
        }
        // A few of them are enough when others are known to be wrong.
        if self.deals.iter().any(|deal| !seen.wrong.contains(&deal.secret)) {
            self.deals.retain(|deal| !seen.wrong.contains(&deal.secret));
        }
        if self.options.learning == Learning::Turns
            && let [first, others @ ..] = &self.deals[..]
            && others.iter().all(|deal| deal.secret == first.secret)
        {
            // No question divides these deals. This one tells a new card or the secret, so that every game ends.
            return first.secret;
        }
        best_question(&seen.facts, known, &chances.problem, &self.deals)
    }
}

impl Policy for Exact {
    fn start(&mut self, seen: &Seen) {
        if self.lambdas.len() != seen.players() {
            self.guesses = vec![self.options.lambda; seen.players()];
            self.lambdas = self.guesses.clone();
            self.named = vec![(0.0, 0.0); seen.players()];
        }
    }

    fn accusation(&self, seen: &Seen) -> Option<Triple> {
        let known = Deductions::new(&seen.facts, Rules::Further);
        known.solution().or_else(|| {
            let chances = self.chances(seen, &known)?;
            self.dare(seen, &known, &chances).map(|(triple, _)| triple)
        })
    }

    /// Those that may be secret, and one of its own.
    fn candidates(&self, seen: &Seen, kind: usize) -> CardSet {
        nameable(&seen.facts, &Deductions::new(&seen.facts, Rules::Further), kind)
    }

    fn announced(&self) -> Option<f64> {
        self.announced
    }

    fn act(&mut self, seen: &Seen, rng: &mut Xoshiro256PlusPlus) -> Action {
        let known = Deductions::new(&seen.facts, Rules::Further);
        if let Some(secret) = known.solution() {
            self.announced = Some(1.0);
            return Action::Accuse(secret);
        }
        let Some(chances) = self.chances(seen, &known) else {
            return Action::Suggest(super::any_triple([0, 1, 2].map(|kind| known.candidates(kind)), rng));
        };
        if let Some((triple, chance)) = self.dare(seen, &known, &chances) {
            self.announced = Some(chance);
            return Action::Accuse(triple);
        }
        Action::Suggest(self.question(seen, &known, &chances, rng))
    }

    fn show(&mut self, seen: &Seen, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<Card> {
        prefer(cards, &[seen.shown_to[to]], rng)
    }

    fn finish(&mut self, seen: &Seen) {
        if self.options.learning == Learning::Games {
            let known = Deductions::new(&seen.facts, Rules::Further);
            (self.named, self.lambdas) = self.learn(seen, &known, self.named.clone());
        }
    }
}
