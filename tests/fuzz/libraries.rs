//! Debug information of damaged libraries: unknown, wrong, but never a panic.

use amazons_sandbox::locate_in;
use object::{Object, ObjectSection};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use super::allocation::largest;
use super::check;
use super::mutation::{mutated, mutations};
use crate::support;

const SOURCE: &str = "\
static inline __attribute__((always_inline)) int inlined(int x) { return x / 7; }
int shown(int x) { return inlined(x + 1) + 3; }
";

fn libraries() -> Vec<Vec<u8>> {
    let flags = [&["-O1", "-gdwarf-5"][..], &["-O1", "-gdwarf-4"], &["-O1", "-g0"]];
    let build = |flags: &&[&str]| {
        let (_folder, library) = support::compile_c(SOURCE, flags);
        std::fs::read(library).expect("a library")
    };
    flags.iter().map(build).collect()
}

fn judge(library: &[u8], offsets: &[u64]) -> TestCaseResult {
    let (places, memory) = largest(|| locate_in(library, offsets));
    prop_assert_eq!(places.len(), offsets.len());
    prop_assert!(memory <= 64 * (library.len() + 1024), "{} bytes at once for a file of {}", memory, library.len());
    Ok(())
}

#[test]
fn damaged_libraries_are_read_or_not() {
    let libraries = libraries();
    let count = libraries.len();
    let offsets = [0..0x5000_u64, 0x1000..0x1200, 0x1100..0x1140];
    check("damaged libraries", 500, &(0..count, mutations(b""), offsets), |(which, damage, offsets)| {
        judge(&mutated(&libraries[which], &damage), &offsets)
    });
}

/// The bytes of debug information in a file.
fn debug_bytes(library: &[u8]) -> Vec<usize> {
    let object = object::File::parse(library).expect("an ELF file");
    let debug = object.sections().filter(|section| section.name().is_ok_and(|name| name.starts_with(".debug_")));
    debug.filter_map(|section| section.file_range()).flat_map(|(at, len)| at as usize..(at + len) as usize).collect()
}

#[test]
fn damaged_debug_sections_are_read_or_not() {
    let libraries: Vec<(Vec<u8>, Vec<usize>)> = libraries()
        .into_iter()
        .map(|library| (library.clone(), debug_bytes(&library)))
        .filter(|(_, debug)| !debug.is_empty())
        .collect();
    assert_eq!(libraries.len(), 2);
    let changes = vec((any::<Index>(), any::<u8>()), 1..40);
    let strategy = (0..libraries.len(), changes, 0x1000..0x1200_u64);
    check("damaged debug sections", 500, &strategy, |(which, changes, offset)| {
        let (mut bytes, debug) = libraries[which].clone();
        for (at, value) in changes {
            bytes[debug[at.index(debug.len())]] = value;
        }
        judge(&bytes, &[offset, offset + 9])
    });
}
