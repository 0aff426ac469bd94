package varvite.change;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import varvite.Cardinality;
import varvite.ValueType;

/**
 * A list of operations on a graph, which are applied all together or not at all.
 *
 * <pre>{@code
 * Diff diff = new Diff();
 * NewNode call = diff.addNode("CALL");
 * diff.set(call, "NAME", "memcpy");
 * diff.addEdge("AST", 7, call);
 * diff.removeNode(12);
 * GraphChange.of(path).apply(diff);
 * }</pre>
 *
 * <p>All operations refer to the graph before the diff, so their order matters only where
 * {@code docs/diff.md} says so: for example, edges are appended in the order of the operations, and if a
 * value is set several times, the last one wins. Removals are applied first. If an operation is invalid for
 * the graph, nothing is applied, and the exception has the operation's number, from 0. For an argument that
 * is invalid in every graph, such as a negative id, the method throws an {@link IllegalArgumentException} at
 * once, and the diff is unchanged.
 *
 * <p>The Java heap holds operations not as objects, but as the bytes that are sent to the engine: 15 bytes
 * for an edge. Only one thread at a time may use a diff.
 */
public final class Diff {
    private final DiffBytes bytes = new DiffBytes();
    private int newNodes;
    private int newEdges;

    /** A diff that changes nothing. */
    public Diff() {}

    /** The number of operations. */
    public long size() {
        return bytes.count();
    }

    /** Whether there is no operation. */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** The number of nodes that the diff adds. */
    public int newNodeCount() {
        return newNodes;
    }

    /** The number of edges that the diff adds. */
    public int newEdgeCount() {
        return newEdges;
    }

    /** The number of bytes that are sent to the engine for this diff. */
    public long byteSize() {
        return bytes.size();
    }

    /**
     * Copies the bytes that are sent to the engine, {@link #byteSize} of them, to {@code target}.
     *
     * @throws IndexOutOfBoundsException if {@code target} has fewer bytes
     */
    public void copyTo(MemorySegment target) {
        Objects.checkFromIndexSize(0, byteSize(), target.byteSize());
        bytes.copyTo(target);
    }

    /**
     * Converts the numbers of an absorbed diff's new nodes and edges to their numbers in the absorbing diff.
     */
    public record Absorbed(int firstNode, int firstEdge) {
        /** The node that the absorbing diff adds in place of the absorbed diff's {@code node}. */
        public NewNode node(NewNode node) {
            return new NewNode(firstNode + node.index());
        }

        /** The edge that the absorbing diff adds in place of the absorbed diff's {@code edge}. */
        public NewEdge edge(NewEdge edge) {
            return new NewEdge(firstEdge + edge.index());
        }
    }

    /**
     * Appends the operations of another diff, as if they had been added to this diff. Threads that run in
     * parallel can each fill a diff of their own; if these diffs are absorbed in a fixed order, every run
     * gives the same graph. The other diff is unchanged.
     */
    public Absorbed absorb(Diff other) {
        Absorbed absorbed = new Absorbed(newNodes, newEdges);
        int nodes = other.newNodes;
        int edges = other.newEdges;
        bytes.absorb(other.bytes, newNodes, newEdges);
        newNodes += nodes;
        newEdges += edges;
        return absorbed;
    }

    /** Adds a node with these labels, if any. */
    public NewNode addNode(String... labels) {
        int[] sent = new int[labels.length];
        for (int i = 0; i < labels.length; i++) {
            sent[i] = bytes.number(labels[i]);
        }
        bytes.begin(DiffBytes.ADD_NODE);
        bytes.u32(sent.length);
        for (int label : sent) {
            bytes.u32(label);
        }
        bytes.end();
        return new NewNode(newNodes++);
    }

    /** Adds an edge at the end of the source's out-list and the target's in-list of this label. */
    public NewEdge addEdge(String label, int source, int target) {
        return addEdge(label, NodeRef.of(source), NodeRef.of(target));
    }

    /** Adds an edge to a node that may be new. */
    public NewEdge addEdge(String label, int source, NodeRef target) {
        return addEdge(label, NodeRef.of(source), target);
    }

    /** Adds an edge from a node that may be new. */
    public NewEdge addEdge(String label, NodeRef source, int target) {
        return addEdge(label, source, NodeRef.of(target));
    }

