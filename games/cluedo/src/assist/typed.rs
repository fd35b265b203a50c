//! Lines that a person types at the helper.

use crate::assist::case::Case;
use crate::assist::entry::{Entry, Fact};
use crate::assist::mistake::Mistake;
use crate::card_names::CardNames;
use crate::deck::{Card, Triple};
use crate::fail::fail_if;
use crate::names;
use crate::record::Answered;

/// The owner's names in lines.
const ME: [&str; 4] = ["me", "i", "you", "moi"];
/// Words between cards that say nothing.
const FILLERS: [&str; 12] = ["the", "in", "with", "and", "of", "a", "by", "dans", "avec", "le", "la", "les"];
const VERBS: [&str; 16] = [
    "suggests", "suggest", "asks", "ask", "accuses", "accuse", "has", "have", "lacks", "lack", "does", "do", "passes",
    "pass", "shows", "show",
];

/// Splits a line into a command, in lower case, and the rest; what happened at the table has no command.
pub fn command<'l>(line: &'l str, case: Option<&Case>) -> (String, &'l str) {
    if case.is_some_and(|case| is_sentence(line, case)) {
        return (String::new(), line);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.to_lowercase(), rest.trim())
}

/// Returns whether a line tells of a player, who may be called like a command.
fn is_sentence(line: &str, case: &Case) -> bool {
    (line.contains(';') || verb_at(line).is_some()) && clause(line, case).is_ok()
}

/// Reads what happened at the table.
pub fn event(line: &str, case: Option<&Case>) -> Result<Entry, Mistake> {
    let word = line.split_whitespace().next().unwrap_or_default();
    match case {
        Some(case) if !is_sentence(line, case) && line.split_whitespace().any(is_solution) => {
            Ok(Entry::Known(fact(line, case)?))
        }
        Some(case) if verb_at(line).is_some() || !players_called(case, word).is_empty() => entry(line, case),
        _ => Err(Mistake::Command(word.to_owned())),
    }
}

/// Returns where the first verb is that follows a name.
fn verb_at(text: &str) -> Option<usize> {
    let mut words = text.split_whitespace().skip(1);
    words.position(|word| VERBS.contains(&word.to_lowercase().as_str())).map(|place| place + 1)
}

/// Returns whether a word stands for the solution, which has what nobody has.
fn is_solution(word: &str) -> bool {
    ["solution", "nobody"].contains(&word.to_lowercase().as_str())
}

/// Reads the players; `me` is the owner. With commas between them, names may have blanks.
pub fn players(text: &str) -> Result<(Vec<String>, Option<usize>), Mistake> {
    let gap: fn(char) -> bool = if text.contains(',') { |letter| letter == ',' } else { char::is_whitespace };
    let name = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ");
    let names: Vec<String> = text.split(gap).map(name).filter(|name| !name.is_empty()).collect();
    let is_me = |name: &String| ME.contains(&name.to_lowercase().as_str());
    let me: Vec<usize> = (0..names.len()).filter(|&place| is_me(&names[place])).collect();
    fail_if(me.len() > 1, Mistake::TwoMe)?;
    for (place, name) in names.iter().enumerate() {
        if names[..place].iter().any(|other| names::plain(other) == names::plain(name)) {
            return Err(Mistake::Twice(name.clone()));
        }
        let is_taken = is_solution(name);
        let is_sentence = name.split(' ').any(|word| VERBS.contains(&word.to_lowercase().as_str()));
        if is_taken || is_sentence || name.chars().count() > 40 || name.contains(';') {
            return Err(Mistake::Name(name.clone()));
        }
    }
    Ok((names, me.first().copied()))
}

pub fn numbers(text: &str) -> Result<Vec<usize>, Mistake> {
    let number = |word: &str| word.parse().ok().filter(|&number| number <= 40);
    let numbers: Option<Vec<usize>> = text.split_whitespace().map(number).collect();
    numbers.ok_or(Mistake::Numbers)
}

