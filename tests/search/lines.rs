//! Several lines of one tree, against a walk that restarts for each of them.

use amazons_search::{Game, Limits, Mcts, MctsConfig, Outcome, Player, Proof, SearchLine, SearchReport, Searcher};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::boxes::Boxes;
use super::domineering::Domineering;
use super::slow::Noise;

fn search<G: Game + Send>(game: &G, nodes: u64) -> (Mcts<G, Noise>, SearchReport<G::Move>) {
    let config = MctsConfig { memory_bytes: 0, expand_after: 1 + (nodes % 2) as u32, ..MctsConfig::default() };
    let mut mcts = Mcts::new(config, Noise);
    let report = mcts.search(game, &mut Limits::nodes(nodes));
    (mcts, report)
}

/// The statistics of a node, by searching again and walking down to it.
struct Slow<M> {
    mv: M,
    visits: u64,
    value: f32,
    proof: Option<Proof>,
    turn: Player,
    below: Vec<Self>,
}

/// The nodes `plies` plies below `path`, each seen through its own tree.
fn below<G: Game + Send>(game: &G, nodes: u64, path: &[G::Move], plies: u32) -> Vec<Slow<G::Move>> {
    let (mut mcts, _) = search(game, nodes);
    let mut here = game.clone();
    path.iter().for_each(|&mv| here.play(mv));
    mcts.advance(path);
    let report = mcts.search(&here, &mut Limits::nodes(0));
    let is_open = path.is_empty() || report.moves.iter().any(|root| root.visits > 0);
    let slow = |root: &amazons_search::RootMove<G::Move>| {
        let path = [path, &[root.mv]].concat();
        let mut child = here.clone();
        child.play(root.mv);
        let is_over = plies == 1 || root.visits == 0 || child.outcome().is_some();
        let below = if is_over { Vec::new() } else { below(game, nodes, &path, plies - 1) };
        Slow { mv: root.mv, visits: root.visits, value: root.value, proof: root.proof, turn: child.turn(), below }
    };
    report.moves.iter().filter(|_| is_open).map(slow).collect()
}

/// A node without the lines taken: visits, value, proof; `None` when no line is left.
type Rest = Option<(u64, f32, Option<Proof>)>;

fn rest<M: Copy + Eq>(node: &Slow<M>, path: &[M], taken: &[Vec<M>]) -> Rest {
    let through: Vec<_> = taken.iter().filter(|line| line.starts_with(path)).collect();
    if through.is_empty() {
        return Some((node.visits, node.value, node.proof));
    }
    let at = *best(&node.below, node.turn, path, taken).first()?;
    let extended = |child: &Slow<M>| rest(child, &[path, &[child.mv]].concat(), taken);
    let left: Vec<_> = node.below.iter().filter_map(extended).collect();
    let gone: u64 = through.iter().map(|line| leaf(&node.below, &line[path.len()..]).visits).sum();
    let wins = left.iter().filter_map(|(.., proof)| *proof).filter(|proof| proof.outcome == Outcome::Win(node.turn));
    let proof = match wins.map(|proof| proof.plies).min() {
        Some(plies) => Some(Proof { outcome: Outcome::Win(node.turn), plies: plies + 1 }),
        None if left.iter().any(|(.., proof)| proof.is_none()) => None,
        None => {
            let proofs = || left.iter().filter_map(|(.., proof)| *proof);
            let best = proofs().find(|proof| proof.outcome == Outcome::Draw);
            best.or_else(|| proofs().max_by_key(|proof| proof.plies))
                .map(|proof| Proof { plies: proof.plies + 1, ..proof })
        }
    };
    let (_, value, _) = extended(&node.below[at])?;
    Some((node.visits - gone, value, proof))
}

fn leaf<'a, M: Eq>(nodes: &'a [Slow<M>], path: &[M]) -> &'a Slow<M> {
    let node = nodes.iter().find(|node| node.mv == path[0]).expect("a line of the tree");
    if path.len() == 1 { node } else { leaf(&node.below, &path[1..]) }
}

