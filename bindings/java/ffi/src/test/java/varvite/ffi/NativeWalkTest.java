package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import varvite.Direction;
import varvite.Graph;
import varvite.Profile;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.error.WalkException;
import varvite.testing.Allocation;
import varvite.walk.Arena;
import varvite.walk.Counts;
import varvite.walk.Evaluator;
import varvite.walk.Hop;
import varvite.walk.Order;
import varvite.walk.Run;
import varvite.walk.Uniqueness;
import varvite.walk.Visit;
import varvite.walk.Walk;
import varvite.walk.WalkPath;
import varvite.walk.Within;

/**
 * Tests that the engine returns the same results as a run in Java, in the same order, and tests the other
 * properties of walks in the engine.
 */
class NativeWalkTest {
    private static final int WALKS = 60;
    private static final int RESULTS_MAX = 3000;
    private static final long MEMORY = 256 << 20;
    private static final Hop TREE = Hop.out("AST");

    /** Walks through the code graph of zlib, golden files, and graphs that random diffs have changed. */
    @TestFactory
    Stream<DynamicTest> bothGiveTheSameSequence() throws IOException {
        List<Path> files = new ArrayList<>(List.of(Graphs.of(Profile.DIRECT), Graphs.of(Profile.COMPACT), Graphs.of(Profile.ARCHIVE)));
        files.add(Graphs.golden("blocks.compact.varvite"));
        files.add(Graphs.golden("awkward.direct.varvite"));
        String histories = System.getProperty("varvite.histories", "");
        if (!histories.isEmpty()) {
            try (Stream<Path> written = Files.list(Path.of(histories))) {
                written.filter(file -> file.toString().endsWith(".varvite")).sorted().forEach(files::add);
            }
        }
        return files.stream().map(file -> dynamicTest(file.getFileName().toString(), () -> compare(file)));
    }

    private static void compare(Path file) throws IOException {
        try (Graph graph = Graph.open(file);
                NativeGraph engine = NativeGraph.open(file, false)) {
            if (graph.nodeCount() == 0 || graph.edgeLabels().isEmpty() || graph.labels().isEmpty()) {
                return;
            }
            RandomWalk random = new RandomWalk(graph, file.getFileName().toString().hashCode());
            Arena arena = new Arena(MEMORY);
            for (int number = 0; number < WALKS; number++) {
                compare(graph, engine, arena, random.next(), random.starts());
            }
        }
    }

    private static void compare(Graph graph, NativeGraph engine, Arena arena, Walk walk, int[] starts) {
        Run run;
        try {
            run = walk.compile(graph).run(arena).from(starts);
        } catch (WalkException e) {
            EngineException same = assertThrows(EngineException.class, () -> engine.walk(walk));
            assertEquals(e.number(), same.number());
            assertEquals(e.getMessage(), same.getMessage());
            return;
        }
        run.allowPart();
        try (NativeWalk all = engine.walk(walk, MEMORY, 64).from(starts);
                NativeWalk each = engine.walk(walk, MEMORY, 1).from(starts)) {
            WalkPath path = new WalkPath();
            int results = 0;
            // The two walks may reach their memory limits at different results. Up to the earlier end, their
            // results must be equal.
            while (results < RESULTS_MAX && run.next()) {
                assertTrue(all.next() && each.next(), walk.toJson());
                assertSame(run.visit(), all, walk);
                assertSame(run.visit(), each, walk);
                run.visit().path(path);
                assertArrayEquals(ints(path), each.path(), walk.toJson());
                results++;
            }
            if (results < RESULTS_MAX && run.stoppedBy().isEmpty()) {
                assertFalse(all.next() || each.next() || run.next(), walk.toJson());
                assertEquals(run.counts(), all.counts(), walk.toJson());
                long first = all.from(starts).next() ? 1 : 0;
                assertEquals(results, first + all.count(), walk.toJson());
                assertFalse(all.next(), walk.toJson());
                assertEquals(run.counts(), all.counts(), walk.toJson());
            }
        }
    }

