//! Pages that work without a network.

use std::fmt::Write as _;
use std::path::Path;

use amazons_program::Exit;
use mastermind::{Code, Game, History, Worth, review};

use crate::files;
use crate::options::expect_at_most;

const STYLE: &str = include_str!("page.css");

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
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Mastermind {game}</title>\
         <style>{STYLE}</style></head><body><main><h1>Mastermind {game}</h1><p>Secret: {secret}</p>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Guesses\"><table><thead><tr>\
         <th scope=\"col\">Guess</th><th scope=\"col\">Code</th><th scope=\"col\">Answer</th>\
         <th scope=\"col\">Codes left</th><th scope=\"col\">On average</th><th scope=\"col\">Skill</th>\
         <th scope=\"col\">Luck</th></tr></thead><tbody>{rows}</tbody></table></div>\
         <p>Skill: how much of what the guess leaves on average the best guess leaves. Luck: powers of two.</p>\
         <h2>Codes left</h2>{}</main></body></html>\n",
        curve(history, worths)
    )
}

/// Draws the codes left after each guess, by powers of ten.
fn curve(history: &History, worths: &[Worth]) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 240.0;
    let all = f64::from(history.game().codes());
    let steps = worths.len().max(1) as f64;
    let point = |(number, left): (usize, f64)| {
        let x = 40.0 + (WIDTH - 60.0) * number as f64 / steps;
        let y = 20.0 + (HEIGHT - 50.0) * (1.0 - left.max(1.0).log10() / all.log10().max(1e-9));
        (x, y, left)
    };
    let lefts = std::iter::once(all).chain(worths.iter().map(|worth| worth.after as f64));
    let points: Vec<_> = lefts.enumerate().map(point).collect();
    let line: Vec<_> = points.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
    let marks: String = points
        .iter()
        .map(|(x, y, left)| {
            let text_y = y - 8.0;
            format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/><text x=\"{x:.1}\" y=\"{text_y:.1}\">{left}</text>")
        })
        .collect();
    format!(
        "<svg role=\"img\" aria-label=\"Codes left after each guess\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
         <polyline points=\"{}\"/>{marks}</svg>",
        line.join(" ")
    )
}
