//! The crash report of a player's process: where it was when a signal ended it.
//!
//! The handler runs in a process broken in an unknown way, so it takes no memory and no lock but the dynamic loader's;
//! if it crashes itself, it reports what it has collected so far. Afterwards the signal takes its default effect: only
//! the kernel decides how the process ended.

use std::cell::UnsafeCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicPtr, AtomicUsize, Ordering};
use std::{io, ptr};

use super::report::{FRAMES_MAX, Frame, MODULE_LEN, MODULES_MAX, OF_32_BITS, REPORT_LEN, RawCrashReport, STACK_FULL};

/// The signal that asks a late process where it is.
pub const WHERE: c_int = libc::SIGXCPU;

/// The signals for an error, which a process reports unless it handles or blocks them itself.
pub const REPORTED: [c_int; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP];

/// Stack for the handler if the player has used up its own.
const STACK_LEN: usize = 64 << 10;

/// The return value that lets the unwinder continue; any other stops it.
const GO_ON: c_int = 0;
const STOP: c_int = 4;

/// The name of the server's own part in a report.
const SERVER: &CStr = c"server";

unsafe extern "C" {
    /// Visits the frames of this thread's stack; part of the compiler's runtime library.
    fn _Unwind_Backtrace(visit: extern "C" fn(*mut c_void, *mut c_void) -> c_int, data: *mut c_void) -> c_int;
    /// The address of a frame, and whether it is exact rather than that of the next instruction.
    fn _Unwind_GetIPInfo(context: *mut c_void, is_exact: *mut c_int) -> usize;
}

/// Memory that the handler writes to; only the first dying thread gets that far.
struct Scratch<T>(UnsafeCell<T>);

// SAFETY: the thread that wins `DYING` has it to itself.
unsafe impl<T> Sync for Scratch<T> {}

static STACK: Scratch<[u8; STACK_LEN]> = Scratch(UnsafeCell::new([0; STACK_LEN]));
static ADDRESSES: Scratch<[u64; FRAMES_MAX]> = Scratch(UnsafeCell::new([0; FRAMES_MAX]));
static FRAMES: Scratch<[Frame; FRAMES_MAX]> =
    Scratch(UnsafeCell::new([Frame { module: u32::MAX, offset: 0 }; FRAMES_MAX]));
static MODULES: Scratch<[[u8; MODULE_LEN]; MODULES_MAX]> = Scratch(UnsafeCell::new([[0; MODULE_LEN]; MODULES_MAX]));
static BYTES: Scratch<[u8; REPORT_LEN]> = Scratch(UnsafeCell::new([0; REPORT_LEN]));

static ADDRESS_COUNT: AtomicUsize = AtomicUsize::new(0);
static MODULE_COUNT: AtomicUsize = AtomicUsize::new(0);
static DYING: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static CODE: AtomicI32 = AtomicI32::new(0);
static SYSTEM_CALL: AtomicI64 = AtomicI64::new(-1);
static FAULT_ADDRESS: AtomicUsize = AtomicUsize::new(0);
/// Where the main thread's stack began, and how far it may grow.
static STACK_START: AtomicUsize = AtomicUsize::new(0);
static STACK_GROWTH: AtomicUsize = AtomicUsize::new(0);
static REPLIES: AtomicI32 = AtomicI32::new(-1);
/// The name under which the player's library is loaded.
static PLAYER: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());