pub fn numbered(text: &str) -> Result<(usize, &str), Mistake> {
    let (number, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let number = number.parse().map_err(|_| Mistake::Number)?;
    Ok((number, rest.trim()))
}

fn players_called(case: &Case, text: &str) -> Vec<usize> {
    if let (Some(me), true) = (case.me, ME.contains(&text.to_lowercase().as_str())) {
        return vec![me];
    }
    let players: Vec<(String, usize)> =
        case.names.iter().enumerate().map(|(seat, name)| (names::plain(name), seat)).collect();
    names::find(&players, text)
}

/// Finds a player by the beginning of the name.
fn find_player(case: &Case, text: &str) -> Result<usize, Mistake> {
    let found = players_called(case, text);
    match found[..] {
        [seat] => Ok(seat),
        [] => Err(Mistake::Stranger(text.to_owned(), case.names.clone())),
        _ => {
            let names = found.iter().map(|&seat| case.names[seat].clone()).collect();
            Err(Mistake::SeveralPlayers(text.to_owned(), names))
        }
    }
}

/// Reads cards, between commas or blanks.
pub fn cards(text: &str, card_names: &CardNames) -> Result<Vec<Card>, Mistake> {
    let mut found = Vec::new();
    for part in text.split(',') {
        let words: Vec<&str> = part.split_whitespace().collect();
        let mut place = 0;
        while place < words.len() {
            // The longest run of words that is a name: "lead pipe", "salle de bal".
            let most = (words.len() - place).min(4);
            let is_filler = FILLERS.contains(&words[place].to_lowercase().as_str());
            let run = (if is_filler { 2 } else { 1 }..=most).rev().find_map(|count| {
                let card = card_names.find(&words[place..place + count].join(" "), None).ok()?;
                Some((count, card))
            });
            match run {
                Some((count, card)) => {
                    found.push(card);
                    place += count;
                }
                None if is_filler => place += 1,
                None => {
                    found.push(card_names.find(words[place], None)?);
                    place += 1;
                }
            }
        }
    }
    Ok(found)
}

pub fn one_card(text: &str, card_names: &CardNames) -> Result<Card, Mistake> {
    match cards(text, card_names)?[..] {
        [card] => Ok(card),
        _ => Err(Mistake::OneCard(text.to_owned())),
    }
}

fn triple(text: &str, case: &Case) -> Result<Triple, Mistake> {
    // Three cards of no deck are no triple, either.
    case.sorted(cards(text, &case.card_names)?.try_into().unwrap_or([usize::MAX; 3]))
}

/// Reads "anna suggests plum rope hall; ben passes; carl shows", or another entry.
pub fn entry(text: &str, case: &Case) -> Result<Entry, Mistake> {
    let mut parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    let (by, verb, rest) = clause(parts.next().ok_or(Mistake::NoEvent)?, case)?;
    match verb.as_str() {
        "suggests" | "suggest" | "asks" | "ask" => {
            let cards = triple(&rest, case)?;
            let (mut passed, mut shown) = (Vec::new(), None);
            for part in parts {
                fail_if(shown.is_some(), Mistake::LateAnswer)?;
                shown = answer(part, case, by, &mut passed)?;
            }
            Ok(Entry::Suggestion { by, cards, passed, shown })
        }
        _ if parts.next().is_some() => Err(Mistake::Unasked),
        "accuses" | "accuse" => Ok(Entry::WrongAccusation { by, cards: triple(&rest, case)? }),
        "lacks" | "lack" => Ok(Entry::Known(Fact::elsewhere(one_card(&rest, &case.card_names)?, by))),
        "has" | "have" | "does" | "do" => {
            let negated = ["not have ", "not ", "no "].into_iter().find_map(|word| rest.strip_prefix(word));
            let card = one_card(negated.unwrap_or(&rest), &case.card_names)?;
            Ok(Entry::Known(Fact { card, place: by, is_there: negated.is_none() }))
        }
        _ => Err(Mistake::Verb(verb)),
    }
}

/// Splits "mary ann suggests plum" into a player, a verb and the rest.
fn clause(text: &str, case: &Case) -> Result<(usize, String, String), Mistake> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let verb = verb_at(text).unwrap_or(1).min(words.len());
    let seat = find_player(case, &words[..verb].join(" "))?;
    let rest = words.get(verb + 1..).unwrap_or_default().join(" ");
    Ok((seat, words.get(verb).unwrap_or(&"").to_lowercase(), rest))
}

