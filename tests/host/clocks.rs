//! The verdicts of the clocks for players' time, where a busy machine makes no difference; `timing` has the others.

use std::num::NonZeroU32;
use std::time::Duration;

use amazons::host::{Clock, GameTime, Limits, Pondering, SandboxMode};
use amazons::referee::{Answer, Call, Fault, Seat, Termination};
use amazons_rules::Move;
use amazons_testing::wait_until;

use super::rig::{Rig, Source, fault, log_of, seats};
use crate::support::is_gone;

/// Computes until this thread or the whole process has used that many more milliseconds.
pub(super) const BURN: &str = "#include <time.h>
    static double used(clockid_t clock) {
        struct timespec time; clock_gettime(clock, &time);
        return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
    }
    static void burn_on(clockid_t clock, double ms) { double end = used(clock) + ms; while (used(clock) < end) {} }
    static void burn(double ms) { burn_on(CLOCK_PROCESS_CPUTIME_ID, ms); }";

/// A player that burns as many milliseconds as its opponent's move begins with.
pub(super) fn obedient() -> Source {
    Source::new().top(BURN).play("if (previous.queen_src != UINT_MAX) burn(previous.queen_src); return previous;")
}

/// Lets an obedient player burn.
pub(super) fn burn(seat: &mut impl Seat, millis: u32) -> Result<Answer<Move>, Fault> {
    let played = seat.play(Some(Move { from: millis, to: 0, arrow: 0 }));
    match played {
        Ok(answer) => Ok(answer),
        failed => Err(fault(failed)),
    }
}

pub(super) fn millis(number: u64) -> Duration {
    Duration::from_millis(number)
}

pub(super) fn threads(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("a player has a thread")
}

#[test]
fn computing_for_longer_than_the_limit_is_late() {
    for limit in [50, 200] {
        let mut rig = obedient().build();
        rig.limits.play = millis(limit);
        let mut seat = rig.ready();
        burn(&mut seat, u32::try_from(limit / 2).expect("small")).expect("half of it is in time");
        let fault = burn(&mut seat, u32::try_from(limit * 13 / 10).expect("small")).expect_err("that is too long");
        assert_eq!((fault.termination, fault.call), (Termination::Timeout, Call::Play), "{fault:?}");
        assert!(fault.detail.contains("processor time"), "{}", fault.detail);
    }
}

#[test]
fn an_answer_that_comes_with_too_much_processor_time_is_late() {
    // So short that the answer is there before the clock is checked.
    let mut rig = obedient().build();
    rig.limits.play = millis(1);
    let details: Vec<_> = (0..5).map(|_| burn(&mut rig.ready(), 2).expect_err("twice the limit").detail).collect();
    let known = |detail: &String| detail.starts_with("play took ") || detail.starts_with("play did not return within ");
    assert!(details.iter().all(known), "{details:?}");
}

#[test]
fn the_wall_clock_ends_who_sleeps_for_good() {
    let mut rig = Source::new().play("for (;;) pause();").build();
    rig.limits.play = millis(100);
    let mut seat = rig.ready();
    let fault = fault(seat.play(None));
    assert_eq!(fault.termination, Termination::Timeout);
    let expected =
        "play did not return within 500ms on the clock, which is all that a limit of 100ms allows in play at ";
    assert!(fault.detail.starts_with(expected), "{}", fault.detail);
}

#[test]
fn by_the_wall_clock_sleep_counts() {
    let mut rig = Source::new().play("usleep(previous.queen_src * 1000); return previous;").build();
    rig.limits.play = millis(1500);
    rig.limits.clock = Clock::Wall;
    let mut seat = rig.ready();
    let answer = burn(&mut seat, 100).expect("that is in time");
    assert_eq!(answer.left, rig.limits.play - answer.usage.wall - answer.usage.idle_cpu);
    let fault = burn(&mut seat, 60_000).expect_err("that is too long");
    assert_eq!(fault.termination, Termination::Timeout);
    assert!(fault.detail.starts_with("play did not return within 1.5s in play at "), "{}", fault.detail);
}

