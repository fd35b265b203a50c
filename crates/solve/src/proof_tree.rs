use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::iter;
use std::ops::Range;

use amazons_rules::{Color, Move, Position};
use rustc_hash::FxHashMap;

use crate::solver::Situation;

/// The numbers of a leaf that both sides are as likely to win.
const EVEN: f64 = 16.0;

/// How far a chance counts: further ones are hardly surer.
const SURE: f64 = 0.02;

/// Winning answers to remember among the moves of a node.
const ANSWERS: usize = 4;

/// How many fewer jobs a win by such an answer may take.
const ANSWERED: u64 = 4;

/// No number: the other side has won.
const NEVER: u64 = u64::MAX;

/// A tree of positions whose leaves are solved elsewhere, each in a job of its own; what is too much for one job gets
/// children.
///
/// Proof numbers say which leaf comes next: they estimate the jobs that it takes to prove a win of either side, as the
/// sum over the moves of the side that loses and the least over those of the winner. I.-C. Wu and others, "Job-level
/// proof number search", IEEE Transactions on Computational Intelligence and AI in Games 5(1), 2013.
///
/// Moves often lead to one situation in several orders: it is solved once, below the node that met it first.
#[derive(Debug)]
pub struct ProofTree {
    root: Position,
    nodes: Vec<Node>,
    /// The node that met a situation first, after so many moves.
    first: FxHashMap<(Situation, usize), NodeId>,
    /// The nodes that met it later, by the first.
    later: FxHashMap<NodeId, Vec<NodeId>>,
    /// The moves that won against moves of a node, the latest first.
    answers: FxHashMap<NodeId, Vec<Move>>,
}

/// The number of a node of a [`ProofTree`].
pub type NodeId = usize;

/// A move of a node that no job could solve, for its child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// The move.
    pub mv: Move,
    /// The chance of the player of the move.
    pub chance: f64,
    /// The number of answers.
    pub answers: u32,
}

#[derive(Clone, Debug)]
struct Node {
    parent: NodeId,
    mv: Option<Move>,
    /// The number of moves from the root.
    depth: usize,
    /// The side to move.
    turn: Color,
    /// The node that met the same situation first stands here alone.
    children: Range<NodeId>,
    /// For each colour, by [`Color::index`], the jobs that its win may take: 0 if it has won, [`NEVER`] if it has lost.
    numbers: [u64; 2],
    /// The same if every job under way finds what its leaf's numbers promise.
    expected: [u64; 2],
    /// Whether a job for it has begun.
    is_due: bool,
}

/// The numbers of a node, or the expected ones.
type Numbers = fn(&Node) -> [u64; 2];

/// A move of the root, and how far its proof has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The move.
    pub mv: Move,
    /// The jobs that a win of each colour may take, by [`Color::index`].
    pub numbers: [u64; 2],
    /// Its answers, and how many of them are lost for the side that gave them.
    pub answers: [usize; 2],
}

impl ProofTree {
    /// Makes a tree of the root alone.
    pub fn new(root: &Position) -> Self {
        let node = Node::leaf((0, None), 0, root.side_to_move(), [1; 2]);
        let (first, later, answers) = <_>::default();
        Self { root: root.clone(), nodes: vec![node], first, later, answers }
    }

    /// Returns the winner of the root, if it is known.
    pub fn winner(&self) -> Option<Color> {
        self.winner_of(0)
    }

    /// Returns a move of the root that wins.
    pub fn winning_move(&self) -> Option<Move> {
        self.winning_move_of(0)
    }

    /// Takes the leaf to be solved next, if any is not due yet: one that matters even if the jobs under way find what is
    /// expected, as long as there is one.
    pub fn take_leaf(&mut self) -> Option<NodeId> {
        let leaf = self.most_proving(0, |node| node.expected).or_else(|| self.most_proving(0, |node| node.numbers))?;
        let Node { numbers: [black, white], expected, is_due, .. } = &mut self.nodes[leaf];
        *is_due = true;
        *expected = won(if black <= white { Color::Black } else { Color::White });
        self.update(leaf);
        Some(leaf)
    }

