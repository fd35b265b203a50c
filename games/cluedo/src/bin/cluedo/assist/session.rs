//! A game that a person tells the helper, line by line.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, io};

use amazons_program::TextTable;
use amazons_program::files::read_file;
use cluedo::assist::case::{Case, Chances};
use cluedo::assist::entry::{Fact, Rule};
use cluedo::assist::mistake::Mistake;
use cluedo::assist::proof::{explain, sources, support};
use cluedo::assist::typed;
use cluedo::assist::words::{capital, grouped, uncapital};
use cluedo::card_names::CardNames;
use cluedo::deck::{Card, CardSet};
use cluedo::knowledge::chances::Uncounted;
use thiserror::Error;

use super::keep;

pub(super) struct Session {
    deck: CardNames,
    deck_name: String,
    case: Option<Case>,
    /// The changes, each with the game before it.
    past: Vec<(String, Option<Case>)>,
    /// The facts certain after the last line.
    known: Vec<Fact>,
    /// The game as lines, while no file has it.
    pub(super) unsaved: Unsaved,
}

/// The entries to keep if the helper ended now.
pub(super) type Unsaved = Arc<Mutex<Option<String>>>;

/// Why a line has no answer: a sentence without a full stop.
#[derive(Debug, Error)]
enum Refused {
    #[error(transparent)]
    Mistake(#[from] Mistake),
    #[error("first say who plays, in order: players me Anna Ben")]
    NoPlayers,
    #[error("you only watch: name yourself me among the players")]
    OnlyWatches,
    #[error("there is nothing to take back")]
    NothingDone,
    #[error(transparent)]
    Uncounted(#[from] Uncounted),
    #[error("{entries} {verb}:\n  {steps}\nChange or delete one of them", steps = .steps.join("\n  "))]
    Contradiction { entries: String, verb: &'static str, steps: Vec<String> },
    #[error("name a file: {0} game.txt")]
    NoFile(String),
    #[error("cannot write {0}: {1}")]
    Write(String, io::Error),
    #[error("{0}: {1}")]
    Read(String, io::Error),
    #[error("{file}, line {line}: {wrong}")]
    Line { file: String, line: usize, wrong: Box<Self> },
    #[error("a file cannot save or open another")]
    Nested,
    #[error("{0} has no line with the players")]
    NoPlayersIn(String),
}

/// An answer of several lines.
type Answer = Result<String, Refused>;

/// The number of likeliest solutions that are shown.
const SHOWN: usize = 5;
/// A file with a game has at most this many bytes.
const MAX_FILE_LEN: u64 = 1 << 20;

pub(super) const WELCOME: &str = "Type what happens at your table; help lists what you can type. First say who plays, \
in order, with\nyourself as me: players me Anna Ben Carl";

const HELP: &str = "\
Before the game:
  players me Anna Ben Carl       who plays, in the order of turns; without me you only watch; again to correct it
  players me, Mary Ann, Tom      with commas, names may have blanks
  hands 5 5 4 4                  how many cards each holds, if they are not dealt one by one from the first player on
  public hall                    cards that lie open for all
  me plum rope kitchen study     your hand
What happens, in any order:
  anna suggests plum rope hall; ben passes; carl shows
  me suggests plum rope hall; ben shows me rope        (or: nobody shows)
  ben accuses plum rope hall     an accusation that was wrong
  carl has rope, carl lacks rope what you know otherwise
  nobody has rope, solution has rope, solution lacks rope
  change 3 ben suggests ..., delete 3, list
  undo                           take back the last entry or change; new: another game
What follows:
  notes                          every card and player: yes, -, or the chance in percent
  why                            all that had to be concluded, and from which entries
  why carl rope, why carl not rope, why solution hall
  ask, ask hall                  the suggestion that tells most; with the room that you are in
  chances, chances rope          the likeliest solutions; where a card may be
  save game.txt, open game.txt, quit
Cards go by the beginnings of words of their names, English or French, or by their numbers; cards lists them.";

impl Session {
    pub(super) fn new(deck: CardNames, deck_name: String) -> Self {
        Self { deck, deck_name, case: None, past: Vec::new(), known: Vec::new(), unsaved: Arc::default() }
    }

    /// Answers a line; nothing if the person leaves.
    pub(super) fn line(&mut self, line: &str) -> Option<String> {
        let line = line.trim();
        let (word, rest) = typed::command(line, self.case.as_ref());
        if matches!(&*word, "quit" | "exit" | "bye") {
            return None;
        }
        let is_empty = line.is_empty() || line.starts_with('#');
        Some(if is_empty { String::new() } else { self.answer(&word, rest, line).unwrap_or_else(sentence) })
    }

    /// Returns what happened, in sentences.
    pub(super) fn entries(&self) -> Vec<String> {
        let entries = self.case.iter().flat_map(|case| case.entries.iter().map(|entry| case.sentence(entry) + "."));
        entries.collect()
    }

    /// Returns the grid, a row of titles first; nothing without a count.
    pub(super) fn grid(&self) -> Option<Vec<Vec<String>>> {
        let case = self.case.as_ref()?;
        Some(grid(case, &case.chances().ok()?))
    }

    fn answer(&mut self, word: &str, rest: &str, line: &str) -> Answer {
        let case = || self.case.as_ref().ok_or(Refused::NoPlayers);
        match word {
            "help" | "?" => Ok(HELP.to_owned()),
            "cards" => Ok(cards(&self.deck)),
            "list" => Ok(list(case()?)),
            "notes" | "grid" => notes(case()?),
            "why" if rest.is_empty() => why(case()?, None),
            "why" => why(case()?, Some(typed::fact(rest, case()?)?)),
            "ask" => ask(case()?, typed::cards(rest, &self.deck)?.into_iter().collect()),
            "chances" if rest.is_empty() => solutions(case()?),
            "chances" => places(case()?, typed::one_card(rest, &self.deck)?),
            "save" | "open" if rest.is_empty() => Err(Refused::NoFile(word.to_owned())),
            "save" => self.save(rest),
            "open" => Ok(self.open(rest).unwrap_or_else(|wrong| format!("{wrong}."))),
            _ => {
                let said = self.change(word, rest, line)?;
                Ok(self.with_news(said))
            }
        }
    }

    /// Changes the game; returns what was understood.
    fn change(&mut self, word: &str, rest: &str, line: &str) -> Answer {
        let said = if matches!(word, "undo" | "back") {
            let (undone, before) = self.past.pop().ok_or(Refused::NothingDone)?;
            self.case = before;
            format!("Taken back: {undone}")
        } else {
            let before = self.case.clone();
            let said = self.change_case(word, rest, line)?;
            self.past.push((said.clone(), before));
            said
        };
        let is_worth = |case: &&Case| case.hand.is_some() || !case.entries.is_empty() || !case.public.is_empty();
        self.set_unsaved(self.case.as_ref().filter(is_worth).map(|case| self.text(case)));
        Ok(said)
    }

    fn set_unsaved(&self, text: Option<String>) {
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    fn change_case(&mut self, word: &str, rest: &str, line: &str) -> Answer {
        if word == "players" {
            let (names, me) = typed::players(rest)?;
            let case = match &self.case {
                None => Case::new(self.deck.clone(), names, me)?,
                Some(case) => case.with_players(names, me)?,
            };
            let kept = if case.entries.is_empty() { "" } else { " All entries are kept." };
            let said = sizes(&case) + kept;
            self.case = Some(case);
            return Ok(said);
        }
        if word == "new" {
            self.case.take().ok_or(Refused::NoPlayers)?;
            keep(&self.unsaved, &self.deck_name);
            return Ok("A new game; undo brings the one before back.".to_owned());
        }
        if !matches!(word, "hands" | "public" | "me" | "hand" | "change" | "delete") {
            let entry = typed::event(line, self.case.as_ref())?;
            let case = self.case.as_mut().ok_or(Refused::NoPlayers)?;
            let number = case.add(entry.clone())?;
            return Ok(format!("{number}. {}.", case.sentence(&entry)));
        }
        let case = self.case.as_mut().ok_or(Refused::NoPlayers)?;
        let had_hand = case.hand.is_some();
        let again = |case: &Case| if had_hand && case.hand.is_none() { " Type your hand again." } else { "" };
        match word {
            "hands" => {
                case.set_sizes(typed::numbers(rest)?)?;
                Ok(sizes(case) + again(case))
            }
            "public" => {
                let cards: CardSet = typed::cards(rest, &self.deck)?.into_iter().collect();
                case.set_public(cards)?;
                let open = match cards.len() {
                    0 => "no card lies".to_owned(),
                    1 => case.cards(cards, "and") + " lies",
                    _ => case.cards(cards, "and") + " lie",
                };
                Ok(format!("{} open for all. {}{}", capital(&open), sizes(case), again(case)))
            }
            "change" => {
                let (number, rest) = typed::numbered(rest)?;
                let entry = typed::entry(rest, case)?;
                case.change(number, entry.clone())?;
                Ok(format!("{number}. {}.", case.sentence(&entry)))
            }
            "delete" => {
                let entry = case.delete(typed::numbered(rest)?.0)?;
                Ok(format!("Deleted: {}. Later entries move up.", case.sentence(&entry)))
            }
            _ => {
                let hand = typed::cards(rest, &self.deck)?.into_iter().collect();
                case.me.ok_or(Refused::OnlyWatches)?;
                case.set_hand(hand)?;
                Ok(format!("You hold {}.", case.cards(hand, "and")))
            }
        }
    }

    /// Adds the facts that are newly certain, and the number of remaining deals.
    fn with_news(&mut self, mut said: String) -> String {
        let Some(case) = &self.case else { return said };
        let before = std::mem::take(&mut self.known);
        let news = match count(case) {
            Ok(chances) => {
                self.known = chances.located();
                let new = self.known.iter().filter(|fact| !before.contains(fact) && !is_plain(case, **fact));
                for (fact, found) in new.filter_map(|&fact| Some((fact, support(case, Some(fact))?))) {
                    said += &format!("\n{}, because of {}.", case.fact(fact), case.sources(&sources(&found)));
                }
                left(&chances)
            }
            Err(wrong) => sentence(wrong),
        };
        said + "\n" + &news
    }

    fn save(&self, file: &str) -> Answer {
        let case = self.case.as_ref().ok_or(Refused::NoPlayers)?;
        fs::write(file, self.text(case)).map_err(|error| Refused::Write(file.to_owned(), error))?;
        self.set_unsaved(None);
        Ok(format!("Saved as {file}."))
    }

    /// Returns a game as lines that lead to it.
    fn text(&self, case: &Case) -> String {
        let name = |seat: usize| if case.me == Some(seat) { "me" } else { &case.names[seat] };
        let names: Vec<&str> = (0..case.names.len()).map(name).collect();
        let gap = if names.iter().any(|name| name.contains(' ')) { ", " } else { " " };
        let sizes: Vec<String> = case.sizes.iter().map(usize::to_string).collect();
        let cards = |word: &str, cards: CardSet| format!("{word} {}", case.card_names.list(cards.iter()));
        let mut lines =
            vec![format!("# cluedo assist --deck {}", self.deck_name), format!("players {}", names.join(gap))];
        lines.extend(Some(case.public).filter(|public| !public.is_empty()).map(|public| cards("public", public)));
        lines.push(format!("hands {}", sizes.join(" ")));
        lines.extend(case.hand.map(|hand| cards("me", hand)));
        lines.extend(case.entries.iter().map(|entry| typed::line(entry, case)));
        lines.join("\n") + "\n"
    }

    /// Reads a game; the one before stays if the file is wrong, and comes back with undo.
    fn open(&mut self, file: &str) -> Answer {
        let mut fresh = Self::new(self.deck.clone(), self.deck_name.clone());
        let text = read_file(Path::new(file), MAX_FILE_LEN).map_err(|error| Refused::Read(file.to_owned(), error))?;
        for (text, line) in text.lines().map(str::trim).zip(1..) {
            let (word, rest) = typed::command(text, fresh.case.as_ref());
            let done = match &*word {
                "help" | "?" | "cards" | "list" | "notes" | "grid" | "why" | "ask" | "chances" | "quit" => continue,
                _ if text.is_empty() || text.starts_with('#') => continue,
                "save" | "open" => Err(Refused::Nested),
                _ => fresh.change(&word, rest, text),
            };
            done.map_err(|wrong| Refused::Line { file: file.to_owned(), line, wrong: wrong.into() })?;
        }
        let case = fresh.case.ok_or_else(|| Refused::NoPlayersIn(file.to_owned()))?;
        let mut said = sizes(&case) + "\n" + &list(&case);
        self.known.clear();
        keep(&self.unsaved, &self.deck_name);
        let before = self.case.replace(case);
        if before.is_some() {
            said += "\nThe game before is put away: undo brings it back.";
        }
        self.past.push((format!("{file} was opened."), before));
        Ok(self.with_news(said))
    }
}

fn sentence(wrong: Refused) -> String {
    capital(&wrong.to_string()) + "."
}

/// Returns whether a fact is known without a conclusion: an own card, or one that an entry names alone.
fn is_plain(case: &Case, fact: Fact) -> bool {
    let says = |rule: &Rule| matches!(rule, Rule::Has(seat, cards) if *seat == fact.place && cards.contains(fact.card));
    case.rules().iter().any(says)
}

fn sizes(case: &Case) -> String {
    let hands = case.sizes.iter().enumerate().map(|(seat, size)| format!("{} {size}", case.who(seat)));
    format!("Cards in hand: {}.", hands.collect::<Vec<_>>().join(", "))
}

fn cards(deck: &CardNames) -> String {
    let card = |card: Card| format!("{card} {}", deck.name(card));
    let names = |kind| deck.deck.range(kind).map(card).collect::<Vec<_>>().join(", ");
    let kinds = deck.kinds.iter().enumerate().map(|(kind, name)| format!("{}: {}", capital(name), names(kind)));
    kinds.collect::<Vec<_>>().join("\n")
}

fn left(chances: &Chances) -> String {
    let total = chances.deals.total();
    if total < 1.5 { "One deal is left.".to_owned() } else { format!("{} deals are left.", grouped(total)) }
}

fn list(case: &Case) -> String {
    let hand = case.hand.map(|hand| format!("You hold {}.", case.cards(hand, "and")));
    let public = Some(case.public).filter(|public| !public.is_empty());
    let public = public.map(|public| format!("Open for all: {}.", case.cards(public, "and")));
    let entries = case.entries.iter().zip(1..).map(|(entry, number)| format!("{number}. {}.", case.sentence(entry)));
    hand.into_iter().chain(public).chain(entries).collect::<Vec<_>>().join("\n")
}

/// Counts; if the entries contradict each other, says which.
fn count(case: &Case) -> Result<Chances, Refused> {
    case.chances().map_err(|why| match (why, support(case, None)) {
        (Uncounted::NoDeal, Some(found)) => {
            let sources = sources(&found);
            let verb = if sources.len() == 1 { "contradicts the rules" } else { "contradict each other" };
            Refused::Contradiction { entries: case.sources(&sources), verb, steps: explain(case, None, &found) }
        }
        _ => why.into(),
    })
}

/// Returns the grid: a row of titles, then one for each card.
fn grid(case: &Case, chances: &Chances) -> Vec<Vec<String>> {
    let seats = (0..case.names.len()).map(|seat| case.who(seat));
    let mut rows = vec![["card"].into_iter().chain(seats).chain(["solution"]).map(str::to_owned).collect()];
    for card in (case.deck().all() - case.public).iter() {
        let cell = |place: usize| match chances.fact(card, place) {
            Some(fact) => if fact.is_there { "yes" } else { "-" }.to_owned(),
            None => percent(chances.places[place][card]),
        };
        let name = case.card_names.name(card).to_owned();
        rows.push([name].into_iter().chain((0..=case.solution()).map(cell)).collect());
    }
    rows
}

fn notes(case: &Case) -> Answer {
    let chances = count(case)?;
    let mut rows = grid(case, &chances).into_iter();
    let mut table = TextTable::of_names(rows.next().unwrap_or_default());
    rows.for_each(|row| table.row(row));
    Ok(table.to_text() + &left(&chances))
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", 100.0 * chance)
}

/// Returns "12 of 40 deals, 30.0 %".
fn share(chances: &Chances, chance: f64) -> String {
    let (count, total) = (chances.deals.count(chance), chances.deals.total());
    format!("{} of {} deals, {}", grouped(count), grouped(total), percent(chance))
}

/// Explains a fact, or everything that had to be concluded.
fn why(case: &Case, fact: Option<Fact>) -> Answer {
    let chances = count(case)?;
    let facts = match fact {
        Some(fact) if case.public.contains(fact.card) => return Ok(lies_open(case, fact.card)),
        Some(fact) => vec![fact],
        None => chances.located().into_iter().filter(|fact| !is_plain(case, *fact)).collect(),
    };
    if facts.is_empty() {
        return Ok(format!("Nothing had to be concluded yet. {}", left(&chances)));
    }
    let explained = facts.into_iter().map(|fact| {
        let Some(found) = support(case, Some(fact)) else {
            let with = chances.places[fact.place][fact.card];
            let share = share(&chances, if fact.is_there { with } else { 1.0 - with });
            return format!("That is not certain: {} in {share}.", uncapital(&case.fact(fact)));
        };
        let steps = explain(case, Some(fact), &found).join("\n  ");
        format!("{}, because of {}:\n  {steps}", case.fact(fact), case.sources(&sources(&found)))
    });
    Ok(explained.collect::<Vec<_>>().join("\n"))
}

fn lies_open(case: &Case, card: Card) -> String {
    format!("{} lies open on the table.", case.card_names.name(card))
}

/// Returns the best questions.
fn ask(case: &Case, given: CardSet) -> Answer {
    let chances = count(case)?;
    let me = case.me.ok_or(Refused::OnlyWatches)?;
    if chances.located().iter().filter(|fact| fact.place == case.solution()).count() == 3 {
        return Ok("Accuse: the solution is certain.".to_owned());
    }
    let (questions, judged) = chances.questions(case, me, given);
    let judged = judged as f64;
    let is_drawn = judged < chances.deals.total();
    let by = if is_drawn { grouped(judged) + " deals drawn at random" } else { "all deals".to_owned() };
    let best = questions.iter().take(3).enumerate().map(|(place, (cards, bits))| match (place, case.triple(*cards)) {
        (0, cards) => {
            format!("Ask for {cards}: that is expected to tell {bits:.2} bits about the solution (judged by {by}).")
        }
        (_, cards) => format!("  {cards}: {bits:.2}"),
    });
    Ok(best.collect::<Vec<_>>().join("\n"))
}

/// Returns the likeliest solutions.
fn solutions(case: &Case) -> Answer {
    let chances = count(case)?;
    let solutions = chances.deals.triples().ok_or(Uncounted::TooMany)?;
    let shown = solutions.iter().take(SHOWN);
    let mut lines: Vec<String> =
        shown.map(|(cards, chance)| format!("{}: {}", case.triple(*cards), share(&chances, *chance))).collect();
    if solutions.len() > SHOWN {
        lines.push(format!("and {} more", solutions.len() - SHOWN));
    }
    Ok(lines.join("\n"))
}

/// Returns the places where a card may be.
fn places(case: &Case, card: Card) -> Answer {
    let chances = count(case)?;
    if case.public.contains(card) {
        return Ok(lies_open(case, card));
    }
    let is_possible = |&place: &usize| chances.fact(card, place).is_none_or(|fact| fact.is_there);
    let lines = (0..=case.solution()).filter(is_possible).map(|place| {
        let name = if place == case.solution() { "solution" } else { case.who(place) };
        format!("{}: {}", capital(name), share(&chances, chances.places[place][card]))
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
