package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Consumer;
import varvite.Cardinality;
import varvite.ValueType;
import varvite.change.Diff;
import varvite.change.EdgeRef;
import varvite.change.ElementRef;
import varvite.change.NodeRef;
import varvite.error.ChangeException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.error.NoSuchNodeException;
import varvite.spi.Lifetime;

/**
 * A new graph with a schema that you define. Nodes, edges and values are added one by one, in any order,
 * except that the source and target of an edge must be added before the edge. {@link #finish} writes the
 * whole file or none. If the object is closed before that, no file is written.
 *
 * <pre>{@code
 * try (NewGraph graph = NewGraph.create(Path.of("crates.varvite"))) {
 *     int app = graph.addNode("CRATE");
 *     int serde = graph.addNode("CRATE");
 *     graph.set(serde, "NAME", "serde");
 *     AddedEdge edge = graph.addEdge("DEPENDS_ON", app, serde);
 *     graph.set(edge, "REQUIREMENT", "^1.0");
 *     graph.finish();
 * }
 * }</pre>
 *
 * <p>The first use of a label, an edge label or a property creates it. The first value of a property decides
 * its type, which is {@code i64} for integers. Declare names that may remain unused, and properties that need
 * another type.
 *
 * <p>Additions are collected on the Java heap as bytes. Once they reach a mebibyte, they are sent to the
 * engine in one call, during which native memory holds a copy. {@link NewGraphOptions#memoryBytesMax} limits
 * the engine's memory; edges and values are in a temporary file beside the graph.
 *
 * <p>A call with a node or edge that does not exist, or with an unpaired surrogate, fails at once and changes
 * nothing. Only the engine finds other faults, such as a value that does not fit its property or an empty
 * name. It throws a {@link ChangeException} when the additions are sent; the exception has the number of the
 * call, counted from 0. After a {@link ChangeException} or an {@link EngineException} the graph is closed and
 * no file is written. {@link #flush} sends the additions so far.
 *
 * <p>May be used by any number of threads; calls wait for each other. An unreachable object is closed when it
 * is garbage-collected.
 */
public final class NewGraph implements AutoCloseable {
    /** The number of bytes of additions that are collected before they are sent. */
    private static final long BATCH_BYTES = 1 << 20;
    /**
     * The size of the C struct {@code varvite_new_graph_report}, with the fields node_count, edge_count,
     * file_length and digest.
     */
    private static final long REPORT_BYTES = 56;
    private static final long DIGEST_AT = 24;
    private static final int DIGEST_BYTES = 32;

    private final Path path;
    private final Held held;
    private final long batchBytes;
    /** The number of added edges by label. */
    private final Map<String, Integer> edges = new HashMap<>();
    private int nodes;
    /** Operations that the engine has not received yet. */
    private Diff pending = new Diff();
    /** The exception that prevents the writing of the file; null if there is none. */
    private RuntimeException failure;

    /**
     * Counts of the new graph.
     *
     * @param nodes the number of nodes of the graph
     * @param edges the number of edges of the graph
     * @param fileLength the size of the new file in bytes
     * @param digest the BLAKE3 hash of all additions, 64 hexadecimal digits. Equal calls give equal digests
     * in every language. The digest is also the source hash of the graph's layer
     */
    public record Report(long nodes, long edges, long fileLength, String digest) {}

    private NewGraph(Path path, Held held, long batchBytes) {
        this.path = path;
        this.held = held;
        this.batchBytes = batchBytes;
        Lifetime.whenLost(this, held::giveBack);
    }

    /**
     * Begins a graph at {@code path}, where there must not be a file.
     *
     * @throws EngineException as for {@link #create(Path, NewGraphOptions)}
     * @throws varvite.error.NativeLibraryException if no native library for this machine is found
     */
    public static NewGraph create(Path path) {
        return create(path, NewGraphOptions.DEFAULT);
    }

    /**
     * Begins a graph at {@code path}. Until the graph is finished or closed, no other writer can begin a
     * graph there, and an existing file is unchanged.
     *
     * @throws EngineException {@code VARVITE_E_EXISTS} if the file exists and the options do not replace it,
     * {@code VARVITE_E_BUSY} if another writer uses the path, or an error of the file system
     * @throws varvite.error.NativeLibraryException if no native library for this machine is found
     */
    public static NewGraph create(Path path, NewGraphOptions options) {
        return create(path, options, BATCH_BYTES);
    }

