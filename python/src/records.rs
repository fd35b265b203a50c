use std::time::Duration;

use amazons::record::RECORD_FORMAT;
use amazons_formats::{Details, Ending, FORMATS, Format, Game, GameOutcome, HTML, Look, PlayedMove, SVG};
use amazons_rules::{Move, Vertex};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::classes::{PICKLE, PyMoveList, PyPosition, check_pickle, color_name, parse_color, restorer};
use crate::numbers::{Whole, value_error};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGame>()?;
    module.add_function(wrap_pyfunction!(_game, module)?)
}

/// A game: a start, moves that are legal, and what files keep besides: players, times, values, comments, the result.
#[pyclass(name = "Game", module = "amazons", weakref)]
#[derive(Debug)]
pub(crate) struct PyGame {
    game: Game,
}

impl PyGame {
    fn each<T>(&self, f: impl Fn(&PlayedMove) -> T) -> Vec<T> {
        self.game.moves().iter().map(f).collect()
    }

    /// Returns a position with the moves that led to it.
    fn reached(game: &Game) -> PyPosition {
        PyPosition { position: game.position().clone(), pushed: game.moves().iter().map(|played| played.mv).collect() }
    }
}

/// Returns all details and their names.
fn details_of(details: &mut Details) -> [(&'static str, &mut Option<String>); 9] {
    [
        ("black", &mut details.black),
        ("white", &mut details.white),
        ("event", &mut details.event),
        ("site", &mut details.site),
        ("date", &mut details.date),
        ("round", &mut details.round),
        ("annotator", &mut details.annotator),
        ("program", &mut details.program),
        ("time_control", &mut details.time_control),
    ]
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
    #[pyo3(signature = (data, format, number = Whole::Number(1)), text_signature = "(data, format, number=1)")]
    fn from_bytes(py: Python<'_>, data: &[u8], format: &str, number: Whole) -> PyResult<Self> {
        let number = number.within("number", 1..=usize::MAX)?;
        let reader = named(format)?.reader.ok_or_else(|| value_error(format!("'{format}' cannot be read")))?;
        let found = py.detach(|| reader(data, number)).map_err(value_error)?;
        Ok(Self { game: found.game })
    }

    /// Writes the game: "json", "sgf", "pgn", "fen", "svg", "png", "gif" or "html"; pictures show the last position.
    fn to_bytes<'py>(slf: &Bound<'py, Self>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        // Not borrowed meanwhile: other threads may play on.
        let (py, format, game) = (slf.py(), named(format)?, slf.borrow().game.clone());
        let bytes = py.detach(|| format.write(&game, &Look::default())).map_err(value_error)?;
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
        let mv = PyPosition::new(self.game.position().clone()).read_move(mv)?;
        if let Err(reason) = self.game.position().is_legal(mv) {
            return Err(value_error(reason.describe(self.game.board())));
        }
        let out_of_range = |seconds: f64| value_error(format!("seconds: expected a time from 0, got {seconds}"));
        let read = |seconds| Duration::try_from_secs_f64(seconds).map_err(|_| out_of_range(seconds));
        let time = seconds.map(read).transpose()?;
        if let Some(value) = value.filter(|value| !(-1.0..=1.0).contains(value)) {
            return Err(value_error(format!("value: expected -1 to 1, got {value}")));
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

    /// The position after the last move, with the moves that led to it.
    #[getter]
    fn position(&self) -> PyPosition {
        Self::reached(&self.game)
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
        let known = PyDict::new(py);
        for (name, value) in details_of(&mut self.game.details.clone()) {
            value.as_ref().map(|value| known.set_item(name, value)).transpose()?;
        }
        Ok(known)
    }

    /// The number of moves.
    fn __len__(&self) -> usize {
        self.game.moves().len()
    }

    /// Returns the position after `ply` moves, with these.
    fn at(&self, ply: Whole) -> PyResult<PyPosition> {
        let count = self.__len__();
        let negative = || value_error(format!("ply: expected 0 to {count}, got {ply}"));
        let game = self.game.until(ply.get().ok_or_else(negative)?);
        let game = game.ok_or_else(|| PyIndexError::new_err(format!("the game has {count} moves")))?;
        Ok(Self::reached(&game))
    }

    fn __repr__(&self) -> String {
        let name = |color| self.game.name(color).unwrap_or("?");
        let [black, white] = amazons_rules::Color::ALL.map(name);
        format!("<Game of {} moves: {black} (black), {white} (white)>", self.__len__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        Ok((restorer(py, "_game")?, parts(&self.game)?))
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

/// Version, start, details, the comment before the first move, moves, and outcome.
type Pickled = (u32, PyPosition, Vec<(String, String)>, Option<String>, Vec<PickledMove>, Option<PickledOutcome>);

/// Vertices; comment; time and remaining time in nanoseconds; value; an engine's note as JSON.
type PickledMove = ([Vertex; 3], Option<String>, [Option<u64>; 2], Option<f32>, Option<String>);

/// Winner, ending, description.
type PickledOutcome = (Option<String>, Option<String>, Option<String>);

/// Returns a game as its parts.
fn parts(game: &Game) -> PyResult<Pickled> {
    let nanos = |time: Option<Duration>| time.map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    let part = |played: &PlayedMove| {
        let PlayedMove { mv, comment, time, left, value, note } = played.clone();
        let note = note.map(|note| serde_json::to_string(&note)).transpose().map_err(value_error)?;
        Ok(([mv.from, mv.to, mv.arrow], comment, [time, left].map(nanos), value, note))
    };
    let mut details = game.details.clone();
    let details =
        details_of(&mut details).into_iter().filter_map(|(name, value)| Some((name.to_owned(), value.take()?)));
    let outcome = game.outcome.clone().map(|GameOutcome { winner, ending, detail }| {
        (winner.map(|winner| color_name(winner).to_owned()), ending.map(|ending| ending.name().to_owned()), detail)
    });
    let moves = game.moves().iter().map(part).collect::<PyResult<_>>()?;
    let start = PyPosition::new(game.start().clone());
    Ok((PICKLE, start, details.collect(), game.comment.clone(), moves, outcome))
}

#[pyfunction]
fn _game(
    version: u32,
    start: &PyPosition,
    details: Vec<(String, String)>,
    comment: Option<String>,
    moves: Vec<PickledMove>,
    outcome: Option<PickledOutcome>,
) -> PyResult<PyGame> {
    check_pickle(version, PICKLE)?;
    let mut game = Game::new(start.position.clone()).map_err(value_error)?;
    game.comment = comment;
    for (given, text) in details {
        details_of(&mut game.details)
            .into_iter()
            .filter(|(name, _)| *name == given)
            .for_each(|(_, value)| *value = Some(text.clone()));
    }
    for ([from, to, arrow], comment, times, value, note) in moves {
        let note = note.map(|note| serde_json::from_str(&note)).transpose().map_err(value_error)?;
        let [time, left] = times.map(|nanos| nanos.map(Duration::from_nanos));
        let mv = Move { from, to, arrow };
        game.push(PlayedMove { mv, comment, time, left, value, note }).map_err(value_error)?;
    }
    if let Some((winner, ending, detail)) = outcome {
        let winner = winner.map(|winner| parse_color(&winner)).transpose()?;
        let ending = ending.map(|ending| ending.parse::<Ending>()).transpose().map_err(value_error)?;
        game.end(GameOutcome { winner, ending, detail }).map_err(value_error)?;
    }
    Ok(PyGame { game })
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
