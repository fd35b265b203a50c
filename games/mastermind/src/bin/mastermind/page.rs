//! Pages that work without a network.

use std::fmt::Write as _;
use std::iter;
use std::path::Path;

use amazons_look::LOOK_CSS;
use amazons_program::{Exit, LinePlot};
use mastermind::{Code, Game, History, Worth, review};

use crate::files;
use crate::options::expect_at_most;

/// The largest game whose guesses are reviewed after it: the time grows with the square of the codes.
pub(crate) const REVIEWED_MAX: u32 = 100_000;

/// Checks that a page can be made and written, before the game begins.
pub(crate) fn check(path: Option<&Path>, game: Game) -> Result<(), Exit> {
    path.map_or(Ok(()), |_| expect_at_most(REVIEWED_MAX, game, "--html handles"))?;
    files::expect_writable(path)
}

/// Writes the page of a game: the board of pegs, what each guess was worth, and a curve of the codes left.
pub(crate) fn write(path: Option<&Path>, history: &History, secret: Option<Code>) -> Result<(), Exit> {
    path.map_or(Ok(()), |path| files::write(path, &text(history, secret, &review(history))))
}

fn text(history: &History, secret: Option<Code>, worths: &[Worth]) -> String {
    let game = history.game();
    let row = |code: Code| {
        let pegs = code
            .pegs()
            .iter()
            .map(|&colour| format!("<span class=\"peg c{colour}\">{}</span>", game.colour_name(colour)));
        pegs.collect::<String>()
    };
    let mut rows = String::new();
    for (number, turn) in history.turns().iter().enumerate() {
        let worth = worths.get(number).map_or_else(String::new, |worth| {
            let (skill, luck) = (100.0 * worth.skill(), worth.luck());
            format!("<td>{}</td><td>{:.1}</td><td>{skill:.0} %</td><td>{luck:+.1}</td>", worth.after, worth.expected)
        });
        let (black, white) = (turn.answer.black, turn.answer.white);
        let _ = write!(
            rows,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{black} black, {white} white</td>{worth}</tr>",
            number + 1,
            row(turn.guess)
        );
    }
    let secret = secret.map_or_else(|| "unknown".to_owned(), row);
    let main = format!(
        "<h1>Mastermind {game}</h1><p>Secret: {secret}</p>\
         <div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Guesses\"><table><thead><tr>\
         <th scope=\"col\">Guess</th><th scope=\"col\">Code</th><th scope=\"col\">Answer</th>\
         <th scope=\"col\">Codes left</th><th scope=\"col\">On average</th><th scope=\"col\">Skill</th>\
         <th scope=\"col\">Luck</th></tr></thead><tbody>{rows}</tbody></table></div>\
         <p>Skill: how much of what the guess leaves on average the best guess leaves. Luck: powers of two.</p>\
         <h2>Codes left</h2>{}",
        curve(history, worths)
    );
    framed(&format!("Mastermind {game}"), &main, "")
}

/// Returns a page that works from a file: its title, what it shows, its scripts.
pub(crate) fn framed(title: &str, main: &str, scripts: &str) -> String {
    let style = include_str!("page.css");
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title>\
         <style>{LOOK_CSS}{style}</style></head><body><header class=\"top\"><nav aria-label=\"Pages\">\
         <span class=\"brand\">Mastermind</span></nav></header><main class=\"page\">{main}</main>{scripts}</body></html>\n"
    )
}

/// Draws the codes left after each guess.
fn curve(history: &History, worths: &[Worth]) -> String {
    let lefts = iter::once(history.game().codes().into()).chain(worths.iter().map(|worth| worth.after));
    let power = |(number, left): (usize, u64)| (number as f64, (left.max(1) as f64).log10());
    let mut plot = LinePlot::new("Codes left after each guess", "guess", "codes left, as a power of ten");
    plot.line("", lefts.enumerate().map(power));
    plot.to_html()
}
