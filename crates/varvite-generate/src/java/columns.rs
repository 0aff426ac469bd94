//! Generates the class `Columns`, which has all columns of a graph and reads every value by the id of its
//! node.

use super::hops;
use super::layout::{EdgeMember, Layout, PropertyMember};
use super::package::Package;
use super::text::{Source, in_comment, literal};
use super::values::{self, Kind};
use crate::source_file::SourceFile;

use varvite::Direction;

/// Generates the file of the class.
pub(super) fn file(layout: &Layout<'_>, package: &Package) -> SourceFile {
    let mut out = Source::default();
    out.doc(&lines(&[
        "The columns of a graph. Each is opened once, when a method first needs it.",
        "",
        "<p>A property is one column for the whole graph, independent of node labels. So each method here takes any id and reads",
        "one column, without reading the node's label. If the graph lacks a property or an edge label, every node reads as",
        "having none; only the method that returns the column itself throws.",
        "",
        "<p>Any number of threads may use this object while the graph is open. Methods that read throw",
        "{@link varvite.error.NoSuchNodeException} for an id that the graph does not have,",
        "{@link varvite.error.GraphClosedException} after the graph was closed, and",
        "{@link varvite.error.DamagedFileException} if the file is damaged.",
    ]));
    out.open("public final class Columns");
    fields(layout, &mut out);
    constructor(layout, &mut out);
    for member in &layout.properties {
        property(member, layout, &mut out);
    }
    for member in &layout.edges {
        edge(member, layout, &mut out);
    }
    handles(layout, &mut out);
    out.close();
    out.into_file(package, "Columns")
}

fn fields(layout: &Layout<'_>, out: &mut Source) {
    out.line("private final Graph graph;");
    out.line("private final Names names;");
    out.line("private final Kinds kinds;");
    out.line("// Null until they are asked for. A race asks the graph twice, and gets the same column.");
    for member in &layout.properties {
        let (class, _) = Kind::of(member.property.value_type).column();
        out.line(&format!("private {class} {};", member.name));
    }
    for member in &layout.edges {
        out.line(&format!("private Adjacency {};", member.name));
    }
}

fn constructor(layout: &Layout<'_>, out: &mut Source) {
    let labels: Vec<String> = layout.classes.iter().map(|class| format!("{}.LABEL", class.class)).collect();
    out.line("");
    out.open("Columns(Graph graph)");
    out.line("this.graph = graph;");
    out.line("names = Names.of(graph);");
    out.list("kinds = new Kinds(graph,", &labels, ");");
    out.line("check(graph);");
    out.close();
    out.line("");
    out.line("/** Checks that the properties of this graph have the types for which these classes were generated. */");
    out.open("private static void check(Graph graph)");
    for member in &layout.properties {
        out.line(&expectation(member));
    }
    out.close();
    out.line("");
    out.line("/** The graph. */");
    out.method("public Graph graph()", &lines(&["return graph;"]));
}

fn expectation(member: &PropertyMember<'_>) -> String {
    let property = member.property;
    let (kind, cardinality) = (property.value_type.name(), property.cardinality.name());
    format!(
        "{}.check(graph, ValueType.{}, Cardinality.{});",
        expected_name(member),
        kind.to_uppercase(),
        cardinality.to_uppercase()
    )
}

fn expected_name(member: &PropertyMember<'_>) -> String {
    let name = literal(&member.property.name);
    match member.edge_label {
        None => format!("Expected.property({name})"),
        Some(label) => format!("Expected.edgeProperty({}, {name})", literal(label)),
    }
}

fn property(member: &PropertyMember<'_>, layout: &Layout<'_>, out: &mut Source) {
    let (class, open) = Kind::of(member.property.value_type).column();
    let name = literal(&member.property.name);
    let (opened, known) = match member.edge_label {
        None => (format!("graph.{open}({name})"), format!("names.hasProperty({name})")),
        Some(label) => {
            let label = literal(label);
            (
                format!("({class}) graph.edgeProperty({label}, {name})"),
                format!("names.hasEdgeProperty({label}, {name})"),
            )
        }
    };
    let owners = if member.edge_label.is_some() { ", by rank in the out direction" } else { "" };
    let doc = format!("The column of {}{owners}.", values::description(member));
    column(out, &Opening { class, name: &member.name, doc: &doc, opened: &opened, known: &known });
    let far = layout.target_type(member.property);
    values::accessors(member, far).iter().for_each(|accessor| accessor.write_body(out));
}

fn edge(member: &EdgeMember<'_>, layout: &Layout<'_>, out: &mut Source) {
    let (label, way) = (literal(&member.label.name), member.direction);
    let opened = match way {
        Direction::Out => format!("graph.out({label})"),
        Direction::In => format!("graph.in({label})"),
    };
    let doc = format!(
        "The neighbours of all nodes along {} edges, {}.",
        in_comment(&member.label.name),
        way.name()
    );
    let known = format!("names.hasEdgeLabel({label})");
    let class = "Adjacency";
    column(out, &Opening { class, name: &member.name, doc: &doc, opened: &opened, known: &known });
    hops::accessors(member, layout).iter().for_each(|accessor| accessor.write_body(out));
}

/// The parts of a method that opens a column: the class of the column, its name, and the expressions that
/// open it and test whether it exists.
struct Opening<'a> {
    class: &'a str,
    name: &'a str,
    doc: &'a str,
    opened: &'a str,
    known: &'a str,
}

fn column(out: &mut Source, opening: &Opening<'_>) {
    let Opening { class, name, doc, opened, known } = *opening;
    out.line("");
    out.doc(&lines(&[doc, "", "@throws UnknownNameException if this graph has no such column"]));
    out.open(&format!("public {class} {name}()"));
    out.line(&format!("{class} column = this.{name};"));
    out.open("if (column == null)");
    out.line(&format!("column = {opened};"));
    out.line(&format!("this.{name} = column;"));
    out.close();
    out.line("return column;");
    out.close();
    out.line("");
    let body = [
        format!("{class} column = this.{name};"),
        format!("return column != null || !{known} ? column : {name}();"),
    ];
    out.method(&format!("{class} {name}IfAny()"), &body);
}

/// Writes the methods that make handles from ids, by the label of the node.
fn handles(layout: &Layout<'_>, out: &mut Source) {
    out.line("");
    out.line("List<Label> labels(int node) {");
    out.line("    return kinds.labels(node);");
    out.line("}");
    out.line("");
    out.line("/** The handle of a node; its class is that of the node's first label. */");
    out.open("Node handle(int node)");
    out.open("return switch (kinds.of(node))");
    for (kind, class) in layout.classes.iter().enumerate() {
        out.line(&format!("case {kind} -> new {}(this, node);", class.class));
    }
    out.line("default -> new AnyNode(this, node);");
    out.close_with(";");
    out.close();
    out.line("");
    out.line("/** The handle of a node as an interface; if the class of its first label lacks the interface, an AnyNode. */");
    out.method(
        "<T extends Node> T as(int node, Class<T> type)",
        &lines(&[
            "Node handle = handle(node);",
            "return type.cast(type.isInstance(handle) ? handle : new AnyNode(this, node));",
        ]),
    );
    out.line("");
    out.line("/** Checks that a node has the label of a class. */");
    out.method("void require(int node, int kind)", &lines(&["kinds.require(node, kind);"]));
    out.line("");
    out.method(
        "private static NoSuchElementException noValue(int owner, String property)",
        &lines(&["return new NoSuchElementException(owner + \" has no \" + property);"]),
    );
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}
