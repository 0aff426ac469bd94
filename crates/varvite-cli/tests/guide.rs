//! Checks the guides: commands that are shown with answers are run, and the answers compared. The arguments
//! of all other commands are checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{Folder, varvite};

const GUIDE: &str = include_str!("../../../docs/guide/queries.md");
const FROM_JOERN: &str = include_str!("../../../docs/guide/from-joern.md");
const IMPORTING: &str = include_str!("../../../docs/guide/importing.md");
const MEMORY: &str = include_str!("../../../docs/guide/memory.md");
const TRACES: &str = include_str!("../../../docs/guide/traces.md");
/// Folders with documentation for users.
const PAGES: [&str; 6] = [".", "docs", "docs/guide", "bindings/c", "bindings/java", "bindings/java/joern"];
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The commands that a page shows, each with the lines of its answer.
pub(crate) fn commands_of(page: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let blocks = page.split("```console\n").skip(1).filter_map(|block| block.split("```").next());
    for line in blocks.flat_map(str::lines) {
        match line.strip_prefix("$ ") {
            Some(command) => found.push((command, Vec::new())),
            None => found.last_mut().unwrap().1.push(line),
        }
    }
    found
}

/// Runs a command in a shell, in the folder of the repository, and returns its output.
pub(crate) fn run(command: &str, graph: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_varvite")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let command = format!("{} 2>&1", command.replace("zlib.varvite", "\"$GRAPH\""));
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(ROOT).env("PATH", path).env("GRAPH", graph);
    String::from_utf8(shell.output().unwrap().stdout).unwrap()
}

#[test]
fn every_command_answers_as_the_guide_shows() {
    check_answers(GUIDE, 10);
}

#[test]
fn every_query_in_joerns_language_answers_as_the_guide_shows() {
    check_answers(FROM_JOERN, 40);
}

/// Runs the commands of a page and compares their answers. The page has more than `least` commands, and the
/// first one imports the graph.
fn check_answers(page: &'static str, least: usize) {
    let folder = Folder::new();
    let graph = folder.path("graph.varvite");
    let commands = commands_of(page);
    assert!(commands.len() > least && commands[0].0.starts_with("varvite import "));
    assert!(run(commands[0].0, &graph).contains("44,073 nodes"));
    for (command, expected) in &commands[1..] {
        let text = run(command, &graph);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), expected.len(), "{command}\n{text}");
        for (line, expected) in lines.iter().zip(expected) {
            assert_eq!(line.trim_end(), expected.trim_end(), "{command}");
        }
    }
}

/// Makes the graph that is called `zlib.varvite` on the pages.
fn zlib(folder: &Folder) -> String {
    let graph = folder.path("zlib.varvite");
    let source = format!("{ROOT}/examples/data/zlib.cpg.bin");
    varvite(&["import", &source, "-o", &graph]).status_and_output();
    graph
}

/// The numbers of bytes that the engine counts equal those on the page. The system counts resident bytes and
/// the memory of the process, so they are not compared.
#[test]
fn the_account_of_memory_is_that_of_the_guide() {
    let folder = Folder::new();
    let graph = zlib(&folder);
    let commands = commands_of(MEMORY);
    let [(import, _), (command, expected)] = &commands[..] else { panic!("{commands:?}") };
    assert!(import.starts_with("varvite import "));
    let of_engine = |line: &str| -> Option<Vec<String>> {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let (name, [mapped, _, counted @ ..]) = cells.split_at_checked(cells.len().checked_sub(6)?)? else {
            return None;
        };
        let cells = name.iter().chain([mapped]).chain(counted);
        (*mapped != "0").then(|| cells.map(|cell| cell.rsplit('/').next().unwrap().to_owned()).collect())
    };
    let found: Vec<Vec<String>> = run(command, &graph).lines().skip(1).filter_map(of_engine).collect();
    let expected: Vec<Vec<String>> = expected.iter().skip(1).copied().filter_map(of_engine).collect();
    assert_eq!(found, expected);
    assert!(found.len() > 7, "{found:?}");
}

