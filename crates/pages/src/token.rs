use std::fmt;
use std::hint::black_box;
use std::io;

use rand::TryRng;
use rand::rngs::SysRng;

/// The right to act, as part of a URL: 32 hex digits that cannot be guessed.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Makes a new one.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; 16];
        SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// Returns its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this is the token, in constant time.
    pub fn is(&self, text: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), text.as_bytes());
        let differences = ours.iter().zip(theirs).fold(0, |found, (a, b)| black_box(found | (a ^ b)));
        ours.len() == theirs.len() && differences == 0
    }
}

impl fmt::Debug for Token {
    /// Hides the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}
