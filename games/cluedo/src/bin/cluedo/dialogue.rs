//! Questions to a person, and answers as words between white space.

use std::io::{self, BufRead, Write};

use amazons_program::Exit;

/// Longer words are cut: no answer is this long.
const WORD_MAX: usize = 64;

/// A person at the other end of two streams.
#[derive(Debug)]
pub(crate) struct Dialogue<R, W> {
    input: R,
    pub(crate) out: W,
}

/// What a word asks for instead of answering.
pub(crate) type Aside<'a> = &'a mut dyn FnMut(&str) -> Option<String>;

impl<R: BufRead, W: Write> Dialogue<R, W> {
    pub(crate) const fn new(input: R, out: W) -> Self {
        Self { input, out }
    }

    pub(crate) fn say(&mut self, text: impl AsRef<str>) -> Result<(), Exit> {
        writeln!(self.out, "{}", text.as_ref())?;
        Ok(self.out.flush()?)
    }

    /// Asks until `read` takes an answer. Nothing when the input has ended.
    pub(crate) fn ask<T>(
        &mut self,
        question: &str,
        aside: Aside<'_>,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Exit> {
        self.say(question)?;
        while let Some(word) = self.word()? {
            if let Some(said) = aside(&word) {
                self.say(said)?;
                self.say(question)?;
                continue;
            }
            match read(&word) {
                Ok(answer) => return Ok(Some(answer)),
                Err(wrong) => self.say(wrong)?,
            }
        }
        Ok(None)
    }

    /// Returns the next word; of one that is too long only the beginning, and of other bytes than text a picture.
    fn word(&mut self) -> Result<Option<String>, Exit> {
        let mut word = Vec::new();
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Exit::failure(format!("cannot read standard input: {error}"))),
            };
            let (mut used, mut is_over) = (0, bytes.is_empty());
            for &byte in bytes {
                used += 1;
                if !byte.is_ascii_whitespace() {
                    if word.len() < WORD_MAX {
                        word.push(byte);
                    }
                } else if !word.is_empty() {
                    is_over = true;
                    break;
                }
            }
            self.input.consume(used);
            if is_over {
                return Ok((!word.is_empty()).then(|| String::from_utf8_lossy(&word).into_owned()));
            }
        }
    }
}
