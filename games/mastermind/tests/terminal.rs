//! The program as a person uses it: both roles, records, and what is said about mistakes.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use amazons_launchers::Mpi;
use amazons_testing::{output_of, skip, status_of};

const PROGRAM: &str = env!("CARGO_BIN_EXE_mastermind");

fn run(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    // A program that reads nothing may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    output_of(child)
}

/// The output of a run that succeeds.
fn said(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The one line about what is wrong.
fn complaint(args: &[&str]) -> String {
    let output = run(args, "");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{args:?}: {text}");
    text.trim_end().to_owned()
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn path(file: &Path) -> &str {
    file.to_str().expect("a plain name")
}

#[test]
fn a_person_finds_the_secret() {
    let record = file("person.jsonl");
    let args = ["--game", "4x10n", "--seed", "5", "--hints", "--record", path(&record)];
    let secret = said(&args, "give up\n").split("the secret ").nth(1).expect("it is told")[..4].to_owned();
    let game = said(&args, &format!("help\nleft\nscore 0123\n0123\nundo\n00\n0012\n{secret}\n"));
    for part in [
        "score CODE",
        "5040 codes fit\n",
        "14 answers, at most 1440 codes left",
        "0123 is taken back",
        "\"00\" has 2 pegs",
        "\"0012\" repeats colour 0",
        "40 (4 black, 0 white)  1 left",
        "found with 1 guess",
        "before  after  on average",
    ] {
        assert!(game.contains(part), "{part} is missing: {game}");
    }
    let shown = said(&["show", path(&record)], "");
    assert!(shown.contains(&format!("{secret}  40  1 left")), "{shown}");
    // End of input ends the game.
    assert!(said(&args, "0123").contains("was not found"));
    let last = said(&["--max-guesses", "1", "--seed", "1"], "1122\n");
    assert!(last.contains("that was the last guess"), "{last}");
}

#[test]
fn a_game_is_recorded_while_it_is_played() {
    for command in ["make", "break"] {
        let record = file(&format!("{command}-live.jsonl"));
        let mut child = Command::new(PROGRAM)
            .args([command, "--game", "4x6r", "--seed", "3", "--record", path(&record)])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("it runs");
        let mut input = child.stdin.take().expect("a pipe");
        let lines = || fs::read_to_string(&record).unwrap_or_default().lines().count();
        for (text, wanted) in [("", 1), (if command == "make" { "1122\n" } else { "11\n" }, 2), ("undo\n", 1)] {
            input.write_all(text.as_bytes()).expect("it reads");
            amazons_testing::wait_until(format!("{command}: {wanted} lines"), || lines() == wanted);
        }
        drop(input);
        assert!(status_of(&mut child).success());
        assert_eq!(lines(), 2, "the end is there");
    }
}

#[test]
fn a_slip_at_the_keyboard_ends_no_game() {
    let mut command = Command::new(PROGRAM);
    command.args(["make", "--seed", "1"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child.stdin.take().expect("a pipe").write_all(b"1122\n\xff\xfe\n1123\nquit\n").expect("it reads");
    let output = output_of(child);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("guess 3> "), "{output:?}");
    let long = run(&["make"], &"1".repeat(5000));
    assert_eq!(long.status.code(), Some(2), "{long:?}");
}

#[test]
fn answers_as_people_write_them() {
    for text in ["1, 1", "1 1", "1-1", "1/1", "BW", "1B1W", "1A1B", "\u{feff}11\r"] {
        let game = said(&["break"], &format!("{text}\nquit\n"));
        assert!(game.contains("go on with: mastermind next --game 4x6r '1234:11'\n"), "{text}: {game}");
        let corrected = said(&["break"], &format!("00\n1: {}\nquit\n", text.trim_start_matches('\u{feff}')));
        assert!(corrected.contains("'1234:11'"), "{text}: {corrected}");
    }
    // The way on that a game that ends tells of: the guesses are not lost.
    let next = said(&["next", "--game", "4x6r", "1234:11"], "");
    assert!(next.starts_with("252 codes left") && next.contains("entropy   1356\n"), "{next}");
    // A guess of one's own, one that cannot be the secret, and the way back.
    let game = said(&["break", "--game", "4x10n"], "1111: 0\nleft\nback\nleft\nexit\n");
    let left = ["3024 codes fit\n", "5040 codes fit\n"].map(|text| game.find(text));
    assert!(left[0].is_some() && left[0] < left[1], "{game}");
    let shared = said(&["break", "--game", "4x10n", "-j", "2"], "1111: 0\n4567: 0\nleft\nquit\n");
    assert!(shared.contains("guess 3: ") && shared.contains("120 codes fit\n"), "{shared}");
    let record = file("own.jsonl");
    said(&["break", "--game", "4x10n", "--record", path(&record)], "1111: 1\n1111: 10\n11\nquit\n");
    let shown = said(&["show", path(&record)], "");
    assert!(shown.contains("1111  10  2016 left"), "{shown}");
    let lost = said(&["make", "--seed", "1"], "1122\nback\nback\nexit\n");
    assert!(lost.contains("1122 is taken back") && lost.contains("no guess can be taken back"), "{lost}");
}

#[test]
fn a_printed_seed_repeats_a_game() {
    let first = said(&["auto", "--protocol", "seed", "--random", "--game", "4x10n"], "");
    let seed = first.lines().next().and_then(|line| line.split("--seed ").nth(1)).expect("a seed").to_owned();
    let again = said(&["auto", "--protocol", "seed", "--random", "--game", "4x10n", "--seed", &seed], "");
    // The order of arrival is that of the moment.
    let guesses =
        |text: &str| text.lines().map(|line| line.split("(proposed").next().map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(guesses(&again), guesses(&first));
}

#[test]
fn a_corrected_answer_may_end_the_game() {
    // Guess 2 gets what it would get from guess 1.
    let asked = said(&["break"], "11\n");
    let guess = |number: u32| {
        let line = asked.lines().find_map(|line| line.split_once(&format!("guess {number}: "))).expect("a guess");
        line.1.split_whitespace().next().expect("a code").to_owned()
    };
    let game = said(&["break"], &format!("11\n{}\n1: 40\n", answer(&guess(2), &guess(1))));
    assert!(game.contains(&format!("the secret {} was found with 1 guess\n", guess(1))), "{game}");
}

#[test]
fn an_evil_code_maker_keeps_most_codes() {
    let game = said(&["make", "--evil", "--hints"], "1122\nhint\nquit\n");
    assert!(game.contains("256 left") && game.contains("entropy guesses"), "{game}");
}

#[test]
fn the_computer_finds_the_secret_of_a_person() {
    let record = file("break.jsonl");
    let args = ["break", "--strategy", "parts", "--record", path(&record)];
    // 1123 gets 20 for 1242; the third answer is wrong, and is corrected.
    let mut script = String::new();
    for _ in 0..9 {
        let game = said(&args, &script);
        let guess =
            game.lines().rev().find_map(|line| line.split_once(": ").filter(|(head, _)| head.contains("guess ")));
        let guess = guess.expect("a guess").1.trim().to_owned();
        let code = guess.split_whitespace().next().expect("a code");
        script += &answer(code, "1242");
        script += "\n";
        if code == "1242" {
            break;
        }
    }
    let game = said(&args, &script);
    assert!(game.contains("the secret 1242 was found with"), "{game}");
    assert!(said(&["replay", path(&record)], "").contains("can be played again"));
    let wrong = said(&["break"], "00\n00\n04\n1: 31\nundo\nquit\n");
    assert!(wrong.contains("no code fits: the answer to guess"), "{wrong}");
    assert!(wrong.contains("an answer of 3 black and 1 white is impossible"), "{wrong}");
    let corrected = said(&["break"], "00\n00\n1: 11\nquit\n");
    assert!(corrected.matches("guess 2: ").count() + corrected.matches("guess 3: ").count() >= 1, "{corrected}");
    for bad in ["5", "-1", "32"] {
        let game = said(&["break"], &format!("{bad}\n"));
        assert!(game.contains("unknown answer") || game.contains("is impossible"), "{bad}: {game}");
    }
}

/// The answer to a guess of four pegs.
fn answer(guess: &str, secret: &str) -> String {
    let black = guess.chars().zip(secret.chars()).filter(|(one, other)| one == other).count();
    let count = |text: &str, colour| text.chars().filter(|&one| one == colour).count();
    let common: usize = ('1'..='6').map(|colour| count(guess, colour).min(count(secret, colour))).sum();
    format!("{black}{}", common - black)
}

#[test]
fn every_protocol_finds_the_secret() {
    for protocol in ["shared", "first-come", "seed"] {
        let (record, page) = (file(&format!("{protocol}.jsonl")), file(&format!("{protocol}.html")));
        let args = ["auto", "--protocol", protocol, "--game", "4x10n", "--secret", "4710", "--record", path(&record)];
        let game = said(&[&args[..], &["--html", path(&page)]].concat(), "");
        assert!(game.contains("secret 4710 found with"), "{game}");
        assert!(!game.contains("\nsecret 4710\n"), "it is not told before: {game}");
        assert!(said(&["replay", path(&record)], "").contains("secret 4710"));
        // As some editors write it.
        let (text, edited) = (fs::read_to_string(&record).expect("a record"), file("edited.jsonl"));
        fs::write(&edited, format!("\u{feff}{}", text.replace('\n', "\r\n"))).expect("written");
        assert!(said(&["replay", path(&edited)], "").contains("secret 4710"));
        let page = fs::read_to_string(&page).expect("a page");
        assert!(page.contains("<svg") && !page.contains("http") && !page.contains("<script"));
    }
}

/// What was changed in a record of `seed` is named.
#[test]
fn a_replay_searches_for_the_players_of_seed() {
    let (record, changed) = (file("seed-replay.jsonl"), file("seed-changed.jsonl"));
    for random in [&[][..], &["--random", "--seed", "7"]] {
        let game = ["auto", "--protocol", "seed", "--game", "4x10n", "--players", "4", "--secret", "6071", "--record"];
        said(&[&game[..], &[path(&record)], random].concat(), "");
        assert!(said(&["replay", path(&record)], "").contains("can be played again"), "{random:?}");
    }
    said(&["auto", "--protocol", "seed", "--game", "4x10n", "--secret", "6071", "--record", path(&record)], "");
    let text = fs::read_to_string(&record).expect("a record");
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        fs::write(&changed, text.replacen(from, to, 1)).expect("written");
        complaint(&["replay", path(&changed)])
    };
    // The first round: 0123 of rank 1, 1023 of rank 2, 2013 of rank 3, in any order.
    let tests = with("\"rank\":2,\"code\":\"1023\",\"tests\":0", "\"rank\":2,\"code\":\"1023\",\"tests\":1");
    assert!(tests.contains("guess 1: rank 2 finds 1023 with 0 tests, which is not what it reported"), "{tests}");
    let other = with("\"rank\":2,\"code\":\"1023\"", "\"rank\":2,\"code\":\"1024\"");
    assert!(other.contains("guess 1: rank 2 finds 1023 with 0 tests"), "{other}");
    let twice = with("\"rank\":2,", "\"rank\":1,");
    assert!(twice.contains("guess 1: rank 2 has not reported"), "{twice}");
    let stranger = with("\"rank\":2,", "\"rank\":4,");
    assert!(stranger.contains("guess 1: rank 4 of 4 proposes nothing"), "{stranger}");
    let few = with("\"ranks\":4", "\"ranks\":5000000000");
    assert!(few.contains("guess 1: not every player has reported"), "{few}");
    // With a rank that is lost, the others have its codes, and only the rules can be checked.
    fs::write(&changed, text.replacen(",\"seconds\"", ",\"lost\":[3],\"seconds\"", 1)).expect("written");
    let lost = complaint(&["replay", path(&changed)]);
    assert!(lost.contains("guess 2: rank 3 of 4 proposes nothing"), "{lost}");
    // Another pick: the game of rank 2's code, whose answer is another.
    let head = text.lines().next().expect("a head");
    let reports = (1..=3).zip(["0123", "1023", "2013"]);
    let reports = reports.map(|(rank, code)| format!("{{\"rank\":{rank},\"code\":\"{code}\",\"tests\":0}}"));
    let reports: Vec<String> = reports.collect();
    let round = |guess, proposals: &[String]| {
        let all = proposals.join(",");
        format!(
            "{{\"kind\":\"round\",\"guess\":\"{guess}\",\"answer\":\"01\",\"left\":1440,\"proposals\":[{all}],\"seconds\":0}}"
        )
    };
    let replayed = |head: &str, round: String| {
        fs::write(&changed, format!("{head}\n{round}\n")).expect("written");
        let output = run(&["replay", path(&changed)], "");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(!replayed(head, round("0123", &reports)).contains("guess"), "the lowest rank");
    let second = replayed(head, round("1023", &reports));
    assert!(second.contains("guess 1: 1023 is not the pick of the master"), "{second}");
    // In first-come, whatever fits is evaluated at once.
    let first_come = head.replace("\"seed\",\"ranks\"", "\"first-come\",\"ranks\"");
    assert_ne!(head, first_come);
    let late = replayed(&first_come, round("1023", &reports[..2]));
    assert!(late.contains("guess 1: 0123 of rank 1 came before and fits"), "{late}");
    let none = replayed(&first_come, round("0123", &[]));
    assert!(none.contains("guess 1: 0123 was not proposed"), "{none}");
}

/// The rounds of a record, without times.
fn rounds(text: &str) -> Vec<String> {
    let rounds = text.lines().filter(|line| line.contains("\"round\""));
    rounds.map(|line| line.split(",\"seconds\"").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn mpi_plays_the_game_of_one_process() {
    let args = ["auto", "--json", "--game", "4x10n", "--secret", "9876"];
    let alone = said(&[&args[..], &["-j", "1"]].concat(), "");
    assert!(rounds(&alone).len() > 2, "{alone}");
    for mpi in Mpi::installed() {
        let launcher = mpi.program;
        let launch = |ranks, args: &[&str]| {
            let output = mpi.launch(ranks).arg(PROGRAM).args(args).output();
            let output = output.expect("it runs");
            assert!(output.status.success(), "{launcher}: {output:?}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        assert_eq!(rounds(&launch(3, &args)), rounds(&alone), "{launcher}");
        for protocol in ["first-come", "seed"] {
            let game = launch(4, &["auto", "--protocol", protocol, "--game", "4x10n", "--secret", "4710", "--json"]);
            let end = "{\"kind\":\"end\",\"secret\":\"4710\",\"is_solved\":true}";
            assert!(game.contains(end), "{launcher} {protocol}: {game}");
        }
    }
}

#[test]
fn what_is_left_and_next() {
    let next = said(&["next", "--game", "4x10n", "0123:11 4056:02"], "");
    let expected = "180 codes left: 0247 to 9620\nfirst     0247\nminimax   0417\nexpected  0571\n\
                    entropy   0571\nparts     0247\n";
    assert_eq!(next, expected);
    let json = said(&["next", "1122:20 1344:11 1525:12", "--json", "--list"], "");
    assert!(json.contains("\"codes\":[\"1452\",\"5124\"]"), "{json}");
}

#[test]
fn mistakes_are_explained_in_one_line() {
    let torn = file("torn.jsonl");
    fs::write(&torn, "{\"kind\":\"game\",\"game\":\"4x6r\",\"strategy\":\"parts\",\"prot").expect("written");
    let lie = file("lie.jsonl");
    let head =
        "{\"kind\":\"game\",\"game\":\"4x6r\",\"strategy\":\"parts\",\"protocol\":null,\"ranks\":1,\"seed\":null}";
    let round = "{\"kind\":\"round\",\"guess\":\"1123\",\"answer\":\"20\",\"left\":9,\"seconds\":0.1}";
    fs::write(&lie, format!("{head}\n{round}\n")).expect("written");
    let other = file("other.jsonl");
    fs::write(&other, "{\"line\":\"game\",\"game\":\"connect4\"}\n").expect("written");
    for (args, part) in [
        (&["show", path(&other)][..], "other.jsonl, line 1: not a line of a record: missing field `kind`"),
        (&["--game", "4x"], "unknown game \"4x\""),
        (&["--game", "5x4n"], "5x4n has no code"),
        (&["--game", "10x16r"], "at most 100000000"),
        (&["auto", "--secret", "123"], "--secret: \"123\" has 3 pegs"),
        (&["auto", "--secret", "1277"], "colours of 4x6r are 1 to 6"),
        (&["auto", "--game", "4x10n", "--secret", "1123"], "repeats colour 1"),
        (&["auto", "--players", "0"], "--players"),
        (&["auto", "--players", "2"], "--players is for the protocols first-come and seed"),
        (&["auto", "--random"], "--random is for the protocols first-come and seed"),
        (&["auto", "-j", "1025"], "a number of threads is 1 to 1024"),
        (&["table", "-j", "0"], "a number of threads is 1 to 1024"),
        (
            &["make", "--record", "/no/such/file"],
            "cannot write /no/such/file: there is no folder /no/such: make it first",
        ),
        (
            &["break", "--html", "/no/such/file"],
            "cannot write /no/such/file: there is no folder /no/such: make it first",
        ),
        (&["auto", "--game", "7x8r", "--strategy", "first", "--html", "x"], "--html handles at most 100000"),
        (&["show", "/dev/zero"], "it has more than 64 MiB"),
        (&["next", "--game", "3x5r", "225:01 221:10 442:00 242:11"], "contradicts guess 3"),
        (&["auto", "--protocol", "gossip"], "one of shared, first-come, seed"),
        (&["auto", "--game", "7x10r"], "use --strategy first"),
        (&["next", "1122:31"], "impossible"),
        (&["next", "1122:5"], "unknown answer"),
        (&["next", "1122:-1"], "unknown answer"),
        (&["next", "1122:32"], "only 4 pegs"),
        (&["next", "1122:40 1344:40"], "contradicts guess 1"),
        (&["next", "1122"], "has no answer"),
        (&["show", "/nowhere"], "/nowhere: No such file"),
        (&["show", path(&torn)], "line 1: the line is torn"),
        (&["replay", path(&lie)], "line 2: 9 codes are said to be left"),
        (
            &["bench", "--game", "2x4r", "--svg", path(&torn)],
            "torn.jsonl: File exists (os error 17): name another file",
        ),
        (&["make", "--record", "/tmp"], "cannot write /tmp: it is a folder: name a file in it"),
        (&["bench", "--players", "0"], "numbers of players from 1"),
        (&["bench", "--games", "none"], "write all or a number"),
        (&["bench", "--scoring", "5x5r", "--players", "1000"], "--force times them"),
    ] {
        let line = complaint(args);
        assert!(line.starts_with("mastermind: ") && line.contains(part), "{args:?}: {line}");
    }
}

#[test]
fn bench_counts_the_games_of_the_report() {
    let csv = said(&["bench", "--players", "2", "--csv"], "");
    let rows: Vec<_> = csv.lines().collect();
    assert!(rows[1].starts_with("seed,2,5040,27639,18020663,21530312,55278,110556,"), "{csv}");
    assert!(rows[1].ends_with(",6026,2990,0.865"), "{csv}");
    assert!(rows[2].starts_with("first-come,2,5040,27769,7782276,") && rows[2].ends_with(",0,2.002"), "{csv}");
    assert!(rows[3].ends_with(",1.981"), "{csv}");
}

#[test]
fn bench_draws_what_it_counts() {
    let json = said(&["bench", "--players", "3", "--games", "20", "--json", "--svg", path(&file("plots"))], "");
    assert!(json.contains("\"machine\"") && json.contains("\"players\":3"), "{json}");
    assert!(fs::read_to_string(file("plots").join("protocols-4x10n.svg")).is_ok_and(|plot| plot.contains("<polyline")));
}

#[test]
fn bench_times_scoring_and_proofs() {
    let scoring = said(&["bench", "--scoring", "4x5r", "--players", "1,2", "--force", "--repeat", "1"], "");
    assert!(scoring.contains("390625 pairs") && scoring.lines().count() >= 5, "{scoring}");
    let optimum = said(&["bench", "--optimum", "3x4r", "--players", "1", "--repeat", "1"], "");
    assert!(optimum.contains("3x4r: proof of the optimum"), "{optimum}");
}

/// The script of the helper's page chooses as the program does.
#[test]
fn the_helper_asks_what_the_program_asks() {
    let page = file("helper.html");
    assert!(said(&["helper", "--game", "4x10n", path(&page)], "").contains("open it in a browser"));
    let text = fs::read_to_string(&page).expect("a page");
    for part in ["<html lang=\"en\">", "aria-live", "role=\"alert\"", "\"first\":\"0123\"", "width=device-width"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("http") && !text.contains("src="), "it needs nothing else");
    assert!(complaint(&["helper", "--game", "6x9r", path(&page)]).contains("at most 50000"));
    if Command::new("node").arg("--version").output().is_err() {
        return skip("node is not installed (Debian: apt-get install nodejs)");
    }
    let script = concat!(
        include_str!("../src/bin/mastermind/solver.js"),
        "const of = (word, first) => [...word].map((name) => Number(name) - first);\n",
        "for (const game of JSON.parse(process.argv[1])) {\n",
        "const codes = allCodes(4, game.colours, game.first === 1);\n",
        "const turns = game.turns.map(([word, b, w]) => ({code: of(word, game.first), answer: b * 16 + b + w}));\n",
        "const left = fitting(codes, turns), next = nextGuess(codes, left);\n",
        "console.log(left.length, next.map((colour) => colour + game.first).join(\"\"));\n}\n",
    );
    let games = r#"[{"colours":10,"first":0,"turns":[["0123",1,1],["4056",0,2]]},
        {"colours":10,"first":0,"turns":[["0123",0,2],["1456",1,1]]},
        {"colours":10,"first":0,"turns":[["0123",0,0]]},
        {"colours":6,"first":1,"turns":[["1122",1,0]]},
        {"colours":6,"first":1,"turns":[["1122",0,2],["3341",1,1]]},
        {"colours":6,"first":1,"turns":[["1122",2,0],["1344",1,1],["1525",1,2]]}]"#;
    let output = Command::new("node").args(["-e", script, games]).output().expect("node runs");
    let expected = "180 0571\n180 1274\n360 4567\n256 1345\n18 2531\n2 1452\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{output:?}");
}
