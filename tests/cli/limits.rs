//! Limits and sandbox as options, and in the record.

use std::fs;

use serde_json::Value;

use super::{Ran, player, server};
use crate::support;

fn events(ran: &Ran) -> Vec<Value> {
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out.lines().map(|line| serde_json::from_str(line).expect("a line is an event")).collect()
}

/// The fault of a player that moves first.
fn fault(options: &[&str], play: &str) -> Value {
    let (_folder, library) = support::player_in_c("limited", play, "");
    let random = player("random");
    let ran = server(["-m", "5", "--json", "--seed", "1"].iter().chain(options).chain(&[&*library, &*random]));
    let events = events(&ran);
    events.into_iter().find(|event| event["event"] == "fault").unwrap_or_else(|| panic!("{}", ran.out))
}

#[test]
fn the_record_says_how_players_were_confined() {
    let random = player("random");
    let sandbox = |options: &[&str]| {
        let ran = server(["-m", "5", "--json"].iter().chain(options).chain(&[&*random, &*random]));
        events(&ran)[0]["sandbox"].clone()
    };
    let auto = sandbox(&[]);
    assert_eq!((&auto["level"], &auto["seccomp"]), (&"full".into(), &true.into()), "{auto}");
    assert!(auto["landlock"].is_u64() && auto["user"].is_string(), "{auto}");
    assert_eq!(sandbox(&["--sandbox", "auto"]), auto);
    assert_eq!(sandbox(&["--sandbox", "strict"]), auto);
    let off = sandbox(&["--sandbox", "off"]);
    assert_eq!((&off["level"], &off["landlock"], &off["seccomp"]), (&"off".into(), &Value::Null, &false.into()));
    assert_eq!(sandbox(&["--isolation", "none"]), Value::Null);
}

#[test]
fn the_record_says_what_the_limits_were() {
    let random = player("random");
    let limits = |options: &[&str]| {
        let ran = server(["-m", "5", "--json"].iter().chain(options).chain(&[&*random, &*random]));
        events(&ran)[0]["limits"].clone()
    };
    let usual = limits(&[]);
    let expected = [
        ("load_ms", 5000.into()),
        ("initialize_ms", 15000.into()),
        ("move_ms", 15000.into()),
        ("finalize_ms", 1000.into()),
        ("clock", "cpu".into()),
        ("game_ms", Value::Null),
        ("increment_ms", 0.into()),
        ("pondering", "charged".into()),
        ("threads", 1.into()),
        ("log_bytes", (1 << 20).into()),
    ];
    for (name, value) in expected {
        assert_eq!(usual[name], value, "{name}");
    }
    let special = limits(&[
        "--load-time=2",
        "--init-time=3s",
        "--move-time=1500ms",
        "--finalize-time=0.5",
        "--clock=wall",
        "--game-time=60",
        "--increment=250ms",
        "--freeze",
        "--threads=4",
        "--memory=512M",
        "--log-limit=4K",
    ]);
    let expected: [(&str, Value); 11] = [
        ("load_ms", 2000.into()),
        ("initialize_ms", 3000.into()),
        ("move_ms", 1500.into()),
        ("finalize_ms", 500.into()),
        ("clock", "wall".into()),
        ("game_ms", 60000.into()),
        ("increment_ms", 250.into()),
        ("pondering", "frozen".into()),
        ("threads", 4.into()),
        ("memory_bytes", (512 << 20).into()),
        ("log_bytes", (4 << 10).into()),
    ];
    for (name, value) in expected {
        assert_eq!(special[name], value, "{name}");
    }
}

#[test]
fn the_clock_can_be_chosen() {
    let computing = fault(&["--move-time", "100ms"], "for (;;);");
    let told = |event: &Value| event["detail"].as_str().expect("a detail").to_owned();
    assert!(told(&computing).starts_with("play did not return within 100ms of processor time"), "{computing}");
    let sleeping = fault(&["--move-time", "100ms", "--clock", "wall"], "sleep(60);");
    assert!(told(&sleeping).starts_with("play did not return within 100ms"), "{sleeping}");
    assert!(!told(&sleeping).contains("processor time"), "{sleeping}");
    for event in [computing, sleeping] {
        assert_eq!((&event["termination"], &event["ply"]), (&"timeout".into(), &1.into()));
    }
    let asleep_for_long = fault(&["--move-time", "100ms"], "usleep(250000);");
    assert_eq!(asleep_for_long["termination"], "illegal_move", "sleep is no processor time");
}

#[test]
fn a_game_can_have_a_time() {
    let event = fault(&["--game-time", "200ms"], "for (;;);");
    assert_eq!(event["termination"], "timeout");
    assert!(event["detail"].as_str().is_some_and(|text| text.contains("left of its game's time")), "{event}");
    let random = player("random");
    let plain = server(["-m", "5", "--json", "--game-time", "30", "--increment", "0", &random, &random]);
    assert_eq!(events(&plain)[0]["limits"]["increment_ms"], 0);
    let ran = server(["-m", "5", "--json", "--game-time", "30", "--increment", "2", &random, &random]);
    let mut left = [30_000_000; 2];
    for event in events(&ran).iter().filter(|event| event["event"] == "move") {
        let us = |key: &str| event[key].as_i64().expect("a number");
        let own = &mut left[event["player"].as_u64().expect("a number") as usize - 1];
        let lost = *own + 2_000_000 - us("cpu_us") - us("idle_cpu_us") - us("left_us");
        assert!((0..3).contains(&lost), "all but what is rounded away: {lost} {event}");
        *own = us("left_us");
    }
}

#[test]
fn threads_are_allowed_by_number() {
    let play = "pthread_t thread; int error = pthread_create(&thread, NULL, (void *(*)(void *))getpid, NULL);
                if (!error) pthread_join(thread, NULL);
                printf(\"%d\\n\", error); return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX};";
    assert_eq!(fault(&[], play)["log_tail"][0], libc::EAGAIN.to_string());
    assert_eq!(fault(&["--threads", "2"], play)["log_tail"][0], "0");
}

#[test]
fn memory_and_output_are_bounded_by_option() {
    let play = "for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }";
    let event = fault(&["--memory", "64M"], play);
    assert_eq!(
        (&event["termination"], &event["detail"]),
        (&"out_of_memory".into(), &"kept more than 64 MiB of memory".into())
    );
    let logs = tempfile::tempdir().expect("there is room for a temporary folder");
    let folder = logs.path().join("logs").display().to_string();
    let event = fault(&["--log-limit", "2K", "--log-dir", &folder], "for (int i = 0; i < 1000; i++) puts(\"line\");");
    assert_eq!(event["termination"], "illegal_move");
    let log = event["log"].as_str().expect("a path");
    let log = fs::read_to_string(log).expect("a log");
    assert_eq!(log.find("[cut off here: see --log-limit]"), Some(2049));
}

#[test]
fn files_can_be_allowed() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    let book = folder.path().join("book");
    fs::write(&book, "e4").expect("a file can be written");
    let book = book.display().to_string();
    let play = format!(
        "FILE *f = fopen(\"{book}\", \"r\"); char text[8] = \"no\"; if (f && !fgets(text, 8, f)) abort();
         printf(\"%s\\n\", text); return (struct move_t){{UINT_MAX, UINT_MAX, UINT_MAX}};"
    );
    assert_eq!(fault(&[], &play)["log_tail"][0], "no");
    assert_eq!(fault(&["--allow-read", &book], &play)["log_tail"][0], "e4");
    let missing = server(["--allow-read", "/nonexistent", &player("random"), &player("random")]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("--allow-read: cannot read /nonexistent"), "{}", missing.err);
}