    /** Begins a graph whose additions are sent once they reach {@code batchBytes} bytes. */
    static NewGraph create(Path path, NewGraphOptions options, long batchBytes) {
        NativeLibrary.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment created = arena.allocate(ADDRESS);
            MemorySegment file = Words.name(arena, "the path", path.toString());
            Call.check((int) Call.NEW_GRAPH_CREATE.invokeExact(file, options.in(arena), created, error), error);
            return new NewGraph(path, new Held(created.get(ADDRESS, 0), Call.NEW_GRAPH_RELEASE), batchBytes);
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }

    /** The path of the new file. */
    public Path path() {
        return path;
    }

    /** The number of nodes that were added so far, which is also the number that the next node gets. */
    public synchronized int nodeCount() {
        return nodes;
    }

    /**
     * Adds a node with these labels, if any. Returns the node's number, from 0. Unless the options have a
     * tree label, this is also the node's id in the file.
     *
     * @throws IllegalArgumentException if a label has an unpaired surrogate
     * @throws ChangeException if this call sends additions and one of them is invalid
     * @throws EngineException if this call sends additions and the engine can't store them
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized int addNode(String... labels) {
        int next = oneMore(nodes, "nodes");
        add(diff -> diff.addNode(labels));
        int node = nodes;
        nodes = next;
        sendIfMany();
        return node;
    }

    /**
     * Adds an edge at the end of the source's out-list and the target's in-list of this label.
     *
     * @throws NoSuchNodeException if the node does not exist
     * @throws IllegalArgumentException if the label has an unpaired surrogate
     * @throws ChangeException if this call sends additions and one of them is invalid
     * @throws EngineException if this call sends additions and the engine can't store them
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized AddedEdge addEdge(String label, int source, int target) {
        NodeRef from = node(source);
        NodeRef to = node(target);
        int number = edges.getOrDefault(label, 0);
        int next = oneMore(number, "edges of the label " + label);
        add(diff -> diff.addEdge(label, from, to));
        edges.put(label, next);
        sendIfMany();
        return new AddedEdge(label, number);
    }

    /**
     * Sets the value of a property of a node to a text, or null.
     *
     * @throws NoSuchNodeException if the node does not exist
     * @throws IllegalArgumentException if a text has an unpaired surrogate
     * @throws ChangeException if this call sends additions and one of them is invalid
     * @throws EngineException if this call sends additions and the engine can't store them
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized void set(int node, String property, String value) {
        set(node(node), property, value);
    }

    /**
     * The same as {@link #set(int, String, String)}, but for an edge. Throws {@link IllegalArgumentException}
     * if the edge does not exist.
     */
    public synchronized void set(AddedEdge edge, String property, String value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, String value) {
        put(diff -> diff.set(owner, property, new String[] {value}));
    }

    /**
     * Appends texts, each of which may be null, to a node's values of a list property. A call without texts
     * has no effect.
     *
     * @throws NoSuchNodeException if the node does not exist
     * @throws IllegalArgumentException if a text has an unpaired surrogate
     * @throws ChangeException if this call sends additions and one of them is invalid
     * @throws EngineException if this call sends additions and the engine can't store them
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized void append(int node, String property, String... values) {
        append(node(node), property, values);
    }

    /**
     * The same as {@link #append(int, String, String...)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void append(AddedEdge edge, String property, String... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, String[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Sets the value of a property of a node to a signed integer. The property may have any numeric type that
     * can represent it. Otherwise the same as {@link #set(int, String, String)}.
     */
    public synchronized void set(int node, String property, long value) {
        set(node(node), property, value);
    }

    /**
     * The same as {@link #set(int, String, long)}, but for an edge. Throws {@link IllegalArgumentException}
     * if the edge does not exist.
     */
    public synchronized void set(AddedEdge edge, String property, long value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, long value) {
        put(diff -> diff.set(owner, property, value));
    }

    /**
     * Appends signed integers to a node's values of a property. Otherwise the same as
     * {@link #append(int, String, String...)}.
     */
    public synchronized void append(int node, String property, long... values) {
        append(node(node), property, values);
    }

    /**
     * The same as {@link #append(int, String, long...)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void append(AddedEdge edge, String property, long... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, long[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Sets the value of a property of a node to a number. Otherwise the same as
     * {@link #set(int, String, String)}.
     */
    public synchronized void set(int node, String property, double value) {
        set(node(node), property, value);
    }

    /**
     * The same as {@link #set(int, String, double)}, but for an edge. Throws {@link IllegalArgumentException}
     * if the edge does not exist.
     */
    public synchronized void set(AddedEdge edge, String property, double value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, double value) {
        put(diff -> diff.set(owner, property, value));
    }

    /**
     * Appends numbers to a node's values of a property. Otherwise the same as
     * {@link #append(int, String, String...)}.
     */
    public synchronized void append(int node, String property, double... values) {
        append(node(node), property, values);
    }

