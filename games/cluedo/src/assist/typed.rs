//! Lines that a person types at the helper.

use crate::assist::case::Case;
use crate::assist::entry::{Answer, Entry};
use crate::assist::logic::Fact;
use crate::card_names::{CardError, CardNames};
use crate::deck::{Card, CardSet};
use crate::names;

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Nothing: an empty line, or a comment.
    Nothing,
    Help,
    /// The players in order, and which of them the owner is.
    Players(Vec<String>, Option<usize>),
    /// The sizes of all hands.
    Hands(Vec<usize>),
    Hand(CardSet),
    /// Cards that lie open.
    Public(CardSet),
    Add(Entry),
    Change(usize, Entry),
    Delete(usize),
    Undo,
    New,
    Cards,
    /// All entries.
    List,
    /// The grid of cards and players.
    Notes,
    /// Why a fact is so; without one, everything that had to be concluded.
    Why(Option<Fact>),
    /// The best question with these cards, if any.
    Ask(CardSet),
    /// Numbers of deals: of a card, or the likeliest solutions.
    Chances(Option<usize>),
    Save(String),
    Open(String),
    Quit,
}

/// The owner's names in lines.
const ME: [&str; 4] = ["me", "i", "you", "moi"];
/// Words between cards that say nothing.
const FILLERS: [&str; 12] = ["the", "in", "with", "and", "of", "a", "by", "dans", "avec", "le", "la", "les"];
const VERBS: [&str; 16] = [
    "suggests", "suggest", "asks", "ask", "accuses", "accuse", "has", "have", "lacks", "lack", "does", "do", "passes",
    "pass", "shows", "show",
];

/// An error is a sentence for the person.
pub fn parse(line: &str, card_names: &CardNames, case: Option<&Case>) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let need = || case.ok_or_else(|| "first say who plays, in order: players me Anna Ben".to_owned());
    // A player may be called like a command.
    if let Some(case) = case
        && (line.contains(';') || verb_at(line).is_some())
        && clause(line, case).is_ok()
    {
        return entry(line, case).map(Command::Add);
    }
    Ok(match word.to_lowercase().as_str() {
        "" => Command::Nothing,
        _ if word.starts_with('#') => Command::Nothing,
        "help" | "?" => Command::Help,
        "players" => players(rest)?,
        "hands" => Command::Hands(numbers(rest)?),
        "public" => Command::Public(cards(rest, card_names)?.into_iter().collect()),
        "me" | "hand" => Command::Hand(cards(rest, card_names)?.into_iter().collect()),
        "change" => {
            let (number, rest) = numbered(rest)?;
            Command::Change(number, entry(rest, need()?)?)
        }
        "delete" => Command::Delete(numbered(rest)?.0),
        "undo" | "back" => Command::Undo,
        "new" => Command::New,
        "cards" => Command::Cards,
        "list" => Command::List,
        "notes" | "grid" => Command::Notes,
        "why" if rest.is_empty() => Command::Why(None),
        "why" => Command::Why(Some(fact(rest, need()?)?)),
        "ask" => Command::Ask(cards(rest, card_names)?.into_iter().collect()),
        "chances" if rest.is_empty() => Command::Chances(None),
        "chances" => Command::Chances(Some(one_card(rest, card_names)?)),
        "save" if !rest.is_empty() => Command::Save(rest.to_owned()),
        "open" if !rest.is_empty() => Command::Open(rest.to_owned()),
        "save" | "open" => return Err(format!("name a file: {word} game.txt")),
        "quit" | "exit" | "bye" => Command::Quit,
        _ => match case {
            Some(case) if is_solution(word) || line.split_whitespace().any(is_solution) => {
                let Fact { card, place, is_there } = fact(line, case)?;
                Command::Add(if is_there { Entry::Has(place, card) } else { Entry::Lacks(place, card) })
            }
            Some(case) if verb_at(line).is_some() || !players_called(case, word).is_empty() => {
                Command::Add(entry(line, case)?)
            }
            _ => return Err(format!("{word:?} is neither a command nor a player: type help")),
        },
    })
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
fn players(text: &str) -> Result<Command, String> {
    let gap: fn(char) -> bool = if text.contains(',') { |letter| letter == ',' } else { char::is_whitespace };
    let name = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ");
    let names: Vec<String> = text.split(gap).map(name).filter(|name| !name.is_empty()).collect();
    let is_me = |name: &String| ME.contains(&name.to_lowercase().as_str());
    let me: Vec<usize> = (0..names.len()).filter(|&place| is_me(&names[place])).collect();
    if me.len() > 1 {
        return Err("only one of the players can be me".to_owned());
    }
    for (place, name) in names.iter().enumerate() {
        if names[..place].iter().any(|other| names::plain(other) == names::plain(name)) {
            return Err(format!("two players are called {name}"));
        }
        let is_taken = is_solution(name);
        let is_sentence = name.split(' ').any(|word| VERBS.contains(&word.to_lowercase().as_str()));
        if is_taken || is_sentence || name.chars().count() > 40 || name.contains(';') {
            return Err(format!("{name:?} cannot be the name of a player"));
        }
    }
    Ok(Command::Players(names, me.first().copied()))
}

