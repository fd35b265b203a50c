use std::collections::BTreeSet;

use crate::feedback::Feedback;
use crate::game::Game;
use crate::scorer::{Candidates, Scorer};
use crate::strategy::{Guesses, Strategy};
use crate::symmetry::Symmetry;
use crate::table::{cost, in_parallel};
use crate::tree::Tree;

/// A strategy that looks ahead: of the guesses with the least keys it takes the one that does best when the rest is
/// played by `entropy`.
///
/// The tree is never worse than that of `entropy`, and takes about six times `width` as long.
#[derive(Debug)]
pub struct LookAhead {
    base: Scorer,
    other: Scorer,
    width: usize,
    threads: usize,
}

impl LookAhead {
    /// Prepares a game: `width` guesses are tried in each position, for `entropy` and as many for `parts`.
    pub fn new(game: Game, width: usize, threads: usize) -> Self {
        let [base, other] = [Strategy::Entropy, Strategy::Parts].map(|strategy| Scorer::new(game, strategy));
        Self { base, other, width: width.max(1), threads }
    }

    /// Returns the tree for all secrets.
    ///
    /// # Panics
    /// If a thread cannot be started.
    pub fn tree(&self) -> Tree {
        let game = self.base.game();
        let all = self.base.candidates((0..game.codes()).collect());
        let symmetry = Symmetry::new(game);
        let guesses: Vec<u32> = self.promising(&all, &symmetry).into_iter().collect();
        let costs = in_parallel(guesses.clone(), self.threads, |guess| self.cost(&all, &symmetry, guess));
        let best = costs.into_iter().zip(guesses).min().map_or(0, |(_, guess)| guess);
        let after = symmetry.after(game.code(best));
        let reply = |(answer, part)| (answer, self.reply(part, &after));
        Tree { guess: game.code(best), replies: in_parallel(self.parts(&all, best), self.threads, reply) }
    }

    /// Returns the tree for codes that are left.
    fn reply(&self, left: Vec<u32>, symmetry: &Symmetry) -> Tree {
        let game = self.base.game();
        let candidates = self.base.candidates(left);
        let guess = self.choose(&candidates, symmetry);
        let after = symmetry.after(game.code(guess));
        let reply = |(answer, part)| (answer, self.reply(part, &after));
        let replies = self.parts(&candidates, guess).into_iter().map(reply).collect();
        Tree { guess: game.code(guess), replies }
    }

    /// Returns the parts that a guess makes, but not the guess itself.
    fn parts(&self, candidates: &Candidates, guess: u32) -> Vec<(Feedback, Vec<u32>)> {
        let mut parts = self.base.split(candidates, guess);
        parts.retain(|(answer, _)| *answer != self.base.game().solved());
        parts
    }

    fn choose(&self, candidates: &Candidates, symmetry: &Symmetry) -> u32 {
        let base = self.base.choose(symmetry, candidates, Guesses::All).unwrap_or(0);
        let count = candidates.indices().len();
        // The lowest of two codes, or a code that each other one answers differently: nothing is better.
        if count < 3 || self.base.split(candidates, base).len() == count && candidates.indices().contains(&base) {
            return base;
        }
        let cost = |guess| (self.cost(candidates, symmetry, guess), guess != base, guess);
        let guesses = self.promising(candidates, symmetry).into_iter().chain([base]);
        guesses.map(cost).min().map_or(base, |(.., guess)| guess)
    }

    /// Returns the guesses to try.
    fn promising(&self, candidates: &Candidates, symmetry: &Symmetry) -> BTreeSet<u32> {
        let unlike = self.base.unlike(symmetry, candidates);
        let few = |scorer: &Scorer| scorer.few(candidates, &unlike, self.width);
        few(&self.base).into_iter().chain(few(&self.other)).map(|choice| choice.index).collect()
    }

    /// Returns the cost of a guess if the rest is played by `entropy`.
    fn cost(&self, candidates: &Candidates, symmetry: &Symmetry, guess: u32) -> u64 {
        let symmetry = symmetry.after(self.base.game().code(guess));
        let (parts, count) = (self.parts(candidates, guess), candidates.indices().len());
        if parts.iter().any(|(_, part)| part.len() == count) {
            return u64::MAX;
        }
        let rest = parts.into_iter().map(|(_, part)| cost(&self.base, part, symmetry.clone()));
        count as u64 + rest.sum::<u64>()
    }
}
