//! [`CodeFiles`]: the files of a program, and the METHODs on their lines.
//!
//! A path names a file of the graph if one of the two paths ends in the whole of the other, part by part:
//! `src/util.c` and `/home/me/src/util.c` name `util.c`, but `my_util.c` does not. The file with the most
//! equal parts is chosen, and an equal path before a longer one. METHODs that stand for a whole file, such as
//! `<global>`, have no lines here. A macro has the lines of its definition.

use std::collections::HashMap;

use varvite::error::optional;
use varvite::{Budget, Cancel, Graph, GraphError, Property};

use crate::cursors::Codes;
use crate::error::Result;
use crate::join::{WHOLE_FILES, parts_of};

/// The bytes that are charged for a file, in addition to its name.
const FILE_BYTES: usize = 256;
/// The copies of a file's name that are held: the name and its parts, and both as keys of maps.
const NAME_COPIES: usize = 4;
/// The maximum length of a path in bytes, which is that of Linux. Longer paths name no file: a search
/// compares each end of a path.
const PATH_MAX: usize = 4096;
/// The maximum number of files that an ambiguous path returns.
const FOUND_MAX: usize = 8;
/// The number of nodes that are read between two checks of the cancel flag.
const NODES_OF_LOOK: usize = 1 << 10;

/// The files of a graph.
#[derive(Debug, Default)]
pub struct CodeFiles {
    files: Vec<CodeFile>,
    by_name: HashMap<String, usize>,
    by_parts: HashMap<Vec<String>, usize>,
    /// The files, sorted by the parts of their paths: files with one end are neighbours.
    order: Vec<usize>,
}

/// A file of a graph.
#[derive(Debug)]
pub struct CodeFile {
    name: String,
    /// The parts of the name, the last part first.
    parts: Vec<String>,
    methods: Vec<MethodLines>,
}

/// The lines of a METHOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MethodLines {
    /// The first line, from 1.
    pub first: u32,
    /// The last line, at least `first`.
    pub last: u32,
    /// The METHOD.
    pub node: u32,
    /// Whether the METHOD is external, as macros are.
    pub is_external: bool,
}

impl MethodLines {
    fn has(&self, line: u32) -> bool {
        (self.first..=self.last).contains(&line)
    }
}

impl CodeFile {
    /// The name of the file, as in the graph.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The METHODs of the file, sorted by first line.
    pub fn methods(&self) -> &[MethodLines] {
        &self.methods
    }

    /// The METHODs with the fewest lines among those with this line; functions before macros.
    pub fn innermost_at(&self, line: u32) -> Vec<u32> {
        let begun = &self.methods[..self.methods.partition_point(|method| method.first <= line)];
        let rank = |method: &MethodLines| (method.is_external, method.last - method.first);
        let here = || begun.iter().filter(|method| method.last >= line);
        let Some(best) = here().map(rank).min() else { return Vec::new() };
        let mut found: Vec<u32> = here().filter(|it| rank(it) == best).map(|method| method.node).collect();
        found.sort_unstable();
        found
    }

    /// Whether a path, as the graph has it, is the path of this file.
    pub fn has_path(&self, path: &str) -> bool {
        self.name == path || self.parts == parts_of(path)
    }
}

impl CodeFiles {
    /// Reads the files of a graph: those of METHODs, and those of FILE nodes.
    ///
    /// **Cost**: reads the name of each file once, and a few numbers of each METHOD; holds 16 bytes for each
    /// METHOD with lines.
    ///
    /// # Errors
    /// Fails if the graph can't be read, or if `budget` is too small. Missing labels and properties are not
    /// errors.
    pub fn of(graph: &Graph, budget: &Budget) -> Result<Self> {
        Self::with(graph, None, budget, &Cancel::default())
    }

    /// The same as [`of`](Self::of), with a flag that ends the work early. The flag is checked after some
    /// thousand nodes.
    ///
    /// # Errors
    /// As [`of`](Self::of); also if the flag is set, or its time is over.
    pub fn of_cancellable(graph: &Graph, budget: &Budget, cancel: &Cancel) -> Result<Self> {
        Self::with(graph, None, budget, cancel)
    }

