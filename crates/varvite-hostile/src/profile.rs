//! Profiles in the formats of tools other than heaptrack: stacks of all depths, endless names, numbers that
//! refer to missing items, and compressed data that expands enormously.

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};

use crate::bomb::zstd_run;
use crate::{HostileFile, Kind};

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Profile,
        &[
            ("sound-collapsed-stacks", || b"main;work;deflate 40\nmain;work 2\n".to_vec()),
            ("a-collapsed-stack-of-a-million-calls", || {
                format!("{}x 1\n", "f;".repeat(1_000_000)).into_bytes()
            }),
            ("collapsed-stacks-one-longer-than-the-other", || {
                (1..1_500)
                    .map(|depth| format!("{}x 1\n", "f;".repeat(depth)))
                    .collect::<String>()
                    .into_bytes()
            }),
            ("200000-collapsed-stacks-of-their-own", || {
                (0..200_000).map(|number| format!("main;f{number} 1\n")).collect::<String>().into_bytes()
            }),
            ("collapsed-counts-of-2^63", || format!("main;f {}\n", i64::MAX).repeat(1000).into_bytes()),
            ("collapsed-names-of-control-characters", || {
                b"main;ok 1\nmain;\x1b[2J;<&>\r;\xff\xfe 3\n".to_vec()
            }),
            ("a-collapsed-stack-of-5-megabytes", || {
                [b"m;n 1\n".as_slice(), &vec![b'x'; 5 << 20], b" 1\n"].concat()
            }),
            ("a-million-lines-that-are-no-stacks", || {
                format!("m 1\n{}", "?\n".repeat(1_000_000)).into_bytes()
            }),
            ("samples-of-perf-without-calls", || "a 7 1.2: 1 cycles: \n\n".repeat(100_000).into_bytes()),
            ("samples-of-five-events", || {
                (0..5).map(|event| format!("a 7 1.2: 1 e{event}: \n\n")).collect::<String>().into_bytes()
            }),
            ("a-sample-of-perf-of-500000-calls", || {
                format!("a 7 1.2: 1 cycles: \n{}\n", "\tff f+0x1 (/a)\n".repeat(500_000)).into_bytes()
            }),
            ("200000-programs-of-perf", || {
                (0..200_000)
                    .map(|number| format!("p{number} 7 1.2: 1 cycles: \n\n"))
                    .collect::<String>()
                    .into_bytes()
            }),
            ("addresses-of-perf-without-names", || {
                let sample =
                    |number: u32| format!("a 7 1.2: 1 cycles: \n\t{number:x} [unknown] ([unknown])\n\n");
                (1..100_000).map(sample).collect::<String>().into_bytes()
            }),
            ("a-message-of-pprof-of-nothing-but-samples", || {
                [SAMPLE_TYPE, &[0x12, 0].repeat(1_000_000)].concat()
            }),
            ("a-message-of-pprof-of-nothing-but-texts", || {
                [SAMPLE_TYPE, &[0x32, 0].repeat(4_000_000)].concat()
            }),
            ("a-message-of-pprof-of-locations-without-end", || {
                // A location with 40,000 inlined lines, which occurs 100 times in a sample.
                let line = [0x22, 4, 0x08, 1, 0x10, 7].repeat(40_000);
                let location = [&[0x08, 1][..], &line].concat();
                let sample = [&[0x0a, 100][..], &[1; 100], &[0x12, 1, 1]].concat();
                [SAMPLE_TYPE, &field(0x22, &location), &[0x2a, 2, 0x08, 1], &field(0x12, &sample)].concat()
            }),
            ("a-field-of-pprof-longer-than-the-message", || {
                [SAMPLE_TYPE, &[0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1]].concat()
            }),
            ("a-number-of-pprof-without-end", || [SAMPLE_TYPE, &[0x48], &[0xff; 1000]].concat()),
            ("samples-of-pprof-of-what-is-not-there", || {
                [SAMPLE_TYPE, &[0x12, 8, 0x0a, 3, 7, 8, 9, 0x12, 1, 5]].concat()
            }),
            ("a-document-of-speedscope-nested-100000-times", || {
                format!("{{\"profiles\":{}", "[".repeat(100_000)).into_bytes()
            }),
            ("a-document-of-speedscope-of-empty-stacks", || speedscope(&sampled(&"[],".repeat(500_000)))),
            ("a-document-of-speedscope-of-frames-that-are-not-there", || {
                speedscope(&sampled("[4294967296,1],"))
            }),
            ("200000-frames-of-speedscope-that-never-close", || {
                let open = "{\"type\":\"O\",\"frame\":0,\"at\":1},".repeat(200_000);
                speedscope(&format!(
                    "{{\"type\":\"evented\",\"name\":\"\",\"unit\":\"none\",\"startValue\":0,\"endValue\":9,\
                     \"events\":[{}]}}",
                    open.trim_end_matches(',')
                ))
            }),
            ("a-document-of-speedscope-that-ends-early", || speedscope(&sampled("[0],"))[..60].to_vec()),
            ("16-megabytes-of-samples-in-gzip", || packed(b"a 7 1.2: 1 cycles: \n\tff main (/a)\n\n", 16)),
            ("two-gigabytes-of-empty-lines-of-stacks-in-zstd", || {
                zstd_run(b"main;work 2\n", b'\n', b"main 1\n")
            }),
            ("two-gigabytes-of-empty-lines-of-perf-in-zstd", || {
                zstd_run(b"a 7 1.2: 1 cycles: \n\tff main (/a)\n\n", b'\n', b"\n")
            }),
            ("two-gigabytes-of-blanks-of-speedscope-in-zstd", || {
                zstd_run(b"{\"shared\":{\"frames\":[{\"name\":\"main\"}]},\"profiles\":[", b' ', b"]}")
            }),
            ("a-gigabyte-of-pprof-in-gzip", || packed(SAMPLE_TYPE, 1024)),
        ],
    )
}

/// A sample type whose type and unit are texts that the message does not have.
const SAMPLE_TYPE: &[u8] = &[0x0a, 4, 0x08, 1, 0x10, 2];

/// A protobuf field with its key, length and bytes.
fn field(key: u8, content: &[u8]) -> Vec<u8> {
    let (mut field, mut length) = (vec![key], content.len());
    while length >= 0x80 {
        field.push(length as u8 | 0x80);
        length >>= 7;
    }
    field.push(length as u8);
    [field, content.to_vec()].concat()
}

fn sampled(stacks: &str) -> String {
    let weights = "1,".repeat(stacks.matches('[').count());
    format!(
        "{{\"type\":\"sampled\",\"name\":\"\",\"unit\":\"none\",\"startValue\":0,\"endValue\":9,\
         \"samples\":[{}],\"weights\":[{}]}}",
        stacks.trim_end_matches(','),
        weights.trim_end_matches(',')
    )
}

fn speedscope(profile: &str) -> Vec<u8> {
    format!("{{\"shared\":{{\"frames\":[{{\"name\":\"main\"}}]}},\"profiles\":[{profile}]}}").into_bytes()
}

/// A compressed profile that expands to `megabytes` megabytes.
fn packed(piece: &[u8], megabytes: usize) -> Vec<u8> {
    let mut writer = FrameWriter::new(Framing::Gzip, 6, Vec::new(), &FrameOptions::default())
        .expect("memory for a compressor");
    let block = piece.repeat((1 << 20) / piece.len());
    for _ in 0..megabytes {
        writer.write_plain(&block).expect("a vector takes everything");
    }
    writer.finish().expect("a vector takes everything")
}
