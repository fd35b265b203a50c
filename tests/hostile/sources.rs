//! What each behaviour's file says.

use super::behaviour::Behaviour;
use super::traces::PREFIX;

#[test]
fn every_behaviour_says_what_to_expect_and_uses_files_of_its_own() {
    let behaviours: Vec<_> = Behaviour::all().collect();
    assert!(behaviours.len() > 300, "{} behaviours", behaviours.len());
    for Behaviour { name, source, .. } in behaviours {
        let first = source.lines().next().unwrap_or_default();
        assert!(first.starts_with("// expect: "), "{name}: {first}");
        for (at, _) in source.match_indices(PREFIX) {
            let rest = &source[at + PREFIX.len()..];
            assert!(rest.starts_with(name), "{name} uses a file that is not named after it: {PREFIX}{rest:.20}");
        }
    }
}
