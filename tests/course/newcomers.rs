//! Mistakes that newcomers make, teams and teachers, and what they are told.

use std::fs;
use std::process::Stdio;

use amazons::course::{Arrival, Arrived, CourseSettings, Happening};
use amazons::referee::PlayerNumber;
use amazons::tournament::ladder::{Joined, LadderHeader, LadderLine, Meet};
use amazons::tournament::log_path;
use amazons_testing::wait_until;
use serde_json::{Value, json};

use super::house::{AtWork, House, asked, post};
use super::rig::tar;

/// Writes the journal of a ladder in which ada was at fault in so many pairs of games, and nobody plays any more.
fn faulty_ladder(house: &House, pairs: u32) {
    let plan = CourseSettings::read(&house.dir()).expect("settings").plan;
    let mut lines = vec![json!(LadderHeader::new(plan))];
    for name in ["ada", "bob"] {
        let (file, sha256) = (format!("admitted/{name}.so"), "0".repeat(64));
        let joined = Joined {
            name: name.to_owned(),
            version: 1,
            sha256,
            file,
            directions: None,
            options: None,
            is_anchor: false,
            at: 0,
        };
        lines.push(json!(LadderLine::Joined(joined)));
    }
    let players = ["ada#1", "bob#1"].map(str::to_owned);
    fs::create_dir_all(house.dir().join("ladder/logs/000")).expect("a folder");
    for pair in 1..=pairs {
        lines.push(json!(LadderLine::Meet(Meet { pair, players: players.clone(), board: 0, opening: pair - 1 })));
        let game = |game: u8| {
            let log = log_path(pair, game, PlayerNumber::One);
            fs::write(house.dir().join("ladder").join(&log), "it printed this").expect("a log");
            json!({ "game": {
                "pair": pair, "game": game, "players": players, "winner": 2, "termination": "crash", "at_fault": [1],
                "moves": 1, "fingerprint": "0", "slowest_us": [1, 1], "wall_us": 1, "host": "a", "speed": 1.0,
                "record": null, "logs": [log, null],
            }})
        };
        lines.extend([1, 2].map(game));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(house.dir().join("ladder/journal.jsonl"), text).expect("a journal");
}

/// Takes a version without a server, and lets so many servers fail to build it.
fn postponed(house: &House, team: &str, times: usize) {
    let file = house.dir().join("handed");
    fs::write(&file, b"\x7fELF").expect("a file");
    let mut store = house.store();
    let arrived = Arrived::copy(&file, &store.incoming().expect("a path")).expect("a copy");
    store.receive(team, &arrived, false).expect("it is taken");
    for _ in 0..times {
        store.note(team, Happening::Building { version: 1, is_alone: false }).expect("it is written");
        let reason = "the disk is nearly full".to_owned();
        store.note(team, Happening::Postponed { version: 1, reason, is_alone: false }).expect("it is written");
    }
}

/// A course at work that writes its complaints into a file, and finds none of its machine's programs.
struct Logged {
    house: House,
    at: AtWork,
}

impl Logged {
    fn of(house: House) -> Self {
        let log = fs::File::create(house.dir().with_file_name("log")).expect("a file");
        let at = house.start_with(Stdio::from(log), &[("PATH", "/nowhere")]);
        Self { house, at }
    }

    fn wait_for_line(&self, words: &str) {
        let log = self.house.dir().with_file_name("log");
        wait_until(words, || fs::read_to_string(&log).expect("a log").contains(words));
    }
}

#[test]
fn a_wrong_address_is_told_the_right_one() {
    let house = House::new();
    let at = house.start();
    for (line, told) in [
        ("GET /api/submit", "hand in with POST to /api/submit\n"),
        ("PUT /api/submit", "hand in with POST to /api/submit\n"),
        ("POST /submit", "only GET and HEAD; hand in with POST to /api/submit\n"),
        ("POST /api/team", "only GET and HEAD; hand in with POST to /api/submit\n"),
        ("PUT /player.so", "only GET and HEAD; hand in with POST to /api/submit\n"),
    ] {
        let headers = format!("{}content-length: 1\r\n", house.authorization("ada"));
        let reply = asked(at.address, line, &headers, b"x");
        assert_eq!((reply.status, reply.text()), (405, told), "{line}");
        let allowed = if line.ends_with("/api/submit") { "allow: POST" } else { "allow: GET, HEAD" };
        assert!(reply.head.contains(allowed), "{line}: {}", reply.head);
    }
}

#[test]
fn a_file_of_the_wrong_kind_is_told_what_it_is() {
    let house = House::new();
    let at = house.start();
    let ada = house.authorization("ada");
    let wrong = "this is not a .so, .tar, .tar.gz or .zip";
    let long = "int main(void) { return 0; }\n".repeat(20);
    for (body, told) in [
        (&b"ada.tar.gz"[..], &*format!("{wrong} (10 bytes: is the @ missing in --data-binary @FILE?)\n")),
        (long.as_bytes(), &format!("{wrong}\n")),
        (
            &[&b"BZh9"[..], &[0; 300]].concat(),
            "this kind of archive is not read: pack the sources as .tar.gz or .zip\n",
        ),
        (
            &[&b"\xcf\xfa\xed\xfe"[..], &[0; 300]].concat(),
            "a library for macOS does not run here: hand in its sources\n",
        ),
    ] {
        let reply = post(at.address, &ada, body);
        assert_eq!((reply.status, reply.text()), (415, told));
    }
    assert_eq!(post(at.address, &ada, b"").text(), "the upload is empty: is the file there?\n");
    fs::write(house.dir().join("handed"), &long).expect("a file");
    let here = house.run(&["submit", &house.dir().join("handed").display().to_string(), "--team", "ada"]);
    assert_eq!((here.status, here.err), (2, format!("server: {wrong}\n")));
    assert_eq!(fs::read_dir(house.dir().join("incoming")).expect("a folder").count(), 0);
    assert!(house.team("ada").versions.is_empty());
}

#[test]
fn a_team_is_told_what_the_server_cannot_build() {
    let house = House::new();
    faulty_ladder(&house, 60);
    postponed(&house, "bob", 5);
    postponed(&house, "cid", 0);
    // A folder in the place of a file that the server is to write.
    fs::create_dir_all(house.dir().join("versions/cid/0001/build.txt/in")).expect("a folder");
    let waits = house.run(&["status", "--team", "bob"]).out;
    assert_eq!(waits, "version 1: received: the disk is nearly full\n");
    let logged = Logged::of(house);
    let Logged { house, at } = &logged;
    logged.wait_for_line("Rust sources cannot be built: rustc and cargo are missing\n");
    let manifest = "[package]\nname = \"a\"\n[lib]\ncrate-type = [\"cdylib\"]\n";
    let sources = tar(&[("Cargo.toml", manifest), ("src/lib.rs", "")]);
    assert_eq!(post(at.address, &house.authorization("ada"), &sources).status, 201);
    assert_eq!([house.decided("ada", 1), house.decided("bob", 1)], ["refused"; 2]);
    logged.wait_for_line("version 1 of ada: Rust sources cannot be built: rustc and cargo are missing\n");
    let [one, two] = ["ada", "bob"].map(|team| house.page(at, team));
    let advice = "this server cannot build Rust sources: hand in a shared library (.so), or tell your teacher";
    assert_eq!((&one["versions"][0]["reasons"], &one["left"]), (&json!([advice]), &json!(20)));
    // However often this server could not do it, it does it once it can.
    let cause = "it loads: load: player.so ends before its contents";
    assert_eq!((&two["versions"][0]["reasons"], &two["left"]), (&json!([cause]), &json!(19)));
    let told = || house.team("cid").versions[0].reasons().join("; ");
    wait_until("cid is told why it waits", || told().starts_with("cannot write versions/cid/0001/build.txt: "));
    let faults = one["results"]["faults"].as_array().map(Vec::len);
    assert_eq!((faults, &one["results"]["faults_total"]), (Some(100), &json!(120)));
    let mut logs: Vec<_> = fs::read_dir(house.dir().join("ladder/logs/000")).expect("a folder").flatten().collect();
    logs.sort_by_key(fs::DirEntry::file_name);
    assert_eq!((logs.len(), &*logs[0].file_name().to_string_lossy()), (100, "000011-1-player1.log"), "the newest");
}

#[test]
fn a_mistake_in_the_settings_is_told_with_its_place() {
    let house = House::new();
    faulty_ladder(&house, 60);
    let logged = Logged::of(house);
    let house = &logged.house;
    house.edit("freeze = false", "freeze = tru");
    logged.wait_for_line("the settings before are kept\n");
    let wrong = house.wrong();
    let told = "course.toml: line 9, column 10: expected true, false, a number or quoted text, in freeze";
    assert!(wrong.len() == 1 && wrong[0].ends_with(told), "{wrong:?}");
    assert!(house.run(&["doctor"]).out.contains("the ladder has 120 games"), "the other lines");
    house.edit("per-day = 20", "per-day = \"20\"");
    house.edit("freeze = tru", "freeze = false");
    logged.wait_for_line("expected a whole number, in per-day: the settings before are kept\n");
    house.edit("per-day = \"20\"", "per-day = 20");
    logged.wait_for_line("course.toml: the settings are read again\n");
}

#[test]
fn a_change_of_what_is_fixed_is_told_and_the_others_count() {
    let logged = Logged::of(House::new());
    logged.house.edit("move-time = \"50ms\"", "move-time = \"40ms\"");
    logged.house.edit("per-day = 20", "per-day = 7");
    let fixed =
        "course.toml: [ladder] is fixed once the course has begun (move-time: 50ms before, 40ms now): put it back";
    logged.wait_for_line(fixed);
    let Logged { house, at } = logged;
    assert_eq!(house.page(&at, "ada")["left"], Value::from(7), "the others count");
    assert!(house.wrong().iter().all(|line| line.ends_with(fixed)), "{:?}", house.wrong());
    drop(at);
    Logged::of(house).wait_for_line(fixed);
}

/// Versions that the server could not build do not count, but they do not come without an end.
#[test]
fn what_the_server_cannot_build_is_no_fault_of_the_team() {
    let house = House::new();
    house.edit("per-day = 20", "per-day = 2");
    let mut store = house.store();
    let mut hand_in = |version: u32| {
        let file = house.dir().join("handed");
        // The same bytes may come once more until they were refused for what they are.
        fs::write(&file, format!("\x7fELF{}", version / 5)).expect("a file");
        let arrived = Arrived::copy(&file, &store.incoming().expect("a path")).expect("a copy");
        let taken = store.receive("ada", &arrived, false).is_ok_and(|receipt| receipt.arrival == Arrival::New);
        if taken {
            let refused = Happening::Refused { version, reasons: vec!["no Rust".to_owned()], is_ours: version <= 3 };
            store.note("ada", refused).expect("it is written");
        }
        taken
    };
    assert_eq!([1, 2, 3, 4, 5].map(&mut hand_in), [true, true, true, true, false]);
    let ada = house.team("ada");
    assert_eq!([0, 1].map(|days| ada.left(2, ada.versions[3].at + days * 86_400)), [0, 2]);
}
