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
 * flatgraph's graph, in its place on the class path: the members that flatgraph-core, the classes of a schema
 * and Joern call, over a {@link Storage} that is either the heap, as in flatgraph, or a mapped
 * {@code .varvite} file.
 */
public class Graph implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Graph.class);
    /** Makes the storage of graphs that are not mapped. */
    private static Function<Schema, Storage> storages = HeapStorage::new;

    private final Schema schema;
    private final Option<Path> storagePath;
    private final Storage storage;
    private volatile boolean isClosed;

    /** An empty graph on the heap, which {@link #close} writes to {@code storagePath} if there is one. */
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
     * The graph of a file: a file of Varvite is mapped, one of flatgraph is loaded, and without a file the
     * graph is empty. For the last two, {@link #close} writes the graph; for the first it keeps the changes,
     * if {@link Persistence#asked} returns that.
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
     * Sets the treatment of changes of a mapped graph when it is closed; before the first diff is applied.
     *
     * @throws IllegalStateException if a diff was applied before, or the graph is not mapped
     * @throws varvite.joern.PersistException if the file can't be changed in that way
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

    /** Puts graphs that are made from now on into other storages than the heap: for the judge. */
    static void makeStorages(Function<Schema, Storage> storages) {
        Graph.storages = storages;
    }

    /** The storage of nodes, edges and values. */
    Storage storage() {
        return storage;
    }

    /**
     * The same in flatgraph's arrays, for callers that use them: of a mapped graph a copy, which is only for
     * reading.
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

    /** Deleted nodes included, unlike the other counts. */
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

    /** One iterator after the other, each made when it is its turn. */
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
     * @throws varvite.joern.PersistException if changes were to be kept and could not be; the graph stays
     * open then, with all of them
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
