use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::Args;
use mastermind::record::{Line, PERSON, Record};
use mastermind::{Guesses, History, Scorer, Strategy, review};

use crate::auto::worths;
use crate::board::Pegs;
use crate::options::REVIEWED_MAX;
use crate::{files, page};

#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// A record that --record wrote
    file: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// A record that --record wrote
    file: PathBuf,
    /// Write a page with the game
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

fn read(path: &Path) -> Result<Record, Exit> {
    let text = files::read(path)?;
    let record = Record::parse(&text).map_err(|error| Exit::Usage(format!("{}, {error}", path.display())))?;
    if !record.is_complete {
        eprintln!("mastermind: {}: the game has no end", path.display());
    }
    Ok(record)
}

/// Prints a game, and what each guess was worth.
pub(crate) fn show(args: &ShowArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    files::expect_writable(args.html.as_deref())?;
    let record = read(&args.file)?;
    let game = record.history.game();
    if args.html.is_some() && game.codes() > REVIEWED_MAX {
        return Err(Exit::Usage(format!("{game} has {} codes: --html handles at most {REVIEWED_MAX}", game.codes())));
    }
    print(&record, out)?;
    write!(out, "\n{}", worths(game, &record.history))?;
    if let Some(path) = &args.html {
        files::write(path, &page::game_page(&record.history, record.secret, &review(&record.history)))?;
    }
    Ok(Exit::Success)
}

fn print(record: &Record, out: &mut impl Write) -> Result<(), Exit> {
    let (game, pegs) = (record.history.game(), Pegs::detect());
    for line in &record.lines {
        match line {
            Line::Game { strategy, protocol, ranks, .. } => {
                let protocol = protocol.as_ref().map_or_else(String::new, |name| format!(", {name} on {ranks} ranks"));
                writeln!(out, "{game}, {strategy}{protocol}")?;
            }
            Line::Round { guess, answer, left, .. } => {
                let code = game.parse_code(guess).map_err(Exit::failure)?;
                writeln!(out, "{}  {answer}  {left} left", pegs.code(game, code))?;
            }
            Line::End { secret, .. } => {
                writeln!(out, "secret {}", secret.as_deref().unwrap_or("unknown"))?;
            }
        }
    }
    Ok(())
}

/// Plays a game again in the order of its record, and checks that it could go like that.
pub(crate) fn replay(args: &ReplayArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let record = read(&args.file)?;
    let game = record.history.game();
    let Some(Line::Game { strategy, ranks, .. }) = record.lines.first() else { return Ok(Exit::Success) };
    let scorer = strategy.parse::<Strategy>().ok().map(|strategy| Scorer::new(game, strategy));
    let mut known = History::new(game);
    for (turn, line) in record.history.turns().iter().zip(&record.lines[1..]) {
        let number = known.turns().len() + 1;
        let refuse = |what: String| Exit::Usage(format!("{}, guess {number}: {what}", args.file.display()));
        let guess = game.text(turn.guess);
        if let Some(scorer) = &scorer {
            let own = scorer.next_guess(&known, Guesses::All).map(|index| game.text(game.code(index)));
            if own.as_ref() != Some(&guess) {
                let own = own.unwrap_or_default();
                return Err(refuse(format!("{strategy} guesses {own}, not {guess}")));
            }
        }
        if let Line::Round { proposals, .. } = line
            && !proposals.is_empty()
        {
            for one in proposals {
                if !(1..*ranks).contains(&one.rank) {
                    return Err(refuse(format!("rank {} of {ranks} proposes nothing", one.rank)));
                }
                if let Some(Err(error)) = one.code.as_ref().map(|code| game.parse_code(code)) {
                    return Err(refuse(format!("rank {} proposed {error}", one.rank)));
                }
            }
            let is_proposed = proposals.iter().any(|one| one.code.as_ref() == Some(&guess));
            if !is_proposed || !known.fits(turn.guess) {
                return Err(refuse(format!("{guess} was not proposed, or breaks an answer")));
            }
        }
        known.push(turn.guess, turn.answer);
        if strategy == PERSON && matches!(line, Line::Round { left: 0, .. }) {
            return Err(refuse("no code fits the answers".to_owned()));
        }
    }
    print(&record, out)?;
    writeln!(out, "the game can be played again like this")?;
    Ok(Exit::Success)
}
