//! Cards and their names.

use cluedo::card_names::{CardError, CardNames};
use cluedo::deck::{Card, CardSet, Deck, KINDS};

fn parse(text: &str) -> Result<Card, CardError> {
    CardNames::classic().find(text, None)
}

#[test]
fn every_card_is_found_by_number_and_by_names() {
    let (cards, deck) = (CardNames::classic(), Deck::CLASSIC);
    assert_eq!(cards.deck, deck);
    for card in deck.all().iter() {
        assert_eq!(parse(&card.to_string()), Ok(card));
        for name in cards.names(card) {
            assert_eq!(cards.find(name, Some(deck.kind(card))), Ok(card), "{name}");
            assert_eq!(cards.find(&name.to_uppercase(), Some(deck.kind(card))), Ok(card), "{name}");
        }
    }
    assert_eq!(KINDS.map(|kind| deck.range(kind).len()), [6, 6, 9]);
    assert_eq!(KINDS.iter().fold(CardSet::EMPTY, |all, &kind| all | deck.of_kind(kind)), deck.all());
    assert!(KINDS.iter().all(|&kind| deck.of_kind(kind).iter().eq(deck.range(kind))));
}

#[test]
fn beginnings_and_other_spellings() {
    let cases = [
        ("scar", 0),
        ("Miss scarlet", 0),
        ("rose", 0),
        ("MOUT", 1),
        ("leblanc", 2),
        ("olive", 3),
        ("perv", 4),
        ("Violet", 5),
        ("hangman's knot", 10),
        ("vera", 15),
        ("salle a manger", 13),
        ("dining", 13),
        ("hall", 19),
        ("0007", 7),
        ("prof plum", 5),
        ("Col. Mustard", 1),
        ("rev green", 3),
        ("dining r", 13),
        ("salle manger", 13),
        ("Wrench", 11),
        ("Dagger", 7),
        ("Lead Piping", 8),
        ("Dr. Orchid", 2),
        ("ball room", 14),
        ("billiards", 16),
        ("BIBLIOTHE\u{300}QUE", 17),
    ];
    for (text, number) in cases {
        assert_eq!(parse(text), Ok(number), "{text}");
    }
}

#[test]
fn what_is_not_a_card_is_told_in_one_line() {
    let wrong = |text: &str, kind| CardNames::classic().find(text, kind).expect_err("it is wrong").to_string();
    assert_eq!(wrong("21", None), "there is no card 21: the numbers are 0 to 20");
    assert_eq!(wrong(&"9".repeat(1000), None), format!("there is no card {}: the numbers are 0 to 20", "9".repeat(40)));
    assert_eq!(wrong("6", Some(0)), "Candlestick is a weapon, not a suspect: choose 0 to 5");
    assert_eq!(wrong("xyz", None), "unknown card \"xyz\": type its number or the beginning of its name");
    assert_eq!(wrong("", None), "unknown card \"\": type its number or the beginning of its name");
    assert_eq!(wrong("m", None), "\"m\" may be Miss Scarlett or Colonel Mustard: type more of it, or the number");
    assert!(wrong("-1", None).starts_with("unknown card"));
    assert!(wrong("+1", None).starts_with("unknown card"));
}
