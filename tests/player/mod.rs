//! The C interface and the bundled players.

mod c_server;
mod clock;
mod clock_not_told;
mod engines;
mod examples;
mod foreign_server;
mod games;
mod handover;
mod headers;
mod library;
mod makefiles;
mod opinions;
mod raw_graph;
mod reader;
mod settings;
mod timing;
