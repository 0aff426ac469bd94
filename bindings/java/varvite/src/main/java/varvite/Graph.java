package varvite;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import varvite.error.GraphBusyException;
import varvite.error.GraphClosedException;
import varvite.error.NoSuchNodeException;
import varvite.error.UnknownNameException;
import varvite.error.VarviteException;
import varvite.error.WrongTypeException;
import varvite.format.GraphFile;
import varvite.format.IdSet;

/**
 * An open graph: the schema of a {@code .varvite} file, and access to its columns.
 *
 * <pre>{@code
 * try (Graph graph = Graph.open(Path.of("zlib.varvite"))) {
 *     NodeSet calls = graph.nodes("CALL");
 *     NeighborCursor callees = graph.out("CALL").cursor();
 *     TextProperty fullName = graph.texts("FULL_NAME");
 *     for (int call = calls.next(0); call >= 0; call = calls.next(call + 1)) {
 *         for (callees.of(call); callees.next(); ) {
 *             System.out.println(call + " calls " + fullName.get(callees.node()));
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>May be used by any number of threads. A column is opened on first use, which costs some microseconds and
 * a few hundred bytes; later calls return the same object. In a loop, keep it in a local variable. Every
 * method throws {@link GraphClosedException} once the graph is closed, except those that only return names.
 */
public final class Graph implements AutoCloseable {
    /** Open graphs that the program can still reach. */
    private static final Set<Graph> OPEN = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final GraphFile file;
    private final Schema schema;
    private final Columns columns;
    private final Map<Integer, Adjacency> adjacencies = new ConcurrentHashMap<>();
    private final Map<Integer, Property> properties = new ConcurrentHashMap<>();
    private final Map<Integer, Origin> origins = new ConcurrentHashMap<>();

    private Graph(GraphFile file) {
        this.file = file;
        schema = Schema.of(file.directory());
        columns = new Columns(file);
    }

    /**
     * Opens a graph and maps its file. Reads three pages and the directory, and checks their checksums: about
     * a millisecond for a file of any size. If the file has a log, its records and all changes since the
     * columns were written are read too. Checksums of columns are not checked; every number in a column is
     * checked where it is used.
     *
     * @throws IOException an error of the operating system
     * @throws VarviteException if the file cannot be read as a graph: {@link varvite.error.NotAFileException}
     * for a folder or pipe, {@link varvite.error.TruncatedFileException} for a file that was cut short. The
     * error numbers are the same in every language
     */
    public static Graph open(Path path) throws IOException {
        return open(path, OpenMode.MAPPED);
    }

    /**
     * Opens a graph from an untrusted file: every block of a column is checked against its checksum when the
     * column is opened, at about the speed of memory.
     *
     * @throws IOException an error of the operating system
     * @throws VarviteException if the file cannot be read as a graph
     */
    public static Graph openChecked(Path path) throws IOException {
        return open(path, OpenMode.CHECKED);
    }

    /**
     * Opens a graph in a given mode.
     *
     * @throws IOException an error of the operating system
     * @throws VarviteException if the file cannot be read as a graph
     */
    public static Graph open(Path path, OpenMode mode) throws IOException {
        return opened(file(path, mode));
    }

    /**
     * Opens a graph in a given mode, within a budget that it shares with other graphs.
     *
     * @throws IOException an error of the operating system
     * @throws varvite.error.OverBudgetException if a copy of the file does not fit in the budget
     * @throws VarviteException if the file cannot be read as a graph
     */
    public static Graph open(Path path, OpenMode mode, SharedBudget budget) throws IOException {
        GraphFile file = file(path, mode);
        file.share(budget.maps());
        return opened(file);
    }

    private static GraphFile file(Path path, OpenMode mode) throws IOException {
        return switch (mode) {
            case MAPPED -> GraphFile.map(path, false);
            case CHECKED -> GraphFile.map(path, true);
            case BUFFERED -> GraphFile.copy(path);
        };
    }

