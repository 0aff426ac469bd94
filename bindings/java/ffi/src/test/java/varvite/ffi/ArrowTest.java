package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static varvite.pipeline.Pipeline.edges;
import static varvite.pipeline.Pipeline.it;
import static varvite.pipeline.Pipeline.nodes;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import varvite.Graph;
import varvite.IntList;
import varvite.Profile;
import varvite.TextProperty;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.pipeline.Key;
import varvite.pipeline.Pipeline;
import varvite.pipeline.Repeat;
import varvite.testing.ProcessState;

/**
 * Tests of results in Arrow form. Arrow's library reads the results, and the tests compare them with other
 * reads of the same results.
 */
class ArrowTest {
    private static final Key NAME = Key.property("NAME");
    private static final RunOptions SMALL = RunOptions.DEFAULT.withBatchRows(1000);

    private final BufferAllocator allocator = new RootAllocator();

    /** Fails if a buffer that Arrow's library received was not released. */
    @AfterEach
    void everyBufferWasReleased() {
        allocator.close();
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void idsLabelsTextsAndNumbersAreThoseOfRows(Profile profile) throws IOException {
        Pipeline[] pipelines = {
            nodes("CALL").out("ARGUMENT"),
            nodes().label(),
            nodes("METHOD").values("CODE"),
            nodes("CALL").values("ORDER"),
            edges("CALL"),
            nodes("METHOD").count(),
            nodes().columns(Key.ITSELF, Key.LABEL, NAME, Key.property("LINE_NUMBER"), Key.property("IS_EXTERNAL")),
            nodes().groupCount(NAME),
            nodes("METHOD").has("NAME", varvite.pipeline.Predicate.eq("nowhere"))
        };
        try (NativeGraph graph = NativeGraph.open(Graphs.of(profile), false)) {
            for (Pipeline pipeline : pipelines) {
                assertEquals(rows(graph, pipeline), arrowRows(graph, pipeline), pipeline.toJson());
            }
        }
    }

    /** Every row as texts, read by calls of a run. */
    private static List<List<String>> rows(NativeGraph graph, Pipeline pipeline) {
        List<List<String>> rows = new ArrayList<>();
        try (NativeRun run = graph.run(pipeline)) {
            while (run.next()) {
                for (int row = 0; row < run.rows(); row++) {
                    List<String> cells = new ArrayList<>();
                    for (int column = 0; column < run.columns(); column++) {
                        cells.add(run.text(column, row));
                    }
                    rows.add(cells);
                }
            }
        }
        return rows;
    }

    private interface Batch {
        void read(ArrowReader reader) throws IOException;
    }

    /** Every row as texts, read by Arrow's library. */
    private List<List<String>> arrowRows(NativeGraph graph, Pipeline pipeline) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        forEachBatch(graph, pipeline, reader -> {
            List<FieldVector> vectors = reader.getVectorSchemaRoot().getFieldVectors();
            int first = rows.size();
            for (int row = 0; row < reader.getVectorSchemaRoot().getRowCount(); row++) {
                rows.add(new ArrayList<>());
            }
            for (FieldVector vector : vectors) {
                append(reader, vector, rows.subList(first, rows.size()));
            }
        });
        return rows;
    }

    private void append(ArrowReader reader, FieldVector vector, List<List<String>> rows) throws IOException {
        if (vector.getField().getDictionary() != null) {
            try (FieldVector names = (FieldVector) DictionaryEncoder.decode(vector, reader.lookup(vector.getField().getDictionary().getId()))) {
                append(reader, names, rows);
            }
            return;
        }
        for (int row = 0; row < rows.size(); row++) {
            rows.get(row).add(text(vector, row));
        }
    }

    private static String text(FieldVector vector, int row) {
        return switch (vector) {
            case StructVector edge -> edge.getChild("source").getObject(row) + "->" + edge.getChild("target").getObject(row);
            default -> vector.isNull(row) ? null : vector.getObject(row).toString();
        };
    }

