/// The manifest of this repository; the crates inherit versions, dependencies and lints from it.
const ROOT_MANIFEST: &str = include_str!("../../Cargo.toml");

/// Returns the tables of the root manifest that its member crates inherit from, for a workspace whose crates are in
/// `vendor` instead of `crates`.
pub(super) fn inherited_tables() -> String {
    let mut tables = String::new();
    let mut inherited = false;
    for line in ROOT_MANIFEST.lines() {
        if line.starts_with('[') {
            inherited = ["[workspace.package]", "[workspace.dependencies]", "[workspace.lints"]
                .iter()
                .any(|table| line.starts_with(table));
        }
        if inherited {
            tables.push_str(&line.replace("\"crates/", "\"vendor/"));
            tables.push('\n');
        }
    }
    tables
}
