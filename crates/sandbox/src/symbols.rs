//! Finds the source locations of addresses in a library: function, file and line.
//!
//! The library and its debug information come from a player and may be wrong on purpose. Use this in a process with
//! nothing to lose; unreadable information counts as unknown.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use addr2line::gimli::{DwarfSections, EndianSlice, RunTimeEndian, SectionId};
use addr2line::{Context, demangle_auto};
use flate2::read::ZlibDecoder;
use object::{CompressionFormat, Object, ObjectSection, ObjectSymbol, SymbolKind};

/// Larger libraries are neither read nor loaded.
pub const LIBRARY_MAX: u64 = 256 << 20;
/// Maximum length of all compressed debug information, unpacked.
const UNPACKED_MAX: u64 = 256 << 20;
/// Maximum number of functions at one place; more are ignored.
const INLINED_MAX: usize = 64;
/// Longer names are omitted.
const NAME_MAX: usize = 4096;

/// A source location in a library, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLocation {
    /// The innermost function, inlined ones included, preferably the author's own; names of Rust and C++ are demangled.
    pub function: Option<String>,
    /// The source file as in the debug information.
    pub file: Option<String>,
    /// The line in the file, from 1.
    pub line: Option<u32>,
}

impl fmt::Display for SourceLocation {
    /// `FUNCTION at FILE:LINE`, as far as known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.as_deref().unwrap_or("?"))?;
        if let Some(file) = &self.file {
            write!(f, " at {file}")?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
        }
        Ok(())
    }
}

impl SourceLocation {
    fn known(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}

/// Finds the place at each offset from the library's load base; `None` if unknown.
///
/// An offset is an address in the file: the first segment of a shared library is at 0. The caller must convert return
/// addresses to addresses of calls, which end one byte before.
#[must_use]
pub fn locate(library: &Path, offsets: &[u64]) -> Vec<Option<SourceLocation>> {
    read(library).map_or_else(|| vec![None; offsets.len()], |bytes| locate_in(&bytes, offsets))
}

/// As [`locate`], for a library already read.
#[must_use]
pub fn locate_in(library: &[u8], offsets: &[u64]) -> Vec<Option<SourceLocation>> {
    let Ok(object) = object::File::parse(library) else {
        return vec![None; offsets.len()];
    };
    let sections = debug_sections(&object);
    let endian = if object.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let lines = unharmed(|| Context::from_dwarf(dwarf).ok());
    let symbols = nearest_symbols(&object, offsets);
    let described = |&offset| lines.as_ref().and_then(|lines| unharmed(|| place(lines, offset))).unwrap_or_default();
    let named = offsets.iter().map(described).zip(symbols);
    named.map(|(place, symbol)| SourceLocation { function: place.function.or(symbol), ..place }.known()).collect()
}

fn read(library: &Path) -> Option<Vec<u8>> {
    // Opening a pipe would wait for its other end.
    fs::metadata(library).ok().filter(|data| data.is_file() && data.len() <= LIBRARY_MAX)?;
    let mut bytes = Vec::new();
    File::open(library).ok()?.take(LIBRARY_MAX + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LIBRARY_MAX).then_some(bytes)
}

/// Catches panics: readers of debug information assume that numbers do not overflow.
fn unharmed<T>(read: impl FnOnce() -> Option<T>) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(read)).ok().flatten()
}

/// Reads the debug information; unpacked sections beyond the limit count as missing.
fn debug_sections<'a>(object: &object::File<'a>) -> DwarfSections<Cow<'a, [u8]>> {
    let mut room = UNPACKED_MAX;
    let mut load = |id: SectionId| {
        let section = object.section_by_name(id.name())?.compressed_data().ok()?;
        match section.format {
            CompressionFormat::None => Some(Cow::Borrowed(section.data)),
            CompressionFormat::Zlib => {
                room = room.checked_sub(section.uncompressed_size)?;
                let mut bytes = Vec::new();
                // It may unpack to more than it says.
                ZlibDecoder::new(section.data).take(section.uncompressed_size).read_to_end(&mut bytes).ok()?;
                Some(Cow::Owned(bytes))
            }
            _ => None,
        }
    };
    let Ok(sections) = DwarfSections::load(|id| Ok::<_, Infallible>(load(id).unwrap_or_default()));
    sections
}

