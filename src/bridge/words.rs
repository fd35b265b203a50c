use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Why a command cannot be taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// A quotation does not end.
    #[error("a quotation mark {0} is missing its partner")]
    Quotation(char),
    /// A backslash has nothing behind it.
    #[error("there is nothing behind the last backslash")]
    Backslash,
    /// There is no word at all.
    #[error("there is no command")]
    Empty,
}

/// Takes a command apart as a shell would that knows blanks, quotation marks and backslashes, and nothing else: what
/// looks like a variable or a pipe is an ordinary part of a word.
///
/// # Errors
/// When a quotation does not end, or there is no word.
pub fn words(command: &OsStr) -> Result<Vec<OsString>, WordsError> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quotation = None;
    let mut bytes = command.as_bytes().iter().copied();
    while let Some(byte) = bytes.next() {
        match (quotation, byte) {
            (Some(mark), _) if byte == mark => quotation = None,
            (None, b'"' | b'\'') => {
                quotation = Some(byte);
                // Two marks with nothing between them are a word.
                word.get_or_insert_default();
            }
            (None | Some(b'"'), b'\\') => {
                let next = bytes.next().ok_or(WordsError::Backslash)?;
                word.get_or_insert_default().push(next);
            }
            (None, b' ' | b'\t' | b'\n') => words.extend(word.take().map(OsString::from_vec)),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    if let Some(mark) = quotation {
        return Err(WordsError::Quotation(char::from(mark)));
    }
    words.extend(word.map(OsString::from_vec));
    if words.is_empty() { Err(WordsError::Empty) } else { Ok(words) }
}
