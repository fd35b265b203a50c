use std::collections::HashSet;
use std::fmt::Write as _;
use std::ptr;

use thiserror::Error;

use crate::code::Code;
use crate::feedback::Feedback;
use crate::game::{Game, ParseError};
use crate::history::History;
use crate::table::Table;

/// The first line of a file with a tree.
const HEAD: &str = "mastermind tree";

/// A strategy as a tree: a guess, and for each answer that does not end the game what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub guess: Code,
    pub replies: Vec<(Feedback, Self)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TreeError {
    #[error("line 1: not a tree: expected \"{HEAD} GAME TOTAL\", such as \"{HEAD} 4x6r 5625\"")]
    Head,
    #[error("line 1: {0}")]
    Game(ParseError),
    #[error("line {0}: expected {1}")]
    Line(usize, &'static str),
    #[error("line {0}: {1}")]
    Code(usize, ParseError),
    #[error("line {0}: {1}")]
    Answer(usize, ParseError),
    #[error("line {0}: the answer {1} has a guess already")]
    Twice(usize, Feedback),
    #[error("the tree has no guess: it is cut off after the first line")]
    Empty,
    #[error("the secret {secret} is not found: nothing follows {turns}")]
    NotFound { secret: String, turns: History },
    #[error("{0} guesses of the tree are never asked")]
    Unused(u64),
    #[error("the tree takes {found} guesses in total, but its first line says {said}")]
    Total { found: u64, said: u64 },
}

impl Tree {
    /// Writes the tree: after a line with the game and the total a line for each guess, indented by its number, with
    /// the answer that leads to it.
    pub fn to_text(&self, game: Game) -> Result<String, TreeError> {
        let total = self.walk(game)?.total();
        let mut text = format!("{HEAD} {game} {total}\n{}\n", game.text(self.guess));
        self.write_replies(game, 1, &mut text);
        Ok(text)
    }

    fn write_replies(&self, game: Game, depth: usize, text: &mut String) {
        for (answer, reply) in &self.replies {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{:depth$}{answer} {}", "", game.text(reply.guess));
            reply.write_replies(game, depth + 1, text);
        }
    }

    /// Reads a tree, and plays it against every secret: it must find all in the total that the first line says.
    pub fn check(text: &str) -> Result<(Self, Game, Table), TreeError> {
        let mut lines = (1..).zip(text.lines());
        let head = lines.next().and_then(|(_, line)| line.strip_prefix(HEAD)).ok_or(TreeError::Head)?;
        let mut words = head.split_whitespace();
        let (Some(game), Some(said), None) = (words.next(), words.next(), words.next()) else {
            return Err(TreeError::Head);
        };
        let game: Game = game.parse().map_err(TreeError::Game)?;
        let said: u64 = said.parse().map_err(|_| TreeError::Head)?;
        let (number, first) = lines.next().ok_or(TreeError::Empty)?;
        let guess = game.parse_code(first).map_err(|error| TreeError::Code(number, error))?;
        // The path to the last line: each guess with the answer that leads to it.
        let mut path = vec![(game.solved(), Self { guess, replies: Vec::new() })];
        for (number, line) in lines {
            let words = line.trim_start_matches(' ');
            let depth = line.len() - words.len();
            if depth == 0 || depth > path.len() {
                return Err(TreeError::Line(number, "one more space before each further guess of a game"));
            }
            let (answer, code) =
                words.split_once(' ').ok_or(TreeError::Line(number, "an answer and a guess, such as \"12 1344\""))?;
            let answer = game.parse_feedback(answer).map_err(|error| TreeError::Answer(number, error))?;
            let guess = game.parse_code(code).map_err(|error| TreeError::Code(number, error))?;
            close(&mut path, depth);
            if path[depth - 1].1.replies.iter().any(|(other, _)| *other == answer) {
                return Err(TreeError::Twice(number, answer));
            }
            path.push((answer, Self { guess, replies: Vec::new() }));
        }
        close(&mut path, 1);
        let tree = path.remove(0).1;
        let mut asked = HashSet::new();
        let walk = tree.walk_with(game, |node| _ = asked.insert(ptr::from_ref(node)))?;
        let (found, used) = (walk.total(), asked.len() as u64);
        if found != said {
            return Err(TreeError::Total { found, said });
        }
        match tree.guesses() - used {
            0 => Ok((tree, game, walk)),
            unused => Err(TreeError::Unused(unused)),
        }
    }

    /// Plays against every secret of a game.
    pub fn walk(&self, game: Game) -> Result<Table, TreeError> {
        self.walk_with(game, |_| ())
    }

    fn walk_with<'a>(&'a self, game: Game, mut each: impl FnMut(&'a Self)) -> Result<Table, TreeError> {
        let mut table = Table::default();
        for (_, secret) in game.all_codes() {
            table.solve(self.play(game, secret, &mut each)?);
        }
        Ok(table)
    }

    /// Plays against a secret; returns the number of guesses.
    fn play<'a>(&'a self, game: Game, secret: Code, mut each: impl FnMut(&'a Self)) -> Result<usize, TreeError> {
        let (mut turns, mut node) = (History::new(game), self);
        loop {
            each(node);
            let right = Feedback::of(node.guess, secret);
            turns.push(node.guess, right);
            if right == game.solved() {
                return Ok(turns.turns().len());
            }
            let Some((_, reply)) = node.replies.iter().find(|(answer, _)| *answer == right) else {
                return Err(TreeError::NotFound { secret: game.text(secret), turns });
            };
            node = reply;
        }
    }

    /// Returns the number of guesses in the tree.
    fn guesses(&self) -> u64 {
        1 + self.replies.iter().map(|(_, reply)| reply.guesses()).sum::<u64>()
    }
}

/// Hangs finished guesses under the ones before them, until a path has this length.
fn close(path: &mut Vec<(Feedback, Tree)>, len: usize) {
    while path.len() > len
        && let Some(last) = path.pop()
        && let Some((_, parent)) = path.last_mut()
    {
        parent.replies.push(last);
    }
}
