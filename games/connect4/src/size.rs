use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The largest width and height.
const MAX_SIDE: u32 = 16;
const MIN_SIDE: u32 = 2;

/// The size of a board; four in a row always win.
///
/// A board and one guard row above it fit 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SizeError {
    #[error("{0:?} is no size: write WIDTHxHEIGHT, such as 7x6")]
    Text(String),
    #[error("no board of {0}: width and height are 2 to 16, and width x (height + 1) is at most 64")]
    Rule(String),
}

impl Size {
    /// The usual board: 7 columns of 6 cells.
    pub const STANDARD: Self = Self { width: 7, height: 6 };

    pub fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        let range = MIN_SIDE..=MAX_SIDE;
        match (u8::try_from(width), u8::try_from(height)) {
            (Ok(narrow), Ok(low))
                if range.contains(&width) && range.contains(&height) && width * (height + 1) <= u64::BITS =>
            {
                Ok(Self { width: narrow, height: low })
            }
            _ => Err(SizeError::Rule(format!("{width}x{height}"))),
        }
    }

    pub const fn width(self) -> u32 {
        self.width as u32
    }

    pub const fn height(self) -> u32 {
        self.height as u32
    }

    pub const fn cells(self) -> u32 {
        self.width() * self.height()
    }

    /// Returns the columns from the centre outwards, of two the left one first.
    pub fn from_centre(self) -> Vec<u32> {
        let mut columns: Vec<u32> = (0..self.width()).collect();
        columns.sort_by_key(|&column| (2 * column + 1).abs_diff(self.width()));
        columns
    }

    /// Returns the name of a column, counted from 0: a digit from 1 on, then letters from a on.
    pub fn column_name(self, column: u32) -> char {
        char::from_digit(column + 1, 36).unwrap_or('?')
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let sides = text.split_once('x').filter(|(width, height)| is_number(width) && is_number(height));
        let (width, height) = sides.ok_or_else(|| SizeError::Text(excerpt(text)))?;
        // A number may have more than 32 bits.
        let sides = width.parse().ok().zip(height.parse().ok());
        sides.map_or_else(|| Err(SizeError::Rule(excerpt(text))), |(width, height)| Self::new(width, height))
    }
}

/// Maximum number of characters of a typed or read text that a message repeats.
const MAX_EXCERPT_LEN: usize = 120;

/// Returns a text as a message repeats it: of a long one, only its beginning.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT_LEN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
