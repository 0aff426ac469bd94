//! [`Document`]: makes nodes and edges from the elements of a document.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use varvite_graph::internal::{Draft, DraftFault, Element};

use super::bounded::PIECE_MAX;
use super::key::{Keys, LabelKeys, Meaning, Of};
use super::value::DataValue;
use super::xml::{Next, Xml, XmlError};
use crate::text::{TextError, TextFault, TextPosition};

/// The label of edges without a label.
pub(super) const EDGE: &str = "EDGE";
/// Bytes of memory for a node that an edge names before the document declares it.
const PROMISED: usize = 64;
/// Number of nodes and edges between two checks of the cancel flag.
const ELEMENTS: u64 = 4096;

/// How many parts of each kind were left out of a document because a graph cannot represent them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    /// The number of edges without a direction.
    pub(super) directions: u64,
    /// The number of values that belong to the document's graph itself.
    pub(super) graph_data: u64,
    /// The number of numeric and Boolean values whose text is empty.
    pub(super) empty_values: u64,
    /// The number of drawings without a caption.
    pub(super) drawings: u64,
    /// The number of values of nodes and edges whose key is declared for other elements.
    pub(super) misplaced_values: u64,
}

/// A document that is being read into a graph.
pub(super) struct Document<'d> {
    path: &'d Path,
    xml: Xml,
    draft: &'d mut Draft,
    label_keys: &'d LabelKeys,
    keys: Keys,
    /// For each property of the document, its number in the draft; `None` if it is not a property of nodes.
    of_nodes: Vec<Option<usize>>,
    /// For each edge label, a table from the number of each property in the document to its number in the
    /// draft.
    of_edges: Vec<Vec<Option<usize>>>,
    /// Nodes that edges named before the document declared them: the line of the first such edge, and the id.
    promised: BTreeMap<u32, (u64, String)>,
    /// The data of the current element: keys and values.
    data: Vec<(usize, DataValue)>,
    /// The length of the texts in the data of the current element.
    data_len: usize,
    seen: HashSet<usize>,
    labels: Vec<String>,
    left_out: LeftOut,
    count: u64,
    /// Called at intervals, for cancellation and progress.
    pause: &'d mut dyn FnMut(&Xml) -> Result<(), TextError>,
}

impl<'d> Document<'d> {
    pub(super) fn new(
        path: &'d Path,
        xml: Xml,
        draft: &'d mut Draft,
        label_keys: &'d LabelKeys,
        pause: &'d mut dyn FnMut(&Xml) -> Result<(), TextError>,
    ) -> Self {
        Self {
            path,
            xml,
            draft,
            label_keys,
            keys: Keys::default(),
            of_nodes: Vec::new(),
            of_edges: Vec::new(),
            promised: BTreeMap::new(),
            data: Vec::new(),
            data_len: 0,
            seen: HashSet::new(),
            labels: Vec::new(),
            left_out: LeftOut::default(),
            count: 0,
            pause,
        }
    }

    /// Reads the whole document, and returns the reader and a report of left-out parts.
    pub(super) fn read(mut self) -> Result<(Xml, LeftOut), TextError> {
        self.read_graphml()?;
        if let Some((_, (line, id))) = self.promised.first_key_value() {
            let (id, space) = (id.clone(), String::new());
            return Err(TextError::at(
                self.path,
                TextPosition::line(*line),
                TextFault::NoSuchNode { id, space },
            ));
        }
        Ok((self.xml, self.left_out))
    }

    fn read_graphml(&mut self) -> Result<(), TextError> {
        if self.next()? != Next::Element {
            return Err(self.at(TextFault::NoGraph));
        }
        if self.xml.name() != "graphml" {
            let found = self.xml.name().to_owned();
            return Err(self.at(TextFault::NotGraphml { found }));
        }
        let mut has_graph = false;
        loop {
            match self.next()? {
                Next::End if has_graph => break,
                Next::End | Next::Over => return Err(self.at(TextFault::NoGraph)),
                Next::Element => {}
            }
            match self.xml.name() {
                "key" if has_graph => return Err(self.at(unexpected("key", "graphml, behind the graph"))),
                "key" => {
                    let added = self.keys.add(&mut self.xml, self.label_keys);
                    added.map_err(|error| self.error(error))?;
                }
                "graph" if has_graph => return Err(self.at(unsupported("a second graph"))),
                "graph" => {
                    self.read_graph()?;
                    has_graph = true;
                }
                "data" => self.skip_data_of_graph()?,
                "desc" => self.skip()?,
                other => {
                    let fault = unexpected(other, "graphml");
                    return Err(self.at(fault));
                }
            }
        }
        match self.next()? {
            Next::Over => Ok(()),
            _ => {
                Err(self
                    .at(TextFault::NotXml { what: "there is more text after the end of graphml".to_owned() }))
            }
        }
    }

