//! Players' mistakes in every function, and the faults charged.

use std::time::Duration;

use amazons::host::{Clock, ProcessPlayer};
use amazons::referee::{Call, CallError, Fault, Seat, Termination};
use amazons_testing::wait_until;

use super::rig::{Rig, Source, fault, log_of, seats};

use crate::support::{alone, is_gone};

/// Short, and reached only by players that never return.
const SHORT: Duration = Duration::from_millis(300);

const CALLS: [Call; 5] = [Call::Load, Call::Initialize, Call::Name, Call::Play, Call::Finalize];

/// A player that does something in one function.
fn misbehaving(call: Call, code: &str) -> Source {
    let source = Source::new();
    match call {
        Call::Load => source.top(&format!("static void __attribute__((constructor)) load(void) {{ {code} }}")),
        Call::Initialize => source.initialize(code),
        Call::Name => source.name(&format!("{code} return NULL;")),
        Call::Play => source.play(&format!("{code} return previous;")),
        Call::Finalize => source.finalize(code),
    }
}

/// Makes all calls in order until one fails.
fn play_through(seat: &mut dyn Seat) -> Result<(), CallError> {
    seat.load()?;
    seat.initialize()?;
    seat.name()?;
    seat.play(None)?;
    seat.finalize()?;
    Ok(())
}

fn fault_of(rig: &Rig) -> Fault {
    let mut seat = rig.seat();
    let first = fault(play_through(&mut seat));
    // A dead player's seat repeats its answer to every call.
    assert_eq!(fault(seat.finalize()), first);
    assert_eq!(fault(seat.load()), first);
    first
}

#[test]
fn crashes() {
    for call in CALLS {
        let fault = fault_of(&misbehaving(call, "*(volatile int *)16 = 1;").build());
        assert_eq!(fault.termination, Termination::Crash, "{fault:?}");
        assert_eq!((fault.call, fault.signal, fault.exit_code), (call, Some(libc::SIGSEGV), None));
        assert!(fault.detail.starts_with("killed by SIGSEGV at address 0x10"), "{}", fault.detail);
    }
}

#[test]
fn exits() {
    for call in CALLS {
        let fault = fault_of(&misbehaving(call, "exit(3);").build());
        assert_eq!(fault.termination, Termination::Exit, "{fault:?}");
        assert_eq!((fault.call, fault.signal, fault.exit_code), (call, None, Some(3)));
    }
}

#[test]
fn never_returning() {
    for call in CALLS {
        let mut rig = misbehaving(call, "for (;;);").build();
        let limit = match call {
            Call::Load => &mut rig.limits.load,
            Call::Initialize => &mut rig.limits.initialize,
            Call::Name => &mut rig.limits.name,
            Call::Play => &mut rig.limits.play,
            Call::Finalize => &mut rig.limits.finalize,
        };
        // By the wall clock, which ends a player that gets no processor, it has seven times as long.
        *limit = Duration::from_millis(50);
        let fault = fault_of(&rig);
        assert_eq!((fault.termination, fault.call), (Termination::Timeout, call), "{fault:?}");
        let expected = format!("{call} did not return within 50ms of processor time in ");
        assert!(fault.detail.starts_with(&expected), "{}", fault.detail);
    }
}

#[test]
fn an_answer_after_the_deadline_is_none() {
    let mut rig = Source::new().play("usleep(600000); return previous;").build();
    rig.limits.play = SHORT;
    rig.limits.clock = Clock::Wall;
    assert_eq!(fault_of(&rig).termination, Termination::Timeout);
}

#[test]
fn a_stopped_player_runs_out_of_time() {
    let mut rig = Source::new().play("raise(SIGSTOP); return previous;").build();
    rig.limits.play = SHORT;
    assert_eq!(fault_of(&rig).termination, Termination::Timeout);
}

#[test]
fn a_player_that_ends_its_main_thread_does_not_answer() {
    let mut rig = Source::new().play("pthread_exit(NULL);").build();
    rig.limits.play = SHORT;
    let fault = fault_of(&rig);
    assert!(matches!(fault.termination, Termination::Crash | Termination::Exit | Termination::Timeout), "{fault:?}");
}

/// A player that has answered and then ended itself while the opponent thought.
fn dead_between_calls() -> ProcessPlayer {
    let source = Source::new()
        .top("static void *die(void *unused) { usleep(20000); _exit(9); return unused; }")
        .initialize("printf(\"%d\\n\", getpid());")
        .play("pthread_t thread; pthread_create(&thread, NULL, die, NULL); return previous;");
    let mut seat = source.build().threaded().ready();
    seat.play(None).expect("the answer came in time");
    wait_until("it ends itself", || is_gone(log_of(&seat).trim()));
    seat
}

