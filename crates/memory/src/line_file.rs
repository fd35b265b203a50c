use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Error, ErrorKind};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::process;

use rustix::fs::{FallocateFlags, MemfdFlags, Mode, OFlags, SealFlags};
use rustix::process::Resource;

use crate::{CacheLine, Lines};

const LINE: u64 = size_of::<CacheLine>() as u64;

/// Space for the token after the lines.
const TAIL: u64 = 4096;

/// The length of an address.
const ADDRESS_LEN: usize = 16;

/// Lines that processes of one user on one machine can share: an anonymous file in memory.
///
/// It takes only as much memory as the pages in use, and ends with the last process that has it open or mapped.
#[derive(Debug)]
pub struct LineFile {
    file: OwnedFd,
    /// A random number, stored after the lines: a process that opens the file checks it.
    token: u64,
    number: u64,
}

impl LineFile {
    /// Makes a file of `number` lines of zeros.
    pub fn create(number: u64) -> io::Result<Self> {
        let length = length(number)?;
        // Beyond this limit, the system would end the process.
        if rustix::process::getrlimit(Resource::Fsize).current.is_some_and(|limit| limit < length) {
            return Err(ErrorKind::FileTooLarge.into());
        }
        let file = rustix::fs::memfd_create("lines", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        rustix::fs::ftruncate(&file, length)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let token = RandomState::new().build_hasher().finish();
        rustix::io::pwrite(&file, &token.to_le_bytes(), length - TAIL)?;
        Ok(Self { file, token, number })
    }

    /// Returns where other processes find the file, as long as this process has it open.
    pub fn address(&self) -> [u8; ADDRESS_LEN] {
        let file = u64::from(process::id()) | u64::from(self.file.as_raw_fd().unsigned_abs()) << 32;
        (u128::from(file) | u128::from(self.token) << 64).to_le_bytes()
    }

    /// Opens the file of `number` lines at an address. Fails if it is on another machine, no longer exists, or has
    /// another length.
    pub fn open(address: &[u8], number: u64) -> io::Result<Self> {
        let wrong = |what| Error::new(ErrorKind::InvalidData, what);
        let address =
            <[u8; ADDRESS_LEN]>::try_from(address).map_err(|_| wrong("not the address of a file of lines"))?;
        let address = u128::from_le_bytes(address);
        let (process, file) = (address & u128::from(u32::MAX), (address >> 32) & u128::from(u32::MAX));
        let path = format!("/proc/{process}/fd/{file}");
        // The path may lead to anything: without this, opening a pipe could block.
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = rustix::fs::open(path, flags, Mode::empty())?;
        let length = length(number)?;
        if u64::try_from(rustix::fs::fstat(&file)?.st_size) != Ok(length) {
            return Err(wrong("a file of another length"));
        }
        // A file that shrinks would end the process that reads it.
        if !rustix::fs::fcntl_get_seals(&file)?.contains(SealFlags::SHRINK) {
            return Err(wrong("a file that may shrink"));
        }
        let mut token = [0; 8];
        let read = rustix::io::pread(&file, &mut token, length - TAIL)?;
        if read != token.len() || u128::from(u64::from_le_bytes(token)) != address >> 64 {
            return Err(wrong("another file"));
        }
        Ok(Self { file, token: u64::from_le_bytes(token), number })
    }

    /// Maps `number` lines from `first`, a multiple of 64. Every process that maps them sees what the others write.
    /// Fails if they are outside the file, or the system has no room for them.
    pub fn map(&self, first: u64, number: usize) -> io::Result<Lines> {
        let end = u64::try_from(number).ok().and_then(|number| first.checked_add(number));
        if number == 0 || !first.is_multiple_of(64) || end.is_none_or(|end| end > self.number) {
            return Err(ErrorKind::InvalidInput.into());
        }
        Lines::of_file(&self.file, first * LINE, number)
    }

    /// Zeroes lines and releases their memory.
    pub fn clear(&self, first: u64, number: u64) -> io::Result<()> {
        let end = first.checked_add(number).filter(|&end| end <= self.number).ok_or(ErrorKind::InvalidInput)?;
        let how = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        Ok(rustix::fs::fallocate(&self.file, how, first * LINE, (end - first) * LINE)?)
    }
}

fn length(number: u64) -> io::Result<u64> {
    let length = number.checked_mul(LINE).and_then(|bytes| bytes.checked_add(TAIL));
    length.filter(|&length| i64::try_from(length).is_ok()).ok_or_else(|| ErrorKind::FileTooLarge.into())
}
