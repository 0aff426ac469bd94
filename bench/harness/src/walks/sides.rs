//! The sides of the benchmark of walks, and how each is started.

use std::path::PathBuf;
use std::process::Command;

use crate::Failure;
use crate::peers::jvm::Jvm;
use crate::peers::peer::{Peer, own_command};

/// The paths that sides need.
#[derive(Clone, Debug)]
pub struct Places {
    /// The JVM.
    pub jvm: Jvm,
    /// The folder of the Java peers, each in a folder of its name.
    pub peers: PathBuf,
    /// The native library, for Varvite in Java.
    pub library: Option<PathBuf>,
    /// The tables of the tree.
    pub tables: PathBuf,
    /// The tree as a graph file.
    pub graph: PathBuf,
    /// The folder in which a side may keep its own store of the tree.
    pub stores: PathBuf,
}

/// A side that takes part.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The title, for people.
    pub title: &'static str,
    /// The folder below the peers, and the last part of its package; none for Varvite in Rust.
    pub folder: Option<&'static str>,
    /// Seconds that each walk runs before the first sample.
    pub warm_up_seconds: u32,
    /// The number of reads of labels in a walk, from the number of all nodes and of those with the label `B`.
    pub label_tests: fn(u64, u64) -> u64,
    /// Whether it counts the reads of every walk. Others may leave a walk out, whose counts are then zero.
    pub is_varvite: bool,
}

/// Once for each node.
fn once(nodes: u64, _: u64) -> u64 {
    nodes
}

/// By the evaluator once, by the expander once at an `A` and twice at a `B`, as in the articles.
fn as_in_articles(nodes: u64, b: u64) -> u64 {
    2 * nodes + b
}

/// By both once.
fn twice(nodes: u64, _: u64) -> u64 {
    2 * nodes
}

/// All sides. The benchmark leaves out a side without built classes, and prints a line about it.
pub const SIDES: [Side; 4] = [
    Side { title: "Varvite, Rust", folder: None, warm_up_seconds: 1, label_tests: once, is_varvite: true },
    // Its class is `varvite.bench.walks.varvite.Main`, which is given the tables and the graph file.
    Side {
        title: "Varvite, Java",
        folder: Some("varvite"),
        warm_up_seconds: 5,
        label_tests: once,
        is_varvite: true,
    },
    Side {
        title: "Neo4j",
        folder: Some("neo4j"),
        warm_up_seconds: 15,
        label_tests: as_in_articles,
        is_varvite: false,
    },
    Side {
        title: "TinkerGraph",
        folder: Some("tinkergraph"),
        warm_up_seconds: 10,
        label_tests: twice,
        is_varvite: false,
    },
];

/// Heap of a peer: as in the articles about Neo4j.
const HEAP: &str = "-Xmx4g";

impl Side {
    /// Whether it measures, for the command `stop`, the time from cancelling a walk to its end. Those of Rust
    /// are stopped in this process.
    pub fn is_stopped(&self) -> bool {
        self.is_varvite && self.folder.is_some()
    }

    /// Whether it was built.
    pub fn is_there(&self, places: &Places) -> bool {
        self.folder.is_none_or(|folder| target(places, folder).join("classes").is_dir())
    }

    /// Starts it.
    ///
    /// # Errors
    /// It cannot be started.
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
        // Neo4j reads fields that Java keeps to itself.
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
