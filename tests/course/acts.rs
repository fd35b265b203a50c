//! What a teacher does on a page, and with commands.

use serde_json::{Value, json};

use super::house::{AtWork, House, asked};
use crate::watch::Reply;

/// Sends an act with a token.
fn act(at: &AtWork, token: &str, act: &Value) -> Reply {
    let act = act.to_string();
    let headers = format!("authorization: Bearer {}\r\ncontent-length: {}\r\n", token.trim(), act.len());
    asked(at.address, "POST /api/teacher/act", &headers, act.as_bytes())
}

#[test]
fn a_teacher_acts_on_a_page_and_nobody_else_does() {
    let house = House::new();
    house.edit("[ladder]\n", "[[stages]]\nname = \"final\"\ndeadline = 2020-01-01T00:00:00Z\n[ladder]\n");
    let teacher = house.run(&["token"]).out;
    let at = house.start();
    let withdraw = json!({ "act": "withdraw", "team": "bob" });
    for token in ["", "0", house.tokens["bob"].as_str()] {
        assert_eq!(act(&at, token, &withdraw).status, 401);
    }
    let until = "2098-02-03T22:59:00.000Z";
    let extend = json!({ "act": "extend", "team": "ada", "stage": "final", "until": until });
    for (asked_for, status, told) in [
        (&withdraw, 200, "bob is withdrawn; 'server course rollback' brings it back\n"),
        (&json!({ "act": "rollback", "team": "bob", "version": null }), 200, "bob is back\n"),
        (&extend, 200, &format!("ada has until {until} for final\n")),
        (&json!({ "act": "rollback", "team": "ada", "version": 3 }), 409, "version 3 of ada was not admitted"),
        (&json!({ "act": "extend", "team": "ada", "stage": "semi", "until": until }), 404, "there is no stage 'semi'"),
        (
            &json!({ "act": "extend", "team": "ada", "stage": "final", "until": "soon" }),
            400,
            "'soon': write the deadline",
        ),
        (&json!({ "act": "event", "name": "../out", "stage": null, "anyway": false }), 400, "an event needs a name"),
        (&json!({ "act": "event", "name": "end", "stage": null, "anyway": false }), 409, "at least two players"),
        (&json!({ "act": "withdraw", "team": "eve" }), 404, "there is no team 'eve'"),
        (&json!({ "act": "forgive", "team": "ada" }), 400, "unknown variant"),
        (&json!({ "act": "withdraw", "team": "ada", "version": 1 }), 400, "unknown field"),
    ] {
        let reply = act(&at, &teacher, asked_for);
        assert_eq!(reply.status, status, "{asked_for}: {}", reply.text());
        assert!(reply.text().contains(told), "{asked_for}: {}", reply.text());
    }
    // The team sees its deadline, and hands in; the others are told nothing.
    let stages = house.page(&at, "ada")["stages"].clone();
    assert_eq!(stages[0]["deadline"], 4_042_306_740_u64, "date -d {until} +%s");
    assert_eq!(house.page(&at, "bob")["is_over"], true);
    let headers = format!("authorization: Bearer {}\r\n", teacher.trim());
    let table = asked(at.address, "GET /api/teacher/stages.csv", &headers, b"");
    assert_eq!(
        table.text(),
        "stage,team,deadline,grace_hours\r\nfinal,,1577836800,0.0\r\nfinal,ada,4042306740,0.0\r\n"
    );
    // A token ends when there is another one.
    let renewed = act(&at, &teacher, &json!({ "act": "token", "team": "ada" }));
    let token = renewed.text().strip_prefix("team,token\nada,").expect("a token").trim();
    assert_eq!(house.get(&at, "ada", "/api/team").status, 401);
    let shown = format!("authorization: Bearer {token}\r\n");
    assert_eq!(asked(at.address, "GET /api/team", &shown, b"").status, 200);
}
