//! [`Code`]: names, places and source lines of the nodes of a graph.

use std::collections::HashMap;

use varvite::error::optional;
use varvite::pipeline::{Cell, Column, Options, Rows};
use varvite::{Budget, Graph, Property, Task};
use varvite_cpg::Sites;
use varvite_cpg::source::Sources;
use varvite_text::Answer;

use crate::error::Result;
use crate::html::{first_line, shortened};

/// The bytes that are charged for a file, beside its name.
const FILE_BYTES: usize = 64;

/// A graph, with the columns that describe its nodes.
pub(crate) struct Code<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) task: Task<'static>,
    pub(crate) budget: Budget,
    sites: Sites,
    /// FULL_NAME and NAME, as far as the graph has them.
    names: Vec<Property>,
    code: Option<Property>,
    sources: Option<SourceTexts<'g>>,
}

/// The place of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: Option<String>,
    pub(crate) line: Option<i64>,
    pub(crate) method: Option<u32>,
}

/// The texts of files, by the name of the file.
struct SourceTexts<'g> {
    sources: Sources<'g>,
    by_name: HashMap<String, u32>,
}

impl<'g> Code<'g> {
    pub(crate) fn of(graph: &'g Graph, task: &Task<'static>) -> Result<Self> {
        let budget = Budget::of(task);
        let name = |name| optional(graph.texts(name));
        Ok(Self {
            graph,
            task: task.clone(),
            sites: Sites::open(graph)?,
            names: [name("FULL_NAME")?, name("NAME")?].into_iter().flatten().collect(),
            code: name("CODE")?,
            sources: SourceTexts::of(graph, &budget)?,
            budget,
        })
    }

    /// The options of a run within the limits of the report.
    pub(crate) fn options(&self) -> Options {
        Options::from(self.graph.task_beside(self.task.clone()))
    }

    /// The FULL_NAME of a node, or its NAME.
    pub(crate) fn name(&self, node: u32) -> String {
        self.with_name(node, |name| shortened(name).into_owned())
    }

    /// Calls `read` with the whole FULL_NAME of a node, or its NAME; with an empty text if it has none.
    pub(crate) fn with_name<T>(&self, node: u32, read: impl FnOnce(&str) -> T) -> T {
        let mut names = self.names.iter().filter_map(|names| names.str(node));
        match names.find(|name| !name.is_empty()) {
            Some(name) => read(&name),
            None => read(""),
        }
    }

    pub(crate) fn place(&self, node: u32) -> Place {
        let mut cursor = self.sites.cursor();
        let site = cursor.at(node);
        Place { file: site.file.map(str::to_owned), line: site.line, method: site.method }
    }

    /// The name of the METHOD that contains a node.
    pub(crate) fn method_name(&self, place: &Place) -> String {
        place.method.map(|method| self.name(method)).unwrap_or_default()
    }

    /// The source line of a node or, without sources, the first line of its CODE.
    pub(crate) fn source_line(&self, node: u32, place: &Place) -> Result<String> {
        if let Some(line) = self.line_of_file(place)? {
            return Ok(line);
        }
        let code = self.code.as_ref().and_then(|code| code.str(node));
        Ok(code.map(|code| first_line(&code)).unwrap_or_default())
    }

    fn line_of_file(&self, place: &Place) -> Result<Option<String>> {
        let Some(((sources, file), line)) = self.sources.as_ref().zip(place.file.as_ref()).zip(place.line)
        else {
            return Ok(None);
        };
        let Some((file, line)) = sources.by_name.get(file).zip(u64::try_from(line).ok()) else {
            return Ok(None);
        };
        let found = sources.sources.lines(*file, (line, line), &self.budget)?;
        Ok(found.lines.first().map(|line| first_line(&line.text)))
    }

    /// The number of files with a text.
    pub(crate) fn source_count(&self) -> u64 {
        self.sources.as_ref().map_or(0, |sources| sources.by_name.len() as u64)
    }

    /// The number of lines of a file whose text is in the graph.
    pub(crate) fn lines_of_file(&self, file: &str) -> Result<Option<u64>> {
        let Some(sources) = &self.sources else { return Ok(None) };
        let Some(node) = sources.by_name.get(file) else { return Ok(None) };
        Ok(sources.sources.lines(*node, (u64::MAX, u64::MAX), &self.budget)?.total)
    }

    /// The nodes that a query of this crate gives, in rows or in groups, ascending, each once.
    pub(crate) fn nodes_of(&self, query: &str) -> Result<Vec<u32>> {
        let query = varvite_text::translate(query).expect("a test translates all queries of this crate");
        let Answer::Rows(plan) = &query.answer else { return Ok(Vec::new()) };
        let mut run = varvite_text::compile(plan, self.graph)?.run(self.options());
        let mut nodes = Vec::new();
        while let Some(rows) = run.next()? {
            let before = nodes.len();
            match rows.nodes() {
                Some(found) => nodes.extend_from_slice(found),
                None => nodes.extend(grouped(&rows)),
            }
            self.budget.take((nodes.len() - before) * size_of::<u32>())?;
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }
}

/// The nodes in the lists of rows.
fn grouped<'r>(rows: &'r Rows<'_>) -> impl Iterator<Item = u32> + 'r {
    let lists = rows.columns().filter(Column::is_list);
    lists.flat_map(|column| {
        let cells = (0..rows.len()).flat_map(|row| column.list(row).collect::<Vec<_>>());
        let node = |cell| if let Cell::Node(node) = cell { Some(node) } else { None };
        cells.filter_map(node).collect::<Vec<_>>()
    })
}

impl Place {
    /// The place in words, such as `inflate.c:1200`.
    pub(crate) fn words(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, Some(line)) => format!("line {line}"),
            (None, None) => String::new(),
        }
    }
}

impl<'g> SourceTexts<'g> {
    fn of(graph: &'g Graph, budget: &Budget) -> Result<Option<Self>> {
        let Some(sources) = Sources::open(graph)? else { return Ok(None) };
        let mut by_name = HashMap::new();
        for file in graph.nodes("FILE")?.iter().filter(|file| sources.has_text(*file)) {
            let name = sources.name(file);
            budget.take(name.len() + FILE_BYTES)?;
            by_name.entry(name).or_insert(file);
        }
        Ok(Some(Self { sources, by_name }))
    }
}
