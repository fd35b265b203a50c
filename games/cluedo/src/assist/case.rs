//! A game as one player sees it: the table, and entries that can be changed at any time.

use std::collections::BTreeSet;

use crate::assist::entry::{Entry, Fact, Piece, Rule};
use crate::assist::mistake::Mistake;
use crate::card_names::CardNames;
use crate::deal::{PLAYERS, stream};
use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::fail::fail_if;
use crate::game::{Asking, Seats};
use crate::knowledge::chances::Uncounted;
use crate::knowledge::deals::Deals;
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::problem::Weighing;
use crate::knowledge::questions::{Questions, triples};
use crate::knowledge::samples::Sample;
use crate::names::plain;

const MAX_ENTRIES: usize = 120;
/// Questions are judged by all deals, or by this many drawn at random.
const DEALS: f64 = 1_000.0;

/// A table and what happened there.
#[derive(Clone, Debug)]
pub struct Case {
    pub card_names: CardNames,
    /// The players' names; the owner's own is not used in sentences.
    pub names: Vec<String>,
    /// The sizes of all hands.
    pub sizes: Vec<usize>,
    /// The owner's seat: none for a spectator.
    pub me: Option<usize>,
    pub hand: Option<CardSet>,
    /// The cards that lie open.
    pub public: CardSet,
    pub entries: Vec<Entry>,
}

impl Case {
    /// Starts a game; cards are dealt one by one, so the first players may hold one more.
    pub fn new(card_names: CardNames, names: Vec<String>, me: Option<usize>) -> Result<Self, Mistake> {
        fail_if(!PLAYERS.contains(&names.len()), Mistake::Players(names.len()))?;
        let public = CardSet::EMPTY;
        let sizes = share(card_names.deck.len() - 3, names.len());
        Ok(Self { card_names, names, sizes, me, hand: None, public, entries: Vec::new() })
    }

