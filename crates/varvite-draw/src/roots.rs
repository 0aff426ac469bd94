//! [`roots_at`]: the nodes that a user describes, from which a part grows.

use varvite::{Budget, Graph};
use varvite_cpg::CodeFiles;
use varvite_show::nodes_at;

use crate::error::{DrawError, Result};

/// The nodes that `words` describe: the METHODs with code of a file, or nodes as [`nodes_at`] finds them.
///
/// # Errors
/// [`DrawError`] if nothing or several files fit, if the graph can't be read, or if the search needs more
/// memory than `budget`.
pub fn roots_at(graph: &Graph, words: &str, budget: &Budget) -> Result<Vec<u32>> {
    let files = CodeFiles::of(graph, budget)?;
    match files.find(words)[..] {
        [] => Ok(nodes_at(graph, words)?),
        [file] => {
            let own = file.methods().iter().filter(|method| !method.is_external);
            Ok(own.map(|method| method.node).collect())
        }
        ref several => {
            let files = several.iter().map(|file| file.name().to_owned()).collect();
            Err(DrawError::SeveralFiles { words: words.to_owned(), files })
        }
    }
}
