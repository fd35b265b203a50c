use std::fs;
use std::path::Path;

use amazons_statistics::expected_score;

use super::house::House;
use crate::cli::{player, server};
use crate::support::wait_for;

/// Splits a table of comma-separated values without quotation marks.
pub(super) fn table(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn grades_follow_from_the_games_and_stay_out_of_the_published_pages() {
    let house = House::new();
    house.edit("per-day = 20", "per-day = 20\nbaselines = [\"random\"]");
    assert_eq!(house.run(&["grades"]).status, 2, "there is no ladder yet");
    let at = house.start();
    assert_eq!(house.submit(&at, "ada", Path::new(&player("random"))).status, 201);
    house.plays("ada", Some(1));
    wait_for("some games", || (house.ladder().results().whole_pairs() >= 3).then_some(()));
    drop(at);
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
    let games = 2.0 * house.ladder().results().whole_pairs() as f64;
    assert_eq!(number(1, "games"), games);
    assert_eq!(number(1, "points"), number(1, "points_against_random"));
    // Of two players the average is 0.
    let expected = 100.0 * expected_score(2.0 * number(1, "elo"));
    assert!((number(1, "grade") - expected).abs() <= 0.051, "{} is not {expected}", cell(1, "grade"));

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
