//! The report of a dying player, and its limits.

use std::time::Duration;

use amazons::referee::{Call, Fault, Seat, Termination};

use super::rig::{Source, fault, fault_of};

/// A player that dies in its own function, on line 700 of its own file.
fn dying(helper: &str) -> Source {
    let top = format!(
        "\n#line 700 \"helper.c\"\nstatic void helper(int volatile *p) {{ {helper} }}\n#line 900 \"player.c\"\n"
    );
    Source::new().top(&top).play("helper((int *)16); return previous;")
}

/// Checks that a frame names function, file, line and library.
#[track_caller]
fn assert_place(line: Option<&String>, function: &str, file: &str) {
    let line = line.expect("there is such a frame");
    let (place, library) = line.split_once(" (").expect("a frame names its library");
    assert!(place.starts_with(&format!("{function} at ")) && place.contains(file), "{line}");
    assert!(library.starts_with("library.so+0x") && library.ends_with(')'), "{line}");
}

/// The player's first frame.
fn in_player(fault: &Fault) -> usize {
    let is_ours = |line: &String| line.contains("library.so+0x");
    fault.backtrace.iter().position(is_ours).unwrap_or_else(|| panic!("{fault:?}"))
}

#[test]
fn a_fault_of_memory_is_named_with_its_callers() {
    let fault = fault_of(&dying("*p = 1;").build());
    assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGSEGV)));
    assert_place(fault.backtrace.first(), "helper", "helper.c:700");
    assert_place(fault.backtrace.get(1), "play", "player.c:");
    assert_eq!(fault.backtrace.len(), 2, "the server's own part is not shown: {fault:?}");
    let (detail, _) = fault.detail.split_once(" in helper at ").expect("the place is told");
    assert_eq!(detail, "killed by SIGSEGV at address 0x10");
}

#[test]
fn an_address_that_a_player_sends_itself_is_none() {
    let fault = fault_of(&dying("raise(SIGSEGV);").build());
    assert!(fault.detail.starts_with("killed by SIGSEGV in helper at "), "{}", fault.detail);
}

#[test]
fn constructors_have_places_too() {
    let top =
        "\n#line 700 \"helper.c\"\nstatic void __attribute__((constructor)) load(void) { *(int volatile *)16 = 1; }\n";
    let fault = fault_of(&Source::new().top(top).build());
    assert_eq!((fault.termination, fault.call), (Termination::Crash, Call::Load));
    assert_place(fault.backtrace.first(), "load", "helper.c:700");
    assert!(fault.backtrace.iter().all(|line| !line.contains("server")), "{fault:?}");
}

#[test]
fn the_library_calls_that_led_there_stand_above() {
    for (helper, signal) in [
        ("abort();", libc::SIGABRT),
        ("char *q = malloc(100); free(q); free(q);", libc::SIGABRT),
        ("raise(SIGTRAP);", libc::SIGTRAP),
    ] {
        let fault = fault_of(&dying(helper).build_with(&["-O0", "-w"]));
        assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(signal)), "{helper}: {fault:?}");
        let first = in_player(&fault);
        assert!(first > 0, "{helper}: {fault:?}");
        assert_place(fault.backtrace.get(first), "helper", "helper.c:700");
        assert_place(fault.backtrace.get(first + 1), "play", "player.c:");
    }
}

#[test]
fn a_division_by_zero_is_named() {
    let fault = fault_of(&dying("int volatile zero = 0; zero = 7 / zero;").build());
    assert_eq!(fault.signal, Some(libc::SIGFPE));
    assert!(fault.detail.starts_with("killed by SIGFPE at address 0x"), "{}", fault.detail);
    assert_place(fault.backtrace.first(), "helper", "helper.c:700");
}

#[test]
fn a_stack_that_overflows_is_named() {
    let fault = fault_of(&dying("int volatile a[1000]; a[999] = 1; helper(a); a[0]++;").build());
    assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGSEGV)));
    assert_place(fault.backtrace.first(), "helper", "helper.c:700");
    assert!(fault.detail.ends_with("(is its stack full, by a recursion?)"), "{}", fault.detail);
    // Identical frames are shown once.
    assert!(fault.backtrace.iter().any(|line| line.starts_with("the same ")), "{fault:?}");
    assert!(fault.backtrace.len() < 10, "{fault:?}");
}

#[test]
fn who_calls_nowhere_is_named() {
    let fault = fault_of(&dying("((void (*)(void))0x1234)();").build());
    assert_eq!(fault.backtrace.first().map(String::as_str), Some("0x1234, not in any library"));
    assert_place(fault.backtrace.get(1), "helper", "helper.c:700");
}

#[test]
fn a_violation_names_the_call() {
    let source = dying("syscall(SYS_ptrace, 0, 0, 0, 0);");
    let fault = fault_of(&source.build_with(&["-include", "sys/syscall.h"]));
    assert_eq!((fault.termination, fault.signal), (Termination::Violation, Some(libc::SIGSYS)));
    assert!(fault.detail.starts_with("called ptrace, which the sandbox forbids in helper at "), "{}", fault.detail);
    assert_place(fault.backtrace.get(in_player(&fault)), "helper", "helper.c:700");
    // Raised by the player, not by the kernel.
    let fault = fault_of(&dying("raise(SIGSYS);").build());
    assert_eq!((fault.termination, fault.signal), (Termination::Violation, Some(libc::SIGSYS)));
    assert!(!fault.detail.contains("called"), "{}", fault.detail);
}

