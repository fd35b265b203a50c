//! Entries and lines that make no sense, in sentences without a full stop.

use thiserror::Error;

use crate::card_names::CardError;

/// Why an entry or a line cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Mistake {
    #[error("{0}{advice}", advice = advice(.0))]
    Card(#[from] CardError),
    #[error("2 to 10 can play: these are {0}")]
    Players(usize),
    #[error("entries name {0}, who would be missing: delete them, or begin another game with new")]
    Missing(String),
    #[error("the hands hold {hold} cards in all, but {dealt} are dealt: type hands and a number for each player")]
    Sizes { hold: usize, dealt: usize },
    #[error("{0} lies open on the table")]
    LiesOpen(String),
    #[error("your hand has {0} cards: type exactly as many")]
    Hand(usize),
    #[error("one {0} is the solution, so not all can lie open")]
    AllOpen(String),
    #[error("a game has at most {0} entries")]
    Full(usize),
    #[error("there is no entry {0}")]
    NoEntry(usize),
    #[error("{0} cannot answer here: everybody but the one who suggests is asked once")]
    Asked(String),
    #[error("{0} was not named")]
    NotNamed(String),
    #[error("name one {}, one {} and one {}", .0[0], .0[1], .0[2])]
    Triple([String; 3]),
    #[error("{0:?} is neither a command nor a player: type help")]
    Command(String),
    #[error("only one of the players can be me")]
    TwoMe,
    #[error("two players are called {0}")]
    Twice(String),
    #[error("{0:?} cannot be the name of a player")]
    Name(String),
    #[error("type how many cards each player holds, in order: hands 5 5 4 4")]
    Numbers,
    #[error("type the number of an entry; list shows them")]
    Number,
    #[error("{0:?} is not a player: they are {players}", players = .1.join(", "))]
    Stranger(String, Vec<String>),
    #[error("{0:?} may be several players: {players}: type more of the name", players = .1.join(", "))]
    SeveralPlayers(String, Vec<String>),
    #[error("name one card instead of {0:?}")]
    OneCard(String),
    #[error("type what happened: anna suggests plum rope hall; ben passes")]
    NoEvent,
    #[error("only the last player who was asked can show a card")]
    LateAnswer,
    #[error("only a suggestion is answered")]
    Unasked,
    #[error("{0:?} is not known: a player suggests, accuses, has or lacks cards")]
    Verb(String),
    #[error("{0:?} is not an answer: type ben passes, ben shows, or ben shows me rope")]
    Answer(String),
    #[error("type a player or solution, and a card: why carl rope, why carl not rope, why solution rope")]
    NoFact,
}

const fn advice(error: &CardError) -> &'static str {
    if matches!(error, CardError::Unknown(_)) { "; --deck FILE names other cards" } else { "" }
}
