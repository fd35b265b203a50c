//! A program's temporary folder: its own, small, and gone afterwards.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;

use serde_json::Value;

use super::{compiled, events, open_folder, program, python, shell_bot};
use crate::cli::player;
use crate::support;

/// Returns the lines that a shell bot prints when it is asked for a move; `None` where the kernel gives no such folder.
fn said(go: &str) -> Option<Vec<String>> {
    let folder = open_folder();
    let (fault, _) = super::fault_of(&shell_bot(&folder, &format!("{go}; echo bestmove none")), &[]);
    assert_eq!(fault["termination"], "illegal_move", "{fault:#}");
    lines(&fault)
}

fn lines(fault: &Value) -> Option<Vec<String>> {
    let lines = fault["log_tail"].as_array().expect("lines").iter();
    let lines: Vec<String> = lines.map(|line| line.as_str().expect("text").to_owned()).collect();
    if lines.iter().any(|line| line == "no folder") {
        amazons_testing::skip("the kernel lets programs have no folder of their own");
        return None;
    }
    Some(lines)
}

/// Lets a bot print that it has no such folder.
const OR_NONE: &str = "if [ -z \"$TMPDIR\" ]; then echo 'no folder' >&2; fi";

#[test]
fn it_is_empty_writable_and_named() {
    let go = format!(
        "{OR_NONE}; ls -A \"$TMPDIR\" >&2; echo text > \"$TMPDIR/a\"; mkdir ~/b; mv ~/a ~/b/c; chmod 600 ~/b/c; \
         cat ~/b/c >&2; ls ~ >&2; echo \"$TMPDIR $HOME $NO_COLOR\" >&2"
    );
    let Some(said) = said(&go) else { return };
    assert_eq!(said, ["text", "b", "/dev/shm /dev/shm 1"]);
}

#[test]
fn it_is_small() {
    let go = format!(
        "{OR_NONE}; (head -c 20000000 /dev/zero > ~/big) 2> /dev/null; \
         (for i in 1 2 3; do head -c 9000000 /dev/zero > ~/$i; done) 2> /dev/null; \
         n=$(cat ~/* | wc -c); [ $n -le 16777216 ] && [ $n -gt 15000000 ] && echo full >&2; rm ~/*; \
         i=0; while [ $i -lt 3000 ]; do true > ~/$i || break; i=$((i+1)); done 2> /dev/null; \
         [ $i -gt 2000 ] && [ $i -lt 2049 ] && echo crowded >&2"
    );
    let Some(said) = said(&go) else { return };
    assert_eq!(said, ["full", "crowded"]);
}

#[test]
fn nothing_leads_out_of_it() {
    let folder = open_folder();
    let secret = program(&folder, "secret.txt", "a secret");
    let source = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <stdlib.h>
#include <unistd.h>
static void no(const char *what, long result) { if (result >= 0) fprintf(stderr, "%s\n", what); }
int main(void) {
    char line[1000];
    setvbuf(stdout, 0, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "aep", 3)) puts("aepok 1");
        if (!strncmp(line, "isready", 7)) puts("readyok");
        if (strncmp(line, "go", 2)) continue;
        const char *home = getenv("TMPDIR");
        if (!home || chdir(home)) { fputs("no folder\n", stderr); puts("bestmove none"); continue; }
        no("symlink to a secret", (symlink("/etc/shadow", "shadow"), open("shadow", O_RDONLY)));
        no("write through a link", (symlink(SECRET, "secret"), open("secret", O_WRONLY)));
        no("truncate through a link", open("secret", O_RDONLY | O_TRUNC));
        no("hard link of a secret", link(SECRET, "hard"));
        no("rename out of it", (close(open("own", O_RDWR | O_CREAT, 0600)), rename("own", "/tmp/amazons-own")));
        no("rename into it", rename(SECRET, "stolen"));
        no("device", mknod("device", S_IFCHR | 0600, 0x103));
        no("pipe by name", mkfifo("pipe", 0600));
        no("socket by name", socket(AF_UNIX, SOCK_STREAM, 0));
        no("unmount", umount2(home, MNT_DETACH));
        no("mount", mount("none", home, "tmpfs", 0, 0));
        no("namespace", syscall(SYS_unshare, 0x00020000));
        no("lock of the system's file", syscall(SYS_flock, open("/usr/bin/env", O_RDONLY), 2));
        no("set the id", (close(open("suid", O_RDWR | O_CREAT, 0700)), chmod("suid", 04777),
            access("suid", F_OK) ? 0 : ({ struct stat s; stat("suid", &s); s.st_mode & 04000 ? 0 : -1; })));
        fputs("done\n", stderr);
        puts("bestmove none");
    }
}
"#;
    let path = compiled(&folder, &format!("#define SECRET \"{}\"\n{source}", secret.display()));
    let (fault, _) = super::fault_of(&format!("bridge:{}", path.display()), &[]);
    let Some(said) = lines(&fault) else { return };
    assert_eq!(said, ["done"]);
    assert_eq!(fs::read_to_string(&secret).expect("it is still there"), "a secret");
}

