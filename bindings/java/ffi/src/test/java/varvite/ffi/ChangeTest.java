package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.Cardinality;
import varvite.Graph;
import varvite.Identity;
import varvite.OpenMode;
import varvite.Origin;
import varvite.ValueType;
import varvite.change.Diff;
import varvite.change.EdgeRef;
import varvite.change.NewEdge;
import varvite.change.NewNode;
import varvite.change.NodeRef;
import varvite.error.ChangeException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.error.ReplacedFileException;

/**
 * Tests that a diff from Java has the same effect as a diff from Rust, whose files are in
 * {@code conformance/files/sent}, and that a refused diff changes nothing.
 */
class ChangeTest {
    private static final int ARGUMENT = -2;
    private static final int BUSY = -14;
    private static final int REPLACED = -18;
    private static final int UNKNOWN = -30;
    private static final int NO_SUCH_NODE = -31;
    private static final int WRONG_TYPE = -32;

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void begin() throws IOException {
        path = folder.resolve("change.varvite");
        Files.copy(Graphs.golden("sent/before.varvite"), path);
    }

    @AfterEach
    void nothingIsHeld() {
        assertEquals(0, Call.liveHandles());
    }

    private void assertGolden(String name) throws IOException {
        assertEquals(-1, Files.mismatch(Graphs.golden("sent/" + name), path), name);
    }

    private void beginAgain() throws IOException {
        Files.delete(path);
        begin();
    }

    private static byte[] sent(Diff diff) {
        byte[] bytes = new byte[(int) diff.byteSize()];
        diff.copyTo(MemorySegment.ofArray(bytes));
        return bytes;
    }

    /**
     * Adds the operations of {@code crates/varvite/tests/conformance/sent.rs} to a diff, and returns the
     * edges that they add.
     */
    private static List<NewEdge> everyOperation(Diff diff) {
        diff.declareLabel("SITE");
        diff.declareEdgeLabel("AT");
        for (ValueType type : ValueType.values()) {
            diff.declareProperty(type.toString(), type, Cardinality.LIST);
        }
        diff.declareEdgeProperty("AT", "WEIGHT", ValueType.F64, Cardinality.OPTIONAL);
        NewNode site = diff.addNode("METHOD", "SITE");
        NewNode plain = diff.addNode();
        NewEdge call = diff.addEdge("CALL", 0, site);
        NewEdge at = diff.addEdge("AT", site, plain);
        NewEdge other = diff.addEdge("AT", 3, 4);
        NewEdge leftOut = diff.addEdge("AT", 5, 1);
        diff.set(at, "WEIGHT", 0.5);
        diff.set(new EdgeRef("CALL", 0), "LINE", 7);
        diff.declareEdgeProperty("CALL", "LINE", ValueType.I32, Cardinality.OPTIONAL);
        diff.set(site, "NAME", "größe");
        diff.set(1, "NAME", "other");
        diff.clear(0, "NAME");
        diff.append(2, "i64", 1, 2);
        diff.append(2, "i64", 3);
        diff.set(site, "bool", true, false);
        diff.set(site, "i8", Byte.MIN_VALUE, Byte.MAX_VALUE);
        diff.set(site, "i16", Short.MIN_VALUE, Short.MAX_VALUE);
        diff.set(site, "i32", Integer.MIN_VALUE, Integer.MAX_VALUE);
        diff.set(site, "i64", Long.MIN_VALUE, Long.MAX_VALUE);
        diff.set(site, "u8", 0, 255);
        diff.set(site, "u16", 0, 65_535);
        diff.set(site, "u32", 0, 0xffff_ffffL);
        diff.setUnsigned(site, "u64", 0, -1);
        diff.set(site, "f32", 0.5, -0.0);
        diff.set(site, "f64", 0.1, Double.POSITIVE_INFINITY);
        diff.set(site, "string", "", null, "a\0b");
        diff.set(site, "bytes", new byte[] {0, -1}, null, new byte[0]);
        diff.set(site, "ref", NodeRef.of(0), plain, null);
        diff.removeEdge("CALL", 2);
        diff.removeNode(5);
        diff.removeNode(5);
        return List.of(call, at, other, leftOut);
    }

