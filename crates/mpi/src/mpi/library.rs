//! Opens a library and detects its binary interface.

use std::error::Error;
use std::ffi::{OsString, c_int, c_void};
use std::ptr;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use crate::message::LibraryError;
use crate::mpi::communicator::{Communicator, Ranks};
use crate::mpi::error::JoinError;
use crate::mpi::functions::{Constants, Functions, symbol};

/// Opens the first available of these libraries and initializes it; `Err` is the reason why none can be used.
pub(crate) fn begin(names: &[OsString]) -> Result<Box<dyn Communicator>, JoinError> {
    let mut reasons = Vec::new();
    for name in names {
        // Open MPI's own plugins look up its symbols among the global ones.
        // SAFETY: it is the MPI of this process's launcher, or one that its user named: its code is trusted.
        match unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) } {
            Ok(library) => {
                let begun = with(&library);
                let begun = begun.map_err(|error| JoinError::Library(format!("{}: {error}", name.display())));
                // Once initialized, an MPI has threads and handlers: its code must stay.
                let _ = library.into_raw();
                return begun;
            }
            // The loader's message is one level down.
            Err(error) => reasons.push(error.source().map_or_else(|| error.to_string(), ToString::to_string)),
        }
    }
    Err(JoinError::Library(reasons.join("; ")))
}

fn with(library: &Library) -> Result<Box<dyn Communicator>, LibraryError> {
    // SAFETY: only the address is used; in Open MPI it is an object's.
    let open_mpi = unsafe { symbol::<*mut c_void>(library, c"ompi_mpi_comm_world") };
    // First, because Open MPI's library of this interface may bring its other one along.
    Ok(if has_standard_interface(library) {
        // SAFETY: the library says that it has this interface, where handles are pointers.
        let functions = unsafe { Functions::<*mut c_void>::find(library) }?;
        let constants = Constants {
            world: ptr::without_provenance_mut(0x101),
            byte: ptr::without_provenance_mut(0x247),
            errors_return: ptr::without_provenance_mut(0x143),
            any_source: -1,
            any_tag: -2,
            source_at: 0,
        };
        Box::new(Ranks::begin(functions, constants)?)
    } else if let Ok(world) = open_mpi {
        // SAFETY: only Open MPI has that symbol, and its handles are pointers.
        let functions = unsafe { Functions::<*mut c_void>::find(library) }?;
        let constants = Constants {
            world,
            // SAFETY: as for the first one.
            byte: unsafe { symbol(library, c"ompi_mpi_byte") }?,
            // SAFETY: as for the first one.
            errors_return: unsafe { symbol(library, c"ompi_mpi_errors_return") }?,
            any_source: -1,
            any_tag: -1,
            source_at: 0,
        };
        Box::new(Ranks::begin(functions, constants)?)
    } else {
        // SAFETY: of the libraries with these names, all but Open MPI have MPICH's binary interface: handles are
        // numbers.
        let functions = unsafe { Functions::<c_int>::find(library) }?;
        let constants = Constants {
            world: 0x4400_0000,
            byte: 0x4c00_010d,
            errors_return: 0x5400_0001,
            any_source: -2,
            any_tag: -1,
            source_at: 2,
        };
        Box::new(Ranks::begin(functions, constants)?)
    })
}

/// Returns whether a library has the binary interface of MPI 5, which other libraries may name to deny it.
fn has_standard_interface(library: &Library) -> bool {
    type GetVersion = unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int;
    // SAFETY: the standard gives the function this type.
    let Ok(get_version) = (unsafe { symbol::<GetVersion>(library, c"MPI_Abi_get_version") }) else { return false };
    let (mut major, mut minor) = (-1, -1);
    // SAFETY: it may be called at any time, and writes two numbers.
    let code = unsafe { get_version(&raw mut major, &raw mut minor) };
    code == 0 && major >= 1
}
