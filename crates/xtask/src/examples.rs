//! Tests the programs in `examples`: programs with the same name in Rust, Java, Scala and C must print the
//! same output. A program for many graphs is in Rust alone.
//!
//! `examples/expected.txt` is written like a terminal session: each program's output follows a line with its
//! name and arguments.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::c::Staged;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot, java};

const SOURCE: &str = "examples/data/zlib.cpg.bin";
const EXPECTED: &str = "examples/expected.txt";
/// The name of the graph in the expected output.
const GRAPH: &str = "zlib.varvite";
/// The folder of graphs in the expected output, and the source of the graph there beside that of zlib.
const CORPUS: &str = "corpus";
const SMALL_SOURCE: &str = "examples/data/content.cpg.bin";
/// Programs for which other languages have no calls yet, and the program that the explorer copies for Rust.
const IN_RUST_ALONE: [&str; 2] = ["corpus", "copied_in_rust"];
/// The program that the explorer copies for Java, and its class. A test of the explorer writes both programs.
const COPIED_IN_JAVA: (&str, &str) = ("copied_in_java", "Ask");

/// Builds all programs and compares their outputs.
pub(crate) fn test(root: &Path) -> Outcome {
    let folder = target_dir(root).join("examples");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let path = root.join(EXPECTED);
    let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
    let sessions = sessions(&text);
    let programs = Programs::build(root, &folder, &sessions)?;
    let mut differences = Vec::new();
    for session in &sessions {
        for (language, program) in programs.of(session.program) {
            let mut command = program;
            let words = session.words.iter().map(|word| match *word {
                GRAPH => programs.graph.display().to_string(),
                word => word.to_owned(),
            });
            let printed = process::output(command.args(words).current_dir(&programs.folder), "")?;
            if printed != session.printed {
                differences.push(format!("{} in {language} prints\n{printed}", session.program));
            }
        }
    }
    match differences.is_empty() {
        true => Ok(()),
        false => Err(Failure(format!("other output than in {EXPECTED}: {}", differences.join("\n")))),
    }
}

/// A program with its arguments, and its expected output.
#[derive(Debug, PartialEq, Eq)]
struct Session<'t> {
    program: &'t str,
    words: Vec<&'t str>,
    printed: String,
}

fn sessions(text: &str) -> Vec<Session<'_>> {
    let mut sessions: Vec<Session<'_>> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), sessions.last_mut()) {
            (Some(command), _) => {
                let mut words = command.split(' ');
                let program = words.next().unwrap_or_default();
                sessions.push(Session { program, words: words.collect(), printed: String::new() });
            }
            (None, Some(session)) => session.printed.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    sessions
}

/// The built programs, and the graph that they open.
struct Programs {
    root: PathBuf,
    graph: PathBuf,
    folder: PathBuf,
    jvm: java::Examples,
}

impl Programs {
    fn build(root: &Path, folder: &Path, sessions: &[Session<'_>]) -> Outcome<Self> {
        let built = built::build(root, Profile::Dev, &["--bins"])?;
        let (graph, corpus) = (folder.join(GRAPH), folder.join(CORPUS));
        fs::create_dir_all(&corpus).map_err(|error| cannot("create", &corpus, &error))?;
        let content = corpus.join("content.varvite");
        for (source, target) in [(SOURCE, &graph), (SOURCE, &corpus.join(GRAPH)), (SMALL_SOURCE, &content)] {
            let mut import = Command::new(built.join("varvite"));
            import.arg("import").arg(root.join(source)).arg("-o").arg(target).arg("--force");
            process::output(&mut import, "")?;
        }
        let staged = Staged::build(root)?;
        for session in sessions.iter().filter(|session| is_in_all(session.program)) {
            let source = root.join("examples/c").join(session.program).with_extension("c");
            staged.compile(&source, &folder.join(session.program))?;
        }
        let jvm = java::Examples::build(root)?;
        Ok(Self { root: root.to_owned(), graph, folder: folder.to_owned(), jvm })
    }

    /// The commands that run one program in each language that has it.
    fn of(&self, program: &str) -> Vec<(&'static str, Command)> {
        let class = format!("varvite.examples.{}", class_of(program));
        let in_rust = ("Rust", Command::new(target_dir(&self.root).join("debug").join(program)));
        if IN_RUST_ALONE.contains(&program) {
            return vec![in_rust];
        }
        if program == COPIED_IN_JAVA.0 {
            return vec![("Java", self.jvm.command("java", COPIED_IN_JAVA.1))];
        }
        vec![
            in_rust,
            ("C", Command::new(self.folder.join(program))),
            ("Java", self.jvm.command("java", &class)),
            ("Scala", self.jvm.command("scala", &class)),
        ]
    }
}

fn is_in_all(program: &str) -> bool {
    !IN_RUST_ALONE.contains(&program) && program != COPIED_IN_JAVA.0
}

/// The class name of a program: `MostCalled` for `most_called`.
fn class_of(program: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    program.split('_').map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_a_program_with_what_it_prints() {
        let text = "About these.\n\n$ most_called zlib.varvite\n3\ta\n$ callers zlib.varvite f\n";
        let session = |program, words: &[&'static str], printed: &str| Session {
            program,
            words: words.to_vec(),
            printed: printed.to_owned(),
        };
        let expected = [session("most_called", &[GRAPH], "3\ta\n"), session("callers", &[GRAPH, "f"], "")];
        assert_eq!(sessions(text), expected);
    }

    #[test]
    fn classes_are_named_like_programs() {
        assert_eq!(class_of("most_called"), "MostCalled");
    }
}
