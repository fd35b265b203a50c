//! A library's needs and definitions, read from its file before opening.

use std::collections::BTreeSet;
use std::ffi::{CString, c_void};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::ptr;
use std::slice;

use object::elf::{
    DF_SYMBOLIC, DT_FLAGS, DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SYMBOLIC, FileHeader64, PT_LOAD, ProgramHeader64,
    SHF_WRITE, SHT_DYNSYM, STB_GNU_UNIQUE, Sym64,
};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, SectionHeader, Sym};
use object::{Endianness, LittleEndian, SectionIndex, SymbolIndex, pod};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::files::ELF_MAGIC;

/// A file may be wrong on purpose: everything beyond these limits is ignored.
const NEEDED_MAX: usize = 1 << 10;
const SYMBOLS_MAX: usize = 1 << 16;
const RELOCATIONS_MAX: usize = 1 << 20;
const NAME_MAX: usize = 1 << 10;

/// The names in a library's dynamic section.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DynamicSection {
    /// The libraries it requests.
    pub(super) libraries: Vec<String>,
    /// The folders that the loader searches for them first.
    pub(super) folders: Vec<String>,
    /// The symbols it needs from other libraries.
    pub(super) symbols: Vec<String>,
    /// The symbols it defines and uses, where the loader prefers another library's.
    pub(super) preemptible: BTreeSet<String>,
    /// The variables it defines that are the same in all libraries of a process.
    pub(super) unique: BTreeSet<String>,
}

impl DynamicSection {
    /// Reads a library; an invalid one has no needs, so the loader reports the error.
    pub(super) fn of(path: &Path) -> Self {
        let Ok(file) = Mapping::of(path) else {
            return Self::default();
        };
        Self::parse(file.bytes())
    }

    /// As [`Self::of`], for a library already read.
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let mut names = Self::default();
        // Everything before an error counts.
        let _ = names.read(bytes);
        names
    }

    fn read(&mut self, bytes: &[u8]) -> object::read::Result<()> {
        let header = FileHeader64::<Endianness>::parse(bytes)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, bytes)?;
        let strings = |index| sections.section(index)?.data(endian, bytes);
        let Some((dynamic, names)) = sections.dynamic(endian, bytes)? else { return Ok(()) };
        let names = strings(names)?;
        let mut is_symbolic = false;
        for entry in dynamic.iter().take(NEEDED_MAX) {
            match entry.d_tag(endian) {
                DT_NEEDED => self.libraries.extend(name(names, entry.d_val(endian))),
                DT_RPATH | DT_RUNPATH => {
                    let folders = name(names, entry.d_val(endian)).unwrap_or_default();
                    self.folders.extend(folders.split(':').map(str::to_owned));
                }
                DT_SYMBOLIC => is_symbolic = true,
                DT_FLAGS => is_symbolic |= entry.d_val(endian) & DF_SYMBOLIC.0 != 0,
                _ => {}
            }
        }
        let symbols = sections.symbols(endian, bytes, SHT_DYNSYM)?;
        let names = strings(symbols.string_section())?;
        let section_names = strings(header.shstrndx(endian, bytes).map(|index| SectionIndex(index as usize))?)?;
        let name_of = |symbol: &Sym64<Endianness>| name(names, symbol.st_name(endian).into());
        // Symbol 0 means none.
        for (index, symbol) in symbols.enumerate().skip(1).take(SYMBOLS_MAX) {
            if symbol.is_undefined(endian) {
                self.symbols.extend(name_of(symbol).filter(|_| !symbol.is_weak()));
            } else if symbol.st_bind() == STB_GNU_UNIQUE
                && let Some(section) = symbols.symbol_section(endian, symbol, index)?
                && let section = sections.section(section)?
                && section.sh_flags(endian).0 & SHF_WRITE.0 != 0
                && name(section_names, section.sh_name(endian).into()).as_deref() != Some(".data.rel.ro")
            {
                self.unique.extend(name_of(symbol));
            }
        }
        let tables = sections.iter().filter_map(|section| section.rela(endian, bytes).ok().flatten());
        let relocations = tables.flat_map(|(relocations, _)| relocations).filter(|_| !is_symbolic);
        for relocation in relocations.take(RELOCATIONS_MAX) {
            let symbol = symbols.symbol(SymbolIndex(relocation.r_sym(endian, false) as usize));
            let is_own = |symbol: &&Sym64<Endianness>| !symbol.is_undefined(endian) && !symbol.is_local();
            if let Some(symbol) = symbol.ok().filter(is_own).filter(|symbol| symbol.st_bind() != STB_GNU_UNIQUE) {
                self.preemptible.extend(name_of(symbol));
            }
        }
        Ok(())
    }

    /// Returns whether the library requests a library of this name, in any version.
    pub(super) fn library(&self, stem: &str) -> bool {
        self.libraries.iter().any(|name| {
            let version = name.rsplit('/').next().and_then(|name| name.strip_prefix(stem));
            version.is_some_and(|version| version.starts_with(".so"))
        })
    }
}

/// Returns whether a file is shorter than its headers announce: mapping and reading it would raise SIGBUS.
///
/// A file that is not a library for this machine is left to the loader.
pub(super) fn ends_early(file: &File) -> io::Result<bool> {
    const HEADER_LEN: usize = size_of::<FileHeader64<LittleEndian>>();
    let len = file.metadata()?.len();
    let mut bytes = [0; HEADER_LEN];
    let read = file.read_at(&mut bytes, 0)?;
    if !bytes.starts_with(&ELF_MAGIC) {
        return Ok(false);
    }
    if read < HEADER_LEN {
        return Ok(true);
    }
    let Ok(header) = FileHeader64::<LittleEndian>::parse(&bytes[..]) else { return Ok(false) };
    let (count, sections) = (usize::from(header.e_phnum.get(LittleEndian)), header.e_shoff.get(LittleEndian));
    let mut bytes = vec![0; count * size_of::<ProgramHeader64<LittleEndian>>()];
    if file.read_exact_at(&mut bytes, header.e_phoff.get(LittleEndian)).is_err() {
        return Ok(true);
    }
    let (segments, _) = pod::slice_from_bytes::<ProgramHeader64<LittleEndian>>(&bytes, count).unwrap_or_default();
    let loaded = segments
        .iter()
        .filter(|segment| segment.p_type(LittleEndian) == PT_LOAD)
        .map(|segment| segment.p_offset(LittleEndian).saturating_add(segment.p_filesz(LittleEndian)));
    let section_len = u64::from(header.e_shentsize.get(LittleEndian)) * u64::from(header.e_shnum.get(LittleEndian));
    let end_of_sections = if sections == 0 { 0 } else { sections.saturating_add(section_len) };
    Ok(loaded.max().unwrap_or(0).max(end_of_sections) > len)
}

/// Returns the name at an offset of a table, unless it is too long.
fn name(strings: &[u8], offset: u64) -> Option<String> {
    let rest = strings.get(usize::try_from(offset).ok()?..)?;
    let len = rest.iter().take(NAME_MAX).position(|&byte| byte == 0)?;
    Some(String::from_utf8_lossy(&rest[..len]).into_owned())
}

/// Returns whether a symbol can be found without opening anything.
pub(super) fn is_known(symbol: &str) -> bool {
    let Ok(symbol) = CString::new(symbol) else {
        return false;
    };
    // SAFETY: looking up a name in open libraries has no preconditions.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, symbol.as_ptr()) }.is_null()
}

/// A file mapped into memory: only the few relevant pages of a large player are read.
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
