//! Explains why a library does not load: turns the dynamic loader's message into a cause and a remedy.
//!
//! The message comes from the player's process and its file is foreign, so this explains a verdict and never decides
//! one.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use amazons_sandbox::LIBRARY_MAX;
use object::elf::{EM_386, EM_AARCH64, EM_ARM, EM_PPC64, EM_RISCV, EM_S390, EM_X86_64, Machine};
use rustix::fs::{StatVfsMountFlags, statvfs};

use super::dynamic_section::{DynamicSection, is_known};

/// A problem and its remedy, if one is known.
pub(super) type Explanation = (String, Option<String>);

/// The problem with a file that was cut short.
pub(super) const CUT: &str = "it ends before its contents";

/// The folder through which a file is opened by its descriptor.
pub(super) const DESCRIPTORS: &str = "/proc/self/fd/";

/// Explains why a library was not loaded; `player` is its absolute path, `typed` the path as the user wrote it.
pub(super) fn explain(player: &Path, typed: &Path, reason: &str, is_confined: bool) -> Explanation {
    let name = typed.display().to_string();
    let reason = named(reason, &player.display().to_string(), &name);
    let Some(bytes) = contents(player) else { return (reason, None) };
    if let Some((misfit, remedy)) = misfit(&bytes) {
        return remedied(format!("{name} {misfit}"), remedy);
    }
    let needs = DynamicSection::parse(&bytes);
    if let Some(remedy) = sanitizer_in(&needs) {
        return (reason, Some(remedy));
    }
    let cause = cause(player, typed, &reason, &needs, is_confined);
    cause.unwrap_or((reason, None))
}

/// Returns what to do instead if a player was built with a sanitizer that needs a process of its own.
pub(super) fn sanitizer(player: &Path) -> Option<String> {
    sanitizer_in(&DynamicSection::parse(&contents(player)?))
}

/// Reads a player's file, unless it would not be loaded.
fn contents(player: &Path) -> Option<Vec<u8>> {
    fs::metadata(player).ok().filter(|file| file.is_file() && file.len() <= LIBRARY_MAX)?;
    Some(fs::read(player).unwrap_or_default())
}

fn sanitizer_in(needs: &DynamicSection) -> Option<String> {
    let uses = |stem: &str| {
        needs.library(&format!("lib{stem}")) || needs.symbols.iter().any(|name| name.starts_with(&format!("__{stem}_")))
    };
    let sanitizers = [("asan", "address"), ("tsan", "thread"), ("msan", "memory"), ("hwasan", "hwaddress")];
    if let Some((_, name)) = sanitizers.into_iter().find(|(stem, _)| uses(stem)) {
        return Some(format!(
            "-fsanitize={name} does not work in a player: build it with -fsanitize=undefined, or try server check --valgrind"
        ));
    }
    let lacks = uses("ubsan") && !needs.library("libubsan") && !needs.library("libclang_rt.ubsan_standalone-x86_64");
    lacks.then(|| {
        "clang links no -fsanitize=undefined into a library: add -fsanitize-trap=undefined, or use gcc".to_owned()
    })
}

fn remedied(problem: impl Into<String>, remedy: impl Into<String>) -> Explanation {
    (problem.into(), Some(remedy.into()))
}

/// Replaces the names used in the player's process by the path as the user wrote it.
fn named(text: &str, player: &str, typed: &str) -> String {
    let mut parts = text.split(DESCRIPTORS);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(typed);
        text.push_str(part.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    }
    text.replace(player, typed)
}

