//! Prints the calls to a METHOD that are statements, so that the program drops their results.
//! `unchecked_results FILE NAME`.

use varvite::Graph;
use varvite_cpg::Sites;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(path), Some(name)) = (words.next(), words.next()) else {
        return Err("usage: unchecked_results FILE NAME".into());
    };
    let graph = Graph::open(path)?;
    let (names, code) = (graph.texts("NAME")?, graph.texts("CODE")?);
    let (methods, blocks) = (graph.nodes("METHOD")?, graph.nodes("BLOCK")?);
    let (callers, parents) = (graph.in_("CALL")?, graph.in_("AST")?);
    let sites = Sites::open(&graph)?;
    let mut cursor = sites.cursor();
    for method in methods.iter().filter(|method| names.str(*method).as_deref() == Some(&name)) {
        for call in callers.neighbors(method) {
            // A child of a BLOCK is a statement: the program does not use its value.
            if parents.first(call).is_some_and(|parent| blocks.contains(parent)) {
                let site = cursor.at(call);
                let (file, line) = (site.file.unwrap_or("?"), site.line.unwrap_or(0));
                println!("{file}:{line}\t{}", code.str(call).as_deref().unwrap_or(""));
            }
        }
    }
    Ok(graph.check()?)
}
