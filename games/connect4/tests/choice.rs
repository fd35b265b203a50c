use connect4::average::{Evaluator, Table};
use connect4::geometry::Standard;
use connect4::{Choice, Position, Size, TaskTree};

/// The column that is played, by its name, with the search in tasks of the given depth.
fn choice(position: &Position, most: u32, task_depth: u32) -> char {
    let mut choice = Choice::new(position.size());
    for depth in 1..=most {
        let mut tree = TaskTree::new(position, depth, task_depth.min(depth)).expect("a value");
        let table = Table::new(16);
        for index in 0..tree.tasks().len() {
            if tree.is_open(index) {
                let task = tree.tasks()[index];
                let value = Evaluator::new(Standard, &table)
                    .evaluate(task.position.own(), task.position.stones(), task.depth)
                    .expect("a value");
                tree.store(index, value);
            }
        }
        choice.add(depth, &tree.values().expect("a value"));
        if choice.is_final() {
            break;
        }
    }
    position.size().column_name(choice.column().expect("a value"))
}

#[test]
fn choices_are_those_of_the_specification() {
    let rows = [
        ("", "444444444"),
        ("4", "444443333"),
        ("44", "444433333"),
        ("444", "444443333"),
        ("4444", "444433333"),
        ("4344", "444456566"),
        ("434455", "446666777"),
        ("43445573", "666666666"),
    ];
    for (moves, expected) in rows {
        let position = Position::from_moves(Size::STANDARD, moves).expect("legal moves");
        for task_depth in 1..=3 {
            let chosen: String = (1..=9).map(|depth| choice(&position, depth, task_depth)).collect();
            assert_eq!(chosen, expected, "after {moves:?}, task depth {task_depth}");
        }
    }
}

#[test]
fn whole_games() {
    let games = [
        (2, 2, "444444333333552"),
        (4, 4, "444444352122235265333675566635261111177777"),
        (6, 6, "43564644676555776677335115447111133"),
        (8, 8, "4376464463337377665324242222617755"),
        (6, 8, "4357445355233424472277363656"),
        (8, 6, "437544537332776664321545"),
    ];
    for (first, second, expected) in games {
        let (mut position, mut moves) = (Position::empty(Size::STANDARD), String::new());
        while position.ending().is_none() {
            let depth = if moves.len() % 2 == 0 { first } else { second };
            let name = choice(&position, depth, 2);
            moves.push(name);
            let column = position.column(&name.to_string()).expect("a value");
            position.play(column).expect("a value");
        }
        assert_eq!(moves, expected, "{first}:{second}");
    }
}
