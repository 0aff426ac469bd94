package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.UnsupportedFileException;
import varvite.format.Xxh3;

/** Files with small commits behind the columns, which this module does not read. */
class LogTest {
    private static final int PAGE = 4096;

    @TempDir
    Path folder;

    @Test
    void aFileWithALogIsRefusedByNameOfWhatHelps() throws IOException {
        UnsupportedFileException refused =
                assertThrows(UnsupportedFileException.class, () -> Graph.open(withRecord(0, 0)));
        assertEquals(UnsupportedFileException.UNKNOWN_FEATURE, refused.number());
        assertTrue(refused.getMessage().contains("varvite compact"), refused.getMessage());
        // A record that lies further behind says that there was one before.
        assertThrows(UnsupportedFileException.class, () -> Graph.open(withRecord(0, 640)));
    }

    @Test
    void whatBelongsToAnotherCommitOrToNothingIsNoLog() throws IOException {
        Graph.open(withRecord(1, 0)).close();
        Path torn = withRecord(0, 0);
        byte[] bytes = Files.readAllBytes(torn);
        bytes[bytes.length - 1] ^= 1;
        Files.write(torn, bytes);
        Graph.open(torn).close();
    }

    /** A graph with the head of a record behind it, of a generation so many too high, and so many bytes too far. */
    private Path withRecord(long generations, int gap) throws IOException {
        byte[] graph = Files.readAllBytes(Golden.file("awkward.direct.varvite"));
        byte[] id = Arrays.copyOfRange(graph, 24, 40);
        long generation = ByteBuffer.wrap(graph).order(ByteOrder.LITTLE_ENDIAN).getLong(PAGE + 8);
        int start = (graph.length + 63) / 64 * 64 + gap;
        ByteBuffer bytes = ByteBuffer.allocate(start + 64).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(graph).position(start);
        bytes.put("VVRECORD".getBytes(StandardCharsets.US_ASCII)).putLong(generation + generations).putLong(1);
        bytes.putLong(start + 56, Xxh3.hash(bytes.array(), start, 56, Xxh3.hash(id, 0)));
        return Files.write(folder.resolve(generations + "-" + gap + ".varvite"), bytes.array());
    }
}