#[test]
fn dying_between_calls_is_charged_to_the_next_call() {
    let fault = fault(dead_between_calls().play(None));
    assert_eq!((fault.termination, fault.call, fault.exit_code), (Termination::Exit, Call::Play, Some(9)));
}

#[test]
fn a_dead_player_does_not_kill_a_server_that_heeds_sigpipe() {
    if !alone::is_alone() {
        alone::run(&mut alone::command("host::faults::a_dead_player_does_not_kill_a_server_that_heeds_sigpipe"));
        return;
    }
    // SAFETY: the default action runs no code of ours.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    assert_eq!(fault(dead_between_calls().play(None)).termination, Termination::Exit);
}

#[test]
fn the_last_words_of_an_abort_are_in_the_log() {
    // A line is written out at once; what follows it is lost with the process.
    let mut seat = Source::new().play("printf(\"about to fail\\nhalf a li\"); abort();").build().ready();
    let fault = fault(seat.play(None));
    assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGABRT)));
    assert_eq!(log_of(&seat), "about to fail\n");
}

#[test]
fn a_function_that_nobody_defines_is_no_reason_not_to_load() {
    let source = Source::new().top("void nowhere(void);").play("nowhere(); return previous;");
    let mut seat = source.build().ready();
    let fault = fault(seat.play(None));
    assert_eq!((fault.termination, fault.exit_code), (Termination::Exit, Some(127)));
    assert!(log_of(&seat).contains("nowhere"), "{}", log_of(&seat));
}

#[test]
fn a_crash_beside_a_child_that_holds_the_pipe_is_seen_at_once() {
    let body = "if (fork() == 0) for (;;) pause(); abort();";
    let fault = fault_of(&Source::new().play(body).build().unconfined());
    assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGABRT)));
}

/// Leaves the player to a tracer outside of its process group, which then reaps it or does not.
const TRACED: &str = "prctl(PR_SET_PTRACER, -1);
    int ready[2]; if (pipe(ready) != 0) abort();
    if (fork() == 0) {
        setsid();
        long seized = ptrace(PTRACE_SEIZE, getppid(), 0, 0);
        if (write(ready[1], &seized, sizeof seized) < 0) abort();
        for (;;) pause();
    }
    long seized; if (read(ready[0], &seized, sizeof seized) != sizeof seized || seized != 0) abort();";

#[test]
fn a_process_that_a_tracer_keeps_is_not_waited_for() {
    // Others may not trace a process that cannot be dumped.
    let sets = rustix::thread::capabilities(None).expect("the kernel tells");
    if !sets.effective.contains(rustix::thread::CapabilitySet::SYS_PTRACE) {
        return amazons_testing::skip("tracing a player takes CAP_SYS_PTRACE");
    }
    let top = "#include <sys/prctl.h>\n#include <sys/ptrace.h>";
    for (end, expected) in [("exit(0);", Termination::ProtocolError), ("for (;;) pause();", Termination::Timeout)] {
        let mut rig = Source::new().top(top).play(&format!("{TRACED} {end}")).build().unconfined();
        if expected == Termination::Timeout {
            rig.limits.play = SHORT;
        }
        let mut seat = rig.ready();
        let fault = fault(seat.play(None));
        // It would wait as long as the tracer lives.
        drop(seat);
        assert_eq!((fault.termination, fault.signal, fault.exit_code), (expected, None, None), "{fault:?}");
    }
}

#[test]
fn a_slow_load_is_late_whatever_the_opponent_does_meanwhile() {
    let constructor = |body: &str| {
        let mut rig =
            Source::new().top(&format!("static void __attribute__((constructor)) slow(void) {{ {body} }}")).build();
        rig.limits.load = Duration::from_secs(1);
        rig.limits.clock = Clock::Wall;
        rig
    };
    // Late by its own clock, in time by one that starts when the opponent has resigned.
    let (hanging, slow) = (constructor("for (;;) pause();"), constructor("usleep(1700000);"));
    for mut seat in seats([&hanging.config(), &slow.config()]) {
        assert_eq!(fault(seat.load()).termination, Termination::Timeout);
    }
}

#[test]
fn a_signal_that_nobody_knows_has_a_number() {
    let fault = fault_of(&Source::new().play("raise(SIGRTMIN + 5); return previous;").build());
    assert_eq!(fault.termination, Termination::Crash);
    assert_eq!(fault.detail, format!("killed by signal {}", libc::SIGRTMIN() + 5));
}

#[test]
fn being_killed_is_a_crash_with_a_hint() {
    let fault = fault_of(&Source::new().play("raise(SIGKILL); return previous;").build());
    assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGKILL)));
    assert!(fault.detail.contains("that the server did not send"), "{}", fault.detail);
}
