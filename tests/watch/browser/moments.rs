//! Which moment a page opens at, what its clocks say, and how it says what it refuses.

use std::fs::{self, File};
use std::io::Write;
use std::time::Duration;

use amazons_browser::{Browser, assert_good};
use amazons_rules::Shape;
use serde_json::{Value, json};

use super::pages::{open_game, viewed};
use super::play::{Played, point_of};
use crate::watch::{Rig, as_if_played, record};

/// Makes a file as old as that, or as much newer than now.
fn set_age(rig: &Rig, name: &str, seconds: i64) {
    let far = Duration::from_secs(seconds.unsigned_abs());
    // A file that was written just now.
    rig.write("now", "");
    let now = fs::metadata(rig.path("now")).and_then(|about| about.modified()).expect("a time");
    let time = if seconds.is_negative() { now + far } else { now - far };
    File::options().append(true).open(rig.path(name)).and_then(|file| file.set_modified(time)).expect("a file");
}

#[test]
fn a_page_opens_at_the_newest_moment_unless_its_reader_left_it() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 6, 4);
    let lines: Vec<&str> = text.lines().collect();
    rig.write("a.jsonl", &format!("{}\n", lines[..4].join("\n")));
    let mut file = File::options().append(true).open(rig.path("a.jsonl")).expect("a file");
    browser.open(&format!("http://{}/game/{}", rig.address, rig.id("a.jsonl")));
    browser.wait("window.viewer?.ply === 3");
    writeln!(file, "{}", lines[4]).expect("room");
    browser.wait("viewer.ply === 4");
    browser.eval("new Promise((resolve) => setTimeout(resolve, 400))");
    assert_eq!(browser.eval("location.hash"), "", "nobody chose it");
    let again = |browser: &mut Browser| {
        browser.leave("location.reload()");
        browser.wait("window.viewer?.game?.moves.length > 3");
    };
    again(&mut browser);
    writeln!(file, "{}", lines[5]).expect("room");
    browser.wait("viewer.ply === 5");
    browser.key("ArrowLeft");
    browser.wait("location.hash === '#ply=4'");
    again(&mut browser);
    writeln!(file, "{}", lines[6]).expect("room");
    browser.wait("viewer.game.moves.length === 6 && viewer.ply === 4");
    browser.key("End");
    browser.wait("location.hash === '' && viewer.ply === 6");
    again(&mut browser);
    browser.wait("viewer.ply === 6");
    // Another page, and back.
    browser.leave("location.href = '/'");
    for line in &lines[7..] {
        writeln!(file, "{line}").expect("room");
    }
    browser.leave("history.back()");
    browser.wait(&format!(
        "location.pathname !== '/' && window.viewer?.game?.result && viewer.ply === {}",
        lines.len() - 2
    ));
}

#[test]
fn a_game_that_is_cut_off_does_not_think() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("ann", "bob", Shape::Square, 6, 4);
    let begun = format!("{}\n", text.lines().take(3).collect::<Vec<_>>().join("\n"));
    let ages = [("new", 0), ("old", 86_400), ("ahead", -5), ("to_come", -86_400)];
    for (name, age) in ages {
        rig.write(&format!("{name}.jsonl"), &begun);
        set_age(&rig, &format!("{name}.jsonl"), age);
    }
    for (name, is_live) in [("new", true), ("old", false), ("ahead", true), ("to_come", false)] {
        let id = rig.id(&format!("{name}.jsonl"));
        let state = rig.get(&format!("/api/games/{id}")).json()["state"].clone();
        assert_eq!(state, if is_live { "live" } else { "cut_off" }, "{name}");
        browser.open(&format!("http://{}/game/{id}", rig.address));
        let words = if is_live { "/, thinking [0-9.]+ s$/" } else { "/ to move, cut off$/" };
        browser.wait(&format!("{words}.test(document.querySelector('.status').textContent)"));
    }
    // The page agrees with the list later, too.
    browser.open(&format!("http://{}/game/{}", rig.address, rig.id("new.jsonl")));
    browser.wait("viewer.patience === 60000");
    // Its own clock is set again when the server tells how long it has waited.
    browser.wait("[viewer.think(performance.now() - 61000), document.querySelector('.thinking').textContent].at(-1) === ', cut off'");
}

