//! Checks a record of the server of lines: its games are played again.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::classic::Defect;
use crate::deal::{Deal, DealError, PLAYERS};
use crate::deck::Deck;
use crate::fail::fail_if;
use crate::game::{Event, Game, RuleError, Seats, Waiting};
use crate::line::message::Fault;
use crate::line::record::{Entry, RULES};
use crate::record::read::ReadError;
use crate::record::story::StoryError;

/// Maximum number of lines of a game.
const LINES_MAX: usize = 1 << 20;

/// A breach of the rules by a line; numbers are those of games, seats or errors.
#[derive(Debug, Error)]
enum Wrong {
    #[error("is not a record of version {} of the rules {RULES}", Entry::VERSION)]
    Version,
    #[error("game {0} of this table is not over yet")]
    NotOver(u64),
    #[error("{0} players cannot sit at this table")]
    Players(usize),
    #[error("game {next} comes next at this table, not {game}")]
    Next { next: u64, game: u64 },
    #[error("seat {first} cannot begin game {game}")]
    First { first: usize, game: u64 },
    #[error("the ghosts are {expected:?} after the faults so far, not {found:?}")]
    Ghosts { expected: Vec<usize>, found: Vec<usize> },
    #[error("a game begins with a start and ends with an end")]
    Ends,
    #[error("game {game} of this table ends here, not {ended}")]
    End { game: u64, ended: u64 },
    #[error("is not a deal: {0}")]
    Deal(#[from] DealError),
    #[error("{0:?} is not a salt")]
    Salt(String),
    #[error("the deal is not the one that the first line of the game commits to")]
    Commitment,
    #[error(transparent)]
    Story(#[from] StoryError),
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error("this line does not belong here")]
    Kind,
    #[error("the last line of the game does not say of what")]
    NotAccused,
    #[error("the last line of the game does not say which card")]
    NotShown,
    #[error("seat {0} has no client that could err")]
    NoClient(usize),
    #[error("seat {seat} was not asked {open:?}, but seat {} {:?}", asked.0, asked.1)]
    NotAsked { seat: usize, open: String, asked: (usize, &'static str) },
    #[error("error {0} cannot be made here")]
    Fault(u32),
    #[error("seat {0} has none of the cards and must pass")]
    MustPass(usize),
    #[error("more cards were shown or accused of than lines tell")]
    Shown,
    #[error("the game has another end, or none yet")]
    OtherEnd,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Tables that played.
    pub tables: usize,
    pub games: u64,
    /// Games without a winner.
    pub unwon: u64,
    pub hypotheses: u64,
    pub answers: u64,
    pub accusations: u64,
    pub faults: u64,
    /// Games won by each name.
    pub wins: BTreeMap<String, u64>,
}

/// Checks the lines of a record, which must end after a game: turns, answers and their truth, accusations, faults, who
/// has won, and that each deal is the one that the game's first line commits to.
pub fn check_course<E: ToString>(lines: impl Iterator<Item = Result<String, E>>) -> Result<Totals, Defect> {
    let mut tables: BTreeMap<u64, Table> = BTreeMap::new();
    let mut totals = Totals::default();
    let mut count = 0;
    for (text, line) in lines.zip(1..) {
        count = line;
        let text = text.map_err(|error| Defect::new(line, error))?;
        let entry: Entry = serde_json::from_str(&text).map_err(|error| Defect::new(line, ReadError::NotLine(error)))?;
        let table = tables.entry(entry.table()).or_default();
        match entry {
            Entry::End { .. } => table.end(line, &entry, &mut totals)?,
            Entry::Start { .. } => table.start(entry).map_err(|wrong| Defect::new(line, wrong))?,
            _ if table.start.is_none() => return Err(Defect::new(line, ReadError::NotBegun)),
            _ if table.entries.len() >= LINES_MAX => return Err(Defect::new(line, "the game has too many lines")),
            _ => table.entries.push((line, entry)),
        }
    }
    totals.tables = tables.len();
    if let Some((number, table)) = tables.iter().find(|(_, table)| table.start.is_some()) {
        return Err(Defect::new(count, format!("the record ends within game {} of table {number}", table.games)));
    }
    if count == 0 { Err(Defect::new(1, "the record is empty")) } else { Ok(totals) }
}

/// A table between lines.
#[derive(Debug, Default)]
struct Table {
    players: usize,
    games: u64,
    /// Seats that the server answers for, in order.
    ghosts: Vec<usize>,
    start: Option<Entry>,
    entries: Vec<(usize, Entry)>,
}

impl Table {
    /// Takes the first line of a game.
    fn start(&mut self, entry: Entry) -> Result<(), Wrong> {
        let Entry::Start { version, game, rules, seats, ghosts, first, .. } = &entry else { return Ok(()) };
        fail_if(*version != Entry::VERSION || rules != RULES, Wrong::Version)?;
        fail_if(self.start.is_some(), Wrong::NotOver(self.games))?;
        let players = seats.len();
        fail_if(!PLAYERS.contains(&players) || self.games > 0 && players != self.players, Wrong::Players(players))?;
        self.players = players;
        fail_if(*game != self.games, Wrong::Next { next: self.games, game: *game })?;
        fail_if(*first != 0 && *first as u64 != game % players as u64, Wrong::First { first: *first, game: *game })?;
        fail_if(*ghosts != self.ghosts, Wrong::Ghosts { expected: self.ghosts.clone(), found: ghosts.clone() })?;
        self.start = Some(entry);
        Ok(())
    }

    /// Checks a whole game at its last line.
    fn end(&mut self, line: usize, end: &Entry, totals: &mut Totals) -> Result<(), Defect> {
        let in_end = |wrong: Wrong| Defect::new(line, wrong);
        let start = self.start.take().ok_or_else(|| Defect::new(line, ReadError::NotBegun))?;
        let entries = std::mem::take(&mut self.entries);
        let mut replay = Replay::new(&start, end, &mut self.ghosts, totals).map_err(in_end)?;
        let last = entries.len().saturating_sub(1);
        for (place, (line, entry)) in entries.iter().enumerate() {
            let is_last = place == last;
            replay.follow(entry, is_last).map_err(|wrong| Defect::new(*line, wrong))?;
        }
        replay.finish().map_err(in_end)?;
        self.games += 1;
        Ok(())
    }
}

struct Replay<'a> {
    deal: Deal,
    game: Game,
    shown: std::slice::Iter<'a, usize>,
    accused: std::slice::Iter<'a, [usize; 3]>,
    seats: &'a [String],
    winner: Option<usize>,
    code: Option<u32>,
    /// Whether a fault ended the game.
    is_void: bool,
    ghosts: &'a mut Vec<usize>,
    totals: &'a mut Totals,
}

impl<'a> Replay<'a> {
    fn new(
        start: &'a Entry,
        end: &'a Entry,
        ghosts: &'a mut Vec<usize>,
        totals: &'a mut Totals,
    ) -> Result<Self, Wrong> {
        let (
            Entry::Start { game: number, seats, first, limit, commitment, .. },
            Entry::End { game: ended, winner, code, secret, hands, salt, shown, accused, .. },
        ) = (start, end)
        else {
            return Err(Wrong::Ends);
        };
        fail_if(number != ended, Wrong::End { game: *number, ended: *ended })?;
        let (count, lists) = (seats.len(), hands.iter().map(|hand| hand.iter().copied()));
        let deal = Deal::new(Deck::course(count), Seats { first: 0, count }, *secret, lists)?;
        let salt = bytes(salt).ok_or_else(|| Wrong::Salt(salt.clone()))?;
        fail_if(deal.commitment(&salt) != *commitment, Wrong::Commitment)?;
        let mut game = Game::course(seats.len(), *first, *limit);
        ghosts.iter().for_each(|&seat| game.forfeit(seat));
        let (shown, accused) = (shown.iter(), accused.iter());
        let (winner, code) = (*winner, *code);
        Ok(Self { deal, game, shown, accused, seats, winner, code, is_void: false, ghosts, totals })
    }

    fn follow(&mut self, entry: &Entry, is_last: bool) -> Result<(), Wrong> {
        if let Entry::Fault { by, code, open, .. } = entry {
            return self.fault(by.seat, *code, open, is_last);
        }
        let deck = self.deal.deck;
        let legal = |cards| deck.triple(cards).ok_or(StoryError::Cards(cards));
        let to = if let Waiting::Answer { to, .. } = self.game.waiting() { to } else { 0 };
        let mut event = entry.event(to).ok_or(Wrong::Kind)?;
        match &mut event {
            Event::Suggest { cards, .. } => {
                legal(*cards)?;
                self.totals.hypotheses += 1;
            }
            Event::Accuse { cards, is_right, .. } => {
                let accused = self.accused.next().ok_or(Wrong::NotAccused)?;
                *cards = Some(legal(*accused)?);
                *is_right = *cards == Some(self.deal.solution);
                self.totals.accusations += 1;
            }
            Event::Show { card, .. } => {
                *card = Some(*self.shown.next().ok_or(Wrong::NotShown)?);
                self.totals.answers += 1;
            }
            _ => self.totals.answers += 1,
        }
        self.game.judge(&event, &self.deal)?;
        Ok(())
    }

    fn fault(&mut self, seat: usize, code: u32, open: &str, is_last: bool) -> Result<(), Wrong> {
        self.check_passes()?;
        let fault = Fault::of_code(code);
        let (asked, fits) = match self.game.waiting() {
            Waiting::Turn { seat } => ((seat, "T"), matches!(fault, Some(Fault::Action | Fault::NoAction))),
            Waiting::Answer { seat, .. } => ((seat, "C"), matches!(fault, Some(Fault::Card | Fault::NoCard))),
            Waiting::Over { .. } => return Err(RuleError::Over.into()),
        };
        fail_if(seat >= self.seats.len() || self.ghosts.contains(&seat), Wrong::NoClient(seat))?;
        fail_if(!open.is_empty() && asked != (seat, open), Wrong::NotAsked { seat, open: open.to_owned(), asked })?;
        fail_if(!fits, Wrong::Fault(code))?;
        self.totals.faults += 1;
        if is_last && self.code == Some(code) {
            self.is_void = true;
        } else {
            self.ghosts.push(seat);
            self.ghosts.sort_unstable();
            self.game.forfeit(seat);
        }
        Ok(())
    }

    /// Checks that no seat that has none of the cards has still to pass.
    fn check_passes(&self) -> Result<(), Wrong> {
        match self.game.waiting() {
            Waiting::Answer { seat, .. } if self.game.choices(&self.deal).is_empty() => Err(Wrong::MustPass(seat)),
            _ => Ok(()),
        }
    }

    fn finish(mut self) -> Result<(), Wrong> {
        self.check_passes()?;
        fail_if(self.shown.next().is_some() || self.accused.next().is_some(), Wrong::Shown)?;
        let is_right = match (self.game.waiting(), self.code) {
            (Waiting::Over { winner: winner @ Some(_) }, None) => winner == self.winner,
            (Waiting::Over { winner: None }, Some(code)) => {
                self.winner.is_none() && Fault::of_code(code) == Some(Fault::Limit) && !self.is_void
            }
            (Waiting::Over { .. }, _) => false,
            // A fault ended it, or the server was stopped.
            (_, code) => self.winner.is_none() && self.is_void == code.is_some(),
        };
        fail_if(!is_right, Wrong::OtherEnd)?;
        self.totals.games += 1;
        match self.winner {
            Some(winner) => *self.totals.wins.entry(self.seats[winner].clone()).or_default() += 1,
            None => self.totals.unwon += 1,
        }
        Ok(())
    }
}

/// Reads bytes as two hexadecimal digits each.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let all: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    all.filter(|_| digits.len().is_multiple_of(2))
}
