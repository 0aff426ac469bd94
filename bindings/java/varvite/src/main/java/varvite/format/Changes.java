package varvite.format;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import varvite.format.Directory.AdjacencyRow;

/**
 * The changes since the columns of a graph were written, stored at the end of the directory. These columns
 * are the base and do not change. New nodes and edges have numbers above those of the base. An owner of
 * changed values is stored with all of its values. Removed nodes and edges are stored as sets.
 *
 * <pre>
 *  0   4  nodes of the base: lower ids are in the base's columns
 *  4   4  column of the label codes of appended nodes, all ones for none
 *  8   4  set of removed nodes, all ones for none
 * 12   4  rows of changed edge labels
 * 16   4  rows of changed properties
 * 20   4  zero
 * 24  ..  rows of edge labels (56 bytes each), rows of properties (24 bytes each)
 * </pre>
 *
 * <p>The column number {@code -1} stands for no column.
 */
public record Changes(
        int baseNodes, int codes, int removed, List<EdgeChangeRow> edges, List<PropertyChangeRow> properties) {
    private static final int FIXED = 24;
    private static final String PART = "directory, changes";

    /**
     * The changes to one label's edges: the appended edges in both directions, with ranks above those of the
     * base, and the sets of removed edges.
     */
    public record EdgeChangeRow(
            int edgeLabel,
            long appended,
            AdjacencyRow out,
            int outRanks,
            AdjacencyRow in,
            int inRanks,
            int removed,
            int removedIn) {
        static final int SIZE = 56;

        static EdgeChangeRow of(ByteBuffer bytes, int at) {
            return new EdgeChangeRow(
                    bytes.getInt(at),
                    bytes.getLong(at + 8),
                    AdjacencyRow.of(bytes, at + 16),
                    bytes.getInt(at + 28),
                    AdjacencyRow.of(bytes, at + 32),
                    bytes.getInt(at + 44),
                    bytes.getInt(at + 48),
                    bytes.getInt(at + 52));
        }

        private IntStream columns() {
            return IntStream.of(
                    out.nodes(),
                    out.offsets(),
                    out.neighbors(),
                    outRanks,
                    in.nodes(),
                    in.offsets(),
                    in.neighbors(),
                    inRanks,
                    removed,
                    removedIn);
        }
    }

    /**
     * The changes to one property's values: the set of owners whose values changed, the set of those owners
     * that still have a value, and the values.
     */
    public record PropertyChangeRow(int property, int owners, int present, int offsets, int values, int strings) {
        static final int SIZE = 24;

        static PropertyChangeRow of(ByteBuffer bytes, int at) {
            return new PropertyChangeRow(
                    bytes.getInt(at),
                    bytes.getInt(at + 4),
                    bytes.getInt(at + 8),
                    bytes.getInt(at + 12),
                    bytes.getInt(at + 16),
                    bytes.getInt(at + 20));
        }
    }

    /** Reads the changes, which take the rest of a directory from {@code start} on. */
    static Changes of(ByteBuffer bytes, int start, Faults faults) {
        int length = bytes.limit() - start;
        if (length < FIXED) {
            throw faults.damaged(PART, "at least " + FIXED + " bytes", length);
        }
        long edges = Integer.toUnsignedLong(bytes.getInt(start + 12));
        long properties = Integer.toUnsignedLong(bytes.getInt(start + 16));
        long expected = FIXED + edges * EdgeChangeRow.SIZE + properties * PropertyChangeRow.SIZE;
        if (expected != length) {
            throw faults.damaged(PART, expected + " bytes", length);
        }
        int ofEdges = start + FIXED;
        int ofProperties = ofEdges + (int) edges * EdgeChangeRow.SIZE;
        return new Changes(
                bytes.getInt(start),
                bytes.getInt(start + 4),
                bytes.getInt(start + 8),
                rows((int) edges, row -> EdgeChangeRow.of(bytes, ofEdges + row * EdgeChangeRow.SIZE)),
                rows((int) properties, row -> PropertyChangeRow.of(bytes, ofProperties + row * PropertyChangeRow.SIZE)));
    }

    private static <T> List<T> rows(int count, IntFunction<T> read) {
        List<T> rows = new ArrayList<>(count);
        for (int row = 0; row < count; row++) {
            rows.add(read.apply(row));
        }
        return List.copyOf(rows);
    }

    /**
     * Checks that all rows refer to existing edge labels, properties and columns, and that rows are in rising
     * order.
     */
    void check(Directory directory, Faults faults) {
        if (Integer.compareUnsigned(baseNodes, directory.nodes()) > 0) {
            String most = "at most " + Integer.toUnsignedString(directory.nodes()) + " nodes of the base";
            throw faults.damaged(PART, most, Integer.toUnsignedString(baseNodes));
        }
        checkRows("edge label", edges.stream().mapToInt(EdgeChangeRow::edgeLabel), directory.edgeLabels().size(), faults);
        checkRows("property", properties.stream().mapToInt(PropertyChangeRow::property), directory.properties().size(), faults);
        for (PropertyChangeRow row : properties) {
            for (int column : List.of(row.owners, row.present, row.values)) {
                Directory.checkRow("column", column, directory.columns(), faults);
            }
        }
        columns().filter(column -> column != ColumnRow.NONE)
                .forEach(column -> Directory.checkRow("column", column, directory.columns(), faults));
    }

    private static void checkRows(String what, IntStream numbers, int count, Faults faults) {
        int last = -1;
        for (int number : numbers.toArray()) {
            if (Integer.compareUnsigned(number, count) >= 0) {
                throw faults.damaged(PART, "an existing " + what, Integer.toUnsignedString(number));
            }
            if (number <= last) {
                throw faults.damaged(PART, "rows that rise by their " + what, "another order");
            }
            last = number;
        }
    }

    /** The numbers of all columns, with {@code -1} for a missing column. */
    IntStream columns() {
        IntStream ofNodes = IntStream.of(codes, removed);
        IntStream ofEdges = edges.stream().flatMapToInt(EdgeChangeRow::columns);
        IntStream ofProperties = properties.stream()
                .flatMapToInt(row -> IntStream.of(row.owners, row.present, row.offsets, row.values, row.strings));
        return IntStream.concat(IntStream.concat(ofNodes, ofEdges), ofProperties);
    }

    /** The changes to an edge label; null if it has none. */
    public EdgeChangeRow ofEdges(int edgeLabel) {
        return edges.stream().filter(row -> row.edgeLabel == edgeLabel).findFirst().orElse(null);
    }

    /** The changes to a property; null if it has none. */
    public PropertyChangeRow ofProperty(int property) {
        return properties.stream().filter(row -> row.property == property).findFirst().orElse(null);
    }
}
