//! All calls into the MPI library.
//!
//! They are safe because [`Functions::find`] is not: its caller guarantees an MPI with such handles. A [`Ranks`] is
//! initialized, only [`Communicator::finish`] ends it, and it never leaves its thread.

use std::ffi::c_int;
use std::mem::ManuallyDrop;
use std::ptr;

use crate::message::{LibraryError, Message, Tag};
use crate::mpi::functions::{Constants, Functions, Status};

/// `MPI_THREAD_FUNNELED`: this process has threads, but only one calls MPI.
const FUNNELED: c_int = 1;
/// `MPI_SUCCESS`.
const SUCCESS: c_int = 0;

/// The calls that a world needs, whatever the type of handles.
pub(crate) trait Communicator {
    /// Returns the rank of this process and the number of ranks.
    fn rank_and_size(&self) -> Result<(usize, usize), LibraryError>;
    /// Starts sending a message.
    fn send(&mut self, to: c_int, tag: Tag, bytes: Box<[u8]>) -> Result<(), LibraryError>;
    /// Makes progress and returns how many messages are not sent yet.
    fn unsent(&mut self) -> Result<usize, LibraryError>;
    /// Returns a message that has arrived.
    fn receive(&mut self) -> Result<Option<Message>, LibraryError>;
    /// Ends all ranks of the job.
    fn abort(&mut self, status: u8);
    /// Ends MPI in this process.
    fn finish(self: Box<Self>) -> Result<(), LibraryError>;
}

/// The ranks of a job, by one library.
#[derive(Debug)]
pub(crate) struct Ranks<H> {
    functions: Functions<H>,
    constants: Constants<H>,
    sending: Vec<Sending<H>>,
}

/// A message being sent. The library may read its bytes until the request completes, even after this is dropped.
#[derive(Debug)]
struct Sending<H> {
    bytes: ManuallyDrop<Box<[u8]>>,
    request: H,
}

impl<H: Copy> Ranks<H> {
    /// Initializes MPI.
    pub(crate) fn begin(functions: Functions<H>, constants: Constants<H>) -> Result<Self, LibraryError> {
        let mut provided = 0;
        // SAFETY: the standard allows null for both arguments; the world calls this only once.
        let code = unsafe { (functions.init_thread)(ptr::null_mut(), ptr::null_mut(), FUNNELED, &raw mut provided) };
        check("MPI_Init_thread", code)?;
        // SAFETY: both handles belong to the library.
        let code = unsafe { (functions.set_errhandler)(constants.world, constants.errors_return) };
        check("MPI_Comm_set_errhandler", code)?;
        Ok(Self { functions, constants, sending: Vec::new() })
    }

    /// Asks for a number of the world communicator.
    fn number(
        &self,
        name: &'static str,
        ask: unsafe extern "C" fn(H, *mut c_int) -> c_int,
    ) -> Result<usize, LibraryError> {
        let mut number = 0;
        // SAFETY: the handle belongs to the library.
        let code = unsafe { ask(self.constants.world, &raw mut number) };
        check(name, code)?;
        usize::try_from(number).map_err(|_| LibraryError::Impossible(name, number))
    }
}

impl<H: Copy> Communicator for Ranks<H> {
    fn rank_and_size(&self) -> Result<(usize, usize), LibraryError> {
        let rank = self.number("MPI_Comm_rank", self.functions.comm_rank)?;
        Ok((rank, self.number("MPI_Comm_size", self.functions.comm_size)?))
    }

    fn send(&mut self, to: c_int, tag: Tag, bytes: Box<[u8]>) -> Result<(), LibraryError> {
        let count = c_int::try_from(bytes.len()).map_err(|_| LibraryError::TooLong)?;
        let Constants { world, byte, .. } = self.constants;
        let tag = c_int::from(tag);
        // Any handle will do until the library writes the request.
        let mut sending = Sending { bytes: ManuallyDrop::new(bytes), request: byte };
        let from = sending.bytes.as_ptr().cast();
        // SAFETY: the bytes exist, and stay until the request completes.
        let code = unsafe { (self.functions.isend)(from, count, byte, to, tag, world, &raw mut sending.request) };
        check("MPI_Isend", code)?;
        self.sending.push(sending);
        Ok(())
    }

    fn unsent(&mut self) -> Result<usize, LibraryError> {
        let mut index = 0;
        while let Some(sending) = self.sending.get_mut(index) {
            let (mut flag, mut status) = (0, Status::default());
            // SAFETY: the library made this request for this message, and it has not completed.
            let code = unsafe { (self.functions.test)(&raw mut sending.request, &raw mut flag, &raw mut status) };
            if code != SUCCESS {
                // Its receiver is gone; the library keeps the bytes.
                self.sending.swap_remove(index);
                check("MPI_Test", code)?;
            } else if flag == 0 {
                index += 1;
            } else {
                drop(ManuallyDrop::into_inner(self.sending.swap_remove(index).bytes));
            }
        }
        Ok(self.sending.len())
    }

    fn receive(&mut self) -> Result<Option<Message>, LibraryError> {
        let Constants { world, byte, any_source, any_tag, source_at, .. } = self.constants;
        let (mut flag, mut status) = (0, Status::default());
        // SAFETY: the handle belongs to the library, and a status has room for any library's.
        let code = unsafe { (self.functions.iprobe)(any_source, any_tag, world, &raw mut flag, &raw mut status) };
        check("MPI_Iprobe", code)?;
        if flag == 0 {
            return Ok(None);
        }
        let mut count = 0;
        // SAFETY: the status belongs to a message that was found.
        let code = unsafe { (self.functions.get_count)(&raw const status, byte, &raw mut count) };
        check("MPI_Get_count", code)?;
        let (source, tag) = (status.0[source_at], status.0[source_at + 1]);
        let len = usize::try_from(count).map_err(|_| LibraryError::Impossible("MPI_Get_count", count))?;
        let mut bytes = vec![0_u8; len];
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: there is room for that many bytes.
        let code = unsafe { (self.functions.recv)(to, count, byte, source, tag, world, &raw mut status) };
        check("MPI_Recv", code)?;
        let from = usize::try_from(source).map_err(|_| LibraryError::Impossible("the source of a message", source))?;
        let tag = Tag::try_from(tag).map_err(|_| LibraryError::Impossible("the tag of a message", tag))?;
        Ok(Some(Message { from, tag, bytes }))
    }

    fn abort(&mut self, status: u8) {
        // SAFETY: the handle belongs to the library; the call returns only if it fails.
        let _ = unsafe { (self.functions.abort)(self.constants.world, c_int::from(status)) };
    }

    fn finish(self: Box<Self>) -> Result<(), LibraryError> {
        // SAFETY: MPI was initialized, and its owner can call nothing afterwards.
        check("MPI_Finalize", unsafe { (self.functions.finalize)() })
    }
}

fn check(name: &'static str, code: c_int) -> Result<(), LibraryError> {
    if code == SUCCESS { Ok(()) } else { Err(LibraryError::Failed(name, code)) }
}
