//! The faults charged to programs, and that nothing of a program is left.

use std::fs;

use super::{compiled, fault_of, open_folder, program, shell_bot};
use amazons_testing::wait_until;

/// The ending, the call and the words of the fault of a bot that does this when asked for a move.
fn verdict(go: &str, options: &[&str]) -> (String, String, String) {
    let folder = open_folder();
    of(&shell_bot(&folder, go), options)
}

fn of(bot: &str, options: &[&str]) -> (String, String, String) {
    let (fault, end) = fault_of(bot, options);
    assert_eq!((&end["winner"], &fault["player"]), (&2.into(), &1.into()), "{fault:#}");
    assert_eq!(end["termination"], fault["termination"]);
    let text = |key: &str| fault[key].as_str().expect("text").to_owned();
    (text("termination"), text("call"), text("detail"))
}

#[test]
fn every_way_to_fail_has_its_ending() {
    let short = &["--move-time", "0.3"][..];
    for (go, options, termination, detail) in [
        ("echo bestmove a4-a4/a4", &[][..], "illegal_move", "a4"),
        ("echo bestmove none", &[], "illegal_move", "it gave up"),
        ("echo bestmove z9", &[], "protocol_error", "bestmove 'z9': "),
        // A move has three squares, even if only one fits.
        ("echo bestmove Qa2,a3", &[], "protocol_error", "bestmove 'Qa2,a3': "),
        ("sleep 30", short, "timeout", "play did not end within 1.1s on the clock"),
        ("while :; do :; done", short, "timeout", "play did not end within 500ms of processor time"),
        // Whichever comes first: it also waits for its reader.
        ("while :; do echo info depth 1; done", short, "timeout", "play did not end within "),
        (
            "sleep 30",
            &["--move-time", "0.3", "--clock", "wall"],
            "timeout",
            "play did not end within 500ms on the clock",
        ),
        (
            "i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done; echo bestmove none",
            &["--move-time", "0.001"],
            "timeout",
            "play ",
        ),
        ("exit 7", &[], "exit", "ended its process with status 7"),
        ("kill -SEGV $$", &[], "crash", "killed by SIGSEGV"),
        ("kill -KILL $$", &[], "crash", "killed by SIGKILL"),
        ("exec >&-; sleep 30", &[], "protocol_error", "the connection to the server was closed or damaged"),
    ] {
        let (found, call, said) = verdict(go, options);
        assert_eq!((found.as_str(), call.as_str()), (termination, "play"), "{go}: {said}");
        assert!(said.contains(detail), "{go}: {said}");
    }
}

/// The clock that judges stops whoever computes, whatever else the machine does.
#[test]
fn a_loop_is_ended_by_the_processor_time_of_its_call() {
    let folder = open_folder();
    for (word, call, limit) in [("aep", "load", "--load-time"), ("isready", "initialize", "--init-time")] {
        let text = format!(
            "while read -r word rest; do case $word in {word}) while :; do :; done;; \
             aep) echo aepok 1;; isready) echo readyok;; esac; done"
        );
        let bot = format!("bridge:/bin/sh {}", program(&folder, "bot.sh", &text).display());
        let (termination, at, detail) = of(&bot, &[limit, "0.3"]);
        assert_eq!((termination.as_str(), at.as_str()), ("timeout", call), "{word}: {detail}");
        assert!(detail.contains("did not end within 500ms of processor time"), "{word}: {detail}");
    }
    for protocol in ["codingame:", "botzone:", "botzone-text:"] {
        let looping = program(&folder, "loop.sh", "while :; do :; done");
        let (termination, at, detail) =
            of(&format!("{protocol}/bin/sh {}", looping.display()), &["--move-time", "0.3"]);
        assert_eq!((termination.as_str(), at.as_str()), ("timeout", "play"), "{protocol} {detail}");
        assert!(detail.contains("did not end within 500ms of processor time"), "{protocol} {detail}");
    }
}

/// A program that never stops writing is checked like others.
#[test]
fn a_flood_of_short_lines_ends_in_time() {
    let folder = open_folder();
    let source = "#include <string.h>\n#include <stdio.h>\n#include <unistd.h>\n\
        static char lines[65536];\n\
        int main(void) {\n\
          char said[4096];\n\
          while (fgets(said, sizeof said, stdin)) {\n\
            if (!strncmp(said, \"aep\", 3)) puts(\"aepok 1\");\n\
            if (!strncmp(said, \"isready\", 7)) puts(\"readyok\");\n\
            fflush(stdout);\n\
            if (!strncmp(said, \"go\", 2)) for (memset(lines, '\\n', sizeof lines);;) if (write(1, lines, sizeof lines) < 0) return 1;\n\
          }\n\
        }\n";
    let bot = format!("bridge:{}", compiled(&folder, source).display());
    let (termination, call, detail) = of(&bot, &["--move-time", "0.1"]);
    assert_eq!((termination.as_str(), call.as_str()), ("timeout", "play"), "{detail}");
}

