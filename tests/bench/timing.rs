use std::time::Duration;

use amazons::bench::{positions, timed};
use amazons_rules::Position;
use amazons_testing::let_pass;

#[test]
fn only_processor_time_counts() {
    let ((), slept) = timed(|| let_pass(Duration::from_millis(300)));
    let (_, worked) = timed(|| positions(&Position::standard()).len());
    assert!(slept < 0.1 && worked > 0.0, "{slept} {worked}");
}
