//! Matches a place of a profile with a METHOD and a CALL of a graph.

use std::collections::HashMap;

use varvite::cursor::Labels;
use varvite::error::optional;
use varvite::{Adjacency, Graph, GraphError, LabelId, Property};
use varvite_cpg::join::{Found, Methods, SourcePlace, called_names};

use super::tree::Place;
use crate::texts::{TextId, Texts};

/// The certainty of the match between a place and a METHOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchClass {
    /// A METHOD has the name, and contains the line in the file.
    Exact,
    /// The METHOD is the only one with the name that has code. The file or the line is unknown or different.
    Name,
    /// No METHOD has the name. The METHOD is the innermost one at the line in the file.
    Line,
    /// Several METHODs have the name.
    Ambiguous,
    /// No METHOD matches.
    None,
}

impl MatchClass {
    /// All classes.
    pub const ALL: [Self; 5] = [Self::Exact, Self::Name, Self::Line, Self::Ambiguous, Self::None];

    /// The name of the class in output and in the graph.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Name => "name only",
            Self::Line => "line only",
            Self::Ambiguous => "ambiguous",
            Self::None => "none",
        }
    }

    /// The class named `name`.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

/// The METHOD of a place, and the certainty of the match.
pub(super) fn method_of(place: &Place, texts: &Texts, methods: &Methods) -> (Option<u32>, MatchClass) {
    let Some(name) = texts.get(place.function) else { return (None, MatchClass::None) };
    let source = texts.get(place.file).filter(|_| place.line > 0);
    let source = source.map(|file| SourcePlace { file: file.to_owned(), line: place.line });
    if let Some(source) = &source
        && let Found::Method(node) = methods.find(&[name], Some(source), false)
    {
        return (Some(node), MatchClass::Exact);
    }
    match methods.find(&[name], None, false) {
        Found::Method(node) => (Some(node), MatchClass::Name),
        Found::Several => (None, MatchClass::Ambiguous),
        Found::Nothing => match source.map_or(Found::Nothing, |source| methods.at(&source)) {
            Found::Method(node) => (Some(node), MatchClass::Line),
            Found::Several => (None, MatchClass::Ambiguous),
            Found::Nothing => (None, MatchClass::None),
        },
    }
}

/// Functions that allocate. Profiles have no steps for them.
const ALLOCATORS: [&str; 12] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "strdup",
    "strndup",
    "posix_memalign",
    "aligned_alloc",
    "memalign",
    "valloc",
    "<operator>.new",
    "<operator>.alloc",
];

/// Finds the CALLs of METHODs by line and name.
pub(super) struct CallSites {
    columns: Option<Columns>,
    of_methods: HashMap<u32, Vec<Site>>,
}

struct Columns {
    contains: Adjacency,
    labels: Labels,
    call: LabelId,
    lines: Property,
    names: Property,
}

struct Site {
    line: i64,
    name: String,
    node: u32,
}

impl CallSites {
    /// Opens the columns of a graph. If the graph lacks them, no CALL is found.
    pub(super) fn of(graph: &Graph) -> Result<Self, GraphError> {
        let open = || {
            Ok(Columns {
                contains: graph.out("CONTAINS")?,
                labels: graph.label_sets()?,
                call: graph.label("CALL")?,
                lines: graph.property("LINE_NUMBER")?,
                names: graph.property("NAME")?,
            })
        };
        let columns = optional(open())?;
        graph.check()?;
        Ok(Self { columns, of_methods: HashMap::new() })
    }

    /// The CALL that calls a function at a line of a METHOD. If the line is not known, this is the only CALL
    /// in the METHOD that calls the function.
    pub(super) fn call_of(&mut self, method: u32, line: u32, function: Option<&str>) -> Option<u32> {
        let function = function?;
        // The most specific name comes first: for `__GI_f`, the name `f` is tried only if no CALL has the
        // name `__GI_f`.
        let named = |sites: &mut Self, name: &str| sites.only(method, line, |site| site == name);
        named(self, last_part(function))
            .or_else(|| called_names(function).iter().find_map(|name| named(self, name)))
    }

