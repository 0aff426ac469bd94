//! [`Source`]: a graph, or a file with the digest of a graph on another machine.

use std::path::{Path, PathBuf};

use varvite::Graph;
use varvite::compare::DigestTree;
use varvite::vfs::RealVfs;

use crate::arguments::{MemoryArgs, ThreadArgs};
use crate::failure::Failure;
use crate::progress::Progress;

/// The source of a digest.
pub(super) enum Source<G> {
    Graph(G),
    Digest(DigestTree),
}

/// The memory limit must be at least this many times the length of a digest file. In memory, a digest takes
/// about four times as many bytes as in its file.
const MEMORY_OF_BYTE: u64 = 8;

/// The digest in a file; `None` if the file is not a digest.
pub(super) fn read_digest(file: &Path, memory: &MemoryArgs) -> Result<Option<DigestTree>, Failure> {
    Ok(DigestTree::read(&RealVfs, file, memory.bytes() as u64 / MEMORY_OF_BYTE)?)
}

/// Computes the digest of a graph, column by column.
pub(super) fn digest_of(graph: &Graph, threads: &ThreadArgs) -> Result<DigestTree, Failure> {
    let bar = Progress::steps();
    Ok(DigestTree::of(graph, &threads.task().progress(|progress| bar.show(progress)))?)
}

/// The digest in the file `FILE.digest` beside a graph. Fails unless it was computed from the current state
/// of the graph.
pub(super) fn stored_beside(graph: &Graph, file: &Path, memory: &MemoryArgs) -> Result<DigestTree, Failure> {
    let mut path = file.as_os_str().to_owned();
    path.push(".digest");
    let path = PathBuf::from(path);
    let digest = read_digest(&path, memory)?;
    let is_of_it = |digest: &DigestTree| digest.identity == graph.identity().to_bytes();
    digest.filter(is_of_it).ok_or_else(|| {
        let what = format!(
            "not a digest of the present {}; write it again with `varvite digest -o`",
            file.display()
        );
        Failure::source(&path, what)
    })
}
