//! The clocks for players' time, and what is charged.

use std::num::NonZeroU32;
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use amazons::host::{Clock, GameTime, Limits, Pondering, SandboxMode};
use amazons::referee::{Answer, Call, Fault, Seat, Termination};
use amazons_rules::Move;
use rustix::process::{Pid, setpriority_process};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::rig::{Rig, Source, fault, log_of, seats};
use crate::support::{is_gone, retried, wait_until};

/// Some tests fill the machine; the limits of others assume a calm one.
static MACHINE: RwLock<()> = RwLock::new(());

/// Keeps the machine from being filled.
pub(super) fn calm() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Computes until this thread or the whole process has used that many more milliseconds.
const BURN: &str = "#include <time.h>
    static double used(clockid_t clock) {
        struct timespec time; clock_gettime(clock, &time);
        return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
    }
    static void burn_on(clockid_t clock, double ms) { double end = used(clock) + ms; while (used(clock) < end) {} }
    static void burn(double ms) { burn_on(CLOCK_PROCESS_CPUTIME_ID, ms); }";

/// A player that burns as many milliseconds as its opponent's move begins with.
fn obedient() -> Source {
    Source::new().top(BURN).play("if (previous.queen_src != UINT_MAX) burn(previous.queen_src); return previous;")
}

/// Lets an obedient player burn.
fn burn(seat: &mut impl Seat, millis: u32) -> Result<Answer<Move>, Fault> {
    let played = seat.play(Some(Move { from: millis, to: 0, arrow: 0 }));
    match played {
        Ok(answer) => Ok(answer),
        failed => Err(fault(failed)),
    }
}

fn millis(number: u64) -> Duration {
    Duration::from_millis(number)
}

fn threads(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("a player has a thread")
}

#[test]
fn sleeping_costs_no_processor_time() {
    let _calm = calm();
    retried(|| {
        let mut rig = Source::new().play("usleep(400000); return previous;").build();
        rig.limits.play = millis(300);
        let mut seat = rig.ready();
        for _ in 0..3 {
            let answer = seat.play(None).expect("the player is in time");
            assert!(answer.usage.wall >= millis(400), "{answer:?}");
            assert!(answer.usage.cpu < millis(100), "{answer:?}");
            assert_eq!(answer.left, rig.limits.play - answer.usage.cpu - answer.usage.idle_cpu);
        }
    });
}

#[test]
fn computing_for_longer_than_the_limit_is_late() {
    let _calm = calm();
    retried(|| {
        for limit in [10, 200] {
            let mut rig = obedient().build();
            rig.limits.play = millis(limit);
            let mut seat = rig.ready();
            burn(&mut seat, u32::try_from(limit / 2).expect("small")).expect("half of it is in time");
            let fault = burn(&mut seat, u32::try_from(limit * 13 / 10).expect("small")).expect_err("that is too long");
            assert_eq!((fault.termination, fault.call), (Termination::Timeout, Call::Play), "{fault:?}");
            assert!(fault.detail.contains("processor time"), "{}", fault.detail);
        }
    });
}

#[test]
fn an_answer_that_comes_with_too_much_processor_time_is_late() {
    let _calm = calm();
    // So short that the answer is there before the clock is checked.
    let mut rig = obedient().build();
    rig.limits.play = millis(1);
    let details: Vec<_> = (0..5).map(|_| burn(&mut rig.ready(), 2).expect_err("twice the limit").detail).collect();
    let known = |detail: &String| detail.starts_with("play took ") || detail.starts_with("play did not return within ");
    assert!(details.iter().all(known), "{details:?}");
}

#[test]
fn the_wall_clock_ends_who_sleeps_for_good() {
    let _calm = calm();
    retried(|| {
        let mut rig = Source::new().play("for (;;) pause();").build();
        rig.limits.play = millis(100);
        let mut seat = rig.ready();
        let clock = Instant::now();
        let fault = fault(seat.play(None));
        assert_eq!(fault.termination, Termination::Timeout);
        let expected =
            "play did not return within 500ms on the clock, which is all that a limit of 100ms allows in play at ";
        assert!(fault.detail.starts_with(expected), "{}", fault.detail);
        assert!(clock.elapsed() >= millis(500));
    });
}

#[test]
fn by_the_wall_clock_sleep_counts() {
    let _calm = calm();
    retried(|| {
        let mut rig = Source::new().play("usleep(previous.queen_src * 1000); return previous;").build();
        rig.limits.play = millis(400);
        rig.limits.clock = Clock::Wall;
        let mut seat = rig.ready();
        let answer = burn(&mut seat, 100).expect("that is in time");
        assert_eq!(answer.left, rig.limits.play - answer.usage.wall - answer.usage.idle_cpu);
        let fault = burn(&mut seat, 500).expect_err("that is too long");
        assert_eq!(fault.termination, Termination::Timeout);
        assert!(fault.detail.starts_with("play did not return within 400ms in play at "), "{}", fault.detail);
    });
}

