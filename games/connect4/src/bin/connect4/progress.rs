use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often the time is drawn anew.
const DRAW_EVERY: Duration = Duration::from_millis(200);

/// Shows on standard error how much is done; nothing is shown unless that is a terminal.
pub(crate) fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    styled(bar, &format!("{{bar:40}} {{pos}} of {{len}} {what}, {{elapsed}}"))
}

/// Shows on standard error that something goes on, and for how long; nothing is shown unless that is a terminal.
pub(crate) fn spinner(what: &str) -> ProgressBar {
    styled(ProgressBar::new_spinner(), &format!("{{spinner}} {what}, {{elapsed}}"))
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(DRAW_EVERY);
    bar
}
