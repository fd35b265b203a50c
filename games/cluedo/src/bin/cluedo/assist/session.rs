//! A game that a person tells the helper, line by line.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use amazons_program::Exit;
use cluedo::assist::case::{Case, CaseError, Chances};
use cluedo::assist::logic::Fact;
use cluedo::assist::proof::explain;
use cluedo::assist::reasons::support;
use cluedo::assist::typed::{self, Command, parse};
use cluedo::assist::words::{capital, grouped};
use cluedo::card_names::CardNames;
use cluedo::deck::CardSet;
use cluedo::knowledge::chances::Uncounted;

use super::{keep, texts};
use amazons_program::files::read_file;

/// Whether more lines are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Go,
    End,
}

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

/// The number of likeliest solutions that are shown.
const SHOWN: usize = 5;
/// A file with a game has at most this many bytes.
const MAX_FILE_LEN: u64 = 1 << 20;

impl Session {
    pub(super) fn new(deck: CardNames, deck_name: String) -> Self {
        Self { deck, deck_name, case: None, past: Vec::new(), known: Vec::new(), unsaved: Arc::default() }
    }

    pub(super) fn line(&mut self, line: &str, out: &mut impl Write) -> Result<Next, Exit> {
        let command = match parse(line, &self.deck, self.case.as_ref()) {
            Ok(command) => command,
            Err(wrong) => {
                writeln!(out, "{}", capital(&wrong) + ".")?;
                return Ok(Next::Go);
            }
        };
        if command == Command::Quit {
            return Ok(Next::End);
        }
        if let Err(wrong) = self.carry_out(command, out)? {
            writeln!(out, "{}", capital(&wrong) + ".")?;
        }
        Ok(Next::Go)
    }

    /// Returns what happened, in sentences.
    pub(super) fn entries(&self) -> Vec<String> {
        let sentences = |case: &Case| case.entries().iter().map(|entry| case.sentence(entry) + ".").collect();
        self.case.as_ref().map_or_else(Vec::new, sentences)
    }

    /// Returns the grid, a row of titles first; nothing without a count.
    pub(super) fn grid(&self) -> Option<Vec<Vec<String>>> {
        let case = self.case.as_ref()?;
        Some(grid(case, &case.chances().ok()?))
    }

