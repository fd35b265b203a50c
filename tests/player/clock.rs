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
        let tell = |pause: Duration| {
            let start = Instant::now();
            let mut clock = MoveClock::start(&limits);
            while !clock.is_over() {
                let asked = Instant::now();
                while asked.elapsed() < pause {}
            }
            start.elapsed()
        };
        let (least, most) = (Duration::from_micros(least), Duration::from_millis(limit));
        // On a busy machine a thread may have to wait for longer than what is left.
        let in_time = (0..20).any(|_| (least..most).contains(&tell(Duration::ZERO)));
        assert!(in_time, "{limit} ms were never enough, or not used");
        // Who asks seldom is told earlier.
        let in_time = (0..20).any(|_| tell(most * 3 / 10) < most);
        assert!(in_time, "{limit} ms were never enough for three pauses");
    }
}
