//! A server or a machine that stands still costs no player a game, and computing for too long always does.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use amazons_testing::{let_pass, output_of, skip, status_of};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::process::{Pid, Signal, kill_process, setpriority_process};
use rustix::thread::{CpuSet, sched_getaffinity};
use serde_json::Value;
use tempfile::TempDir;

use super::{Crowd, keep_on};
use crate::support;

/// An honest player that computes for so many milliseconds in each move.
struct Burner {
    millis: u32,
    /// The same in its third move.
    third: u32,
    /// The pages of memory that it touches in that move for the first time.
    pages: u32,
}

impl Burner {
    const fn new(millis: u32, third: u32) -> Self {
        Self { millis, third, pages: 0 }
    }

    fn build(&self) -> (TempDir, PathBuf) {
        let Self { millis, third, pages } = self;
        let source = format!(
            "#define play play_at_once\n{}\n#undef play\n\
             #include <string.h>\n#include <sys/mman.h>\n#include <time.h>\n\
             static double used(void) {{\n\
                 struct timespec time; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);\n\
                 return time.tv_sec * 1e3 + time.tv_nsec / 1e6;\n\
             }}\n\
             struct move_t play(struct move_t previous) {{\n\
                 static unsigned turn;\n\
                 int is_third = ++turn == 3;\n\
                 double end = used() + (is_third ? {third} : {millis});\n\
                 if (is_third && {pages}) {{\n\
                     char *memory = aligned_alloc(4096, {pages}L * 4096);\n\
                     madvise(memory, {pages}L * 4096, MADV_NOHUGEPAGE);\n\
                     memset(memory, 1, {pages}L * 4096);\n\
                 }}\n\
                 struct move_t answer = play_at_once(previous);\n\
                 while (used() < end) {{}}\n\
                 return answer;\n\
             }}\n",
            include_str!("../../../players/c_mobility/c_mobility.c")
        );
        support::compile_c(&source, &["-O2"])
    }
}

/// The arguments of a short game between such a player and an honest one.
fn game<'a>(options: &[&'a str], players: [&'a PathBuf; 2], seed: &'a str) -> Vec<&'a str> {
    let mut args = vec!["--json", "-m", "6", "--max-moves", "6", "--first", "1", "--seed", seed];
    args.extend(options);
    args.extend(players.map(|player| player.to_str().expect("text")));
    args
}

fn start(args: &[&str]) -> Child {
    let mut command = Command::new(support::server());
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the server can be run")
}

/// The faults of a game that is over, and its last event.
fn outcome(server: Child) -> (Vec<Value>, Value) {
    let output = output_of(server);
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    let end = events.last().unwrap_or_else(|| panic!("{said}")).clone();
    (events.into_iter().filter(|event| event["event"] == "fault").collect(), end)
}

/// Expects a game without a fault, or one that ended in the first player's third move.
fn judge((faults, end): &(Vec<Value>, Value), is_too_long: bool) {
    if !is_too_long {
        assert_eq!((faults.as_slice(), &end["termination"]), (&[][..], &"max_moves".into()), "{end}");
        return;
    }
    assert_eq!(faults.len(), 1, "{faults:?} {end}");
    let fault = &faults[0];
    assert_eq!((&fault["termination"], &fault["player"], &fault["ply"]), (&"timeout".into(), &1.into(), &5.into()));
    for key in ["steal_us", "server_us", "player_us", "reclaimed_pages"] {
        assert!(fault["machine"][key].is_u64(), "{fault}");
    }
}

/// Plays a game whose server is stopped again and again, for longer than a move may take.
fn stopped(args: &[&str], seed: u64, stops: &Range<u64>) -> (Vec<Value>, Value) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut server = start(args);
    let mut pause = |millis: Range<u64>| let_pass(Duration::from_millis(random.random_range(millis)));
    loop {
        pause(5..100);
        if server.try_wait().expect("a child").is_some() {
            return outcome(server);
        }
        kill_process(Pid::from_child(&server), Signal::STOP).expect("it is not reaped");
        pause(stops.clone());
        kill_process(Pid::from_child(&server), Signal::CONT).expect("it is not reaped");
    }
}

/// Stops for a move time of 20 ms: 260 ms on the clock are allowed.
const STOPS: Range<u64> = 270..500;

#[test]
fn a_server_that_is_stopped_costs_no_player_a_game() {
    let (_honest, honest) = Burner::new(14, 14).build();
    let (_late, late) = Burner::new(14, 24).build();
    let options = ["--move-time", "20ms"];
    for seed in 0..2 {
        let seed_text = seed.to_string();
        judge(&stopped(&game(&options, [&honest, &honest], &seed_text), seed, &STOPS), false);
        judge(&stopped(&game(&options, [&late, &honest], &seed_text), seed, &STOPS), true);
    }
}

