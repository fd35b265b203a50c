//! The pages: over plain connections, and in a browser.

mod join;
mod live;
mod play;
mod records;
