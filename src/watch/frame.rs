//! The head and the top bar of all pages.

use amazons_formats::endings_element;
use amazons_pages::text;
use axum::response::Response;

/// The frame around every page; words in capitals are placeholders.
const FRAME: &str = include_str!("assets/frame.html");

/// Addresses and names of pages.
pub(crate) type Places = &'static [(&'static str, &'static str)];

/// The pages that the top bar leads to, usually.
pub(super) const PLACES: Places = &[("/", "Games"), ("/editor", "Editor")];

/// The search for games in the top bar; the first page takes what is typed.
const SEARCH: &str = "<form id=\"search\" role=\"search\" aria-label=\"Games\"><input type=\"search\" name=\"search\" \
    placeholder=\"Find a player or game\" aria-label=\"Find a player or game\" maxlength=\"100\"></form>\n";

/// A page of the viewer.
pub(crate) struct Page {
    /// Its title; pages of games show it in the top bar.
    pub(crate) title: &'static str,
    /// Whether the title stands in the top bar.
    pub(crate) has_heading: bool,
    /// Its scripts, besides the one of all pages.
    pub(crate) scripts: &'static [&'static str],
    /// The page below the top bar.
    pub(crate) body: &'static str,
}

impl Page {
    /// Answers with the page at an address, whose place among those of the top bar is marked.
    pub(crate) fn at(&self, places: Places, address: &str) -> Response {
        let place = |&(to, name): &(&str, &str)| {
            let current = if to == address { " aria-current=\"page\"" } else { "" };
            format!("<a href=\"{to}\"{current}>{name}</a>")
        };
        let places: String = places.iter().map(place).collect();
        self.write(["", ""], &format!("<a class=\"brand\" href=\"/\">Amazons</a>{places}"), SEARCH)
    }

    /// Answers with the page of a person who plays, whose files are below its own address.
    pub(super) fn of_person(&self, base: &str, game: &str, player: u8) -> Response {
        let data = format!(" data-game=\"{game}\" data-player=\"{player}\"");
        self.write([base, &data], "<span class=\"brand\">Amazons</span>", "")
    }

    fn write(&self, [base, data]: [&str; 2], places: &str, search: &str) -> Response {
        let style = |name| format!("<link rel=\"stylesheet\" href=\"{base}/assets/{name}\">\n");
        let script = |name| format!("<script src=\"{base}/assets/{name}\" defer></script>\n");
        let links = ["look.css", "viewer.css", "watch.css"].into_iter().map(style);
        let scripts = ["page.js"].iter().chain(self.scripts).copied().map(script);
        let heading = if self.has_heading { "<h1 id=\"title\">TITLE</h1>\n" } else { "" };
        let page = FRAME
            .replace("LINKS", &links.chain(scripts).collect::<String>())
            .replace("PLACES", places)
            .replace("DATA", data);
        let page = page.replace("HEADING", heading).replace("SEARCH", search).replace("TITLE", self.title);
        text("text/html", page.replace("BODY", &format!("{}{}", self.body, endings_element())))
    }
}
