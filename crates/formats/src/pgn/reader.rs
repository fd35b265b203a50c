use std::sync::Arc;

use amazons_rules::{Board, Move, Position};

use super::tokens::{Token, Tokens, is_result, without_number};
use crate::position_text::position_error;
use crate::read_error::{Complaint, complain};
use crate::told::{self, Told};
use crate::{BoardName, Details, Game, PlayedMove, UnknownBoard, seconds};

/// Returns where each game begins: at tags after moves, or at anything but a comment after a result.
pub(super) fn starts(text: &str) -> Vec<usize> {
    let (mut starts, mut tokens) = (vec![0], Tokens::new(text));
    let (mut has_moves, mut is_over) = (false, false);
    // Errors are reported when that game is read.
    while let Ok(Some((offset, token))) = tokens.next() {
        let is_tag = matches!(token, Token::Tag(..));
        if is_tag && has_moves || is_over && !matches!(token, Token::Comment(_)) {
            starts.push(offset);
            is_over = false;
        }
        if let Token::Word(word) = token {
            is_over = is_result(word);
        }
        has_moves = !is_tag && (has_moves || matches!(token, Token::Word(_)));
    }
    starts
}

pub(super) fn read(text: &str) -> Result<Game, Complaint> {
    let mut tokens = Tokens::new(text);
    let mut tags = Tags { text, list: Vec::new() };
    let mut next = tokens.next()?;
    let mut remarks = Vec::new();
    loop {
        match next {
            Some((offset, Token::Tag(name, value))) => tags.list.push(Tag { name, value, offset }),
            Some((_, Token::Comment(comment))) => remarks.push(comment),
            _ => break,
        }
        next = tokens.next()?;
    }
    if tags.list.is_empty() && remarks.is_empty() && next.is_none() {
        return Err(complain(0, "there is no game: expected tags or moves"));
    }
    let mut game = Game::new(tags.start()?).map_err(|error| complain(0, error))?;
    game.details = tags.details();
    remarks.into_iter().for_each(|comment| remark(&mut game, comment));
    let mut told = None;
    while let Some((offset, token)) = next {
        match token {
            // The next game begins.
            Token::Tag(..) => break,
            Token::Comment(comment) => remark(&mut game, comment),
            Token::Word(word) if is_result(word) => {
                told = Some((offset, word));
                break;
            }
            Token::Word(word) => play(&mut tokens, &mut game, offset, word)?,
        }
        next = tokens.next()?;
    }
    tags.end(&mut game, told)?;
    Ok(game)
}

/// Reads a move of up to five words; skips a number before it and chess annotations.
fn play(tokens: &mut Tokens<'_>, game: &mut Game, offset: usize, word: &str) -> Result<(), Complaint> {
    let numberless = without_number(word);
    let offset = offset + word.len() - numberless.len();
    let annotations = ['!', '?', '#', '+'];
    let mut text = numberless.trim_end_matches(annotations).to_owned();
    if text.chars().all(|letter| matches!(letter, '.' | '\u{2026}')) {
        return Ok(());
    }
    let first = game.position().parse_move(&text);
    let (mut mv, mut ahead) = (first.clone(), *tokens);
    for _ in 1..5 {
        let (Err(_), Some((_, Token::Word(next)))) = (&mv, ahead.next()?) else { break };
        text = format!("{text} {}", next.trim_end_matches(annotations));
        mv = game.position().parse_move(&text);
        if mv.is_ok() {
            *tokens = ahead;
        }
    }
    let ply = game.moves().len() + 1;
    let mv = mv.or(first).map_err(|error| complain(offset, format!("move {ply}: {}", error.reason)))?;
    game.push(mv).map_err(|error| complain(offset, error))
}

/// Keeps a comment, and applies its commands to the last move.
fn remark(game: &mut Game, comment: &str) {
    let mut words = Vec::new();
    let mut rest = comment;
    let mut numbers = PlayedMove::from(Move { from: 0, to: 0, arrow: 0 });
    while let Some((before, command)) = rest.split_once("[%") {
        let Some((command, after)) = command.split_once(']') else { break };
        words.extend(before.split_whitespace().map(str::to_owned));
        if !note(&mut numbers, command) {
            words.push(format!("[%{command}]"));
        }
        rest = after;
    }
    words.extend(rest.split_whitespace().map(str::to_owned));
    let said = words.join(" ");
    let comment = match game.last_mut() {
        Some(last) => {
            last.time = numbers.time.or(last.time);
            last.left = numbers.left.or(last.left);
            last.value = numbers.value.or(last.value);
            &mut last.comment
        }
        None => &mut game.comment,
    };
    if !said.is_empty() {
        *comment = comment.take().map(|before| format!("{before} {said}")).or(Some(said));
    }
}

