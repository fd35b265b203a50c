use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{misplaced_command, suggestion};

/// Describes an error in the arguments in one line: the argument, its value, the values that are allowed.
pub fn complaint(error: &clap::Error) -> String {
    let context = |kind| error.get(kind).map(plain).unwrap_or_default();
    let arg = option_name(&context(ContextKind::InvalidArg));
    let value = context(ContextKind::InvalidValue);
    // Without players, or with more than two, the first word may have been meant as a command.
    if matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict)
        && let Some(hint) = std::env::args_os().nth(1).and_then(|word| suggestion(&word))
    {
        return hint;
    }
    if let Some(hint) = misplaced_command() {
        return hint;
    }
    match error.kind() {
        ErrorKind::InvalidValue if value.is_empty() => format!("{arg} needs a value{}", allowed(error)),
        ErrorKind::InvalidValue => format!("{arg}: '{value}' is not allowed{}", allowed(error)),
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map_or_else(String::new, |source| format!(": {source}"));
            format!("{arg}: '{value}' is not allowed{reason}")
        }
        ErrorKind::UnknownArgument if arg.starts_with('-') => {
            let hint = match context(ContextKind::SuggestedArg) {
                hint if hint.is_empty() => "see --help".to_owned(),
                hint => format!("did you mean {}?", option_name(&hint)),
            };
            format!("unknown option {arg}: {hint}")
        }
        ErrorKind::UnknownArgument => {
            let usage = context(ContextKind::Usage);
            let usage = usage.lines().next().unwrap_or_default().trim_start_matches("Usage: ");
            format!("'{arg}' is one argument too many: {usage}")
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = context(ContextKind::InvalidArg).replace(", ", " and ").replace(['<', '>'], "");
            format!("missing {missing}: see --help")
        }
        // Behind players, more words are taken for a command, which has no name here.
        ErrorKind::ArgumentConflict if arg.is_empty() => {
            "too many arguments: give two players, or a command and what belongs to it".to_owned()
        }
        ErrorKind::ArgumentConflict if arg == option_name(&context(ContextKind::PriorArg)) => {
            format!("{arg} is given twice")
        }
        ErrorKind::ArgumentConflict => {
            format!("{arg} cannot be used with {}", option_name(&context(ContextKind::PriorArg)))
        }
        ErrorKind::WrongNumberOfValues | ErrorKind::TooManyValues | ErrorKind::TooFewValues => {
            format!("{arg} takes one value")
        }
        _ => error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    }
}

/// Lists the values that an option takes, and the one that was probably meant.
fn allowed(error: &clap::Error) -> String {
    let values = error.get(ContextKind::ValidValue).map(plain).unwrap_or_default();
    let meant = error.get(ContextKind::SuggestedValue).map(plain).unwrap_or_default();
    match (values.as_str(), meant.as_str()) {
        ("", _) => String::new(),
        (values, "") => format!(": use {values}"),
        (values, meant) => format!(": use {values} (did you mean {meant}?)"),
    }
}

fn plain(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(texts) => texts.join(", "),
        ContextValue::Number(number) => number.to_string(),
        ContextValue::StyledStr(text) => text.to_string(),
        _ => String::new(),
    }
}

/// `--size <M>` becomes `--size`, or `-m` where that is what people type.
fn option_name(arg: &str) -> String {
    let name = arg.split([' ', '=']).next().unwrap_or_default();
    match name {
        // Pictures have a size in pixels.
        "--size" if !arg.ends_with("<PX>") => "-m".to_owned(),
        "--type" => "-t".to_owned(),
        _ => name.trim_matches(['<', '>', '[', ']']).to_owned(),
    }
}
