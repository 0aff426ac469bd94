//! Generates the class `Cpg`: an open graph, with access to its nodes by label.

use super::layout::{LabelClass, Layout};
use super::package::Package;
use super::text::{Source, in_comment};
use crate::source_file::SourceFile;

/// Generates the file of the class.
pub(super) fn file(layout: &Layout<'_>, package: &Package) -> SourceFile {
    let mut out = Source::default();
    head(layout, &mut out);
    for class in &layout.classes {
        out.line(&format!("private final Nodes<{}> {};", class.class, class.many));
    }
    out.line("");
    out.open("private Cpg(Graph graph)");
    out.line("columns = new Columns(graph);");
    for class in &layout.classes {
        let name = &class.class;
        out.line(&format!(
            "{} = new Nodes<>(graph, {name}.LABEL, node -> new {name}(columns, node));",
            class.many
        ));
    }
    out.close();
    BODY.lines().for_each(|line| out.line(line));
    for class in &layout.classes {
        let label = in_comment(class.label);
        out.line("");
        out.line(&format!("/** The nodes with the label {label}. */"));
        out.method(
            &format!("public Nodes<{}> {}()", class.class, class.many),
            &[format!("return {};", class.many)],
        );
        out.line("");
        out.doc(&[
            format!("The handle of a node with the label {label}."),
            String::new(),
            "@throws IllegalArgumentException if the node has other labels".to_owned(),
        ]);
        let body = [format!("return {}.of(columns, node);", class.class)];
        out.method(&format!("public {} {}(int node)", class.class, class.one), &body);
    }
    out.close();
    out.into_file(package, "Cpg")
}

fn head(layout: &Layout<'_>, out: &mut Source) {
    let mut doc = vec![
        "An open graph, with a method for each name of its schema.".to_owned(),
        String::new(),
        "<p>Loops that must not allocate use {@link #columns()}; all other code uses handles:".to_owned(),
        String::new(),
    ];
    if let Some(class) = richest(layout) {
        let (name, many) = (&class.class, &class.many);
        doc.extend([
            "<pre>{@code".to_owned(),
            "try (Cpg cpg = Cpg.open(path)) {".to_owned(),
            format!("    for ({name} node : cpg.{many}()) {{ ... }}"),
            "}".to_owned(),
            "}</pre>".to_owned(),
            String::new(),
        ]);
    }
    doc.push("<p>May be used by any number of threads, for as long as the graph is open.".to_owned());
    out.doc(&doc);
    out.open("public final class Cpg implements AutoCloseable");
    out.line("private final Columns columns;");
}

/// The class with the most properties, for the example in the documentation.
fn richest<'a>(layout: &'a Layout<'_>) -> Option<&'a LabelClass<'a>> {
    let properties = |label: &usize| layout.properties_of(*label).count();
    let label = (0..layout.classes.len()).rev().max_by_key(properties)?;
    layout.classes.get(label)
}

const BODY: &str = r#"
/**
 * Opens a graph with a map of its file, as {@link Graph#open} does.
 *
 * @throws IOException if the operating system cannot open or map the file
 * @throws varvite.error.VarviteException if the file is invalid, or a property has another type
 */
public static Cpg open(Path path) throws IOException {
    return openWith(Graph.open(path));
}

/**
 * Opens a file that is not trusted, as {@link Graph#openChecked} does.
 *
 * @throws IOException if the operating system cannot open or map the file
 * @throws varvite.error.VarviteException if the file is invalid, or a property has another type
 */
public static Cpg openChecked(Path path) throws IOException {
    return openWith(Graph.openChecked(path));
}

private static Cpg openWith(Graph graph) {
    try {
        return new Cpg(graph);
    } catch (RuntimeException e) {
        graph.close();
        throw e;
    }
}

/**
 * Wraps an open graph. Closing this object closes the graph, and the other way round.
 *
 * @throws varvite.error.WrongTypeException if a property has another type than these classes expect
 */
public static Cpg over(Graph graph) {
    return new Cpg(graph);
}

/** The graph. */
public Graph graph() {
    return columns.graph();
}

/** The columns of the graph, for reading values and neighbours by node id. */
public Columns columns() {
    return columns;
}

/** The handle of a node; its class is that of the node's first label. */
public Node node(int node) {
    return columns.handle(node);
}

/** Closes the graph, and every object that was read from it. */
@Override
public void close() {
    graph().close();
}"#;