#[test]
fn the_limit_of_a_move_stands_beside_that_of_the_game() {
    let mut rig = obedient().build();
    rig.limits.play = millis(100);
    rig.limits.game = Some(GameTime { bank: millis(10_000), increment: Duration::ZERO });
    let fault = burn(&mut rig.ready(), 130).expect_err("more than a move may take");
    assert!(!fault.detail.contains("game's time"), "{}", fault.detail);
}

/// A thread that waits for the first move, burns, says so, and goes on burning if that is wanted.
pub(super) fn pondering(millis: u32, then: &str) -> Rig {
    let top = format!(
        "{BURN}
         static int volatile answered;
         static void *ponder(void *unused) {{
             while (!answered) usleep(100);
             usleep(20000);
             burn_on(CLOCK_THREAD_CPUTIME_ID, {millis}); printf(\"burnt\\n\"); {then}
             return unused;
         }}"
    );
    Source::new()
        .top(&top)
        .initialize(
            "printf(\"%d\\n\", getpid()); pthread_t thread; if (pthread_create(&thread, NULL, ponder, NULL)) abort();",
        )
        .play("answered = 1; return previous;")
        .build()
}

pub(super) fn wait_for_log(seat: &impl Seat, text: &str) {
    wait_until(text, || log_of(seat).contains(text));
}

#[test]
fn a_frozen_player_that_wakes_itself_has_lost() {
    let top = format!(
        "{BURN}
         static void work(int unused) {{ (void)unused; burn(40); }}"
    );
    let body = "struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
                struct itimerspec soon = {{0, 20000000}, {0, 20000000}};
                timer_t timer; signal(SIGCONT, work);
                if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &soon, NULL)) abort();
                return previous;";
    let mut rig = Source::new().top(&top).initialize("printf(\"%d\\n\", getpid());").play(body).build();
    rig.limits.pondering = Pondering::Frozen;
    rig.limits.play = millis(1000);
    let fault = fault_beside_opponent(&rig);
    assert_eq!(fault.termination, Termination::Timeout);
    assert!(fault.detail.contains("while its opponent was to move"), "{}", fault.detail);
}

/// Lets a player that prints its process move once, and its opponent until that process has ended.
fn fault_beside_opponent(rig: &Rig) -> Fault {
    let other = Source::new().play("usleep(50000); return previous;").build();
    let [mut seat, mut waiting] = ready_both(rig, &other);
    seat.play(None).expect("the player is in time");
    let log = String::from_utf8(seat.log()).expect("text");
    wait_until("it is ended", || {
        waiting.play(None).expect("the player is in time");
        is_gone(log.trim())
    });
    fault(seat.play(None))
}

/// Two players that have been introduced.
pub(super) fn ready_both(first: &Rig, second: &Rig) -> [Box<dyn Seat>; 2] {
    let mut both = seats([&first.config(), &second.config()]);
    for seat in &mut both {
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
    }
    both
}

#[test]
fn computing_for_too_long_in_the_opponents_turn_ends_there() {
    let mut rig = pondering(0, "for (;;) burn(10);");
    rig.limits.threads = threads(2);
    rig.limits.play = millis(200);
    let fault = fault_beside_opponent(&rig);
    assert_eq!(fault.termination, Termination::Timeout);
    assert!(fault.detail.contains("while its opponent was to move"), "{}", fault.detail);
}

#[test]
fn too_many_threads_are_a_fault_where_the_kernel_does_not_refuse_them() {
    let top = "static void *wait_long(void *unused) { sleep(60); return unused; }";
    let body =
        "for (int i = 0; i < 6; i++) { pthread_t thread; if (pthread_create(&thread, NULL, wait_long, NULL)) abort(); }
                usleep(2000000); return previous;";
    let mut rig = Source::new().top(top).play(body).build();
    rig.sandbox = SandboxMode::Off;
    rig.limits.threads = threads(4);
    let fault = fault(rig.ready().play(None));
    assert_eq!(fault.termination, Termination::Violation);
    assert_eq!(fault.detail, "ran 7 threads, of 4");
}

