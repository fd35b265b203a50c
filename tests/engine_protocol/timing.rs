//! How quickly an engine answers: this test measures time, so it runs alone.

use std::time::{Duration, Instant};

use super::uci::uci;

/// On a quiet machine within 10 ms and 5 ms; here with room for a busy one.
#[test]
fn it_answers_in_time() {
    let (mut engine, _) = uci("champion");
    engine.say("position startpos");
    let (mut timed, mut stopped) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let begun = Instant::now();
        engine.say("go movetime 100");
        engine.hear("bestmove ");
        timed.push(begun.elapsed());
        engine.say("go infinite");
        engine.hear("info depth");
        let begun = Instant::now();
        engine.say("stop");
        engine.hear("bestmove ");
        stopped.push(begun.elapsed());
    }
    timed.sort();
    stopped.sort();
    assert!(timed[2] < Duration::from_millis(140), "{timed:?}");
    assert!(stopped[2] < Duration::from_millis(40), "{stopped:?}");
}
