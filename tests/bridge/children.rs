//! A program's children count, whether or not it waits for them.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::{compiled, open_folder};
use crate::support::{player, server};

/// Thinks in children of so many milliseconds, one after the other, and says when it has done so.
///
/// Their times are told to a parent that waits for them; this one ignores them, so the kernel forgets them at once.
fn thinker(children: u32, millis: u32) -> String {
    format!(
        r#"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double used(void) {{
    struct timespec time; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}}
int main(void) {{
    signal(SIGCHLD, SIG_IGN);
    char line[1000];
    while (fgets(line, sizeof line, stdin)) {{
        if (!strncmp(line, "aep", 3)) puts("aepok 1");
        if (!strncmp(line, "isready", 7)) puts("readyok");
        if (!strncmp(line, "go", 2)) {{
            for (int child = 0; child < {children}; child++) {{
                if (fork() == 0) {{ while (used() < {millis}) {{}} _exit(0); }}
                wait(NULL);
            }}
            puts("bestmove a1-b1/a1");
        }}
        if (!strncmp(line, "quit", 4)) return 0;
        fflush(stdout);
    }}
}}
"#
    )
}

/// The event behind the start of a game with one move of such a program.
pub(super) fn event(mut server: Command, children: u32, millis: u32, limit: &str) -> Value {
    let folder = open_folder();
    let bot = format!("bridge:{}", compiled(&folder, &thinker(children, millis)).display());
    server.args(["--json", "--position", "5/4q/5/5/Q4 w", "--max-moves", "1", "--move-time", limit, &bot]);
    let output = server.arg(player("random")).stdin(Stdio::null()).output().expect("the server can be run");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let line = text.lines().nth(1).unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_str(line).expect("JSON")
}

/// The kernel counts children that are as short as these, if it lets us ask.
#[test]
fn children_that_nothing_waits_for_are_charged() {
    // Where users must not count, the test below is all that can be had.
    let limit = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    let is_root = rustix::process::geteuid().is_root();
    if !is_root && limit.trim().parse().map_or(true, |limit: i32| limit > 2) {
        return amazons_testing::skip("the kernel keeps its counters for root");
    }
    let played = event(Command::new(server()), 100, 4, "10s");
    assert_eq!(played["event"], "move", "{played}");
    let fault = event(Command::new(server()), 200, 4, "300ms");
    assert_eq!((&fault["event"], &fault["termination"]), (&"fault".into(), &"timeout".into()), "{fault}");
    assert!(fault["detail"].as_str().is_some_and(|text| text.starts_with("play ")), "{fault}");
}
