package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static varvite.pipeline.Pipeline.nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import varvite.BytesProperty;
import varvite.DoubleProperty;
import varvite.Graph;
import varvite.IntProperty;
import varvite.LongProperty;
import varvite.Property;
import varvite.PropertyInfo;
import varvite.RefProperty;
import varvite.TextProperty;
import varvite.ValueType;

/**
 * Compares values of every type and cardinality as Arrow's library reads them with those that Java reads from
 * columns.
 */
class ArrowValuesTest {
    private static final Path AWKWARD = Path.of(System.getProperty("varvite.root"), "conformance/files/awkward.compact.varvite");

    @TestFactory
    Stream<DynamicTest> arrowHoldsWhatColumnsHold() throws IOException {
        List<PropertyInfo> ofNodes;
        try (Graph graph = Graph.open(AWKWARD)) {
            ofNodes = graph.properties().stream().filter(info -> info.edgeLabel().isEmpty()).toList();
        }
        assertEquals(ValueType.values().length, ofNodes.stream().map(PropertyInfo::type).distinct().count());
        return ofNodes.stream().map(info -> dynamicTest(info.name() + " " + info.type() + " " + info.cardinality(), () -> {
            assertEquals(stored(info.name()), given(info.name()));
        }));
    }

    private static List<String> stored(String name) throws IOException {
        List<String> values = new ArrayList<>();
        try (Graph graph = Graph.open(AWKWARD)) {
            Property column = graph.property(name);
            for (int node = 0; node < graph.nodeCount(); node++) {
                for (int i = 0; i < column.count(node); i++) {
                    values.add(plain(stored(column, node, i)));
                }
            }
        }
        return values;
    }

    private static Object stored(Property column, int node, int index) {
        return switch (column) {
            case IntProperty ints when column.info().type() == ValueType.BOOL -> ints.at(node, index) != 0;
            case IntProperty ints -> ints.at(node, index);
            case LongProperty longs -> longs.at(node, index);
            case DoubleProperty doubles -> doubles.at(node, index);
            case TextProperty texts -> texts.at(node, index);
            case BytesProperty bytes -> bytes.at(node, index);
            case RefProperty refs -> refs.at(node, index) < 0 ? null : refs.at(node, index);
        };
    }

    private static List<String> given(String name) throws IOException {
        List<String> values = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                NativeGraph graph = NativeGraph.open(AWKWARD, false);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            graph.runArrow(nodes().values(name), RunOptions.DEFAULT.withBatchRows(3), stream.memoryAddress());
            try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
                while (reader.loadNextBatch()) {
                    FieldVector vector = reader.getVectorSchemaRoot().getVector(0);
                    for (int row = 0; row < vector.getValueCount(); row++) {
                        values.add(vector.isNull(row) ? null : plain(given(vector, row)));
                    }
                }
            }
        }
        return values;
    }

    /**
     * A value of a vector. Values of unsigned vectors are converted to larger Java types, because Java's
     * types are signed.
     */
    private static Object given(FieldVector vector, int row) {
        return switch (vector) {
            case UInt1Vector bytes -> bytes.getObjectNoOverflow(row);
            case UInt4Vector ints -> ints.getObjectNoOverflow(row);
            default -> vector.getObject(row);
        };
    }

    private static String plain(Object value) {
        return switch (value) {
            case null -> null;
            case byte[] bytes -> Arrays.toString(bytes);
            case Character unsigned -> Integer.toString(unsigned);
            case Float single -> Double.toString(single);
            default -> value.toString();
        };
    }
}