#[test]
fn a_server_that_is_stopped_costs_no_player_a_game_on_the_clock() {
    let (_honest, honest) = Burner::new(5, 5).build();
    let (_late, late) = Burner::new(5, 480).build();
    let options = ["--move-time", "400ms", "--clock", "wall"];
    judge(&stopped(&game(&options, [&honest, &honest], "1"), 1, &(420..600)), false);
    judge(&stopped(&game(&options, [&late, &honest], "1"), 1, &(420..600)), true);
}

/// Plays a game whose server gets next to nothing of a processor, while its players have another one.
fn starved(args: &[&str], core: usize) -> (Vec<Value>, Value) {
    let mut server = start(args);
    let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
    let mut events = String::new();
    output.read_line(&mut events).expect("the start");
    keep_on(core, &server);
    setpriority_process(Some(Pid::from_child(&server)), 15).expect("everybody may be lower");
    std::io::Read::read_to_string(&mut output, &mut events).expect("events");
    status_of(&mut server);
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let end = events.last().expect("an end").clone();
    (events.into_iter().filter(|event| event["event"] == "fault").collect(), end)
}

#[test]
fn a_server_that_gets_no_processor_costs_no_player_a_game() {
    let cores = sched_getaffinity(None).expect("the kernel tells");
    let mut cores = (0..CpuSet::MAX_CPU).filter(|&core| cores.is_set(core));
    let (Some(core), Some(_)) = (cores.next(), cores.next()) else {
        return skip("the players need a processor of their own");
    };
    let (_honest, honest) = Burner::new(5, 5).build();
    let (_late, late) = Burner::new(5, 360).build();
    let _crowd = Crowd::of(12, Some(core));
    let options = ["--move-time", "300ms", "--clock", "wall"];
    judge(&starved(&game(&options, [&honest, &honest], "1"), core), false);
    judge(&starved(&game(&options, [&late, &honest], "1"), core), true);
}

/// A machine whose kernel says that it has taken back memory, or that its host takes processors away.
///
/// The files are what they are for the server alone, which needs root.
struct Disturbance {
    _folder: TempDir,
    stat: PathBuf,
    vmstat: PathBuf,
    processors: usize,
    /// Milliseconds a millisecond.
    steal: u64,
    /// Pages a millisecond that are taken back, and that are read from files.
    taken: u64,
    read: u64,
}

impl Disturbance {
    fn new(steal: u64, taken: u64, read: u64) -> Self {
        let folder = TempDir::new().expect("there is room for a temporary folder");
        let [stat, vmstat] = ["stat", "vmstat"].map(|name| folder.path().join(name));
        let real = fs::read_to_string("/proc/stat").expect("the kernel tells");
        let processors = real.lines().filter(|line| line.starts_with("cpu")).count() - 1;
        let disturbance = Self { _folder: folder, stat, vmstat, processors, steal, taken, read };
        fs::write(&disturbance.stat, disturbance.stat_at(0)).expect("the file can be written");
        fs::write(&disturbance.vmstat, disturbance.vmstat_at(0)).expect("the file can be written");
        disturbance
    }

    fn stat_at(&self, millis: u64) -> String {
        let line = |name: &str| format!("cpu{name} 1 1 1 1 1 1 1 {:012} 0 0\n", millis * self.steal / 10);
        let names = (0..self.processors).map(|number| number.to_string());
        [" ".to_owned()].into_iter().chain(names).map(|name| line(&name)).collect()
    }

    fn vmstat_at(&self, millis: u64) -> String {
        let (taken, read) = (millis * self.taken, millis * self.read * 4);
        format!("pgpgin {read:012}\noom_kill 0\npgsteal_kswapd 0\npgsteal_direct {taken:012}\n")
    }

    /// Plays a game there, and returns its faults and how often it was void.
    fn play(&self, args: &[&str]) -> Option<(Vec<Value>, usize)> {
        let is_over = AtomicBool::new(false);
        let files = [&self.stat, &self.vmstat].map(|path| File::options().write(true).open(path).expect("it is there"));
        thread::scope(|scope| {
            scope.spawn(|| {
                let begun = Instant::now();
                loop {
                    let millis = u64::try_from(begun.elapsed().as_millis()).expect("a short time");
                    let texts = [self.stat_at(millis), self.vmstat_at(millis)];
                    for (file, text) in files.iter().zip(texts) {
                        file.write_all_at(text.as_bytes(), 0).expect("there is room");
                    }
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let_pass(Duration::from_millis(1));
                }
            });
            let mount =
                "mount --bind \"$0\" /proc/stat && mount --bind \"$1\" /proc/vmstat || exit 99\nshift\nexec \"$@\"";
            let mut command = Command::new("unshare");
            command.args(["-m", "sh", "-c", mount]).args([&self.stat, &self.vmstat, &support::server()]).args(args);
            let output = command.stdin(Stdio::null()).output();
            is_over.store(true, Ordering::Relaxed);
            let output = output.ok()?;
            let text = String::from_utf8(output.stdout).expect("JSON is text");
            let said = String::from_utf8_lossy(&output.stderr);
            // Only root may do this, and not in every container.
            if output.status.code() == Some(99) || said.starts_with("unshare:") {
                skip(format!("a machine that stands still cannot be imitated: {said}"));
                return None;
            }
            assert_eq!(output.status.code(), Some(0), "{said}");
            let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
            let void = events.iter().filter(|event| event["termination"] == "void");
            for event in void.clone() {
                assert!(event["detail"].as_str().is_some_and(|text| text.contains("may be the machine's doing")));
            }
            let void = void.count();
            assert_eq!(said.lines().count(), void, "each is reported");
            Some((events.into_iter().filter(|event| event["event"] == "fault").collect(), void))
        })
    }
}

