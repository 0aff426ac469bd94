//! Code property graphs: the source locations of nodes, and callers and callees of methods.

use std::mem::MaybeUninit;

use varvite_cpg::{Site, SiteCursor, callees_of, calls_of};
use varvite_format::NONE;

use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::Handle;
use crate::labels::check_node;
use crate::pointer::{Byte, Items, OptionalOutItems, Out, OutItems, OutStructs, c_struct};
use crate::room::Room;
use crate::status::Status;

c_struct! {
    /// The source location of a node: file, line and method.
    CSite = "varvite_site" {
        line: i64,
        file: u64,
        file_length: u64,
        method_name: u64,
        method_name_length: u64,
        method: u32,
        known: u32,
    }
}

/// The bits of `varvite_site.known`: which fields of a site are known.
#[cfg_attr(not(test), allow(dead_code))] // Used only by the test of the header.
pub(crate) const KNOWN: [(&str, u32); 5] = [
    ("SITE_FILE", FILE),
    ("SITE_LINE", LINE),
    ("SITE_METHOD", METHOD),
    ("SITE_METHOD_NAME", METHOD_NAME),
    ("SITE_CUT_OFF", CUT_OFF),
];
const FILE: u32 = 1;
const LINE: u32 = 2;
const METHOD: u32 = 4;
const METHOD_NAME: u32 = 8;
const CUT_OFF: u32 = 16;

exports! {
    /// Writes the source locations of nodes, up to the first node whose names do not fit.
    fn varvite_sites(
        graph: Handle<GraphObject>,
        nodes: Items<'_, u32>,
        node_count: u64,
        sites: OutStructs<'_, CSite>,
        site_size: u64,
        texts: OutItems<'_, Byte>,
        capacity: u64,
        answered: Out<'_, u64>,
    ) {
        let argument = texts.name();
        let (nodes, sites) = (nodes.slice(node_count)?, sites.room(site_size, node_count)?);
        let mut texts = Texts { room: texts.slice(capacity)?, used: 0, last: Default::default() };
        let found = graph.read(|object| texts.sites(&object.0, nodes))?;
        answered.write(found.sites.len() as u64);
        sites.fill(found.sites.into_iter());
        match found.needed {
            Some(needed) => Err(Failure::TooSmall { argument, capacity, needed }),
            None => Ok(Status::Ok),
        }
    }

    /// The CALL nodes that may call one of the given METHOD nodes.
    fn varvite_calls_of(
        graph: Handle<GraphObject>,
        methods: Items<'_, u32>,
        method_count: u64,
        calls: OutItems<'_, u32>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let methods = methods.slice(method_count)?;
        graph.read(|object| {
            check_nodes(&object.0, methods)?;
            let found = calls_of(&object.0.graph, methods)?;
            Room { items: calls, capacity, count }.fill(found.into_iter())
        })
    }

    /// The METHOD nodes that the given METHOD nodes may call.
    fn varvite_callees_of(
        graph: Handle<GraphObject>,
        methods: Items<'_, u32>,
        method_count: u64,
        callees: OutItems<'_, u32>,
        calls: OptionalOutItems<'_, u64>,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let (methods, calls) = (methods.slice(method_count)?, calls.slice(capacity)?);
        graph.read(|object| {
            check_nodes(&object.0, methods)?;
            let found = callees_of(&object.0.graph, methods)?;
            let status = Room { items: callees, capacity, count }.fill(found.keys().copied())?;
            for (place, calls) in calls.into_iter().flatten().zip(found.values()) {
                place.write(*calls);
            }
            Ok(status)
        })
    }
}

/// The caller's buffer for the names of files and METHODs. A name that equals the previous node's name is
/// stored once.
struct Texts<'c> {
    room: &'c mut [MaybeUninit<Byte>],
    used: usize,
    /// The names of the previous node's file and METHOD.
    last: [Name; 2],
}

/// A name that was copied to the buffer.
#[derive(Default)]
struct Name {
    text: String,
    /// The offset of the name in the buffer.
    start: usize,
}

/// The sites found so far.
struct Found {
    sites: Vec<CSite>,
    /// The number of bytes that the first node's names need, if they do not fit; else `None`.
    needed: Option<u64>,
}

impl Texts<'_> {
    fn sites(&mut self, open: &OpenGraph, nodes: &[u32]) -> Result<Found, Failure> {
        check_nodes(open, nodes)?;
        let columns = open.sites()?;
        let (mut cursor, mut sites) = (columns.cursor(), Vec::with_capacity(nodes.len()));
        for node in nodes {
            match self.site(&mut cursor, *node) {
                Ok(site) => sites.push(site),
                Err(needed) => {
                    let needed = sites.is_empty().then_some(needed);
                    return Ok(Found { sites, needed });
                }
            }
        }
        Ok(Found { sites, needed: None })
    }

    /// The site of a node. The error is the number of bytes that all names up to those of this node need, if
    /// that exceeds the buffer.
    fn site(&mut self, cursor: &mut SiteCursor<'_>, node: u32) -> Result<CSite, u64> {
        let Site { file, line, method, method_name } = cursor.at(node);
        self.place([file, method_name].map(Option::unwrap_or_default))?;
        let bit = |is_known: bool, bit: u32| if is_known { bit } else { 0 };
        let known = bit(file.is_some(), FILE)
            | bit(line.is_some(), LINE)
            | bit(method.is_some(), METHOD)
            | bit(method_name.is_some(), METHOD_NAME);
        let [file, method_name] = &self.last;
        Ok(CSite {
            line: line.unwrap_or(0),
            file: file.start as u64,
            file_length: file.text.len() as u64,
            method_name: method_name.start as u64,
            method_name_length: method_name.text.len() as u64,
            method: method.unwrap_or(NONE),
            known: known | bit(!cursor.is_complete(), CUT_OFF),
        })
    }

    /// Copies both names of a node, or neither if there is no room for both.
    fn place(&mut self, names: [&str; 2]) -> Result<(), u64> {
        let new = |last: &Name, name: &str| if last.text == name { 0 } else { name.len() };
        let needed: usize = self.last.iter().zip(names).map(|(last, name)| new(last, name)).sum();
        if needed > self.room.len() - self.used {
            return Err((self.used + needed) as u64);
        }
        for (last, name) in self.last.iter_mut().zip(names).filter(|(last, name)| last.text != *name) {
            for (place, byte) in self.room[self.used..].iter_mut().zip(name.bytes()) {
                place.write(Byte(byte));
            }
            last.start = self.used;
            last.text.clear();
            last.text.push_str(name);
            self.used += name.len();
        }
        Ok(())
    }
}

fn check_nodes(open: &OpenGraph, nodes: &[u32]) -> Result<(), Failure> {
    nodes.iter().try_for_each(|node| check_node(open, *node))
}
