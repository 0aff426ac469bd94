package flatgraph;

import flatgraph.misc.InitNodeIterator;
import flatgraph.misc.InitNodeIteratorArray;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.collection.mutable.Builder;
import varvite.joern.HeapStorage;
import varvite.joern.MappedStorage;
import varvite.joern.Persistence;
import varvite.joern.Storage;
import varvite.joern.start.ClassPath;

/**
 * Replaces flatgraph's class of this name. This class has the members that flatgraph-core, generated schema
 * classes and Joern call, but its {@link Storage} is either the heap, as in flatgraph, or a mapped
 * {@code .varvite} file.
 */
public class Graph implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Graph.class);
    /** The factory for the storage of graphs that are not mapped. */
    private static Function<Schema, Storage> storages = HeapStorage::new;

    private final Schema schema;
    private final Option<Path> storagePath;
    private final Storage storage;
    private volatile boolean isClosed;

    /**
     * An empty graph on the heap. If {@code storagePath} is defined, {@link #close} writes the graph to this
     * file.
     */
    public Graph(Schema schema, Option<Path> storagePath) {
        this.schema = schema;
        this.storagePath = storagePath;
        storage = storages.apply(schema);
    }

    private Graph(Schema schema, Option<Path> storagePath, Storage storage) {
        this.schema = schema;
        this.storagePath = storagePath;
        this.storage = storage;
    }

    /**
     * Opens the graph of a file. A Varvite file is mapped; with {@code persistOnClose},
     * {@link Persistence#asked} decides whether {@link #close} writes the graph's changes to the file. A
     * flatgraph file is loaded to the heap. If there is no file, the graph is empty. With
     * {@code persistOnClose}, {@link #close} writes graphs on the heap to the file.
     */
    public static Graph withStorage(Schema schema, Path path, boolean persistOnClose) {
        if (MappedStorage.isVarvite(path)) {
            new ClassPath().version().ifPresent(problem -> {
                throw new IllegalStateException(problem);
            });
            return mapped(schema, path, persistOnClose ? Persistence.asked(path) : Persistence.NONE);
        }
        return HeapFile.open(schema, path, persistOnClose);
    }

    private static Graph mapped(Schema schema, Path path, Persistence persistence) {
        MappedStorage storage = MappedStorage.open(path, schema);
        Graph graph = new Graph(schema, Option.empty(), storage);
        storage.belongTo(graph);
        try {
            storage.persistOnClose(persistence);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
        return graph;
    }

    /**
     * Sets what {@link #close} does with the changes of a mapped graph. Must be called before the first diff
     * is applied.
     *
     * @throws IllegalStateException if a diff was applied before, or the graph is not mapped
     * @throws varvite.joern.PersistException if the file can't be changed in this way
     */
    public void persistOnClose(Persistence how) {
        if (!(storage instanceof MappedStorage mapped)) {
            throw new IllegalStateException("only changes of a mapped graph are kept in its file; this one is on the heap");
        }
        mapped.persistOnClose(how);
    }

    public static boolean withStorage$default$3() {
        return true;
    }

    public static Option<Path> $lessinit$greater$default$2() {
        return Option.empty();
    }

    public static int NeighborsSlotSize() {
        return HeapStorage.NEIGHBOR_SLOTS;
    }

    public static int NumberOfDirections() {
        return HeapStorage.DIRECTIONS;
    }

    public static int PropertySlotSize() {
        return HeapStorage.PROPERTY_SLOTS;
    }

    public static Logger logger() {
        return LOGGER;
    }

    /** Sets the factory for the storage of later graphs, for tests. */
    static void makeStorages(Function<Schema, Storage> storages) {
        Graph.storages = storages;
    }

    /** The storage of nodes, edges and values. */
    Storage storage() {
        return storage;
    }

    /**
     * The graph in flatgraph's arrays, for callers that use these arrays. If the graph is mapped, the result
     * is a copy, which must only be read.
     */
    HeapStorage heap() {
        return storage.heap();
    }

    public Schema schema() {
        return schema;
    }

    public Option<Path> storagePathMaybe() {
        return storagePath;
    }

    public int[] livingNodeCountByKind() {
        return heap().nodeCounts();
    }

    public Object[] properties() {
        return heap().properties();
    }

    public AtomicReferenceArray<Object> inverseIndices() {
        return heap().indexes();
    }

    public GNode[][] nodesArray() {
        return heap().nodes();
    }

    public Object[] neighbors() {
        return heap().neighbors();
    }

    /** The number of nodes of a kind. Unlike the other counts, this number includes deleted nodes. */
    public int nodeCountByKind(int kind) {
        return storage.placeCount(kind);
    }

    public InitNodeIterator<GNode> _nodes(int kind) {
        return storage.nodes(kind);
    }

    public InitNodeIterator<GNode> nodes(String label) {
        int kind = schema.getNodeKindByLabel(label);
        return kind < 0 ? new InitNodeIteratorArray<>(new GNode[0]) : _nodes(kind);
    }

    public Iterator<GNode> nodes(Seq<String> labels) {
        return chain(labels.length(), i -> nodes(labels.apply(i)));
    }

    public GNode node(long id) {
        return node(GNode.extractKind(id), GNode.extractSeq(id));
    }

    public GNode node(int kind, int seq) {
        return kind < 0 || kind >= schema.getNumberOfNodeKinds() ? null : storage.node(kind, seq);
    }

    public GNode node(GNode.KindAndSeq place) {
        return node(place.kind, place.seq);
    }

    public Iterator<GNode> allNodes() {
        return chain(schema.getNumberOfNodeKinds(), this::_nodes);
    }

    public int nodeCount(String label) {
        return storage.nodeCount(schema.getNodeKindByLabel(label));
    }

    public int nodeCount() {
        int count = 0;
        for (int kind = 0; kind < schema.getNumberOfNodeKinds(); kind++) {
            count += storage.nodeCount(kind);
        }
        return count;
    }

    public Iterator<Edge> allEdges() {
        return allNodes().flatMap(node -> Accessors.getEdgesOut(node));
    }

    public int edgeCount() {
        return Math.toIntExact(storage.edgeCount());
    }

    public Iterator<GNode> nodesWithProperty(String label, String property, String value) {
        return withText(schema.getNodeKindByLabel(label), schema.getPropertyKindByName(property), value);
    }

    public Iterator<GNode> nodesWithProperty(String property, String value) {
        int propertyKind = schema.getPropertyKindByName(property);
        return chain(schema.getNumberOfNodeKinds(), kind -> withText(kind, propertyKind, value));
    }

    private Iterator<GNode> withText(int kind, int propertyKind, String value) {
        return kind < 0 || propertyKind < 0 ? Iterator$.MODULE$.empty() : storage.withText(kind, propertyKind, value);
    }

    /** A concatenation of iterators. Each iterator is made only when it is needed. */
    private static Iterator<GNode> chain(int count, IntFunction<Iterator<GNode>> part) {
        Iterator<GNode> all = Iterator$.MODULE$.empty();
        for (int i = 0; i < count; i++) {
            int number = i;
            all = all.concat(() -> part.apply(number));
        }
        return all;
    }

    public boolean isClosed() {
        return isClosed;
    }

    /**
     * Closes the graph.
     *
     * @throws varvite.joern.PersistException if changes should be kept and can't be; the graph then stays
     * open and retains all changes
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        if (storage instanceof MappedStorage mapped) {
            mapped.keepChanges();
        }
        isClosed = true;
        if (storagePath.isDefined()) {
            HeapFile.write(this, storagePath.get());
        }
        storage.close();
    }

    @Override
    public String toString() {
        return "Graph[" + nodeCount() + " nodes]";
    }

    public Map<String, Object> nodeCountByLabel() {
        Builder<Tuple2<String, Object>, Map<String, Object>> counts = Map$.MODULE$.newBuilder();
        for (int kind = 0; kind < schema.getNumberOfNodeKinds(); kind++) {
            int count = storage.nodeCount(kind);
            if (count > 0) {
                counts.addOne(new Tuple2<>(schema.getNodeLabel(kind), count));
            }
        }
        return counts.result();
    }
}
