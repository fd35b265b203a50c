use std::fs;
use std::time::Duration;

use amazons::tournament::Histogram;
use amazons::tournament::cores::{one_of_each, physical_cores, usual_concurrency};

#[test]
fn siblings_count_once() {
    let sys = tempfile::tempdir().expect("a folder");
    for (cpu, siblings) in [(0, "0,4"), (1, "1,5"), (4, "0,4"), (5, "1,5"), (6, "6")] {
        let folder = sys.path().join(format!("cpu{cpu}/topology"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("thread_siblings_list"), format!("{siblings}\n")).expect("a file");
    }
    assert_eq!(one_of_each(&[0, 1, 4, 5, 6], sys.path()), [0, 1, 6]);
    assert_eq!(one_of_each(&[4, 5], sys.path()), [4, 5], "what is not allowed is not used");
    assert_eq!(one_of_each(&[0, 8, 9], sys.path()), [0, 8, 9], "what is not told about counts");
}

#[test]
fn there_is_always_room_for_one_game() {
    assert!(!physical_cores().expect("a kernel").is_empty());
    assert_eq!(usual_concurrency(1, 8), 1);
    assert_eq!(usual_concurrency(0, 1), 1);
}

#[test]
fn quantiles_of_a_histogram_are_within_four_percent() {
    let (mut one, mut two) = (Histogram::default(), Histogram::default());
    assert_eq!(one.quantile(0.5), None);
    for micros in 1..=1000 {
        (if micros % 2 == 0 { &mut one } else { &mut two }).add(Duration::from_micros(micros));
    }
    one.merge(&two);
    assert_eq!(one.total(), 1000);
    for (share, expected) in [(0.5, 500.0), (0.99, 990.0), (0.0, 1.0), (1.0, 1000.0)] {
        let found = one.quantile(share).expect("times").as_secs_f64() * 1e6;
        assert!((found / expected - 1.0).abs() < 0.045, "{share}: {found} for {expected}");
    }
    // Too short and too long are counted too.
    one.add(Duration::ZERO);
    one.add(Duration::from_secs(86_400));
    assert_eq!(one.total(), 1002);
}
