//! A game as one player sees it: the table, and entries that can be changed at any time.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::assist::entry::{Answer, Entry, Piece, Rule};
use crate::assist::logic::{Fact, Shape};
use crate::card_names::CardNames;
use crate::deal::stream;
use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::knowledge::chances::Uncounted;
use crate::knowledge::deals::Deals;
use crate::knowledge::logic::Deductions;
use crate::knowledge::questions::{Questions, triples};
use crate::knowledge::samples::Sample;
use crate::names::plain;

pub const PLAYERS: std::ops::RangeInclusive<usize> = 2..=10;
pub const MAX_ENTRIES: usize = 120;
/// Questions are judged by all deals, or by this many drawn at random.
const DEALS: f64 = 1_000.0;

/// Why a table or an entry makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CaseError {
    #[error("2 to 10 can play: these are {0}")]
    Players(usize),
    #[error("the hands hold {hold} cards in all, but {dealt} are dealt: type hands and a number for each player")]
    Sizes {
        /// The sum of the hands' sizes.
        hold: usize,
        dealt: usize,
    },
    #[error("your hand has {0} cards: type exactly as many")]
    Hand(usize),
    #[error("one {0} is the solution, so not all can lie open")]
    Public(String),
    #[error("{0} lies open on the table")]
    LiesOpen(String),
    #[error("name one {0}, one {1} and one {2}")]
    Triple(String, String, String),
    #[error("{0} was not named")]
    NotNamed(String),
    #[error("{0} cannot answer here: everybody but the one who suggests is asked once")]
    Answers(String),
    #[error("only the last player who was asked can show a card")]
    ShownTwice,
    #[error("entries name {0}, who would be missing: delete them, or begin another game with new")]
    Missing(String),
    #[error("there is no entry {0}")]
    NoEntry(usize),
    #[error("a game has at most {MAX_ENTRIES} entries")]
    Full,
}

/// A table and what happened there.
#[derive(Clone, Debug)]
pub struct Case {
    pub card_names: CardNames,
    names: Vec<String>,
    sizes: Vec<usize>,
    me: Option<usize>,
    hand: Option<CardSet>,
    public: CardSet,
    entries: Vec<Entry>,
}

impl Case {
    /// Starts a game; cards are dealt one by one, so the first players may hold one more.
    pub fn new(card_names: CardNames, names: Vec<String>, me: Option<usize>) -> Result<Self, CaseError> {
        if !PLAYERS.contains(&names.len()) {
            return Err(CaseError::Players(names.len()));
        }
        let public = CardSet::EMPTY;
        let sizes = share(card_names.deck.len() - 3, names.len());
        Ok(Self { card_names, names, sizes, me, hand: None, public, entries: Vec::new() })
    }

    /// Returns the game with other players: those who stay, by their names, keep their entries, and the owner the hand.
    pub fn with_players(&self, names: Vec<String>, me: Option<usize>) -> Result<Self, CaseError> {
        let mut case = Self::new(self.card_names.clone(), names, me)?;
        case.set_public(self.public)?;
        let seat = |old: usize| match self.names.get(old) {
            // The solution comes after the last player.
            None => Ok(case.names.len()),
            Some(_) if self.me == Some(old) && me.is_some() => Ok(me.unwrap_or(old)),
            Some(name) => {
                let found = case.names.iter().position(|new| plain(new) == plain(name));
                found.ok_or_else(|| CaseError::Missing(name.clone()))
            }
        };
        let mut entries = self.entries.clone();
        for named in entries.iter_mut().flat_map(Entry::seats_mut) {
            *named = seat(*named)?;
        }
        let hand = self.me.zip(self.hand).map(|(old, hand)| Ok((seat(old)?, hand))).transpose()?;
        if let Some((seat, hand)) = hand
            && me == Some(seat)
        {
            // The hand is what is known for certain; the others share the rest.
            if hand.len() != case.sizes[seat] {
                case.sizes = share(case.sizes.iter().sum::<usize>().saturating_sub(hand.len()), case.names.len() - 1);
                case.sizes.insert(seat, hand.len());
            }
            case.hand = Some(hand);
        }
        Ok(Self { entries, ..case })
    }

    pub const fn deck(&self) -> Deck {
        self.card_names.deck
    }