    /** Adds an edge between nodes that may be new. */
    public NewEdge addEdge(String label, NodeRef source, NodeRef target) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(target, "target");
        int sent = bytes.number(label);
        bytes.begin(DiffBytes.ADD_EDGE);
        bytes.u32(sent);
        bytes.node(source);
        bytes.node(target);
        bytes.end();
        return new NewEdge(newEdges++);
    }

    /**
     * Removes a node, with its edges and values. To remove a node that this diff itself adds, pass the id
     * that the node would get; this id then stays unused.
     */
    public void removeNode(int node) {
        NodeRef.of(node);
        bytes.begin(DiffBytes.REMOVE_NODE);
        bytes.u32(node);
        bytes.end();
    }

    /**
     * Removes the edge with this label and rank. If the graph does not store the tree label's edges, because
     * they follow from the order of nodes, pass the target's id in place of the rank of an edge that is older
     * than all changes.
     */
    public void removeEdge(String label, int rank) {
        removeEdge(new EdgeRef(label, rank));
    }

    /** The same as {@link #removeEdge(String, int)}. */
    public void removeEdge(EdgeRef edge) {
        int label = bytes.number(edge.label());
        bytes.begin(DiffBytes.REMOVE_EDGE);
        bytes.u32(label);
        bytes.u32(edge.rank());
        bytes.end();
    }

    /** Removes all values of a property from a node. */
    public void clear(int node, String property) {
        clear(NodeRef.of(node), property);
    }

    /** Removes all values of a property from a node or an edge. */
    public void clear(ElementRef owner, String property) {
        bytes.beginValues(DiffBytes.SET, owner, property, 0);
        bytes.end();
    }

    /** Replaces all values of a property of a node by these texts, each of which may be null. */
    public void set(int node, String property, String... values) {
        set(NodeRef.of(node), property, values);
    }

    /** The same as {@link #set(int, String, String...)}, for a node or an edge. */
    public void set(ElementRef owner, String property, String... values) {
        texts(DiffBytes.SET, owner, property, values);
    }

    /** Appends these values to a node's values of a property. */
    public void append(int node, String property, String... values) {
        append(NodeRef.of(node), property, values);
    }

    /** The same as {@link #append(int, String, String...)}, for a node or an edge. */
    public void append(ElementRef owner, String property, String... values) {
        texts(DiffBytes.APPEND, owner, property, values);
    }

    /**
     * Replaces all values of a property of a node with these signed integers. The property may have any
     * numeric type that can represent them.
     */
    public void set(int node, String property, long... values) {
        set(NodeRef.of(node), property, values);
    }

    /** The same as {@link #set(int, String, long...)}, for a node or an edge. */
    public void set(ElementRef owner, String property, long... values) {
        longs(DiffBytes.SET, owner, property, values);
    }

    /** Appends these values to a node's values of a property. */
    public void append(int node, String property, long... values) {
        append(NodeRef.of(node), property, values);
    }

    /** The same as {@link #append(int, String, long...)}, for a node or an edge. */
    public void append(ElementRef owner, String property, long... values) {
        longs(DiffBytes.APPEND, owner, property, values);
    }

    /** Replaces all values of a property of a node by these numbers. */
    public void set(int node, String property, double... values) {
        set(NodeRef.of(node), property, values);
    }

    /** The same as {@link #set(int, String, double...)}, for a node or an edge. */
    public void set(ElementRef owner, String property, double... values) {
        doubles(DiffBytes.SET, owner, property, values);
    }

    /** Appends these values to a node's values of a property. */
    public void append(int node, String property, double... values) {
        append(NodeRef.of(node), property, values);
    }

    /** The same as {@link #append(int, String, double...)}, for a node or an edge. */
    public void append(ElementRef owner, String property, double... values) {
        doubles(DiffBytes.APPEND, owner, property, values);
    }

    /** Replaces all values of a property of a node by these truth values. */
    public void set(int node, String property, boolean... values) {
        set(NodeRef.of(node), property, values);
    }

    /** The same as {@link #set(int, String, boolean...)}, for a node or an edge. */
    public void set(ElementRef owner, String property, boolean... values) {
        truths(DiffBytes.SET, owner, property, values);
    }

    /** Appends these values to a node's values of a property. */
    public void append(int node, String property, boolean... values) {
        append(NodeRef.of(node), property, values);
    }

    /** The same as {@link #append(int, String, boolean...)}, for a node or an edge. */
    public void append(ElementRef owner, String property, boolean... values) {
        truths(DiffBytes.APPEND, owner, property, values);
    }

    /** Replaces all values of a property of a node by these byte arrays, each of which may be null. */
    public void set(int node, String property, byte[]... values) {
        set(NodeRef.of(node), property, values);
    }

    /** The same as {@link #set(int, String, byte[]...)}, for a node or an edge. */
    public void set(ElementRef owner, String property, byte[]... values) {
        pieces(DiffBytes.SET, owner, property, values);
    }

    /** Appends these values to a node's values of a property. */
    public void append(int node, String property, byte[]... values) {
        append(NodeRef.of(node), property, values);
    }

    /** The same as {@link #append(int, String, byte[]...)}, for a node or an edge. */
    public void append(ElementRef owner, String property, byte[]... values) {
        pieces(DiffBytes.APPEND, owner, property, values);
    }

    /** Replaces all values of a property of a node by these references, each of which may be null. */
    public void set(int node, String property, NodeRef... values) {
        set(NodeRef.of(node), property, values);
    }

    /** The same as {@link #set(int, String, NodeRef...)}, for a node or an edge. */
    public void set(ElementRef owner, String property, NodeRef... values) {
        nodes(DiffBytes.SET, owner, property, values);
    }

    /** Appends these values to a node's values of a property. */
    public void append(int node, String property, NodeRef... values) {
        append(NodeRef.of(node), property, values);
    }

    /** The same as {@link #append(int, String, NodeRef...)}, for a node or an edge. */
    public void append(ElementRef owner, String property, NodeRef... values) {
        nodes(DiffBytes.APPEND, owner, property, values);
    }

    /**
     * Replaces all values of a property of a node or an edge with these unsigned integers. Each {@code long}
     * stands for the unsigned number with the same bits.
     */
    public void setUnsigned(ElementRef owner, String property, long... values) {
        integers(DiffBytes.SET, DiffBytes.UNSIGNED, owner, property, values);
    }

    /**
     * Appends these unsigned integers, as in {@link #setUnsigned}, to a node's or edge's values of a
     * property.
     */
    public void appendUnsigned(ElementRef owner, String property, long... values) {
        integers(DiffBytes.APPEND, DiffBytes.UNSIGNED, owner, property, values);
    }

    /** Declares a label with this name; an existing label is unchanged. */
    public void declareLabel(String name) {
        declare(DiffBytes.DECLARE_LABEL, name);
    }

    /** Declares an edge label with this name; an existing edge label is unchanged. */
    public void declareEdgeLabel(String name) {
        declare(DiffBytes.DECLARE_EDGE_LABEL, name);
    }

    /**
     * Declares a property of nodes with this name, type and cardinality. An existing property with this name
     * must have the same type and cardinality.
     */
    public void declareProperty(String name, ValueType type, Cardinality cardinality) {
        int sent = bytes.number(name);
        beginProperty(sent, type, cardinality);
        bytes.u8(0);
        bytes.end();
    }

    /** Declares a property of the edges of a label, by the same rules as {@link #declareProperty}. */
    public void declareEdgeProperty(String edgeLabel, String name, ValueType type, Cardinality cardinality) {
        int sent = bytes.number(name);
        int label = bytes.number(edgeLabel);
        beginProperty(sent, type, cardinality);
        bytes.u8(1);
        bytes.u32(label);
        bytes.end();
    }

    private void declare(int kind, String name) {
        int sent = bytes.number(name);
        bytes.begin(kind);
        bytes.u32(sent);
        bytes.end();
    }

    private void beginProperty(int name, ValueType type, Cardinality cardinality) {
        int typeNumber = type.ordinal();
        int cardinalityNumber = cardinality.ordinal();
        bytes.begin(DiffBytes.DECLARE_PROPERTY);
        bytes.u32(name);
        bytes.u8(typeNumber);
        bytes.u8(cardinalityNumber);
    }

    private void texts(int kind, ElementRef owner, String property, String[] values) {
        byte[][] sent = new byte[values.length][];
        for (int i = 0; i < values.length; i++) {
            sent[i] = values[i] == null ? null : DiffBytes.utf8(values[i]);
        }
        pieces(kind, DiffBytes.TEXT, owner, property, sent);
    }

    private void pieces(int kind, ElementRef owner, String property, byte[][] values) {
        pieces(kind, DiffBytes.BYTES, owner, property, values);
    }

    private void pieces(int kind, int valueKind, ElementRef owner, String property, byte[][] values) {
        bytes.beginValues(kind, owner, property, values.length);
        for (byte[] value : values) {
            if (value == null) {
                bytes.u8(DiffBytes.NULL);
            } else {
                bytes.u8(valueKind);
                bytes.bytes(value);
            }
        }
        bytes.end();
    }

    private void longs(int kind, ElementRef owner, String property, long[] values) {
        integers(kind, DiffBytes.SIGNED, owner, property, values);
    }

    private void integers(int kind, int valueKind, ElementRef owner, String property, long[] values) {
        bytes.beginValues(kind, owner, property, values.length);
        for (long value : values) {
            bytes.u8(valueKind);
            bytes.u64(value);
        }
        bytes.end();
    }

    private void doubles(int kind, ElementRef owner, String property, double[] values) {
        bytes.beginValues(kind, owner, property, values.length);
        for (double value : values) {
            bytes.u8(DiffBytes.DOUBLE);
            bytes.u64(Double.doubleToRawLongBits(value));
        }
        bytes.end();
    }

    private void truths(int kind, ElementRef owner, String property, boolean[] values) {
        bytes.beginValues(kind, owner, property, values.length);
        for (boolean value : values) {
            bytes.u8(DiffBytes.BOOL);
            bytes.u8(value ? 1 : 0);
        }
        bytes.end();
    }

    private void nodes(int kind, ElementRef owner, String property, NodeRef[] values) {
        bytes.beginValues(kind, owner, property, values.length);
        for (NodeRef value : values) {
            if (value == null) {
                bytes.u8(DiffBytes.NULL);
            } else {
                bytes.u8(DiffBytes.NODE);
                bytes.node(value);
            }
        }
        bytes.end();
    }
}
