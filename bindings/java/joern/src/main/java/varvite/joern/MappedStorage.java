package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.Schema;
import flatgraph.misc.ISeq;
import flatgraph.misc.InitNodeIterator;
import flatgraph.misc.MultiDictIndex;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.collection.immutable.IndexedSeq;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.NeighborCursor;
import varvite.PropertyInfo;
import varvite.error.TruncatedFileException;

/**
 * A graph in a mapped {@code .varvite} file. Node objects are made on first use; edges and values are read in
 * place. Columns are opened on first use, so that opening a file of any size takes a millisecond.
 */
public final class MappedStorage implements Storage {
    private static final byte[] MAGIC = {(byte) 0x89, 'V', 'A', 'R', 'V', 'I', 'T', 'E'};
    private static final Direction[] DIRECTIONS = Direction.values();

    private final Graph file;
    private final Schema schema;
    private final NodePlaces places;
    private final NodeTable table;
    private final Room room = new Room();
    private final int propertyKinds;
    private final int edgeKinds;
    /** The label in the file for each edge kind; null if the file does not have the label. */
    private final EdgeLabel[] edgeLabels;
    private final Map<String, PropertyInfo> properties = new HashMap<>();
    /** The neighbours of all nodes, by edge kind and direction, for edge kinds that the file has. */
    private final Opened<Hops> hops;
    /** The neighbours of the nodes of a kind, by node kind, edge kind and direction. */
    private final Opened<KindHops> hopsOfKinds;
    /** The values of a property for nodes of all kinds, by the number of the property in the file. */
    private final Opened<Values> values;
    /** The values of a property for the nodes of a kind, by node kind and property. */
    private final Opened<KindValues> valuesOfKinds;
    /** The values of edges, by edge kind, for edge kinds that the file has. */
    private final Opened<EdgeValues> edgeValues;
    /**
     * For each node kind, the nodes that scans of all nodes of the kind have visited, by their indexes. In
     * {@link NodeTable} these nodes are scattered, so that each look-up would be a cache miss.
     */
    private final Opened<Kept<GNode>> nodesOfKinds;
    /** The graph that the nodes belong to; set before another thread can see this object. */
    private flatgraph.Graph graph;
    /** The treatment of changes when this storage is closed. */
    private Persistence persistence = Persistence.NONE;
    /** The changes that diffs have made; null if there are none. */
    private MappedChanges changes;
    /**
     * A copy of the graph in flatgraph's arrays, if a caller has needed one since the last change; else null.
     */
    private HeapStorage copy;

    private MappedStorage(Graph file, Schema schema) {
        this.file = file;
        this.schema = schema;
        places = new NodePlaces(file, schema);
        table = new NodeTable(file.nodeCount());
        propertyKinds = schema.getNumberOfPropertyKinds();
        edgeKinds = schema.getNumberOfEdgeKinds();
        edgeLabels = new EdgeLabel[edgeKinds];
        file.edgeLabels().forEach(this::takeUp);
        file.properties().stream().filter(info -> info.edgeLabel().isEmpty()).forEach(info -> properties.put(info.name(), info));
        int kinds = schema.getNumberOfNodeKinds();
        hops = new Opened<>(2 * edgeKinds, slot -> Hops.of(this, edgeLabels[slot >> 1], DIRECTIONS[slot & 1]));
        hopsOfKinds = new Opened<>(2 * edgeKinds * kinds, this::openHopsOfKind);
        values = new Opened<>(file.properties().size(), id -> Values.of(this, file.property(file.properties().get(id))));
        valuesOfKinds = new Opened<>(kinds * propertyKinds, this::openValuesOfKind);
        edgeValues = new Opened<>(edgeKinds, edgeKind -> EdgeValues.of(this, edgeLabels[edgeKind]));
        nodesOfKinds = new Opened<>(kinds, kind -> new Kept<>(room, places.placeCount(kind)));
    }

    /** Stores an edge label of the file if the schema has it. */
    private void takeUp(EdgeLabel label) {
        int edgeKind = schema.getEdgeKindByLabel(label.name());
        if (edgeKind >= 0) {
            edgeLabels[edgeKind] = label;
        }
    }

