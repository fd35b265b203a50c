use std::io::Write;
use std::path::PathBuf;

use amazons_program::Exit;
use clap::Args;
use mastermind::{Game, Guesses, History, Repetition, Scorer, Strategy};
use serde_json::json;

use crate::files;
use crate::options::expect_at_most;
use crate::page::framed;

#[derive(Args, Debug)]
pub(crate) struct HelperArgs {
    /// The page to write
    file: PathBuf,
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x6r")]
    game: Game,
}

/// Maximum number of codes for a browser to search at once.
const CODES_MAX: u32 = 50_000;

/// Writes the page that helps at a real board: one file that works offline.
pub(crate) fn run(args: &HelperArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let (game, file) = (args.game, args.file.display());
    expect_at_most(CODES_MAX, game, "a page handles")?;
    files::write(&args.file, &page(game))?;
    writeln!(out, "{file} helps with {game}: open it in a browser")?;
    Ok(Exit::Success)
}

fn page(game: Game) -> String {
    let first = Scorer::new(game, Strategy::Entropy).next_guess(&History::new(game), Guesses::All).unwrap_or_default();
    let names: Vec<String> = (0u8..).take(game.colours()).map(|colour| game.colour_name(colour).to_string()).collect();
    let data = json!({
        "pegs": game.pegs(), "colours": game.colours(), "mayRepeat": game.repetition() == Repetition::Allowed,
        "names": names, "first": game.text(game.code(first)),
    });
    let pegs = game.pegs();
    let (solver, script) = (include_str!("solver.js"), include_str!("helper.js"));
    let main = format!(
        r#"<h1>Mastermind {game}</h1>
<p>Make a guess at your board, type it with its answer, and see what to ask next.</p>
<p aria-live="polite"><span id="left"></span> Ask <strong id="next"></strong></p>
<form id="form"><label>Guess <input id="code" size="{pegs}" autocomplete="off" autocapitalize="off" required></label>
<label>Black <input id="black" type="number" min="0" max="{pegs}" value="0" required></label>
<label>White <input id="white" type="number" min="0" max="{pegs}" value="0" required></label>
<button id="add">Add</button> <button type="button" id="undo">Take back</button>
<button type="button" id="again">New game</button><p id="wrong" role="alert"></p></form>
<h2>Guesses</h2><ol id="turns"></ol><h2>Codes that fit</h2><p id="codes"></p>
<noscript>This page needs JavaScript.</noscript>"#
    );
    let scripts =
        format!("<script type=\"application/json\" id=\"game\">{data}</script><script>{solver}{script}</script>");
    framed(&format!("Mastermind {game}: helper"), &main, &scripts)
}