    fn read_graph(&mut self) -> Result<(), TextError> {
        let is_directed = self.xml.attribute("edgedefault") != Some("undirected");
        self.keys.name_captions();
        self.declare_properties()?;
        loop {
            match self.next()? {
                Next::End => return Ok(()),
                Next::Over => return Err(self.at(TextFault::NoGraph)),
                Next::Element => {}
            }
            match self.xml.name() {
                "node" => self.read_node()?,
                "edge" => self.read_edge(is_directed)?,
                "data" => self.skip_data_of_graph()?,
                "desc" => self.skip()?,
                "hyperedge" => return Err(self.at(unsupported("a hyperedge"))),
                "graph" => return Err(self.at(unsupported("a nested graph"))),
                "locator" => return Err(self.at(unsupported("a graph that lies elsewhere"))),
                "key" => return Err(self.at(unexpected("key", "graph: keys come before it"))),
                other => {
                    let fault = unexpected(other, "graph");
                    return Err(self.at(fault));
                }
            }
            if self.count.is_multiple_of(ELEMENTS) {
                (self.pause)(&self.xml)?;
            }
            self.count += 1;
        }
    }

    /// Declares the properties of nodes. The properties of edges are declared later, when an edge label first
    /// occurs.
    fn declare_properties(&mut self) -> Result<(), TextError> {
        let declared = self.declare(Of::Nodes, Element::Node);
        self.of_nodes = declared.map_err(|fault| self.at(fault))?;
        Ok(())
    }

    /// Declares the properties of nodes or edges, and returns a table from their numbers in the document to
    /// their numbers in the draft. For edges, only properties with a default are declared.
    fn declare(&mut self, of: Of, element: Element) -> Result<Vec<Option<usize>>, TextFault> {
        let mut numbers = vec![None; self.keys.properties.len()];
        if of == Of::Nodes {
            for (number, declared) in
                self.keys.properties.iter().enumerate().filter(|(_, known)| known.of == of)
            {
                numbers[number] = Some(self.draft.property(element, &declared.name, declared.kind)?);
            }
        }
        for (number, default) in self.keys.defaults(of) {
            let declared = &self.keys.properties[number];
            let property = self.draft.property(element, &declared.name, declared.kind)?;
            self.draft.set_default(property, default.as_default(declared.is_float())?);
            numbers[number] = Some(property);
        }
        Ok(numbers)
    }

    fn read_node(&mut self) -> Result<(), TextError> {
        let line = self.xml.line();
        let id = self.xml.attribute("id").map(str::to_owned);
        let id = id.ok_or_else(|| self.at(TextFault::NoAttribute { element: "node", attribute: "id" }))?;
        self.labels.clear();
        if let Some(labels) = self.xml.attribute("labels") {
            self.labels.extend(labels_of(labels));
        }
        self.read_data(Of::Nodes, "node")?;
        let labels = self.labels.iter().map(|label| self.draft.label(label)).collect::<Result<Vec<_>, _>>();
        let labels = labels.map_err(|fault| self.at_line(line, label_fault(fault, "--node-labels")))?;
        let node = self.node(&id, &labels, line)?;
        let data = std::mem::take(&mut self.data);
        let put = data.iter().try_for_each(|(key, value)| self.put_of_node(node, *key, value));
        put.map_err(|fault| self.at_line(line, fault))?;
        self.data = data;
        Ok(())
    }

    /// Adds a node with an id, which an earlier edge may already have named.
    fn node(&mut self, id: &str, labels: &[u32], line: u64) -> Result<u32, TextError> {
        let added = self.draft.add_node(id.as_bytes(), labels).map_err(|fault| self.at_line(line, fault))?;
        if let Some(node) = added {
            return Ok(node);
        }
        let known = self.draft.node(id.as_bytes());
        let promised = known.filter(|node| self.promised.remove(node).is_some());
        let Some(node) = promised else {
            let (id, space) = (id.to_owned(), String::new());
            return Err(self.at_line(line, TextFault::NodeTwice { id, space }));
        };
        self.draft.budget().give_back(PROMISED + id.len());
        self.draft.set_labels(node, labels).map_err(|fault| self.at_line(line, fault))?;
        Ok(node)
    }

