//! Archives of sources from strangers: only regular files with plain names come out, within limits.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use amazons_program::files::open;
use anyhow::{Context, anyhow};
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use rawzip::{CompressionMethod, ZipArchive};

/// Maximum number of files and folders, of bytes in all files, and of bytes in a zip archive itself, which is read at
/// once.
const ENTRIES_MAX: usize = 20_000;
const BYTES_MAX: u64 = 256 << 20;
const ZIP_MAX: u64 = 64 << 20;

/// Maximum length of a name in bytes, and of the folders in it.
const NAME_MAX: usize = 240;
const DEPTH_MAX: usize = 24;

/// Maximum length in bytes of what a tar archive tells of a file besides its content, which is read at once.
const ABOUT_MAX: u64 = 1 << 20;

/// Longer files keep the line ends of Windows.
const SCRIPT_MAX: u64 = 1 << 20;

/// Where the letters are that mark a tar archive.
const TAR_MARK: usize = 257;

/// Why the files of an archive cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The archive's fault: a lower-case fragment.
    #[error("{0}")]
    Refused(String),
    /// Ours.
    #[error("{0:#}")]
    Own(#[from] anyhow::Error),
}

fn refused<T>(reason: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable::Refused(reason.into()))
}

fn damaged(error: impl std::fmt::Display) -> Unreadable {
    let advice = "curl sends it whole with --data-binary, not with -d";
    Unreadable::Refused(format!("the archive is damaged or cut off: {error} ({advice})"))
}

/// A file of an archive.
pub struct Packed<'a> {
    /// Its name, relative, without any of `..`.
    pub name: PathBuf,
    /// Whether it is a program.
    pub is_program: bool,
    /// The bytes in it; errors are the archive's.
    pub content: &'a mut dyn Read,
}

