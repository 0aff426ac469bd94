//! Import of SCIP indexes (`scip.proto` of github.com/sourcegraph/scip): documents, symbols, occurrences and
//! relationships become nodes and edges in the schema of code property graphs.
//!
//! An index is one message, and its symbols may be used before they are declared. The import therefore reads
//! the index twice, one document at a time: the first pass collects symbols, the second one adds nodes and
//! edges to a draft. SCIP does not say which references are calls. The import finds calls in the source text:
//! in the index, or in a folder that the caller names.
//!
//! Reading order, each importing only those before it: `fault` and `error`; `range`, `message` (bytes become
//! occurrences and symbols) and `stream` (the documents of an index); `symbol` and `class` (names and labels
//! of symbols); `graph` (nodes, edges and properties); `symbols` (the first pass); `source_text`, `call_site`
//! and `source_dir` (the source of a document); `counts`, `locals`, `scopes` and `document` (the second
//! pass); `import`.

mod call_site;
mod class;
mod counts;
mod document;
mod fault;
mod graph;
mod import;
mod locals;
mod message;
mod range;
mod scopes;
mod source_dir;
mod source_text;
mod stream;
mod symbol;
mod symbols;

pub use counts::{ScipCounts, SourceCounts};
pub use fault::{ByteOffset, ScipError, ScipFault};
pub use import::{ScipImport, ScipReport};
pub use stream::may_be_index;