    fn put_of_node(&mut self, node: u32, key: usize, value: &DataValue) -> Result<(), TextFault> {
        let Some(number) = self.keys.key(key).meaning(Of::Nodes).property() else { return Ok(()) };
        let Some(property) = self.of_nodes[number] else { return Ok(()) };
        value.put(self.draft, property, node, self.keys.properties[number].is_float())
    }

    fn read_edge(&mut self, is_directed: bool) -> Result<(), TextError> {
        let line = self.xml.line();
        let is_directed = match self.xml.attribute("directed") {
            Some("true") => true,
            Some("false") => false,
            _ => is_directed,
        };
        self.left_out.directions += u64::from(!is_directed);
        if self.xml.attribute("sourceport").or(self.xml.attribute("targetport")).is_some() {
            return Err(self.at(unsupported("a port")));
        }
        let [source, target] = ["source", "target"].map(|attribute| {
            let id = self.xml.attribute(attribute).map(str::to_owned);
            id.ok_or_else(|| self.at(TextFault::NoAttribute { element: "edge", attribute }))
        });
        let (source, target) = (source?, target?);
        self.labels.clear();
        let own_label = self.xml.attribute("label").map(str::to_owned).filter(|label| !label.is_empty());
        self.read_data(Of::Edges, "edge")?;
        let label = own_label.or_else(|| self.labels.first().cloned()).unwrap_or_else(|| EDGE.to_owned());
        let label = self.draft.edge_label(&label);
        let label = label.map_err(|fault| self.at_line(line, label_fault(fault, "--edge-labels")))?;
        let (source, target) = (self.end(&source, line)?, self.end(&target, line)?);
        let edge = self.draft.add_edge(label, source, target).map_err(|fault| self.at_line(line, fault))?;
        self.put_of_edge(label, edge).map_err(|fault| self.at_line(line, fault))
    }

    /// The node at an end of an edge; the document may declare it later.
    fn end(&mut self, id: &str, line: u64) -> Result<u32, TextError> {
        if let Some(node) = self.draft.node(id.as_bytes()) {
            return Ok(node);
        }
        let taken = self.draft.budget().take(PROMISED + id.len());
        taken.map_err(|error| TextError::Graph(error.into()))?;
        let added = self.draft.add_node(id.as_bytes(), &[]).map_err(|fault| self.at_line(line, fault))?;
        let node = added.or_else(|| self.draft.node(id.as_bytes())).unwrap_or_default();
        self.promised.insert(node, (line, id.to_owned()));
        Ok(node)
    }

    fn put_of_edge(&mut self, label: u32, edge: u32) -> Result<(), TextFault> {
        while self.of_edges.len() <= label as usize {
            let next = self.of_edges.len() as u32;
            let declared = self.declare(Of::Edges, Element::Edge(next))?;
            self.of_edges.push(declared);
        }
        let data = std::mem::take(&mut self.data);
        let put = data.iter().try_for_each(|(key, value)| self.put_one_of_edge(label, edge, *key, value));
        self.data = data;
        put
    }

    fn put_one_of_edge(
        &mut self,
        label: u32,
        edge: u32,
        key: usize,
        value: &DataValue,
    ) -> Result<(), TextFault> {
        let Some(number) = self.keys.key(key).meaning(Of::Edges).property() else { return Ok(()) };
        let declared = &self.keys.properties[number];
        let known = &mut self.of_edges[label as usize][number];
        let property = match *known {
            Some(property) => property,
            None => {
                let property = self.draft.property(Element::Edge(label), &declared.name, declared.kind)?;
                *known = Some(property);
                property
            }
        };
        value.put(self.draft, property, edge, declared.is_float())
    }

    /// Reads the values and labels of an element, up to its end.
    fn read_data(&mut self, of: Of, within: &'static str) -> Result<(), TextError> {
        self.data.clear();
        self.data_len = 0;
        self.seen.clear();
        loop {
            match self.next()? {
                Next::End => return Ok(()),
                Next::Over => return Err(self.at(TextFault::NoGraph)),
                Next::Element => {}
            }
            match self.xml.name() {
                "data" => self.read_datum(of)?,
                "desc" => self.skip()?,
                "graph" => return Err(self.at(unsupported("a nested graph"))),
                "port" => return Err(self.at(unsupported("a port"))),
                other => {
                    let fault = unexpected(other, within);
                    return Err(self.at(fault));
                }
            }
        }
    }

