package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import varvite.error.EngineException;
import varvite.testing.Case;
import varvite.testing.Case.Question;
import varvite.testing.JsonText;

/**
 * Runs the cases in {@code conformance/cases} in the engine: their plans, and their questions about code
 * property graphs.
 */
class CasesTest {
    private static final String WAY = "java-engine";
    /** The plan for the question {@code open}. */
    private static final String NODES = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"count\"}]}";

    private static final Path CONFORMANCE = Path.of(System.getProperty("varvite.root"), "conformance");

    @TestFactory
    List<DynamicTest> casesAreAnswered() {
        List<DynamicTest> tests = new ArrayList<>();
        int leftOut = 0;
        for (Case asked : Case.all(CONFORMANCE)) {
            for (Question question : asked.questions()) {
                if (asked.isSkipped(CONFORMANCE, WAY, question)) {
                    leftOut++;
                } else {
                    tests.add(dynamicTest(asked.name() + ":" + question.line(), () -> check(asked, question)));
                }
            }
        }
        System.out.println("conformance in Java with the engine: " + tests.size() + " questions asked, " + leftOut + " left out");
        return tests;
    }

    private static void check(Case asked, Question question) throws IOException {
        if (question.error() == 0) {
            assertEquals(question.rows(), rows(asked, question));
            return;
        }
        EngineException error = assertThrows(EngineException.class, () -> rows(asked, question));
        assertEquals(question.error(), error.number(), error.getMessage());
        for (String words : question.says()) {
            assertTrue(error.getMessage().contains(words), error.getMessage() + " lacks " + words);
        }
    }

    private static List<String> rows(Case asked, Question question) throws IOException {
        RunOptions options = RunOptions.DEFAULT.withMemoryBytes(question.memoryBytes());
        try (NativeGraph graph = NativeGraph.open(asked.file(), asked.isBuffered())) {
            if (!question.words().equals("open") && !question.words().equals("plan")) {
                return List.of(named(graph, question.words().split(" ")));
            }
            List<String> nodes = new ArrayList<>();
            String plan = question.words().equals("open") ? NODES : question.plan();
            if (!question.params().isEmpty()) {
                Parameters values = new Parameters();
                for (String param : question.params()) {
                    String[] pair = param.split("=", 2);
                    values = values.withText(pair[0], pair[1]);
                }
                plan = NativeGraph.bind(plan, values);
            }
            NativeRun.Kind kind = run(graph, plan, options, question.side(), nodes);
            return question.side() == null ? arrowRows(graph, plan, options, kind) : nodes;
        }
    }

    private static String named(NativeGraph graph, String[] words) {
        return switch (words[0]) {
            case "sites" -> JsonText.list(sites(graph).map(CasesTest::site));
            case "methods" -> JsonText.list(sites(graph).map(site -> orNull(site.method().stream().boxed())));
            case "calls-of" -> JsonText.list(IntStream.of(graph.callsOf(ids(words[1]))).mapToObj(Integer::toString));
            case "callees-of" -> JsonText.list(
                    graph.calleesOf(ids(words[1])).stream().map(callee -> "[" + callee.method() + "," + callee.calls() + "]"));
            default -> throw new IllegalArgumentException(words[0] + " is no question");
        };
    }

    private static Stream<Site> sites(NativeGraph graph) {
        int count = (int) count(graph);
        return graph.sites(IntStream.range(0, count).toArray()).stream();
    }

    private static long count(NativeGraph graph) {
        try (NativeRun run = graph.run(NODES)) {
            assertTrue(run.next());
            return run.number(0);
        }
    }

    private static String site(Site site) {
        return JsonText.list(Stream.of(
                JsonText.of(site.file().orElse(null)),
                orNull(site.line().stream().boxed()),
                JsonText.of(site.methodName().orElse(null))));
    }

    private static String orNull(Stream<?> value) {
        return value.map(Object::toString).findFirst().orElse("null");
    }

