//! The server of lines: messages, the table as a state machine, the program over TCP.

mod cells;
mod crowd;
mod driver;
mod foreign;
mod framing;
mod heard;
mod hidden;
mod hostile;
mod lifecycle;
mod messages;
pub(crate) mod own_seats;
mod person;
mod record;
mod records;
mod rejoin;
pub(crate) mod server;
mod session;
mod sockets;
mod solve;
mod strange_servers;
mod tcp;

pub(crate) use record::session_record;
