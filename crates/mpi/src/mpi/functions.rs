//! The functions of a library, as `mpi.h` declares them for handles of type `H`.

use std::ffi::{CStr, c_char, c_int, c_void};

use libloading::os::unix::Library;

/// A status: more than either library needs, and as aligned.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Status(pub(crate) [c_int; 16]);

type InitThread = unsafe extern "C" fn(*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int) -> c_int;
type SetErrhandler<H> = unsafe extern "C" fn(H, H) -> c_int;
type CommNumber<H> = unsafe extern "C" fn(H, *mut c_int) -> c_int;
type Isend<H> = unsafe extern "C" fn(*const c_void, c_int, H, c_int, c_int, H, *mut H) -> c_int;
type Test<H> = unsafe extern "C" fn(*mut H, *mut c_int, *mut Status) -> c_int;
type Iprobe<H> = unsafe extern "C" fn(c_int, c_int, H, *mut c_int, *mut Status) -> c_int;
type GetCount<H> = unsafe extern "C" fn(*const Status, H, *mut c_int) -> c_int;
type Recv<H> = unsafe extern "C" fn(*mut c_void, c_int, H, c_int, c_int, H, *mut Status) -> c_int;
type Finalize = unsafe extern "C" fn() -> c_int;
type Abort<H> = unsafe extern "C" fn(H, c_int) -> c_int;

/// What differs between the libraries, besides the type of their handles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constants<H> {
    /// `MPI_COMM_WORLD`.
    pub(crate) world: H,
    /// `MPI_BYTE`.
    pub(crate) byte: H,
    /// `MPI_ERRORS_RETURN`.
    pub(crate) errors_return: H,
    /// `MPI_ANY_SOURCE`.
    pub(crate) any_source: c_int,
    /// Which number of a status is `MPI_SOURCE`; `MPI_TAG` is the next one.
    pub(crate) source_at: usize,
}

/// The functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Functions<H> {
    pub(crate) init_thread: InitThread,
    pub(crate) set_errhandler: SetErrhandler<H>,
    pub(crate) comm_rank: CommNumber<H>,
    pub(crate) comm_size: CommNumber<H>,
    pub(crate) isend: Isend<H>,
    pub(crate) test: Test<H>,
    pub(crate) iprobe: Iprobe<H>,
    pub(crate) get_count: GetCount<H>,
    pub(crate) recv: Recv<H>,
    pub(crate) finalize: Finalize,
    pub(crate) abort: Abort<H>,
}

impl<H: Copy> Functions<H> {
    /// Finds all of them; `Err` names the first that is missing.
    ///
    /// # Safety
    /// The library must be an MPI with handles of type `H`.
    pub(crate) unsafe fn find(library: &Library) -> Result<Self, String> {
        Ok(Self {
            // SAFETY: the standard gives this function this type, and the caller knows the handles; so below.
            init_thread: unsafe { symbol(library, c"MPI_Init_thread") }?,
            // SAFETY: as above.
            set_errhandler: unsafe { symbol(library, c"MPI_Comm_set_errhandler") }?,
            // SAFETY: as above.
            comm_rank: unsafe { symbol(library, c"MPI_Comm_rank") }?,
            // SAFETY: as above.
            comm_size: unsafe { symbol(library, c"MPI_Comm_size") }?,
            // SAFETY: as above.
            isend: unsafe { symbol(library, c"MPI_Isend") }?,
            // SAFETY: as above.
            test: unsafe { symbol(library, c"MPI_Test") }?,
            // SAFETY: as above.
            iprobe: unsafe { symbol(library, c"MPI_Iprobe") }?,
            // SAFETY: as above.
            get_count: unsafe { symbol(library, c"MPI_Get_count") }?,
            // SAFETY: as above.
            recv: unsafe { symbol(library, c"MPI_Recv") }?,
            // SAFETY: as above.
            finalize: unsafe { symbol(library, c"MPI_Finalize") }?,
            // SAFETY: as above.
            abort: unsafe { symbol(library, c"MPI_Abort") }?,
        })
    }
}

/// Finds a symbol.
///
/// # Safety
/// `F` must be its type: a function's, or a pointer to an object.
pub(crate) unsafe fn symbol<F: Copy>(library: &Library, name: &CStr) -> Result<F, String> {
    // SAFETY: the caller knows the type.
    let found = unsafe { library.get::<F>(name.to_bytes_with_nul()) };
    found.map(|symbol| *symbol).map_err(|_| format!("it has no {}", name.to_string_lossy()))
}
