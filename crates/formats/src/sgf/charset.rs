use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::read_error::{ReadError, complain, locate, text_of};

/// Converts a file to text by its `CA`, or if it has none like other files.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    let Some((at, label)) = label(bytes) else { return Ok(text_of(bytes)) };
    match Encoding::for_label(label) {
        Some(encoding) if encoding == UTF_8 => Ok(text_of(bytes)),
        Some(encoding) => Ok(encoding.decode(bytes).0),
        None => {
            let name = String::from_utf8_lossy(label);
            let message = format!("CA: the character set '{name}' is not known: convert the file to UTF-8");
            Err(locate(&text_of(bytes), &complain(at, message)))
        }
    }
}

/// Finds the value of the first `CA`, a property of the root, and the number of bytes before it.
fn label(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (mut is_value, mut before) = (false, b' ');
    for (at, &byte) in bytes.iter().enumerate() {
        let rest = bytes.get(at..)?;
        let value = rest.strip_prefix(b"CA").and_then(|rest| rest.trim_ascii_start().strip_prefix(b"["));
        if let Some(value) = value.filter(|_| !is_value && !before.is_ascii_uppercase()) {
            return Some((at, value.split(|&byte| byte == b']').next()?.trim_ascii()));
        }
        (is_value, before) = (byte == b'[' || is_value && byte != b']', byte);
    }
    None
}