#[test]
fn a_player_that_is_too_late_is_shown_where_it_was() {
    let top =
        "static int volatile on = 1;\nvoid search_for_ever(void) { while (on) {} }\nvoid doze(void) { sleep(60); }";
    for (body, function) in
        [("search_for_ever(); return previous;", "search_for_ever"), ("doze(); return previous;", "doze")]
    {
        let mut rig = Source::new().top(top).play(body).build();
        rig.limits.play = millis(50);
        let fault = fault(rig.ready().play(None));
        assert_eq!((fault.termination, fault.signal), (Termination::Timeout, None));
        assert!(fault.backtrace.iter().any(|line| line.starts_with(&format!("{function} at "))), "{fault:?}");
        assert!(fault.detail.contains(&format!(" in {function} at ")), "{}", fault.detail);
    }
}

#[test]
fn a_frozen_player_is_judged_like_any_other() {
    for (body, expected) in [("abort();", Termination::Crash), ("for (;;);", Termination::Timeout)] {
        let mut rig = Source::new().play(body).build();
        rig.limits.pondering = Pondering::Frozen;
        rig.limits.play = millis(100);
        assert_eq!(fault(rig.ready().play(None)).termination, expected);
    }
}

#[test]
fn every_call_has_a_limit_of_its_own() {
    let constructor = format!("{BURN}\nstatic void __attribute__((constructor)) load(void) {{ burn(150); }}");
    let each = |source: Source, set: fn(&mut Limits)| {
        let mut rig = source.build();
        set(&mut rig.limits);
        let mut seat = rig.seat();
        let calls = (|| {
            seat.load()?;
            seat.initialize()?;
            seat.name()?;
            seat.play(None)?;
            seat.finalize().map(|_| ())
        })();
        fault(calls)
    };
    let burner = || Source::new().top(BURN);
    let faults = [
        (Call::Load, each(Source::new().top(&constructor), |limits| limits.load = millis(100))),
        (Call::Initialize, each(burner().initialize("burn(150);"), |limits| limits.initialize = millis(100))),
        (Call::Name, each(burner().name("burn(150); return NULL;"), |limits| limits.name = millis(100))),
        (Call::Finalize, each(burner().finalize("burn(150);"), |limits| limits.finalize = millis(100))),
    ];
    for (call, fault) in faults {
        assert_eq!((fault.termination, fault.call), (Termination::Timeout, call), "{fault:?}");
    }
}

#[test]
fn players_are_told_their_limits() {
    let body = "for (char **e = environ; *e; e++) if (!strncmp(*e, \"AMAZONS_\", 8)) printf(\"%s\\n\", *e);";
    let mut rig = Source::new().top("extern char **environ;").initialize(body).build();
    let told = |rig: &Rig| {
        let log = log_of(&rig.ready());
        let mut lines: Vec<String> = log.lines().map(|line| line.replacen("AMAZONS_", "", 1)).collect();
        lines.sort_unstable();
        lines.join(" ")
    };
    rig.limits.play = millis(2000);
    rig.limits.threads = threads(4);
    assert_eq!(told(&rig), "MOVE_CPU_MS=8000 MOVE_WALL_MS=6200 SEED=0 THREADS=4");
    rig.limits.clock = Clock::Wall;
    assert_eq!(told(&rig), "MOVE_CPU_MS=8000 MOVE_WALL_MS=2000 SEED=0 THREADS=4");
    rig.limits.threads = threads(1);
    rig.limits.game = Some(GameTime { bank: millis(1500), increment: millis(250) });
    assert_eq!(told(&rig), "GAME_MS=1500 INCREMENT_MS=250 MOVE_CPU_MS=1500 MOVE_WALL_MS=1500 SEED=0 THREADS=1");
}