impl std::fmt::Debug for Packed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packed").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Visits the files of a tar, tar.gz or zip archive, recognised by its bytes.
///
/// Left out are what no build needs or what it must make itself: the folders of version control and of macOS, compiled
/// objects and libraries, and what cargo built elsewhere. Fails when it is not such an archive, holds anything but
/// files and folders, a name that leads out of it, or more than a project may have; or when `visit` fails.
pub fn each_file(
    archive: &Path,
    visit: &mut dyn FnMut(Packed<'_>) -> Result<(), Unreadable>,
) -> Result<(), Unreadable> {
    let unreadable = || format!("cannot read {}", archive.display());
    let head = head(archive).with_context(unreadable)?;
    let file = open(archive).with_context(unreadable)?;
    match (useless(&head), &head[..]) {
        (Some(reason), _) => refused(reason),
        (None, [0x1f, 0x8b, ..]) => tar(MultiGzDecoder::new(file), visit),
        (None, [b'P', b'K', ..]) => zip(file, visit),
        _ => tar(file, visit),
    }
}

/// Reads the first bytes of a file, which show what it is.
pub(crate) fn head(file: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    open(file)?.take(TAR_MARK as u64 + 5).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns why a file with these first bytes cannot become a player.
pub(crate) fn useless(head: &[u8]) -> Option<&'static str> {
    Some(match head {
        [0x7f, b'E', b'L', b'F', ..] | [0x1f, 0x8b, ..] | [b'P', b'K', 3..=6, ..] => return None,
        _ if head.get(TAR_MARK..).is_some_and(|mark| mark == b"ustar") => return None,
        [] => "the upload is empty",
        [b'B', b'Z', b'h', ..]
        | [0xfd, b'7', b'z', ..]
        | [0x28, 0xb5, 0x2f, 0xfd, ..]
        | [b'7', b'z', ..]
        | [b'R', b'a', b'r', ..] => "this kind of archive is not read: pack the sources as .tar.gz or .zip",
        [b'M', b'Z', ..] => "a library for Windows does not run here: hand in its sources",
        [0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => {
            "a library for macOS does not run here: hand in its sources"
        }
        _ => "this is not a .so, .tar, .tar.gz or .zip",
    })
}

/// A stream that fails when it goes on for too long.
struct Bounded<R> {
    source: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.source.read(buffer)?;
        self.left = self.left.checked_sub(len as u64).ok_or_else(|| io::Error::other(too_large()))?;
        Ok(len)
    }
}

fn too_large() -> String {
    format!("it unpacks to more than {} MiB", BYTES_MAX >> 20)
}

fn tar(source: impl Read, visit: &mut dyn FnMut(Packed<'_>) -> Result<(), Unreadable>) -> Result<(), Unreadable> {
    let mut archive = tar::Archive::new(Bounded { source, left: BYTES_MAX });
    let mut count = Count::default();
    // The name of the next file, if an entry of its own tells it.
    let mut told = None;
    for entry in archive.entries().map_err(damaged)?.raw(true) {
        let mut entry = entry.map_err(damaged)?;
        let kind = entry.header().entry_type();
        let is_name = kind.is_gnu_longname();
        if is_name || kind.is_gnu_longlink() || kind.is_pax_local_extensions() || kind.is_pax_global_extensions() {
            if entry.size() > ABOUT_MAX {
                return refused(format!("it tells more than {} KiB about a file", ABOUT_MAX >> 10));
            }
            let mut about = Vec::new();
            entry.read_to_end(&mut about).map_err(damaged)?;
            if is_name {
                told = Some(about.strip_suffix(b"\0").unwrap_or(&about).to_vec());
            } else if kind.is_pax_local_extensions() {
                told = pax_name(&about)?.or(told);
            }
            continue;
        }
        let name = told.take().map_or_else(|| entry.path_bytes(), Cow::Owned);
        let name = String::from_utf8_lossy(&name).into_owned();
        let Some(path) = count.admit(&name)?.filter(|_| !kind.is_dir()) else { continue };
        if !(kind.is_file() || kind.is_contiguous()) {
            return refused(format!("{} is a link or a device: only files and folders are taken", shown(&name)));
        }
        let is_program = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
        visit(Packed { name: path, is_program, content: &mut entry })?;
    }
    Ok(())
}

/// Returns the name in what a pax archive tells of a file.
fn pax_name(about: &[u8]) -> Result<Option<Vec<u8>>, Unreadable> {
    let mut name = None;
    for record in tar::PaxExtensions::new(about).filter_map(Result::ok) {
        match record.key_bytes() {
            b"path" => name = Some(record.value_bytes().to_vec()),
            // Only files of 8 GiB need it.
            b"size" => return refused(too_large()),
            _ => {}
        }
    }
    Ok(name)
}

fn zip(file: File, visit: &mut dyn FnMut(Packed<'_>) -> Result<(), Unreadable>) -> Result<(), Unreadable> {
    let mut bytes = Vec::new();
    file.take(ZIP_MAX + 1).read_to_end(&mut bytes).context("cannot read the archive")?;
    if bytes.len() as u64 > ZIP_MAX {
        return refused(format!("the archive is larger than {} MiB", ZIP_MAX >> 20));
    }
    let archive = ZipArchive::from_slice(&bytes).map_err(damaged)?;
    let (mut count, mut left) = (Count::default(), BYTES_MAX);
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        let Some(path) = count.admit(&name)?.filter(|_| !entry.file_path().is_dir()) else { continue };
        // The kind of file is in the upper bits where a Unix made the archive.
        let mode = entry.mode().value();
        if !matches!(mode & 0o170_000, 0 | 0o100_000 | 0o040_000) {
            return refused(format!("{} is a link or a device: only files and folders are taken", shown(&name)));
        }
        if entry.flags().is_encrypted() {
            return refused(format!("{} is encrypted", shown(&name)));
        }
        let packed = archive.get_entry(entry.wayfinder()).map_err(damaged)?;
        let source: Box<dyn Read> = match entry.compression_method() {
            CompressionMethod::STORE => Box::new(packed.data()),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(packed.data())),
            _ => return refused(format!("{} is packed in an unusual way: use plain zip", shown(&name))),
        };
        let mut content = Bounded { source: packed.verifying_reader(source), left };
        visit(Packed { name: path, is_program: mode & 0o111 != 0, content: &mut content })?;
        left = content.left;
    }
    Ok(())
}

/// Counts the entries of an archive, and judges their names.
#[derive(Default)]
struct Count {
    files: usize,
    folders: BTreeSet<PathBuf>,
}

impl Count {
    /// Returns the path of an entry; `None` if it is left out.
    fn admit(&mut self, name: &str) -> Result<Option<PathBuf>, Unreadable> {
        let no_name = || refused(format!("{} is no name for a file of sources", shown(name)));
        if name.len() > libc::PATH_MAX.unsigned_abs() as usize {
            return no_name();
        }
        // Some programs for Windows write these.
        let plain = name.replace('\\', "/");
        let is_drive = plain.as_bytes().get(1) == Some(&b':');
        let mut path = PathBuf::new();
        for part in plain.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part == ".." {
                return refused(format!("{} leads out of the archive", shown(name)));
            }
            path.push(part);
        }
        if plain.starts_with('/') || is_drive {
            return refused(format!("{} is an absolute path", shown(name)));
        }
        if path.file_name().is_none() || is_left_out(&path) {
            return Ok(None);
        }
        if plain.len() > NAME_MAX || path.components().count() > DEPTH_MAX || plain.contains(char::is_control) {
            return no_name();
        }
        self.files += 1;
        for folder in path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
            if !self.folders.insert(folder.to_owned()) {
                break;
            }
        }
        if self.files + self.folders.len() > ENTRIES_MAX {
            return refused(format!("the archive has more than {ENTRIES_MAX} files and folders"));
        }
        Ok(Some(path))
    }
}

