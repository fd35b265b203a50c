use std::fs::File;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use amazons_mpi::{Deadline, MpiWorld, Start, World, WorldError, abort_on_panic};
use amazons_pages::Server;
use amazons_program::{Exit, Interrupt, SIGINT, ranks::is_first, read_line};
use clap::builder::TypedValueParser as _;
use clap::{Args, ValueEnum};
use cluedo::card_names::CardNames;
use cluedo::classic::{
    AiType, Master, Over, Person, Recorder, Setup, Streams, TableError, dismiss, host, host_threads, seat_ai, serve,
};
use cluedo::deck::{Card, CardSet, Deck, KINDS};
use cluedo::game::{Action, Event, Seats};
use cluedo::record::{Ending, Rules, Story};
use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::person::{Answers, Ask, Dialogue, Front, Reply, Stop, Terminal, View, opening, sentence};
use crate::show::ending_text;
use crate::values;
use crate::web::{self, Address, SeatPage};

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// How many AIs play against you, 2 to 5; asked for if missing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=5))]
    pub(crate) ais: Option<u8>,
    /// The type of all AIs; asked for if missing
    #[arg(long = "type", value_name = "TYPE", value_parser = values::ai_types())]
    pub(crate) ai_type: Option<AiType>,
    /// The type of each AI, separated by commas, instead of --ais and --type
    #[arg(long = "ai", value_name = "LIST", value_delimiter = ',', conflicts_with_all = ["ais", "ai_type"])]
    #[arg(value_parser = values::ai_types())]
    pub(crate) list: Vec<AiType>,
    /// Where all random numbers come from; the same seed deals the same cards
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// After a wrong accusation of yours, go on refuting while the AIs play on
    #[arg(long)]
    pub(crate) stay: bool,
    /// Write a record of the game to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Show what you know of every card before each of your turns
    #[arg(long)]
    pub(crate) notebook: bool,
    /// Play in a browser, at an address of this machine that is printed
    #[arg(long, group = "page", conflicts_with = "notebook")]
    pub(crate) web: bool,
    /// Play here, and show the game in a browser, too
    #[arg(long, group = "page")]
    pub(crate) watch: bool,
    /// The port of the page of --web or --watch [default: any free one]
    #[arg(long, value_name = "PORT", requires = "page")]
    pub(crate) port: Option<u16>,
    /// Where the AIs run (default: MPI under a launcher, else threads)
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) transport: Option<Transport>,
    /// Seconds after which an AI that does not answer has failed
    #[arg(long, value_name = "SECONDS", default_value = "10", hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=86_400).map(Duration::from_secs))]
    pub(crate) ai_time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Transport {
    Threads,
    Mpi,
}

/// Plays a game: rank 0 with the person, and an AI on each other rank.
pub(crate) fn run(args: &PlayArgs, mut input: impl BufRead, out: &mut impl Write) -> Result<Exit, Exit> {
    // A read of standard input would go on after Ctrl-C.
    Interrupt::end_at_once(&[SIGINT]).map_err(|error| Exit::failure(format!("cannot catch Ctrl-C: {error}")))?;
    let mut lines = || Some(read_line(&mut input));
    let dialogue = &mut Dialogue::new(&mut lines, out);
    if args.transport == Some(Transport::Threads) {
        return if is_first() { play_with(args, None, dialogue) } else { Ok(Exit::Success) };
    }
    match MpiWorld::start() {
        Start::Alone if args.transport == Some(Transport::Mpi) => {
            Err(Exit::usage("--transport mpi needs a launcher and several ranks: mpirun -np 6 cluedo play"))
        }
        Start::Alone => play_with(args, None, dialogue),
        Start::Joined(mut world) => {
            let rank = world.rank();
            let done = abort_on_panic(&mut world, Exit::FAILURE, |world| {
                if rank == 0 {
                    return play_with(args, Some(world), dialogue);
                }
                let served = serve(world, seat_ai, args.ai_time).map(|_| Exit::Success);
                served.map_err(|error| Exit::failure(format!("rank {rank} gives up: {error}")))
            });
            if let Err(exit) = &done
                && !matches!(exit, Exit::Usage(_))
            {
                abort(&mut world, exit);
            }
            let end = world.barrier(Deadline::NEVER).and_then(|()| world.leave());
            end.map_err(|error| Exit::failure(format!("rank {rank}: {error}")))?;
            done
        }
        Start::Unable { rank, .. } if rank > 0 => Ok(Exit::Success),
        Start::Unable { reason, .. } if args.transport == Some(Transport::Mpi) => Err(Exit::Failure(reason)),
        Start::Unable { reason, .. } => {
            eprintln!("cluedo: {reason}: the AIs are threads of rank 0");
            play_with(args, None, dialogue)
        }
    }
}

