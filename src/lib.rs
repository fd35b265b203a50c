//! The server of the Game of the Amazons: what touches files, processes and terminals.
