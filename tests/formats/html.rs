//! The page: one file without outside resources, in which no player's name becomes markup.

use amazons_formats::{HTML, SGF, VIEWER_CSS, VIEWER_JS};
use amazons_look::LOOK_CSS;
use amazons_rules::Shape;
use serde_json::Value;

use super::{HOSTILE, annotated_game, read, start, written};

fn page(name: &str) -> (String, amazons_formats::Game) {
    let mut game = annotated_game(start(Shape::Clover, 8), 30, 3);
    (game.details.black, game.comment) = (Some(name.to_owned()), Some(name.to_owned()));
    if let Some(last) = game.last_mut() {
        last.comment = Some(name.to_owned());
    }
    (written(HTML, &game), game)
}

/// The game that is embedded in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"amazons-game\">").expect("the game");
    serde_json::from_str(rest.split_once("</script>").expect("its end").0).expect("JSON")
}

#[test]
fn nothing_of_a_record_becomes_markup() {
    let (plain, _) = page("plain");
    let tags = |page: &str| page.matches('<').count();
    for name in HOSTILE {
        let (page, game) = page(name);
        assert_eq!(tags(&page), tags(&plain), "{name}");
        let data = data(&page);
        assert_eq!(data["players"]["black"], name);
        assert_eq!(data["comment"], name);
        assert_eq!(data["moves"][game.moves().len() - 1]["comment"], name);
        assert!(!data.to_string().contains("</script") || !name.is_empty());
    }
}

#[test]
fn the_page_is_one_file_that_asks_for_nothing() {
    let (page, _) = page("x");
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
    for address in ["http://", "https://", "src=", "<link", "@import", "url("] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(address), "{address}");
    }
    assert!(!page.contains(" style=\"") && !page.contains(" onclick="), "the policy forbids both");
    assert!(!VIEWER_JS.contains("innerHTML") && !VIEWER_JS.contains("eval("), "text stays text");
    assert!(!VIEWER_JS.contains("</") && !VIEWER_CSS.contains("</"), "both can stand in their elements");
}

/// The policy names the script and the style by hashes, which `sha256sum` and `base64` must confirm.
#[test]
fn the_policy_knows_the_script() {
    let (page, _) = page("x");
    for (what, text) in [("script", VIEWER_JS), ("style", &*format!("{LOOK_CSS}{VIEWER_CSS}"))] {
        let (_, rest) = page.split_once(&format!("{what}-src 'sha256-")).expect("a policy");
        let told = rest.split_once('\'').expect("an end").0;
        assert_eq!(told, base64_of(&sha256_of(text)), "{what}");
        assert!(page.contains(&format!("<{what}>{text}</{what}>")), "what the hash is of");
    }
}

fn sha256_of(text: &str) -> Vec<u8> {
    let hex = amazons::referee::EndEvent::hash_of(text);
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal")).collect()
}

/// Base 64 bit by bit.
fn base64_of(bytes: &[u8]) -> String {
    let digits: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let padded = format!("{bits:0<width$}", width = bits.len().div_ceil(6) * 6);
    let digit = |six: &[u8]| digits[six.iter().fold(0, |number, bit| 2 * number + usize::from(bit - b'0'))];
    let mut text: String = padded.as_bytes().chunks(6).map(digit).collect();
    text.extend(std::iter::repeat_n('=', (4 - text.len() % 4) % 4));
    text
}

#[test]
fn the_viewer_gets_the_whole_game() {
    let (page, game) = page("x");
    let data = data(&page);
    assert_eq!(data["moves"].as_array().map(Vec::len), Some(game.moves().len()));
    let value = data["moves"][3]["value"].as_f64().expect("a value");
    assert!((value - f64::from(game.moves()[3].value.expect("a value"))).abs() < 0.001);
    assert_eq!(data["position"], game.start().to_string());
    let holes = game.board().vertex_ids() - game.board().vertex_count();
    assert_eq!(data["board"]["holes"].as_array().map(Vec::len), Some(holes));
    assert_eq!(data["result"]["detail"].as_str(), game.outcome.as_ref().and_then(|outcome| outcome.detail.as_deref()));
    let again = read(SGF, data["files"]["game.sgf"].as_str().expect("a file")).expect("our own SGF");
    assert_eq!(again.position().to_string(), game.position().to_string());
}
