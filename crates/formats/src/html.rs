use std::fmt::Write as _;
use std::time::Duration;

use amazons_look::LOOK_CSS;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::svg::{escape_xml, title};
use crate::{CannotWrite, Ending, Format, Game, Look, endings_element, pgn, sgf};

/// The scripts of a board on which moves are chosen, as a literal.
macro_rules! board_js {
    () => {
        concat!(
            include_str!("../assets/board.js"),
            "\n",
            include_str!("../assets/zoom.js"),
            "\n",
            include_str!("../assets/parts.js"),
            "\n",
            include_str!("../assets/choose.js"),
            "\n"
        )
    };
}

/// The script of a board on which moves are chosen, `AmazonsChooser`, for pages that show no game.
pub const BOARD_JS: &str = board_js!();

/// The script that says how games ended, for pages without a viewer and with [`endings_element`].
pub const ENDINGS_JS: &str = include_str!("../assets/endings.js");

/// The viewer's script: it shows the page's game, and receives the events of a live one.
pub const VIEWER_JS: &str = concat!(
    include_str!("../assets/endings.js"),
    "\n",
    board_js!(),
    include_str!("../assets/graph.js"),
    "\n",
    include_str!("../assets/analysis.js"),
    "\n",
    include_str!("../assets/explore.js"),
    "\n",
    include_str!("../assets/viewer.js")
);

/// The viewer's style sheet, besides the one of all pages.
pub const VIEWER_CSS: &str = include_str!("../assets/viewer.css");

/// One self-contained page with the whole game and a viewer.
pub const HTML: Format = Format { name: "html", extensions: &["html", "htm"], writer: write, reader: None };

/// One self-contained page that asks for nothing, with the look of all pages.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The title and heading, as text.
    pub title: &'a str,
    /// The markup under the heading.
    pub main: &'a str,
    /// The id of the element with the data, and the data as JSON.
    pub data: (&'a str, &'a str),
    /// Markup before the script.
    pub elements: &'a str,
    /// The style sheet, besides that of all pages and the viewer's.
    pub style: &'a str,
    /// The script.
    pub script: &'a str,
}

impl Page<'_> {
    /// Returns the page as HTML.
    pub fn html(&self) -> String {
        let Page { main, data: (id, data), elements, script, .. } = self;
        let title = escape_xml(self.title);
        let style = format!("{LOOK_CSS}{VIEWER_CSS}{}", self.style);
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src blob:; base-uri 'none'; form-action 'none'",
            hash(script),
            hash(&style)
        );
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<title>{title}</title>\n<style>{style}</style>\n</head>\n\
             <body>\n<header class=\"top\"><h1>{title}</h1></header>\n<main>\n{main}</main>\n\
             <script type=\"application/json\" id=\"{id}\">{}</script>\n{elements}<script>{script}</script>\n\
             </body>\n</html>\n",
            for_script(data)
        )
    }
}

fn write(game: &Game, _: &Look) -> Result<Vec<u8>, CannotWrite> {
    let pgn = pgn::write(game);
    let main = format!(
        "<div id=\"amazons-viewer\"></div>\n\
         <noscript><p>The board needs JavaScript. This is the game as text:</p><pre>{}</pre></noscript>\n",
        pgn.lines().map(escape_xml).collect::<Vec<_>>().join("\n")
    );
    let (title, data) = (title(game), viewer_game(game, &pgn).to_string());
    let data = ("amazons-game", &*data);
    let page = Page { title: &title, main: &main, data, elements: &endings_element(), style: "", script: VIEWER_JS };
    Ok(page.html().into_bytes())
}

/// Returns the game in the viewer's JSON, with its text for download.
fn viewer_game(game: &Game, pgn: &str) -> Value {
    let board = game.board();
    let micros = |time: Option<Duration>| time.map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    let moves: Vec<Value> = game
        .moves()
        .iter()
        .map(|played| {
            json!({
                "from": played.mv.from, "to": played.mv.to, "arrow": played.mv.arrow,
                "text": board.move_text(played.mv),
                "time_us": micros(played.time), "left_us": micros(played.left),
                // The graph shows fewer than three decimals.
                "value": played.value.map(|value| (f64::from(value) * 1000.0).round() / 1000.0),
                "comment": played.comment,
                "analysis": played.note,
            })
        })
        .collect();
    let holes: Vec<u32> = board.holes().collect();
    let mut files = serde_json::Map::new();
    if let Ok(sgf) = sgf::write(game) {
        files.insert("game.sgf".to_owned(), sgf.into());
    }
    files.insert("game.pgn".to_owned(), pgn.into());
    json!({
        "board": { "columns": board.columns(), "rows": board.rows(), "holes": holes },
        "position": game.start().to_string(),
        "players": { "black": game.details.black, "white": game.details.white },
        "about": about(game),
        "comment": game.comment,
        "moves": moves,
        "result": game.outcome.as_ref().map(|outcome| json!({
            "winner": outcome.winner.map(|winner| winner.to_string()),
            "ending": outcome.ending.map(Ending::name),
            "detail": outcome.detail,
        })),
        "files": files,
    })
}

fn about(game: &Game) -> Vec<(&'static str, &String)> {
    let details = &game.details;
    let told = [
        ("Event", &details.event),
        ("Site", &details.site),
        ("Date", &details.date),
        ("Round", &details.round),
        ("Time", &details.time_control),
        ("Comments by", &details.annotator),
        ("Written by", &details.program),
    ];
    told.into_iter().filter_map(|(what, value)| value.as_ref().map(|value| (what, value))).collect()
}

/// Writes JSON that cannot close its enclosing element.
fn for_script(json: &str) -> String {
    let mut safe = String::new();
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{:04x}", u32::from(character));
            }
            other => safe.push(other),
        }
    }
    safe
}

/// Returns the base 64 SHA-256 of a text for a content security policy.
fn hash(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for triple in Sha256::digest(text).chunks(3) {
        let byte = |at: usize| u32::from(triple.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * at)) as usize % 64).copied().unwrap_or(b'=');
            written.push(if at <= triple.len() { char::from(digit) } else { '=' });
        }
    }
    written
}
