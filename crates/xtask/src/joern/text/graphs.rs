//! Makes the graphs in `conformance/joern-text` from the programs beside them: a frontend, the default
//! overlays, and data flow, as Joern's `importCode` does.

use std::fs;
use std::path::Path;

use crate::process;
use crate::{Outcome, cannot};

use super::program::Program;

/// A graph: its file, the class of the frontend, further options, and the program.
const MADE: [(&str, &str, &[&str], &str); 4] = [
    ("asked", "io.joern.c2cpg.Main", &["--include-comments"], "asked.c"),
    ("asked-java", "io.joern.javasrc2cpg.Main", &[], "asked.java"),
    ("asked-python", "io.joern.pysrc2cpg.NewMain", &[], "asked.py"),
    ("asked-ruby", "io.joern.rubysrc2cpg.Main", &[], "asked.rb"),
];

/// Makes all graphs.
pub(super) fn make(root: &Path, program: &Program<'_>) -> Outcome {
    for (name, frontend, options, source) in MADE {
        let folder = root.join(super::FOLDER);
        // Frontends read folders; names of files are relative to them.
        let sources = program.folder.join("sources").join(name);
        fs::create_dir_all(&sources).map_err(|error| cannot("create", &sources, &error))?;
        let copy = sources.join(source);
        fs::copy(folder.join(source), &copy).map_err(|error| cannot("copy", &folder.join(source), &error))?;
        let graph = folder.join(format!("{name}.cpg.bin"));
        let mut parse = program.joern(frontend);
        process::output(parse.args(options).arg(&sources).arg("-o").arg(&graph), "see cargo xtask jdk")?;
        process::output(program.run("overlay").arg(&graph), "")?;
        println!("{}", graph.display());
    }
    Ok(())
}
