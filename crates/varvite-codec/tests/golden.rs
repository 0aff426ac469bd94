//! Reads files that other programs wrote. `golden/README.md` lists them.

use std::io::{Cursor, Read};

use varvite_codec::frame::{FrameOptions, FrameReader, Framing, ZipReader};

use crate::sample::log_lines;

#[test]
fn streams_of_other_programs_read_to_their_plain_bytes() {
    let plain = log_lines(3000).repeat(60);
    let files: [(&str, Framing, &[u8]); 9] = [
        ("python-snappy.sz", Framing::Snappy, include_bytes!("golden/python-snappy.sz")),
        ("python-snappy-nocrc.sz", Framing::SnappyUnchecked, include_bytes!("golden/python-snappy-nocrc.sz")),
        ("python-snappy.hadoop", Framing::HadoopSnappy, include_bytes!("golden/python-snappy.hadoop")),
        ("linked.lz4", Framing::Lz4, include_bytes!("golden/linked.lz4")),
        ("all-sums.lz4", Framing::Lz4, include_bytes!("golden/all-sums.lz4")),
        ("high.lz4", Framing::Lz4, include_bytes!("golden/high.lz4")),
        ("zlib.zlib", Framing::Zlib, include_bytes!("golden/zlib.zlib")),
        ("two-members.gz", Framing::Gzip, include_bytes!("golden/two-members.gz")),
        ("level-19.zst", Framing::Zstd, include_bytes!("golden/level-19.zst")),
    ];
    for (name, framing, data) in files {
        let mut back = Vec::new();
        let read = FrameReader::new(framing, data, &FrameOptions::default()).unwrap().read_to_end(&mut back);
        assert!(read.is_ok() && back == plain, "{name}: {read:?}");
        let known = Framing::detect(data);
        assert_eq!(known, Some(framing).filter(|framing| *framing != Framing::HadoopSnappy), "{name}");
    }
}

#[test]
fn zip_files_of_other_programs_read_to_their_plain_bytes() {
    let plain = &log_lines(3000).repeat(60)[..100_000];
    for data in [&include_bytes!("golden/python.zip")[..], include_bytes!("golden/zip64.zip")] {
        let zip = ZipReader::open(Cursor::new(data), &FrameOptions::default()).unwrap();
        let mut back = Vec::new();
        for index in 0..zip.components().len() {
            zip.component(index).unwrap().unwrap().read_to_end(&mut back).unwrap();
        }
        assert!(back == plain);
    }
}