/// Makes this process report where it was when it dies; `player` is the name of its library.
pub(crate) fn install(replies: &impl AsRawFd, player: CString) -> io::Result<()> {
    REPLIES.store(replies.as_raw_fd(), Ordering::Relaxed);
    PLAYER.store(player.into_raw(), Ordering::Relaxed);
    MODULE_COUNT.store(1, Ordering::Relaxed);
    let growth = rustix::process::getrlimit(rustix::process::Resource::Stack).current;
    STACK_START.store((&raw const growth).addr(), Ordering::Relaxed);
    STACK_GROWTH.store(growth.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0), Ordering::Relaxed);
    let stack = libc::stack_t { ss_sp: STACK.0.get().cast(), ss_flags: 0, ss_size: STACK_LEN };
    // SAFETY: the memory lives as long as the process and has no other use.
    if unsafe { libc::sigaltstack(&raw const stack, ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: zeros are an empty set of signals and no handler.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = on_signal as *const () as usize;
    // Without SA_NODEFER an error in the handler would lose what it has collected.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
    // Those, a refused system call, and the question where the player is.
    for signal in REPORTED.into_iter().chain([libc::SIGSYS, WHERE]) {
        // The sandbox forbids later changes for SIGSYS, even by `die`. A second illegal instruction is the handler's
        // own first one, overwritten: some kernels would restart the handler forever.
        if matches!(signal, libc::SIGSYS | libc::SIGILL | libc::SIGTRAP) {
            action.sa_flags |= libc::SA_RESETHAND;
        } else {
            action.sa_flags &= !libc::SA_RESETHAND;
        }
        // SAFETY: the handler only does what a handler may do.
        if unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    if !DYING.swap(true, Ordering::SeqCst) {
        SIGNAL.store(signal, Ordering::Relaxed);
        describe(signal, info);
        if signal == libc::SIGSEGV
            && is_stack_full(FAULT_ADDRESS.load(Ordering::Relaxed) as u64, register(context, libc::REG_RSP))
        {
            SYSTEM_CALL.store(STACK_FULL, Ordering::Relaxed);
        }
        collect(context);
    }
    write_report();
    die(SIGNAL.load(Ordering::Relaxed));
}

/// Notes the kernel's description of the signal.
fn describe(signal: c_int, info: *const libc::siginfo_t) {
    /// The offset of `si_syscall`, followed by `si_arch`; the libc crate does not name them.
    const SYSTEM_CALL_OFFSET: usize = 24;
    /// `AUDIT_ARCH_I386`.
    const ARCH_32_BITS: c_int = 0x4000_0003;
    // SAFETY: the kernel hands a handler of this kind a valid description.
    let described = unsafe { &*info };
    CODE.store(described.si_code, Ordering::Relaxed);
    // SAFETY: it is valid; for signals without an address this is an arbitrary number.
    let address = unsafe { described.si_addr() };
    FAULT_ADDRESS.store(address.addr(), Ordering::Relaxed);
    if signal == libc::SIGSYS {
        // The description is 128 bytes long, and aligned for more than this.
        let numbers = info.wrapping_byte_add(SYSTEM_CALL_OFFSET).cast::<[c_int; 2]>();
        // SAFETY: as above.
        let [number, arch] = unsafe { numbers.read() };
        let offset = if arch == ARCH_32_BITS { OF_32_BITS } else { 0 };
        SYSTEM_CALL.store(i64::from(number) + offset, Ordering::Relaxed);
    }
}

/// Returns a register of the interrupted thread.
fn register(context: *mut c_void, index: c_int) -> u64 {
    let context = context.cast::<libc::ucontext_t>();
    // SAFETY: the kernel hands a handler of this kind the registers.
    let value = unsafe { (*context).uc_mcontext.gregs[usize::try_from(index).unwrap_or(0)] };
    value.cast_unsigned()
}

/// Returns whether an address lies where the main thread's stack would continue if it could grow: large local variables
/// put the stack pointer far below.
fn is_stack_full(address: u64, pointer: u64) -> bool {
    /// Maximum stack used by the start of the process, and the farthest that a stack pointer may be from it.
    const ROOM: u64 = 1 << 20;
    const REACH: u64 = 4 << 30;
    let [start, growth] = [&STACK_START, &STACK_GROWTH].map(|value| value.load(Ordering::Relaxed) as u64);
    let end = start.saturating_sub(growth) + ROOM;
    growth > ROOM && start.saturating_sub(pointer) < REACH && address < end && address >= pointer.saturating_sub(ROOM)
}

/// Notes where the thread was, its callers, and their libraries.
fn collect(context: *mut c_void) {
    let mut start = register(context, libc::REG_RIP);
    // Elsewhere there is no unwind information, and the unwinder would read the code there.
    if is_in_library(&start) {
        // SAFETY: the visitor only notes addresses, and the start outlives the call.
        unsafe { _Unwind_Backtrace(visit, (&raw mut start).cast()) };
    }
    if ADDRESS_COUNT.load(Ordering::Relaxed) == 0 {
        note(start);
    }
    if ADDRESS_COUNT.load(Ordering::Relaxed) == 1 {
        // The unwinder does not know the place: probably a call to nowhere, with the caller on top of the stack.
        let top = ptr::with_exposed_provenance::<u64>(usize::try_from(register(context, libc::REG_RSP)).unwrap_or(0));
        // SAFETY: if the stack is also broken, this dies, as it is about to anyway.
        note(unsafe { top.read_unaligned() }.wrapping_sub(1));
    }
    // SAFETY: the visitor only compares and notes.
    unsafe { libc::dl_iterate_phdr(Some(visit_library), ptr::null_mut()) };
}

/// Notes the frames from the interrupted one on.
extern "C" fn visit(context: *mut c_void, start: *mut c_void) -> c_int {
    let mut is_exact = 0;
    // SAFETY: the unwinder calls with its context.
    let address = unsafe { _Unwind_GetIPInfo(context, &raw mut is_exact) } as u64;
    // SAFETY: `collect` hands over one number.
    let start = unsafe { start.cast::<u64>().read() };
    let has_begun = ADDRESS_COUNT.load(Ordering::Relaxed) > 0;
    if has_begun || address == start {
        // A return address belongs to the instruction after the call, possibly on another line.
        if !note(if is_exact == 0 { address.wrapping_sub(1) } else { address }) {
            return STOP;
        }
    }
    GO_ON
}

/// Notes an address; returns false when there is no more room.
fn note(address: u64) -> bool {
    let count = ADDRESS_COUNT.load(Ordering::Relaxed);
    // SAFETY: only the first dying thread gets here.
    let addresses = unsafe { &mut *ADDRESSES.0.get() };
    // SAFETY: as above.
    let frames = unsafe { &mut *FRAMES.0.get() };
    let (Some(slot), Some(frame)) = (addresses.get_mut(count), frames.get_mut(count)) else { return false };
    *slot = address;
    frame.offset = address;
    ADDRESS_COUNT.store(count + 1, Ordering::Relaxed);
    true
}

/// Finds the addresses that belong to a library.
extern "C" fn visit_library(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the loader calls with a valid description.
    let info = unsafe { &*info };
    // SAFETY: only the first dying thread gets here.
    let addresses = unsafe { &*ADDRESSES.0.get() };
    // SAFETY: as above.
    let frames = unsafe { &mut *FRAMES.0.get() };
    let count = ADDRESS_COUNT.load(Ordering::Relaxed);
    let mut module = None;
    for (&address, frame) in addresses.iter().zip(frames).take(count) {
        if frame.module == u32::MAX && holds(info, address) {
            let module = *module.get_or_insert_with(|| name_module(info.dlpi_name));
            *frame = Frame { module, offset: address.wrapping_sub(info.dlpi_addr) };
        }
    }
    0
}

/// Returns whether an address belongs to a library or the executable.
fn is_in_library(address: &u64) -> bool {
    extern "C" fn holds_it(info: *mut libc::dl_phdr_info, _: usize, address: *mut c_void) -> c_int {
        // SAFETY: the loader calls with a valid description.
        let info = unsafe { &*info };
        // SAFETY: the address is the argument below.
        c_int::from(holds(info, unsafe { address.cast::<u64>().read() }))
    }
    // SAFETY: the visitor only compares.
    unsafe { libc::dl_iterate_phdr(Some(holds_it), (&raw const *address).cast_mut().cast()) != 0 }
}

fn holds(info: &libc::dl_phdr_info, address: u64) -> bool {
    (0..usize::from(info.dlpi_phnum)).any(|index| {
        let header = info.dlpi_phdr.wrapping_add(index);
        // SAFETY: the loader guarantees the number of headers.
        let header = unsafe { &*header };
        let begin = info.dlpi_addr.wrapping_add(header.p_vaddr);
        header.p_type == libc::PT_LOAD && (begin..begin.wrapping_add(header.p_memsz)).contains(&address)
    })
}

/// Returns the index of a library in the report; 0 is the player's.
fn name_module(name: *const c_char) -> u32 {
    // SAFETY: the loader's names are strings.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: so is the player's.
    if name == unsafe { CStr::from_ptr(PLAYER.load(Ordering::Relaxed)) } {
        return 0;
    }
    // Only the executable has no name.
    let path = if name.is_empty() { SERVER } else { name }.to_bytes();
    let base = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let index = MODULE_COUNT.load(Ordering::Relaxed);
    // SAFETY: only the first dying thread gets here.
    let modules = unsafe { &mut *MODULES.0.get() };
    let Some(slot) = modules.get_mut(index) else { return u32::MAX };
    for (to, from) in slot.iter_mut().zip(base) {
        *to = *from;
    }
    MODULE_COUNT.store(index + 1, Ordering::Relaxed);
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn write_report() {
    // SAFETY: other threads that die at the same time may write over it, but only reports too.
    let frames = unsafe { &*FRAMES.0.get() };
    // SAFETY: as above.
    let modules = unsafe { &*MODULES.0.get() };
    // SAFETY: as above.
    let bytes = unsafe { &mut *BYTES.0.get() };
    let report = RawCrashReport {
        signal: SIGNAL.load(Ordering::Relaxed),
        code: CODE.load(Ordering::Relaxed),
        address: FAULT_ADDRESS.load(Ordering::Relaxed) as u64,
        system_call: SYSTEM_CALL.load(Ordering::Relaxed),
        frames: frames.get(..ADDRESS_COUNT.load(Ordering::Relaxed)).unwrap_or_default(),
        modules: modules.get(..MODULE_COUNT.load(Ordering::Relaxed)).unwrap_or_default(),
    };
    report.encode(bytes);
    let replies: RawFd = REPLIES.load(Ordering::Relaxed);
    // SAFETY: the bytes are valid; a failed write only loses an explanation.
    unsafe { libc::write(replies, bytes.as_ptr().cast(), REPORT_LEN) };
}

/// Lets the signal take its default effect.
fn die(signal: c_int) {
    // SAFETY: the default action runs no code. For SIGSYS it is set already.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    // SAFETY: only asks for the number of this thread.
    let thread = unsafe { libc::gettid() };
    // SAFETY: as for the thread.
    let process = unsafe { libc::getpid() };
    // SAFETY: a signal to this very thread.
    unsafe { libc::syscall(libc::SYS_tgkill, process, thread, signal) };
}
