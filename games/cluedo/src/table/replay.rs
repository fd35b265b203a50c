use thiserror::Error;

use crate::card_names::CardNames;
use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::table::ai::Strategy as _;
use crate::table::deal::Deal;
use crate::table::event::Event;
use crate::table::player::next_player;
use crate::table::random::Streams;
use crate::table::reasoning::SeatedAi;
use crate::table::record::{EndLine, Line, RULES, StartLine, VERSION, hex};
use crate::table::seats::{AiType, Asking, SEATS_MAX, Seats};

/// A record that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}: {what}")]
pub struct Defect {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// What a record tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Who plays.
    pub seats: Seats,
    /// Who won.
    pub winner: Option<usize>,
    /// How many suggestions were made.
    pub suggestions: usize,
    /// How many answers were given.
    pub answers: usize,
}

/// Checks a record: the deal, the order of turns and answers, their truth, what AIs may do, and the end.
///
/// # Errors
/// The first thing that is wrong.
pub fn replay(record: &str) -> Result<Replayed, Defect> {
    let mut lines = Vec::new();
    for (text, line) in record.lines().zip(1..) {
        let parsed = serde_json::from_str(text).map_err(|error| defect(line, format!("is not a line: {error}")))?;
        lines.push(parsed);
    }
    let count = lines.len();
    let [Line::Start(start), events @ .., Line::End(end)] = &lines[..] else {
        return Err(defect(count.max(1), "a record begins with a start and ends with an end"));
    };
    let mut game = Game::new(start, end).map_err(|(is_end, what)| defect(if is_end { count } else { 1 }, what))?;
    for (event, line) in events.iter().zip(2..) {
        game.follow(event).map_err(|what| defect(line, what))?;
    }
    game.finish(end).map_err(|what| defect(count, what))
}

fn defect(line: usize, what: impl Into<String>) -> Defect {
    Defect { line, what: what.into() }
}

struct Game {
    deal: Deal,
    stay: bool,
    /// The AIs, from rank 1 on: they tell what may be suggested, and choose nothing.
    ais: Vec<SeatedAi>,
    is_out: [bool; SEATS_MAX],
    /// Whose turn it is.
    active: usize,
    open: Option<Open>,
    shown: Vec<Card>,
    ended: Option<Option<usize>>,
    replayed: Replayed,
}

/// A suggestion that is being answered.
struct Open {
    cards: Triple,
    /// Who is still to be asked.
    asked: Vec<usize>,
}

impl Game {
    /// Checks the deal; an error tells whether it is about the last line.
    fn new(start: &StartLine, end: &EndLine) -> Result<Self, (bool, String)> {
        let in_start = |what: &str| (false, what.to_owned());
        if start.version != VERSION
            || start.rules != RULES
            || start.cards != KINDS.map(|kind| Deck::CLASSIC.range(kind).len())
        {
            return Err(in_start("is not a record of version 1 of the classic rules"));
        }
        let first = start.seats.first().map_or(0, |seat| seat.seat);
        let seats = Seats { first, count: start.seats.len() };
        if first > 1 || !(2..=SEATS_MAX).contains(&seats.count) || seats.last() >= SEATS_MAX {
            return Err(in_start("these seats are not those of a game"));
        }
        let mut types = Vec::new();
        for (rank, seat) in seats.ranks().zip(&start.seats) {
            let ai_type = AiType::ALL.into_iter().find(|known| known.name() == seat.player);
            if seat.seat != rank || (rank == 0) != (seat.player == "person") || (rank > 0 && ai_type.is_none()) {
                return Err((false, format!("{:?} cannot have seat {}", seat.player, seat.seat)));
            }
            types.extend(ai_type);
        }
        let cards = |numbers: &[Card]| numbers.iter().map(|&number| card(number)).collect::<Result<CardSet, _>>();
        let hands =
            end.hands.iter().map(|hand| cards(hand)).collect::<Result<Vec<_>, _>>().map_err(|what| (true, what))?;
        let deal =
            triple(end.secret).and_then(|secret| Deal::new(seats, secret, &hands)).map_err(|what| (true, what))?;
        if !deal.hands().iter().map(|hand| hand.len()).eq(start.seats.iter().map(|seat| seat.hand)) {
            return Err(in_start("the sizes of the hands are wrong"));
        }
        let streams = Streams { seed: end.seed, game: start.game };
        let salt = streams.bytes("salt");
        if hex(&salt) != end.salt || hex(&deal.commitment(&salt)) != start.commitment {
            return Err((true, "the deal is not the one that the first line commits to".to_owned()));
        }
        if Deal::random(seats, &mut streams.deal()) != deal {
            return Err((true, format!("seed {} deals other cards", end.seed)));
        }
        let ai = |(&ai_type, rank): (&AiType, usize)| {
            SeatedAi::new(seats, rank, ai_type, deal.hand(rank), streams.player(rank))
        };
        let ais = types.iter().zip(1..).map(ai).collect();
        let shown = end.shown.iter().map(|&number| card(number)).collect::<Result<Vec<_>, _>>();
        let shown = shown.map_err(|what| (true, what))?.into_iter().rev().collect();
        let replayed = Replayed { seats, winner: end.winner, suggestions: 0, answers: 0 };
        let (is_out, stay) = ([false; SEATS_MAX], start.stay);
        Ok(Self { deal, stay, ais, is_out, active: first, open: None, shown, ended: None, replayed })
    }