    private static void assertSame(Visit expected, NativeWalk found, Walk walk) {
        assertEquals(expected.node(), found.node(), walk.toJson());
        assertEquals(expected.parent(), found.parent());
        assertEquals(expected.depth(), found.depth());
        assertEquals(expected.edgeLabel() == null ? -1 : expected.edgeLabel().id(), found.edgeLabel());
        assertEquals(expected.direction(), found.direction());
        assertEquals(expected.edgeRank(), found.edgeRank(), walk.toJson());
        assertEquals(expected.cost(), found.cost());
    }

    /** A path in the form in which the engine returns it. */
    private static int[] ints(WalkPath path) {
        int[] ints = new int[3 * path.size()];
        for (int i = 0; i < path.size(); i++) {
            ints[3 * i] = path.node(i);
            ints[3 * i + 1] = path.edgeLabel(i) == null ? -1 : path.edgeLabel(i).id();
            ints[3 * i + 2] = path.direction(i) == null ? -1 : path.direction(i) == Direction.OUT ? 0 : 1;
        }
        return ints;
    }

    @Test
    void oneWalkServesForManyAndAllocatesNothing() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeWalk walk = graph.walk(Walk.depthFirst().hop(Hop.both()))) {
            int[] starts = {0, 1};
            long expected = walk.from(starts).count();
            assertTrue(expected > 10_000);
            double bytes = Allocation.perCall(20, i -> walk.from(starts).count() - expected);
            assertTrue(!Allocation.isCounted() || bytes == 0, bytes + " bytes");
            Counts counts = walk.counts();
            assertEquals(expected, counts.results());
        }
        assertEquals(0, Call.liveHandles());
    }

    @Test
    void whatEndsAWalkEarlyIsToldAfterItsResults() {
        Walk endless = Walk.inOrder(Order.BREADTH_FIRST).hop(Hop.both()).unique(Uniqueness.NONE);
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            try (NativeWalk walk = graph.walk(endless, 1 << 16, 100).from(0)) {
                assertEquals(-35, assertThrows(EngineException.class, walk::count).number());
                assertFalse(walk.next());
                assertTrue(walk.from(0).next());
            }
            try (NativeWalk walk = graph.walk(endless.timeLimit(Duration.ofMillis(1)).evaluator(Evaluator.atDepth(1_000_000))).from(0)) {
                int number = assertThrows(EngineException.class, walk::next).number();
                assertTrue(number == -36 || number == -35, () -> "" + number);
            }
            try (NativeWalk walk = graph.walk(endless).from(0)) {
                walk.cancel();
                assertEquals(-36, assertThrows(EngineException.class, walk::count).number());
                assertTrue(walk.from(0).next());
            }
        }
    }

    @Test
    void mistakesAreToldByTheEngine() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            assertEquals(-30, assertThrows(EngineException.class, () -> graph.walk(Walk.depthFirst().hop(Hop.out("ASTT")))).number());
            assertEquals(-34, assertThrows(EngineException.class, () -> graph.walk("{}", 0, 1)).number());
            assertThrows(IllegalArgumentException.class, () -> graph.walk(Walk.depthFirst(), -1, 1));
            assertThrows(IllegalArgumentException.class, () -> graph.walk(Walk.depthFirst(), 0, 0));
            NativeWalk walk = graph.walk(Walk.depthFirst().hop(TREE).unique(Uniqueness.edges(Within.WALK)));
            assertFalse(walk.next());
            assertThrows(IllegalStateException.class, walk::node);
            assertEquals(-31, assertThrows(EngineException.class, () -> walk.from(Graphs.NODES)).number());
            assertTrue(walk.from(0).next());
            assertThrows(IllegalStateException.class, walk::path);
            walk.close();
            assertThrows(GraphClosedException.class, walk::node);
            assertThrows(GraphClosedException.class, walk::next);
            assertThrows(GraphClosedException.class, () -> walk.from(0));
        }
        assertEquals(0, Call.liveHandles());
    }
}
