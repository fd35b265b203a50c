//! Limits of time on machines that stand still now and then.

use std::panic::{AssertUnwindSafe, catch_unwind};

const ATTEMPTS: usize = 5;

/// Runs a test of times again when it fails: a machine that is busy, or that its host keeps waiting, breaks limits now
/// and then, but a mistake of ours breaks them each time.
pub(crate) fn retried(test: impl Fn()) {
    for _ in 1..ATTEMPTS {
        if catch_unwind(AssertUnwindSafe(&test)).is_ok() {
            return;
        }
        println!("once more: the machine may have been disturbed");
    }
    test();
}
