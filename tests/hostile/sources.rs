//! The list of behaviours and the files agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use amazons_testing::skip;

use super::behaviour::Behaviour;
use super::list::SOURCES;
use super::traces::PREFIX;

/// Not a behaviour.
const RIVAL: &str = "rival";

#[test]
fn every_file_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let Ok(entries) = fs::read_dir(folder) else {
        return skip("the sources are elsewhere");
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "c"));
    let names = sources.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let files: BTreeSet<_> = names.filter(|name| name != RIVAL).collect();
    let listed: BTreeSet<_> = SOURCES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(files, listed);
}

#[test]
fn every_behaviour_says_what_to_expect_and_uses_files_of_its_own() {
    for behaviour in Behaviour::all() {
        let Behaviour { name, source, .. } = behaviour;
        let first = source.lines().next().unwrap_or_default();
        assert!(first.starts_with("// expect: "), "{name}: {first}");
        for (at, _) in source.match_indices(PREFIX) {
            let rest = &source[at + PREFIX.len()..];
            assert!(rest.starts_with(name), "{name} uses a file that is not named after it: {PREFIX}{rest:.20}");
        }
    }
}
