use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::Path;

use thiserror::Error;

use super::matchmaking::{Candidate, choose, cost};
use super::rating::{Rating, rate};
use super::{Joined, LadderLine, LadderPlan, Left, Meet, Refused, valid_name};
use crate::game::PlayerSettings;
use crate::tournament::plan::{Entrant, PAIRS_MAX, Plan, mixed};
use crate::tournament::results::{GameLine, Results};
use crate::tournament::schedule::{Pair, PlayerId};
use crate::tournament::standings::{PlayerRow, RatedPair};

/// A version of a player, and what it did.
#[derive(Clone, Debug)]
pub struct Contender {
    /// How it came in.
    pub joined: Joined,
    /// Whether it plays.
    pub is_present: bool,
    /// How strong it is thought to be.
    pub rating: Rating,
    /// The cost of its pairs, those that are still played included, and of the time in which it kept games waiting; see
    /// [`choose`].
    pub load: f64,
    /// How many pairs it was given.
    pub pairs: u32,
    /// Its games of whole pairs.
    pub tally: PlayerRow,
    met: HashMap<PlayerId, u32>,
}

impl Contender {
    fn new(joined: &Joined) -> Self {
        Self {
            joined: joined.clone(),
            is_present: true,
            rating: Rating::default(),
            load: 0.0,
            pairs: 0,
            tally: PlayerRow::default(),
            met: HashMap::new(),
        }
    }

    /// Returns `name#version`, which no player can be called.
    pub fn label(&self) -> String {
        label(&self.joined.name, self.joined.version)
    }

    /// Returns it as a plan has it.
    pub(super) fn entrant(&self, folder: &Path) -> Entrant {
        let &Joined { ref file, ref sha256, directions, ref options, .. } = &self.joined;
        let own = PlayerSettings { options: options.clone(), ..PlayerSettings::default() };
        Entrant { name: self.label(), file: folder.join(file), sha256: Some(sha256.clone()), directions, own }
    }
}

fn label(name: &str, version: u32) -> String {
    format!("{name}#{version}")
}

/// A ladder as far as its journal goes: a function of the lines in their order, and of nothing else.
#[derive(Clone, Debug)]
pub struct Ladder {
    plan: LadderPlan,
    contenders: Vec<Contender>,
    labels: HashMap<String, PlayerId>,
    /// The version of each name that came last.
    newest: BTreeMap<String, PlayerId>,
    refused: BTreeMap<String, Refused>,
    pairs: Vec<Pair>,
    results: Results,
    /// Pairs that are not whole.
    begun: BTreeSet<u32>,
    /// The last meeting, and how many pairs of that match are left.
    last: Option<([PlayerId; 2], u32)>,
    /// The games that were finished last, by pair and number, the newest first.
    latest: VecDeque<(u32, u8)>,
    /// How many microseconds the games took together; one counts for no more than four of mean length.
    wall_us: u64,
}

/// How many games are remembered in the order in which they were finished.
const LATEST: usize = 50;

/// Why a line does not follow from those before it.
#[derive(Debug, Error)]
pub enum WrongLadderLine {
    #[error("a player joins under an invalid name")]
    Name,
    /// The player is there already.
    #[error("{0} joins twice")]
    Twice(String),
    #[error("version {0} of {1} is another file")]
    OtherFile(u32, String),
    #[error("version {0} of {1} leaves, and was not there")]
    NotThere(u32, String),
    #[error("pair {0} is not the next one")]
    NotNext(u32),
    #[error("pair {0} has no board")]
    NoBoard(u32),
    #[error("unknown players {} and {}", .0[0], .0[1])]
    Unknown([String; 2]),
    #[error("game {game} of pair {pair} is not due")]
    NotDue { pair: u32, game: u8 },
}

impl Ladder {
    /// Begins a ladder.
    pub fn new(plan: LadderPlan) -> Self {
        Self {
            plan,
            contenders: Vec::new(),
            labels: HashMap::new(),
            newest: BTreeMap::new(),
            refused: BTreeMap::new(),
            pairs: Vec::new(),
            results: Results::default(),
            begun: BTreeSet::new(),
            last: None,
            latest: VecDeque::new(),
            wall_us: 0,
        }
    }

    /// Adds the next line. The error names what is wrong with it; the server writes no such line.
    pub fn apply(&mut self, line: &LadderLine) -> Result<(), WrongLadderLine> {
        match line {
            LadderLine::Run(_) => Ok(()),
            LadderLine::Joined(joined) => self.join(joined),
            LadderLine::Left(left) => self.leave(left),
            LadderLine::Refused(refused) => {
                self.refused.insert(refused.name.clone(), refused.clone());
                Ok(())
            }
            LadderLine::Meet(meet) => self.meet(meet),
            LadderLine::Game(game) => self.finish(game),
        }
    }

