//! Targets that start from a valid file: the first byte of an input selects the file, and the other bytes
//! change the file.

use std::sync::LazyLock;

use varvite::Profile;

use super::file::open_file;
use super::graph::read_graph;
use super::{diff, log};
use crate::edits::edit;
use crate::small_file::small_file;
use crate::small_graph::small_graph;

/// A graph in each profile.
static GRAPHS: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| Profile::ALL.map(small_graph));
/// A graph in each profile, and a file with columns of most encodings.
static FILES: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| GRAPHS.iter().cloned().chain([small_file()]).collect());

/// Applies the input as the text of a diff.
pub fn diff_text(bytes: &[u8]) {
    with_graph(bytes, diff::apply_text);
}

/// Applies operations that the input encodes.
pub fn diff_operations(bytes: &[u8]) {
    with_graph(bytes, diff::apply_operations);
}

/// Applies a diff whose byte form the input changes.
pub fn diff_bytes(bytes: &[u8]) {
    with_graph(bytes, diff::apply_bytes);
}

/// Opens a graph followed by records that the input encodes.
pub fn open_log(bytes: &[u8]) {
    with_graph(bytes, log::open_with_log);
}

fn with_graph(bytes: &[u8], target: fn(&[u8], &[u8])) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    target(&GRAPHS[usize::from(*choice) % GRAPHS.len()], bytes);
}

/// Edits a file, repairs its checksums, and reads it.
pub fn open_repaired(bytes: &[u8]) {
    let Some((choice, changes)) = bytes.split_first() else { return };
    let mut file = FILES[usize::from(*choice) % FILES.len()].clone();
    edit(&mut file, changes);
    open_file(&file);
    read_graph(&file);
}
