//! [`Program`]: a program in Scala with a function for each query.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::java::JoernPaths;
use crate::process;
use crate::{Failure, Outcome, cannot};

use super::queries::{Queries, Query};

/// The imports of Joern's shell.
const IMPORTS: &str = include_str!("Imports.scala");
/// The parts of the program that call the functions: for the judge, and for the benchmark.
const JUDGE: &str = include_str!("Judge.scala");
const MEASURE: &str = include_str!("Measure.scala");
/// The most queries that one method asks: methods of the JVM are at most 64 KiB.
const QUERIES_OF_METHOD: usize = 100;
/// How often queries that the compiler refuses are left out.
const COMPILATIONS: usize = 4;
const COMPILER: &str = "dotty.tools.dotc.Main";

/// The compiled program.
pub(super) struct Program<'a> {
    paths: &'a JoernPaths,
    classes: PathBuf,
    /// The folder for files.
    pub(super) folder: &'a Path,
}

impl<'a> Program<'a> {
    /// Compiles the program. Queries that the compiler refuses are left out, and their names printed.
    pub(super) fn compile(paths: &'a JoernPaths, queries: &Queries, folder: &'a Path) -> Outcome<Self> {
        let program = Self { paths, classes: folder.join("classes"), folder };
        fs::create_dir_all(&program.classes).map_err(|error| cannot("create", &program.classes, &error))?;
        let mut asked: Vec<&Query> = queries.asked().collect();
        for _ in 0..COMPILATIONS {
            let text = Text::of(&asked);
            let Err(refused) = program.try_compile(&text)? else { return Ok(program) };
            refused.iter().for_each(|index| println!("Scala's compiler refuses {}", asked[*index].id));
            let mut index = 0..;
            asked.retain(|_| index.next().is_some_and(|index| !refused.contains(&index)));
        }
        Err(Failure(format!("Scala's compiler still refuses queries: see {}", program.log().display())))
    }

    /// Compiles a program, or returns the numbers of the queries that the compiler refuses.
    fn try_compile(&self, text: &Text) -> Outcome<Result<(), BTreeSet<usize>>> {
        let source = self.folder.join("Queries.scala");
        fs::write(&source, &text.program).map_err(|error| cannot("write", &source, &error))?;
        let jars: Vec<String> = self.paths.jars()?.iter().map(|jar| jar.display().to_string()).collect();
        let mut compiler = super::java(self.paths, &self.classes);
        compiler.arg(COMPILER).args(["-classpath", &jars.join(":"), "-color:never", "-d"]);
        compiler.arg(&self.classes).arg(&source);
        let said = compiler
            .output()
            .map_err(|error| process::could_not_start(&compiler, &error, "see cargo xtask jdk"))?;
        if said.status.success() {
            return Ok(Ok(()));
        }
        let message = [said.stdout, said.stderr].concat();
        fs::write(self.log(), &message).map_err(|error| cannot("write", &self.log(), &error))?;
        let refused = text.refused(&String::from_utf8_lossy(&message));
        match refused.is_empty() {
            true => Err(Failure(format!("Scala's compiler fails: see {}", self.log().display()))),
            false => Ok(Err(refused)),
        }
    }

    fn log(&self) -> PathBuf {
        self.folder.join("compiler.log")
    }

    /// The class path with the program and Joern.
    pub(super) fn class_path(&self) -> String {
        format!("{}:{}", self.classes.display(), self.paths.lib().join("*").display())
    }

    /// The command that runs one of the program's main functions. The caller adds arguments.
    pub(super) fn run(&self, main: &str) -> Command {
        let mut java = super::java(self.paths, &self.classes);
        java.arg(main);
        java
    }

    /// The command that runs a class of Joern. The caller adds arguments.
    pub(super) fn joern(&self, class: &str) -> Command {
        self.run(class)
    }
}

/// The text of the program.
struct Text {
    program: String,
    /// The lines before the function of each query.
    lines: Vec<usize>,
}

impl Text {
    fn of(queries: &[&Query]) -> Self {
        let mut text = Self { program: format!("{IMPORTS}{JUDGE}{MEASURE}"), lines: Vec::new() };
        for (number, query) in queries.iter().enumerate() {
            text.lines.push(text.program.lines().count());
            text.add(&format!("def query{number}(cpg: Cpg): Any = {{\n{}\n}}\n", query.listed()));
        }
        let numbered: Vec<(usize, &&Query)> = queries.iter().enumerate().collect();
        let parts = numbered.chunks(QUERIES_OF_METHOD).enumerate();
        let names: Vec<String> = parts.map(|(part, queries)| text.add_part(part, queries)).collect();
        text.add(&format!("def askAll(answers: Asked): Unit = {{ {} }}\n", names.join("; ")));
        text
    }

    fn add_part(&mut self, part: usize, queries: &[(usize, &&Query)]) -> String {
        self.add(&format!("def part{part}(answers: Asked): Unit = {{\n"));
        for (number, query) in queries {
            // A text of JSON is a text of Scala.
            let id = serde_json::Value::from(query.id.as_str());
            self.add(&format!("  answers({id}, query{number}(answers.cpg))\n"));
        }
        self.add("}\n");
        format!("part{part}(answers)")
    }

    fn add(&mut self, lines: &str) {
        // Writing to a text never fails.
        let _ = self.program.write_str(lines);
    }

    /// The numbers of the queries that messages of the compiler are about: `Queries.scala:LINE:COLUMN`.
    fn refused(&self, messages: &str) -> BTreeSet<usize> {
        let of_line = |line: usize| self.lines.partition_point(|before| *before < line).checked_sub(1);
        let places = messages.split("Queries.scala:").skip(1);
        let lines = places.filter_map(|place| place.split(':').next()?.parse().ok());
        lines.filter_map(of_line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_compiler_name_queries_by_their_lines() {
        let text = Text { program: String::new(), lines: vec![10, 13, 16] };
        let messages = "-- Error: a/Queries.scala:15:3 --\n-- Error: a/Queries.scala:17:1 --\n";
        assert_eq!(text.refused(messages), BTreeSet::from([1, 2]));
    }
}
