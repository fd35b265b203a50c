//! The machine code of libraries, compared without names and debug information.

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, SectionFlags};
use sha2::{Digest, Sha256};

use crate::text::visible;

/// The sections that are what a library does; constants of numbers and texts are in the second.
const CODE: [&str; 3] = [".text", ".rodata", ".data"];

/// Less code than this is what the compiler adds to every library.
const MIN_LEN: u64 = 512;

/// Sections that are named: names come from those who handed in.
const DIFFERENCES_MAX: usize = 10;

/// Stands for the code of a library.
pub(super) type Code = [u8; 32];

type Elf<'a> = ElfFile64<'a, Endianness>;

/// Returns what stands for a library's code; `None` if it is not a library or has hardly any.
pub(super) fn code_of(library: &[u8]) -> Option<Code> {
    let elf: Elf<'_> = Elf::parse(library).ok()?;
    let mut hash = Sha256::new();
    for name in CODE {
        let bytes = elf.section_by_name(name).and_then(|section| section.data().ok()).unwrap_or_default();
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    (elf.section_by_name(".text")?.size() >= MIN_LEN).then(|| hash.finalize().into())
}

/// Lists the sections in which two libraries with the same code differ, those that are loaded first.
pub(super) fn differences(one: &[u8], other: &[u8]) -> Vec<String> {
    let [Ok(one), Ok(other)] = [Elf::parse(one), Elf::parse(other)] else { return Vec::new() };
    let bytes =
        |elf: &Elf<'_>, name: &str| elf.section_by_name(name).and_then(|section| Some(section.data().ok()?.to_vec()));
    let mut names: Vec<(bool, String)> = one
        .sections()
        .chain(other.sections())
        .filter_map(|section| {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { return None };
            let is_loaded = sh_flags.contains(object::elf::SHF_ALLOC);
            Some((!is_loaded, section.name().ok()?.to_owned()))
        })
        .filter(|(_, name)| bytes(&one, name) != bytes(&other, name))
        .collect();
    names.sort();
    names.dedup();
    names.into_iter().take(DIFFERENCES_MAX).map(|(_, name)| visible(&name).chars().take(40).collect()).collect()
}
