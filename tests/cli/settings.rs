//! The settings of a game are the same on the command line, in a plan and in a journal.

use std::collections::HashSet;
use std::ffi::OsString;
use std::iter::once;

use amazons::cli::Cli;
use amazons::game::{GameConfig, GameSettings};
use clap::{CommandFactory, Parser};
use proptest::prelude::*;
use serde_json::Value;

fn typed(options: &[String]) -> GameSettings {
    let words = ["server", "a", "b"].into_iter().map(str::to_owned).chain(options.iter().cloned());
    Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{options:?}: {error}")).play.game.settings
}

/// A journal's table with the same settings.
fn table_of(settings: &GameSettings) -> Value {
    settings.serialize_table(serde_json::value::Serializer).expect("a table")
}

/// A file's table with the same settings.
fn toml_of(settings: &GameSettings) -> String {
    let table = table_of(settings);
    let lines = table.as_object().into_iter().flatten().map(|(name, value)| format!("{name} = {value}\n"));
    lines.collect()
}

/// Every reader of JSON keeps numbers of 53 bits.
#[test]
fn a_seed_that_nobody_named_has_53_bits() {
    let args = Cli::try_parse_from(["server", "web", "web"]).expect("arguments").play.game;
    let seeds = (0..50).map(|_| GameConfig::new(&args).expect("a game").seed).collect::<HashSet<_>>();
    assert!(seeds.len() > 1 && seeds.iter().all(|&seed| seed < 1 << 53), "{seeds:?}");
}