    /** Whether a file begins with the magic of Varvite files. */
    public static boolean isVarvite(Path path) {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(path)) {
            return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Maps a file whose nodes fit a schema.
     *
     * @throws ForeignGraphException if a node does not fit the schema
     * @throws varvite.error.VarviteException if the file cannot be read as a graph
     * @throws UncheckedIOException an error of the operating system
     */
    public static MappedStorage open(Path path, Schema schema) {
        Graph file;
        try {
            file = Graph.open(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (file.isRecovered()) {
            System.err.println("varvite: " + path + ": a superblock or the newest commit is damaged; "
                    + "the graph is read from the commit before; `varvite verify` shows the damage");
        }
        try {
            return new MappedStorage(file, schema);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /** Sets the graph to which node objects belong. */
    public void belongTo(flatgraph.Graph graph) {
        this.graph = graph;
    }

    /** The file. */
    Graph file() {
        return file;
    }

    /** The heap budget of the cached objects. */
    Room room() {
        return room;
    }

    /** The path of the file. */
    public Path path() {
        return file.path();
    }

    /** The node with an id. */
    GNode node(int id) {
        GNode node = table.get(id);
        return node == null ? make(id) : node;
    }

    private GNode make(int id) {
        try {
            short kind = places.kind(id);
            return table.add(id, schema.makeNode(graph, kind, places.seq(id, kind)));
        } catch (InternalError e) {
            throw failure(e);
        }
    }

    /** The node with an id, whose kind and index are known. */
    GNode node(int id, int kind, int seq) {
        GNode node = table.get(id);
        return node == null ? table.add(id, schema.makeNode(graph, (short) kind, seq)) : node;
    }

    /** The cached nodes of a kind in the file. */
    Kept<GNode> nodesOfKind(int kind) {
        return nodesOfKinds.get(kind);
    }

    /** Uses a node object that another storage of the same graph has made. */
    void adopt(GNode node) {
        table.add(id(node.nodeKind, node.seq()), node);
    }

    /** The id of the node with a kind and an index; -1 if there is none. */
    int id(int kind, int seq) {
        try {
            return places.node(kind, seq);
        } catch (InternalError e) {
            throw failure(e);
        }
    }

    /**
     * Writes the ids of the nodes of a kind whose indexes are in a range, which must be within the file's
     * indexes. Writes -1 for an index without a node.
     */
    void fillIds(int kind, int start, int end, int[] out) {
        try {
            places.fill(kind, start, end, out);
        } catch (InternalError e) {
            throw failure(e);
        }
    }

    /** Whether a diff was applied, so that the nodes may differ from those of the file. */
    boolean isChanged() {
        return changes != null;
    }

    /** The index of a node in its kind. */
    int seq(int id, int kind) {
        return places.seq(id, kind);
    }

    /** The node with an id that a value refers to; null if the node was removed. */
    GNode referred(int id) {
        GNode node = table.get(id);
        if (node != null) {
            return node;
        }
        return file.isRemoved(id) ? null : make(id);
    }

    /** Whether the node with an id was removed since the file was opened. */
    boolean isRemoved(int id) {
        GNode node = table.get(id);
        return node != null && AccessHelpers.isDeleted(node);
    }

    /**
     * Sets the treatment of changes when this storage is closed.
     *
     * @throws IllegalStateException if a diff was applied before
     * @throws PersistException if the file can't be changed in this way
     */
    public void persistOnClose(Persistence how) {
        if (changes != null) {
            throw new IllegalStateException("choose how to keep changes before the first diff is applied");
        }
        how.checkAtOpening(file);
        persistence = how;
    }

    /**
     * Writes the changes to the file, or reports that they are lost. Called before this storage is closed.
     *
     * @throws PersistException if the changes can't be kept; the file is unchanged, and this storage stays
     * open with all changes
     */
    public void keepChanges() {
        if (changes != null) {
            persistence.keep(file, () -> FileDiff.of(this, changes, schema));
        }
    }

    @Override
    public int nextEdge() {
        return changes == null ? persistence.firstEdge() : changes.nextEdge();
    }

    @Override
    public void checkChange() {
        if (changes == null) {
            persistence.checkAtFirstDiff(file);
        }
    }

    @Override
    public void apply(ResolvedDiff diff) {
        if (changes == null) {
            changes = new MappedChanges(this, schema, persistence.firstEdge() == 0);
        }
        copy = null;
        changes.apply(diff);
    }

    /**
     * A copy of the graph in flatgraph's arrays, for programs that read all arrays. The copy takes as much
     * heap as the graph takes in flatgraph, and is kept until the next change.
     */
    @Override
    public synchronized HeapStorage heap() {
        if (copy == null) {
            copy = HeapCopy.of(this, graph);
        }
        return copy;
    }

    @Override
    public int placeCount(int kind) {
        return changes == null ? places.placeCount(kind) : changes.placeCount(kind);
    }

    @Override
    public int nodeCount(int kind) {
        return places.nodeCount(kind) + (changes == null ? 0 : changes.nodeCountChange(kind));
    }

    @Override
    public long edgeCount() {
        return file.edgeLabels().stream()
                .filter(label -> schema.getEdgeKindByLabel(label.name()) >= 0)
                .mapToLong(EdgeLabel::edges)
                .sum()
                + (changes == null ? 0 : changes.edgeCountChange());
    }

    @Override
    public GNode node(int kind, int seq) {
        if (changes == null) {
            return nodeOfFile(kind, seq);
        }
        GNode node = changes.isNew(kind, seq) ? changes.newNode(kind, seq) : nodeOfFile(kind, seq);
        return node == null || AccessHelpers.isDeleted(node) ? null : node;
    }

    private GNode nodeOfFile(int kind, int seq) {
        int id = id(kind, seq);
        return id < 0 ? null : node(id, kind, seq);
    }

    @Override
    public InitNodeIterator<GNode> nodes(int kind) {
        return new PlaceIterator(this, kind, nodeCount(kind), placeCount(kind));
    }

    /** Whether a node with a kind and an index exists. */
    boolean hasNode(int kind, int seq) {
        return changes == null ? id(kind, seq) >= 0 : node(kind, seq) != null;
    }

    /** Whether the file has a property that nodes of a kind may have. */
    boolean hasProperty(int kind, int property) {
        return values(kind, property).isInFile();
    }

    @Override
    public Iterator<GNode> neighbors(int kind, int seq, Direction direction, int edgeKind) {
        if (changes != null) {
            EdgeRun run = changedEdges(kind, seq, direction, edgeKind);
            if (run != null) {
                return new NodeIterator.OfArray(run.others(), run.start(seq), run.end(seq));
            }
        }
        return neighborsOfFile(kind, seq, direction, edgeKind);
    }

    private EdgeRun changedEdges(int kind, int seq, Direction direction, int edgeKind) {
        boolean isEdgeKind = edgeKind >= 0 && edgeKind < schema.getNumberOfEdgeKinds();
        return isEdgeKind ? changes.edges(kind, seq, direction, edgeKind) : null;
    }

    private Iterator<GNode> neighborsOfFile(int kind, int seq, Direction direction, int edgeKind) {
        KindHops found = hops(kind, direction, edgeKind);
        return found == null ? Iterator$.MODULE$.empty() : found.neighbors(seq);
    }

    @Override
    public IndexedSeq<Edge> edges(GNode node, Direction direction, int edgeKind) {
        if (edgeKind < 0 || edgeKind >= schema.getNumberOfEdgeKinds()) {
            return ISeqs.empty();
        }
        Object absent = HeapStorage.defaultOf(schema, node.nodeKind, direction, edgeKind);
        List<Edge> made = new ArrayList<>();
        EdgeRun run = changes == null ? null : changedEdges(node.nodeKind, node.seq(), direction, edgeKind);
        if (run == null) {
            edgesOfFile(node.nodeKind, node.seq(), direction, edgeKind, absent, (other, value, number) ->
                    made.add(HeapStorage.edge(schema, node, other, direction, edgeKind, made.size(), value)));
        } else {
            for (int i = run.start(node.seq()); i < run.end(node.seq()); i++) {
                Object value = run.value(i) == null ? absent : run.value(i);
                made.add(HeapStorage.edge(schema, node, run.others()[i], direction, edgeKind, made.size(), value));
            }
        }
        return ISeqs.of(made.toArray(Edge[]::new));
    }

    /**
     * A source that passes the edges of nodes of a kind, from the file or from the changes. The value of an
     * edge is passed too, unless it is the default value.
     */
    EdgeRun.Source source(int kind, Direction direction, int edgeKind) {
        return (seq, sink) -> {
            EdgeRun run = changes == null ? null : changes.edges(kind, seq, direction, edgeKind);
            if (run == null) {
                edgesOfFile(kind, seq, direction, edgeKind, null, sink);
                return;
            }
            for (int i = run.start(seq); i < run.end(seq); i++) {
                sink.edge(run.others()[i], run.value(i), run.number(i));
            }
        };
    }

    private void edgesOfFile(int kind, int seq, Direction direction, int edgeKind, Object absent, EdgeRun.Sink sink) {
        Hops found = hops(direction, edgeKind);
        int id = found == null ? -1 : id(kind, seq);
        if (id < 0) {
            return;
        }
        EdgeValues valuesOfLabel = edgeValues(edgeKind);
        NeighborCursor cursor = found.cursor(id);
        for (int place = 0; cursor.next(); place++) {
            sink.edge(node(cursor.node()), valuesOfLabel.at(cursor, direction, absent), ~place);
        }
    }

    /**
     * The neighbours of nodes of a kind along an edge label. There are none if the file does not have the
     * label; the result is null if the schema does not have it.
     */
    private KindHops hops(int kind, Direction direction, int edgeKind) {
        if (edgeKind < 0 || edgeKind >= edgeKinds) {
            return null;
        }
        return hopsOfKinds.get(2 * (kind * edgeKinds + edgeKind) + direction.ordinal());
    }

    private KindHops openHopsOfKind(int slot) {
        int kind = slot / (2 * edgeKinds);
        Hops ofAll = hops(DIRECTIONS[slot & 1], (slot >> 1) % edgeKinds);
        return new KindHops(this, kind, ofAll, ofAll == null ? 0 : places.placeCount(kind));
    }

    /** The neighbours along an edge label; null if the file does not have the label. */
    private Hops hops(Direction direction, int edgeKind) {
        return edgeLabels[edgeKind] == null ? null : hops.get(2 * edgeKind + direction.ordinal());
    }

    /** The edge label in the file, or null. */
    EdgeLabel edgeLabel(int edgeKind) {
        return edgeLabels[edgeKind];
    }

    /** The values of the edges of a label that the file has. */
    EdgeValues edgeValues(int edgeKind) {
        return edgeValues.get(edgeKind);
    }

    @Override
    public Object first(int kind, int property, int seq, Object absent) {
        Object changed = changes == null ? MappedChanges.UNCHANGED : changed(kind, property, seq);
        if (changed == MappedChanges.UNCHANGED) {
            return values(kind, property).first(seq, absent);
        }
        return !(changed instanceof Object[] all) ? changed : all.length == 0 ? absent : all[0];
    }

    @Override
    public ISeq<Object> values(int kind, int property, int seq) {
        Object changed = changes == null ? MappedChanges.UNCHANGED : changed(kind, property, seq);
        return changed == MappedChanges.UNCHANGED ? values(kind, property).all(seq) : ISeqs.of(MappedChanges.all(changed));
    }

    private Object changed(int kind, int property, int seq) {
        return changes.values(kind, Objects.checkIndex(property, propertyKinds), seq);
    }

    /**
     * The values of a property for the nodes of a kind. There are none if the file does not have the
     * property.
     */
    private KindValues values(int kind, int property) {
        return valuesOfKinds.get(kind * propertyKinds + Objects.checkIndex(property, propertyKinds));
    }

    private KindValues openValuesOfKind(int slot) {
        int kind = slot / propertyKinds;
        PropertyInfo info = properties.get(schema.getPropertyLabel(kind, slot % propertyKinds));
        return info == null
                ? new KindValues(this, kind, null, 0)
                : new KindValues(this, kind, values.get(info.id()), places.placeCount(kind));
    }

    @Override
    public Iterator<GNode> withText(int kind, int property, String text) {
        Objects.requireNonNull(text, "null is no text");
        if (changes != null && changes.hasValues(kind, property)) {
            return withTextChanged(kind, property, text);
        }
        return withTextOfFile(kind, property, text);
    }

    /**
     * The nodes that have a text, in the order of their indexes. They are unchanged nodes of the file and
     * nodes with changed values.
     */
    private Iterator<GNode> withTextChanged(int kind, int property, String text) {
        List<Integer> found = changes.withText(kind, property, text);
        for (Iterator<GNode> before = withTextOfFile(kind, property, text); before.hasNext(); ) {
            int seq = before.next().seq();
            if (changes.values(kind, property, seq) == MappedChanges.UNCHANGED) {
                found.add(seq);
            }
        }
        Collections.sort(found);
        GNode[] nodes = found.stream().map(seq -> node(kind, seq)).filter(Objects::nonNull).toArray(GNode[]::new);
        return new NodeIterator.OfArray(nodes, 0, nodes.length);
    }

    private Iterator<GNode> withTextOfFile(int kind, int property, String text) {
        KindValues found = values(kind, property);
        return !found.isInFile() || places.label(kind) == null ? Iterator$.MODULE$.empty() : found.withText(text, places.label(kind));
    }

    /**
     * flatgraph's own index of a property. It is built again at each call; {@link #withText} does not need
     * it.
     */
    @Override
    public MultiDictIndex<GNode> index(int kind, int property) {
        return TextIndexes.of(this, kind, property, placeCount(kind));
    }

    /**
     * Returns Java's error for a read beyond the end of a file.
     *
     * @throws varvite.error.TruncatedFileException if another program shortened the file
     */
    @Override
    public Error failure(InternalError cause) {
        file.checkLength();
        return cause;
    }

    /** Closes the file and drops cached values, so that later reads fail. */
    @Override
    public void close() {
        try {
            file.checkLength();
        } catch (TruncatedFileException e) {
            // Throwing this exception would hide the exception that caused the close.
            System.err.println("varvite: " + e.getMessage());
        }
        file.close();
        room.forget();
    }
}
