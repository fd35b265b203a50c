//! Pairs as tasks.

use std::fs;
use std::process::{Command, Stdio};

use amazons_testing::{output_of, skip, wait_for};
use rustix::process::{Signal, kill_process};

use super::event::Hall;
use crate::cli::{Ran, ran, server};
use crate::support;

const OPTIONS: [&str; 6] = ["--format", "swiss", "--rounds", "2", "--boards", "c5"];
const PLAYERS: [&str; 3] = ["random", "c_mobility", "territory"];

pub(super) fn tasks(hall: &Hall) -> Vec<String> {
    let mut args = hall.args();
    args.insert(1, "tasks".to_owned());
    let ran = server(args);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn tasks_come_to_the_same_as_threads() {
    let (threads, alone) = (Hall::new(&PLAYERS, &OPTIONS), Hall::new(&PLAYERS, &OPTIONS));
    threads.finish();
    let mut rounds = 0;
    loop {
        let tasks = tasks(&alone);
        if tasks.is_empty() {
            break;
        }
        rounds += 1;
        for task in &tasks {
            assert!(task.starts_with(&format!("{}:", alone.dir().display())), "{task}");
            for _ in 0..2 {
                let played = server(["play-pair", task]);
                assert_eq!((played.status, played.out.as_str(), played.err.as_str()), (0, "", ""), "{task}");
            }
        }
    }
    assert_eq!(rounds, 2, "the second round is known after the first");
    let collected = collect(&alone);
    assert_eq!(collected.status, 0, "{}", collected.err);
    assert!(collected.out.contains(", complete\n"), "{}", collected.out);
    assert_eq!(alone.stable(), threads.stable());
}

#[test]
fn a_repeated_task_does_nothing_and_the_same_command_goes_on_after_tasks() {
    let hall = Hall::new(&["random", "c_mobility"], &["--pairs", "4", "--boards", "c5"]);
    let tasks = tasks(&hall);
    assert_eq!(tasks.len(), 4);
    assert_eq!(server(["play-pair", &tasks[2]]).status, 0);
    let result = hall.file("tasks/000003.json");
    let (before, text) =
        (fs::metadata(&result).expect("a result").modified().expect("a time"), hall.read("tasks/000003.json"));
    assert_eq!(server(["play-pair", &tasks[2]]).status, 0);
    assert_eq!(fs::metadata(&result).expect("a result").modified().expect("a time"), before);
    hall.finish();
    let journal = hall.read("journal.jsonl");
    assert_eq!(journal.matches("\"pair\":3,").count(), 2, "the result was taken in: {text}");
    assert_eq!(journal.matches("\"pair\":").count(), 8);
}

#[test]
fn what_is_no_task_is_refused() {
    let hall = Hall::new(&["random", "c_mobility"], &["--boards", "c5"]);
    let task = tasks(&hall).remove(0);
    let dir = hall.dir().display().to_string();
    for (task, expected) in [
        ("12".to_owned(), "'12' is not a task"),
        (format!("{dir}:x"), "is not a task"),
        (format!("{dir}:2"), "there is no pair 2 in the event, or not yet"),
        (format!("{dir}:0"), "there is no pair 0 in the event"),
        (format!("{dir}/none:1"), "none holds no event and no ladder: there is no "),
    ] {
        let ran = server(["play-pair", &task]);
        assert_eq!(ran.status, 2, "{task}: {}", ran.err);
        assert!(ran.err.contains(expected), "{task}: {}", ran.err);
    }
    let lock = fs::File::create({
        fs::create_dir_all(hall.file("tasks")).expect("a folder");
        hall.file("tasks/000001.lock")
    });
    let lock = lock.expect("a file");
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).expect("a lock");
    let busy = server(["play-pair", &task]);
    assert!(busy.status == 70 && busy.err.contains("pair 1 is being played by another process"), "{}", busy.err);
}