#[test]
fn a_persons_clock_is_on_the_wall_or_says_nothing() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = as_if_played(&record("human", "bob", Shape::Square, 6, 2), [None, None])
        .replace("\"clock\":\"wall\"", "\"clock\":\"cpu\"");
    let (mut start, mut lines) = (Value::Null, Vec::new());
    for line in text.lines() {
        let mut event: Value = serde_json::from_str(line).expect("JSON");
        if event["event"] == "move" {
            let is_person = event["player"] == 1;
            event["wall_us"] = json!(if is_person { 4_000_000 } else { 70_000 });
            event["cpu_us"] = json!(if is_person { 0 } else { 50_000 });
            event["idle_cpu_us"] = json!(0);
            event["left_us"] = json!(if is_person { 0 } else { 950_000 });
            lines.push(event);
        } else if event["event"] == "start" {
            start = event;
            (start["seed"], start["isolation"]) = (json!(1), json!("process"));
            start["players"][1]["directions"] = json!("ring");
        } else {
            lines.push(event);
        }
    }
    let color = start["players"][0]["color"].as_str().expect("a colour").to_owned();
    for (file, limit, clock) in
        [("web", "none", "4.0 s"), ("human", "none", "4.0 s"), ("web:60", "60 s", "4.0 s, 56.0 s left")]
    {
        start["players"][0]["file"] = file.into();
        let left = if file.contains(':') { 56_000_000 } else { 0 };
        lines.iter_mut().filter(|event| event["player"] == 1).for_each(|event| event["left_us"] = left.into());
        let all: String = [&start]
            .into_iter()
            .chain(&lines)
            .map(|event| {
                // Records begin their lines with the event.
                let kind = event["event"].as_str().expect("text");
                let rest = event.to_string().replacen(&format!("\"event\":\"{kind}\","), "", 1).replacen(
                    &format!(",\"event\":\"{kind}\""),
                    "",
                    1,
                );
                format!("{{\"event\":\"{kind}\",{}\n", &rest[1..])
            })
            .collect();
        let name = format!("{}.jsonl", file.replace(':', "_"));
        rig.write(&name, &all);
        browser.open(&format!("http://{}/game/{}", rig.address, rig.id(&name)));
        browser.wait("window.viewer?.game?.result");
        assert_eq!(
            browser.eval(&format!("document.querySelector('.player.{color} .clock').textContent")),
            clock,
            "{file}"
        );
        let about = browser.eval("viewer.game.about.find(([what]) => what === 'Move limit')[1]");
        let about = about.as_str().expect("text");
        assert!(about.contains(&format!("{color} {limit}")) && about.contains("1 s"), "{about}");
        let pgn = rig.get(&format!("/api/games/{}/as/pgn", rig.id(&name)));
        let clock = |text: &str| pgn.text().contains(text);
        assert!(
            clock("[%emt 0:00:04]") && !clock("[%clk 0:00:00]") && clock("[%clk 0:00:56]") == (limit == "60 s"),
            "{}",
            pgn.text()
        );
    }
}

#[test]
fn forced_colours_tell_states_apart() {
    let Some((mut browser, rig)) = viewed() else { return };
    browser.prefer("forced-colors", "active");
    open_game(&mut browser, &rig, &record("ann", "bob", Shape::Square, 6, 4));
    assert_eq!(browser.eval("matchMedia('(forced-colors: active)').matches"), true);
    browser.key("t");
    let style = |what: &str, property: &str| format!("getComputedStyle(document.querySelector('{what}')).{property}");
    for (one, other, property) in [
        (".moves [aria-current]", ".moves button:not([aria-current])", "backgroundColor"),
        (".player.turn", ".player:not(.turn)", "borderLeftColor"),
        (".player.turn strong", ".player:not(.turn) strong", "textDecorationLine"),
        (".own .key.black", ".own .key.white", "backgroundColor"),
    ] {
        let [one, other] = [one, other].map(|what| browser.eval(&style(what, property)));
        assert_ne!(one, other, "{property}");
    }
}

#[test]
fn a_list_keeps_its_filter_and_shows_the_latest_answer() {
    let Some((mut browser, rig)) = viewed() else { return };
    for number in 0..120 {
        let black = ["ann", "bob"][number % 2];
        rig.write(&format!("{number:03}.jsonl"), &record(black, "cid", Shape::Square, 5, number as u64));
    }
    rig.listed("", 120);
    browser.open(&format!("http://{}/", rig.address));
    let pick = |name: &str| {
        format!(
            "{{ const select = document.querySelector('[name=player]'); select.value = '{name}'; select.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"
        )
    };
    browser.wait("document.querySelector('#count').textContent === '120 games'");
    browser.eval(&pick("ann"));
    browser.wait("document.querySelector('#count').textContent === '60 games'");
    browser.eval("document.querySelector('th button').click()");
    browser.wait("document.querySelector('#rows a').textContent === '000.jsonl'");
    browser.eval("document.querySelector('#after').click()");
    browser.wait("document.querySelectorAll('#rows tr').length === 10");
    let here = "document.querySelectorAll('#rows tr').length === 10 && document.querySelector('#rows a').textContent === '100.jsonl' \
                && document.querySelector('[name=player]').value === 'ann' && document.querySelector('#page').textContent === 'page 2 of 2'";
    browser.wait(here);
    browser.eval("document.querySelector('#rows a').click()");
    browser.wait("window.viewer?.game?.result");
    for how in ["history.back()", "location.reload()"] {
        browser.leave(how);
        browser.wait(here);
    }
    // The first of two answers comes last.
    browser.open(&format!("http://{}/?page=x&sort=evil&colour=red", rig.address));
    browser.wait("document.querySelector('#count').textContent === '120 games'");
    browser.eval(
        "{ const real = window.fetch; window.fetch = async (address, ...more) => { const answer = await real(address, ...more); \
         if (address.includes('player=ann')) await new Promise((resolve) => { window.release = resolve; }); return answer; }; }",
    );
    browser.eval(&pick("ann"));
    browser.eval(&pick("bob"));
    browser.wait(
        "document.querySelector('#count').textContent === '60 games' && document.querySelector('#rows td:nth-child(2)').textContent.startsWith('bob')",
    );
    browser.wait("window.release");
    browser.eval("release(); new Promise((resolve) => setTimeout(resolve, 100))");
    assert_eq!(browser.eval("[...document.querySelectorAll('#rows td:nth-child(2)')].every((cell) => cell.textContent.startsWith('bob'))"), true);
    assert_eq!(browser.eval("location.search"), "?player=bob");
    // An answer that fails is said, and forgotten with the next one.
    browser.eval("{ window.real = window.fetch; window.fetch = async () => { throw new Error('no') }; load(); }");
    browser.wait("document.querySelector('#count').textContent.startsWith('The server does not answer.')");
    browser.eval("window.fetch = window.real; load()");
    browser.wait("document.querySelector('#count').textContent === '60 games'");
}

