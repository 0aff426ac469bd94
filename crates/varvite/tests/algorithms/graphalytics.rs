//! Runs the algorithms on the validation graphs of the benchmark LDBC Graphalytics, with the benchmark's
//! parameters, and compares the answers with the published ones, within the benchmark's bounds. `make
//! graphalytics` runs only these tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use varvite::algorithms::{PageRank, Selection, UNREACHED};
use varvite::walk::Hop;

use super::{WEIGHT, graph_of, is_near, open};

/// The distance that answer files give for a node to which no path leads.
const NO_PATH: &str = "9223372036854775807";
/// The allowed deviations: one part in [`PARTS`] for PageRank and costs, and the absolute deviation
/// [`CLUSTERING_MAX`] for clustering.
const PARTS: f64 = 1e4;
const CLUSTERING_MAX: f64 = 1e-6;

/// The folder of the validation graphs; `None` if it does not exist.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/graphalytics");
    if folder.exists() {
        return Some(folder);
    }
    varvite_model::skip("algorithms::graphalytics", "there is no ../shared/data/graphalytics");
    None
}

/// A graph as it was published; vertices have the published numbers.
struct Published {
    vertices: Vec<u64>,
    /// The edges with their weights. Each edge of an undirected graph occurs once.
    edges: Vec<(usize, usize, Option<f64>)>,
    is_directed: bool,
}

impl Published {
    /// Reads a file that has a line for each vertex: the vertex and its neighbours.
    fn lists(path: &Path, is_directed: bool) -> Self {
        let lines: Vec<Vec<u64>> = words(path).iter().map(|words| numbers(words)).collect();
        let pairs = lines.iter().flat_map(|line| line[1..].iter().map(|target| (line[0], *target, None)));
        Self::of(lines.iter().flatten().copied(), pairs.collect(), is_directed)
    }

    /// Reads a file that has a line for each vertex, and another file that has a line for each edge, with its
    /// weight.
    fn edges(path: &Path, is_directed: bool) -> Self {
        let vertices = words(&path.with_extension("v"));
        let edges = words(&path.with_extension("e"));
        let edge = |words: &Vec<String>| {
            (words[0].parse().unwrap(), words[1].parse().unwrap(), Some(words[2].parse().unwrap()))
        };
        Self::of(
            vertices.iter().map(|words| words[0].parse().unwrap()),
            edges.iter().map(edge).collect(),
            is_directed,
        )
    }

    fn of(
        vertices: impl Iterator<Item = u64>,
        edges: Vec<(u64, u64, Option<f64>)>,
        is_directed: bool,
    ) -> Self {
        let mut vertices: Vec<u64> = vertices.collect();
        vertices.sort_unstable();
        vertices.dedup();
        let place = |vertex: u64| vertices.binary_search(&vertex).unwrap();
        let mut edges: Vec<(usize, usize, Option<f64>)> =
            edges.iter().map(|(source, target, weight)| (place(*source), place(*target), *weight)).collect();
        if !is_directed {
            edges.retain(|(source, target, _)| source < target);
        }
        Self { vertices, edges, is_directed }
    }

    fn node(&self, vertex: u64) -> u32 {
        self.vertices.binary_search(&vertex).unwrap() as u32
    }

    /// A selection of all edges, in both directions if the graph is undirected.
    fn selection(&self) -> Selection {
        Selection::along(if self.is_directed { Hop::out("E") } else { Hop::both("E") })
    }
}

fn words(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|words| !words.is_empty()).collect()
}

fn numbers(words: &[String]) -> Vec<u64> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

/// Compares the value that was computed for each node with a file of answers.
fn check<T: Copy>(
    published: &Published,
    answers: &Path,
    found: &[T],
    mut is_same: impl FnMut(T, &str) -> bool,
) {
    let answers: BTreeMap<u64, String> =
        words(answers).into_iter().map(|words| (words[0].parse().unwrap(), words[1].clone())).collect();
    assert!(answers.keys().eq(&published.vertices), "every vertex has an answer");
    for (vertex, answer) in &answers {
        let found = found[published.node(*vertex) as usize];
        assert!(is_same(found, answer), "vertex {vertex}, where the answer is {answer}");
    }
}

/// An algorithm with its parameters.
#[derive(Clone, Copy)]
enum Question {
    Distances(u64),
    Components,
    Communities(u32),
    Clustering,
    PageRank(u32),
    LeastCosts(u64),
}

