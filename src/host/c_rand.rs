//! C's `rand` for players; most of them never seed it.

use std::ffi::{c_char, c_uint};
use std::mem;

/// The size of the C library's own state, so that seeds give the same numbers as with `srand`.
const STATE_LEN: usize = 32;

unsafe extern "C" {
    fn initstate(seed: c_uint, state: *mut c_char, len: libc::size_t) -> *mut c_char;
    fn setstate(state: *mut c_char) -> *mut c_char;
}

/// Seeds `rand` for a process with one player.
pub(super) fn seed_rand(seed: u64) {
    // SAFETY: `srand` takes any number.
    unsafe { libc::srand(short(seed)) };
}

/// The state of `rand` for one of several players in a process.
#[derive(Debug)]
pub(super) struct RandState(Box<[u32; STATE_LEN]>);

impl RandState {
    pub(super) fn new(seed: u64) -> Self {
        let mut state = Box::new([0; STATE_LEN]);
        // SAFETY: the state is writable, aligned, of that size, and never moves.
        let before = unsafe { initstate(short(seed), state.as_mut_ptr().cast(), mem::size_of_val(&*state)) };
        // SAFETY: this state was in use until the line above.
        unsafe { setstate(before) };
        Self(state)
    }

    /// Activates this state and returns the previous one; the caller must ensure that only one thread draws.
    pub(super) fn enter(&mut self) -> StateInUse {
        // SAFETY: `new` made it a state.
        StateInUse(unsafe { setstate(self.0.as_mut_ptr().cast()) })
    }
}

/// Restores the previous state on drop; drop it before its [`RandState`].
#[derive(Debug)]
pub(super) struct StateInUse(*mut c_char);

impl Drop for StateInUse {
    fn drop(&mut self) {
        // SAFETY: the previous state is the C library's own: players take turns, and each restores it.
        unsafe { setstate(self.0) };
    }
}

/// Returns 32-bit seeds unchanged, and mixes both halves of others.
fn short(seed: u64) -> c_uint {
    let [low, high] = [seed, seed >> 32].map(|half| u32::try_from(half & u64::from(u32::MAX)).unwrap_or(0));
    low.wrapping_add(high.wrapping_mul(0x9e37_79b9))
}
