//! A loaded player, and all calls into it.
//!
//! Only this module runs players' code. The calls are safe functions because [`LoadedPlayer::load`] is not: its caller
//! accepts that foreign code runs in the process from then on, and anything it does there.

use std::ffi::{c_char, c_uint};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::{env, fs, ptr};

use amazons_player::Handover;
use amazons_player::abi::{FinalizeFn, GetOpinionFn, GetPlayerNameFn, InitializeFn, MoveT, PlayFn};
use amazons_rules::Move;
use amazons_sandbox::LIBRARY_MAX;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, RTLD_LOCAL, RTLD_NOW};

use super::border;
use super::dynamic_section::{DynamicSection, ends_early, is_known};
use super::frame::TEXT_MAX;
use crate::referee::Opinion;

/// The GSL versions that recent players were linked with, most common first.
const GSL_NAMES: [&str; 4] = ["libgsl.so.27", "libgsl.so.28", "libgsl.so.25", "libgsl.so"];
const CBLAS_NAMES: [&str; 2] = ["libgslcblas.so.0", "libgslcblas.so"];
/// The remedy for the dynamic loader's message.
const NO_GSL: &str = " (install the GNU Scientific Library, or set LD_LIBRARY_PATH to its folder)";
const LIBM_NAMES: [&str; 1] = ["libm.so.6"];

/// The functions of player.h that every player has.
pub(super) const FUNCTIONS: [&str; 4] = ["get_player_name", "initialize", "play", "finalize"];

/// The functions of player.h as C++ names them.
const MANGLED: [&str; 4] = ["_Z15get_player_namev", "_Z10initializejP7graph_tjPPj", "_Z4play6move_t", "_Z8finalizev"];

/// Why a player could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("it is larger than {} MiB: keep data in a file, and add --allow-read", LIBRARY_MAX >> 20)]
    TooLarge,
    /// The file is shorter than its headers announce.
    #[error("{}", super::load_error::CUT)]
    Cut,
    /// The dynamic loader refused the file, with this message.
    #[error("{0}")]
    Loader(String),
    /// The library is not a player.
    #[error(
        "{path} does not define {names}{hint}", path = .path.display(), names = .names.join(", "),
        hint = if *.are_mangled { "; in C++, declare them extern \"C\"" } else { "" }
    )]
    Missing {
        path: PathBuf,
        /// The required functions that it lacks.
        names: Vec<&'static str>,
        /// Whether it has C++ functions of these names.
        are_mangled: bool,
    },
    /// The player uses GSL, which is not installed.
    #[error(
        "it needs the GNU Scientific Library (for {symbol}), which was not found: install it (package libgsl-dev) or \
         set GSL_PATH to its prefix or LD_LIBRARY_PATH to its folder"
    )]
    Gsl {
        /// A GSL function that the player uses.
        symbol: String,
    },
}

impl LoadError {
    /// Has a bit for each of [`FUNCTIONS`] that the library lacks.
    pub(super) fn missing(&self) -> u32 {
        let Self::Missing { names, .. } = self else { return 0 };
        (0..).zip(FUNCTIONS).filter(|(_, name)| names.contains(name)).map(|(bit, _)| 1 << bit).sum()
    }
}

/// A player whose library is loaded and has the four functions.
#[derive(Debug)]
pub struct LoadedPlayer {
    get_player_name: GetPlayerNameFn,
    initialize: InitializeFn,
    play: PlayFn,
    get_opinion: Option<GetOpinionFn>,
    finalize: FinalizeFn,
    // Owns the code of the functions.
    _library: Library,
}

impl LoadedPlayer {
    /// Loads a player, after any libraries that it needs but does not name.
    /// Fails when the file is too large or cut short, the loader refuses it, functions are missing, or GSL is missing.
    ///
    /// # Safety
    /// The caller accepts that the player's code runs in this process, now and in later calls.
    pub unsafe fn load(path: &Path) -> Result<Self, LoadError> {
        // A file that is too large was not copied for a user who may not read it.
        if fs::metadata(path).is_ok_and(|file| file.len() > LIBRARY_MAX) {
            return Err(LoadError::TooLarge);
        }
        if File::open(path).is_ok_and(|file| ends_early(&file).unwrap_or(false)) {
            return Err(LoadError::Cut);
        }
        // Only the loader knows whether anything is missing; if so, no constructor has run. SAFETY: the caller accepts
        // what the library's constructors do.
        let library = match unsafe { border::open(path, RTLD_NOW | RTLD_LOCAL) } {
            Ok(library) => library,
            Err(_) => {
                provide(&DynamicSection::of(path))?;
                // A symbol that no call needs may be missing.
                // SAFETY: as above.
                let library = unsafe { border::open(path, RTLD_LAZY | RTLD_LOCAL) };
                library.map_err(|message| {
                    let is_gsl = message.contains("libgsl");
                    LoadError::Loader(if is_gsl { message + NO_GSL } else { message })
                })?
            }
        };
        let mut missing = Vec::new();
        // SAFETY: the header gives these functions these types.
        let get_player_name = unsafe { function(&library, "get_player_name", &mut missing) };
        // SAFETY: as above.
        let initialize = unsafe { function(&library, "initialize", &mut missing) };
        // SAFETY: as above.
        let play = unsafe { function(&library, "play", &mut missing) };
        // SAFETY: as above.
        let finalize = unsafe { function(&library, "finalize", &mut missing) };
        // SAFETY: as above.
        let get_opinion = unsafe { function(&library, "get_opinion", &mut Vec::new()) };
        match (get_player_name, initialize, play, finalize) {
            (Some(get_player_name), Some(initialize), Some(play), Some(finalize)) => {
                Ok(Self { get_player_name, initialize, play, get_opinion, finalize, _library: library })
            }
            _ => {
                // SAFETY: the symbols are only looked up, not used.
                let has = |name: &&str| unsafe { library.get::<*const ()>(*name) }.is_ok();
                let are_mangled = MANGLED.iter().any(has);
                Err(LoadError::Missing { path: path.to_owned(), names: missing, are_mangled })
            }
        }
    }

