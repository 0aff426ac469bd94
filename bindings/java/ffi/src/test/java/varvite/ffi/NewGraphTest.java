package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import varvite.Cardinality;
import varvite.Graph;
import varvite.Profile;
import varvite.TextIndex;
import varvite.TextProperty;
import varvite.ValueType;
import varvite.change.Diff;
import varvite.change.NewNode;
import varvite.change.NodeRef;
import varvite.error.ChangeException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.error.NoSuchNodeException;

/**
 * Tests that graphs that Java builds equal those that Rust builds with the same calls, and that invalid calls
 * build no graph.
 */
class NewGraphTest {
    private static final int ARGUMENT = -2;
    private static final int EXISTS = -13;
    private static final int BUSY = -14;
    private static final int UNKNOWN = -30;
    private static final int WRONG_TYPE = -32;
    private static final int OVER_BUDGET = -35;

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void begin() {
        path = folder.resolve("made.varvite");
    }

    @AfterEach
    void nothingIsHeld() {
        assertEquals(0, Call.liveHandles());
    }

    @Test
    void aGraphIsReadAsItWasMade() throws IOException {
        NewGraph graph = NewGraph.create(path);
        NewGraph.Report report;
        try (graph) {
            int app = graph.addNode("CRATE");
            int serde = graph.addNode("CRATE", "LIBRARY");
            graph.declareLabel("NOBODY");
            graph.declareEdgeLabel("NEVER");
            graph.declareProperty("SIZE", ValueType.U32, Cardinality.OPTIONAL);
            graph.set(serde, "NAME", "an older name");
            graph.set(serde, "NAME", "größe");
            graph.set(app, "NAME", (String) null);
            graph.set(serde, "DOWNLOADS", -7);
            graph.append(serde, "TAGS", "a\0b", null);
            graph.append(serde, "TAGS", "");
            graph.set(app, "NEXT", NodeRef.of(serde));
            AddedEdge self = graph.addEdge("DEPENDS_ON", serde, serde);
            graph.flush();
            AddedEdge edge = graph.addEdge("DEPENDS_ON", app, serde);
            graph.set(edge, "REQUIREMENT", "^1.0");
            graph.append(self, "BYTES", new byte[] {0, -1}, new byte[0]);
            assertEquals(new AddedEdge("DEPENDS_ON", 1), edge);
            assertEquals(2, graph.nodeCount());
            assertFalse(Files.exists(path));
            report = graph.finish();
        }
        assertEquals(2, report.nodes());
        assertEquals(2, report.edges());
        assertEquals(Files.size(path), report.fileLength());
        try (Graph open = Graph.openChecked(path)) {
            assertEquals(report.digest(), open.layers().getFirst().source());
            assertEquals("NewGraph", open.layers().getFirst().tool());
            assertEquals(List.of("CRATE", "LIBRARY", "NOBODY"), open.labels().stream().map(label -> label.name()).toList());
            assertEquals(1, open.out("DEPENDS_ON").first(0));
            assertEquals("größe", open.texts("NAME").get(1));
            assertNull(open.texts("NAME").get(0));
            assertEquals(-7, open.longs("DOWNLOADS").get(1, 0));
            assertEquals(1, open.refs("NEXT").get(0));
            assertEquals(3, open.texts("TAGS").count(1));
            TextProperty requirement = (TextProperty) open.edgeProperty("DEPENDS_ON", "REQUIREMENT");
            assertEquals("^1.0", requirement.get(0));
            assertEquals(Profile.COMPACT, open.profile());
        }
        assertThrows(GraphClosedException.class, () -> graph.addNode("CRATE"));
        assertThrows(GraphClosedException.class, () -> graph.set(0, "NAME", "x"));
        assertThrows(GraphClosedException.class, () -> graph.addEdge("DEPENDS_ON", 0, 0));
        assertThrows(GraphClosedException.class, graph::flush);
        assertThrows(GraphClosedException.class, graph::finish);
        graph.close();
    }

