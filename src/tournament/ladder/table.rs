use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use amazons_program::csv_field;
use amazons_statistics::{expected_score, ratings};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Contender, Ladder, Rating, Refused};
use crate::referee::PlayerNumber;
use crate::text::visible;
use crate::tournament::report;
use crate::tournament::results::GameResult;
use crate::tournament::schedule::PlayerId;
use crate::tournament::standings::{
    self, BoardRow, LADDER_COLUMNS, MeetingRow, PlayerRow, boards, fault_kinds, faulty, meetings, rounded, twins,
    unrated, won,
};

/// So many deviations from what their ratings expect are no chance among all pairs of some hundred players.
const FRIENDS_MIN: f64 = 5.0;

/// The tables of a ladder: a function of its journal, so that the same journal gives the same bytes.
#[derive(Clone, Debug, Serialize)]
pub struct LadderTable {
    /// How many games there are.
    pub games: u64,
    /// How many pairs are whole and rated.
    pub pairs: u64,
    /// The result so far in one sentence; null without games.
    pub sentence: Option<String>,
    /// The players that are there, the best first.
    pub players: Vec<PlayerRow>,
    /// Each two of them who met, in their order.
    pub meetings: Vec<MeetingRow>,
    /// The advantage of moving first, by board.
    pub boards: Vec<BoardRow>,
    /// Versions that were replaced or removed, the newest first.
    pub former: Vec<PlayerRow>,
    /// Pairs that were begun and are not whole.
    pub running: Vec<Running>,
    /// The games that were finished last, the newest first.
    pub latest: Vec<Latest>,
    /// Files that were not admitted.
    pub refused: Vec<Refused>,
    /// Warnings about the numbers.
    pub notices: Vec<String>,
    /// Players that may be one program: nothing for the public, before people have judged it.
    pub suspicions: Vec<String>,
}

/// A pair that is not whole.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct Running {
    pub pair: u32,
    /// The players, as `name#version`.
    pub players: [String; 2],
    pub board: String,
}

/// A finished game.
#[derive(Clone, Debug, Serialize)]
pub struct Latest {
    pub pair: u32,
    pub game: u8,
    /// The players, as `name#version`.
    pub players: [String; 2],
    /// The winner, 1 or 2; null for a draw.
    pub winner: Option<PlayerNumber>,
    /// How it ended.
    pub termination: &'static str,
    /// How many moves were played.
    pub moves: u32,
    /// The record, a path in the folder of the ladder.
    pub record: Option<String>,
    /// The logs of players at fault, likewise.
    pub logs: Vec<String>,
}

impl LadderTable {
    /// Computes everything from a ladder.
    pub fn of(ladder: &Ladder) -> Self {
        let pairs = ladder.rated_pairs();
        let strengths = ratings(&won(ladder.contenders().len(), &pairs));
        let rows = |is_present: bool| {
            let all = ladder.contenders().iter().enumerate().filter(move |(_, one)| one.is_present == is_present);
            all.map(|(id, contender)| row(contender, [strengths.points(id), strengths.error(id)]))
        };
        let present = (0..ladder.contenders().len()).filter(|&id| ladder.contenders()[id].is_present);
        let mut players: Vec<(PlayerId, PlayerRow)> = present.zip(rows(true)).collect();
        // Among equals, the order in which they came.
        players.sort_by(|(_, one), (_, two)| two.elo.total_cmp(&one.elo));
        for (place, (_, row)) in players.iter_mut().enumerate() {
            row.rank = Some(place + 1);
        }
        let (order, players): (Vec<PlayerId>, Vec<PlayerRow>) = players.into_iter().unzip();
        let meetings = meetings(&pairs, &order, |id| &ladder.contenders()[id].joined.name);
        let suspicions = suspicions(ladder).into_iter().chain(meetings.iter().filter_map(|it| friends(it, &players)));
        Self {
            suspicions: suspicions.collect(),
            meetings,
            boards: boards(&pairs),
            games: ladder.results().games() as u64,
            pairs: ladder.results().whole_pairs() as u64,
            former: rows(false).rev().collect(),
            running: running(ladder),
            latest: ladder.latest().filter_map(|(pair, game)| latest(ladder, pair, game)).collect(),
            refused: ladder.refused().values().cloned().collect(),
            sentence: sentence(&players),
            notices: notices(&players),
            players,
        }
    }

    /// Returns a line about the number of players, pairs and games.
    pub fn subtitle(&self) -> String {
        format!("ladder, {} players, {} whole pairs, {} games", self.players.len(), self.pairs, self.games)
    }

    /// Returns it as text for a terminal.
    pub fn text(&self, title: &str) -> String {
        let players = report::players(&LADDER_COLUMNS, &self.players).to_text();
        let mut text = format!("{title}: {}\n\n{players}", self.subtitle());
        text.extend(self.sentence.iter().map(|sentence| format!("{sentence}\n")));
        text.push_str(
            "Elo is relative to the average of all versions, Glicko-2 begins at 1500; +- are 95 % intervals\n",
        );
        for row in self.players.iter().filter(|row| row.at_fault > 0) {
            let _ = writeln!(text, "at fault: {}: {}", row.name, fault_kinds(&row.faults));
        }
        for refused in &self.refused {
            let _ = writeln!(text, "not admitted: {}: {}", visible(&refused.name), refused.reason);
        }
        for notice in self.notices.iter().chain(&self.suspicions) {
            let _ = writeln!(text, "note: {notice}");
        }
        text
    }

