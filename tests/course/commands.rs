use std::fs;
use std::os::unix::fs::PermissionsExt;

use amazons::course::read_teams;

use super::house::House;
use super::rig::{gz, tar};
use crate::cli::{player, server};

#[test]
fn tokens_are_shown_once() {
    let house = House::new();
    assert_eq!(house.tokens.len(), 3);
    let journal = fs::read_to_string(house.dir().join("course.jsonl")).expect("a journal");
    assert!(house.tokens.values().all(|token| token.len() == 32 && !journal.contains(token)), "{journal}");
    assert_eq!(fs::metadata(house.dir()).expect("a folder").permissions().mode() & 0o77, 0);
    let renewed = house.run(&["token", "ada"]);
    let token = renewed.out.lines().nth(1).and_then(|line| line.strip_prefix("ada,")).expect("a token");
    assert_eq!(house.store().course().team_of(token), Some("ada"));
    assert_eq!(house.store().course().team_of(&house.tokens["ada"]), None, "the old one");
    assert_eq!(house.store().course().team_of(&house.tokens["bob"]), Some("bob"));
}

#[test]
fn wrong_lists_make_no_course() {
    let root = tempfile::tempdir().expect("a folder");
    let (list, dir) = (root.path().join("teams.csv"), root.path().join("hall"));
    let lists = [
        ("ada\nbob\n", "the first line must name columns of 'name,display name,email', separated by"),
        ("name,room\nada,1\n", "the first line must name columns of"),
        ("email;display name\nada@x.org;Ada\n", "the first line must name columns of"),
        ("name\n", "there are no teams"),
        ("name\nada\n../bob\n", "line 3: invalid team name '../bob'"),
        ("name\nada\n.bob\n", "line 3: invalid team name '.bob'"),
        ("name\nada\n\nAda\n", "line 4: there is a team Ada already"),
        ("name,display name\nada,\"Ada\n", "line 2: a quotation mark is missing"),
        ("name,email\nada,Ada,a@b\n", "line 2: expected at most 2 fields, found 3"),
        ("name\n007\n", "line 2: invalid team name '007', which spreadsheets take for a number, date or formula"),
        ("name\n-x\n", "line 2: invalid team name '-x', which spreadsheets"),
        ("name\n1e5\n", "line 2: invalid team name '1e5', which spreadsheets"),
        ("name\nMar1\n", "line 2: invalid team name 'Mar1', which spreadsheets"),
        ("name\ndez-24\n", "line 2: invalid team name 'dez-24', which spreadsheets"),
        ("name,email\nada,\u{1b}[2J\n", "not plain text"),
    ];
    for (text, expected) in lists {
        fs::write(&list, text).expect("a file");
        let made = server(["course", "new", &dir.display().to_string(), "--teams", &list.display().to_string()]);
        assert_eq!((made.status, made.err.lines().count(), made.out.as_str()), (2, 1, ""), "{made:?}");
        assert!(made.err.contains(expected), "{}", made.err);
        assert_eq!(fs::read_dir(root.path()).expect("a folder").count(), 1, "{text}");
    }
    fs::write(&list, "\u{feff}Email;Name;Display name\r\na@b.c;marvin2;\"Ma; rvin\"\r\n;march;\r\n").expect("a file");
    let teams = read_teams(&list).expect("teams");
    let told = teams.iter().map(|it| (&*it.name, it.display.as_deref(), it.email.as_deref()));
    assert_eq!(told.collect::<Vec<_>>(), [("marvin2", Some("Ma; rvin"), Some("a@b.c")), ("march", None, None)]);
    fs::write(&list, "name,display name,email\nada,\"Ada \"\"A\"\", L.\",a@b.c\n").expect("a file");
    let made = server(["course", "new", &dir.display().to_string(), "--teams", &list.display().to_string()]);
    assert_eq!(made.status, 0, "{made:?}");
    let again = server(["course", "new", &dir.display().to_string(), "--teams", &list.display().to_string()]);
    assert!(again.status == 2 && again.err.contains("exists already"), "{again:?}");
}