/// Ends the job for all ranks, and says why before this process ends, too.
pub(crate) fn abort(world: &mut MpiWorld, exit: &Exit) {
    if let Some(reason) = exit.complaint() {
        eprintln!("cluedo: {reason}");
        // MPICH's launcher drops what it has not passed on when the job is aborted.
        thread::sleep(Duration::from_millis(300));
    }
    let _ = world.abort(exit.status());
}

/// Plays with AIs on the other ranks, or else on threads.
fn play_with<W: Write>(
    args: &PlayArgs,
    world: Option<&mut MpiWorld>,
    dialogue: &mut Dialogue<'_, W>,
) -> Result<Exit, Exit> {
    let game = match prepare(args, world.as_ref().map_or(5, |world| world.size() - 1), dialogue) {
        Ok(Some(game)) => return play(args, game, world, dialogue),
        other => other,
    };
    if let Some(world) = world {
        // There is no solution yet; any cards will do.
        let solution = KINDS.map(|kind| Deck::CLASSIC.range(kind).start);
        dismiss(world, Over { winner: None, solution }).map_err(Exit::failure)?;
    }
    game?;
    dialogue.say("You leave before the game.")?;
    Ok(Exit::Success)
}

/// Asks for what the flags do not say; nothing when the input has ended.
fn ask<W: Write>(args: &PlayArgs, most: usize, dialogue: &mut Dialogue<'_, W>) -> Result<Option<Setup>, Exit> {
    let most = most.min(5);
    let flagged = if args.list.is_empty() { args.ais.map(usize::from) } else { Some(args.list.len()) };
    match flagged {
        Some(6..) => return Err(Exit::usage("at most 5 AIs can play")),
        _ if most < 2 || flagged.is_some_and(|ais| ais > most) => return Err(Exit::Usage(too_many(most))),
        Some(..2) => return Err(Exit::usage("at least 2 AIs must play: name two types or more in --ai")),
        _ => {}
    }
    let types = loop {
        if !args.list.is_empty() {
            break args.list.clone();
        }
        match ask_types(args, flagged, most, dialogue) {
            Ok(types) => break types,
            Err(Stop::Back) => {}
            Err(Stop::Leave | Stop::TooLate) => return Ok(None),
            Err(Stop::Failed(exit)) => return Err(exit),
        }
    };
    dialogue.end_questions()?;
    let ais = types.len();
    let seed = match args.seed {
        Some(seed) => seed,
        None => SysRng.try_next_u64().map_err(|error| Exit::failure(format!("no random numbers: {error}")))?,
    };
    Ok(Some(Setup { seats: Seats::with_person(ais), ais: types, streams: Streams { seed, game: 0 }, stays: args.stay }))
}

fn too_many(most: usize) -> String {
    let enough = if most < 2 { "2 AIs need 3 ranks" } else { &format!("these ranks are enough for {most} AIs") };
    format!("{enough}: for up to 5 AIs, start mpirun -np 6 cluedo play")
}

const HELP: &str = "Cluedo without a board: find the suspect, the weapon and the room.\n\
    You play first, against 2 to 5 AIs. default AIs suggest any card that may be in the solution,\n\
    listening ones the cards that others have named least, mix seats some of each.\n\
    memory AIs play like default ones, logic ones draw conclusions from all that is said,\n\
    exact ones count every deal and may dare to accuse before they are certain.";