    /// Calls `initialize` and gives the handed-over blocks away.
    pub fn initialize(&self, abi_id: c_uint, handover: &mut Handover) {
        let (graph, num_queens, queens) = (handover.graph(), handover.num_queens(), handover.queens());
        handover.release();
        // SAFETY: `load`'s caller accepts what the player does; graph and queens follow the header.
        unsafe { border::amazons_border_initialize(abi_id, graph, num_queens, queens, self.initialize) };
    }

    /// Calls `get_player_name` and copies its result, up to [`TEXT_MAX`] bytes; `None` for NULL.
    pub fn name(&self) -> Option<Vec<u8>> {
        // SAFETY: `load`'s caller accepts what the player does.
        let name = unsafe { border::amazons_border_get_player_name(0, 0, 0, 0, self.get_player_name) };
        // SAFETY: the header promises a C string.
        unsafe { copied(name) }
    }

    /// Calls `play`.
    pub fn play(&self, previous: Option<Move>) -> Move {
        let previous =
            previous.map_or(MoveT::NONE, |m| MoveT { queen_src: m.from, queen_dst: m.to, arrow_dst: m.arrow });
        // SAFETY: `load`'s caller accepts what the player does.
        let answer = unsafe { border::amazons_border_play(previous, 0, 0, self.play) };
        Move { from: answer.queen_src, to: answer.queen_dst, arrow: answer.arrow_dst }
    }

    /// Calls `get_opinion`, if the player has it, and copies its text as that of a name.
    pub fn opinion(&self) -> Opinion {
        let Some(function) = self.get_opinion else { return Opinion::default() };
        let mut text = ptr::null();
        // SAFETY: `load`'s caller accepts what the player does.
        let value = unsafe { border::amazons_border_get_opinion(&raw mut text, 0, 0, 0, function) };
        // SAFETY: the header promises a C string.
        Opinion { value, text: unsafe { copied(text) }.unwrap_or_default() }
    }

    /// Calls `finalize`.
    pub fn finalize(&self) {
        // SAFETY: `load`'s caller accepts what the player does.
        unsafe { border::amazons_border_finalize(0, 0, 0, 0, self.finalize) };
    }
}

/// Returns whether this process already has a library open; opening it again would share its variables.
pub(super) fn is_open(path: &Path) -> bool {
    // SAFETY: with this flag, nothing is loaded and no constructor runs.
    unsafe { Library::open(Some(path), RTLD_LAZY | libc::RTLD_NOLOAD) }.is_ok()
}

/// Loads libraries that a player needs but does not name: many are linked without -lgsl and -lm.
fn provide(needs: &DynamicSection) -> Result<(), LoadError> {
    let unresolved = || needs.symbols.iter().filter(|symbol| !is_known(symbol));
    let gsl = unresolved().find(|symbol| symbol.starts_with("gsl_") || symbol.starts_with("cblas_"));
    if let Some(symbol) = gsl
        && !needs.library("libgsl")
        && !(open_first(&GSL_NAMES) || (open_first(&CBLAS_NAMES) && open_first(&GSL_NAMES)))
    {
        return Err(LoadError::Gsl { symbol: symbol.clone() });
    }
    // Symbols of the player's other libraries are not found here; loading libm for them does no harm.
    if !needs.library("libm") && unresolved().next().is_some() {
        open_first(&LIBM_NAMES);
    }
    Ok(())
}

/// Returns whether players that use GSL without naming it can be loaded here.
pub fn has_gsl() -> bool {
    open_first(&CBLAS_NAMES) && open_first(&GSL_NAMES)
}

/// Opens the first available of these libraries, globally and for good.
fn open_first(names: &[&str]) -> bool {
    let prefix = env::var_os("GSL_PATH").filter(|prefix| !prefix.is_empty());
    let in_prefix = |name| Some(Path::new(prefix.as_ref()?).join("lib").join(name));
    let paths = names.iter().copied().filter_map(in_prefix);
    paths.chain(names.iter().map(PathBuf::from)).any(|path| {
        // SAFETY: these libraries are the system's or the user's own choice; their constructors do nothing unusual.
        match unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) } {
            Ok(library) => {
                let _ = library.into_raw();
                true
            }
            Err(_) => false,
        }
    })
}

/// Copies the first [`TEXT_MAX`] bytes of a text; `None` for NULL.
///
/// # Safety
/// NULL or a C string.
unsafe fn copied(text: *const c_char) -> Option<Vec<u8>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's; only the first bytes of a longer one are read.
    let len = unsafe { libc::strnlen(text, TEXT_MAX) };
    let mut copy = vec![0_u8; len];
    // SAFETY: `len` bytes can be read, and there is room for as many.
    unsafe { ptr::copy_nonoverlapping(text.cast::<u8>(), copy.as_mut_ptr(), len) };
    Some(copy)
}

/// Finds a function, or notes that it is missing.
///
/// # Safety
/// `F` must be the function's type.
unsafe fn function<F: Copy>(library: &Library, name: &'static str, missing: &mut Vec<&'static str>) -> Option<F> {
    // SAFETY: the caller knows the type.
    match unsafe { library.get::<F>(name) } {
        Ok(function) => Some(*function),
        Err(_) => {
            missing.push(name);
            None
        }
    }
}
