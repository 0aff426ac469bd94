//! Prints the calls to the METHODs with a given name in all graphs of a folder, on all processors:
//! `corpus FOLDER NAME`.

use std::ops::ControlFlow;

use varvite::Task;
use varvite_corpus::{Corpus, CorpusError, Event, FileError, Send, Visit, VisitError};
use varvite_cpg::{Sites, calls_of};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(folder), Some(name)) = (words.next(), words.next()) else {
        return Err("usage: corpus FOLDER NAME".into());
    };
    let corpus = Corpus::open(folder)?;
    let question = |visit: &Visit<'_>, send: Send<'_, String>| calls(visit, &name, send);
    let mut failed = corpus.unreadable().len();
    let visited = corpus.visit(&Task::new(), question, |file, event| {
        let path = corpus.files()[file].path().display();
        match event {
            Event::Result(call) => println!("{path}\t{call}"),
            Event::End(Ok(())) => {}
            Event::End(Err(VisitError::File(error) | VisitError::Question(error))) => {
                eprintln!("{path}: {error}");
                failed += 1;
            }
        }
        ControlFlow::Continue(())
    });
    visited.map_err(CorpusError::from)?;
    if failed == 0 { Ok(()) } else { Err(format!("{failed} files or folders could not be read").into()) }
}

/// Sends the calls in one graph.
fn calls(visit: &Visit<'_>, name: &str, send: Send<'_, String>) -> Result<(), FileError> {
    let graph = visit.graph;
    let (names, code) = (graph.texts("NAME")?, graph.texts("CODE")?);
    let is_named = |method: &u32| names.str(*method).as_deref() == Some(name);
    let methods: Vec<u32> = graph.nodes("METHOD")?.iter().filter(is_named).collect();
    let sites = Sites::open(graph)?;
    let mut cursor = sites.cursor();
    for call in calls_of(graph, &methods)? {
        visit.task.check().map_err(varvite::GraphError::from)?;
        let site = cursor.at(call);
        let (file, line, caller) =
            (site.file.unwrap_or("?"), site.line.unwrap_or(0), site.method_name.unwrap_or("?"));
        if !send(format!("{file}:{line}\t{caller}\t{}", code.str(call).as_deref().unwrap_or(""))) {
            break;
        }
    }
    Ok(())
}
