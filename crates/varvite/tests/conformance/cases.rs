//! Runs the cases of `conformance/cases` on the golden files of their graphs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use varvite::compare::Digest;
use varvite::inspect::Info;
use varvite::pipeline::{PREDICATES, PipelineError, STEPS, Template};
use varvite::{Direction, Graph, GraphError, OpenOptions, Profile, Task};
use varvite::{columns::WriteOptions, write::Codec};
use varvite_cpg::{CpgError, SiteCursor, Sites, callees_of, calls_of};
use varvite_format::{Encoding, ErrorCode};
use varvite_model::{Answer, Ask, Case, CaseGraph, Source, cases_in};
use varvite_testing::draft::{Draft, open_bytes};

use super::rows::{rows, values};
use super::{folder, model_answers, read_json, text};

/// The code of an error, and its message.
struct Refusal(ErrorCode, String);

impl From<GraphError> for Refusal {
    fn from(error: GraphError) -> Self {
        Self(error.code(), error.to_string())
    }
}

impl From<PipelineError> for Refusal {
    fn from(error: PipelineError) -> Self {
        Self(error.code(), error.to_string())
    }
}

impl From<CpgError> for Refusal {
    fn from(error: CpgError) -> Self {
        Self(error.code(), error.to_string())
    }
}

type Answered = Result<Vec<Json>, Refusal>;

pub(super) fn cases() -> BTreeMap<String, Case> {
    cases_in(&folder("cases")).unwrap_or_else(|error| panic!("{error}"))
}

/// The file on which a case runs.
fn file_of(name: &str, case: &Case) -> PathBuf {
    match &case.source {
        Source::Graph { .. } => folder("files").join(format!("{name}.varvite")),
        Source::File { name, .. } => folder("files").join(name),
    }
}

fn bytes_of(name: &str, graph: &CaseGraph, words: &[String]) -> Vec<u8> {
    let mut options =
        WriteOptions { profile: Profile::Direct, codec: Codec::None, ..WriteOptions::default() };
    let mut draft = Draft::of_case(graph, name);
    for word in words {
        match word.as_str() {
            "direct" => options.profile = Profile::Direct,
            "compact" => options.profile = Profile::Compact,
            "archive" => options.profile = Profile::Archive,
            "zstd" => options.codec = Codec::Zstd,
            "indexed" => draft = draft.indexed(),
            _ => panic!("{name}: a graph is not written {word:?}"),
        }
    }
    draft.bytes_with(&options)
}

/// The cases that contain a graph, each with the bytes of the graph's file.
fn made() -> Vec<(String, Vec<u8>)> {
    let bytes = cases().into_iter().filter_map(|(name, case)| match &case.source {
        Source::Graph { graph, words } => Some((name.clone(), bytes_of(&name, graph, words))),
        Source::File { .. } => None,
    });
    bytes.collect()
}

