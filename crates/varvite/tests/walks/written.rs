//! Writes random walks with the model's answers, for readers in other languages. The environment variable
//! `VARVITE_WALKS` sets the folder of the files.
//!
//! `random-N.varvite` is a graph; `random-N.walks` has a line for each walk. A line has these fields,
//! separated by tabs: the walk as JSON; the nodes at which it starts; the extent of the results; and the
//! results. The extent is `all`, `some` (there are more results), or `none` (because evaluators contradict
//! each other). Results are separated by `;`. A result is a path, whose steps are separated by spaces. A step
//! is a node, followed by the edge that leads to the node, written as `>` or `<` and the edge's label.
//! `tree.varvite` is the tree of `tree.rs` with `VARVITE_TREE_LEVELS` levels.

use std::fs;
use std::path::{Path, PathBuf};

use varvite::walk::{Arena, Walk, WalkError};
use varvite::{Direction, Graph, Profile};

use super::random::{Case, Maker, ORDERS, Path as Branch, graph_of, path_of_model};
use super::tree::Tree;

const GRAPHS: u64 = 24;
const WALKS: usize = 60;
/// The maximum number of branches of a walk. If a walk has more, only its first results are written.
const BRANCHES_MAX: usize = 300;
/// The profiles of the files. In files of the profile `Direct`, every language reads columns in place.
const PROFILES: [Profile; 2] = [Profile::Direct, Profile::Compact];

fn line(walk: &Walk, starts: &[u32], extent: &str, results: &[Branch]) -> String {
    let step = |(node, edge): &(u32, Option<(String, Direction)>)| match edge {
        None => node.to_string(),
        Some((label, Direction::Out)) => format!("{node}>{label}"),
        Some((label, Direction::In)) => format!("{node}<{label}"),
    };
    let path = |path: &Branch| path.iter().map(step).collect::<Vec<_>>().join(" ");
    let results: Vec<String> = results.iter().map(path).collect();
    let starts: Vec<String> = starts.iter().map(u32::to_string).collect();
    format!("{}\t{}\t{extent}\t{}\n", walk.to_json(), starts.join(","), results.join(";"))
}

/// Writes a graph and walks on it. Before that, runs each walk on the engine, from its JSON form, to check
/// the answers. Returns the number of results.
fn write(folder: &Path, seed: u64) -> usize {
    let (model, draft) = graph_of(seed);
    if draft.nodes == 0 {
        return 0;
    }
    let bytes = draft.bytes(PROFILES[seed as usize % PROFILES.len()]);
    let path = folder.join(format!("random-{seed}.varvite"));
    fs::write(&path, bytes).unwrap();
    let graph = Graph::open(&path).unwrap();
    let is_simple = |name: &str| !name.contains(['\t', '\n', ' ', ';', '<', '>']);
    assert!(graph.edge_labels().iter().all(|label| is_simple(&label.name)));
    let (mut arena, mut maker, mut lines, mut count) =
        (Arena::default(), Maker::of(&graph, (0..graph.node_count()).collect(), seed), String::new(), 0);
    for number in 0..WALKS {
        let Case { walk, model: mut plain } = maker.case(ORDERS[number % ORDERS.len()]);
        plain.costs_by_label = false;
        let starts = 1 + maker.random.below(3);
        let (starts, model_starts) = maker.nodes(starts);
        let expected = plain.run(&model, &model_starts, BRANCHES_MAX);
        let results: Vec<Branch> = expected.branches.iter().map(path_of_model).collect();
        match Walk::from_json(&walk.to_json()).unwrap().compile(&graph) {
            Ok(plan) => {
                let mut run = plan.run(&mut arena, &starts).unwrap();
                for result in &results {
                    let end = result[result.len() - 1].0;
                    assert_eq!(
                        run.next().unwrap().map(|visit| visit.node()),
                        Some(end),
                        "seed {seed}: {walk:?}"
                    );
                }
                let extent = if expected.is_whole { "all" } else { "some" };
                assert!(!expected.is_whole || run.next().unwrap().is_none());
                lines += &line(&walk, &starts, extent, &results);
                count += results.len();
            }
            Err(WalkError::Contradiction { .. }) => lines += &line(&walk, &starts, "none", &[]),
            Err(error) => panic!("{error}"),
        }
    }
    fs::write(path.with_extension("walks"), lines).unwrap();
    count
}

#[test]
fn walks_are_written_for_readers_in_other_languages() {
    let asked = std::env::var_os("VARVITE_WALKS").map(PathBuf::from);
    let temporary = tempfile::tempdir().unwrap();
    let folder = asked.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder).unwrap();
    let results: usize = (0..GRAPHS).map(|seed| write(folder, seed)).sum();
    assert!(results > 20_000, "{results}");
    let levels = std::env::var("VARVITE_TREE_LEVELS").map_or(2, |levels| levels.parse().unwrap());
    fs::write(folder.join("tree.varvite"), Tree::new(levels, 4).bytes(Profile::Direct)).unwrap();
}
