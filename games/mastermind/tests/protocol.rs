//! The protocols on ranks: every game ends with the secret, whatever happens to messages and ranks.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use amazons_mpi::jobs::{self, Options, Task, Timeouts};
use amazons_mpi::{ThreadWorld, World, decode, encode};
use amazons_testing::{Faults, FaultyWorld, map_jobs};
use mastermind::model::{self, first_come};
use mastermind::protocol::{
    Body, Caller, Chunk, Frame, MASTERMIND_TAG, Master, Order, Pick, Played, Player, Post, Proposal, Protocol,
    ProtocolError, SharedLeader, SharedWorker, Span, Stamp, end_game, end_session, lead, serve,
};
use mastermind::{Choice, Code, Feedback, Game, Guesses, History, Scorer, Strategy, Turn};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn game(text: &str) -> Game {
    text.parse().expect("a game")
}

fn order(text: &str) -> Arc<Order> {
    Arc::new(Order::new(game(text)))
}

fn player(protocol: Protocol, order: &Arc<Order>, number: usize, players: usize) -> Player {
    let [number, players] = [number, players].map(|number| u32::try_from(number).expect("few"));
    Player::new(protocol, Arc::clone(order), number, players)
}

fn master(protocol: Protocol, order: &Arc<Order>, players: usize, number: u16, pick: Pick) -> Master {
    Master::new(protocol, Arc::clone(order), players, number, pick, random(number.into()))
}

/// Every guess agrees with the answers before it, and the last one is the secret.
fn check(game: Game, secret: Code, turns: &[Turn]) {
    for (place, turn) in turns.iter().enumerate() {
        assert_eq!(turn.answer, Feedback::of(turn.guess, secret));
        assert!(turns[..place].iter().all(|before| before.fits(turn.guess)), "{game} guess {place}: {turns:?}");
    }
    assert_eq!(turns.last().map(|turn| turn.guess), Some(secret));
}

/// Players and a master without a world: frames arrive in any order that keeps each link's, by a seed.
struct Network {
    master: Master,
    players: Vec<Option<Player>>,
    /// To and from each player.
    links: Vec<[VecDeque<Frame>; 2]>,
    random: Xoshiro256PlusPlus,
    secret: Code,
}

impl Network {
    fn new(protocol: Protocol, order: &Arc<Order>, players: usize, secret: Code, seed: u64) -> Self {
        let pick = if seed.is_multiple_of(2) { Pick::Lowest } else { Pick::Random };
        Self {
            master: master(protocol, order, players, 0, pick),
            players: (0..players).map(|number| Some(player(protocol, order, number, players))).collect(),
            links: (0..players).map(|_| Default::default()).collect(),
            random: random(seed),
            secret,
        }
    }

    /// Plays to the end; these players are lost after that many events.
    fn play(&mut self, losses: &[(usize, usize)]) -> Result<(), ProtocolError> {
        for event in 0.. {
            for (lost, _) in losses.iter().filter(|(_, when)| *when == event) {
                self.players[*lost] = None;
                self.links[*lost][0].clear();
            }
            let number = self.random.random_range(0..self.players.len());
            let wanted = match self.random.random_range(0..3) {
                0 => self.player_acts(number),
                1 => match self.links[number][1].pop_front() {
                    Some(frame) => self.master.take(number + 1, frame)?,
                    // What it had sent before is read first.
                    None if self.players[number].is_none() && !self.master.has_lost(number + 1) => {
                        self.master.lose(number + 1)?
                    }
                    None => None,
                },
                _ => self.deliver(number),
            };
            if let Some(code) = wanted {
                self.master.answer(code, Feedback::of(code, self.secret));
                if self.master.is_solved() {
                    return Ok(());
                }
            }
            for (rank, stamp, body) in self.master.outbox() {
                self.links[rank - 1][0].push_back(Frame { stamp, body });
            }
            assert!(event < 10_000_000, "the game hangs");
        }
        Ok(())
    }

    fn player_acts(&mut self, number: usize) -> Option<Code> {
        let player = self.players[number].as_mut()?;
        player.search(50);
        for (stamp, body) in player.outbox() {
            self.links[number][1].push_back(Frame { stamp, body });
        }
        None
    }

    fn deliver(&mut self, number: usize) -> Option<Code> {
        let player = self.players[number].as_mut()?;
        let frame = self.links[number][0].pop_front()?;
        assert_eq!(player.take(frame), Ok(ControlFlow::Continue(())));
        None
    }
}

