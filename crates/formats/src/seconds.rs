use std::time::Duration;

/// Maximum time: a century, in seconds.
const MAX: f64 = 100.0 * 366.0 * 24.0 * 3600.0;

/// Writes a time in seconds, with up to six decimals.
pub(crate) fn write(time: Duration) -> String {
    let text = format!("{}.{:06}", time.as_secs(), time.subsec_micros());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Writes a time as hours, minutes and seconds, as other programs read it in PGN.
pub(crate) fn write_clock(time: Duration) -> String {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
    let rest = write(Duration::new(seconds, time.subsec_nanos()));
    let zero = if seconds < 10 { "0" } else { "" };
    format!("{}:{:02}:{zero}{rest}", minutes / 60, minutes % 60)
}

/// Reads a time in seconds, or in hours, minutes and seconds separated by colons.
pub(crate) fn read(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let number: f64 = part.parse().ok().filter(|number| (0.0..=MAX).contains(number))?;
        seconds = seconds * 60.0 + number;
    }
    // Rounds to microseconds, so that a written time reads back the same.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to a century")]
    let micros = (seconds * 1e6).round() as u64;
    (seconds <= MAX).then(|| Duration::from_micros(micros))
}
