//! Questions to a person, and answers as words of a line.

use std::io::{BufRead, Write};

use amazons_program::{Exit, TYPED_MAX, Typed, drop_typed_ahead, read_line};

/// Longer words are cut: no answer is this long.
const WORD_MAX: usize = 64;
/// Maximum number of words of an answer, such as "Salle à manger".
const ANSWER_WORDS_MAX: usize = 4;

/// A person at the other end of two streams.
#[derive(Debug)]
pub(crate) struct Dialogue<R, W> {
    input: R,
    pub(crate) out: W,
    /// Words of the last line that have answered nothing yet.
    words: Vec<String>,
}

/// Handles a word that is not an answer but asks for something else.
pub(crate) type Aside<'a> = &'a mut dyn FnMut(&str) -> Option<String>;

/// A person's answer to a question.
pub(crate) enum Said<T> {
    Answer(T),
    /// Back to an earlier question.
    Back,
    /// The person leaves, or the input has ended.
    Leave,
}

/// The answers that a line may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// One answer.
    One,
    /// Answers to this question and the next ones of the same turn.
    Several,
}

impl<R: BufRead, W: Write> Dialogue<R, W> {
    pub(crate) const fn new(input: R, out: W) -> Self {
        Self { input, out, words: Vec::new() }
    }

    pub(crate) fn say(&mut self, text: impl AsRef<str>) -> Result<(), Exit> {
        writeln!(self.out, "{}", text.as_ref())?;
        Ok(self.out.flush()?)
    }

    /// Asks until `read` takes an answer.
    pub(crate) fn ask<T>(
        &mut self,
        question: &str,
        answers: Answers,
        aside: Aside<'_>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Said<T>, Exit> {
        self.say(question)?;
        loop {
            if self.words.is_empty() && !self.read_words(answers)? {
                return Ok(Said::Leave);
            }
            let Some(first) = self.words.first() else { continue };
            match &*first.to_lowercase() {
                "quit" | "exit" => return Ok(Said::Leave),
                "back" | "cancel" => {
                    self.words.clear();
                    return Ok(Said::Back);
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
                return Ok(Said::Answer(answer));
            }
            let wrong = read(&self.words[0]).err().unwrap_or_default();
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

    /// Reads a line; returns whether there was one.
    fn read_words(&mut self, answers: Answers) -> Result<bool, Exit> {
        let line = match read_line(&mut self.input) {
            Typed::Line(line) => line,
            Typed::NotText => char::REPLACEMENT_CHARACTER.to_string(),
            Typed::TooLong => {
                self.say(format!("that line is too long: type at most {TYPED_MAX} bytes"))?;
                return Ok(true);
            }
            Typed::End => return Ok(false),
            Typed::Failed(error) => return Err(Exit::failure(format!("cannot read standard input: {error}"))),
        };
        let cut = |word: &str| word.chars().take(WORD_MAX).collect();
        self.words = match answers {
            Answers::Several => line.split_whitespace().map(cut).collect(),
            Answers::One => Some(line.trim()).filter(|line| !line.is_empty()).map(cut).into_iter().collect(),
        };
        Ok(true)
    }
}
