package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.Graph;
import flatgraph.Schema;
import flatgraph.misc.ISeq;
import flatgraph.misc.InitNodeIterator;
import flatgraph.misc.MultiDictIndex;
import flatgraph.storage.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.stream.Stream;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import varvite.Direction;
import varvite.Profile;
import varvite.ffi.FlatgraphImport;

/**
 * A storage that, after each diff, writes the graph as a {@code cpg.bin}, imports this file, and opens the
 * result, so that programs that only use flatgraph read mapped files. Nodes retain their objects, because a
 * program that changes a graph may hold references to them. The previous two files stay open, for iterators
 * that were begun before the diff; earlier files are closed, because Joern's test suites make thousands of
 * graphs and close none of them.
 */
public final class RoundTrips implements Storage {
    private static final int LEFT_OPEN_MAX = 2;

    private final Schema schema;
    private final ArrayDeque<Storage> left = new ArrayDeque<>();
    private int diffs;
    private volatile Storage now;

    /** The storage of a graph that is empty or whose arrays are to be filled later. */
    public RoundTrips(Schema schema) {
        this.schema = schema;
        now = new HeapStorage(schema);
    }

    @Override
    public void apply(ResolvedDiff diff) {
        now.apply(diff);
        left.add(now);
        if (left.size() > LEFT_OPEN_MAX) {
            left.remove().close();
        }
        diffs++;
        now = reopened(diff.graph());
    }

    /** Writes and imports the graph, with alternating profiles, and opens the result. */
    private MappedStorage reopened(Graph graph) {
        Profile profile = diffs % 2 == 0 ? Profile.DIRECT : Profile.COMPACT;
        try {
            Path folder = Files.createTempDirectory("varvite-suites");
            Path written = folder.resolve("cpg.bin");
            Path file = folder.resolve("code.varvite");
            try {
                Serialization.writeGraph(graph, written, Option.empty());
                new FlatgraphImport(profile, false, 1).run(written, file);
                MappedStorage opened = MappedStorage.open(file, schema);
                opened.belongTo(graph);
                adopt(opened);
                return opened;
            } finally {
                remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes a folder with its files. A process that has mapped a file can still read it. */
    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private void adopt(MappedStorage opened) {
        for (GNode[] nodes : now.heap().nodes()) {
            for (GNode node : nodes) {
                if (!AccessHelpers.isDeleted(node)) {
                    opened.adopt(node);
                }
            }
        }
    }

    @Override
    public HeapStorage heap() {
        return now.heap();
    }

    @Override
    public int nextEdge() {
        return now.nextEdge();
    }

    @Override
    public int placeCount(int kind) {
        return now.placeCount(kind);
    }

    @Override
    public int nodeCount(int kind) {
        return now.nodeCount(kind);
    }

    @Override
    public long edgeCount() {
        return now.edgeCount();
    }

    @Override
    public GNode node(int kind, int seq) {
        return now.node(kind, seq);
    }

    @Override
    public InitNodeIterator<GNode> nodes(int kind) {
        return now.nodes(kind);
    }

    @Override
    public Iterator<GNode> neighbors(int kind, int seq, Direction direction, int edgeKind) {
        return now.neighbors(kind, seq, direction, edgeKind);
    }

    @Override
    public IndexedSeq<Edge> edges(GNode node, Direction direction, int edgeKind) {
        return now.edges(node, direction, edgeKind);
    }

    @Override
    public Object first(int kind, int property, int seq, Object absent) {
        return now.first(kind, property, seq, absent);
    }

    @Override
    public ISeq<Object> values(int kind, int property, int seq) {
        return now.values(kind, property, seq);
    }

    @Override
    public Iterator<GNode> withText(int kind, int property, String text) {
        return now.withText(kind, property, text);
    }

    @Override
    public MultiDictIndex<GNode> index(int kind, int property) {
        return now.index(kind, property);
    }

    @Override
    public void close() {
        left.forEach(Storage::close);
        now.close();
    }
}
