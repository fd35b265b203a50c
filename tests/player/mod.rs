//! The C interface and the bundled players.

mod c_server;
mod clock;
mod engines;
mod examples;
mod games;
mod handover;
mod headers;
mod library;
mod makefiles;
mod raw_graph;
mod reader;
mod settings;
