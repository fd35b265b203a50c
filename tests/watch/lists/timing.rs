use std::fs;
use std::time::{Duration, Instant};

use amazons::watch::{Access, Folder, ServerLimits, Site};
use amazons_rules::Shape;
use tempfile::TempDir;

use crate::watch::{as_if_played, get, record, serve};

/// The figures for docs/performance.md, which `--nocapture` shows.
#[test]
fn ten_thousand_records_are_listed() {
    let folder = TempDir::new().expect("a folder");
    let text = as_if_played(&record("a", "b", Shape::Square, 10, 1), [None, None]);
    for number in 0..10_000 {
        fs::write(folder.path().join(format!("{number}.jsonl")), &text).expect("a file");
    }
    for (fresh, again) in [(3600, "a list that is known"), (0, "looked through again")] {
        let site = Site::of_folders(Access::Local, vec![Folder::new(folder.path()).expect("a folder")], Vec::new());
        let viewer = serve(site.with_fresh_lists(Duration::from_secs(fresh)), Access::Local, ServerLimits::default());
        for what in ["the first list", again] {
            let begun = Instant::now();
            let list = get(viewer.address(), "/api/games?player=a&sort=moves&page=3").json();
            println!("10,000 records, {what}: {:?}", begun.elapsed());
            assert_eq!(list["list"]["total"], 10_000);
        }
        viewer.stop().expect("it had not failed");
    }
}
