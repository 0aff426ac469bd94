//! [`FileMethods`]: the METHODs of each file. They show whether a text is the one from which the graph was
//! made.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use varvite::error::optional;
use varvite::{Graph, GraphError, Property};

use super::text::SourceText;

/// METHODs inside of METHODs have common lines, a few levels deep in programs that people write.
const SEARCHED_MAX: usize = 16;

/// The METHODs of a graph by the name of their file.
pub(super) struct FileMethods {
    /// The METHODs, those of one file together.
    methods: Vec<u32>,
    of_file: HashMap<String, Range<usize>>,
    /// The names of the files that were compared since [`FileMethods::begin`].
    compared: HashSet<String>,
    name: Option<Property>,
    first_line: Option<Property>,
    last_line: Option<Property>,
    is_external: Option<Property>,
}

/// The counts of METHODs of a file that fit a text and that do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fit {
    /// METHODs with a line.
    pub(super) methods: u64,
    /// METHODs whose first or last line is beyond the end of the text.
    pub(super) beyond: u64,
    /// METHODs whose lines should contain their name.
    pub(super) named: u64,
    /// METHODs of these whose lines do not contain it.
    pub(super) misplaced: u64,
}

impl FileMethods {
    /// Reads which METHODs belong to which file.
    pub(super) fn of(graph: &Graph) -> Result<Self, GraphError> {
        let property = |name| optional(graph.property(name));
        let (label, file_name) = (optional(graph.nodes("METHOD"))?, property("FILENAME")?);
        let mut by_code: Vec<(i64, u32)> = Vec::new();
        if let (Some(label), Some(names)) = (&label, &file_name) {
            by_code.extend(label.iter().filter_map(|node| Some((names.number(node)?, node))));
        }
        by_code.sort_unstable();
        let mut of_file = HashMap::new();
        for group in by_code.chunk_by(|one, next| one.0 == next.0) {
            let name = file_name.as_ref().and_then(|names| names.str(group[0].1));
            let start = by_code.partition_point(|entry| *entry < group[0]);
            name.map(|name| of_file.insert(name.to_string(), start..start + group.len()));
        }
        Ok(Self {
            methods: by_code.into_iter().map(|(_, node)| node).collect(),
            of_file,
            compared: HashSet::new(),
            name: property("NAME")?,
            first_line: property("LINE_NUMBER")?,
            last_line: property("LINE_NUMBER_END")?,
            is_external: property("IS_EXTERNAL")?,
        })
    }

    /// Begins a pass over the files: each is compared once in a pass.
    pub(super) fn begin(&mut self) {
        self.compared.clear();
    }

    /// Counts the METHODs of the file with this name that fit a text, and those that do not. METHODs of a
    /// name that was compared before in this pass do not count again.
    ///
    /// Costs a few passes over the text at most: once [`SEARCHED_MAX`] times its length was searched, no more
    /// names are looked for.
    pub(super) fn fit(&mut self, file: &str, text: &SourceText<'_>) -> Fit {
        let mut fit = Fit::default();
        if !self.compared.insert(file.to_owned()) {
            return fit;
        }
        let methods = self.of_file.get(file).map_or(&[][..], |range| &self.methods[range.clone()]);
        let mut to_search = text.text.len().saturating_mul(SEARCHED_MAX);
        methods.iter().for_each(|method| self.add(*method, text, &mut to_search, &mut fit));
        fit
    }

    fn add(&self, method: u32, text: &SourceText<'_>, to_search: &mut usize, fit: &mut Fit) {
        let number = |property: &Option<Property>| property.as_ref()?.number(method);
        let line = |property| number(property).and_then(|line| usize::try_from(line).ok());
        let Some(first) = line(&self.first_line) else { return };
        let last = line(&self.last_line).unwrap_or(first).max(first);
        fit.methods += 1;
        if last > text.line_count() {
            fit.beyond += 1;
            return;
        }
        let name = self.name.as_ref().and_then(|names| names.str(method));
        let name = name.filter(|name| is_word(name) && number(&self.is_external) != Some(1));
        let lines = text.lines(first, last);
        if let (Some(name), Some(left)) = (name, to_search.checked_sub(lines.len())) {
            *to_search = left;
            fit.named += 1;
            fit.misplaced += u64::from(!lines.contains(&*name));
        }
    }
}

/// Whether a name is written in the source as it is: frontends make up names such as `<global>`.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character == '_' || character.is_alphanumeric())
}