#[test]
fn frames_are_short_and_read_back() {
    let span = Span { from: 7, to: u32::MAX, step: 3 };
    let bodies = [
        Body::Propose { index: 5039, tests: u64::MAX },
        Body::Answer { index: 1, blacks: 10, whites: 0 },
        Body::Empty { tests: 12 },
        Body::Take(span),
        Body::Heartbeat(span),
        Body::End { is_more: false, has_lost: true },
        Body::End { is_more: true, has_lost: false },
    ];
    for (number, body) in (0..).zip(bodies) {
        let frame = Frame { stamp: Stamp { game: 3, round: 500, taken: 2, number }, body };
        let bytes = encode(&frame).expect("bytes");
        assert!(bytes.len() <= 32, "{body:?}: {} bytes", bytes.len());
        assert_eq!(decode(&bytes), Ok(frame));
        for len in 0..bytes.len() {
            assert!(decode::<Frame>(&bytes[..len]).is_err(), "{body:?} cut to {len} bytes");
        }
        assert!(decode::<Frame>(&[&bytes[..], &[0]].concat()).is_err());
    }
    for kind in [6, 255] {
        assert!(decode::<Frame>(&[kind; 12]).is_err(), "no such kind");
    }
    let endless = Body::Take(Span { step: 0, ..span });
    assert!(decode::<Body>(&encode(&endless).expect("bytes")).is_err(), "places without a distance");
}

#[test]
fn any_timing_ends_with_the_secret() {
    for protocol in [Protocol::FirstCome, Protocol::Seed] {
        for name in ["4x6n", "3x5r", "4x10n"] {
            let (order, game) = (order(name), game(name));
            for seed in 0..60 {
                let secret = game.code(random(seed).random_range(0..game.codes()));
                let players = 1 + usize::try_from(seed).expect("few") % 7;
                let mut network = Network::new(protocol, &order, players, secret, seed);
                network.play(&[]).expect("it ends");
                check(game, secret, &network.master.turns);
            }
        }
    }
}

#[test]
fn lost_players_lose_no_code() {
    for protocol in [Protocol::FirstCome, Protocol::Seed] {
        let (order, game) = (order("4x6n"), game("4x6n"));
        for seed in 0..300 {
            let mut dice = random(seed);
            let secret = game.code(dice.random_range(0..game.codes()));
            let losses: Vec<_> = (0..dice.random_range(1..4)).map(|lost| (lost, dice.random_range(0..400))).collect();
            let mut network = Network::new(protocol, &order, 4, secret, seed);
            network.play(&losses).expect("one player is left");
            check(game, secret, &network.master.turns);
        }
        let mut network = Network::new(protocol, &order, 2, game.code(300), 1);
        assert_eq!(network.play(&[(0, 0), (1, 0)]), Err(ProtocolError::NobodyLeft));
    }
}

/// With several players the game of `seed` is the model's, however messages travel.
#[test]
fn seed_is_its_model() {
    let (order, game) = (order("4x10n"), game("4x10n"));
    for (players, secret) in [(1, 17), (2, 4000), (3, 2718), (10, 5039), (12, 1234)] {
        let secret = game.code(secret);
        let cost = model::seed(&order, secret, players);
        let mut network = Network::new(Protocol::Seed, &order, players as usize, secret, 2);
        network.play(&[]).expect("it ends");
        let guesses: Vec<_> = network.master.turns.iter().map(|turn| turn.guess).collect();
        let counts = network.master.counts;
        assert_eq!(guesses, cost.guesses);
        assert_eq!((counts.slowest, counts.tests), (cost.slowest, cost.tests));
        assert_eq!((counts.proposals, counts.empties), (cost.proposals, cost.fakes));
    }
}

/// Answers as the owner of a secret.
struct Owner(Code);

impl Caller for Owner {
    fn evaluate(&mut self, code: Code, _: &[Proposal]) -> Option<Feedback> {
        Some(Feedback::of(code, self.0))
    }
}

const LOST_AFTER: Duration = Duration::from_secs(60);

