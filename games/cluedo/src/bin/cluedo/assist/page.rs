//! The helper as one page that works offline.

use cluedo::card_names::CardNames;
use serde_json::json;

const SCRIPTS: [&str; 4] = [
    include_str!("web/logic.js"),
    include_str!("web/count.js"),
    include_str!("web/words.js"),
    include_str!("web/page.js"),
];

/// Returns the page for a deck.
pub(super) fn page(deck: &CardNames, is_classic: bool) -> String {
    let names: Vec<&str> = deck.deck.all().iter().map(|card| deck.name(card)).collect();
    let french: Option<Vec<&str>> =
        is_classic.then(|| deck.deck.all().iter().map(|card| deck.names(card)[1].as_str()).collect());
    let ends: Vec<usize> = (0..3).map(|kind| deck.deck.range(kind).end).collect();
    let articles: Vec<bool> = (0..3).map(|kind| deck.takes_article(kind)).collect();
    let data = json!({
        "kinds": deck.kinds,
        "names": names,
        "ends": ends,
        "articles": articles,
        "french": french,
    });
    // A name cannot end the script that holds it.
    let data = data.to_string().replace('<', "\\u003c");
    let script: String = SCRIPTS.concat().replace("\"use strict\";\n", "");
    include_str!("web/page.html")
        .replace("@STYLE@", include_str!("web/page.css"))
        .replace("@SCRIPT@", &format!("\"use strict\";\n{script}"))
        .replace("@DECK@", &data)
}
