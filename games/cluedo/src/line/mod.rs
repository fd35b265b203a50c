//! The game of lines that bots play over a server.

pub mod guest;
pub mod inbox;
pub mod message;
pub mod options;
pub mod record;
pub mod seat;
pub mod table;
