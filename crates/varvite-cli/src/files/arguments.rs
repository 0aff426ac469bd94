//! [`FilesArgs`]: FILE of a command that takes one graph or many.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use varvite::{Graph, Task};
use varvite_corpus::{Corpus, CorpusError, CorpusOptions, Event, names_many};

use crate::arguments::{AccessArgs, GraphArgs, ListArgs, MemoryArgs, checked};
use crate::failure::{Failure, Outcome};
use crate::files::failures::Failures;
use crate::files::merged::Merged;
use crate::files::room::Room;
use crate::files::target::{FileTarget, Part, Target};

/// The graph or graphs that a command reads.
#[derive(Debug, Args)]
pub(crate) struct FilesArgs {
    /// The graph, a .varvite file; or many graphs: a folder, or a quoted pattern such as
    /// 'corpus/**/*.varvite'. Rows of many graphs begin with the path of their graph
    file: PathBuf,
    #[command(flatten)]
    access: AccessArgs,
    /// With many graphs, stop at the first file that fails, instead of answering for the rest
    #[arg(long)]
    strict: bool,
}

/// The options of a corpus within a memory limit. Open graphs get half of the memory.
pub(crate) fn corpus_options(access: AccessArgs, memory: &MemoryArgs) -> CorpusOptions {
    CorpusOptions::new().mode(access.mode()).memory(memory.bytes() as u64 / 2)
}

impl FilesArgs {
    /// Whether the command reads many graphs.
    pub(crate) fn are_many(&self) -> bool {
        names_many(&self.file)
    }

    /// Refuses an option that has no meaning for many graphs.
    pub(crate) fn refuse(&self, option: &str, is_given: bool) -> Outcome {
        match is_given && self.are_many() {
            true => Err(Failure::Usage(format!(
                "{option} is for one graph, and {} names many",
                self.file.display()
            ))),
            false => Ok(()),
        }
    }

    /// Opens the graph and answers as [`GraphArgs::ask_within`] does; or opens each of many, on `threads`
    /// threads, and merges the answers. Open graphs get half of the memory, questions three eighths, and rows
    /// that wait until those of earlier graphs are written an eighth.
    pub(crate) fn ask(
        &self,
        memory: &MemoryArgs,
        threads: usize,
        list: &ListArgs,
        answer: impl Fn(&Graph, &Target<'_>) -> Outcome + Sync,
    ) -> Outcome {
        if !self.are_many() {
            let graph = GraphArgs::with_access(&self.file, self.access);
            return graph.ask_within(memory, |graph| answer(graph, &Target::Stdout));
        }
        self.refuse("--order-by", !list.order_by.is_empty())?;
        let corpus = corpus_options(self.access, memory).open(&self.file)?;
        self.refuse_unreadable(&corpus)?;
        let eighth = memory.bytes() / 8;
        // A visit gives half of its memory to questions.
        let task = Task::new().threads(threads).memory(6 * eighth);
        self.ask_each(&corpus, (&task, &Room::new(eighth)), list, answer)
    }

    fn refuse_unreadable(&self, corpus: &Corpus) -> Outcome {
        match corpus.unreadable() {
            [folder, ..] if self.strict => {
                Err(Failure::source(&folder.path, format!("cannot read the folder: {}", folder.error)))
            }
            _ => Ok(()),
        }
    }

    fn ask_each(
        &self,
        corpus: &Corpus,
        (task, room): (&Task<'_>, &Room),
        list: &ListArgs,
        answer: impl Fn(&Graph, &Target<'_>) -> Outcome + Sync,
    ) -> Outcome {
        let (merged, failures) = (Merged::new(list.format.format, list.limit), Failures::new(self.strict));
        let mut answers = Answers { merged, failures, room };
        let mut outcome = Ok(());
        let visited = corpus.visit(
            task,
            |visit, send| {
                let target = Target::File(FileTarget { visit, send, room });
                checked(visit.graph, answer(visit.graph, &target))
            },
            |file, event| {
                let path: &Path = corpus.files().get(file).map_or(Path::new(""), |file| file.path());
                let is_end = matches!(event, Event::End(_));
                outcome = answers.take(file, path, event);
                // A file fails at its end, so the file whose rows reach the limit is answered to its end.
                if outcome.is_err() || is_end && answers.merged.is_full() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        outcome?;
        answers.merged.finish()?;
        visited.map_err(CorpusError::from)?;
        answers.failures.report(corpus)
    }
}

/// The answers so far.
struct Answers<'r> {
    merged: Merged,
    failures: Failures,
    room: &'r Room,
}

impl Answers<'_> {
    fn take(&mut self, file: usize, path: &Path, event: Event<Part, Failure>) -> Outcome {
        match event {
            Event::Result(part) => {
                let bytes = part.bytes();
                self.merged.take(path, part)?;
                self.room.give_back(file, bytes);
                Ok(())
            }
            Event::End(end) => {
                self.room.end(file);
                self.failures.end(path, end)
            }
        }
    }
}