    @Test
    void everyOperationChangesWhatItChangesFromRust() throws IOException {
        Diff diff = new Diff();
        List<NewEdge> edges = everyOperation(diff);
        assertArrayEquals(Files.readAllBytes(Graphs.golden("sent/every-operation.diff")), sent(diff));
        Applied applied = GraphChange.of(path).apply(diff);
        assertGolden("after.varvite");
        assertEquals(6, applied.firstNode());
        assertEquals(7, applied.node(new NewNode(1)));
        List<OptionalInt> ranks = edges.stream().map(applied::edge).toList();
        assertEquals(List.of(OptionalInt.of(5), OptionalInt.of(0), OptionalInt.of(1), OptionalInt.empty()), ranks);
        assertEquals(2, applied.generation());
        assertEquals(0, applied.record());
        assertEquals(Files.size(path), applied.fileLength());
        assertTrue(applied.written() > 0 && applied.toString().contains("2 new nodes from 6"), applied.toString());
        assertThrows(IllegalArgumentException.class, () -> applied.node(new NewNode(2)));
        assertThrows(IllegalArgumentException.class, () -> applied.edge(new NewEdge(4)));
    }

    /** The memory limit is so small that the engine writes operations to a temporary file. */
    @Test
    void littleMemoryGivesTheSameFile() throws IOException {
        Diff diff = new Diff();
        everyOperation(diff);
        for (int edge = 0; edge < 20_000; edge++) {
            diff.addEdge("CALL", edge % 5, edge * 7 % 5);
        }
        GraphChange.of(path).apply(diff);
        byte[] expected = Files.readAllBytes(path);
        beginAgain();
        GraphChange.of(path).withMemoryBytes(1 << 16).apply(diff);
        assertArrayEquals(expected, Files.readAllBytes(path));
        beginAgain();
        GraphChange.of(path).goingWithoutLocks().apply(diff);
        assertArrayEquals(expected, Files.readAllBytes(path));
        assertThrows(IllegalArgumentException.class, () -> GraphChange.of(path).withMemoryBytes(-1));
    }

    /** An open graph keeps its state after a commit; a graph that is opened afterwards has the commit. */
    @Test
    void aGraphThatIsOpenStaysAsItWas() throws IOException {
        Diff diff = new Diff();
        NewNode node = diff.addNode("METHOD");
        diff.addEdge("CALL", 0, node);
        diff.set(node, "NAME", "new");
        try (Graph before = Graph.open(path)) {
            int id = GraphChange.of(path).apply(diff).node(node);
            assertEquals(6, before.nodeCount());
            assertArrayEquals(new int[] {1}, before.out("CALL").neighbors(0).toArray());
            try (Graph after = Graph.open(path)) {
                assertEquals(7, after.nodeCount());
                assertArrayEquals(new int[] {1, id}, after.out("CALL").neighbors(0).toArray());
                assertEquals("new", after.texts("NAME").get(id));
            }
        }
    }

    /** In C, a name would end at a NUL. */
    @Test
    void namesThatAGraphCannotHaveAreRefused() throws IOException {
        byte[] before = Files.readAllBytes(path);
        for (String name : List.of("", "A\0B", "\0")) {
            for (Consumer<Diff> declare : List.<Consumer<Diff>>of(
                    diff -> diff.declareLabel(name),
                    diff -> diff.declareEdgeLabel(name),
                    diff -> diff.declareProperty(name, ValueType.I64, Cardinality.OPTIONAL))) {
                Diff diff = new Diff();
                declare.accept(diff);
                GraphChange change = GraphChange.of(path);
                assertEquals(ARGUMENT, assertThrows(ChangeException.class, () -> change.apply(diff)).number());
            }
            GraphChange change = GraphChange.of(path);
            var refused = assertThrows(RuntimeException.class, () -> change.addLayer(LayerSpec.of(name, "", ""), layer()));
            assertEquals(name.isEmpty() ? EngineException.class : IllegalArgumentException.class, refused.getClass());
        }
        assertArrayEquals(before, Files.readAllBytes(path));
    }