fn numbers(text: &str) -> Result<Vec<usize>, String> {
    let number = |word: &str| word.parse().ok().filter(|&number| number <= 40);
    let numbers: Option<Vec<usize>> = text.split_whitespace().map(number).collect();
    numbers.ok_or_else(|| "type how many cards each player holds, in order: hands 5 5 4 4".to_owned())
}

fn numbered(text: &str) -> Result<(usize, &str), String> {
    let (number, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let number = number.parse().map_err(|_| "type the number of an entry; list shows them".to_owned())?;
    Ok((number, rest.trim()))
}

fn players_called(case: &Case, text: &str) -> Vec<usize> {
    if let (Some(me), true) = (case.me(), ME.contains(&text.to_lowercase().as_str())) {
        return vec![me];
    }
    let players: Vec<(String, usize)> =
        case.names().iter().enumerate().map(|(seat, name)| (names::plain(name), seat)).collect();
    names::find(&players, text)
}

/// Finds a player by the beginning of the name.
fn find_player(case: &Case, text: &str) -> Result<usize, String> {
    let found = players_called(case, text);
    match found[..] {
        [seat] => Ok(seat),
        [] => Err(format!("{text:?} is not a player: they are {}", case.names().join(", "))),
        _ => {
            let names: Vec<&str> = found.iter().map(|&seat| case.names()[seat].as_str()).collect();
            Err(format!("{text:?} may be several players: {}: type more of the name", names.join(", ")))
        }
    }
}

/// Reads cards, between commas or blanks.
fn cards(text: &str, card_names: &CardNames) -> Result<Vec<Card>, String> {
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
                None => return Err(card_names.find(words[place], None).map_or_else(unknown, |_| String::new())),
            }
        }
    }
    Ok(found)
}

fn unknown(error: CardError) -> String {
    let is_unknown = matches!(error, CardError::Unknown(_));
    format!("{error}{}", if is_unknown { "; --deck FILE names other cards" } else { "" })
}

fn one_card(text: &str, card_names: &CardNames) -> Result<Card, String> {
    match cards(text, card_names)?[..] {
        [card] => Ok(card),
        _ => Err(format!("name one card instead of {text:?}")),
    }
}

fn triple(text: &str, case: &Case) -> Result<[usize; 3], String> {
    let found = cards(text, &case.card_names)?;
    let sorted = <[usize; 3]>::try_from(found).ok().and_then(|cards| case.deck().triple(cards));
    let [a, b, c] = &case.card_names.kinds;
    sorted.ok_or_else(|| format!("name one {a}, one {b} and one {c}"))
}

/// Reads "anna suggests plum rope hall; ben passes; carl shows", or another entry.
fn entry(text: &str, case: &Case) -> Result<Entry, String> {
    let mut parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    let first =
        parts.next().ok_or_else(|| "type what happened: anna suggests plum rope hall; ben passes".to_owned())?;
    let (by, verb, rest) = clause(first, case)?;
    match verb.as_str() {
        "suggests" | "suggest" | "asks" | "ask" => {
            let cards = triple(&rest, case)?;
            let mut answers = Vec::new();
            for part in parts {
                answer(part, case, by, &mut answers)?;
            }
            Ok(Entry::Suggestion { by, cards, answers })
        }
        _ if parts.next().is_some() => Err("only a suggestion is answered".to_owned()),
        "accuses" | "accuse" => Ok(Entry::WrongAccusation { by, cards: triple(&rest, case)? }),
        "lacks" | "lack" => Ok(Entry::Lacks(by, one_card(&rest, &case.card_names)?)),
        "has" | "have" | "does" | "do" => {
            let negation = ["not have ", "not ", "no "].into_iter().find_map(|word| rest.strip_prefix(word));
            match negation {
                Some(rest) => Ok(Entry::Lacks(by, one_card(rest, &case.card_names)?)),
                None => Ok(Entry::Has(by, one_card(&rest, &case.card_names)?)),
            }
        }
        _ => Err(format!("{verb:?} is not known: a player suggests, accuses, has or lacks cards")),
    }
}

