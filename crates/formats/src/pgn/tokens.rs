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

/// Cuts a text into tokens, skipping variations, annotation glyphs and lines that begin with `%`.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
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
                ';' => {
                    self.skip_line();
                    let comment = self.text.get(start + 1..self.at).unwrap_or_default();
                    return Ok(Some((start, Token::Comment(comment))));
                }
                '(' => self.skip_variation()?,
                ')' | ']' | '}' => return Err(complain(start, format!("'{first}' closes nothing"))),
                '$' => drop(self.word()),
                _ => return Ok(Some((start, Token::Word(self.word())))),
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
        let end = rest.char_indices().find(|&found| ends(found)).map_or(rest.len(), |(at, _)| at);
        self.at += end;
        rest.get(..end).unwrap_or_default()
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
            return Err(complain(self.at, "expected ']' behind the tag"));
        }
        self.at += 1;
        Ok(Token::Tag(name, value.get(..end).unwrap_or_default()))
    }
}
