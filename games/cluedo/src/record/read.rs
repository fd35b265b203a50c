//! Reads the games of a record without judging them: who looks at one wants to see what is there.

use serde_json::Value;
use thiserror::Error;

use crate::classic::{ClassicLine, SEATS_MAX};
use crate::deal::PLAYERS;
use crate::deck::{Card, CardSet, Deck, MAX_CARDS};
use crate::fail::fail_if;
use crate::game::RuleError;
use crate::line::message::Fault;
use crate::line::record::{self, Entry};
use crate::record::story::{Ending, Rules, Story, StoryError};

/// Maximum length of a line in bytes.
pub const MAX_LINE_LEN: usize = 1 << 20;

/// Why a line makes no sense after those before it.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("it does not begin like a record of Cluedo")]
    Foreign,
    #[error("is not a line: {0}")]
    NotLine(#[from] serde_json::Error),
    #[error(transparent)]
    Story(#[from] StoryError),
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error("{0} players cannot sit at a table")]
    TablePlayers(usize),
    #[error("this game has not begun")]
    NotBegun,
    #[error("a second game begins")]
    Second,
    #[error("{0} players cannot play")]
    Players(usize),
    #[error("these seats are not those of a game")]
    Seats,
    #[error("the hands have wrong sizes")]
    Sizes,
}

/// Returns the rules that the first line of a record names; `None` if it is not the first line of one.
pub fn rules_of(line: &str) -> Option<Rules> {
    let first: Value = serde_json::from_str(line).ok()?;
    match first["rules"].as_str()? {
        "classic" if first["type"] == "start" => Some(Rules::Classic),
        record::RULES if first["event"] == "start" => Some(Rules::Course),
        _ => None,
    }
}

/// The games of a record, as far as it has been read.
#[derive(Clone, Debug, Default)]
pub struct Stories {
    /// The games in the order of their beginnings.
    pub games: Vec<Story>,
    /// Where the last game of each table is.
    last: std::collections::HashMap<u64, usize>,
    is_classic: bool,
    has_begun: bool,
}

impl Stories {
    /// Fails when the line makes no sense here; what was read before stays.
    pub fn line(&mut self, text: &str) -> Result<(), ReadError> {
        if !self.has_begun {
            let rules = rules_of(text).ok_or(ReadError::Foreign)?;
            self.is_classic = rules == Rules::Classic;
            self.has_begun = true;
        }
        if self.is_classic {
            self.classic(serde_json::from_str(text)?)
        } else {
            self.entry(&serde_json::from_str(text)?)
        }
    }

    /// Forgets the games of the server that are over and chosen by a function, which is asked in their order.
    pub fn forget(&mut self, mut goes: impl FnMut(&Story) -> bool) {
        self.games.retain(|story| story.rules == Rules::Classic || story.ending.is_none() || !goes(story));
        self.last = self.games.iter().enumerate().map(|(at, story)| (story.table, at)).collect();
    }

    /// Takes a line of the server in.
    pub fn entry(&mut self, entry: &Entry) -> Result<(), ReadError> {
        let table = entry.table();
        if let Entry::Start { game, seats, ghosts, commitment, .. } = entry {
            let players = seats.len();
            fail_if(!PLAYERS.contains(&players), ReadError::TablePlayers(players))?;
            let seats = seats.iter().enumerate().map(|(seat, name)| {
                let ghost = if ghosts.contains(&seat) { " (ghost)" } else { "" };
                format!("{name}{ghost}")
            });
            let mut story = Story::new(Rules::Course, seats.collect(), Deck::course(players), vec![3; players]);
            (story.table, story.game, story.commitment) = (table, *game, commitment.clone());
            self.last.insert(table, self.games.len());
            self.games.push(story);
            return Ok(());
        }
        let story = self.last.get(&table).and_then(|&last| self.games.get_mut(last));
        let story = story.filter(|story| story.ending.is_none()).ok_or(ReadError::NotBegun)?;
        if let Entry::End { winner, code, secret, hands, shown, accused, .. } = entry {
            let code = code.filter(|&code| Fault::of_code(code) != Some(Fault::Limit));
            let ending = winner.map_or(code.map_or(Ending::Nobody, Ending::Error), Ending::Won);
            return Ok(story.end(ending, *secret, &sets(hands), shown, accused)?);
        }
        Ok(entry.event(story.suggester()).map_or(Ok(()), |event| story.note(&event))?)
    }

    fn classic(&mut self, line: ClassicLine) -> Result<(), ReadError> {
        if let ClassicLine::Start(start) = line {
            fail_if(!self.games.is_empty(), ReadError::Second)?;
            fail_if(!(2..=SEATS_MAX).contains(&start.seats.len()), ReadError::Players(start.seats.len()))?;
            fail_if(start.seats.iter().zip(0..).any(|(seat, rank)| seat.seat != rank), ReadError::Seats)?;
            let names =
                (0..start.seats.len()).map(|rank| if rank == 0 { "you".to_owned() } else { format!("AI {rank}") });
            let sizes: Vec<usize> = start.seats.iter().map(|seat| seat.hand).collect();
            if sizes.iter().any(|&size| size > Deck::CLASSIC.len())
                || sizes.iter().sum::<usize>() != Deck::CLASSIC.len() - 3
            {
                return Err(ReadError::Sizes);
            }
            let mut story = Story::new(Rules::Classic, names.collect(), Deck::CLASSIC, sizes);
            story.game = start.game;
            story.commitment = start.commitment;
            self.games.push(story);
            return Ok(());
        }
        let story = self.games.last_mut().filter(|story| story.ending.is_none()).ok_or(RuleError::Over)?;
        if let ClassicLine::End(end) = line {
            let ending = end.winner.map_or(Ending::Nobody, Ending::Won);
            return Ok(story.end(ending, end.secret, &sets(&end.hands), &end.shown, &[])?);
        }
        Ok(line.event(story.suggester()).map_or(Ok(()), |event| story.note(&event))?)
    }
}

/// Makes sets of hands; numbers that are no cards leave a hand too small.
fn sets(hands: &[Vec<Card>]) -> Vec<CardSet> {
    hands.iter().map(|hand| hand.iter().copied().filter(|&card| card < MAX_CARDS).collect()).collect()
}