/// Each program sees its own alone, also in the next turn and in another game, and the machine sees none.
#[test]
fn nobody_else_sees_it() {
    let folder = open_folder();
    let go = format!("{OR_NONE}; ls -A /dev/shm >&2; : > /dev/shm/amazons-mark; echo bestmove a1-b1/a1");
    let bot = shell_bot(&folder, &go);
    let played = events(&["--position", "5/4q/5/5/Q4 w", "--max-moves", "2", &bot, &bot]);
    let seen =
        || fs::read_dir("/dev/shm").into_iter().flatten().flatten().any(|file| file.file_name() == "amazons-mark");
    let said = played.iter().filter(|event| event["event"] == "fault").map(|fault| fault["log_tail"].to_string());
    assert!(said.eq(["[]"]) && !seen(), "{played:#?}");
    let (fault, _) = super::fault_of(&shell_bot(&folder, "ls -A /dev/shm >&2; echo bestmove none"), &[]);
    assert_eq!(fault["log_tail"], serde_json::json!([]), "{fault:#}");
    // However its server ends.
    let mark = format!("{:.0}", 6_000_000.0 + f64::from(std::process::id()));
    let stays = shell_bot(&folder, &format!(": > /dev/shm/amazons-mark; sleep {mark}"));
    let mut server = Command::new(support::server());
    server.args(["-q", "-m", "5", "--move-time", "60", &stays, &player("random")]).process_group(0);
    let mut game = server.stdout(std::process::Stdio::null()).spawn().expect("the server can be run");
    let sleeps = || support::process_with(&["sleep", &mark], None).is_some();
    amazons_testing::wait_until("it sleeps", sleeps);
    game.kill().expect("it is ours");
    game.wait().expect("it ends");
    amazons_testing::wait_until("all of it ends", || !sleeps());
    assert!(!seen());
}

#[test]
fn python_has_temporary_files_locks_and_pools() {
    let Some(python) = python() else { return };
    let folder = open_folder();
    let text = "import sys\n\
        def square(x): return x * x\n\
        if __name__ == '__main__':\n\
        \x20   import os, tempfile\n\
        \x20   if not os.environ.get('TMPDIR'): print('no folder', file=sys.stderr)\n\
        \x20   else:\n\
        \x20       from concurrent.futures import ProcessPoolExecutor\n\
        \x20       from multiprocessing import Lock, Queue, shared_memory\n\
        \x20       with tempfile.TemporaryDirectory() as d: open(d + '/a', 'w').write('text')\n\
        \x20       with tempfile.NamedTemporaryFile() as f: f.write(b'text')\n\
        \x20       with tempfile.TemporaryFile() as f: f.write(b'text')\n\
        \x20       with Lock(): Queue().put(1)\n\
        \x20       with ProcessPoolExecutor(2) as pool: print(list(pool.map(square, [2, 3])), file=sys.stderr)\n\
        \x20       block = shared_memory.SharedMemory(create=True, size=1 << 20); block.close(); block.unlink()\n\
        \x20       print(os.listdir(os.environ['TMPDIR']), file=sys.stderr)\n\
        \x20   sys.exit(1)\n";
    let bot = program(&folder, "bot.py", text);
    let (fault, _) = super::fault_of(&format!("bridge:{python} {}", bot.display()), &["--load-time", "60"]);
    let Some(said) = lines(&fault) else { return };
    assert_eq!(said, ["[4, 9]", "[]"], "{fault:#}");
}
