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

/// Median of steps through 200 annotated moves, in a page that shows all of it.
#[test]
fn an_annotated_game_steps_within_a_frame() {
    let Some(mut browser) = Browser::start() else { return };
    let rig = Rig::new();
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 18, 4));
    browser.key("e");
    let moves = browser.eval("viewer.game.moves.length").as_u64().expect("a number");
    assert!(moves >= 200, "{moves}");
    browser.eval(
        "viewer.game.moves.forEach(({ text }, at) => viewer.annotate(at + 1, { win: 0.5, win_after: 0.4, loss: 0.1, mark: at % 5 ? null : '?!', facts: ['One.', 'Two.'],
            lines: [0.5, 0.45, 0.3].map((win) => ({ moves: Array(10).fill(text), win })), nodes: 5, depth: 5 })); document.getElementById('show-Engine').click()",
    );
    browser.wait("document.querySelectorAll('.graph .dot').length > 50");
    // Other tests run meanwhile: each step counts at its quickest.
    browser.eval(
        "window.quickest = Array(200).fill(Infinity);
        window.stepThrough = () => {
            viewer.go(0);
            for (let ply = 1; ply <= 200; ply += 1) {
                const begun = performance.now();
                viewer.go(ply);
                viewer.board.getBoundingClientRect();
                quickest[ply - 1] = Math.min(quickest[ply - 1], performance.now() - begun);
            }
            return quickest.toSorted((a, b) => a - b)[100];
        };",
    );
    let mut best = f64::INFINITY;
    for pass in 0..20 {
        best = browser.eval("stepThrough()").as_f64().expect("a number");
        if pass >= 4 && best <= 16.0 {
            break;
        }
    }
    println!("a step with its layout: {best:.1} ms");
    assert!(best <= 16.0, "{best} ms");
}
