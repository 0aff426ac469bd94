package varvite.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import varvite.error.DamagedFileException;

/** Tests of directories with invalid changes. */
class DirectoryTest {
    private static final Faults FAULTS = new Faults(Path.of("changed.varvite"));

    @Test
    void changesAreReadWhereTheTablesEnd() {
        Directory directory = Directory.of(directory(5, 24, 3, 0, 0), 12288, 12288, FAULTS);
        assertEquals(3, directory.changes().orElseThrow().baseNodes());
        assertEquals(3, directory.baseNodes());
        Directory unchanged = Directory.of(directory(5, 0, 0, 0, 0), 12288, 12288, FAULTS);
        assertTrue(unchanged.changes().isEmpty());
        assertEquals(5, unchanged.baseNodes());
    }

    @Test
    void lengthsAndRowsOfChangesThatMakeNoSenseAreDamage() {
        refused(directory(5, 20, 3, 0, 0));
        refused(directory(5, 28, 3, 0, 0));
        refused(directory(5, 24, 6, 0, 0));
        refused(directory(5, 24, -1, 0, 0));
        refused(directory(5, 24, 3, 1, 0));
        refused(directory(5, 24, 3, -1, -1));
        // The changes refer to an edge label that does not exist, and to a property that does not exist.
        refused(directory(5, 24 + 56, 3, 1, 0));
        refused(directory(5, 24 + 24, 3, 0, 1));
        ByteBuffer longer = directory(5, 24, 3, 0, 0);
        longer.putInt(68, -1);
        refused(longer);
    }

    @Test
    void nodesOfALayerAreThoseOfItsRowOrOfTheBase() {
        assertEquals(5, Directory.of(layer(5, 0), 12288, 12288, FAULTS).nodesOfLayer(0));
        assertEquals(0, Directory.of(layer(5, 1), 12288, 12288, FAULTS).nodesOfLayer(0));
        assertEquals(5, Directory.of(layer(5, 6), 12288, 12288, FAULTS).nodesOfLayer(0));
        refused(layer(5, 7));
        refused(layer(5, -1));
    }

    private static void refused(ByteBuffer bytes) {
        DamagedFileException damage =
                assertThrows(DamagedFileException.class, () -> Directory.of(bytes, 12288, 12288, FAULTS));
        assertTrue(damage.getMessage().contains("directory"), damage.getMessage());
    }

    /**
     * A directory of {@code nodes} nodes and one layer, whose row has {@code ofRow} as its number of nodes.
     */
    private static ByteBuffer layer(int nodes, int ofRow) {
        ByteBuffer bytes = directory(nodes, 8 + 56 + 1, 0, 0, 0);
        bytes.putInt(68, 0);
        bytes.put(72, new byte[8 + 56 + 1]);
        for (int table : new int[] {0, 1, 9}) {
            bytes.putInt(24 + 4 * table, 1);
        }
        bytes.putInt(76, 1).put(72 + 8 + 56, (byte) 'x');
        return bytes.putInt(80 + 12, ofRow);
    }

    /**
     * A directory of {@code nodes} nodes, without tables, with {@code length} bytes of changes. The changes
     * claim {@code edges} rows of edge labels and {@code properties} rows of properties.
     */
    private static ByteBuffer directory(int nodes, int length, int baseNodes, int edges, int properties) {
        ByteBuffer bytes = ByteBuffer.allocate(72 + length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("VVDIRECT".getBytes(StandardCharsets.US_ASCII));
        bytes.putInt(8, nodes);
        for (int column : new int[] {12, 16, 20, 64}) {
            bytes.putInt(column, -1);
        }
        bytes.putInt(68, length);
        if (length >= 24) {
            bytes.putInt(72, baseNodes).putInt(76, -1).putInt(80, -1).putInt(84, edges).putInt(88, properties);
        }
        return bytes;
    }
}