    fn read_datum(&mut self, of: Of) -> Result<(), TextError> {
        let line = self.xml.line();
        let id = self.xml.attribute("key").map(str::to_owned);
        let id = id.ok_or_else(|| self.at(TextFault::NoAttribute { element: "data", attribute: "key" }))?;
        let number = self.keys.find(&id).map_err(|fault| self.at(fault))?;
        if !self.seen.insert(number) {
            return Err(self.at(TextFault::Twice { what: "value of the key", key: id }));
        }
        let text = match (self.keys.key(number).meaning(of), of) {
            (Meaning::Drawing(_), Of::Nodes) => self.xml.text_within("NodeLabel"),
            (Meaning::Drawing(_), Of::Edges) => self.xml.text_within("EdgeLabel"),
            _ => self.xml.text(),
        };
        let text = text.map_err(|error| self.error(error))?;
        let key = self.keys.key(number);
        match (key.meaning(of), text) {
            (Meaning::OfOthers, _) => self.left_out.misplaced_values += 1,
            (Meaning::Graphics, _) | (Meaning::Drawing(_), None) => self.left_out.drawings += 1,
            (_, None) => {}
            (Meaning::Labels, Some(text)) => match of {
                Of::Nodes => {
                    let new: Vec<String> =
                        labels_of(&text).filter(|label| !self.labels.contains(label)).collect();
                    self.labels.extend(new);
                }
                Of::Edges if !text.trim().is_empty() => self.labels.push(text.trim().to_owned()),
                Of::Edges => {}
            },
            (Meaning::Property(_) | Meaning::Drawing(_), Some(text)) => {
                let value = key.kind.read(&text);
                let value =
                    value.map_err(|fault| TextError::at(self.path, TextPosition::line(line), fault))?;
                let Some(value) = value else {
                    self.left_out.empty_values += 1;
                    return Ok(());
                };
                self.data_len += value.text_len();
                self.data.push((number, value));
                if self.data_len > PIECE_MAX {
                    let fault = TextFault::TooLong { what: "the data of one element", limit: PIECE_MAX };
                    return Err(self.at_line(line, fault));
                }
            }
        }
        Ok(())
    }

    /// Skips data of the document or of its graph, which a graph file cannot store.
    fn skip_data_of_graph(&mut self) -> Result<(), TextError> {
        self.left_out.graph_data += 1;
        self.skip()
    }

    fn next(&mut self) -> Result<Next, TextError> {
        self.xml.next().map_err(|error| self.error(error))
    }

    fn skip(&mut self) -> Result<(), TextError> {
        self.xml.skip().map_err(|error| self.error(error))
    }

    fn error(&self, error: XmlError) -> TextError {
        match error {
            XmlError::Fault(fault) => self.at(fault),
            XmlError::Io(error) => TextError::io(self.path, error),
        }
    }

    /// The error for a fault at the current line of the document.
    fn at(&self, fault: impl Into<TextFault>) -> TextError {
        self.at_line(self.xml.line(), fault)
    }

    fn at_line(&self, line: u64, fault: impl Into<TextFault>) -> TextError {
        TextError::at(self.path, TextPosition::line(line), fault)
    }
}

/// The fault of a label. If there are too many labels, they may be captions.
fn label_fault(fault: DraftFault, option: &'static str) -> TextFault {
    match fault {
        DraftFault::TooManyNames { what, limit } => TextFault::Captions { what, limit, option },
        other => other.into(),
    }
}

/// The labels in a text: `:A:B` as written by APOC, `A::B` as written by TinkerPop, `A;B`, or a single label.
fn labels_of(text: &str) -> impl Iterator<Item = String> + '_ {
    let text = text.trim();
    let is_list = text.starts_with(':') || text.contains("::") || text.contains(';');
    let labels = text.split(move |character| is_list && matches!(character, ':' | ';'));
    labels.map(str::trim).filter(|label| !label.is_empty()).map(str::to_owned)
}

fn unexpected(name: &str, within: &'static str) -> TextFault {
    TextFault::Element { name: name.to_owned(), within }
}

fn unsupported(what: &'static str) -> TextFault {
    TextFault::Unsupported { what }
}
