//! The options of every game of an event, as text that a journal can hold and the command line can read.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, ValueEnum};

use crate::cli::{BoardArgs, FirstArg, GameArgs, IsolationArg, LimitArgs, RulesArgs, RulesLine, Seconds, complaint};

/// Returns the options that are not the default, one spelling for each, sorted; relative paths are taken from a folder.
#[must_use]
pub fn options_of(rules: &RulesArgs, base: &Path) -> Vec<String> {
    let mut options = spelled(rules, base);
    if let Ok(default) = RulesLine::try_parse_from::<_, &str>([]) {
        let default = spelled(&default.rules, base);
        options.retain(|option| !default.contains(option));
    }
    options.sort();
    options
}

fn spelled(rules: &RulesArgs, base: &Path) -> Vec<String> {
    let RulesArgs { max_moves, directions, limits, sandbox, allow_read } = rules;
    let LimitArgs {
        move_time,
        game_time,
        increment,
        clock,
        freeze,
        init_time,
        load_time,
        finalize_time,
        threads,
        memory,
        log_limit,
    } = limits;
    let time = |time: &Option<Seconds>| time.map(|Seconds(time)| in_millis(time));
    let named = [
        ("max-moves", max_moves.map(|moves| moves.to_string())),
        (
            "directions",
            (!directions.is_empty()).then(|| directions.iter().filter_map(name_of).collect::<Vec<_>>().join(",")),
        ),
        ("move-time", time(move_time)),
        ("game-time", time(game_time)),
        ("increment", time(increment)),
        ("clock", name_of(clock)),
        ("init-time", time(&Some(*init_time))),
        ("load-time", time(&Some(*load_time))),
        ("finalize-time", time(&Some(*finalize_time))),
        ("threads", threads.map(|threads| threads.to_string())),
        ("memory", memory.map(|bytes| bytes.to_string())),
        ("log-limit", Some(log_limit.to_string())),
        ("sandbox", name_of(sandbox)),
    ];
    let mut options: Vec<String> =
        named.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value?))).collect();
    if *freeze {
        options.push("--freeze".to_owned());
    }
    options.extend(allow_read.iter().map(|path| format!("--allow-read={}", base.join(path).display())));
    options
}

fn in_millis(time: Duration) -> String {
    // Whoever types a fraction of a millisecond gets it.
    format!("{}ms", time.as_secs_f64() * 1000.0)
}

fn name_of(value: &impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|value| value.get_name().to_owned())
}

/// Says what is wrong with an option; unlike a command line, a plan has no words that could have been meant otherwise.
pub(super) fn refusal(error: &clap::Error) -> String {
    match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) => {
            let missing = missing.iter().map(|arg| arg.split(' ').next().unwrap_or(arg)).collect::<Vec<_>>();
            format!("missing {}", missing.join(", "))
        }
        _ => complaint(error),
    }
}

/// Reads options back.
pub(super) fn rules_of(options: &[String]) -> Result<RulesArgs, String> {
    RulesLine::try_parse_from(options).map(|line| line.rules).map_err(|error| refusal(&error))
}

/// Returns a table of a plan as options: `move-time = "1s"` becomes `--move-time=1s`, `freeze = true` becomes `--freeze`.
pub(super) fn options_from(table: &BTreeMap<String, toml::Value>) -> Result<Vec<(String, String)>, String> {
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        _ => None,
    };
    let mut options = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Boolean(true) => options.push((key.clone(), format!("--{key}"))),
            toml::Value::Boolean(false) => {}
            toml::Value::Array(values) => {
                for value in values {
                    let value = text(value).ok_or_else(|| format!("{key}: a list of texts is expected"))?;
                    options.push((key.clone(), format!("--{key}={value}")));
                }
            }
            value => {
                let value = text(value).ok_or_else(|| format!("{key}: a text or a number is expected"))?;
                options.push((key.clone(), format!("--{key}={value}")));
            }
        }
    }
    Ok(options)
}

/// Returns the arguments of a single game with these options.
pub(super) fn game_args(options: &[String], [one, two]: [&Path; 2]) -> Result<GameArgs, String> {
    let RulesArgs { max_moves, directions, limits, sandbox, allow_read } = rules_of(options)?;
    Ok(GameArgs {
        player1: Some(one.to_owned()),
        player2: Some(two.to_owned()),
        board: BoardArgs::default(),
        seed: Some(0),
        first: FirstArg::One,
        max_moves,
        limits,
        directions,
        isolation: IsolationArg::Process,
        sandbox,
        allow_read,
    })
}
