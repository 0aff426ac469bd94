//! Many graphs: their files, and questions to all of them.
//!
//! `open` has the corpus, `question` a question to each graph, `report` the files that failed. `answers`
//! takes the answers of all files in order, `rows` turns them into objects, `stream` shows them to Arrow's
//! libraries, and `run` is the object of Python for both. `ask` begins questions. `index` writes and reads
//! the index of a corpus.

mod open;

mod question;

mod report;

mod answers;

mod rows;

mod stream;

mod run;

mod ask;

mod index;

pub(crate) use ask::CorpusQuestion;
pub(crate) use index::clones;
pub(crate) use open::Corpus;
pub(crate) use run::CorpusRun;