/// Plays several games on threads, whose worlds are wrapped.
fn on_threads<W: World>(
    protocol: Protocol,
    order: &Arc<Order>,
    ranks: usize,
    secrets: &[Code],
    wrap: impl Fn(ThreadWorld) -> W + Sync,
) -> Result<Vec<Played>, ProtocolError> {
    let wrap = &wrap;
    let mut worlds = ThreadWorld::connect(ranks).into_iter();
    let first = worlds.next().expect("rank 0");
    std::thread::scope(|scope| {
        for world in worlds {
            scope.spawn(move || {
                let number = world.rank() - 1;
                // A rank that was cut off fails, as it should.
                let _ = serve(&mut Post::new(wrap(world)), player(protocol, order, number, ranks - 1), LOST_AFTER);
            });
        }
        let mut post = Post::new(wrap(first));
        let mut games = Vec::new();
        for (number, secret) in (0..).zip(secrets) {
            let master = master(protocol, order, ranks - 1, number, Pick::Lowest);
            games.push(lead(&mut post, master, &mut Owner(*secret), LOST_AFTER)?);
            if usize::from(number) + 1 < secrets.len() {
                end_game(&mut post, number)?;
            } else {
                end_session(&mut post)?;
            }
        }
        Ok(games)
    })
}

#[test]
fn late_and_overtaking_messages() {
    let (order, game) = (order("4x10n"), game("4x10n"));
    for protocol in [Protocol::FirstCome, Protocol::Seed] {
        for seed in 0..4 {
            let delay = Duration::from_micros(700);
            let faults = Faults { seed, delayed: 500, delay, overtaking: true, ..Faults::default() };
            let secrets = [100, 4711, 5039].map(|index| game.code(index));
            let played = on_threads(protocol, &order, 4, &secrets, |world| FaultyWorld::new(world, faults));
            for (played, secret) in played.expect("games").iter().zip(secrets) {
                check(game, secret, &played.turns);
            }
        }
    }
}

#[test]
fn a_rank_that_ends_in_any_phase() {
    let (order, game) = (order("4x10n"), game("4x10n"));
    for protocol in [Protocol::FirstCome, Protocol::Seed] {
        for frames in 0..12 {
            let secret = game.code(3000 + 50 * frames);
            let order = &order;
            let worlds = ThreadWorld::connect(3);
            let played = std::thread::scope(|scope| {
                let mut worlds = worlds.into_iter();
                let first = worlds.next().expect("rank 0");
                for world in worlds {
                    scope.spawn(move || {
                        let number = world.rank() - 1;
                        let mut post = Post::new(world);
                        if number == 1 {
                            some_frames(&mut post, player(protocol, order, number, 2), frames.into());
                        } else {
                            serve(&mut post, player(protocol, order, number, 2), LOST_AFTER).expect("rank 0 ends it");
                        }
                    });
                }
                let mut post = Post::new(first);
                let master = master(protocol, order, 2, 0, Pick::Lowest);
                let played = lead(&mut post, master, &mut Owner(secret), LOST_AFTER);
                end_session(&mut post).expect("it ends");
                played
            });
            check(game, secret, &played.expect("a game").turns);
        }
    }
}

/// Plays like [`serve`], but ends like a crashed process after that many frames or when the game is over.
fn some_frames<W: World>(post: &mut Post<W>, mut player: Player, mut frames: u64) {
    loop {
        while let Some((_, frame)) = post.try_receive().expect("a frame") {
            if player.take(frame).expect("a master's frame").is_break() {
                return;
            }
        }
        player.search(100);
        for (stamp, body) in player.outbox() {
            if frames == 0 {
                return;
            }
            frames -= 1;
            post.send(0, stamp, body).expect("it is sent");
        }
        if player.is_waiting() {
            post.wait(amazons_mpi::Deadline::NEVER).expect("it wakes");
        }
    }
}

/// What the master says about a rank that sends this.
fn complaint(send: impl Fn(&mut ThreadWorld) + Sync) -> String {
    let order = &order("4x10n");
    let mut worlds = ThreadWorld::connect(2).into_iter();
    let (first, mut second) = (worlds.next().expect("rank 0"), worlds.next().expect("rank 1"));
    send(&mut second);
    drop(second);
    let master = master(Protocol::FirstCome, order, 1, 0, Pick::Lowest);
    let secret = game("4x10n").code(777);
    lead(&mut Post::new(first), master, &mut Owner(secret), LOST_AFTER).expect_err("it misbehaves").to_string()
}