    /**
     * A diff for a state of the file is accepted only in this state: not after another commit or record of a
     * log, and not if another file has the name.
     */
    @Test
    void aDiffForAnotherStateOfTheFileIsRefused() throws IOException {
        Identity seen = identity();
        GraphChange.of(path).madeFor(seen).apply(smallCommit(0));
        assertRefusedFor(seen);
        Identity committed = identity();
        try (GraphLog log = GraphChange.of(path).log()) {
            log.commit(smallCommit(1));
            assertEquals(committed.generation(), identity().generation());
            assertNotEquals(committed, identity());
        }
        assertRefusedFor(committed);
        GraphChange.of(path).madeFor(identity()).addLayer(LayerSpec.of("heap", "", ""), layer());
    }

    private Identity identity() throws IOException {
        try (Graph graph = Graph.open(path)) {
            return graph.identity();
        }
    }

    private void assertRefusedFor(Identity seen) throws IOException {
        byte[] before = Files.readAllBytes(path);
        GraphChange change = GraphChange.of(path).madeFor(seen);
        assertEquals(REPLACED, assertThrows(EngineException.class, () -> change.apply(smallCommit(0))).number());
        assertEquals(REPLACED, assertThrows(EngineException.class, () -> change.addLayer(LayerSpec.of("x", "", ""), layer())).number());
        assertArrayEquals(before, Files.readAllBytes(path));
    }

    /** Removes an appended node at different times and with removals that are stored in different ways. */
    @Test
    void aNodeThatWasAppendedAndWentKeepsItsNumber() throws IOException {
        int nodes;
        int count;
        try (Graph graph = Graph.open(path)) {
            nodes = graph.nodeCount();
            count = graph.origin(graph.label("METHOD")).count();
        }
        Diff diff = new Diff();
        for (int i = 0; i < 4; i++) {
            diff.addNode("METHOD");
        }
        diff.removeNode(nodes + 1);
        GraphChange.of(path).apply(diff);
        assertNumbers(count, nodes, -1, nodes + 2, nodes + 3);
        try (GraphLog log = GraphChange.of(path).log()) {
            Diff later = new Diff();
            later.removeNode(nodes + 2);
            later.addNode("METHOD");
            later.addNode("METHOD");
            later.removeNode(nodes + 4);
            log.commit(later);
            assertNumbers(count, nodes, -1, -1, nodes + 3, -1, nodes + 5);
        }
        assertNumbers(count, nodes, -1, -1, nodes + 3, -1, nodes + 5);
    }

    private void assertNumbers(int first, int... expected) throws IOException {
        try (Graph graph = Graph.open(path)) {
            Origin origin = graph.origin(graph.label("METHOD"));
            int[] found = IntStream.range(first, origin.count()).map(origin::node).toArray();
            assertArrayEquals(expected, found);
            for (int i = 0; i < found.length; i++) {
                assertTrue(found[i] < 0 || origin.number(found[i]) == first + i);
            }
        }
    }

    @Test
    void aGraphMovesOnToTheNewestCommit() throws IOException {
        for (OpenMode mode : OpenMode.values()) {
            beginAgain();
            Graph graph = Graph.open(path, mode);
            assertTrue(graph.refresh().isEmpty());
            GraphChange.of(path).apply(smallCommit(0));
            graph = movedOn(graph, 7);
            try (GraphLog log = GraphChange.of(path).log()) {
                log.commit(smallCommit(1));
                graph = movedOn(graph, 8);
                log.commit(smallCommit(1));
                log.commit(smallCommit(2));
                graph = movedOn(graph, 10);
                assertEquals(3, graph.log().records());
            }
            // A full commit of the same graph has replaced the log.
            graph = movedOn(graph, 10);
            Path other = Files.copy(path, folder.resolve("other.varvite"));
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            assertEquals(REPLACED, assertThrows(ReplacedFileException.class, graph::refresh).number());
            assertEquals("new", graph.texts("NAME").get(9));
            graph.close();
            assertThrows(GraphClosedException.class, graph::refresh);
        }
    }

