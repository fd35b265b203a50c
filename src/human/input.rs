use std::io::{self, BufRead, IsTerminal};

use amazons_rules::Position;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::completions;

/// Maximum length of a line from a file or a pipe, in bytes.
const LINE_MAX: u64 = 4096;

/// The source of lines.
pub(super) enum Input {
    /// A person types, with a line editor.
    Terminal(Box<Editor<Squares, MemHistory>>),
    /// A file or another program, one line after another.
    Lines,
}

impl Input {
    /// Opens the terminal if there is one.
    pub(super) fn open(position: &Position) -> Self {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Self::Lines;
        }
        let config = Config::builder().completion_type(CompletionType::List).build();
        let Ok(mut editor) = Editor::with_history(config, MemHistory::new()) else {
            return Self::Lines;
        };
        editor.set_helper(Some(Squares(position.clone())));
        Self::Terminal(Box::new(editor))
    }

    /// Asks for a line; a terminal shows the prompt and completes squares of this position.
    ///
    /// Returns `None` at the end of the input and when the person quits.
    pub(super) fn line(&mut self, prompt: &str, position: &Position) -> io::Result<Option<String>> {
        match self {
            Self::Terminal(editor) => {
                editor.set_helper(Some(Squares(position.clone())));
                match editor.readline(prompt) {
                    Ok(line) => {
                        // A line that does not fit into the history is still an answer.
                        let _ = editor.add_history_entry(&line);
                        Ok(Some(line))
                    }
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(io::Error::other(error)),
                }
            }
            Self::Lines => {
                let mut line = Vec::new();
                let read = io::Read::take(io::stdin().lock(), LINE_MAX).read_until(b'\n', &mut line)?;
                Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
            }
        }
    }
}

/// Completes squares.
pub(super) struct Squares(Position);

impl Completer for Squares {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completions(&self.0, line.get(..at).unwrap_or(line)))
    }
}

impl Hinter for Squares {
    type Hint = String;
}

impl Highlighter for Squares {}

impl Validator for Squares {}

impl Helper for Squares {}