    /// The CALL that allocates at a line of a METHOD. This is the CALL of an allocator or, since macros and
    /// pointers may hide its name, the only CALL at the line.
    pub(super) fn allocator_at(&mut self, method: u32, line: u32) -> Option<u32> {
        let by_name = self.only(method, line, |site| ALLOCATORS.contains(&site));
        let others = |site: &str| line > 0 && !site.starts_with("<operator>");
        by_name.or_else(|| self.only(method, line, others))
    }

    /// The only CALL in a METHOD that is at the line and for whose name `passes` returns true; `None` if
    /// there is no such CALL, or several. Line 0 means any line.
    fn only(&mut self, method: u32, line: u32, passes: impl Fn(&str) -> bool) -> Option<u32> {
        let Self { columns, of_methods } = self;
        let read = || columns.as_ref().map(|columns| columns.sites(method)).unwrap_or_default();
        let sites = of_methods.entry(method).or_insert_with(read);
        let mut found =
            sites.iter().filter(|site| (line == 0 || site.line == i64::from(line)) && passes(&site.name));
        let first = found.next()?;
        found.next().is_none().then_some(first.node)
    }
}

impl Columns {
    fn sites(&self, method: u32) -> Vec<Site> {
        let calls = self.contains.neighbors(method).filter(|node| self.labels.has(*node, self.call));
        let site = |node| {
            let name = self.names.str(node).map(Into::into).unwrap_or_default();
            Some(Site { line: self.lines.number(node)?, name, node })
        };
        calls.filter_map(site).collect()
    }
}

/// The name by which code calls a function: without namespaces, types and parameters.
pub(super) fn last_part(function: &str) -> &str {
    let (mut start, mut end, mut depth) = (0, 0, 0u32);
    for (at, byte) in function.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b'(' if depth == 0 && at > start => break,
            b'.' | b':' | b' ' if depth == 0 => (start, end) = (at + 1, at + 1),
            // After a template's arguments, the name has no more parts.
            _ if depth == 0 && end == at => end = at + 1,
            _ => {}
        }
    }
    &function[start..end]
}

/// The name of the function of a place; `None` if it is not known.
pub(super) fn function_of(place: &Place, texts: &Texts) -> Option<String> {
    match place.function {
        TextId::NONE => None,
        function => texts.get(function).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_called_by_the_last_part_of_their_names() {
        for (function, name) in [
            ("f", "f"),
            ("a::b::f(int)", "f"),
            ("T<int>::f", "f"),
            ("f<int>", "f"),
            ("a::f<b::C>(d::E<int>)", "f"),
            ("<a::B as c::D>::f", "f"),
            ("(anonymous namespace)::f(int)", "f"),
            ("é::ü", "ü"),
            ("void f<int>(int)", "f"),
            ("A.f", "f"),
            ("", ""),
        ] {
            assert_eq!(last_part(function), name, "{function}");
        }
    }

    #[test]
    fn a_call_is_joined_by_any_name_that_code_has_for_a_function() {
        let sites = |names: &[&str]| {
            let site =
                |(node, name): (usize, &&str)| Site { line: 1, name: (*name).to_owned(), node: node as u32 };
            let of_methods = HashMap::from([(9, names.iter().enumerate().map(site).collect())]);
            CallSites { columns: None, of_methods }
        };
        let joined = |calls: &[&str], function| sites(calls).call_of(9, 1, Some(function));
        for function in [
            "malloc",
            "__GI___libc_malloc",
            "__libc_malloc",
            "malloc@@GLIBC_2.2.5",
            "malloc.part.0",
            "malloc.constprop.0.isra.0",
        ] {
            assert_eq!(joined(&["free", "malloc"], function), Some(1), "{function}");
            assert_eq!(joined(&["free", "realloc"], function), None, "{function}");
        }
        assert_eq!(joined(&["puts"], "_IO_puts"), Some(0));
        assert_eq!(joined(&["puts", "_IO_puts"], "_IO_puts"), Some(1), "the name itself comes first");
        assert_eq!(joined(&["Send"], "example.org/net.(*Conn).Send"), Some(0));
        assert_eq!(joined(&["send"], "net::send::h8b8b85022362c8f1"), Some(0));
        assert_eq!(joined(&["main"], "main.work"), None, "the package is no function");
        assert_eq!(joined(&["malloc", "malloc"], "malloc"), None, "two CALLs at a line");
    }
}
