//! What a seat knows, as text for a person.

use std::fmt::Write as _;

use crate::card_names::COURSE_KINDS;
use crate::knowledge::chances::{Chances, Uncounted};
use crate::knowledge::count::{Problem, Weighing};
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::seen::Seen;
use crate::line::seat::Seat;

/// Whether chances are counted too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What follows by rules.
    Rules,
    /// Chances, the number of deals, the likeliest secrets.
    Chances,
}

/// Chances by the cards that were shown, and how many deals are left.
#[derive(Clone, Debug)]
pub struct Counted {
    shown: Chances,
    deals: f64,
}

impl Counted {
    /// Counts.
    ///
    /// # Errors
    /// If no deal agrees with what the seat has seen, or there are too many to count.
    pub fn new(seat: &Seen) -> Result<Self, Uncounted> {
        let known = Deductions::new(&seat.facts, Rules::Further);
        let count = |weighing| Chances::new(Problem::of(&seat.facts, &known, weighing));
        Ok(Self { deals: count(Weighing::Alike)?.total(), shown: count(Weighing::Shown)? })
    }
}

/// Describes what a seat knows.
pub fn describe<P: AsRef<Seen>>(seat: &Seat<P>, detail: Detail) -> String {
    let counted = match detail {
        Detail::Chances => Counted::new(seat).ok(),
        Detail::Rules => None,
    };
    describe_counted(seat, counted.as_ref())
}

/// Describes what a seat knows, with chances if they were counted: each seat's column says `-` has not, `o` is in a set,
/// `?` unknown, `M` has; then `S` secret, `-` not, `?` perhaps.
pub fn describe_counted<P: AsRef<Seen>>(seat: &Seat<P>, counted: Option<&Counted>) -> String {
    let facts = &seat.facts;
    let known = Deductions::new(facts, Rules::Further);
    let marginals = counted.map(|counted| counted.shown.marginals());
    let mut text = format!(
        "game {} turn {}, seat {} of {}, hand {}\n",
        seat.game,
        seat.turn,
        seat.me(),
        seat.players(),
        facts.hand()
    );
    for card in facts.deck.all().iter() {
        let kind = facts.deck.kind(card);
        let _ = write!(text, "{card:3} {:6} |", COURSE_KINDS[kind]);
        for other in 0..seat.players() {
            let mark = match () {
                () if known.has[other].contains(card) => 'M',
                () if known.lacks[other].contains(card) => '-',
                () if known.sets[other].iter().any(|set| set.contains(card)) => 'o',
                () => '?',
            };
            let _ = write!(text, " {mark}");
        }
        let secret = match () {
            () if known.secret.contains(card) => "S ",
            () if known.candidates(kind).contains(card) => "S?",
            () => "- ",
        };
        let _ = write!(text, " | {secret}");
        if let Some(marginals) = &marginals {
            let _ = write!(text, " {:.3}", marginals.secret[card]);
        }
        text.push('\n');
    }
    for (other, sets) in known.sets.iter().enumerate().filter(|(_, sets)| !sets.is_empty()) {
        let sets: Vec<String> = sets.iter().map(|set| format!("{{{set}}}")).collect();
        let _ = writeln!(text, "seat {other} has one of each: {}", sets.join(" "));
    }
    if let Some(Counted { shown, deals }) = counted {
        let _ = writeln!(text, "{deals:.0} deals left");
        for ([a, b, c], chance) in shown.triples().into_iter().flatten().take(5) {
            let _ = writeln!(text, "secret {a} {b} {c}: {chance:.3}");
        }
    }
    text
}
