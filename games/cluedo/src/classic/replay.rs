use amazons_program::hex;
use thiserror::Error;

use crate::card_names::CardNames;
use crate::classic::direct::seen_by_ai;
use crate::classic::random::Streams;
use crate::classic::reasoning::SeatedAi;
use crate::classic::record::{EndLine, Line, RULES, StartLine, VERSION};
use crate::classic::seats::{AiType, SEATS_MAX};
use crate::deal::{Deal, DealError};
use crate::deck::{Card, Deck, KINDS, Triple};
use crate::fail::fail_if;
use crate::game::{Asking, Event, Game, Player as _, RuleError, Seats, Waiting};

/// A record that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}: {what}")]
pub struct Defect {
    /// The line, from 1.
    pub line: usize,
    pub what: String,
}

impl Defect {
    pub fn new(line: usize, what: impl ToString) -> Self {
        Self { line, what: what.to_string() }
    }
}

/// A breach of the rules by a line.
#[derive(Debug, Error)]
enum Wrong {
    #[error("is not a record of version 1 of the classic rules")]
    Version,
    #[error("these seats are not those of a game")]
    Seats,
    #[error("{player:?} cannot have seat {seat}")]
    Player { player: String, seat: usize },
    #[error("the sizes of the hands are wrong")]
    Sizes,
    #[error(transparent)]
    Deal(#[from] DealError),
    #[error("the deal is not the one that the first line commits to")]
    Commitment,
    #[error("seed {0} deals other cards")]
    Seed(u64),
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error("this line does not belong here")]
    Kind,
    #[error("the last line does not have the card that was shown")]
    NotShown,
    #[error("not a suspect, a weapon and a room")]
    Cards,
    #[error("seat {0} knows the solution and must accuse")]
    MustAccuse(usize),
    #[error("seat {0} suggests {card}, which it has excluded", card = name(*.1))]
    Excluded(usize, Card),
    #[error("seat {0} suggests {card}, but others have named another card less often", card = name(*.1))]
    NamedOften(usize, Card),
    #[error("seat {0} accuses of what it cannot know")]
    Accuses(usize),
    #[error("seat {0} cannot leave")]
    Leaves(usize),
    #[error("the game is not over yet")]
    NotOver,
    #[error("the winner is wrong")]
    Winner,
    #[error("more cards were shown than lines tell")]
    Shown,
}

fn name(card: Card) -> &'static str {
    CardNames::classic().name(card)
}

/// The contents of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub seats: Seats,
    pub winner: Option<usize>,
    pub suggestions: usize,
    pub answers: usize,
}

/// Checks a record: the deal, the order of turns and answers, their truth, what AIs may do, and the end.
pub fn replay(record: &str) -> Result<Replayed, Defect> {
    let mut lines = Vec::new();
    for (text, line) in record.lines().zip(1..) {
        let parsed =
            serde_json::from_str(text).map_err(|error| Defect::new(line, format!("is not a line: {error}")))?;
        lines.push(parsed);
    }
    let count = lines.len();
    let [Line::Start(start), events @ .., Line::End(end)] = &lines[..] else {
        return Err(Defect::new(count.max(1), "a record begins with a start and ends with an end"));
    };
    let mut replay =
        Replay::new(start, end).map_err(|(is_end, wrong)| Defect::new(if is_end { count } else { 1 }, wrong))?;
    for (event, line) in events.iter().zip(2..) {
        replay.follow(event).map_err(|wrong| Defect::new(line, wrong))?;
    }
    replay.finish(end).map_err(|wrong| Defect::new(count, wrong))
}

struct Replay {
    deal: Deal,
    game: Game,
    stay: bool,
    /// The AIs, from rank 1 on: they tell what may be suggested, and choose nothing.
    ais: Vec<SeatedAi>,
    shown: std::vec::IntoIter<Card>,
    replayed: Replayed,
}

