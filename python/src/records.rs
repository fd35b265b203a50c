use std::time::Duration;

use amazons::record::RECORD_FORMAT;
use amazons_formats::{Ending, FORMATS, Format, Game, GameOutcome, HTML, Look, PlayedMove, SVG};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::classes::{PyMoveList, PyPosition, color_name, parse_color, value_error};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGame>()
}

/// A game: a start, moves that are legal, and what files keep besides: players, times, values, comments, the result.
#[pyclass(name = "Game", module = "amazons")]
#[derive(Debug)]
pub(crate) struct PyGame {
    game: Game,
}

impl PyGame {
    fn each<T>(&self, f: impl Fn(&PlayedMove) -> T) -> Vec<T> {
        self.game.moves().iter().map(f).collect()
    }
}

#[pymethods]
impl PyGame {
    /// Begins a game at a position.
    #[new]
    #[pyo3(signature = (start, *, black = None, white = None))]
    fn new(start: &PyPosition, black: Option<String>, white: Option<String>) -> PyResult<Self> {
        let mut game = Game::new(start.position.clone()).map_err(value_error)?;
        (game.details.black, game.details.white) = (black, white);
        Ok(Self { game })
    }

    /// Reads a game from the bytes of a file: "json" (the server's records), "sgf", "pgn" or "fen".
    ///
    /// `number`, from 1, says which game if there are several.
    #[staticmethod]
    #[pyo3(signature = (data, format, number = 1))]
    fn from_bytes(py: Python<'_>, data: &[u8], format: &str, number: usize) -> PyResult<Self> {
        let reader = named(format)?.reader.ok_or_else(|| value_error(format!("'{format}' cannot be read")))?;
        let found = py.detach(|| reader(data, number)).map_err(value_error)?;
        Ok(Self { game: found.game })
    }

    /// Writes the game: "json", "sgf", "pgn", "fen", "svg", "png", "gif" or "html"; pictures show the last position.
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let format = named(format)?;
        let bytes = py.detach(|| format.write(&self.game, &Look::default())).map_err(value_error)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Plays a move, or its text; `seconds` is the time it took, `value` the player's view, from -1, lost, to 1, won.
    #[pyo3(signature = (mv, /, *, comment = None, seconds = None, value = None))]
    fn push(
        &mut self,
        mv: &Bound<'_, PyAny>,
        comment: Option<String>,
        seconds: Option<f64>,
        value: Option<f32>,
    ) -> PyResult<()> {
        let mv = self.position().read_move(mv)?;
        if let Err(reason) = self.game.position().is_legal(mv) {
            return Err(value_error(reason.describe(self.game.board())));
        }
        let time = seconds.map(Duration::try_from_secs_f64).transpose().map_err(value_error)?;
        if value.is_some_and(|value| !(-1.0..=1.0).contains(&value)) {
            return Err(value_error("value is out of range: use -1 to 1"));
        }
        self.game.push(PlayedMove { comment, time, value, ..mv.into() }).map_err(value_error)
    }

    /// Ends the game: "black", "white" or None as winner, and how, for example "resign" or "timeout".
    #[pyo3(signature = (winner, ending = None))]
    fn end(&mut self, winner: Option<&str>, ending: Option<&str>) -> PyResult<()> {
        let winner = winner.map(parse_color).transpose()?;
        let ending = ending.map(str::parse::<Ending>).transpose().map_err(value_error)?;
        self.game.end(GameOutcome { winner, ending, detail: None }).map_err(value_error)
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::new(self.game.start().clone())
    }

    /// The position after the last move.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::new(self.game.position().clone())
    }

    /// The moves.
    #[getter]
    fn moves(&self) -> PyMoveList {
        PyMoveList::new(self.game.board().clone(), self.each(|played| played.mv))
    }

    /// The comment on each move, or None.
    #[getter]
    fn comments(&self) -> Vec<Option<String>> {
        self.each(|played| played.comment.clone())
    }

    /// The thinking time for each move in seconds, or None.
    #[getter]
    fn seconds(&self) -> Vec<Option<f64>> {
        self.each(|played| played.time.map(|time| time.as_secs_f64()))
    }

    /// The player's view of each move, from -1, lost, to 1, won, or None.
    #[getter]
    fn values(&self) -> Vec<Option<f32>> {
        self.each(|played| played.value)
    }

    /// "black" or "white", or None while the winner is not known.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.game.outcome.as_ref().and_then(|outcome| outcome.winner).map(color_name)
    }

    /// How the game ended, for example "no_moves", or None.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.game.outcome.as_ref().and_then(|outcome| outcome.ending).map(Ending::name)
    }

    /// Black, white, event, site, date, round, annotator, program and time control, those that are known.
    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = &self.game.details;
        let all = [
            ("black", &details.black),
            ("white", &details.white),
            ("event", &details.event),
            ("site", &details.site),
            ("date", &details.date),
            ("round", &details.round),
            ("annotator", &details.annotator),
            ("program", &details.program),
            ("time_control", &details.time_control),
        ];
        let known = PyDict::new(py);
        for (name, value) in all {
            value.as_ref().map(|value| known.set_item(name, value)).transpose()?;
        }
        Ok(known)
    }

    /// The number of moves.
    fn __len__(&self) -> usize {
        self.game.moves().len()
    }

    /// Returns the position after `ply` moves.
    fn at(&self, ply: usize) -> PyResult<PyPosition> {
        let game = self.game.until(ply);
        let game = game.ok_or_else(|| PyIndexError::new_err(format!("the game has {} moves", self.__len__())))?;
        Ok(PyPosition::new(game.position().clone()))
    }

    fn __repr__(&self) -> String {
        let name = |color| self.game.name(color).unwrap_or("?");
        let [black, white] = amazons_rules::Color::ALL.map(name);
        format!("<Game of {} moves: {black} (black), {white} (white)>", self.__len__())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        draw(&self.game, SVG)
    }

    /// The viewer of all moves, in a frame of its own.
    fn _repr_html_(&self) -> PyResult<String> {
        let page = draw(&self.game, HTML)?.replace('&', "&amp;").replace('"', "&quot;");
        Ok(format!("<iframe srcdoc=\"{page}\" width=\"100%\" height=\"640\" style=\"border:0\"></iframe>"))
    }
}

fn named(format: &str) -> PyResult<Format> {
    let known = [RECORD_FORMAT].into_iter().chain(FORMATS);
    known.clone().find(|known| known.name == format).ok_or_else(|| {
        let names: Vec<_> = known.map(|known| known.name).collect();
        value_error(format!("unknown format '{format}': use {}", names.join(", ")))
    })
}

/// Writes a game in a format of text.
pub(crate) fn draw(game: &Game, format: Format) -> PyResult<String> {
    let bytes = format.write(game, &Look::default()).map_err(value_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