#[test]
fn the_time_of_a_game_runs_down_and_grows_with_each_move() {
    let _calm = calm();
    retried(|| {
        let (bank, increment) = (millis(400), millis(50));
        let mut rig = obedient().build();
        rig.limits.game = Some(GameTime { bank, increment });
        let mut seat = rig.ready();
        let mut left = bank;
        for (cost, grows) in [(100, false), (0, true), (0, true), (150, false), (1, true)] {
            let answer = burn(&mut seat, cost).expect("the player is in time");
            assert!(answer.usage.cpu >= millis(cost.into()), "{answer:?}");
            let expected = left - answer.usage.cpu - answer.usage.idle_cpu + increment;
            assert_eq!(answer.left, expected);
            assert_eq!(expected > left, grows, "{expected:?} after {left:?}");
            left = expected;
        }
        let fault = burn(&mut seat, 1000).expect_err("more than is left");
        assert_eq!(fault.termination, Termination::Timeout);
        assert!(fault.detail.contains(" left of its game's time"), "{}", fault.detail);
    });
}

#[test]
fn the_limit_of_a_move_stands_beside_that_of_the_game() {
    let _calm = calm();
    retried(|| {
        let mut rig = obedient().build();
        rig.limits.play = millis(100);
        rig.limits.game = Some(GameTime { bank: millis(10_000), increment: Duration::ZERO });
        let fault = burn(&mut rig.ready(), 130).expect_err("more than a move may take");
        assert!(!fault.detail.contains("game's time"), "{}", fault.detail);
    });
}

/// A thread that waits for the first move, burns, says so, and goes on burning if that is wanted.
fn pondering(millis: u32, then: &str) -> Rig {
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

fn wait_for_log(seat: &impl Seat, text: &str) {
    wait_until(text, || log_of(seat).contains(text));
}

#[test]
fn computing_in_the_opponents_turn_is_charged_to_the_next_move() {
    let _calm = calm();
    retried(|| {
        let mut rig = pondering(300, "");
        rig.limits.threads = threads(2);
        rig.limits.play = millis(1000);
        let mut seat = rig.ready();
        seat.play(None).expect("the player is in time");
        wait_for_log(&seat, "burnt");
        let answer = seat.play(None).expect("the player is in time");
        assert!(answer.usage.idle_cpu >= millis(250), "{answer:?}");
        assert!(answer.left <= millis(1000 - 250 / 2), "{answer:?}");
        let mut rig = pondering(300, "");
        rig.limits.threads = threads(2);
        rig.limits.play = millis(100);
        let mut seat = rig.ready();
        seat.play(None).expect("the player is in time");
        wait_for_log(&seat, "burnt");
        let fault = fault(seat.play(None));
        assert_eq!(fault.termination, Termination::Timeout);
        if fault.detail.starts_with("play took") {
            assert!(fault.detail.contains("of it in its opponent's turn"), "{}", fault.detail);
        }
    });
}

#[test]
fn a_frozen_player_cannot_compute_in_its_opponents_turn() {
    let _calm = calm();
    retried(|| {
        let mut rig = pondering(0, "for (;;) burn(10);");
        rig.limits.threads = threads(2);
        rig.limits.pondering = Pondering::Frozen;
        let mut seat = rig.ready();
        for _ in 0..3 {
            thread::sleep(millis(300));
            let answer = seat.play(None).expect("the player is in time");
            assert!(answer.usage.idle_cpu < millis(100), "{answer:?}");
        }
        seat.name().expect("a frozen player answers");
        seat.finalize().expect("a frozen player is finalized");
    });
}

#[test]
fn a_frozen_player_that_wakes_itself_has_lost() {
    let _calm = calm();
    retried(|| {
        let top = format!(
            "{BURN}
             static void work(int unused) {{ (void)unused; burn(40); }}"
        );
        let body = "struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
                    struct itimerspec soon = {.it_value = {0, 20000000}};
                    timer_t timer; signal(SIGCONT, work);
                    if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &soon, NULL)) abort();
                    return previous;";
        let mut rig = Source::new().top(&top).initialize("printf(\"%d\\n\", getpid());").play(body).build();
        rig.limits.pondering = Pondering::Frozen;
        rig.limits.play = millis(1000);
        let fault = fault_beside_opponent(&rig);
        assert_eq!(fault.termination, Termination::Timeout);
        assert!(fault.detail.contains("while its opponent was to move"), "{}", fault.detail);
    });
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
fn ready_both(first: &Rig, second: &Rig) -> [Box<dyn Seat>; 2] {
    let mut both = seats([&first.config(), &second.config()]);
    for seat in &mut both {
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
    }
    both
}