    /// Notes the situation of a leaf that was taken. If another node has it, the leaf gets that one's numbers, and needs
    /// no job: returns the nodes above it that are solved by that, with their winners.
    pub fn meet(&mut self, leaf: NodeId, situation: Situation) -> Option<Vec<(NodeId, Color)>> {
        let first = *self.first.entry((situation, self.nodes[leaf].depth)).or_insert(leaf);
        if first == leaf {
            return None;
        }
        self.later.entry(first).or_default().push(leaf);
        self.nodes[leaf].children = first..first + 1;
        self.combine(leaf);
        Some(self.update(leaf))
    }

    /// Returns the moves from the root to a node.
    pub fn path(&self, mut node: NodeId) -> Vec<Move> {
        let mut path = Vec::new();
        while let Some(mv) = self.nodes[node].mv {
            path.push(mv);
            node = self.nodes[node].parent;
        }
        path.reverse();
        path
    }

    /// Returns the position of a node.
    pub fn position(&self, node: NodeId) -> Position {
        let mut position = self.root.clone();
        self.path(node).into_iter().for_each(|mv| position.play_unchecked(mv));
        position
    }

    /// Returns whether the result of a node no longer matters.
    pub fn is_moot(&self, node: NodeId) -> bool {
        let (mut open, mut seen) = (vec![node], HashSet::new());
        while let Some(node) = open.pop() {
            if self.winner_of(node).is_none() && seen.insert(node) {
                if node == 0 {
                    return false;
                }
                open.extend(self.parents(node));
            }
        }
        true
    }

    /// Notes that a node's side to move wins by a move.
    fn note_answer(&mut self, node: NodeId, mv: Move) {
        let answers = self.answers.entry(self.nodes[node].parent).or_default();
        answers.retain(|known| *known != mv);
        answers.insert(0, mv);
        answers.truncate(ANSWERS);
    }

    /// Notes who wins a leaf, by a move if its side to move does, and returns the nodes above it that are solved by that,
    /// with their winners.
    pub fn settle(&mut self, leaf: NodeId, winner: Color, mv: Option<Move>) -> Vec<(NodeId, Color)> {
        if let Some(mv) = mv {
            self.note_answer(leaf, mv);
        }
        let node = &mut self.nodes[leaf];
        (node.numbers, node.expected) = (won(winner), won(winner));
        self.update(leaf)
    }

    /// Gives a leaf children: all moves that matter, at least one; a side without moves has lost.
    pub fn expand(&mut self, leaf: NodeId, prospects: &[Prospect]) -> Vec<(NodeId, Color)> {
        let Node { parent, turn, depth, .. } = self.nodes[leaf];
        let first = self.nodes.len();
        let answers = self.answers.get(&parent).map_or(&[][..], Vec::as_slice);
        let child = |prospect: &Prospect| {
            let numbers = prospect.numbers(turn, answers.contains(&prospect.mv));
            Node::leaf((leaf, Some(prospect.mv)), depth + 1, turn.opposite(), numbers)
        };
        self.nodes.extend(prospects.iter().map(child));
        self.nodes[leaf].children = first..self.nodes.len();
        self.combine(leaf);
        self.update(leaf)
    }

    /// Returns the jobs that a win of each colour may take, by [`Color::index`].
    pub fn numbers(&self) -> [u64; 2] {
        self.nodes[0].numbers
    }

    /// Returns the root's moves, the most promising first.
    pub fn progress(&self) -> Vec<Progress> {
        let turn = self.nodes[0].turn;
        let mut moves: Vec<Progress> = self
            .children(0)
            .map(|child| {
                let lost = self.children(child).filter(|&answer| self.winner_of(answer) == Some(turn)).count();
                let Node { mv, numbers, children, .. } = &self.nodes[child];
                Progress { mv: mv.expect("a child has a move"), numbers: *numbers, answers: [children.len(), lost] }
            })
            .collect();
        moves.sort_by_key(|progress| progress.numbers[turn.index()]);
        moves
    }

    fn children(&self, node: NodeId) -> Range<NodeId> {
        self.nodes[node].children.clone()
    }

    fn winning_move_of(&self, node: NodeId) -> Option<Move> {
        let turn = self.nodes[node].turn;
        self.children(node).find(|&child| self.winner_of(child) == Some(turn)).and_then(|child| self.nodes[child].mv)
    }

    fn winner_of(&self, node: NodeId) -> Option<Color> {
        let numbers = self.nodes[node].numbers;
        Color::ALL.into_iter().find(|color| numbers[color.index()] == 0)
    }