#[test]
fn a_damaged_result_is_left_out_and_played_again() {
    let hall = Hall::new(&["random", "c_mobility"], &["--pairs", "2", "--boards", "c5"]);
    let tasks = tasks(&hall);
    let (dir, result) = (hall.dir().display().to_string(), "tasks/000001.json");
    assert_eq!(server(["play-pair", &tasks[0]]).status, 0);
    let whole = hall.read(result);
    let other_pair = whole.replace("\"pair\":1,", "\"pair\":2,");
    let [third, twice] = ["3", "1"].map(|game| whole.replace("\"game\":2,", &format!("\"game\":{game},")));
    for text in ["", "[]", "{", &whole[..100], &third, &twice, &other_pair] {
        fs::write(hall.file(result), text).expect("a file");
        let ran = server(["tournament", "collect", &dir]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        assert!(ran.err.contains("left out, the task is to be played again") && ran.err.lines().count() == 1);
        assert_eq!(hall.games(), 0, "{text}");
    }
    assert_eq!(server(["play-pair", &tasks[0]]).status, 0);
    assert_eq!(server(["tournament", "collect", &dir]).status, 0);
    assert_eq!(hall.games(), 2);
    assert_eq!(hall.read("journal.jsonl").matches("\"pair\":1,").count(), 2);
}

#[test]
fn a_task_refuses_another_file_of_a_player() {
    let root = tempfile::tempdir().expect("a folder");
    let copy = root.path().join("copy.so");
    fs::copy(support::player("random"), &copy).expect("a copy");
    let hall = Hall::new(&["random"], &[&copy.display().to_string(), "--boards", "c5"]);
    let task = tasks(&hall).remove(0);
    fs::copy(support::player("territory"), &copy).expect("another player");
    let ran = server(["play-pair", &task]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(
        ran.err.contains("player copy: ") && ran.err.contains("is not the file that the event began with"),
        "{}",
        ran.err
    );
}

/// Notes when GNU parallel is missing.
pub(super) fn has_parallel() -> bool {
    let version = Command::new("parallel").arg("--version").output();
    let is_there = version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("GNU parallel"));
    if !is_there {
        skip("GNU parallel is not installed (Debian: apt-get install parallel)");
    }
    is_there
}

/// Two tasks at a time, from a list beside the event.
fn parallel(hall: &Hall, resume: &str) -> Command {
    let mut command = Command::new("parallel");
    // Quoted: the folder of the server may have a blank in its name.
    command.args(["--will-cite", "-q", "-j2", resume, "--joblog"]).arg(hall.dir().with_file_name("joblog"));
    command.arg("-a").arg(hall.dir().with_file_name("tasks.txt")).arg(support::server()).arg("play-pair");
    command
}

/// The real program, which remembers its finished tasks.
#[test]
fn gnu_parallel_plays_an_event() {
    if !has_parallel() {
        return;
    }
    let options = ["--pairs", "6", "--boards", "c5"];
    let (threads, farm) =
        (Hall::new(&["random", "c_mobility"], &options), Hall::new(&["random", "c_mobility"], &options));
    threads.finish();
    fs::write(farm.dir().with_file_name("tasks.txt"), tasks(&farm).join("\n")).expect("a list");
    for _ in 0..2 {
        let joined = ran(parallel(&farm, "--resume").output().expect("parallel can be run"));
        assert_eq!(joined.status, 0, "{}", joined.err);
    }
    farm.finish();
    assert_eq!(farm.stable(), threads.stable());
}

/// Killed tasks are played again, finished ones are not.
#[test]
fn a_killed_worker_of_gnu_parallel_loses_no_finished_game() {
    if !has_parallel() {
        return;
    }
    // Each task lasts long enough to be found.
    let (_folder, slow) = support::slow_player(30);
    let options = [slow.to_str().expect("text"), "--pairs", "6", "--boards", "c5"];
    let (threads, farm) = (Hall::new(&["random"], &options), Hall::new(&["random"], &options));
    threads.finish();
    let list = tasks(&farm);
    fs::write(farm.dir().with_file_name("tasks.txt"), list.join("\n")).expect("a list");
    let job = parallel(&farm, "--resume-failed").stdin(Stdio::null()).spawn();
    let job = job.expect("parallel can be run");
    let program = support::server().display().to_string();
    // The fourth task has a worker when there are results of earlier ones.
    let is_fourth = || support::process_with(&[&program, "play-pair", &list[3]], None);
    let victim = wait_for("the fourth task begins", is_fourth);
    kill_process(victim, Signal::KILL).expect("it lives");
    let joined = ran(output_of(job));
    assert_eq!(joined.status, 1, "one task failed: {}", joined.err);
    let result = |number: usize| farm.file(&format!("tasks/{number:06}.json"));
    let written = |number: usize| fs::metadata(result(number)).and_then(|data| data.modified()).ok();
    let before: Vec<_> = (1..=list.len()).map(written).collect();
    assert_eq!(before.iter().filter(|time| time.is_some()).count(), 5, "the others have gone on: {before:?}");
    assert!(before[3].is_none());
    let joined = ran(parallel(&farm, "--resume-failed").output().expect("parallel can be run"));
    assert_eq!(joined.status, 0, "{}", joined.err);
    let after: Vec<_> = (1..=list.len()).map(written).collect();
    assert!(after[3].is_some());
    assert!(
        before.iter().zip(&after).all(|(before, after)| before.is_none() || before == after),
        "{before:?} {after:?}"
    );
    let collected = collect(&farm);
    assert!(collected.out.contains(", complete\n"), "{}{}", collected.out, collected.err);
    assert_eq!(farm.stable(), threads.stable());
}

/// Merges results.
pub(super) fn collect(hall: &Hall) -> Ran {
    server(["tournament", "collect", &hall.dir().display().to_string()])
}