    fn join(&mut self, joined: &Joined) -> Result<(), WrongLadderLine> {
        if !valid_name(&joined.name) {
            return Err(WrongLadderLine::Name);
        }
        if self.present(&joined.name).is_some() {
            return Err(WrongLadderLine::Twice(joined.name.clone()));
        }
        // A course counts what was handed in, so that numbers may be missing.
        let own = || self.contenders.iter().map(|it| &it.joined).filter(|it| it.name == joined.name);
        let is_same = |it: &Joined| (it.version == joined.version) == (it.sha256 == joined.sha256);
        if joined.version == 0 || !own().all(is_same) {
            return Err(WrongLadderLine::OtherFile(joined.version, joined.name.clone()));
        }
        // A newcomer has the least load, and so the next turn; it does not catch up with what others had before.
        let least = self.contenders.iter().filter(|contender| contender.is_present).map(|contender| contender.load);
        let load = least.reduce(f64::min).unwrap_or(0.0);
        let label = label(&joined.name, joined.version);
        let id = *self.labels.entry(label).or_insert(self.contenders.len());
        if id == self.contenders.len() {
            self.contenders.push(Contender::new(joined));
        }
        let contender = &mut self.contenders[id];
        contender.is_present = true;
        contender.load = contender.load.max(load);
        contender.joined = joined.clone();
        self.newest.insert(joined.name.clone(), id);
        self.refused.remove(&joined.name);
        Ok(())
    }

    fn leave(&mut self, left: &Left) -> Result<(), WrongLadderLine> {
        let contender = self.labels.get(&label(&left.name, left.version)).map(|&id| &mut self.contenders[id]);
        match contender.filter(|contender| contender.is_present) {
            Some(contender) => contender.is_present = false,
            None => return Err(WrongLadderLine::NotThere(left.version, left.name.clone())),
        }
        Ok(())
    }

    fn meet(&mut self, meet: &Meet) -> Result<(), WrongLadderLine> {
        if meet.pair as usize != self.pairs.len() + 1 || u64::from(meet.pair) > PAIRS_MAX {
            return Err(WrongLadderLine::NotNext(meet.pair));
        }
        if meet.board >= self.plan.boards.len() {
            return Err(WrongLadderLine::NoBoard(meet.pair));
        }
        let players = self.players_of(&meet.players)?;
        self.pairs.push(Pair { number: meet.pair, stage: 1, players, board: meet.board, opening: meet.opening });
        self.begun.insert(meet.pair);
        let left = match self.last {
            Some((before, left)) if before == players && left > 0 => left - 1,
            _ => self.plan.pairs - 1,
        };
        self.last = Some((players, left));
        for (player, opponent) in [(players[0], players[1]), (players[1], players[0])] {
            let contender = &mut self.contenders[player];
            contender.load += cost(&contender.rating);
            contender.pairs += 1;
            *contender.met.entry(opponent).or_default() += 1;
        }
        Ok(())
    }

    fn players_of(&self, labels: &[String; 2]) -> Result<[PlayerId; 2], WrongLadderLine> {
        let ids = labels.each_ref().map(|label| self.labels.get(label).copied());
        match ids {
            [Some(one), Some(two)] if one != two => Ok([one, two]),
            _ => Err(WrongLadderLine::Unknown(labels.clone())),
        }
    }

    fn finish(&mut self, line: &GameLine) -> Result<(), WrongLadderLine> {
        let players = self.players_of(&line.players)?;
        let pair = self.pairs.get((line.pair as usize).wrapping_sub(1));
        if pair.is_none_or(|pair| pair.players != players) || self.results.game(line.pair, line.game).is_some() {
            return Err(WrongLadderLine::NotDue { pair: line.pair, game: line.game });
        }
        self.results.add(line);
        let (games, wall) = (self.results.games() as u64, line.wall_us.max(1));
        let most = if games > 1 { (self.wall_us / (games - 1)).saturating_mul(4) } else { wall };
        self.wall_us = self.wall_us.saturating_add(wall.min(most));
        // The share of one player in a game of mean length.
        let usual = self.wall_us as f64 / games as f64 / 2.0;
        for (id, idle) in players.into_iter().zip(line.idle_us) {
            let contender = &mut self.contenders[id];
            contender.load += cost(&contender.rating) / 2.0 * (idle as f64 / usual - 1.0).max(0.0);
        }
        self.latest.truncate(LATEST - 1);
        self.latest.push_front((line.pair, line.game));
        if let [Some(one), Some(two)] = self.results.games_of(line.pair) {
            self.begun.remove(&line.pair);
            let ratings = rate(players.map(|id| self.contenders[id].rating), [one, two].map(|game| game.half_points()));
            for seat in [0, 1] {
                let contender = &mut self.contenders[players[seat]];
                contender.rating = ratings[seat];
                [one, two].iter().for_each(|game| contender.tally.add(game, seat));
            }
        }
        Ok(())
    }

