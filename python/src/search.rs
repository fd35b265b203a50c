//! A tree search for many games at once, by the caller's evaluation: each round evaluates one leaf of every tree.

use std::thread;

use amazons_rules::{Color, Vertex};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{input, output, writable};
use crate::numbers::value_error;
use crate::planes::{self, PLANES};
use crate::staged::Staged;

/// The share of noise in the priors of a root.
const NOISE: f32 = 0.25;

/// No node: the edge leads to a position that was not evaluated yet, or to the end of the game.
const NONE: u32 = u32::MAX;

/// Visits and values.
pub(crate) type Found<'py> = (Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<f32>>);

#[derive(Debug)]
struct Edge {
    action: Vertex,
    prior: f32,
    visits: u32,
    /// The sum of the chances that the side which chooses the action wins.
    total: f32,
    child: u32,
}

#[derive(Debug)]
struct Node {
    side: Color,
    edges: std::ops::Range<usize>,
    visits: u32,
    /// The sum of the chances of `side`.
    total: f32,
}

#[derive(Debug)]
struct Tree {
    root: Staged,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The nodes and edges from the root to the leaf.
    path: Vec<(u32, usize)>,
    leaf: Option<Staged>,
}

impl Tree {
    const fn new(root: Staged) -> Self {
        Self { root, nodes: Vec::new(), edges: Vec::new(), path: Vec::new(), leaf: None }
    }

    /// Walks to a leaf that needs an evaluation; the end of a game needs none.
    fn select(&mut self, exploration: f32) {
        self.path.clear();
        let mut state = self.root.clone();
        let mut at = if self.nodes.is_empty() { NONE } else { 0 };
        while at != NONE {
            let edge = self.best(at, exploration);
            self.path.push((at, edge));
            state.apply(self.edges[edge].action);
            at = self.edges[edge].child;
        }
        match state.is_over() {
            // The side to move has lost.
            true => self.back_up(state.position.side_to_move(), 0.0),
            false => self.leaf = Some(state),
        }
    }

    /// Returns the edge of a node with the highest bound (PUCT); an edge without visits counts as good as its node.
    fn best(&self, node: u32, exploration: f32) -> usize {
        let node = &self.nodes[node as usize];
        let (unvisited, weight) = (node.total / node.visits as f32, exploration * (node.visits as f32).sqrt());
        let bound = |edge: &Edge| {
            let visits = edge.visits as f32;
            let mean = if edge.visits == 0 { unvisited } else { edge.total / visits };
            mean + weight * edge.prior / (1.0 + visits)
        };
        let mut best = (node.edges.start, f32::NEG_INFINITY);
        for (index, edge) in node.edges.clone().zip(&self.edges[node.edges.clone()]) {
            let bound = bound(edge);
            if bound > best.1 {
                best = (index, bound);
            }
        }
        best.0
    }

    /// Counts the chance of one side in all nodes and edges of the path.
    fn back_up(&mut self, side: Color, chance: f32) {
        for &(node, edge) in &self.path {
            let node = &mut self.nodes[node as usize];
            let own = if node.side == side { chance } else { 1.0 - chance };
            let edge = &mut self.edges[edge];
            (node.visits, node.total) = (node.visits + 1, node.total + own);
            (edge.visits, edge.total) = (edge.visits + 1, edge.total + own);
        }
    }

    /// Adds the evaluated leaf.
    fn expand(&mut self, policy: &[f32], chance: f32, noise: Option<&[f32]>) {
        let Some(leaf) = self.leaf.take() else { return };
        let (first, side) = (self.edges.len(), leaf.position.side_to_move());
        leaf.for_each_legal(|action| self.edges.push(Edge { action, prior: 0.0, visits: 0, total: 0.0, child: NONE }));
        let new = &mut self.edges[first..];
        let shares = |weights: &[f32], new: &[Edge]| -> Vec<f32> {
            let sum: f32 = new.iter().map(|edge| weights[edge.action as usize]).sum();
            let even = 1.0 / new.len() as f32;
            new.iter().map(|edge| if sum > 0.0 { weights[edge.action as usize] / sum } else { even }).collect()
        };
        let mut priors = shares(policy, new);
        if let Some(noise) = noise.filter(|_| self.nodes.is_empty()) {
            let noise = shares(noise, new);
            priors.iter_mut().zip(noise).for_each(|(prior, noise)| *prior += NOISE * (noise - *prior));
        }
        new.iter_mut().zip(priors).for_each(|(edge, prior)| edge.prior = prior);
        let (node, edges) = (self.nodes.len(), first..self.edges.len());
        self.nodes.push(Node { side, edges, visits: 1, total: chance });
        if let Some(&(_, edge)) = self.path.last() {
            self.edges[edge].child = u32::try_from(node).unwrap_or(NONE);
        }
        self.back_up(side, chance);
    }
}