    /// Returns the game with other players: those who stay, by their names, keep their entries, and the owner the hand.
    pub fn with_players(&self, names: Vec<String>, me: Option<usize>) -> Result<Self, Mistake> {
        let mut case = Self::new(self.card_names.clone(), names, me)?;
        case.set_public(self.public)?;
        let missing = |name: &String| Mistake::Missing(name.clone());
        let seat = |old: usize| match self.names.get(old) {
            // The solution comes after the last player.
            None => Ok(case.names.len()),
            Some(_) if self.me == Some(old) && me.is_some() => Ok(me.unwrap_or(old)),
            Some(name) => case.names.iter().position(|new| plain(new) == plain(name)).ok_or_else(|| missing(name)),
        };
        let mut entries = self.entries.clone();
        for named in entries.iter_mut().flat_map(Entry::seats_mut) {
            *named = seat(*named)?;
        }
        let hand = self.me.zip(self.hand).map(|(old, hand)| Ok::<_, Mistake>((seat(old)?, hand))).transpose()?;
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

    /// Returns the place of the solution: it comes after the players.
    pub const fn solution(&self) -> usize {
        self.names.len()
    }

    /// Fails unless the hands hold all cards that are dealt.
    pub fn set_sizes(&mut self, sizes: Vec<usize>) -> Result<(), Mistake> {
        fail_if(sizes.len() != self.names.len(), Mistake::Players(sizes.len()))?;
        let (hold, dealt) = (sizes.iter().sum::<usize>(), self.deck().len() - 3 - self.public.len());
        fail_if(hold != dealt, Mistake::Sizes { hold, dealt })?;
        self.sizes = sizes;
        self.drop_wrong_hand();
        Ok(())
    }

    /// Fails when the hand has another number of cards, or some of them lie open.
    pub fn set_hand(&mut self, hand: CardSet) -> Result<(), Mistake> {
        if let Some(card) = (hand & self.public).first() {
            return Err(self.lies_open(card));
        }
        let size = self.me.map_or(0, |me| self.sizes[me]);
        fail_if(hand.len() != size, Mistake::Hand(size))?;
        self.hand = Some(hand);
        Ok(())
    }

    /// Sets the cards that lie open to all; the others are shared anew.
    pub fn set_public(&mut self, public: CardSet) -> Result<(), Mistake> {
        if let Some(kind) = KINDS.into_iter().find(|&kind| public.contains_all(self.deck().of_kind(kind))) {
            return Err(Mistake::AllOpen(self.card_names.kinds[kind].clone()));
        }
        self.public = public;
        self.sizes = share(self.deck().len() - 3 - public.len(), self.names.len());
        self.drop_wrong_hand();
        Ok(())
    }

    /// Forgets the hand if it does not fit the table any more.
    fn drop_wrong_hand(&mut self) {
        let size = self.me.map_or(0, |me| self.sizes[me]);
        self.hand = self.hand.filter(|hand| hand.len() == size && !hand.meets(self.public));
    }

    /// Adds an entry that makes sense by itself; returns its number, from 1.
    pub fn add(&mut self, entry: Entry) -> Result<usize, Mistake> {
        self.check(&entry)?;
        fail_if(self.entries.len() == MAX_ENTRIES, Mistake::Full(MAX_ENTRIES))?;
        self.entries.push(entry);
        Ok(self.entries.len())
    }

    pub fn change(&mut self, number: usize, entry: Entry) -> Result<(), Mistake> {
        self.check(&entry)?;
        let place = self.place(number)?;
        self.entries[place] = entry;
        Ok(())
    }

    pub fn delete(&mut self, number: usize) -> Result<Entry, Mistake> {
        let place = self.place(number)?;
        Ok(self.entries.remove(place))
    }

    fn place(&self, number: usize) -> Result<usize, Mistake> {
        let place = number.checked_sub(1).filter(|&place| place < self.entries.len());
        place.ok_or(Mistake::NoEntry(number))
    }

    fn check(&self, entry: &Entry) -> Result<(), Mistake> {
        match entry {
            Entry::Suggestion { by, cards, passed, shown } => {
                self.sorted(*cards)?;
                let mut answered = vec![*by];
                for seat in passed.iter().copied().chain(shown.map(|shown| shown.seat)) {
                    if answered.contains(&seat) {
                        return Err(Mistake::Asked(self.names[seat].clone()));
                    }
                    answered.push(seat);
                }
                match shown.and_then(|shown| shown.card) {
                    Some(card) if !cards.contains(&card) => {
                        Err(Mistake::NotNamed(self.card_names.name(card).to_owned()))
                    }
                    Some(card) if self.public.contains(card) => Err(self.lies_open(card)),
                    _ => Ok(()),
                }
            }
            Entry::WrongAccusation { cards, .. } => self.sorted(*cards).map(drop),
            Entry::Known(fact) if self.public.contains(fact.card) => Err(self.lies_open(fact.card)),
            Entry::Known(_) => Ok(()),
        }
    }

    fn lies_open(&self, card: Card) -> Mistake {
        Mistake::LiesOpen(self.card_names.name(card).to_owned())
    }

    /// Sorts a card of each type.
    pub(crate) fn sorted(&self, cards: Triple) -> Result<Triple, Mistake> {
        self.deck().triple(cards).ok_or_else(|| Mistake::Triple(self.card_names.kinds.clone()))
    }

    /// Returns who is asked after a suggestion, in order.
    pub fn asked(&self, by: usize) -> impl Iterator<Item = usize> {
        Seats { first: 0, count: self.names.len() }.asked(by, Asking::Cyclic)
    }

    /// Returns the rules of all sources. Source 0 is the own hand, others are entries by their numbers.
    pub fn pieces(&self) -> Vec<Piece> {
        let hand = self.me.zip(self.hand).map(|(me, hand)| Piece { source: 0, rule: Rule::Has(me, hand) });
        let entries =
            self.entries.iter().zip(1..).flat_map(|(entry, source)| {
                entry.rules(self.public).into_iter().map(move |rule| Piece { source, rule })
            });
        hand.into_iter().chain(entries).collect()
    }

    pub fn rules(&self) -> Vec<Rule> {
        self.pieces().into_iter().map(|piece| piece.rule).collect()
    }

    /// Counts the deals that keep to rules.
    pub fn deals(&self, rules: &[Rule]) -> Result<(Deductions, Deals), Uncounted> {
        // The cards that lie open are the hand of one more player, whose facts these are.
        let table = self.solution();
        let sizes = self.sizes.iter().copied().chain([self.public.len()]).collect();
        let mut facts = Facts::new(self.deck(), sizes, table, self.public);
        let mut wrong = Vec::new();
        for rule in rules {
            match *rule {
                Rule::Has(place, cards) if place == table => facts.lacks.iter_mut().for_each(|lacks| *lacks |= cards),
                Rule::Lacks(place, cards) if place == table => facts.not_secret |= cards,
                Rule::Has(seat, cards) => facts.has[seat] |= cards,
                Rule::Lacks(seat, cards) => facts.lacks[seat] |= cards,
                Rule::OneOf(seat, cards) => facts.sets[seat].push(cards),
                Rule::NotAll(cards) => wrong.push(cards),
            }
        }
        let known = Deductions::new(&facts, Rules::Further);
        let deals = Deals::new(&facts, &known, Weighing::Alike, &wrong)?;
        Ok((known, deals))
    }

    /// Counts the deals that agree with everything.
    pub fn chances(&self) -> Result<Chances, Uncounted> {
        let (known, deals) = self.deals(&self.rules())?;
        let mut places = deals.places(&known);
        // The cards that lie open stand as a hand between the players and the solution.
        places.remove(self.names.len());
        Ok(Chances { known, deals, places })
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
    /// Returns whether a card is there in all deals or in none; nothing if only in some.
    pub fn fact(&self, card: Card, place: usize) -> Option<Fact> {
        // Less than half a deal is an error of rounding.
        let least = 0.5 / self.deals.total().min(1e12);
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
        let wanted = self.deals.total().min(DEALS) as usize;
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
            if given.meets(cards) { given & cards } else { cards - case.public }
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
