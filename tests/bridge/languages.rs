//! Bots in many languages play whole games with default options and nothing but their own files. Each test is a row of
//! the table in docs/protocol.md.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{open_folder, program};
use crate::cli::{player, server};

/// Seconds, of which a machine with nothing else to do needs one.
const PATIENT: &str = "60";

/// Finds a program of the system; a test whose program is missing says so.
pub(super) fn system_program(name: &str) -> Option<PathBuf> {
    let found = ["/usr/local/bin", "/usr/bin", "/bin"].iter().map(|folder| Path::new(folder).join(name));
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        amazons_testing::skip(format!("there is no {name}"));
    }
    found
}

/// Names the interpreter of a command by its file: that of whoever runs the tests may be closed to others.
fn resolved(command: &str) -> Option<String> {
    let (interpreter, rest) = command.split_once(' ').unwrap_or((command, ""));
    system_program(interpreter).map(|path| format!("{} {rest}", path.display()))
}

/// Plays a game to the end on each side; the bot names itself.
pub(super) fn plays(command: &str, name: &str) {
    let (bot, random) = (format!("bridge:{command}"), player("random"));
    for players in [[&bot, &random], [&random, &bot]] {
        let options = ["-m", "6", "-t", "d", "--seed", "3", "-q", "--load-time", PATIENT];
        let ran = server(options.into_iter().chain(players.map(String::as_str)));
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{command}: {}", ran.out);
        let line = ran.last_line();
        assert!(line.ends_with("cannot move") && line.contains(&format!("({name})")), "{command}: {line}");
    }
}

/// Keeps to every line of the protocol.
fn passes(command: &str) {
    let ran = server(["check", "-m", "5", "--load-time", PATIENT, &format!("bridge:{command}")]);
    assert_eq!((ran.status, ran.last_line()), (0, "passed: 9 passed"), "{command}: {}", ran.out);
}

/// Plays with a bot in a file, run by this command.
fn script_plays(command: &str, file: &str, text: &str, name: &str) {
    let Some(command) = resolved(command) else { return };
    let folder = open_folder();
    let path = folder.path().join(file);
    fs::write(&path, text).expect("a file");
    plays(&format!("{command} {}", path.display()), name);
    passes(&format!("{command} {}", path.display()));
}

#[test]
fn javascript_on_node() {
    script_plays("node", "bot.js", include_str!("../../examples/bridge/random_bot.js"), "random bot in JavaScript");
}

#[test]
fn perl() {
    script_plays("perl", "bot.pl", include_str!("../../examples/bridge/random_bot.pl"), "random bot in Perl");
}

#[test]
fn ruby() {
    script_plays("ruby", "bot.rb", include_str!("../../examples/bridge/random_bot.rb"), "random bot in Ruby");
}

#[test]
fn php() {
    script_plays("php", "bot.php", include_str!("../../examples/bridge/random_bot.php"), "random bot in PHP");
}

#[test]
fn lua_and_luajit() {
    for command in ["lua5.4", "lua", "luajit"] {
        script_plays(command, "bot.lua", include_str!("../../examples/bridge/random_bot.lua"), "random bot in Lua");
    }
}

#[test]
fn python_and_pypy() {
    for command in ["python3", "pypy3"] {
        script_plays(command, "bot.py", include_str!("../../examples/bridge/random_bot.py"), "random bot");
    }
}

/// Its random numbers are those of `SecureRandom`, which reads java.security and /dev/random.
#[test]
fn java() {
    let (Some(java), Some(compiler)) = (system_program("java"), system_program("javac")) else { return };
    let folder = open_folder();
    let source = folder.path().join("RandomBot.java");
    fs::write(&source, include_str!("../../examples/bridge/RandomBot.java")).expect("a file");
    let output = Command::new(compiler).args(["-Xlint:all", "-Werror"]).arg(&source).output().expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let command = format!("{} -cp {} RandomBot", java.display(), folder.path().display());
    plays(&command, "random bot in Java");
    passes(&command);
}

/// Says hello, and gives up when it is to move: enough to show that a language starts.
fn starts(command: &str, file: &str, text: &str) {
    let Some(command) = resolved(command) else { return };
    let folder = open_folder();
    let path = program(&folder, file, text);
    let (fault, _) = super::fault_of(&format!("bridge:{command} {}", path.display()), &["--load-time", PATIENT]);
    assert_eq!((&fault["call"], &fault["termination"]), (&"play".into(), &"illegal_move".into()), "{fault:#}");
}

const SHELL: &str = "while read -r word rest; do case $word in aep) echo 'aepok 1';; isready) echo readyok;; \
    go) echo bestmove none;; quit) exit 0;; esac; done\n";

#[test]
fn shells_start() {
    for command in ["sh", "bash", "zsh", "ksh", "busybox sh"] {
        starts(command, "bot.sh", SHELL);
    }
}

#[test]
fn awk_and_tcl_start() {
    let awk = "$1==\"aep\"{print \"aepok 1\"} $1==\"isready\"{print \"readyok\"} $1==\"go\"{print \"bestmove none\"} \
        $1==\"quit\"{exit} {fflush()}\n";
    starts("gawk -f", "bot.awk", awk);
    starts("mawk -W interactive -f", "bot.awk", awk);
    let tcl = "fconfigure stdout -buffering line\nwhile {[gets stdin line] >= 0} { switch [lindex [split $line] 0] { \
        aep {puts \"aepok 1\"} isready {puts readyok} go {puts \"bestmove none\"} quit {exit} } }\n";
    starts("tclsh", "bot.tcl", tcl);
}

