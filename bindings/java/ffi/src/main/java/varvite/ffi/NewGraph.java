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
 * A new graph of a schema of your own. Nodes, edges and values come one by one, in any order in which the
 * ends of an edge come before it; {@link #finish} writes the file, whole or not at all. One that is closed
 * before leaves nothing.
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
 * <p>Labels, edge labels and properties are there from their first use, and a property has the type of its
 * first value: {@code i64} for integers. Declare names that the graph may have no use of, and types that the
 * first value does not decide.
 *
 * <p>Additions are kept on the Java heap as the bytes that are sent, up to a mebibyte and one value, and go
 * to the engine in one call then, which makes another copy for as long as it takes. Native memory is limited
 * by {@link NewGraphOptions#memoryBytesMax}; edges and values lie in a temporary file beside the graph.
 *
 * <p>A call with a missing node or edge, or half of a surrogate pair, fails at once and changes nothing.
 * Faults that only the engine finds, a value that does not fit its property or an empty name, are a {@link
 * ChangeException} when the additions are sent, with the number of the call, counted from 0. After it, and
 * after an {@link EngineException}, the graph is closed and there will be no file. {@link #flush} sends the
 * additions so far.
 *
 * <p>May be used by any number of threads, which wait for each other. One that cannot be reached any more is
 * closed when it is collected.
 */
public final class NewGraph implements AutoCloseable {
    /** Bytes of additions that are kept before they are sent. */
    private static final long BATCH_BYTES = 1 << 20;
    /** {@code varvite_new_graph_report}: node_count, edge_count, file_length, digest. */
    private static final long REPORT_BYTES = 56;
    private static final long DIGEST_AT = 24;
    private static final int DIGEST_BYTES = 32;

    private final Path path;
    private final Held held;
    private final long batchBytes;
    /** The number of edges of each label. */
    private final Map<String, Integer> edges = new HashMap<>();
    private int nodes;
    /** Operations that the engine has not received yet. */
    private Diff pending = new Diff();
    /** The reason why there will be no file. */
    private RuntimeException failure;

    /**
     * Counts of the new graph.
     *
     * @param nodes nodes of the graph
     * @param edges its edges
     * @param fileLength size of the new file in bytes
     * @param digest BLAKE3 of all that was added, 64 hexadecimal digits: equal for equal calls, in whatever
     *     language. The layer of the graph has it as its source
     */
    public record Report(long nodes, long edges, long fileLength, String digest) {}

    private NewGraph(Path path, Held held, long batchBytes) {
        this.path = path;
        this.held = held;
        this.batchBytes = batchBytes;
        Lifetime.whenLost(this, held::giveBack);
    }

    /**
     * Begins a graph that will be at {@code path}, where no file may be.
     *
     * @throws EngineException as the other one
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public static NewGraph create(Path path) {
        return create(path, NewGraphOptions.DEFAULT);
    }

    /**
     * Begins a graph that will be at {@code path}. Until it is finished or closed no other writer can begin
     * one there, and {@code path} is unchanged.
     *
     * @throws EngineException {@code VARVITE_E_EXISTS} if the file exists and is not to be replaced, {@code
     *     VARVITE_E_BUSY} if another writer is at it, or an error of the file system
     * @throws varvite.error.NativeLibraryException if there is no native library for this machine
     */
    public static NewGraph create(Path path, NewGraphOptions options) {
        return create(path, options, BATCH_BYTES);
    }

    /** The same, where additions are sent once they have so many bytes. */
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

    /** The number of nodes; the next one gets this number. */
    public synchronized int nodeCount() {
        return nodes;
    }

    /**
     * Adds a node with these labels; there may be none. Returns its number, from 0, which is its id in the
     * file unless the options have a tree.
     *
     * @throws IllegalArgumentException if a label has half of a surrogate pair
     * @throws ChangeException if additions are sent and one is invalid
     * @throws EngineException if additions are sent and can't be kept
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
     * Adds an edge behind those of its label that both nodes have.
     *
     * @throws NoSuchNodeException if there is no such node
     * @throws IllegalArgumentException if the label has half of a surrogate pair
     * @throws ChangeException if additions are sent and one is invalid
     * @throws EngineException if additions are sent and can't be kept
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
     * Gives a node this value of a property, instead of the one that it has: a text, or null.
     *
     * @throws NoSuchNodeException if there is no such node
     * @throws IllegalArgumentException if a text has half of a surrogate pair
     * @throws ChangeException if additions are sent and one is invalid
     * @throws EngineException if additions are sent and can't be kept
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized void set(int node, String property, String value) {
        set(node(node), property, value);
    }

    /** Like {@link #set(int, String, String)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void set(AddedEdge edge, String property, String value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, String value) {
        put(diff -> diff.set(owner, property, new String[] {value}));
    }

    /**
     * Gives a node these values of a property of lists in addition, behind those that it has: texts, with
     * null allowed. No values are no call.
     *
     * @throws NoSuchNodeException if there is no such node
     * @throws IllegalArgumentException if a text has half of a surrogate pair
     * @throws ChangeException if additions are sent and one is invalid
     * @throws EngineException if additions are sent and can't be kept
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized void append(int node, String property, String... values) {
        append(node(node), property, values);
    }

    /** Like {@link #append(int, String, String...)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void append(AddedEdge edge, String property, String... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, String[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Gives a node this value of a property: a signed integer, which fits every type of numbers that can hold
     * it. As {@link #set(int, String, String)} else.
     */
    public synchronized void set(int node, String property, long value) {
        set(node(node), property, value);
    }

    /** Like {@link #set(int, String, long)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void set(AddedEdge edge, String property, long value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, long value) {
        put(diff -> diff.set(owner, property, value));
    }

    /**
     * Gives a node these values of a list in addition: signed integers. As {@link #append(int, String,
     * String...)} else.
     */
    public synchronized void append(int node, String property, long... values) {
        append(node(node), property, values);
    }

    /** Like {@link #append(int, String, long...)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void append(AddedEdge edge, String property, long... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, long[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /** Gives a node this value of a property: a number. As {@link #set(int, String, String)} else. */
    public synchronized void set(int node, String property, double value) {
        set(node(node), property, value);
    }

    /** Like {@link #set(int, String, double)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void set(AddedEdge edge, String property, double value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, double value) {
        put(diff -> diff.set(owner, property, value));
    }

    /**
     * Gives a node these values of a list in addition: numbers. As {@link #append(int, String, String...)}
     * else.
     */
    public synchronized void append(int node, String property, double... values) {
        append(node(node), property, values);
    }

    /** Like {@link #append(int, String, double...)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void append(AddedEdge edge, String property, double... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, double[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /** Gives a node this value of a property: a truth value. As {@link #set(int, String, String)} else. */
    public synchronized void set(int node, String property, boolean value) {
        set(node(node), property, value);
    }

    /** Like {@link #set(int, String, boolean)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void set(AddedEdge edge, String property, boolean value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, boolean value) {
        put(diff -> diff.set(owner, property, value));
    }

    /**
     * Gives a node these values of a list in addition: truth values. As {@link #append(int, String,
     * String...)} else.
     */
    public synchronized void append(int node, String property, boolean... values) {
        append(node(node), property, values);
    }

    /** Like {@link #append(int, String, boolean...)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void append(AddedEdge edge, String property, boolean... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, boolean[] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /** Gives a node this value of a property: bytes, or null. As {@link #set(int, String, String)} else. */
    public synchronized void set(int node, String property, byte[] value) {
        set(node(node), property, value);
    }

    /** Like {@link #set(int, String, byte[])}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void set(AddedEdge edge, String property, byte[] value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, byte[] value) {
        put(diff -> diff.set(owner, property, new byte[][] {value}));
    }

    /**
     * Gives a node these values of a list in addition: bytes, with null allowed. As {@link #append(int,
     * String, String...)} else.
     */
    public synchronized void append(int node, String property, byte[]... values) {
        append(node(node), property, values);
    }

    /** Like {@link #append(int, String, byte[]...)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void append(AddedEdge edge, String property, byte[]... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, byte[][] values) {
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Gives a node this value of a property: a reference to a node of this graph, or null. As {@link
     * #set(int, String, String)} else.
     */
    public synchronized void set(int node, String property, NodeRef value) {
        set(node(node), property, value);
    }

    /** Like {@link #set(int, String, NodeRef)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void set(AddedEdge edge, String property, NodeRef value) {
        set(edge(edge), property, value);
    }

    private void set(ElementRef owner, String property, NodeRef value) {
        checkReferences(value);
        put(diff -> diff.set(owner, property, new NodeRef[] {value}));
    }

    /**
     * Gives a node these values of a list in addition: references, with null allowed. As {@link
     * #append(int, String, String...)} else.
     */
    public synchronized void append(int node, String property, NodeRef... values) {
        append(node(node), property, values);
    }

    /** Like {@link #append(int, String, NodeRef...)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void append(AddedEdge edge, String property, NodeRef... values) {
        append(edge(edge), property, values);
    }

    private void append(ElementRef owner, String property, NodeRef[] values) {
        checkReferences(values);
        put(diff -> diff.append(owner, property, values));
    }

    /**
     * Gives a node this value of a property: an integer without a sign, modulo 2^64. As {@link #set(int,
     * String, String)} else.
     */
    public synchronized void setUnsigned(int node, String property, long value) {
        NodeRef owner = node(node);
        put(diff -> diff.setUnsigned(owner, property, value));
    }

    /** Like {@link #setUnsigned(int, String, long)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void setUnsigned(AddedEdge edge, String property, long value) {
        EdgeRef owner = edge(edge);
        put(diff -> diff.setUnsigned(owner, property, value));
    }

    /** Gives a node such values of a list in addition. As {@link #append(int, String, String...)} else. */
    public synchronized void appendUnsigned(int node, String property, long... values) {
        NodeRef owner = node(node);
        put(diff -> diff.appendUnsigned(owner, property, values));
    }

    /** Like {@link #appendUnsigned(int, String, long...)}, for an edge; {@link IllegalArgumentException} if it does not exist. */
    public synchronized void appendUnsigned(AddedEdge edge, String property, long... values) {
        EdgeRef owner = edge(edge);
        put(diff -> diff.appendUnsigned(owner, property, values));
    }

    /** Declares a label of this name; an existing one stays as it is. */
    public synchronized void declareLabel(String name) {
        put(diff -> diff.declareLabel(name));
    }

    /** Declares an edge label of this name; an existing one stays as it is. */
    public synchronized void declareEdgeLabel(String name) {
        put(diff -> diff.declareEdgeLabel(name));
    }

    /**
     * Says that nodes have a property of this name, type and cardinality; one that is there already has to be
     * the same.
     */
    public synchronized void declareProperty(String name, ValueType type, Cardinality cardinality) {
        put(diff -> diff.declareProperty(name, type, cardinality));
    }

    /** Says that the edges of a label have such a property. */
    public synchronized void declareEdgeProperty(String edgeLabel, String name, ValueType type, Cardinality cardinality) {
        put(diff -> diff.declareEdgeProperty(edgeLabel, name, type, cardinality));
    }

    /**
     * Sends the additions so far to the engine, which refuses invalid ones. {@link #finish} does so by
     * itself.
     *
     * @throws ChangeException if one of them is invalid, with its number; the graph is closed then
     * @throws EngineException an error of the file system, and {@code VARVITE_E_OVER_BUDGET}; the graph is
     * closed then
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized void flush() {
        checkOpen();
        send();
    }

    /**
     * Writes the file, which appears whole and durable at its path, or not at all, and closes this. Equal
     * calls make equal files.
     *
     * @throws ChangeException if an addition is invalid, with its number
     * @throws EngineException {@code VARVITE_E_ARGUMENT} if there is no node, {@code VARVITE_E_UNKNOWN} or
     *     {@code VARVITE_E_WRONG_TYPE} if the tree or an index of the options is of what the graph does not
     *     have, {@code VARVITE_E_OVER_BUDGET}, or an error of the file system. There is no new file then, and
     *     an old one is as it was
     * @throws GraphClosedException if the graph was finished or closed
     */
    public synchronized Report finish() {
        checkOpen();
        send();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment report = arena.allocate(REPORT_BYTES, Long.BYTES);
            // The call ends the handle, whether it fails or not.
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

    /** Gives the graph up, if it was not finished: there will be no file. Closing twice is closing once. */
    @Override
    public synchronized void close() {
        held.giveBack();
        pending = new Diff();
    }

    /** Adds an element that needs no number. */
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
            // No other code may close this before the call is done.
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

    /** Passes if all are null or nodes of this graph, by their numbers. */
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
