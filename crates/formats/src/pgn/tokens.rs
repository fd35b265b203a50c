use crate::read_error::{Complaint, complain};

/// A token of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A tag pair; its value is still escaped.
    Tag(&'a str, &'a str),
    /// Text in braces or after a semicolon.
    Comment(&'a str),
    /// A move, a part of one, a number, a result.
    Word(&'a str),
}

/// Splits text into tokens: a square in brackets is a word, a semicolon between moves a blank; skips variations,
/// annotation glyphs and lines that begin with `%`.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// Whether a semicolon ends each move.
    separates: bool,
    /// Whether a bracket holds a move: no move precedes the first one.
    brackets: Option<bool>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, separates: separates(text), brackets: None }
    }

    /// Returns the next token and its offset in bytes.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, Complaint> {
        loop {
            self.skip_blanks();
            let start = self.at;
            let Some(first) = self.rest().chars().next() else { return Ok(None) };
            match first {
                '%' if start == 0 || self.text.as_bytes().get(start - 1) == Some(&b'\n') => self.skip_line(),
                '[' => return self.tag().map(|tag| Some((start, tag))),
                '{' => return self.comment().map(|comment| Some((start, comment))),
                ';' if self.precedes_move() => self.at += 1,
                ';' => {
                    self.skip_line();
                    let comment = self.text.get(start + 1..self.at).unwrap_or_default();
                    return Ok(Some((start, Token::Comment(comment))));
                }
                '(' if self.bracket().is_none() && self.brackets != Some(false) => {
                    let Some(mv) = self.move_in_brackets() else {
                        self.brackets = Some(false);
                        continue;
                    };
                    self.brackets = Some(true);
                    return Ok(Some((start, Token::Word(mv))));
                }
                '(' if self.bracket().is_none() => self.skip_variation()?,
                ')' | ']' | '}' => return Err(complain(start, format!("'{first}' has no opening counterpart"))),
                '$' => drop(self.word()),
                _ => {
                    let word = self.word();
                    if squares(without_number(word)).is_some_and(|count| count > 0) {
                        self.brackets = self.brackets.or(Some(false));
                    }
                    return Ok(Some((start, Token::Word(word))));
                }
            }
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ends =
            |(at, character): (usize, char)| at > 0 && (character.is_whitespace() || "{}()[];$".contains(character));
        let end = || rest.char_indices().find(|&found| ends(found)).map_or(rest.len(), |(at, _)| at);
        self.at += self.bracket().unwrap_or_else(end);
        if !rest.starts_with('(') {
            self.at += self.bracket().unwrap_or(0);
        }
        rest.get(..rest.len() - self.rest().len()).unwrap_or_default()
    }

    /// Returns the length of a square in brackets that begins here: the arrow's, `d1-d7(g7)`.
    fn bracket(&self) -> Option<usize> {
        let (square, _) = self.rest().strip_prefix('(')?.split_once(')')?;
        (squares(square) == Some(1)).then_some(square.len() + 2)
    }

    /// Takes a bracket that holds three squares and nothing else; returns them.
    fn move_in_brackets(&mut self) -> Option<&'a str> {
        let (inside, _) = self.rest().strip_prefix('(')?.split_once(')')?;
        (squares(inside) == Some(3)).then(|| self.at += inside.len() + 2)?;
        Some(inside)
    }

    /// Returns whether the semicolon here ends a move: only moves, or nothing, follow before the next semicolon or the
    /// line's end.
    fn precedes_move(&self) -> bool {
        if !self.separates {
            return false;
        }
        let rest = self.rest().get(1..).unwrap_or_default();
        let text = rest.split([';', '\n', '{']).next().unwrap_or_default();
        // A result ends the game, so moves on the next line make it a comment.
        let behind = rest.get(text.len()..).unwrap_or_default().trim_start();
        if text.split_whitespace().any(is_result) && !behind.is_empty() && !behind.starts_with('[') {
            return false;
        }
        let mut words = text.split_whitespace().peekable();
        let counts = |word: &str| if is_result(word) { Some(2) } else { squares(without_number(word)) };
        words.peek().is_none() || words.try_fold(0, |sum, word| Some(sum + counts(word)?)).is_some_and(|sum| sum > 1)
    }

    fn comment(&mut self) -> Result<Token<'a>, Complaint> {
        let inside = self.rest().get(1..).unwrap_or_default();
        let end = inside.find('}').ok_or_else(|| complain(self.at, "this comment is not closed with '}'"))?;
        self.at += end + 2;
        Ok(Token::Comment(inside.get(..end).unwrap_or_default()))
    }

    /// Skips a variation with nested ones; brackets in comments are words.
    fn skip_variation(&mut self) -> Result<(), Complaint> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.rest().chars().next() {
                Some('(') => (depth, self.at) = (depth + 1, self.at + 1),
                Some(')') => (depth, self.at) = (depth - 1, self.at + 1),
                Some('{') => drop(self.comment()?),
                Some(';') => self.skip_line(),
                Some(other) => self.at += other.len_utf8(),
                None => return Err(complain(start, "this variation is not closed with ')'")),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn tag(&mut self) -> Result<Token<'a>, Complaint> {
        let start = self.at;
        self.at += 1;
        self.skip_blanks();
        let rest = self.rest();
        let name_end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let name = rest.get(..name_end).unwrap_or_default();
        self.at += name_end;
        self.skip_blanks();
        let value = self.rest().strip_prefix('"').filter(|_| !name.is_empty());
        let value = value.ok_or_else(|| complain(start, "expected a tag such as [White \"name\"]"))?;
        let mut is_escaped = false;
        let ends = |letter: char| {
            let is_end = letter == '"' && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            is_end || letter == '\n'
        };
        let end = value
            .find(ends)
            .filter(|&end| value.as_bytes().get(end) == Some(&b'"'))
            .ok_or_else(|| complain(self.at, "this value is not closed with '\"'"))?;
        self.at += end + 2;
        self.skip_blanks();
        if !self.rest().starts_with(']') {
            return Err(complain(self.at, "expected ']' after the tag"));
        }
        self.at += 1;
        Ok(Token::Tag(name, value.get(..end).unwrap_or_default()))
    }
}

/// Returns whether there are nearly as many semicolons as moves: then they end moves, and begin no comments.
fn separates(text: &str) -> bool {
    let (mut marks, mut places) = (0, 0);
    for line in text.lines().filter(|line| !line.trim_start().starts_with(['[', '%'])) {
        marks += line.matches(';').count();
        places += line
            .split([';', '{', '}', '(', ')'])
            .flat_map(str::split_whitespace)
            .map(without_number)
            .filter_map(squares)
            .sum::<usize>();
    }
    marks > 0 && 3 * (marks + 1) >= places
}

/// Returns whether a word is the result that ends a game.
pub(super) fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}

/// Returns a word without the number of a move in front.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < word.len() { rest.trim_start_matches(['.', '\u{2026}']) } else { word.trim_start_matches("..") }
}

/// Counts the squares of a word; `None` if it holds anything else.
fn squares(word: &str) -> Option<usize> {
    let (mut count, mut rest) = (0, word);
    loop {
        rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        if rest.is_empty() {
            return Some(count);
        }
        let rank = rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let behind = rank.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if !(1..=4).contains(&(rest.len() - rank.len())) || behind.len() == rank.len() {
            return None;
        }
        (count, rest) = (count + 1, behind);
    }
}
