package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.DamagedFileException;
import varvite.format.Xxh3;
import varvite.testing.Allocation;

/**
 * Tests that the reader does not allocate memory for a count that a file claims before it has read that much
 * data.
 */
class HostileCountTest {
    private static final int PAGE = 4096;
    private static final int[] ROWS = {8, 56, 20, 44, 40, 28, 8, 48, 40, 1};
    private static final int EDGE_LABELS = 3;
    private static final int COLUMNS = 7;
    private static final int REF = 1;
    private static final short CONSTANT = 16;
    private static final short SEQUENCE = 17;

    /**
     * The number of edges that the file claims for each node. All of them lead to a node that does not exist.
     */
    private static final int CLAIMED = 400_000;

    @Test
    void aListIsNotAllocatedBeforeItIsRead(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("lists.varvite"), withHugeLists(Files.readAllBytes(Golden.file("damaged/offset-too-large.varvite"))));
        try (Graph graph = Graph.open(path)) {
            Adjacency refs = graph.out("REF");
            assertEquals(CLAIMED, refs.degree(3));
            IntList out = new IntList();
            long before = Allocation.ofThisThread();
            assertThrows(DamagedFileException.class, () -> refs.append(3, out));
            long allocated = Allocation.ofThisThread() - before;
            assertTrue(allocated < CLAIMED * 2L, allocated + " bytes for what nobody read");
        }
    }

    /**
     * Replaces the out-lists of REF with columns without stored bytes: each node has {@link #CLAIMED} edges
     * to a node that does not exist.
     */
    private static byte[] withHugeLists(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int directory = (int) bytes.getLong(PAGE + 16);
        int nodes = bytes.getInt(directory + 8);
        int label = row(bytes, directory, EDGE_LABELS, REF);
        bytes.putLong(label + 8, (long) nodes * CLAIMED);
        put(bytes, row(bytes, directory, COLUMNS, bytes.getInt(label + 20)), SEQUENCE, nodes + 1, 0, CLAIMED);
        put(bytes, row(bytes, directory, COLUMNS, bytes.getInt(label + 24)), CONSTANT, (long) nodes * CLAIMED, nodes, 0);
        repair(bytes, directory);
        return file;
    }

    private static int row(ByteBuffer bytes, int directory, int table, int row) {
        int start = directory + 72;
        for (int before = 0; before < table; before++) {
            start += bytes.getInt(directory + 24 + 4 * before) * ROWS[before];
        }
        return start + row * ROWS[table];
    }

    private static void put(ByteBuffer bytes, int row, short encoding, long count, long base, long step) {
        bytes.putShort(row, encoding).put(row + 2, (byte) 0).put(row + 3, (byte) 0);
        bytes.putLong(row + 4, count).putLong(row + 12, base).putLong(row + 20, step);
    }

    /** Corrects the checksums of the directory and of the superblock that refers to it. */
    private static void repair(ByteBuffer bytes, int directory) {
        int length = (int) bytes.getLong(PAGE + 24);
        byte[] file = bytes.array();
        bytes.putLong(PAGE + 32, Xxh3.hash(Arrays.copyOfRange(file, directory, directory + length), bytes.getLong(PAGE + 8)));
        long seed = Xxh3.hash(Arrays.copyOfRange(file, 24, 40), 0);
        bytes.putLong(PAGE + 56, Xxh3.hash(Arrays.copyOfRange(file, PAGE, PAGE + 56), seed));
    }
}
