//! The command `compare`, behind `make bench`: imports the graph in every profile, and then asks Varvite and
//! its peers the same questions. Varvite is compared with one peer after another; in each comparison, all
//! sides take turns, with one sample per turn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::Graph;

use crate::Failure;
use crate::peers::column_process::{self, Loaded};
use crate::peers::jvm::Jvm;
use crate::peers::peer::{Peer, ask_own};
use crate::peers::side::{Agreed, Side, number};
use crate::record::column_engine::ENGINES;
use crate::record::figures::Unit;
use crate::record::interval::PAIRS_MIN;
use crate::record::machine;
use crate::record::results::{
    CHANGE, COMPACT, COMPACT_1, COMPACT_2, FLATGRAPH, JOERN, MEMORY, PLAN, PROFILES, Results, Row, merge,
};
use crate::runs::changed::time_reading;
use crate::runs::changes::time_changes;
use crate::runs::plans::time_plans;
use crate::workloads::plan::{ASKED, Asked, COLUMNS};
use crate::workloads::question::add_indexes;

/// The minimum number of samples of a long measurement. After `PATIENCE` this many samples are enough, and
/// after `PATIENCE_MAX` one is.
const SAMPLES_MIN: u32 = 3;
/// The minimum number of samples for questions about columns, where the times of some engines differ only a
/// little.
const COLUMN_SAMPLES_MIN: u32 = 9;
const PATIENCE: Duration = Duration::from_secs(60);
const PATIENCE_MAX: Duration = Duration::from_secs(180);

/// The version of redb that the workspace uses.
const REDB_VERSION: &str = "4.6";

/// The JVM option for Joern's warm-up time. Steps are many small functions, and some questions still became
/// five times faster after the usual three seconds.
const JOERN_WARMUP: &str = "-Dwarmup.seconds=10";

/// The measurements to make, and their inputs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The graph as flatgraph stores it.
    pub graph: PathBuf,
    /// The JVM of the peers.
    pub jvm: Jvm,
    /// The `target` folder of the flatgraph peer, which answers by plain loops.
    pub flatgraph: PathBuf,
    /// The `target` folder of the Joern peer, which answers by Joern's steps.
    pub joern: PathBuf,
    /// The column engines that also answer questions about columns.
    pub columns: column_process::Options,
    /// Folder for the new files; the run may overwrite its content.
    pub scratch: PathBuf,
    /// The root of the repository; the results name its commit.
    pub root: PathBuf,
    /// The number of samples of each measure on each side, for each JVM; fewer if they take too long.
    pub samples: u32,
    /// The number of JVMs that are measured one after the other, because the compiled code differs a little
    /// from one to the next.
    pub jvms: u32,
    /// The prefix of the names of the questions to run; `None` for all questions. With a prefix, opening and
    /// saving are not measured.
    pub only: Option<String>,
    /// The command line of the run, for the results.
    pub command: String,
}

/// Runs the whole benchmark.
///
/// # Errors
/// The graph cannot be read, a side fails, or two sides give different answers.
pub fn run(options: &Options) -> Result<Results, Failure> {
    let mut run = Run::prepare(options)?;
    run.import()?;
    run.time_plans()?;
    run.time_changes()?;
    run.load_columns()?;
    for _ in 0..options.jvms {
        // The two JVMs run one after the other, because the memory may not suffice for both heaps.
        run.compare_with_loops()?;
        run.compare_with_steps()?;
    }
    run.finish()
}

struct Run<'a> {
    options: &'a Options,
    jvm_flags: Vec<String>,
    name: String,
    results: Results,
    /// The answer to each question so far, with which other sides must agree.
    agreed: BTreeMap<&'static str, Agreed>,
    /// The column engines that have loaded the tables.
    engines: Vec<Loaded>,
    /// The versions and other facts that engines and JVMs reported about themselves.
    engines_said: BTreeMap<String, Value>,
    flatgraph_said: Value,
    joern_said: Value,
}

