//! What the person's notebook concludes must be true, and must not miss what is plain.

use cluedo::classic::{Ai, AiType, Deal, Streams, play};
use cluedo::deck::{CardSet, Deck, KINDS};
use cluedo::game::{Asking, Event, Seats};
use cluedo::knowledge::logic::Deductions;
use cluedo::knowledge::seen::Seen;
use cluedo::knowledge::view::{Mark, View};

fn begin(deal: &Deal) -> Seen {
    let sizes = deal.hands().iter().map(|hand| hand.len()).collect();
    Seen::new(Deck::CLASSIC, sizes, 0, 0, deal.hand(0))
}

fn known(seen: &Seen) -> Deductions {
    View::new(&seen.facts).known
}

#[test]
fn every_conclusion_is_true() {
    let (mut located, mut solved) = (0, 0);
    for game in 0..400 {
        let seats = Seats::with_person(2 + (game % 4) as usize);
        let streams = Streams { seed: 6, game };
        let deal = Deal::classic(seats, &mut streams.deal());
        let ai = |rank| Ai::new(AiType::Default, rank, deal.hand(rank), streams.player(rank));
        let mut seen = begin(&deal);
        play(&deal, Asking::Cyclic, &mut seats.ranks().map(ai).collect::<Vec<_>>(), |event| {
            seen.observe(&event.seen_by(0));
            let known = known(&seen);
            for rank in seats.ranks() {
                for card in Deck::CLASSIC.all().iter() {
                    let (mark, truth) = (known.mark(rank, card), deal.hand(rank).contains(card));
                    assert!(mark != Mark::Has || truth, "game {game}: rank {rank} has {card}");
                    assert!(mark != Mark::Lacks || !truth, "game {game}: rank {rank} lacks {card}");
                }
            }
            for (kind, card) in KINDS.into_iter().zip(deal.solution) {
                assert!(known.candidates(kind).contains(card), "game {game}: {card} is the solution");
            }
        });
        let known = known(&seen);
        located += Deck::CLASSIC
            .all()
            .iter()
            .filter(|&card| (1..=seats.last()).any(|rank| known.mark(rank, card) == Mark::Has))
            .count();
        solved += usize::from(known.solution().is_some());
    }
    // More than the cards that were shown to the person: two thirds of the others' cards, on average.
    assert!(located > 400 * 7, "{located} cards are located");
    assert!(solved > 100, "{solved} games are solved");
}

#[test]
fn what_follows_from_passes_and_clauses() {
    let hand: CardSet = [0, 1, 2, 6, 12, 13].into_iter().collect();
    let mut seen = Seen::new(Deck::CLASSIC, vec![6; 3], 0, 0, hand);
    assert_eq!((known(&seen).mark(0, 0), known(&seen).mark(1, 0)), (Mark::Has, Mark::Lacks));
    assert_eq!(known(&seen).mark(1, 3), Mark::Open);
    // AI 1 shows AI 2 one of two cards that the person does not have.
    for event in [
        Event::Suggest { seat: 2, cards: [0, 7, 14] },
        Event::Pass { seat: 0 },
        Event::Show { seat: 1, to: 2, card: None },
    ] {
        seen.observe(&event);
    }
    assert_eq!([7, 14].map(|number| known(&seen).mark(1, number)), [Mark::OneOf; 2]);
    // AI 1 lacks one of them, so it has the other, and AI 2 lacks it.
    for event in [
        Event::Suggest { seat: 0, cards: [3, 7, 12] },
        Event::Pass { seat: 1 },
        Event::Show { seat: 2, to: 0, card: Some(3) },
    ] {
        seen.observe(&event);
    }
    assert_eq!([1, 2].map(|rank| known(&seen).mark(rank, 14)), [Mark::Has, Mark::Lacks]);
    assert_eq!([1, 2].map(|rank| known(&seen).mark(rank, 3)), [Mark::Lacks, Mark::Has]);
    // Nobody has the weapon that nobody shows.
    for event in [
        Event::Suggest { seat: 1, cards: [0, 8, 12] },
        Event::Pass { seat: 2 },
        Event::Show { seat: 0, to: 1, card: Some(0) },
        Event::Suggest { seat: 0, cards: [0, 8, 12] },
        Event::Pass { seat: 1 },
        Event::Pass { seat: 2 },
    ] {
        seen.observe(&event);
    }
    assert_eq!(known(&seen).candidates(1).iter().collect::<Vec<_>>(), [8]);
    // The other weapons are in hands; AI 1 does not have the knife, so AI 2 does.
    assert_eq!(known(&seen).mark(2, 7), Mark::Has);
    let places = ["you", "1", "2", "solution"].map(str::to_owned);
    let text = View::new(&seen.facts).text(&places, |card| format!("card {card}"));
    assert_eq!(text.lines().count(), 1 + 21 + 1);
    assert!(text.lines().any(|line| line == "card 8     -  -  -         x"), "{text}");
}
