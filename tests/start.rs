//! The start of the tests' own executables, their waits and their skips.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use std::{env, fs, mem, ptr};

use amazons_testing::{output_of, output_within, skip};
use rustix::process::{Resource, getrlimit};

use crate::support::alone;

/// The test of that name in this file, in a process of its own, by a shell that has done something before.
fn after(preparation: &str, test: &str) -> Command {
    let alone = alone::command(&format!("start::{test}"));
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{preparation}\nexec \"$0\" \"$@\"")]).arg(alone.get_program()).args(alone.get_args());
    command.envs(alone.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

#[test]
fn it_is_the_same_for_every_caller() {
    if !alone::is_alone() {
        let preparation = "umask 077; trap '' HUP INT QUIT USR1 CHLD; ulimit -S -n 60; ulimit -S -s 200; exec <&-";
        let mut command = after(preparation, "it_is_the_same_for_every_caller");
        command.envs([("LC_ALL", "tr_TR.UTF-8"), ("LANGUAGE", "tr"), ("TZ", "Asia/Kolkata"), ("NO_COLOR", "1")]);
        let block_all = || {
            // SAFETY: all bits zero are an empty set.
            let mut all = unsafe { mem::zeroed() };
            // SAFETY: the place is valid.
            unsafe { libc::sigfillset(&raw mut all) };
            // SAFETY: the set is valid.
            unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const all, ptr::null_mut()) };
            Ok(())
        };
        // SAFETY: it changes a mask, and its memory is its own.
        unsafe { command.pre_exec(block_all) };
        alone::run(&mut command);
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    assert_eq!(fs::metadata(inner).expect("it is there").permissions().mode() & 0o777, 0o755);
    // What a child has, for std itself unblocks signals there.
    let child = Command::new("cat").arg("/proc/self/status").output().expect("children are not buried unseen");
    // This thread, for the one that started it may not have its own signals back yet.
    let own = fs::read_to_string("/proc/thread-self/status").expect("a status");
    let signals = |status: &str, key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("a line");
        u64::from_str_radix(line.trim(), 16).expect("a mask")
    };
    let ignored = signals(&String::from_utf8_lossy(&child.stdout), "SigIgn:");
    let ending = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGUSR1, libc::SIGCHLD];
    assert!(ending.iter().all(|signal| ignored & (1 << (signal - 1)) == 0), "{ignored:x}");
    assert_eq!(signals(&own, "SigBlk:"), 0);
    let soft = |resource| getrlimit(resource).current.unwrap_or(u64::MAX);
    assert!(soft(Resource::Nofile) >= 1024 && soft(Resource::Stack) == 8 << 20 && soft(Resource::Core) == 0);
    assert_eq!(env::var("LC_ALL").as_deref(), Ok("C.UTF-8"));
    assert!(["LANGUAGE", "TZ", "NO_COLOR"].iter().all(|name| env::var_os(name).is_none()));
    assert_eq!(fs::read_link("/proc/self/fd/0").expect("an input"), Path::new("/dev/null"));
    // This process itself goes on ignoring what its caller ignores.
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::HUP).expect("it is told");
}

/// A capturing run of the test below; it is skipped there.
fn skipped(list: Option<&Path>) -> Output {
    let mut command = Command::new(env::current_exe().expect("the tests know where they are"));
    command.args(["start::a_skip_is_seen", "--exact"]).env("AMAZONS_TEST_ALONE", "1").env_remove("AMAZONS_SKIPS");
    command.envs(list.map(|list| ("AMAZONS_SKIPS", list)));
    alone::run(&mut command)
}

#[test]
fn a_skip_is_seen() {
    if alone::is_alone() {
        return skip("this machine has no\nmoon");
    }
    let said = skipped(None).stderr;
    assert_eq!(String::from_utf8_lossy(&said), "SKIPPED: start::a_skip_is_seen: this machine has no; moon\n");
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("skips");
    for _ in 0..2 {
        assert_eq!(skipped(Some(&list)).stderr, b"");
    }
    let line = "start::a_skip_is_seen\tthis machine has no; moon\n";
    assert_eq!(fs::read_to_string(&list).expect("a list"), line.repeat(2));
}

/// A run of the test of time below, which fails so often.
fn parts(failures: usize) -> Output {
    let tries = tempfile::NamedTempFile::new().expect("a file");
    let mut command = Command::new(env::current_exe().expect("the tests know where they are"));
    command.args(["start::", "--skip", "start::i"]).env_remove("AMAZONS_TEST_PART").env("AMAZONS_TEST_ALONE", "1");
    command.env("AMAZONS_FAILING_TRIES", format!("{failures} {}", tries.path().display()));
    command.output().expect("the tests can be run again")
}

#[test]
fn tests_of_time_run_last_and_are_tried_five_times() {
    if alone::is_alone() {
        return;
    }
    for failures in [0, 2, 5] {
        let output = parts(failures);
        let said = String::from_utf8_lossy(&output.stdout);
        let (others, timing) = said.split_once("running 1 tests of time, one by one").expect("a second part");
        assert!(!others.contains("timing::") && others.contains("a_skip_is_seen"), "{said}");
        assert_eq!(timing.matches("not yet").count(), failures, "what each try printed is seen: {said}");
        assert_eq!(timing.contains(&format!("sample ... ok, try {}", failures + 1)), failures == 2, "{said}");
        assert_eq!(timing.contains("test result: ok. 1 passed"), failures < 5, "{said}");
        assert_eq!(output.status.success(), failures < 5, "{said}");
    }
}

mod timing {
    use std::fs::{self, OpenOptions};
    use std::io::Write as _;

    /// A test of time that fails as often as it is told to.
    #[test]
    fn sample() {
        let Ok(told) = std::env::var("AMAZONS_FAILING_TRIES") else { return };
        let (failures, tries) = told.split_once(' ').expect("a number and a file");
        OpenOptions::new().append(true).open(tries).and_then(|mut file| file.write_all(b".")).expect("it is counted");
        assert!(fs::read(tries).expect("a file").len() > failures.parse().expect("a number"), "not yet");
    }
}

#[test]
fn a_program_that_hangs_is_killed() {
    let start = |seconds| {
        let mut command = Command::new("sh");
        command.args(["-c", "echo begun; exec sleep \"$0\"", seconds]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("sh can be run")
    };
    assert_eq!(output_of(start("0")).stdout, b"begun\n");
    let panic = catch_unwind(|| output_within(Duration::from_millis(500), start("1000"))).expect_err("it hangs");
    let said = panic.downcast_ref::<String>().expect("a message");
    assert!(said.contains("did not end, and was killed") && said.contains("begun"), "{said}");
}
