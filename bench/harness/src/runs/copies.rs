//! Makes thousands of small graphs for `make bench-corpus`: copies of a few graphs, the bases, in which
//! METHODs have other names. Equal arguments give equal files.
//!
//! - **Names.** In copy `N` a function `f` of the base is `f_N`, in NAME and FULL_NAME.
//! - **Calls across files.** A METHOD that stands for a function of another file gets the names of a
//!   function of another copy of the same base. Exactly one function has these names.
//! - **Clones.** The first leaf of a function gets another CODE. It is the same in all copies for every
//!   second function, the *planted* clones, and another one in each copy for the others, which are no clones.
//!   So functions are equal exactly if the file `functions.csv` says so.
//!
//! Nothing else changes. A copy is compacted, so that it is a file as an import writes it.

mod base;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use varvite::change::Diff;
use varvite::vfs::RealVfs;
use varvite::write::GraphChange;
use varvite::{IfExists, Profile, Task};

use self::base::{Base, Function};
use crate::Failure;
use crate::workloads::question::import_to;

/// The number of copies in a folder.
const COPIES_OF_FOLDER: u32 = 100;
/// The threads that write copies. They mostly wait for the disk.
const THREADS: usize = 8;
/// The table of functions, beside the folder of the copies.
const FUNCTIONS: &str = "functions.csv";

/// Makes `count` copies of the sources, each a `cpg.bin` or a graph file, in the folder `graphs` below
/// `folder`, which must not exist. Copy `N` is `graphs/H/N.varvite` with its hundreds `H`, and its base is
/// the source number `N` modulo the number of sources.
///
/// Returns the numbers of files, nodes, edges, bytes, and calls across files.
///
/// # Errors
/// No sources, faults of a source, and errors of the file system.
pub fn make(folder: &Path, count: u32, sources: &[&str]) -> Result<Value, Failure> {
    fs::create_dir_all(folder)?;
    let bases = sources.iter().enumerate().map(|(number, source)| base_of(folder, number, Path::new(source)));
    let corpus = Corpus { folder: folder.join("graphs"), bases: bases.collect::<Result<_, _>>()?, count };
    if corpus.bases.is_empty() {
        return Err(Failure("copies needs a graph to copy".into()));
    }
    fs::create_dir(&corpus.folder)?;
    corpus.write_functions(&folder.join(FUNCTIONS))?;
    corpus.write_all()?;
    corpus.facts()
}

fn base_of(folder: &Path, number: usize, source: &Path) -> Result<Base, Failure> {
    if source.extension().is_some_and(|extension| extension == "varvite") {
        return Base::read(source);
    }
    let target = folder.join(format!("base-{number}.varvite"));
    import_to(source, &target, Profile::Compact, IfExists::Replace)?;
    Base::read(&target)
}

/// The role of a function among its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// All copies are equal.
    Planted,
    /// Each copy differs from all others.
    Different,
    /// Not counted.
    Odd,
}

impl Role {
    /// The role of the function at a place of its base.
    fn of(function: &Function, place: usize) -> Self {
        match function.is_odd || function.leaf.is_none() {
            true => Self::Odd,
            false if place.is_multiple_of(2) => Self::Planted,
            false => Self::Different,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Planted => "planted",
            Self::Different => "different",
            Self::Odd => "odd",
        }
    }
}

struct Corpus {
    folder: PathBuf,
    bases: Vec<Base>,
    count: u32,
}

impl Corpus {
    fn base_number(&self, copy: u32) -> usize {
        copy as usize % self.bases.len()
    }

    /// The number of the copy at a place among those of a base.
    fn copy_of(&self, base: usize, place: u32) -> u32 {
        base as u32 + place * self.bases.len() as u32
    }

    /// The number of copies of a base.
    fn copies_of(&self, base: usize) -> u32 {
        (self.count + self.bases.len() as u32 - 1 - base as u32) / self.bases.len() as u32
    }

    fn path(&self, copy: u32) -> PathBuf {
        self.folder.join(format!("{:03}/{copy:05}.varvite", copy / COPIES_OF_FOLDER))
    }

    /// Writes the role of each function: its base, its FULL_NAME without the number of the copy, its lines.
    fn write_functions(&self, path: &Path) -> Result<(), Failure> {
        let mut table = csv::Writer::from_path(path)?;
        table.write_record(["base", "full_name", "lines", "role"])?;
        for (number, base) in self.bases.iter().enumerate() {
            for (place, function) in base.functions.iter().enumerate() {
                let (number, lines) = (number.to_string(), function.lines.to_string());
                table.write_record([
                    &number,
                    &function.full_name,
                    &lines,
                    Role::of(function, place).word(),
                ])?;
            }
        }
        Ok(table.flush()?)
    }