/// Returns what the file is, unless it is a library for this machine, and what to do.
fn misfit(bytes: &[u8]) -> Option<(String, &'static str)> {
    if bytes.is_empty() {
        return Some(("is empty".to_owned(), "build or copy it again"));
    }
    let [0x7f, b'E', b'L', b'F', class, order, rest @ ..] = bytes else { return None };
    // The file type and the machine follow ten bytes later.
    let number = |at: usize| {
        let bytes = rest.get(at..at + 2)?.try_into().ok()?;
        Some(if *order == 2 { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let (kind, machine) = (number(10)?, Machine(number(12)?));
    if machine != EM_X86_64 || *class != 2 || *order != 1 {
        let unknown = format!("machine {}", machine.0);
        let name = match machine {
            EM_386 => "32-bit x86",
            EM_ARM => "32-bit ARM",
            EM_AARCH64 => "AArch64",
            EM_RISCV => "RISC-V",
            EM_PPC64 => "PowerPC",
            EM_S390 => "S/390",
            EM_X86_64 => "x86-64 with 32-bit addresses",
            _ => &unknown,
        };
        return Some((format!("is for {name}"), "this server runs x86-64: build it for that"));
    }
    let (problem, remedy) = match kind {
        1 => ("is an object file, not linked yet", "link it with: cc -shared -o player.so ..."),
        2 => ("is a program, not a shared library", "build it with -shared -fPIC"),
        _ => return None,
    };
    Some((problem.to_owned(), remedy))
}

/// Recognises the dynamic loader's message.
fn cause(player: &Path, typed: &Path, reason: &str, needs: &DynamicSection, is_confined: bool) -> Option<Explanation> {
    let name = typed.display().to_string();
    if reason == CUT {
        return Some(remedied(format!("{name} ends before its contents"), "copied halfway? copy or build it again"));
    }
    let own = reason.strip_prefix(&name).and_then(|rest| rest.strip_prefix(": "));
    let (object, message) = own.map(|message| (name.as_str(), message)).or_else(|| reason.split_once(": "))?;
    if message.starts_with("cannot open shared object file") && object != name {
        return Some(missing(typed, object, needs, is_confined));
    }
    if message.starts_with("invalid ELF header") {
        return is_musl(object).then(|| built_with_musl(typed));
    }
    let advice = if message.contains("in static TLS block") {
        if is_confined {
            "its thread-local variables are too large: allocate them instead, or build it with \
             -ftls-model=global-dynamic"
        } else {
            "start the server with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=262144 in its environment"
        }
    } else if let Some(version) = message.strip_prefix("version `").and_then(|rest| rest.split('\'').next()) {
        let needing = message.split("(required by ").nth(1).map_or(object, |rest| rest.trim_end_matches(')'));
        let library = match version {
            _ if version.starts_with("GLIBC_") => "C library",
            _ if version.starts_with("GLIBCXX_") || version.starts_with("CXXABI_") => "C++ library",
            _ => object,
        };
        let problem = format!("{needing} needs {version}, and the {library} of this system is older");
        return Some(remedied(problem, "build it here, or on a system that is no newer"));
    } else if message.starts_with("failed to map segment") {
        let file = if object == name { player } else { Path::new(object) };
        if !statvfs(file).is_ok_and(|system| system.f_flag.contains(StatVfsMountFlags::NOEXEC)) {
            return None;
        }
        return Some(remedied(format!("{object} lies on a file system that is mounted noexec"), "copy it elsewhere"));
    } else if message.contains("executable stack") {
        "link it with -z noexecstack: assembler files without .note.GNU-stack ask for such a stack, and so do nested \
         functions"
    } else if message.starts_with("undefined symbol") {
        "define it, or link the library that has it"
    } else if message.contains("executable") {
        "build it with -shared -fPIC"
    } else {
        return None;
    };
    Some(remedied(reason, advice))
}

/// Explains why a library that the player needs is not found.
fn missing(typed: &Path, library: &str, needs: &DynamicSection, is_confined: bool) -> Explanation {
    if is_musl(library) {
        return built_with_musl(typed);
    }
    let beside = typed.parent().map_or_else(PathBuf::new, Path::to_owned);
    let origin = if beside.as_os_str().is_empty() { ".".to_owned() } else { beside.display().to_string() };
    let expanded = |folder: &String| folder.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin).into();
    let mut searched: Vec<PathBuf> = needs.folders.iter().map(expanded).collect();
    if library.contains('/') {
        searched.push(PathBuf::new());
    }
    let chosen = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let (chosen, relative): (Vec<PathBuf>, Vec<PathBuf>) =
        env::split_paths(&chosen).partition(|path| path.is_absolute());
    searched.extend(chosen);
    let holds = |folder: &&PathBuf| folder.join(library).is_file();
    if let Some(folder) = searched.iter().find(holds).filter(|_| is_confined) {
        let file = folder.join(library);
        let shown = file.strip_prefix(".").unwrap_or(&file).display();
        let leave = format!("add --allow-read {}", parent(&file).display());
        if let Some((misfit, remedy)) = fs::read(&file).ok().and_then(|bytes| misfit(&bytes)) {
            return remedied(format!("{shown} {misfit}"), remedy);
        }
        return match closed_to_others(&file) {
            Some(closed) => remedied(
                format!("{shown} is there, but the players' user may not enter or read {}", closed.display()),
                format!("open it with chmod o+rX, and {leave}"),
            ),
            None => remedied(format!("{shown} is there, but players may not read it"), leave),
        };
    }
    if let Some(folder) = relative.iter().filter(|path| !path.as_os_str().is_empty()).find(holds) {
        let folder = folder.display();
        let problem = format!("{library} is in {folder}, and relative folders in LD_LIBRARY_PATH do not count");
        return remedied(problem, format!("write $PWD/{folder}"));
    }
    let file = beside.join(library);
    if file.is_file() {
        return remedied(
            format!("{} is there, but the loader does not look for it there", file.display()),
            format!(
                "link the player with -Wl,-rpath,'$ORIGIN' and add --allow-read {origin}, or set LD_LIBRARY_PATH to \
                 the whole path of its folder"
            ),
        );
    }
    let what = if library.starts_with("libgsl") { "the GNU Scientific Library (package libgsl-dev)" } else { "it" };
    remedied(
        format!("{} needs {library}, which was not found", typed.display()),
        format!("install {what}, or set LD_LIBRARY_PATH to the whole path of its folder"),
    )
}

fn parent(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the first of a file and the folders above it that another user may not read or enter.
pub(super) fn closed_to_others(file: &Path) -> Option<PathBuf> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let file = fs::canonicalize(file).ok()?;
    let is_open = |path: &&Path| {
        let needed = if *path == file { 0o4 } else { 0o1 };
        fs::metadata(path).is_ok_and(|data| data.permissions().mode() & needed == needed)
    };
    let ways: Vec<&Path> = file.ancestors().collect();
    ways.into_iter().rev().find(|path| !is_open(path)).map(Path::to_owned)
}

fn is_musl(library: &str) -> bool {
    let base = library.rsplit('/').next().unwrap_or_default();
    base == "libc.so" || base.starts_with("libc.musl-") || base.starts_with("ld-musl-")
}

fn built_with_musl(typed: &Path) -> Explanation {
    remedied(format!("{} was built with musl", typed.display()), "build it with the C library of this system")
}

/// Returns the functions and variables that a library uses itself but that the C library's override.
pub(crate) fn clashes(player: &Path) -> Vec<String> {
    DynamicSection::parse(&contents(player).unwrap_or_default())
        .preemptible
        .into_iter()
        .filter(|symbol| is_known(symbol))
        .collect()
}

/// The remedy for names that the C library also has.
pub(crate) fn clash_advice(names: &[String]) -> Option<String> {
    let [first, ..] = names else { return None };
    let more = if names.len() > 1 { format!(" (and {} more)", names.len() - 1) } else { String::new() };
    Some(format!("{first}{more}: its calls reach the C library's: make it static, or link with -Wl,-Bsymbolic"))
}
