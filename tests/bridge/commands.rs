//! Players on the command line, and how a program's command is parsed.

use std::ffi::OsStr;
use std::path::Path;

use amazons::bridge::{ProgramCommand, WordsError, words};
use amazons::participant::{BotzoneForm, Participant, ParticipantKind, Protocol};
use amazons_protocol::Dialect;
use proptest::prelude::*;

use super::server;
use crate::cli::player;

#[test]
fn commands_are_taken_apart_as_by_a_shell_without_tricks() {
    let split = |text: &str| {
        words(OsStr::new(text))
            .map(|words| words.into_iter().map(|word| word.into_string().expect("text")).collect::<Vec<_>>())
    };
    for (text, expected) in [
        ("python3 bot.py", vec!["python3", "bot.py"]),
        ("  a\t 'b c' \"d 'e'\" f\\ g ", vec!["a", "b c", "d 'e'", "f g"]),
        ("a '' b\"\"", vec!["a", "", "b"]),
        ("a \"\\\"\" '\\'", vec!["a", "\"", "\\"]),
        ("a | b; $HOME > c", vec!["a", "|", "b;", "$HOME", ">", "c"]),
    ] {
        assert_eq!(split(text), Ok(expected.into_iter().map(str::to_owned).collect()), "{text}");
    }
    assert_eq!(split(""), Err(WordsError::Empty));
    assert_eq!(split("a 'b"), Err(WordsError::Quotation('\'')));
    assert_eq!(split("a \\"), Err(WordsError::Backslash));
}

proptest! {
    #[test]
    fn quoted_words_come_back(list in prop::collection::vec("[^']{0,8}", 1..5)) {
        let text = list.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let read = words(OsStr::new(&text)).expect("quotations end");
        prop_assert_eq!(read, list.into_iter().map(Into::into).collect::<Vec<std::ffi::OsString>>());
    }
}

#[test]
fn prefixes_tell_who_sits_there() {
    use ParticipantKind::{Browser, Human, Library, Program};
    let parse = |text: &str| Participant::parse(text).map_err(|error| error.to_string());
    let kind = |text: &str| parse(text).map(|participant| participant.kind().clone());
    let second = std::time::Duration::from_secs(1);
    assert_eq!((kind("human"), kind("human:1")), (Ok(Human(None)), Ok(Human(Some(second)))));
    assert_eq!((kind("web"), kind("web:1")), (Ok(Browser(None)), Ok(Browser(Some(second)))));
    assert!(parse("web:soon").is_err_and(|error| error.starts_with("web:soon: use seconds")));
    assert!(parse("human:soon").is_err_and(|error| error.starts_with("human:soon: use seconds")));
    for library in ["web.so", "./web", "./human", "folder/bridge:x"] {
        let participant = parse(library).expect("a library");
        assert_eq!((participant.kind(), participant.library()), (&Library, Some(Path::new(library))));
    }
    for (text, protocol) in [
        ("bridge:sh -c x", Protocol::Engine(Dialect::Aep)),
        ("uci:sh -c x", Protocol::Engine(Dialect::Uci)),
        ("botzone:sh -c x", Protocol::Botzone(BotzoneForm::Json)),
        ("botzone-text:sh -c x", Protocol::Botzone(BotzoneForm::Text)),
    ] {
        let participant = parse(text).expect("a program");
        assert_eq!(participant.kind(), &Program(protocol, "sh -c x".into()));
        assert_eq!((participant.typed(), participant.library()), (Path::new(text), None));
    }
}

#[test]
fn commands_are_taken_apart_and_their_programs_found() {
    let find = |text: &str| ProgramCommand::find(OsStr::new(text)).map_err(|error| error.to_string());
    let command = find("sh -c x").expect("there is a shell");
    assert_eq!(command.words, ["sh", "-c", "x"]);
    assert!(command.program.is_absolute() && command.program.ends_with("sh"), "{command:?}");
    let missing = "there is no program '/nonexistent': name its file, or one in a folder of PATH";
    assert_eq!(find("/nonexistent"), Err(missing.to_owned()));
    assert_eq!(find(""), Err("there is no command".to_owned()));
}

#[test]
fn what_cannot_play_is_refused_in_one_line() {
    let refused = |args: &[&str]| {
        let ran = server(args.iter().copied());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}");
        ran.err
    };
    let random = player("random");
    assert_eq!(
        refused(&["bridge:/nonexistent", &random]),
        "server: player 1: there is no program '/nonexistent': name its file, or one in a folder of PATH\n"
    );
    assert_eq!(refused(&[&random, "bridge:sh 'x"]), "server: player 2: a quotation mark ' is not closed\n");
    assert_eq!(
        refused(&[&random, "botzone:sh"]),
        "server: player 2: bots of Botzone play from the start of the square board of size 8: add -m 8\n"
    );
    assert_eq!(
        refused(&["-m", "8", "uci:sh", &random]),
        "server: player 1: programs that speak UCI play on ten columns and ten rows: for others, set its option UCI_Variant \
         or Size\n"
    );
    assert_eq!(
        refused(&["--isolation", "none", "bridge:sh", &random]),
        "server: a program as a player cannot be used with --isolation none: another program has a process of its own\n"
    );
}
