//! Names of the places in a library.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use amazons_sandbox::{SourceLocation, locate};
use object::{Object, ObjectSymbol};

use crate::support;

const SOURCE: &str = "\
static __attribute__((noinline)) int hidden(int x) {
    return x * x + 3;
}
static inline __attribute__((always_inline)) int inlined(int x) {
    return x / 7 + 1;
}
int shown(int x) {
    return hidden(x + 1) + inlined(x);
}
";

/// Where functions begin, and how long they are.
fn functions(library: &Path) -> Vec<(String, u64, u64)> {
    let bytes = fs::read(library).expect("a library");
    let object = object::File::parse(&*bytes).expect("an ELF file");
    let symbols = object.symbols().filter(|symbol| symbol.size() > 0);
    symbols.map(|symbol| (symbol.name().expect("a name").to_owned(), symbol.address(), symbol.size())).collect()
}

fn function(library: &Path, name: &str) -> (u64, u64) {
    let found = functions(library).into_iter().find(|(known, ..)| known == name);
    found.map(|(_, start, size)| (start, size)).expect("the function was compiled")
}

/// The known name and line for each byte of a function.
fn described(library: &Path, (start, size): (u64, u64)) -> BTreeSet<(Option<String>, Option<u32>)> {
    let offsets: Vec<u64> = (start..start + size).collect();
    locate(library, &offsets).into_iter().flatten().map(|place| (place.function, place.line)).collect()
}

fn named(name: &str) -> Option<SourceLocation> {
    Some(SourceLocation { function: Some(name.to_owned()), ..SourceLocation::default() })
}

#[test]
fn debug_information_knows_function_file_and_line() {
    for flags in [&["-O1"][..], &["-O1", "-gdwarf-4"], &["-O1", "-gdwarf-5"]] {
        let (_folder, library) = support::compile_c(SOURCE, flags);
        let hidden = function(&library, "hidden");
        let lines = described(&library, hidden);
        assert!(lines.contains(&(Some("hidden".to_owned()), Some(2))), "{flags:?}: {lines:?}");
        let place = locate(&library, &[hidden.0]).remove(0).expect("a known place");
        assert!(place.file.is_some_and(|file| file.ends_with("source.c")));
        let shown = described(&library, function(&library, "shown"));
        assert!(shown.contains(&(Some("shown".to_owned()), Some(8))), "{flags:?}: {shown:?}");
        assert!(shown.contains(&(Some("inlined".to_owned()), Some(5))), "{flags:?}: {shown:?}");
    }
}

#[test]
fn without_debug_information_the_symbol_is_known() {
    let (_folder, library) = support::compile_c(SOURCE, &["-O1", "-g0"]);
    for name in ["hidden", "shown"] {
        let (start, size) = function(&library, name);
        assert_eq!(locate(&library, &[start, start + size - 1]), [named(name), named(name)]);
    }
}

#[test]
fn of_a_stripped_library_only_what_it_exports_is_known() {
    let (_whole_folder, whole) = support::compile_c(SOURCE, &["-O1"]);
    let (_folder, stripped) = support::compile_c(SOURCE, &["-O1", "-s"]);
    let offsets = ["hidden", "shown"].map(|name| function(&whole, name).0);
    assert_eq!(locate(&stripped, &offsets), [None, named("shown")]);
    let (_folder, nothing) = support::compile_c(SOURCE, &["-O1", "-s", "-fvisibility=hidden", "-Wl,-u,shown"]);
    assert_eq!(locate(&nothing, &offsets), [None, None]);
}

#[test]
fn names_of_rust_are_demangled() {
    let player = support::player("territory");
    let known = functions(&player).into_iter().find(|(name, ..)| name.contains("amazons_rules"));
    let (mangled, start, _) = known.expect("a function of the rules");
    let place = locate(&player, &[start]).remove(0).expect("a known place");
    let name = place.function.expect("a name");
    assert!(!name.starts_with("_ZN") && !name.starts_with("_R"), "{mangled}: {name}");
    assert!(name.contains("::"), "{mangled}: {name}");
}

#[test]
fn nothing_is_known_of_what_is_no_library() {
    let (folder, library) = support::compile_c(SOURCE, &["-O1"]);
    let (start, _) = function(&library, "shown");
    let bytes = fs::read(&library).expect("a library");
    let other = folder.path().join("other.so");
    for part in 0..64 {
        fs::write(&other, &bytes[..bytes.len() * part / 64]).expect("a file");
        assert_eq!(locate(&other, &[start, 0]).len(), 2, "{part} of 64");
    }
    fs::write(&other, &bytes[..bytes.len() / 4]).expect("a file");
    assert_eq!(locate(&other, &[start]), [None], "neither symbols nor debug information are left");
    fs::write(&other, "nothing but text\n").expect("a file");
    assert_eq!(locate(&other, &[start, u64::MAX]), [None, None]);
    for path in [folder.path(), Path::new("/dev/zero"), &folder.path().join("missing.so")] {
        assert_eq!(locate(path, &[start]), [None], "{}", path.display());
    }
    assert_eq!(locate(&library, &[]), []);
    assert_eq!(locate(&library, &[0, u64::MAX, 1 << 40]), [None, None, None]);
}

#[test]
fn a_library_that_is_too_large_is_not_read() {
    let (_folder, library) = support::compile_c(SOURCE, &["-O1"]);
    let (start, _) = function(&library, "shown");
    let file = fs::OpenOptions::new().write(true).open(&library).expect("a library");
    file.set_len(256 << 20).expect("a sparse file");
    assert!(locate(&library, &[start])[0].is_some());
    file.set_len((256 << 20) + 1).expect("a sparse file");
    assert_eq!(locate(&library, &[start]), [None]);
}
