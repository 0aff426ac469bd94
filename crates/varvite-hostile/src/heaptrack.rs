//! Profiles in heaptrack's format: numbers that refer to missing items, trees of extreme depth or width, and
//! endless texts and suppression rules.

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};

use crate::bomb::zstd_run;
use crate::{HostileFile, Kind};

/// The start of a profile: `main` in module `m` at line 1 of `f.c`, and a step for it.
const HEAD: &str = "v 10400 3\ns 4 main\ns 3 f.c\ns 1 m\ni 1 3 1 2 1\nt 1 0\n";

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Heaptrack,
        &[
            ("a-sound-profile", || after_head("a 10 1\n+ 0\nc 5\n")),
            ("a-profile-of-raw-addresses", || {
                b"v 10400 3\nx 4 main\nm 4 main 0 0 1000\n+ 10 1 a000\n".to_vec()
            }),
            ("a-profile-of-version-2^64", || b"v 10400 ffffffffffffffff\n".to_vec()),
            ("a-profile-cut-off-in-a-line", || after_head("a 10 1\n+ 0\n+ 0\n+ ")),
            ("a-stack-of-a-million-steps", || {
                let steps: String = (1..1_000_000).map(|parent| format!("t 1 {parent:x}\n")).collect();
                after_head(&format!("{steps}a 8 f4240\n+ 0\n"))
            }),
            ("stacks-one-longer-than-the-other", || {
                let step =
                    |parent: u32| format!("t 1 {parent:x}\na 8 {:x}\n+ {:x}\n", parent + 1, parent - 1);
                after_head(&(1..30_000).map(step).collect::<String>())
            }),
            ("200000-sites-of-one-caller", || {
                let step = |number: u32| {
                    format!(
                        "i {number:x} 3\nt {:x} 1\na 1 {:x}\n+ {:x}\n",
                        number + 1,
                        number + 1,
                        number - 1
                    )
                };
                after_head(&(1..=200_000).map(step).collect::<String>())
            }),
            ("10000-functions-inlined-at-10000-steps", || {
                let location = format!("i 2 3{}\n", " 1 2 5".repeat(10_000));
                let steps: String = (1..10_000).map(|parent| format!("t 2 {parent:x}\n")).collect();
                after_head(&format!("{location}{steps}a 1 2710\n+ 0\n"))
            }),
            ("steps-that-call-those-behind-them", || after_head("t 1 3\nt 1 2\na 8 3\n+ 0\n")),
            ("numbers-of-what-is-not-there", || {
                after_head("i 9 99 98 97 5\nt 99 99\na 8 99\n+ 0\n+ 99\n- 99\nt ffffffffffffffff 1\n")
            }),
            ("bytes-of-2^63", || after_head(&format!("a 7fffffffffffffff 1\n{}", "+ 0\n".repeat(1000)))),
            ("frees-of-what-never-was", || {
                after_head(&format!("a 7fffffffffffffff 1\n{}", "- 0\n".repeat(1000)))
            }),
            ("a-text-longer-than-the-file", || after_head("s ffffffffffffffff x\ns 7fffffff x\n")),
            ("a-line-of-5-megabytes", || [HEAD.as_bytes(), b"X ", &vec![b'x'; 5 << 20], b"\n"].concat()),
            ("a-million-lines-that-say-nothing", || after_head(&"?\n".repeat(1_000_000))),
            ("2000-rules-for-2000-texts", || {
                let rules = "S leak:*a*b*c*d*e*f\n".repeat(2000);
                let texts: String = (0..2_000).map(|number| format!("s 40 {number:064x}\n")).collect();
                after_head(&format!("{rules}{texts}a 8 1\n+ 0\n"))
            }),
            ("a-million-pointers-of-version-0", || {
                let event = |number: u32| format!("+ 8 1 {number:x}\n");
                let events: String = (0..1_000_000).map(event).collect();
                format!("v 10000\ns main\ni 1 1\nt 1 0\n{events}").into_bytes()
            }),
            ("function-names-of-control-characters", || {
                after_head("s 9 \u{1b}[2J;<&>\r\ns 3 \u{202e}\ni 2 3 4 5 1\nt 2 1\na 8 2\n+ 0\n")
            }),
            ("names-that-are-not-utf-8", || {
                [HEAD.as_bytes(), b"s 3 \xff\xfe\x80\ni 2 3 4\nt 2 1\na 8 2\n+ 0\n"].concat()
            }),
            ("a-gzip-file-of-one-gigabyte-of-events", events_without_end),
            ("two-gigabytes-of-empty-lines-in-zstd", || {
                zstd_run(after_head("a 8 1\n+ 0\n").as_slice(), b'\n', b"c 5\n")
            }),
            ("zeros-that-claim-to-be-gzip", || [vec![0x1f, 0x8b], vec![0; 1000]].concat()),
        ],
    )
}

fn after_head(lines: &str) -> Vec<u8> {
    format!("{HEAD}{lines}").into_bytes()
}

/// A profile of a few megabytes that expands to a gigabyte of lines.
fn events_without_end() -> Vec<u8> {
    let mut writer = FrameWriter::new(Framing::Gzip, 6, Vec::new(), &FrameOptions::default())
        .expect("memory for a compressor");
    writer.write_plain(HEAD.as_bytes()).expect("a vector takes everything");
    writer.write_plain(b"a 8 1\n").expect("a vector takes everything");
    let comment = [b"# ".as_slice(), &vec![b'0'; (1 << 20) - 3], b"\n"].concat();
    for _ in 0..1024 {
        writer.write_plain(b"+ 0\n").expect("a vector takes everything");
        writer.write_plain(&comment).expect("a vector takes everything");
    }
    writer.finish().expect("a vector takes everything")
}
