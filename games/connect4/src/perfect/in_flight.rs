use std::sync::atomic::{AtomicU64, Ordering};

/// The number of places: a multiple of the positions that threads search at a time.
const PLACES: usize = 1 << 12;

/// The positions that threads are searching, so that each takes another one.
///
/// Two positions may have the same place; then a thread searches in a worse order, or what another one searches, too.
#[derive(Debug)]
pub(super) struct InFlight(Vec<AtomicU64>);

impl InFlight {
    pub(super) fn new() -> Self {
        Self((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.place(key).load(Ordering::Relaxed) == key
    }

    pub(super) fn enter(&self, key: u64) {
        self.place(key).store(key, Ordering::Relaxed);
    }

    pub(super) fn leave(&self, key: u64) {
        self.place(key).store(0, Ordering::Relaxed);
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES.ilog2());
        &self.0[usize::try_from(hash).unwrap_or_default()]
    }
}
