//! Exceptions of other languages, which end at the border of the interface.

use std::process::Command;

use amazons::referee::{Call, Seat, Termination};
use amazons_testing::skip;

use super::rig::{Rig, Source, fault, log_of};
use crate::support;

/// What the unwinder answers when nothing catches an exception up to the end of the stack.
const END_OF_STACK: &str = "5";

/// Throws in the call that `-DWHERE` names, in line 7.
const THROWING: &str = "#define AMAZONS_NO_GSL
#include <stdexcept>
#include \"player.h\"
enum { LOAD, INITIALIZE, NAME, PLAY, FINALIZE };
static void reach(int place) {
    if (place == WHERE)
        throw std::runtime_error(\"the book has no page 17\");
}
static struct Book { Book() { reach(LOAD); } } book;
extern \"C\" {
void initialize(unsigned, graph_t *, unsigned, unsigned *[NUM_PLAYERS]) { reach(INITIALIZE); }
char const *get_player_name() { reach(NAME); return \"thrower\"; }
move_t play(move_t previous) { reach(PLAY); return previous; }
void finalize() { reach(FINALIZE); }
}
";

const CALLS: [Call; 5] = [Call::Load, Call::Initialize, Call::Name, Call::Play, Call::Finalize];

/// The player that throws in this call; `None` without a C++ compiler.
fn thrower(call: usize) -> Option<Rig> {
    let (folder, library) = support::compile_cpp(THROWING, &[&format!("-DWHERE={call}")])?;
    Some(Rig::new(library, Some(folder)))
}

#[test]
fn what_nothing_catches_is_told_with_type_text_and_line() {
    for (index, call) in CALLS.into_iter().enumerate() {
        let Some(rig) = thrower(index) else { return };
        let mut seat = rig.seat();
        let fault = match call {
            Call::Load => fault(seat.load()),
            _ => {
                seat.load().expect("the player loads");
                let initialized = seat.initialize();
                match call {
                    Call::Initialize => fault(initialized),
                    Call::Name => fault(seat.name()),
                    Call::Play => fault(seat.play(None)),
                    _ => fault(seat.finalize()),
                }
            }
        };
        assert_eq!((fault.termination, fault.call, fault.signal), (Termination::Crash, call, Some(libc::SIGABRT)));
        assert!(fault.backtrace.iter().any(|frame| frame.contains("reach") && frame.contains(":7")), "{fault:#?}");
        let log = log_of(&seat);
        assert!(log.contains("terminate called after throwing an instance of 'std::runtime_error'"), "{log}");
        assert!(log.contains("what():  the book has no page 17") && !log.contains("Rust"), "{log}");
    }
}

#[test]
fn without_isolation_the_server_ends_with_the_same_words() {
    for index in 0..CALLS.len() {
        let Some(rig) = thrower(index) else { return };
        let output = Command::new(support::server())
            .args(["--isolation", "none", "--quiet", "--seed", "1"])
            .args([rig.library().as_os_str(), support::player("random").as_os_str()])
            .output()
            .expect("the server runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("instance of 'std::runtime_error'"), "{said}");
        assert!(said.contains("what():  the book has no page 17") && !said.contains("Rust"), "{said}");
    }
}

#[test]
fn the_stack_ends_above_the_player_in_every_call() {
    let raise = "printf(\"%d\\n\", _Unwind_RaiseException(&thrown));";
    let top = format!(
        "#include <unwind.h>
         static struct _Unwind_Exception thrown;
         static void __attribute__((constructor)) load(void) {{ {raise} }}"
    );
    let source = Source::new().top(&top).initialize(raise).finalize(raise);
    let source = source.name(&format!("{raise} return \"raiser\";")).play(&format!("{raise} return previous;"));
    let rig = source.build_with(&["-lgcc_s"]);
    let mut seat = rig.ready();
    seat.name().expect("the player has a name");
    seat.play(None).expect("the player plays");
    seat.finalize().expect("the player finalizes");
    assert_eq!(log_of(&seat).lines().collect::<Vec<_>>(), [END_OF_STACK; 5]);
}

#[test]
fn an_exception_of_d_is_told_with_its_line() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let (source, library) = (folder.path().join("thrower.d"), folder.path().join("thrower.so"));
    let text = "import core.runtime;
        extern(C):
        struct move_t { uint queen_src, queen_dst, arrow_dst; }
        const(char)* get_player_name() { return \"thrower\"; }
        void initialize(uint id, void* graph, uint count, uint** queens) { rt_init(); }
        move_t play(move_t previous) { throw new Exception(\"the book has no page 17\"); }
        void finalize() {}";
    std::fs::write(&source, text).expect("the source can be written");
    let compiled = Command::new("gdc").args(["-shared", "-fPIC", "-g", "-o"]).args([&library, &source]).output();
    if !compiled.is_ok_and(|output| output.status.success()) {
        return skip("there is no compiler of D (Debian: apt-get install gdc)");
    }
    let rig = Rig::new(library, Some(folder));
    let mut seat = rig.ready();
    let fault = fault(seat.play(None));
    assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGABRT)));
    assert!(fault.backtrace.iter().any(|frame| frame.contains("play at") && frame.contains(":6")), "{fault:#?}");
    assert!(log_of(&seat).contains("object.Exception@"), "{}", log_of(&seat));
}

#[test]
fn an_exception_that_the_player_catches_is_its_own_business() {
    let source = "#define AMAZONS_NO_GSL
        #include <stdexcept>
        #include \"player.h\"
        extern \"C\" {
        void initialize(unsigned, graph_t *, unsigned, unsigned *[NUM_PLAYERS]) {}
        char const *get_player_name() { return \"catcher\"; }
        move_t play(move_t) {
            try { throw std::runtime_error(\"caught\"); } catch (std::exception const &) { return move_t{1, 2, 3}; }
        }
        void finalize() {}
        }";
    let Some((folder, library)) = support::compile_cpp(source, &[]) else { return };
    let mut seat = Rig::new(library, Some(folder)).ready();
    assert_eq!(seat.play(None).expect("the player plays").value.to, 2);
}
