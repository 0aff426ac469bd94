//! The METHODs of a graph, found by the name of a function and its location in the source.
//!
//! Names alone are not enough: several files may have static functions with the same name, and declarations
//! and macros have METHODs too. If the location is known from debug information, a METHOD must match the
//! name, the file and the line. Otherwise, the name must be unique.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use varvite::error::optional;
use varvite::{Graph, GraphError, Property};

use super::paths::{common, parts_of};
use super::symbol_name::SymbolName;

/// A location in source code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file name, as in the debug information.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// The result of a search for a METHOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The METHOD that was found.
    Method(u32),
    /// No METHOD matches.
    Nothing,
    /// Several METHODs match equally well.
    Several,
}

/// The names of METHODs that stand for the code of a file outside of functions. A line in such a METHOD does
/// not identify a function.
pub const WHOLE_FILES: [&str; 3] = ["<global>", "<module>", ":program"];

/// The METHODs of a graph, by name.
pub struct Methods {
    by_name: HashMap<String, Vec<Method>>,
    /// METHODs with code, by the name of their file without its folder. Each list is sorted by first line.
    by_file: OnceLock<HashMap<String, Vec<Span>>>,
}

/// The lines of a METHOD.
struct Span {
    first: u32,
    /// The greatest last line of this METHOD and all METHODs before it in the list.
    reach: u32,
    /// The name of the METHOD, and its index among the METHODs with this name.
    name: String,
    number: usize,
}

struct Method {
    node: u32,
    /// The parts of the path of the METHOD's file, the last part first.
    file: Vec<String>,
    /// The first and the last line of the METHOD.
    lines: Option<(u32, u32)>,
    full_name: String,
    is_external: bool,
}

impl Methods {
    /// Reads the METHODs of a graph.
    ///
    /// **Cost**: reads a few properties of each METHOD, and keeps the texts in memory.
    ///
    /// # Errors
    /// Damage to the graph. If the graph lacks the label METHOD or its properties, this is no error, and the
    /// result has no METHODs.
    pub fn of(graph: &Graph) -> Result<Self, GraphError> {
        let mut by_name: HashMap<String, Vec<Method>> = HashMap::new();
        let (label, names) = (optional(graph.label("METHOD"))?, optional(graph.property("NAME"))?);
        if let (Some(label), Some(names)) = (label, names) {
            let columns = Columns::of(graph)?;
            for node in graph.nodes_of(label)?.iter() {
                if let Some(name) = names.str(node) {
                    by_name.entry(name.into()).or_default().push(columns.method(node));
                }
            }
            graph.check()?;
        }
        Ok(Self { by_name, by_file: OnceLock::new() })
    }

    /// Whether the graph has no METHODs.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Finds the METHOD of a function that has one of these names, mangled or not, and an instruction at
    /// `place`. If the function is visible from other files (`is_global`), the METHOD may also be a
    /// declaration without code.
    pub fn find(&self, names: &[&str], place: Option<&SourcePlace>, is_global: bool) -> Found {
        let mut candidates: Vec<(&Method, bool)> = Vec::new();
        let mut seen = HashSet::new();
        for name in names {
            let name = SymbolName::of(name);
            for method in self.by_name.get(&name.name).into_iter().flatten() {
                if seen.insert(method.node) {
                    candidates.push((method, method.has_full_name(&name.qualified)));
                }
            }
        }
        let bodies = candidates.iter().filter(|(method, _)| method.has_body());
        let found = match place {
            Some(place) => {
                let file = parts_of(&place.file);
                let here = bodies.filter(|(method, _)| method.has_line(place.line));
                let ranked = here.map(|(method, is_full)| (method, (common(&method.file, &file), *is_full)));
                best(ranked.filter(|(_, (common, _))| *common > 0))
            }
            None => best(bodies.map(|(method, is_full)| (method, (0, *is_full)))),
        };
        if found != Found::Nothing || !is_global {
            return found;
        }
        let declarations = candidates.iter().filter(|(method, _)| method.is_declaration());
        best(declarations.map(|(method, is_full)| (method, (0, *is_full))))
    }

    /// Finds the innermost METHOD with code at a location, whatever its name.
    ///
    /// **Cost**: a binary search among the METHODs of all files with this file name, and a scan of the
    /// METHODs near the line. The first call goes through all METHODs.
    pub fn at(&self, place: &SourcePlace) -> Found {
        let parts = parts_of(&place.file);
        let by_file = self.by_file.get_or_init(|| self.by_file());
        let spans = parts.first().and_then(|file| by_file.get(file)).map_or(&[][..], Vec::as_slice);
        let begun = spans.partition_point(|span| span.first <= place.line);
        let here = spans[..begun].iter().rev().take_while(|span| span.reach >= place.line);
        let methods = here.filter_map(|span| self.by_name.get(&span.name)?.get(span.number));
        let (mut found, mut highest) = (Found::Nothing, None);
        for method in methods.filter(|method| method.has_line(place.line)) {
            let rank =
                (common(&method.file, &parts), Reverse(method.lines.map(|(first, last)| last - first)));
            if highest.is_none_or(|highest| rank > highest) {
                (found, highest) = (Found::Method(method.node), Some(rank));
            } else if highest == Some(rank) {
                found = Found::Several;
            }
        }
        found
    }

