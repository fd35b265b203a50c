//! Deadlines that move, versions that wait at them, and versions that a team chooses.

use std::fs;

use amazons::course::{AdmittedPlayer, Arrived, Happening, Receipt, Rule, Store};

use super::house::{House, asked};

/// A version comes, and its player, which is no library, is admitted.
fn admitted(store: &mut Store, team: &str, content: &str, is_trial: bool) -> u32 {
    let Receipt { version, .. } = received(store, team, content, is_trial);
    let folder = store.version_folder(team, version);
    fs::copy(folder.join("upload"), folder.join("player.so")).expect("room");
    let sha256 = store.course().teams()[team].version(version).expect("it is there").sha256.clone();
    store.note(team, Happening::Admitted { version, sha256, directions: None }).expect("it is written");
    version
}

fn received(store: &mut Store, team: &str, content: &str, is_trial: bool) -> Receipt {
    let file = store.incoming().expect("a path");
    fs::write(&file, format!("\x7fELF{content}")).expect("room");
    let arrived = Arrived::copy(&file, &store.incoming().expect("a path")).expect("a copy");
    store.receive(team, &arrived, is_trial).expect("it is taken")
}

fn set_stages(house: &House, stages: &[(&str, &str)]) {
    let path = house.dir().join("course.toml");
    let text = fs::read_to_string(&path).expect("settings");
    let kept: String = text.lines().filter(|line| !line.ends_with("# set")).map(|line| format!("{line}\n")).collect();
    let stage =
        |(name, rest): &(&str, &str)| format!("[[stages]]\nname = \"{name}\"\n{rest}\n").replace('\n', " # set\n");
    let stages: String = stages.iter().map(stage).collect();
    fs::write(&path, kept.replacen("[ladder]\n", &format!("{stages}[ladder]\n"), 1)).expect("room");
}

const PAST: &str = "deadline = 2020-01-01T00:00:00Z";
const FUTURE: &str = "deadline = 2098-01-01T00:00:00Z";

#[test]
fn what_is_there_counts_by_the_deadlines_of_now() {
    let house = House::new();
    set_stages(&house, &[("first", FUTURE), ("final", "deadline = 2099-01-01T00:00:00Z")]);
    let mut store = house.store();
    for (team, content) in [("ada", "one"), ("bob", "one"), ("cid", "two")] {
        admitted(&mut store, team, content, false);
    }
    let told = |name: &str| {
        let version = &house.team(name).versions[0];
        (version.stage.clone().unwrap_or_default(), version.is_late)
    };
    let event = |name: &str, stage: &str| {
        let to = house.dir().with_file_name(name).display().to_string();
        let made = house.run(&["event", &to, "--stage", stage]);
        if made.status == 0 { made.out.lines().skip(1).map(str::to_owned).collect() } else { vec![made.err] }
    };
    assert_eq!(told("ada"), ("first".to_owned(), false));
    let still = "first is still open for ada, bob, cid";
    assert_eq!(event("a", "first"), ["ada: version 1", "bob: version 1", "cid: version 1", still]);
    // An early deadline.
    set_stages(&house, &[("first", PAST), ("final", FUTURE)]);
    assert_eq!(told("ada"), ("final".to_owned(), false));
    assert!(event("b", "first")[0].contains("without ada: no version for this stage"));
    // More time for two of them.
    for (team, until) in [("ada", "2098-01-01T00:00:00Z"), ("bob", "2098-01-01T00:00:00+01:00")] {
        let extended = house.run(&["extend", team, "first", until]);
        assert_eq!((extended.status, extended.out), (0, format!("{team} has until {until} for first\n")));
    }
    assert_eq!([told("ada"), told("cid")], [("first".to_owned(), false), ("final".to_owned(), false)]);
    let still = "first is still open for ada, bob";
    assert_eq!(
        event("c", "first"),
        ["ada: version 1", "bob: version 1", "without cid: no version for this stage", still]
    );
    // After everything, which a server at work sees, too.
    let extended = house.run(&["extend", "ada", "first", "2019-01-01T00:00:00Z"]);
    assert_eq!((extended.status, &*extended.out), (0, "ada has as long as all others for first\n"));
    set_stages(&house, &[("first", PAST), ("final", PAST)]);
    assert_eq!(told("ada"), (String::new(), true));
    store.refresh().expect("a course");
    assert!(store.course().teams()["ada"].versions[0].is_late);
    // Nobody else learns who has more time.
    set_stages(&house, &[("first", PAST)]);
    let at = house.start();
    let page = asked(at.address, "GET /submit", "", b"");
    assert!(page.text().contains("<li>Deadline of first: 2020-01-01T00:00:00Z.</li>"), "{}", page.text());
    assert!(!page.text().contains("2098"));
}