    /**
     * The same as {@link #append(int, String, double...)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void append(AddedEdge edge, String property, double... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, double[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Sets the value of a property of a node to a truth value. Otherwise the same as
     * {@link #set(int, String, String)}.
     */
    public synchronized void set(int node, String property, boolean value) {
        set(node(node), property, value);
    }

    /**
     * The same as {@link #set(int, String, boolean)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void set(AddedEdge edge, String property, boolean value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, boolean value) {
        put(diff -> diff.set(owner, property, value));
    }

    /**
     * Appends truth values to a node's values of a property. Otherwise the same as
     * {@link #append(int, String, String...)}.
     */
    public synchronized void append(int node, String property, boolean... values) {
        append(node(node), property, values);
    }

    /**
     * The same as {@link #append(int, String, boolean...)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void append(AddedEdge edge, String property, boolean... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, boolean[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Sets the value of a property of a node to bytes, or null. Otherwise the same as
     * {@link #set(int, String, String)}.
     */
    public synchronized void set(int node, String property, byte[] value) {
        set(node(node), property, value);
    }

    /**
     * The same as {@link #set(int, String, byte[])}, but for an edge. Throws {@link IllegalArgumentException}
     * if the edge does not exist.
     */
    public synchronized void set(AddedEdge edge, String property, byte[] value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, byte[] value) {
        put(diff -> diff.set(owner, property, new byte[][] {value}));
    }

    /**
     * Appends byte arrays, each of which may be null, to a node's values of a property. Otherwise the same as
     * {@link #append(int, String, String...)}.
     */
    public synchronized void append(int node, String property, byte[]... values) {
        append(node(node), property, values);
    }

    /**
     * The same as {@link #append(int, String, byte[]...)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void append(AddedEdge edge, String property, byte[]... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, byte[][] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Sets the value of a property of a node to a reference to a node of this graph, or null. Otherwise the
     * same as {@link #set(int, String, String)}.
     */
    public synchronized void set(int node, String property, NodeRef value) {
        set(node(node), property, value);
    }

    /**
     * The same as {@link #set(int, String, NodeRef)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void set(AddedEdge edge, String property, NodeRef value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, NodeRef value) {
        checkReferences(value);
        put(diff -> diff.set(owner, property, new NodeRef[] {value}));
    }

    /**
     * Appends references, each of which may be null, to a node's values of a property. Otherwise the same as
     * {@link #append(int, String, String...)}.
     */
    public synchronized void append(int node, String property, NodeRef... values) {
        append(node(node), property, values);
    }

    /**
     * The same as {@link #append(int, String, NodeRef...)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void append(AddedEdge edge, String property, NodeRef... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, NodeRef[] values) {
        checkReferences(values);
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Sets the value of a property of a node to the unsigned integer with the bits of {@code value}.
     * Otherwise the same as {@link #set(int, String, String)}.
     */
    public synchronized void setUnsigned(int node, String property, long value) {
        NodeRef owner = node(node);
        put(diff -> diff.setUnsigned(owner, property, value));
    }

    /**
     * The same as {@link #setUnsigned(int, String, long)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void setUnsigned(AddedEdge edge, String property, long value) {
        EdgeRef owner = edge(edge);
        put(diff -> diff.setUnsigned(owner, property, value));
    }

    /**
     * Appends unsigned integers to a node's values of a property. Otherwise the same as
     * {@link #append(int, String, String...)}.
     */
    public synchronized void appendUnsigned(int node, String property, long... values) {
        NodeRef owner = node(node);
        put(diff -> diff.appendUnsigned(owner, property, values));
    }

    /**
     * The same as {@link #appendUnsigned(int, String, long...)}, but for an edge. Throws
     * {@link IllegalArgumentException} if the edge does not exist.
     */
    public synchronized void appendUnsigned(AddedEdge edge, String property, long... values) {
        EdgeRef owner = edge(edge);
        put(diff -> diff.appendUnsigned(owner, property, values));
    }

    /** Declares a label with this name; an existing label is unchanged. */
    public synchronized void declareLabel(String name) {
        put(diff -> diff.declareLabel(name));
    }

    /** Declares an edge label with this name; an existing edge label is unchanged. */
    public synchronized void declareEdgeLabel(String name) {
        put(diff -> diff.declareEdgeLabel(name));
    }

    /**
     * Declares a property of nodes with this name, type and cardinality. An existing property with this name
     * must have the same type and cardinality.
     */
    public synchronized void declareProperty(String name, ValueType type, Cardinality cardinality) {
        put(diff -> diff.declareProperty(name, type, cardinality));
    }