/// Rewrites the golden files of all cases.
pub(super) fn bless() {
    for (name, bytes) in made() {
        let path = folder("files").join(format!("{name}.varvite"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

#[test]
fn golden_files_hold_the_graphs_of_their_cases() {
    let digest = |graph: &Graph| Digest::of(graph, &Task::new().threads(1)).unwrap().root;
    for (name, bytes) in made() {
        let golden = Graph::open(folder("files").join(format!("{name}.varvite")));
        let golden = golden.unwrap_or_else(|error| panic!("make bless: {error}"));
        let same = digest(&golden) == digest(&open_bytes(&bytes).unwrap());
        assert!(same, "the golden file of {name} is not of its graph: make bless");
    }
}

#[test]
fn no_golden_file_is_of_a_case_that_is_gone() {
    let made: BTreeSet<String> = made().into_iter().map(|(name, _)| name).collect();
    for area in made.iter().map(|name| name.split('/').next().unwrap()).collect::<BTreeSet<_>>() {
        for file in std::fs::read_dir(folder("files").join(area)).unwrap() {
            let path = file.unwrap().path();
            let name = format!("{area}/{}", path.file_stem().unwrap().to_str().unwrap());
            assert!(made.contains(&name), "no case makes {}: delete it", path.display());
        }
    }
}

#[test]
fn cases_are_answered() {
    let (mut asked, mut wrong) = (0, Vec::new());
    for (name, case) in cases() {
        for ask in &case.asks {
            asked += 1;
            let threads = [1, 2].map(|threads| answer(&file_of(&name, &case), &case, ask, threads));
            wrong.extend(
                threads
                    .into_iter()
                    .filter_map(|found| difference(ask, found))
                    .map(|what| format!("{name}.case:{}: {what}", ask.line)),
            );
        }
    }
    println!("conformance in Rust: {asked} questions asked, 0 left out");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The difference between an answer and the expected answer, in words; `None` if they are equal.
fn difference(ask: &Ask, found: Answered) -> Option<String> {
    match (&ask.answer, found) {
        (Answer::Rows(expected), Ok(found)) => {
            let expected: Vec<Json> = expected.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
            (expected != found).then(|| format!("answered {}", json!(found)))
        }
        (Answer::Error { number, name, says }, Err(Refusal(code, message))) => {
            let is_same = code.number() == *number && code.name() == name;
            let lacks = says.iter().find(|words| !message.contains(*words));
            (!is_same || lacks.is_some())
                .then(|| format!("failed with {} {}: {message}", code.number(), code.name()))
        }
        (Answer::Rows(_), Err(Refusal(code, message))) => {
            Some(format!("failed with {}: {message}", code.name()))
        }
        (Answer::Error { .. }, Ok(found)) => Some(format!("answered {}", json!(found))),
    }
}

/// Answers a question on a newly opened graph. Once a question meets damage, the graph remembers it, and
/// later questions on the same opened graph would report it too.
fn answer(path: &Path, case: &Case, ask: &Ask, threads: usize) -> Answered {
    let is_buffered = matches!(case.source, Source::File { is_buffered: true, .. });
    let options = OpenOptions::new();
    let graph = if is_buffered { options.buffered() } else { options }.open(path)?;
    if ask.question == "plan" {
        return run(&graph, ask, threads);
    }
    let found = named(&graph, &ask.question)?;
    graph.check()?;
    Ok(vec![found])
}

fn run(graph: &Graph, ask: &Ask, threads: usize) -> Answered {
    let task = Task::new().threads(threads);
    let task = ask.memory.into_iter().fold(task, |task, bytes| task.memory(bytes as usize));
    let params = ask.params.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let pipeline = Template::from_json(&ask.plan)?.bind_texts(params)?;
    let plan = pipeline.compile(graph)?;
    let (mut run, mut all) = (plan.run(task), Vec::new());
    while let Some(batch) = run.next()? {
        if ask.side.is_none() {
            all.extend(rows(graph, batch));
        }
        all.extend(side(graph, &run, ask));
    }
    all.extend(side(graph, &run, ask));
    Ok(all)
}

fn side(graph: &Graph, run: &varvite::pipeline::Run, ask: &Ask) -> Vec<Json> {
    let side = ask.side.as_ref().map(|name| run.side(name).unwrap());
    side.map_or_else(Vec::new, |batch| rows(graph, batch))
}

fn named(graph: &Graph, question: &str) -> Result<Json, Refusal> {
    let nodes = 0..graph.node_count();
    let words: Vec<&str> = question.split(' ').collect();
    let lists = |label: &str, direction| {
        let adjacency = graph.adjacency(graph.edge_label(label)?, direction)?;
        Ok(nodes.clone().map(|node| adjacency.neighbors(node).collect::<Vec<u32>>()).collect())
    };
    match words[..] {
        ["open"] => Ok(json!(graph.node_count())),
        ["recovered"] => Ok(json!(graph.store().is_recovered())),
        ["labels"] => {
            let labels = graph.label_sets()?;
            let name = |label: varvite::LabelId| graph.labels()[label.index()].name.as_str();
            Ok(nodes
                .map(|node| labels.of(node).map(name).collect::<BTreeSet<_>>())
                .map(|set| json!(set))
                .collect())
        }
        ["nodes", label] => Ok(graph.nodes(label)?.iter().collect()),
        ["out", label] => lists(label, Direction::Out),
        ["in", label] => lists(label, Direction::In),
        ["values", name] => Ok(values(&graph.property(name)?, graph.node_count())),
        ["edge-values", label, name] => {
            let edges = graph.out(label)?.edge_count() as u32;
            Ok(values(&graph.edge_property(label, Some(name))?, edges))
        }
        ["sites"] => of_sites(graph, |cursor, node| {
            let site = cursor.at(node);
            json!([site.file, site.line, site.method_name])
        }),
        ["methods"] => of_sites(graph, |cursor, node| json!(cursor.method(node))),
        ["calls-of", methods] => Ok(json!(calls_of(graph, &super::ids_of(methods))?)),
        ["callees-of", methods] => {
            let callees = callees_of(graph, &super::ids_of(methods))?;
            Ok(callees.into_iter().map(|(callee, calls)| json!([callee, calls])).collect())
        }
        _ => panic!("{question} is no question"),
    }
}

fn of_sites(graph: &Graph, answer: impl Fn(&mut SiteCursor<'_>, u32) -> Json) -> Result<Json, Refusal> {
    let sites = Sites::open(graph)?;
    let mut cursor = sites.cursor();
    Ok((0..graph.node_count()).map(|node| answer(&mut cursor, node)).collect())
}

/// Tests that the answers in the cases, which are written by hand, equal those of the model, which reads no
/// files.
#[test]
fn named_questions_are_answered_as_the_model_does() {
    for (name, case) in cases() {
        let Source::Graph { graph, .. } = &case.source else { continue };
        for ask in case.asks.iter().filter(|ask| ask.question != "plan") {
            let Answer::Rows(rows) = &ask.answer else { continue };
            let expected: Json = serde_json::from_str(&rows.concat()).unwrap();
            assert_eq!(expected, model_answers::of(graph, &ask.question), "{name}.case:{}", ask.line);
        }
    }
}

#[test]
fn columns_are_stored_as_their_cases_say() {
    let mut wrong = Vec::new();
    for (name, case) in cases().into_iter().filter(|(_, case)| !case.columns.is_empty()) {
        let info = Info::of(&Graph::open(file_of(&name, &case)).unwrap());
        for (column, encoding) in &case.columns {
            let found = info.columns.iter().find(|found| found.name == *column);
            let found = found.map_or("absent", |found| found.encoding.as_str());
            wrong.extend((found != encoding).then(|| format!("{name}: {column} is {found}, not {encoding}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The subjects of the cases in a folder. A subject is the name of a case up to the first hyphen:
/// `repeat-emit` is a case of `repeat`.
fn subjects(area: &str) -> BTreeSet<String> {
    let cases = cases().into_keys();
    let names = cases.filter_map(|name| name.strip_prefix(area)?.strip_prefix('/').map(str::to_owned));
    names.map(|name| name.split('-').next().unwrap().to_owned()).collect()
}

#[test]
fn every_step_and_predicate_has_a_case() {
    assert_eq!(subjects("steps"), STEPS.map(str::to_owned).into());
    assert_eq!(subjects("predicates"), PREDICATES.map(str::to_owned).into());
    for (name, case) in cases() {
        let Some((area @ ("steps" | "predicates"), subject)) = name.split_once('/') else { continue };
        let word = format!("\"{}\"", subject.split('-').next().unwrap());
        assert!(case.asks.iter().any(|ask| ask.plan.contains(&word)), "{area}/{subject} does not use {word}");
    }
}

#[test]
fn every_encoding_has_a_case() {
    let all: Vec<Case> = cases().into_values().collect();
    for encoding in Encoding::ALL {
        let is_it = |(_, stored): &(String, String)| {
            stored
                .split([' ', '(', ','])
                .any(|word| word.trim_end_matches(char::is_numeric) == encoding.name())
        };
        let found = all.iter().any(|case| case.columns.iter().any(is_it));
        assert!(found, "no case has a column that is stored as {}", encoding.name());
    }
}

/// Tests that every error has a case that ends with this error, or a line in `without-case.txt` with the
/// reason why there is none.
#[test]
fn every_error_has_a_case_or_a_reason() {
    let without = std::fs::read_to_string(folder("cases/errors/without-case.txt")).unwrap();
    let lines = without.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let without: BTreeSet<&str> = lines.map(|line| line.split_once(": ").unwrap().0).collect();
    let all = cases();
    let errors = all.values().flat_map(|case| &case.asks).filter_map(|ask| match &ask.answer {
        Answer::Error { name, .. } => Some(name.as_str()),
        Answer::Rows(_) => None,
    });
    let errors: BTreeSet<&str> = errors.collect();
    assert_eq!(errors.intersection(&without).collect::<Vec<_>>(), Vec::<&&str>::new(), "have a case");
    let known: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(errors.union(&without).copied().collect::<BTreeSet<_>>(), known);
}

/// If a damaged file opens, its cases must read all these parts. So no language can give an answer where
/// another language finds damage, without a case that fails.
const PARTS: [&str; 9] = [
    "in AST",
    "in REF",
    "labels",
    "nodes METHOD",
    "nodes NOBODY",
    "out AST",
    "out REF",
    "values NAME",
    "values ORDER",
];

#[test]
fn every_damaged_file_has_a_case_that_asks_for_every_part() {
    let all = cases();
    let case_of = |file: &str| {
        let name = file.strip_suffix(".varvite").unwrap();
        let case = all.get(name).unwrap_or_else(|| panic!("no case for {file}"));
        assert!(
            matches!(&case.source, Source::File { name, .. } if name == file),
            "{name} is of another file"
        );
        case.asks.iter().map(|ask| ask.question.as_str()).collect::<Vec<_>>()
    };
    let catalogue = read_json("files/catalogue.json");
    for row in catalogue["damaged"].as_array().unwrap() {
        let asked = case_of(text(row, "file"));
        let is_whole = asked == ["open"] || asked.iter().copied().collect::<BTreeSet<_>>() == PARTS.into();
        assert!(is_whole, "{}: {asked:?}", text(row, "file"));
    }
    for row in catalogue["checked"].as_array().unwrap() {
        case_of(text(row, "file"));
    }
    let known = ["damaged", "checked"].map(|kind| catalogue[kind].as_array().unwrap().len());
    let found = all.keys().filter(|name| name.starts_with("damaged/")).count();
    assert_eq!(found, known.iter().sum::<usize>(), "a case is of a damaged file that is gone");
}