#[test]
fn a_folder_and_a_team_that_are_not_there() {
    let house = House::new();
    let more = house.dir().with_file_name("more.csv").display().to_string();
    fs::write(&more, "name\ndan\nrandom\n").expect("a file");
    house.edit("title =", "baselines = [\"random\"]\ntitle =");
    let mistakes: [(&[&str], &str); 7] = [
        (&["withdraw", "eve"], "there is no team 'eve'"),
        (&["token", "eve"], "there is no team 'eve'"),
        (&["rollback", "ada", "1"], "version 1 of ada was not admitted"),
        (&["rollback", "ada"], "ada was not withdrawn: name a version"),
        (&["add", "--teams", &more], "random is the name of a baseline"),
        (&["submit", "/dev/null", "--team", "ada"], "cannot read /dev/null: it is not a regular file"),
        (&["submit", "nowhere.so", "--team", "ada"], "cannot read nowhere.so"),
    ];
    for (args, expected) in mistakes {
        let ran = house.run(args);
        assert!(ran.status == 2 && ran.err.lines().count() == 1 && ran.err.contains(expected), "{ran:?}");
    }
    assert_eq!(house.store().course().teams().len(), 3, "all are added, or none");
    assert_eq!(house.run(&["withdraw", "ada"]).status, 0);
    let back = house.run(&["rollback", "ada"]);
    assert_eq!((back.status, back.out.as_str()), (0, "ada is back\n"), "{back:?}");
    assert_eq!(house.run(&["submit", &player("random"), "--team", "ada"]).status, 0);
    let nowhere = server(["course", "status", "/nowhere"]);
    assert!(nowhere.status == 2 && nowhere.err.contains("is not a course"), "{nowhere:?}");
}

/// Nothing has to be built for the text to be compared.
#[test]
fn copies_are_listed_with_their_lines() {
    let house = House::new();
    let hand_in = |team: &str, name: &str, files: &[(&str, &str)]| {
        let packed = house.dir().with_file_name(name);
        fs::write(&packed, gz(&tar(files))).expect("a file");
        assert_eq!(house.run(&["submit", &packed.display().to_string(), "--team", team]).status, 0);
    };
    let lib = include_str!("../../players/territory/src/lib.rs");
    let evaluation = include_str!("../../players/territory/src/evaluation.rs");
    let renamed = evaluation.replace("distance", "abstand");
    assert_ne!(renamed, evaluation);
    hand_in("ada", "a.tgz", &[("lib.rs", lib), ("e.rs", evaluation)]);
    hand_in("bob", "b.tgz", &[("lib.rs", lib), ("e.rs", &renamed)]);
    hand_in("cid", "c.tgz", &[("player.c", include_str!("../../players/c_gsl/c_gsl.c"))]);
    let found = house.run(&["copies"]);
    assert!(found.status == 0 && found.out.contains("ada version 1 and bob version 1\n"), "{found:?}");
    assert!(found.out.contains(" e.rs:") && !found.out.contains("cid"), "{found:?}");
    let earlier = house.dir().with_file_name("2025");
    fs::create_dir(&earlier).expect("a folder");
    fs::copy(house.dir().with_file_name("a.tgz"), earlier.join("old.tgz")).expect("a file");
    let found = house.run(&["copies", "--earlier", &earlier.display().to_string()]);
    assert!(found.out.matches("old.tgz").count() >= 2, "{found:?}");
    let given = house.dir().with_file_name("a.tgz").display().to_string();
    assert_eq!(house.run(&["copies", "--given", &given]).out, "no two works look like copies\n");
}

#[test]
fn what_is_handed_in_without_a_server_waits() {
    let house = House::new();
    let handed = house.run(&["submit", &player("random"), "--team", "ada"]);
    assert_eq!((handed.status, handed.out.as_str()), (0, "ada: version 1 is received\n"), "{handed:?}");
    let status = house.run(&["status"]);
    assert!(status.out.contains("version 1: received") && status.out.contains("nothing handed in"), "{}", status.out);
    let copy = house.dir().with_file_name("copy");
    assert_eq!(house.run(&["backup", &copy.display().to_string()]).status, 0);
    let upload = "versions/ada/0001/upload";
    assert_eq!(fs::read(copy.join(upload)).expect("a copy"), fs::read(player("random")).expect("a player"));
    assert_eq!(house.wrong(), Vec::<String>::new());
    fs::write(house.dir().join(upload), "damaged").expect("a file");
    let sick = house.run(&["doctor"]);
    assert!(sick.status == 1 && sick.out.contains("damaged: ada version 1"), "{sick:?}");
    let csv = house.run(&["status", "--csv"]).out;
    assert!(csv.lines().nth(1).is_some_and(|line| line.starts_with("ada,1,received,")), "{csv}");
}
