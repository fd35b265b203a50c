//! Opening books: the scores of all positions after some plies.
//!
//! A book is a line of text (`connect4 book 1 7x6 8 76879`: version, size, plies, number of scores), a byte for each
//! score, and the SHA-256 of all this. The positions themselves are not in it: they are enumerated in a fixed order, that
//! of [`scored`].

mod openings;

use std::sync::{Arc, LazyLock};

use sha2::{Digest, Sha256};
use thiserror::Error;

pub use openings::{Opening, openings, scored};

use crate::geometry::Geometry;
use crate::{Position, Size};

const MAGIC: &str = "connect4 book";
/// Changes when the positions, their order or their scores change.
const VERSION: u32 = 1;
/// Bytes of a SHA-256.
const CHECKSUM: usize = 32;
/// A longer first line is not that of a book.
const MAX_HEAD_LEN: usize = 80;

/// The scores of all positions after some plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    size: Size,
    plies: u32,
    /// The key of each position, ascending.
    keys: Vec<u64>,
    scores: Vec<i8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    #[error("not an opening book of Connect 4")]
    Foreign,
    #[error("a book of version {0}, but this program reads version {VERSION}: make it again with `connect4 book make`")]
    Version(u32),
    #[error("a book for {0}, not for {1}")]
    Size(Size, Size),
    #[error("{found} bytes instead of {expected}: make it again with `connect4 book make`")]
    Length { found: usize, expected: usize },
    #[error("its checksum is wrong: make it again with `connect4 book make`")]
    Checksum,
    #[error("score {0} is out of range")]
    Score(i8),
}

/// Counts of a book's quiet positions: those where neither side could win at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Wins of the first player.
    pub wins: usize,
    /// Wins of the second player.
    pub losses: usize,
    pub draws: usize,
}

impl Book {
    /// Makes a book from the scores of its openings, in their order.
    pub fn new(size: Size, plies: u32, scores: Vec<i8>) -> Result<Self, BookError> {
        let keys: Vec<u64> = scored(size, plies).iter().map(|opening| opening.key).collect();
        if keys.len() != scores.len() {
            let bytes = |scores: usize| head(size, plies, keys.len()).len() + scores + CHECKSUM;
            return Err(BookError::Length { found: bytes(scores.len()), expected: bytes(keys.len()) });
        }
        let most = (size.cells() - plies).div_ceil(2);
        match scores.iter().find(|score| u32::from(score.unsigned_abs()) > most) {
            Some(&score) => Err(BookError::Score(score)),
            None => Ok(Self { size, plies, keys, scores }),
        }
    }

    /// Returns the book that comes with the program: 8 plies on 7x6.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    pub const fn size(&self) -> Size {
        self.size
    }

    pub const fn plies(&self) -> u32 {
        self.plies
    }

    pub const fn len(&self) -> usize {
        self.scores.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    pub fn score(&self, position: &Position) -> Option<i32> {
        let is_mine = position.size() == self.size && position.plies() == self.plies;
        is_mine.then(|| self.find(Opening::new(*position).key)).flatten()
    }

    /// Returns the score of a position after its plies.
    pub(crate) fn score_of<G: Geometry>(&self, geometry: G, own: u64, stones: u64) -> Option<i32> {
        self.find((own + stones).min(geometry.mirrored(own) + geometry.mirrored(stones)))
    }

    fn find(&self, key: u64) -> Option<i32> {
        self.keys.binary_search(&key).ok().map(|index| self.scores[index].into())
    }

    /// Counts the results of the quiet positions, which do not depend on what a mirror changes.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        let moves_first = self.plies.is_multiple_of(2);
        for opening in openings(self.size, self.plies).iter().filter(|it| it.is_quiet()) {
            match self.find(opening.key).unwrap_or_default() {
                0 => counts.draws += 1,
                score if (score > 0) == moves_first => counts.wins += 1,
                _ => counts.losses += 1,
            }
        }
        counts
    }

    /// Returns the file's contents.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = head(self.size, self.plies, self.len()).into_bytes();
        bytes.extend(self.scores.iter().map(|score| score.cast_unsigned()));
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (size, plies, number, at) = parse_head(bytes)?;
        let expected = at.saturating_add(number).saturating_add(CHECKSUM);
        if bytes.len() != expected {
            return Err(BookError::Length { found: bytes.len(), expected });
        }
        let (contents, checksum) = bytes.split_at(at + number);
        if Sha256::digest(contents)[..] != *checksum {
            return Err(BookError::Checksum);
        }
        Self::new(size, plies, contents[at..].iter().map(|byte| byte.cast_signed()).collect())
    }

    pub fn for_size(self, size: Size) -> Result<Self, BookError> {
        if self.size == size { Ok(self) } else { Err(BookError::Size(self.size, size)) }
    }
}

/// Returns the first line of a book.
pub fn head(size: Size, plies: u32, number: usize) -> String {
    format!("{MAGIC} {VERSION} {size} {plies} {number}\n")
}

/// Reads the first line: size, plies, the number of scores, and where they begin.
fn parse_head(bytes: &[u8]) -> Result<(Size, u32, usize, usize), BookError> {
    let end = bytes.iter().take(MAX_HEAD_LEN).position(|&byte| byte == b'\n').ok_or(BookError::Foreign)?;
    let line = std::str::from_utf8(&bytes[..end]).map_err(|_| BookError::Foreign)?;
    let fields: Vec<&str> = line.strip_prefix(MAGIC).ok_or(BookError::Foreign)?.split_whitespace().collect();
    let version = fields.first().and_then(|text| text.parse().ok()).ok_or(BookError::Foreign)?;
    if version != VERSION {
        return Err(BookError::Version(version));
    }
    let [_, size, plies, number] = fields[..] else { return Err(BookError::Foreign) };
    let head = || Some((size.parse::<Size>().ok()?, plies.parse().ok()?, number.parse().ok()?));
    let (size, plies, number) = head().ok_or(BookError::Foreign)?;
    // Enumerating more takes too long; what else the line claims is checked against the file.
    if plies > size.cells().min(MAX_PLIES) {
        return Err(BookError::Foreign);
    }
    Ok((size, plies, number, end + 1))
}

pub const MAX_PLIES: u32 = 12;

/// The plies of the book that comes with the program.
const SHIPPED_PLIES: u32 = 8;

/// That book, for [`Size::STANDARD`]: `connect4 book make` made it.
static SHIPPED: LazyLock<Book> =
    LazyLock::new(|| Book::from_bytes(include_bytes!("../books/7x6")).expect("a test reads it"));

#[derive(Clone, Debug, Default)]
pub enum BookChoice {
    #[default]
    Nothing,
    /// The one that comes with the program: 8 plies on 7x6. It is unpacked when the first position needs it.
    Shipped,
    Own(Arc<Book>),
}

impl BookChoice {
    /// Returns the book if it helps with a position: if it is for this size, and the position is not beyond its plies.
    pub fn book_for(&self, position: &Position) -> Option<&Book> {
        let helps = |size, plies| position.size() == size && position.plies() <= plies;
        match self {
            Self::Shipped if helps(Size::STANDARD, SHIPPED_PLIES) => Some(&SHIPPED),
            Self::Own(book) if helps(book.size(), book.plies()) => Some(book),
            Self::Nothing | Self::Shipped | Self::Own(_) => None,
        }
    }
}

impl From<Book> for BookChoice {
    fn from(book: Book) -> Self {
        Self::Own(Arc::new(book))
    }
}
