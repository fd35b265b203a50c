use std::sync::Arc;

use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use crate::code::Code;
use crate::game::Game;
use crate::history::History;
use crate::protocol::{Order, Pick, Protocol, Searcher};
use crate::record::{Line, PERSON, PROPOSALS, Proposed, Record};
use crate::scorer::Scorer;
use crate::strategy::{Guesses, Strategy};

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("guess {number}: {what}")]
pub struct ReplayError {
    /// The guess, counted from 1.
    pub number: usize,
    pub what: String,
}

/// Plays the game of a record again, and checks that it could go like that: a strategy must choose the same guesses, the
/// players of `seed` find the same codes with the same tests, and the master pick the same of their proposals. The
/// proposals of `first-come` come in any order, but the first that fits is evaluated.
pub fn replay(record: &Record) -> Result<(), ReplayError> {
    let Some(Line::Game { strategy, protocol, ranks, seed, .. }) = record.lines.first() else { return Ok(()) };
    let game = record.history.game();
    let scorer = strategy.parse::<Strategy>().ok().map(|strategy| Scorer::new(game, strategy));
    let protocol: Option<Protocol> = protocol.as_ref().and_then(|name| name.parse().ok());
    let mut players = Players::new(game, *ranks, *seed);
    let mut known = History::new(game);
    for (turn, line) in record.history.turns().iter().zip(&record.lines[1..]) {
        let number = known.turns().len() + 1;
        let refuse = |what: String| ReplayError { number, what };
        let guess = game.text(turn.guess);
        if let Some(scorer) = &scorer {
            let own = scorer.next_guess(&known, Guesses::All).map(|index| game.text(game.code(index)));
            if own.as_ref() != Some(&guess) {
                return Err(refuse(format!("{strategy} guesses {}, not {guess}", own.unwrap_or_default())));
            }
        }
        let Line::Round { proposals, lost, left, .. } = line else { break };
        let checked = match protocol {
            Some(Protocol::Seed) => players.seed(&known, turn.guess, proposals, lost),
            Some(Protocol::FirstCome) => players.first_come(&known, turn.guess, proposals, lost),
            Some(Protocol::Shared) | None if strategy == PROPOSALS => Err("nobody proposes codes there".to_owned()),
            Some(Protocol::Shared) | None if !proposals.is_empty() => Err("the record has proposals".to_owned()),
            Some(Protocol::Shared) | None => Ok(()),
        };
        checked.map_err(refuse)?;
        known.push(turn.guess, turn.answer);
        players.searchers.iter_mut().flatten().for_each(|searcher| searcher.learn(*turn));
        if strategy == PERSON && *left == 0 {
            return Err(refuse("no code fits the answers".to_owned()));
        }
    }
    Ok(())
}

/// The players of a game, as far as their record tells of them.
struct Players {
    game: Game,
    ranks: usize,
    /// Those that are lost: a place for each that is named.
    lost: Vec<usize>,
    /// The searches of the players of `seed`, until one of them is lost and others take its codes.
    searchers: Option<Vec<Searcher>>,
    /// How the master may pick, after all rounds so far.
    picks: Vec<(Pick, Xoshiro256PlusPlus)>,
}

impl Players {
    fn new(game: Game, ranks: usize, seed: Option<u64>) -> Self {
        let random = seed.map(|seed| (Pick::Random, Xoshiro256PlusPlus::seed_from_u64(seed)));
        let picks = [(Pick::Lowest, Xoshiro256PlusPlus::seed_from_u64(0))].into_iter().chain(random).collect();
        Self { game, ranks, lost: Vec::new(), searchers: None, picks }
    }

    /// Returns the proposals with their codes, if each comes from a player that is there.
    fn codes(&self, proposals: &[Proposed]) -> Result<Vec<(usize, Option<Code>)>, String> {
        let checked = |one: &Proposed| {
            let Proposed { rank, code, .. } = one;
            if !(1..self.ranks).contains(rank) || self.lost.contains(rank) {
                return Err(format!("rank {rank} of {} proposes nothing", self.ranks));
            }
            let code = code.as_ref().map(|code| self.game.parse_code(code)).transpose();
            Ok((*rank, code.map_err(|error| format!("rank {rank} proposed {error}"))?))
        };
        proposals.iter().map(checked).collect()
    }

