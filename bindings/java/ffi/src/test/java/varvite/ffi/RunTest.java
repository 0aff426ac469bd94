package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import varvite.Graph;
import varvite.IntList;
import varvite.Profile;
import varvite.TextProperty;
import varvite.error.CancelledException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.pipeline.Key;
import varvite.pipeline.Pipeline;
import varvite.testing.ThreadTime;

/** Tests of runs of pipelines that are passed as plans. */
class RunTest {
    private static final String CALLERS =
            """
            {"version": 1, "steps": [
              {"step": "nodes", "labels": ["METHOD"]},
              {"step": "has", "property": "NAME", "is": {"eq": "inflate"}},
              {"step": "in", "labels": ["CALL"]}]}
            """;

    @Test
    void aPipelineGivesWhatALoopGives() throws IOException {
        IntList expected = new IntList();
        try (Graph graph = Graph.open(Graphs.of(Profile.DIRECT))) {
            TextProperty name = graph.texts("NAME");
            var methods = graph.nodes("METHOD");
            for (int method = methods.next(0); method >= 0; method = methods.next(method + 1)) {
                if ("inflate".equals(name.get(method))) {
                    graph.in("CALL").append(method, expected);
                }
            }
        }
        assertTrue(expected.size() > 0);
        for (Profile profile : Profile.values()) {
            try (NativeGraph graph = NativeGraph.open(Graphs.of(profile), false);
                    NativeRun run = graph.run(CALLERS)) {
                assertTrue(run.next());
                assertEquals(NativeRun.Kind.NODES, run.kind());
                int[] nodes = new int[run.rows()];
                assertEquals(expected.size(), run.copyNodes(nodes));
                for (int row = 0; row < nodes.length; row++) {
                    assertEquals(expected.get(row), nodes[row]);
                    assertEquals(nodes[row], run.node(row));
                }
                assertFalse(run.next());
                assertThrows(IllegalStateException.class, () -> run.node(0));
            }
        }
    }

