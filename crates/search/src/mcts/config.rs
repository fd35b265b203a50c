/// Settings of an [`Mcts`](crate::Mcts).
#[derive(Clone, Debug, PartialEq)]
pub struct MctsConfig {
    /// The scale, in values, of a child's prior softmax(value / temperature): the smaller, the more the search
    /// trusts the evaluator's order (default 0.2).
    pub temperature: f32,
    /// The weight of exploration in PUCT (default 0.35).
    pub cpuct: f32,
    /// The visit at which a node gets children, at least 1 (default 2): 1 evaluates more, 2 saves most of the memory.
    pub expand_after: u32,
    /// The share of the minimax of static values in a node's value, the rest being the mean of its visits: 0 to 1
    /// (default 0.75). M. Lanctot, M. Winands, T. Pepels, N. Sturtevant, "Monte Carlo tree search with heuristic
    /// evaluations using implicit minimax backups", CIG 2014.
    pub minimax_weight: f32,
    /// Progressive widening: the number of children, best prior first, that a node without visits considers
    /// (default 8).
    pub widening_start: u32,
    /// Progressive widening: the number of further children per square root of the node's visits (default 2);
    /// infinity turns widening off.
    pub widening_factor: f32,
    /// Bytes for the tree (default 256 MiB), allocated 2.5 MiB at a time; less than 2.5 MiB counts as 2.5 MiB. A full
    /// tree forgets what lies below nodes that were visited least, and goes on growing.
    pub memory_bytes: usize,
    /// The budget is asked each time that the threads have made so many visits and evaluations together (default 1024).
    pub effort_per_question: u64,
    /// Threads on the tree, at least 1 (default 1); with one and a budget of nodes a search is deterministic.
    pub threads: usize,
    /// Among threads, a visit under way counts as one whose value is the child's own, less this for the mover (default
    /// 0.3): the more, the further the threads stay apart.
    pub virtual_loss: f32,
    /// A node tells its parent of the visits below it, while its minimax stays the same, when they come to this share of
    /// those before (default 0.05); until then walks begin there. Most walks are short then, and threads seldom write to
    /// the same nodes; 0 tells the root of every visit.
    pub backup_delay: f32,
}

impl Default for MctsConfig {
    fn default() -> Self {
        Self {
            temperature: 0.2,
            cpuct: 0.35,
            expand_after: 2,
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
