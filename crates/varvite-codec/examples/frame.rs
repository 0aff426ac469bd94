//! Converts framed bytes on standard input to plain bytes on standard output, or plain bytes to framed ones:
//!
//!     cargo run -p varvite-codec --example frame -- read gzip < data.gz
//!     cargo run -p varvite-codec --example frame -- write zstd 19 < data > data.zst
//!
//! The framing is one of `Framing`, or `zip`. With `zip`, `read` joins the components of a zip file, and
//! `write` makes one component for every 64 KiB. `cargo xtask reference` compares this example with the tools
//! that define the framings.

use std::io::{self, Cursor, Read, Write};
use std::process::ExitCode;

use varvite_codec::frame::{FrameOptions, FrameReader, FrameWriter, Framing, ZipReader, ZipWriter};

const USAGE: &str = "usage: frame read FRAMING | frame write FRAMING [LEVEL]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["read", "zip"] => read_zip(),
        ["write", "zip"] => write_zip(6),
        ["read", framing] => known(framing).and_then(read),
        ["write", framing] => {
            known(framing).and_then(|framing| write(framing, framing.codec().default_level()))
        }
        ["write", framing, level] => match level.parse() {
            Ok(level) if framing == "zip" => write_zip(level),
            Ok(level) => known(framing).and_then(|framing| write(framing, level)),
            Err(_) => Err(io::Error::other(USAGE)),
        },
        _ => Err(io::Error::other(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("frame: {error}");
            ExitCode::FAILURE
        }
    }
}

fn known(name: &str) -> io::Result<Framing> {
    Framing::from_name(name).ok_or_else(|| io::Error::other(format!("no framing '{name}'")))
}

fn read(framing: Framing) -> io::Result<()> {
    let mut reader = FrameReader::new(framing, io::stdin().lock(), &FrameOptions::default())?;
    io::copy(&mut reader, &mut io::stdout().lock()).map(|_| ())
}

fn write(framing: Framing, level: i32) -> io::Result<()> {
    let mut writer = FrameWriter::new(framing, level, io::stdout().lock(), &FrameOptions::default())?;
    io::copy(&mut io::stdin().lock(), &mut writer)?;
    drop(writer.finish()?);
    Ok(())
}

/// A zip file ends with its directory, so the whole file is read first.
fn read_zip() -> io::Result<()> {
    let mut data = Vec::new();
    io::stdin().lock().read_to_end(&mut data)?;
    let zip = ZipReader::open(Cursor::new(data), &FrameOptions::default())?;
    for index in 0..zip.components().len() {
        let component = zip.component(index)?;
        io::copy(&mut component.expect("it is in the list"), &mut io::stdout().lock())?;
    }
    Ok(())
}

fn write_zip(level: i32) -> io::Result<()> {
    let mut zip = ZipWriter::new(io::stdout().lock(), level, &FrameOptions::default())?;
    let (mut input, mut chunk) = (io::stdin().lock(), vec![0; 64 << 10]);
    for number in 0.. {
        let len = fill(&mut input, &mut chunk)?;
        if len == 0 {
            break;
        }
        let mut component = zip.component(&format!("chunk.{number:08}"))?;
        component.write_all(&chunk[..len])?;
        component.finish()?;
    }
    drop(zip.finish()?);
    Ok(())
}

fn fill(input: &mut impl Read, chunk: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < chunk.len() {
        match input.read(&mut chunk[len..])? {
            0 => break,
            more => len += more,
        }
    }
    Ok(len)
}
