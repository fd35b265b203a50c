//! Checks a record of the server of lines: its games are played again.

use std::collections::BTreeMap;

use crate::classic::Defect;
use crate::deal::{Deal, PLAYERS};
use crate::deck::Deck;
use crate::game::{Event, Game, Seats, Waiting};
use crate::line::message::Fault;
use crate::line::record::{Entry, RULES};

/// Maximum number of lines of a game.
const LINES_MAX: usize = 1 << 20;

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
        let defect = |what: String| Defect { line, what };
        let text = text.map_err(|error| defect(error.to_string()))?;
        let entry: Entry = serde_json::from_str(&text).map_err(|error| defect(format!("is not a line: {error}")))?;
        let table = tables.entry(entry.table()).or_default();
        match entry {
            Entry::End { .. } => table.end(line, &entry, &mut totals)?,
            Entry::Start { .. } => table.start(entry).map_err(defect)?,
            _ if table.start.is_none() => return Err(defect("this game has not begun".to_owned())),
            _ if table.entries.len() >= LINES_MAX => return Err(defect("the game has too many lines".to_owned())),
            _ => table.entries.push((line, entry)),
        }
    }
    totals.tables = tables.len();
    if let Some((number, table)) = tables.iter().find(|(_, table)| table.start.is_some()) {
        let what = format!("the record ends within game {} of table {number}", table.games);
        return Err(Defect { line: count, what });
    }
    if count == 0 { Err(Defect { line: 1, what: "the record is empty".to_owned() }) } else { Ok(totals) }
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
    fn start(&mut self, entry: Entry) -> Result<(), String> {
        let Entry::Start { version, game, rules, seats, ghosts, first, .. } = &entry else { return Ok(()) };
        if *version != Entry::VERSION || rules != RULES {
            return Err(format!("is not a record of version {} of the rules {RULES}", Entry::VERSION));
        }
        if self.start.is_some() {
            return Err(format!("game {} of this table is not over yet", self.games));
        }
        let players = seats.len();
        if !PLAYERS.contains(&players) || self.games > 0 && players != self.players {
            return Err(format!("{players} players cannot sit at this table"));
        }
        self.players = players;
        if *game != self.games {
            return Err(format!("game {} comes next at this table, not {game}", self.games));
        }
        if *first != 0 && *first as u64 != game % players as u64 {
            return Err(format!("seat {first} cannot begin game {game}"));
        }
        if *ghosts != self.ghosts {
            return Err(format!("the ghosts are {:?} after the faults so far, not {ghosts:?}", self.ghosts));
        }
        self.start = Some(entry);
        Ok(())
    }

    /// Checks a whole game at its last line.
    fn end(&mut self, line: usize, end: &Entry, totals: &mut Totals) -> Result<(), Defect> {
        let in_end = |what: String| Defect { line, what };
        let Some(start) = self.start.take() else { return Err(in_end("this game has not begun".to_owned())) };
        let entries = std::mem::take(&mut self.entries);
        let mut replay = Replay::new(&start, end, &mut self.ghosts, totals).map_err(in_end)?;
        let last = entries.len().saturating_sub(1);
        for (place, (line, entry)) in entries.iter().enumerate() {
            let is_last = place == last;
            replay.follow(entry, is_last).map_err(|what| Defect { line: *line, what })?;
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
    ) -> Result<Self, String> {
        let (
            Entry::Start { game: number, seats, first, limit, commitment, .. },
            Entry::End { game: ended, winner, code, secret, hands, salt, shown, accused, .. },
        ) = (start, end)
        else {
            return Err("a game begins with a start and ends with an end".to_owned());
        };
        if number != ended {
            return Err(format!("game {number} of this table ends here, not {ended}"));
        }
        let (count, lists) = (seats.len(), hands.iter().map(|hand| hand.iter().copied()));
        let deal = Deal::new(Deck::course(count), Seats { first: 0, count }, *secret, lists);
        let deal = deal.map_err(|error| format!("is not a deal: {error}"))?;
        if deal.commitment(&bytes(salt)?) != *commitment {
            return Err("the deal is not the one that the first line of the game commits to".to_owned());
        }
        let mut game = Game::course(seats.len(), *first, *limit);
        ghosts.iter().for_each(|&seat| game.forfeit(seat));
        let (shown, accused) = (shown.iter(), accused.iter());
        let (winner, code) = (*winner, *code);
        Ok(Self { deal, game, shown, accused, seats, winner, code, is_void: false, ghosts, totals })
    }

    fn follow(&mut self, entry: &Entry, is_last: bool) -> Result<(), String> {
        if let Entry::Fault { by, code, open, .. } = entry {
            return self.fault(by.seat, *code, open, is_last);
        }
        let deck = self.deal.deck;
        let legal = |cards| deck.triple(cards).ok_or_else(|| format!("{cards:?} are not a card of each type"));
        let to = if let Waiting::Answer { to, .. } = self.game.waiting() { to } else { 0 };
        let mut event = entry.event(to).ok_or("this line does not belong here")?;
        match &mut event {
            Event::Suggest { cards, .. } => {
                legal(*cards)?;
                self.totals.hypotheses += 1;
            }
            Event::Accuse { cards, is_right, .. } => {
                let accused = self.accused.next().ok_or("the last line of the game does not say of what")?;
                *cards = Some(legal(*accused)?);
                *is_right = *cards == Some(self.deal.solution);
                self.totals.accusations += 1;
            }
            Event::Show { card, .. } => {
                *card = Some(*self.shown.next().ok_or("the last line of the game does not say which card")?);
                self.totals.answers += 1;
            }
            _ => self.totals.answers += 1,
        }
        self.game.judge(&event, &self.deal).map(drop).map_err(|error| error.to_string())
    }

    fn fault(&mut self, seat: usize, code: u32, open: &str, is_last: bool) -> Result<(), String> {
        self.check_passes()?;
        let fault = Fault::of_code(code);
        let (asked, fits) = match self.game.waiting() {
            Waiting::Turn { seat } => ((seat, "T"), matches!(fault, Some(Fault::Action | Fault::NoAction))),
            Waiting::Answer { seat, .. } => ((seat, "C"), matches!(fault, Some(Fault::Card | Fault::NoCard))),
            Waiting::Over { .. } => return Err("the game is over already".to_owned()),
        };
        if seat >= self.seats.len() || self.ghosts.contains(&seat) {
            return Err(format!("seat {seat} has no client that could err"));
        }
        if !open.is_empty() && asked != (seat, open) {
            return Err(format!("seat {seat} was not asked {open:?}, but seat {} {:?}", asked.0, asked.1));
        }
        if !fits {
            return Err(format!("error {code} cannot be made here"));
        }
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
    fn check_passes(&self) -> Result<(), String> {
        match self.game.waiting() {
            Waiting::Answer { seat, .. } if self.game.choices(&self.deal).is_empty() => {
                Err(format!("seat {seat} has none of the cards and must pass"))
            }
            _ => Ok(()),
        }
    }

    fn finish(mut self) -> Result<(), String> {
        self.check_passes()?;
        if self.shown.next().is_some() || self.accused.next().is_some() {
            return Err("more cards were shown or accused of than lines tell".to_owned());
        }
        let is_right = match (self.game.waiting(), self.code) {
            (Waiting::Over { winner: winner @ Some(_) }, None) => winner == self.winner,
            (Waiting::Over { winner: None }, Some(code)) => {
                self.winner.is_none() && Fault::of_code(code) == Some(Fault::Limit) && !self.is_void
            }
            (Waiting::Over { .. }, _) => false,
            // A fault ended it, or the server was stopped.
            (_, code) => self.winner.is_none() && self.is_void == code.is_some(),
        };
        if !is_right {
            return Err("the game has another end, or none yet".to_owned());
        }
        self.totals.games += 1;
        match self.winner {
            Some(winner) => *self.totals.wins.entry(self.seats[winner].clone()).or_default() += 1,
            None => self.totals.unwon += 1,
        }
        Ok(())
    }
}

/// Reads bytes as two hexadecimal digits each.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let all: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    all.filter(|_| digits.len().is_multiple_of(2)).ok_or_else(|| format!("{text:?} is not a salt"))
}
