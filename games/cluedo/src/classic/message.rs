//! The messages between ranks: 32-bit words, little-endian on the wire.

use thiserror::Error;

use crate::card_names::CardNames;
use crate::classic::seats::{AiType, SEATS_MAX};
use crate::deck::{Card, CardSet, Deck, Triple};
use crate::game::Seats;

/// A message with a type; its words are the type, the sender's rank, and what the variant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// From rank 0 to all: a game begins. AIs then get their cards.
    Start(Start),
    /// From the active player to another: show one of the suggested cards. The answer is one word.
    Ask,
    /// From the active player to all others.
    Suggest(Triple),
    /// To the next rank, from the player whose turn is over.
    Turn,
    /// From rank 0 to each AI: the game is over.
    Over(Over),
    /// From an AI to rank 0: is what I accuse of right? The answer is one word.
    Judge,
    /// From an AI to all others.
    Accuse(Triple),
    /// From an AI to rank 0 after its suggestion. From rank 0 to each AI, with nobody asked: the person plays no more.
    Report(Report),
    /// From rank 0 to each AI that [hears](AiType::hears_answers) them: how the suggestion of another player went.
    Answered(Answered),
}

/// The start of a game, for one AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The players; on the wire the number of ranks of the game, including rank 0, and last the first rank that plays.
    pub seats: Seats,
    pub ai_type: AiType,
    /// The seed of its stream of random numbers.
    pub stream: [u8; 32],
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// The rank that accused rightly.
    pub winner: Option<usize>,
    pub solution: Triple,
}

/// How a suggestion of an AI went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    pub asked: usize,
    /// The last of them and the card, if that one showed a card.
    pub shown: Option<(usize, Card)>,
}

/// The public part of the answers to a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    pub asked: usize,
    /// The last of them, if that one showed a card.
    pub shower: Option<usize>,
}

/// Something that a rank must never send, or did not send in time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("rank {rank} {what}")]
pub struct Fault {
    pub rank: usize,
    pub what: String,
}

/// A word for "no card" and "nobody".
const NO: i32 = -1;

/// JUDGE's answer when the accusation is wrong.
pub(crate) const WRONG: i32 = -1;

/// JUDGE's answer when the accusation is right.
pub(crate) const RIGHT: i32 = 0;

impl Fault {
    pub fn new(rank: usize, what: impl Into<String>) -> Self {
        Self { rank, what: what.into() }
    }
}

impl Message {
    pub fn encode(&self, sender: usize) -> Vec<i32> {
        let triple = |cards: &Triple| cards.map(word).to_vec();
        let (number, payload) = match self {
            Self::Start(Start { seats, ai_type, stream }) => {
                let stream = stream.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word));
                let head = [rank_word(seats.last() + 1), *ai_type as i32];
                (0, head.into_iter().chain(stream).chain([rank_word(seats.first)]).collect())
            }
            Self::Ask => (-1, vec![]),
            Self::Suggest(cards) => (-2, triple(cards)),
            Self::Turn => (-3, vec![]),
            Self::Over(Over { winner, solution }) => {
                let person_won = i32::from(*winner == Some(0));
                let ends = [person_won, winner.map_or(NO, rank_word)];
                (-4, ends.into_iter().chain(solution.map(word)).collect())
            }
            Self::Judge => (-5, vec![]),
            Self::Accuse(cards) => (-6, triple(cards)),
            Self::Report(Report { asked, shown }) => {
                let (rank, card) = shown.map_or((NO, NO), |(rank, card)| (rank_word(rank), word(card)));
                (-7, vec![rank_word(*asked), rank, card])
            }
            Self::Answered(Answered { asked, shower }) => (-8, vec![rank_word(*asked), shower.map_or(NO, rank_word)]),
        };
        [vec![number, rank_word(sender)], payload].concat()
    }

    /// Fails when the type, the length, the sender or a word is wrong.
    pub fn decode(from: usize, words: &[i32]) -> Result<Self, Fault> {
        let [number, sender, payload @ ..] = words else {
            return Err(Fault::new(from, format!("sent {} words where a message was due", words.len())));
        };
        if *sender != rank_word(from) {
            return Err(Fault::new(from, format!("sent a message in the name of rank {sender}")));
        }
        let wrong = |what: &str| Fault::new(from, format!("sent {what}: {words:?}"));
        let triple = |words: &[i32]| triple(words).ok_or_else(|| wrong("wrong cards"));
        Ok(match (*number, payload) {
            (0, payload) => Self::Start(start(payload).ok_or_else(|| wrong("a wrong start"))?),
            (-1, []) => Self::Ask,
            (-2, cards) => Self::Suggest(triple(cards)?),
            (-3, []) => Self::Turn,
            (-4, [person_won, winner, cards @ ..]) => {
                let winner = optional_rank(*winner, || wrong("a wrong winner"))?;
                if *person_won != i32::from(winner == Some(0)) {
                    return Err(wrong("a wrong result"));
                }
                Self::Over(Over { winner, solution: triple(cards)? })
            }
            (-5, []) => Self::Judge,
            (-6, cards) => Self::Accuse(triple(cards)?),
            (-7, [asked, rank, shown]) => {
                let wrong = || wrong("a wrong report");
                let asked = usize::try_from(*asked).ok().filter(|&asked| asked < SEATS_MAX).ok_or_else(wrong)?;
                let shown = match (optional_rank(*rank, wrong)?, card(*shown)) {
                    (Some(rank), Some(card)) => Some((rank, card)),
                    (None, None) if *shown == NO => None,
                    _ => return Err(wrong()),
                };
                Self::Report(Report { asked, shown })
            }
            (-8, [asked, shower]) => {
                let wrong = || wrong("wrong answers");
                let asked = usize::try_from(*asked).ok().filter(|asked| (1..SEATS_MAX).contains(asked));
                Self::Answered(Answered { asked: asked.ok_or_else(wrong)?, shower: optional_rank(*shower, wrong)? })
            }
            (-8..=-1, payload) => {
                return Err(wrong(&format!("a message of type {number} with {} words", payload.len())));
            }
            _ => return Err(wrong("a message of unknown type")),
        })
    }
}

