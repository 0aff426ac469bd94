//! Generates the classes and interfaces of nodes: `Node`, `Handle`, `AnyNode`, a class for each label, and
//! interfaces for members that several labels share.

use std::collections::BTreeSet;

use super::accessor::Accessor;
use super::hops;
use super::layout::{EdgeMember, LabelClass, Layout, PropertyMember};
use super::package::Package;
use super::text::{Source, in_comment, literal};
use super::values;
use crate::source_file::SourceFile;

/// All files of classes and interfaces of nodes.
pub(super) fn files(layout: &Layout<'_>, package: &Package) -> Vec<SourceFile> {
    let mut files = vec![node(layout, package), handle(layout, package), any_node(layout, package)];
    files.extend((0..layout.classes.len()).map(|label| class(layout, label, package)));
    let properties = layout.of_nodes();
    files.extend(properties.filter_map(|member| property_interface(layout, member, package)));
    files.extend(layout.edges.iter().filter_map(|member| edge_interface(layout, member, package)));
    files
}

fn node(layout: &Layout<'_>, package: &Package) -> SourceFile {
    let mut out = Source::default();
    out.doc(&lines(&[
        "A handle of a node: the columns of its graph, and an id.",
        "",
        "<p>Each handle is an allocation. A loop that must not allocate can move one handle through many nodes:",
        "{@code call.at(id)} makes it the handle of another node. Only one thread may use a handle that moves, and it must not",
        "be put into a set. Methods of a graph return a new handle each time, which only the caller can move.",
        "",
        "<p>A property or an edge label that several node labels have is an interface. To find the label of a node, use a",
        "{@code switch} over its class. A node whose label did not exist when the classes were generated is an {@link AnyNode}.",
    ]));
    let own = layout.edges.iter().filter(|edge| layout.shared_by(edge).is_empty());
    let own = own.filter_map(|edge| edge.interface.as_deref());
    let properties = layout.of_nodes().filter_map(|member| member.interface.as_deref());
    let direct: BTreeSet<&str> = properties.chain(own).chain(["Handle"]).collect();
    out.line("public sealed interface Node");
    out.list("        permits", &owned(direct), " {");
    out.line("    /** The id of the node; -1 if the handle was not yet moved to a node. */");
    out.line("    int id();");
    out.line("");
    out.line("    /** Moves this handle to a node, without reading the node's labels, and returns it. Allocates nothing. */");
    out.line("    Node at(int node);");
    out.line("");
    out.line("    /** The columns from which the handle reads. */");
    out.line("    Columns columns();");
    out.line("");
    out.line("    /** The labels of the node. Allocates the list. */");
    out.line("    List<Label> labels();");
    out.line("}");
    out.into_file(package, "Node")
}

fn handle(layout: &Layout<'_>, package: &Package) -> SourceFile {
    let mut out = Source::default();
    let classes = layout.classes.iter().map(|class| class.class.as_str());
    let all: BTreeSet<&str> = classes.chain(["AnyNode"]).collect();
    out.line(
        "/** The state of every handle. Handles are equal if they have the same open graph and the same id. */",
    );
    out.line("abstract sealed class Handle implements Node");
    out.list("        permits", &owned(all), " {");
    for line in HANDLE.lines() {
        out.line(line);
    }
    out.line("}");
    out.into_file(package, "Handle")
}

const HANDLE: &str = r#"    final Columns columns;
    int id;

    Handle(Columns columns, int id) {
        this.columns = columns;
        this.id = id;
    }

    @Override
    public final int id() {
        return id;
    }

    @Override
    public final Columns columns() {
        return columns;
    }

    @Override
    public final List<Label> labels() {
        return columns.labels(id);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Handle handle && handle.id == id && handle.columns.graph() == columns.graph();
    }

    @Override
    public final int hashCode() {
        return id;
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[" + id + "]";
    }"#;

fn any_node(layout: &Layout<'_>, package: &Package) -> SourceFile {
    let mut out = Source::default();
    out.doc(&lines(&[
        "A node of any label, with a method for every property and every edge label of nodes.",
        "",
        "<p>To go through nodes of many labels, move one such handle from node to node with {@link #at}. The handle has one class",
        "for nodes of all labels, so that no call through an interface depends on the label.",
    ]));
    begin("AnyNode", &owned(layout.interfaces()), &mut out);
    constructors("AnyNode", &mut out);
    for member in layout.of_nodes() {
        let accessors = values::accessors(member, layout.target_type(member.property));
        accessors.iter().for_each(|accessor| accessor.write_call(&mut out, member.interface.is_some()));
    }
    for member in &layout.edges {
        let accessors = hops::accessors(member, layout);
        accessors.iter().for_each(|accessor| accessor.write_call(&mut out, member.interface.is_some()));
    }
    out.close();
    out.into_file(package, "AnyNode")
}