#[test]
fn computing_for_too_long_in_the_opponents_turn_ends_there() {
    let _calm = calm();
    retried(|| {
        let mut rig = pondering(0, "for (;;) burn(10);");
        rig.limits.threads = threads(2);
        rig.limits.play = millis(50);
        let fault = fault_beside_opponent(&rig);
        assert_eq!(fault.termination, Termination::Timeout);
        assert!(fault.detail.contains("while its opponent was to move"), "{}", fault.detail);
    });
}

#[test]
fn what_the_opponent_computes_is_not_on_a_players_clock() {
    let _calm = calm();
    retried(|| {
        let is_in_time = |burnt| {
            let mut rig = pondering(burnt, "");
            rig.limits.threads = threads(2);
            rig.limits.clock = Clock::Wall;
            let mut other = Source::new().play("usleep(1500000); return previous;").build();
            other.limits.clock = Clock::Wall;
            other.limits.play = millis(1400);
            let [mut seat, mut waiting] = ready_both(&rig, &other);
            seat.play(None).expect("the player is in time");
            waiting.play(None).is_ok()
        };
        assert!(!is_in_time(0));
        // On a busy machine the opponent may not get enough of a processor meanwhile.
        assert!((0..5).any(|_| is_in_time(400)));
    });
}

#[test]
fn a_games_time_bounds_the_wall_clock_as_well() {
    let _calm = calm();
    retried(|| {
        let mut rig = Source::new().play("usleep(300000); return previous;").build();
        rig.limits.game = Some(GameTime { bank: millis(100), increment: Duration::ZERO });
        let mut seat = rig.ready();
        seat.play(None).expect("the player has 500 ms for a move");
        seat.play(None).expect("the player has 800 ms for a game");
        assert_eq!(fault(seat.play(None)).termination, Termination::Timeout);
    });
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
    let _calm = calm();
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
    let _calm = calm();
    for (body, expected) in [("abort();", Termination::Crash), ("for (;;);", Termination::Timeout)] {
        let mut rig = Source::new().play(body).build();
        rig.limits.pondering = Pondering::Frozen;
        rig.limits.play = millis(100);
        assert_eq!(fault(rig.ready().play(None)).termination, expected);
    }
}

#[test]
fn the_time_of_all_threads_is_divided_by_their_number() {
    let _calm = calm();
    retried(|| {
        let mut rig = obedient().build();
        rig.limits.threads = threads(4);
        rig.limits.play = millis(150);
        let mut seat = rig.ready();
        let answer = burn(&mut seat, 200).expect("a fourth of that counts");
        assert!(answer.usage.cpu >= millis(200), "{answer:?}");
        assert_eq!(answer.left, millis(150) - answer.usage.cpu / 4 - answer.usage.idle_cpu / 4);
        let top = format!(
            "{BURN}\nstatic void *work(void *unused) {{ burn_on(CLOCK_THREAD_CPUTIME_ID, 200); return unused; }}"
        );
        let body = "pthread_t threads[4];
                    for (int i = 0; i < 4; i++) if (pthread_create(&threads[i], NULL, work, NULL)) abort();
                    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
                    return previous;";
        let mut rig = Source::new().top(&top).play(body).build();
        rig.limits.threads = threads(4);
        rig.limits.play = millis(150);
        assert_eq!(
            fault(rig.ready().play(None)).termination,
            Termination::Timeout,
            "four times 200 ms, of four times 150"
        );
    });
}

