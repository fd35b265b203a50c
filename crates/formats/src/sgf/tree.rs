use crate::read_error::{Complaint, complain};

/// A node: its properties in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) properties: Vec<Property>,
}

/// A property with all its values.
#[derive(Clone, Debug)]
pub(super) struct Property {
    /// In capitals; the small letters that old versions allow are dropped.
    pub(super) name: String,
    pub(super) values: Vec<Value>,
}

/// A value without its brackets and escapes.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) text: String,
    /// The number of bytes before its bracket.
    pub(super) offset: usize,
}

impl Value {
    /// Returns a complaint about this value.
    pub(super) fn complain(&self, message: impl ToString) -> Complaint {
        complain(self.offset, message)
    }
}

impl Node {
    /// Returns the first value of a property.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values(name).first()
    }

    /// Returns all values of a property.
    pub(super) fn values(&self, name: &str) -> &[Value] {
        let found = self.properties.iter().find(|property| property.name == name);
        found.map(|property| &property.values[..]).unwrap_or_default()
    }
}

/// Maximum number of nodes, more than any annotated game on 52 x 52 has.
const NODES_MAX: usize = 100_000;

/// Returns where each game begins; the beginning of a text without games.
pub(super) fn starts(text: &str) -> Vec<usize> {
    let (mut starts, mut depth, mut is_value, mut is_quoted) = (Vec::new(), 0_usize, false, false);
    for (at, letter) in text.char_indices() {
        if is_value {
            is_value = is_quoted || letter != ']';
            is_quoted = letter == '\\' && !is_quoted;
            continue;
        }
        match letter {
            '[' => is_value = depth > 0,
            ')' => depth = depth.saturating_sub(1),
            '(' if depth > 0 => depth += 1,
            '(' if text.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(['(', ';'])) => {
                starts.push(at);
                depth = 1;
            }
            _ => {}
        }
    }
    if starts.is_empty() { vec![0] } else { starts }
}

/// Reads the main line of the first game: the first variation at each branch, which also comes first in the file.
pub(super) fn main_line(text: &str) -> Result<Vec<Node>, Complaint> {
    let mut scanner = Scanner { text, at: 0 };
    let mut nodes: Vec<Node> = Vec::new();
    let mut depth: usize = 0;
    // Skip whatever precedes the first game.
    scanner.at = text.find('(').unwrap_or(text.len());
    loop {
        scanner.skip_blanks();
        let at = scanner.at;
        match scanner.next() {
            Some('(') => depth += 1,
            Some(';') if nodes.len() == NODES_MAX => {
                return Err(complain(at, format!("a game may have at most {NODES_MAX} nodes")));
            }
            Some(';') if depth > 0 => nodes.push(Node::default()),
            Some(')') if nodes.is_empty() => return Err(complain(at, "the game has no node")),
            Some(')') => break,
            Some(letter) if letter.is_ascii_alphabetic() => {
                let Some(node) = nodes.last_mut() else {
                    return Err(complain(at, "expected ';' before the first property"));
                };
                scanner.at = at;
                let property = scanner.property()?;
                if node.properties.iter().any(|before| before.name == property.name) {
                    return Err(complain(at, format!("{} appears twice in a node", property.name)));
                }
                node.properties.push(property);
            }
            Some(other) => return Err(complain(at, format!("expected ';', '(' or ')', found {other:?}"))),
            None if depth == 0 => return Err(complain(0, "expected '(': there is no game")),
            None => return Err(cut_off(text)),
        }
    }
    scanner.skip_variations(depth - 1)?;
    Ok(nodes)
}

fn cut_off(text: &str) -> Complaint {
    complain(text.len(), "expected ')': the game was cut off")
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek()?;
        self.at += found.len_utf8();
        Some(found)
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn property(&mut self) -> Result<Property, Complaint> {
        let start = self.at;
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
            self.next();
            name.extend(Some(letter).filter(char::is_ascii_uppercase));
        }
        if name.is_empty() {
            return Err(complain(start, "the name of a property needs capital letters"));
        }
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                Some('[') => values.push(self.value()?),
                _ if values.is_empty() => {
                    return Err(complain(self.at, format!("expected '[' and a value of {name}")));
                }
                _ => return Ok(Property { name, values }),
            }
        }
    }

    /// Reads a value: a backslash quotes the next character and joins lines; white space becomes blanks or line feeds.
    fn value(&mut self) -> Result<Value, Complaint> {
        let offset = self.at;
        self.next();
        let mut text = String::new();
        while let Some(first) = self.next() {
            let character = if first == '\\' { self.next() } else { Some(first) };
            match character {
                Some(']') if first == ']' => return Ok(Value { text, offset }),
                Some(end @ ('\n' | '\r')) => {
                    self.skip_partner(end);
                    text.extend((first == end).then_some('\n'));
                }
                Some(blank) if blank.is_whitespace() => text.push(' '),
                Some(character) => text.push(character),
                None => break,
            }
        }
        Err(complain(offset, "this value is not closed with ']'"))
    }

    /// Skips the second character of a line end.
    fn skip_partner(&mut self, end: char) {
        let partner = if end == '\n' { '\r' } else { '\n' };
        if self.peek() == Some(partner) {
            self.next();
        }
    }

    /// Finds the end of a game, to notice truncated files.
    fn skip_variations(&mut self, mut depth: usize) -> Result<(), Complaint> {
        while depth > 0 {
            match self.peek() {
                Some('[') => drop(self.value()?),
                Some(letter) => {
                    depth += usize::from(letter == '(');
                    depth -= usize::from(letter == ')');
                    self.next();
                }
                None => return Err(cut_off(self.text)),
            }
        }
        Ok(())
    }
}
