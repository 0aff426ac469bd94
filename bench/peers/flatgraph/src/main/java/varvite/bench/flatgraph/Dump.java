package varvite.bench.flatgraph;

import flatgraph.Accessors;
import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.misc.ISeq;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import scala.collection.immutable.IndexedSeq;
import varvite.bench.protocol.JsonLine;

/**
 * Writes everything that flatgraph stores about a graph, as lines of JSON: one line with the labels in
 * flatgraph's order, and then one line for each node that is not deleted, one label after another. A node is
 * identified by its number among all nodes of the file, including deleted nodes.
 *
 * <pre>
 * {"labels": ["METHOD", ..], "edge_labels": ["AST", ..]}
 * {"node": 7, "label": "METHOD", "values": {"NAME": ["String", "main"], ..},
 *  "out": {"AST": [[8, null], ..]}, "in": {..}}
 * </pre>
 *
 * <p>An edge is a list of the number of the node at its other end and the value of its property. A property
 * is a list of the Java class of its values and then the values. A value that refers to a node is the node's
 * number.
 */
final class Dump {
    private final CodeGraph graph;
    private final int[] bases;

    private Dump(CodeGraph graph) {
        this.graph = graph;
        this.bases = graph.denseBases();
    }

    static void write(CodeGraph graph, Path target) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(target)) {
            new Dump(graph).write(writer);
        }
    }

    private void write(BufferedWriter writer) throws IOException {
        writer.write(labels());
        for (int kind = 0; kind < graph.nodeKindCount(); kind++) {
            for (GNode node : graph.nodes(kind)) {
                writer.write('\n');
                writer.write(node(node));
            }
        }
        writer.write('\n');
    }

    private String labels() {
        var nodes = new ArrayList<String>();
        for (int kind = 0; kind < graph.nodeKindCount(); kind++) {
            nodes.add(JsonLine.quote(graph.schema.getNodeLabel(kind)));
        }
        var edges = new ArrayList<String>();
        for (int edge = 0; edge < graph.edgeKindCount(); edge++) {
            edges.add(JsonLine.quote(graph.schema.getEdgeLabel(0, edge)));
        }
        return "{\"labels\": " + nodes + ", \"edge_labels\": " + edges + "}";
    }

    private String node(GNode node) {
        var fields = new TreeMap<String, String>();
        fields.put("node", String.valueOf(number(node)));
        fields.put("label", JsonLine.quote(node.label()));
        fields.put("values", object(values(node)));
        fields.put("out", object(edges(node, true)));
        fields.put("in", object(edges(node, false)));
        return object(fields);
    }

    private Map<String, String> values(GNode node) {
        var all = new TreeMap<String, String>();
        for (int property = 0; property < graph.propertyKindCount(); property++) {
            if (graph.hasProperty(node.nodeKind, property)) {
                ISeq<Object> values = Accessors.getNodeProperty(graph.graph, node.nodeKind, property, node.seq());
                if (values.length() > 0) {
                    all.put(graph.schema.getPropertyLabel(node.nodeKind, property), list(values).toString());
                }
            }
        }
        return all;
    }

    private List<String> list(ISeq<Object> values) {
        var list = new ArrayList<String>();
        list.add("null");
        for (int i = 0; i < values.length(); i++) {
            Object value = values.apply(i);
            if (value != null) {
                list.set(0, JsonLine.quote(value instanceof GNode ? "GNode" : value.getClass().getSimpleName()));
            }
            list.add(json(value));
        }
        return list;
    }

    private Map<String, String> edges(GNode node, boolean isOut) {
        var all = new TreeMap<String, String>();
        for (int edge = 0; edge < graph.edgeKindCount(); edge++) {
            if (graph.hasNeighbors(node.nodeKind, isOut ? CodeGraph.OUT : CodeGraph.IN, edge)) {
                IndexedSeq<Edge> edges = isOut ? Accessors.getEdgesOut(node, edge) : Accessors.getEdgesIn(node, edge);
                if (edges.length() > 0) {
                    all.put(graph.schema.getEdgeLabel(node.nodeKind, edge), list(edges, isOut));
                }
            }
        }
        return all;
    }

    private String list(IndexedSeq<Edge> edges, boolean isOut) {
        var list = new ArrayList<String>();
        for (int i = 0; i < edges.length(); i++) {
            Edge edge = edges.apply(i);
            list.add("[" + number(isOut ? edge.dst() : edge.src()) + ", " + json(edge.property()) + "]");
        }
        return list.toString();
    }

    private String json(Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> JsonLine.quote(text);
            case GNode node -> String.valueOf(number(node));
            default -> value.toString();
        };
    }

    private int number(GNode node) {
        return bases[node.nodeKind] + node.seq();
    }

    private static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> JsonLine.quote(field.getKey()) + ": " + field.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