/// Reads "ben passes", "carl shows", "carl shows me rope" or "nobody shows"; who was skipped has passed.
fn answer(text: &str, case: &Case, by: usize, passed: &mut Vec<usize>) -> Result<Option<Answered>, Mistake> {
    let mut pass_until = |end: Option<usize>| {
        for seat in case.asked(by).take_while(|&seat| Some(seat) != end) {
            if !passed.contains(&seat) {
                passed.push(seat);
            }
        }
    };
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    if ["nobody", "none", "all"].contains(&first.as_str()) {
        pass_until(None);
        return Ok(None);
    }
    let (seat, verb, rest) = clause(text, case)?;
    match verb.as_str() {
        "passes" | "pass" => {
            passed.push(seat);
            Ok(None)
        }
        "shows" | "show" => {
            pass_until(Some(seat));
            let (to, others) = rest.split_once(' ').unwrap_or((&rest, ""));
            let card = match if ME.contains(&to.to_lowercase().as_str()) { others } else { &rest } {
                "" | "a card" | "card" | "one" => None,
                card => Some(one_card(card, &case.card_names)?),
            };
            Ok(Some(Answered { seat, card }))
        }
        _ => Err(Mistake::Answer(text.to_owned())),
    }
}

/// Reads "carl rope", "carl has not rope", "solution rope".
pub fn fact(text: &str, case: &Case) -> Result<Fact, Mistake> {
    let is_one_of = |word: &str, words: &[&str]| words.contains(&word.to_lowercase().as_str());
    let is_not = |word: &str| is_one_of(word, &["not", "no", "lacks"]);
    let says_nothing = |word: &str| is_one_of(word, &["has", "have", "does", "do", "is", "in", "the"]);
    let is_there = !text.split_whitespace().any(is_not);
    let left: Vec<&str> = text.split_whitespace().filter(|word| !is_not(word) && !says_nothing(word)).collect();
    let (place, card) = match &left[..] {
        [first, rest @ ..] if is_solution(first) => (case.solution(), rest.join(" ")),
        [rest @ .., last] if is_solution(last) => (case.solution(), rest.join(" ")),
        [] => (case.solution(), String::new()),
        [first, rest @ ..] => {
            // The name ends where the cards begin.
            let mut names = (1..left.len()).map(|end| (left[..end].join(" "), left[end..].join(" ")));
            let is_fact = |(name, card): &(String, String)| {
                find_player(case, name).is_ok() && one_card(card, &case.card_names).is_ok()
            };
            let (name, card) = names.find(is_fact).unwrap_or_else(|| ((*first).to_owned(), rest.join(" ")));
            (find_player(case, &name)?, card)
        }
    };
    fail_if(card.is_empty(), Mistake::NoFact)?;
    Ok(Fact { card: one_card(&card, &case.card_names)?, place, is_there })
}

/// Returns the line for an entry, as [`event`] reads it.
pub fn line(entry: &Entry, case: &Case) -> String {
    let name = |seat: usize| match case.names.get(seat) {
        _ if case.me == Some(seat) => "me",
        Some(name) => name,
        None => "solution",
    };
    match entry {
        Entry::Suggestion { by, cards, passed, shown } => {
            let mut text = format!("{} suggests {}", name(*by), case.triple(*cards));
            passed.iter().for_each(|&seat| text += &format!("; {} passes", name(seat)));
            if let Some(Answered { seat, card }) = *shown {
                let card = card.map_or_else(String::new, |card| format!(" {}", case.card_names.name(card)));
                text += &format!("; {} shows{card}", name(seat));
            }
            text
        }
        Entry::WrongAccusation { by, cards } => format!("{} accuses {}", name(*by), case.triple(*cards)),
        Entry::Known(fact) => {
            let verb = if fact.is_there { "has" } else { "lacks" };
            format!("{} {verb} {}", name(fact.place), case.card_names.name(fact.card))
        }
    }
}