    fn by_file(&self) -> HashMap<String, Vec<Span>> {
        let mut by_file: HashMap<String, Vec<Span>> = HashMap::new();
        for (name, methods) in self.by_name.iter().filter(|(name, _)| !WHOLE_FILES.contains(&name.as_str())) {
            for (number, method) in methods.iter().enumerate().filter(|(_, method)| method.has_body()) {
                if let (Some(file), Some((first, reach))) = (method.file.first(), method.lines) {
                    let spans = by_file.entry(file.clone()).or_default();
                    spans.push(Span { first, reach, name: name.clone(), number });
                }
            }
        }
        for spans in by_file.values_mut() {
            spans.sort_by_key(|span| span.first);
            let mut furthest = 0;
            for span in spans {
                furthest = span.reach.max(furthest);
                span.reach = furthest;
            }
        }
        by_file
    }
}

/// The METHOD that ranks highest.
fn best<'m>(ranked: impl Iterator<Item = (&'m &'m Method, (usize, bool))>) -> Found {
    let (mut found, mut highest) = (Found::Nothing, (0, false));
    for (method, rank) in ranked {
        if found == Found::Nothing || rank > highest {
            (found, highest) = (Found::Method(method.node), rank);
        } else if rank == highest {
            found = Found::Several;
        }
    }
    found
}

impl Method {
    /// Whether the METHOD has the code of a function: it has a file and lines, and is not external. (Macros
    /// have a file, but are external.)
    fn has_body(&self) -> bool {
        !self.is_external && !self.file.is_empty() && self.lines.is_some()
    }

    fn is_declaration(&self) -> bool {
        let is_macro = self.is_external && !self.file.is_empty();
        !is_macro && self.lines.is_none_or(|(first, last)| last <= first)
    }

    fn has_line(&self, line: u32) -> bool {
        self.lines.is_some_and(|(first, last)| (first..=last).contains(&line))
    }

    /// Whether FULL_NAME is the qualified name, possibly followed by a signature, or by a suffix that
    /// distinguishes METHODs of the same name.
    fn has_full_name(&self, qualified: &str) -> bool {
        let rest = self.full_name.strip_prefix(qualified);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '<']))
    }
}

/// The properties of METHODs that the graph has.
struct Columns {
    full_name: Option<Property>,
    file: Option<Property>,
    first_line: Option<Property>,
    last_line: Option<Property>,
    is_external: Option<Property>,
}

impl Columns {
    fn of(graph: &Graph) -> Result<Self, GraphError> {
        let property = |name| optional(graph.property(name));
        Ok(Self {
            full_name: property("FULL_NAME")?,
            file: property("FILENAME")?,
            first_line: property("LINE_NUMBER")?,
            last_line: property("LINE_NUMBER_END")?,
            is_external: property("IS_EXTERNAL")?,
        })
    }

