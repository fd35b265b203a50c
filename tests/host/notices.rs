//! Notices: only written notices are read.

use amazons_sandbox::{NOTICE_LEN, Notice, NoticeKind};

const TEXT_MAX: usize = NOTICE_LEN - 12;

fn ready(text: &[u8]) -> [u8; NOTICE_LEN] {
    Notice { kind: NoticeKind::Ready, text: text.to_vec() }.encode()
}

#[test]
fn a_notice_fits_in_one_atomic_write() {
    // POSIX promises 512 bytes; Linux has 4096.
    const { assert!(NOTICE_LEN <= 512) };
}

#[test]
fn every_kind_survives_the_way() {
    for kind in [NoticeKind::Ready, NoticeKind::Refused, NoticeKind::Failed, NoticeKind::NotRun, NoticeKind::Located] {
        for len in [0, 1, TEXT_MAX] {
            let notice = Notice { kind, text: vec![b'x'; len] };
            assert_eq!(Notice::decode(&notice.encode()), Some(notice));
        }
    }
}

#[test]
fn every_other_length_is_refused() {
    let bytes = [ready(b"text"), ready(b"")].concat();
    for len in (0..bytes.len()).filter(|&len| len != NOTICE_LEN) {
        assert_eq!(Notice::decode(&bytes[..len]), None, "{len}");
    }
}

#[test]
fn parts_that_a_notice_does_not_use_must_be_empty() {
    let mut padded = ready(b"text");
    padded[NOTICE_LEN - 1] = 1;
    assert_eq!(Notice::decode(&padded), None);
}

#[test]
fn other_bytes_are_refused() {
    let mut other = ready(b"");
    other[0] ^= 1;
    assert_eq!(Notice::decode(&other), None);
    let mut unknown = ready(b"");
    unknown[4..8].copy_from_slice(&5_u32.to_le_bytes());
    assert_eq!(Notice::decode(&unknown), None);
}

#[test]
fn a_text_cannot_be_longer_than_its_frame() {
    let bytes = ready(&[b'x'; 1000]);
    assert_eq!(Notice::decode(&bytes).map(|notice| notice.text.len()), Some(TEXT_MAX));
    let mut lying = bytes;
    lying[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Notice::decode(&lying), None);
}