/// Splits "mary ann suggests plum" into a player, a verb and the rest.
fn clause(text: &str, case: &Case) -> Result<(usize, String, String), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let verb = verb_at(text).unwrap_or(1).min(words.len());
    let seat = find_player(case, &words[..verb].join(" "))?;
    let rest = words.get(verb + 1..).unwrap_or_default().join(" ");
    Ok((seat, words.get(verb).unwrap_or(&"").to_lowercase(), rest))
}

/// Reads "ben passes", "carl shows", "carl shows me rope" or "nobody shows"; who was skipped has passed.
fn answer(text: &str, case: &Case, by: usize, answers: &mut Vec<Answer>) -> Result<(), String> {
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    if ["nobody", "none", "all"].contains(&first.as_str()) {
        pass_until(case, by, None, answers);
        return Ok(());
    }
    let (seat, verb, rest) = clause(text, case)?;
    match verb.as_str() {
        "passes" | "pass" => answers.push(Answer::Passes(seat)),
        "shows" | "show" => {
            pass_until(case, by, Some(seat), answers);
            let words: Vec<&str> = rest.split_whitespace().collect();
            let words = match words.first().map(|word| word.to_lowercase()) {
                Some(to) if ME.contains(&to.as_str()) => &words[1..],
                _ => &words[..],
            };
            let rest = words.join(" ");
            answers.push(match rest.as_str() {
                "" | "a card" | "card" | "one" => Answer::Shows(seat),
                card => Answer::ShowsCard(seat, one_card(card, &case.card_names)?),
            });
        }
        _ => return Err(format!("{text:?} is not an answer: type ben passes, ben shows, or ben shows me rope")),
    }
    Ok(())
}

/// Adds a pass of everybody who is asked before a player and has not answered yet.
fn pass_until(case: &Case, by: usize, end: Option<usize>, answers: &mut Vec<Answer>) {
    for seat in case.asked(by).take_while(|&seat| Some(seat) != end) {
        if !answers.iter().any(|answer| answer.seat() == seat) {
            answers.push(Answer::Passes(seat));
        }
    }
}

/// Reads "carl rope", "carl has not rope", "solution rope".
fn fact(text: &str, case: &Case) -> Result<Fact, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let skip = ["has", "have", "does", "do", "is", "in", "the", "have"];
    let is_there = !words.iter().any(|word| ["not", "no", "lacks"].contains(&word.to_lowercase().as_str()));
    let plain = |word: &&&str| {
        let word = word.to_lowercase();
        !skip.contains(&word.as_str()) && !["not", "no", "lacks"].contains(&word.as_str())
    };
    let left: Vec<&str> = words.iter().filter(plain).copied().collect();
    let usage =
        || "type a player or solution, and a card: why carl rope, why carl not rope, why solution rope".to_owned();
    let (first, rest) = left.split_first().ok_or_else(usage)?;
    // The name ends where the cards begin.
    let mut names = (1..left.len()).map(|end| (left[..end].join(" "), left[end..].join(" ")));
    let found = names.find(|(name, card)| find_player(case, name).is_ok() && one_card(card, &case.card_names).is_ok());
    let (name, card) = found.unwrap_or_else(|| ((*first).to_owned(), rest.join(" ")));
    let (place, card) = match left.last() {
        _ if is_solution(first) => (case.names().len(), rest.join(" ")),
        Some(last) if is_solution(last) => (case.names().len(), left[..left.len() - 1].join(" ")),
        _ => (find_player(case, &name)?, card),
    };
    if card.is_empty() {
        return Err(usage());
    }
    Ok(Fact { card: one_card(&card, &case.card_names)?, place, is_there })
}

/// Returns the line for an entry, as [`parse`] reads it.
pub fn line(entry: &Entry, case: &Case) -> String {
    let name = |seat: usize| match case.names().get(seat) {
        _ if case.me() == Some(seat) => "me",
        Some(name) => name,
        None => "solution",
    };
    let three = |cards: &[usize; 3]| cards.map(|card| case.card_names.name(card)).join(", ");
    match entry {
        Entry::Suggestion { by, cards, answers } => {
            let mut text = format!("{} suggests {}", name(*by), three(cards));
            for answer in answers {
                text += &match *answer {
                    Answer::Passes(seat) => format!("; {} passes", name(seat)),
                    Answer::Shows(seat) => format!("; {} shows", name(seat)),
                    Answer::ShowsCard(seat, card) => format!("; {} shows {}", name(seat), case.card_names.name(card)),
                };
            }
            text
        }
        Entry::WrongAccusation { by, cards } => format!("{} accuses {}", name(*by), three(cards)),
        Entry::Has(seat, card) => format!("{} has {}", name(*seat), case.card_names.name(*card)),
        Entry::Lacks(seat, card) => format!("{} lacks {}", name(*seat), case.card_names.name(*card)),
    }
}
