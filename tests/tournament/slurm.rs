//! A Slurm array on this machine: the real programs, with their own configuration, and the script of the documentation.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use amazons::tournament::host_name;
use amazons_testing::{skip, wait_or_tell};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::event::Hall;
use crate::cli::ran;
use crate::support;

const DOCUMENT: &str = include_str!("../../docs/tournaments.md");

/// A cluster of one node, removed on drop.
struct Cluster {
    root: TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    fn is_installed() -> bool {
        // Without a configuration some of them fail, but they run.
        let runs = |program: &str| Command::new(program).arg("-V").output().is_ok();
        let is_there = ["slurmctld", "slurmd", "sbatch"].into_iter().all(runs);
        if !is_there {
            skip("Slurm is not installed (Debian: apt-get install slurmctld slurmd slurm-client)");
        }
        is_there
    }

    /// Starts a node that sees this machine's files, except those of a folder: there it has its own.
    fn start(own: Option<&Path>) -> Self {
        let root = tempfile::tempdir().expect("a folder");
        for folder in ["state", "spool"] {
            fs::create_dir(root.path().join(folder)).expect("a folder");
        }
        let host = host_name();
        let host = host.split('.').next().unwrap_or_default();
        let [ctl, node] = free_ports();
        let (user, here) = (id("-un"), root.path().display());
        let cpus = thread::available_parallelism().map_or(1, usize::from);
        // It is unreachable from outside: there is nothing to authenticate, measure or count.
        let text = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={ctl}\nSlurmdPort={node}\n\
             AuthType=auth/none\nCredType=cred/none\nSlurmUser={user}\nSlurmdUser={user}\nStateSaveLocation={here}/state\n\
             SlurmdSpoolDir={here}/spool\nSlurmctldPidFile={here}/slurmctld.pid\nSlurmdPidFile={here}/slurmd.pid\n\
             ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nMpiDefault=none\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSwitchType=switch/none\nReturnToService=2\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             SchedulerParameters=sched_min_interval=0,batch_sched_delay=0\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
        );
        fs::write(root.path().join("slurm.conf"), text).expect("a configuration");
        let mut cluster = Self { root, daemons: Vec::new() };
        let mut node = cluster.command(if own.is_some() { "unshare" } else { "slurmd" });
        if let Some(own) = own {
            let script = "mount -t tmpfs tmpfs \"$0\" && exec slurmd \"$@\"";
            node.args(["--mount", "sh", "-c", script]).arg(own);
        }
        for (daemon, mut command) in [("slurmctld", cluster.command("slurmctld")), ("slurmd", node)] {
            let log = || File::create(cluster.root.path().join(format!("{daemon}.log"))).expect("a log");
            let child = command.arg("-D").stdin(Stdio::null()).stdout(log()).stderr(log()).spawn();
            cluster.daemons.push(child.expect("a daemon"));
        }
        cluster.wait("a node", |cluster| cluster.says("sinfo", &["-h", "-o", "%T"]) == "idle\n");
        cluster
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.root.path().join("slurm.conf"));
        command
    }

    fn says(&self, program: &str, args: &[&str]) -> String {
        ran(self.command(program).args(args).output().expect("Slurm's programs")).out
    }

    fn wait(&self, what: &str, is_done: impl Fn(&Self) -> bool) {
        let log = |name| fs::read_to_string(self.root.path().join(name)).unwrap_or_default();
        let tell = || format!("{what}: {}\n{}", log("slurmctld.log"), log("slurmd.log"));
        wait_or_tell(|| is_done(self).then_some(()), tell);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The node first: what it started ends with it.
        for daemon in self.daemons.iter_mut().rev() {
            let _ = kill_process(Pid::from_child(daemon), Signal::TERM);
            let _ = daemon.wait();
        }
    }
}

fn free_ports() -> [u16; 2] {
    let listen = || TcpListener::bind("127.0.0.1:0").expect("a port");
    // Both at a time, so that they are two.
    [listen(), listen()].map(|listener| listener.local_addr().expect("an address").port())
}

fn id(option: &str) -> String {
    ran(Command::new("id").arg(option).output().expect("id can be run")).out.trim().to_owned()
}

/// The block of the documentation that begins like this.
fn block(start: &str) -> &'static str {
    let at = DOCUMENT.find(&format!("\n{start}")).unwrap_or_else(|| panic!("no block begins with {start}"));
    let (block, _) = DOCUMENT[at + 1..].split_once("```").expect("its end");
    block
}

/// Whether files can be kept from a node: a mount of its own needs root's rights.
fn can_hide_files() -> bool {
    let can = Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success());
    if !can {
        skip("only root can give a node files of its own");
    }
    can
}