fn ask_types<W: Write>(
    args: &PlayArgs,
    flagged: Option<usize>,
    most: usize,
    dialogue: &mut Dialogue<'_, W>,
) -> Result<Vec<AiType>, Stop> {
    let help = |word: &str| matches!(word, "?" | "help").then(|| HELP.to_owned());
    let ais = match flagged {
        Some(ais) => ais,
        None => {
            dialogue.ask(&format!("How many AIs, 2 to {most}?"), Answers::Several, help, |word| match word.parse() {
                Ok(ais) if (2..=most).contains(&ais) => Ok(ais),
                Ok(ais) if ais > most && ais <= 5 => Err(too_many(most)),
                _ => Err(format!("{word:?} is not possible: type a number from 2 to {most}")),
            })?
        }
    };
    let types: Vec<String> =
        (0..).zip(AiType::ALL).map(|(number, it): (u8, AiType)| format!("{number} {}", it.name())).collect();
    let question = &format!("Type of the AIs: {}?", types.join(", "));
    let read = |word: &str| {
        values::ai_type(word)
            .map_err(|_| format!("{word:?} is not a type: type a number from 0 to {}", AiType::ALL.len() - 1))
    };
    let ai_type = match args.ai_type {
        Some(ai_type) => ai_type,
        None => dialogue.ask(question, Answers::Several, help, read)?,
    };
    Ok(vec![ai_type; ais])
}

struct Prepared {
    master: Master,
    record: Option<RecordFile>,
}

/// A game, as the person sees it, and its page.
type Shown = (Story, Option<(Arc<SeatPage>, Server)>);

/// Sets up a game; nothing when the input has ended.
fn prepare<W: Write>(
    args: &PlayArgs,
    most: usize,
    dialogue: &mut Dialogue<'_, W>,
) -> Result<Option<(Prepared, Shown)>, Exit> {
    let Some(setup) = ask(args, most, dialogue)? else { return Ok(None) };
    let master = Master::new(setup);
    let deal = &master.deal;
    let sizes: Vec<usize> = deal.hands().iter().map(|hand| hand.len()).collect();
    let name = |rank| if rank == 0 { "you".to_owned() } else { format!("AI {rank}") };
    let mut story = Story::new(Rules::Classic, (0..sizes.len()).map(name).collect(), Deck::CLASSIC, sizes);
    story.hands[0] = Some(deal.hand(0));
    story.commitment = deal.commitment(&master.setup.streams.bytes("salt"));
    let record = args.record.as_ref().map(|path| RecordFile::create(path, &master)).transpose()?;
    let page = if args.web || args.watch {
        let page = SeatPage::new(0, vec![Arc::new(story.clone())], None)?;
        let (server, url) = page.serve(Address::new(args.port.unwrap_or(0), "--port")?)?;
        dialogue.say(format!("{} at {url} (Ctrl-C ends)", if args.web { "play" } else { "watch" }))?;
        Some((page, server))
    } else {
        None
    };
    Ok(Some((Prepared { master, record }, (story, page))))
}

fn play<W: Write>(
    args: &PlayArgs,
    (game, (story, page)): (Prepared, Shown),
    world: Option<&mut MpiWorld>,
    dialogue: &mut Dialogue<'_, W>,
) -> Result<Exit, Exit> {
    let (page, server) = page.unzip();
    if let Some(front) = page.clone().filter(|_| args.web) {
        let page = Arc::clone(&front);
        let words = &mut || Some(page.await_reply());
        game.host(Seated { front, words, page: None, story }, world, args.ai_time)?;
    } else {
        let (front, words) = (Terminal::new(&mut dialogue.out, args.notebook), &mut *dialogue.lines);
        game.host(Seated { front, words, page, story }, world, args.ai_time)?;
    }
    server.map_or(Ok(()), |server| server.stop().map_err(web::failed))?;
    Ok(Exit::Success)
}