    private static int[] ids(String words) {
        return Stream.of(words.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    /**
     * Runs the plan to its end, and returns the kind of its rows. If {@code side} is not null, adds to
     * {@code nodes} the nodes that passed the step {@code side} with this name.
     */
    private static NativeRun.Kind run(NativeGraph graph, String plan, RunOptions options, String side, List<String> nodes) {
        NativeRun.Kind kind = NativeRun.Kind.NODES;
        try (NativeRun run = graph.run(plan, options)) {
            boolean more = true;
            while (more) {
                more = run.next();
                kind = more ? run.kind() : kind;
                if (side != null && run.side(side)) {
                    assertEquals(NativeRun.Kind.NODES, run.kind());
                    IntStream.range(0, run.rows()).forEach(row -> nodes.add("{\"node\":" + run.node(row) + "}"));
                }
            }
        }
        return kind;
    }

    private static List<String> arrowRows(NativeGraph graph, String plan, RunOptions options, NativeRun.Kind kind) throws IOException {
        List<String> rows = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            graph.runArrow(plan, options, stream.memoryAddress());
            try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
                while (reader.loadNextBatch()) {
                    List<FieldVector> columns = reader.getVectorSchemaRoot().getFieldVectors();
                    for (int row = 0; row < reader.getVectorSchemaRoot().getRowCount(); row++) {
                        rows.add(row(reader, columns, row, kind));
                    }
                }
            }
        }
        return rows;
    }

    private static String row(ArrowReader reader, List<FieldVector> columns, int row, NativeRun.Kind kind) throws IOException {
        if (kind == NativeRun.Kind.VALUES || kind == NativeRun.Kind.EDGES) {
            return cell(reader, columns.get(0), row);
        }
        List<String> cells = new ArrayList<>();
        for (FieldVector column : columns) {
            cells.add(JsonText.of(column.getName()) + ":" + cell(reader, column, row));
        }
        return "{" + String.join(",", cells) + "}";
    }

    private static String cell(ArrowReader reader, FieldVector column, int row) throws IOException {
        if (column.isNull(row)) {
            return "null";
        }
        DictionaryEncoding names = column.getField().getDictionary();
        if (names != null) {
            FieldVector texts = reader.lookup(names.getId()).getVector();
            return cell(reader, texts, (int) ((BaseIntVector) column).getValueAsLong(row));
        }
        return switch (column) {
            case LargeListVector lists -> list(reader, lists, row);
            case StructVector edge when edge.getChild("source") != null -> edge(reader, edge, row);
            case StructVector element when element.getChild("edge").isNull(row) -> cell(reader, element.getChild("node", FieldVector.class), row);
            case StructVector element -> edge(reader, element.getChild("edge", StructVector.class), row);
            case UInt1Vector bytes -> bytes.getObjectNoOverflow(row).toString();
            case UInt2Vector shorts -> Integer.toString(shorts.get(row));
            case UInt4Vector ints -> ints.getObjectNoOverflow(row).toString();
            case UInt8Vector longs -> longs.getObjectNoOverflow(row).toString();
            default -> value(column.getObject(row));
        };
    }

    private static String value(Object value) {
        return switch (value) {
            case Text text -> JsonText.of(text.toString());
            case byte[] bytes -> JsonText.of(HexFormat.of().formatHex(bytes));
            default -> value.toString();
        };
    }

    private static String list(ArrowReader reader, LargeListVector lists, int row) throws IOException {
        List<String> items = new ArrayList<>();
        for (long at = lists.getElementStartIndex(row); at < lists.getElementEndIndex(row); at++) {
            items.add(cell(reader, lists.getDataVector(), (int) at));
        }
        return JsonText.list(items.stream());
    }

    private static String edge(ArrowReader reader, StructVector edge, int row) throws IOException {
        StringBuilder out = new StringBuilder("{\"edge\":").append(cell(reader, edge.getChild("label", FieldVector.class), row));
        for (String end : List.of("source", "target")) {
            out.append(",\"").append(end).append("\":").append(cell(reader, edge.getChild(end, FieldVector.class), row));
        }
        return out.append('}').toString();
    }
}
