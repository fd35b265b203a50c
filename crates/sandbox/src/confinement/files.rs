//! The files that a player may read, enforced by Landlock if the kernel has it.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, AddRuleError, AddRulesError, BitFlags, CompatLevel, Compatible,
    CreateRulesetError, LandlockStatus, PathBeneath, RestrictSelfError, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, make_bitflags,
};
use rustix::fs::{FileType, Mode, OFlags, makedev};

use super::policy::Subject;
use crate::sandbox::RefusedStep;

/// The newest rules requested; an older kernel enforces those it supports.
const NEWEST: ABI = ABI::V7;

/// Files for players and their libraries: code, the hardware, the time zone, nothing of any user.
const READABLE: [&str; 17] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
];

/// Files for other programs: programs, libraries, and OpenSSL's settings, without which Node does not start.
const RUNNABLE: [&str; 7] =
    ["/usr", "/bin", "/sbin", "/var/lib/chicken", "/var/lib/gems", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"];

/// The rights that programs that build lack in their folder: devices and sockets lead out of it.
const SPECIAL: BitFlags<AccessFs> = make_bitflags!(AccessFs::{MakeChar | MakeBlock | MakeSock | IoctlDev});

/// Prefixes of names in /etc that programs read at start, mostly settings of languages: `java-17-openjdk`, `php.ini`.
const SETTINGS: &str = "alternatives crypto-policies dotnet elixir erlang fish ghc guile java julia lua mono ocaml perl \
                        php python racket ruby sbcl zsh";

/// Files about their own process that players and their libraries read; the rest of that folder reveals the network and
/// other file systems.
pub(crate) const OWN: [&str; 6] = [
    "/proc/self/fd",
    "/proc/self/maps",
    "/proc/self/smaps",
    "/proc/self/stat",
    "/proc/self/statm",
    "/proc/self/status",
];

/// Opens what every player may read; missing files are skipped.
///
/// This includes the user's library folders from `GSL_PATH` and `LD_LIBRARY_PATH`.
pub(crate) fn readable_by_all() -> Vec<OwnedFd> {
    let chosen = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let gsl = std::env::var_os("GSL_PATH").map(|prefix| Path::new(&prefix).join("lib"));
    // Empty and relative entries do not count as the user's choice.
    let chosen = std::env::split_paths(&chosen).chain(gsl).filter(|path| path.is_absolute());
    let paths = READABLE.iter().map(PathBuf::from).chain(chosen);
    paths.filter_map(|path| open(&path).ok()).collect()
}

/// Opens what every program may read and run; missing files are skipped.
pub(crate) fn runnable_by_all() -> impl Iterator<Item = OwnedFd> {
    let settings = std::fs::read_dir("/etc").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_of_programs = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        SETTINGS.split(' ').any(|start| name.starts_with(start.as_bytes()))
    };
    RUNNABLE.iter().map(PathBuf::from).chain(settings.filter(is_of_programs)).filter_map(|path| open(&path).ok())
}

/// Opens a file or folder as the root of a rule, without reading it.
pub(crate) fn open(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}

/// Opens the null device, unless something else has its name.
fn null() -> Option<OwnedFd> {
    let null = open(Path::new("/dev/null")).ok()?;
    let about = rustix::fs::fstat(&null).ok()?;
    let is_device = FileType::from_raw_mode(about.st_mode) == FileType::CharacterDevice;
    (is_device && about.st_rdev == makedev(1, 3)).then_some(null)
}

/// Limits this process to reading the files below `readable` (programs may also run them), and to writing to
/// `/dev/null` and below `folder`; forbids TCP, and signals and abstract sockets to the outside.
///
/// Returns the version of the enforced rules, if any, and the step that the kernel refused, if any.
pub(crate) fn restrict<'a>(
    readable: impl Iterator<Item = &'a OwnedFd>,
    subject: Subject,
    folder: Option<&Path>,
) -> io::Result<(Option<u32>, Option<RefusedStep>)> {
    let access = match subject {
        Subject::Player => AccessFs::ReadFile | AccessFs::ReadDir,
        Subject::Program | Subject::Builder => AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute,
    };
    let folder = folder.map(open).transpose()?;
    let status = match enforce(readable, access, folder.as_ref()) {
        Ok(status) => status,
        Err(error) => return refused(error).map(|step| (None, Some(step))),
    };
    let version = match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => None,
        // Version numbers equal the discriminants.
        (_, LandlockStatus::Available { effective_abi, .. }) => Some(effective_abi as u32),
        _ => None,
    };
    Ok((version, None))
}

/// Returns the step that was refused for good; what may pass, such as a lack of memory, stays an error.
fn refused(error: RulesetError) -> io::Result<RefusedStep> {
    let (step, source) = match error {
        RulesetError::CreateRuleset(CreateRulesetError::CreateRulesetCall { source, .. }) => {
            (RefusedStep::CreateRuleset, source)
        }
        RulesetError::AddRules(AddRulesError::Fs(AddRuleError::AddRuleCall { source, .. })) => {
            (RefusedStep::AddRule, source)
        }
        RulesetError::RestrictSelf(RestrictSelfError::RestrictSelfCall { source, .. }) => {
            (RefusedStep::RestrictSelf, source)
        }
        RulesetError::RestrictSelf(RestrictSelfError::SetNoNewPrivsCall { source, .. }) => {
            (RefusedStep::NoNewPrivs, source)
        }
        other => return Err(io::Error::other(other)),
    };
    match (step, source.raw_os_error()) {
        (RefusedStep::RestrictSelf, Some(libc::E2BIG)) => Ok(RefusedStep::TooManyLayers),
        (_, Some(libc::EPERM | libc::EACCES | libc::ENOSYS | libc::EINVAL | libc::EOPNOTSUPP)) => Ok(step),
        _ => Err(source),
    }
}

fn enforce<'a>(
    readable: impl Iterator<Item = &'a OwnedFd>,
    access: BitFlags<AccessFs>,
    folder: Option<&OwnedFd>,
) -> Result<landlock::RestrictionStatus, RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for root in readable {
        rules = rules.add_rule(PathBeneath::new(root.as_fd(), access))?;
    }
    if let Some(folder) = folder {
        rules = rules.add_rule(PathBeneath::new(folder, AccessFs::from_all(NEWEST) & !SPECIAL))?;
    }
    if let Some(null) = null() {
        rules = rules.add_rule(PathBeneath::new(null, AccessFs::WriteFile))?;
    }
    #[cfg(coverage)]
    let rules = allow_profiles(rules)?;
    rules.restrict_self()
}

/// Lets an instrumented player write its counts.
#[cfg(coverage)]
fn allow_profiles(rules: landlock::RulesetCreated) -> Result<landlock::RulesetCreated, RulesetError> {
    let pattern = std::env::var_os("LLVM_PROFILE_FILE").unwrap_or_default();
    let folder = Path::new(&pattern).parent().and_then(|folder| open(folder).ok());
    match folder {
        Some(folder) => rules.add_rule(PathBeneath::new(folder, AccessFs::from_all(NEWEST))),
        None => Ok(rules),
    }
}

/// Returns why Landlock is unavailable, by asking for its version.
#[must_use]
pub fn landlock_error() -> Option<io::Error> {
    const VERSION: libc::c_ulong = 1;
    // SAFETY: with this flag and without rules, the call only returns a number.
    let answer = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, VERSION) };
    (answer == -1).then(io::Error::last_os_error)
}
