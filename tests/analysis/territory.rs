use std::collections::HashMap;

use amazons_rules::{Color, Nearer, Position, Shape, Territory, Vertex};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::any_position;

/// Queen moves to every vertex that a colour reaches, layer by layer.
fn slow_distances(position: &Position, color: Color) -> HashMap<Vertex, u32> {
    let mut found = HashMap::new();
    let mut layer = position.queens(color).to_vec();
    for distance in 1.. {
        let mut next = Vec::new();
        for to in layer.iter().flat_map(|&from| position.slides(from)).flatten() {
            if !found.contains_key(to) {
                found.insert(*to, distance);
                next.push(*to);
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    found
}

#[test]
fn territory_is_what_layers_of_queen_moves_say() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(71);
    let mut seen = [0; 4];
    for round in 0..200 {
        let shape = [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight][round % 4];
        let (m, plies) = (rng.random_range(5..12), rng.random_range(0..60));
        let position = any_position(shape, m, plies, &mut rng);
        let territory = Territory::new(&position);
        let [black, white] = Color::ALL.map(|color| slow_distances(&position, color));
        for id in 0..m * m {
            let expected = match (black.get(&id), white.get(&id)) {
                _ if !position.is_free(id) => None,
                (None, None) => Some(Nearer::Nobody),
                (Some(_), None) => Some(Nearer::Color(Color::Black)),
                (None, Some(_)) => Some(Nearer::Color(Color::White)),
                (Some(black), Some(white)) if black < white => Some(Nearer::Color(Color::Black)),
                (Some(black), Some(white)) if white < black => Some(Nearer::Color(Color::White)),
                (Some(_), Some(_)) => Some(Nearer::Both),
            };
            assert_eq!(territory.vertices[id as usize], expected, "{} of {position}", position.board().square(id));
        }
        let kinds = [Nearer::Color(Color::Black), Nearer::Color(Color::White), Nearer::Both, Nearer::Nobody];
        let counts = kinds.map(|nearer| territory.count(nearer));
        assert_eq!(counts.iter().sum::<usize>(), (0..m * m).filter(|&id| position.is_free(id)).count());
        seen.iter_mut().zip(counts).for_each(|(seen, count)| *seen += count);
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}
