//! The program: results, errors, resuming, hostile programs.

use std::fs;

use amazons_launchers::Mpi;

use super::{Folder, plan, row};
use crate::line::own_seats::{HOSTILE, team};
use crate::support::{launch, run};

const TWO: [(&str, &str); 2] = [("two", "builtin:bot2-extended"), ("three", "builtin:bot3")];

fn number(value: &serde_json::Value, what: &str) -> f64 {
    value[what].as_f64().unwrap_or_else(|| panic!("no {what} in {value}"))
}

#[test]
fn equal_bots_share_wins_equally() {
    let bots = [("a", "builtin:bot2"), ("b", "builtin:bot2"), ("c", "builtin:bot2"), ("d", "builtin:bot2")];
    let folder = Folder::new(&plan(3, "field", 400, "seed = 2", &bots));
    let tables = folder.json(&["-j", "2"]);
    for (name, _) in bots {
        let program = row(&tables, "programs", name);
        assert_eq!(number(program, "seats"), 900.0);
        let off = number(program, "wins %") - 100.0 / 3.0;
        assert!(off.abs() < 4.0 * number(program, "+-"), "{program}");
        // With every deal at every seat, the bars are those of luck alone, or less.
        assert!(number(program, "+-") < 1.8, "{program}");
        let strength = row(&tables, "strengths", name);
        assert!(number(strength, "Elo").abs() < 2.0 * number(strength, "+- 95 %"), "{strength}");
    }
}

#[test]
fn a_match_finds_the_better_one_and_its_test_stops() {
    let sprt = "sprt = { elo0 = 0, elo1 = 20 }";
    let folder = Folder::new(&plan(4, "versus", 4_000, sprt, &[TWO[0], ("strict", "builtin:bot2")]));
    let tables = folder.json(&[]);
    let found = &tables["tables"]["matches"][0];
    assert_eq!(found["test"], "elo1", "{found}");
    assert!(tables["blocks"].as_u64().is_some_and(|blocks| (16..4_000).contains(&blocks)), "{tables}");
    assert!(number(found, "LLR") >= 2.94, "{found}");
    // Other ranks, the same table; and the journal alone gives it, too.
    let text = folder.said(&[]);
    fs::remove_file(folder.journal()).expect("a journal");
    assert_eq!(folder.said(&["-j", "3"]), text);
    let equal =
        Folder::new(&plan(2, "versus", 4_000, "sprt = { elo0 = 0, elo1 = 60 }", &[TWO[0], ("other", TWO[0].1)]));
    let tables = equal.json(&[]);
    assert_eq!(tables["tables"]["matches"][0]["test"], "elo0", "{tables}");
}

#[test]
fn going_on_after_an_interruption_changes_nothing() {
    let bots = [TWO[0], TWO[1], ("one", "builtin:bot1")];
    for (format, n) in [("field", 3), ("ladder", 2)] {
        let folder = Folder::new(&plan(n, format, 40, "", &bots));
        let html = folder.0.0.join("page.html");
        let args = ["--html", html.to_str().expect("text")];
        let all = folder.said(&args);
        let (whole, page) = (fs::read(folder.journal()).expect("a journal"), fs::read(&html).expect("a page"));
        // Stopped in the first line, between lines, in a line, after the last one.
        let ends =
            |at: usize| whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(at).expect("lines").0 + 1;
        for cut in [0, 7, ends(0), ends(3), ends(11) + 5, whole.len() - 1, whole.len()] {
            fs::write(folder.journal(), &whole[..cut]).expect("a journal");
            assert_eq!(folder.said(&args), all, "{format} cut at {cut}");
            assert!(fs::read(folder.journal()).expect("a journal") == whole, "{format} cut at {cut}");
            assert!(fs::read(&html).expect("a page") == page, "{format} cut at {cut}");
        }
        // More blocks go on, too.
        folder.write(&plan(n, format, 50, "", &bots));
        if format == "field" {
            assert_eq!(folder.json(&[])["blocks"], 50);
        }
    }
}

#[test]
fn hostile_programs_lose_their_own_games_and_are_named() {
    let folder = Folder::new("");
    for (name, script) in HOSTILE {
        team(&folder.0.0, name, script);
    }
    // It does not say hello.
    team(&folder.0.0, "mute", "echo goodbye; read -r welcome");
    let good = format!("stdio:{} bot 2 - --seed 3", folder.0.program());
    let tcp = format!("tcp:{} bot 3 {{port}} --seed 4", folder.0.program());
    let bots = [
        ("good", good.as_str()),
        ("tcp", &tcp),
        ("two", TWO[0].1),
        ("crash", "stdio:crash/bot"),
        ("flood", "stdio:flood/bot"),
        ("liar", "stdio:liar/bot"),
        ("mute", "stdio:./mute/bot"),
        ("one", "builtin:bot1"),
        ("three", TWO[1].1),
    ];
    // Patient: only what is wrong, not what is slow, is an error here.
    folder.write(&plan(3, "field", 3, "timeout = \"60s\"", &bots));
    let tables = folder.json(&[]);
    let errors = tables["tables"]["errors"].as_array().expect("errors");
    for (name, _) in bots {
        let program = row(&tables, "programs", name);
        let (seats, wins) = (number(program, "seats"), number(program, "wins %"));
        let own: Vec<_> = errors.iter().filter(|error| error["program"] == name).collect();
        assert_eq!(seats, 3.0);
        if ["good", "tcp", "two", "three", "one"].contains(&name) {
            assert!(own.is_empty(), "{own:?}");
            assert_eq!(program["median ms"].is_number(), ["good", "tcp"].contains(&name), "{program}");
        } else {
            // It may win no game, and may lose one before it is asked anything.
            assert_eq!(wins, 0.0, "{name}");
            assert!(!own.is_empty(), "{name}: {tables}");
        }
        for error in own {
            let said = format!("{error}");
            let expected = match name {
                "crash" => "killed by SIGSEGV; it printed: out of luck",
                "flood" => "M 999",
                "liar" if error["asked"] == "T" => "H 0 1 2",
                "liar" => "M 77",
                "mute" => "\"sent\":\"\\\"goodbye\\\"\"",
                _ => "",
            };
            assert!(said.contains(expected), "{said}");
        }
    }
    let journal = fs::read_to_string(folder.journal()).expect("a journal");
    assert!(journal.lines().next().is_some_and(|line| line.contains("\"unconfined\":[\"tcp\"]")));
}