/// Looks an offset up in the debug information.
fn place(lines: &Context<EndianSlice<'_, RunTimeEndian>>, offset: u64) -> Option<SourceLocation> {
    // The search also looks at the next address.
    offset.checked_add(1)?;
    // Debug information in other files is ignored.
    let mut frames = lines.find_frames(offset).skip_all_loads().ok()?;
    let mut innermost = None;
    // The first frame is the innermost, followed by those it is inlined into.
    for _ in 0..INLINED_MAX {
        let Ok(Some(frame)) = frames.next() else { break };
        let function = frame.function.as_ref().and_then(|name| {
            let short = name.name.len() <= NAME_MAX;
            short.then(|| name.demangle().ok()).flatten().and_then(told)
        });
        let location = frame.location.as_ref();
        let place = SourceLocation {
            function,
            file: location.and_then(|location| location.file).and_then(|file| told(file.into())),
            line: location.and_then(|location| location.line).filter(|&line| line != 0),
        };
        let file = place.file.as_deref().unwrap_or_default();
        if !is_foreign(place.function.as_deref().unwrap_or_default(), file) {
            return Some(place);
        }
        innermost = innermost.or(Some(place));
    }
    innermost
}

/// Returns whether a function comes from a language's library or a package rather than from the player's author.
#[must_use]
pub fn is_foreign(function: &str, file: &str) -> bool {
    const FOLDERS: &str =
        "/rustc/|/rust/deps/|/usr/include/|/usr/lib|/usr/local/go/|/usr/local/lib/|../sysdeps/|./nptl/";
    const PARTS: &str = "/library/std/src/|/library/core/src/|/library/alloc/src/|/registry/src/|/pkg/mod/|\
        /go/src/runtime/|/include/c++/|/libstdc++-v3/|/sysdeps/|/lib/gcc/|/lib/zig/|/druntime/";
    FOLDERS.split('|').any(|folder| file.starts_with(folder))
        || PARTS.split('|').any(|part| file.contains(part))
        || ["runtime.", "std::", "core::", "alloc::"].iter().any(|module| function.starts_with(module))
}

/// Finds in the symbol tables the function that covers each offset; if several do, the one that begins last.
fn nearest_symbols(object: &object::File<'_>, offsets: &[u64]) -> Vec<Option<String>> {
    let mut nearest: Vec<Option<(u64, &[u8])>> = vec![None; offsets.len()];
    for symbol in object.symbols().chain(object.dynamic_symbols()) {
        if symbol.kind() != SymbolKind::Text || !symbol.is_definition() {
            continue;
        }
        let Some(name) = symbol.name_bytes().ok().filter(|name| !name.is_empty()) else { continue };
        let start = symbol.address();
        for (best, offset) in nearest.iter_mut().zip(offsets) {
            let covers = offset.checked_sub(start).is_some_and(|inside| inside < symbol.size());
            if covers && best.is_none_or(|(begins, _)| begins < start) {
                *best = Some((start, name));
            }
        }
    }
    let name_of = |(_, name): (u64, &[u8])| {
        let name = Some(name).filter(|name| name.len() <= NAME_MAX).map(String::from_utf8_lossy)?;
        unharmed(|| told(demangle_auto(name, None)))
    };
    nearest.into_iter().map(|best| best.and_then(name_of)).collect()
}

fn told(text: Cow<'_, str>) -> Option<String> {
    Some(text).filter(|text| !text.is_empty() && text.len() <= NAME_MAX).map(Cow::into_owned)
}