    /// Returns the players, and former versions behind them, as comma-separated values (RFC 4180).
    pub fn csv(&self) -> String {
        let mut text =
            "rank,player,version,elo,elo_error,rating,error,points,games,won,lost,at_fault,joined,sha256\r\n"
                .to_owned();
        for row in self.players.iter().chain(&self.former) {
            let PlayerRow { rank, name, version, elo, error, points, games, won, lost, at_fault, .. } = row;
            let (rank, name, version) = (or_empty(*rank), csv_field(name), or_empty(*version));
            let (glicko, glicko_error) = (or_empty(row.glicko), or_empty(row.glicko_error));
            let (joined, sha256) = (or_empty(row.joined), row.sha256.as_deref().unwrap_or(""));
            let _ = write!(text, "{rank},{name},{version},{elo},{error},{glicko},{glicko_error},{points},{games}");
            let _ = write!(text, ",{won},{lost},{at_fault},{joined},{sha256}\r\n");
        }
        text
    }

    /// Returns it as JSON.
    pub fn json(&self) -> String {
        report::json(self)
    }

    /// Writes it into the folder of the ladder, each file whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
        let title = report::title(folder);
        let files = [("ladder.json", self.json()), ("ladder.csv", self.csv()), ("ladder.txt", self.text(&title))];
        report::write(folder, files)
    }
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Returns the row of a version with its rating and the half-width of its interval.
fn row(Contender { joined, rating, tally, .. }: &Contender, [elo, error]: [f64; 2]) -> PlayerRow {
    PlayerRow {
        name: joined.name.clone(),
        version: Some(joined.version),
        sha256: Some(joined.sha256.clone()),
        elo: rounded(elo, 2),
        error: rounded(error, 2),
        glicko: Some(rounded(rating.points, 2)),
        glicko_error: Some(rounded(Rating::error(rating), 2)),
        joined: Some(joined.at),
        endings: BTreeMap::new(),
        ..tally.clone()
    }
}

fn running(ladder: &Ladder) -> Vec<Running> {
    let running = ladder.unfinished().map(|pair| Running {
        pair: pair.number,
        players: pair.players.map(|id| ladder.contenders()[id].label()),
        board: ladder.plan().boards[pair.board].clone(),
    });
    running.collect()
}

fn latest(ladder: &Ladder, number: u32, game: u8) -> Option<Latest> {
    let pair = ladder.pairs().get(number as usize - 1)?;
    let result = ladder.results().game(number, game)?;
    let (record, logs) = result.files(number, game);
    Some(Latest {
        pair: number,
        game,
        players: pair.players.map(|id| ladder.contenders()[id].label()),
        winner: result.winner,
        termination: result.termination.name(),
        moves: result.moves,
        record,
        logs: logs.into_iter().flatten().collect(),
    })
}

/// Returns those of these contenders that made the same moves in the same positions more often than by chance, in how
/// many games, and of how many.
pub(crate) fn alike(ladder: &Ladder, of: &BTreeSet<PlayerId>) -> Vec<([PlayerId; 2], u64, u64)> {
    standings::alike(of, games(ladder))
}

/// Returns the players of each game, the one that moved first in front, and the game.
fn games(ladder: &Ladder) -> impl Iterator<Item = ([PlayerId; 2], GameResult)> {
    ladder.pairs().iter().flat_map(|pair| {
        let games = (1..).zip(ladder.results().games_of(pair.number));
        games.filter_map(|(game, result)| Some((GameResult::in_order(pair.players, game), result?)))
    })
}

fn sentence(players: &[PlayerRow]) -> Option<String> {
    let first = players.first().filter(|row| row.games > 0)?;
    Some(format!("{} leads the ladder with an Elo of {:+.0}", first.name, first.elo))
}

fn suspicions(ladder: &Ladder) -> Vec<String> {
    let present = ladder.contenders().iter().enumerate().filter(|(_, contender)| contender.is_present);
    let present: Vec<_> = present.map(|(id, contender)| (id, contender.entrant(Path::new("")))).collect();
    twins(present.iter().map(|(id, entrant)| (*id, entrant)), games(ladder))
}

/// Returns a note on two players whose games do not fit the games of both with all others: one may lose on purpose.
fn friends(meeting: &MeetingRow, rows: &[PlayerRow]) -> Option<String> {
    let [one, two] = meeting.places.map(|place| &rows[place]);
    let (games, chance) = (meeting.games as f64, expected_score(one.elo - two.elo));
    // The two games of a pair may be one game, played twice.
    let deviation = (2.0 * games * chance * (1.0 - chance)).sqrt();
    let off = meeting.points - games * chance;
    let (helped, other, points) =
        if off > 0.0 { (one, two, meeting.points) } else { (two, one, meeting.points_against) };
    (off.abs() > FRIENDS_MIN * deviation).then(|| {
        let expected = points - off.abs();
        let [helped, other] = [helped, other].map(|row| &row.name);
        format!(
            "{helped} has {points} of {games} points against {other}, where the ratings of both make it expect \
             {expected:.1}: one may lose to the other on purpose"
        )
    })
}

fn notices(players: &[PlayerRow]) -> Vec<String> {
    let often = players.iter().filter_map(faulty);
    let unrated = players.iter().filter(|row| row.games == 0).map(|row| unrated(&row.name));
    often.chain(unrated).collect()
}
