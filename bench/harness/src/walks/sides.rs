//! The sides of the benchmark of walks, and the command that starts each.

use std::path::PathBuf;
use std::process::Command;

use crate::Failure;
use crate::peers::jvm::Jvm;
use crate::peers::peer::{Peer, own_command};
use crate::report::walks::{IN_JAVA, NEO4J, RUST, TINKERGRAPH};

/// The programs and paths that the sides need.
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

/// A side of the benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The title, for people.
    pub title: &'static str,
    /// The name of the folder below the peers, which is also the last part of the Java package; `None` for
    /// Varvite in Rust.
    pub folder: Option<&'static str>,
    /// Seconds that each walk runs before the first sample.
    pub warm_up_seconds: u32,
    /// The expected number of reads of labels in a walk: a function of the number of all nodes and of the
    /// number of nodes with the label `B`.
    pub label_tests: fn(u64, u64) -> u64,
    /// Whether the side is Varvite, which counts the reads of every walk. Other sides may not count a walk;
    /// its counts are then zero.
    pub is_varvite: bool,
}

/// The number of reads of a side that reads labels once for each node.
fn once(nodes: u64, _: u64) -> u64 {
    nodes
}

/// The number of reads as in the articles: the evaluator reads labels once for each node; the expander once
/// at an `A` and twice at a `B`.
fn as_in_articles(nodes: u64, b: u64) -> u64 {
    2 * nodes + b
}

/// The number of reads if evaluator and expander each read labels once for each node.
fn twice(nodes: u64, _: u64) -> u64 {
    2 * nodes
}

/// All sides. The benchmark leaves out a side without built classes, and prints a line about it.
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

/// The JVM's flag for the heap of a peer, as in the articles about Neo4j.
const HEAP: &str = "-Xmx4g";

impl Side {
    /// Whether the side answers the command `stop`, which measures the time from cancelling a walk to its
    /// end. (Walks of Varvite in Rust are stopped in this process instead.)
    pub fn is_stopped(&self) -> bool {
        self.is_varvite && self.folder.is_some()
    }

    /// Whether the classes of the side were built.
    pub fn is_there(&self, places: &Places) -> bool {
        self.folder.is_none_or(|folder| target(places, folder).join("classes").is_dir())
    }

    /// Starts the side.
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
        // Neo4j reads private fields of these packages of Java.
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
