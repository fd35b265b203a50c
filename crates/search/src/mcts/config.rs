/// Settings of an [`Mcts`](crate::Mcts).
#[derive(Clone, Debug, PartialEq)]
pub struct MctsConfig {
    /// The scale, in values, of a child's prior softmax(value / temperature): the smaller, the more the search trusts
    /// the evaluator's order (default 0.2).
    pub temperature: f32,
    /// The weight of exploration in PUCT (default 0.35).
    pub cpuct: f32,
    /// The visit at which a node gets children, at least 1 (default 2): 1 evaluates more, 2 saves most of the memory.
    pub expand_after: u32,
    /// The number of moves that are judged and get children when a node is expanded, at least 1 (default: all): those that
    /// were worth most in other positions of the search. Moves that it never judged come on top, and all at the root.
    pub judge_first: u32,
    /// The visit at which a node's other moves are judged, too (default 8).
    pub judge_all_after: u32,
    /// The weight of the minimax of static values in a node's value, against the mean of its visits: 0 to 1 (default
    /// 0.75). M. Lanctot, M. Winands, T. Pepels, N. Sturtevant, "Monte Carlo tree search with heuristic evaluations
    /// using implicit minimax backups", CIG 2014.
    pub minimax_weight: f32,
    /// Progressive widening: the number of children, best prior first, that an unvisited node considers (default 8).
    pub widening_start: u32,
    /// Progressive widening: the number of further children per square root of the node's visits (default 2);
    /// infinity turns widening off.
    pub widening_factor: f32,
    /// Bytes for the tree (default 256 MiB), allocated 2.5 MiB at a time; at least 2.5 MiB. A full tree drops
    /// everything below the least visited nodes and goes on growing.
    pub memory_bytes: usize,
    /// Visits and evaluations by all threads between two checks of the budget (default 1024).
    pub effort_per_question: u64,
    /// Threads on the tree, at least 1 (default 1); with one thread and a budget of nodes, searches are deterministic.
    pub threads: usize,
    /// With several threads, a visit in progress counts with the child's own value, less this for the mover (default
    /// 0.3): higher values keep the threads further apart.
    pub virtual_loss: f32,
    /// While its minimax is unchanged, a node reports the visits below it to its parent only when they reach this share
    /// of the earlier ones (default 0.05); until then walks begin there. So most walks are short, and threads seldom
    /// write to the same nodes; 0 reports every visit to the root.
    pub backup_delay: f32,
}

impl Default for MctsConfig {
    fn default() -> Self {
        Self {
            temperature: 0.2,
            cpuct: 0.35,
            expand_after: 2,
            judge_first: u32::MAX,
            judge_all_after: 8,
            minimax_weight: 0.75,
            widening_start: 8,
            widening_factor: 2.0,
            memory_bytes: 256 << 20,
            effort_per_question: 1024,
            threads: 1,
            virtual_loss: 0.3,
            backup_delay: 0.05,
        }
    }
}
