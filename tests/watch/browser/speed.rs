use std::time::Duration;

use amazons_browser::Browser;
use amazons_rules::Shape;

use super::pages::open_game;
use crate::watch::{Rig, record};

/// The figure for docs/performance.md, which `--nocapture` shows: a 100 x 100 board steps within a frame.
#[test]
fn large_boards_step_quickly() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 100, 4));
    let moves = browser.eval("viewer.game.moves.length");
    println!("a game of {moves} moves on 100 x 100");
    for (what, shading) in [("plain", false), ("territory", true)] {
        let measured = browser.eval(&format!(
            "(async () => {{
                viewer.setShading({shading});
                viewer.go(1000);
                const frame = () => new Promise((done) => requestAnimationFrame(done));
                for (let wait = 0; wait < 10; wait += 1) await frame();
                const [script, frames] = [[], []];
                let last = await frame();
                for (let step = 0; step < 60; step += 1) {{
                    const begun = performance.now();
                    viewer.go(viewer.ply + 1);
                    script.push(performance.now() - begun);
                    const now = await frame();
                    frames.push(now - last);
                    last = now;
                }}
                const part = (list, at) => list.sort((a, b) => a - b)[Math.floor(list.length * at)];
                return [part(script, 0.5), part(script, 0.95), part(frames, 0.5), part(frames, 0.95)];
            }})()"
        ));
        println!("{what}: script median, 95 %, frame median, 95 %, in ms: {measured}");
        let script = measured[0].as_f64().expect("a number");
        assert!(script < Duration::from_secs(1).as_millis() as f64, "{what}: a step takes {script} ms");
    }
}
