//! The implementation of the exported functions.

use std::ffi::{CStr, CString, c_char, c_uint};
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{mem, ptr};

use amazons_rules::Color;

use crate::Player;
use crate::abi::{BLACK, GraphT, MoveT, NUM_PLAYERS};
use crate::given::Given;
use crate::instance::Instance;

/// The state of a player's shared library.
///
/// A library serves one game, but a server may load it for both sides into one process, where the system maps it once.
/// So it has an instance for each ABI id, and `play` goes to them in turn.
///
/// Calls are safe in any order, and no panic leaves a function: the player resigns, with a line on stderr.
#[derive(Debug)]
pub struct Library<P> {
    seats: Mutex<Seats<P>>,
}

#[derive(Debug)]
struct Seats<P> {
    by_id: [Option<Seat<P>>; NUM_PLAYERS],
    next: usize,
    /// The name of the player that came last.
    name: Option<&'static CStr>,
    /// The text of the last opinion.
    text: Option<CString>,
    played: bool,
}

#[derive(Debug)]
struct Seat<P> {
    /// `None` after an error.
    instance: Option<Instance<P>>,
    _given: Given,
}

impl<P> Default for Library<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P> Library<P> {
    /// A library just loaded.
    pub const fn new() -> Self {
        Self { seats: Mutex::new(Seats { by_id: [None, None], next: 0, name: None, text: None, played: false }) }
    }

    fn lock(&self) -> MutexGuard<'_, Seats<P>> {
        // Panics are caught inside, so the state is consistent even then.
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Player> Library<P> {
    /// `get_player_name`: the name lives forever, so it may be called at any time.
    pub fn name(&self) -> *const c_char {
        self.lock().name.unwrap_or(P::NAME).as_ptr()
    }

    /// `initialize`: takes over the memory and creates the player.
    ///
    /// # Safety
    /// Every pointer is NULL or as the header says, and from now on no other code frees the blocks.
    pub unsafe fn initialize(
        &self,
        player_id: c_uint,
        graph: *mut GraphT,
        num_queens: c_uint,
        queens: *mut *mut c_uint,
    ) {
        let mut seats = self.lock();
        if seats.played {
            // The last game was not finalized, and this is the next one.
            seats.clear();
        }
        // SAFETY: the caller gives the blocks away.
        let given = unsafe { Given::take(graph, queens) };
        let color = if player_id == BLACK { Color::Black } else { Color::White };
        let instance = guard::<P, _>("initialize", || {
            // SAFETY: the caller guarantees the pointers.
            unsafe { Instance::new(color, graph, num_queens, queens) }
        });
        seats.leave(color.index());
        seats.name = instance.as_ref().map(Instance::name);
        seats.by_id[color.index()] = Some(Seat { instance, _given: given });
    }

    /// `play`: returns [`MoveT::NONE`] if the player cannot or will not play.
    pub fn play(&self, previous: MoveT) -> MoveT {
        let mut seats = self.lock();
        let Some(id) = seats.whose_turn(previous) else {
            complain::<P>("play was called before initialize");
            return MoveT::NONE;
        };
        seats.played = true;
        seats.next = 1 - id;
        let Some(seat) = &mut seats.by_id[id] else {
            return MoveT::NONE;
        };
        let Some(instance) = &mut seat.instance else {
            return MoveT::NONE;
        };
        let Some(answer) = guard::<P, _>("play", || instance.play(previous)) else {
            seat.give_up();
            return MoveT::NONE;
        };
        answer.map_or(MoveT::NONE, |answer| MoveT {
            queen_src: answer.from,
            queen_dst: answer.to,
            arrow_dst: answer.arrow,
        })
    }

    /// `get_opinion`: what the player that moved last thinks; not a number if nothing.
    ///
    /// # Safety
    /// `text` is NULL or can be written.
    pub unsafe fn opinion(&self, text: *mut *const c_char) -> f64 {
        let mut seats = self.lock();
        let seats = &mut *seats;
        let seat = seats.by_id[1 - seats.next].as_ref().filter(|_| seats.played);
        let instance = seat.and_then(|seat| seat.instance.as_ref());
        let told = instance.and_then(|instance| guard::<P, _>("get_opinion", || Ok(instance.opinion())).flatten());
        let Some(opinion) = told else { return f64::NAN };
        // A text ends at its first zero.
        let line = opinion.text.split('\0').next().unwrap_or_default();
        let line = seats.text.insert(CString::new(line).unwrap_or_default());
        if !text.is_null() {
            // SAFETY: the caller's.
            unsafe { ptr::write(text, line.as_ptr()) };
        }
        opinion.value
    }

    /// `finalize`: ends one game and frees its memory; does nothing without a game.
    pub fn finalize(&self) {
        let mut seats = self.lock();
        if let Some(id) = seats.by_id.iter().position(Option::is_some) {
            seats.leave(id);
        }
        if seats.by_id.iter().all(Option::is_none) {
            seats.clear();
        }
    }
}

impl<P: Player> Seats<P> {
    fn whose_turn(&self, previous: MoveT) -> Option<usize> {
        match &self.by_id {
            [None, None] => None,
            [Some(_), None] => Some(0),
            [None, Some(_)] => Some(1),
            [Some(_), Some(_)] if previous == MoveT::NONE => Some(0),
            [Some(_), Some(_)] => Some(self.next),
        }
    }

