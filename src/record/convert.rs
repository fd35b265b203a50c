use std::io;
use std::time::Duration;

use amazons_formats::{Details, Game, GameOutcome, PlayedMove};
use amazons_rules::Color;

use crate::record::writer::write_line;
use crate::record::{FORMAT, Record, Step};
use crate::referee::{
    BoardEvent, EndEvent, Event, FaultEvent, LimitsEvent, MoveEvent, PlayerEvent, PlayerNumber, QueensEvent,
    SourceEvent, StartEvent, micros,
};

impl TryFrom<&Record> for Game {
    type Error = anyhow::Error;

    /// Keeps what every format can express, after verifying the record.
    fn try_from(record: &Record) -> anyhow::Result<Self> {
        record.verify()?;
        let mut game = Self::new(record.starting_position()?)?;
        game.details = details(&record.start);
        game.comment = record.start.source.as_ref().and_then(|source| source.comment.clone());
        for step in &record.steps {
            if let Step::Move(mv) = step {
                let limit = person(&record.start.players[mv.player]);
                // A person's time is that on the wall clock.
                let limits = record.start.limits_of(mv.player).filter(|_| limit.is_none());
                let charged = mv.charged_us(limits);
                // Without a limit, a person's 0 means "unlimited".
                let left = mv.left_us.filter(|_| limit != Some(false));
                game.push(PlayedMove {
                    mv: mv.played(),
                    comment: mv.comment.clone(),
                    time: charged.map(Duration::from_micros),
                    left: left.map(Duration::from_micros),
                    value: mv.value,
                    note: mv.analysis.clone(),
                })?;
            }
        }
        if let Some(outcome) = outcome(record) {
            game.end(outcome)?;
        }
        Ok(game)
    }
}

fn details(start: &StartEvent) -> Details {
    let name = |color: Color| {
        let player = &start.players[start.player_of(color)];
        let file = || player.file.as_deref().and_then(|file| file.rsplit('/').next()).map(str::to_owned);
        player.known_as().map(str::to_owned).or_else(file)
    };
    let (black, white) = (name(Color::Black), name(Color::White));
    match &start.source {
        Some(source) => Details { black, white, ..source.details.clone() },
        None => Details {
            black,
            white,
            event: start.contest.as_ref().map(|contest| contest.event.clone()),
            round: start.contest.as_ref().map(|contest| contest.round.clone()),
            date: start.contest.as_ref().map(|contest| contest.date.clone()),
            program: Some(start.server.clone()),
            time_control: time_control(start),
            ..Details::default()
        },
    }
}

/// Returns the time control in PGN's words: White's, then Black's if it has another one.
fn time_control(start: &StartEvent) -> Option<String> {
    let words = |limits: &LimitsEvent| {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        match (limits.game_ms, limits.increment_ms) {
            (None, _) => format!("1/{}", seconds(limits.move_ms)),
            (Some(game), 0) => seconds(game).to_string(),
            (Some(game), increment) => format!("{}+{}", seconds(game), seconds(increment)),
        }
    };
    let white = start.player_of(Color::White);
    let [white, black] = [white, white.opponent()].map(|player| start.limits_of(player).map(words));
    if white == black { white } else { Some(format!("{} against {}", white?, black?)) }
}

pub(crate) fn outcome(record: &Record) -> Option<GameOutcome> {
    let end = &record.end;
    let color = |player: PlayerNumber| record.start.players[player].color;
    let detail = end.detail.clone().or_else(|| record.steps.iter().find_map(|step| fault_detail(record, step)));
    let outcome = GameOutcome { winner: end.winner.map(color), ending: end.termination, detail };
    Some(outcome).filter(|outcome| *outcome != GameOutcome::default())
}

/// Describes a fault that decided the game.
fn fault_detail(record: &Record, step: &Step) -> Option<String> {
    let Step::Fault(fault) = step else { return None };
    let FaultEvent { player, termination, call, detail, .. } = fault;
    let decides = record.end.termination == Some(*termination) && *call != crate::referee::Call::Finalize;
    decides.then(|| format!("{}: {termination} in {call}: {detail}", record.start.players[*player].color))
}

impl From<&Game> for Record {
    /// Makes the record of a game not played here: player 1 moves first, and unknown values are null.
    fn from(game: &Game) -> Self {
        let first_color = game.start().side_to_move();
        let color_of = |player: PlayerNumber| match player {
            PlayerNumber::One => first_color,
            PlayerNumber::Two => first_color.opposite(),
        };
        let player_of = |color: Color| if color == first_color { PlayerNumber::One } else { PlayerNumber::Two };
        let moves = (1..).zip(game.moves()).map(|(ply, played)| {
            let player = if ply % 2 == 1 { PlayerNumber::One } else { PlayerNumber::Two };
            Step::Move(move_event(game, ply, player, played))
        });
        let position = game.position().to_string();
        let outcome = game.outcome.clone().unwrap_or_default();
        Self {
            start: start_event(game, color_of),
            steps: moves.collect(),
            end: EndEvent {
                winner: outcome.winner.map(player_of),
                termination: outcome.ending,
                moves: u32::try_from(game.moves().len()).unwrap_or(u32::MAX),
                hash: EndEvent::hash_of(&position),
                position,
                detail: outcome.detail,
                analysis: None,
            },
        }
    }
}

fn start_event(game: &Game, color_of: impl Fn(PlayerNumber) -> Color) -> StartEvent {
    let start = game.start();
    let details = Details { black: None, white: None, ..game.details.clone() };
    StartEvent {
        format: FORMAT,
        server: crate::PROGRAM.to_owned(),
        seed: None,
        board: BoardEvent::new(game.board()),
        queens: QueensEvent::new(start),
        position: start.to_string(),
        players: PlayerNumber::ALL.map(|player| PlayerEvent {
            name: game.name(color_of(player)).map(str::to_owned),
            file: None,
            sha256: None,
            color: color_of(player),
            directions: None,
            log: None,
            entrant: None,
            limits: None,
        }),
        first: PlayerNumber::One,
        limits: None,
        isolation: None,
        sandbox: None,
        source: Some(SourceEvent { details, comment: game.comment.clone() }),
        contest: None,
        analysis: None,
    }
}

/// Returns whether a player's time was limited, if it was a person: it is told how long on the wall clock.
fn person(player: &PlayerEvent) -> Option<bool> {
    let file = player.file.as_deref()?;
    let (word, has_limit) = file.split_once(':').map_or((file, false), |(word, _)| (word, true));
    ["human", "web"].contains(&word).then_some(has_limit)
}

fn move_event(game: &Game, ply: u32, player: PlayerNumber, played: &PlayedMove) -> MoveEvent {
    MoveEvent {
        ply,
        player,
        from: played.mv.from,
        to: played.mv.to,
        arrow: played.mv.arrow,
        text: game.board().move_text(played.mv),
        wall_us: played.time.map(micros),
        cpu_us: None,
        idle_cpu_us: None,
        left_us: played.left.map(micros),
        value: played.value,
        comment: played.comment.clone(),
        analysis: played.note.clone(),
    }
}

impl Record {
    /// Returns the events for writing them again.
    pub fn into_events(self) -> impl Iterator<Item = Event> {
        let steps = self.steps.into_iter().map(Event::from);
        std::iter::once(Event::Start(Box::new(self.start))).chain(steps).chain([Event::End(self.end)])
    }

    /// Returns the record's lines.
    pub fn into_lines(self) -> io::Result<Vec<u8>> {
        let mut lines = Vec::new();
        self.into_events().try_for_each(|event| write_line(&mut lines, &event))?;
        Ok(lines)
    }
}
