//! The Java parts: built by Maven with the JDK that [`jdk`](crate::jdk) finds, and started from their jar.
//!
//! Today that is one part, flatgraph as a peer: a program that loads a graph with the original library and
//! writes what it sees.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::jdk::{self, Jdk};
use crate::process;
use crate::{Failure, Outcome};

/// The folder of the flatgraph peer, from the root.
const PEER: &str = "bench/peers/flatgraph";
const MAVEN_ADVICE: &str = "apt install maven";

/// Builds every Java part.
pub(crate) fn build(root: &Path) -> Outcome {
    Peer::build(root).map(drop)
}

/// flatgraph itself, ready to be asked.
pub(crate) struct Peer {
    jdk: Jdk,
    jar: PathBuf,
}

impl Peer {
    /// Builds the peer with Maven, which does nothing where nothing changed.
    pub(crate) fn build(root: &Path) -> Outcome<Self> {
        let jdk = jdk::find()?;
        let folder = root.join(PEER);
        let mut maven = Command::new("mvn");
        maven.args(["-q", "-B", "package"]).current_dir(&folder).env("JAVA_HOME", &jdk.home);
        process::run(&mut maven, MAVEN_ADVICE)?;
        Ok(Self { jar: runnable_jar(&folder.join("target"))?, jdk })
    }

    /// Lets flatgraph load `graph` and write its facts as JSON to `out`.
    pub(crate) fn facts(&self, graph: &Path, out: &Path) -> Outcome {
        let mut java = Command::new(self.jdk.program("java"));
        java.arg("--enable-native-access=ALL-UNNAMED").arg("-jar").arg(&self.jar);
        process::run(java.arg("facts").arg(graph).arg(out), "see cargo xtask jdk")
    }
}

/// The one jar that Maven left to be started; `original-` marks what a shading step kept aside.
fn runnable_jar(target: &Path) -> Outcome<PathBuf> {
    let entries = fs::read_dir(target).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> = entries.filter(|path| is_runnable_jar(path)).collect();
    jars.sort();
    match jars.as_slice() {
        [jar] => Ok(jar.clone()),
        _ => Err(Failure(format!(
            "found {} jars in {}, expected 1: run mvn clean there",
            jars.len(),
            target.display()
        ))),
    }
}

fn is_runnable_jar(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.ends_with(".jar") && !name.starts_with("original-") && !name.ends_with("-sources.jar")
}