/// Searches in each state, and returns how often each action at the root was visited, and the chance of the side to move.
pub(crate) fn search<'py>(
    states: Vec<Staged>,
    threads: usize,
    evaluate: &Bound<'py, PyAny>,
    simulations: u32,
    exploration: f32,
    noise: Option<&Bound<'py, PyAny>>,
) -> PyResult<Found<'py>> {
    let (py, count, board) = (evaluate.py(), states.len(), states[0].position.board().clone());
    let (cells, rows, columns) = (board.vertex_ids(), board.rows() as usize, board.columns() as usize);
    let noise = noise.map(|noise| input::<f32>(noise, "noise", &[count, cells])).transpose()?;
    let noise = noise.as_ref().map(|noise| weights(noise.as_slice()?, "noise")).transpose()?;
    let mut trees: Vec<Tree> = states.into_iter().map(Tree::new).collect();
    // The first round evaluates the roots.
    for _ in 0..=simulations {
        py.check_signals()?;
        let mut has_leaf = vec![false; count];
        py.detach(|| {
            spread(threads, &mut trees, &mut has_leaf, 1, &|tree: &mut Tree, row: &mut [bool]| {
                if !tree.root.is_over() {
                    tree.select(exploration);
                }
                row[0] = tree.leaf.is_some();
            });
        });
        let chosen: Vec<usize> = (0..count).filter(|&index| has_leaf[index]).collect();
        if chosen.is_empty() {
            // All games are over, or every tree has walked to an end.
            continue;
        }
        let shape = [chosen.len(), PLANES.len(), rows, columns];
        let planes = output::<f32>(py, None, &shape)?;
        let mut locked = writable(&planes)?;
        for (row, &index) in locked.as_slice_mut()?.chunks_mut(PLANES.len() * cells).zip(&chosen) {
            trees[index].leaf.iter().for_each(|leaf| planes::write(leaf, row));
        }
        drop(locked);
        let (policy, values): (Bound<'_, PyAny>, Bound<'_, PyAny>) = evaluate.call1((planes,))?.extract()?;
        let policy = input::<f32>(&policy, "policy", &[chosen.len(), cells])?;
        let values = input::<f32>(&values, "values", &[chosen.len()])?;
        let (policy, values) = (weights(policy.as_slice()?, "policy")?, values.as_slice()?);
        if let Some(wrong) = values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
            return Err(value_error(format!("values: expected chances of the side to move, 0 to 1, got {wrong}")));
        }
        for ((&index, policy), &chance) in chosen.iter().zip(policy.chunks(cells)).zip(values) {
            trees[index].expand(policy, chance, noise.map(|noise| &noise[index * cells..][..cells]));
        }
    }
    let (visits, values) = (PyArray2::zeros(py, [count, cells], false), PyArray1::zeros(py, count, false));
    for ((tree, visits), value) in
        trees.iter().zip(visits.readwrite().as_slice_mut()?.chunks_mut(cells)).zip(values.readwrite().as_slice_mut()?)
    {
        let Some(root) = tree.nodes.first() else { continue };
        for edge in &tree.edges[root.edges.clone()] {
            visits[edge.action as usize] = edge.visits.cast_signed();
        }
        *value = root.total / root.visits as f32;
    }
    Ok((visits, values))
}

/// Checks weights of actions.
fn weights<'a>(given: &'a [f32], name: &str) -> PyResult<&'a [f32]> {
    match given.iter().find(|&&weight| !(0.0..f32::INFINITY).contains(&weight)) {
        None => Ok(given),
        Some(wrong) => Err(value_error(format!("{name}: expected weights of actions from 0, got {wrong}"))),
    }
}

/// Calls `f` for each game and its row, in equal shares on the threads.
pub(crate) fn spread<G: Send, T: Send>(
    threads: usize,
    games: &mut [G],
    rows: &mut [T],
    width: usize,
    f: &(impl Fn(&mut G, &mut [T]) + Sync),
) {
    let each = |games: &mut [G], rows: &mut [T]| {
        games.iter_mut().zip(rows.chunks_mut(width)).for_each(|(game, row)| f(game, row));
    };
    if threads == 1 {
        return each(games, rows);
    }
    let share = games.len().div_ceil(threads);
    thread::scope(|scope| {
        for (games, rows) in games.chunks_mut(share).zip(rows.chunks_mut(share * width)) {
            scope.spawn(move || each(games, rows));
        }
    });
}
