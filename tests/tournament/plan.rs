use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use amazons::game::GameSettings;
use amazons::tournament::schedule::{Pair, Schedule};
use amazons::tournament::{Format, Openings, Plan, Records, SprtSettings, read_plan};
use amazons::values::Seconds;
use amazons_statistics::SprtModel;
use tempfile::TempDir;

use crate::support;

/// A folder with two players, and the content of a plan in it.
fn plan(text: &str) -> (TempDir, Result<Plan, String>) {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["random", "territory"] {
        fs::copy(support::player(name), folder.path().join(format!("{name}.so"))).expect("a player");
    }
    let path = folder.path().join("event.toml");
    fs::write(&path, text).expect("a plan");
    let plan =
        read_plan(&path).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""));
    (folder, plan)
}

const PLAYERS: &str = "[[players]]\nfile = \"random.so\"\n[[players]]\nname = \"T\"\nfile = \"territory.so\"\n";

#[test]
fn a_short_plan_has_defaults() {
    let (folder, plan) = plan(PLAYERS);
    let plan = plan.expect("a plan");
    assert_eq!(plan.names().collect::<Vec<_>>(), ["random", "T"]);
    assert_eq!(plan.format, Format::RoundRobin { pairs: 1 });
    assert_eq!((plan.boards.clone(), plan.openings.clone()), (vec!["c10".to_owned()], Openings::Random { plies: 4 }));
    assert_eq!((plan.seed, plan.records, &plan.game), (0, Records::All, &GameSettings::default()));
    assert_eq!(plan.players[0].file, folder.path().join("random.so"));
    assert_eq!(plan.players[0].sha256.as_ref().map(String::len), Some(64));
}

/// Every reader of JSON keeps numbers of 53 bits.
#[test]
fn games_have_seeds_of_53_bits() {
    let plan = plan(PLAYERS).1.expect("a plan");
    let seeds = (0..200).flat_map(|pair| [plan.seed_of(pair, 1), plan.seed_of(pair, 2)]).collect::<HashSet<_>>();
    assert_eq!(seeds.len(), 400);
    assert!(seeds.iter().all(|&seed| seed < 1 << 53));
}

#[test]
fn a_long_plan_says_everything() {
    let text = format!(
        "format = \"swiss\"\nrounds = 5\npairs = 2\nboards = [\"d9\", \"8-12\"]\nplies = 2\nseed = 7\nrecords = \"faulty\"\n\
         [game]\nmove-time = \"500ms\"\nthreads = 2\nfreeze = true\nmax-moves = 90\n{PLAYERS}"
    );
    let plan = plan(&text).1.expect("a plan");
    assert_eq!(plan.format, Format::Swiss { rounds: 5, pairs: 2 });
    assert_eq!((plan.seed, plan.records), (7, Records::Faulty));
    assert_eq!(plan.game.options(), ["--freeze", "--max-moves=90", "--move-time=500ms", "--threads=2"]);
    assert_eq!(plan.threads(), 2);
    let text = serde_json::to_string(&plan).expect("JSON");
    assert_eq!(serde_json::from_str::<Plan>(&text).expect("a plan"), plan, "a journal keeps it");
}

