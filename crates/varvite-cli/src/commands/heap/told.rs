//! [`Told`]: reads names and locations of nodes from the graph, for answers.

use serde_json::{Value as Json, json};
use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::{SiteCursor, Sites};
use varvite_profile::Measures;
use varvite_profile::layer::{ChainLink, KnownPlace};

use crate::commands::profile_json::counts_json;
use crate::failure::Failure;

/// The columns with names and locations of nodes.
pub(super) struct Told<'g> {
    sites: SiteCursor<'g>,
    name: Option<Property>,
    code: Option<Property>,
}

impl<'g> Told<'g> {
    pub(super) fn of(graph: &Graph, sites: &'g Sites) -> Result<Self, Failure> {
        Ok(Self {
            sites: sites.cursor(),
            name: optional(graph.property("NAME"))?,
            code: optional(graph.property("CODE"))?,
        })
    }

    /// A node and its location, as JSON.
    pub(super) fn site(&mut self, node: u32) -> Json {
        let site = self.sites.at(node);
        json!({ "node": node, "method": site.method_name, "file": site.file, "line": site.line })
    }

    /// A CALL or a CONTROL_STRUCTURE with its location and code, as JSON.
    pub(super) fn call(&mut self, node: u32) -> Json {
        let mut document = self.site(node);
        document["code"] = self.code(node);
        document
    }

    pub(super) fn loop_around(&mut self, around: Option<u32>) -> Json {
        around.map_or(Json::Null, |node| self.call(node))
    }

    pub(super) fn name(&self, node: u32) -> Json {
        text(&self.name, node)
    }

    pub(super) fn code(&self, node: u32) -> Json {
        text(&self.code, node)
    }

    /// The location of a node, such as `zutil.c:302`.
    pub(super) fn location(&mut self, node: u32) -> String {
        let site = self.sites.at(node);
        let line = site.line.map_or(String::new(), |line| format!(":{line}"));
        format!("{}{line}", site.file.unwrap_or("?"))
    }

    /// The location of a loop, and the first line of its code.
    pub(super) fn loop_in_a_line(&mut self, node: u32) -> String {
        let (location, code) = (self.location(node), self.code(node));
        format!("{location} {}", code.as_str().unwrap_or_default().lines().next().unwrap_or_default())
    }
}

/// A link of a chain of callers, as JSON. If there is a graph, the nodes of the link are described.
pub(super) fn link(mut told: Option<&mut Told<'_>>, link: &ChainLink, measures: &Measures) -> Json {
    let ChainLink { place, call, around, counts } = link;
    let mut of_graph = |node: Option<u32>| node.zip(told.as_deref_mut()).map(|(node, told)| told.call(node));
    let mut document = place_json(place);
    document["call"] = of_graph(*call).into();
    document["loop"] = of_graph(*around).into();
    document["counts"] = counts_json(counts, measures);
    document
}

/// The known fields of a place as JSON.
pub(super) fn place_json(place: &KnownPlace) -> Json {
    let KnownPlace { function, file, line, module, method } = place;
    json!({
        "function": function, "file": filled(file), "line": known_line(*line), "module": filled(module),
        "method": method,
    })
}

fn text(property: &Option<Property>, node: u32) -> Json {
    property.as_ref().and_then(|property| property.str(node)).map_or(Json::Null, |text| (&*text).into())
}

/// The callers in a chain as one line, such as `deflateInit_ deflate.c:213 < main zwork.c:31`.
pub(super) fn callers_in_a_line(chain: &[ChainLink]) -> Json {
    match chain {
        [] => Json::Null,
        chain => {
            let places = chain.iter().map(|link| &link.place);
            let links = places.map(|at| format!("{}{}", at.function, place(&at.file, at.line)));
            links.collect::<Vec<_>>().join(" < ").into()
        }
    }
}

/// A blank, then the file and the line, such as ` zutil.c:302`; empty if the file is not known.
pub(super) fn place(file: &str, line: i64) -> String {
    match (file.rsplit('/').next().unwrap_or_default(), known_line(line)) {
        ("", _) => String::new(),
        (file, Some(line)) => format!(" {file}:{line}"),
        (file, None) => format!(" {file}"),
    }
}

/// A place in words, such as `zutil.c:302`. If the file is not known, the module.
pub(super) fn place_or_module(at: &KnownPlace) -> Json {
    match place(&at.file, at.line).trim_start() {
        "" => filled(&at.module).map(|module| format!("in {module}")).into(),
        place => place.into(),
    }
}

/// A text, or `None` if it is empty.
pub(super) fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// A line number, or `None` if it is 0.
pub(super) fn known_line(line: i64) -> Option<i64> {
    Some(line).filter(|line| *line > 0)
}
