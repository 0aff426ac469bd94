//! `heap_events FILE [EVENTS [SEED]]` writes a heaptrack profile of an invented run of any length, for
//! benchmarks of readers. The same EVENTS and SEED give the same bytes. If FILE ends in `.zst` or `.gz`, it
//! is compressed.
//!
//! The profile has a tree of 200,000 calls between 5,000 places; 100,000 kinds of allocations, a few of them
//! frequent; and events. Half of the events free an allocation, usually soon after it was made. The profile
//! has a time stamp and the resident memory every 10,000 events.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
use varvite_model::SplitMix64;

const EVENTS: u64 = 40_000_000;
const SEED: u64 = 19;
const FUNCTIONS: u64 = 2_000;
const PLACES: u64 = 5_000;
const CALLS: u64 = 200_000;
const KINDS: u64 = 100_000;
/// Number of events between two time stamps.
const STAMP: u64 = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("usage: heap_events FILE [EVENTS [SEED]]")?;
    let events = words.next().map_or(Ok(EVENTS), |word| word.parse())?;
    let seed = words.next().map_or(Ok(SEED), |word| word.parse())?;
    let framing = match path.rsplit('.').next() {
        Some("zst") => Some(Framing::Zstd),
        Some("gz") => Some(Framing::Gzip),
        _ => None,
    };
    let file = BufWriter::new(File::create(&path)?);
    match framing {
        None => write(file, events, seed)?.flush()?,
        Some(framing) => {
            let out = FrameWriter::new(framing, 3, file, &FrameOptions::default())?;
            write(BufWriter::new(out), events, seed)?
                .into_inner()
                .map_err(|error| error.into_error())?
                .finish()?
                .flush()?;
        }
    }
    Ok(())
}

/// Writes the profile to `out`.
fn write<W: Write>(mut out: W, events: u64, seed: u64) -> std::io::Result<W> {
    let mut random = SplitMix64::new(seed);
    writeln!(out, "v 10500 3\nX ./synthetic {events} {seed}\nI 1000 100000")?;
    // Text 1 is the name of the module, texts 2 to 101 are names of files, and all others are names of
    // functions. The first function is `main`.
    writeln!(out, "s 9 synthetic")?;
    (0..100).try_for_each(|file| sized(&mut out, &format!("src/part{file}.c")))?;
    sized(&mut out, "main")?;
    (1..FUNCTIONS).try_for_each(|function| sized(&mut out, &format!("function_{function}")))?;
    for place in 0..PLACES {
        let function = if place == 0 { 0 } else { 1 + below(&mut random, FUNCTIONS - 1) };
        let (function, file, line) = (102 + function, 2 + function % 100, 1 + below(&mut random, 4000));
        writeln!(out, "i {:x} 1 {function:x} {file:x} {line:x}", 0x40_0000 + 16 * place)?;
    }
    writeln!(out, "t 1 0")?;
    for call in 1..CALLS {
        // Most parents are recent calls, so the tree is deep.
        let parent = if below(&mut random, 4) == 0 {
            below(&mut random, call)
        } else {
            call - 1 - below(&mut random, call.min(20))
        };
        writeln!(out, "t {:x} {:x}", 1 + below(&mut random, PLACES), 1 + parent)?;
    }
    for _ in 0..KINDS {
        writeln!(out, "a {:x} {:x}", 8 * (1 + rare(&mut random, 512)), 1 + below(&mut random, CALLS))?;
    }
    write_events(out, events, &mut random)
}

fn write_events<W: Write>(mut out: W, events: u64, random: &mut SplitMix64) -> std::io::Result<W> {
    let mut live: Vec<u64> = Vec::new();
    for event in 0..events {
        if event % STAMP == 0 {
            writeln!(out, "c {:x}\nR {:x}", event / STAMP * 10, 1000 + live.len() / 100)?;
        }
        let kept = live.len() as u64;
        if kept > 0 && below(random, 1_000_000) < 480_000 + kept / 10 {
            // The freed block is the newest one or, less often, an older one.
            let age = if below(random, 4) > 0 { 0 } else { below(random, kept) };
            let kind = live.swap_remove((kept - 1 - age) as usize);
            writeln!(out, "- {kind:x}")?;
        } else {
            let kind = rare(random, KINDS);
            live.push(kind);
            writeln!(out, "+ {kind:x}")?;
        }
    }
    Ok(out)
}

fn sized(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    writeln!(out, "s {:x} {text}", text.len())
}

/// Returns a random number below `end`.
fn below(random: &mut SplitMix64, end: u64) -> u64 {
    random.next_u64() % end
}

/// Returns a random number below `end`; small numbers are much more frequent than large ones.
fn rare(random: &mut SplitMix64, end: u64) -> u64 {
    let bits = below(random, 1 + u64::from(end.ilog2()));
    below(random, (2u64 << bits).min(end))
}
