//! Runs Joern on flatgraph and on Varvite with Java's cache of classes and profiles (`-XX:AOTCache`, Java
//! 25). The same training program makes the caches of both sides.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Bench;
use crate::built::Profile;
use crate::java;
use crate::process;
use crate::{Failure, Outcome, cannot};

/// The training program, which `varvite joern` also starts, and from whose run Java makes the cache.
const TRAINING: &str = "varvite.joern.start.Training";
/// The graph that the training program reads; the graph built into `varvite joern` has the same content.
const GRAPH: &str = "examples/data/content.cpg.bin";
const QUIET: &str = "-Xlog:aot=off -Xlog:cds=off";

/// A side (flatgraph or Varvite): Joern's jars in the order of a script's class path, and the path of the
/// cache.
pub(super) struct Learned {
    class_path: Vec<PathBuf>,
    cache: PathBuf,
}

impl Learned {
    /// Makes the cache of flatgraph's side, which gets the training program in an additional jar on the class
    /// path.
    pub(super) fn of_flatgraph(bench: &Bench) -> Outcome<Self> {
        let training = bench.folder.join("training.jar");
        bench.paths.jar(
            &training,
            "joern",
            &["varvite/joern/start/Training.class", "varvite/joern/training.sc"],
        )?;
        let class_path = sorted(bench.paths.jars()?.into_iter().chain([training]));
        Self::make(bench, class_path, "flatgraph", &bench.root.join(GRAPH))
    }

    /// Makes the cache of Varvite's side.
    pub(super) fn of_mapped(bench: &Bench, ours: &Path) -> Outcome<Self> {
        let (replacement, graph) =
            (bench.folder.join("replacement.jar"), bench.folder.join("training.varvite"));
        let mut write = Command::new(&bench.varvite);
        write.args(["joern", "--force", "--joern"]).arg(bench.paths.lib()).arg("--jar").arg(ours);
        process::output(write.arg("--write-jar").arg(&replacement), "")?;
        bench.import(&bench.root.join(GRAPH), &graph)?;
        let is_other = |jar: &PathBuf| !jar.to_string_lossy().contains("flatgraph-core");
        let jars = bench.paths.jars()?.into_iter().filter(is_other);
        Self::make(bench, sorted(jars.chain([replacement])), "mapped", &graph)
    }

    fn make(bench: &Bench, class_path: Vec<PathBuf>, name: &str, graph: &Path) -> Outcome<Self> {
        eprintln!("bench-joern: {name}, what Java learns");
        let [folder, cache] = ["training", "aot"].map(|ending| bench.folder.join(format!("{name}.{ending}")));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).map_err(|error| cannot("create", &folder, &error))?;
        let learn = format!("-XX:AOTCacheOutput={}", cache.display());
        let mut training = java(bench, &class_path, &learn, TRAINING)?;
        training.env("PATH", process::path_with(&folder)?).current_dir(&folder).arg(&folder).arg(graph);
        process::output(&mut training, "see cargo xtask jdk")?;
        Ok(Self { class_path, cache })
    }

    /// The command that runs a class of Joern, or of a jar that follows Joern's on the class path. The caller
    /// adds the arguments. Java processes that the command starts use the cache too.
    pub(super) fn command(
        &self,
        bench: &Bench,
        more: &[PathBuf],
        options: &str,
        class: &str,
    ) -> Outcome<Command> {
        let options = format!("-XX:AOTCache={} {QUIET} {options}", self.cache.display());
        java(bench, &[&self.class_path[..], more].concat(), &options, class)
    }
}

/// The command for a JVM that gets all options from the environment, each only once, because a cache requires
/// the same module options as those with which it was made.
fn java(bench: &Bench, class_path: &[PathBuf], options: &str, class: &str) -> Outcome<Command> {
    let class_path = env::join_paths(class_path).map_err(|error| Failure(format!("class path: {error}")))?;
    let mut java = Command::new(bench.paths.java_home().join("bin/java"));
    java.arg("-cp").arg(class_path).arg(class);
    bench.paths.install(&mut java);
    java.env("JDK_JAVA_OPTIONS", format!("{} {options}", bench.paths.flags()));
    Ok(java)
}

/// The jars, in the order in which Joern sorts them for a script.
fn sorted(jars: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut jars: Vec<PathBuf> = jars.collect();
    jars.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    jars
}

/// Makes the caches of both sides.
pub(super) fn both(bench: &Bench) -> Outcome<[Learned; 2]> {
    let ours = java::joern_jar(&bench.root, Profile::Release)?;
    Ok([Learned::of_flatgraph(bench)?, Learned::of_mapped(bench, &ours)?])
}
