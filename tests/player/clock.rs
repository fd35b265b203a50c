use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use amazons_player::{MoveClock, TimeLimits};

#[test]
fn a_move_takes_most_of_its_time_and_leaves_some() {
    for (limit, least) in [(4, 2500), (20, 15_000), (100, 90_000)] {
        let limits = TimeLimits {
            cpu: None,
            wall: Some(Duration::from_millis(limit)),
            game: None,
            increment: Duration::ZERO,
            threads: NonZeroUsize::MIN,
        };
        // On a busy machine a thread may have to wait for longer than what is left.
        let in_time = (0..20).any(|_| {
            let start = Instant::now();
            let clock = MoveClock::start(&limits);
            while !clock.is_over() {}
            let spent = start.elapsed();
            assert!(spent >= Duration::from_micros(least), "{limit} ms: over after {spent:?}");
            spent < Duration::from_millis(limit)
        });
        assert!(in_time, "{limit} ms were never enough");
    }
}