#[test]
fn a_test_has_settings() {
    let text = format!("sprt = {{ elo1 = 8, beta = 0.1, model = \"logistic\" }}\nmax-pairs = 900\n{PLAYERS}");
    let plan = plan(&text).1.expect("a plan");
    let test = SprtSettings { elo0: 0.0, elo1: 8.0, alpha: 0.05, beta: 0.1, model: SprtModel::Logistic };
    assert_eq!(plan.format, Format::Sprt { test, max_pairs: 900 });
    assert!(plan.sprt().is_some());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("pears = 3\n", "event.toml: line 1, column 1: unknown field `pears`"),
        ("pairs = 3\npairs = 4\n", "event.toml: line 2, column 1: duplicate key"),
        ("seed = 1\npairs = \"x\"\n", "event.toml: line 2, column 9: 'x' is not allowed: use a whole number from 1"),
        (
            "\nformat = \"swis\"\n",
            "event.toml: line 2, column 10: unknown variant `swis`, expected one of `round-robin`, `gauntlet`, `swiss`, `knockout`",
        ),
        (
            "[game]\nmax-moves = 9\nmove-time = \"x\"\n",
            "event.toml: line 3, column 13: 'x' is not allowed: use seconds",
        ),
        (
            "[game]\nmov-time = 1\n",
            "event.toml: line 2, column 1: unknown field `mov-time`, expected one of `max-moves`, `directions`, `move-time`",
        ),
        ("[game]\nplayers = 3\n", "event.toml: line 2, column 1: unknown field `players`"),
        ("[game]\nincrement = 1\n", "event.toml: game: missing --game-time"),
        ("pairs = 0\n", "event.toml: line 1, column 9: '0' is not allowed: use a whole number from 1"),
        ("rounds = 3\n", "event.toml: rounds: round-robin has no use for it: leave it out"),
        ("format = \"swiss\"\n", "event.toml: rounds: swiss needs them: --rounds 5"),
        ("format = \"gauntlet\"\nseeds = 2\n", "event.toml: seeds: 2 of 2 players leave no opponents"),
        ("boards = [\"x10\"]\n", "event.toml: boards: unknown board 'x10'"),
        ("boards = [\"c4\"]\n", "event.toml: boards: "),
        ("boards = [\"10x8\"]\n", "event.toml: boards: no player can move at the start on 10x8"),
        ("sprt = { elo0 = 5 }\n", "event.toml: sprt: elo0 must be less than elo1"),
        ("sprt = { elo2 = 5 }\n", "event.toml: line 1, column 10: unknown field `elo2`"),
        ("sprt = {}\nformat = \"swiss\"\n", "event.toml: sprt: a test has a format of its own"),
        ("openings = \"none.txt\"\n", "event.toml: cannot read none.txt"),
        (
            "[[players]]\nname = \"T\"\nfile = \"random.so\"\n",
            "event.toml: two players are called 'T': give each a name of its own",
        ),
        ("[[players]]\nname = \"a b\"\nfile = \"random.so\"\n", "event.toml: invalid player name 'a b'"),
        ("[[players]]\nname = \"U\"\n", "event.toml: players: player 1 has no file: name a library or a command"),
        ("[[players]]\nfile = \"none.so\"\n", "event.toml: cannot read none.so"),
        ("[[players]]\nfile = \"event.toml\"\n", "event.toml: event.toml is not a shared library: invalid ELF header"),
        ("[[players]]\nfile = \"human\"\n", "event.toml: human: a person cannot play in a tournament"),
    ];
    for (text, expected) in cases {
        let found = plan(&format!("{text}{PLAYERS}")).1.expect_err(text);
        assert!(found.starts_with(expected), "{text}: {found}");
        assert!(!found.contains('\n'), "{found}");
    }
    let alone = plan("[[players]]\nfile = \"random.so\"\n").1.expect_err("one player");
    assert_eq!(alone, "event.toml: an event cannot have 1 players: name 2 to 1000");
}

#[test]
fn openings_of_a_file_are_positions_on_one_board() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["random", "territory"] {
        fs::copy(support::player(name), folder.path().join(format!("{name}.so"))).expect("a player");
    }
    let positions =
        "# two positions\n3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w\n\n 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3QQ5 b\n";
    fs::write(folder.path().join("book.txt"), positions).expect("a book");
    let read = |text: &str| {
        fs::write(folder.path().join("event.toml"), format!("{text}{PLAYERS}")).expect("a plan");
        read_plan(&folder.path().join("event.toml")).map_err(|error| error.to_string())
    };
    let plan = read("openings = \"book.txt\"\npairs = 3\n").expect("a plan");
    let mut schedule = Schedule::default();
    schedule.advance(&plan.format, 2, plan.boards.len().max(1), |_| 0);
    let texts: Vec<String> =
        schedule.pairs().iter().map(|pair| plan.opening(pair).expect("a position").to_string()).collect();
    assert_eq!(texts[0], texts[2], "a short book begins anew");
    assert!(texts[1].starts_with("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3QQ5 b"), "{}", texts[1]);
    fs::write(folder.path().join("book.txt"), "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w\nxx w\n").expect("a book");
    let found = read("openings = \"book.txt\"\n").expect_err("a bad line");
    assert!(found.contains("book.txt: line 2: "), "{found}");
    let two = read("openings = \"book.txt\"\nplies = 3\n").expect_err("two kinds");
    assert!(two.ends_with("plies: --openings has openings already"), "{two}");
}

