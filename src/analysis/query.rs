use serde::{Deserialize, Serialize};

/// A query about a position, as it is written.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Query {
    pub(crate) id: String,
    pub(crate) position: Option<String>,
    pub(crate) shape: Option<String>,
    pub(crate) size: Option<u32>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
    /// The positions to evaluate, by the number of moves before them; the last one if missing.
    pub(crate) turns: Option<Vec<usize>>,
    pub(crate) time_ms: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) lines: Option<u32>,
    #[serde(default)]
    pub(crate) ownership: bool,
    #[serde(default)]
    pub(crate) priority: i64,
    pub(crate) every_ms: Option<u64>,
}
