//! The server as a process, and clients whose every byte the test chooses.

use std::io::{BufRead, BufReader, Read, Write};
use std::iter;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use amazons_testing::{PATIENCE, status_of};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::driver::SESSION_DEALS;
use crate::support::{PROGRAM, TemporaryFile};

/// A server that runs, and the port that it picked.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    log: Receiver<String>,
}

/// How a server ended.
pub(crate) struct Ended {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    /// The log that was not read before.
    pub(crate) log: String,
}

impl Server {
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::start_on("0", args)
    }

    pub(crate) fn start_on(port: &str, args: &[&str]) -> Self {
        // A busy machine may keep a test waiting for more than the usual ten seconds: only tests of time set a short one.
        let time: &[&str] = if args.contains(&"--timeout") { &[] } else { &["--timeout", "600s"] };
        let mut child = Command::new(PROGRAM)
            .args(["serve", port])
            .args(args)
            .args(time)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a server");
        let errors = BufReader::new(child.stderr.take().expect("piped"));
        let (sender, log) = channel();
        thread::spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        // Its own seats are taken before it listens.
        let is_address = |line: &String| line.starts_with("listening on ");
        let line = iter::from_fn(|| log.recv_timeout(PATIENCE).ok()).find(is_address).expect("an address");
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok());
        Self { child, port: port.unwrap_or_else(|| panic!("no port in {line:?}")), log }
    }

    /// A server of the games that the specification shows.
    pub(crate) fn of_session(args: &[&str]) -> Self {
        let deals = TemporaryFile::new();
        std::fs::write(&deals.0, SESSION_DEALS.join("\n")).expect("a temporary file");
        Self::start(&[&["2", "-n", "3", "--deals", deals.name()], args].concat())
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the server runs");
    }

    pub(crate) fn connect(&self) -> Client {
        self.try_connect().expect("the server listens")
    }

    /// A client, unless the server has ended.
    pub(crate) fn try_connect(&self) -> Option<Client> {
        TcpStream::connect(("127.0.0.1", self.port)).ok().map(Client::new)
    }

    /// A client that has been greeted with this seat.
    pub(crate) fn seat(&self, seat: usize, players: usize) -> Client {
        let mut client = self.connect();
        client.hears(&format!("B {seat} {players}"));
        client
    }

    /// Seats clients who have said hello; the game begins.
    pub(crate) fn table<const N: usize>(&self) -> [Client; N] {
        let mut clients: [Client; N] = std::array::from_fn(|seat| self.seat(seat, N));
        for (seat, client) in clients.iter_mut().enumerate() {
            client.says(format!("B p{seat}\n"));
        }
        clients
    }

    pub(crate) fn bot(&self, args: &[&str]) -> Child {
        let (level, rest) = args.split_first().expect("a level");
        Command::new("timeout")
            .args(["100", PROGRAM, "bot", level, &self.port.to_string()])
            .args(rest)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("timeout of coreutils")
    }

    /// A bot that is a child of this process, with a pipe for its standard error that nobody reads.
    pub(crate) fn bot_alone(&self, args: &[&str]) -> Child {
        let (level, rest) = args.split_first().expect("a level");
        Command::new(PROGRAM)
            .args(["bot", level, &self.port.to_string()])
            .args(rest)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a bot")
    }

    /// Waits until the log says something so many times more; returns the last such line.
    pub(crate) fn await_log(&self, what: &str, times: usize) -> String {
        let mut left = times;
        loop {
            let line = self.log.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("the log does not say {what:?}"));
            left -= usize::from(line.contains(what));
            if left == 0 {
                return line;
            }
        }
    }

    /// Descriptors, threads, and KiB of memory.
    pub(crate) fn resources(&self) -> [usize; 3] {
        let folder = PathBuf::from(format!("/proc/{}", self.child.id()));
        let count = |name: &str| std::fs::read_dir(folder.join(name)).expect("a process").count();
        let status = std::fs::read_to_string(folder.join("status")).expect("a process");
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
        [count("fd"), count("task"), memory.trim().trim_end_matches(" kB").parse().expect("a number")]
    }

    /// Waits for its end.
    pub(crate) fn finish(mut self) -> Ended {
        let mut out = String::new();
        self.child.stdout.take().expect("piped").read_to_string(&mut out).expect("text");
        let log: Vec<String> = self.log.iter().collect();
        Ended { status: status_of(&mut self.child).code(), out, log: log.join("\n") }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// The gains of a server that was started with `--json`, by table and seat.
    pub(crate) fn gains(&self, players: usize) -> Vec<Vec<i64>> {
        let value: Value = serde_json::from_str(&self.out).expect("JSON");
        let rows = value["seats"].as_array().expect("seats");
        let gains: Vec<i64> = rows.iter().map(|row| row["gain"].as_i64().expect("a number")).collect();
        gains.chunks(players).map(<[i64]>::to_vec).collect()
    }
}

/// A client of which the test says every byte and knows every line.
pub(crate) struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        stream.set_nodelay(true).expect("a socket");
        Self { reader: BufReader::with_capacity(512, stream) }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        self.reader.get_ref()
    }

    pub(crate) fn into_stream(self) -> TcpStream {
        self.reader.into_inner()
    }

    pub(crate) fn says(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream().write_all(bytes.as_ref()).expect("the server reads");
    }

    /// Hears these lines and no others, with `;` between them.
    pub(crate) fn hears(&mut self, lines: &str) {
        for line in lines.split(';') {
            assert_eq!(self.line().as_deref(), Some(line), "of {lines}");
        }
    }

    /// Hears the end of the stream.
    pub(crate) fn hears_end(&mut self) {
        assert_eq!(self.line(), None);
    }

    /// The next line with its blanks, or nothing at the end of the stream.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a line or the end");
        line.strip_suffix('\n').map(str::to_owned)
    }

    /// Closes the connection so that the server meets an error instead of its end.
    pub(crate) fn reset(self) {
        let linger = Some(Duration::ZERO);
        rustix::net::sockopt::set_socket_linger(self.stream(), linger).expect("a socket");
    }
}
