//! The facts of one graph that the index keeps: its functions, and the names that it uses from elsewhere.
//!
//! `content` has the digests of functions' bodies, and `sketch` their sketches; `digits` writes both;
//! `storage_class` looks for `static`; `code_facts` has the functions and names.

mod code_facts;
mod content;
mod digits;
mod sketch;
mod storage_class;

pub(crate) use code_facts::lines_of;
pub use code_facts::{CodeFacts, Function, Import};
pub use content::Content;
pub use sketch::Sketch;
