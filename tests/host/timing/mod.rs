//! The clocks of the host, measured: these tests run alone.

mod fair;

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use amazons::host::{Clock, GameTime, Pondering};
use amazons::referee::{Seat, Termination};
use amazons_rules::Move;
use amazons_testing::let_pass;
use rustix::process::{Pid, setpriority_process};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::clocks::{BURN, burn, millis, obedient, pondering, ready_both, threads, wait_for_log};
use super::rig::{Rig, Source, fault, seats};

#[test]
fn time_is_measured() {
    let busy = "clock_t end = clock() + CLOCKS_PER_SEC / 20; while (clock() < end); usleep(50000); return previous;";
    let mut seat = Source::new().top("#include <time.h>").play(busy).build().ready();
    let answer = seat.play(None).expect("the player plays");
    assert!(answer.usage.cpu >= Duration::from_millis(49), "{answer:?}");
    assert!(
        answer.usage.wall >= answer.usage.cpu.min(Duration::from_millis(60)) + Duration::from_millis(49),
        "{answer:?}"
    );
    let idle = Source::new().play("usleep(50000); return previous;").build().ready().play(None);
    let idle = idle.expect("the player plays");
    assert!(idle.usage.cpu < Duration::from_millis(40) && idle.usage.wall >= Duration::from_millis(50), "{idle:?}");
}

#[test]
fn sleeping_costs_no_processor_time() {
    let mut rig = Source::new().play("usleep(400000); return previous;").build();
    rig.limits.play = millis(300);
    let mut seat = rig.ready();
    for _ in 0..3 {
        let answer = seat.play(None).expect("the player is in time");
        assert!(answer.usage.wall >= millis(400), "{answer:?}");
        assert!(answer.usage.cpu < millis(100), "{answer:?}");
        assert_eq!(answer.left, rig.limits.play - answer.usage.cpu - answer.usage.idle_cpu);
    }
}

#[test]
fn the_time_of_a_game_runs_down_and_grows_with_each_move() {
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
}

#[test]
fn computing_in_the_opponents_turn_is_charged_to_the_next_move() {
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
}

#[test]
fn a_frozen_player_cannot_compute_in_its_opponents_turn() {
    let mut rig = pondering(0, "for (;;) burn(10);");
    rig.limits.threads = threads(2);
    rig.limits.pondering = Pondering::Frozen;
    let mut seat = rig.ready();
    for _ in 0..3 {
        let_pass(millis(300));
        let answer = seat.play(None).expect("the player is in time");
        assert!(answer.usage.idle_cpu < millis(100), "{answer:?}");
    }
    seat.name().expect("a frozen player answers");
    seat.finalize().expect("a frozen player is finalized");
}

#[test]
fn what_the_opponent_computes_is_not_on_a_players_clock() {
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
}

#[test]
fn a_games_time_bounds_the_wall_clock_as_well() {
    let mut rig = Source::new().play("usleep(300000); return previous;").build();
    rig.limits.game = Some(GameTime { bank: millis(100), increment: Duration::ZERO });
    let mut seat = rig.ready();
    seat.play(None).expect("the player has 500 ms for a move");
    seat.play(None).expect("the player has 800 ms for a game");
    assert_eq!(fault(seat.play(None)).termination, Termination::Timeout);
}

#[test]
fn the_time_of_all_threads_is_divided_by_their_number() {
    let mut rig = obedient().build();
    rig.limits.threads = threads(4);
    rig.limits.play = millis(150);
    let mut seat = rig.ready();
    let answer = burn(&mut seat, 200).expect("a fourth of that counts");
    assert!(answer.usage.cpu >= millis(200), "{answer:?}");
    assert_eq!(answer.left, millis(150) - answer.usage.cpu / 4 - answer.usage.idle_cpu / 4);
    let top =
        format!("{BURN}\nstatic void *work(void *unused) {{ burn_on(CLOCK_THREAD_CPUTIME_ID, 200); return unused; }}");
    let body = "pthread_t threads[4];
                for (int i = 0; i < 4; i++) if (pthread_create(&threads[i], NULL, work, NULL)) abort();
                for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
                return previous;";
    let mut rig = Source::new().top(&top).play(body).build();
    rig.limits.threads = threads(4);
    rig.limits.play = millis(150);
    assert_eq!(fault(rig.ready().play(None)).termination, Termination::Timeout, "four times 200 ms, of four times 150");
}

#[test]
fn a_player_that_computes_in_its_rivals_turn_costs_the_rival_nothing() {
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
}

#[test]
fn who_waits_for_a_processor_is_not_late() {
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
}

/// Processes that keep cores busy.
struct Crowd(Vec<Child>);

impl Crowd {
    /// So many processes, perhaps all on one core.
    fn of(count: usize, core: Option<usize>) -> Self {
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
        Self((0..count).map(|_| busy()).collect())
    }

    /// Twice as many as there are cores.
    fn gather() -> Self {
        Self::of(2 * thread::available_parallelism().map_or(1, usize::from), None)
    }
}

/// Lets a process run on one core only.
fn keep_on(core: usize, child: &Child) {
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(Some(Pid::from_child(child)), &set).expect("it is ours");
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
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