    fn carry_out(&mut self, command: Command, out: &mut impl Write) -> Result<Result<(), String>, Exit> {
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Help => writeln!(out, "{}", texts::HELP)?,
            Command::Open(file) => self.open(&file, out)?,
            Command::Save(file) => return Ok(self.save(&file, out)),
            Command::Cards => cards(&self.deck, out)?,
            Command::List | Command::Notes | Command::Why(_) | Command::Ask(_) | Command::Chances(_) => {
                let Some(case) = &self.case else { return Ok(Err(NO_PLAYERS.to_owned())) };
                match command {
                    Command::List => list(case, out)?,
                    Command::Notes => notes(case, out)?,
                    Command::Why(fact) => why(case, fact, out)?,
                    Command::Ask(given) => ask(case, given, out)?,
                    Command::Chances(card) => chances(case, card, out)?,
                    _ => {}
                }
            }
            command => match self.change(command) {
                Ok(said) => {
                    writeln!(out, "{said}")?;
                    self.tell_news(out)?;
                }
                Err(wrong) => return Ok(Err(wrong)),
            },
        }
        Ok(Ok(()))
    }

    /// Changes the game; returns what was understood.
    fn change(&mut self, command: Command) -> Result<String, String> {
        let before = self.case.clone();
        let said = match command {
            Command::Undo => {
                let (undone, before) = self.past.pop().ok_or("there is nothing to take back")?;
                self.case = before;
                format!("Taken back: {undone}")
            }
            command => {
                let said = self.change_case(command)?;
                self.past.push((said.clone(), before));
                said
            }
        };
        self.note_unsaved();
        Ok(said)
    }

    fn note_unsaved(&self) {
        let is_worth = |case: &&Case| case.hand().is_some() || !case.entries().is_empty() || !case.public().is_empty();
        let text = self.case.as_ref().filter(is_worth).map(|case| self.text(case));
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    fn change_case(&mut self, command: Command) -> Result<String, String> {
        let wrong = |error: CaseError| error.to_string();
        if let Command::Players(names, me) = command {
            let fresh = || Case::new(self.deck.clone(), names.clone(), me);
            let case = self.case.as_ref().map_or_else(fresh, |case| case.with_players(names.clone(), me));
            let case = case.map_err(wrong)?;
            let kept = if case.entries().is_empty() { "" } else { " All entries are kept." };
            let said = sizes(&case) + kept;
            self.case = Some(case);
            return Ok(said);
        }
        if command == Command::New {
            self.case.take().ok_or(NO_PLAYERS)?;
            keep(&self.unsaved, &self.deck_name);
            return Ok("A new game; undo brings the one before back.".to_owned());
        }
        let had_hand = self.case.as_ref().is_some_and(|case| case.hand().is_some());
        let again = |case: &Case| if had_hand && case.hand().is_none() { " Type your hand again." } else { "" };
        let case = self.case.as_mut().ok_or(NO_PLAYERS)?;
        match command {
            Command::Hands(hands) => {
                case.set_sizes(hands).map_err(wrong)?;
                Ok(sizes(case) + again(case))
            }
            Command::Public(cards) => {
                case.set_public(cards).map_err(wrong)?;
                let verb = if cards.len() == 1 { "lies" } else { "lie" };
                let open = if cards.is_empty() {
                    "no card lies".to_owned()
                } else {
                    format!("{} {verb}", case.cards(cards, "and"))
                };
                Ok(format!("{} open for all. {}{}", capital(&open), sizes(case), again(case)))
            }
            Command::Hand(hand) => {
                if case.me().is_none() {
                    return Err("you only watch: name yourself me among the players".to_owned());
                }
                case.set_hand(hand).map_err(wrong)?;
                Ok(format!("You hold {}.", case.cards(hand, "and")))
            }
            Command::Add(entry) => {
                let number = case.add(entry.clone()).map_err(wrong)?;
                Ok(format!("{number}. {}.", case.sentence(&entry)))
            }
            Command::Change(number, entry) => {
                case.change(number, entry.clone()).map_err(wrong)?;
                Ok(format!("{number}. {}.", case.sentence(&entry)))
            }
            Command::Delete(number) => {
                let entry = case.delete(number).map_err(wrong)?;
                Ok(format!("Deleted: {}. Later entries move up.", case.sentence(&entry)))
            }
            _ => Ok(String::new()),
        }
    }

    /// Prints the number of remaining deals and the facts that are newly certain.
    fn tell_news(&mut self, out: &mut impl Write) -> Result<(), Exit> {
        let Some(case) = &self.case else { return Ok(()) };
        let Some(chances) = count(case, out)? else {
            self.known.clear();
            return Ok(());
        };
        let located = chances.located();
        for fact in located.iter().filter(|fact| !self.known.contains(fact) && !is_plain(case, **fact)) {
            if let Some(found) = support(&case.shape(), &case.pieces(), Some(*fact)) {
                writeln!(out, "{}, because of {}.", case.fact(*fact), case.sources(&found.sources))?;
            }
        }
        self.known = located;
        writeln!(out, "{}", left(chances.total()))?;
        Ok(())
    }

    fn save(&self, file: &str, out: &mut impl Write) -> Result<(), String> {
        let case = self.case.as_ref().ok_or(NO_PLAYERS)?;
        fs::write(file, self.text(case)).map_err(|error| format!("cannot write {file}: {error}"))?;
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = None;
        writeln!(out, "Saved as {file}.").map_err(|error| error.to_string())
    }

    /// Returns a game as lines that lead to it.
    fn text(&self, case: &Case) -> String {
        let mut text = format!("# cluedo assist --deck {}\n", self.deck_name);
        let names: Vec<&str> = (0..case.names().len())
            .map(|seat| if case.me() == Some(seat) { "me" } else { &case.names()[seat] })
            .collect();
        let list = |cards: CardSet| cards.iter().map(|card| case.card_names.name(card)).collect::<Vec<_>>().join(", ");
        let gap = if names.iter().any(|name| name.contains(' ')) { ", " } else { " " };
        text += &format!("players {}\n", names.join(gap));
        if !case.public().is_empty() {
            text += &format!("public {}\n", list(case.public()));
        }
        text += &format!("hands {}\n", case.sizes().iter().map(usize::to_string).collect::<Vec<_>>().join(" "));
        if let Some(hand) = case.hand() {
            text += &format!("me {}\n", list(hand));
        }
        for entry in case.entries() {
            text += &typed::line(entry, case);
            text.push('\n');
        }
        text
    }

    /// Reads a game; the one before stays if the file is wrong, and comes back with undo.
    fn open(&mut self, file: &str, out: &mut impl Write) -> Result<(), Exit> {
        let mut fresh = Self::new(self.deck.clone(), self.deck_name.clone());
        let read = read_file(Path::new(file), MAX_FILE_LEN).map_err(|error| format!("{file}: {error}"));
        let done = read.and_then(|text| fresh.take_lines(&text).map_err(|why| format!("{file}{why}")));
        if let Err(wrong) = done {
            writeln!(out, "{wrong}.")?;
            return Ok(());
        }
        let Some(case) = &fresh.case else { return Ok(()) };
        writeln!(out, "{}", sizes(case))?;
        list(case, out)?;
        self.known.clear();
        keep(&self.unsaved, &self.deck_name);
        let before = std::mem::replace(&mut self.case, fresh.case);
        if before.is_some() {
            writeln!(out, "The game before is put away: undo brings it back.")?;
        }
        self.past.push((format!("{file} was opened."), before));
        self.tell_news(out)
    }

    fn take_lines(&mut self, text: &str) -> Result<(), String> {
        for (place, line) in text.lines().enumerate() {
            let command = match parse(line, &self.deck, self.case.as_ref()) {
                Ok(Command::Nothing) => continue,
                Ok(Command::Save(_) | Command::Open(_)) => Err("a file cannot save or open another".to_owned()),
                Ok(command) => self.change(command).map(|_| ()),
                Err(wrong) => Err(wrong),
            };
            command.map_err(|wrong| format!(", line {}: {wrong}", place + 1))?;
        }
        self.case.is_some().then_some(()).ok_or_else(|| " has no line with the players".to_owned())
    }
}

