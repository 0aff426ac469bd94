//! The Java parts: built by Maven with the JDK that [`jdk`](crate::jdk) finds, and started with it.
//!
//! There are two: the binding, and flatgraph as a peer, a program that loads a graph with the original library and writes
//! what it sees.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::jdk::{self, Jdk};
use crate::{Outcome, process};

/// The folder of the binding, from the root.
const BINDING: &str = "bindings/java";
/// The folder of the flatgraph peer, from the root.
const PEER: &str = "bench/peers/flatgraph";
const PEER_MAIN: &str = "varvite.bench.flatgraph.Main";

/// Builds every Java part.
pub(crate) fn build(root: &Path) -> Outcome {
    let jdk = jdk::find()?;
    maven(&jdk, &root.join(BINDING), &["package", "-DskipTests"])?;
    Peer::build(root).map(drop)
}

/// Builds the binding and runs its tests.
pub(crate) fn test(root: &Path) -> Outcome {
    maven(&jdk::find()?, &root.join(BINDING), &["test"])
}

/// Runs Maven in a folder; it does nothing where nothing changed.
fn maven(jdk: &Jdk, folder: &Path, words: &[&str]) -> Outcome {
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B"]).args(words).current_dir(folder).env("JAVA_HOME", &jdk.home);
    if jdk.version >= 24 && std::env::var_os("MAVEN_OPTS").is_none() {
        // Maven 3's own libraries still use what such a JDK warns of, four lines at every start.
        maven.env("MAVEN_OPTS", "--sun-misc-unsafe-memory-access=allow");
    }
    process::run(&mut maven, "apt install maven")
}

/// flatgraph itself, ready to be asked.
pub(crate) struct Peer {
    jdk: Jdk,
    target: PathBuf,
}

impl Peer {
    /// Builds the peer with Maven, which does nothing where nothing changed.
    pub(crate) fn build(root: &Path) -> Outcome<Self> {
        let jdk = jdk::find()?;
        let folder = root.join(PEER);
        maven(&jdk, &folder, &["package"])?;
        Ok(Self { jdk, target: folder.join("target") })
    }

    /// Lets flatgraph load `graph` and write its facts as JSON to `out`.
    pub(crate) fn facts(&self, graph: &Path, out: &Path) -> Outcome {
        process::run(self.java().arg("facts").arg(graph).arg(out), "see cargo xtask jdk")
    }

    /// The JDK that the peer runs on.
    pub(crate) fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The folder that holds its classes and libraries.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The command that starts the peer, still without its arguments.
    fn java(&self) -> Command {
        let mut java = Command::new(self.jdk.program("java"));
        let class_path = format!("{0}/classes:{0}/lib/*", self.target.display());
        java.args(["--enable-native-access=ALL-UNNAMED", "-cp", &class_path, PEER_MAIN]);
        java
    }
}