impl<'a> Run<'a> {
    fn prepare(options: &'a Options) -> Result<Self, Failure> {
        let wanted = options.only.as_deref().unwrap_or_default();
        let is_asked = ASKED.iter().chain(&COLUMNS).any(|asked| asked.name.starts_with(wanted));
        if !is_asked && !wanted.starts_with(PLAN) && !wants_changes(wanted) {
            return Err(Failure(format!("no question's name begins with '{wanted}': try --only query_")));
        }
        std::fs::create_dir_all(&options.scratch)?;
        let file = options.graph.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = file.split('.').next().unwrap_or_default().to_owned();
        let cannot_read = |error| Failure(format!("cannot read {}: {error}", options.graph.display()));
        let file_bytes = std::fs::metadata(&options.graph).map_err(cannot_read)?.len();
        let mut run = Self {
            options,
            jvm_flags: options.jvm.flags(file_bytes, machine::memory_bytes()),
            // The commit is read at the start, when the checkout is the one that was built. During a long
            // run, a commit may be made.
            results: Results { circumstances: machine::circumstances(&options.root), rows: Vec::new() },
            agreed: BTreeMap::new(),
            engines: Vec::new(),
            engines_said: BTreeMap::new(),
            flatgraph_said: Value::Null,
            joern_said: Value::Null,
            name,
        };
        run.row("file", "file size", Unit::Size).add(FLATGRAPH, file_bytes as f64);
        Ok(run)
    }

    /// The Varvite file of a profile.
    fn file(&self, profile: &str) -> PathBuf {
        self.options.scratch.join(format!("{}-{profile}.varvite", self.name))
    }

    /// Returns the row with this name, and adds it if there is none.
    fn row(&mut self, name: &str, title: &str, unit: Unit) -> &mut Row {
        self.results.row_mut(name, title, unit)
    }

    /// Takes samples until there are enough, or until they take too long.
    fn samples(&self, sample: impl FnMut(u32) -> Result<(), Failure>) -> Result<(), Failure> {
        take(self.options.samples, sample)
    }

    // Importing

    /// Measures imports. Each import runs in a process of its own, so that the peak memory is that of one
    /// import.
    fn import(&mut self) -> Result<(), Failure> {
        let mut lines: Vec<(&str, Value)> = Vec::new();
        self.samples(|_| {
            for side in PROFILES {
                let (graph, file) = (self.options.graph.as_os_str(), self.file(side));
                lines.push((side, ask_own(&["import".as_ref(), graph, file.as_os_str(), side.as_ref()])?));
            }
            Ok(())
        })?;
        for (side, line) in lines {
            self.row("import", "import from cpg.bin, synced to disk", Unit::Time)
                .add(side, number(&line, "ns")?);
            let peak = number(&line, "rss_peak_bytes")?;
            self.row("import_resident", "peak resident memory of the import", Unit::Size).add(side, peak);
        }
        for side in PROFILES {
            let bytes = std::fs::metadata(self.file(side))?.len();
            self.row("file", "file size", Unit::Size).add(side, bytes as f64);
            // The size of the file was measured above, without the indexes; later look-ups need them.
            add_indexes(&self.file(side))?;
        }
        self.tell("import");
        Ok(())
    }

    /// Measures every plan of `examples/plans` on one thread and on two.
    fn time_plans(&mut self) -> Result<(), Failure> {
        let prefix = match self.options.only.as_deref() {
            None => Some(""),
            Some(only) => only.strip_prefix(PLAN),
        };
        let Some(prefix) = prefix else { return Ok(()) };
        let plans = time_plans(&self.file(COMPACT), prefix)?;
        if plans.is_empty() && !prefix.is_empty() {
            return Err(Failure(format!(
                "no plan of examples/plans that this graph can answer begins with '{prefix}'"
            )));
        }
        self.results.rows.extend(plans);
        Ok(())
    }

    /// Measures commits of edges and of a layer, beside commits of a key-value store, and then reads of
    /// changed graphs.
    fn time_changes(&mut self) -> Result<(), Failure> {
        if wants_changes(self.options.only.as_deref().unwrap_or_default()) {
            let (file, scratch) = (self.file(COMPACT), &self.options.scratch);
            self.results.rows.extend(time_changes(&file, scratch, self.options.samples)?);
            let pairs = self.options.samples.max(PAIRS_MIN);
            self.results.rows.extend(time_reading(&file, scratch, pairs)?);
            self.tell("changes");
        }
        Ok(())
    }

    /// Exports the nodes and the CALL edges, and starts the column engines to load them.
    fn load_columns(&mut self) -> Result<(), Failure> {
        let options = &self.options.columns;
        if self.columns().next().is_none() || options.engines.is_empty() {
            return Ok(());
        }
        let stem = self.options.scratch.join(&self.name);
        let start = Instant::now();
        let tables = options.export(&self.file(COMPACT), &stem)?;
        let exported = start.elapsed().as_nanos() as f64;
        self.engines = options.load(&tables, &stem)?;
        self.row("table_export", "nodes and CALL edges as CSV", Unit::Time).add(COMPACT, exported);
        let told = self.engines.iter().map(|loaded| (loaded.engine.main_side(), loaded.told().clone()));
        let told: Vec<(&str, Value)> = told.collect();
        for (side, told) in told {
            self.row("table_load", "loading them", Unit::Time).add(side, number(&told, "ns")?);
            self.row("table_file", "the file", Unit::Size).add(side, number(&told, "file_bytes")?);
        }
        Ok(())
    }

