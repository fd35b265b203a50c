//! The head and the top bar of all pages, those that a server shows and those that are published as files.

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

/// The policy of published pages. `file:` is for those that are opened without a web server.
const PUBLISHED: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data: blob:; \
                         base-uri 'none'; form-action 'none'";

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
        self.filled(places, address, &[])
    }

    /// Answers like [`Page::at`], with words of the page exchanged for others.
    pub(crate) fn filled(&self, places: Places, address: &str, words: &[(&str, String)]) -> Response {
        // The first page answers a search.
        let search = if places.iter().any(|place| place.0 == "/") { SEARCH } else { "" };
        let page = self.write(&self.links(""), "", &places_element(places, address), search);
        text("text/html", words.iter().fold(page, |page, (old, new)| page.replace(old, new)))
    }

    /// Returns the page as a file among others that need no server; `data` are the scripts that stand in for one.
    pub(crate) fn published(&self, places: Places, address: &str, data: &[&str]) -> String {
        let search = if self.scripts.contains(&"index.js") { SEARCH } else { "" };
        let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{PUBLISHED}\">\n");
        let data = data.iter().map(|path| format!("<script src=\"{path}\" defer></script>\n"));
        let links = std::iter::once(policy).chain(data).collect::<String>() + &self.links(".");
        self.write(&links, "", &places_element(places, address), search)
    }

    /// Answers with the page of a person who plays, whose files are below its own address.
    pub(super) fn of_person(&self, base: &str, game: &str, player: u8) -> Response {
        let data = format!(" data-game=\"{game}\" data-player=\"{player}\"");
        text("text/html", self.write(&self.links(base), &data, "<span class=\"brand\">Amazons</span>", ""))
    }

    fn links(&self, base: &str) -> String {
        let style = |name| format!("<link rel=\"stylesheet\" href=\"{base}/assets/{name}\">\n");
        let script = |name| format!("<script src=\"{base}/assets/{name}\" defer></script>\n");
        let styles = ["look.css", "viewer.css", "watch.css"].into_iter().map(style);
        styles.chain(["page.js"].iter().chain(self.scripts).copied().map(script)).collect()
    }

    fn write(&self, links: &str, data: &str, places: &str, search: &str) -> String {
        let heading = if self.has_heading { "<h1 id=\"title\">TITLE</h1>\n" } else { "" };
        let page = FRAME.replace("LINKS", links).replace("PLACES", places).replace("DATA", data);
        let page = page.replace("HEADING", heading).replace("SEARCH", search).replace("TITLE", self.title);
        page.replace("BODY", &format!("{}{}", self.body, endings_element()))
    }
}

fn places_element(places: Places, address: &str) -> String {
    let home = places.first().map_or("", |place| place.0);
    let place = |&(to, name): &(&str, &str)| {
        let current = if to == address { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{to}\"{current}>{name}</a>")
    };
    format!("<a class=\"brand\" href=\"{home}\">Amazons</a>") + &places.iter().map(place).collect::<String>()
}