    @Test
    void optionsSayWhatFileItBecomes() throws IOException {
        Files.writeString(path, "another file");
        assertNumber(EXISTS, () -> NewGraph.create(path));
        NewGraphOptions options = NewGraphOptions.DEFAULT
                .withProfile(Profile.DIRECT)
                .replacing()
                .withThreads(1)
                .withMemoryBytesMax(64 << 20)
                .withTree("TREE")
                .withIndex("NAME")
                .withIndex("CODE");
        try (NewGraph graph = NewGraph.create(path, options)) {
            int child = graph.addNode("A");
            int root = graph.addNode("A");
            graph.addEdge("TREE", root, child);
            graph.set(root, "NAME", "root");
            graph.set(root, "CODE", "code");
            assertNumber(BUSY, () -> NewGraph.create(path, options));
            graph.finish();
        }
        try (Graph open = Graph.openChecked(path)) {
            assertEquals(Profile.DIRECT, open.profile());
            assertEquals("TREE", open.treeLabel().orElseThrow().name());
            assertEquals("root", open.texts("NAME").get(0));
            TextIndex index = open.textIndex("NAME").orElseThrow();
            assertEquals(0, index.first(index.find("root")));
            assertTrue(open.textIndex("CODE").isPresent());
        }
        byte[] before = Files.readAllBytes(path);
        try (NewGraph graph = NewGraph.create(path, options)) {
            graph.addNode("A");
            assertNumber(UNKNOWN, graph::finish);
        }
        assertEquals(-1, Files.mismatch(path, Files.write(folder.resolve("before"), before)));
        assertThrows(IllegalArgumentException.class, () -> NewGraphOptions.DEFAULT.withThreads(-1));
        assertThrows(IllegalArgumentException.class, () -> NewGraphOptions.DEFAULT.withMemoryBytesMax(-1));
        assertThrows(IllegalArgumentException.class, () -> NewGraph.create(path, NewGraphOptions.DEFAULT.withTree("a\0b")));
    }

    private static void assertNumber(int number, Runnable call) {
        assertEquals(number, assertThrows(EngineException.class, call::run).number());
    }

    /** The graph equals Rust's, no matter how many additions are sent at a time. */
    @TestFactory
    Stream<DynamicTest> randomGraphsAreThoseOfRust() throws IOException {
        return Files.readAllLines(Graphs.golden("made.txt")).stream().map(line -> dynamicTest(line, () -> {
            String[] words = line.split(" ");
            byte[] expected = null;
            for (long batch : new long[] {1, 200, 1 << 20}) {
                Files.deleteIfExists(path);
                try (NewGraph graph = NewGraph.create(path, NewGraphOptions.DEFAULT, batch)) {
                    new RandomNewGraph(graph, Long.parseLong(words[0])).make();
                    NewGraph.Report report = graph.finish();
                    assertEquals(line, String.join(" ", words[0], report.nodes() + "", report.edges() + "", report.digest()));
                }
                byte[] made = Files.readAllBytes(path);
                assertTrue(expected == null || java.util.Arrays.equals(expected, made), "batches of " + batch + " bytes");
                expected = made;
            }
            Graph.openChecked(path).close();
        }));
    }

    /** The binding refuses at once the invalid calls that it can find itself, and changes nothing. */
    @Test
    void whatIsNotThereIsRefusedAtOnce() throws IOException {
        String expected = made(graph -> {});
        assertEquals(expected, made(graph -> {
            assertThrows(NoSuchNodeException.class, () -> graph.addEdge("TO", 0, 2));
            assertThrows(NoSuchNodeException.class, () -> graph.addEdge("TO", -1, 0));
            assertThrows(NoSuchNodeException.class, () -> graph.set(2, "SIZE", 1));
            assertThrows(NoSuchNodeException.class, () -> graph.append(-1, "TAGS", "x"));
            assertThrows(NoSuchNodeException.class, () -> graph.set(0, "NEXT", NodeRef.of(2)));
            assertThrows(IllegalArgumentException.class, () -> graph.set(0, "NEXT", new NewNode(0)));
            assertThrows(IllegalArgumentException.class, () -> graph.set(new AddedEdge("TO", 1), "W", 1));
            assertThrows(IllegalArgumentException.class, () -> graph.set(new AddedEdge("NO", 0), "W", 1));
            assertThrows(IllegalArgumentException.class, () -> graph.set(0, "NAME", "\ud800"));
            assertThrows(IllegalArgumentException.class, () -> graph.addNode("\ud800"));
            assertThrows(NullPointerException.class, () -> graph.set(0, null, 1));
        }));
    }

    /** The digest of a small graph after {@code more} was applied to it. */
    private String made(Consumer<NewGraph> more) throws IOException {
        Files.deleteIfExists(path);
        try (NewGraph graph = small()) {
            more.accept(graph);
            return graph.finish().digest();
        }
    }