    @Test
    void sidesGiveWhatPassed() {
        Pipeline callers = Pipeline.nodes("CALL").side("calls").groupCount(Key.property("NAME")).limit(1);
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false);
                NativeRun run = graph.run(callers)) {
            assertFalse(run.side("calls"));
            assertTrue(run.next());
            assertEquals(NativeRun.Kind.TABLE, run.kind());
            assertTrue(run.side("calls"));
            assertEquals(NativeRun.Kind.NODES, run.kind());
            assertEquals(14910, run.rows());
            assertEquals(run.node(0), run.numbers(0)[0]);
            EngineException unknown = assertThrows(EngineException.class, () -> run.side("methods"));
            assertTrue(unknown.getMessage().contains("no step `side` named \"methods\""), unknown.getMessage());
            assertFalse(run.next());
            assertFalse(run.side("calls"));
        }
    }

    @Test
    void nodesAreIteratedInEveryWay() {
        String plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"CALL\"]},{\"step\":\"out\",\"labels\":[\"ARGUMENT\"]}]}";
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            IntList expected = new IntList();
            try (NativeRun run = graph.run(plan)) {
                while (run.next()) {
                    for (int row = 0; row < run.rows(); row++) {
                        expected.add(run.node(row));
                    }
                }
                assertFalse(run.next());
                assertFalse(run.nodeIterator().hasNext());
                assertThrows(NoSuchElementException.class, run.nodeIterator()::nextInt);
            }
            assertTrue(expected.size() > 10_000);
            IntList found = new IntList();
            try (NativeRun run = graph.run(plan)) {
                run.forEachNode(found::add);
            }
            assertArrayEquals(expected.toArray(), found.toArray());
            try (NativeRun run = graph.run(plan)) {
                assertArrayEquals(expected.toArray(), run.nodes().toArray());
            }
            try (NativeRun run = graph.run(plan)) {
                found.clear();
                run.nodeIterator().forEachRemaining((int node) -> found.add(node));
            }
            assertArrayEquals(expected.toArray(), found.toArray());
        }
    }

    /**
     * Where a file is damaged, the engine returns no results, and {@code check} reports the damage (decision
     * 8).
     */
    @Test
    void damageIsNotedAndToldWhenAsked() {
        Path path = Graphs.SOURCE.resolveSibling("../../conformance/files/damaged/offset-too-large.varvite").normalize();
        try (NativeGraph graph = NativeGraph.open(path, false)) {
            graph.check();
            long rows = 0;
            try (NativeRun run = graph.run("{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"out\"}]}")) {
                while (run.next()) {
                    rows += run.rows();
                }
                assertTrue(rows < 0, "a run over damage ends with it");
            } catch (EngineException e) {
                assertEquals("VARVITE_E_DAMAGED", e.codeName());
            }
            EngineException e = assertThrows(EngineException.class, graph::check);
            assertEquals("VARVITE_E_DAMAGED", e.codeName());
        }
    }

    @Test
    void tablesAreReadByColumns() {
        String plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"group_count\",\"by\":\"label\"}]}";
        Map<String, Long> counts = new HashMap<>();
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false);
                NativeRun run = graph.run(plan)) {
            while (run.next()) {
                assertEquals(NativeRun.Kind.TABLE, run.kind());
                assertEquals(2, run.columns());
                assertEquals("count", run.column(1));
                long[] numbers = run.numbers(1);
                for (int row = 0; row < run.rows(); row++) {
                    counts.put(run.text(0, row), numbers[row]);
                }
            }
        }
        assertEquals(14_910L, counts.get("CALL"));
        assertEquals(425L, counts.get("METHOD"));
    }

    @Test
    void edgesAndValuesAreReadByRow() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false)) {
            long edges = 0;
            try (NativeRun run = graph.run("{\"version\":1,\"steps\":[{\"step\":\"edges\",\"labels\":[\"CALL\"]}]}")) {
                while (run.next()) {
                    for (int row = 0; row < run.rows(); row++) {
                        assertTrue(run.source(row) < Graphs.NODES && run.target(row) < Graphs.NODES);
                    }
                    edges += run.rows();
                }
            }
            assertEquals(14_883, edges);
            try (NativeRun run = graph.run("{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"count\"}]}")) {
                assertTrue(run.next());
                assertEquals(NativeRun.Kind.VALUES, run.kind());
                assertEquals(Graphs.NODES, run.number(0));
                assertThrows(IllegalStateException.class, () -> run.node(0));
            }
        }
    }

    @Test
    void longTextsAreWhole() {
        String plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHOD\"]},{\"step\":\"values\",\"property\":\"CODE\"}]}";
        int longest = 0;
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.ARCHIVE), false);
                NativeRun run = graph.run(plan)) {
            while (run.next()) {
                for (int row = 0; row < run.rows(); row++) {
                    longest = Math.max(longest, run.text(0, row).length());
                }
            }
        }
        assertTrue(longest > 256, () -> "no METHOD is long enough for this test");
    }

    @Test
    void optionsBoundBatchesAndMemory() {
        Pipeline names = Pipeline.nodes().groupCount(Key.property("CODE"));
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            try (NativeRun run = graph.run(CALLERS, RunOptions.DEFAULT.withThreads(1).withBatchRows(1))) {
                assertTrue(run.next());
                assertEquals(1, run.rows());
                assertTrue(run.next());
            }
            try (NativeRun run = graph.run(names, RunOptions.DEFAULT.withMemoryBytes(1024))) {
                EngineException e = assertThrows(EngineException.class, run::next);
                assertEquals("VARVITE_E_OVER_BUDGET", e.codeName());
            }
        }
        assertThrows(IllegalArgumentException.class, () -> RunOptions.DEFAULT.withThreads(-1));
        assertThrows(IllegalArgumentException.class, () -> RunOptions.DEFAULT.withMemoryBytes(-1));
    }

    @Test
    void mistakesNameTheStepAndClosedRunsThrow() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false)) {
            String plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHODS\"]}]}";
            EngineException e = assertThrows(EngineException.class, () -> graph.run(plan));
            assertEquals("VARVITE_E_UNKNOWN", e.codeName());
            assertTrue(e.getMessage().contains("step 1 (nodes)") && e.getMessage().contains("METHOD"), e.getMessage());
            NativeRun run = graph.run(CALLERS);
            run.cancel();
            e = assertThrows(EngineException.class, run::next);
            assertEquals("VARVITE_E_CANCELLED", e.codeName());
            run.close();
            run.close();
            assertThrows(GraphClosedException.class, run::next);
            assertThrows(GraphClosedException.class, () -> run.node(0));
            assertThrows(GraphClosedException.class, run.nodeIterator()::hasNext);
        }
    }

    @Test
    void anIteratorGoesOnWithTheBatchThatSomebodyElseAskedFor() {
        String plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"}]}";
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeRun run = graph.run(plan)) {
            PrimitiveIterator.OfInt nodes = run.nodeIterator();
            assertEquals(0, nodes.nextInt());
            assertEquals(1, nodes.nextInt());
            int first = run.rows();
            assertTrue(run.next());
            assertEquals(first, nodes.nextInt());
            assertEquals(first + 1, nodes.nextInt());
        }
    }

    @Test
    void numbersTellWhereThereIsNone() {
        String plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"columns\",\"columns\":[{\"property\":\"LINE_NUMBER\"}]}]}";
        int absent = 0;
        int rows = 0;
        try (Graph direct = Graphs.open(Profile.DIRECT);
                NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeRun run = graph.run(plan)) {
            var line = direct.ints("LINE_NUMBER");
            while (run.next()) {
                long[] numbers = new long[run.rows()];
                boolean[] present = new boolean[run.rows()];
                run.copyNumbers(0, numbers, present);
                assertArrayEquals(IntStream.range(rows, rows + run.rows()).mapToLong(node -> line.get(node, -7)).toArray(), run.numbers(0, -7));
                boolean isWhole = true;
                for (int row = 0; row < run.rows(); row++) {
                    assertEquals(line.isPresent(rows + row), present[row]);
                    isWhole &= present[row];
                    absent += present[row] ? 0 : 1;
                }
                if (!isWhole) {
                    assertThrows(NoSuchElementException.class, () -> run.numbers(0));
                    assertThrows(NoSuchElementException.class, () -> run.copyNumbers(0, numbers));
                }
                rows += run.rows();
            }
        }
        assertTrue(absent > 0 && absent < rows);
    }

    @Test
    void anIdBeyondIntsIsNotANegativeOne() {
        assertEquals(7, NativeRun.checkedId(7));
        ArithmeticException error = assertThrows(ArithmeticException.class, () -> NativeRun.checkedId((int) 3_000_000_000L));
        assertTrue(error.getMessage().contains("3000000000"), error.getMessage());
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeRun run = graph.run("{\"version\":1,\"steps\":[{\"step\":\"nodes\"}]}")) {
            assertTrue(run.next());
            assertEquals(run.node(1), run.nodeId(1));
        }
    }

    /**
     * Another thread is in a call that would take minutes. Closing the graph ends the call, and waits for
     * this end without busy-waiting.
     */
    @Test
    void closingEndsACallOfAnotherThreadAndDoesNotSpin() throws Exception {
        String plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"repeat\",\"times\":1000000,\"body\":[{\"step\":\"both\",\"labels\":[\"AST\"]}]},{\"step\":\"count\"}]}";
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            NativeRun run = graph.run(plan);
            var thrown = new java.util.concurrent.CompletableFuture<RuntimeException>();
            Thread reader = new Thread(() -> {
                try {
                    run.next();
                    thrown.complete(null);
                } catch (RuntimeException e) {
                    thrown.complete(e);
                }
            });
            reader.start();
            Thread.sleep(300);
            long before = ThreadTime.nanos();
            long started = System.nanoTime();
            run.close();
            long elapsed = System.nanoTime() - started;
            long spent = ThreadTime.nanos() - before;
            assertTrue(spent < 100_000_000 + elapsed / 4, spent + " ns of " + elapsed);
            RuntimeException error = thrown.get(10, java.util.concurrent.TimeUnit.SECONDS);
            boolean isCancelled = error instanceof EngineException e && e.codeName().equals("VARVITE_E_CANCELLED");
            assertTrue(isCancelled || error instanceof GraphClosedException, () -> String.valueOf(error));
        }
    }

    @Test
    void whatCWouldTakeForAnotherNameIsRefused() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeRun run = graph.run(CALLERS)) {
            for (String name : List.of("CODE\0X", "CODE\ud800", "\udc00")) {
                IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> graph.property(name));
                assertTrue(error.getMessage().contains("\\u"), error.getMessage());
            }
            assertThrows(IllegalArgumentException.class, () -> run.side("\ud800"));
            EngineException refused = assertThrows(EngineException.class, () -> graph.run(Pipeline.nodes("\ud800")));
            assertEquals("VARVITE_E_PLAN", refused.codeName());
            assertThrows(IllegalArgumentException.class, () -> graph.run("{\"version\":1,\"name\":\"\ud800\"}"));
        }
    }

    @Test
    void aForgottenRunIsGivenBackWhenItIsCollected() throws Exception {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            long before = Call.liveHandles();
            forgetRunAndProperty(graph);
            for (int i = 0; i < 200 && Call.liveHandles() > before; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertEquals(before, Call.liveHandles());
        }
    }

    private static void forgetRunAndProperty(NativeGraph graph) {
        graph.run(CALLERS).next();
        graph.property("CODE").cursor();
        NativeGraph.open(graph.path(), false);
    }

    @Test
    void aLongSearchEndsWhereItsThreadIsInterrupted() {
        try (Graph graph = Graphs.open(Profile.DIRECT)) {
            TextProperty code = graph.texts("CODE");
            assertTrue(!code.texts().isSorted() && code.texts().count() > 5000);
            Thread.currentThread().interrupt();
            try {
                CancelledException error = assertThrows(CancelledException.class, () -> code.texts().find("no node has such a text"));
                assertEquals(-36, error.number());
                assertThrows(CancelledException.class, () -> code.nextOwner(code.texts().count() + 1, 0));
                assertTrue(Thread.currentThread().isInterrupted());
            } finally {
                Thread.interrupted();
            }
        }
    }
}
