use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use amazons::course::{Arrival, Arrived, CourseError, CourseSettings, Extensions, Happening, Receipt, Rule, Store};

use super::house::House;

/// Hands in a file that looks like a library and differs from all others.
fn hand_in(house: &House, store: &mut Store, team: &str, content: &str) -> Result<Receipt, CourseError> {
    let file = house.dir().join("handed");
    fs::write(&file, format!("\x7fELF{content}")).expect("a file");
    let arrived = Arrived::copy(&file, &store.incoming().expect("a path"))?;
    store.receive(team, &arrived, false)
}

fn refused(handed: Result<Receipt, CourseError>) -> Rule {
    match handed {
        Err(CourseError::Refused(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

#[test]
fn quotas_freezes_and_withdrawals() {
    let house = House::new();
    let mut store = house.store();
    house.edit("per-day = 20", "per-day = 2");
    let receipt = |version, arrival| Receipt { version, is_late: false, is_trial: false, arrival };
    for (content, version) in [("one", 1), ("two", 2)] {
        assert_eq!(hand_in(&house, &mut store, "ada", content).expect("it is taken"), receipt(version, Arrival::New));
    }
    // The same bytes, before they are decided and after.
    assert_eq!(hand_in(&house, &mut store, "ada", "two").expect("it is there"), receipt(2, Arrival::Known));
    let refused_now = Happening::Refused { version: 2, reasons: vec!["it hangs".to_owned()], is_ours: false };
    store.note("ada", refused_now).expect("it is written");
    assert_eq!(hand_in(&house, &mut store, "ada", "two").expect("it is there"), receipt(2, Arrival::Refused));
    let rule = refused(hand_in(&house, &mut store, "ada", "three"));
    assert!(rule.to_string().contains("2 versions within 24 hours; the next one in 2"), "{rule}");
    assert!(!store.version_folder("ada", 3).exists());
    hand_in(&house, &mut store, "bob", "one").expect("another team");
    house.edit("freeze = false", "freeze = true");
    assert!(matches!(refused(hand_in(&house, &mut store, "bob", "two")), Rule::Frozen));
    house.edit("freeze = true", "freeze = false");
    house.edit("upload-max = \"16M\"", "upload-max = \"1K\"");
    assert!(matches!(refused(hand_in(&house, &mut store, "bob", &"x".repeat(1025))), Rule::TooLarge(1024)));
    store.withdraw("bob").expect("a team");
    assert!(matches!(refused(hand_in(&house, &mut store, "bob", "two")), Rule::Withdrawn(_)));
    assert_eq!(fs::read_dir(house.dir().join("incoming")).expect("a folder").count(), 0);
    // A mistake in the settings keeps those before.
    house.edit("per-day = 2", "per-dya = 2");
    for _ in 0..2 {
        assert!(store.settings().1.is_some_and(|complaint| complaint.contains("per-dya")));
    }
    assert!(store.settings_news().is_some_and(|news| news.ends_with("the settings before are kept")));
    assert_eq!(store.settings_news(), None, "once");
    house.edit("per-dya = 2", "per-day = 2");
    assert!(store.settings_news().is_some_and(|news| news.ends_with("the settings are read again")));
    assert_eq!(store.settings().1, None);
    assert_eq!(store.settings_news(), None);
}

#[test]
fn stages_end_with_their_grace() {
    let house = House::new();
    house.edit("# [[stages]]\n# name = \"qualifying\"", "[[stages]]\nname = \"qualifying\"");
    house.edit("# deadline = 2027-01-15T23:59:00+01:00", "deadline = 2027-01-15T23:59:00+01:00");
    house.edit("# grace = \"24h\"\n# [[stages]]\n# name = \"final\"", "grace = \"24h\"\n[[stages]]\nname = \"final\"");
    house.edit("# deadline = 2027-01-31T23:59:00+01:00", "deadline = 2027-01-31T22:59:00Z");
    let settings = CourseSettings::read(&house.dir()).expect("settings");
    // date -d 2027-01-15T23:59:00+01:00 +%s
    let [first, last] = [1_800_053_940, 1_801_436_340];
    let at = |time| {
        settings.stage_at(&Extensions::new(), time).map(|it| it.map(|(stage, is_late)| (stage.name.clone(), is_late)))
    };
    let at = |time| at(time).expect("a stage");
    let stage = |name: &str, is_late| Some((name.to_owned(), is_late));
    assert_eq!(at(first), stage("qualifying", false));
    assert_eq!(at(first + 1), stage("qualifying", true));
    assert_eq!(at(first + 86_400), stage("qualifying", true));
    assert_eq!(at(first + 86_401), stage("final", false));
    assert_eq!(at(last), stage("final", false));
    assert!(
        settings
            .stage_at(&Extensions::new(), last + 1)
            .is_err_and(|rule| matches!(rule, Rule::Over(name) if name == "final"))
    );
    house.edit("deadline = 2027-01-31T22:59:00Z", "deadline = 2027-01-31");
    assert!(CourseSettings::read(&house.dir()).is_err_and(|reason| reason.to_string().contains("offset")));
    house.edit("deadline = 2027-01-31", "deadline = 2020-01-31T22:59:00Z");
    house.edit("deadline = 2027-01-15T23:59:00+01:00", "deadline = 2020-01-15T23:59:00+01:00");
    assert!(matches!(refused(hand_in(&house, &mut house.store(), "ada", "one")), Rule::Over(_)));
}

#[test]
fn a_late_version_says_so() {
    let house = House::new();
    hand_in(&house, &mut house.store(), "bob", "one").expect("it is taken");
    let now = house.team("bob").versions[0].at;
    // A year is as long as a grace period may be.
    let year = 1970 + (now - 86_400) / 31_556_952;
    let stage =
        format!("[[stages]]\nname = \"only\"\ndeadline = {year}-01-01T00:00:00Z\ngrace = \"8784h\"\n[ladder]\n");
    house.edit("[ladder]\n", &stage);
    let receipt = hand_in(&house, &mut house.store(), "ada", "one").expect("it is taken");
    assert_eq!(receipt, Receipt { version: 1, is_late: true, is_trial: false, arrival: Arrival::New });
    let version = &house.team("ada").versions[0];
    assert_eq!((version.stage.as_deref(), version.is_late), (Some("only"), true));
}

/// Whoever dies between the folder and the line of a version leaves a folder; a torn line is dropped.
#[test]
fn a_course_survives_a_death_in_each_step() {
    let house = House::new();
    let mut store = house.store();
    hand_in(&house, &mut store, "ada", "one").expect("it is taken");
    let orphan = store.version_folder("ada", 2);
    fs::create_dir_all(&orphan).expect("a folder");
    fs::write(orphan.join("upload"), "orphan").expect("a file");
    let journal = house.dir().join("course.jsonl");
    let whole = fs::read_to_string(&journal).expect("a journal");
    for cut in 1..60 {
        fs::write(
            &journal,
            format!("{whole}{}", &r#"{"team":"ada","at":1,"what":"received","version":2,"sha256":"00","#[..cut]),
        )
        .expect("a journal");
        let store = house.store();
        assert_eq!((store.torn(), store.course().teams()["ada"].versions.len()), (cut as u64, 1));
    }
    // This process still has the journal as it was before, and takes in what others do.
    let mut other = house.store();
    other.withdraw("cid").expect("a team");
    assert_eq!(hand_in(&house, &mut store, "ada", "two").expect("it is taken").version, 2);
    assert!(store.course().teams()["cid"].is_withdrawn);
    other.refresh().expect("a course");
    assert_eq!(other.course().teams()["ada"].versions.len(), 2);
    assert_eq!(fs::read(orphan.join("upload")).expect("a file"), b"\x7fELFtwo");
    fs::write(&journal, whole.replace("\"version\":1", "\"version\":7")).expect("a journal");
    assert!(Store::open(&house.dir()).is_err_and(|error| error.to_string().contains("version 7 is not the next one")));
}

#[test]
fn a_course_that_another_user_owns_is_left_alone() {
    let house = House::new();
    let journal = house.dir().join("course.jsonl");
    let reason = if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&journal, Some(1), None).expect("root may");
        "hall is another user's course: runuser -u "
    } else {
        fs::set_permissions(&journal, Permissions::from_mode(0o000)).expect("a file of ours");
        "hall/course.jsonl: Permission denied"
    };
    for command in [&["status"][..], &["token", "ada"], &["backup", "copy"]] {
        let told = house.run(command);
        assert!(told.status != 0 && told.err.contains(reason), "{told:?}");
    }
}