    /** Refreshes a graph and returns the new graph. The old graph keeps its state until it is closed. */
    private static Graph movedOn(Graph graph, int nodes) throws IOException {
        int before = graph.nodeCount();
        Graph newest = graph.refresh().orElseThrow();
        assertEquals(before, graph.nodeCount());
        assertEquals(nodes, newest.nodeCount());
        assertTrue(newest.refresh().isEmpty());
        graph.close();
        return newest;
    }

    private static Diff layer() {
        Diff diff = new Diff();
        diff.declareLabel("SITE");
        diff.declareEdgeLabel("AT");
        diff.declareProperty("BYTES", ValueType.U64, Cardinality.OPTIONAL);
        NewNode site = diff.addNode("SITE");
        diff.set(site, "BYTES", 4096);
        diff.addEdge("AT", site, 3);
        diff.addEdge("AT", 2, site);
        return diff;
    }

    private List<String> layers() throws IOException {
        try (Graph graph = Graph.open(path)) {
            return graph.layers().stream().map(layer -> layer.name()).toList();
        }
    }

    @Test
    void aLayerComesAndGoes() throws IOException {
        List<String> before = layers();
        GraphChange change = GraphChange.of(path);
        LayerSpec heap = new LayerSpec("heap", "profiler", "1.5", "ab".repeat(32));
        Applied applied = change.addLayer(heap, layer());
        assertGolden("layered.varvite");
        assertEquals(OptionalInt.of(1), applied.edge(new NewEdge(0)));
        assertEquals(OptionalInt.of(0), applied.edge(new NewEdge(1)));
        assertTrue(layers().contains("heap"));
        change.addLayer(heap, layer());
        EngineException unknown = assertThrows(EngineException.class, () -> change.dropLayers("heap", "stack"));
        assertEquals(UNKNOWN, unknown.number());
        change.dropLayers("heap");
        assertEquals(before, layers());

        Diff removing = layer();
        removing.removeNode(1);
        ChangeException refused =
                assertThrows(ChangeException.class, () -> change.addLayer(LayerSpec.of("heap", "profiler", "1.5"), removing));
        assertEquals(7, refused.operation());
        assertEquals(ARGUMENT, refused.number());
        assertEquals("VARVITE_E_ARGUMENT", refused.codeName());
        EngineException part = assertThrows(EngineException.class, () -> change.dropLayers(before.getFirst()));
        assertEquals(ARGUMENT, part.number());
        assertThrows(IllegalArgumentException.class, () -> new LayerSpec("heap", "", "", "ab"));
        assertThrows(IllegalArgumentException.class, () -> new LayerSpec("heap", "", "", "no".repeat(32)));
        assertThrows(IllegalArgumentException.class, () -> change.dropLayers("a\0b"));
    }

    private static Diff smallCommit(int from) {
        Diff diff = new Diff();
        NewNode node = diff.addNode("METHOD");
        diff.addEdge("CALL", from, node);
        diff.set(node, "NAME", "new");
        return diff;
    }

