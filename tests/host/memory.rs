//! Players' memory limits.

use std::num::NonZeroU32;

use amazons::referee::{Call, Seat, Termination};
use amazons_rules::Move;
use amazons_sandbox::left_in_groups;
use amazons_testing::wait_until;

use super::rig::{Rig, Source, fault, seats};
use crate::support::is_gone;

const LIMIT: u64 = 64 << 20;

fn limited(source: &Source) -> Rig {
    let mut rig = source.build();
    rig.limits.memory = LIMIT;
    rig
}

#[test]
fn keeping_too_much_is_a_fault_however_it_is_taken() {
    let ways = [
        "for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }",
        // Freed blocks count as long as the process keeps them.
        "for (;;) { char *p = malloc(100); if (p) memset(p, 1, 100); }",
        "for (;;) { char *p = calloc(300, 1000); if (p) for (int i = 0; i < 300000; i += 1000) p[i] = 1; }",
        "for (;;) { char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                    if (p != MAP_FAILED) memset(p, 1, 1 << 20); }",
    ];
    for way in ways {
        let top = "#include <sys/mman.h>";
        let places = [
            (Call::Initialize, Source::new().top(top).initialize(way)),
            (Call::Play, Source::new().top(top).play(&format!("{way} return previous;"))),
        ];
        for (call, source) in places {
            let rig = limited(&source);
            let mut seat = rig.seat();
            seat.load().expect("the player loads");
            let fault = fault(seat.initialize().and_then(|_| seat.play(None)));
            assert_eq!((fault.termination, fault.call), (Termination::OutOfMemory, call), "{fault:?}");
            assert_eq!(fault.detail, "kept more than 64 MiB of memory");
            assert_eq!((fault.signal, fault.exit_code), (None, None));
        }
    }
}

#[test]
fn constructors_are_bounded_as_well() {
    let top = "static void __attribute__((constructor)) load(void) {
                   for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }
               }";
    let rig = limited(&Source::new().top(top));
    let fault = fault(rig.seat().load());
    assert_eq!((fault.termination, fault.call), (Termination::OutOfMemory, Call::Load), "{fault:?}");
}

#[test]
fn growing_a_little_in_each_of_many_short_calls_is_noticed() {
    let body = "char *p = malloc(1 << 20); memset(p, 1, 1 << 20); return previous;";
    let mut seat = limited(&Source::new().play(body)).ready();
    let answers = (0..1000).map_while(|_| seat.play(None).ok()).count();
    assert!(answers < 500, "the player keeps {answers} MiB");
    assert_eq!(fault(seat.play(None)).termination, Termination::OutOfMemory);
}

#[test]
fn memory_that_is_reserved_and_not_used_is_free() {
    let body =
        "char *p = mmap(NULL, 7ul << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
                if (p == MAP_FAILED) return (struct move_t){errno, 0, 0};
                for (size_t i = 0; i < 7ul << 30; i += 1ul << 28) p[i] = 1;
                usleep(100000);
                return (struct move_t){0, p[1ul << 28], 0};";
    let mut seat = limited(&Source::new().top("#include <sys/mman.h>").play(body)).ready();
    assert_eq!(seat.play(None).expect("nothing is kept").value, Move { from: 0, to: 1, arrow: 0 });
}

#[test]
fn memory_that_is_given_back_in_time_is_free() {
    let body = "for (int i = 0; i < 50; i++) { char *p = malloc(32 << 20); memset(p, 1, 32 << 20); free(p); }
                return previous;";
    let mut seat = limited(&Source::new().play(body)).ready();
    seat.play(None).expect("32 MiB at a time are within 64");
}

