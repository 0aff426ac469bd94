package varvite.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import varvite.error.DamagedFileException;

/** Tests of directories that omit the rows of an older directory. */
class ContinuedDirectoryTest {
    private static final Faults FAULTS = new Faults(Path.of("continued.varvite"));
    private static final long START = 12288;
    private static final long END = START + 4096;
    private static final int HEAD = 40;

    @Test
    void rowsOfTheOlderComeFirst() {
        ByteBuffer older = directory("older", 2, 1, 'a');
        ByteBuffer own = directory("own", 1, 2, 'b');
        ByteBuffer whole = ContinuedDirectory.complete(older, continued(own, START, older.limit()), FAULTS);
        assertEquals(72 + 8 + 3 * 48 + 3 * 40 + 3, whole.limit());
        assertEquals(3, whole.getInt(24 + 4 * 7));
        assertEquals(3, whole.getInt(24 + 4 * 8));
        assertEquals("aababb", firstBytes(whole));
        assertEquals("own", StandardCharsets.US_ASCII.decode(whole.slice(whole.limit() - 3, 3)).toString());
    }

    @Test
    void theOlderLiesBeforeIt() {
        ByteBuffer own = directory("own", 1, 1, 'b');
        ContinuedDirectory place = ContinuedDirectory.of(continued(own, START, 100), START, END, FAULTS);
        assertEquals(new ContinuedDirectory(START, 100, 7, 1), place);
        assertNull(ContinuedDirectory.of(own, START, END, FAULTS));
        for (long offset : new long[] {0, START - 1, END - 99, END, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            ByteBuffer bytes = continued(own, offset, 100);
            assertThrows(DamagedFileException.class, () -> ContinuedDirectory.of(bytes, START, END, FAULTS));
        }
        for (long length : new long[] {4097, (16 << 20) + 1, -1, Long.MIN_VALUE}) {
            ByteBuffer bytes = continued(own, START, length);
            assertThrows(DamagedFileException.class, () -> ContinuedDirectory.of(bytes, START, END, FAULTS));
        }
        ByteBuffer cut = continued(own, START, 100).slice(0, HEAD - 1);
        assertThrows(DamagedFileException.class, () -> ContinuedDirectory.of(cut, START, END, FAULTS));
    }

    @Test
    void countsThatLieAreDamage() {
        for (int table = 0; table < 9; table++) {
            int at = 24 + 4 * table;
            ByteBuffer older = directory("older", 1, 1, 'a');
            ByteBuffer own = continued(directory("own", 1, 1, 'b'), START, older.limit());
            older.putInt(at, -1);
            assertThrows(DamagedFileException.class, () -> ContinuedDirectory.complete(older, own, FAULTS));
            ByteBuffer good = directory("older", 1, 1, 'a');
            own.putInt(HEAD + at, -1);
            assertThrows(DamagedFileException.class, () -> ContinuedDirectory.complete(good, own, FAULTS));
        }
        ByteBuffer own = continued(directory("own", 1, 1, 'b'), START, 100);
        assertThrows(DamagedFileException.class, () -> ContinuedDirectory.complete(own, own, FAULTS));
    }

    /**
     * A directory with one name and with {@code columns} columns and {@code segments} segments, whose rows
     * begin with {@code byteOfRows}.
     */
    private static ByteBuffer directory(String name, int columns, int segments, char byteOfRows) {
        int length = 72 + 8 + columns * 48 + segments * 40 + name.length();
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("VVDIRECT".getBytes(StandardCharsets.US_ASCII));
        bytes.putInt(24, 1).putInt(24 + 4 * 7, columns).putInt(24 + 4 * 8, segments).putInt(24 + 4 * 9, name.length());
        for (int row = 0; row < columns + segments; row++) {
            bytes.put(80 + Math.min(row, columns) * 48 + Math.max(row - columns, 0) * 40, (byte) byteOfRows);
        }
        return bytes.put(length - name.length(), name.getBytes(StandardCharsets.US_ASCII)).clear();
    }

    private static ByteBuffer continued(ByteBuffer own, long offset, long length) {
        ByteBuffer bytes = ByteBuffer.allocate(HEAD + own.limit()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("VVCONTIN".getBytes(StandardCharsets.US_ASCII));
        bytes.putLong(offset).putLong(length).putLong(7).putLong(1);
        return bytes.put(own.duplicate()).flip();
    }

    /** The first byte of the row of each column and segment. */
    private static String firstBytes(ByteBuffer whole) {
        StringBuilder bytes = new StringBuilder();
        for (int row = 0; row < 3; row++) {
            bytes.append((char) whole.get(80 + row * 48));
        }
        for (int row = 0; row < 3; row++) {
            bytes.append((char) whole.get(80 + 3 * 48 + row * 40));
        }
        return bytes.toString();
    }
}
