//! A game at the terminal: its record, and what a person may ask in either role.

use std::fs::File;
use std::io::{Seek as _, Write};
use std::path::Path;
use std::time::Instant;

use amazons_program::Exit;
use mastermind::protocol::Protocol;
use mastermind::record::{Line, Proposed};
use mastermind::{Code, Feedback, History, Scorer, Strategy, Turn};

use crate::board::{Pegs, count_of, worths};
use crate::options::GameOptions;
use crate::{files, page};

/// How many codes are listed.
const LISTED: usize = 20;

pub(crate) struct Session<'a> {
    options: &'a GameOptions,
    pub(crate) history: History,
    pub(crate) pegs: Pegs,
    file: Option<(&'a Path, File)>,
    /// The record so far: the game, and a line for each turn.
    pub(crate) lines: Vec<Line>,
    pub(crate) since: Instant,
    /// How long the next round took, once it is known; otherwise the time since `since`.
    pub(crate) seconds: Option<f64>,
}

/// How to go on after a line of a person.
pub(crate) enum Request {
    Answered,
    Undo,
    Quit,
    Other,
}

impl<'a> Session<'a> {
    pub(crate) fn begin(
        options: &'a GameOptions,
        strategy: String,
        protocol: Option<Protocol>,
        ranks: usize,
        seed: Option<u64>,
    ) -> Result<Self, Exit> {
        page::check(options.html.as_deref(), options.game)?;
        let create = |path| File::create(path).map(|file| (path, file)).map_err(|error| Exit::unwritable(path, &error));
        let file = options.record.as_deref().map(create).transpose()?;
        let (game, protocol) = (options.game.to_string(), protocol.map(|protocol| protocol.to_string()));
        let lines = vec![Line::Game { game, strategy, protocol, ranks, seed }];
        let (history, pegs) = (History::new(options.game), Pegs::detect());
        let mut session = Self { options, history, pegs, file, lines, since: Instant::now(), seconds: None };
        session.write_from(0)?;
        Ok(session)
    }

    /// Adds a round; returns how many codes are left.
    pub(crate) fn round(
        &mut self,
        guess: Code,
        answer: Feedback,
        proposals: Vec<Proposed>,
        lost: Vec<usize>,
    ) -> Result<u64, Exit> {
        self.history.push(guess, answer);
        let left = self.history.fitting().count() as u64;
        let seconds = self.seconds.take().unwrap_or_else(|| self.since.elapsed().as_secs_f64());
        let (guess, answer) = (self.history.game().text(guess), answer.to_string());
        self.lines.push(Line::Round { guess, answer, left, proposals, lost, seconds });
        self.write_from(self.lines.len() - 1)?;
        self.since = Instant::now();
        Ok(left)
    }

    pub(crate) fn take_back(&mut self) -> Result<Option<Turn>, Exit> {
        let turn = self.history.pop();
        if turn.is_some() {
            self.lines.pop();
            self.rewrite()?;
        }
        Ok(turn)
    }

    /// Replaces an answer.
    pub(crate) fn correct(&mut self, place: usize, corrected: Feedback) -> Result<(), Exit> {
        self.history.correct(place, corrected);
        let mut known = History::new(self.history.game());
        for (turn, line) in self.history.turns().iter().zip(&mut self.lines[1..]) {
            known.push(turn.guess, turn.answer);
            if let Line::Round { answer, left, .. } = line {
                (*answer, *left) = (turn.answer.to_string(), known.fitting().count() as u64);
            }
        }
        self.rewrite()
    }

    fn rewrite(&mut self) -> Result<(), Exit> {
        if let Some((path, file)) = &mut self.file {
            file.set_len(0).and_then(|()| file.rewind()).map_err(|error| Exit::unwritable(path, &error))?;
        }
        self.write_from(0)
    }

    /// Writes the lines from this one on.
    fn write_from(&mut self, from: usize) -> Result<(), Exit> {
        let text = self.text(from);
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        file.write_all(text.as_bytes()).map_err(|error| Exit::unwritable(path, &error))
    }

    fn text(&self, from: usize) -> String {
        self.lines[from..].iter().map(|line| line.to_json() + "\n").collect()
    }

    /// Answers a line of a person, as far as both roles do it alike.
    pub(crate) fn answer(
        &self,
        line: &str,
        help: &str,
        scorer: &Scorer,
        out: &mut impl Write,
    ) -> Result<Request, Exit> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("help", "") => writeln!(out, "{help}")?,
            ("quit" | "exit", "") | ("give", "up") => return Ok(Request::Quit),
            ("undo" | "back", "") => return Ok(Request::Undo),
            ("left", "") => self.list_left(out)?,
            ("score", code) => self.score(scorer, code, out)?,
            // The game goes on: the secret is not told.
            ("save", file) if !file.is_empty() => match files::write(file.as_ref(), &self.text(0)) {
                Ok(()) => writeln!(out, "saved in {file}")?,
                Err(exit) => writeln!(out, "{}", exit.complaint().unwrap_or_default())?,
            },
            _ => return Ok(Request::Other),
        }
        Ok(Request::Answered)
    }

    /// Prints how many codes are left, and which, when they are few.
    fn list_left(&self, out: &mut impl Write) -> Result<(), Exit> {
        let game = self.history.game();
        let left: Vec<String> = self.history.fitting().map(|index| game.text(game.code(index))).collect();
        let fit = if left.len() == 1 { "fits" } else { "fit" };
        let list = if (1..=LISTED).contains(&left.len()) { format!(": {}", left.join(" ")) } else { String::new() };
        Ok(writeln!(out, "{} {fit}{list}", count_of(left.len(), "code"))?)
    }

    /// Prints what a guess would tell.
    fn score(&self, scorer: &Scorer, code: &str, out: &mut impl Write) -> Result<(), Exit> {
        let game = self.history.game();
        let guess = match game.parse_code(code) {
            Ok(guess) => guess,
            Err(error) => return Ok(writeln!(out, "{error} (write score CODE)")?),
        };
        let candidates = scorer.candidates(self.history.fitting().collect());
        let parts = scorer.split(&candidates, guess);
        let largest = parts.iter().map(|(_, part)| part.len()).max().unwrap_or_default();
        let listed: Vec<_> = parts.iter().map(|(answer, part)| format!("{answer}: {}", part.len())).collect();
        let key = scorer
            .best(&candidates, &[game.index(guess).unwrap_or_default()])
            .filter(|_| scorer.strategy != Strategy::First);
        let rule = key.map_or_else(String::new, |choice| format!(", {} key {}", scorer.strategy, choice.key));
        Ok(writeln!(out, "{} answers, at most {largest} codes left{rule}; {}", parts.len(), listed.join(", "))?)
    }

    /// Prints what each guess was worth.
    pub(crate) fn review(&self, out: &mut impl Write) -> Result<(), Exit> {
        if self.history.turns().is_empty() { Ok(()) } else { Ok(write!(out, "\n{}", worths(&self.history))?) }
    }

    /// Ends the record, and writes the page.
    pub(crate) fn end(&mut self, secret: Option<Code>, is_solved: bool) -> Result<Exit, Exit> {
        let text = secret.map(|code| self.history.game().text(code));
        self.lines.push(Line::End { secret: text, is_solved });
        self.write_from(self.lines.len() - 1)?;
        page::write(self.options.html.as_deref(), &self.history, secret)?;
        Ok(Exit::Success)
    }
}