impl Replay {
    /// Checks the deal; an error tells whether it is about the last line.
    fn new(start: &StartLine, end: &EndLine) -> Result<Self, (bool, Wrong)> {
        let sizes = KINDS.map(|kind| Deck::CLASSIC.range(kind).len());
        fail_if(start.version != VERSION || start.rules != RULES || start.cards != sizes, (false, Wrong::Version))?;
        let first = start.seats.first().map_or(0, |seat| seat.seat);
        let seats = Seats { first, count: start.seats.len() };
        let are_seats = first <= 1 && (2..=SEATS_MAX).contains(&seats.count) && seats.last() < SEATS_MAX;
        fail_if(!are_seats, (false, Wrong::Seats))?;
        let mut types = Vec::new();
        for (rank, seat) in seats.ranks().zip(&start.seats) {
            let ai_type = AiType::ALL.into_iter().find(|known| known.name() == seat.player);
            if seat.seat != rank || (rank == 0) != (seat.player == "person") || (rank > 0 && ai_type.is_none()) {
                return Err((false, Wrong::Player { player: seat.player.clone(), seat: seat.seat }));
            }
            types.extend(ai_type);
        }
        let deal = Deal::new(Deck::CLASSIC, seats, end.secret, end.hands.iter().map(|hand| hand.iter().copied()));
        let deal = deal.map_err(|error| (true, error.into()))?;
        let is_dealt = deal.hands().iter().map(|hand| hand.len()).eq(start.seats.iter().map(|seat| seat.hand));
        fail_if(!is_dealt, (false, Wrong::Sizes))?;
        let streams = Streams { seed: end.seed, game: start.game };
        let salt = streams.bytes("salt");
        fail_if(hex(&salt) != end.salt || deal.commitment(&salt) != start.commitment, (true, Wrong::Commitment))?;
        fail_if(Deal::classic(seats, &mut streams.deal()) != deal, (true, Wrong::Seed(end.seed)))?;
        let ai = |(&ai_type, rank): (&AiType, usize)| {
            SeatedAi::new(seats, rank, ai_type, deal.hand(rank), streams.player(rank))
        };
        let ais = types.iter().zip(1..).map(ai).collect();
        let game = Game::new(seats, first, Asking::Cyclic, usize::MAX);
        let replayed = Replayed { seats, winner: end.winner, suggestions: 0, answers: 0 };
        Ok(Self { deal, game, stay: start.stay, ais, shown: end.shown.clone().into_iter(), replayed })
    }

    fn follow(&mut self, line: &Line) -> Result<(), Wrong> {
        let to = match self.game.waiting() {
            Waiting::Answer { to, .. } => to,
            Waiting::Turn { seat } => seat,
            Waiting::Over { .. } => return Err(RuleError::Over.into()),
        };
        let mut event = line.event(to).ok_or(Wrong::Kind)?;
        if let Event::Show { card, .. } = &mut event {
            *card = Some(self.shown.next().ok_or(Wrong::NotShown)?);
        }
        if let Event::Suggest { cards, .. } | Event::Accuse { cards: Some(cards), .. } = event
            && Deck::CLASSIC.triple(cards) != Some(cards)
        {
            return Err(Wrong::Cards);
        }
        let follows = self.game.judge(&event, &self.deal)?;
        match event {
            Event::Suggest { seat, cards } => {
                self.replayed.suggestions += 1;
                if let Some(ai) = seat.checked_sub(1).map(|index| &self.ais[index]) {
                    check_suggestion(seat, ai, cards)?;
                }
            }
            Event::Accuse { seat: 0, is_right: false, .. } if !self.stay => self.game.stop(),
            Event::Accuse { seat: seat @ 1.., cards, .. } if self.ais[seat - 1].accusation() != cards => {
                return Err(Wrong::Accuses(seat));
            }
            Event::Leave { seat } if !self.deal.seats.has_person() || seat > 0 => return Err(Wrong::Leaves(seat)),
            Event::Pass { .. } | Event::Show { .. } => self.replayed.answers += 1,
            _ => {}
        }
        for event in std::iter::once(event).chain(follows) {
            for (ai, rank) in self.ais.iter_mut().zip(1..) {
                ai.observe(&seen_by_ai(event, rank));
            }
        }
        Ok(())
    }

    fn finish(mut self, end: &EndLine) -> Result<Replayed, Wrong> {
        match self.game.waiting() {
            Waiting::Turn { .. } | Waiting::Answer { .. } => Err(Wrong::NotOver),
            Waiting::Over { winner } if winner != end.winner => Err(Wrong::Winner),
            Waiting::Over { .. } if self.shown.next().is_some() => Err(Wrong::Shown),
            Waiting::Over { .. } => Ok(self.replayed),
        }
    }
}

fn check_suggestion(seat: usize, ai: &SeatedAi, cards: Triple) -> Result<(), Wrong> {
    fail_if(ai.accusation().is_some(), Wrong::MustAccuse(seat))?;
    let forbidden = |&card: &Card| !ai.candidates(Deck::CLASSIC.kind(card)).contains(card);
    let wrong: fn(usize, Card) -> Wrong = match ai {
        SeatedAi::Plain(plain) => {
            if let Some(card) = cards.into_iter().find(|&card| !plain.unknown().contains(card)) {
                return Err(Wrong::Excluded(seat, card));
            }
            Wrong::NamedOften
        }
        SeatedAi::Reasoning(_) => Wrong::Excluded,
    };
    cards.into_iter().find(forbidden).map_or(Ok(()), |card| Err(wrong(seat, card)))
}
