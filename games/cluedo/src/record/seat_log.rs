//! The games of a match as one seat hears them from a server of lines.

use crate::deck::{CardSet, Deck};
use crate::game::Event;
use crate::line::message::{Answer, Fault, Line};
use crate::line::seat::{Request, Seat};
use crate::record::story::{Act, Ending, Rules, Story};

/// A seat's match: what it knows, and its latest game turn by turn.
///
/// ```
/// use cluedo::line::message::{Answer, Line};
/// use cluedo::record::{SeatLog, Viewer};
///
/// let mut heard = SeatLog::new(0, 3);
/// for line in ["C 0 4 8", "H 1 6 10", "P 2", "C"] {
///     heard.hear(Line::parse(line.as_bytes()).expect("a line"));
/// }
/// assert!(heard.choices().is_empty(), "seat 1 asks, and seat 0 has none of these cards");
/// let story = heard.story.as_ref().expect("a game");
/// assert_eq!((story.turns[0].seat, story.shows(Viewer::Seat(1))), (1, false));
/// ```
#[derive(Clone, Debug)]
pub struct SeatLog {
    pub seat: Seat,
    pub story: Option<Story>,
    /// The request that the server waits for.
    pub request: Option<Request>,
    /// An own accusation that was neither right nor wrong so far.
    accused: Option<[usize; 3]>,
    /// How many games have ended.
    pub ended: u64,
    /// How many of them this seat has won.
    pub wins: u64,
}

impl SeatLog {
    pub fn new(seat: usize, players: usize) -> Self {
        let seat = Seat::new(seat, players);
        Self { seat, story: None, request: None, accused: None, wins: 0, ended: 0 }
    }

    /// Returns whether a game has begun and not ended.
    pub fn is_playing(&self) -> bool {
        self.story.as_ref().is_some_and(|story| story.ending.is_none())
    }

    /// Returns the cards that may be shown now.
    pub fn choices(&self) -> CardSet {
        match self.request {
            Some(Request::Show { named, .. }) => named & self.seat.facts.hand(),
            _ => CardSet::EMPTY,
        }
    }

    /// Returns the answer to a request that leaves no choice.
    pub fn only_answer(&self) -> Option<Answer> {
        let Some(Request::Show { named, .. }) = self.request else { return None };
        self.seat.forced_card(named).or_else(|| self.choices().only()).map(Answer::Show)
    }

    /// Returns the cards of a hypothesis that nobody has reacted to, so that its player is not known yet.
    pub fn pending(&self) -> Option<[usize; 3]> {
        let now = self.seat.hypothesis.filter(|_| self.is_playing())?;
        now.suggester.is_none().then_some(now.named)
    }

    pub fn hear(&mut self, line: Line) {
        let (game, open) = (self.seat.game, self.request);
        let request = self.seat.hear(line);
        if self.seat.game > game {
            self.begin();
        }
        self.request = match line {
            Line::Hand(_) | Line::Won(_) | Line::Error(_) => None,
            _ => request.or(self.request),
        };
        if !self.is_playing() {
            return;
        }
        self.judge(line);
        self.follow();
        match line {
            Line::Won(seat) if seat < self.seat.players() => self.end(Ending::Won(seat)),
            Line::Error(code) if Fault::of_code(code) == Some(Fault::Limit) => self.end(Ending::Nobody),
            Line::Error(code) => {
                if open.is_some() {
                    // Only the one who is asked is waited for.
                    self.note(&Event::Fault { seat: self.seat.me(), code });
                }
                self.end(Ending::Error(code));
            }
            _ => {}
        }
    }

    pub fn says(&mut self, answer: &Answer) {
        self.seat.says(answer);
        self.request = None;
        if let Answer::Accusation(cards) = *answer {
            self.accused = Some(cards);
        }
        self.follow();
    }

    fn begin(&mut self) {
        let players = self.seat.players();
        let name = |seat| if seat == self.seat.me() { "you".to_owned() } else { format!("seat {seat}") };
        let names = (0..players).map(name).collect();
        let mut story = Story::new(Rules::Course, names, Deck::course(players), vec![3; players]);
        story.hands[self.seat.me()] = Some(self.seat.facts.hand());
        story.game = self.seat.game;
        self.story = Some(story);
        self.accused = None;
    }

    /// Takes an event in; what makes no sense is left out.
    fn note(&mut self, event: &Event) {
        if let Some(story) = &mut self.story {
            let _ = story.note(event);
        }
    }

    /// Takes over what the seat has found out: which seats were passed over, which one asks, and the answers.
    fn follow(&mut self) {
        let Some(story) = &mut self.story else { return };
        for event in &self.seat.events {
            let _ = story.note(event);
        }
    }

    /// The next line tells whether the own accusation was right.
    fn judge(&mut self, line: Line) {
        let is_right = match line {
            Line::Won(seat) => seat == self.seat.me(),
            // Too late, it may not have counted.
            Line::Error(code) if Fault::of_code(code) != Some(Fault::Limit) => return,
            _ => false,
        };
        let (Some(accused), Some(story)) = (self.accused.take(), &mut self.story) else { return };
        let mine = story.turns.iter_mut().rev().find(|turn| matches!(turn.act, Act::Accusation { cards: None }));
        if let Some(turn) = mine.filter(|turn| turn.seat == self.seat.me()) {
            turn.act = Act::Accusation { cards: Some((accused, is_right)) };
        }
    }

    fn end(&mut self, ending: Ending) {
        self.ended += 1;
        if let Ending::Won(seat) = ending {
            self.wins += u64::from(seat == self.seat.me());
            // An own accusation is in the table already.
            if seat != self.seat.me() {
                self.note(&Event::Accuse { seat, cards: None, is_right: true });
            }
        }
        if let Some(story) = &mut self.story {
            story.ending = Some(ending);
        }
    }
}
