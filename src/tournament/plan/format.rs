use std::collections::BTreeSet;

use amazons_statistics::SprtModel;
use clap::ValueEnum;

use super::{Format, Model, PAIRS_MAX, PlanError};
use crate::cli::{FormatArg, PlanArgs};

/// Returns the format that was typed; options that it has no use for are refused.
pub(super) fn format_of(args: &PlanArgs) -> Result<Format, PlanError> {
    let refuse = |reason: String| Err(PlanError::Option(reason));
    let format = if args.sprt.is_empty() { args.format.unwrap_or(FormatArg::RoundRobin) } else { FormatArg::Gauntlet };
    let is_sprt = !args.sprt.is_empty();
    if is_sprt && args.format.is_some() {
        return refuse("sprt: a test has a format of its own: leave --format out".to_owned());
    }
    let given = [
        ("pairs", args.pairs.is_some(), !is_sprt && format != FormatArg::Knockout),
        ("rounds", args.rounds.is_some(), format == FormatArg::Swiss),
        ("seeds", args.seeds.is_some(), !is_sprt && format == FormatArg::Gauntlet),
        ("best-of", args.best_of.is_some(), format == FormatArg::Knockout),
        ("max-pairs", args.max_pairs.is_some(), is_sprt),
    ];
    if let Some((option, ..)) = given.into_iter().find(|(_, is_given, is_used)| *is_given && !is_used) {
        let word = if is_sprt {
            "a test".to_owned()
        } else {
            format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
        };
        return refuse(format!("{option}: {word} has no use for it: leave it out"));
    }
    let pairs = args.pairs.unwrap_or(1);
    let format = match format {
        _ if is_sprt => return sprt_of(args),
        FormatArg::RoundRobin => Format::RoundRobin { pairs },
        FormatArg::Gauntlet => Format::Gauntlet { pairs, seeds: args.seeds.unwrap_or(1) as usize },
        FormatArg::Swiss => match args.rounds {
            Some(rounds) => Format::Swiss { rounds, pairs },
            None => return refuse("rounds: swiss needs them: --rounds 5".to_owned()),
        },
        FormatArg::Knockout => Format::Knockout { best_of: args.best_of.unwrap_or(1) },
    };
    Ok(format)
}

fn sprt_of(args: &PlanArgs) -> Result<Format, PlanError> {
    let refuse = |reason: String| Err(PlanError::Option(reason));
    let (mut numbers, mut model) = ([("elo0", 0.0), ("elo1", 5.0), ("alpha", 0.05), ("beta", 0.05)], Model::Normalized);
    let mut seen = BTreeSet::new();
    for setting in &args.sprt {
        let Some((key, value)) = setting.split_once('=') else {
            return refuse(format!(
                "sprt: unknown setting '{setting}': use elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized"
            ));
        };
        if !seen.insert(key) {
            return refuse(format!("sprt: {key} is given twice"));
        }
        if key == "model" {
            model = match value.parse::<SprtModel>() {
                Ok(SprtModel::Logistic) => Model::Logistic,
                Ok(SprtModel::Normalized) => Model::Normalized,
                Err(reason) => return refuse(format!("sprt: model: {reason}")),
            };
            continue;
        }
        let Some((_, number)) = numbers.iter_mut().find(|(name, _)| *name == key) else {
            return refuse(format!("sprt: unknown setting '{key}': use elo0, elo1, alpha, beta, model"));
        };
        match value.parse() {
            Ok(value) => *number = value,
            Err(_) => return refuse(format!("sprt: {key}: '{value}' is not a number")),
        }
    }
    let [elo0, elo1, alpha, beta] = numbers.map(|(_, number)| number);
    let max_pairs = args.max_pairs.unwrap_or(50_000);
    if u64::from(max_pairs) > PAIRS_MAX {
        return refuse(format!("max-pairs: at most {PAIRS_MAX}"));
    }
    Ok(Format::Sprt { elo0, elo1, alpha, beta, model, max_pairs })
}
