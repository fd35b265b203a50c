//! The report of a dying process: any bytes at all, for the player can write to the pipe.

use amazons_sandbox::report::{CrashReport, FRAMES_MAX, Frame, MODULE_LEN, MODULES_MAX, REPORT_LEN, RawCrashReport};
use proptest::array::uniform32;
use proptest::collection::vec;
use proptest::prelude::*;

use super::check;

const CASES: u32 = 2000;

fn frames() -> impl Strategy<Value = Vec<Frame>> {
    let frame =
        (prop_oneof![0..30_u32, any::<u32>()], any::<u64>()).prop_map(|(module, offset)| Frame { module, offset });
    vec(frame, 0..=FRAMES_MAX)
}

/// Names of 32 bytes, closed by zeros.
fn modules() -> impl Strategy<Value = Vec<[u8; MODULE_LEN]>> {
    let name = uniform32(any::<u8>()).prop_map(|bytes| {
        let mut name = [0; MODULE_LEN];
        name[..32].copy_from_slice(&bytes);
        name
    });
    vec(name, 0..=MODULES_MAX)
}

#[test]
fn reports_survive_the_way() {
    let parts = (any::<(i32, i32, u64, i64)>(), frames(), modules());
    check("reports", CASES, &parts, |((signal, code, address, system_call), frames, modules)| {
        let raw = RawCrashReport { signal, code, address, system_call, frames: &frames, modules: &modules };
        let mut bytes = [0; REPORT_LEN];
        raw.encode(&mut bytes);
        prop_assert!(CrashReport::begins(&bytes));
        let report = CrashReport::decode(&bytes).expect("what was written can be read");
        prop_assert_eq!((report.signal, report.code), (signal, code));
        prop_assert_eq!((report.address, report.system_call), (address, system_call));
        prop_assert_eq!(report.frames, frames);
        prop_assert_eq!(report.modules.len(), modules.len());
        Ok(())
    });
}

#[test]
fn any_bytes_are_a_harmless_report_or_none() {
    // All of them begin as a report does, or nothing but the first comparison would be tried out.
    let noise = vec(any::<u8>(), REPORT_LEN - 4).prop_map(|mut rest| {
        let mut bytes = b"AmzC".to_vec();
        // Two small counts, or nothing would follow from them.
        for count in [24, 28] {
            rest[count] &= 0x1F;
            rest[count + 1..count + 4].fill(0);
        }
        bytes.append(&mut rest);
        bytes
    });
    check("report noise", CASES, &noise, |bytes| {
        if let Some(report) = CrashReport::decode(&bytes) {
            prop_assert_eq!(report.frames.len(), usize::from(bytes[28]));
            prop_assert!(report.frames.len() <= FRAMES_MAX && report.modules.len() <= MODULES_MAX);
            prop_assert!(report.modules.iter().all(|name| !name.chars().any(char::is_control)));
        }
        prop_assert!(CrashReport::decode(&bytes[1..]).is_none());
        Ok(())
    });
}