#[test]
fn a_stripped_library_has_offsets() {
    let fault = fault_of(&dying("*p = 1;").build_with(&["-s"]));
    assert_eq!(fault.signal, Some(libc::SIGSEGV));
    let first = fault.backtrace.first().expect("there are frames");
    let offset = first.strip_prefix("library.so+0x").unwrap_or_else(|| panic!("{fault:?}"));
    assert!(u64::from_str_radix(offset, 16).is_ok(), "{first}");
}

/// Sends what a dying process would: a signal, and a frame at an offset of the player's library.
const FORGE: &str = "#include <stdint.h>
    static void forge(int number, unsigned int module, uint64_t offset) {
        struct __attribute__((packed)) {
            char magic[4]; int32_t number, code; uint64_t address, call; uint32_t frames, modules;
            uint32_t module; uint64_t offset; char rest[2048 - 48];
        } report = {{'A', 'm', 'z', 'C'}, number, 1, 0x1234, 101, 1, 1, module, offset, {0}};
        if (write(4, &report, sizeof report) < 0) abort();
    }";

#[test]
fn a_forged_report_changes_no_verdict() {
    let fault_after = |then: &str, number: i32, offset: &str| {
        let body = format!("forge({number}, 0, {offset}); {then} return previous;");
        let mut rig = Source::new().top(FORGE).play(&body).build();
        rig.limits.play = Duration::from_millis(300);
        fault_of(&rig)
    };
    // The kernel's word counts, and a contradicting report is not shown.
    let killed = fault_after("raise(SIGKILL);", libc::SIGSEGV, "0");
    assert_eq!((killed.termination, killed.signal), (Termination::Crash, Some(libc::SIGKILL)));
    assert!(killed.backtrace.is_empty(), "{killed:?}");
    let exited = fault_after("_exit(4);", libc::SIGSEGV, "0");
    assert_eq!((exited.termination, exited.exit_code), (Termination::Exit, Some(4)));
    // No way to fake a violation, or to look up an offset outside of the library.
    let wild = fault_after("raise(SIGKILL);", libc::SIGKILL, "UINT64_MAX");
    assert_eq!((wild.termination, wild.signal), (Termination::Crash, Some(libc::SIGKILL)));
    assert!(wild.backtrace.len() <= 1, "{wild:?}");
    let hanging = fault_after("for (;;);", libc::SIGSEGV, "0");
    assert_eq!((hanging.termination, hanging.signal), (Termination::Timeout, None));
    assert!(hanging.backtrace.is_empty(), "{hanging:?}");
}

#[test]
fn a_report_of_a_player_that_lives_is_worth_nothing() {
    let mut seat = Source::new().top(FORGE).play("forge(SIGSEGV, 0, 0); return previous;").build().ready();
    for _ in 0..3 {
        match seat.play(None) {
            Ok(answer) => assert_eq!(answer.value.from, u32::MAX),
            Err(error) => {
                assert_eq!(fault::<()>(Err(error)).termination, Termination::ProtocolError);
                return;
            }
        }
    }
}

#[test]
fn threads_that_die_together_make_one_crash() {
    let top = "static int volatile go;
               static void *die(void *unused) { while (!go) {} *(int volatile *)16 = 1; return unused; }";
    let body = "pthread_t threads[3];
                for (int i = 0; i < 3; i++) if (pthread_create(&threads[i], NULL, die, NULL)) abort();
                usleep(2000); go = 1; die(NULL); return previous;";
    let rig = Source::new().top(top).play(body).build_with(&["-pthread"]).threaded();
    for _ in 0..30 {
        let fault = fault_of(&rig);
        assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGSEGV)), "{fault:?}");
    }
}

#[test]
fn hostile_debug_information_does_not_delay_the_verdict() {
    let sections = [
        // A unit that claims to be huge.
        ".long 0x7ffffff0\\n.value 4\\n.long 0\\n.byte 8\\n.fill 64,1,0xff",
        // A unit that ends within its own header.
        ".long 2\\n.value 4",
        // A hundred thousand empty units.
        ".rept 100000\\n.long 7\\n.value 4\\n.long 0\\n.byte 8\\n.endr",
    ];
    for section in sections {
        let top = format!(
            "__asm__(\".section .debug_info,\\\"\\\",@progbits\\n{section}\\n\"
                     \".section .debug_abbrev,\\\"\\\",@progbits\\n.byte 1,0x11,1,0xff\\n\"
                     \".section .debug_line,\\\"\\\",@progbits\\n.long 0x7ffffff0\\n.value 4\\n.text\");"
        );
        let fault = fault_of(&Source::new().top(&top).play("abort();").build_with(&["-g0"]));
        assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGABRT)));
        assert!(fault.backtrace.len() >= 2, "{fault:?}");
    }
}
