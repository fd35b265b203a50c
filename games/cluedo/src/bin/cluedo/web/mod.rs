//! Games in a browser: those of records, those that are being played, and one's own.

mod folder;
mod route;
mod seat_page;
mod site;
mod state;

use std::io::{self, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use amazons_pages::{Access, Pages, Server, ServerLimits, listen};
use amazons_program::{Exit, Interrupt, open_browser};
use clap::Args;
use folder::Folder;

pub(crate) use route::{Key, aside, asset, page};
pub(crate) use seat_page::{AboutMatch, SeatPage};
pub(crate) use site::{LiveTables, Site, Source};

/// The options of a command whose `--web` shows a page.
#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// The port of the page of --web [default: any free one]
    #[arg(long, value_name = "PORT", requires = "web")]
    port: Option<u16>,
    /// Open the page of --web in a browser
    #[arg(long, requires = "web")]
    open: bool,
}

impl PageArgs {
    pub(crate) fn address(&self) -> Result<Address, Exit> {
        Address::new(self.port.unwrap_or(0), "--port")
    }

    /// Prints where the page is, and opens it if that was asked for.
    pub(crate) fn announce(&self, out: &mut impl Write, what: &str, url: String) -> io::Result<()> {
        writeln!(out, "{what} {url} (Ctrl-C ends)")?;
        out.flush()?;
        if self.open {
            open_browser("cluedo", url);
        }
        Ok(())
    }
}

/// A page's place, before it is shown.
pub(crate) struct Address(TcpListener);

impl Address {
    /// Takes a port of this machine; 0 is any free one.
    pub(crate) fn new(port: u16, flag: &str) -> Result<Self, Exit> {
        let listener = listen([127, 0, 0, 1].into(), port, Access::Local);
        listener.map(Self).map_err(|error| Exit::usage(format!("{flag} {port}: cannot listen there: {error}")))
    }

    /// Shows pages from now on.
    pub(crate) fn serve(self, pages: Arc<impl Pages>) -> Result<Server, Exit> {
        Server::start(self.0, pages, ServerLimits::default()).map_err(failed)
    }
}

pub(crate) fn failed(error: io::Error) -> Exit {
    Exit::failure(format!("cannot show the page: {error}"))
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// A folder of records, whose names end with .jsonl, or one record; also while they are written
    #[arg(value_name = "FOLDER|FILE")]
    path: PathBuf,
    /// The port of the pages [default: any free one]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

/// Runs `cluedo watch`: records in a browser.
pub(crate) fn watch(args: &WatchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let folder = Folder::new(&args.path)?;
    let address = Address::new(args.port.unwrap_or(0), "--port")?;
    let interrupt = Interrupt::catch_all().map_err(failed)?;
    let server = address.serve(Site::new(Source::Records(folder)))?;
    writeln!(out, "watch at {} (Ctrl-C ends)", server.url())?;
    out.flush()?;
    interrupt.wait();
    server.stop().map_err(failed)?;
    Ok(Exit::Stopped)
}
