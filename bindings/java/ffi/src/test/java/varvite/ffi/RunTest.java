package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import varvite.Graph;
import varvite.IntList;
import varvite.Profile;
import varvite.TextProperty;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.pipeline.Key;
import varvite.pipeline.Pipeline;

/** Pipelines, sent as plans. */
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
            assertTrue(unknown.getMessage().contains("on the side as \"methods\""), unknown.getMessage());
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

    /** Decision 8: the engine gives nothing where a file is damaged, and says so when it is asked. */
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
}