/// The records of libraries depend on the machine, but those of the program do not.
#[test]
fn counts_of_the_trace_are_those_of_the_guide() {
    let folder = Folder::new();
    let graph = zlib(&folder);
    let commands = commands_of(TRACES);
    let [_, (import, modules), (find, table)] = &commands[..] else { panic!("{commands:?}") };
    let answer = run(import, &graph);
    let of_program = |line: &&str| line.starts_with("/tmp/zlib/zwork ");
    let expected = modules.iter().find(|line| of_program(line)).expect("the page has the program's row");
    let found = answer.lines().find(of_program).expect("the answer has the program's row");
    assert_eq!(found.split_whitespace().collect::<Vec<_>>(), expected.split_whitespace().collect::<Vec<_>>());
    let answer = run(find, &graph);
    assert_eq!(answer.lines().map(str::trim_end).collect::<Vec<_>>(), *table);
}

/// All pages for users.
fn pages() -> Vec<PathBuf> {
    let folders = PAGES.map(|folder| Path::new(ROOT).join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let paths = files.map(|file| file.unwrap().path());
    let mut pages: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages
}

/// The commands of a page that a user would type, without their comments.
fn typed(page: &str) -> impl Iterator<Item = &str> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("    ").or_else(|| line.strip_prefix("$ ")));
    lines.filter(|line| line.starts_with("varvite ")).map(|line| line.split(" #").next().unwrap().trim())
}

/// The test has none of the graphs on the pages, no program to record, and no Joern. The command reports
/// faulty arguments before it notices this.
#[test]
fn every_command_of_the_pages_has_arguments_that_it_takes() {
    let folder = Folder::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_varvite")).parent().unwrap();
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for line in typed(&text) {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", line]).current_dir(folder.path(".")).env("PATH", binary);
            shell.env("JOERN_HOME", folder.path("no-joern")).stdin(Stdio::null());
            let output = shell.output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(!errors.contains("Usage: varvite"), "{}: {line}\n{errors}", page.display());
            count += 1;
        }
    }
    assert!(count > 60, "only {count} commands were found");
}

/// The commands that are mentioned in the text of a page. Each is returned as its words, up to the first one
/// that is not the name of a command, and its options.
fn mentioned(page: &str) -> impl Iterator<Item = (Vec<&str>, Vec<&str>)> {
    let spans = page.split('`').skip(1).step_by(2).filter_map(|span| span.strip_prefix("varvite "));
    spans.map(|span| {
        let own = span.split(" -- ").next().unwrap();
        let words: Vec<&str> = own.split_whitespace().collect();
        let is_name = |word: &&&str| word.chars().all(|char| char.is_ascii_lowercase() || char == '-');
        let names = words.iter().take_while(is_name).take_while(|word| !word.starts_with('-'));
        let group = words.first().is_some_and(|word| ["generate", "heap", "trace"].contains(word));
        let group = group || words.starts_with(&["source", "add"]);
        let names = names.take(if group { 2 } else { 1 }).copied().collect();
        let options = words.iter().filter(|word| word.starts_with("--") && word.len() > 2);
        (names, options.map(|word| word.split('=').next().unwrap()).collect())
    })
}

#[test]
fn every_option_that_a_page_mentions_is_one_of_its_command() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for (names, options) in mentioned(&text).filter(|(names, _)| !names.is_empty()) {
            let help = varvite(&[&names[..], &["--help"]].concat()).text();
            for option in options {
                let option = option.trim_end_matches(['.', ',']);
                assert!(help.contains(option), "{}: varvite {} {option}", page.display(), names.join(" "));
                count += 1;
            }
        }
    }
    assert!(count > 15, "only {count} options were found");
}

#[test]
fn tables_of_the_guide_are_imported_as_it_shows() {
    let folder = Folder::new();
    let (mut tables, mut imports) = (0, 0);
    let (tables_and_graphml, _) = IMPORTING.split_once("## SCIP").unwrap();
    for (command, expected) in commands_of(tables_and_graphml) {
        if let Some(name) = command.strip_prefix("cat ") {
            fs::write(folder.path(name), expected.join("\n") + "\n").unwrap();
            tables += 1;
            continue;
        }
        let binary = Path::new(env!("CARGO_BIN_EXE_varvite"));
        let words = command.strip_prefix("varvite ").unwrap().split(' ');
        let output = Command::new(binary).args(words).current_dir(folder.path(".")).output().unwrap();
        // The duration differs from machine to machine.
        let said = |line: &str| line.rsplit_once(", ").unwrap().0.to_owned();
        assert_eq!(said(&String::from_utf8(output.stdout).unwrap()), said(expected[0]), "{command}");
        imports += 1;
    }
    assert_eq!((tables, imports), (2, 1));
}
