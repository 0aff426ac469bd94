package varvite.format;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import varvite.error.DamagedFileException;
import varvite.format.Directory.EdgeLabelRow;

/**
 * The counts and sizes that a directory claims, compared with the length of its file.
 *
 * <p>Even a small file can claim a large count: a constant column of 2^32 values is one row, and a thousand
 * properties may refer to it. So a sum includes a column once for each reference to it, and no sum may exceed
 * a fixed multiple of the file's length. Sums are capped at {@link Long#MAX_VALUE}.
 */
final class Claims {
    private static final long VALUES_OF_BYTE = 1024;
    private static final long PLAIN_OF_BYTE = 256;
    private static final long PLAIN_FREE = 1 << 30;
    private static final long NAMES_OF_BYTE = 4;
    private static final long PARTS_MAX = 16;

    private final Directory directory;
    private final long fileLength;
    private final Faults faults;
    /**
     * The claims of each column and all its descendants together: the number of columns, of values and of
     * plain bytes.
     */
    private final long[] parts;

    private final long[] values;
    private final long[] plain;

    private Claims(Directory directory, long fileLength, Faults faults) {
        this.directory = directory;
        this.fileLength = fileLength;
        this.faults = faults;
        int columns = directory.columns().size();
        this.parts = new long[columns];
        this.values = new long[columns];
        this.plain = new long[columns];
    }

    /**
     * Checks that the directory claims no more than a file of this length may.
     *
     * @throws DamagedFileException if the directory claims more
     */
    static void check(Directory directory, long fileLength, Faults faults) {
        Claims claims = new Claims(directory, fileLength, faults);
        claims.weigh();
        claims.checkSums();
    }

    /** Adds to each column's claims those of its children, which come before it. */
    private void weigh() {
        for (int number = 0; number < parts.length; number++) {
            ColumnRow row = directory.columns().get(number);
            parts[number] = 1;
            values[number] = row.count() < 0 ? Long.MAX_VALUE : row.count();
            plain[number] = add(plainOf(row.segment0()), plainOf(row.segment1()));
            for (int child : new int[] {row.child0(), row.child1(), row.child2()}) {
                if (child != ColumnRow.NONE) {
                    parts[number] = add(parts[number], parts[child]);
                    values[number] = add(values[number], values[child]);
                    plain[number] = add(plain[number], plain[child]);
                }
            }
        }
    }

    private long plainOf(int segment) {
        return segment == ColumnRow.NONE ? 0 : directory.segments().get(segment).plainLength();
    }

    private void checkSums() {
        long named = directory.roots().mapToLong(root -> values[root]).reduce(0, Claims::add);
        long namedPlain = directory.roots().mapToLong(root -> plain[root]).reduce(0, Claims::add);
        long once = directory.segments().stream().mapToLong(SegmentRow::plainLength).reduce(0, Claims::add);
        long partsMost = LongStream.of(parts).max().orElse(0);
        check("values", counts().reduce(named, Claims::add), ofLength(VALUES_OF_BYTE));
        check("plain bytes", Math.max(namedPlain, once), Math.max(ofLength(PLAIN_OF_BYTE), PLAIN_FREE));
        long[] lengths = nameLengths();
        check("bytes of names", nameBytes(lengths), ofLength(NAMES_OF_BYTE));
        check("bytes of labels of label sets", labelSetBytes(lengths), ofLength(VALUES_OF_BYTE));
        check("parts of a column", partsMost, PARTS_MAX);
    }

    /** The counts in the directory's tables other than the table of columns. */
    private LongStream counts() {
        LongStream places = directory.labels().stream().mapToLong(row -> Integer.toUnsignedLong(row.originCount()));
        LongStream edges =
                directory.edgeLabels().stream().mapToLong(row -> row.edges() < 0 ? Long.MAX_VALUE : row.edges());
        LongStream appended = directory.changes().stream()
                .flatMapToLong(changes -> changes.edges().stream()
                        .mapToLong(row -> row.appended() < 0 ? Long.MAX_VALUE : row.appended()));
        LongStream nodes = LongStream.of(Integer.toUnsignedLong(directory.nodes()));
        return LongStream.concat(LongStream.concat(places, edges), LongStream.concat(appended, nodes));
    }

    private long[] nameLengths() {
        return directory.names().stream()
                .mapToLong(name -> name.getBytes(StandardCharsets.UTF_8).length)
                .toArray();
    }

    /** The bytes of names. Includes each name once for each row that uses it. */
    private long nameBytes(long[] lengths) {
        List<EdgeLabelRow> edgeLabels = directory.edgeLabels();
        IntStream layers =
                directory.layers().stream().flatMapToInt(row -> IntStream.of(row.name(), row.tool(), row.version()));
        IntStream labels = directory.labels().stream().mapToInt(row -> row.name());
        IntStream ofEdges = edgeLabels.stream().mapToInt(EdgeLabelRow::name);
        IntStream properties = directory.properties().stream()
                .flatMapToInt(row -> IntStream.of(
                                row.name(),
                                row.owner() == ColumnRow.NONE ? -1 : edgeLabels.get(row.owner()).name(),
                                row.defaultKind() == 2 ? (int) row.defaultValue() : -1)
                        .filter(name -> name >= 0));
        IntStream all = IntStream.concat(IntStream.concat(layers, labels), IntStream.concat(ofEdges, properties));
        return all.mapToLong(name -> lengths[name]).sum();
    }

    /** The bytes of the label names in all label sets, plus one byte for each name. */
    private long labelSetBytes(long[] lengths) {
        long[] sets = directory.labelSets();
        int words = directory.maskWords();
        long bytes = 0;
        for (int number = 0; number < sets.length; number++) {
            for (long rest = sets[number]; rest != 0; rest &= rest - 1) {
                int label = number % words * Long.SIZE + Long.numberOfTrailingZeros(rest);
                boolean known = label < directory.labels().size();
                bytes += 1 + (known ? lengths[directory.labels().get(label).name()] : 0);
            }
        }
        return bytes;
    }

    private long ofLength(long factor) {
        return fileLength > Long.MAX_VALUE / factor ? Long.MAX_VALUE : fileLength * factor;
    }

    private static long add(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private void check(String what, long found, long limit) {
        if (found > limit) {
            String expected = "at most " + limit + " " + what + " in a file of " + fileLength + " bytes";
            throw faults.damaged("directory", expected, found);
        }
    }
}
