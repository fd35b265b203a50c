//! Which opening book to use.

use std::sync::{Arc, LazyLock};

use super::Book;
use crate::{Position, Size};

/// The plies of the book that comes with the program.
const SHIPPED_PLIES: u32 = 8;

/// That book, for [`Size::STANDARD`]: `connect4 book make` made it.
static SHIPPED: LazyLock<Book> =
    LazyLock::new(|| Book::from_bytes(include_bytes!("../../books/7x6")).expect("a test reads it"));

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

impl Book {
    /// Returns the book that comes with the program: 8 plies on 7x6.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }
}