    private NewGraph small() {
        NewGraph graph = NewGraph.create(path);
        graph.addNode("A");
        graph.addNode("A");
        graph.addEdge("TO", 0, 1);
        graph.set(0, "SIZE", 3);
        graph.append(1, "TAGS", "a");
        return graph;
    }

    /** An error that only the engine finds has the number of the operation, and no file is written. */
    @Test
    void whatMakesNoSenseIsToldWhenItIsSent() {
        assertRefused(WRONG_TYPE, "SIZE", graph -> graph.set(0, "SIZE", "large"));
        assertRefused(ARGUMENT, "no list", graph -> graph.append(0, "SIZE", 1));
        assertRefused(ARGUMENT, "lists", graph -> graph.set(0, "TAGS", "x"));
        assertRefused(WRONG_TYPE, "TAGS", graph -> graph.append(0, "TAGS", 1));
        assertRefused(WRONG_TYPE, "SIZE", graph -> graph.declareProperty("SIZE", ValueType.I32, Cardinality.OPTIONAL));
        assertRefused(ARGUMENT, "expected a name", graph -> graph.addNode(""));
        assertRefused(ARGUMENT, "NUL", graph -> graph.addEdge("A\0", 0, 0));
        assertRefused(ARGUMENT, "declaration", graph -> graph.set(0, "EMPTY", (String) null));
    }

    private void assertRefused(int number, String words, Consumer<NewGraph> call) {
        try (NewGraph graph = small()) {
            graph.flush();
            call.accept(graph);
            graph.addNode("A");
            ChangeException refused = assertThrows(ChangeException.class, graph::finish);
            assertEquals(5, refused.operation(), refused.getMessage());
            assertEquals(number, refused.number(), refused.getMessage());
            assertTrue(refused.getMessage().contains(words), refused.getMessage());
            assertSame(refused, assertThrows(GraphClosedException.class, () -> graph.addNode("A")).getCause());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void aGraphThatIsClosedLeavesNothing() throws IOException {
        small().close();
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
        try (NewGraph empty = NewGraph.create(path)) {
            assertNumber(ARGUMENT, empty::finish);
        }
        assertNumber(-10, () -> NewGraph.create(folder.resolve("none/made.varvite")));
        assertThrows(IllegalArgumentException.class, () -> NewGraph.create(Path.of("\ud800")));
    }

    @Test
    void afterTooLittleMemoryThereIsNoGraph() {
        try (NewGraph graph = NewGraph.create(path, NewGraphOptions.DEFAULT.withMemoryBytesMax(100_000))) {
            EngineException full = assertThrows(EngineException.class, () -> {
                for (int i = 0; i < 1_000_000; i++) {
                    graph.addNode();
                }
            });
            assertEquals(OVER_BUDGET, full.number());
            assertSame(full, assertThrows(GraphClosedException.class, graph::finish).getCause());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void threadsAddToOneGraph() throws Exception {
        int threads = 4;
        int each = 5_000;
        try (NewGraph graph = NewGraph.create(path, NewGraphOptions.DEFAULT, 1 << 12)) {
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(Thread.ofPlatform().uncaughtExceptionHandler((thread, e) -> failures.add(e)).start(() -> {
                    for (int added = 0; added < each; added++) {
                        int node = graph.addNode("A");
                        AddedEdge edge = graph.addEdge("SELF", node, node);
                        graph.set(edge, "NODE", NodeRef.of(node));
                    }
                }));
            }
            for (Thread thread : running) {
                thread.join();
            }
            assertEquals(List.of(), failures);
            NewGraph.Report report = graph.finish();
            assertEquals(threads * each, report.nodes());
            assertEquals(threads * each, report.edges());
        }
        try (Graph open = Graph.openChecked(path)) {
            var self = open.out("SELF");
            for (int node = 0; node < threads * each; node++) {
                assertEquals(node, self.first(node));
            }
        }
    }

    /**
     * Changes the finished graph with a diff, in which new nodes differ from ids of the graph.
     */
    @Test
    void aGraphThatWasMadeIsChanged() throws IOException {
        made(graph -> {});
        Diff diff = new Diff();
        NewNode added = diff.addNode("A");
        diff.addEdge("TO", 1, added);
        Applied applied = GraphChange.of(path).apply(diff);
        try (Graph open = Graph.openChecked(path)) {
            assertEquals(applied.node(added), open.out("TO").first(1));
        }
    }
}