    fn write_all(&self) -> Result<(), Failure> {
        for folder in 0..self.count.div_ceil(COPIES_OF_FOLDER) {
            fs::create_dir(self.folder.join(format!("{folder:03}")))?;
        }
        let next = AtomicU32::new(0);
        let work = || loop {
            match next.fetch_add(1, Ordering::Relaxed) {
                copy if copy >= self.count => return Ok(()),
                copy => self.write(copy)?,
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err(Failure("a thread that writes copies panicked".into())))
            })
        })
    }

    fn write(&self, copy: u32) -> Result<(), Failure> {
        let (path, task) = (self.path(copy), Task::new().threads(1));
        fs::copy(&self.bases[self.base_number(copy)].path, &path)?;
        GraphChange::begin(Arc::new(RealVfs), &path)?.apply_with(&self.diff(copy), &task)?;
        GraphChange::begin(Arc::new(RealVfs), &path)?.compact(&task)?;
        Ok(())
    }

    fn diff(&self, copy: u32) -> Diff {
        let (number, mut diff) = (self.base_number(copy), Diff::new());
        let base = &self.bases[number];
        for (place, function) in base.functions.iter().enumerate() {
            rename(&mut diff, function.node, function, copy);
            if let Some((leaf, code)) = &function.leaf {
                let code = match Role::of(function, place) {
                    Role::Planted => format!("{code} /{number}.{place}"),
                    Role::Different => format!("{code} /{number}.{place}.{copy}"),
                    Role::Odd => continue,
                };
                diff.set(*leaf, "CODE", [code.as_str()]);
            }
        }
        for (stub, function, other) in self.links(copy) {
            rename(&mut diff, stub, function, other);
            diff.set(stub, "SIGNATURE", [function.signature.as_str()]);
        }
        diff
    }

    /// The calls of a copy into others: each stub, with the function that it stands for, and the copy that
    /// has the function.
    fn links(&self, copy: u32) -> Vec<(u32, &Function, u32)> {
        let number = self.base_number(copy);
        let (base, copies) = (&self.bases[number], self.copies_of(number));
        let (visible, own) = (base.visible(), copy / self.bases.len() as u32);
        if visible.is_empty() || copies < 2 {
            return Vec::new();
        }
        // A stub has a function of its own, so that each is a name that the copy uses once.
        let stubs = base.stubs.iter().zip(&visible).enumerate();
        let others = stubs.map(|(place, (stub, function))| {
            let other = (own + 1 + place as u32 % (copies - 1)) % copies;
            (*stub, *function, self.copy_of(number, other))
        });
        others.collect()
    }

    fn facts(&self) -> Result<Value, Failure> {
        let (mut nodes, mut edges, mut links, mut bytes) = (0, 0, 0, 0);
        for copy in 0..self.count {
            let base = &self.bases[self.base_number(copy)];
            nodes += u64::from(base.nodes);
            edges += base.edges;
            links += self.links(copy).len();
            bytes += fs::metadata(self.path(copy))?.len();
        }
        let bases = self.bases.len();
        Ok(
            json!({"files": self.count, "bases": bases, "nodes": nodes, "edges": edges, "links": links, "bytes": bytes}),
        )
    }
}

/// Gives a METHOD the names of a function in a copy.
fn rename(diff: &mut Diff, method: u32, function: &Function, copy: u32) {
    diff.set(method, "NAME", [format!("{}_{copy}", function.name).as_str()]);
    diff.set(method, "FULL_NAME", [format!("{}_{copy}", function.full_name).as_str()]);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use varvite::Graph;

    use super::*;

    const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/content.cpg.bin");

    /// NAME and the CODE of the leaf of each function of the base, in a copy.
    fn named(base: &Base, path: &Path) -> Vec<(String, String)> {
        let graph = Graph::open(path).unwrap();
        let (names, code) = (graph.texts("NAME").unwrap(), graph.texts("CODE").unwrap());
        let text = |texts: &varvite::Property, node| texts.str(node).map(String::from).unwrap_or_default();
        let functions = base.functions.iter();
        functions.map(|of| (text(&names, of.node), text(&code, of.leaf.as_ref().unwrap().0))).collect()
    }

    #[test]
    fn copies_have_names_of_their_own_and_every_second_function_in_common() {
        let folder = tempfile::tempdir().unwrap();
        let facts = make(folder.path(), 3, &[SOURCE]).unwrap();
        assert_eq!((&facts["files"], &facts["nodes"]), (&json!(3), &json!(3 * 1198)));
        let base = Base::read(&folder.path().join("base-0.varvite")).unwrap();
        let path = |copy: u32| folder.path().join(format!("graphs/000/0000{copy}.varvite"));
        let copies: Vec<_> = (0..3).map(|copy| named(&base, &path(copy))).collect();
        for (place, function) in base.functions.iter().enumerate() {
            let names = (0..3).map(|copy| format!("{}_{copy}", function.name));
            assert!(copies.iter().map(|copy| copy[place].0.clone()).eq(names));
            let leaves: BTreeSet<&String> = copies.iter().map(|copy| &copy[place].1).collect();
            assert_eq!(leaves.len(), if place % 2 == 0 { 1 } else { 3 }, "{}", function.name);
        }
        assert_eq!(Graph::open(path(1)).unwrap().verify(&Task::new()).unwrap().problems, [""; 0]);
        let table = fs::read_to_string(folder.path().join(FUNCTIONS)).unwrap();
        assert!(
            table.starts_with("base,full_name,lines,role\n0,adler32_z,65,planted\n0,adler32,3,different\n")
        );
    }

    #[test]
    fn a_stub_stands_for_a_function_of_another_copy() {
        let folder = tempfile::tempdir().unwrap();
        let facts = make(folder.path(), 3, &[SOURCE]).unwrap();
        let base = Base::read(&folder.path().join("base-0.varvite")).unwrap();
        let (stubs, visible) = (base.stubs.len(), base.visible().len());
        assert_eq!(facts["links"], 3 * stubs.min(visible));
        let graph = Graph::open(folder.path().join("graphs/000/00002.varvite")).unwrap();
        let names = graph.texts("FULL_NAME").unwrap();
        assert_eq!(&*names.str(base.stubs[0]).unwrap(), "adler32_z_0");
        assert_eq!(&*names.str(base.stubs[1]).unwrap(), "adler32_1");
    }

    #[test]
    fn nothing_to_copy_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(make(folder.path(), 3, &[]).unwrap_err().0.contains("needs a graph"));
        assert!(make(folder.path(), 3, &["no-such.cpg.bin"]).is_err());
    }
}