    /**
     * Opens the newest commit of the file, in the mode and within the budget of this graph; empty if nothing
     * was committed since this graph was opened. This graph keeps its snapshot, and the caller must close
     * both graphs. Costs as much as opening the file.
     *
     * <pre>{@code
     * Graph newest = graph.refresh().orElse(graph);
     * }</pre>
     *
     * @throws IOException an error of the operating system
     * @throws varvite.error.ReplacedFileException if another file is at the path now, as after a compaction:
     * open it by its path
     * @throws VarviteException if the graph is closed or the file cannot be read as a graph
     */
    public Optional<Graph> refresh() throws IOException {
        return Optional.ofNullable(file.refreshed()).map(Graph::opened);
    }

    private static Graph opened(GraphFile file) {
        Graph graph = of(file, Graph::new);
        OPEN.add(graph);
        return graph;
    }

    /** Makes a graph from a file, and closes the file if that fails. */
    static Graph of(GraphFile file, Function<GraphFile, Graph> make) {
        try {
            Columns.checkSize(file);
            LogReplay.takeUp(file);
            return make.apply(file);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /**
     * The open graphs of this process, in no order. If their number keeps growing, the program forgets to
     * close graphs. An unreachable graph is closed when it is collected, and is not in the list.
     */
    public static List<Graph> openGraphs() {
        synchronized (OPEN) {
            return List.copyOf(OPEN);
        }
    }

    /** The path of the file. */
    public Path path() {
        return file.path();
    }

    /** The purpose that the encodings of the file serve. */
    public Profile profile() {
        return Profile.values()[file.header().profile()];
    }

    /**
     * Whether the newest commit of the file was damaged and the one before it was opened. A program should
     * report this.
     */
    public boolean isRecovered() {
        return file.isRecovered();
    }

    /** The log of small commits behind the newest large one. The graph includes all of them. */
    public LogInfo log() {
        return LogInfo.of(file.log());
    }

    /**
     * Checks that the file is still as long as when it was opened. If a mapped file was shortened, reads
     * throw Java's {@link InternalError}, at once or some calls later; this method shows whether that is the
     * cause. Costs one call of the file system.
     *
     * @throws varvite.error.TruncatedFileException if the file was shortened
     */
    public void checkLength() {
        file.checkLength();
    }

    /** The identity of the file and its commit. */
    public Identity identity() {
        return Identity.of(file);
    }

    /** The number of nodes, removed ones included. Ids are from 0 to below this number. */
    public int nodeCount() {
        return file.directory().nodes();
    }

    /**
     * The number of nodes that were not removed.
     *
     * @throws VarviteException if the graph is closed or the column damaged
     */
    public int liveNodeCount() {
        file.checkOpen();
        IdSet removed = columns.removed();
        return nodeCount() - (removed == null ? 0 : removed.count());
    }

    /**
     * Whether a node was removed: it has no labels, no edges and no values, and its id is not used again.
     *
     * @throws NoSuchNodeException if no node ever had this id
     * @throws VarviteException if the graph is closed or the column damaged
     */
    public boolean isRemoved(int node) {
        file.checkOpen();
        checkNode(node);
        IdSet removed = columns.removed();
        return removed != null && removed.memberRank(node) >= 0;
    }

    /** The number of edges, all labels together. */
    public long edgeCount() {
        return schema.edgeLabels().stream().mapToLong(EdgeLabel::edges).sum();
    }

    /** The node labels, by their numbers. */
    public List<Label> labels() {
        return schema.labels();
    }

    /** The edge labels, by their numbers. */
    public List<EdgeLabel> edgeLabels() {
        return schema.edgeLabels();
    }

    /** The properties of nodes and edges, by their numbers. */
    public List<PropertyInfo> properties() {
        return schema.properties();
    }

    /** The layers. */
    public List<Layer> layers() {
        return schema.layers();
    }

    /**
     * A node label.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     */
    public Label label(String name) {
        return schema.label(name);
    }

    /**
     * An edge label.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     */
    public EdgeLabel edgeLabel(String name) {
        return schema.edgeLabel(name);
    }

    /**
     * The tree label, if there is one: the edge label whose pre-order gives node ids, and that steps such as
     * {@code descendants} follow. If its edges are no {@linkplain #forestLabel() forest}, a node may have
     * several parents.
     */
    public Optional<EdgeLabel> treeLabel() {
        int label = file.directory().treeLabel();
        return label < 0 ? Optional.empty() : Optional.of(schema.edgeLabels().get(label));
    }

    /**
     * The edge label that the subtree index follows: the tree label, if its edges are a forest and none was
     * appended or removed since the columns were written.
     */
    public Optional<EdgeLabel> forestLabel() {
        return file.directory().subtree() < 0
                ? Optional.empty()
                : treeLabel().filter(label -> file.directory().changes().map(it -> it.ofEdges(label.id())).isEmpty());
    }

    /**
     * The label sets of all nodes.
     *
     * @throws VarviteException if the graph is closed or the column damaged
     */
    public Labels labelSets() {
        file.checkOpen();
        return columns.labels(schema.labels());
    }

    /**
     * The nodes of a label.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or the column damaged
     */
    public NodeSet nodes(String label) {
        return nodes(schema.label(label));
    }

    /**
     * The nodes of a label of this graph.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or the column damaged
     */
    public NodeSet nodes(Label label) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.labels());
        return columns.nodes(label, schema.labels());
    }

