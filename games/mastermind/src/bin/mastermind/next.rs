use std::io::Write;

use amazons_program::Exit;
use clap::Args;
use mastermind::{Game, Guesses, History, Scorer, Strategy};
use serde_json::json;

use crate::board::count_of;
use crate::options::expect_at_most;

#[derive(Args, Debug)]
pub(crate) struct NextArgs {
    /// Guesses and answers so far, such as '1122:10 1344:11'
    #[arg(default_value = "")]
    turns: String,
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x6r")]
    game: Game,
    /// List the codes left
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The largest game that all strategies look at.
const CODES_MAX: u32 = 4_000_000;

/// Prints the codes left and the next guess by each strategy.
pub(crate) fn run(args: &NextArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let game = args.game;
    expect_at_most(CODES_MAX, game, "next handles")?;
    let history = History::parse(game, &args.turns).map_err(Exit::usage)?;
    let left: Vec<u32> = history.fitting().collect();
    let (Some(first), Some(last)) = (left.first(), left.last()) else {
        let reason = history.contradiction().map_or_else(|| "no code fits".to_owned(), |found| found.to_string());
        return Err(Exit::Usage(reason));
    };
    let text = |index: &u32| game.text(game.code(*index));
    let next = |strategy| Scorer::new(game, strategy).next_guess(&history, Guesses::All);
    let guesses: Vec<_> =
        Strategy::ALL.into_iter().filter_map(|strategy| Some((strategy, text(&next(strategy)?)))).collect();
    let listed = || left.iter().map(text).collect::<Vec<_>>();
    if args.json {
        let guesses: serde_json::Map<_, _> =
            guesses.iter().map(|(strategy, guess)| (strategy.to_string(), guess.as_str().into())).collect();
        let mut value = json!({ "game": game.to_string(), "left": left.len(), "next": guesses });
        if args.list {
            value["codes"] = listed().into();
        }
        writeln!(out, "{value}")?;
        return Ok(Exit::Success);
    }
    writeln!(out, "{} left: {} to {}", count_of(left.len(), "code"), text(first), text(last))?;
    for (strategy, guess) in guesses {
        writeln!(out, "{strategy:<9} {guess}")?;
    }
    if args.list {
        listed().iter().try_for_each(|code| writeln!(out, "{code}"))?;
    }
    Ok(Exit::Success)
}