fn pair(number: u32, board: usize, opening: u32) -> Pair {
    Pair { number, stage: 1, players: [0, 1], board, opening }
}

#[test]
fn openings_are_read_whole_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["random", "territory"] {
        fs::copy(support::player(name), folder.path().join(format!("{name}.so"))).expect("a player");
    }
    let path = folder.path().join("event.toml");
    // A byte order mark and CRLF, in the plan and in the positions.
    let text = format!("\u{feff}openings = \"book.txt\"\n{PLAYERS}").replace('\n', "\r\n");
    fs::write(&path, text).expect("a plan");
    let read = |book: String| {
        fs::write(folder.path().join("book.txt"), book).expect("a file");
        read_plan(&path).map_err(|error| error.to_string())
    };
    let one = "1q1q1/5/5/5/1Q1Q1 b";
    let plan = read(format!("\u{feff}{one}\r\n# a note\r\n{one}\r\n")).expect("a plan");
    assert_eq!(plan.openings, Openings::Listed(vec![one.to_owned(); 2]));
    let note = "#".repeat(99) + "\n";
    let long = read(format!("{one}\n{}{one}\n", note.repeat((32 << 20) / note.len()))).expect_err("too long");
    assert!(long.ends_with("book.txt: it has more than 32 MiB"), "{long}");
}

#[test]
fn random_openings_follow_from_the_seed_board_and_number_only() {
    let text = format!("boards = [\"c6\", \"d8\"]\nplies = 3\nseed = 5\n{PLAYERS}");
    let mut plan = plan(&text).1.expect("a plan");
    let text_of = |plan: &Plan, pair: &Pair| plan.opening(pair).expect("an opening").to_string();
    let first = text_of(&plan, &pair(1, 0, 0));
    assert_eq!(first.matches('*').count(), 3, "{first}");
    assert_eq!(text_of(&plan, &pair(9, 0, 0)), first, "the number of the pair does not matter");
    assert_ne!(text_of(&plan, &pair(1, 0, 1)), first);
    assert_ne!(text_of(&plan, &pair(1, 1, 0)), first);
    plan.seed = 6;
    assert_ne!(text_of(&plan, &pair(1, 0, 0)), first);
    plan.openings = Openings::Random { plies: 60 };
    let error = plan.opening(&pair(1, 0, 0)).expect_err("too many plies").to_string();
    assert_eq!(error, "plies: after 60 random plies on c6 the game is over: use fewer");
}

#[test]
fn each_game_has_a_seed_of_its_own() {
    let plan = super::journal::plan();
    let seeds: std::collections::BTreeSet<u64> =
        (1..=500).flat_map(|pair| [1, 2].map(|game| plan.seed_of(pair, game))).collect();
    assert_eq!(seeds.len(), 1000);
}

#[test]
fn differences_of_plans_are_told() {
    let old = super::journal::plan();
    assert_eq!(old.differences(&old), Vec::<String>::new());
    let mut new = old.clone();
    new.seed = 2;
    new.openings = Openings::Random { plies: 2 };
    new.game.move_time = Some(Seconds(Duration::from_secs(1)));
    new.players[1].name = "c".to_owned();
    assert_eq!(
        old.differences(&new),
        [
            "player b is not in the plan any more",
            "player c is new",
            "move-time: not set before, 1000ms now",
            "openings: 4 random plies before, 2 random plies now",
            "seed: 1 before, 2 now",
        ]
    );
    let mut new = old.clone();
    new.players.swap(0, 1);
    assert_eq!(old.differences(&new), ["the players stand in another order"]);
    let (mut old, mut new) = (old.clone(), old);
    old.players[0].sha256 = Some("0123456789abcdef".to_owned());
    new.players[0].sha256 = Some("fedcba9876543210".to_owned());
    assert_eq!(old.differences(&new), ["player a has changed: bridge:a was 01234567, is fedcba98"]);
    // A file that was moved is the same file.
    new.players[0] = amazons::tournament::Entrant { file: Path::new("/elsewhere").into(), ..old.players[0].clone() };
    assert_eq!(old.differences(&new), Vec::<String>::new());
}