    fn follow(&mut self, line: &Line) -> Result<(), String> {
        if self.ended.is_some() {
            return Err("the game is over already".to_owned());
        }
        match *line {
            Line::Hypothesis { seat, cards } => self.suggest(seat, triple(cards)?),
            Line::Pass { seat } => self.answer(seat, false),
            Line::Show { seat } => self.answer(seat, true),
            Line::Accuse { seat, cards, right } => self.accuse(seat, triple(cards)?, right),
            Line::Leave { seat: 0 } if self.deal.seats.has_person() => {
                self.ended = Some(None);
                Ok(())
            }
            Line::Leave { seat } => Err(format!("seat {seat} cannot leave")),
            Line::Start(_) | Line::End(_) => Err("this line does not belong here".to_owned()),
        }
    }

    fn check_turn(&self, seat: usize) -> Result<(), String> {
        if self.open.is_some() {
            return Err("the last suggestion is not answered yet".to_owned());
        }
        if seat != self.active {
            return Err(format!("it is the turn of seat {}, not {seat}", self.active));
        }
        Ok(())
    }

    fn suggest(&mut self, seat: usize, cards: Triple) -> Result<(), String> {
        self.check_turn(seat)?;
        if let Some(ai) = seat.checked_sub(1).and_then(|index| self.ais.get(index)) {
            check_suggestion(ai, cards).map_err(|what| format!("seat {seat} {what}"))?;
        }
        self.hear(seat, cards);
        self.observe(&Event::Suggest { rank: seat, cards });
        self.replayed.suggestions += 1;
        self.open = Some(Open { cards, asked: self.deal.seats.asked(seat, Asking::Cyclic).collect() });
        Ok(())
    }

    fn answer(&mut self, seat: usize, shows: bool) -> Result<(), String> {
        let Some(open) = &mut self.open else { return Err("nobody has suggested anything".to_owned()) };
        if open.asked.first() != Some(&seat) {
            return Err(format!("seat {} must answer, not {seat}", open.asked[0]));
        }
        open.asked.remove(0);
        let is_last = open.asked.is_empty();
        let cards = open.cards;
        self.replayed.answers += 1;
        let held = self.deal.hand(seat) & CardSet::of(cards);
        if shows {
            let card = self.shown.pop().ok_or("the last line does not have the card that was shown")?;
            if !held.contains(card) {
                return Err(format!("seat {seat} cannot show {card}"));
            }
            self.observe(&Event::Show { rank: seat, card: Some(card) });
            if let Some(ai) = self.own() {
                ai.see(card);
            }
        } else {
            if let Some(card) = held.first() {
                return Err(format!("seat {seat} passes, but has {card}"));
            }
            self.observe(&Event::Pass { rank: seat });
            if !is_last {
                return Ok(());
            }
            if let Some(ai) = self.own() {
                ai.unrefuted(cards);
            }
        }
        self.open = None;
        self.next_turn();
        Ok(())
    }

