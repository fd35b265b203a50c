use std::fmt::Write;

use amazons_program::{TextTable, escaped};

use super::{Report, plots, tables};
use crate::tournament::standings::EVENT_COLUMNS;

/// Maximum number of pairs on a page, which more would slow down; all of them are in games.csv.
pub const PAIRS_SHOWN: usize = 2_000;

/// The grid's squares by the half points of the first player: a word for the style sheet and what stands in it, so that
/// colour is not all.
const SQUARES: [(&str, &str); 5] = [("l2", "0"), ("l1", "&frac12;"), ("e", "1"), ("w1", "1&frac12;"), ("w2", "2")];

/// A pair with what there is to look at.
#[derive(Clone, Debug)]
pub struct PairLink {
    /// The names of its players.
    pub players: [String; 2],
    pub number: u32,
    /// The half points of the first, 0 to 4.
    pub half_points: u8,
    /// The records of both games.
    pub records: [Option<String>; 2],
    /// Logs of players at fault.
    pub logs: Vec<String>,
}

/// Returns standings as one page without scripts, that links records and logs next to it; the pairs are the first ones
/// of all.
pub fn html(report: &Report<'_>, pairs: &[PairLink], all: u64) -> String {
    let Report { title, subtitle, standings, .. } = *report;
    let mut page = head(title, subtitle, "");
    if let Some(sentence) = &standings.sentence {
        let _ = writeln!(page, "<p class=sentence>{}</p>", escaped(sentence));
    }
    page.push_str(&paragraphs(&standings.notices));
    page.push_str(&paragraphs(&standings.suspicions));
    let players = tables::players(&EVENT_COLUMNS, &standings.players);
    page.push_str(&section("Players", &players));
    page.push_str("<p>Elo is relative to the average of these players; +- and bars are 95 % intervals.</p>\n");
    page.extend(tables::matches(standings).map(|table| section("Matches", &table)));
    let bars: Vec<_> = standings.players.iter().map(|row| (row.name.as_str(), row.elo, row.error)).collect();
    let _ = writeln!(page, "<h2>Ratings</h2>{}", plots::ratings(&bars));
    if let Some(sprt) = &standings.sprt {
        let _ = writeln!(page, "<h2>Log-likelihood ratio</h2>{}", plots::llr(sprt));
    }
    page.push_str(&section("Points against each other", &tables::points(standings)));
    page.push_str(&section("Chance to be stronger, %", &tables::superiority(standings)));
    page.extend(tables::ending_counts(standings).map(|table| section("Endings, won-lost", &table)));
    page.extend(tables::boards(standings).map(|table| section("Moving first", &table)));
    page.push_str(&grid(pairs, all));
    page
}

/// Returns the beginning of a page; `meta` is more of its head.
pub(in crate::tournament) fn head(title: &str, subtitle: &str, meta: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\n\
         {meta}<title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1><p>{subtitle}</p>\n",
        title = escaped(title),
        subtitle = escaped(subtitle),
    )
}

/// Returns a table under its title.
pub(in crate::tournament) fn section(title: &str, table: &TextTable) -> String {
    format!("<h2>{title}</h2>{}", table.to_html())
}

/// Returns notices as paragraphs.
pub(in crate::tournament) fn paragraphs(notices: &[String]) -> String {
    notices.iter().map(|notice| format!("<p class=notice>{}</p>\n", escaped(notice))).collect()
}

/// A square for each pair, in the order of the schedule, by pairing.
fn grid(pairs: &[PairLink], all: u64) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let mut html = "<h2>Pairs</h2><p>Points of the first player in two games with the same opening: 0, &frac12;, 1, 1&frac12;, 2. \
         Each square leads to the record of game 1, &#8322; to that of game 2, ! to a log.</p>\n"
        .to_owned();
    let mut order: Vec<&[String; 2]> = Vec::new();
    for pair in pairs {
        if !order.iter().any(|names| is_same(names, &pair.players)) {
            order.push(&pair.players);
        }
    }
    for names in order {
        let _ = write!(html, "<p class=grid><b>{} &ndash; {}</b> ", escaped(&names[0]), escaped(&names[1]));
        for pair in pairs.iter().filter(|pair| is_same(names, &pair.players)) {
            html.push_str(&square(pair, pair.players == *names));
        }
        html.push_str("</p>\n");
    }
    if (pairs.len() as u64) < all {
        let _ = writeln!(html, "<p>The first {} of {all} pairs; all are in games.csv.</p>", pairs.len());
    }
    html
}

fn is_same([one, two]: &[String; 2], other: &[String; 2]) -> bool {
    *other == [one.clone(), two.clone()] || *other == [two.clone(), one.clone()]
}

fn square(pair: &PairLink, is_straight: bool) -> String {
    let half_points = if is_straight { pair.half_points } else { 4 - pair.half_points };
    let (class, text) = SQUARES[usize::from(half_points.min(4))];
    let title = format!("pair {}", pair.number);
    let mut html = match &pair.records[0] {
        Some(record) => format!("<a class={class} title=\"{title}\" href=\"{}\">{text}</a>", escaped(record)),
        None => format!("<span class={class} title=\"{title}\">{text}</span>"),
    };
    if let Some(record) = &pair.records[1] {
        let _ = write!(html, "<a class=second title=\"{title}, game 2\" href=\"{}\">&#8322;</a>", escaped(record));
    }
    for log in &pair.logs {
        let _ = write!(html, "<a class=log title=\"{title}, log\" href=\"{}\">!</a>", escaped(log));
    }
    html
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:light-dark(#222,#ddd);--faint:light-dark(#ccc,#444);--good:light-dark(#1a7f37,#3fb950);\
--bad:light-dark(#b42318,#f47067)}\
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:var(--ink)}\
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}div{overflow-x:auto}\
table{border-collapse:collapse}td,th{padding:.15rem .6rem;text-align:right;border-bottom:1px solid var(--faint)}\
th{text-align:left;font-weight:600}.sentence{font-size:1.15rem}.notice{border-left:4px solid orange;padding-left:.6rem}\
svg{width:100%;max-width:720px;font:12px system-ui,sans-serif}svg text{fill:var(--ink)}\
.grid{stroke:var(--faint)}.bar{stroke:var(--ink);stroke-width:2}.dot{fill:var(--ink)}.tick{text-anchor:middle}\
.name{text-anchor:end}\
p.grid a,p.grid span{display:inline-block;min-width:1.5em;text-align:center;text-decoration:none;color:inherit;margin:1px}\
p.grid .second,p.grid .log{min-width:0}\
.l2{background:color-mix(in srgb,var(--bad) 60%,transparent)}.l1{background:color-mix(in srgb,var(--bad) 25%,transparent)}\
.e{background:var(--faint)}.w1{background:color-mix(in srgb,var(--good) 25%,transparent)}\
.w2{background:color-mix(in srgb,var(--good) 60%,transparent)}.log{color:var(--bad);font-weight:700}";
