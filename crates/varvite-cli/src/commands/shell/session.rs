//! [`Session`]: the graphs of a shell, its settings, and the names that the user has defined.

use std::path::{Path, PathBuf};

use varvite::pipeline::{Options, Pipeline, nodes};
use varvite::{Graph, Task};
use varvite_show::Selection;
use varvite_text::{Answer, AnswerError, AnswerOutput, Answering, Span, TextError};

use super::interrupt::cancelled_by_user;
use super::saved::{format_of_ending, save};
use super::settings::Settings;
use crate::arguments::{GraphArgs, MemoryArgs, checked, graph_names};
use crate::commands::ask::ToTarget;
use crate::disk::is_same_file;
use crate::failure::{Failure, Outcome};
use crate::files::Target;
use crate::output::{counted, remark, thousands, write_text};

/// A graph of the session, with the name by which the user takes it.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) graph: Graph,
}

/// The state of a shell.
pub(super) struct Session<'a> {
    graphs: Vec<Named>,
    current: usize,
    memory: &'a MemoryArgs,
    pub(super) settings: Settings,
    /// The `val`s and `def`s of earlier queries, each on a line. They precede every query.
    definitions: String,
    /// The plan of the last rows, and the number of those that were shown.
    last: Option<(Pipeline, u64)>,
    /// The last answer, and the number of its graph, for `:save`.
    answered: Option<(Answer, usize)>,
}

impl<'a> Session<'a> {
    /// Opens the graphs. A graph is named after its file, without the ending.
    pub(super) fn open(files: &[PathBuf], memory: &'a MemoryArgs) -> Result<Self, Failure> {
        let mut graphs: Vec<Named> = Vec::new();
        for (file, name) in files.iter().zip(graph_names(files.iter().map(PathBuf::as_path))) {
            let graph = GraphArgs::mapped(file).open_within(memory)?;
            graphs.push(Named { name, file: file.clone(), graph });
        }
        let definitions = String::new();
        Ok(Self {
            graphs,
            current: 0,
            memory,
            settings: Settings::default(),
            definitions,
            last: None,
            answered: None,
        })
    }

    /// The graph that queries name `cpg`.
    pub(super) fn graph(&self) -> &Named {
        &self.graphs[self.current]
    }

    pub(super) fn graphs(&self) -> &[Named] {
        &self.graphs
    }