    @Test
    void smallCommitsGoToALog() throws IOException {
        GraphLog log = GraphChange.of(path).log();
        try (log) {
            assertEquals(1, log.commit(smallCommit(0)).record());
            ChangeException refused = assertThrows(ChangeException.class, () -> log.commit(smallCommit(99)));
            assertEquals(1, refused.operation());
            assertEquals(NO_SUCH_NODE, refused.number());
            Applied second = log.commit(smallCommit(1), Durability.BUFFERED);
            assertEquals(2, second.record());
            assertEquals(7, second.firstNode());
            assertGolden("logged.varvite");
            assertEquals(2, log.records());
            try (Graph graph = Graph.open(path)) {
                assertEquals(8, graph.nodeCount());
                assertEquals(2, graph.log().records());
            }
            log.sync();
        }
        assertGolden("closed.varvite");
        log.close();
        assertThrows(GraphClosedException.class, () -> log.commit(smallCommit(0)));
        assertThrows(GraphClosedException.class, log::records);
        assertThrows(GraphClosedException.class, log::sync);
    }

    @Test
    void aCheckpointReplacesTheLog() throws IOException {
        try (GraphLog log = GraphChange.of(path).log(1 << 20)) {
            log.commit(smallCommit(0));
            log.checkpoint();
            assertEquals(0, log.records());
            assertEquals(path, log.path());
        }
        assertThrows(IllegalArgumentException.class, () -> GraphChange.of(path).log(-1));
    }

    /** The error of a second writer names the first writer, which continues. */
    @Test
    void twoWritersAtOnceAreRefused() throws IOException {
        try (GraphLog log = GraphChange.of(path).log()) {
            assertBusy(() -> GraphChange.of(path).apply(smallCommit(0)));
            assertBusy(() -> GraphChange.of(path).addLayer(LayerSpec.of("heap", "", ""), layer()));
            assertBusy(() -> GraphChange.of(path).dropLayers("heap"));
            assertBusy(() -> GraphChange.of(path).log());
            log.commit(smallCommit(0));
        }
        GraphChange.of(path).apply(smallCommit(0));
    }

    private void assertBusy(Runnable write) {
        EngineException busy = assertThrows(EngineException.class, write::run);
        assertEquals(BUSY, busy.number());
        assertTrue(busy.getMessage().contains("change.varvite"), busy.getMessage());
    }

