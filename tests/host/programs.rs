//! Programs of any game, through the sandbox's own interface: lines with deadlines, and reasons for their end.

use std::time::Duration;

use amazons_sandbox::{Error, Overrun, Program, ProgramConfig, ProgramError, SandboxLevel};
use amazons_testing::{deadline, deadline_after};

use super::rig::fork_server;

fn config(path: &str, arguments: &[&str]) -> ProgramConfig {
    let arguments = [path].iter().chain(arguments).map(|&word| word.into()).collect();
    ProgramConfig { arguments, ..ProgramConfig::new(path) }
}

fn started(config: &ProgramConfig) -> Program {
    let mut program = Program::start(&fork_server(), config).expect("a process can be started");
    program.await_ready().expect("it can be confined");
    program
}

fn shell(script: &str) -> Program {
    started(&config("/bin/sh", &["-c", script]))
}

#[test]
fn lines_go_there_and_back() {
    let mut cat = started(&config("/bin/cat", &[]));
    assert_ne!(cat.sandbox().expect("it is set up").level, SandboxLevel::Off);
    for line in ["a line", "", "another one"] {
        cat.send(line, deadline()).expect("it is read");
        assert_eq!(cat.line(deadline()).expect("it is written"), Some(line.to_owned()));
    }
    cat.close_input();
    assert_eq!(cat.line(deadline()).expect("it ends in good order"), None);
    assert!(matches!(cat.silence(), ProgramError::Exited(0)));
}

#[test]
fn its_environment_and_its_log_are_its_own() {
    let config = config("/bin/sh", &["-c", "echo $WORD; echo oops >&2; echo $HOME$GLIBC_TUNABLES"]);
    let mut program = started(&ProgramConfig { environment: vec!["WORD=a word".into()], ..config });
    assert_eq!(program.line(deadline()).expect("a line"), Some("a word".to_owned()));
    // Where the kernel gives it no temporary folder, its home does not exist.
    let home = program.line(deadline()).expect("a line").expect("it is said");
    assert!(["/dev/shm", "/nonexistent"].contains(&&*home), "{home}");
    assert_eq!(program.log(), b"oops\n");
}

#[test]
fn a_program_that_is_late_is_ended() {
    let mut program = shell("sleep 1000; echo late");
    let late = program.line(deadline_after(Duration::from_millis(50))).expect_err("nothing comes");
    assert!(matches!(late, ProgramError::Late(_)), "{late}");
    assert!(program.ends_by(deadline_after(Duration::ZERO)).expect("the kernel says"), "it is gone");
}

#[test]
fn the_reason_of_an_end_is_known() {
    let ended = |script: &str| {
        let mut program = shell(script);
        assert_eq!(program.line(deadline()).expect("its output is closed"), None);
        program.silence()
    };
    let exited = ended("exit 7");
    assert!(matches!(exited, ProgramError::Exited(7)), "{exited}");
    assert_eq!(exited.to_string(), "ended its process with status 7");
    let killed = ended("kill -SEGV $$");
    assert!(matches!(killed, ProgramError::Killed { signal: libc::SIGSEGV, is_violation: false }), "{killed}");
    assert_eq!(killed.to_string(), "killed by SIGSEGV");
    let mute = ended("exec >&-; sleep 1000");
    assert!(matches!(mute, ProgramError::Disconnected), "{mute}");
}

#[test]
fn output_comes_as_it_is_written_and_may_be_late() {
    let mut program = shell("printf 'half a'; read word; echo \" $word\"; exec >&-; read never");
    assert_eq!(program.output(deadline()).expect("bytes"), Some(b"half a".to_vec()));
    assert_eq!(program.output(deadline_after(Duration::ZERO)).expect("it lives"), None);
    program.send("line", deadline()).expect("it is read");
    assert_eq!(program.output(deadline()).expect("bytes"), Some(b" line\n".to_vec()));
    assert_eq!(program.output(deadline()).expect("its output is closed"), Some(Vec::new()));
    assert!(matches!(program.silence(), ProgramError::Disconnected));
    let missing =
        started(&config("/bin/no-such-program", &[])).output(deadline()).expect_err("there is nothing to run");
    assert!(matches!(missing, ProgramError::NotRun(_)), "{missing}");
}

#[test]
fn a_program_that_is_none_is_not_run() {
    let mut program = started(&config("/bin/no-such-program", &[]));
    let missing = program.line(deadline()).expect_err("there is nothing to run");
    assert!(matches!(missing, ProgramError::NotRun(_)), "{missing}");
    assert!(missing.to_string().starts_with("cannot run /bin/no-such-program: "), "{missing}");
}

#[test]
fn what_it_writes_and_takes_is_bounded() {
    let mut endless = shell("while :; do printf 'no end of this line '; done");
    let long = endless.line(deadline()).expect_err("the line is too long");
    assert!(matches!(long, ProgramError::LongLine), "{long}");
    let script = "for i in $(seq 300); do sleep 1000 & done; wait";
    let mut crowd = shell(script);
    match crowd.line(deadline()) {
        // The kernel counts where its user has no other processes.
        Ok(None) => assert!(matches!(crowd.silence(), ProgramError::Exited(_))),
        Err(ProgramError::Over(Overrun::Threads { limit: 64, .. })) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_cannot_be_read_is_our_own_mistake() {
    let config = ProgramConfig { readable: vec!["/no/such/folder".into()], ..config("/bin/cat", &[]) };
    let mut program = Program::start(&fork_server(), &config).expect("a process can be started");
    let refused = program.await_ready().expect_err("there is no such folder");
    assert!(matches!(refused, Error::SetUp(_)), "{refused}");
    assert!(refused.to_string().contains("cannot open /no/such/folder"), "{refused}");
}
