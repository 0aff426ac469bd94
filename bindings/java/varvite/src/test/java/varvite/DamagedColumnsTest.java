package varvite;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.DamagedFileException;
import varvite.format.Directory;
import varvite.format.Encoding;
import varvite.format.GraphFile;

/** Tests of columns with invalid values, in files that are opened without checks of block checksums. */
class DamagedColumnsTest {
    private static final String PLAIN = "awkward.direct.varvite";
    /** The file offset of the highest byte of the first rank word for the owners of I64_LIST. */
    private static final int HIGH_OF_RANK = 24_195;

    private static final String LOGGED = "changes/logged-60.compact.varvite";
    /** The offset in {@link #LOGGED} of a byte in one of the columns of changes. */
    private static final int OF_CHANGES = 66_461;
    /** The offsets of count and base within the row of a column. */
    private static final int COUNT = 4;

    private static final int BASE = 12;

    @TempDir
    Path folder;

    /** A number beyond its type is, for example, 300 as a byte, or 7 as a truth value. */
    @Test
    void aNumberBeyondItsTypeIsDamage() throws IOException {
        int tried = 0;
        for (ValueType type : ValueType.values()) {
            boolean isWide = type == ValueType.I64 || type == ValueType.U64;
            if (type.isInteger() && !isWide || type == ValueType.F32) {
                tried += checkNumbersOf(type);
            }
        }
        assertTrue(tried >= 8, tried + " properties");
    }

    private int checkNumbersOf(ValueType type) throws IOException {
        int tried = 0;
        Directory directory = directoryOf(PLAIN);
        for (int number = 0; number < directory.properties().size(); number++) {
            Directory.PropertyRow row = directory.properties().get(number);
            if (row.valueType() != type.ordinal()) {
                continue;
            }
            try (Graph graph = open(withMore(PLAIN, row.values(), BASE, 1L << 33))) {
                Property property = graph.property(graph.properties().get(number));
                int owner = property.owners().next(0);
                int limit = property.ownerLimit();
                long[] numbers = new long[limit];
                long[] present = new long[Bits.words(limit)];
                if (owner >= 0) {
                    assertThrows(DamagedFileException.class, () -> EveryValue.of(property, owner), type.toString());
                    assertThrows(DamagedFileException.class, () -> property.fill(0, limit, numbers, present), type.toString());
                    tried++;
                }
            }
        }
        return tried;
    }

    @Test
    void aStreamOfASetThatCountsWrongIsDamage() throws IOException {
        Directory directory = directoryOf(PLAIN);
        int label = 0;
        while (directory.columns().get(directory.labels().get(label).nodes()).encoding() != Encoding.BITMAP) {
            label++;
        }
        for (int more : new int[] {-1, 1}) {
            try (Graph graph = open(withMore(PLAIN, directory.labels().get(label).nodes(), COUNT, more))) {
                NodeSet nodes = graph.nodes(graph.labels().get(label));
                assertThrows(DamagedFileException.class, () -> nodes.stream().toArray());
                assertThrows(DamagedFileException.class, () -> nodes.stream().boxed().iterator().forEachRemaining(node -> {}));
            }
        }
    }

    /** A rank beyond an int could be mistaken for -1, which stands for an owner without values. */
    @Test
    void aRankBeyondAnIntIsDamage() throws IOException {
        byte[] bytes = LogFile.read(Golden.file(PLAIN));
        bytes[HIGH_OF_RANK] = (byte) 0xa2;
        try (Graph graph = open(bytes)) {
            Property property = graph.property("I64_LIST");
            assertThrows(DamagedFileException.class, () -> property.count(2));
            assertThrows(DamagedFileException.class, () -> property.owners().contains(2));
        }
    }

    /**
     * The replay of a log makes new columns from the old columns of changes, which are not read again
     * afterwards. So the old columns must be checked before the replay.
     */
    @Test
    void changesThatALogIsTakenUpOnAreChecked() throws IOException {
        byte[] bytes = LogFile.read(Golden.file(LOGGED));
        bytes[OF_CHANGES] ^= 1;
        Path path = Files.write(folder.resolve("damaged.varvite"), bytes);
        for (OpenMode mode : OpenMode.values()) {
            assertThrows(DamagedFileException.class, () -> Graph.open(path, mode), mode.toString());
        }
    }

    private static Directory directoryOf(String name) throws IOException {
        GraphFile file = GraphFile.map(Golden.file(name), false);
        file.close();
        return file.directory();
    }

    /**
     * A golden file in which {@code more} is added to one number in the row of a column; the checksums are
     * correct.
     */
    private static byte[] withMore(String name, int column, int place, long more) {
        LogFile file = new LogFile(name);
        file.forgetOlder();
        ByteBuffer buffer = ByteBuffer.wrap(file.bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = file.column(column) + place;
        buffer.putLong(at, buffer.getLong(at) + more);
        file.repair();
        return file.bytes;
    }

    private Graph open(byte[] bytes) throws IOException {
        return Graph.open(Files.write(folder.resolve("damaged.varvite"), bytes));
    }
}