    /// Returns the next pair of games, if a player has a turn. The same lines always give the same pair.
    pub fn next_meet(&self) -> Option<Meet> {
        let players = self.rest_of_match().or_else(|| self.next_match())?;
        let met = self.contenders[players[0]].met.get(&players[1]).copied().unwrap_or(0);
        let boards = self.plan.boards.len();
        Some(Meet {
            pair: u32::try_from(self.pairs.len() + 1).ok().filter(|&pair| u64::from(pair) <= PAIRS_MAX)?,
            players: players.map(|id| self.contenders[id].label()),
            board: met as usize % boards,
            opening: met / u32::try_from(boards).unwrap_or(u32::MAX),
        })
    }

    fn rest_of_match(&self) -> Option<[PlayerId; 2]> {
        let (players, _) = self.last.filter(|(_, left)| *left > 0)?;
        players.iter().all(|&id| self.contenders[id].is_present).then_some(players)
    }

    fn next_match(&self) -> Option<[PlayerId; 2]> {
        let present: Vec<PlayerId> = (0..self.contenders.len()).filter(|&id| self.contenders[id].is_present).collect();
        let candidates: Vec<Candidate> = present
            .iter()
            .map(|&id| {
                let Contender { rating, load, pairs, joined: Joined { is_anchor, .. }, .. } = self.contenders[id];
                let is_done = self.plan.max_pairs.is_some_and(|max| pairs >= max);
                Candidate { rating, load, pairs, is_done, is_anchor }
            })
            .collect();
        let met = |one: usize, two: usize| self.contenders[present[one]].met.get(&present[two]).copied().unwrap_or(0);
        let chosen = choose(&candidates, met, mixed([self.plan.seed, self.pairs.len() as u64, 0]))?;
        Some(chosen.map(|place| present[place]))
    }

    /// Returns the pairs that were begun and can be played on: both players are there.
    pub fn unfinished(&self) -> impl Iterator<Item = Pair> {
        let pairs = self.begun.iter().filter_map(|&number| self.pairs.get(number as usize - 1)).copied();
        pairs.filter(|pair| pair.players.iter().all(|&id| self.contenders[id].is_present))
    }

    /// Returns how many games there will be when no more pairs are begun.
    pub fn games_begun(&self) -> usize {
        let missing = |pair: Pair| self.results.games_of(pair.number).iter().filter(|game| game.is_none()).count();
        self.results.games() + self.unfinished().map(missing).sum::<usize>()
    }

    /// Returns the games that were finished last, by pair and number, the newest first.
    pub fn latest(&self) -> impl Iterator<Item = (u32, u8)> {
        self.latest.iter().copied()
    }

    /// Returns which version a file of this hash would be: the one that had it, or the next.
    pub fn version_of(&self, name: &str, sha256: &str) -> u32 {
        let versions = || self.contenders.iter().map(|it| &it.joined).filter(|joined| joined.name == name);
        match versions().find(|joined| joined.sha256 == sha256) {
            Some(same) => same.version,
            None => versions().map(|joined| joined.version).max().unwrap_or(0) + 1,
        }
    }

    /// Returns the version of a name that plays.
    pub fn present(&self, name: &str) -> Option<&Contender> {
        self.newest.get(name).map(|&id| &self.contenders[id]).filter(|contender| contender.is_present)
    }

    /// Returns the newest version of a name, whether it plays or not.
    pub fn newest(&self, name: &str) -> Option<&Contender> {
        self.newest.get(name).map(|&id| &self.contenders[id])
    }

    /// Returns a plan for all pairs: its players are the contenders, whose files are in a folder.
    pub fn whole_plan(&self, folder: &Path) -> Plan {
        self.plan.with(self.contenders.iter().map(|contender| contender.entrant(folder)).collect())
    }

    /// Returns a plan for one pair alone, and the pair in it.
    pub fn plan_of(&self, pair: &Pair, folder: &Path) -> (Plan, Pair) {
        let players = pair.players.map(|id| self.contenders[id].entrant(folder));
        (self.plan.with(players.to_vec()), Pair { players: [0, 1], ..*pair })
    }

    /// Returns what all games have in common.
    pub const fn plan(&self) -> &LadderPlan {
        &self.plan
    }

    /// Returns all versions of all players, in the order in which they came.
    pub fn contenders(&self) -> &[Contender] {
        &self.contenders
    }

    /// Returns the files that were not admitted, by name.
    pub const fn refused(&self) -> &BTreeMap<String, Refused> {
        &self.refused
    }

    /// Returns all pairs that were begun; a pair's number is its place here, from 1.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the pairs that are whole.
    pub(in crate::tournament) fn rated_pairs(&self) -> Vec<RatedPair<'_>> {
        let rated = |pair: &Pair| {
            let [Some(one), Some(two)] = self.results.games_of(pair.number) else { return None };
            let board = &self.plan.boards[pair.board];
            Some(RatedPair { players: pair.players, board, stage: pair.stage, games: [one, two] })
        };
        self.pairs.iter().filter_map(rated).collect()
    }

    /// Returns the games.
    pub const fn results(&self) -> &Results {
        &self.results
    }
}