    /// The same as [`of`](Self::of), but only METHODs that have this line are in their files, and files that
    /// only other macros name are missing.
    ///
    /// **Cost**: as [`of`](Self::of), but reads no text of other METHODs, and holds nothing for them.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn on_line(graph: &Graph, line: u32, budget: &Budget) -> Result<Self> {
        Self::with(graph, Some(line), budget, &Cancel::default())
    }

    fn with(graph: &Graph, line: Option<u32>, budget: &Budget, cancel: &Cancel) -> Result<Self> {
        let mut files = Self::default();
        files.add_methods(graph, line, budget, cancel)?;
        files.add_files(graph, budget, cancel)?;
        files.sort();
        graph.check()?;
        Ok(files)
    }

    /// The files that a path names best; several if the path is ambiguous, but no more than eight.
    ///
    /// **Cost**: a binary search for each part of the path.
    pub fn find(&self, path: &str) -> Vec<&CodeFile> {
        let parts = parts_of(if path.len() > PATH_MAX { "" } else { path });
        if parts.is_empty() {
            return Vec::new();
        }
        if let Some(exact) = self.by_parts.get(&parts) {
            return vec![&self.files[*exact]];
        }
        let parts_at = |index: &usize| self.files[*index].parts.as_slice();
        let first = self.order.partition_point(|index| parts_at(index) < parts.as_slice());
        let below = self.order[first..].iter().take_while(|index| parts_at(index).starts_with(&parts));
        let found: Vec<&CodeFile> = below.take(FOUND_MAX).map(|index| &self.files[*index]).collect();
        if !found.is_empty() {
            return found;
        }
        let mut ends = (1..parts.len()).rev().map(|len| &parts[..len]);
        let found = ends.find_map(|end| self.by_parts.get(end));
        found.map(|index| vec![&self.files[*index]]).unwrap_or_default()
    }

    /// The names of all files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(CodeFile::name)
    }

    /// All files, in no particular order.
    pub fn files(&self) -> &[CodeFile] {
        &self.files
    }

    fn sort(&mut self) {
        self.files.iter_mut().for_each(|file| file.methods.sort_unstable());
        self.order = (0..self.files.len()).collect();
        self.order.sort_by(|one, other| self.files[*one].parts.cmp(&self.files[*other].parts));
    }

    fn add_methods(
        &mut self,
        graph: &Graph,
        line: Option<u32>,
        budget: &Budget,
        cancel: &Cancel,
    ) -> Result<()> {
        let (methods, columns) = (optional(graph.nodes("METHOD"))?, MethodColumns::of(graph)?);
        let (Some(methods), Some(columns)) = (methods, columns) else { return Ok(()) };
        let mut of_codes = HashMap::new();
        for (index, node) in methods.iter().enumerate() {
            look(index, cancel)?;
            let Some(lines) = columns.lines(node) else { continue };
            let is_wanted = line.is_none_or(|line| lines.has(line));
            if lines.is_external && !is_wanted {
                continue;
            }
            let file = match columns.file_of_macro(node, &lines, budget)? {
                Some(path) => self.file(&path, budget)?,
                None => self.file_of_code(&columns.file, node, &mut of_codes, budget)?,
            };
            if let Some(file) = file.filter(|_| is_wanted) {
                budget.take(size_of::<MethodLines>()).map_err(GraphError::from)?;
                self.files[file].methods.push(lines);
            }
        }
        Ok(())
    }

    fn add_files(&mut self, graph: &Graph, budget: &Budget, cancel: &Cancel) -> Result<()> {
        let (files, names) = (optional(graph.nodes("FILE"))?, optional(graph.property("NAME"))?);
        let (Some(files), Some(names)) = (files, names) else { return Ok(()) };
        let mut of_codes = HashMap::new();
        for (index, node) in files.iter().enumerate() {
            look(index, cancel)?;
            self.file_of_code(&names, node, &mut of_codes, budget)?;
        }
        Ok(())
    }

    /// The file that a property of a node names. A name is read once for all nodes that have it.
    fn file_of_code(
        &mut self,
        names: &Property,
        node: u32,
        of_codes: &mut HashMap<i64, Option<usize>>,
        budget: &Budget,
    ) -> Result<Option<usize>> {
        let Some(code) = names.number(node) else { return Ok(None) };
        if let Some(file) = of_codes.get(&code) {
            return Ok(*file);
        }
        let len = text_len(names, code);
        budget.take(len + size_of::<(i64, Option<usize>)>()).map_err(GraphError::from)?;
        let file = match names.str(node) {
            Some(name) => self.file(&name, budget)?,
            None => None,
        };
        of_codes.insert(code, file);
        Ok(file)
    }

    /// The file with a name. Names that begin with `<`, such as `<empty>`, are not those of files.
    fn file(&mut self, name: &str, budget: &Budget) -> Result<Option<usize>> {
        if let Some(file) = self.by_name.get(name) {
            return Ok(Some(*file));
        }
        if name.starts_with('<') {
            return Ok(None);
        }
        budget.take(NAME_COPIES * name.len() + FILE_BYTES).map_err(GraphError::from)?;
        let parts = parts_of(name);
        if parts.is_empty() {
            return Ok(None);
        }
        let next = self.files.len();
        let number = *self.by_parts.entry(parts.clone()).or_insert(next);
        if number == next {
            self.files.push(CodeFile { name: name.to_owned(), parts, methods: Vec::new() });
        }
        self.by_name.insert(name.to_owned(), number);
        Ok(Some(number))
    }
}

/// Checks the flag at some nodes, the first among them: others cost nothing.
fn look(index: usize, cancel: &Cancel) -> Result<()> {
    if index.is_multiple_of(NODES_OF_LOOK) {
        cancel.check().map_err(GraphError::from)?;
    }
    Ok(())
}

