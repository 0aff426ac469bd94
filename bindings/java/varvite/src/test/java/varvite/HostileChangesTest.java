package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.testing.Allocation;

/** Tests that Java does not allocate memory for changes that a file only claims to have. */
class HostileChangesTest {
    private static final short ALL = 1;
    private static final short CONSTANT = 16;
    /**
     * The number of appended nodes that the file claims. All have the same label set, from a constant column
     * without stored bytes.
     */
    private static final int APPENDED = 400_000;

    @Test
    void nodesThatAreOnlySaidToBeThereTakeAFractionOfAByteEach(@TempDir Path folder) throws IOException {
        LogFile file = new LogFile("changes/history-5.direct.varvite");
        ByteBuffer bytes = ByteBuffer.wrap(file.bytes).order(ByteOrder.LITTLE_ENDIAN);
        int changes = file.changes();
        int nodes = bytes.getInt(changes) + APPENDED;
        bytes.putInt(file.directory() + 8, nodes);
        put(file, bytes, bytes.getInt(changes + 4), CONSTANT, APPENDED);
        put(file, bytes, bytes.getInt(changes + 8), ALL, nodes);
        file.forgetOlder();
        file.repair();
        try (Graph graph = Graph.open(Files.write(folder.resolve("many.varvite"), file.bytes))) {
            assertEquals(nodes, graph.nodeCount());
            assertEquals(0, graph.liveNodeCount());
            long before = Allocation.ofThisThread();
            for (Label label : graph.labels()) {
                graph.nodes(label).contains(nodes - 1);
            }
            graph.out("CALL").first(nodes - 1);
            long allocated = Allocation.ofThisThread() - before;
            // A list of these nodes would take this number of bytes.
            assertTrue(allocated < 4L * APPENDED, allocated + " bytes");
        }
    }

    /** Replaces a column with one without stored bytes. */
    private static void put(LogFile file, ByteBuffer bytes, int column, short encoding, long count) {
        int row = file.column(column);
        bytes.putShort(row, encoding).put(row + 2, (byte) 0).put(row + 3, (byte) 0);
        bytes.putLong(row + 4, count).putLong(row + 12, 0).putLong(row + 20, 0);
    }
}
