package varvite.bench.flatgraph;

import flatgraph.AccessHelpers;
import flatgraph.Accessors;
import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.Graph;
import flatgraph.Schema;
import flatgraph.storage.Deserialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import scala.Option;
import scala.collection.Iterator;

/**
 * A graph that flatgraph has loaded. It maps names to flatgraph's kinds (numbers of labels and properties),
 * and has short methods that call flatgraph's accessors.
 *
 * <p>Invariants: a kind that the file does not have is {@link #ABSENT} and reads as "no neighbor" or the
 * default, never as an error; no method returns a deleted node. A method calls flatgraph's accessor, and
 * otherwise only makes one comparison, with a constant of the loop.
 */
final class CodeGraph {
    static final int ABSENT = -1;
    static final Edge.Direction OUT = Edge.Direction.valueOf("Outgoing");
    static final Edge.Direction IN = Edge.Direction.valueOf("Incoming");

    private static final Integer ORDER_ABSENT = -1;

    final Graph graph;
    final Schema schema;

    private CodeGraph(Graph graph) {
        this.graph = graph;
        this.schema = graph.schema();
    }

    /**
     * Loads the whole file into the heap. flatgraph decodes in parallel, with a schema that it infers from
     * the file.
     */
    static CodeGraph load(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new NoSuchFileException(path.toString());
        }
        return new CodeGraph(Deserialization.readGraph(path, Option.empty(), false, Option.empty()));
    }

    int nodeKind(String label) {
        return schema.getNodeKindByLabel(label);
    }

    int edgeKind(String label) {
        return schema.getEdgeKindByLabel(label);
    }

    int propertyKind(String name) {
        return schema.getPropertyKindByName(name);
    }

    int nodeKindCount() {
        return schema.getNumberOfNodeKinds();
    }

    int edgeKindCount() {
        return schema.getNumberOfEdgeKinds();
    }

    int propertyKindCount() {
        return schema.getNumberOfPropertyKinds();
    }

    GNode[] nodes(String label) {
        return nodes(nodeKind(label));
    }

    /**
     * The nodes of a kind that are not deleted, in flatgraph's order. Do not write to the array, as it may be
     * flatgraph's own.
     */
    GNode[] nodes(int kind) {
        if (kind == ABSENT) {
            return new GNode[0];
        }
        GNode[] all = graph.nodesArray()[kind];
        return graph.livingNodeCountByKind()[kind] == all.length
                ? all
                : Arrays.stream(all).filter(node -> !AccessHelpers.isDeleted(node)).toArray(GNode[]::new);
    }

    /**
     * For each kind, the number of nodes of all kinds before it, including deleted nodes.
     * {@code bases[kind] + seq} numbers all nodes without gaps.
     */
    int[] denseBases() {
        int[] bases = new int[nodeKindCount() + 1];
        for (int kind = 0; kind < nodeKindCount(); kind++) {
            bases[kind + 1] = Math.addExact(bases[kind], graph.nodesArray()[kind].length);
        }
        return bases;
    }

    Iterator<GNode> out(GNode node, int edgeKind) {
        return edgeKind == ABSENT ? empty() : Accessors.getNeighborsOut(node, edgeKind);
    }

    Iterator<GNode> in(GNode node, int edgeKind) {
        return edgeKind == ABSENT ? empty() : Accessors.getNeighborsIn(node, edgeKind);
    }

    /** The first in-neighbor, or null. */
    GNode firstIn(GNode node, int edgeKind) {
        Iterator<GNode> neighbors = in(node, edgeKind);
        return neighbors.hasNext() ? neighbors.next() : null;
    }

    /** The value of a string property, or "" if the node has none. */
    String string(GNode node, int propertyKind) {
        return propertyKind == ABSENT
                ? ""
                : Accessors.getNodePropertySingle(graph, node.nodeKind, propertyKind, node.seq(), "");
    }

    /** The value of ORDER, or -1 (the default in Joern's schema) if the node has none. */
    int order(GNode node, int propertyKind) {
        return propertyKind == ABSENT
                ? ORDER_ABSENT
                : Accessors.getNodePropertySingle(graph, node.nodeKind, propertyKind, node.seq(), ORDER_ABSENT);
    }

    /** The value of a number property, or {@code absent} if the node has none. */
    int number(GNode node, int propertyKind, Integer absent) {
        return propertyKind == ABSENT
                ? absent
                : Accessors.getNodePropertySingle(graph, node.nodeKind, propertyKind, node.seq(), absent);
    }

    /** The value of a boolean property, or false if the node has none. */
    boolean flag(GNode node, int propertyKind) {
        return propertyKind != ABSENT
                && Accessors.getNodePropertySingle(graph, node.nodeKind, propertyKind, node.seq(), Boolean.FALSE);
    }

    boolean hasNeighbors(int nodeKind, Edge.Direction direction, int edgeKind) {
        return graph.neighbors()[schema.neighborOffsetArrayIndex(nodeKind, direction, edgeKind)] != null;
    }

    /** Whether out-edges of kind {@code edgeKind} of nodes of kind {@code nodeKind} have property values. */
    boolean hasEdgeProperties(int nodeKind, int edgeKind) {
        int column = schema.neighborOffsetArrayIndex(nodeKind, OUT, edgeKind) + 2;
        return graph.neighbors()[column] != null && graph.neighbors()[column].getClass().isArray();
    }

    boolean hasProperty(int nodeKind, int propertyKind) {
        return graph.properties()[schema.propertyOffsetArrayIndex(nodeKind, propertyKind)] != null;
    }

    /** Drops flatgraph's hash index of a property, so that the next look-up builds it again. */
    void dropIndex(int nodeKind, int propertyKind) {
        graph.inverseIndices().set(schema.propertyOffsetArrayIndex(nodeKind, propertyKind), null);
    }

    @SuppressWarnings("unchecked")
    private static Iterator<GNode> empty() {
        return (Iterator<GNode>) (Iterator<?>) scala.collection.Iterator$.MODULE$.empty();
    }
}
