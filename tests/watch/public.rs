//! What everyone may see.

use amazons::watch::{Access, ServerLimits, shown};
use amazons_rules::Shape;
use serde_json::{Value, json};

use super::{Rig, as_if_played, record};

#[test]
fn nothing_tells_of_the_machine() {
    let rig = Rig::with(Access::Public, ServerLimits::default(), &[]);
    let log = rig.path("player1.log").display().to_string();
    std::fs::write(&log, "printed").expect("a file");
    let fault = json!({
        "event": "fault", "player": 1, "termination": "load_error", "call": "load", "detail": "cannot open /home/x/y.so: no",
        "ply": null, "move": null, "position": "", "signal": null, "exit_code": null, "backtrace": ["f at /home/x/y.c:3"],
        "log": log, "log_tail": ["/home/x printed"],
    });
    let text = as_if_played(&record("a", "b", Shape::Square, 5, 1), [Some(&log), None]);
    let lines: Vec<&str> = text.lines().collect();
    rig.write("a.jsonl", &format!("{}\n{fault}\n{}\n", lines[0], lines[1..].join("\n")));
    let id = rig.id("a.jsonl");
    let mut events = rig.events(&id, "");
    let streamed: String = std::iter::from_fn(|| events.line()).map(|sent| format!("{}\n", sent.data)).collect();
    assert_eq!(streamed.lines().count(), lines.len() + 1, "and the stream has an end");
    let paths = ["/api/games".to_owned(), format!("/api/games/{id}"), format!("/api/games/{id}/record")];
    let mut texts = vec![("the stream", streamed)];
    texts.extend(paths.iter().map(|path| (path.as_str(), rig.get(path).text().to_owned())));
    let folder = rig.folder.path().display().to_string();
    for (what, text) in texts {
        for secret in ["/home", "secret", "printed", folder.as_str(), "player1.log"] {
            assert!(!text.contains(secret), "{what}: {secret}: {text}");
        }
    }
    let record = rig.get(&format!("/api/games/{id}/record"));
    let told: Vec<Value> = record.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(told[0]["players"][0]["file"], "player.so");
    assert_eq!(told[1]["detail"], "cannot open y.so: no");
    assert_eq!(told.len(), lines.len() + 1);
    assert_eq!(rig.get(&format!("/api/games/{id}/log/1")).status, 404);
}

#[test]
fn moves_stay_as_they_are() {
    let line = |line: &str| String::from_utf8(shown(Access::Public, line.as_bytes().to_vec())).expect("text");
    let text = record("a", "b", Shape::Square, 5, 1);
    for original in text.lines().filter(|line| line.contains("\"move\"")) {
        assert_eq!(
            serde_json::from_str::<Value>(&line(original)).expect("JSON"),
            serde_json::from_str::<Value>(original).expect("JSON")
        );
    }
    let detail = |text: &str| {
        let event: Value =
            serde_json::from_str(&line(&json!({ "event": "fault", "detail": text }).to_string())).expect("JSON");
        event["detail"].as_str().expect("text").to_owned()
    };
    assert_eq!(detail("it played a1-a2/a3"), "it played a1-a2/a3");
    assert_eq!(detail("bridge:/opt/bot.py fails in ../x/y.so, at ./z"), "bot.py fails in y.so, at z");
    assert_eq!(detail("/srv/my-bot/run"), "run");
    assert_eq!(line("no event /home/x"), "null");
    assert_eq!(line("[\"/home/x\"]"), "null");
}