    fn accuse(&mut self, seat: usize, cards: Triple, right: bool) -> Result<(), String> {
        self.check_turn(seat)?;
        if right != (cards == self.deal.solution) {
            return Err("the accusation is judged wrongly".to_owned());
        }
        if seat > 0 {
            if self.ais[seat - 1].accusation() != Some(cards) {
                return Err(format!("seat {seat} accuses of what it cannot know"));
            }
            self.hear(seat, cards);
            self.observe(&Event::Accuse { rank: seat, cards, is_right: right });
        }
        if right {
            self.ended = Some(Some(seat));
        } else if seat == 0 && !self.stay {
            self.ended = Some(None);
        } else {
            self.is_out[seat] = true;
            self.ais.iter_mut().for_each(|ai| ai.loses(seat));
            self.next_turn();
        }
        Ok(())
    }

    fn hear(&mut self, from: usize, cards: Triple) {
        for (ai, rank) in self.ais.iter_mut().zip(1..) {
            if rank != from {
                ai.hear(cards);
            }
        }
    }

    /// Tells the AIs what all hear; a card that is shown, only the active one.
    fn observe(&mut self, event: &Event) {
        for (ai, rank) in self.ais.iter_mut().zip(1..) {
            match *event {
                Event::Show { rank: shower, .. } if rank != self.active => {
                    ai.observe(&Event::Show { rank: shower, card: None });
                }
                event => ai.observe(&event),
            }
        }
    }

    /// The AI whose turn it is.
    fn own(&mut self) -> Option<&mut SeatedAi> {
        self.active.checked_sub(1).and_then(|index| self.ais.get_mut(index))
    }

    fn next_turn(&mut self) {
        match next_player(self.deal.seats, self.is_out, self.active) {
            Some(next) => self.active = next,
            None => self.ended = Some(None),
        }
    }

    fn finish(self, end: &EndLine) -> Result<Replayed, String> {
        match self.ended {
            None => Err("the game is not over yet".to_owned()),
            Some(winner) if winner != end.winner => Err("the winner is wrong".to_owned()),
            Some(_) if !self.shown.is_empty() => Err("more cards were shown than lines tell".to_owned()),
            Some(_) => Ok(self.replayed),
        }
    }
}

/// Checks that an AI may suggest these cards.
fn check_suggestion(ai: &SeatedAi, cards: Triple) -> Result<(), String> {
    if ai.accusation().is_some() {
        return Err("knows the solution and must accuse".to_owned());
    }
    let forbidden = |&card: &Card| !ai.candidates(Deck::CLASSIC.kind(card)).contains(card);
    let name = |card| CardNames::classic().name(card);
    let why = match ai {
        SeatedAi::Plain(plain) => {
            if let Some(card) = cards.into_iter().find(|&card| !plain.unknown().contains(card)) {
                return Err(format!("suggests {}, which it has excluded", name(card)));
            }
            "but others have named another card less often"
        }
        SeatedAi::Reasoning(_) => "which it has excluded",
    };
    match cards.into_iter().find(forbidden) {
        Some(card) => Err(format!("suggests {}, {why}", name(card))),
        None => Ok(()),
    }
}

fn card(card: Card) -> Result<Card, String> {
    if card < Deck::CLASSIC.len() { Ok(card) } else { Err(format!("there is no card {card}")) }
}

fn triple(cards: Triple) -> Result<Triple, String> {
    cards.into_iter().try_for_each(|number| card(number).map(drop))?;
    let is_sorted = Deck::CLASSIC.triple(cards) == Some(cards);
    is_sorted.then_some(cards).ok_or_else(|| "not a suspect, a weapon and a room".to_owned())
}
