//! The pages: over plain connections, and in a browser.

mod client;
mod join;
mod live;
mod play;
mod records;
