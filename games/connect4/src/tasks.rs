use thiserror::Error;

use crate::Position;
use crate::average::Value;

/// The upper levels of a search, cut into tasks: the open positions of the lowest of these levels.
///
/// Results may come in any order; a position whose value is known makes all tasks below it superfluous.
#[derive(Clone, Debug)]
pub struct TaskTree {
    nodes: Vec<Node>,
    tasks: Vec<Task>,
    /// The number of levels above the tasks.
    pub task_depth: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The position; the game goes on.
    pub position: Position,
    /// The plies to search from there.
    pub depth: u32,
    node: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DepthError {
    #[error("task depth {task_depth} with depth {depth}: it is at least 1 and at most the depth")]
    Level { depth: u32, task_depth: u32 },
    #[error("task depth {task_depth}: more than {MAX_NODES} positions above the tasks; name a smaller one")]
    TooMany { task_depth: u32 },
}

/// Maximum number of positions above and at the tasks, some hundred bytes each.
const MAX_NODES: usize = 1_000_000;

#[derive(Clone, Debug)]
struct Node {
    parent: Option<usize>,
    /// The column that led here.
    column: u32,
    /// For the side to move.
    value: Option<Value>,
    children: std::ops::Range<usize>,
}

impl TaskTree {
    /// Lists the tasks of a search to `depth` plies, `task_depth` plies below the root, from left to right. The game
    /// must not be over.
    pub fn new(root: &Position, depth: u32, task_depth: u32) -> Result<Self, DepthError> {
        if !(1..=depth).contains(&task_depth) {
            return Err(DepthError::Level { depth, task_depth });
        }
        assert!(root.ending().is_none(), "there is nothing to search");
        let mut nodes = vec![Node { parent: None, column: 0, value: None, children: 0..0 }];
        let mut level = vec![(0, *root)];
        for _ in 0..task_depth {
            let mut next = Vec::new();
            for (parent, position) in level {
                if nodes.len() > MAX_NODES {
                    return Err(DepthError::TooMany { task_depth });
                }
                let first = nodes.len();
                for column in position.columns() {
                    let child = position.after(column);
                    let value = child.ending().map(|ending| Value::of_ending(ending, &child));
                    if value.is_none() {
                        next.push((nodes.len(), child));
                    }
                    nodes.push(Node { parent: Some(parent), column, value, children: 0..0 });
                }
                nodes[parent].children = first..nodes.len();
            }
            level = next;
        }
        let task = |(node, position)| Task { position, depth: depth - task_depth, node };
        let mut tree = Self { nodes, tasks: level.into_iter().map(task).collect(), task_depth };
        // What finished games decide, from the lowest level up.
        for index in (1..tree.nodes.len()).rev() {
            if tree.nodes[index].value.is_none() {
                tree.nodes[index].value = tree.resolved(index);
            }
        }
        Ok(tree)
    }

    /// Returns all tasks; those that [`Self::is_open`] denies need no result.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Returns whether a task's result is still of use.
    pub fn is_open(&self, task: usize) -> bool {
        let mut node = Some(self.tasks[task].node);
        while let Some(index) = node {
            if self.nodes[index].value.is_some() {
                return false;
            }
            node = self.nodes[index].parent;
        }
        true
    }

    /// Stores the result of a task, for the side to move there; returns whether that may make others superfluous.
    ///
    /// A result that is of no use any more changes nothing.
    pub fn store(&mut self, task: usize, value: Value) -> bool {
        if !self.is_open(task) {
            return false;
        }
        let (mut node, mut is_cut) = (self.tasks[task].node, false);
        self.nodes[node].value = Some(value);
        // The root is not resolved: the values of all its columns are wanted.
        while let Some(parent) = self.nodes[node].parent.filter(|&parent| parent != 0)
            && let Some(value) = self.resolved(parent)
        {
            self.nodes[parent].value = Some(value);
            is_cut |= value == Value::Win;
            node = parent;
        }
        is_cut
    }

    /// Returns the values of the root's columns for the side to move there; `None` until all are known.
    pub fn values(&self) -> Option<Vec<(u32, Value)>> {
        let children = &self.nodes[self.nodes[0].children.clone()];
        children.iter().map(|child| Some((child.column, child.value?.reversed()))).collect()
    }

    /// Applies the rule to a node, if what is known suffices.
    fn resolved(&self, node: usize) -> Option<Value> {
        let children = &self.nodes[self.nodes[node].children.clone()];
        if children.iter().any(|child| child.value == Some(Value::Loss)) {
            return Some(Value::Win);
        }
        let values: Option<Vec<_>> = children.iter().map(|child| child.value.map(Value::reversed)).collect();
        values.filter(|values| !values.is_empty()).map(Value::of_continuations)
    }
}