#[test]
fn bad_messages_name_their_rank() {
    let propose = |world: &mut ThreadWorld, indices: &[(u16, u32)]| {
        for (number, (round, index)) in (0..).zip(indices) {
            let stamp = Stamp { round: *round, number, ..Stamp::default() };
            let bytes = encode(&Frame { stamp, body: Body::Propose { index: *index, tests: 0 } }).expect("bytes");
            world.send(0, MASTERMIND_TAG, bytes).expect("it is sent");
        }
    };
    let other = |body| {
        move |world: &mut ThreadWorld| {
            let bytes = encode(&Frame { stamp: Stamp::default(), body }).expect("bytes");
            world.send(0, MASTERMIND_TAG, bytes).expect("it is sent");
        }
    };
    let raw = |tag, bytes: &'static [u8]| {
        move |world: &mut ThreadWorld| world.send(0, tag, bytes.to_vec()).expect("it is sent")
    };
    let hello = complaint(raw(MASTERMIND_TAG, b"hello"));
    assert_eq!(hello, "rank 1 sent an unknown message of 5 bytes: the ranks run different programs");
    assert_eq!(complaint(raw(3, b"")), "rank 1 sent a message with tag 3, which is not of Mastermind");
    let range = complaint(|world| propose(world, &[(0, 5040)]));
    assert_eq!(range, "rank 1 proposed code 5040: 4x10n has 5040");
    let known = complaint(|world| propose(world, &[(0, 0), (1, 0)]));
    assert_eq!(known, "rank 1 proposed 0123, which breaks answer 1");
    let future = complaint(|world| propose(world, &[(4, 0)]));
    assert_eq!(future, "rank 1 knows answers that were not given");
    assert_eq!(
        complaint(other(Body::End { is_more: false, has_lost: false })),
        "rank 1 sent a frame that only a master sends"
    );
    let given = other(Body::Take(Span { from: 0, to: 9, step: 1 }));
    assert_eq!(complaint(given), "rank 1 gave up codes without being asked");
    assert_eq!(complaint(|_| ()), "all players are lost");
}

/// Who has no codes left searches half of another's.
#[test]
fn dry_players_take_over() {
    let (order, game) = (order("5x8r"), game("5x8r"));
    let mut handovers = 0;
    for seed in 0..6 {
        let secret = game.code(game.codes() - 1 - seed);
        let seed = u64::from(seed);
        let mut network = Network::new(Protocol::FirstCome, &order, 5, secret, seed);
        network.play(&[]).expect("it ends");
        check(game, secret, &network.master.turns);
        handovers += network.master.counts.handovers;
    }
    assert!(handovers > 0);
    // Without delays the model needs about as many guesses.
    let cost = first_come(&order, game.code(32_767), Protocol::FirstCome.parts(), 5);
    assert_eq!(cost.guesses.last(), Some(&game.code(32_767)));
}

/// Plays a game with `shared`; rank 1 may be cut off after that many frames.
fn shared_game(ranks: usize, scorer: &Scorer, secret: Code, crash: Option<u64>, faults: Faults) -> Vec<Turn> {
    let game = scorer.game;
    let mut worlds = ThreadWorld::connect(ranks).into_iter();
    let first = worlds.next().expect("rank 0");
    std::thread::scope(|scope| {
        for world in worlds {
            let silent_after = crash.filter(|_| world.rank() == 1);
            scope.spawn(move || {
                let mut world = FaultyWorld::new(world, Faults { silent_after, ..faults });
                let worker = SharedWorker::new(scorer);
                let served = jobs::serve(&mut world, &options(LOST_AFTER), |task| worker.work(task));
                assert!(served.is_ok() || silent_after.is_some(), "{served:?}");
            });
        }
        // A helper that is only slow may be taken for lost, which changes nothing.
        let lost_after = crash.map_or(LOST_AFTER, |_| Duration::from_millis(30));
        let mut world = FaultyWorld::new(first, faults);
        let worker = SharedWorker::new(scorer);
        let played = jobs::lead(
            &mut world,
            &options(lost_after),
            |task| worker.work(task),
            |ranks| {
                let (mut leader, mut history) = (SharedLeader::new(ranks, &worker), History::new(game));
                while history.turns().last().is_none_or(|turn| turn.guess != secret) {
                    let guess = game.code(leader.choose(&history).expect("a guess"));
                    history.push(guess, Feedback::of(guess, secret));
                }
                history.turns().to_vec()
            },
        );
        played.expect("it ends").0.expect("rank 0 has it")
    })
}