    /// The requested questions about columns.
    fn columns(&self) -> impl Iterator<Item = Asked> + use<> {
        let wanted = self.options.only.clone().unwrap_or_default();
        COLUMNS.into_iter().filter(move |asked| asked.name.starts_with(&wanted))
    }

    // Comparing the sides

    /// Measures all questions, with flatgraph's loops in one JVM.
    fn compare_with_loops(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        let mut flatgraph = self.start(FLATGRAPH, &self.options.flatgraph, &[])?;
        // Any answer shows that the process has started.
        let _ = flatgraph.ask("hello");
        let started = start.elapsed();
        let opened = flatgraph.ask(&format!("open {}", absolute(&self.options.graph)?.display()))?;
        let is_complete = self.options.only.is_none();
        if is_complete {
            self.open(&mut flatgraph, started, &opened)?;
        }
        self.flatgraph_said = opened;
        for asked in self.askable()? {
            self.ask(FLATGRAPH, &mut flatgraph, &asked)?;
        }
        self.compare_columns(&mut flatgraph)?;
        if is_complete { self.save(&mut flatgraph) } else { Ok(()) }
    }

    /// Measures questions about columns, with a running process for every side.
    fn compare_columns(&mut self, flatgraph: &mut Peer) -> Result<(), Failure> {
        let asked: Vec<Asked> = self.columns().collect();
        if asked.is_empty() {
            return Ok(());
        }
        let mut engines = Vec::new();
        for loaded in &self.engines {
            let started = loaded.start()?;
            engines.extend(started);
            if let Some((_, peer)) = engines.last_mut() {
                self.engines_said.insert(loaded.engine.name.to_owned(), peer.ask("about")?);
            }
        }
        asked.iter().try_for_each(|asked| self.ask_columns(flatgraph, &mut engines, asked))
    }

    /// Measures the questions that Joern's steps answer, with Joern in one JVM.
    fn compare_with_steps(&mut self) -> Result<(), Failure> {
        if !self.askable()?.iter().any(|asked| asked.workload_of(JOERN).is_some()) {
            return Ok(());
        }
        let mut joern = self.start(JOERN, &self.options.joern, &[JOERN_WARMUP])?;
        self.joern_said = joern.ask(&format!("open {}", absolute(&self.options.graph)?.display()))?;
        for asked in self.askable()? {
            if asked.workload_of(JOERN).is_some() {
                self.ask(JOERN, &mut joern, &asked)?;
            }
        }
        Ok(())
    }

    fn start(&self, side: &str, target: &Path, flags: &[&str]) -> Result<Peer, Failure> {
        let flags: Vec<String> =
            self.jvm_flags.iter().cloned().chain(flags.iter().map(|flag| (*flag).to_owned())).collect();
        Peer::start(side, &mut self.options.jvm.command(side, target, &flags))
    }

    /// The requested questions for which the graph has the needed edges.
    fn askable(&self) -> Result<Vec<Asked>, Failure> {
        let graph = Graph::open(self.file(COMPACT))?;
        let wanted = self.options.only.as_deref().unwrap_or_default();
        let has = |label: &str| graph.edge_labels().iter().any(|known| known.name == label);
        let (asked, rest): (Vec<_>, Vec<_>) = ASKED
            .into_iter()
            .filter(|asked| asked.name.starts_with(wanted))
            .partition(|asked| asked.needs.is_none_or(has));
        for Asked { name, needs, .. } in rest {
            eprintln!("{name}: left out, the graph has no {}", needs.unwrap_or_default());
        }
        Ok(asked)
    }

