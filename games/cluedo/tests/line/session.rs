//! The whole session of the specification, byte for byte, in several framings.

use cluedo::line::record::Entry;

use super::driver::{Net, SESSION, session_options};

/// How a client cuts its lines: what it sends before, as one piece or several, and how long it then waits.
struct Cut {
    name: &'static str,
    pieces: fn(&str) -> Vec<Vec<u8>>,
    pause: u64,
}

const CUTS: [Cut; 6] = [
    Cut { name: "LF", pieces: |line| vec![format!("{line}\n").into_bytes()], pause: 0 },
    Cut { name: "CR LF, blanks, zeros", pieces: |line| vec![padded(line).into_bytes()], pause: 0 },
    Cut { name: "byte by byte", pieces: |line| format!("{line}\n").bytes().map(|byte| vec![byte]).collect(), pause: 0 },
    Cut { name: "no LF", pieces: |line| vec![line.as_bytes().to_vec()], pause: 250_000 },
    Cut { name: "empty lines", pieces: |line| vec![format!("\n \n\r\n{line}\n").into_bytes()], pause: 0 },
    Cut { name: "slowly", pieces: |line| vec![line.as_bytes().to_vec(), b"\n".to_vec()], pause: 49_000 },
];

fn padded(line: &str) -> String {
    let (letter, rest) = line.split_at(1);
    if letter == "B" {
        return format!("  {line} \t\r\n");
    }
    format!(
        " {letter}\t {} \t\r\n",
        rest.split_whitespace().map(|word| format!("00{word}")).collect::<Vec<_>>().join("  ")
    )
}

#[test]
fn session_byte_for_byte() {
    for cut in &CUTS {
        let mut net = Net::new(session_options());
        let mut scripts: Vec<std::collections::VecDeque<&str>> =
            SESSION.iter().map(|script| script.split(';').map(str::trim).collect()).collect();
        (0..3).for_each(|seat| net.connect(seat));
        loop {
            let mut is_idle = true;
            for (seat, script) in scripts.iter_mut().enumerate() {
                let heard = net.take(seat);
                for line in heard.split(';').filter(|line| !line.is_empty()) {
                    assert_eq!(script.pop_front(), Some(line), "{}, seat {seat}", cut.name);
                }
                if let Some(answer) = script.front().and_then(|line| line.strip_prefix('<')) {
                    script.pop_front();
                    for piece in (cut.pieces)(answer) {
                        net.send(seat, &piece);
                        net.wait(cut.pause);
                    }
                    is_idle = false;
                }
            }
            if is_idle {
                break;
            }
        }
        assert!(scripts.iter().all(std::collections::VecDeque::is_empty), "{}: {scripts:?}", cut.name);
        assert!(net.ending.is_some(), "{}", cut.name);
        let gains: Vec<i64> = net.table.guests().iter().map(|guest| guest.gain).collect();
        assert_eq!(gains, [-1, 1, 0], "{}", cut.name);
        let ends: Vec<_> = net
            .entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::End { winner, code, shown, accused, .. } => Some((*winner, *code, shown.len(), accused.len())),
                _ => None,
            })
            .collect();
        assert_eq!(ends, [(Some(1), None, 4, 2), (None, Some(201), 0, 0)]);
    }
}

#[test]
fn the_commitment_binds_the_deal() {
    use cluedo::deal::{Deal, salt};
    let deal = Deal::parse(super::driver::SESSION_DEALS[0], 3).expect("a deal");
    assert_eq!(deal.to_string(), super::driver::SESSION_DEALS[0]);
    let published = deal.commitment(&salt(1, 0, 0));
    assert_eq!(published.len(), 64);
    assert_eq!(published, deal.commitment(&salt(1, 0, 0)));
    assert_ne!(published, deal.commitment(&salt(1, 0, 1)));
    let other = Deal::parse("2 5 11 | 0 4 8 | 1 6 9 | 3 7 10", 3).expect("a deal");
    assert_ne!(published, other.commitment(&salt(1, 0, 0)));
}