impl Prepared {
    /// Plays with AIs on ranks, or else on threads.
    fn host<F: Front>(
        mut self,
        mut person: Seated<'_, F>,
        world: Option<&mut MpiWorld>,
        ai_time: Duration,
    ) -> Result<(), Exit> {
        let mut shown = Vec::new();
        let watch = |event: &Event| {
            if let Event::Show { card, .. } = event {
                shown.extend(*card);
            }
            self.record.as_mut().map_or(Ok(()), |record| record.write(|recorder| recorder.event(event)))
        };
        person.tell(&opening(&person.story, 0))?;
        let over = match world {
            Some(world) => host(world, &self.master, &mut person, watch, ai_time),
            None => host_threads(&self.master, &mut person, watch, seat_ai, ai_time),
        };
        let over = over.map_err(|error| match error {
            TableError::Person(exit) => exit,
            TableError::World(WorldError::Aborted { rank, .. } | WorldError::Gone(rank)) => {
                Exit::failure(format!("rank {rank} has failed"))
            }
            TableError::World(error) => Exit::failure(error),
            TableError::Fault(fault) => Exit::failure(fault),
        })?;
        if let Some(record) = &mut self.record {
            record.write(|recorder| Some(recorder.end(over.winner)))?;
        }
        let ending = over.winner.map_or(Ending::Nobody, Ending::Won);
        let told = person.story.end(ending, over.solution, self.master.deal.hands(), &shown, &[]);
        // What the master says always fits.
        debug_assert_eq!(told, Ok(()));
        let solution = CardNames::classic().list(over.solution);
        person.tell(&format!("{}\nThe solution: {solution}.", ending_text(&person.story, ending)))?;
        if F::IS_PAGE { person.ask(Ask::Close).map(drop) } else { Ok(()) }
    }
}

/// The person on rank 0, at a terminal or in a browser.
struct Seated<'w, F: Front> {
    front: F,
    /// Reads what comes from the person.
    words: &'w mut dyn FnMut() -> Option<F::Word>,
    /// A page that shows the game of a person at the terminal.
    page: Option<Arc<SeatPage>>,
    story: Story,
}

impl<F: Front> Seated<'_, F> {
    fn tell(&mut self, text: &str) -> Result<(), Exit> {
        if let Some(page) = &mut self.page {
            page.tell("", &self.story, None)?;
        }
        self.front.tell(text, &self.story, None)
    }

    fn ask(&mut self, ask: Ask) -> Result<Reply, Exit> {
        let view = View { story: &self.story, me: 0 };
        Ok(self.front.ask(ask, Some(view), self.words)?.unwrap_or(Reply::Leave))
    }
}

impl<F: Front> Person for Seated<'_, F> {
    type Error = Exit;

    fn observe(&mut self, event: &Event) -> Result<(), Exit> {
        let noted = self.story.note(event);
        // What the master says always fits.
        debug_assert_eq!(noted, Ok(()));
        self.tell(&sentence(event, &self.story, 0).unwrap_or_default())
    }

    fn turn(&mut self) -> Result<Option<Action>, Exit> {
        Ok(match self.ask(Ask::Turn)? {
            Reply::Suggest(cards) => Some(Action::Suggest(cards)),
            Reply::Accuse(cards) => Some(Action::Accuse(cards)),
            Reply::Card(_) | Reply::Leave => None,
        })
    }

    fn show(&mut self, choices: CardSet, asker: usize) -> Result<Option<Card>, Exit> {
        Ok(match self.ask(Ask::Card { asker, choices })? {
            Reply::Card(card) => Some(card),
            Reply::Suggest(_) | Reply::Accuse(_) | Reply::Leave => None,
        })
    }
}

struct RecordFile {
    recorder: Recorder,
    file: File,
    path: PathBuf,
}

impl RecordFile {
    fn create(path: &Path, master: &Master) -> Result<Self, Exit> {
        let file = File::create(path).map_err(|error| Exit::unwritable(path, &error))?;
        let recorder = Recorder::new(&master.setup, &master.deal);
        let mut record = Self { recorder, file, path: path.to_owned() };
        record.write(|recorder| Some(recorder.start()))?;
        Ok(record)
    }

    fn write(&mut self, line: impl FnOnce(&mut Recorder) -> Option<String>) -> Result<(), Exit> {
        let written = line(&mut self.recorder).map_or(Ok(()), |line| self.file.write_all((line + "\n").as_bytes()));
        written.map_err(|error| Exit::failure(format!("cannot write {}: {error}", self.path.display())))
    }
}