#[test]
fn a_line_without_end_is_a_protocol_error() {
    let folder = open_folder();
    let path = compiled(&folder, "#include <stdio.h>\nint main(void) { for (;;) putchar('x'); }");
    let (termination, call, detail) = of(&format!("bridge:{}", path.display()), &[]);
    assert_eq!(
        (termination.as_str(), call.as_str(), detail.as_str()),
        ("protocol_error", "load", "wrote a line of more than 64 KiB")
    );
}

#[test]
fn who_never_says_hello_is_too_late_and_who_cannot_run_is_not_loaded() {
    let folder = open_folder();
    let silent = program(&folder, "silent.sh", "sleep 60\n");
    let (termination, call, _) = of(&format!("bridge:/bin/sh {}", silent.display()), &["--load-time", "0.3"]);
    assert_eq!((termination.as_str(), call.as_str()), ("timeout", "load"));
    let text = program(&folder, "text", "#!/nonexistent/sh\n");
    let (termination, call, detail) = of(&format!("bridge:{}", text.display()), &[]);
    assert_eq!((termination.as_str(), call.as_str()), ("load_error", "load"), "{detail}");
    assert!(detail.starts_with(&format!("cannot run {}: ", text.display())), "{detail}");
    let other = program(&folder, "other.sh", "read -r hello; echo aepok 2; read -r more\n");
    let (termination, _, detail) = of(&format!("bridge:/bin/sh {}", other.display()), &[]);
    assert_eq!(
        (termination.as_str(), detail.as_str()),
        ("protocol_error", "speaks version 2 of the protocol, which was offered 1")
    );
}

#[test]
fn memory_counts_with_that_of_children() {
    let folder = open_folder();
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char line[1000];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "aep", 3)) puts("aepok 1");
        if (!strncmp(line, "isready", 7)) puts("readyok");
        fflush(stdout);
        if (strncmp(line, "go", 2)) continue;
        /* Three children, each with less than may be kept. */
        for (int child = 0; child < 3; child++)
            if (fork() == 0) { memset(malloc(40 << 20), 1, 40 << 20); for (;;) pause(); }
        for (;;) pause();
    }
}
"#;
    let path = compiled(&folder, source);
    let (termination, call, detail) =
        of(&format!("bridge:{}", path.display()), &["--memory", "64M", "--move-time", "86400"]);
    // Nobody waits for the time of the move.
    assert_eq!(
        (termination.as_str(), call.as_str(), detail.as_str()),
        ("out_of_memory", "play", "kept more than 64 MiB of memory")
    );
}

#[test]
fn nothing_is_left_of_a_program_and_its_children() {
    let folder = open_folder();
    let mark = format!("{:.0}", 7_000_000.0 + f64::from(std::process::id()));
    let bot = shell_bot(&folder, &format!("(sleep {mark} &) ; sleep {mark} & echo bestmove none"));
    let (fault, _) = fault_of(&bot, &[]);
    assert_eq!(fault["termination"], "illegal_move");
    let lives = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&mark)
    };
    // What is killed may need a processor to end.
    wait_until("no sleep goes on", || !fs::read_dir("/proc").expect("processes").filter_map(Result::ok).any(lives));
}

#[test]
fn what_it_writes_to_standard_error_is_in_the_log() {
    let folder = open_folder();
    let (fault, _) = fault_of(&shell_bot(&folder, "echo 'last words' >&2; exit 1"), &[]);
    assert_eq!(fault["log_tail"].as_array().expect("lines"), &["last words"], "{fault:#}");
    assert_eq!(fault["exit_code"], 1);
}

#[test]
fn who_does_not_end_is_at_fault_afterwards_and_the_result_stays() {
    let folder = open_folder();
    let text = "trap '' TERM\nwhile read -r word rest; do case $word in\naep) echo aepok 1;;\nisready) echo readyok;;\n\
                go) echo bestmove a1-b1/a1;;\nesac; done\nsleep 60\n";
    let bot = format!("bridge:/bin/sh {}", program(&folder, "stays.sh", text).display());
    let random = crate::cli::player("random");
    let events =
        super::events(&["--position", "5/4q/5/5/Q4 w", "--max-moves", "1", "--finalize-time", "0.3", &bot, &random]);
    assert_eq!((&events[2]["call"], &events[2]["termination"]), (&"finalize".into(), &"timeout".into()), "{events:#?}");
    assert_eq!(events[3]["termination"], "max_moves");
}
