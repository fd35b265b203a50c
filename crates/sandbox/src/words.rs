use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Why a command cannot be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// A quotation does not end.
    #[error("a quotation mark {0} is not closed")]
    Quotation(char),
    /// A trailing backslash.
    #[error("nothing follows the last backslash")]
    Backslash,
    /// There are no words.
    #[error("there is no command")]
    Empty,
}

/// Splits a command like a shell that only knows blanks, quotation marks and backslashes: variables and pipes are
/// ordinary parts of a word. Fails when a quotation does not end, or there are no words.
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
                // Two marks with nothing between them are an empty word.
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
