//! Writes the tree of ekino's articles as tables for Neo4j's admin import.
//!
//! The root has the labels `Root` and `A`. A level is added in two steps: every `A` that is a leaf gets
//! `fanout` children `B` along `HAS_B`, and then each `B` gets `fanout` children `A` along `HAS_A`. Every
//! node has a truth value. The values are drawn with a fixed seed, in the order of node ids, which is the
//! pre-order of the tree.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Failure;

/// The shape of a tree. Each level is two edges deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The number of levels.
    pub levels: u32,
    /// The number of children of each node that is not a leaf.
    pub fanout: u32,
}

/// The counts of a tree, collected while it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// The number of all nodes.
    pub nodes: u64,
    /// The number of nodes with the label `B`.
    pub b: u64,
    /// The number of nodes with the label `B` whose value is true: the results of a walk.
    pub true_b: u64,
}

/// The tables of a tree.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The folder that contains the tables.
    pub folder: PathBuf,
    /// The counts of the tree in the tables.
    pub census: Census,
}

/// The seed of the truth values.
const SEED: u64 = 2016;

impl Tree {
    /// The number of all nodes and the number of nodes with the label `B`, computed from the shape.
    pub fn closed_form(self) -> (u64, u64) {
        let fanout = u64::from(self.fanout);
        let a: u64 = (0..=self.levels).map(|level| fanout.pow(2 * level)).sum();
        let b: u64 = (0..self.levels).map(|level| fanout.pow(2 * level + 1)).sum();
        (a + b, b)
    }

    /// Writes `nodes.csv` and `relationships.csv` into a folder.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn write(self, folder: &Path) -> Result<Tables, Failure> {
        std::fs::create_dir_all(folder)?;
        let create = |name| File::create(folder.join(name)).map(BufWriter::new);
        let (mut nodes, mut edges) = (create("nodes.csv")?, create("relationships.csv")?);
        writeln!(nodes, ":ID,value:boolean,:LABEL")?;
        writeln!(edges, ":START_ID,:END_ID,:TYPE")?;
        let mut census = Census { nodes: 0, b: 0, true_b: 0 };
        let mut random = SEED;
        // A stack of the nodes still to write, each as the id of its parent and its depth.
        let mut pending = vec![(None, 0u32)];
        while let Some((parent, depth)) = pending.pop() {
            let (id, is_b) = (census.nodes, depth % 2 == 1);
            let value = next(&mut random) >> 63 == 1;
            let labels = if depth == 0 { "Root;A" } else { ["A", "B"][usize::from(is_b)] };
            writeln!(nodes, "{id},{value},{labels}")?;
            if let Some(parent) = parent {
                writeln!(edges, "{parent},{id},{}", if is_b { "HAS_B" } else { "HAS_A" })?;
            }
            census.nodes += 1;
            census.b += u64::from(is_b);
            census.true_b += u64::from(is_b && value);
            if depth < 2 * self.levels {
                pending.extend((0..self.fanout).map(|_| (Some(id), depth + 1)));
            }
        }
        nodes.flush()?;
        edges.flush()?;
        assert_eq!((census.nodes, census.b), self.closed_form(), "the tree has as many nodes as it should");
        Ok(Tables { folder: folder.to_owned(), census })
    }
}

impl Tables {
    /// The path of the table of nodes.
    pub fn nodes(&self) -> PathBuf {
        self.folder.join("nodes.csv")
    }

    /// The path of the table of edges.
    pub fn relationships(&self) -> PathBuf {
        self.folder.join("relationships.csv")
    }
}

/// The next number of the pseudo-random generator SplitMix64 (Steele, Lea and Flood).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_as_many_nodes_as_the_articles_say() {
        let closed_form = |levels, fanout| Tree { levels, fanout }.closed_form();
        assert_eq!(closed_form(5, 4), (1_398_101, 279_620));
        assert_eq!(closed_form(6, 4), (22_369_621, 4_473_924));
        assert_eq!(closed_form(2, 4), (341, 68));
    }

    #[test]
    fn a_parent_comes_before_its_children_and_those_before_its_sibling() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tree { levels: 1, fanout: 2 }.write(folder.path()).unwrap();
        let edges = std::fs::read_to_string(tables.relationships()).unwrap();
        let expected = "0,1,HAS_B\n1,2,HAS_A\n1,3,HAS_A\n0,4,HAS_B\n4,5,HAS_A\n4,6,HAS_A\n";
        assert_eq!(edges, format!(":START_ID,:END_ID,:TYPE\n{expected}"));
        let nodes = std::fs::read_to_string(tables.nodes()).unwrap();
        assert!(nodes.starts_with(":ID,value:boolean,:LABEL\n0,"));
        assert!(nodes.lines().nth(1).is_some_and(|line| line.ends_with(",Root;A")), "{nodes}");
    }
}
