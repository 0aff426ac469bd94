//! The graph of a case, as lines: each line defines nodes or edges.
//!
//! ```text
//! main: METHOD NAME="main" ORDER=1
//! a, b: CALL
//! main -AST-> a, b
//! a -REACHING_DEF-> b VARIABLE="x"
//! ```
//!
//! Nodes get ids from 0 in the order of the lines, which must be a pre-order along the AST edges. A node's
//! edge lists have the order of the lines that define edges.

use std::collections::BTreeMap;

use super::error::CaseError;
use super::line::{Line, Values};
use crate::{ModelGraph, NodeId, Value, ValueType};

/// A graph, with the declarations of properties that its file needs and that the model does not have.
#[derive(Clone, Debug, Default)]
pub struct CaseGraph {
    /// The graph.
    pub graph: ModelGraph,
    /// The properties of nodes, in the order of their first use.
    pub properties: Vec<CaseProperty>,
    /// The property of each edge label that has one.
    pub edge_properties: BTreeMap<String, CaseProperty>,
    nodes: BTreeMap<String, NodeId>,
}

/// A declared property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseProperty {
    /// The name.
    pub name: String,
    /// The type of all values.
    pub value_type: ValueType,
    /// Whether a node may have a list of values.
    pub is_list: bool,
}

impl CaseGraph {
    /// Reads the lines of a graph, each with its number.
    pub(crate) fn parse(lines: &[(usize, &str)]) -> Result<Self, CaseError> {
        let mut graph = Self::default();
        for (number, text) in lines {
            let wrong = |what| CaseError { line: *number, what };
            graph.add_nodes(&mut Line::new(text)).map_err(wrong)?;
        }
        for (number, text) in lines {
            let wrong = |what| CaseError { line: *number, what };
            graph.add_rest(&mut Line::new(text)).map_err(wrong)?;
        }
        let line = lines.first().map_or(0, |(number, _)| *number);
        match graph.graph.in_canonical_order() == graph.graph {
            true => Ok(graph),
            false => {
                Err(CaseError { line, what: "lines of nodes are a pre-order of the edges AST".to_owned() })
            }
        }
    }

    /// Adds the nodes of a line. The nodes of all lines are added before any edges and values, because an
    /// edge or a reference may lead to any node.
    fn add_nodes(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let names = line.names()?;
        if !line.skip(":") {
            return Ok(());
        }
        let labels = line.labels()?;
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        for name in names {
            let node = self.graph.add_node(&labels);
            if self.nodes.insert(name.clone(), node).is_some() {
                return Err(format!("a second node {name}"));
            }
        }
        Ok(())
    }

    /// Adds the edges or the values of a line.
    fn add_rest(&mut self, line: &mut Line<'_>) -> Result<(), String> {
        let sources = self.nodes_of(&line.names()?)?;
        if line.skip(":") {
            line.labels()?;
            return self.add_values(&sources, line);
        }
        let label = line.arrow()?;
        let targets = self.nodes_of(&line.names()?)?;
        let value = self.edge_value(&label, line)?;
        for (source, target) in pairs(&sources, &targets)? {
            self.graph.add_edge(source, &label, target, value.clone());
        }
        Ok(())
    }

    fn nodes_of(&self, names: &[String]) -> Result<Vec<NodeId>, String> {
        let node = |name: &String| self.nodes.get(name).copied().ok_or_else(|| format!("no node {name}"));
        names.iter().map(node).collect()
    }

    fn add_values(&mut self, nodes: &[NodeId], line: &mut Line<'_>) -> Result<(), String> {
        while let Some(name) = line.property()? {
            let Values { values, is_list } = line.values(&self.nodes)?;
            let known = self.properties.iter().position(|property| property.name == name);
            for value in &values {
                let property = CaseProperty { name: name.clone(), value_type: value.value_type(), is_list };
                match known {
                    Some(known) if self.properties[known] != property => {
                        return Err(format!("{name} has values of two types"));
                    }
                    None if !self.properties.contains(&property) => self.properties.push(property),
                    _ => {}
                }
            }
            nodes.iter().for_each(|node| self.graph.set_property(*node, &name, values.clone()));
        }
        Ok(())
    }