/// Generates the class of a label.
fn class(layout: &Layout<'_>, label: usize, package: &Package) -> SourceFile {
    let LabelClass { label: name, class, .. } = &layout.classes[label];
    let mut out = Source::default();
    out.line(&format!("/** A node with the label {}. */", in_comment(name)));
    let interfaces = owned(layout.interfaces_of(label));
    begin(class, &interfaces, &mut out);
    out.line("/** The name of the label. */");
    out.line(&format!("public static final String LABEL = {};", literal(name)));
    out.line("");
    constructors(class, &mut out);
    of(class, label, &mut out);
    for member in layout.properties_of(label) {
        let accessors = values::accessors(member, layout.target_type(member.property));
        accessors.iter().for_each(|accessor| accessor.write_call(&mut out, member.interface.is_some()));
    }
    for member in layout.edges_of(label) {
        edge_of_class(layout, member, label, &mut out);
    }
    out.close();
    out.into_file(package, class)
}

fn begin(class: &str, interfaces: &[String], out: &mut Source) {
    let head = format!("public final class {class} extends Handle");
    if interfaces.is_empty() {
        return out.open(&head);
    }
    out.line(&head);
    out.list("        implements", interfaces, " {");
    out.indent();
}

fn constructors(class: &str, out: &mut Source) {
    out.line("/** Creates a handle without a node. Move it to a node before reading. */");
    out.method(&format!("public {class}(Cpg cpg)"), &lines(&["super(cpg.columns(), -1);"]));
    out.line("");
    out.method(&format!("{class}(Columns columns, int id)"), &lines(&["super(columns, id);"]));
    out.line("");
    out.line("@Override");
    out.method(&format!("public {class} at(int node)"), &lines(&["id = node;", "return this;"]));
}

fn of(class: &str, kind: usize, out: &mut Source) {
    out.line("");
    out.line("/** The handle of a node, which must have the label. */");
    out.method(
        &format!("static {class} of(Columns columns, int node)"),
        &[format!("columns.require(node, {kind});"), format!("return new {class}(columns, node);")],
    );
}

fn edge_of_class(layout: &Layout<'_>, member: &EdgeMember<'_>, label: usize, out: &mut Source) {
    let overrides = member.interface.is_some();
    let accessors = hops::accessors(member, layout);
    let narrowed = member.ends.get(&label).and_then(|far| hops::narrowed(member, far, layout));
    for (index, accessor) in accessors.iter().enumerate() {
        match narrowed.as_ref().filter(|_| index == 0) {
            Some((returns, body)) => accessor.write_member(out, overrides, returns, body),
            None => accessor.write_call(out, overrides),
        }
    }
}

/// The interface of a property; `None` if only one label has the property.
fn property_interface(
    layout: &Layout<'_>,
    member: &PropertyMember<'_>,
    package: &Package,
) -> Option<SourceFile> {
    let interface = member.interface.as_deref()?;
    let labels = member.property.owners.iter().map(|label| layout.classes[*label].class.as_str());
    let edges = layout.edges.iter().filter(|edge| layout.shared_by(edge).contains(interface));
    let edges = edges.filter_map(|edge| edge.interface.as_deref());
    let permitted: BTreeSet<&str> = labels.chain(edges).chain(["AnyNode"]).collect();
    let mut out = Source::default();
    out.line(&format!("/** A node that has {}. */", values::description(member)));
    let accessors = values::accessors(member, layout.target_type(member.property));
    declare(&mut out, interface, &["Node".to_owned()], permitted, &accessors);
    accessors.iter().for_each(|accessor| accessor.write_static(&mut out, interface));
    out.close();
    Some(out.into_file(package, interface))
}

/// The interface of an edge label in one direction, with the members that all labels with such edges have;
/// `None` if only one label has such edges.
fn edge_interface(layout: &Layout<'_>, member: &EdgeMember<'_>, package: &Package) -> Option<SourceFile> {
    let interface = member.interface.as_deref()?;
    let labels = member.ends.keys().map(|label| layout.classes[*label].class.as_str());
    let permitted: BTreeSet<&str> = labels.chain(["AnyNode"]).collect();
    let mut shared = owned(layout.shared_by(member));
    if shared.is_empty() {
        shared.push("Node".to_owned());
    }
    let mut out = Source::default();
    let (label, way) = (in_comment(&member.label.name), member.direction.name());
    out.line(&format!("/** A node that has {label} edges, {way}. */"));
    declare(&mut out, interface, &shared, permitted, &hops::accessors(member, layout));
    out.close();
    Some(out.into_file(package, interface))
}

/// Begins an interface, and declares its methods.
fn declare(
    out: &mut Source,
    interface: &str,
    extends: &[String],
    permitted: BTreeSet<&str>,
    accessors: &[Accessor],
) {
    out.line(&format!("public sealed interface {interface}"));
    out.list("        extends", extends, "");
    out.list("        permits", &owned(permitted), " {");
    out.indent();
    out.line("@Override");
    out.line(&format!("{interface} at(int node);"));
    accessors.iter().for_each(|accessor| accessor.write_declaration(out));
}

fn owned(names: BTreeSet<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}
