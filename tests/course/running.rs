use std::fs;
use std::path::Path;

use amazons::course::VersionState;
use amazons_testing::wait_until;

use super::house::House;
use super::rig::{gz, tar};
use crate::cli::player;
use crate::support::{compile_c, player_in_c};

#[test]
fn from_an_upload_to_the_games() {
    let house = House::new();
    let at = house.start();
    let random = player("random");
    let handed = house.submit(&at, "ada", Path::new(&random));
    assert_eq!((handed.status, handed.text()), (201, "ada: version 1 is received\n"));
    let again = house.submit(&at, "ada", Path::new(&random));
    assert_eq!((again.status, again.text()), (200, "ada: this is version 1, which is here already\n"));
    let sent = house.run(&["submit", &player("territory"), "--team", "bob"]);
    assert_eq!((sent.status, sent.out.as_str()), (0, "bob: version 1 is received\n"), "{sent:?}");
    assert_eq!([house.decided("ada", 1), house.decided("bob", 1)], ["admitted"; 2]);
    house.plays("ada", Some(1));
    house.plays("bob", Some(1));
    wait_until("they play", || house.ladder().results().whole_pairs() > 0);
    // One that fails keeps its logs, and the one before plays on.
    let (_folder, wrong) = player_in_c("wrong", "fprintf(stderr, \"<script>alert(1)</script>\\n\");", "");
    assert_eq!(house.submit(&at, "ada", Path::new(&wrong)).status, 201);
    assert_eq!(house.decided("ada", 2), "refused");
    let page = house.page(&at, "ada");
    assert_eq!((&page["playing"], &page["versions"][0]["state"]), (&1.into(), &"refused".into()), "{page}");
    assert!(page["versions"][0]["reasons"][0].as_str().is_some_and(|reason| reason.contains("illegal")), "{page}");
    let report = house.get(&at, "ada", "/api/team/versions/2/check.txt");
    assert!(report.status == 200 && report.text().contains("Failed"), "{report:?}");
    assert!(!report.text().contains(&house.dir().display().to_string()), "{}", report.text());
    // The journal counts uploads, and so does the ladder.
    assert_eq!(house.submit(&at, "ada", Path::new(&player("c_mobility"))).status, 201);
    assert_eq!(house.decided("ada", 3), "admitted");
    house.plays("ada", Some(3));
    assert_eq!(house.run(&["rollback", "ada", "1"]).status, 0);
    house.plays("ada", Some(1));
    assert_eq!(house.run(&["withdraw", "bob"]).status, 0);
    house.plays("bob", None);
    let refused = house.submit(&at, "bob", Path::new(&random));
    assert_eq!((refused.status, refused.text()), (403, "team bob was withdrawn\n"));
    assert_eq!(house.run(&["rollback", "bob", "1"]).status, 0);
    house.plays("bob", Some(1));
    // Nobody sees what is another team's, or nobody's.
    assert_eq!(house.get(&at, "cid", "/api/team/versions/2/check.txt").status, 404);
    assert_eq!(house.get(&at, "ada", "/api/team/versions/2/upload").status, 404);
    assert_eq!(house.get(&at, "ada", "/api/team/versions/9/check.txt").status, 404);
    let (bob, public) = (house.page(&at, "bob").to_string(), house.get(&at, "ada", "/api/events/0"));
    assert!(!bob.contains("Lovelace") && bob.contains("\"version\":1"), "{bob}");
    assert!(public.status == 200 && !public.text().contains("script"), "{public:?}");
    assert!(!public.text().contains("\"logs\":[1") && !public.text().contains("\"logs\":[2"), "{public:?}");
    assert_eq!(house.get(&at, "ada", "/").status, 303);
    for page in ["/event/0", "/submit", "/team", "/assets/course.js", "/assets/look.css"] {
        assert_eq!(house.get(&at, "ada", page).status, 200, "{page}");
    }
}

/// Sources are built, also by the server after one that was killed meanwhile; what fails to build says why.
#[test]
fn sources_are_built() {
    let house = House::new();
    let at = house.start();
    let (makefile, source) =
        (include_str!("../../players/c_mobility/Makefile"), include_str!("../../players/c_mobility/c_mobility.c"));
    let slow = "slow:\n\tsleep 0.5; $(MAKE) c_mobility.so HEADERS=\"$$HEADERS\"\n";
    let packed = |name: &str, makefile: &str| {
        let path = house.dir().with_file_name(name);
        fs::write(&path, gz(&tar(&[("me/Makefile", makefile), ("me/c_mobility.c", source)]))).expect("a file");
        path
    };
    assert_eq!(house.submit(&at, "ada", &packed("slow.tgz", &format!("{slow}{makefile}"))).status, 201);
    wait_until("it is being built", || house.team("ada").versions[0].state == VersionState::Building);
    drop(at);
    let at = house.start();
    assert_eq!(house.submit(&at, "bob", &packed("wrong.tgz", "all:\n\t@echo no compiler; false\n")).status, 201);
    assert_eq!([house.decided("bob", 1), house.decided("ada", 1)], ["refused", "admitted"]);
    let output = house.get(&at, "bob", "/api/team/versions/1/build.txt");
    assert!(output.status == 200 && output.text().contains("no compiler\n"), "{output:?}");
    house.plays("ada", Some(1));
}

