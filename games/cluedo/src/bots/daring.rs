//! Bot 4: exact chances, the questions that tell most, opponents that rarely name their own cards, and daring.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Bot, prefer};
use crate::knowledge::chances::Chances;
use crate::knowledge::count::{Problem, Weighing};
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::questions::best_question;
use crate::knowledge::samples::{Sample, Sampler};
use crate::line::game::{Action, Game};
use crate::line::seat::Seat;
use crate::pack::CardSet;

/// How bot 4 plays.
#[derive(Clone, Copy, Debug)]
pub struct ExactOptions {
    /// How much less likely an opponent names a card of its own than another, at first.
    pub lambda: f64,
    /// Whether that is learnt from game to game.
    pub learns: bool,
    /// Deals drawn for each question. More ask for less of what they tell others: of 5,000 games against three extended
    /// bot2, 20 win 76.9 +- 0.6 %, 40 win 75.8, 100 win 74.8, 300 win 72.3.
    pub samples: usize,
    /// The chance at which it accuses, by the number of players; 1: only when certain.
    pub daring: Option<f64>,
}

impl Default for ExactOptions {
    fn default() -> Self {
        Self { lambda: 0.1, learns: true, samples: 20, daring: None }
    }
}

/// Bot 4.
#[derive(Clone, Debug)]
pub struct Exact {
    options: ExactOptions,
    lambdas: Vec<f64>,
    /// Own cards named, and how many would have been by chance, for each seat.
    named: Vec<(f64, f64)>,
    deals: Vec<Sample>,
    /// The chance of its last accusation.
    announced: Option<f64>,
}

/// The chance at which an accusation pays, for 2, 3, .. players.
///
/// At four players 0.5 wins as often, with twice as many wrong accusations.
const DARING: [f64; 5] = [0.9, 0.7, 0.58, 0.5, 0.4];

impl Exact {
    /// Makes a bot.
    #[must_use]
    pub const fn new(options: ExactOptions) -> Self {
        Self { options, lambdas: Vec::new(), named: Vec::new(), deals: Vec::new(), announced: None }
    }

    /// Counts the deals that agree with what a seat knows; the model of opponents goes first if none does.
    fn chances(&self, seat: &Seat, known: &Deductions) -> Option<Chances> {
        Chances::new(Problem::of(&seat.facts, known, Weighing::Asking(&self.lambdas))).ok()
    }

    fn threshold(&self, seat: &Seat) -> f64 {
        let players = seat.players();
        if seat.rivals() == 0 {
            return 1.0 - 1e-9;
        }
        // The last turn before the limit.
        if seat.turn + players > Game::default_limit(players) {
            return 0.0;
        }
        self.options.daring.unwrap_or_else(|| DARING[(players - 2).min(DARING.len() - 1)])
    }

    /// Returns the question after which the secret is least uncertain.
    fn question(
        &mut self,
        seat: &Seat,
        known: &Deductions,
        chances: &Chances,
        rng: &mut Xoshiro256PlusPlus,
    ) -> [usize; 3] {
        self.deals.resize(self.options.samples, Sample::default());
        let sampler = Sampler::new(chances);
        for deal in &mut self.deals {
            sampler.draw(rng, deal);
        }
        best_question(&seat.facts, known, chances, &self.deals)
    }
}

impl Bot for Exact {
    fn start(&mut self, seat: &Seat) {
        if self.lambdas.len() != seat.players() {
            self.lambdas = vec![self.options.lambda; seat.players()];
            self.named = vec![(0.0, 0.0); seat.players()];
        }
    }

    fn announced(&self) -> Option<f64> {
        self.announced
    }

    fn act(&mut self, seat: &Seat, rng: &mut Xoshiro256PlusPlus) -> Action {
        let known = Deductions::new(&seat.facts, Rules::Further);
        if let Some(secret) = known.solution() {
            self.announced = Some(1.0);
            return Action::Accusation(secret);
        }
        let Some(chances) = self.chances(seat, &known) else {
            return Action::Hypothesis(super::any_triple([0, 1, 2].map(|kind| known.candidates(kind)), rng));
        };
        let threshold = self.threshold(seat);
        let secret = chances.secret();
        let bound = (0..3)
            .map(|kind| known.candidates(kind).iter().map(|card| secret[card]).fold(0.0, f64::max))
            .fold(1.0, f64::min);
        if bound >= threshold
            && let Some(&(triple, chance)) = chances.triples().as_ref().and_then(|triples| triples.first())
            && chance >= threshold
        {
            self.announced = Some(chance);
            return Action::Accusation(triple);
        }
        Action::Hypothesis(self.question(seat, &known, &chances, rng))
    }

    fn show(&mut self, seat: &Seat, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        prefer(cards, &[seat.shown_to[to]], rng)
    }

    /// Learns how each opponent asks, from the cards that it certainly had or certainly had not.
    fn finish(&mut self, seat: &Seat) {
        if !self.options.learns {
            return;
        }
        let known = Deductions::new(&seat.facts, Rules::Further);
        for other in (0..seat.players()).filter(|&other| other != seat.me()) {
            let (has, lacks) = (known.has[other], known.lacks[other]);
            let certain = has | lacks;
            if has.is_empty() || lacks.is_empty() {
                continue;
            }
            let share = has.len() as f64 / certain.len() as f64;
            for named in &seat.facts.named[other] {
                let (own, all) = ((*named & has).len() as f64, (*named & certain).len() as f64);
                self.named[other].0 += own * (1.0 - share);
                self.named[other].1 += (all - own) * share;
            }
            // The odds of own cards against others, with ten cards' worth of the first guess.
            let (own, others) = self.named[other];
            self.lambdas[other] = ((own + 10.0 * self.options.lambda) / (others + 10.0)).clamp(0.01, 1.0);
        }
    }
}
