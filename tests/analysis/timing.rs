use super::command::{analyze, lines};

#[test]
fn time_is_kept_roughly() {
    let ran = analyze(&["--json", "-m", "10", "--time", "200ms", "--threads", "2"]);
    let seconds = lines(&ran.out)[0]["seconds"].as_f64().expect("a number");
    // The processor's own clock: other work on the machine does not count.
    assert!((0.2..1.0).contains(&seconds), "{seconds}");
}