/// Players that hang in each call hold no other team back.
#[test]
fn checks_that_hang() {
    let house = House::new();
    house.edit("init-time = \"2s\"", "init-time = \"100s\"");
    let at = house.start();
    let hang = "for (;;) pause();";
    let (_folder, hanging) = player_in_c("hanging", hang, "");
    let source = fs::read(&hanging).expect("a player");
    for team in ["ada", "bob"] {
        let copy = house.dir().with_file_name(format!("{team}.so"));
        fs::write(&copy, &source).expect("a player");
        assert_eq!(house.submit(&at, team, &copy).status, 201);
    }
    wait_until("both are being checked", || {
        ["ada", "bob"].iter().all(|team| house.team(team).versions[0].state == VersionState::Checking)
    });
    assert_eq!(house.submit(&at, "cid", Path::new(&player("random"))).status, 201);
    assert_eq!(house.decided("cid", 1), "admitted");
}

/// A server that is killed in any state goes on: nothing is lost and nothing is there twice.
#[test]
fn servers_that_are_killed() {
    let house = House::new();
    let random = player("random");
    for (round, state) in ["received", "building", "checking", "admitted"].into_iter().enumerate() {
        let at = house.start();
        let version = round as u32 + 1;
        // The same player again is another file.
        let copy = house.dir().with_file_name("copy.so");
        let mut bytes = fs::read(&random).expect("a player");
        bytes.extend(std::iter::repeat_n(b'x', round));
        fs::write(&copy, bytes).expect("a player");
        assert_eq!(house.submit(&at, "ada", &copy).status, 201);
        wait_until(format!("it is {state}, or further"), || {
            let team = house.team("ada");
            let order = ["received", "building", "checking", "admitted"];
            let word = team.version(version).map(|it| team.word(it));
            word.and_then(|word| order.iter().position(|it| *it == word)) >= order.iter().position(|it| *it == state)
        });
        drop(at);
    }
    let _at = house.start();
    let words: Vec<_> = (1..=4).map(|version| house.decided("ada", version)).collect();
    assert_eq!(words, ["replaced", "replaced", "replaced", "admitted"]);
    house.plays("ada", Some(4));
    let second = house.run(&["run", "--listen", "127.0.0.1:0"]);
    assert!(second.status != 0 && second.err.contains("works on this event"), "{second:?}");
}

/// One source, compiled in two ways: the files and their code differ, the games do not.
#[test]
fn players_that_move_alike_are_listed() {
    let house = House::new();
    let at = house.start();
    let source = include_str!("../../players/c_mobility/c_mobility.c");
    for (team, level) in [("ada", "-O1"), ("bob", "-Os")] {
        let (_folder, library) = compile_c(source, &["-DAMAZONS_NO_GSL", level]);
        assert_eq!(house.submit(&at, team, &library).status, 201);
    }
    assert_eq!(house.submit(&at, "cid", Path::new(&player("territory"))).status, 201);
    wait_until("their games are the same", || {
        let found = house.run(&["copies"]).out;
        assert!(!found.replace("cid version 1 and the bundled territory", "").contains("cid"), "{found}");
        found.contains("ada version 1 and bob version 1\n       the same moves in ")
    });
}

mod long {
    use std::process::{Command, Stdio};

    use amazons_testing::{output_of, skip};

    use crate::support::{install_dir, server};

    /// A short term with all that may happen, kills among it; the script plays one of any length.
    #[test]
    fn a_term() {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/course/term.py");
        let mut command = Command::new("python3");
        command.arg("-B").arg(script).arg(server()).arg(install_dir()).args(["10", "6", "3", "1"]);
        let Ok(child) = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() else {
            return skip("python3 is missing");
        };
        let ran = output_of(child);
        let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success() && said.contains(" kills, "), "{said}");
        if let Some(skipped) = said.lines().find_map(|line| line.strip_prefix("skipped: ")) {
            skip(skipped);
        }
    }
}