    /// Measures opening: Varvite opens the graph in a fresh process each time, flatgraph in its warm JVM.
    fn open(&mut self, flatgraph: &mut Peer, started: Duration, opened: &Value) -> Result<(), Failure> {
        let mut agreed = Agreed::default();
        let mut found: Vec<(&str, Unit, &str, f64)> = Vec::new();
        let cold_ns = number(&opened["samples"], 0)?;
        found.push(("open_process", Unit::Time, FLATGRAPH, started.as_nanos() as f64 + cold_ns));
        found.push(("open_resident", Unit::Size, FLATGRAPH, number(opened, "rss_bytes")?));
        self.samples(|_| {
            let line = flatgraph.ask("run open_first_answer 1 without-gc")?;
            agreed.check("open_first_answer", FLATGRAPH, &line["answer"])?;
            found.push(("open", Unit::Time, FLATGRAPH, number(&line["samples"], 0)?));
            for side in PROFILES {
                let start = Instant::now();
                let words = ["workload", "open_first_answer"].map(std::ffi::OsStr::new);
                let line = ask_own(&[words[0], words[1], self.file(side).as_os_str(), "1".as_ref()])?;
                found.push(("open_process", Unit::Time, side, start.elapsed().as_nanos() as f64));
                agreed.check("open_first_answer", side, &line["answer"])?;
                found.push(("open", Unit::Time, side, number(&line["samples"], 0)?));
                found.push(("open_resident", Unit::Size, side, number(&line, "rss_bytes")?));
            }
            Ok(())
        })?;
        for (name, title) in [
            ("open", "open to first answer (number of METHODs)"),
            ("open_process", "the same, with the start of the process"),
            ("open_resident", "resident memory after the first answer"),
        ] {
            for (_, unit, side, value) in found.iter().filter(|(of, ..)| *of == name) {
                self.row(name, title, *unit).add(side, *value);
            }
        }
        self.tell("open");
        Ok(())
    }

    /// Measures one question on a peer and all profiles in turn. Each of Varvite's processes is new, so that
    /// its memory is that of this question.
    fn ask(&mut self, name: &'static str, peer: &mut Peer, asked: &Asked) -> Result<(), Failure> {
        let mut profiles = Vec::new();
        for side in PROFILES {
            profiles.push((side, Peer::varvite(side, &self.file(side))?));
        }
        let mut sides = Vec::new();
        if let Some(workload) = asked.workload_of(name) {
            sides.push(Side::warmed(name, peer, workload)?);
        }
        for (side, profile) in &mut profiles {
            sides.push(Side::warmed(side, profile, asked.name)?);
        }
        let mut agreed = self.agreed.remove(asked.name).unwrap_or_default();
        self.samples(|_| sides.iter_mut().try_for_each(|side| side.take(asked, &mut agreed)))?;
        self.agreed.insert(asked.name, agreed);
        for side in &mut sides {
            self.row(asked.name, asked.title, Unit::Time).extend(side.name, side.samples.drain(..));
            if name == FLATGRAPH {
                self.add_memory(side, asked)?;
            }
        }
        self.tell(asked.name);
        Ok(())
    }

