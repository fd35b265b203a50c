use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use amazons_mpi::jobs::{Dispatcher, Event, JobId, NobodyLeft, ServeError};
use amazons_mpi::{Deadline, World};

use super::board::{IMPOSSIBLE, Index};
use super::solver::{Job, Part, Solved, Solver};
use crate::scorer::Scorer;
use crate::strategy::{Guesses, Strategy};
use crate::symmetry::Symmetry;
use crate::table::in_parallel;
use crate::tree::Tree;

/// Sets of at most this size are one job; for larger ones each guess is.
const ONE_JOB: usize = 40;
/// How often to look whether to stop.
const STOP_EVERY: Duration = Duration::from_millis(50);

/// The bounds on the optimum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// No strategy takes fewer guesses; more than any cost if none keeps to the limit.
    pub lower: u32,
    /// The tree takes this many guesses: the optimum if it is equal to `lower`.
    pub upper: Option<u32>,
    /// A tree with as many guesses as `upper`.
    pub tree: Option<Tree>,
    /// How many sets were searched on all ranks.
    pub nodes: u64,
}

impl Outcome {
    /// Returns whether no strategy keeps to the limit of guesses.
    pub const fn is_impossible(&self) -> bool {
        self.lower >= IMPOSSIBLE
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The first guess that is being tried.
    pub guess: u32,
    /// Which of the first guesses it is, counted from 1, and of how many.
    pub place: (usize, usize),
    /// No strategy that begins with it takes fewer guesses.
    pub lower: u32,
    /// Some strategy takes this many, if one is known.
    pub upper: Option<u32>,
    /// How many sets were searched on all ranks.
    pub nodes: u64,
    /// The rank that has just finished a job.
    pub rank: usize,
    /// How long that job took, by the rank's clock.
    pub spent: Duration,
}

/// Proves the fewest guesses, or bounds if `is_stopped` says so before. Rank 0 calls this while all ranks do its jobs by
/// [`Solver::do_job`], with solvers for the same game and settings. Proofs with other numbers `run` have no use of what
/// this one remembers, so that it can be timed. Fails when no working rank is left.
///
/// ```
/// use std::time::Duration;
/// use amazons_mpi::{ThreadWorld, jobs};
/// use mastermind::optimum::{Settings, Solver, prove};
///
/// let outcomes = ThreadWorld::run(2, |world| {
///     let solver = Solver::new("3x4r".parse().unwrap(), Settings::default()).unwrap();
///     let work = |task: jobs::Task<_>| solver.do_job(task, || Duration::ZERO);
///     jobs::lead(world, &jobs::Options::default(), work, |ranks| {
///         prove(0, ranks, &solver, &|| false, &mut |_| ()).unwrap()
///     })
///     .unwrap()
///     .0
/// });
/// let optimum = outcomes[0].as_ref().unwrap().as_ref().unwrap();
/// assert_eq!((optimum.lower, optimum.upper), (206, Some(206)));
/// ```
pub fn prove<W: World>(
    run: u32,
    dispatcher: &mut Dispatcher<W, Job, Solved>,
    solver: &Solver,
    is_stopped: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome, ServeError> {
    let (jobs, last_error) = (HashMap::new(), String::new());
    Leader { run, solver, dispatcher, is_stopped, progress, best: None, nodes: 0, jobs, last_error }.run()
}

/// Rank 0's side: tries first guesses, and keeps the account of their parts.
struct Leader<'a, W: World> {
    run: u32,
    solver: &'a Solver,
    dispatcher: &'a mut Dispatcher<W, Job, Solved>,
    is_stopped: &'a dyn Fn() -> bool,
    progress: &'a mut dyn FnMut(&Progress),
    best: Option<Best>,
    nodes: u64,
    /// Which part each unfinished job is about.
    jobs: HashMap<JobId, usize>,
    last_error: String,
}

/// The best strategy so far: a first guess, and what to do with each of its parts.
struct Best {
    cost: u32,
    guess: Index,
    replies: Vec<Reply>,
}

/// The next step for a part.
enum Reply {
    /// This guess has this cost.
    Guess(Part, u32, Index),
    /// A tree for this answer.
    Tree(u8, Tree),
}

struct Account {
    part: Part,
    lower: u32,
    /// The best guess so far, with its cost.
    upper: Option<(u32, Index)>,
    /// Guesses that are still to be tried, with their lower bounds.
    waiting: VecDeque<(u32, Index)>,
    running: usize,
    is_started: bool,
    /// Whether the result of the first job is there.
    is_tried: bool,
    is_done: bool,
}

/// The result of a first guess.
enum Tried {
    /// Its exact cost, below the best so far.
    Better(u32, Vec<Reply>),
    Worse,
    /// The search was stopped: a lower bound.
    Stopped(u32, Vec<Account>),
}

impl Account {
    fn new(solver: &Solver, part: Part, left: u8) -> Self {
        let count = part.set.len();
        let least = solver.board.least(count);
        let waiting: VecDeque<_> = if count > ONE_JOB { solver.weigh(&part, left).into() } else { VecDeque::new() };
        Self {
            lower: waiting.front().map_or(least, |(cost, _)| least.max(*cost)),
            upper: (count < 3).then(|| (least, part.set[0])),
            waiting,
            running: 0,
            is_started: count < 3,
            is_tried: false,
            is_done: count < 3,
            part,
        }
    }

