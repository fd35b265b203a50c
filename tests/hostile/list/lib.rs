//! The names of the hostile players, as a macro: each has tests of its own. The build script lists the C files.

include!(concat!(env!("OUT_DIR"), "/behaviours.rs"));
