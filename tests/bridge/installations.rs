//! Interpreters outside of the system's folders, and wrappers around them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use amazons::bridge::ProgramCommand;
use amazons_sandbox::installations;
use tempfile::TempDir;

use super::languages::plays;
use super::{open_folder, program, python, shell_bot};
use crate::cli::{player, server};
use crate::support;

const BOT: &str = include_str!("../../examples/bridge/random_bot.py");

/// The bot's own folder, another one for installations, and the system's Python; tests without one report that.
struct Place {
    bots: TempDir,
    bot: String,
    elsewhere: TempDir,
    python: PathBuf,
}

impl Place {
    fn new() -> Option<Self> {
        let Some(python) = python() else {
            amazons_testing::skip("there is no /usr/bin/python3 (Debian: apt-get install python3)");
            return None;
        };
        let (bots, elsewhere) = (open_folder(), open_folder());
        let bot = program(&bots, "bot.py", BOT).display().to_string();
        let python = Path::new(python).canonicalize().expect("it is there");
        Some(Self { bots, bot, elsewhere, python })
    }

    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.elsewhere.path().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// A Python with a library of its own, as uv, conda and pyenv lay it out.
    fn install(&self, name: &str) -> PathBuf {
        let version = self.python.file_name().expect("a name").to_owned();
        let library = Path::new("/usr/lib").join(&version);
        let ours = self.folder(name).join("lib").join(&version);
        copy_files(&library, &ours);
        for part in ["encodings", "collections", "importlib", "re", "lib-dynload"] {
            copy_files(&library.join(part), &ours.join(part));
        }
        let program = self.folder(&format!("{name}/bin")).join(&version);
        fs::copy(&self.python, &program).expect("a copy");
        symlink(&version, program.with_file_name("python3")).expect("a link");
        program.with_file_name("python3")
    }

    /// A virtual environment whose Python is a link to this one, or a copy of it.
    fn environment(&self, name: &str, base: &Path, is_link: bool) -> PathBuf {
        let python = self.folder(&format!("{name}/bin")).join("python3");
        if is_link {
            symlink(base, &python).expect("a link");
        } else {
            copied(base, &python);
        }
        let home = format!("include-system-site-packages = false\nhome = {}\n", base.parent().expect("bin").display());
        fs::write(self.folder(name).join("pyvenv.cfg"), home).expect("a file");
        python
    }

    fn plays(&self, python: &Path) {
        plays(&format!("{} {}", python.display(), self.bot), "random bot");
    }
}

fn copied(from: &Path, to: &Path) {
    fs::copy(from, to).expect("a copy");
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).into_iter().flatten().flatten() {
        if entry.path().is_file() {
            copied(&entry.path(), &to.join(entry.file_name()));
        }
    }
}

#[test]
fn a_virtual_environment_of_the_systems_python() {
    let Some(place) = Place::new() else { return };
    for (name, is_link) in [("linked", true), ("copied", false)] {
        let python = place.environment(name, &place.python, is_link);
        place.plays(&python);
        plays(&format!("nice -n 5 {} {}", python.display(), place.bot), "random bot");
        plays(&format!("sh -c 'exec {} {}'", python.display(), place.bot), "random bot");
    }
}

#[test]
fn a_python_of_its_own_and_environments_of_it() {
    let Some(place) = Place::new() else { return };
    // The link `current` is another name of the folder, as uv has one for each minor version.
    let python = place.install("versions/3");
    symlink("3", place.elsewhere.path().join("versions/current")).expect("a link");
    place.plays(&python);
    place.plays(&place.elsewhere.path().join("versions/current/bin/python3"));
    for (name, is_link) in [("linked", true), ("copied", false)] {
        let environment = place.environment(name, &python, is_link);
        place.plays(&environment);
        // The first line of a script names it.
        let folder = open_folder();
        let script = program(&folder, "bot", &format!("#!{} -u\n{BOT}", environment.display()));
        plays(&script.display().to_string(), "random bot");
    }
    // An environment of an environment, with links on the way.
    let nested = place.environment("nested", &place.elsewhere.path().join("linked/bin/python3"), true);
    place.plays(&nested);
}

/// A program that is found by its name alone must take the right file for itself.
#[test]
fn an_active_environment() {
    let Some(place) = Place::new() else { return };
    let python = place.environment("active", &place.python, true);
    let bot = BOT.replace("random bot", "{sys.prefix}").replace("print(\"id", "print(f\"id");
    let bot = program(&place.elsewhere, "bot.py", &bot);
    let path = format!("{}:/usr/bin:/bin", python.parent().expect("bin").display());
    let command = format!("bridge:python3 {}", bot.display());
    let output = Command::new(support::server())
        .args(["-m", "5", "-q", &command, &player("random")])
        .env("PATH", path)
        .output()
        .expect("the server runs");
    let prefix = place.elsewhere.path().join("active").display().to_string();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(&format!("({prefix})")), "{text}");
}

#[test]
fn a_wrapper_that_silences_its_bot() {
    let Some(place) = Place::new() else { return };
    for shell in ["/bin/sh", "/usr/bin/env bash"] {
        let text = format!("#!{shell}\nexec {} {} 2>/dev/null\n", place.python.display(), place.bot);
        let wrapper = program(&place.bots, "wrapper.sh", &text);
        plays(&wrapper.display().to_string(), "random bot");
    }
    plays(&format!("sh -c '{} {} 2>/dev/null'", place.python.display(), place.bot), "random bot");
}