    /// Returns the players' names; the owner's own is not used in sentences.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Returns the owner's seat: none for a spectator.
    pub const fn me(&self) -> Option<usize> {
        self.me
    }

    pub const fn hand(&self) -> Option<CardSet> {
        self.hand
    }

    /// Returns the cards that lie open.
    pub const fn public(&self) -> CardSet {
        self.public
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Fails unless the hands hold all cards that are dealt.
    pub fn set_sizes(&mut self, sizes: Vec<usize>) -> Result<(), CaseError> {
        if sizes.len() != self.names.len() {
            return Err(CaseError::Players(sizes.len()));
        }
        let (hold, dealt) = (sizes.iter().sum(), self.deck().len() - 3 - self.public.len());
        if hold != dealt {
            return Err(CaseError::Sizes { hold, dealt });
        }
        if self.hand.zip(self.me).is_some_and(|(hand, me)| hand.len() != sizes[me]) {
            self.hand = None;
        }
        self.sizes = sizes;
        Ok(())
    }

    /// Fails when the hand has another number of cards, or some of them lie open.
    pub fn set_hand(&mut self, hand: CardSet) -> Result<(), CaseError> {
        if let Some(card) = (hand & self.public).first() {
            return Err(CaseError::LiesOpen(self.card_names.name(card).to_owned()));
        }
        let size = self.me.map_or(0, |me| self.sizes[me]);
        if hand.len() != size {
            return Err(CaseError::Hand(size));
        }
        self.hand = Some(hand);
        Ok(())
    }

    /// Sets the cards that lie open to all; the others are shared anew.
    pub fn set_public(&mut self, public: CardSet) -> Result<(), CaseError> {
        for kind in 0..3 {
            if public.contains_all(self.deck().of_kind(kind)) {
                return Err(CaseError::Public(self.card_names.kinds[kind].clone()));
            }
        }
        let cards = (self.deck().len() - 3).checked_sub(public.len());
        let Some(cards) = cards else { return Err(CaseError::Public(self.card_names.kinds[0].clone())) };
        self.public = public;
        self.sizes = share(cards, self.names.len());
        let size = self.me.map_or(0, |me| self.sizes[me]);
        self.hand = self.hand.filter(|hand| hand.len() == size && (*hand & public).is_empty());
        Ok(())
    }

    /// Adds an entry that makes sense by itself; returns its number, from 1.
    pub fn add(&mut self, entry: Entry) -> Result<usize, CaseError> {
        self.check(&entry)?;
        if self.entries.len() == MAX_ENTRIES {
            return Err(CaseError::Full);
        }
        self.entries.push(entry);
        Ok(self.entries.len())
    }

    pub fn change(&mut self, number: usize, entry: Entry) -> Result<(), CaseError> {
        self.check(&entry)?;
        let place = self.place(number)?;
        self.entries[place] = entry;
        Ok(())
    }

    pub fn delete(&mut self, number: usize) -> Result<Entry, CaseError> {
        let place = self.place(number)?;
        Ok(self.entries.remove(place))
    }

    fn place(&self, number: usize) -> Result<usize, CaseError> {
        number.checked_sub(1).filter(|&place| place < self.entries.len()).ok_or(CaseError::NoEntry(number))
    }

    fn check(&self, entry: &Entry) -> Result<(), CaseError> {
        let name = |card: usize| self.card_names.name(card).to_owned();
        match entry {
            Entry::Suggestion { by, cards, answers } => {
                self.check_triple(cards)?;
                for (place, answer) in answers.iter().enumerate() {
                    let seat = answer.seat();
                    if seat == *by || answers[..place].iter().any(|other| other.seat() == seat) {
                        return Err(CaseError::Answers(self.names[seat].clone()));
                    }
                    if place + 1 < answers.len() && !matches!(answer, Answer::Passes(_)) {
                        return Err(CaseError::ShownTwice);
                    }
                    if let Answer::ShowsCard(_, card) = *answer {
                        if !cards.contains(&card) {
                            return Err(CaseError::NotNamed(name(card)));
                        }
                        if self.public.contains(card) {
                            return Err(CaseError::LiesOpen(name(card)));
                        }
                    }
                }
                Ok(())
            }
            Entry::WrongAccusation { cards, .. } => self.check_triple(cards),
            Entry::Has(_, card) | Entry::Lacks(_, card) if self.public.contains(*card) => {
                Err(CaseError::LiesOpen(name(*card)))
            }
            Entry::Has(..) | Entry::Lacks(..) => Ok(()),
        }
    }

    fn check_triple(&self, cards: &[usize; 3]) -> Result<(), CaseError> {
        let [a, b, c] = self.card_names.kinds.clone();
        self.deck().triple(*cards).map(|_| ()).ok_or(CaseError::Triple(a, b, c))
    }

    /// Returns who is asked after a suggestion, in order.
    pub fn asked(&self, by: usize) -> impl Iterator<Item = usize> {
        let players = self.names.len();
        (1..players).map(move |step| (by + step) % players)
    }

    pub fn shape(&self) -> Shape {
        Shape { deck: self.deck(), public: self.public, sizes: self.sizes.clone() }
    }

    /// Returns the rules of all sources. Source 0 is the own hand, others are entries by their numbers.
    pub fn pieces(&self) -> Vec<Piece> {
        let hand = self.me.zip(self.hand).map(|(me, hand)| Piece { source: 0, rule: Rule::Has(me, hand) });
        let entries = self.entries.iter().enumerate().flat_map(|(place, entry)| {
            entry.rules(self.public).into_iter().map(move |rule| Piece { source: place + 1, rule })
        });
        hand.into_iter().chain(entries).collect()
    }

    /// Counts the deals that agree with everything.
    pub fn chances(&self) -> Result<Chances, Uncounted> {
        let (known, deals) = self.shape().deals(&self.rules())?;
        let mut places = deals.places(&known);
        // The cards that lie open stand as a hand between the players and the solution.
        places.remove(self.names.len());
        Ok(Chances { known, deals, places })
    }

    pub fn rules(&self) -> Vec<Rule> {
        self.pieces().into_iter().map(|piece| piece.rule).collect()
    }
}

/// All deals, and the share of them that has each card at each place.
#[derive(Clone, Debug)]
pub struct Chances {
    known: Deductions,
    pub deals: Deals,
    /// For each place, and there for each card; the solution is the last place.
    pub places: Vec<Vec<f64>>,
}

/// A suggestion, and how many bits about the solution its answer is expected to tell.
pub type Question = (Triple, f64);

impl Chances {
    /// Returns the number of deals.
    pub const fn total(&self) -> f64 {
        self.deals.total()
    }