fn options() -> impl Strategy<Value = Vec<String>> {
    let time = |name: &'static str, least: u32| {
        let typed = (least..100_000).prop_map(move |ms| vec![format!("--{name}={ms}ms")]);
        prop_oneof![Just(Vec::new()), typed]
    };
    let one_of = |words: &'static [&'static str]| {
        let words: Vec<&str> = words.to_vec();
        proptest::sample::select(words).prop_map(|word| word.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    let game_time = prop_oneof![
        Just(Vec::new()),
        (1..100u32, 0..5000u32)
            .prop_map(|(bank, ms)| vec![format!("--game-time={bank}"), format!("--increment={ms}ms")])
    ];
    let times = (time("move-time", 1), time("init-time", 1), time("load-time", 1), time("finalize-time", 1), game_time);
    let words = (
        one_of(&["", "--clock=cpu", "--clock=wall"]),
        one_of(&["", "--freeze"]),
        one_of(&["", "--threads=1", "--threads=1024"]),
        one_of(&["", "--memory=16M", "--memory=1T", "--memory=123456789"]),
        one_of(&["", "--log-limit=1M", "--log-limit=1K"]),
        one_of(&["", "--sandbox=auto", "--sandbox=strict", "--sandbox=off"]),
        one_of(&["", "--directions=ring", "--directions=subject", "--directions=subject,ring"]),
        one_of(&["", "--allow-read=/a,b", "--allow-read=/a --allow-read=b"]),
        one_of(&[
            "",
            "--max-moves=1",
            "--max-moves=4294967295 --adjudicate",
            "--resign=51 --adjudicate",
            "--resign=100",
        ]),
    );
    (times, words)
        .prop_map(|((a, b, c, d, e), (f, g, h, i, j, k, l, m, n))| [a, b, c, d, e, f, g, h, i, j, k, l, m, n].concat())
}

proptest! {
    #[test]
    fn settings_survive_every_form(options in options()) {
        let settings = typed(&options);
        prop_assert_eq!(&typed(&settings.options()), &settings);
        prop_assert_eq!(&serde_json::from_value::<GameSettings>(table_of(&settings)).expect("a table"), &settings);
        let text = toml_of(&settings);
        prop_assert_eq!(&toml::from_str::<GameSettings>(&text).expect(&text), &settings);
    }
}

#[test]
fn no_options_are_the_default() {
    assert_eq!(typed(&[]), GameSettings::default());
    assert_eq!(GameSettings::default().options(), Vec::<String>::new());
}

#[test]
fn a_file_may_have_numbers_texts_and_lists() {
    let text = "move-time = 1\ninit-time = 0.5\nthreads = \"2\"\nmemory = \"1G\"\nlog-limit = 2048\nmax-moves = 9\n\
        directions = \"ring,subject\"\nallow-read = \"/a,b\"\nfreeze = true\n";
    let words = "--move-time=1 --init-time=0.5 --threads=2 --memory=1G --log-limit=2048 --max-moves=9 \
        --directions=ring,subject --allow-read=/a,b --freeze";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    assert_eq!(toml::from_str::<GameSettings>(text).expect("settings"), typed(&words));
    let lists = "directions = [\"ring\", \"subject\"]\nallow-read = [\"/a,b\"]\n";
    let settings = toml::from_str::<GameSettings>(lists).expect("settings");
    assert_eq!(settings.options(), ["--allow-read=/a,b", "--directions=ring", "--directions=subject"]);
    for (text, expected) in [
        ("threads = 0", "'0' is not allowed: use a whole number from 1 to 1024"),
        ("memory = \"1K\"", "'1K' is not allowed: use bytes, or a number with K, M, G or T, from 16M to 1024T"),
        ("log-limit = 1", "'1' is not allowed: use bytes, or a number with K, M, G or T, from 1K to 1024T"),
        ("move-time = true", "a text or a number is expected"),
        ("allow-read = 3", "a text or a list of texts is expected"),
        ("directions = \"sideways\"", "unknown variant `sideways`, expected `ring` or `subject`"),
        ("clock = \"sun\"", "unknown variant `sun`, expected `cpu` or `wall`"),
        ("sandbox = \"none\"", "unknown variant `none`, expected one of `strict`, `auto`, `off`"),
    ] {
        let error = toml::from_str::<GameSettings>(text).expect_err(text);
        assert_eq!(error.message(), expected);
    }
}

#[test]
fn commands_without_an_event_refuse_its_settings() {
    for command in ["check", "engine"] {
        let ran = super::server([command, "a.so", "--max-moves", "3"]);
        let expected = "server: --max-moves: '3' is not allowed: it is for single games and events\n";
        assert_eq!((ran.status, ran.err.as_str()), (2, expected));
        let ran = super::server([command, "a.so", "--directions", "ring,subject"]);
        assert_eq!(ran.status, 2);
        assert!(
            ran.err.starts_with("server: --directions: 'ring,subject' is not allowed: use ring, subject"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_game_describes_no_other_command() {
    let mut command = Cli::command();
    let described = |command: &clap::Command| {
        let count = |name: &str| command.find_subcommand(name).expect(name).get_arguments().count();
        ["show", "convert", "watch", "tournament", "ladder", "check", "solve", "analyze", "engine"].map(count)
    };
    assert_eq!(described(&command), [0; 9]);
    command.build();
    assert!(described(&command).into_iter().all(|count| count > 2));
}

#[test]
fn a_game_is_parsed_quickly_and_alike() {
    let lines = [
        "a.so b.so",
        "-m 8 -t d -q a.so b.so --seed 3",
        "./human web --watch=stay --port 8000",
        "human champion:3",
        "-q replay game.jsonl",
        "a.so -q b.so",
        "replay game.jsonl --quiet",
        "perft -m 5 -d 2",
        // Not valid, or help.
        "a.so",
        "a.so b.so c.so",
        "a.so b.so replay",
        "-m 4 a.so b.so",
        "-q --boards ends a.so b.so",
        "--nonsense a.so b.so",
        "--help",
        "a.so b.so -h",
        "-q --version",
        "-q",
        "",
    ];
    for line in lines {
        let words: Vec<OsString> = once("server").chain(line.split_ascii_whitespace()).map(OsString::from).collect();
        let shown = |parsed: Result<Cli, clap::Error>| match parsed {
            Ok(cli) => format!("{cli:?}"),
            Err(error) => format!("{:?}: {error}", error.kind()),
        };
        assert_eq!(shown(Cli::parse_quickly(&words)), shown(Cli::try_parse_from(&words)), "{line}");
    }
}
