use std::collections::BTreeMap;

use amazons::game::PlayerSettings;
use amazons::referee::PlayerNumber;
use amazons::tournament::report::{Report, csv, json, text};
use amazons::tournament::{Entrant, Field, GameResult, RankedBy, RatedPair, Slowest, Standings, Test, Timing};
use amazons_statistics::{Sprt, SprtModel};

use super::journal::line;

fn sample(players: usize, test: Option<&Test>) -> Standings {
    let entrants: Vec<Entrant> = (0..players)
        .map(|id| Entrant {
            name: format!("p{id}"),
            file: "a,\"b\" <c>.so".into(),
            sha256: Some("ab".repeat(32)),
            directions: None,
            own: PlayerSettings::default(),
        })
        .collect();
    let mut pairs = Vec::new();
    for two in 1..players {
        for number in 0..4 {
            let winner = [Some(PlayerNumber::One), Some(PlayerNumber::Two), None][(number as usize + two) % 3];
            let games = [1, 2].map(|game| GameResult::from(&line(10 * two as u32 + number, game, winner)));
            pairs.push(RatedPair { players: [0, two], board: "c10", stage: 1, games });
        }
    }
    let byes = vec![0; players];
    let withdrawn = BTreeMap::new();
    Standings::new(&Field {
        players: &entrants,
        pairs: &pairs,
        byes: &byes,
        test,
        ranked_by: RankedBy::Rating,
        is_complete: true,
        withdrawn: &withdrawn,
    })
}

fn test() -> Test {
    let mut test = Test::new(Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalized).expect("a test"));
    (0..5000).for_each(|index| test.add([0, 2, 4, 2, 4, 2, 0][index % 7]));
    test
}

#[test]
fn text_has_whole_lines_and_every_table() {
    let standings = sample(4, None);
    let timing = Timing {
        slowest: vec![Slowest { player: "p0".to_owned(), ms: 12.34, pair: 7, game: 2 }],
        unrated_games: 3,
        moves: 100,
        overhead_median_us: Some(41.0),
        overhead_99_us: Some(90.2),
    };
    let report = Report { title: "spring", subtitle: "gauntlet", standings: &standings, timing: Some(&timing) };
    let text = text(&report);
    for expected in [
        "spring: gauntlet\n",
        "12.3 ms (7-2)",
        "points of",
        "stronger, %",
        "won-lost by",
        "no_moves",
        "max_moves",
        "score of who moves first, %",
        "3 more games are not rated",
        "our own overhead per move: 41 us in the median, 90 us at 99 % (100 moves of this run)",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.lines().all(|line| line.trim_end() == line) && text.ends_with('\n'), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn csv_has_a_field_for_each_column() {
    let standings = sample(3, None);
    let csv = csv(&standings);
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0].starts_with("rank,player,elo,error,points,games,won,lost,byes,at_fault,no_moves_won,"),
        "{}",
        lines[0]
    );
    let columns = lines[0].split(',').count();
    for line in &lines[1..] {
        let (fields, file) = line.split_once(",\"").expect("the file has a comma");
        assert_eq!(file, "a,\"\"b\"\" <c>.so\"", "the last field is quoted");
        assert_eq!(fields.split(',').count() + 1, columns, "{line}");
    }
}

#[test]
fn json_is_read_back_and_has_no_time() {
    let test = test();
    let text = json(&sample(2, Some(&test)));
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["players"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["sprt"]["pairs"].as_array().map(Vec::len), Some(5));
    assert!(value["sprt"]["history"].as_array().is_some_and(|history| history.len() <= 1001));
    for word in ["wall", "slowest", "host", "_us"] {
        assert!(!text.contains(word), "{word} depends on time: {text}");
    }
}

/// Returns the columns that a text takes on a terminal, for the letters of the test.
fn columns(text: &str) -> usize {
    let width = |letter: char| match u32::from(letter) {
        0x300..=0x36f => 0,
        0x1100..=0x11ff | 0x3000..=0x9fff | 0xac00..=0xd7a3 | 0xff00..=0xff60 => 2,
        _ => 1,
    };
    text.chars().map(width).sum()
}

#[test]
fn columns_are_as_wide_as_they_look() {
    let mut standings = sample(4, None);
    for (row, name) in standings.players.iter_mut().zip([
        "\u{5c71}\u{7530}\u{592a}\u{90ce}",
        "a",
        "e\u{301}o\u{308}",
        "\u{5d0}\u{5d1}",
    ]) {
        row.name = name.to_owned();
    }
    let text = text(&Report { title: "spring", subtitle: "gauntlet", standings: &standings, timing: None });
    let table: Vec<&str> = text.lines().skip_while(|line| !line.contains(" Elo ")).take(5).collect();
    let ends = |line: &&str| columns(line);
    let widths: Vec<usize> = table.iter().map(ends).collect();
    assert!(widths.windows(2).all(|two| two[0] == two[1]), "{widths:?}\n{}", table.join("\n"));
}