/// Returns whether the command is known, and its value can be read.
fn note(numbers: &mut PlayedMove, command: &str) -> bool {
    let Some((name, value)) = command.trim().split_once(char::is_whitespace) else { return false };
    match name {
        "emt" => keep(&mut numbers.time, seconds::read(value)),
        "clk" => keep(&mut numbers.left, seconds::read(value)),
        "value" => keep(&mut numbers.value, value.trim().parse().ok().filter(|value| (-1.0..=1.0).contains(value))),
        _ => false,
    }
}

fn keep<T>(place: &mut Option<T>, found: Option<T>) -> bool {
    let is_found = found.is_some();
    *place = found.or(place.take());
    is_found
}

struct Tag<'a> {
    name: &'a str,
    value: &'a str,
    offset: usize,
}

struct Tags<'a> {
    text: &'a str,
    list: Vec<Tag<'a>>,
}

impl Tags<'_> {
    fn find(&self, name: &str) -> Option<&Tag<'_>> {
        self.list.iter().find(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// Returns a value, unescaped.
    fn value(&self, name: &str) -> Option<String> {
        let mut letters = self.find(name)?.value.chars();
        let mut value = String::new();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => value.extend(letters.next()),
                letter => value.push(letter),
            }
        }
        Some(value)
    }

    /// Returns a value, unless it is empty or unknown.
    fn known(&self, name: &str) -> Option<String> {
        self.value(name).filter(|value| !matches!(value.trim(), "" | "?" | "????.??.??"))
    }

    fn start(&self) -> Result<Position, Complaint> {
        let named = self.board()?;
        let Some(fen) = self.find("FEN") else {
            return match named {
                Some((_, board)) if board.shape().is_some() => Ok(Position::start(board)),
                Some((offset, _)) => Err(complain(offset, "this board needs a FEN: it has no usual start")),
                None => Ok(Position::standard()),
            };
        };
        let parsed = match named {
            Some((_, board)) => Position::parse_on(board, fen.value),
            None => Position::parse(fen.value),
        };
        // The value begins after the first quotation mark.
        let rest = self.text.get(fen.offset..).unwrap_or_default();
        let offset = fen.offset + rest.find('"').map_or(0, |at| at + 1);
        parsed.map_err(|error| position_error(offset, fen.value, &error))
    }

    /// Returns the board of the tags, unless they name the standard board or no board.
    fn board(&self) -> Result<Option<(usize, Arc<Board>)>, Complaint> {
        let Some(tag) = self.find("Board").filter(|tag| tag.value != "standard") else { return Ok(None) };
        let name: BoardName = tag.value.parse().map_err(|error: UnknownBoard| complain(tag.offset, error))?;
        let board = name.build().map_err(|error| complain(tag.offset, error))?;
        Ok(Some((tag.offset, Arc::new(board))))
    }

    fn details(&self) -> Details {
        Details {
            black: self.known("Black"),
            white: self.known("White"),
            event: self.known("Event"),
            site: self.known("Site"),
            date: self.known("Date").map(|date| date.replace('.', "-").replace("-??", "")),
            round: self.known("Round"),
            annotator: self.known("Annotator"),
            program: self.known("Program"),
            time_control: self.known("TimeControl"),
        }
    }

    /// Takes the result after the moves, or the one in the tags.
    fn end(&self, game: &mut Game, told: Option<(usize, &str)>) -> Result<(), Complaint> {
        let tag = self.find("Result").map(|tag| (tag.offset, tag.value));
        let why = self.known("Termination").unwrap_or_default();
        let (offset, word) = told.or(tag).unwrap_or_default();
        let outcome = match told::result(word) {
            Told::Result { winner, reason } => {
                told::outcome(winner, if why.is_empty() { &reason } else { &why }, self.known("Detail"))
            }
            unsaid => {
                let outcome = told::outcome(None, &why, self.known("Detail"));
                if unsaid == Told::Unknown {
                    told::remark(game, &format!("Result: {word}"));
                }
                if outcome.ending.is_none() {
                    told::reason(&why).1.into_iter().for_each(|why| told::remark(game, &format!("Termination: {why}")));
                    return Ok(());
                }
                outcome
            }
        };
        game.end(outcome).map_err(|error| complain(offset, error))
    }
}