    /// Measures one question about columns, on all sides that can answer it, in turns.
    fn ask_columns(
        &mut self,
        flatgraph: &mut Peer,
        engines: &mut [(&'static str, Peer)],
        asked: &Asked,
    ) -> Result<(), Failure> {
        let file = self.file(COMPACT);
        let mut own = [(COMPACT_1, 1), (COMPACT_2, 2)]
            .map(|(side, threads)| Peer::varvite_on(side, &file, threads).map(|peer| (side, peer)))
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        let peers = own.iter_mut().chain(engines).map(|(side, peer)| (*side, peer));
        let mut sides = Vec::new();
        for (side, peer) in std::iter::once((FLATGRAPH, flatgraph)).chain(peers) {
            if let Some(workload) = asked.workload_of(side) {
                sides.push(Side::warmed(side, peer, workload)?);
            }
        }
        let mut agreed = self.agreed.remove(asked.name).unwrap_or_default();
        let count = self.options.samples.max(COLUMN_SAMPLES_MIN);
        take(count, |_| sides.iter_mut().try_for_each(|side| side.take(asked, &mut agreed)))?;
        self.agreed.insert(asked.name, agreed);
        let row = self.row(asked.name, asked.title, Unit::Time);
        sides.into_iter().for_each(|side| row.extend(side.name, side.samples));
        self.tell(asked.name);
        Ok(())
    }

    fn add_memory(&mut self, side: &mut Side<'_>, asked: &Asked) -> Result<(), Failure> {
        let resident = number(&side.last, "rss_bytes")?;
        self.row(&format!("{MEMORY}{}", asked.name), asked.title, Unit::Size).add(side.name, resident);
        if asked.name == "load_everything" {
            self.add_everything(side)?;
        }
        Ok(())
    }

    /// Adds the memory after reading every column: resident bytes, and bytes that the system cannot simply
    /// drop (private bytes, or for flatgraph the live heap).
    fn add_everything(&mut self, side: &mut Side<'_>) -> Result<(), Failure> {
        let line = side.peer.ask("memory")?;
        let held = if side.name == FLATGRAPH { "heap_used_bytes" } else { "rss_anon_bytes" };
        let private = "of it private (Varvite), live heap after a collection (flatgraph)";
        self.row("everything_resident", "resident memory, everything touched", Unit::Size)
            .add(side.name, number(&side.last, "rss_bytes")?);
        self.row("everything_private", private, Unit::Size).add(side.name, number(&line, held)?);
        Ok(())
    }

    // Saving

    /// Measures saving. flatgraph does not sync its saved files, so Varvite's export is reported with and
    /// without the time of syncs.
    fn save(&mut self, flatgraph: &mut Peer) -> Result<(), Failure> {
        let saved = absolute(&self.options.scratch.join("flatgraph-saved.cpg.bin"))?;
        let mut agreed = Agreed::default();
        let mut found: Vec<(&str, f64, f64)> = Vec::new();
        self.samples(|_| {
            let line = flatgraph.ask(&format!("save {}", saved.display()))?;
            found.push((FLATGRAPH, number(&line["samples"], 0)?, 0.0));
            for side in PROFILES {
                let words = ["workload", "save"].map(std::ffi::OsStr::new);
                let line = ask_own(&[words[0], words[1], self.file(side).as_os_str(), "1".as_ref()])?;
                agreed.check("save", side, &line["answer"])?;
                found.push((side, number(&line["samples"], 0)?, number(&line["sync_ns"], 0)?));
            }
            Ok(())
        })?;
        std::fs::remove_file(&saved)?;
        let title = "save as cpg.bin (Varvite: export, synced to disk; flatgraph does not sync)";
        for (side, ns, sync_ns) in found {
            self.row("save", title, Unit::Time).add(side, ns);
            self.row("save_unsynced", "the same, without what syncs took", Unit::Time)
                .add(side, ns - sync_ns);
        }
        self.tell("save");
        Ok(())
    }

    // Results

    fn finish(mut self) -> Result<Results, Failure> {
        let graph = Graph::open(self.file(COMPACT))?;
        let file = self.options.graph.file_name().unwrap_or_default().to_string_lossy().into_owned();
        order(&mut self.results.rows);
        let own = json!({
            "bench": "graph",
            "name": self.name,
            "graph": {"file": file, "nodes": graph.node_count(), "edges": graph.edge_count()},
            "command": self.options.command,
            "jvm_flags": self.jvm_flags,
            "jvm_flags_of_joern": [JOERN_WARMUP],
            "samples": self.options.samples,
            "jvms": self.options.jvms,
            "only": self.options.only,
        });
        merge(&mut self.results.circumstances, own);
        let versions = self.versions();
        merge(&mut self.results.circumstances["versions"], versions);
        Ok(self.results)
    }

    fn versions(&self) -> Value {
        let mut versions = json!({
            "redb": REDB_VERSION,
            "flatgraph": self.flatgraph_said["peer_version"],
            "joern": self.joern_said["peer_version"],
            "java": self.flatgraph_said["java_version"],
            "collector": self.flatgraph_said["collector"],
        });
        for engine in ENGINES {
            let said = self.engines_said.get(engine.name);
            versions[engine.name] = said.map_or(Value::Null, |said| said["peer_version"].clone());
        }
        versions
    }

    /// Prints a finished measurement on standard error, to show the progress of a long run.
    fn tell(&self, name: &str) {
        if let Some(row) = self.results.row(name) {
            let cells: Vec<String> =
                row.sides.keys().map(|side| format!("{side} {}", row.text(side))).collect();
            eprintln!("{name}: {}", cells.join(", "));
        }
    }
}

/// Rows that come first on pages, in this order, whenever they were measured.
const FIRST: [&str; 8] = [
    "open",
    "open_process",
    "open_resident",
    "import",
    "import_resident",
    "file",
    "everything_resident",
    "everything_private",
];

fn order(rows: &mut [Row]) {
    rows.sort_by_key(|row| FIRST.iter().position(|name| *name == row.name).unwrap_or(FIRST.len()));
}

/// Whether the prefix `only` selects a row about changes; all these rows are measured together.
fn wants_changes(only: &str) -> bool {
    CHANGE.starts_with(only) || only.starts_with(CHANGE)
}

/// Takes samples until there are `count`, or until they take too long.
fn take(count: u32, mut sample: impl FnMut(u32) -> Result<(), Failure>) -> Result<(), Failure> {
    let start = Instant::now();
    for taken in 0..count {
        let limit = if taken < SAMPLES_MIN { PATIENCE_MAX } else { PATIENCE };
        if taken > 0 && start.elapsed() > limit {
            break;
        }
        sample(taken)?;
    }
    Ok(())
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    Ok(std::path::absolute(path)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_put_in_order() {
        let mut rows = ["save", "file", "open"].map(|name| Row::new(name, name, Unit::Time));
        order(&mut rows);
        assert_eq!(rows.map(|row| row.name), ["open", "file", "save"]);
    }
}
