use std::io;
use std::time::Duration;

use amazons::referee::{
    Answer, BoardEvent, Call, CallError, Clock, Event, Fault, Interference, Isolation, LimitsEvent, Match, Observer,
    Opinion, Outcome, PlayerEvent, PlayerNumber, Pondering, QueensEvent, Sandbox, SandboxUser, Seat, StartEvent,
    Termination, Usage, play_game,
};
use amazons_rules::{Move, Position};
use amazons_sandbox::Error;

/// The behaviour of a scripted player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Script {
    /// Plays the first legal move of each position.
    Honest,
    /// Is honest, but commits a fault in the n-th call of this kind, from 1.
    Fails(Call, usize, Termination),
    /// Is honest, but late in the n-th call of this kind, which may be the machine's doing.
    IsDelayed(Call, usize),
    /// Is honest, but answers this in the n-th `play`, from 1.
    Answers(usize, Move),
    /// Is honest, but the host fails in the n-th call of this kind.
    HostFails(Call, usize),
    /// Is honest, and always tells this chance to win.
    Tells(f64),
}

/// A player without code: it follows its script and records its calls.
#[derive(Debug)]
pub(crate) struct Scripted {
    script: Script,
    position: Position,
    pub(crate) calls: Vec<Call>,
    pub(crate) heard: Vec<Option<Move>>,
    gone: Option<Fault>,
}

impl Scripted {
    pub(crate) fn new(script: Script, position: &Position) -> Self {
        Self { script, position: position.clone(), calls: Vec::new(), heard: Vec::new(), gone: None }
    }

    fn called(&mut self, call: Call) -> Result<(), CallError> {
        self.calls.push(call);
        if let Some(fault) = &self.gone {
            return Err(CallError::Fault(fault.clone()));
        }
        let count = self.calls.iter().filter(|made| **made == call).count();
        match self.script {
            Script::Fails(at, number, termination) if (at, number) == (call, count) => {
                let fault = Fault::new(termination, call, "scripted".to_owned());
                self.gone = Some(fault.clone());
                Err(CallError::Fault(fault))
            }
            Script::IsDelayed(at, number) if (at, number) == (call, count) => {
                let fault = Fault::new(Termination::Timeout, call, "scripted".to_owned());
                let machine = Some(Interference { steal_us: 5000, ..Interference::default() });
                let fault = Fault { machine, is_excused: true, ..fault };
                self.gone = Some(fault.clone());
                Err(CallError::Fault(fault))
            }
            Script::HostFails(at, number) if (at, number) == (call, count) => {
                Err(Error::SetUp("scripted".to_owned()).into())
            }
            _ => Ok(()),
        }
    }
}

fn answer<T>(value: T) -> Answer<T> {
    Answer {
        value,
        usage: Usage {
            wall: Duration::from_micros(1500),
            cpu: Duration::from_micros(700),
            idle_cpu: Duration::from_micros(20),
        },
        left: Duration::from_micros(1480),
    }
}

impl Seat for Scripted {
    fn load(&mut self) -> Result<(), CallError> {
        self.called(Call::Load)
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        self.called(Call::Initialize).map(answer)
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        self.called(Call::Name)?;
        Ok(answer(Some(b"scripted\x1b[31m".to_vec())))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        self.heard.push(previous);
        if let Some(mv) = previous {
            self.position.play_unchecked(mv);
        }
        self.called(Call::Play)?;
        let mut list = amazons_rules::MoveList::new();
        self.position.legal_moves(&mut list);
        let honest = *list.first().expect("a blocked player is never called");
        let plays = self.calls.iter().filter(|call| **call == Call::Play).count();
        match self.script {
            Script::Answers(number, mv) if number == plays => Ok(answer(mv)),
            _ => {
                self.position.play_unchecked(honest);
                Ok(answer(honest))
            }
        }
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        self.called(Call::Finalize).map(answer)
    }

    fn opinion(&self) -> Opinion {
        match self.script {
            Script::Tells(chance) => Opinion::of_chance(chance),
            _ => Opinion::default(),
        }
    }

    fn sandbox(&self) -> Option<Sandbox> {
        Some(Sandbox::reached(Some(4), true, SandboxUser::Ordinary))
    }

    fn log(&self) -> Vec<u8> {
        (0..20).flat_map(|line| format!("line {line}\x07\n").into_bytes()).collect()
    }
}

/// Keeps all events.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) events: Vec<Event>,
    /// Refuses the event with this index.
    pub(crate) full_at: Option<usize>,
}

impl Observer for Collected {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        if self.full_at == Some(self.events.len()) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.events.push(event.clone());
        Ok(())
    }
}

/// A match from a position text, with the color to move for the first player.
pub(crate) fn a_match(text: &str, first: PlayerNumber, max_moves: Option<u32>) -> Match {
    let position = Position::parse(text).expect("a position");
    let player = |number: PlayerNumber| {
        let color = position.side_to_move();
        PlayerEvent {
            name: None,
            file: Some(format!("{number}.so")),
            sha256: Some("00".repeat(32)),
            log: Some(format!("{number}.log")),
            color: if number == first { color } else { color.opposite() },
            directions: Some("ring".to_owned()),
            entrant: None,
            limits: None,
        }
    };
    let start = StartEvent {
        format: amazons::record::FORMAT,
        server: "tests".to_owned(),
        seed: Some(7),
        board: BoardEvent::new(position.board()),
        queens: QueensEvent::new(&position),
        position: position.to_string(),
        players: PlayerNumber::ALL.map(player),
        first,
        limits: Some(LimitsEvent {
            load_ms: 1,
            initialize_ms: 2,
            move_ms: 3,
            finalize_ms: 4,
            clock: Clock::Cpu,
            game_ms: None,
            increment_ms: 0,
            pondering: Pondering::Charged,
            threads: 1,
            memory_bytes: 1 << 30,
            log_bytes: 1 << 20,
            max_moves,
            adjudicate: false,
            resign: None,
        }),
        isolation: Some(Isolation::Process),
        sandbox: None,
        source: None,
        contest: None,
        analysis: None,
    };
    Match { position, rules: start.rules(), start, excuses: false }
}

/// Plays a match between two scripts.
pub(crate) fn play(game: &Match, scripts: [Script; 2]) -> (Outcome, Vec<Event>, [Scripted; 2]) {
    let mut seats = scripts.map(|script| Scripted::new(script, &game.position));
    let mut collected = Collected::default();
    let [one, two] = &mut seats;
    let outcome = play_game(game, [one, two], &mut [&mut collected]).expect("the observer takes everything");
    (outcome, collected.events, seats)
}
