//! Prints the calls that may reach the METHODs with a given name, with file and line: `callers FILE NAME`.

use varvite::Graph;
use varvite_cpg::{Sites, calls_of};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(path), Some(name)) = (words.next(), words.next()) else {
        return Err("usage: callers FILE NAME".into());
    };
    let graph = Graph::open(path)?;
    let (names, code) = (graph.texts("NAME")?, graph.texts("CODE")?);
    let is_named = |method: &u32| names.str(*method).as_deref() == Some(&name);
    let methods: Vec<u32> = graph.nodes("METHOD")?.iter().filter(is_named).collect();
    let sites = Sites::open(&graph)?;
    let mut cursor = sites.cursor();
    for call in calls_of(&graph, &methods)? {
        let site = cursor.at(call);
        let (file, line, caller) =
            (site.file.unwrap_or("?"), site.line.unwrap_or(0), site.method_name.unwrap_or("?"));
        println!("{file}:{line}\t{caller}\t{}", code.str(call).as_deref().unwrap_or(""));
    }
    Ok(graph.check()?)
}
