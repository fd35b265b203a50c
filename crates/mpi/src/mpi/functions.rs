//! The functions of a library, as `mpi.h` declares them for handles of type `H`.

use std::ffi::{CStr, c_char, c_int, c_void};

use libloading::os::unix::Library;

use crate::message::LibraryError;

/// A status with the size and alignment of either library's.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Status(pub(crate) [c_int; 16]);

/// The differences between the libraries, besides the type of their handles.
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
    /// `MPI_ANY_TAG`.
    pub(crate) any_tag: c_int,
    /// The index of `MPI_SOURCE` in a status; `MPI_TAG` is the next one.
    pub(crate) source_at: usize,
}

/// Declares the functions with their symbols and arguments; each returns an error code.
macro_rules! functions {
    ($($function:ident = $symbol:literal ($($argument:ty),*);)*) => {
        /// The functions.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Functions<H> {
            $(pub(crate) $function: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl<H: Copy> Functions<H> {
            /// Finds all of them; `Err` names the first missing one.
            ///
            /// # Safety
            /// The library must be an MPI with handles of type `H`.
            pub(crate) unsafe fn find(library: &Library) -> Result<Self, LibraryError> {
                Ok(Self {$(
                    // SAFETY: the standard gives this function this type, and the caller guarantees the handles.
                    $function: unsafe { symbol(library, $symbol) }?,
                )*})
            }
        }
    };
}

functions! {
    init_thread = c"MPI_Init_thread" (*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int);
    set_errhandler = c"MPI_Comm_set_errhandler" (H, H);
    comm_rank = c"MPI_Comm_rank" (H, *mut c_int);
    comm_size = c"MPI_Comm_size" (H, *mut c_int);
    isend = c"MPI_Isend" (*const c_void, c_int, H, c_int, c_int, H, *mut H);
    test = c"MPI_Test" (*mut H, *mut c_int, *mut Status);
    iprobe = c"MPI_Iprobe" (c_int, c_int, H, *mut c_int, *mut Status);
    get_count = c"MPI_Get_count" (*const Status, H, *mut c_int);
    recv = c"MPI_Recv" (*mut c_void, c_int, H, c_int, c_int, H, *mut Status);
    finalize = c"MPI_Finalize" ();
    abort = c"MPI_Abort" (H, c_int);
}

/// Finds a symbol.
///
/// # Safety
/// `F` must be its type: a function's, or a pointer to an object.
pub(crate) unsafe fn symbol<F: Copy>(library: &Library, name: &CStr) -> Result<F, LibraryError> {
    // SAFETY: the caller knows the type.
    let found = unsafe { library.get::<F>(name.to_bytes_with_nul()) };
    found.map(|symbol| *symbol).map_err(|_| LibraryError::Missing(name.to_string_lossy().into_owned()))
}