    /** Declares a property of the edges of a label, by the same rules as {@link #declareProperty}. */
    public synchronized void declareEdgeProperty(String edgeLabel, String name, ValueType type, Cardinality cardinality) {
        put(diff -> diff.declareEdgeProperty(edgeLabel, name, type, cardinality));
    }

    /**
     * Sends the additions so far to the engine, which refuses invalid additions. {@link #finish} does this
     * too.
     *
     * @throws ChangeException if an addition is invalid, with the number of the call; the graph is then
     * closed
     * @throws EngineException {@code VARVITE_E_OVER_BUDGET}, or an error of the file system; the graph is
     * then closed
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized void flush() {
        checkOpen();
        send();
    }

    /**
     * Writes the file and closes this object. The file appears at its path complete and durable, or not at
     * all. Equal calls make equal files.
     *
     * @throws ChangeException if an addition is invalid, with the number of the call
     * @throws EngineException {@code VARVITE_E_ARGUMENT} if the graph has no node; {@code VARVITE_E_UNKNOWN}
     * if the graph lacks the tree label or an indexed property of the options; {@code VARVITE_E_WRONG_TYPE}
     * if an indexed property has another type; {@code VARVITE_E_OVER_BUDGET}; or an error of the file system.
     * Then no file is written, and an existing file is unchanged
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized Report finish() {
        checkOpen();
        send();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment report = arena.allocate(REPORT_BYTES, Long.BYTES);
            // The call ends the handle, even if it fails.
            held.isOpen().set(false);
            Call.check((int) Call.NEW_GRAPH_FINISH.invokeExact(held.handle(), report, REPORT_BYTES, error), error);
            byte[] digest = report.asSlice(DIGEST_AT, DIGEST_BYTES).toArray(JAVA_BYTE);
            return new Report(
                    report.getAtIndex(JAVA_LONG, 0),
                    report.getAtIndex(JAVA_LONG, 1),
                    report.getAtIndex(JAVA_LONG, 2),
                    HexFormat.of().formatHex(digest));
        } catch (Throwable e) {
            failure = Call.wrapped(e);
            throw failure;
        }
    }

    /** Abandons the graph, unless it was finished, without writing a file. A second call has no effect. */
    @Override
    public synchronized void close() {
        held.giveBack();
        pending = new Diff();
    }

    /** Adds an operation that returns no number. */
    private void put(Consumer<Diff> addition) {
        add(addition);
        sendIfMany();
    }

    private void add(Consumer<Diff> addition) {
        checkOpen();
        addition.accept(pending);
    }

    private void sendIfMany() {
        if (pending.byteSize() >= batchBytes) {
            send();
        }
    }

    private void send() {
        if (pending.isEmpty()) {
            return;
        }
        Diff sent = pending;
        pending = new Diff();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment bytes = arena.allocate(sent.byteSize());
            sent.copyTo(bytes);
            Call.check((int) Call.NEW_GRAPH_APPLY_BYTES.invokeExact(held.handle(), bytes, bytes.byteSize(), error), error);
        } catch (Throwable e) {
            failure = Call.wrapped(e);
            held.giveBack();
            throw failure;
        } finally {
            // Keep this object reachable, and therefore open, until the call is done.
            Reference.reachabilityFence(this);
        }
    }

    private void checkOpen() {
        if (!held.isOpen().get()) {
            throw new GraphClosedException(path, failure);
        }
    }

    private NodeRef node(int node) {
        checkOpen();
        if (node < 0 || node >= nodes) {
            throw new NoSuchNodeException("node", node, nodes);
        }
        return NodeRef.of(node);
    }

    private EdgeRef edge(AddedEdge edge) {
        checkOpen();
        int count = edges.getOrDefault(edge.label(), 0);
        if (edge.number() < 0 || edge.number() >= count) {
            throw new IllegalArgumentException("edge " + edge.number() + " of the label " + edge.label()
                    + " belongs to another graph: this one has only " + count);
        }
        return new EdgeRef(edge.label(), edge.number());
    }

    /** Checks that each value is null or an existing node of this graph. */
    private void checkReferences(NodeRef... values) {
        for (NodeRef value : values) {
            switch (value) {
                case null -> {}
                case NodeRef.Known(int id) -> node(id);
                default -> throw new IllegalArgumentException(value + " belongs to a diff: give NodeRef.of(number)");
            }
        }
    }

    private static int oneMore(int count, String what) {
        if (count == Integer.MAX_VALUE) {
            throw new IllegalStateException("too many " + what + ": their numbers are ints in Java, and there are " + count);
        }
        return count + 1;
    }
}