/// The properties of METHODs that give their lines.
struct MethodColumns {
    file: Property,
    first: Property,
    last: Option<Property>,
    is_external: Option<Property>,
    name: Option<Property>,
    full_name: Option<Property>,
    whole_files: Option<Codes>,
}

impl MethodColumns {
    fn of(graph: &Graph) -> Result<Option<Self>> {
        let property = |name| optional(graph.property(name));
        let (Some(file), Some(first)) = (property("FILENAME")?, property("LINE_NUMBER")?) else {
            return Ok(None);
        };
        let name = property("NAME")?;
        Ok(Some(Self {
            file,
            first,
            last: property("LINE_NUMBER_END")?,
            is_external: property("IS_EXTERNAL")?,
            whole_files: name.as_ref().map(|names| Codes::of(names, &WHOLE_FILES)),
            name,
            full_name: property("FULL_NAME")?,
        }))
    }

    fn lines(&self, node: u32) -> Option<MethodLines> {
        let line = |property: &Property| u32::try_from(property.number(node)?).ok();
        let first = line(&self.first)?;
        let last = self.last.as_ref().and_then(line).unwrap_or(first).max(first);
        let is_external = self.is_external.as_ref().and_then(|external| external.number(node)) == Some(1);
        let is_whole_file = self.whole_files.as_ref().is_some_and(|codes| codes.matches(node));
        (!is_whole_file).then_some(MethodLines { first, last, node, is_external })
    }

    /// The file that defines a macro: FULL_NAME is `zlib.h:deflateInit:ANY(2)`, while FILENAME is a file that
    /// uses the macro. `None` for other METHODs.
    fn file_of_macro(&self, node: u32, lines: &MethodLines, budget: &Budget) -> Result<Option<String>> {
        let (Some(names), Some(full_names)) = (&self.name, &self.full_name) else { return Ok(None) };
        if !lines.is_external {
            return Ok(None);
        }
        // The text is read for each macro, so its length is charged: a hostile file could share one long
        // text.
        let code = full_names.number(node).unwrap_or(-1);
        budget.take(text_len(full_names, code)).map_err(GraphError::from)?;
        let (Some(name), Some(full_name)) = (names.str(node), full_names.str(node)) else { return Ok(None) };
        let file = full_name.split_once(&format!(":{}:", &*name)).map(|(file, _)| file.to_owned());
        Ok(file.filter(|file| !file.is_empty()))
    }
}

/// The length of the text with a code in bytes; 0 if there is none.
pub(crate) fn text_len(property: &Property, code: i64) -> usize {
    let text = property.strings().zip(u32::try_from(code).ok());
    text.and_then(|(texts, code)| texts.text_len(code)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> CodeFiles {
        let (mut files, budget) = (CodeFiles::default(), Budget::new(1 << 20));
        for name in names {
            files.file(name, &budget).unwrap();
        }
        files.sort();
        files
    }

    #[test]
    fn a_path_names_the_file_that_shares_the_most_parts() {
        let files = files(&["x.c", "lib/x.c", "app/x.c", "app/y.c", "/home/me/src/z.c", "<empty>", "./w.c"]);
        let find = |path: &str| files.find(path).iter().map(|file| file.name()).collect::<Vec<_>>();
        assert_eq!(find("x.c"), ["x.c"]);
        assert_eq!(find("src/lib/x.c"), ["lib/x.c"]);
        assert_eq!(find("other/x.c"), ["x.c"]);
        assert_eq!(find("y.c"), ["app/y.c"]);
        assert_eq!(find("src/z.c"), ["/home/me/src/z.c"]);
        assert_eq!(find("w.c"), ["./w.c"]);
        let long = "x/".repeat(1_000_000) + "x.c";
        for unknown in ["my_y.c", "y", "other/y.c", "", "/", "<empty>", &long] {
            assert_eq!(find(unknown), [""; 0], "{unknown}");
        }
    }

    #[test]
    fn a_path_that_is_the_end_of_several_files_names_them_all() {
        let files = files(&["lib/x.c", "app/x.c", "z/y.c"]);
        assert_eq!(files.find("x.c").len(), 2);
        assert_eq!(files.find("./app/../app/x.c").len(), 1);
    }

    #[test]
    fn a_line_names_the_innermost_function_before_macros() {
        let method = |node, first, last, is_external| MethodLines { first, last, node, is_external };
        let mut file = CodeFile { name: String::new(), parts: Vec::new(), methods: Vec::new() };
        file.methods = vec![method(1, 5, 50, false), method(2, 10, 12, false), method(3, 11, 11, true)];
        assert_eq!(
            [5, 11, 12, 13, 51].map(|line| file.innermost_at(line)),
            [vec![1], vec![2], vec![2], vec![1], vec![]]
        );
    }
}
