use std::fs;
use std::path::Path;

use amazons::record::{Record, Step};
use amazons::tournament::ladder::{Ladder, LadderTable};
use amazons_browser::{Browser, assert_good_everywhere};
use amazons_statistics::expected_score;
use amazons_testing::wait_until;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::house::{AtWork, House, asked};
use crate::cli::{player, server};
use crate::tournament::assert_views_agree;

/// A course in which a team plays against a baseline, with some games.
pub(super) fn playing() -> (House, AtWork) {
    let house = House::new();
    house.edit("per-day = 20", "per-day = 20\nbaselines = [\"random\"]");
    assert_eq!(house.run(&["grades"]).status, 2, "there is no ladder yet");
    let at = house.start();
    assert_eq!(house.submit(&at, "ada", Path::new(&player("random"))).status, 201);
    house.plays("ada", Some(1));
    wait_until("some games", || house.ladder().results().whole_pairs() >= 3);
    (house, at)
}

/// Splits a table of comma-separated values.
fn table(text: &str) -> Vec<Vec<String>> {
    let split = |line: &str| {
        let mut is_quoted = false;
        let fields = line.split(|letter| {
            is_quoted ^= letter == '"';
            letter == ',' && !is_quoted
        });
        fields.map(str::to_owned).collect()
    };
    text.lines().map(split).collect()
}

#[test]
fn grades_follow_from_the_games_and_stay_out_of_the_published_pages() {
    let (house, mut at) = playing();
    // Its tables are written at the end.
    kill_process(Pid::from_child(&at.child), Signal::TERM).expect("it lives");
    assert_eq!(at.child.wait().expect("it ends").code(), Some(130));
    let ran = house.run(&["grades"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let rows = table(&ran.out);
    let cell = |row: usize, name: &str| {
        let place = rows[0].iter().position(|column| column == name).unwrap_or_else(|| panic!("{name}: {:?}", rows[0]));
        rows[row][place].clone()
    };
    let number = |row: usize, name: &str| cell(row, name).parse::<f64>().expect("a number");
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), vec![rows[0].len(); 4], "{rows:?}");
    assert_eq!([cell(1, "team"), cell(1, "state"), cell(1, "version")], ["ada", "plays", "1"]);
    assert_eq!([cell(2, "team"), cell(2, "state"), cell(2, "grade")], ["bob", "absent", ""]);
    assert_eq!(number(1, "games"), 2.0 * house.ladder().results().whole_pairs() as f64);
    // A pair that is not whole is not rated.
    assert!((0.0..2.0).contains(&(number(1, "games_against_random") - number(1, "games"))), "{rows:?}");
    // Of two players the average is 0.
    let expected = 100.0 * expected_score(2.0 * number(1, "elo"));
    assert!((number(1, "grade") - expected).abs() <= 0.051, "{} is not {expected}", cell(1, "grade"));
    let at_least = 100.0 * expected_score(2.0 * number(1, "elo") - number(1, "error"));
    assert!((number(1, "grade_low") - at_least).abs() <= 0.051 && number(1, "grade_high") > expected, "{rows:?}");
    assert_eq!([cell(1, "display"), cell(1, "email")], ["\"Lovelace, <b>Ada</b>\"", ""]);

    assert_views_agree(&house.dir().join("ladder"), &house.dir());
    let out = house.dir().join("pages").display().to_string();
    let told = server(["report", &house.dir().display().to_string(), "--html", &out]);
    assert_eq!(told.status, 0, "{told:?}");
    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).expect("a file");
    assert!(read("rules.html").contains("Handing in"), "{}", read("rules.html"));
    let event = read("data/event.js");
    assert!(event.contains("\"title\":\"Game of the Amazons\"") && !event.contains("same file"), "{event}");
    assert!(!event.contains("grade") && !event.contains("sha256"), "{event}");
    for token in house.tokens.values() {
        assert!(!event.contains(token.as_str()));
    }
}

/// The ladder hears of a roll-back only when a server works there again.
#[test]
fn grades_are_those_of_the_version_that_plays() {
    let (house, at) = playing();
    assert_eq!(house.submit(&at, "ada", Path::new(&player("c_mobility"))).status, 201);
    house.plays("ada", Some(2));
    let is_played = |ladder: &Ladder| ladder.contenders().iter().any(|it| it.joined.version == 2 && it.tally.games > 0);
    wait_until("the new version plays", || is_played(&house.ladder()));
    drop(at);
    assert_eq!(house.run(&["rollback", "ada", "1"]).status, 0);
    let rows = table(&house.run(&["grades"]).out);
    let cell = |name: &str| rows[1][rows[0].iter().position(|column| column == name).expect("a column")].clone();
    let earlier = LadderTable::of(&house.ladder()).former.pop().expect("a version");
    let expected = ["1".to_owned(), earlier.elo.to_string(), earlier.games.to_string()];
    assert_eq!([cell("version"), cell("elo"), cell("games")], expected, "{rows:?}");
}