    /**
     * The numbers that the nodes of a label of this graph had in the imported file, such as the index of a
     * node among the nodes of its kind in a {@code cpg.bin}. If the nodes were not imported, their ranks
     * among the nodes of the label.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Origin origin(Label label) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.labels());
        return origins.computeIfAbsent(label.id(), ignored -> columns.origin(label, schema.labels()));
    }

    /**
     * The targets of the edges with a label, by their source.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Adjacency out(String edgeLabel) {
        return adjacency(schema.edgeLabel(edgeLabel), Direction.OUT);
    }

    /**
     * The sources of the edges with a label, by their target.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Adjacency in(String edgeLabel) {
        return adjacency(schema.edgeLabel(edgeLabel), Direction.IN);
    }

    /**
     * The neighbours along an edge label of this graph, in one direction.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Adjacency adjacency(EdgeLabel label, Direction direction) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.edgeLabels());
        int key = 2 * label.id() + direction.ordinal();
        return adjacencies.computeIfAbsent(key, ignored -> columns.adjacency(label, direction));
    }

    /**
     * The edge of each entry in the in-lists of an edge label; empty for a label without properties.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or the column damaged
     */
    public Optional<Places> places(EdgeLabel label) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.edgeLabels());
        return columns.places(label);
    }

    /**
     * The rank of the edge to each neighbour along an edge label of this graph, in one direction; empty for
     * the in-lists of a label without properties, which store no ranks.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Optional<Ranks> ranks(EdgeLabel label, Direction direction) {
        Adjacency adjacency = adjacency(label, direction);
        if (direction == Direction.OUT || !adjacency.hasLists()) {
            return Optional.of(new Ranks(adjacency, null));
        }
        return places(label).map(places -> new Ranks(adjacency, places));
    }

    /**
     * The subtree index, if an edge label of this graph is a {@linkplain #forestLabel() forest}.
     *
     * @throws VarviteException if the graph is closed or the column damaged
     */
    public Optional<Subtree> subtree() {
        file.checkOpen();
        return columns.subtree();
    }

    /**
     * A property of nodes, as the subclass of {@link Property} for its type.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Property property(String name) {
        return property(schema.property(name, Optional.empty()));
    }

    /**
     * A property of the edges of a label, by rank in the out direction.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Property edgeProperty(String edgeLabel, String name) {
        return property(schema.property(name, Optional.of(schema.edgeLabel(edgeLabel).name())));
    }

    /**
     * A property of this graph: an {@link IntProperty} if all values of its type fit an int, else a
     * {@link LongProperty}, {@link DoubleProperty}, {@link TextProperty}, {@link BytesProperty} or
     * {@link RefProperty}.
     *
     * @throws IllegalArgumentException if the property is of another graph
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Property property(PropertyInfo info) {
        file.checkOpen();
        Schema.checkOwn(info, info.id(), schema.properties());
        return properties.computeIfAbsent(info.id(), ignored -> columns.property(info, kindOf(info.type())));
    }

    private static PropertyKind kindOf(ValueType type) {
        for (PropertyKind kind : PropertyKind.values()) {
            if (kind.reads(type)) {
                return kind;
            }
        }
        throw new IllegalStateException("no reader of " + type);
    }

    /**
     * A property of nodes whose values are truth values or integers that fit an int.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws WrongTypeException if it has another type
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public IntProperty ints(String name) {
        return (IntProperty) property(name, PropertyKind.INT);
    }

    /**
     * A property of nodes whose values are truth values or integers.
     *
     * @throws VarviteException as {@link #ints}
     */
    public LongProperty longs(String name) {
        return (LongProperty) property(name, PropertyKind.LONG);
    }

    /**
     * A property of nodes whose values are floating-point numbers.
     *
     * @throws VarviteException as {@link #ints}
     */
    public DoubleProperty doubles(String name) {
        return (DoubleProperty) property(name, PropertyKind.DOUBLE);
    }

    /**
     * A property of nodes whose values are texts.
     *
     * @throws VarviteException as {@link #ints}
     */
    public TextProperty texts(String name) {
        return (TextProperty) property(name, PropertyKind.TEXT);
    }

    /**
     * A property of nodes whose values are bytes, or texts to be read as bytes.
     *
     * @throws VarviteException as {@link #ints}
     */
    public BytesProperty bytes(String name) {
        return (BytesProperty) property(name, PropertyKind.BYTES);
    }

    /**
     * A property of nodes that refers to nodes.
     *
     * @throws VarviteException as {@link #ints}
     */
    public RefProperty refs(String name) {
        return (RefProperty) property(name, PropertyKind.REF);
    }

    private Property property(String name, PropertyKind kind) {
        PropertyInfo info = schema.property(name, Optional.empty());
        if (!kind.reads(info.type())) {
            throw new WrongTypeException(name, kind.wanted(), info.type().toString());
        }
        file.checkOpen();
        int key = info.id() + schema.properties().size() * (1 + kind.ordinal());
        return properties.computeIfAbsent(key, ignored -> columns.property(info, kind));
    }

    /**
     * The index of a property of nodes, which finds the nodes with a text. Empty if the file has none, if
     * values of the property were changed since, or if nodes were removed.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column damaged
     */
    public Optional<TextIndex> textIndex(String property) {
        file.checkOpen();
        return columns.textIndex(schema.property(property, Optional.empty()), labelSets());
    }

    /**
     * A handle of a node.
     *
     * @throws NoSuchNodeException if no node has this id
     */
    public Node node(int id) {
        checkNode(id);
        return new Node(this, id);
    }

    private void checkNode(int id) {
        if (Integer.compareUnsigned(id, nodeCount()) >= 0) {
            throw new NoSuchNodeException("node", id, nodeCount());
        }
    }

    /** The memory that the graph uses now. */
    public GraphMemory memory() {
        file.checkOpen();
        return GraphMemory.of(file);
    }

    /** Whether the graph is open. */
    public boolean isOpen() {
        return file.isOpen();
    }

    /**
     * Closes the graph and unmaps its file. All objects that the graph returned become invalid, on all
     * threads. Closing it again has no effect. Costs some microseconds; threads that are reading at that
     * moment are delayed by a fraction of a millisecond.
     *
     * @throws GraphBusyException if an operation of the operating system or a native call uses a slice and
     * does not end in time; the graph then stays open
     */
    @Override
    public void close() {
        file.close();
        OPEN.remove(this);
    }

    @Override
    public String toString() {
        return "Graph[" + path() + ", " + nodeCount() + " nodes, " + edgeCount() + " edges]";
    }
}
