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
 * a few hundred bytes; later calls return the same object. Before a loop, store this object in a local
 * variable. Once the graph is closed, every method throws {@link GraphClosedException}, except those that
 * only return names.
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
     * Opens a graph and maps its file. Reads three pages and the directory and checks their checksums, which
     * takes about a millisecond for a file of any size. If the file has a log, also reads its records and all
     * changes since the columns were written. Checksums of columns are not checked; instead, every number in
     * a column is checked where it is used.
     *
     * @throws IOException an error of the operating system
     * @throws VarviteException if the file cannot be read as a graph: {@link varvite.error.NotAFileException}
     * for a folder or pipe, {@link varvite.error.TruncatedFileException} for a file that was cut short, and
     * others. The error numbers are the same in every language
     */
    public static Graph open(Path path) throws IOException {
        return open(path, OpenMode.MAPPED);
    }

    /**
     * Opens a graph from an untrusted file. When a column is opened, all its blocks are checked against their
     * checksums, at about the speed of memory.
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
     * Opens a graph in a given mode, within a budget that several graphs share.
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
     * Opens the newest commit of the file as a second graph, in the same mode and within the same budget as
     * this graph. Empty if nothing was committed since this graph was opened. This graph keeps its snapshot,
     * and the caller must close both graphs. Costs as much as opening the file.
     *
     * <pre>{@code
     * Graph newest = graph.refresh().orElse(graph);
     * }</pre>
     *
     * @throws IOException an error of the operating system
     * @throws varvite.error.ReplacedFileException if another file is at the path now, for example after a
     * compaction; open that file by its path
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

    /** Makes a graph from a file, and closes the file if this fails. */
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
     * The open graphs of this process, in no particular order. If their number keeps growing, the program
     * forgets to close graphs. The list does not include unreachable graphs, which are closed when they are
     * garbage-collected.
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

    /** The storage profile of the file: the purpose that its encodings serve. */
    public Profile profile() {
        return Profile.values()[file.header().profile()];
    }

    /**
     * Whether the newest commit of the file was damaged, so that the commit before it was opened. Programs
     * should report this.
     */
    public boolean isRecovered() {
        return file.isRecovered();
    }

    /** The log of small commits that follow the newest full commit. The graph includes all of them. */
    public LogInfo log() {
        return LogInfo.of(file.log());
    }

    /**
     * Checks that the file was not shortened since it was opened. If a mapped file was shortened, reads throw
     * Java's {@link InternalError}, at once or some calls later; with this method, a program can find out
     * whether this was the cause of such an error. Costs one file system call.
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

    /** The number of nodes, including removed ones. All ids are below this number. */
    public int nodeCount() {
        return file.directory().nodes();
    }

    /**
     * The number of nodes that were not removed.
     *
     * @throws VarviteException if the graph is closed or the column is damaged
     */
    public int liveNodeCount() {
        file.checkOpen();
        IdSet removed = columns.removed();
        return nodeCount() - (removed == null ? 0 : removed.count());
    }

    /**
     * Whether a node was removed. A removed node has no labels, edges or values, and its id is not used
     * again.
     *
     * @throws NoSuchNodeException if no node ever had this id
     * @throws VarviteException if the graph is closed or the column is damaged
     */
    public boolean isRemoved(int node) {
        file.checkOpen();
        checkNode(node);
        IdSet removed = columns.removed();
        return removed != null && removed.memberRank(node) >= 0;
    }

    /** The number of edges of all labels together. */
    public long edgeCount() {
        return schema.edgeLabels().stream().mapToLong(EdgeLabel::edges).sum();
    }

    /** The node labels, in the order of their numbers. */
    public List<Label> labels() {
        return schema.labels();
    }

    /** The edge labels, in the order of their numbers. */
    public List<EdgeLabel> edgeLabels() {
        return schema.edgeLabels();
    }

    /** The properties of nodes and edges, in the order of their numbers. */
    public List<PropertyInfo> properties() {
        return schema.properties();
    }

    /** The layers of the graph. */
    public List<Layer> layers() {
        return schema.layers();
    }

    /**
     * The node label with this name.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     */
    public Label label(String name) {
        return schema.label(name);
    }

    /**
     * The edge label with this name.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     */
    public EdgeLabel edgeLabel(String name) {
        return schema.edgeLabel(name);
    }

    /**
     * The tree label, if there is one: the edge label whose pre-order gives node ids, and which steps such as
     * {@code descendants} follow. If its edges are not a {@linkplain #forestLabel() forest}, a node may have
     * several parents.
     */
    public Optional<EdgeLabel> treeLabel() {
        int label = file.directory().treeLabel();
        return label < 0 ? Optional.empty() : Optional.of(schema.edgeLabels().get(label));
    }

    /**
     * The edge label that the subtree index follows. This is the tree label, if its edges are a forest and no
     * such edge was appended or removed since the columns were written.
     */
    public Optional<EdgeLabel> forestLabel() {
        return file.directory().subtree() < 0
                ? Optional.empty()
                : treeLabel().filter(label -> file.directory().changes().map(it -> it.ofEdges(label.id())).isEmpty());
    }

    /**
     * The label sets of all nodes.
     *
     * @throws VarviteException if the graph is closed or the column is damaged
     */
    public Labels labelSets() {
        file.checkOpen();
        return columns.labels(schema.labels());
    }

    /**
     * The nodes with a label.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or the column is damaged
     */
    public NodeSet nodes(String label) {
        return nodes(schema.label(label));
    }

    /**
     * The nodes with a label, which must be a label of this graph.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or the column is damaged
     */
    public NodeSet nodes(Label label) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.labels());
        return columns.nodes(label, schema.labels());
    }

    /**
     * The origins of the nodes with a label, which must be a label of this graph: their numbers in the
     * imported file. In a {@code cpg.bin}, for example, this is the index of a node among the nodes of its
     * kind. If the nodes were not imported, their origins are their ranks among the nodes of the label.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or a column is damaged
     */
    public Origin origin(Label label) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.labels());
        return origins.computeIfAbsent(label.id(), ignored -> columns.origin(label, schema.labels()));
    }

    /**
     * The out-neighbours of every node along an edge label: the targets of its edges.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column is damaged
     */
    public Adjacency out(String edgeLabel) {
        return adjacency(schema.edgeLabel(edgeLabel), Direction.OUT);
    }

    /**
     * The in-neighbours of every node along an edge label: the sources of its edges.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column is damaged
     */
    public Adjacency in(String edgeLabel) {
        return adjacency(schema.edgeLabel(edgeLabel), Direction.IN);
    }

    /**
     * The neighbours of every node, in one direction along an edge label of this graph.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or a column is damaged
     */
    public Adjacency adjacency(EdgeLabel label, Direction direction) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.edgeLabels());
        int key = 2 * label.id() + direction.ordinal();
        return adjacencies.computeIfAbsent(key, ignored -> columns.adjacency(label, direction));
    }

    /**
     * The edge of each entry in the in-lists of an edge label. Empty for a label without properties.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or the column is damaged
     */
    public Optional<Places> places(EdgeLabel label) {
        file.checkOpen();
        Schema.checkOwn(label, label.id(), schema.edgeLabels());
        return columns.places(label);
    }

    /**
     * The rank of the edge to each neighbour, in one direction along an edge label of this graph. Empty for
     * the in-lists of a label without properties, because the file stores no ranks for them.
     *
     * @throws IllegalArgumentException if the label is of another graph
     * @throws VarviteException if the graph is closed or a column is damaged
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
     * @throws VarviteException if the graph is closed or the column is damaged
     */
    public Optional<Subtree> subtree() {
        file.checkOpen();
        return columns.subtree();
    }

    /**
     * A property of nodes. The result is the subclass of {@link Property} for the property's type.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column is damaged
     */
    public Property property(String name) {
        return property(schema.property(name, Optional.empty()));
    }

    /**
     * A property of the edges of a label. An edge is identified by its rank in the out direction.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column is damaged
     */
    public Property edgeProperty(String edgeLabel, String name) {
        return property(schema.property(name, Optional.of(schema.edgeLabel(edgeLabel).name())));
    }

    /**
     * A property, which must be one of this graph. The result is an {@link IntProperty} if all values of the
     * property's type fit in an int, else a {@link LongProperty}, {@link DoubleProperty},
     * {@link TextProperty}, {@link BytesProperty} or {@link RefProperty}.
     *
     * @throws IllegalArgumentException if the property is of another graph
     * @throws VarviteException if the graph is closed or a column is damaged
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
     * A property of nodes whose values are truth values or integers of a type that fits in an int.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws WrongTypeException if the property has another type
     * @throws VarviteException if the graph is closed or a column is damaged
     */
    public IntProperty ints(String name) {
        return (IntProperty) property(name, PropertyKind.INT);
    }

    /**
     * A property of nodes whose values are truth values or integers.
     *
     * @throws VarviteException as for {@link #ints}
     */
    public LongProperty longs(String name) {
        return (LongProperty) property(name, PropertyKind.LONG);
    }

    /**
     * A property of nodes whose values are floating-point numbers.
     *
     * @throws VarviteException as for {@link #ints}
     */
    public DoubleProperty doubles(String name) {
        return (DoubleProperty) property(name, PropertyKind.DOUBLE);
    }

    /**
     * A property of nodes whose values are texts.
     *
     * @throws VarviteException as for {@link #ints}
     */
    public TextProperty texts(String name) {
        return (TextProperty) property(name, PropertyKind.TEXT);
    }

    /**
     * A property of nodes whose values are byte arrays, or texts that are read as UTF-8 bytes.
     *
     * @throws VarviteException as for {@link #ints}
     */
    public BytesProperty bytes(String name) {
        return (BytesProperty) property(name, PropertyKind.BYTES);
    }

    /**
     * A property of nodes whose values are references to nodes.
     *
     * @throws VarviteException as for {@link #ints}
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
     * The text index of a property of nodes, which finds the nodes that have a given text. Empty if the file
     * has no index for the property, or if values of the property were changed or nodes were removed after
     * the index was written.
     *
     * @throws UnknownNameException if the graph lacks the name; the message has the most similar name
     * @throws VarviteException if the graph is closed or a column is damaged
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
     * Closes the graph and unmaps its file. On all threads, all objects that the graph returned become
     * invalid. A second call has no effect. Takes some microseconds; threads that are reading at that moment
     * are delayed by a fraction of a millisecond.
     *
     * @throws GraphBusyException if a system call or a native call that uses a slice does not end in time;
     * the graph then stays open
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
