//! A program in the sandbox.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;

use amazons_program::Exit;
use amazons_sandbox::{Program, ProgramConfig, ProgramError, SandboxMode};

use super::{Command, Gone, Heard, Link, fork_server, host_error};

/// The memory of a program and all that it starts.
const MEMORY: u64 = 1 << 30;

/// Maximum number of bytes of standard error to keep.
const LOG: u64 = 64 << 10;

#[derive(Debug)]
pub(crate) struct Sandboxed {
    program: Program,
    gone: Option<Gone>,
}

impl Sandboxed {
    pub(crate) fn start(command: &Command, sandbox: SandboxMode) -> Result<Self, Exit> {
        let name = command.program.clone().into();
        let arguments = std::iter::once(name).chain(command.arguments.iter().map(OsString::from)).collect();
        let config = ProgramConfig {
            arguments,
            memory: MEMORY,
            log: LOG,
            sandbox,
            readable: command.folders.clone(),
            ..ProgramConfig::new(&command.program)
        };
        let failed = |error| Exit::Failure(host_error(&error));
        let mut program = Program::start(&fork_server()?, &config).map_err(failed)?;
        program.await_ready().map_err(failed)?;
        Ok(Self { program, gone: None })
    }

    fn lost(&mut self, error: ProgramError) -> Gone {
        self.gone.get_or_insert_with(|| Gone::Program(Arc::new(error))).clone()
    }
}

impl Link for Sandboxed {
    fn send(&mut self, lines: &[u8], end: Instant) -> Result<(), Gone> {
        if let Some(gone) = &self.gone {
            return Err(gone.clone());
        }
        let text = String::from_utf8_lossy(lines);
        // The end of the last line is sent, too.
        let text = text.strip_suffix('\n').unwrap_or(&text);
        self.program.send(text, end).map_err(|error| match error {
            ProgramError::Late(_) => Gone::Deaf,
            error => self.lost(error),
        })
    }

    fn receive(&mut self, end: Instant) -> Heard {
        if let Some(gone) = &self.gone {
            return Heard::Gone(gone.clone());
        }
        // What other programs take from this one does not count, and never longer than this wait.
        self.program.begin_call(false);
        match self.program.output(end) {
            Ok(None) => Heard::Nothing,
            Ok(Some(bytes)) if bytes.is_empty() => {
                let error = self.program.silence();
                Heard::Gone(self.lost(error))
            }
            Ok(Some(bytes)) => Heard::Bytes(bytes),
            Err(error) => Heard::Gone(self.lost(error)),
        }
    }

    fn printed(&self) -> Vec<u8> {
        self.program.log()
    }
}