#[test]
fn functional_languages_start() {
    let ocaml = "let rec loop () = match input_line stdin with exception End_of_file -> () | line ->\n\
        let say text = print_endline text; loop () in match String.split_on_char ' ' line with\n\
        \"aep\" :: _ -> say \"aepok 1\" | \"isready\" :: _ -> say \"readyok\" | \"go\" :: _ -> say \"bestmove none\"\n\
        | \"quit\" :: _ -> () | _ -> loop ()\nlet () = loop ()\n";
    starts("ocaml", "bot.ml", ocaml);
    let racket = "#lang racket/base\n(let loop () (define line (read-line)) (unless (eof-object? line)\n\
        (cond [(regexp-match? #rx\"^aep\" line) (displayln \"aepok 1\")]\n\
        [(regexp-match? #rx\"^isready\" line) (displayln \"readyok\")]\n\
        [(regexp-match? #rx\"^go\" line) (displayln \"bestmove none\")])\n\
        (flush-output) (unless (regexp-match? #rx\"^quit\" line) (loop))))\n";
    starts("racket", "bot.rkt", racket);
    let guile = "(use-modules (ice-9 rdelim))\n(let loop ((line (read-line))) (unless (eof-object? line)\n\
        (cond ((string-prefix? \"aep\" line) (display \"aepok 1\\n\")) ((string-prefix? \"isready\" line) (display \
        \"readyok\\n\")) ((string-prefix? \"go\" line) (display \"bestmove none\\n\")))\n\
        (force-output) (unless (string-prefix? \"quit\" line) (loop (read-line)))))\n";
    starts("guile", "bot.scm", guile);
    let lisp = "(loop for line = (read-line *standard-input* nil) while line do\n\
        (cond ((eql 0 (search \"aep\" line)) (format t \"aepok 1~%\")) ((eql 0 (search \"isready\" line)) (format t \
        \"readyok~%\")) ((eql 0 (search \"go\" line)) (format t \"bestmove none~%\")) ((eql 0 (search \"quit\" line)) \
        (return))) (finish-output))\n";
    starts("sbcl --script", "bot.lisp", lisp);
    starts("clisp", "bot.lisp", lisp);
    let prolog = ":- initialization(main, main).\nmain :- read_line_to_string(user_input, L), ( L == end_of_file -> \
        true ; split_string(L, \" \", \"\", [W|_]), say(W), ( W == \"quit\" -> true ; main ) ).\n\
        say(\"aep\") :- !, writeln(\"aepok 1\"), flush_output.\nsay(\"isready\") :- !, writeln(\"readyok\"), \
        flush_output.\nsay(\"go\") :- !, writeln(\"bestmove none\"), flush_output.\nsay(_).\n";
    starts("swipl", "bot.pl", prolog);
}

#[test]
fn erlang_and_elixir_start() {
    let erlang = "#!/usr/bin/env escript\nmain(_) -> loop().\nloop() -> case io:get_line(\"\") of eof -> ok;\n\
        Line -> [Word|_] = string:tokens(Line ++ \" x\", \" \\n\"), say(Word), \
        case Word of \"quit\" -> ok; _ -> loop() end end.\n\
        say(\"aep\") -> io:format(\"aepok 1~n\"); say(\"isready\") -> io:format(\"readyok~n\"); \
        say(\"go\") -> io:format(\"bestmove none~n\"); say(_) -> ok.\n";
    starts("escript", "bot.escript", erlang);
    let elixir = "loop = fn loop -> case IO.gets(\"\") do\n:eof -> :ok\nline -> case String.split(line) do\n\
        [\"aep\"|_] -> IO.puts(\"aepok 1\"); loop.(loop)\n[\"isready\"|_] -> IO.puts(\"readyok\"); loop.(loop)\n\
        [\"go\"|_] -> IO.puts(\"bestmove none\"); loop.(loop)\n[\"quit\"|_] -> :ok\n_ -> loop.(loop) end end end\n\
        loop.(loop)\n";
    starts("elixir", "bot.exs", elixir);
}

#[test]
fn mono_starts() {
    let (Some(mono), Some(compiler)) = (system_program("mono"), system_program("mcs")) else { return };
    let folder = open_folder();
    let source = "using System; class Bot { static void Main() { string line; while ((line = Console.ReadLine()) != null) {\n\
        string word = line.Split(' ')[0]; if (word == \"aep\") Console.WriteLine(\"aepok 1\");\n\
        if (word == \"isready\") Console.WriteLine(\"readyok\"); if (word == \"go\") Console.WriteLine(\"bestmove none\");\n\
        if (word == \"quit\") break; } } }\n";
    let (source, bot) = (program(&folder, "Bot.cs", source), folder.path().join("bot.exe"));
    let out = format!("-out:{}", bot.display());
    assert!(Command::new(compiler).arg(out).arg(source).status().expect("a compiler").success());
    let (fault, _) =
        super::fault_of(&format!("bridge:{} {}", mono.display(), bot.display()), &["--load-time", PATIENT]);
    assert_eq!((&fault["call"], &fault["termination"]), (&"play".into(), &"illegal_move".into()), "{fault:#}");
}
