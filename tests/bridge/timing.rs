//! The charge for children of programs: this test measures time, so it runs alone.

use super::children::event;
use crate::support::without;

#[test]
fn children_that_are_seen_are_charged_where_the_kernel_does_not_count() {
    for error in [libc::EACCES, libc::ENOSYS] {
        let played = event(without(&[(libc::SYS_perf_event_open, error)]), 2, 300, "10s");
        assert_eq!(played["event"], "move", "{played}");
        // They are looked at every 10 ms, or as often as a busy machine permits.
        assert!(played["cpu_us"].as_u64().is_some_and(|time| time >= 400_000), "{played}");
    }
}
