//! 200 spectators of 20 games.

mod timing;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use amazons_rules::Shape;
use amazons_testing::wait_until;

use super::{Rig, record};

/// All spectators of all games see every line, in order, while the files grow.
#[test]
fn everybody_sees_everything() {
    let rig = Rig::new();
    let texts: Vec<String> = (0..20).map(|seed| record("a", "b", Shape::Square, 6, seed)).collect();
    for (number, text) in texts.iter().enumerate() {
        rig.write(&format!("{number}.jsonl"), &format!("{}\n", text.lines().next().expect("a line")));
    }
    let ids: Vec<String> = (0..20).map(|number| rig.id(&format!("{number}.jsonl"))).collect();
    let ready = AtomicUsize::new(0);
    thread::scope(|scope| {
        for spectator in 0..200 {
            let (text, id, rig, ready) = (&texts[spectator % 20], &ids[spectator % 20], &rig, &ready);
            scope.spawn(move || {
                let mut events = rig.events(id, "");
                ready.fetch_add(1, Ordering::Relaxed);
                for (number, line) in text.lines().enumerate() {
                    let sent = events.line().expect("a line");
                    assert_eq!((sent.id, sent.data.as_str()), (Some(number + 1), line));
                }
                assert_eq!(events.line(), None);
            });
        }
        wait_until("all are there", || ready.load(Ordering::Relaxed) == 200);
        for (number, text) in texts.iter().enumerate() {
            rig.write(&format!("{number}.jsonl"), text);
        }
    });
}