    /// Returns whether a card is there in all deals or in none; nothing if only in some.
    pub fn fact(&self, card: Card, place: usize) -> Option<Fact> {
        // Less than half a deal is an error of rounding.
        let least = 0.5 / self.total().min(1e12);
        match self.places[place][card] {
            chance if chance < least => Some(Fact::elsewhere(card, place)),
            chance if chance > 1.0 - least => Some(Fact::there(card, place)),
            _ => None,
        }
    }

    /// Returns every card whose place is certain.
    pub fn located(&self) -> Vec<Fact> {
        let facts = |card| (0..self.places.len()).filter_map(move |place| self.fact(card, place));
        (0..self.places[0].len()).filter_map(|card| facts(card).find(|fact| fact.is_there)).collect()
    }

    /// Judges the suggestions of a player with one of the `given` cards of each type, if there are any: a room, say.
    /// Returns the best first, and by how many deals they were judged.
    pub fn questions(&self, case: &Case, me: usize, given: CardSet) -> (Vec<Question>, usize) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        let wanted = self.total().min(DEALS) as usize;
        let mut drawn = BTreeSet::new();
        self.deals.draw(&mut stream(0, 0, 0, "questions"), |deal| {
            drawn.insert(deal);
            drawn.len() == wanted
        });
        let drawn: Vec<Sample> = drawn.into_iter().collect();
        let turn = |seat| case.asked(me).position(|asked| asked == seat);
        let mut questions = Questions::new(&self.known, self.deals.problem(), &drawn, turn);
        let from = KINDS.map(|kind| {
            let cards = case.deck().of_kind(kind);
            if given.meets(cards) { given & cards } else { cards - case.public() }
        });
        let mut best: Vec<Question> = triples(from).map(|cards| (cards, questions.bits(cards))).collect();
        best.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        (best, wanted)
    }
}

/// Shares cards one by one.
fn share(cards: usize, players: usize) -> Vec<usize> {
    (0..players).map(|seat| cards / players + usize::from(seat < cards % players)).collect()
}
