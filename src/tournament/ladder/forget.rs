use std::path::Path;

use amazons_program::files::remove;
use amazons_program::journal::{JournalError, rewrite};

use super::open::REJECTED;
use super::runner::write_tables;
use super::{ADMITTED, Joined, Ladder, LadderLine, PLAYERS, open, read};
use crate::tournament::error::EventError;
use crate::tournament::journal_lines::JOURNAL;

/// Forgets a player: all its versions get a name that nobody had, in the journal and the tables, and their files go,
/// with the records and logs of their games. What others scored stays. Fails when a server works there, or the disk
/// fails; the same call goes on then.
pub fn forget(folder: &Path, name: &str) -> Result<(), EventError> {
    // Until the end, no server works there.
    let mut held = open(folder, None)?;
    held.leave(name)?;
    let is_free = |ladder: &Ladder, new: &str| ladder.newest(new).is_none() && !ladder.refused().contains_key(new);
    let new =
        (1..).map(|number| format!("forgotten-{number}")).find(|new| is_free(&held.event, new)).unwrap_or_default();
    let versions = held.event.contenders().iter().map(|it| &it.joined).filter(|joined| joined.name == name);
    let mut useless: Vec<String> = versions.map(|Joined { file, .. }| file.clone()).collect();
    useless.extend([format!("{PLAYERS}/{name}.so"), format!("{REJECTED}/{name}.txt")]);
    let journal = folder.join(JOURNAL);
    let failed = |source| EventError::Journal(JournalError::Io { path: journal.clone(), source });
    let rename = |label: &mut String| match label.strip_prefix(name) {
        Some(version) if version.is_empty() || version.starts_with('#') => *label = format!("{new}{version}"),
        _ => {}
    };
    rewrite(&journal, |mut line| {
        match &mut line {
            LadderLine::Joined(joined) if joined.name == name => {
                rename(&mut joined.name);
                // It is gone.
                joined.file = format!("{ADMITTED}/{new}.so");
            }
            LadderLine::Run(_) | LadderLine::Joined(_) => {}
            LadderLine::Left(left) => rename(&mut left.name),
            LadderLine::Refused(refused) => rename(&mut refused.name),
            LadderLine::Meet(meet) => meet.players.iter_mut().for_each(rename),
            LadderLine::Game(game) => {
                let before = game.players.clone();
                game.players.iter_mut().for_each(rename);
                for (seat, _) in before.iter().zip(&game.players).enumerate().filter(|(_, (one, two))| one != two) {
                    useless.extend(game.record.take().into_iter().chain(game.logs[seat].take()));
                }
            }
        }
        Some(line)
    })
    .map_err(failed)?;
    for file in useless {
        remove(&folder.join(file)).map_err(failed)?;
    }
    write_tables(&read(folder)?, folder).map_err(|(path, source)| JournalError::Io { path, source }.into())
}
