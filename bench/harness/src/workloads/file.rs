//! Questions whose measured time includes opening the file or its index.

use varvite::{Graph, Result};

use super::Answer;
use super::properties::{count_indexed, count_named, index_of_names};

/// Opens a graph and counts its METHODs.
///
/// # Errors
/// Faults of the file.
pub fn open_first_answer(path: &std::path::Path) -> Result<Answer> {
    let graph = Graph::open(path)?;
    Ok(Answer::new(i64::from(graph.nodes("METHOD")?.len()), 1))
}

/// Opens a graph and counts the CALLs named [`NAME_SOUGHT`](super::NAME_SOUGHT). No part of the file is
/// mapped or decoded beforehand.
///
/// # Errors
/// Faults of the file.
pub fn name_equality_cold(path: &std::path::Path) -> Result<Answer> {
    let graph = Graph::open(path)?;
    let (calls, name) = (graph.nodes("CALL")?, graph.property("NAME")?);
    let found = count_named(&calls, &name);
    graph.check()?;
    Ok(Answer::new(found, u64::from(calls.len())))
}

/// Opens the index of NAME and counts the CALLs named [`NAME_SOUGHT`](super::NAME_SOUGHT). Only the directory
/// of the file has been read beforehand.
///
/// # Errors
/// Faults of the file, and a file without such an index.
pub fn name_equality_index_cold(graph: &Graph) -> Result<Answer> {
    let found = count_indexed(&index_of_names(graph)?, graph.label("CALL")?);
    graph.check()?;
    Ok(Answer::new(found, 1))
}
