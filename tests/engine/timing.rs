use amazons_player::thread_time;
use amazons_rules::Position;
use amazons_search::Progress;

use super::endgame::{engine, methods};

/// Counting once took 26 ms at a stretch here: moves were late.
#[test]
fn a_search_looks_at_its_clock_while_it_counts_on_a_large_board() {
    let text = "6*3*3*3**2q1/5**1*1*3***q***3/5***1*2**2**Q1***1/3*2********1**1******/4*****1**2Q******1*1/\
         *3*****q1****1****4/1*******1*3**1****3*/4****1****3****2Q1/1**4**3**5**3/1*1*4***Q3**2*1*2/\
         1*2*2***2*3*3**2/1***1***3*********1***/*q**1*1*1**4***Q1***q/*Q***qQ**1q***1*1q***3/\
         *1*1*******2*1*2***1**/1*5**2**1**3**3/4****1*1*2******1*2/2*1****3Q2*1****4/1Q******2*****1****4/\
         1*1*****1****2*******2/******1***3*2*3***1/*1***q*2**1*****q*1*1*1/*1*1Q1Q****1**q**1**4/\
         1q****1*4**1**Q*3*1 b";
    let position = Position::parse(text).expect("a position text");
    let gaps = || {
        let mut looks = Vec::new();
        let mut budget = |_: &Progress| {
            looks.push(thread_time());
            looks.len() > 400
        };
        engine(position.board(), &methods()[0]).search(&position, &mut budget);
        looks.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
    };
    // Each search does the same work: what the machine adds to a gap is not there in every one of them.
    let mut shortest = gaps();
    for _ in 0..8 {
        shortest.iter_mut().zip(gaps()).for_each(|(shortest, gap)| *shortest = gap.min(*shortest));
    }
    shortest.sort();
    let (longest, usual) = (shortest[shortest.len() - 1], shortest[shortest.len() / 2]);
    // It is 13 to 80 times as long as the usual one, by build and processor, and 16 times that without the limit.
    assert!(longest <= 150 * usual, "the longest time between two looks is {longest:?}, the usual one {usual:?}");
}
