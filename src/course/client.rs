//! Hands in over the network, for those who have no curl.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use amazons_program::files::{open, read_file};

/// How long the server may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// Maximum size of an answer, and of a file with a token.
const ANSWER_MAX: u64 = 64 << 10;

/// Sends a file to a course, with the token of a file or of the environment; returns the answer.
///
/// # Errors
/// A line: what the server says, or why it cannot be asked.
pub fn send(host: &str, file: &Path, token_file: Option<&Path>) -> Result<String, String> {
    let token = match token_file {
        Some(path) => {
            read_file(path, ANSWER_MAX).map_err(|error| format!("cannot read {}: {error}", path.display()))?
        }
        None => env::var("AMAZONS_TOKEN").map_err(|_| "the token is missing: --token-file or AMAZONS_TOKEN")?,
    };
    let token = token.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err("the token is not one: letters and digits are expected".to_owned());
    }
    let host = host.trim_end_matches('/');
    if host.is_empty() || !host.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/') {
        return Err(format!("http://{host}: expected http://HOST:PORT/"));
    }
    let upload = open(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let answer = exchange(host, token, upload).map_err(|error| format!("http://{host}/: {error}"))?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    match head.split(' ').nth(1) {
        Some("200" | "201") => Ok(body.to_owned()),
        _ if body.trim().is_empty() => Err(head.lines().next().unwrap_or("no answer").to_owned()),
        _ => Err(body.trim().to_owned()),
    }
}

fn exchange(host: &str, token: &str, mut upload: File) -> io::Result<String> {
    let address = if host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let length = upload.metadata()?.len();
    write!(
        stream,
        "POST /api/submit HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    )?;
    // A server that refuses says why before it has read all.
    let sent = io::copy(&mut upload, &mut stream).and_then(|_| stream.flush());
    let mut answer = Vec::new();
    let read = stream.take(ANSWER_MAX).read_to_end(&mut answer);
    if answer.is_empty() {
        sent?;
        read?;
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
