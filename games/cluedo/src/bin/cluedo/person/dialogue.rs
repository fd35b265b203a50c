//! Questions to a person, and answers as words of a line.

use std::fmt::Display;
use std::io::Write;

use amazons_program::{Exit, TYPED_MAX, Typed, drop_typed_ahead};

/// Longer words are cut: no answer is this long.
const WORD_MAX: usize = 64;
/// Maximum number of words of an answer, such as "Salle à manger".
const ANSWER_WORDS_MAX: usize = 4;

/// A person who types lines and reads what is said.
pub(crate) struct Dialogue<'l, W> {
    /// Reads the next line; nothing if the question is out of date before.
    pub(crate) lines: &'l mut dyn FnMut() -> Option<Typed>,
    pub(crate) out: W,
    /// Words of the last line that have answered nothing yet.
    words: Vec<String>,
}

/// Why a question has no answer.
pub(crate) enum Stop {
    /// Back to an earlier question.
    Back,
    /// The person leaves, or the input has ended.
    Leave,
    TooLate,
    Failed(Exit),
}

impl From<Exit> for Stop {
    fn from(exit: Exit) -> Self {
        Self::Failed(exit)
    }
}

/// The answers that a line may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    One,
    /// Answers to this question and the next ones of the same turn.
    Several,
}

impl<'l, W: Write> Dialogue<'l, W> {
    pub(crate) fn new(lines: &'l mut dyn FnMut() -> Option<Typed>, out: W) -> Self {
        Self { lines, out, words: Vec::new() }
    }

    pub(crate) fn say(&mut self, text: impl AsRef<str>) -> Result<(), Exit> {
        writeln!(self.out, "{}", text.as_ref())?;
        Ok(self.out.flush()?)
    }

    /// Asks until `read` takes an answer; `aside` answers the requests that a person may make at any question.
    pub(crate) fn ask<T, E: Display>(
        &mut self,
        question: &str,
        answers: Answers,
        aside: impl Fn(&str) -> Option<String>,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, Stop> {
        self.say(question)?;
        loop {
            let Some(first) = self.words.first() else {
                match (self.lines)() {
                    None => return Err(Stop::TooLate),
                    Some(Typed::End) => return Err(Stop::Leave),
                    Some(typed) => self.take(typed, answers)?,
                }
                continue;
            };
            match &*first.to_lowercase() {
                "quit" | "exit" => return Err(Stop::Leave),
                "back" | "cancel" | "undo" => {
                    self.words.clear();
                    return Err(Stop::Back);
                }
                word => {
                    if let Some(said) = aside(word) {
                        self.words.remove(0);
                        self.say(said)?;
                        self.say(question)?;
                        continue;
                    }
                }
            }
            // A name may have several words.
            let most = self.words.len().min(ANSWER_WORDS_MAX);
            let found = (1..=most).rev().find_map(|count| Some((count, read(&self.words[..count].join(" ")).ok()?)));
            if let Some((count, answer)) = found {
                self.words.drain(..count);
                return Ok(answer);
            }
            let wrong = read(&self.words[0]).err().map_or_else(String::new, |error| error.to_string());
            let rest = self.words[1..].join(" ");
            self.words.clear();
            self.say(if rest.is_empty() { wrong } else { format!("{wrong} ({rest:?} is not taken, either)") })?;
        }
    }

    /// Ends a turn's questions: what is left of the line answers no other.
    pub(crate) fn end_questions(&mut self) -> Result<(), Exit> {
        let rest = std::mem::take(&mut self.words).join(" ");
        if rest.is_empty() { Ok(()) } else { self.say(format!("{rest:?} is not taken: it answers no question")) }
    }

    /// Drops what was typed at a terminal before a question that nobody could foresee.
    pub(crate) fn drop_typed_ahead(&mut self) -> Result<(), Exit> {
        if drop_typed_ahead() { self.say("what you typed before this question is not taken") } else { Ok(()) }
    }

    fn take(&mut self, typed: Typed, answers: Answers) -> Result<(), Exit> {
        let line = match typed {
            Typed::Line(line) => line,
            Typed::NotText => char::REPLACEMENT_CHARACTER.to_string(),
            Typed::TooLong => return self.say(format!("that line is too long: type at most {TYPED_MAX} bytes")),
            Typed::End => return Ok(()),
            Typed::Failed(error) => return Err(Exit::failure(format!("cannot read standard input: {error}"))),
        };
        let cut = |word: &str| word.chars().take(WORD_MAX).collect();
        self.words = match answers {
            Answers::Several => line.split_whitespace().map(cut).collect(),
            Answers::One => Some(line.trim()).filter(|line| !line.is_empty()).map(cut).into_iter().collect(),
        };
        Ok(())
    }
}