    @Test
    void threadsCommitToOneLog() throws Exception {
        int threads = 4;
        int commits = 25;
        try (GraphLog log = GraphChange.of(path).log()) {
            List<Thread> running = new ArrayList<>();
            List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < threads; i++) {
                running.add(Thread.ofPlatform().uncaughtExceptionHandler((thread, e) -> failures.add(e)).start(() -> {
                    for (int commit = 0; commit < commits; commit++) {
                        log.commit(smallCommit(commit % 6), commit % 2 == 0 ? Durability.SYNC : Durability.BUFFERED);
                    }
                }));
            }
            for (Thread thread : running) {
                thread.join();
            }
            assertEquals(List.of(), failures);
            assertEquals(threads * commits, log.records());
        }
        try (Graph graph = Graph.open(path)) {
            assertEquals(6 + threads * commits, graph.nodeCount());
            assertEquals(5 + threads * commits, graph.edgeLabel("CALL").edges());
        }
    }

    /** The error for an invalid operation has the operation's number, and the file keeps its bytes. */
    @Test
    void whatMakesNoSenseIsToldWithItsNumber() throws IOException {
        assertRefused(NO_SUCH_NODE, "no node 6", diff -> diff.addEdge("CALL", 2, 6));
        assertRefused(NO_SUCH_NODE, "no node 99", diff -> diff.removeNode(99));
        assertRefused(NO_SUCH_NODE, "no node 99", diff -> diff.clear(99, "NAME"));
        assertRefused(ARGUMENT, "rank 5", diff -> diff.removeEdge("CALL", 5));
        assertRefused(WRONG_TYPE, "NAME", diff -> diff.set(0, "NAME", 1));
        assertRefused(WRONG_TYPE, "NAME", diff -> diff.set(0, "NAME", NodeRef.of(1)));
        assertRefused(ARGUMENT, "is not a list", diff -> diff.append(0, "NAME", "more"));
        assertRefused(ARGUMENT, "is not a list", diff -> diff.set(0, "NAME", "one", "two"));
        assertRefused(UNKNOWN, "CALLS", diff -> diff.addEdge("CALLS", 0, 1));
        assertRefused(UNKNOWN, "METHODS", diff -> diff.addNode("METHODS"));
        assertRefused(UNKNOWN, "NAM", diff -> diff.set(0, "NAM", "x"));
        assertRefused(ARGUMENT, "another diff", diff -> diff.addEdge("CALL", 0, new NewNode(1)));
        assertRefused(ARGUMENT, "another diff", diff -> diff.addEdge("CALL", 0, new NewNode(-1)));
        assertRefused(ARGUMENT, "exists already", diff -> diff.declareProperty("NAME", ValueType.I64, Cardinality.LIST));
        Diff removing = new Diff();
        removing.removeNode(5);
        GraphChange.of(path).apply(removing);
        ChangeException removed = assertThrows(ChangeException.class, () -> GraphChange.of(path).apply(removing));
        assertEquals(0, removed.operation());
        assertTrue(removed.getMessage().contains("node 5 is removed"), removed.getMessage());
    }

    private void assertRefused(int number, String words, Consumer<Diff> operation) throws IOException {
        Diff diff = smallCommit(0);
        operation.accept(diff);
        diff.addEdge("CALL", 1, 1);
        ChangeException refused = assertThrows(ChangeException.class, () -> GraphChange.of(path).apply(diff));
        assertEquals(3, refused.operation(), refused.getMessage());
        assertEquals(number, refused.number(), refused.getMessage());
        assertTrue(refused.getMessage().contains(words), refused.getMessage());
        assertGolden("before.varvite");
    }

    @Test
    void whatIsNoGraphIsRefused() {
        assertEquals(-10, assertThrows(EngineException.class, () -> GraphChange.of(folder.resolve("none")).apply(new Diff())).number());
        assertThrows(EngineException.class, () -> GraphChange.of(folder).apply(smallCommit(0)));
        assertThrows(EngineException.class, () -> GraphChange.of(Graphs.SOURCE).log());
    }

    /**
     * The engine applies arbitrary bytes as a diff, or refuses them as an invalid argument. The process does
     * not crash, and the file is unchanged or valid.
     */
    @Test
    void anyBytesAreADiffOrRefused() throws IOException {
        byte[] golden = Files.readAllBytes(Graphs.golden("sent/every-operation.diff"));
        Random random = new Random(1);
        int refused = 0;
        for (int round = 0; round < 600; round++) {
            byte[] bytes = golden.clone();
            IntStream.rangeClosed(0, random.nextInt(3)).forEach(edit -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt());
            if (round % 4 == 0) {
                random.nextBytes(bytes);
            } else if (round % 4 == 1) {
                // Counts that claim four billion items.
                java.util.Arrays.fill(bytes, 8 + random.nextInt(bytes.length - 12), bytes.length, (byte) -1);
            }
            int status = send(bytes);
            if (status < 0) {
                refused++;
                assertFalse(status == -1 || status == -17, "status " + status + " in round " + round);
                assertGolden("before.varvite");
            } else {
                try (Graph graph = Graph.openChecked(path)) {
                    assertTrue(graph.nodeCount() >= 6);
                }
                beginAgain();
            }
        }
        assertTrue(refused > 300, refused + " refused");
    }

    private int send(byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            MemorySegment applied = arena.allocate(SentDiff.APPLIED_BYTES, Long.BYTES);
            return (int) Call.APPLY_BYTES.invokeExact(
                    Words.name(arena, "the path", path.toString()),
                    sent,
                    sent.byteSize(),
                    MemorySegment.NULL,
                    applied,
                    SentDiff.APPLIED_BYTES,
                    MemorySegment.NULL,
                    0L,
                    Call.error(arena));
        } catch (Throwable e) {
            throw Call.wrapped(e);
        }
    }
}