/// Starts ranks with Slurm, which communicate by MPICH.
fn plays_by_ranks(cluster: &Cluster, threads: &Hall, ranks: &Hall) {
    if !Command::new("mpirun.mpich").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return skip("mpirun.mpich is not installed (Debian: apt-get install mpich)");
    }
    let args: Vec<String> = ranks.args();
    let mut words = vec!["--mpi=pmi2", "--overcommit", "--ntasks=3", "server"];
    words.extend(args.iter().map(String::as_str));
    words.push("--force");
    submit(cluster, ranks, "srun", &words);
    assert_eq!(ranks.stable(), threads.stable());
    let journal = ranks.read("journal.jsonl");
    assert!(journal.contains("\"concurrency\":2"), "rank 0 hands out, the others play: {journal}");
}

/// Runs a command beside the event; `server` is the installed one.
fn submit(cluster: &Cluster, hall: &Hall, program: &str, args: &[&str]) -> String {
    let bin = support::server().parent().expect("a folder").display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap_or_default());
    run(cluster.command(program).args(args).current_dir(beside(hall)).env("PATH", path))
}

fn beside(hall: &Hall) -> PathBuf {
    hall.dir().parent().map(Path::to_owned).expect("a folder")
}

/// Returns what a command printed that must succeed.
#[track_caller]
fn run(command: &mut Command) -> String {
    let ran = ran(command.stdin(Stdio::null()).output().expect("Slurm"));
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    ran.out
}

/// A cluster takes long to start.
mod long {
    use std::fs;

    use super::{Cluster, beside, block, can_hide_files, plays_by_ranks, run, submit};
    use crate::support;
    use crate::tournament::event::Hall;
    use crate::tournament::tasks::{collect, tasks};

    const PLAYERS: [&str; 2] = ["random", "c_mobility"];
    const OPTIONS: [&str; 4] = ["--pairs", "5", "--boards", "c5"];

    #[test]
    fn slurm_plays_an_event_by_an_array_and_by_ranks() {
        if !Cluster::is_installed() {
            return;
        }
        let (threads, array) = (Hall::new(&PLAYERS, &OPTIONS), Hall::new(&PLAYERS, &OPTIONS));
        threads.finish();
        let list = tasks(&array);
        fs::write(array.dir().with_file_name("tasks.txt"), list.join("\n") + "\n").expect("a list");
        fs::write(array.dir().with_file_name("pairs.sbatch"), block("#!/bin/sh\n#SBATCH")).expect("a script");
        let cluster = Cluster::start(None);
        let range = format!("--array=1-{}%64", list.len());
        let job = submit(&cluster, &array, "sbatch", &["--parsable", &range, "pairs.sbatch"]);
        cluster.wait("the array", |cluster| cluster.says("squeue", &["-h", "-j", job.trim()]).is_empty());
        let collected = collect(&array);
        assert_eq!(collected.status, 0, "{}", collected.err);
        assert!(collected.out.contains(", complete\n"), "{}", collected.out);
        assert_eq!(array.stable(), threads.stable());
        plays_by_ranks(&cluster, &threads, &Hall::new(&PLAYERS, &OPTIONS));
    }

    /// A node that sees neither the event nor the players gets copies, and sends results.
    #[test]
    fn slurm_plays_an_event_without_a_shared_folder() {
        if !Cluster::is_installed() || !can_hide_files() {
            return;
        }
        let (threads, far) = (Hall::new(&PLAYERS, &OPTIONS), Hall::new(&PLAYERS, &OPTIONS));
        threads.finish();
        let beside = beside(&far);
        let cluster = Cluster::start(Some(&beside));
        fs::create_dir(beside.join("teams")).expect("a folder");
        fs::copy(support::server(), beside.join("server")).expect("a copy");
        let mut plan = "pairs = 5\nboards = [\"c5\"]\n".to_owned();
        for name in PLAYERS {
            fs::copy(support::player(name), beside.join(format!("teams/{name}.so"))).expect("a copy");
            plan += &format!("[[players]]\nfile = \"teams/{name}.so\"\n");
        }
        fs::write(beside.join("spring.toml"), plan).expect("a plan");
        fs::write(beside.join("pairs.sh"), block("#!/bin/sh\n# With a task")).expect("a script");
        // This cluster has fewer cores.
        let commands = block("./server tournament tasks").replace("--ntasks=64", "--ntasks=1");
        let out = run(cluster.command("sh").args(["-e", "-c", &commands]).current_dir(&beside));
        assert!(out.contains("spring: round robin, 2 players, 5 whole pairs, 10 games, complete\n"), "{out}");
        let far = fs::read_to_string(beside.join("spring/standings.txt")).expect("a table");
        let near = threads.read("standings.txt");
        // Behind the line that names the event.
        assert!(far.lines().skip(1).eq(near.lines().skip(1)), "{far}{near}");
        assert!(!beside.join("spring/records").exists(), "it was played elsewhere");
        assert!(!beside.join("received.tar").exists(), "the node's files are not seen here");
    }
}