#[test]
fn a_seat_says_what_it_refuses_and_takes_a_dragged_queen() {
    let Some(mut browser) = Browser::start() else { return };
    let game = Played::new(&["--position", "5/4q/5/5/Q4 w"], "web");
    browser.open(&game.page);
    browser.wait("viewer.isAsked()");
    let mut mouse = |browser: &mut Browser, kind: &str, vertex: u32| {
        let [x, y] = point_of(browser, vertex);
        let buttons = u8::from(kind != "mouseReleased");
        browser.call(
            "Input.dispatchMouseEvent",
            &json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 }),
        );
    };
    let trouble = "document.querySelector('#trouble').textContent";
    // The corners are a1, e1 and a5; vertices count from the top.
    for kind in ["mousePressed", "mouseReleased"] {
        mouse(&mut browser, kind, 24);
    }
    browser.wait(&format!("{trouble} === 'e1 cannot be chosen: choose a marked square'"));
    let drag = |browser: &mut Browser, mouse: &mut dyn FnMut(&mut Browser, &str, u32), to: u32| {
        mouse(browser, "mousePressed", 20);
        mouse(browser, "mouseMoved", to);
        mouse(browser, "mouseReleased", to);
    };
    drag(&mut browser, &mut mouse, 13);
    browser.wait(&format!("viewer.chosen.length === 1 && {trouble}.startsWith('d3 cannot be chosen: ')"));
    drag(&mut browser, &mut mouse, 10);
    browser.wait(&format!("viewer.chosen.join() === '20,10' && {trouble} === ''"));
    for kind in ["mousePressed", "mouseReleased"] {
        mouse(&mut browser, kind, 15);
    }
    browser.wait("viewer.game.moves[0]?.text === 'a1-a3/a2' && viewer.isAsked()");
    browser.key("Home");
    for kind in ["mousePressed", "mouseReleased"] {
        mouse(&mut browser, kind, 20);
    }
    browser.wait(&format!("{trouble} === 'Go to the last move to play.'"));
    browser.key("End");
    assert_good(&mut browser, "a seat that refused");
}

#[test]
fn names_do_not_turn_headings_around() {
    let Some((mut browser, rig)) = viewed() else { return };
    let text = record("a\u{202e}white", "\u{5e9}\u{5e8}\u{5d4}", Shape::Square, 6, 4);
    rig.write("a.jsonl", &text);
    let begun = text.lines().take(3).map(|line| format!("{line}\n")).collect::<String>();
    rig.write("b.jsonl", &begun);
    let id = rig.id("a.jsonl");
    browser.open(&format!("http://{}/game/{id}", rig.address));
    browser.wait("window.viewer?.game?.result");
    assert_eq!(
        browser.eval("document.title"),
        "\u{2068}a\u{fffd}white\u{2069} (black) against \u{2068}\u{5e9}\u{5e8}\u{5d4}\u{2069} (white)"
    );
    assert_eq!(
        browser.eval("[...document.querySelectorAll('#title bdi')].map((name) => name.textContent)"),
        json!(["a\u{fffd}white", "\u{5e9}\u{5e8}\u{5d4}"])
    );
    assert_eq!(browser.eval("document.querySelector('.player.black strong').textContent"), "a\u{fffd}white");
    browser.open(&format!("http://{}/", rig.address));
    browser.wait("document.querySelectorAll('#cards bdi').length === 2 && document.querySelector('#rows bdi')");
    assert_eq!(browser.eval("document.body.textContent.includes('\\u202e')"), false);
    let html = rig.get(&format!("/api/games/{id}/as/html"));
    let path = rig.path("a.html");
    fs::write(&path, &html.body).expect("a file");
    browser.open(&format!("file://{}", path.display()));
    browser.wait("window.viewer");
    assert_eq!(browser.eval("(document.title + document.querySelector('main').innerText).includes('\\u202e')"), false);
}
