//! The libraries and symbols that a library needs, read from its file before opening.

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::path::Path;
use std::ptr;
use std::slice;

use object::Endianness;
use object::elf::{DT_NEEDED, FileHeader64, SHT_DYNSYM};
use object::read::elf::{FileHeader, Sym};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// The names in a library's dynamic section.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DynamicSection {
    /// The libraries it requests from the loader.
    pub(super) libraries: Vec<String>,
    /// The symbols it needs from other libraries.
    pub(super) symbols: Vec<String>,
}

impl DynamicSection {
    /// Reads a library; an invalid one needs nothing, so the loader reports the error.
    pub(super) fn of(path: &Path) -> Self {
        let Ok(file) = Mapping::of(path) else {
            return Self::default();
        };
        Self::parse(file.bytes()).unwrap_or_default()
    }

    fn parse(bytes: &[u8]) -> object::read::Result<Self> {
        let header = FileHeader64::<Endianness>::parse(bytes)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, bytes)?;
        let mut needs = Self::default();
        let dynamic = sections.dynamic_table(endian, bytes)?;
        for entry in dynamic.iter().filter(|entry| entry.tag == DT_NEEDED) {
            needs.libraries.push(text(dynamic.string(entry)?));
        }
        let symbols = sections.symbols(endian, bytes, SHT_DYNSYM)?;
        for symbol in symbols.iter().filter(|s| s.is_undefined(endian) && !s.is_weak()) {
            // Symbol 0 means none.
            let name = symbols.symbol_name(endian, symbol)?;
            if !name.is_empty() {
                needs.symbols.push(text(name));
            }
        }
        Ok(needs)
    }

    /// Returns whether the library requests a library of this name, in any version.
    pub(super) fn library(&self, stem: &str) -> bool {
        self.libraries.iter().any(|name| {
            let version = name.rsplit('/').next().and_then(|name| name.strip_prefix(stem));
            version.is_some_and(|version| version.starts_with(".so"))
        })
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file mapped into memory: of a large player, only the few relevant pages are read.
struct Mapping {
    start: *mut c_void,
    len: usize,
}

impl Mapping {
    fn of(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        // SAFETY: a new mapping at an address chosen by the kernel overlaps no memory in use.
        let start = unsafe { mmap(ptr::null_mut(), len, ProtFlags::READ, MapFlags::PRIVATE, &file, 0)? };
        Ok(Self { start, len })
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping is readable, `len` bytes long and lives as long as `self`. A process that rewrites the
        // file meanwhile also rewrites what the dynamic loader maps right after.
        unsafe { slice::from_raw_parts(self.start.cast(), self.len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no slice of it outlives `self`.
        let unmapped = unsafe { munmap(self.start, self.len) };
        debug_assert!(unmapped.is_ok());
    }
}
