//! Ways for a library to die, by language: the one line names the cause, and blames nothing that did not happen.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::runtimes::{built, folder, game, linked};
use crate::support::deaths::{Death, assert_cause, one_line};

/// Dies in each of these ways, chosen by the player's options.
#[track_caller]
fn dies(language: &str, library: &Path, ways: &[Death<'_>]) {
    for &(way, expected) in ways {
        let (way, options) = way.split_once(' ').unwrap_or((way, ""));
        let (events, _) = game(library, &[&["--options1", way][..], &words(options)].concat());
        let fault = events.iter().find(|event| event["event"] == "fault");
        let fault = fault.unwrap_or_else(|| panic!("{language}, {way}: no fault in {events:#?}"));
        assert_cause(language, (way, expected), &one_line(fault));
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

const THREAD: &str = "starting a thread was refused: allow them with --threads N";
const PROCESS: &str = "starting a process was refused: a player may start no processes and no programs";
const PROGRAM: &str = "running a program was refused: a player may start no processes and no programs";

const C: &str = r#"
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *nothing(void *argument) { return argument; }
static void handler(int signal) { (void)signal; static char const text[] = "bye\n"; if (write(2, text, 4) < 0) _exit(3);
    struct sigaction d = {.sa_handler = SIG_DFL}; sigaction(SIGSEGV, &d, NULL); }
static __attribute__((noinline)) int deep(int n) { volatile char a[4096]; memset((char *)a, n, sizeof a);
    return n == -1 ? 0 : deep(n + 1) + a[n & 1023]; }
static void *overflow(void *argument) { return (void *)(long)deep((int)(long)argument); }
static int volatile zero;
void hook(unsigned turn) {
    char const *way = getenv("AMAZONS_OPTIONS");
    if (!way || turn < 1) return;
    if (!strcmp(way, "null")) *(int volatile *)4 = 1;
    if (!strcmp(way, "abort")) abort();
    if (!strcmp(way, "assert")) assert(zero == 1);
    if (!strcmp(way, "divide")) zero = 7 / zero;
    if (!strcmp(way, "exit")) { fprintf(stderr, "cannot allocate memory for fork: Permission denied\n"); exit(3); }
    if (!strcmp(way, "fork") && fork() < 0) { perror("fork"); exit(1); }
    if (!strcmp(way, "system") && system("true") != 0) { perror("system"); abort(); }
    if (!strcmp(way, "popen") && !popen("true", "r")) { perror("popen"); exit(1); }
    if (!strcmp(way, "exec")) { execl("/bin/true", "true", (char *)NULL); perror("exec"); exit(1); }
    pthread_t thread;
    if (!strcmp(way, "thread")) { int e = pthread_create(&thread, NULL, nothing, NULL); if (e) exit(1); }
    if (!strcmp(way, "threads")) for (;;) { int e = pthread_create(&thread, NULL, (void *(*)(void *))pause, NULL);
        if (e) { fprintf(stderr, "pthread_create: %s\n", strerror(e)); exit(1); } }
    if (!strcmp(way, "handler")) { struct sigaction a = {.sa_handler = handler}; sigaction(SIGSEGV, &a, NULL);
        *(int volatile *)4 = 1; }
    if (!strcmp(way, "deep")) deep(0);
    if (!strcmp(way, "other-deep")) { pthread_create(&thread, NULL, overflow, NULL); pthread_join(thread, NULL); }
    if (!strcmp(way, "twice")) { char *p = malloc(100); free(p); char *volatile q = p; free(q); }
    if (!strcmp(way, "memory")) for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    if (!strcmp(way, "loop")) for (;;) {}
    if (!strcmp(way, "ptrace")) syscall(SYS_ptrace, 0, 0, 0, 0);
    if (!strcmp(way, "survives")) { if (fork() < 0 && turn < 3) return; *(int volatile *)4 = 1; }
}
"#;

#[test]
fn in_c() {
    let ways: &[Death<'_>] = &[
        ("null", &["killed by SIGSEGV at address 0x4 in hook at ", "ways.c:"]),
        ("abort", &["killed by SIGABRT in hook at "]),
        ("assert", &["killed by SIGABRT in hook at ", "Assertion `zero == 1' failed"]),
        ("divide", &["killed by SIGFPE at address 0x", " in hook at "]),
        // Whatever it says itself.
        ("exit", &["ended its process with status 3; it printed 'cannot allocate memory for fork"]),
        ("fork", &[PROCESS, "fork: Operation not permitted"]),
        ("system", &[PROCESS]),
        ("popen", &[PROCESS]),
        ("exec", &[PROGRAM, "exec: Permission denied"]),
        ("thread", &[THREAD]),
        ("threads --threads 2", &["starting a thread"]),
        ("handler", &["killed by SIGSEGV; where is unknown, as its own handler took this signal; it printed 'bye'"]),
        ("deep", &["killed by SIGSEGV at address 0x", "(is its stack full, by a recursion?)"]),
        ("other-deep --threads 2", &["its own handler took this signal, or a thread's stack was full"]),
        ("twice", &["killed by SIGABRT in hook at ", "double free"]),
        ("memory --memory 64M", &["kept more than 64 MiB of memory"]),
        ("loop --move-time 0.1", &["play did not return within 100ms of processor time in hook at "]),
        ("ptrace", &["called ptrace, which the sandbox forbids in hook at "]),
        ("survives", &["killed by SIGSEGV at address 0x4 in hook at ", PROCESS]),
    ];
    let folder = folder();
    fs::write(folder.path().join("ways.c"), C).expect("it can be written");
    dies("C", &linked(folder.path(), &["-w", "-O1", "-pthread", "ways.c"]), ways);
    let compressed = linked(folder.path(), &["-w", "-O1", "-pthread", "-gz=zlib", "ways.c"]);
    dies("C, with compressed debug information", &compressed, &ways[..2]);
}

#[test]
fn in_c_with_a_sanitizer() {
    for name in ["address", "thread"] {
        let folder = folder();
        fs::write(folder.path().join("ways.c"), C).expect("it can be written");
        let option = format!("-fsanitize={name}");
        let library = linked(folder.path(), &["-w", "-pthread", &option, "ways.c"]);
        let told = format!("{option} does not work in a player: build it with -fsanitize=undefined");
        dies("C", &library, &[(name, &[&told])]);
    }
}

/// The server has to be root for its players to be another user.
#[test]
fn in_a_folder_that_is_closed() {
    if !rustix::process::geteuid().is_root() {
        return amazons_testing::skip("players are the user who runs the server");
    }
    let book = "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdio.h>\n#include <stdlib.h>\n
        struct move_t; void hook(unsigned turn) { Dl_info own; dladdr((void *)hook, &own); (void)turn;
        fprintf(stderr, \"no book beside %s\\n\", own.dli_fname); exit(1); }";
    let folder = folder();
    fs::write(folder.path().join("book.c"), book).expect("it can be written");
    let library = linked(folder.path(), &["-w", "book.c"]);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("it is ours");
    let told =
        format!("the players' user may not enter {}, so the player cannot tell its own", folder.path().display());
    dies("C", &library, &[("book", &[&told, "--allow-read", "no book beside /proc/self/fd/"])]);
    // Nor does it help to name the folder, which is told before anything is played.
    let random = crate::support::player("random").display().to_string();
    let path = folder.path().display().to_string();
    let played = crate::cli::server(["--allow-read", &path, &library.display().to_string(), &random]);
    let told =
        format!("--allow-read: the players' user may not read {path} or enter a folder above it: open them with");
    assert!(played.status != 0 && format!("{}{}", played.out, played.err).contains(&told), "{}", played.out);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    dies("C", &library, &[("book", &["no book beside /"])]);
}

const CPP: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>
namespace team { struct Board { std::vector<int> cells; int value(int at) const; }; }
__attribute__((noinline)) int team::Board::value(int at) const { return *(int const volatile *)(long)(at + cells.size()); }
extern "C" void hook(unsigned turn) {
    char const *way = std::getenv("AMAZONS_OPTIONS");
    if (!way || turn < 1) return;
    team::Board board{{1, 2, 3}};
    if (!std::strcmp(way, "member")) std::exit(board.value(1));
    if (!std::strcmp(way, "at")) board.cells.at(7);
    if (!std::strcmp(way, "thread")) std::thread([] {}).join();
    if (!std::strcmp(way, "new")) std::printf("%p\n", static_cast<void *>(new char[1L << 46]));
    if (!std::strcmp(way, "terminate")) std::terminate();
    if (!std::strcmp(way, "system") && std::system("true") != 0) throw std::runtime_error("no editor");
}
"#;

#[test]
fn in_cpp() {
    let folder = folder();
    fs::write(folder.path().join("ways.cpp"), CPP).expect("it can be written");
    if !built(folder.path(), &[("g++", &["-fPIC", "-g", "-O1", "-fno-gnu-unique", "-c", "ways.cpp"])]) {
        return;
    }
    let library = linked(folder.path(), &["ways.o", "-lstdc++", "-pthread"]);
    dies(
        "C++",
        &library,
        &[
            ("member", &["killed by SIGSEGV at address 0x4 in team::Board::value(int) const at ", "ways.cpp:"]),
            ("at", &["killed by SIGABRT in hook at ", "std::out_of_range"]),
            ("thread", &["killed by SIGABRT in hook at ", THREAD, "std::system_error"]),
            ("new", &["killed by SIGABRT in hook at ", "std::bad_alloc"]),
            ("terminate", &["killed by SIGABRT in hook at "]),
            ("system", &[PROCESS, "no editor"]),
        ],
    );
    // Without debug information, its name is that of the symbol.
    let stripped = linked(folder.path(), &["ways.o", "-lstdc++", "-pthread", "-Wl,--strip-debug"]);
    let (events, _) = game(&stripped, &["--options1", "member"]);
    let first = events.iter().find(|event| event["event"] == "fault").expect("it crashes")["backtrace"][0].to_string();
    assert!(first.starts_with("\"team::Board::value(int) const (linked.so+0x"), "{first}");
}

const RUST: &str = r#"
use std::process::Command;
#[no_mangle] pub extern "C" fn hook(turn: u32) {
    let Ok(way) = std::env::var("AMAZONS_OPTIONS") else { return };
    if turn < 1 { return; }
    match &*way {
        "index" => { let none: Vec<i32> = Vec::new(); println!("{}", none[turn as usize + 2]); }
        "unwrap" => { std::fs::read("weights.bin").unwrap(); }
        "thread" => { std::thread::spawn(|| ()).join().unwrap(); }
        "process" => { Command::new("true").status().unwrap(); }
        "process-with-threads" => { Command::new("true").status().expect("no helper"); }
        "exit" => std::process::exit(9),
        _ => {}
    }
}
"#;

#[test]
fn in_rust() {
    let folder = folder();
    fs::write(folder.path().join("ways.rs"), RUST).expect("it can be written");
    let arguments = ["--edition", "2021", "--crate-type", "staticlib", "-g", "ways.rs"];
    if !built(folder.path(), &[("rustc", &arguments)]) {
        return;
    }
    let library = linked(folder.path(), &["libways.a", "-lpthread", "-ldl", "-lm"]);
    dies(
        "Rust",
        &library,
        &[
            ("index", &["killed by SIGABRT", "the len is 0 but the index is 3"]),
            ("unwrap", &["killed by SIGABRT", "No such file or directory"]),
            ("thread", &[THREAD, "failed to spawn thread"]),
            ("process", &[PROCESS]),
            ("process-with-threads --threads 2", &[PROCESS, "no helper"]),
            ("exit", &["ended its process with status 9"]),
        ],
    );
}

mod long {
    use std::fs;

    use super::{PROCESS, THREAD, built, dies, folder};

    /// Its runtime starts threads of its own, before it is loaded.
    #[test]
    fn in_go() {
        // Go reads the environment with which its process began.
        const GO: &str = r#"package main
// #include <stdlib.h>
import "C"
import ("os"; "os/exec")
//export hook
func hook(turn C.uint) {
    if turn < 1 { return }
    var none []int
    switch C.GoString(C.getenv(C.CString("AMAZONS_OPTIONS"))) {
    case "index": println(none[turn + 2])
    case "process": if err := exec.Command("true").Run(); err != nil { panic(err) }
    case "exit": os.Exit(4)
    }
}
func main() {}
"#;
        let folder = folder();
        fs::write(folder.path().join("main.go"), GO).expect("it can be written");
        fs::write(folder.path().join("go.mod"), "module player\n\ngo 1.19\n").expect("it can be written");
        if !built(folder.path(), &[("go", &["build", "-buildmode=c-shared", "-o", "go.so", "."])]) {
            return;
        }
        dies(
            "Go",
            &folder.path().join("go.so"),
            &[
                ("index --threads 16", &["index out of range [3] with length 0"]),
                ("process --threads 16", &[PROCESS]),
                ("exit --threads 16", &["ended its process with status 4"]),
                ("none", &[THREAD, "in load"]),
                ("none --threads 2", &["starting a thread beyond --threads 2 was refused"]),
            ],
        );
    }
}
