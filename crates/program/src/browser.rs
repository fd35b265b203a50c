use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::thread;

/// Opens an address in the person's browser; a line of this program says when that fails.
pub fn open_browser(program: &'static str, url: String) {
    let quiet = Stdio::null;
    match Command::new("xdg-open").arg(&url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn() {
        // It may run as long as the browser.
        Ok(mut opener) => drop(thread::spawn(move || {
            if opener.wait().is_ok_and(|status| !status.success()) {
                let _ = writeln!(io::stderr(), "{program}: --open: xdg-open found no browser: open {url} yourself");
            }
        })),
        Err(error) => {
            let _ = writeln!(io::stderr(), "{program}: --open: cannot run xdg-open: {error}: open {url} yourself");
        }
    }
}