/// A client that starts processes without end.
const BOMB: &str = "echo B bomb; for i in 1 2 3 4 5 6 7 8 9; do (while :; do sleep 99 & done) & done; wait";

/// A client that ends no lines: it accuses at once, and shows what it has.
const UNENDED: &str = "printf 'B unended'
while read -r letter a b c; do
  case $letter$a in
    T) printf 'A 0 3 6';;
    C) for card in $hand; do for other in $named; do if [ $card = $other ]; then show=$card; fi; done; done
       printf 'M %s' $show;;
    C*) hand=\"$a $b $c\";;
    H*) named=\"$a $b $c\";;
  esac
done";

#[test]
fn who_hangs_is_late_and_who_ends_no_lines_is_understood() {
    let folder = Folder::new("");
    team(&folder.0.0, "hang", "echo B hang; sleep 1000");
    team(&folder.0.0, "unended", UNENDED);
    team(&folder.0.0, "bomb", BOMB);
    // Bots of this program are never late, whatever the machine does.
    for name in ["hang", "bomb"] {
        let _ = fs::remove_file(folder.journal());
        folder.write(&plan(2, "versus", 1, "timeout = \"1s\"", &[(name, &format!("stdio:{name}/bot")), TWO[0]]));
        let tables = folder.json(&[]);
        let errors = tables["tables"]["errors"].as_array().expect("errors");
        assert_eq!(errors.len(), 2, "{tables}");
        for error in errors {
            assert_eq!(error["program"], name, "{error}");
            assert!(name == "bomb" || error["why"] == "no answer in 1000 ms", "{error}");
        }
        assert_eq!(number(row(&tables, "programs", "two"), "wins %"), 100.0, "{tables}");
    }
    fs::remove_file(folder.journal()).expect("a journal");
    folder.write(&plan(2, "versus", 1, "timeout = \"60s\"", &[("unended", "stdio:unended/bot"), TWO[0]]));
    let tables = folder.json(&[]);
    assert!(tables["tables"]["errors"].is_null(), "{tables}");
    assert!(row(&tables, "programs", "unended")["median ms"].is_number(), "{tables}");
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let folder = Folder::new(&plan(2, "versus", 3, "", &TWO));
    folder.said(&[]);
    folder.write(&plan(2, "versus", 3, "seed = 5", &TWO));
    assert!(folder.complaint(2).contains("the plan's seed is not that of the games played"));
    folder.write(&plan(2, "versus", 3, "", &TWO));
    let journal = fs::read_to_string(folder.journal()).expect("a journal");
    fs::write(folder.journal(), journal.replacen("\"block\":0", "\"block\":x", 1)).expect("a journal");
    assert!(folder.complaint(2).contains("line 2 is damaged"));
    fs::write(folder.journal(), journal.replacen("\"block\":0", "\"block\":1", 1)).expect("a journal");
    assert!(folder.complaint(2).contains("block 0 is missing"));
    fs::remove_file(folder.journal()).expect("a journal");
    let spy = team(&folder.0.0, ".", "read -r line");
    folder.write(&plan(2, "versus", 3, "", &[TWO[0], ("spy", &spy)]));
    assert!(folder.complaint(2).contains("put them into folders of their own"));
    folder.write(&plan(2, "versus", 3, "", &[TWO[0], ("gone", "stdio:teams/gone/bot")]));
    assert!(folder.complaint(2).contains("gone: "));
    fs::remove_file(folder.0.0.join("plan.toml")).expect("a plan");
    assert!(folder.complaint(2).contains("plan.toml: No such file"));
}

#[test]
fn ranks_make_the_same_table() {
    let folder = Folder::new(&plan(3, "field", 30, "", &[TWO[0], TWO[1], ("one", "builtin:bot1")]));
    let alone = folder.said(&[]);
    let journal = fs::read(folder.journal()).expect("a journal");
    for mpi in Mpi::installed() {
        fs::remove_file(folder.journal()).expect("a journal");
        let output = run(launch(mpi, 3, &["tournament", &folder.plan(), "--quiet"]), b"");
        assert_eq!(output.status.code(), Some(0), "{}: {output:?}", mpi.program);
        assert_eq!(String::from_utf8_lossy(&output.stdout), alone, "{}", mpi.program);
        assert!(fs::read(folder.journal()).expect("a journal") == journal, "{}", mpi.program);
    }
}
