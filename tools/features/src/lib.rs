//! Nothing but the features in `Cargo.toml`.
