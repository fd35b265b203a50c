//! `cluedo watch`: records in a browser.

use std::io::Write;
use std::path::PathBuf;

use amazons_program::{Exit, Interrupt};
use clap::Args;

use crate::web::{Address, Folder, Site, Source, failed};

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// A folder of records, whose names end with .jsonl, or one record; also while they are written
    #[arg(value_name = "FOLDER|FILE")]
    path: PathBuf,
    /// The port of the pages [default: any free one]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

pub(crate) fn run(args: &WatchArgs, out: &mut impl Write) -> Result<Exit, Exit> {
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