    /// Takes the next guess to try below a limit: the first one alone, then all.
    fn next(&mut self, allowed: u32) -> Option<(Option<Index>, u32)> {
        if self.is_done || self.is_started && (self.waiting.is_empty() || !self.is_tried) {
            return None;
        }
        let limit = self.upper.map_or(allowed, |(cost, _)| cost.min(allowed));
        self.is_started = true;
        if self.part.set.len() <= ONE_JOB {
            self.running += 1;
            return Some((None, limit));
        }
        let (cost, guess) = self.waiting.pop_front()?;
        if cost >= limit {
            self.waiting.clear();
            return None;
        }
        self.running += 1;
        Some((Some(guess), limit))
    }

    fn enter(&mut self, solved: Solved) {
        self.running -= 1;
        self.is_tried = true;
        if let Some(guess) = solved.guess
            && self.upper.is_none_or(|(cost, _)| solved.cost < cost)
        {
            self.upper = Some((solved.cost, guess));
        }
    }

    /// Ends the part if nothing is left to try; from the cost `allowed` on, the first guess is no better than the best.
    fn settle(&mut self, allowed: u32) {
        if self.is_started && !self.is_done && self.running == 0 && self.waiting.is_empty() {
            self.is_done = true;
            self.lower = self.upper.map_or(allowed, |(cost, _)| cost.min(allowed)).max(self.lower);
        }
    }
}

impl<'a, W: World> Leader<'a, W> {
    fn run(mut self) -> Result<Outcome, ServeError> {
        let (all, left) = (self.solver.all(), self.solver.left());
        if left == 0 || self.solver.board.capacity(left) < all.set.len() {
            return Ok(Outcome { lower: IMPOSSIBLE, upper: None, tree: None, nodes: 0 });
        }
        let guesses = self.solver.weigh(&all, left);
        for (place, &(lower, guess)) in guesses.iter().enumerate() {
            if lower >= self.limit() {
                break;
            }
            match self.try_first(&all, guess, (place + 1, guesses.len()))? {
                Tried::Better(cost, replies) => self.best = Some(Best { cost, guess, replies }),
                Tried::Worse => {}
                Tried::Stopped(lower, accounts) => {
                    let rest = guesses.get(place + 1).map_or(IMPOSSIBLE, |(lower, _)| *lower);
                    self.take_unfinished(guess, &all, accounts);
                    return Ok(self.outcome(lower.min(rest)));
                }
            }
        }
        let lower = self.limit();
        Ok(self.outcome(lower))
    }

    /// Takes what was found out about a first guess before the search was stopped, and strategies for the rest of its
    /// parts, if that is better.
    fn take_unfinished(&mut self, guess: Index, all: &Part, accounts: Vec<Account>) {
        let left = usize::from(self.solver.fewer(self.solver.left()));
        let scorers = [Strategy::Entropy, Strategy::Parts].map(|strategy| Scorer::new(self.solver.game(), strategy));
        let mut sum = u32::try_from(all.set.len()).expect("at most 8192");
        let mut replies = Vec::new();
        for account in accounts {
            if let Some((cost, guess)) = account.upper {
                sum += cost;
                replies.push(Reply::Guess(account.part, cost, guess));
                continue;
            }
            let codes: Vec<u32> = account.part.set.iter().map(|&code| u32::from(code)).collect();
            let plans = scorers.iter().filter_map(|scorer| plan(scorer, codes.clone(), &account.part.symmetry));
            let Some(plan) = plans.filter(|plan| plan.depth <= left).min_by_key(|plan| plan.cost) else { return };
            sum += plan.cost;
            replies.push(Reply::Tree(account.part.answer, plan.tree));
        }
        if sum < self.limit() {
            self.best = Some(Best { cost: sum, guess, replies });
        }
    }

    fn outcome(self, lower: u32) -> Outcome {
        let (nodes, run, solver) = (self.nodes, self.run, self.solver);
        let left = solver.fewer(solver.left());
        let reply = |reply| match reply {
            Reply::Tree(answer, tree) => Some((solver.feedbacks[usize::from(answer)], tree)),
            Reply::Guess(part, cost, guess) => {
                Some((solver.feedbacks[usize::from(part.answer)], solver.tree(run, &part, left, cost, Some(guess))?))
            }
        };
        let (upper, tree) = match self.best {
            None => (None, None),
            Some(Best { cost, guess, replies }) => {
                let replies = in_parallel(replies, self.solver.settings.threads, reply);
                let replies: Option<Vec<_>> = replies.into_iter().collect();
                (Some(cost), replies.map(|replies| Tree { guess: self.solver.code(guess), replies }))
            }
        };
        Outcome { lower: upper.map_or(lower, |upper| lower.min(upper)), upper, tree, nodes }
    }