#[test]
fn every_call_has_a_limit_of_its_own() {
    let _calm = calm();
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

#[test]
fn a_player_that_computes_in_its_rivals_turn_costs_the_rival_nothing() {
    let _calm = calm();
    retried(|| {
        const MOVES: u32 = 50;
        let rival = obedient().build();
        let cost_beside = |other: &Rig| {
            let [mut other, mut rival] = seats([&other.config(), &rival.config()]);
            for seat in [&mut other, &mut rival] {
                seat.load().expect("the player loads");
                seat.initialize().expect("the player initialises");
            }
            let move_of_two = Some(Move { from: 2, to: 0, arrow: 0 });
            let answers = (0..MOVES).map(|_| {
                other.play(None).expect("the player is in time");
                rival.play(move_of_two).expect("the player is in time").usage.cpu
            });
            answers.sum::<Duration>()
        };
        let quiet = cost_beside(&Source::new().build());
        let mut burner = pondering(0, "for (;;) burn(10);");
        burner.limits.threads = threads(2);
        let beside_burner = cost_beside(&burner);
        // Each move takes two milliseconds by the rival's own clock, whatever happens around it.
        assert!(quiet >= millis(2) * MOVES && beside_burner >= millis(2) * MOVES);
        assert!(beside_burner < quiet * 3 / 2, "{beside_burner:?} instead of {quiet:?}");
    });
}

/// Processes that keep cores busy.
pub(super) struct Crowd {
    processes: Vec<Child>,
    _alone: RwLockWriteGuard<'static, ()>,
}

impl Crowd {
    /// Waits until no other test here needs a calm machine, and fills it.
    fn gather() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self::of(2 * cores, None)
    }

    /// The same with so many processes, perhaps all on one core.
    pub(super) fn of(count: usize, core: Option<usize>) -> Self {
        let alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        let busy = || {
            // Whatever happens to the test, they end.
            let mut command = Command::new("sh");
            command.args(["-c", "ulimit -t 300; while :; do :; done"]).stdin(Stdio::null());
            let child = command.spawn().expect("a shell can be run");
            if let Some(core) = core {
                keep_on(core, &child);
            }
            child
        };
        Self { _alone: alone, processes: (0..count).map(|_| busy()).collect() }
    }
}

/// Lets a process run on one core only.
pub(super) fn keep_on(core: usize, child: &Child) {
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(Some(pid_of(child)), &set).expect("it is ours");
}

pub(super) fn pid_of(child: &Child) -> Pid {
    Pid::from_child(child)
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for child in &mut self.processes {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn who_waits_for_a_processor_is_not_late() {
    retried(|| {
        let mut rig = Source::new()
            .top(&format!("{BURN}\n#include <unistd.h>"))
            .play("if (previous.queen_src == 0) previous.arrow_dst = getpid(); else burn(previous.queen_src); return previous;")
            .build();
        rig.limits.play = millis(20);
        let mut seat = rig.ready();
        let told = burn(&mut seat, 0).expect("that is in time").value;
        let pid = Pid::from_raw(i32::try_from(told.arrow).expect("a number of a process")).expect("a process");
        // Beside those of higher priority it gets a hundredth of a processor, and the limit on the clock is 260 ms.
        setpriority_process(Some(pid), 19).expect("everybody may be lower");
        let crowd = Crowd::gather();
        let played = (0..4).map(|_| burn(&mut seat, 10).map(|answer| answer.usage.wall)).collect::<Result<Vec<_>, _>>();
        let too_long = burn(&mut seat, 200).map(|answer| answer.usage.cpu);
        drop(crowd);
        let fault = too_long.expect_err("ten times the limit, however slowly");
        assert!(fault.detail.starts_with("play did not return within 20ms of processor time"), "{}", fault.detail);
        let walls = played.expect("it has not used its time");
        // Where its session has a share of its own, it waits less.
        println!("on the clock: {walls:?}");
    });
}

mod long {
    use std::time::Duration;

    use amazons::referee::{Seat, Termination};
    use amazons_rules::Move;

    use super::{BURN, Crowd, Source, fault};

    #[test]
    fn time_is_fair_on_a_busy_machine() {
        const LIMIT: Duration = Duration::from_millis(5);
        const MOVES: u32 = 1000;
        /// The kernel charges interrupts to the interrupted process, and a virtual machine's host may do worse.
        const UNLUCKY: u32 = MOVES / 100;
        // Microseconds this time, and on the player's own clock.
        let mut rig = Source::new().top(BURN).play("burn(previous.queen_src / 1e3); return previous;").build();
        rig.limits.play = LIMIT;
        let percent = |share: u32| Some(Move { from: 50 * share, to: 0, arrow: 0 });
        let _crowd = Crowd::gather();
        let mut late = Vec::new();
        let mut seat = rig.ready();
        for _ in 0..MOVES {
            match seat.play(percent(80)) {
                Ok(answer) => assert!(answer.usage.cpu >= LIMIT * 4 / 5, "{answer:?}"),
                Err(error) => {
                    late.push(fault::<()>(Err(error)).detail);
                    assert!(late.len() <= UNLUCKY as usize, "{late:#?}");
                    seat = rig.ready();
                }
            }
        }
        for _ in 0..10 {
            assert_eq!(fault(rig.ready().play(percent(120))).termination, Termination::Timeout);
        }
    }
}