    private void forEachBatch(NativeGraph graph, Pipeline pipeline, Batch batch) throws IOException {
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            graph.runArrow(pipeline, SMALL, stream.memoryAddress());
            try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
                while (reader.loadNextBatch()) {
                    assertTrue(reader.getVectorSchemaRoot().getRowCount() <= 1000);
                    batch.read(reader);
                }
            }
        }
    }

    @Test
    void idsAreThoseOfIntBatches() throws IOException {
        Pipeline pipeline = nodes("CALL").out("ARGUMENT");
        IntList found = new IntList();
        int[] expected;
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            try (NativeRun run = graph.run(pipeline)) {
                expected = run.nodes().toArray();
            }
            forEachBatch(graph, pipeline, reader -> {
                UInt4Vector ids = (UInt4Vector) reader.getVectorSchemaRoot().getVector("node");
                for (int row = 0; row < ids.getValueCount(); row++) {
                    found.add(ids.get(row));
                }
            });
        }
        assertTrue(expected.length > 10_000);
        assertArrayEquals(expected, found.toArray());
    }

    @Test
    void absentValuesAreNull() throws IOException {
        int[] nulls = new int[1];
        int expected = 0;
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            forEachBatch(graph, nodes().columns(Key.property("LINE_NUMBER")), reader -> {
                FieldVector lines = reader.getVectorSchemaRoot().getVector(0);
                assertTrue(lines.getField().isNullable());
                nulls[0] += lines.getNullCount();
            });
        }
        try (Graph graph = Graphs.open(Profile.DIRECT)) {
            for (int node = 0; node < graph.nodeCount(); node++) {
                expected += graph.ints("LINE_NUMBER").owners().contains(node) ? 0 : 1;
            }
        }
        assertTrue(expected > 0);
        assertEquals(expected, nulls[0]);
    }

    @Test
    void groupsAreListsOfIds() throws IOException {
        Map<String, List<Integer>> expected = new TreeMap<>();
        try (Graph graph = Graphs.open(Profile.DIRECT)) {
            TextProperty name = graph.texts("NAME");
            graph.nodes("METHOD").forEach(method -> expected.computeIfAbsent(name.get(method), absent -> new ArrayList<>()).add(method));
        }
        Map<String, List<Integer>> found = new TreeMap<>();
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false)) {
            forEachBatch(graph, nodes("METHOD").group(NAME), reader -> {
                List<FieldVector> columns = reader.getVectorSchemaRoot().getFieldVectors();
                LargeListVector members = (LargeListVector) columns.get(1);
                for (int row = 0; row < members.getValueCount(); row++) {
                    List<Integer> ids = new ArrayList<>();
                    members.getObject(row).forEach(id -> ids.add((Integer) id));
                    found.put(text(columns.get(0), row), ids);
                }
            });
        }
        assertEquals(expected, found);
    }

    @Test
    void pathsAreListsOfElements() throws IOException {
        Pipeline pipeline = nodes("CALL").out("CALL").path();
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            List<List<String>> callees = rows(graph, nodes("CALL").out("CALL"));
            List<String> ends = new ArrayList<>();
            forEachBatch(graph, pipeline, reader -> {
                LargeListVector paths = (LargeListVector) reader.getVectorSchemaRoot().getVector(0);
                for (int row = 0; row < paths.getValueCount(); row++) {
                    List<?> path = paths.getObject(row);
                    assertEquals(2, path.size());
                    ends.add(((Map<?, ?>) path.get(1)).get("node").toString());
                }
            });
            assertEquals(callees.stream().map(List::getFirst).toList(), ends);
        }
    }

    @Test
    void theSchemaIsThereWithoutRows() throws IOException {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            graph.runArrow(nodes("METHOD").hasNot("NAME").columns(Key.ITSELF, Key.LABEL, NAME), RunOptions.DEFAULT, stream.memoryAddress());
            try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
                List<Field> fields = reader.getVectorSchemaRoot().getSchema().getFields();
                assertEquals(3, fields.size());
                assertFalse(reader.loadNextBatch());
            }
        }
    }

    /**
     * A stream keeps the file mapped until the stream is released, no matter how much of the stream was read.
     */
    @Test
    void aStreamOutlivesItsGraphAndIsReleasedOnce() throws Exception {
        Path path = Files.copy(Graphs.of(Profile.DIRECT), Files.createTempFile("varvite-arrow", ".varvite"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        long handles = Call.liveHandles();
        ProcessState before = ProcessState.of(path);
        for (int batches = 0; batches < 4; batches++) {
            try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
                try (NativeGraph graph = NativeGraph.open(path, false)) {
                    graph.runArrow(nodes(), SMALL, stream.memoryAddress());
                }
                ArrowReader reader = Data.importArrayStream(allocator, stream);
                for (int batch = 0; batch < batches; batch++) {
                    assertTrue(reader.loadNextBatch());
                    assertEquals(1000 * batch, reader.getVectorSchemaRoot().getVector(0).getObject(0));
                }
                assertEquals(1, ProcessState.of(path).maps());
                reader.close();
            }
            ProcessState.awaitNothingLeft(path, before);
        }
        assertEquals(handles, Call.liveHandles());
        Files.delete(path);
    }

    @Test
    void aStreamMayGoToAnotherThreadWhileItsGraphIsClosed() throws Exception {
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
                ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<Integer> rows;
            try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false)) {
                graph.runArrow(nodes(), RunOptions.DEFAULT.withBatchRows(10), stream.memoryAddress());
                rows = other.submit(() -> countRows(stream));
            }
            assertEquals(Graphs.NODES, rows.get());
        }
    }

    private int countRows(ArrowArrayStream stream) throws IOException {
        int rows = 0;
        try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
        }
        return rows;
    }

    @Test
    void whatGoesWrongIsSaidByWhoMeetsIt() throws IOException {
        Pipeline endless = nodes("METHOD").limit(1).repeat(Repeat.of(it().both("AST")).emit());
        try (Arena arena = Arena.ofConfined();
                NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            MemorySegment room = arena.allocate(ArrowStream.BYTES, Long.BYTES).fill((byte) 7);
            EngineException unknown = assertThrows(EngineException.class, () -> graph.runArrow(nodes("METHODS"), RunOptions.DEFAULT, room));
            assertEquals("VARVITE_E_UNKNOWN", unknown.codeName());
            assertTrue(unknown.getMessage().contains("step 1 (nodes)"), unknown.getMessage());
            EngineException plan = assertThrows(EngineException.class, () -> graph.runArrow("{", RunOptions.DEFAULT, room));
            assertEquals("VARVITE_E_PLAN", plan.codeName());
            assertEquals(-1, room.mismatch(arena.allocate(ArrowStream.BYTES).fill((byte) 7)));
            IOException e = assertThrows(IOException.class, () -> forEachBatch(graph, endless, reader -> {}));
            assertTrue(e.getMessage().contains("step 3 (repeat)"), e.getMessage());
        }
    }

    @Test
    void roomThatIsNoneIsRefused() {
        try (Arena arena = Arena.ofConfined();
                NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            MemorySegment room = arena.allocate(64, Long.BYTES);
            MemorySegment[] none = {
                MemorySegment.NULL, room.asSlice(0, 39), room.asSlice(1, 40), room.asReadOnly(), MemorySegment.ofArray(new long[5])
            };
            for (MemorySegment segment : none) {
                assertThrows(IllegalArgumentException.class, () -> graph.runArrow(nodes(), RunOptions.DEFAULT, segment));
            }
            assertThrows(IllegalArgumentException.class, () -> graph.runArrow(nodes(), RunOptions.DEFAULT, 0));
            assertThrows(IllegalArgumentException.class, () -> graph.runArrow(nodes(), RunOptions.DEFAULT, room.address() + 4));
            assertThrows(IllegalArgumentException.class, () -> RunOptions.DEFAULT.withBatchRows(-1));
        }
    }

    @Test
    void aClosedGraphGivesNoStream() {
        NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
        graph.close();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(ArrowStream.BYTES, Long.BYTES);
            assertThrows(GraphClosedException.class, () -> graph.runArrow(nodes(), RunOptions.DEFAULT, room));
        }
    }
}
