//! A program with pages, and requests to it.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use amazons_testing::{status_of, wait_or_tell};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A running program that has said where its page is. Every call panics when the program fails.
pub struct Served {
    /// The program.
    pub child: Child,
    /// The address of its page.
    pub url: String,
    out: BufReader<Box<dyn Read + Send>>,
}

impl Served {
    /// Runs a command, and reads its standard output until it names the page.
    #[must_use]
    pub fn new(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program runs");
        let out = child.stdout.take().expect("its output");
        Self::named_in(out, child)
    }

    /// Reads what a program says until it names the page.
    #[must_use]
    pub fn named_in(out: impl Read + Send + 'static, child: Child) -> Self {
        let mut served = Self { child, url: String::new(), out: BufReader::new(Box::new(out)) };
        let line = served.line_with(" at http");
        let url = line.split(" at ").nth(1).expect("an address").trim();
        served.url = url.trim_end_matches(" (Ctrl-C ends)").to_owned();
        served
    }

    /// Reads lines until one has this in it.
    pub fn line_with(&mut self, wanted: &str) -> String {
        let mut all = String::new();
        loop {
            let mut line = String::new();
            assert!(self.out.read_line(&mut line).expect("text") > 0, "no {wanted:?} in {all}");
            if line.contains(wanted) {
                return line;
            }
            all += &line;
        }
    }

    /// The page's host and port.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.strip_prefix("http://").and_then(|url| url.split('/').next()).expect("an address")
    }

    /// The page's path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.url["http://".len() + self.host().len()..]
    }

    /// Sends a request as a page does, but for what is given; returns status, head and body.
    #[must_use]
    pub fn send(&self, method: &str, path: &str, host: &str, about: &str, body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.host()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let request = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\n{about}connection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).expect("a connection");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
        (status, head.to_owned(), body.to_owned())
    }

    /// Asks for a page; returns status and body.
    #[must_use]
    pub fn get(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.send("GET", path, self.host(), "", "");
        (status, body)
    }

    /// Asks for JSON.
    #[must_use]
    pub fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    /// Sends JSON as the page does; returns status and body.
    pub fn post(&self, path: &str, body: &Value) -> (u16, String) {
        let body = body.to_string();
        let host = self.host();
        let about =
            format!("content-type: application/json\r\ncontent-length: {}\r\norigin: http://{host}\r\n", body.len());
        let (status, _, body) = self.send("POST", path, host, &about, &body);
        (status, body)
    }

    /// Asks until the answer fits.
    pub fn await_json(&self, path: &str, fits: impl Fn(&Value) -> bool) -> Value {
        wait_or_tell(|| Some(self.json(path)).filter(&fits), || self.json(path).to_string())
    }
}

impl fmt::Debug for Served {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Served").field("child", &self.child).field("url", &self.url).finish_non_exhaustive()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            // A launcher passes this signal on, unlike SIGKILL.
            let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
            // A test that has failed tells of its failure, whatever becomes of the program.
            if !thread::panicking() {
                status_of(&mut self.child);
            }
        }
    }
}