    fn method(&self, node: u32) -> Method {
        let text = |property: &Option<Property>| {
            let text = property.as_ref().and_then(|property| property.str(node));
            text.map(|text| text.to_string()).unwrap_or_default()
        };
        let line = |property: &Option<Property>| {
            property.as_ref()?.number(node).and_then(|line| u32::try_from(line).ok())
        };
        let first = line(&self.first_line);
        let file = text(&self.file);
        Method {
            node,
            // Names that begin with `<`, such as `<empty>` and `<includes>`, are not those of files.
            file: if file.starts_with('<') { Vec::new() } else { parts_of(&file) },
            lines: first.map(|first| (first, line(&self.last_line).unwrap_or(first).max(first))),
            full_name: text(&self.full_name),
            is_external: self.is_external.as_ref().and_then(|property| property.number(node)) == Some(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(node: u32, full_name: &str, file: &str, lines: (u32, u32)) -> Method {
        let file = if file.starts_with('<') { Vec::new() } else { parts_of(file) };
        let lines = Some(lines).filter(|(first, _)| *first > 0);
        Method { node, file, lines, full_name: full_name.to_owned(), is_external: false }
    }

    fn methods(methods: Vec<(&str, Method)>) -> Methods {
        let mut by_name: HashMap<String, Vec<Method>> = HashMap::new();
        for (name, method) in methods {
            by_name.entry(name.to_owned()).or_default().push(method);
        }
        Methods { by_name, by_file: OnceLock::new() }
    }

    fn at(file: &str, line: u32) -> SourcePlace {
        SourcePlace { file: file.to_owned(), line }
    }

    #[test]
    fn file_and_line_tell_functions_of_one_name_apart() {
        let methods = methods(vec![
            ("step", method(1, "step", "a/x.c", (5, 9))),
            ("step", method(2, "step<duplicate>0", "b/x.c", (5, 9))),
            ("step", method(3, "step<duplicate>1", "b/x.c", (20, 29))),
        ]);
        let find = |file, line| methods.find(&["step"], Some(&at(file, line)), false);
        assert_eq!(find("/src/a/x.c", 5), Found::Method(1));
        assert_eq!(find("/src/b/../b/./x.c", 9), Found::Method(2));
        assert_eq!(find("/src/b/x.c", 25), Found::Method(3));
        assert_eq!(find("/src/b/x.c", 15), Found::Nothing);
        assert_eq!(find("/src/other.c", 5), Found::Nothing);
        assert_eq!(find("x.c", 5), Found::Several);
        assert_eq!(methods.find(&["step"], None, false), Found::Several);
    }

    #[test]
    fn a_line_is_in_the_innermost_method_of_its_file() {
        let methods = methods(vec![
            ("<global>", method(1, "a/x.c:<global>", "a/x.c", (1, 99))),
            ("outer", method(2, "outer", "a/x.c", (5, 50))),
            ("<lambda>0", method(3, "outer.<lambda>0", "a/x.c", (10, 12))),
            ("other", method(4, "other", "b/x.c", (5, 50))),
            ("one", method(5, "one", "y.c", (1, 1))),
            ("two", method(6, "two", "y.c", (1, 1))),
        ]);
        let find = |file, line| methods.at(&at(file, line));
        assert_eq!(find("/src/a/x.c", 20), Found::Method(2));
        assert_eq!(find("/src/a/x.c", 11), Found::Method(3));
        assert_eq!(find("/src/b/x.c", 11), Found::Method(4));
        assert_eq!(find("/src/a/x.c", 60), Found::Nothing);
        assert_eq!(find("x.c", 20), Found::Several);
        assert_eq!(find("y.c", 1), Found::Several);
        assert_eq!(find("z.c", 1), Found::Nothing);
    }

    #[test]
    fn parts_that_a_compiler_made_of_a_function_are_that_function() {
        let methods = methods(vec![("deflate", method(1, "deflate", "deflate.c", (10, 90)))]);
        for symbol in ["deflate", "deflate.cold", "deflate.part.0", "deflate@@ZLIB_1"] {
            assert_eq!(methods.find(&[symbol], None, false), Found::Method(1));
        }
        assert_eq!(methods.find(&["deflate_fast"], None, true), Found::Nothing);
    }

    #[test]
    fn classes_of_c_plus_plus_are_told_apart_by_full_name() {
        let methods = methods(vec![
            ("get", method(1, "ns.Box.get:int()", "box.cpp", (1, 3))),
            ("get", method(2, "ns.Bag.get:int()", "box.cpp", (1, 3))),
        ]);
        assert_eq!(methods.find(&["_ZN2ns3Bag3getEv"], None, true), Found::Method(2));
        assert_eq!(methods.find(&["_ZN2ns3BoxIiE3getEv"], Some(&at("box.cpp", 2)), true), Found::Method(1));
        assert_eq!(methods.find(&["get"], None, true), Found::Several);
    }

    #[test]
    fn declarations_stand_for_functions_of_other_files_and_macros_for_none() {
        let macro_ = Method { is_external: true, ..method(2, "x.c:COPY:ANY(2)", "x.c", (4, 4)) };
        let external = Method { is_external: true, ..method(3, "puts", "<empty>", (0, 0)) };
        let methods = methods(vec![
            ("malloc", method(1, "malloc", "zutil.c", (295, 295))),
            ("COPY", macro_),
            ("puts", external),
            ("mine", method(4, "mine", "x.c", (5, 9))),
        ]);
        let elsewhere = at("/glibc/malloc.c", 3000);
        assert_eq!(methods.find(&["malloc"], Some(&elsewhere), true), Found::Method(1));
        assert_eq!(methods.find(&["malloc"], Some(&elsewhere), false), Found::Nothing);
        assert_eq!(methods.find(&["puts"], None, true), Found::Method(3));
        assert_eq!(methods.find(&["COPY"], Some(&elsewhere), true), Found::Nothing);
        assert_eq!(methods.find(&["mine"], Some(&elsewhere), true), Found::Nothing);
    }
}
