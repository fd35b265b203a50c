//! The server of lines: messages, the table as a state machine, the program over TCP.

mod cells;
mod driver;
mod hidden;
mod hostile;
mod messages;
mod rejoin;
mod session;
mod solve;
mod tcp;