fn options(lost_after: Duration) -> Options {
    Options { timeouts: Timeouts { alive_every: lost_after / 8, lost_after }, ..Options::default() }
}

/// Chooses a guess with a rank that answers its first job by this.
fn choose_with(answer: Option<Choice>) -> Result<u32, ProtocolError> {
    let scorer = Scorer::new(game("4x6r"), Strategy::Parts);
    let mut worlds = ThreadWorld::connect(2).into_iter();
    let (mut first, mut second) = (worlds.next().expect("rank 0"), worlds.next().expect("rank 1"));
    std::thread::scope(|scope| {
        scope
            .spawn(move || jobs::serve(&mut second, &Options::default(), |_: Task<'_, Chunk>| Ok::<_, String>(answer)));
        let history = History::parse(scorer.game, "1122:10").expect("a history");
        let worker = SharedWorker::new(&scorer);
        let led = jobs::lead(
            &mut first,
            &Options::default(),
            |task| worker.work(task),
            |ranks| SharedLeader::new(ranks, &worker).choose(&history),
        );
        led.expect("it ends").0.expect("rank 0 has it")
    })
}

#[test]
fn helpers_of_shared_are_checked() {
    // The game has no such guess; a chunk of guesses has a best one.
    for choice in [Some(Choice { key: i64::MIN, is_ruled_out: false, index: 99_999 }), None] {
        let error = choose_with(choice).expect_err("it is checked").to_string();
        assert_eq!(error, "rank 1 chose a code that is not in its chunk");
    }
    // A job of another game: too few pegs, a colour or an answer that it lacks, guesses that it lacks.
    let scorer = Scorer::new(game("3x4r"), Strategy::Parts);
    for (turns, range) in [("12:10", 0..1), ("125:10", 0..1), ("123:21", 0..1), ("123:10", 0..999)] {
        let job = Chunk { turns: turns.to_owned(), range };
        let mut worlds = ThreadWorld::connect(2);
        let mut second = worlds.pop().expect("rank 1");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let worker = SharedWorker::new(&scorer);
                jobs::serve(&mut second, &Options::default(), |task| worker.work(task))
            });
            let options = Options { leader_works: false, ..Options::default() };
            let work = |_: Task<'_, Chunk>| Err::<Option<Choice>, _>("not rank 0".to_owned());
            let done = map_jobs(&mut worlds[0], &options, [job], work, |_, best| panic!("{best:?}"));
            let reason = done.expect_err("it is refused").to_string();
            assert!(reason.ends_with("rank 1: rank 0 sent a chunk that 3x4r does not have"), "{reason}");
        });
    }
}

/// Plays games with `shared` in some way; they must be those of one process.
fn check_shared_games(play: impl Fn(&Scorer, Code) -> Vec<Turn>) {
    let small = Strategy::ALL.map(|strategy| ("4x5r", [0, 543], strategy));
    let large = [("4x6r", [7, 1000], Strategy::Parts), ("4x10n", [2024, 5039], Strategy::Entropy)];
    for (name, secrets, strategy) in small.into_iter().chain(large) {
        let scorer = Scorer::new(game(name), strategy);
        for secret in secrets.map(|index| game(name).code(index)) {
            let mut expected = History::new(game(name));
            while expected.turns().last().is_none_or(|turn| turn.guess != secret) {
                let guess = scorer.next_guess(&expected, Guesses::All).expect("a code is left");
                let guess = game(name).code(guess);
                expected.push(guess, Feedback::of(guess, secret));
            }
            assert_eq!(play(&scorer, secret), expected.turns(), "{name} {strategy}");
        }
    }
}

#[test]
fn shared_games_are_those_of_one_process() {
    for ranks in 1..=4 {
        check_shared_games(|scorer, secret| shared_game(ranks, scorer, secret, None, Faults::default()));
    }
}

#[test]
fn late_and_overtaking_messages_change_no_shared_game() {
    let delay = Duration::from_micros(300);
    let late = Faults { seed: 5, delayed: 500, delay, overtaking: true, ..Faults::default() };
    check_shared_games(|scorer, secret| shared_game(3, scorer, secret, None, late));
}

#[test]
fn a_rank_that_is_cut_off_changes_no_shared_game() {
    for frames in [0, 1, 5] {
        check_shared_games(|scorer, secret| shared_game(3, scorer, secret, Some(frames), Faults::default()));
    }
}