#[test]
fn only_installations_are_found() {
    let folder = open_folder();
    let root = folder.path().canonicalize().expect("a folder");
    let make = |path: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, "").expect("a file");
        path
    };
    let found = |path: &Path| {
        let found = installations(path);
        found.iter().map(|path| path.strip_prefix(&root).expect("below").display().to_string()).collect::<Vec<_>>()
    };
    // What the user named, and has libraries.
    let tool = make("project/bin/tool");
    assert_eq!(found(&tool), [""; 0]);
    make("project/lib/anything");
    assert_eq!(found(&tool), ["project"]);
    // What a stranger's file names must be the installation of that interpreter.
    let script = make("bot/script");
    fs::write(&script, format!("#!{}\n", tool.display())).expect("a file");
    assert_eq!(found(&script), [""; 0]);
    make("project/lib/tool-1.2/start");
    assert_eq!(found(&script), ["project"]);
    fs::write(&script, format!("#!/usr/bin/env -S PATH=x {} -u\n", tool.display())).expect("a file");
    assert_eq!(found(&script), ["project"]);
    let link = root.join("bot/link");
    symlink("../project/bin/tool", &link).expect("a link");
    assert_eq!(found(&link), ["project"]);
    // A user's own folders are no installation.
    make(".local/lib/anything");
    assert_eq!(found(&make(".local/bin/tool")), [""; 0]);
    // Conda, pyenv, Java.
    make("conda/conda-meta/history");
    make("pyenv/versions/3.12/bin/python");
    make("jdk/lib/modules");
    for (path, prefix) in [
        ("conda/bin/python", "conda"),
        ("pyenv/shims/python", "pyenv"),
        ("jdk/bin/java", "jdk"),
        ("jdk/bin/jshell", "jdk"),
    ] {
        assert_eq!(found(&make(path)), [prefix]);
    }
    // A circle ends.
    symlink(root.join("bot/b"), root.join("bot/a")).expect("a link");
    symlink(root.join("bot/a"), root.join("bot/b")).expect("a link");
    assert_eq!(found(&root.join("bot/a")), [""; 0]);
}

#[test]
fn a_command_never_opens_everything() {
    let folders = |command: &str| ProgramCommand::find(OsStr::new(command)).expect("a command").folders;
    for command in ["sh -c 'ls / >/dev/null'", "sh /", "sh /dev/null", "sh -c 'a=/;b'"] {
        let folders = folders(command);
        for closed in ["/", "/dev"] {
            assert!(!folders.contains(&PathBuf::from(closed)), "{command}: {folders:?}");
        }
    }
    let folder = open_folder();
    let (library, book) = (program(&folder, "a.jar", ""), program(&folder, "book.txt", ""));
    for command in [format!("sh -cp x:{}", library.display()), format!("sh --book={}", book.display())] {
        assert!(folders(&command).contains(&folder.path().to_owned()), "{command}");
    }
}

#[test]
fn keys_and_users_stay_closed() {
    let folder = open_folder();
    let script = "for file in /etc/passwd /etc/shadow /etc/hostname; do head -c 1 $file 2>/dev/null && echo \"open: $file\"; done >&2; \
        for folder in /etc /etc/ssl /etc/ssl/private /etc/ssh /root /home; do ls $folder 2>/dev/null && echo \"open: $folder\"; done >&2; \
        echo; head -c 1 /dev/random | wc -c >&2; \
        test ! -e /etc/ssl/openssl.cnf || head -n 1 /etc/ssl/openssl.cnf | wc -l >&2; exit 3";
    let (fault, _) = super::fault_of(&shell_bot(&folder, script), &[]);
    let log: Vec<&str> = fault["log_tail"].as_array().expect("lines").iter().filter_map(|line| line.as_str()).collect();
    assert!(!fault["log_tail"].to_string().contains("open: "), "{fault:#}");
    let read = 1 + usize::from(Path::new("/etc/ssl/openssl.cnf").exists());
    assert_eq!(log.iter().filter(|line| line.trim() == "1").count(), read, "{fault:#}");
}

#[test]
fn who_ends_at_once_is_told_what_it_may_read() {
    let (folder, elsewhere) = (open_folder(), open_folder());
    let book = program(&elsewhere, "book.txt", "a book\n");
    let text = format!("read -r line < {} || exit 4\nread -r hello\necho aepok 1\n", book.display());
    let bot = format!("bridge:/bin/sh {}", program(&folder, "bot.sh", &text).display());
    let (fault, _) = super::fault_of(&bot, &[]);
    let detail = fault["detail"].as_str().expect("text");
    assert!(detail.starts_with("ended its process with status "), "{detail}");
    let closed = format!("; {} is closed to it: it may write only to its temporary folder (TMPDIR), ", book.display());
    assert!(detail.contains(&closed), "{detail}");
    let more = "and read more with --allow-read PATH, or see 'What a program may not do' in docs/protocol.md";
    assert!(detail.ends_with(more), "{detail}");
    // Where it does not say which file that was.
    let text = "echo permission denied >&2; exit 4\n";
    let silent = format!("bridge:/bin/sh {}", program(&folder, "silent.sh", text).display());
    let (fault, _) = super::fault_of(&silent, &[]);
    let place = format!("; it may read only {} and the system's programs", folder.path().display());
    assert!(fault["detail"].as_str().is_some_and(|detail| detail.contains(&place)), "{fault:#}");
    let checked = server(["check", &bot]);
    assert!(checked.status == 1 && checked.out.contains(" is closed to it: "), "{}", checked.out);
    // In the middle of a game, too, if it speaks of a refusal; not for other ends.
    let hint = |go: &str| super::fault_of(&shell_bot(&folder, go), &[]).0["detail"].to_string().contains("may not do");
    assert!(hint("echo x > /tmp/amazons-log; exit 5"));
    assert!(!hint("exit 5"));
    let off = server(["--sandbox", "off", "-m", "5", "-q", "bridge:sh -c 'exit 1'", &player("random")]);
    assert!(!off.out.contains("may not do"), "{}", off.out);
}
