//! Makespans of counted tasks, exact.

use amazons_mpi::{ThreadWorld, jobs};
use connect4::model::{Policy, run};
use connect4::search::{Computer, Method, SearchSettings, Searcher};

use crate::support::position;

/// Returns the calls of every task of a search to depth 8.
fn costs(moves: &str, task_depth: u32) -> Vec<u64> {
    let mut world = ThreadWorld::connect(1).pop().expect("a rank");
    let settings = SearchSettings { depth: 8, task_depth: Some(task_depth), method: Method::Plain };
    let computer = Computer::default();
    let (costs, _) = jobs::lead(
        &mut world,
        &jobs::Options::default(),
        |task| computer.work(task),
        |dispatcher| Searcher::new(dispatcher, 1).evaluate_all_tasks(&position(moves), &settings),
    )
    .expect("the session ends");
    costs.expect("rank 0 has it").expect("an evaluation").costs.into_iter().flatten().collect()
}

fn makespans(policy: Policy, costs: &[u64], processes: &[usize]) -> Vec<u64> {
    processes.iter().map(|&number| run(policy, costs, number, 0).makespan).collect()
}

#[test]
fn makespans_are_exact() {
    let (seed, list, largest) = (Policy::Seed, Policy::List, Policy::Largest);
    let rows = [
        ("", 1, 5_950_771, 7, seed, [3_406_698, 2_528_115, 887_203]),
        ("", 1, 5_950_771, 7, list, [3_406_698, 1_738_351, 887_203]),
        ("", 2, 5_950_764, 49, seed, [3_479_725, 2_078_130, 989_562]),
        ("", 2, 5_950_764, 49, list, [2_978_699, 1_496_224, 795_937]),
        ("", 2, 5_950_764, 49, largest, [3_022_154, 1_557_046, 823_597]),
        ("", 3, 5_950_715, 343, seed, [3_602_299, 2_020_073, 986_065]),
        ("", 3, 5_950_715, 343, list, [2_976_627, 1_490_737, 753_874]),
        ("", 3, 5_950_715, 343, largest, [2_978_660, 1_489_220, 746_701]),
        ("4444", 2, 3_321_052, 49, seed, [2_033_118, 1_204_674, 623_959]),
        ("4444", 2, 3_321_052, 49, list, [1_697_498, 863_209, 467_125]),
        ("4444", 2, 3_321_052, 49, largest, [1_661_986, 833_512, 421_027]),
        ("4444", 3, 3_782_742, 342, seed, [2_314_284, 1_291_555, 682_662]),
        ("4444", 3, 3_782_742, 342, list, [1_897_967, 953_642, 482_060]),
        ("4444", 3, 3_782_742, 342, largest, [1_891_458, 945_949, 473_308]),
    ];
    for (moves, task_depth, total, tasks, policy, expected) in rows {
        let costs = costs(moves, task_depth);
        assert_eq!((costs.iter().sum::<u64>(), costs.len()), (total, tasks), "{moves} {task_depth}");
        assert_eq!(makespans(policy, &costs, &[2, 4, 8]), expected, "{moves} {task_depth} {policy:?}");
    }
}

#[test]
fn many_processes() {
    let costs = costs("", 4);
    assert_eq!((costs.iter().sum::<u64>(), costs.len()), (5_950_372, 2401));
    let processes = [16, 32, 64];
    assert_eq!(makespans(Policy::Seed, &costs, &processes), [515_624, 267_934, 128_577]);
    assert_eq!(makespans(Policy::List, &costs, &processes), [373_702, 187_452, 94_514]);
    assert_eq!(makespans(Policy::Largest, &costs, &processes), [371_975, 186_246, 93_280]);
    // The goal without latency: at least 0.98 of 64.
    let least = run(Policy::Largest, &costs, 64, 0).makespan;
    assert!(5_950_771.0 / least as f64 / 64.0 >= 0.98);
}

#[test]
fn the_first_process_computes_and_messages_are_two_a_task() {
    for (task_depth, by_first, messages) in
        [(3, [207, 117, 55], Some([272, 452, 576])), (2, [29, 16, 8], None), (1, [4, 2, 0], None)]
    {
        let costs = costs("", task_depth);
        let runs = [2, 4, 8].map(|processes| run(Policy::Seed, &costs, processes, 0));
        assert_eq!(runs.map(|run| run.by_first), by_first, "task depth {task_depth}");
        if let Some(messages) = messages {
            assert_eq!(runs.map(|run| run.messages), messages);
        }
        for run in runs {
            assert_eq!(run.messages, 2 * (costs.len() - run.by_first));
        }
    }
}

#[test]
fn another_process_may_slow_the_report_down() {
    assert_eq!(makespans(Policy::Seed, &costs("44555", 1), &[2, 3]), [1_141_544, 1_198_398]);
    assert_eq!(makespans(Policy::Seed, &costs("4444", 1), &[5, 6]), [1_021_220, 1_162_119]);
}

#[test]
fn latency_costs_time() {
    let costs = [10, 10, 10, 10];
    // Without latency two processes share the tasks evenly.
    assert_eq!(run(Policy::List, &costs, 2, 0).makespan, 20);
    // The second one begins 3 later, and its last result is 3 on its way.
    assert_eq!(run(Policy::List, &costs, 2, 3).makespan, 26);
    // One process sends nothing.
    assert_eq!(run(Policy::Seed, &costs, 1, 1000).makespan, 40);
    assert!(run(Policy::Seed, &costs, 2, 3).makespan >= run(Policy::Seed, &costs, 2, 0).makespan);
}
