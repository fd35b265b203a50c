use std::time::Duration;

use super::GameConfig;
use crate::host::Limits;
use crate::record::FORMAT;
use crate::referee::{BoardEvent, LimitsEvent, PlayerEvent, PlayerNumber, QueensEvent, StartEvent};

/// Describes a game before it is played; the players' names, hashes and logs are not known yet.
pub fn start_event(config: &GameConfig) -> StartEvent {
    let first_color = config.position.side_to_move();
    let player = |number: PlayerNumber| PlayerEvent {
        name: None,
        file: Some(config.players[number].typed().display().to_string()),
        sha256: None,
        log: None,
        entrant: None,
        limits: config.own[number].limits.as_ref().map(|own| limits_event(config, own)),
        color: if number == config.rules.first { first_color } else { first_color.opposite() },
        directions: config.players[number].library().map(|_| config.directions[number].name().to_owned()),
    };
    StartEvent {
        format: FORMAT,
        server: crate::PROGRAM.to_owned(),
        seed: Some(config.seed),
        board: BoardEvent::new(config.position.board()),
        queens: QueensEvent::new(&config.position),
        position: config.position.to_string(),
        players: PlayerNumber::ALL.map(player),
        first: config.rules.first,
        limits: Some(limits_event(config, &config.limits)),
        isolation: Some(config.isolation),
        sandbox: None,
        source: None,
        contest: None,
        analysis: None,
    }
}

fn limits_event(config: &GameConfig, limits: &Limits) -> LimitsEvent {
    LimitsEvent {
        load_ms: millis(limits.load),
        initialize_ms: millis(limits.initialize),
        move_ms: millis(limits.play),
        finalize_ms: millis(limits.finalize),
        clock: limits.clock,
        game_ms: limits.game.map(|game| millis(game.bank)),
        increment_ms: limits.game.map_or(0, |game| millis(game.increment)),
        pondering: limits.pondering,
        threads: limits.threads.get(),
        memory_bytes: limits.memory,
        log_bytes: limits.log,
        max_moves: config.rules.max_moves,
        adjudicate: config.rules.adjudicate,
        resign: config.rules.resign,
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