fn ask(folder: &Path, question: Question, input: &str, answers: &str, is_directed: bool) {
    let path = folder.join(input);
    let published = match question {
        Question::LeastCosts(_) => Published::edges(&path, is_directed),
        _ => Published::lists(&path, is_directed),
    };
    let graph = graph_of(published.vertices.len(), &published.edges);
    let selection = published.selection();
    let selection = match question {
        Question::LeastCosts(_) => selection.cost(WEIGHT),
        _ => selection,
    };
    let subgraph = open(&graph, selection).unwrap();
    let answers = folder.join(answers);
    let is_vertex = |node: u32, answer: &str| published.vertices[node as usize].to_string() == answer;
    match question {
        Question::Distances(source) => {
            let found = subgraph.distances(&[published.node(source)]).unwrap();
            check(&published, &answers, found.values(), |distance, answer| match answer {
                NO_PATH => distance == UNREACHED,
                _ => distance.to_string() == answer,
            });
        }
        Question::Components => {
            // The expected answers identify each component by one of its vertices, so the test only compares
            // which nodes are in the same component.
            let found = subgraph.components().unwrap();
            let mut of_answer: BTreeMap<String, u32> = BTreeMap::new();
            check(&published, &answers, found.values(), |component, answer| {
                *of_answer.entry(answer.to_owned()).or_insert(component) == component
            });
            let mut components: Vec<u32> = found.values().to_vec();
            components.sort_unstable();
            components.dedup();
            assert_eq!(components.len(), of_answer.len(), "as many components");
        }
        Question::Communities(iterations) => {
            let found = subgraph.communities(iterations).unwrap();
            check(&published, &answers, found.labels.values(), is_vertex);
        }
        Question::Clustering => {
            let found = subgraph.clustering().unwrap();
            check(&published, &answers, found.values(), |coefficient: f64, answer| {
                (coefficient - answer.parse::<f64>().unwrap()).abs() <= CLUSTERING_MAX
            });
        }
        Question::PageRank(iterations_max) => {
            let options = PageRank { damping: 0.85, iterations_max, tolerance: 0.0 };
            let found = subgraph.page_rank(&options).unwrap();
            assert_eq!(found.iterations, iterations_max);
            check(&published, &answers, found.ranks.values(), |rank, answer| {
                is_near(rank, answer.parse().unwrap(), PARTS)
            });
        }
        Question::LeastCosts(source) => {
            let found = subgraph.least_costs(&[published.node(source)]).unwrap();
            check(&published, &answers, found.values(), |cost, answer| match answer {
                "Infinity" => cost == f64::INFINITY,
                _ => is_near(cost, answer.parse().unwrap(), PARTS),
            });
        }
    }
    let (name, count) = (answers.strip_prefix(folder).unwrap().display(), published.vertices.len());
    println!("Graphalytics {name}: {count} vertices are answered alike");
}

/// Checks an algorithm on the directed and the undirected validation graph, and on the examples in the
/// specification.
fn ask_all(of: impl Fn(u64, u32) -> Question, name: &str, example: &str, parameters: [(u64, u32); 4]) {
    let Some(folder) = folder() else { return };
    let cases = [
        (format!("{name}/dir-input"), format!("{name}/dir-output"), true),
        (format!("{name}/undir-input"), format!("{name}/undir-output"), false),
        ("example/example-directed-input".to_owned(), format!("example/example-directed-{example}"), true),
        (
            "example/example-undirected-input".to_owned(),
            format!("example/example-undirected-{example}"),
            false,
        ),
    ];
    for ((input, answers, is_directed), (source, iterations)) in cases.iter().zip(parameters) {
        let question = of(source, iterations);
        // A graph with weights consists of two files, whose names lack the part after the last hyphen.
        let input = match question {
            Question::LeastCosts(_) => input.replace("directed-input", "directed"),
            _ => input.clone(),
        };
        ask(&folder, question, &input, answers, *is_directed);
    }
}

#[test]
fn distances_are_those_of_graphalytics() {
    ask_all(|source, _| Question::Distances(source), "bfs", "BFS", [(1, 0), (1, 0), (1, 0), (2, 0)]);
}

#[test]
fn components_are_those_of_graphalytics() {
    ask_all(|_, _| Question::Components, "wcc", "WCC", [(0, 0); 4]);
}

#[test]
fn communities_are_those_of_graphalytics() {
    ask_all(
        |_, iterations| Question::Communities(iterations),
        "cdlp",
        "CDLP",
        [(0, 5), (0, 5), (0, 2), (0, 2)],
    );
}

#[test]
fn clustering_is_that_of_graphalytics() {
    ask_all(|_, _| Question::Clustering, "lcc", "LCC", [(0, 0); 4]);
}

#[test]
fn ranks_are_those_of_graphalytics() {
    ask_all(|_, iterations| Question::PageRank(iterations), "pr", "PR", [(0, 14), (0, 26), (0, 2), (0, 2)]);
}

#[test]
fn least_costs_are_those_of_graphalytics() {
    ask_all(|source, _| Question::LeastCosts(source), "sssp", "SSSP", [(1, 0), (1, 0), (1, 0), (2, 0)]);
}