pub fn encode_hand(hand: CardSet) -> Vec<i32> {
    hand.iter().map(word).chain([NO]).collect()
}

pub(crate) fn decode_hand(from: usize, words: &[i32]) -> Result<CardSet, Fault> {
    let hand = match words {
        [cards @ .., NO] => cards.iter().map(|&word| card(word)).collect::<Option<CardSet>>(),
        _ => None,
    };
    hand.filter(|hand| hand.len() + 1 == words.len())
        .ok_or_else(|| Fault::new(from, format!("dealt a wrong hand: {words:?}")))
}

pub fn encode_answer(card: Option<Card>) -> Vec<i32> {
    vec![card.map_or(NO, word)]
}

/// Reads the answer to ASK: a card that was asked for, or nothing.
pub(crate) fn decode_answer(from: usize, words: &[i32], asked: Triple) -> Result<Option<Card>, Fault> {
    match words {
        [NO] => Some(None),
        [word] => card(*word).filter(|card| asked.contains(card)).map(Some),
        _ => None,
    }
    .ok_or_else(|| {
        Fault::new(from, format!("answered with {words:?} when asked for {}", CardNames::classic().list(asked)))
    })
}

fn start(payload: &[i32]) -> Option<Start> {
    let [ranks, ai_type, stream @ .., first] = payload else { return None };
    let ranks = usize::try_from(*ranks).ok().filter(|ranks| (3..=SEATS_MAX).contains(ranks))?;
    let first = usize::try_from(*first).ok().filter(|&first| first < 2)?;
    let ai_type = AiType::ALL.into_iter().find(|known| *known as i32 == *ai_type)?;
    let bytes: Vec<u8> = stream.iter().flat_map(|word| word.to_le_bytes()).collect();
    Some(Start { seats: Seats { first, count: ranks - first }, ai_type, stream: bytes.try_into().ok()? })
}

fn word(card: Card) -> i32 {
    i32::try_from(card).expect("there are few cards")
}

fn rank_word(rank: usize) -> i32 {
    i32::try_from(rank).expect("there are few ranks")
}

fn card(word: i32) -> Option<Card> {
    usize::try_from(word).ok().filter(|&card| card < Deck::CLASSIC.len())
}

/// Reads a rank, or the word for none.
fn optional_rank(word: i32, wrong: impl FnOnce() -> Fault) -> Result<Option<usize>, Fault> {
    if word == NO {
        return Ok(None);
    }
    usize::try_from(word).ok().filter(|&rank| rank < SEATS_MAX).map(Some).ok_or_else(wrong)
}

fn triple(words: &[i32]) -> Option<Triple> {
    let words: [i32; 3] = words.try_into().ok()?;
    let [Some(suspect), Some(weapon), Some(room)] = words.map(card) else { return None };
    let cards = [suspect, weapon, room];
    (Deck::CLASSIC.triple(cards) == Some(cards)).then_some(cards)
}
