//! A program that connects by TCP, without a sandbox.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use amazons_program::Exit;
use cluedo::tournament::PORT;
use rustix::process::{Pid, Signal, kill_process_group};

use super::{Command, Gone, Heard, Link};

/// How often a program that must connect is looked at.
const LOOK: Duration = Duration::from_millis(2);

#[derive(Debug)]
pub(crate) struct Connected {
    child: Child,
    listener: TcpListener,
    stream: Option<TcpStream>,
}

impl Connected {
    /// Starts a program with the port that it must connect to.
    pub(crate) fn start(command: &Command, folder: &Path) -> Result<Self, Exit> {
        let failed = |error: io::Error| Exit::Failure(format!("cannot listen for a program: {error}"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port().to_string();
        let child = Process::new(&command.program)
            .args(command.arguments.iter().map(|word| word.replace(PORT, &port)))
            .current_dir(folder)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Exit::Usage(format!("cannot run {}: {error}", command.program.display())))?;
        Ok(Self { child, listener, stream: None })
    }

    fn connection(&mut self, end: Instant) -> Option<TcpStream> {
        loop {
            if let Some(stream) = self.stream.as_ref() {
                return stream.try_clone().ok();
            }
            if let Ok((stream, _)) = self.listener.accept() {
                // Answers are small and waited for. A socket that cannot do it is only slower.
                let _ = stream.set_nodelay(true);
                stream.set_nonblocking(false).ok()?;
                self.stream = Some(stream);
            } else if Instant::now() >= end || matches!(self.child.try_wait(), Ok(Some(_))) {
                return None;
            } else {
                std::thread::sleep(LOOK);
            }
        }
    }

    fn why(&mut self) -> Gone {
        match self.child.try_wait() {
            Ok(Some(status)) => Gone::Ended(status),
            _ if self.stream.is_none() => Gone::NotConnected,
            _ => Gone::Closed,
        }
    }
}

/// The time until a moment, as sockets take it: not nothing.
fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now()).max(Duration::from_micros(100))
}

impl Link for Connected {
    fn send(&mut self, lines: &[u8], end: Instant) -> Result<(), Gone> {
        let Some(mut stream) = self.connection(end) else { return Err(self.why()) };
        let _ = stream.set_write_timeout(Some(left(end)));
        stream.write_all(lines).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Gone::Deaf,
            _ => self.why(),
        })
    }

    fn receive(&mut self, end: Instant) -> Heard {
        let Some(mut stream) = self.connection(end) else { return Heard::Gone(self.why()) };
        let mut buffer = [0; 2048];
        loop {
            let _ = stream.set_read_timeout(Some(left(end)));
            match stream.read(&mut buffer) {
                Ok(0) => return Heard::Gone(self.why()),
                Ok(count) => return Heard::Bytes(buffer[..count].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Heard::Nothing;
                }
                Err(_) => return Heard::Gone(self.why()),
            }
        }
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.stream = None;
        // The program and what it started; they may have ended already.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}