    /// Takes the graph of this name. False if there is none.
    pub(super) fn take(&mut self, name: &str) -> bool {
        let found = self.graphs.iter().position(|known| known.name == name);
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    pub(super) fn prompt(&self) -> String {
        format!("{}> ", self.graph().name)
    }

    /// The names of METHODs in the first graph, which completion offers between quotes; none if they cannot
    /// be read, since a query then says why.
    pub(super) fn names(&self) -> Vec<String> {
        let names = nodes("METHOD").has_any("NAME").values("NAME").dedup().limit(MOST_NAMES);
        let mut names = self.answering(|answering| answering.evaluation().texts(&names)).unwrap_or_default();
        names.sort_unstable();
        names
    }

    /// Says which graphs are open, to a person.
    pub(super) fn greet(&self, is_terminal: bool) {
        if !is_terminal {
            return;
        }
        for Named { name, file, graph } in &self.graphs {
            remark(&format!(
                "{name}: {}, {} nodes",
                file.display(),
                thousands(u64::from(graph.node_count()))
            ));
        }
        remark("cpg.method.name.l answers a query; :help lists the other words; Ctrl-D ends the shell");
    }

    /// The translation of a query behind the definitions so far.
    pub(super) fn translate(&self, text: &str) -> Result<varvite_text::Query, Failure> {
        let whole = format!("{}{text}", self.definitions);
        varvite_text::translate(&whole).map_err(|error| {
            // The user sees the place in the input alone.
            let of_input = |place: usize| place.saturating_sub(self.definitions.len());
            let (start, end) = (of_input(error.span.start), of_input(error.span.end));
            let error = TextError { span: Span { start, end }, ..error };
            Failure::text(text, &error)
        })
    }

    /// Answers a query. Its definitions stay for later queries.
    pub(super) fn query(&mut self, text: &str) -> Outcome {
        let query = self.translate(text)?;
        let defined = varvite_text::definitions(text).map_err(|error| Failure::text(text, &error))?;
        let is_definition = defined.ends_query;
        for definition in defined.texts {
            self.definitions.push_str(&definition);
            self.definitions.push('\n');
        }
        if is_definition {
            return Ok(());
        }
        self.answered = Some((query.answer.clone(), self.current));
        if let Answer::Rows(plan) = &query.answer {
            self.last = Some((plan.clone(), 0));
            return self.more();
        }
        self.write(&query.answer)
    }

    /// Shows the next rows of the last answer.
    pub(super) fn more(&mut self) -> Outcome {
        let Some((plan, shown)) = self.last.clone() else {
            return Err(Failure::Usage("no rows are left to show".to_owned()));
        };
        let limit = self.settings.limit;
        let rest = if shown == 0 { plan.clone() } else { plan.clone().skip(shown) };
        self.write(&Answer::Rows(rest.clone().limit(limit)))?;
        let seen = shown.saturating_add(limit);
        if self.answering(|answering| answering.evaluation().gives_rows(&rest.skip(limit)))? {
            remark(&format!("the first {} are shown: :more shows the next", counted(seen, "row")));
            self.last = Some((plan, seen));
        } else {
            self.last = None;
        }
        Ok(())
    }

    /// Writes the whole last answer to a file.
    pub(super) fn save(&self, file: &Path) -> Outcome {
        let Some((answer, graph)) = &self.answered else {
            return Err(Failure::Usage("there is no answer to save: ask a query first".to_owned()));
        };
        let named = &self.graphs[*graph];
        if self.graphs.iter().any(|named| is_same_file(&named.file, file)) {
            return Err(Failure::Usage(":save names an open graph; choose another file".to_owned()));
        }
        let selection = self.settings.selection();
        let format = format_of_ending(file).unwrap_or(selection.format);
        save(file, |output| {
            self.answering_on(named, output, Selection { format, ..selection }, |it| it.write(answer))
        })
    }

    fn write(&self, answer: &Answer) -> Outcome {
        self.answering(|answering| answering.write(answer))
    }

    /// Does `work` with the current graph, within the memory limit. Ctrl-C cancels it.
    fn answering<T>(
        &self,
        work: impl FnOnce(&Answering<'_>) -> Result<T, AnswerError>,
    ) -> Result<T, Failure> {
        self.answering_on(
            self.graph(),
            &ToTarget { target: &Target::Stdout, run: None },
            self.settings.selection(),
            work,
        )
    }

    fn answering_on<T>(
        &self,
        Named { graph, .. }: &Named,
        output: &dyn AnswerOutput,
        selection: Selection<'_>,
        work: impl FnOnce(&Answering<'_>) -> Result<T, AnswerError>,
    ) -> Result<T, Failure> {
        let outcome = cancelled_by_user(|cancel| {
            let options = Options::from(self.memory.task(graph).threads(threads()).cancel(cancel));
            work(&Answering { graph, options, selection, output })
        });
        checked(graph, outcome.map_err(Failure::from))
    }

    /// Writes the definitions so far.
    pub(super) fn show_definitions(&self) -> Outcome {
        Ok(write_text(&self.definitions)?)
    }

    /// Checks, at the end, that no read found damage.
    pub(super) fn end(&self) -> Outcome {
        self.graphs.iter().try_for_each(|named| checked(&named.graph, Ok(())))
    }
}

fn threads() -> usize {
    Task::new().thread_count()
}

/// The most names that completion offers.
const MOST_NAMES: u64 = 20_000;
