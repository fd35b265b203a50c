use amazons_browser::Browser;
use amazons_rules::Shape;

use super::pages::{open_game, viewed};
use crate::watch::record;

/// Goes through moves; returns the most nodes and attributes that one step changes until its frame is shown, and sorted
/// times: of the scripts with their layouts, and of the frames.
const STEPS: &str = "async (from, to) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    const nodes = (list) => [...list].reduce((sum, node) => sum + 1 + (node.querySelectorAll?.('*').length ?? 0), 0);
    const observer = new MutationObserver(() => {});
    viewer.go(from);
    for (let wait = 0; wait < 2; wait += 1) await frame();
    const [changes, scripts, frames] = [[], [], []];
    let last = await frame();
    for (let ply = from + 1; ply <= to; ply += 1) {
        observer.observe(document, all);
        const begun = performance.now();
        viewer.go(ply);
        viewer.board.getBoundingClientRect();
        scripts.push(performance.now() - begun);
        const records = observer.takeRecords();
        const now = await frame();
        records.push(...observer.takeRecords());
        observer.disconnect();
        changes.push(records.reduce((sum, { addedNodes, removedNodes }) => sum + 1 + nodes(addedNodes) + nodes(removedNodes), 0));
        frames.push(now - last);
        last = now;
    }
    const sorted = (list) => list.toSorted((a, b) => a - b);
    return [Math.max(...changes), sorted(scripts), sorted(frames)];
}";

/// Returns the most changes of a step, and prints the figures for docs/performance.md: `--nocapture` shows them.
fn steps(browser: &mut Browser, what: &str, from: u32, to: u32) -> u64 {
    let measured = browser.eval(&format!("({STEPS})({from}, {to})"));
    let figure = |list: usize, share: usize| {
        let list = measured[list].as_array().expect("times");
        list[list.len() * share / 100].as_f64().expect("a time")
    };
    println!(
        "{what}: script {:.1} ms, 95 % {:.1} ms; frame {:.1} ms, 95 % {:.1} ms; {} changes at most",
        figure(1, 50),
        figure(1, 95),
        figure(2, 50),
        figure(2, 95),
        measured[0]
    );
    measured[0].as_u64().expect("a number")
}

/// A step changes what the move changes, however large the board is.
#[test]
fn large_boards_step_quickly() {
    let Some((mut browser, rig)) = viewed() else { return };
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 50, 4));
    for (what, shading) in [("50 x 50", false), ("with territory", true)] {
        browser.eval(&format!("viewer.setShading({shading})"));
        let changes = steps(&mut browser, what, 300, 310);
        assert!(changes <= 100, "{what}: {changes} changes");
    }
}

/// Neither does the length of a game matter, in a page that shows all of its annotations.
#[test]
fn an_annotated_game_steps_within_a_frame() {
    let Some((mut browser, rig)) = viewed() else { return };
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 18, 4));
    browser.key("e");
    let moves = browser.eval("viewer.game.moves.length").as_u64().expect("a number");
    assert!(moves >= 200, "{moves}");
    browser.eval(
        "viewer.game.moves.forEach(({ text }, at) => viewer.annotate(at + 1, { win: 0.5, win_after: 0.4, loss: 0.1, mark: at % 5 ? null : '?!', facts: ['One.', 'Two.'],
            lines: [0.5, 0.45, 0.3].map((win) => ({ moves: Array(10).fill(text), win })), nodes: 5, depth: 5 })); document.getElementById('show-Engine').click()",
    );
    browser.wait("document.querySelectorAll('.graph .dot').length > 50");
    let changes = steps(&mut browser, "annotated", 0, 20);
    assert!(changes <= 300, "{changes} changes");
}