    /// Checks a round of `first-come`: the last proposal is the first that fits.
    fn first_come(
        &mut self,
        known: &History,
        guess: Code,
        proposals: &[Proposed],
        lost: &[usize],
    ) -> Result<(), String> {
        let codes = self.codes(proposals)?;
        let text = |code| self.game.text(code);
        match codes.split_last() {
            Some(((_, Some(last)), _)) if *last == guess && known.fits(guess) => {}
            _ => return Err(format!("{} was not proposed, or breaks an answer", text(guess))),
        }
        if let Some((rank, Some(code))) =
            codes[..codes.len() - 1].iter().find(|one| one.1.is_some_and(|code| known.fits(code)))
        {
            return Err(format!("{} of rank {rank} came before and fits", text(*code)));
        }
        self.lost.extend(lost);
        Ok(())
    }

    /// Checks a round of `seed`: every player proposes what it finds, and the master picks one of the codes.
    fn seed(&mut self, known: &History, guess: Code, proposals: &[Proposed], lost: &[usize]) -> Result<(), String> {
        let codes = self.codes(proposals)?;
        if let Some((rank, Some(code))) = codes.iter().find(|one| one.1.is_some_and(|code| !known.fits(code))) {
            return Err(format!("{} of rank {rank} breaks an answer", self.game.text(*code)));
        }
        self.lost.extend(lost);
        // Every player has at least one proposal, which limits what a record can ask for.
        if self.ranks.saturating_sub(1) > proposals.len() + self.lost.len() {
            return Err("not every player has reported".to_owned());
        }
        let mut reports = Vec::new();
        for rank in (1..self.ranks).filter(|rank| !self.lost.contains(rank)) {
            // Whoever takes the codes of another reports again.
            let last = codes.iter().rfind(|one| one.0 == rank);
            let (_, code) = last.ok_or_else(|| format!("rank {rank} has not reported"))?;
            reports.push(code.and_then(|code| self.game.index(code)));
        }
        self.search(&codes, proposals)?;
        let own = self.game.index(guess);
        // The record does not say how the master picks, but it does so alike in all rounds.
        self.picks.retain_mut(|(pick, random)| pick.of(&reports, random) == own);
        let text = || format!("{} is not the pick of the master", self.game.text(guess));
        if self.picks.is_empty() { Err(text()) } else { Ok(()) }
    }

    /// Lets the players search, as long as each has its own part only, and compares what they find.
    fn search(&mut self, codes: &[(usize, Option<Code>)], proposals: &[Proposed]) -> Result<(), String> {
        if !self.lost.is_empty() {
            self.searchers = None;
            return Ok(());
        }
        let (game, players) = (self.game, u32::try_from(self.ranks - 1).unwrap_or(u32::MAX));
        let begin = || Searcher::of_all(&Arc::new(Order::new(game)), Protocol::Seed.parts(), players);
        for (searcher, rank) in self.searchers.get_or_insert_with(begin).iter_mut().zip(1..) {
            let before = searcher.tests();
            searcher.forget_passed();
            while !searcher.search(u64::MAX) {}
            let (code, tests) = (searcher.plausible(), searcher.tests() - before);
            let mut own = codes.iter().zip(proposals).filter(|(one, _)| one.0 == rank);
            let is_same = own.next().is_some_and(|(one, proposal)| (one.1, proposal.tests) == (code, tests));
            if !is_same || own.next().is_some() {
                let code = code.map_or_else(|| "nothing".to_owned(), |code| self.game.text(code));
                return Err(format!("rank {rank} finds {code} with {tests} tests, which is not what it reported"));
            }
        }
        Ok(())
    }
}
