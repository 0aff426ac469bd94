//! The sides of the benchmark of walks, and the command that starts each.

use std::path::PathBuf;
use std::process::Command;

use crate::Failure;
use crate::peers::jvm::Jvm;
use crate::peers::peer::{Peer, own_command};
use crate::report::walks::{IN_JAVA, NEO4J, RUST, TINKERGRAPH};

/// The programs and paths that the sides need to start.
#[derive(Clone, Debug)]
pub struct Places {
    /// The JVM.
    pub jvm: Jvm,
    /// The folder that has a folder for each Java peer, named after the peer.
    pub peers: PathBuf,
    /// The native library that Varvite in Java needs.
    pub library: Option<PathBuf>,
    /// The tables of the tree.
    pub tables: PathBuf,
    /// The tree as a graph file.
    pub graph: PathBuf,
    /// The folder in which a side may keep its own store of the tree.
    pub stores: PathBuf,
}

/// A side of the benchmark: an engine, with its programming language.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The human-readable title.
    pub title: &'static str,
    /// The name of the side's folder in the folder of the peers, which is also the last part of its Java
    /// package; `None` for Varvite in Rust.
    pub folder: Option<&'static str>,
    /// The warm-up time of each walk before its first sample, in seconds.
    pub warm_up_seconds: u32,
    /// Computes the expected number of label reads in a walk, from the number of all nodes and the number of
    /// nodes with the label `B`.
    pub label_tests: fn(u64, u64) -> u64,
    /// Whether the side is Varvite, which counts the reads in every walk. Other sides may be unable to count
    /// the reads of a walk, and then report zero.
    pub is_varvite: bool,
}

/// The number of label reads if a side reads labels once for each node.
fn once(nodes: u64, _: u64) -> u64 {
    nodes
}

/// The number of label reads in the articles: the evaluator reads labels once for each node, and the expander
/// reads them once for each `A` and twice for each `B`.
fn as_in_articles(nodes: u64, b: u64) -> u64 {
    2 * nodes + b
}

/// The number of label reads if evaluator and expander each read labels once for each node.
fn twice(nodes: u64, _: u64) -> u64 {
    2 * nodes
}

/// All sides. The benchmark leaves out a side whose classes were not built, and prints a line about it.
pub const SIDES: [Side; 4] = [
    Side { title: RUST, folder: None, warm_up_seconds: 1, label_tests: once, is_varvite: true },
    // The class of this side is `varvite.bench.walks.varvite.Main`, whose arguments are the tables and the
    // graph file.
    Side { title: IN_JAVA, folder: Some("varvite"), warm_up_seconds: 5, label_tests: once, is_varvite: true },
    Side {
        title: NEO4J,
        folder: Some("neo4j"),
        warm_up_seconds: 15,
        label_tests: as_in_articles,
        is_varvite: false,
    },
    Side {
        title: TINKERGRAPH,
        folder: Some("tinkergraph"),
        warm_up_seconds: 10,
        label_tests: twice,
        is_varvite: false,
    },
];

/// The JVM flag for the heap size of a peer, with the size that the articles about Neo4j use.
const HEAP: &str = "-Xmx4g";

impl Side {
    /// Whether the side answers the command `stop`, which measures the time from cancelling a walk to its
    /// end. (For Varvite in Rust, the benchmark measures this in its own process.)
    pub fn is_stopped(&self) -> bool {
        self.is_varvite && self.folder.is_some()
    }

    /// Whether the side was built, so that it can be started.
    pub fn is_there(&self, places: &Places) -> bool {
        self.folder.is_none_or(|folder| target(places, folder).join("classes").is_dir())
    }

    /// Starts the process of the side.
    ///
    /// # Errors
    /// The process cannot be started.
    pub fn start(&self, places: &Places) -> Result<Peer, Failure> {
        Peer::start(self.title, &mut self.command(places)?)
    }

    fn command(&self, places: &Places) -> Result<Command, Failure> {
        let Some(folder) = self.folder else {
            let mut command = own_command()?;
            command.arg("serve").arg(&places.graph);
            return Ok(command);
        };
        let name = format!("walks.{folder}");
        let mut flags = vec![HEAP.to_owned(), "--enable-native-access=ALL-UNNAMED".to_owned()];
        flags.extend(places.jvm.quiet_flag().map(str::to_owned));
        if let Some(library) = &places.library {
            flags.push(format!("-Dvarvite.library={}", library.display()));
        }
        // Neo4j reads private fields in these packages of the JDK.
        let opened = ["java.base/java.nio", "java.base/java.lang"];
        flags.extend(opened.map(|package| format!("--add-opens={package}=ALL-UNNAMED")));
        let mut command = places.jvm.command(&name, &target(places, folder), &flags);
        command.arg(&places.tables);
        command.arg(if self.is_varvite { places.graph.clone() } else { places.stores.join(folder) });
        Ok(command)
    }
}

fn target(places: &Places, folder: &str) -> PathBuf {
    places.peers.join(folder).join("target")
}