    fn leave(&mut self, id: usize) {
        if let Some(mut seat) = self.by_id[id].take() {
            seat.give_up();
        }
    }

    fn clear(&mut self) {
        for id in 0..NUM_PLAYERS {
            self.leave(id);
        }
        self.next = 0;
        self.played = false;
    }
}

impl<P: Player> Seat<P> {
    /// Drops the player; its memory is freed with the seat.
    fn give_up(&mut self) {
        let instance = self.instance.take();
        guard::<P, _>("finalize", || {
            drop(instance);
            Ok(())
        });
    }
}

/// Runs the player's code; if there is no result, prints the reason to stderr.
fn guard<P: Player, T>(function: &str, body: impl FnOnce() -> Result<T, String>) -> Option<T> {
    // State that a panic left half done is dropped unread.
    match panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => Some(value),
        Ok(Err(why)) => {
            complain::<P>(&why);
            None
        }
        Err(payload) => {
            // The panic hook has printed the message. Dropping a payload may panic.
            mem::forget(payload);
            complain::<P>(&format!("panicked in {function}"));
            None
        }
    }
}

fn complain<P: Player>(why: &str) {
    // Without stderr the complaint is lost.
    _ = writeln!(io::stderr(), "{}: {why}", P::NAME.to_string_lossy());
}

/// Exports a [`Player`] as the functions of the C header.
///
/// Once in a crate of type `cdylib`:
///
/// ```
/// use std::ffi::CStr;
///
/// use amazons_player::rules::{Move, MoveList, Position};
/// use amazons_player::{GameInfo, Player, export_player};
///
/// struct First;
///
/// impl Player for First {
///     const NAME: &'static CStr = c"first";
///
///     fn new(_: &GameInfo) -> Self {
///         Self
///     }
///
///     fn play(&mut self, position: &Position) -> Option<Move> {
///         let mut moves = MoveList::new();
///         position.legal_moves(&mut moves);
///         moves.first().copied()
///     }
/// }
///
/// export_player!(First);
/// ```
#[macro_export]
macro_rules! export_player {
    ($player:ty) => {
        const _: () = {
            static LIBRARY: $crate::Library<$player> = $crate::Library::new();

            #[unsafe(no_mangle)]
            extern "C" fn get_player_name() -> *const ::std::ffi::c_char {
                LIBRARY.name()
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn initialize(
                player_id: ::std::ffi::c_uint,
                graph: *mut $crate::abi::GraphT,
                num_queens: ::std::ffi::c_uint,
                queens: *mut *mut ::std::ffi::c_uint,
            ) {
                // SAFETY: the server keeps to the header, and gives the blocks away with this call.
                unsafe { LIBRARY.initialize(player_id, graph, num_queens, queens) };
            }

            #[unsafe(no_mangle)]
            extern "C" fn play(previous_move: $crate::abi::MoveT) -> $crate::abi::MoveT {
                LIBRARY.play(previous_move)
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn get_opinion(text: *mut *const ::std::ffi::c_char) -> f64 {
                // SAFETY: the server keeps to the header.
                unsafe { LIBRARY.opinion(text) }
            }

            #[unsafe(no_mangle)]
            extern "C" fn finalize() {
                LIBRARY.finalize();
            }
        };
    };
}
