use std::fs;
use std::path::Path;

use amazons::watch::page_types;

/// With `UPDATE_TYPES=1` in the environment, the file is written anew.
#[test]
fn the_scripts_of_pages_have_the_types_of_the_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/watch/assets/types.d.ts");
    if std::env::var_os("UPDATE_TYPES").is_some() {
        fs::write(&path, page_types()).expect("room");
    }
    let found = fs::read_to_string(&path).expect("a file");
    assert!(found == page_types(), "{} is outdated: UPDATE_TYPES=1 ./install/alltests watch::types", path.display());
}