/// The indices of the nodes that `turn` may choose among those left: all as good as the best.
fn best<M: Copy + Eq>(nodes: &[Slow<M>], turn: Player, path: &[M], taken: &[Vec<M>]) -> Vec<usize> {
    let left = |node: &Slow<M>| rest(node, &[path, &[node.mv]].concat(), taken);
    let left: Vec<_> = nodes.iter().enumerate().filter_map(|(at, node)| Some((at, left(node)?))).collect();
    let all = |wanted: &dyn Fn(u64, f32, Option<Proof>) -> bool| -> Vec<usize> {
        left.iter().filter(|(_, (visits, value, proof))| wanted(*visits, *value, *proof)).map(|(at, _)| *at).collect()
    };
    let plies = |winner: Player| {
        let proofs = left.iter().filter_map(|(_, (.., proof))| *proof);
        proofs.filter(move |proof| proof.outcome == Outcome::Win(winner)).map(|proof| proof.plies)
    };
    let proof = |outcome, plies| Some(Proof { outcome, plies });
    if let Some(soonest) = plies(turn).min() {
        return all(&|_, _, known| known == proof(Outcome::Win(turn), soonest));
    }
    let draws = all(&|_, _, proof| proof.is_some_and(|proof| proof.outcome == Outcome::Draw));
    let unproven = left.iter().filter(|(_, (.., proof))| proof.is_none());
    let Some(most) = unproven.clone().map(|(_, (visits, ..))| *visits).max() else {
        let latest = plies(turn.opponent()).max().unwrap_or(0);
        return if draws.is_empty() {
            all(&|_, _, p| p == proof(Outcome::Win(turn.opponent()), latest))
        } else {
            draws
        };
    };
    let worth = |value: f32| turn.sign() * value;
    let favourites = unproven.filter(|(_, (visits, ..))| *visits == most).map(|(_, (_, value, _))| worth(*value));
    let highest = favourites.clone().fold(f32::NEG_INFINITY, f32::max);
    let open = all(&|visits, value, proof| proof.is_none() && visits == most && worth(value) == highest);
    // Draws come first when the most visited is worse; where several are, either may have been asked.
    let draws_first = favourites.clone().any(|worth| worth < 0.0) && !draws.is_empty();
    let open_first = draws.is_empty() || favourites.clone().any(|worth| worth >= 0.0);
    [(draws_first, draws), (open_first, open)].into_iter().filter(|(first, _)| *first).flat_map(|(_, at)| at).collect()
}

/// Compares and returns the number of lines that end before their last ply.
fn compare<G: Game + Send + std::fmt::Debug>(game: &G, nodes: u64, plies: u32) -> usize {
    let (mcts, report) = search(game, nodes);
    let found = mcts.lines(plies, 12);
    let tree = below(game, nodes, &[], plies);
    let mut taken: Vec<Vec<G::Move>> = Vec::new();
    for line in &found {
        let (mut level, mut turn, mut path) = (&tree, game.turn(), Vec::new());
        loop {
            let ties = best(level, turn, &path, &taken);
            if ties.is_empty() {
                break;
            }
            let at = ties.iter().find(|&&at| level[at].mv == line.moves[path.len()]);
            let &at = at.unwrap_or_else(|| panic!("{line:?} behind {taken:?} of {game:?} with {nodes} nodes"));
            path.push(level[at].mv);
            (turn, level) = (level[at].turn, &level[at].below);
        }
        let node = leaf(&tree, &path);
        assert_eq!((line.visits, line.value, line.proof), (node.visits, node.value, node.proof));
        assert!(!taken.contains(&path), "{path:?} twice");
        legal(game, line);
        taken.push(path);
    }
    assert!(found.len() == 12 || best(&tree, game.turn(), &[], &taken).is_empty(), "more than {found:?} of {game:?}");
    // The first is the line that the search plays, to its end.
    let first = found.first().map(|line| line.moves.clone());
    assert_eq!(first.unwrap_or_default(), report.principal_variation);
    taken.iter().filter(|path| path.len() < plies as usize).count()
}

fn legal<G: Game>(game: &G, line: &SearchLine<G::Move>) {
    let mut game = game.clone();
    let mut moves = Vec::new();
    for &mv in &line.moves {
        game.moves(&mut moves);
        assert!(moves.contains(&mv), "{line:?}");
        game.play(mv);
    }
}

#[test]
fn lines_are_those_of_a_walk_that_forgets_what_was_taken() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(61);
    let mut short = 0;
    for round in 0..90 {
        let plies = 1 + round % 3;
        let nodes = [0, 3, 40, 300, 2000][rng.random_range(0..5)];
        let free = rng.random_range(8..17);
        short += compare(&Domineering::random(&mut rng, free), nodes, plies);
        let left = rng.random_range(4..8);
        short += compare(&Boxes::random(&mut rng, left), nodes, plies);
    }
    assert!(short > 20, "{short} lines end early");
}

#[test]
fn one_ply_apart_lines_are_the_moves_of_the_report() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(62);
    let mut proven = 0;
    for _ in 0..200 {
        let game = Boxes::random(&mut rng, 8);
        let (mcts, report) = search(&game, rng.random_range(0..1500));
        let lines = mcts.lines(1, usize::MAX);
        let found: Vec<_> = lines.iter().map(|line| (line.moves[0], line.visits, line.value, line.proof)).collect();
        let expected: Vec<_> = report.moves.iter().map(|root| (root.mv, root.visits, root.value, root.proof)).collect();
        // A draw's place depends on the most visited of the others, which may have been taken.
        let draws = report.moves.iter().any(|root| root.proof.is_some_and(|proof| proof.outcome == Outcome::Draw));
        assert!(draws || found == expected, "{game:?}");
        proven += usize::from(report.proof.is_some() && !draws);
    }
    assert!(proven > 10, "{proven}");
}

#[test]
fn without_a_tree_or_plies_there_are_no_lines() {
    let game = Domineering::random(&mut Xoshiro256PlusPlus::seed_from_u64(63), 20);
    assert_eq!(Mcts::<Domineering, _>::new(MctsConfig::default(), Noise).lines(2, 5), []);
    let (mut mcts, _) = search(&game, 100);
    assert_eq!((mcts.lines(0, 5), mcts.lines(2, 0)), (vec![], vec![]));
    mcts.clear();
    assert_eq!(mcts.lines(2, 5), []);
}