/// Returns whether a build does not need a file, or must make it itself.
pub(in crate::course) fn is_left_out(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let is_foreign = |part: &&str| matches!(*part, "__MACOSX" | ".DS_Store" | ".git" | ".svn" | ".hg");
    let is_built = matches!(path.extension().and_then(|ending| ending.to_str()), Some("so" | "o" | "obj" | "dll"));
    parts.iter().any(is_foreign)
        || parts.iter().any(|part| part.starts_with("._"))
        || parts.windows(2).any(|two| matches!(two, ["target", "debug" | "release" | "doc" | "tmp" | "CACHEDIR.TAG"]))
        || parts.windows(3).any(|three| matches!(three, ["target", _, "debug" | "release" | "deps" | "build"]))
        || (is_built && !parts.contains(&"vendor"))
}

/// A name as it can be shown.
fn shown(name: &str) -> String {
    let short: String = name.chars().take(80).collect();
    format!("'{}'", crate::text::visible(&short))
}

/// Unpacks an archive into an empty folder of our own. For errors see [`each_file`]; a file that is there twice is an
/// error, too.
pub(super) fn unpack(archive: &Path, into: &Path) -> Result<(), Unreadable> {
    each_file(archive, &mut |file| {
        let path = into.join(&file.name);
        let shown = shown(&file.name.to_string_lossy());
        let clash = || Unreadable::Refused(format!("{shown} is in the archive twice, or as a file and as a folder"));
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => clash(),
            _ => Unreadable::Own(anyhow!(error).context(format!("cannot write {}", path.display()))),
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let is_script = is_script(&path);
        let mode = if file.is_program || is_script { 0o755 } else { 0o644 };
        let mut out = File::options().write(true).create_new(true).mode(mode).open(&path).map_err(failed)?;
        copy(file.content, &mut out, &failed)?;
        if is_script {
            without_returns(&path).map_err(failed)?;
        }
        Ok(())
    })
}

/// Copies a file out of an archive: errors in reading are the archive's.
fn copy(from: &mut dyn Read, to: &mut impl Write, failed: &impl Fn(io::Error) -> Unreadable) -> Result<(), Unreadable> {
    let mut block = vec![0; 1 << 16];
    loop {
        match from.read(&mut block).map_err(damaged)? {
            0 => return Ok(()),
            len => to.write_all(&block[..len]).map_err(failed)?,
        }
    }
}

/// Returns whether make or a shell reads a file, which stumble over the line ends of Windows.
fn is_script(path: &Path) -> bool {
    let is_named = |name: &str| matches!(name, "Makefile" | "makefile" | "GNUmakefile" | "configure");
    let ends = |ending: &str| matches!(ending, "mk" | "sh");
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_named)
        || path.extension().and_then(|ending| ending.to_str()).is_some_and(ends)
}

fn without_returns(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.len() > SCRIPT_MAX {
        return Ok(());
    }
    let text = fs::read(path)?;
    if !text.windows(2).any(|two| two == b"\r\n") {
        return Ok(());
    }
    let kept = |(place, byte): (usize, &u8)| (*byte != b'\r' || text.get(place + 1) != Some(&b'\n')).then_some(*byte);
    fs::write(path, text.iter().enumerate().filter_map(kept).collect::<Vec<u8>>())
}