    fn edge_value(&mut self, label: &str, line: &mut Line<'_>) -> Result<Option<Value>, String> {
        let Some(name) = line.property()? else { return Ok(None) };
        let Values { mut values, is_list } = line.values(&self.nodes)?;
        let value = values.pop().filter(|_| !is_list).ok_or("an edge has one value")?;
        let property = CaseProperty { name, value_type: value.value_type(), is_list };
        let known = self.edge_properties.entry(label.to_owned()).or_insert_with(|| property.clone());
        match *known == property && line.property()?.is_none() {
            true => Ok(Some(value)),
            false => Err(format!("edges of {label} have one property, of one type")),
        }
    }
}

/// The pairs of sources and targets. A single source is paired with each target, and a single target with
/// each source; otherwise the n-th source is paired with the n-th target.
fn pairs(sources: &[NodeId], targets: &[NodeId]) -> Result<Vec<(NodeId, NodeId)>, String> {
    match (sources, targets) {
        ([source], targets) => Ok(targets.iter().map(|target| (*source, *target)).collect()),
        (sources, [target]) => Ok(sources.iter().map(|source| (*source, *target)).collect()),
        _ if sources.len() == targets.len() => {
            Ok(sources.iter().copied().zip(targets.iter().copied()).collect())
        }
        _ => Err("one node on a side, or as many as on the other".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(text: &str) -> Result<CaseGraph, CaseError> {
        CaseGraph::parse(&(1..).zip(text.lines()).collect::<Vec<_>>())
    }

    #[test]
    fn nodes_have_labels_and_values_and_edges_join_them() {
        let made =
            graph("m: METHOD&STUB NAME=\"a\\n\" R=@b\na, b: CALL\nm -AST-> a, b\na -REF-> m V=1\n").unwrap();
        let [m, a, b] = [0, 1, 2].map(NodeId);
        assert_eq!(made.graph.label_text(m), "METHOD&STUB");
        assert_eq!(made.graph.values(m, "NAME"), [Value::string("a\n")]);
        assert_eq!(made.graph.values(m, "R"), [Value::Ref(Some(b))]);
        assert_eq!(made.graph.targets(m, "AST"), [a, b]);
        assert_eq!(made.graph.out_edges(a, "REF")[0].property, Some(&Value::I32(1)));
        assert_eq!(made.properties.len(), 2);
        assert_eq!(made.edge_properties["REF"].name, "V");
    }

    #[test]
    fn ranges_are_many_nodes_and_equal_sides_are_joined_pair_by_pair() {
        let made =
            graph("n0..n3: BLOCK\nn0..n2 -CFG-> n1..n3\nn3 -REF-> n0..n2\nn0, n1 -CALL-> n3\n").unwrap();
        assert_eq!(made.graph.node_count(), 4);
        assert_eq!(made.graph.targets(NodeId(1), "CFG"), [NodeId(2)]);
        assert_eq!(made.graph.targets(NodeId(3), "REF").len(), 3);
        assert_eq!(made.graph.sources(NodeId(3), "CALL"), [NodeId(0), NodeId(1)]);
    }

    #[test]
    fn what_is_no_graph_is_refused_by_its_line() {
        for (text, line, words) in [
            ("a: X\na: Y\n", 2, "a second node a"),
            ("a: X\na -REF-> b\n", 2, "no node b"),
            ("a: X V=1\nb: X V=\"1\"\n", 2, "two types"),
            ("a, b, c: X\na, b -REF-> a, b, c\n", 2, "one node on a side"),
            ("a: X\na -REF-> a V=1\na -REF-> a W=1\n", 3, "one property"),
            ("b: X\na: X\na -AST-> b\n", 1, "pre-order"),
        ] {
            let error = graph(text).unwrap_err();
            assert!(error.line == line && error.what.contains(words), "{text}: {error}");
        }
    }
}
