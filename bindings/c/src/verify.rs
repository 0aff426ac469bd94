//! `varvite_graph_verify`: reads and checks everything in a file.

use std::mem::MaybeUninit;

use crate::c_type::Char;
use crate::failure::Failure;
use crate::graph::GraphObject;
use crate::handle::Handle;
use crate::pointer::{Out, OutItems, OutStructs, c_struct};
use crate::run::task;
use crate::status::Status;

c_struct! {
    /// The result of a check of the whole file.
    Verified = "varvite_verify_report" {
        blocks: u64,
        bytes: u64,
        problems: u64,
    }
}

exports! {
    /// Reads and checks every byte of the file, then checks that the columns are consistent with each other.
    fn varvite_graph_verify(
        graph: Handle<GraphObject>,
        threads: u32,
        report: OutStructs<'_, Verified>,
        report_size: u64,
        text: OutItems<'_, Char>,
        capacity: u64,
        length: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let (report, room) = (report.room(report_size, 1)?, text.slice(capacity)?);
        let found = open.graph.verify(&task(threads, 0))?;
        report.write(Verified { blocks: found.blocks, bytes: found.bytes, problems: found.problems.len() as u64 });
        length.write(write_lines(room, &found.problems) as u64);
        match found.problems.into_iter().next() {
            None => Ok(Status::Ok),
            Some(first) => Err(Failure::Problem(first)),
        }
    }
}

/// Writes as many whole lines as fit, and returns their length in bytes.
fn write_lines(room: &mut [MaybeUninit<Char>], lines: &[String]) -> usize {
    let mut used = 0;
    for line in lines {
        let Some(place) = room.get_mut(used..used + line.len() + 1) else { break };
        for (place, byte) in place.iter_mut().zip(line.bytes().chain([b'\n'])) {
            place.write(byte as Char);
        }
        used += line.len() + 1;
    }
    used
}