#[test]
fn a_team_sees_its_results_and_the_teacher_sees_everything() {
    let (house, at) = playing();
    let results = house.page(&at, "ada")["results"].clone();
    let against = &results["opponents"]["random"];
    let games = against[0]["games"].as_u64().expect("a number");
    assert!(games >= 6 && against[1]["games"] == 0, "{results}");
    assert_eq!(results["boards"]["c5"], *against, "there is one board");
    assert_eq!(results["faults_total"], results["faults"].as_array().expect("a list").len(), "{results}");
    let ladder = house.ladder();
    let ada = ladder.contenders().iter().position(|it| it.joined.name == "ada").expect("it plays");
    let times = &results["times"];
    let of = |name: &str, place: usize| times[name][place].as_u64().expect("a time");
    assert!(of("charged", 0) <= of("charged", 1) && of("charged", 1) <= of("charged", 2), "{times}");
    assert!(of("waited", 0) > 0, "{times}");
    // The longest is that of a move in a record.
    let mut charged = Vec::new();
    for pair in ladder.pairs() {
        for (number, result) in (1..).zip(ladder.results().games_of(pair.number)) {
            let Some(path) = result.and_then(|result| result.files(pair.number, number).0) else { continue };
            let record = Record::read(&*fs::read(house.dir().join("ladder").join(path)).expect("a record"));
            for step in record.expect("a record").steps {
                if let Step::Move(mv) = step
                    && pair.players[usize::from(mv.player.number()) - 1] == ada
                {
                    charged.push(mv.cpu_us.expect("a time") + mv.idle_cpu_us.expect("a time"));
                }
            }
        }
    }
    assert!(charged.contains(&of("charged", 2)), "{times} {charged:?}");
    for loss in results["losses"].as_array().expect("a list") {
        assert_eq!(loss["opponent"], "random", "{loss}");
    }
    assert_eq!(house.page(&at, "bob")["results"]["opponents"], serde_json::json!({}));

    let teacher = house.run(&["token"]);
    assert_eq!(teacher.status, 0, "{teacher:?}");
    let teacher = teacher.out.trim();
    let ask = |token: &str, name: &str| {
        asked(at.address, &format!("GET /api/teacher/{name}"), &format!("authorization: Bearer {token}\r\n"), b"")
    };
    for wrong in [house.tokens["ada"].as_str(), "", "0"] {
        assert_eq!(ask(wrong, "versions.csv").status, 401, "{wrong}");
    }
    assert_eq!(house.get(&at, "ada", "/api/teacher/grades.csv").status, 401);
    let as_team = asked(at.address, "GET /api/team", &format!("authorization: Bearer {teacher}\r\n"), b"");
    assert_eq!(as_team.status, 401, "a teacher is no team");
    let read = |name: &str| {
        let reply = ask(teacher, name);
        assert_eq!(reply.status, 200, "{name}: {reply:?}");
        String::from_utf8(reply.body).expect("text")
    };
    assert_eq!(read("versions.csv"), house.run(&["status", "--csv"]).out);
    assert!(read("teams.csv").contains("\r\nada,\"Lovelace, <b>Ada</b>\",,false,1,1,19,"), "{}", read("teams.csv"));
    let copies = "one,other,score,evidence\r\nada version 1,the bundled random,1.00,the same file\r\n";
    assert_eq!(read("copies.csv"), copies);
    assert!(read("grades.csv").lines().any(|line| line.starts_with("ada,plays,1,no,")), "{}", read("grades.csv"));
    let machine = table(&read("machine.csv"));
    assert!(machine.len() == 5 && machine.iter().all(|row| !row[1].is_empty()), "{machine:?}");
    assert_eq!(ask(teacher, "tokens.csv").status, 404);
    let journal = fs::read_to_string(house.dir().join("course.jsonl")).expect("a journal");
    assert!(!journal.contains(teacher) && journal.contains("\"what\":\"teacher\""));

    let Some(mut browser) = Browser::start() else { return };
    let show = |token: &str| {
        format!("document.querySelector('#token').value = '{token}'; document.querySelector('#enter button').click()")
    };
    browser.open(&format!("http://{}/team", at.address));
    browser.eval(&show(&house.tokens["ada"]));
    browser.wait("document.querySelectorAll('#results tbody tr').length >= 4");
    assert_good_everywhere(&mut browser, "the results of a team");
    browser.open(&format!("http://{}/teacher", at.address));
    browser.eval(&show(teacher));
    browser.wait("document.querySelectorAll('#tables table').length >= 4");
    browser.eval("document.querySelector('#copies').click()");
    browser.wait("document.querySelector('#tables').textContent.includes('Save copies.csv')");
    let names = browser.eval("[...document.querySelectorAll('#tables td')].map((cell) => cell.textContent)");
    assert!(names.as_array().is_some_and(|names| names.contains(&Value::from("Lovelace, <b>Ada</b>"))), "{names}");
    assert_good_everywhere(&mut browser, "the page of the teacher");
    // Whoever changes their mind at the question has done nothing.
    for (agrees, told) in [(false, ""), (true, "bob is withdrawn; 'server course rollback' brings it back")] {
        browser.eval(&format!("window.confirm = (text) => {{ window.asked = text; return {agrees}; }}"));
        browser.eval("var form = document.querySelector('#act'); form.elements.act.value = 'withdraw'; form.elements.act.dispatchEvent(new Event('change')); form.elements.team.value = 'bob'; form.requestSubmit()");
        browser.wait("window.asked?.startsWith('bob plays no more')");
        browser.wait(&format!("document.querySelector('#did').textContent === {told:?}"));
        assert_eq!(house.team("bob").is_withdrawn, agrees);
    }
}
