//! The pages: over plain connections, and in a browser.

pub(crate) mod client;
mod join;
mod live;
mod play;
mod records;
