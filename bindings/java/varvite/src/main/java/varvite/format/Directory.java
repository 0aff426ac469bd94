package varvite.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The directory of a file: the schema of the graph and the tables of columns and segments. It is read when
 * the file is opened.
 *
 * <pre>
 *  0   8  magic VVDIRECT
 *  8   4  nodes
 * 12   4  column of label codes
 * 16   4  column of subtree sizes, all ones for none
 * 20   4  tree label: the edge label whose pre-order gives ids, all ones for none
 * 24  40  rows of the ten tables, u32 each
 * 64   4  column of parent distances, all ones for none
 * 68   4  bytes of the changes, 0 for none
 * 72  ..  tables in this order: names (8 bytes a row), layers, labels, edge labels, properties,
 *         text indexes, label sets (u64 words), columns, segments, name pool (bytes)
 * ..  ..  the changes
 * </pre>
 *
 * <p>The number {@code -1} stands for no column or no row.
 */
public record Directory(
        int nodes,
        int codes,
        int subtree,
        int parents,
        int treeLabel,
        List<String> names,
        List<LayerRow> layers,
        List<LabelRow> labels,
        List<EdgeLabelRow> edgeLabels,
        List<PropertyRow> properties,
        List<TextIndexRow> textIndexes,
        long[] labelSets,
        List<ColumnRow> columns,
        List<SegmentRow> segments,
        Optional<Changes> changes) {
    private static final byte[] MAGIC = "VVDIRECT".getBytes(StandardCharsets.US_ASCII);
    static final int FIXED = 72;
    private static final int NONE = -1;
    private static final int[] SIZES = {
        8,
        LayerRow.SIZE,
        LabelRow.SIZE,
        EdgeLabelRow.SIZE,
        PropertyRow.SIZE,
        TextIndexRow.SIZE,
        8,
        ColumnRow.SIZE,
        SegmentRow.SIZE,
        1,
    };

    /**
     * A named set of nodes, edges and properties, with its origin. {@code name}, {@code tool} and {@code
     * version} are numbers of names; {@code time} is in seconds since 1970.
     *
     * @param nodes if the layer has nodes, 1 more than the graph's node count when the layer's columns were
     * written; else 0
     */
    public record LayerRow(int name, int tool, int version, int nodes, long time, byte[] source) {
        static final int SIZE = 56;

        static LayerRow of(ByteBuffer bytes, int at) {
            byte[] source = Arrays.copyOfRange(bytes.array(), at + 24, at + 56);
            return new LayerRow(
                    bytes.getInt(at),
                    bytes.getInt(at + 4),
                    bytes.getInt(at + 8),
                    bytes.getInt(at + 12),
                    bytes.getLong(at + 16),
                    source);
        }
    }

    /** A node label: the set of its nodes, and the origins of these nodes. */
    public record LabelRow(int name, int layer, int nodes, int originCount, int origin) {
        static final int SIZE = 20;

        static LabelRow of(ByteBuffer bytes, int at) {
            return new LabelRow(
                    bytes.getInt(at),
                    bytes.getInt(at + 4),
                    bytes.getInt(at + 8),
                    bytes.getInt(at + 12),
                    bytes.getInt(at + 16));
        }
    }

    /** The three columns of one direction of an edge label. */
    public record AdjacencyRow(int nodes, int offsets, int neighbors) {
        static AdjacencyRow of(ByteBuffer bytes, int at) {
            return new AdjacencyRow(bytes.getInt(at), bytes.getInt(at + 4), bytes.getInt(at + 8));
        }
    }

    /** An edge label. */
    public record EdgeLabelRow(int name, int layer, long edges, AdjacencyRow out, AdjacencyRow in, int places) {
        static final int SIZE = 44;

        static EdgeLabelRow of(ByteBuffer bytes, int at) {
            return new EdgeLabelRow(
                    bytes.getInt(at),
                    bytes.getInt(at + 4),
                    bytes.getLong(at + 8),
                    AdjacencyRow.of(bytes, at + 16),
                    AdjacencyRow.of(bytes, at + 28),
                    bytes.getInt(at + 40));
        }
    }

    /** A property of nodes ({@code owner} is -1) or of the edges of a label. */
    public record PropertyRow(
            int name,
            int layer,
            int owner,
            int valueType,
            int cardinality,
            int defaultKind,
            long defaultValue,
            int present,
            int offsets,
            int values,
            int strings) {
        static final int SIZE = 40;

        static PropertyRow of(ByteBuffer bytes, int at) {
            return new PropertyRow(
                    bytes.getInt(at),
                    bytes.getInt(at + 4),
                    bytes.getInt(at + 8),
                    bytes.get(at + 12) & 0xff,
                    bytes.get(at + 13) & 0xff,
                    bytes.get(at + 14) & 0xff,
                    bytes.getLong(at + 16),
                    bytes.getInt(at + 24),
                    bytes.getInt(at + 28),
                    bytes.getInt(at + 32),
                    bytes.getInt(at + 36));
        }
    }

    /**
     * An index of a text property: the columns to look up the code of a text, and those to look up the nodes
     * with this code.
     */
    public record TextIndexRow(int property, int buckets, int codes, int groups, int sets, int starts, int nodes) {
        static final int SIZE = 28;

        static TextIndexRow of(ByteBuffer bytes, int at) {
            return new TextIndexRow(
                    bytes.getInt(at),
                    bytes.getInt(at + 4),
                    bytes.getInt(at + 8),
                    bytes.getInt(at + 12),
                    bytes.getInt(at + 16),
                    bytes.getInt(at + 20),
                    bytes.getInt(at + 24));
        }
    }

    /**
     * Reads a directory. Its segments must lie within {@code start..end} of the file and must not overlap.
     */
    static Directory of(ByteBuffer bytes, long start, long end, Faults faults) {
        checkMagic(bytes, faults);
        long ofTables = bytes.limit() - Integer.toUnsignedLong(bytes.getInt(68));
        int[] counts = new int[SIZES.length];
        int[] starts = cut(bytes, ofTables, counts, faults);
        Directory directory = new Directory(
                bytes.getInt(8),
                bytes.getInt(12),
                bytes.getInt(16),
                bytes.getInt(64),
                bytes.getInt(20),
                Names.of(bytes, starts[0], counts[0], starts[9], counts[9], faults),
                rows(counts[1], row -> LayerRow.of(bytes, starts[1] + row * LayerRow.SIZE)),
                rows(counts[2], row -> LabelRow.of(bytes, starts[2] + row * LabelRow.SIZE)),
                rows(counts[3], row -> EdgeLabelRow.of(bytes, starts[3] + row * EdgeLabelRow.SIZE)),
                rows(counts[4], row -> PropertyRow.of(bytes, starts[4] + row * PropertyRow.SIZE)),
                rows(counts[5], row -> TextIndexRow.of(bytes, starts[5] + row * TextIndexRow.SIZE)),
                words(bytes, starts[6], counts[6]),
                rows(counts[7], row -> ColumnRow.of(bytes, starts[7] + row * ColumnRow.SIZE, row, counts[8], faults)),
                segments(bytes, starts[8], counts[8], start, end, faults),
                ofTables == bytes.limit()
                        ? Optional.empty()
                        : Optional.of(Changes.of(bytes, (int) ofTables, faults)));
        directory.check(faults);
        return directory;
    }

    /** Checks that a whole directory has its magic and its fixed part. */
    static void checkMagic(ByteBuffer bytes, Faults faults) {
        if (bytes.limit() < FIXED) {
            throw faults.damaged("directory", FIXED + " bytes", bytes.limit());
        }
        if (!bytes.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
            throw faults.damaged("directory", "its magic", "other bytes");
        }
    }

    /**
     * The start of each table. Checks that the row counts add up to the length, before memory is allocated
     * for that many rows.
     */
    private static int[] cut(ByteBuffer bytes, long length, int[] counts, Faults faults) {
        long[] ends = ends(bytes);
        if (ends[SIZES.length - 1] != length) {
            throw faults.damaged("directory", ends[SIZES.length - 1] + " bytes", length);
        }
        int[] starts = new int[SIZES.length];
        for (int table = 0; table < SIZES.length; table++) {
            starts[table] = table == 0 ? FIXED : (int) ends[table - 1];
            counts[table] = bytes.getInt(24 + 4 * table);
        }
        return starts;
    }

    /** The end of each table according to the row counts, which may be wrong: the caller checks the ends. */
    static long[] ends(ByteBuffer bytes) {
        long[] ends = new long[SIZES.length];
        long end = FIXED;
        for (int table = 0; table < SIZES.length; table++) {
            end += Integer.toUnsignedLong(bytes.getInt(24 + 4 * table)) * SIZES[table];
            ends[table] = end;
        }
        return ends;
    }

    private static <T> List<T> rows(int count, java.util.function.IntFunction<T> read) {
        List<T> rows = new ArrayList<>(count);
        for (int row = 0; row < count; row++) {
            rows.add(read.apply(row));
        }
        return List.copyOf(rows);
    }

    private static long[] words(ByteBuffer bytes, int start, int count) {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = bytes.getLong(start + 8 * i);
        }
        return words;
    }

    private static List<SegmentRow> segments(
            ByteBuffer bytes, int at, int count, long start, long end, Faults faults) {
        List<SegmentRow> rows = new ArrayList<>(count);
        long after = start;
        for (int number = 0; number < count; number++) {
            SegmentRow row = SegmentRow.of(bytes, at + number * SegmentRow.SIZE, number, after, end, faults);
            after = row.end();
            rows.add(row);
        }
        return List.copyOf(rows);
    }

    /** Checks that all rows and columns to which rows refer exist. */
    private void check(Faults faults) {
        layers.forEach(row -> {
            checkRow("name", row.name, names, faults);
            checkRow("name", row.tool, names, faults);
            checkRow("name", row.version, names, faults);
        });
        checkNodesOfLayers(faults);
        labels.forEach(row -> checkNamed(row.name, row.layer, faults));
        edgeLabels.forEach(row -> checkNamed(row.name, row.layer, faults));
        properties.forEach(row -> checkNamed(row.name, row.layer, faults));
        checkColumns(faults);
        properties.forEach(row -> checkOptional("edge label", row.owner, edgeLabels, faults));
        checkOptional("edge label", treeLabel, edgeLabels, faults);
        checkTextIndexes(faults);
        for (int number = 0; number < properties.size(); number++) {
            if (!isKnown(properties.get(number))) {
                throw faults.damaged(
                        "directory, property " + number, "a known cardinality and default", "another");
            }
        }
        if (labelSets.length % maskWords() != 0) {
            throw faults.damaged(
                    "directory, label sets", "whole masks of " + maskWords() + " words", labelSets.length);
        }
        checkLabelSets(faults);
        changes.ifPresent(changes -> changes.check(this, faults));
    }

    /** Checks that no label set has a bit without a label. */
    private void checkLabelSets(Faults faults) {
        int inLast = labels.size() - 64 * (maskWords() - 1);
        long unknown = inLast == 64 ? 0 : -1L << inLast;
        for (int word = maskWords() - 1; word < labelSets.length; word += maskWords()) {
            if ((labelSets[word] & unknown) != 0) {
                throw faults.damaged("directory, label sets", "bits of " + labels.size() + " labels", "others");
            }
        }
    }

    private void checkNodesOfLayers(Faults faults) {
        for (int number = 0; number < layers.size(); number++) {
            int row = layers.get(number).nodes;
            if (row != 0 && Integer.compareUnsigned(row - 1, nodes) > 0) {
                String most = "at most " + Integer.toUnsignedString(nodes) + " nodes";
                throw faults.damaged("directory, layer " + number, most, Integer.toUnsignedString(row - 1));
            }
        }
    }

    private void checkNamed(int name, int layer, Faults faults) {
        checkRow("name", name, names, faults);
        checkRow("layer", layer, layers, faults);
    }

    private void checkColumns(Faults faults) {
        checkOptionalColumns(faults, codes, subtree, parents);
        for (LabelRow row : labels) {
            checkRow("column", row.nodes, columns, faults);
            checkOptionalColumns(faults, row.origin);
        }
        for (EdgeLabelRow row : edgeLabels) {
            for (AdjacencyRow side : List.of(row.out, row.in)) {
                checkOptionalColumns(faults, side.nodes, side.offsets, side.neighbors);
            }
            checkOptionalColumns(faults, row.places);
        }
        for (PropertyRow row : properties) {
            checkRow("column", row.present, columns, faults);
            checkRow("column", row.values, columns, faults);
            checkOptionalColumns(faults, row.offsets, row.strings);
        }
    }

    private void checkTextIndexes(Faults faults) {
        int last = -1;
        for (TextIndexRow row : textIndexes) {
            checkRow("property", row.property, properties, faults);
            for (int column : List.of(row.buckets, row.codes, row.groups, row.sets, row.starts, row.nodes)) {
                checkRow("column", column, columns, faults);
            }
            if (row.property <= last) {
                throw faults.damaged("directory, text indexes", "indexes that rise by their property", "another order");
            }
            last = row.property;
        }
    }

    private void checkOptionalColumns(Faults faults, int... numbers) {
        for (int number : numbers) {
            checkOptional("column", number, columns, faults);
        }
    }

    private static void checkOptional(String what, int number, List<?> rows, Faults faults) {
        if (number != NONE) {
            checkRow(what, number, rows, faults);
        }
    }

    static void checkRow(String what, int number, List<?> rows, Faults faults) {
        if (Integer.compareUnsigned(number, rows.size()) >= 0) {
            throw faults.damaged("directory", "a " + what + " that exists", Integer.toUnsignedString(number));
        }
    }

    private boolean isKnown(PropertyRow row) {
        boolean isName = row.defaultValue >= 0 && row.defaultValue < names.size();
        return row.cardinality <= 2 && row.defaultKind <= 2 && (row.defaultKind < 2 || isName);
    }

    /** The numbers of the columns that rows of other tables refer to, each as often as it is referred to. */
    IntStream roots() {
        IntStream graph = IntStream.of(codes, subtree, parents);
        IntStream ofLabels = labels.stream().flatMapToInt(row -> IntStream.of(row.nodes, row.origin));
        IntStream ofEdges = edgeLabels.stream()
                .flatMapToInt(row -> IntStream.of(
                        row.out.nodes,
                        row.out.offsets,
                        row.out.neighbors,
                        row.in.nodes,
                        row.in.offsets,
                        row.in.neighbors,
                        row.places));
        IntStream ofProperties = properties.stream()
                .flatMapToInt(row -> IntStream.of(row.present, row.offsets, row.values, row.strings));
        IntStream ofIndexes = textIndexes.stream()
                .flatMapToInt(row ->
                        IntStream.of(row.buckets, row.codes, row.groups, row.sets, row.starts, row.nodes));
        IntStream ofChanges = changes.stream().flatMapToInt(Changes::columns);
        return Stream.of(graph, ofLabels, ofEdges, ofProperties, ofIndexes, ofChanges)
                .flatMapToInt(numbers -> numbers)
                .filter(number -> number != NONE);
    }

    /** The number of nodes in the base: all nodes except those that later commits appended. */
    public int baseNodes() {
        return changes.map(Changes::baseNodes).orElse(nodes);
    }

    /** The limit of the node ids that the columns of a layer's edge labels and properties contain. */
    public int nodesOfLayer(int layer) {
        int row = layers.get(layer).nodes;
        return row == 0 ? baseNodes() : row - 1;
    }

    /** A copy of this directory with other changes and with the columns that these changes refer to. */
    Directory withChanges(int nodes, Changes changes, MadeColumns made) {
        return new Directory(
                nodes,
                codes,
                subtree,
                parents,
                treeLabel,
                names,
                layers,
                labels,
                edgeLabels,
                properties,
                textIndexes,
                labelSets,
                made.columns(),
                made.rows(),
                Optional.of(changes));
    }

    /** The number of words that a label set takes in {@link #labelSets}. */
    public int maskWords() {
        return Math.max(1, (labels.size() + 63) / 64);
    }
}