const NO_PLAYERS: &str = "first say who plays, in order: players me Anna Ben";

/// Returns whether a fact is known without a conclusion: an own card, or one that an entry names alone.
fn is_plain(case: &Case, fact: Fact) -> bool {
    use cluedo::assist::entry::Rule;
    case.rules()
        .iter()
        .any(|rule| matches!(rule, Rule::Has(seat, cards) if *seat == fact.place && cards.contains(fact.card)))
}

fn sizes(case: &Case) -> String {
    let hands = case.sizes().iter().enumerate().map(|(seat, size)| format!("{} {size}", case.who(seat)));
    format!("Cards in hand: {}.", hands.collect::<Vec<_>>().join(", "))
}

fn cards(deck: &CardNames, out: &mut impl Write) -> Result<(), Exit> {
    for (kind, name) in deck.kinds.iter().enumerate() {
        let names: Vec<String> = deck.deck.range(kind).map(|card| format!("{card} {}", deck.name(card))).collect();
        writeln!(out, "{}: {}", capital(name), names.join(", "))?;
    }
    Ok(())
}

fn left(total: f64) -> String {
    if total < 1.5 { "One deal is left.".to_owned() } else { format!("{} deals are left.", grouped(total)) }
}

fn list(case: &Case, out: &mut impl Write) -> Result<(), Exit> {
    if let Some(hand) = case.hand() {
        writeln!(out, "You hold {}.", case.cards(hand, "and"))?;
    }
    if !case.public().is_empty() {
        writeln!(out, "Open for all: {}.", case.cards(case.public(), "and"))?;
    }
    for (place, entry) in case.entries().iter().enumerate() {
        writeln!(out, "{}. {}.", place + 1, case.sentence(entry))?;
    }
    Ok(())
}

/// Counts; if the entries contradict each other, says which.
fn count(case: &Case, out: &mut impl Write) -> Result<Option<Chances>, Exit> {
    match case.chances() {
        Ok(chances) => return Ok(Some(chances)),
        Err(Uncounted::TooMany) => writeln!(out, "{}.", capital(&Uncounted::TooMany.to_string()))?,
        Err(Uncounted::NoDeal) => {
            if let Some(found) = support(&case.shape(), &case.pieces(), None) {
                let verb = if found.sources.len() == 1 { "contradicts the rules" } else { "contradict each other" };
                writeln!(out, "{} {verb}:", capital(&case.sources(&found.sources)))?;
                for sentence in explain(case, None, &found.pieces) {
                    writeln!(out, "  {sentence}")?;
                }
                writeln!(out, "Change or delete one of them.")?;
            }
        }
    }
    Ok(None)
}

/// Returns the grid: a row of titles, then one for each card.
fn grid(case: &Case, chances: &Chances) -> Vec<Vec<String>> {
    let mut head = vec!["card".to_owned()];
    head.extend((0..case.names().len()).map(|seat| case.who(seat).to_owned()));
    head.push("solution".to_owned());
    let mut rows = vec![head];
    for card in (case.deck().all() - case.public()).iter() {
        let cell = |place: usize| match chances.fact(card, place) {
            Some(fact) => if fact.is_there { "yes" } else { "-" }.to_owned(),
            None => percent(chances.places[place][card]),
        };
        let mut row = vec![case.card_names.name(card).to_owned()];
        row.extend((0..=case.names().len()).map(cell));
        rows.push(row);
    }
    rows
}