/// The journal has moments that no test can wait for.
#[test]
fn a_late_version_plays_if_the_team_says_so() {
    let house = House::new();
    // date -d 2025-01-01T00:00:00Z +%s
    let deadline = 1_735_689_600;
    let line = |at: u64, what: &str| format!("{{\"team\":\"ada\",\"at\":{at},\"what\":{what}}}\n");
    let sha256 = |version: u64| format!("{version:064}");
    let arrived = |version: u64, at: u64| {
        let of = format!("\"version\":{version},\"sha256\":\"{}\"", sha256(version));
        line(at, &format!("\"received\",{of},\"bytes\":9")) + &line(at, &format!("\"admitted\",{of}"))
    };
    let add = |lines: &str| {
        let journal = house.dir().join("course.jsonl");
        fs::write(&journal, fs::read_to_string(&journal).expect("a journal") + lines).expect("room");
    };
    let plays = || house.team("ada").playing().map(|(number, _)| number);
    let within = |deadline: &str| format!("deadline = {deadline}\ngrace = \"1000h\"");
    set_stages(&house, &[("only", &within("2025-01-01T00:00:00Z")), ("final", FUTURE)]);
    add(&(arrived(1, deadline - 9) + &arrived(2, deadline) + &arrived(3, deadline + 1)));
    let late = |team: &amazons::course::Team| team.versions.iter().map(|version| version.is_late).collect::<Vec<_>>();
    assert_eq!((late(&house.team("ada")), plays()), (vec![false, false, true], Some(2)));
    // A deadline that moves decides anew.
    set_stages(&house, &[("only", &within("2025-01-01T00:00:01Z")), ("final", FUTURE)]);
    assert_eq!(plays(), Some(3));
    set_stages(&house, &[("only", &within("2025-01-01T00:00:00Z")), ("final", FUTURE)]);
    let mut store = house.store();
    store.choose("ada", 3).expect("it is admitted");
    assert_eq!(plays(), Some(3));
    // What comes in time later replaces what was chosen.
    add(&arrived(4, deadline + 4_000_000));
    assert_eq!(plays(), Some(4));
    let team = house.team("ada");
    let of_stage = team.player_among(|version| version.stage.as_deref() == Some("only"));
    assert_eq!(
        of_stage.map(|(version, AdmittedPlayer { sha256, .. })| (version.number, &**sha256)),
        Some((3, &*sha256(3)))
    );
    // Without any in time, the last late one plays.
    set_stages(&house, &[("only", PAST)]);
    assert_eq!(plays(), Some(3), "it was chosen");
    set_stages(&house, &[("only", FUTURE)]);
    house.edit("freeze = false", "freeze = true");
    let error = house.store().choose("ada", 1).expect_err("nothing changes now");
    assert!(matches!(error, amazons::course::CourseError::Refused(Rule::Frozen)), "{error}");
}

#[test]
fn nothing_is_final_while_versions_wait() {
    let house = House::new();
    set_stages(&house, &[("first", PAST), ("final", FUTURE)]);
    let mut store = house.store();
    for team in ["ada", "bob"] {
        admitted(&mut store, team, team, false);
    }
    received(&mut store, "ada", "another", false);
    received(&mut store, "bob", "a trial", true);
    let to = house.dir().with_file_name("final").display().to_string();
    let waiting =
        "not all versions are decided: ada: version 2 is received: wait for the server, or go on without them by";
    let stopped = house.run(&["event", &to]);
    assert!(stopped.status == 2 && stopped.err.contains(waiting), "{stopped:?}");
    let earlier = house.run(&["event", &to, "--stage", "first"]);
    assert!(earlier.err.contains("at least two players"), "it is not of that stage: {earlier:?}");
    let made = house.run(&["event", &to, "--anyway"]);
    assert!(
        made.status == 0
            && made.out.ends_with("ada: version 1\nbob: version 1\nwithout cid: no version was admitted\n"),
        "{made:?}"
    );
    // Grades as well, once there is a ladder.
    drop(house.start());
    assert_eq!(house.run(&["withdraw", "ada"]).status, 0);
    assert_eq!(house.run(&["grades"]).status, 0, "a team that was withdrawn waits for nothing");
}

#[test]
fn a_trial_plays_once_it_is_chosen() {
    let house = House::new();
    let mut store = house.store();
    admitted(&mut store, "ada", "one", false);
    assert_eq!(admitted(&mut store, "ada", "two", true), 2);
    let plays = |store: &Store| store.course().teams()["ada"].playing().map(|(number, _)| number);
    let words = |store: &Store| {
        let team = &store.course().teams()["ada"];
        team.versions.iter().map(|version| team.word(version)).collect::<Vec<_>>()
    };
    assert_eq!((plays(&store), words(&store)), (Some(1), vec!["admitted", "tried"]));
    // Handing it in once more counts, but not once more as a trial.
    assert!(received(&mut store, "ada", "two", true).is_trial);
    assert_eq!(plays(&store), Some(1));
    assert!(!received(&mut store, "ada", "two", false).is_trial);
    assert_eq!((plays(&store), words(&store)), (Some(2), vec!["replaced", "admitted"]));
    // One that still waits plays when it is admitted.
    let third = received(&mut store, "ada", "three", true).version;
    received(&mut store, "ada", "three", false);
    let admitted = Happening::Admitted { version: third, sha256: "3".repeat(64), directions: None };
    store.note("ada", admitted).expect("it is written");
    assert_eq!(plays(&store), Some(3));
    let at = house.start();
    let choose = |team: &str, version: u32| {
        let headers = house.authorization(team) + "content-length: 0\r\n";
        asked(at.address, &format!("POST /api/submit/{version}"), &headers, b"")
    };
    let chosen = choose("ada", 1);
    assert_eq!((chosen.status, chosen.text()), (200, "ada: version 1 plays\n"));
    assert_eq!(house.team("ada").playing().map(|(number, _)| number), Some(1));
    assert_eq!([choose("ada", 9).status, choose("bob", 1).status], [409, 409]);
    assert_eq!(asked(at.address, "POST /api/submit/1", "content-length: 0\r\n", b"").status, 401);
    assert_eq!(asked(at.address, "GET /api/submit/1", &house.authorization("ada"), b"").status, 405);
}
