//! [`CodeRow`]: the counts of a function, a source line or a module.

use std::collections::HashMap;

use varvite_trace::Module;

use super::code_counts::CodeCounts;
use super::instructions::AccessCounts;
use crate::code::{Binaries, Code, CodeFile, CodeMap, CodePlace};

/// The groups into which instructions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeBy {
    /// The functions that contain the instructions, not functions that were inlined.
    Function,
    /// Source lines, with the innermost function that was inlined.
    Line,
    /// Programs and libraries.
    Module,
}

/// The counts of a function, a source line or a module. Fields that are not known are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeRow {
    /// Name of the function, as in its symbol or in the debug information.
    pub function: Option<String>,
    /// Source file of the function or line.
    pub file: Option<String>,
    /// The line, or the line at which the function begins.
    pub line: Option<u32>,
    /// Path of the program or library; `None` if the trace has no file at these addresses.
    pub module: Option<String>,
    /// The build id that the trace has for the module; empty if it has none.
    pub build_id: Vec<u8>,
    /// The reason why the module's file could not be used; `None` if it was used.
    pub problem: Option<String>,
    /// The counts.
    pub counts: AccessCounts,
}

/// The identity of a row. Fields that do not distinguish the rows, or are not known, are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Key {
    /// The file in the code map.
    file: Option<usize>,
    /// The function in that file.
    symbol: Option<usize>,
    /// The name of the function of a line.
    function: Option<String>,
    line: Option<(String, u32)>,
}

impl CodeCounts {
    /// The rows of all groups that ran, those with most instructions first. `modules` are those of the trace.
    ///
    /// **Cost**: reads the binaries of the modules that have instructions. Finds the function of each
    /// instruction that ran and, for rows of lines, its source line.
    pub fn rows(&self, modules: &[Module], binaries: &dyn Binaries, by: CodeBy) -> Vec<CodeRow> {
        let mut map = CodeMap::of(modules, binaries);
        let mut groups: HashMap<Key, AccessCounts> = HashMap::new();
        for (address, counts) in &self.counts {
            let key = address.map(|address| key(&mut map, address, by)).unwrap_or_default();
            groups.entry(key).or_default().add(*counts);
        }
        let mut rows: Vec<CodeRow> = groups.into_iter().map(|(key, counts)| row(&map, key, counts)).collect();
        rows.sort_by(|one, other| order(one).cmp(&order(other)));
        rows
    }
}

/// The order of rows: most instructions first, then by name.
fn order(row: &CodeRow) -> impl Ord {
    let AccessCounts { instructions, loads, stores, bytes } = row.counts;
    let counts = [instructions, loads + stores, bytes].map(std::cmp::Reverse);
    (counts, row.module.clone(), row.function.clone(), row.file.clone(), row.line)
}

fn key(map: &mut CodeMap<'_>, address: u64, by: CodeBy) -> Key {
    let (_, code) = map.find(address);
    let (file, symbol) = match code {
        Code::Function { file, function } => (Some(file), Some(function)),
        Code::NoSymbol { file } | Code::NoBinary { file } => (Some(file), None),
        Code::NoModule => (None, None),
    };
    match (by, file.filter(|_| by == CodeBy::Line).and_then(|file| place(map, file, address))) {
        (CodeBy::Module, _) => Key { file, ..Key::default() },
        (_, Some(CodePlace { function, place: Some(place) })) => {
            Key { file, symbol: None, function, line: Some((place.file, place.line)) }
        }
        _ => Key { file, symbol, ..Key::default() },
    }
}

/// The source line of an instruction, in the innermost function that was inlined there.
fn place(map: &CodeMap<'_>, file: usize, address: u64) -> Option<CodePlace> {
    let own = map.own_address(address)?;
    Some(map.binary(file)?.lines.as_ref()?.source(own))
}

fn row(map: &CodeMap<'_>, key: Key, counts: AccessCounts) -> CodeRow {
    let code_file = key.file.map(|file| &map.files()[file]);
    let binary = key.file.and_then(|file| map.binary(file));
    let symbol = key.symbol.zip(binary).and_then(|(symbol, binary)| binary.functions().get(symbol));
    // The first instruction of a function tells its file and line.
    let lines = symbol.zip(binary.and_then(|binary| binary.lines.as_ref()));
    let begin = lines.map(|(symbol, lines)| lines.function(symbol.start)).unwrap_or_default();
    let line = key.line.or(begin.place.map(|place| (place.file, place.line)));
    let name = symbol.and_then(|symbol| symbol.names.first().cloned());
    CodeRow {
        function: key.function.or(begin.function).or(name),
        line: line.as_ref().map(|(_, line)| *line),
        file: line.map(|(file, _)| file),
        module: code_file.map(CodeFile::path),
        build_id: code_file.map(|file| file.build_id().to_vec()).unwrap_or_default(),
        problem: code_file.and_then(|file| file.problem().map(ToString::to_string)),
        counts,
    }
}