    /// Returns the cost that a first guess must be below.
    fn limit(&self) -> u32 {
        self.best.as_ref().map_or(IMPOSSIBLE, |best| best.cost)
    }

    fn try_first(&mut self, all: &Part, guess: Index, place: (usize, usize)) -> Result<Tried, ServeError> {
        let left = self.solver.fewer(self.solver.left());
        if self.solver.parts(all, guess).iter().any(|part| part.set.len() > self.solver.board.capacity(left)) {
            return Ok(Tried::Worse);
        }
        let account = |part| Account::new(self.solver, part, left);
        let mut accounts: Vec<Account> = self.solver.parts(all, guess).into_iter().map(account).collect();
        // Small parts first: they are cheap, and may show that the guess is no better. Then the largest, whose first
        // guesses nothing else can wait for.
        accounts.sort_by_key(|account| match account.part.set.len() {
            small @ ..=ONE_JOB => (0, small),
            large => (1, usize::MAX - large),
        });
        let own = u32::try_from(all.set.len()).expect("at most 8192");
        loop {
            let sum = own + accounts.iter().map(|account| account.lower).sum::<u32>();
            if sum >= self.limit() {
                self.jobs.clear();
                self.dispatcher.cancel_all();
                return Ok(Tried::Worse);
            }
            if accounts.iter().all(|account| account.is_done) {
                let reply =
                    |account: Account| account.upper.map(|(cost, guess)| Reply::Guess(account.part, cost, guess));
                let replies: Option<Vec<Reply>> = accounts.into_iter().map(reply).collect();
                return Ok(replies.map_or(Tried::Worse, |replies| Tried::Better(sum, replies)));
            }
            if (self.is_stopped)() {
                self.jobs.clear();
                self.dispatcher.cancel_all();
                return Ok(Tried::Stopped(sum, accounts));
            }
            self.hand_out(guess, sum, &mut accounts);
            self.hear(place, guess, sum, &mut accounts)?;
        }
    }

    /// Hands out jobs, those of small parts first.
    fn hand_out(&mut self, first: Index, sum: u32, accounts: &mut [Account]) {
        let limit = self.limit();
        for (place, account) in accounts.iter_mut().enumerate() {
            while self.dispatcher.room() > 0
                && let Some((second, limit)) = account.next(limit - (sum - account.lower))
            {
                let job = Job { first, answer: account.part.answer, second, limit, run: self.run };
                self.jobs.insert(self.dispatcher.push(&job), place);
            }
            account.settle(limit - (sum - account.lower));
        }
    }

    fn hear(
        &mut self,
        place: (usize, usize),
        guess: Index,
        lower: u32,
        accounts: &mut [Account],
    ) -> Result<(), ServeError> {
        if self.jobs.is_empty() {
            return Ok(());
        }
        match self.dispatcher.next_event(Deadline::after(STOP_EVERY)) {
            Ok(Some(Event::Result { job, answer: solved, rank })) => {
                let Some(part) = self.jobs.remove(&job) else { return Ok(()) };
                self.nodes += solved.nodes;
                let spent = solved.spent;
                accounts[part].enter(solved);
                let (nodes, guess) = (self.nodes, u32::from(guess));
                let upper = self.best.is_some().then(|| self.limit());
                (self.progress)(&Progress { guess, place, lower, upper, nodes, rank, spent });
            }
            Ok(Some(Event::Left { rank, reason: Some(reason) })) => self.last_error = format!("rank {rank}: {reason}"),
            Ok(_) => {}
            Err(NobodyLeft) => return Err(ServeError::NobodyLeft(self.last_error.clone())),
        }
        Ok(())
    }
}

struct Plan {
    /// The guesses for all codes together.
    cost: u32,
    /// Maximum number of guesses for a code.
    depth: usize,
    tree: Tree,
}

/// Returns a strategy's tree for codes in order, or nothing if there are none.
fn plan(scorer: &Scorer, left: Vec<u32>, symmetry: &Symmetry) -> Option<Plan> {
    let game = scorer.game;
    let candidates = scorer.candidates(left);
    let guess = scorer.choose(symmetry, &candidates, Guesses::All)?;
    let symmetry = symmetry.after(game.code(guess));
    let cost = u32::try_from(candidates.indices.len()).expect("at most 10^8");
    let tree = Tree { guess: game.code(guess), replies: Vec::new() };
    let mut all = Plan { cost, depth: 1, tree };
    for (answer, part) in scorer.split(&candidates, game.code(guess)) {
        if answer != game.solved()
            && let Some(plan) = plan(scorer, part, &symmetry)
        {
            all.cost += plan.cost;
            all.depth = all.depth.max(plan.depth + 1);
            all.tree.replies.push((answer, plan.tree));
        }
    }
    Some(all)
}
