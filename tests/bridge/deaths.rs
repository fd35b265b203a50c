//! Ways for a program to die, by language: the one line names the cause, and blames nothing that did not happen.

use std::fs;
use std::process::Command;

use super::languages::system_program;
use super::{fault_of, open_folder, program, python};
use crate::support::deaths::{Death, assert_cause, one_line};

/// Dies when it starts, in each of these ways: `run` is the command before the bot's file.
#[track_caller]
fn dies(language: &str, run: &str, file: &str, ways: &[Death<'_>]) {
    let (name, rest) = run.split_once(' ').unwrap_or((run, ""));
    let found = if name == "python3" { python().map(Into::into) } else { system_program(name) };
    let Some(interpreter) = found else { return };
    let folder = open_folder();
    program(&folder, "weights.txt", "1 2 3");
    for &(text, expected) in ways {
        let bot = program(&folder, file, text);
        let command = format!("bridge:{} {rest} {}", interpreter.display(), bot.display());
        let (fault, _) = fault_of(&command, &["--load-time", "60", "--move-time", "60"]);
        let own = folder.path().display().to_string();
        assert_cause(language, (text, expected), &one_line(&fault).replace(&own, "FOLDER"));
    }
}

/// An own file that is named as if the program ran in its folder.
const RELATIVE: &str = "name the file by its whole path, FOLDER/weights.txt";
const CLOSED: &str = "/etc/shadow is closed to it: it may write only to its temporary folder (TMPDIR), and read more \
                      with --allow-read PATH";

#[test]
fn in_python() {
    dies(
        "Python",
        "python3",
        "bot.py",
        &[
            ("raise ValueError('no good move')", &["exit in load: ended", "status 1", "ValueError: no good move"]),
            ("open('weights.txt')", &["its folder is the server's", RELATIVE, "FileNotFoundError"]),
            ("open('book.txt')", &["status 1; it printed", "No such file or directory: 'book.txt'"]),
            ("open('/etc/shadow')", &[CLOSED, "PermissionError"]),
            ("import mmap; mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE)", &["may map at most 64 GiB, of which 16 GiB"]),
            ("import sys; sys.exit('no weights')", &["status 1; it printed 'no weights'"]),
            ("print('weights missing'); raise SystemExit(7)", &["status 7", "[standard output] weights missing"]),
            ("import nonesuch", &["ModuleNotFoundError: No module named 'nonesuch'"]),
            ("x = (", &["SyntaxError"]),
            ("import os; os.abort()", &["crash in load: killed by SIGABRT"]),
            ("import ctypes; ctypes.string_at(0)", &["crash in load: killed by SIGSEGV"]),
        ],
    );
}

#[test]
fn in_perl() {
    dies(
        "Perl",
        "perl",
        "bot.pl",
        &[
            ("die \"no good move\\n\";", &["status 255; it printed 'no good move'"]),
            ("open(F, '<', 'weights.txt') or die \"weights.txt: $!\\n\";", &["its folder is the server's", RELATIVE]),
            ("open(F, '<', '/etc/shadow') or die \"/etc/shadow: $!\\n\";", &[CLOSED]),
        ],
    );
}

#[test]
fn in_php() {
    dies(
        "PHP",
        "php",
        "bot.php",
        &[
            ("<?php throw new Exception('no good move');", &["status 255", "no good move"]),
            (
                "<?php if (!file_get_contents('weights.txt')) exit(2);",
                &["its folder is the server's", RELATIVE, "status 2"],
            ),
        ],
    );
}

#[test]
fn in_ruby() {
    dies(
        "Ruby",
        "ruby",
        "bot.rb",
        &[
            ("raise 'no good move'", &["status 1", "no good move (RuntimeError)"]),
            ("File.read('weights.txt')", &["its folder is the server's", RELATIVE, "Errno::ENOENT"]),
            ("nil.upcase", &["undefined method `upcase' for nil"]),
        ],
    );
}

#[test]
fn in_lua() {
    for lua in ["lua5.4", "lua"] {
        dies(
            "Lua",
            lua,
            "bot.lua",
            &[
                ("error('no good move')", &["status 1", "no good move"]),
                ("local function f(n) if n == 0 then error('deep') end f(n - 1) return n end f(30)", &["deep"]),
                ("assert(io.open('weights.txt'))", &["its folder is the server's", RELATIVE]),
            ],
        );
    }
}

const THROW: &str = "throw new Error('no good move')";
const READ: &str = "require('fs').readFileSync('weights.txt')";

#[test]
fn in_javascript() {
    let ways: &[Death<'_>] = &[
        (THROW, &["status 1", "Error: no good move"]),
        (READ, &["its folder is the server's", RELATIVE, "ENOENT"]),
        ("require('fs').readFileSync('/etc/shadow')", &[CLOSED, "EACCES"]),
        (
            "require('net').createServer().listen(process.env.TMPDIR ? process.env.TMPDIR + '/pipe' : '/dev/shm/pipe')",
            &["listen EACCES", "it may make only files and folders in /dev/shm"],
        ),
        ("console.log('weights missing'); process.exit(3)", &["status 3", "[standard output] weights missing"]),
    ];
    dies("JavaScript", "node", "bot.js", ways);
}

#[test]
fn in_typescript() {
    let Some(compiler) = system_program("tsc") else { return };
    let folder = open_folder();
    let compiled = |text: &str| {
        let source = program(&folder, "bot.ts", &format!("declare function require(name: string): any;\n{text}\n"));
        assert!(Command::new(&compiler).arg(&source).status().expect("a compiler").success(), "{text}");
        fs::read_to_string(source.with_extension("js")).expect("it writes the script")
    };
    let [throw, read] = [THROW, READ].map(compiled);
    dies(
        "TypeScript",
        "node",
        "bot.js",
        &[(&throw, &["status 1", "Error: no good move"]), (&read, &["its folder is the server's", RELATIVE, "ENOENT"])],
    );
}

#[test]
fn in_shell() {
    dies(
        "shell",
        "sh",
        "bot.sh",
        &[
            ("echo weights missing; exit 1", &["status 1", "it printed '[standard output] weights missing'"]),
            ("nonesuch || exit 5", &["status 5", "nonesuch: not found"]),
            ("read -r line < weights.txt || exit 6", &["its folder is the server's", RELATIVE]),
            ("kill -9 $$", &["crash in load: killed by SIGKILL"]),
        ],
    );
}

mod long {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    use super::{Death, RELATIVE, assert_cause, fault_of, one_line, open_folder, program, system_program};

    /// A program in Go, as its library needs threads.
    #[test]
    fn in_go() {
        let Some(go) = system_program("go") else { return };
        let folder = open_folder();
        program(&folder, "weights.txt", "1 2 3");
        let text = "package main\nimport (\"fmt\"; \"os\")\nfunc main() { var none map[string]int\nswitch os.Args[1] {\n\
            case \"nil\": none[\"a\"] = 1\ncase \"deadlock\": select {}\n\
            case \"file\": if _, err := os.ReadFile(\"weights.txt\"); err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(2) }\n\
            case \"memory\": fmt.Println(len(make([]byte, 1 << 40)))\n} }\n";
        program(&folder, "bot.go", text);
        let built = Command::new(go)
            .args(["build", "-o", "bot", "bot.go"])
            .current_dir(folder.path())
            .env("GOCACHE", folder.path().join("cache"))
            .env("GO111MODULE", "off")
            .output()
            .expect("a compiler");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let bot = folder.path().join("bot");
        fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let ways: &[Death<'_>] = &[
            ("nil", &["status 2", "panic: assignment to entry in nil map"]),
            ("deadlock", &["fatal error: all goroutines are asleep"]),
            ("file", &["its folder is the server's", RELATIVE]),
            ("memory", &["out of memory", "may map at most 64 GiB"]),
        ];
        for &(way, expected) in ways {
            let (fault, _) = fault_of(&format!("bridge:{} {way}", bot.display()), &["--load-time", "60"]);
            let own = folder.path().display().to_string();
            assert_cause("Go", (way, expected), &one_line(&fault).replace(&own, "FOLDER"));
        }
    }
}
