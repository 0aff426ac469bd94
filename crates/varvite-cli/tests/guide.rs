//! `docs/guide/queries.md` shows what the command answers: each of its commands is run, and compared.

use std::path::Path;
use std::process::Command;

use crate::command::Folder;

const GUIDE: &str = include_str!("../../../docs/guide/queries.md");
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The commands that a page shows, each with the lines that stand under it.
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

/// What a shell shows that runs a command in the folder of the repository.
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
    let folder = Folder::new();
    let graph = folder.path("graph.varvite");
    let commands = commands_of(GUIDE);
    assert!(commands.len() > 10 && commands[0].0.starts_with("varvite import "));
    assert!(run(commands[0].0, &graph).contains("44,073 nodes"));
    for (command, expected) in &commands[1..] {
        let text = run(command, &graph);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), expected.len(), "{command}\n{text}");
        for (line, expected) in lines.iter().zip(expected) {
            // How a step is done, and estimates, may change from version to version: steps are compared.
            let said = |line: &str| match command.contains("explain") {
                true => line.split_whitespace().take(2).collect::<Vec<_>>().join(" "),
                false => line.trim_end().to_owned(),
            };
            assert_eq!(said(line), said(expected), "{command}");
        }
    }
}