    /// Returns the leaf below a node that is not due and whose result says most, by these numbers.
    fn most_proving(&self, node: NodeId, numbers: Numbers) -> Option<NodeId> {
        let Node { turn, children, is_due, .. } = &self.nodes[node];
        if numbers(&self.nodes[node]).contains(&0) {
            return None;
        }
        if children.is_empty() {
            return (!is_due).then_some(node);
        }
        let mut children: Vec<NodeId> = self.children(node).collect();
        children.sort_by_key(|&child| numbers(&self.nodes[child])[turn.index()]);
        children.into_iter().find_map(|child| self.most_proving(child, numbers))
    }

    /// Returns the parents of a node, and of those that met its situation later.
    fn parents(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let later = self.later.get(&node).into_iter().flatten().copied();
        iter::once(node).chain(later).filter(|&node| node > 0).map(|node| self.nodes[node].parent)
    }

    /// Brings the numbers above a node up to date; returns the nodes that are solved now.
    fn update(&mut self, node: NodeId) -> Vec<(NodeId, Color)> {
        let mut solved = Vec::new();
        // The deepest come first, so that each is combined once.
        let mut due = BTreeSet::new();
        self.pass_on(node, &mut due);
        while let Some((_, node)) = due.pop_first() {
            let Node { numbers, expected, .. } = self.nodes[node];
            if numbers.contains(&0) {
                continue;
            }
            self.combine(node);
            if (numbers, expected) != (self.nodes[node].numbers, self.nodes[node].expected) {
                if let Some(winner) = self.winner_of(node) {
                    solved.push((node, winner));
                    if let Some(mv) = self.winning_move_of(node) {
                        self.note_answer(node, mv);
                    }
                }
                self.pass_on(node, &mut due);
            }
        }
        solved
    }

    /// Gives a node's numbers to those that met its situation later, and adds the parents of all to those due.
    fn pass_on(&mut self, node: NodeId, due: &mut BTreeSet<(Reverse<usize>, NodeId)>) {
        let Node { numbers, expected, .. } = self.nodes[node];
        for &later in self.later.get(&node).into_iter().flatten() {
            (self.nodes[later].numbers, self.nodes[later].expected) = (numbers, expected);
        }
        due.extend(self.parents(node).map(|parent| (Reverse(self.nodes[parent].depth), parent)));
    }

    /// Combines the numbers of a node's children.
    fn combine(&mut self, node: NodeId) {
        let numbers = self.combined(node, |node| node.numbers);
        let expected = self.combined(node, |node| node.expected);
        (self.nodes[node].numbers, self.nodes[node].expected) = (numbers, expected);
    }

    /// The side to move wins by one child, the other side by all.
    fn combined(&self, node: NodeId, numbers: Numbers) -> [u64; 2] {
        let turn = self.nodes[node].turn;
        let of = |color: Color| self.children(node).map(move |child| numbers(&self.nodes[child])[color.index()]);
        let least = of(turn).min().unwrap_or(NEVER);
        let sum = if least == 0 { NEVER } else { of(turn.opposite()).fold(0, u64::saturating_add) };
        let mut combined = [least; 2];
        combined[turn.opposite().index()] = sum;
        combined
    }
}

impl Node {
    const fn leaf((parent, mv): (NodeId, Option<Move>), depth: usize, turn: Color, numbers: [u64; 2]) -> Self {
        Self { parent, mv, depth, turn, children: 0..0, numbers, expected: numbers, is_due: false }
    }
}

impl Prospect {
    /// Returns the numbers of the child: the likelier a side's win the less, and as much again for every answer that a
    /// win of the move's player must meet; fewer if the move won beside.
    fn numbers(&self, turn: Color, is_answer: bool) -> [u64; 2] {
        let chance = self.chance.clamp(SURE, 1.0 - SURE);
        let odds = chance / (1.0 - chance);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and a thousand")]
        let of = |number: f64| number.max(1.0) as u64;
        let wins = of(EVEN / odds).saturating_mul(self.answers.max(1).into());
        let mut numbers = [of(EVEN * odds); 2];
        numbers[turn.index()] = if is_answer { (wins / ANSWERED).max(1) } else { wins };
        numbers
    }
}

/// Returns the numbers of a position that a colour has won.
const fn won(winner: Color) -> [u64; 2] {
    match winner {
        Color::Black => [0, NEVER],
        Color::White => [NEVER, 0],
    }
}
