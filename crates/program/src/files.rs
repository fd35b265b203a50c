//! Files that are opened, read and written with care: none may hang or fill the memory, and none is left half-written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Chain, Cursor, Read, Write};
use std::path::Path;
use std::process;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

/// Opens a regular file for reading: folders have no lines, and opening a pipe without a writer would wait forever.
pub fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    File::open(path)
}

/// The byte order mark that editors may put in front of a text.
pub const MARK: &[u8] = "\u{feff}".as_bytes();

/// Skips the byte order mark of a text.
pub fn text<R: Read>(mut source: R) -> io::Result<Chain<Cursor<Vec<u8>>, R>> {
    let mut start = Vec::new();
    // Byte by byte: a terminal or a pipe may have no more yet.
    while start.len() < MARK.len() && MARK.starts_with(&start) {
        if source.by_ref().take(1).read_to_end(&mut start)? == 0 {
            break;
        }
    }
    match start.first() {
        Some(0xfe | 0xff) => return Err(io::Error::other("it is UTF-16: save it as UTF-8")),
        Some(_) if start == MARK => start.clear(),
        _ => {}
    }
    Ok(Cursor::new(start).chain(source))
}

/// Reads a text of at most `max` bytes, without its byte order mark: it may be huge, or have no end.
pub fn read_bytes(source: impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    text(source)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {} MiB", max >> 20)));
    }
    Ok(bytes)
}

/// The same for a text that must be UTF-8.
pub fn read_text(source: impl Read, max: u64) -> io::Result<String> {
    String::from_utf8(read_bytes(source, max)?).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

/// The same for a file.
pub fn read_file(path: &Path, max: u64) -> io::Result<String> {
    read_text(File::open(path)?, max)
}

/// Replaces a file by these bytes, whole or not at all. Fails when the folder cannot take it; then nothing has changed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |out| out.write_all(bytes)).map(drop)
}

/// Replaces a file by what a function writes, whole or not at all: it is written under another name first. Returns the
/// file, open at its end. Devices and pipes are written to, not replaced; of a link, its target is replaced. Fails when
/// the function fails or the folder cannot take the file; then nothing has changed.
pub fn write_whole_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.exists() && !target.is_file() {
        return File::create(target).and_then(|file| fill(file, write));
    }
    by_draft(&target, write, |draft| fs::rename(draft, &target))
}

/// Makes a file with these bytes, whole or not at all. Fails with [`io::ErrorKind::AlreadyExists`] when it is there, or
/// when the folder cannot take it; then nothing has changed.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let keep = |draft: &Path| match renameat_with(CWD, draft, CWD, path, RenameFlags::NOREPLACE) {
        // Not all file systems can do that.
        Err(Errno::NOSYS | Errno::INVAL) => fs::hard_link(draft, path).and_then(|()| fs::remove_file(draft)),
        kept => Ok(kept?),
    };
    by_draft(path, |out| out.write_all(bytes), keep).map(drop)
}

/// Removes a file that may be there.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Writes a file under another name, which `keep` makes the right one.
fn by_draft(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    keep: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<File> {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", process::id()));
    let draft = target.with_file_name(name);
    let kept = File::create(&draft).and_then(|file| fill(file, write)).and_then(|file| {
        // After a crash of the whole machine, the name must not lead to a file without its content.
        file.sync_data()?;
        keep(&draft).map(|()| file)
    });
    // A draft is of no use to anyone.
    kept.inspect_err(|_| _ = fs::remove_file(&draft))
}

fn fill(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}