fn notes(case: &Case, out: &mut impl Write) -> Result<(), Exit> {
    let Some(chances) = count(case, out)? else { return Ok(()) };
    let rows = grid(case, &chances);
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(wide).collect();
    for row in &rows {
        write!(out, "{:width$}", row[0], width = widths[0])?;
        for (cell, &width) in row.iter().zip(&widths).skip(1) {
            write!(out, "  {cell:>width$}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", left(chances.total()))?;
    Ok(())
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", 100.0 * chance)
}

/// Returns "12 of 40 deals, 30.0 %".
fn share(chances: &Chances, chance: f64) -> String {
    let count = grouped(chances.deals.count(chance));
    format!("{count} of {} deals, {}", grouped(chances.total()), percent(chance))
}

/// Explains a fact, or everything that had to be concluded.
fn why(case: &Case, fact: Option<Fact>, out: &mut impl Write) -> Result<(), Exit> {
    let Some(chances) = count(case, out)? else { return Ok(()) };
    let facts = match fact {
        Some(fact) if case.public().contains(fact.card) => {
            writeln!(out, "{} lies open on the table.", case.card_names.name(fact.card))?;
            return Ok(());
        }
        Some(fact) => vec![fact],
        None => chances.located().into_iter().filter(|fact| !is_plain(case, *fact)).collect(),
    };
    if facts.is_empty() {
        writeln!(out, "Nothing had to be concluded yet. {}", left(chances.total()))?;
    }
    for fact in facts {
        let Some(found) = support(&case.shape(), &case.pieces(), Some(fact)) else {
            let with = chances.places[fact.place][fact.card];
            let share = share(&chances, if fact.is_there { with } else { 1.0 - with });
            writeln!(out, "That is not certain: {} in {share}.", uncertain(case, fact))?;
            continue;
        };
        writeln!(out, "{}, because of {}:", case.fact(fact), case.sources(&found.sources))?;
        for sentence in explain(case, Some(fact), &found.pieces) {
            writeln!(out, "  {sentence}")?;
        }
    }
    Ok(())
}

fn uncertain(case: &Case, fact: Fact) -> String {
    let text = case.fact(fact);
    text.strip_prefix("You ").map_or_else(|| text.clone(), |rest| format!("you {rest}"))
}

/// Prints the best questions.
fn ask(case: &Case, given: CardSet, out: &mut impl Write) -> Result<(), Exit> {
    let Some(chances) = count(case, out)? else { return Ok(()) };
    let Some(me) = case.me() else {
        writeln!(out, "You only watch: name yourself me among the players.")?;
        return Ok(());
    };
    if chances.located().iter().filter(|fact| fact.place == case.names().len()).count() == 3 {
        writeln!(out, "Accuse: the solution is certain.")?;
        return Ok(());
    }
    let (questions, judged) = chances.questions(case, me, given);
    let judged = judged as f64;
    let by = if judged < chances.total() {
        format!("{} deals drawn at random", grouped(judged))
    } else {
        "all deals".to_owned()
    };
    for (place, (cards, bits)) in questions.iter().take(3).enumerate() {
        let cards = case.triple(*cards);
        if place == 0 {
            writeln!(
                out,
                "Ask for {cards}: that is expected to tell {bits:.2} bits about the solution (judged by {by})."
            )?;
        } else {
            writeln!(out, "  {cards}: {bits:.2}")?;
        }
    }
    Ok(())
}

/// Prints where a card may be, or the likeliest solutions.
fn chances(case: &Case, card: Option<usize>, out: &mut impl Write) -> Result<(), Exit> {
    let Some(chances) = count(case, out)? else { return Ok(()) };
    let Some(card) = card else {
        let Some(solutions) = chances.deals.triples() else {
            writeln!(out, "{}.", capital(&Uncounted::TooMany.to_string()))?;
            return Ok(());
        };
        for (cards, chance) in solutions.iter().take(SHOWN) {
            writeln!(out, "{}: {}", case.triple(*cards), share(&chances, *chance))?;
        }
        let rest = solutions.len().saturating_sub(SHOWN);
        if rest > 0 {
            writeln!(out, "and {rest} more")?;
        }
        return Ok(());
    };
    if case.public().contains(card) {
        writeln!(out, "{} lies open on the table.", case.card_names.name(card))?;
    }
    let is_possible = |place| chances.fact(card, place).is_none_or(|fact| fact.is_there);
    for place in (0..chances.places.len()).filter(|&place| is_possible(place)) {
        let name = if place == case.names().len() { "solution" } else { case.who(place) };
        writeln!(out, "{}: {}", capital(name), share(&chances, chances.places[place][card]))?;
    }
    Ok(())
}
