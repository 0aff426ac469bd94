//! [`FileMethods`]: the METHODs of each file. They show whether a text is the one from which the graph was
//! made.

use std::collections::HashMap;
use std::ops::Range;

use varvite::error::optional;
use varvite::memory::Reserved;
use varvite::{Budget, Graph, GraphError, Property};

use super::text::SourceText;

/// METHODs inside of METHODs have common lines, a few levels deep in programs that people write.
const SEARCHED_MAX: usize = 16;

/// Bytes of memory for the entry of a file, beside its name.
const ENTRY_BYTES: usize = 96;

/// The METHODs of a graph by the name of their file.
pub(super) struct FileMethods {
    /// The METHODs, those of one file together.
    methods: Vec<u32>,
    of_file: HashMap<String, MethodRange>,
    name: Option<Property>,
    first_line: Option<Property>,
    last_line: Option<Property>,
    is_external: Option<Property>,
    /// Pays for the METHODs and the names.
    _room: Reserved,
}

/// The METHODs of one file.
#[derive(Clone, Debug)]
pub(super) struct MethodRange(Range<usize>);

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

impl Fit {
    /// The sum of the counts of two files.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            methods: self.methods + other.methods,
            beyond: self.beyond + other.beyond,
            named: self.named + other.named,
            misplaced: self.misplaced + other.misplaced,
        }
    }
}

impl FileMethods {
    /// Reads which METHODs belong to which file.
    pub(super) fn of(graph: &Graph, budget: &Budget) -> Result<Self, GraphError> {
        let property = |name| optional(graph.property(name));
        let file_name = property("FILENAME")?;
        let mut room_of_codes = Reserved::nothing_of(budget);
        let by_code = methods_by_code(graph, file_name.as_ref(), &mut room_of_codes)?;
        let mut room = Reserved::nothing_of(budget);
        let mut of_file = HashMap::new();
        for group in by_code.chunk_by(|one, next| one.0 == next.0) {
            let Some(name) = file_name.as_ref().and_then(|names| names.str(group[0].1)) else { continue };
            let start = by_code.partition_point(|entry| *entry < group[0]);
            room.take(name.len() + ENTRY_BYTES)?;
            of_file.insert(name.to_string(), MethodRange(start..start + group.len()));
        }
        let mut methods = Vec::new();
        room.make_room(&mut methods, by_code.len())?;
        methods.extend(by_code.iter().map(|(_, node)| *node));
        Ok(Self {
            methods,
            of_file,
            name: property("NAME")?,
            first_line: property("LINE_NUMBER")?,
            last_line: property("LINE_NUMBER_END")?,
            is_external: property("IS_EXTERNAL")?,
            _room: room,
        })
    }

    /// The METHODs of the file with this name; `None` if it has none.
    pub(super) fn of_file(&self, name: &str) -> Option<MethodRange> {
        self.of_file.get(name).cloned()
    }

    /// Counts the METHODs of a file that fit its text, and those that do not.
    ///
    /// Costs a few passes over the text at most: once [`SEARCHED_MAX`] times its length was searched, no more
    /// names are looked for.
    pub(super) fn fit(&self, methods: &[MethodRange], text: &SourceText<'_>) -> Fit {
        let mut fit = Fit::default();
        let mut to_search = text.text.len().saturating_mul(SEARCHED_MAX);
        let methods = methods.iter().filter_map(|range| self.methods.get(range.0.clone())).flatten();
        methods.for_each(|method| self.add(*method, text, &mut to_search, &mut fit));
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
        if *to_search == 0 {
            return;
        }
        let Some(name) = self.name.as_ref().and_then(|names| names.str(method)) else { return };
        *to_search = to_search.saturating_sub(name.len());
        if !is_word(&name) || number(&self.is_external) == Some(1) {
            return;
        }
        let lines = text.lines(first, last);
        *to_search = to_search.saturating_sub(lines.len());
        if *to_search > 0 {
            fit.named += 1;
            fit.misplaced += u64::from(!lines.contains(&*name));
        }
    }
}

/// The METHODs with the number of the text of their FILENAME, sorted. `room` pays for them.
fn methods_by_code(
    graph: &Graph,
    file_name: Option<&Property>,
    room: &mut Reserved,
) -> Result<Vec<(i64, u32)>, GraphError> {
    let mut by_code = Vec::new();
    let (Some(methods), Some(names)) = (optional(graph.nodes("METHOD"))?, file_name) else {
        return Ok(by_code);
    };
    for (code, method) in methods.iter().filter_map(|method| Some((names.number(method)?, method))) {
        room.make_room(&mut by_code, 1)?;
        by_code.push((code, method));
    }
    by_code.sort_unstable();
    Ok(by_code)
}

/// Whether a name is written in the source as it is: frontends make up names such as `<global>`.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character == '_' || character.is_alphanumeric())
}