#[test]
fn a_game_that_the_machine_disturbed_is_played_again_and_counts_in_the_end() {
    let (_honest, honest) = Burner::new(10, 10).build();
    let (_late, late) = Burner::new(10, 101).build();
    let (_greedy, greedy) = Burner { pages: 60_000, ..Burner::new(10, 101) }.build();
    let options = ["--move-time", "100ms"];
    for (disturbance, player, void, word) in [
        (Disturbance::new(0, 0, 0), &late, 0, ""),
        (Disturbance::new(1, 0, 0), &late, 2, "took a processor away for"),
        (Disturbance::new(0, 1000, 0), &late, 2, "pages of memory"),
        // Memory that the player may have asked for itself is no excuse, nor are files that it may have read.
        (Disturbance::new(0, 1000, 0), &greedy, 0, ""),
        (Disturbance::new(0, 1000, 1000), &late, 0, ""),
    ] {
        let Some((faults, voids)) = disturbance.play(&game(&options, [player, &honest], "1")) else { return };
        assert_eq!((faults.len(), voids), (1, void), "{faults:?}");
        assert_eq!((&faults[0]["termination"], &faults[0]["player"]), (&"timeout".into(), &1.into()));
        assert!(faults[0]["detail"].as_str().is_some_and(|text| text.contains(word)), "{faults:?}");
    }
    let Some((faults, voids)) = Disturbance::new(1, 1000, 0).play(&game(&options, [&honest, &honest], "1")) else {
        return;
    };
    assert_eq!((faults.len(), voids), (0, 0), "only a player that is late needs an excuse");
}

mod long {
    use std::process::{Child, Command};

    use tempfile::TempDir;

    use super::{Burner, Crowd, STOPS, game, judge, outcome, start, stopped};
    use crate::support;

    /// The games of honest players: AMAZONS_FAIR_GAMES=200 for the figures in docs/security.md.
    fn honest_games() -> u64 {
        std::env::var("AMAZONS_FAIR_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(15)
    }

    /// All games: in one of five more, a player computes for 120 % of its limit in one move.
    fn all_games() -> u64 {
        honest_games() * 6 / 5
    }

    #[test]
    fn no_game_is_lost_to_a_server_that_is_stopped() {
        let (_honest, honest) = Burner::new(14, 14).build();
        let (_late, late) = Burner::new(14, 24).build();
        for seed in 0..all_games() {
            let is_late = seed >= honest_games();
            let first = if is_late { &late } else { &honest };
            let args = &["--move-time", "20ms"];
            judge(&stopped(&game(args, [first, &honest], &seed.to_string()), seed, &STOPS), is_late);
        }
    }

    /// A process that takes half of the memory that is left, gives it back, and does so again.
    struct MemoryHog {
        process: Child,
        _folder: TempDir,
    }

    impl MemoryHog {
        fn start() -> Self {
            let folder = TempDir::new().expect("there is room for a temporary folder");
            let program = folder.path().join("hog");
            let source = "#include <stdlib.h>\n#include <string.h>\n\
                 int main(int count, char **words) {\n\
                     size_t size = strtoul(words[count - 1], NULL, 10);\n\
                     for (;;) { char *memory = malloc(size); if (memory) memset(memory, 1, size); free(memory); }\n\
                 }\n";
            support::compile_program(source, &program);
            let half = amazons::host::available_memory().expect("the kernel tells") / 2;
            let process = Command::new(program).arg(half.to_string()).spawn().expect("it runs");
            Self { process, _folder: folder }
        }
    }

    impl Drop for MemoryHog {
        fn drop(&mut self) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }

    #[test]
    fn no_game_is_lost_to_a_machine_that_is_full() {
        let (_honest, honest) = Burner::new(14, 14).build();
        let (_late, late) = Burner::new(14, 24).build();
        let _crowd = Crowd::of(12, None);
        let _hog = MemoryHog::start();
        for seed in 0..all_games() {
            let is_late = seed >= honest_games();
            let first = if is_late { &late } else { &honest };
            let args = &["--move-time", "20ms"];
            judge(&outcome(start(&game(args, [first, &honest], &seed.to_string()))), is_late);
        }
    }
}
