//! Processes of column engines: each runs in Python and reads a file in its own format.
//!
//! The `varvite` command writes the nodes and the CALL edges of the graph as CSV, and each engine loads both
//! tables into its file once, before the first question. The Python programs are in `bench/peers/columns`,
//! with a README that explains the choices.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Failure;
use crate::peers::peer::Peer;
use crate::record::column_engine::ColumnEngine;

const FOLDER: &str = "bench/peers/columns";
/// The columns of the exported table of nodes: those that the questions need.
const NODE_COLUMNS: &str = "node,label,ORDER,LINE_NUMBER,ARGUMENT_INDEX,NAME,FULL_NAME,FILENAME,CODE";
/// The extra columns of the exported table of edges; label, source and target are always in it.
const CALL_COLUMNS: &str = "edge";

/// The programs and paths that a measurement of column engines needs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The path of the command `varvite`, which exports the tables.
    pub varvite: PathBuf,
    /// The engines, each with the Python program of the environment in which it is installed.
    pub engines: Vec<(&'static ColumnEngine, PathBuf)>,
    /// Root of the repository, which has the scripts of the engines.
    pub root: PathBuf,
}

/// The paths of the tables that engines load.
pub(crate) struct Tables {
    nodes: PathBuf,
    calls: PathBuf,
}

impl Options {
    /// Writes the tables of a graph to files that begin with `stem`.
    pub(crate) fn export(&self, graph: &Path, stem: &Path) -> Result<Tables, Failure> {
        let file = |table: &str| stem.with_file_name(format!("{}-{table}.csv", name_of(stem)));
        let tables = Tables { nodes: file("nodes"), calls: file("calls") };
        self.write(graph, "nodes.json", NODE_COLUMNS, &tables.nodes)?;
        self.write(graph, "calls.json", CALL_COLUMNS, &tables.calls)?;
        Ok(tables)
    }

    fn write(&self, graph: &Path, plan: &str, columns: &str, target: &Path) -> Result<(), Failure> {
        let mut query = Command::new(&self.varvite);
        query.arg("query").arg(graph).arg(self.root.join(FOLDER).join(plan));
        query.args(["--format", "csv", "--columns", columns]).stdout(File::create(target)?);
        match query.status()?.success() {
            true => Ok(()),
            false => Err(Failure(format!("varvite query failed: {plan}"))),
        }
    }

    /// Starts each engine to load the tables into its file.
    pub(crate) fn load(&self, tables: &Tables, stem: &Path) -> Result<Vec<Loaded>, Failure> {
        self.engines.iter().map(|(engine, python)| self.load_into(engine, python, tables, stem)).collect()
    }

    fn load_into(
        &self,
        engine: &'static ColumnEngine,
        python: &Path,
        tables: &Tables,
        stem: &Path,
    ) -> Result<Loaded, Failure> {
        let file = stem.with_file_name(format!("{}-columns.{}", name_of(stem), engine.ending));
        let script = self.root.join(FOLDER).join(format!("{}_peer.py", engine.name));
        let mut load = Command::new(python);
        load.arg(&script).arg("load").args([&tables.nodes, &tables.calls, &file]);
        let output = load.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(Failure(format!("{} could not load the tables ({})", engine.name, output.status)));
        }
        Ok(Loaded {
            engine,
            python: python.to_owned(),
            script,
            file,
            told: serde_json::from_slice(&output.stdout)?,
        })
    }
}

fn name_of(stem: &Path) -> String {
    stem.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// An engine that has loaded the tables into its file.
pub(crate) struct Loaded {
    pub(crate) engine: &'static ColumnEngine,
    python: PathBuf,
    script: PathBuf,
    file: PathBuf,
    /// The engine's report of loading: time and bytes.
    told: Value,
}

impl Loaded {
    /// The line that the engine printed after loading.
    pub(crate) fn told(&self) -> &Value {
        &self.told
    }

    /// Starts a process for each number of threads with which the engine is measured.
    pub(crate) fn start(&self) -> Result<Vec<(&'static str, Peer)>, Failure> {
        let start = |(side, threads): &(&'static str, u32)| {
            let mut python = Command::new(&self.python);
            python.arg(&self.script).arg("serve").arg(&self.file).arg(threads.to_string());
            Ok((*side, Peer::start(side, &mut python)?))
        };
        self.engine.sides.iter().map(start).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::column_engine::ENGINES;

    /// The names of the files in the peers' folder that end with `end`, without this ending.
    fn files(end: &str) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FOLDER);
        let names = folder.read_dir().unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut stems: Vec<String> =
            names.filter_map(|name| Some(name.strip_suffix(end)?.to_owned())).collect();
        stems.sort();
        stems
    }

    #[test]
    fn every_engine_has_a_script_and_a_list_of_packages() {
        let mut names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
        names.sort_unstable();
        assert_eq!(files("_peer.py"), names);
        assert_eq!(files(".txt"), names);
    }
}