#[test]
fn what_can_be_reserved_is_bounded() {
    let body = "unsigned int n = 0;
                while (n < 1000 && mmap(NULL, 1ul << 30, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED) n++;
                return (struct move_t){n, (unsigned int)errno, 0};";
    let mut seat = limited(&Source::new().top("#include <sys/mman.h>").play(body)).ready();
    let Move { from, to, .. } = seat.play(None).expect("nothing is kept").value;
    assert!((8..64).contains(&from), "{from} GiB");
    assert_eq!(to, libc::ENOMEM.unsigned_abs());
}

#[test]
fn the_stack_counts_and_ends() {
    let top = "#include <sys/resource.h>
               static unsigned int fill(size_t n) {
                   volatile char array[n];
                   for (size_t i = 0; i < n; i += 4096) array[i] = 1;
                   usleep(200000);
                   return array[n / 4096 / 2 * 4096];
               }";
    let limit = "struct rlimit l; getrlimit(RLIMIT_STACK, &l); return (struct move_t){l.rlim_cur >> 20, 0, 0};";
    let mut seat = limited(&Source::new().top(top).play(limit)).ready();
    assert!(seat.play(None).expect("the player plays").value.from <= 64);
    let mut rig = limited(&Source::new().top(top).play("return (struct move_t){fill(48u << 20), 0, 0};"));
    rig.limits.memory = 32 << 20;
    assert_eq!(fault(rig.ready().play(None)).termination, Termination::OutOfMemory);
}

// Instrumented players keep their profiles in shared files.
#[cfg(not(coverage))]
#[test]
fn memory_cannot_be_shared() {
    let body = "int log = 1;
                void *anonymous = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
                int first = anonymous == MAP_FAILED ? errno : 0;
                void *file = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, log, 0);
                int second = file == MAP_FAILED ? errno : 0;
                void *valid = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE, log, 0);
                int third = valid == MAP_FAILED ? errno : 0;
                return (struct move_t){first, second, third};";
    let mut seat = limited(&Source::new().top("#include <sys/mman.h>").play(body)).ready();
    let refused = libc::EPERM.unsigned_abs();
    let expected = Move { from: refused, to: refused, arrow: refused };
    assert_eq!(seat.play(None).expect("the player plays").value, expected);
}

#[test]
fn a_player_that_grows_in_its_opponents_turn_is_ended_in_that_turn() {
    let top = "static int volatile answered;
               static void *grow(void *unused) {
                   while (!answered) usleep(100);
                   usleep(50000);
                   for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }
                   return unused;
               }";
    let start =
        "printf(\"%d\\n\", getpid()); pthread_t thread; if (pthread_create(&thread, NULL, grow, NULL)) abort();";
    let mut grower = limited(&Source::new().top(top).initialize(start).play("answered = 1; return previous;"));
    grower.limits.threads = NonZeroU32::new(2).expect("two");
    let thinker = limited(&Source::new().play("usleep(1500000); return previous;"));
    let [mut first, mut second] = seats([&grower.config(), &thinker.config()]);
    for seat in [&mut first, &mut second] {
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
    }
    first.play(None).expect("the answer comes before the memory");
    let pid = String::from_utf8(first.log()).expect("text");
    wait_until("its memory is free", || {
        second.play(None).expect("the opponent is not disturbed");
        is_gone(pid.trim())
    });
    let fault = fault(first.play(None));
    assert_eq!((fault.termination, fault.call), (Termination::OutOfMemory, Call::Play), "{fault:?}");
    second.play(None).expect("the opponent plays on");
}

#[test]
fn each_player_has_a_limit_of_its_own() {
    let keep = "char *p = malloc(48 << 20); memset(p, 1, 48 << 20); usleep(100000); return previous;";
    let rig = limited(&Source::new().play(keep));
    let [mut first, mut second] = seats([&rig.config(), &rig.config()]);
    for seat in [&mut first, &mut second] {
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
        seat.play(None).expect("48 MiB are within 64");
    }
}

/// Both versions of control groups, as the kernel and containers show them.
#[test]
fn limits_of_control_groups_and_of_those_above_count() {
    let root = tempfile::tempdir().expect("a folder");
    let write = |group: &str, files: [(&str, &str); 2]| {
        let folder = root.path().join(group);
        std::fs::create_dir_all(&folder).expect("a folder");
        files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), format!("{text}\n")).expect("a file"));
    };
    let first = |limit, used| [("memory.limit_in_bytes", limit), ("memory.usage_in_bytes", used)];
    let second = |limit, used| [("memory.max", limit), ("memory.current", used)];
    write("memory", first("9223372036854771712", "5000"));
    write("memory/job", first("1000", "300"));
    write("memory/job/step", first("900", "100"));
    write("slice", second("500", "100"));
    write("slice/unit", second("max", "50"));
    let left = |groups: &str| left_in_groups(groups, root.path());
    assert_eq!(left("4:memory:/job/step\n"), Some(700), "the group above has less");
    assert_eq!(left("4:cpu,memory:/job\n3:cpu:/slice\n"), Some(700));
    assert_eq!(left("0::/slice/unit\n"), Some(400));
    assert_eq!(left("4:memory:/job/step\n0::/slice/unit\n"), Some(400), "the less of both versions");
    // A container shows its own group as the topmost one, and tells the host's name for it.
    assert_eq!(left("4:memory:/docker/1234\n"), Some(9_223_372_036_854_771_712 - 5000));
    assert_eq!((left("3:cpu:/job\n"), left("")), (None, None));
}
