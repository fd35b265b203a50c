use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;

/// The templates of new players, by language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// C99
    C,
    /// C99 that links the GNU Scientific Library.
    #[value(skip)]
    CWithGsl,
    /// Rust
    Rust,
    /// C++17
    Cpp,
    /// Go
    Go,
    /// Python, as a program behind bridge:
    Python,
}

/// Stands for the name of the new player in a template.
const NAME: &str = "{name}";

/// This repository's manifest; the crates inherit versions, dependencies and lints from it.
const ROOT_MANIFEST: &str = include_str!("../../Cargo.toml");

/// The manifest of a player in Rust, without the tables that it inherits.
const RUST_MANIFEST: &str = include_str!("template/rust.toml");

/// The files of the player and rules crates: path below `crates`, text.
const CRATES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded_crates.rs"));

const HEADERS: &str = "player/include/";

impl Template {
    /// Lists the files of a new player: path below its folder, text.
    pub(crate) fn files(self, name: &str) -> Vec<(PathBuf, String)> {
        match self {
            Self::C => c_files(name, &C_MOBILITY),
            Self::CWithGsl => c_files(name, &C_GSL),
            Self::Rust => rust_files(name),
            Self::Cpp => named(name, CPP).chain(headers()).collect(),
            Self::Go => named(name, GO).chain(headers()).collect(),
            Self::Python => {
                let bot = include_str!("../../examples/bridge/random_bot.py");
                let bot = bot.replace("random bot", name).replace("docs/protocol.md", "protocol.md");
                named(name, PYTHON).chain([("bot.py".into(), bot)]).collect()
            }
        }
    }
}

const CPP: &[(&str, &str)] = &[
    ("{name}.cpp", include_str!("template/cpp.cpp")),
    ("Makefile", include_str!("template/cpp.mk")),
    ("README.md", include_str!("template/cpp.md")),
    (".gitignore", "*.so\n"),
];

const GO: &[(&str, &str)] = &[
    ("player.go", include_str!("template/go.go")),
    ("go.mod", "module {name}\n\ngo 1.19\n"),
    ("Makefile", include_str!("template/go.mk")),
    ("README.md", include_str!("template/go.md")),
    (".gitignore", "*.so\n/*.h\n"),
];

const PYTHON: &[(&str, &str)] = &[
    ("Makefile", include_str!("template/python.mk")),
    ("README.md", include_str!("template/python.md")),
    ("protocol.md", include_str!("../../docs/protocol.md")),
];

/// A bundled C player as a template.
struct CSource {
    /// Its name, as used in its files.
    name: &'static str,
    source: &'static str,
    makefile: &'static str,
}

const C_MOBILITY: CSource = CSource {
    name: "c_mobility",
    source: include_str!("../../players/c_mobility/c_mobility.c"),
    makefile: include_str!("../../players/c_mobility/Makefile"),
};

const C_GSL: CSource = CSource {
    name: "c_gsl",
    source: include_str!("../../players/c_gsl/c_gsl.c"),
    makefile: include_str!("../../players/c_gsl/Makefile"),
};

fn c_files(name: &str, bundled: &CSource) -> Vec<(PathBuf, String)> {
    let makefile = bundled.makefile.replace("../../crates/player/include", "include").replace(bundled.name, name);
    let mut files = vec![
        (format!("{name}.c").into(), bundled.source.replace(bundled.name, name)),
        ("Makefile".into(), makefile),
        ("README.md".into(), include_str!("template/c.md").replace(NAME, name)),
        (".gitignore".into(), "*.so\n".to_owned()),
    ];
    files.extend(headers());
    files
}

/// Fills the name into a template's files.
fn named(name: &str, files: &[(&str, &str)]) -> impl Iterator<Item = (PathBuf, String)> {
    files.iter().map(move |(path, text)| (path.replace(NAME, name).into(), text.replace(NAME, name)))
}

/// Lists the headers of players, each with its path below the new player's folder.
pub(crate) fn headers() -> impl Iterator<Item = (PathBuf, String)> {
    let headers = CRATES.iter().filter_map(|(path, text)| Some((path.strip_prefix(HEADERS)?, *text)));
    headers.map(|(header, text)| (format!("include/{header}").into(), text.to_owned()))
}

fn rust_files(name: &str) -> Vec<(PathBuf, String)> {
    let manifest = RUST_MANIFEST.replace(NAME, name) + "\n" + &inherited_tables();
    let source = include_str!("../../players/random/src/lib.rs").replace("c\"random\"", &format!("c\"{name}\""));
    let mut files = vec![
        ("src/lib.rs".into(), source),
        ("Cargo.toml".into(), manifest),
        // The versions used by our own players.
        ("Cargo.lock".into(), include_str!("../../Cargo.lock").to_owned()),
        ("Makefile".into(), include_str!("template/rust.mk").replace(NAME, name)),
        ("README.md".into(), include_str!("template/rust.md").replace(NAME, name)),
        (".gitignore".into(), "/target/\n*.so\n".to_owned()),
    ];
    for (path, text) in CRATES {
        files.push((format!("amazons/{path}").into(), (*text).to_owned()));
    }
    files
}

/// Returns the tables of the root manifest that its member crates inherit, for a workspace whose crates are in `amazons`
/// instead of `crates`, without the dependencies that none of them names.
fn inherited_tables() -> String {
    let mut tables = String::new();
    let mut table = "";
    let key = |line: &'static str| line.split([' ', '.']).next();
    let manifests = CRATES.iter().filter(|(path, _)| path.ends_with("Cargo.toml")).map(|(_, text)| *text);
    let known: BTreeSet<_> = manifests.chain([RUST_MANIFEST]).flat_map(str::lines).map(key).collect();
    for line in ROOT_MANIFEST.lines() {
        if line.starts_with('[') {
            table = line;
        }
        let is_inherited = match table {
            "[workspace.dependencies]" => !line.contains(" = ") || known.contains(&key(line)),
            _ => table == "[workspace.package]" || table.starts_with("[workspace.lints"),
        };
        if is_inherited {
            tables.push_str(&line.replace("\"crates/", "\"amazons/"));
            tables.push('\n');
        }
    }
    tables
}
