package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.DamagedFileException;

/** Tests of the log of small commits. {@link HistoriesTest} tests the content of graphs with a log. */
class LogTest {
    /** A file with five records. */
    private static final String LOGGED = "changes/logged-20.compact.varvite";

    @TempDir
    Path folder;

    @Test
    void aLogIsTold() throws IOException {
        try (Graph graph = Golden.open(LOGGED)) {
            assertEquals(5, graph.log().records());
            assertTrue(graph.log().bytes() >= 5 * 128);
            assertEquals(0, graph.log().leftoverBytes());
        }
        try (Graph graph = Golden.open("awkward.direct.varvite")) {
            assertEquals(new LogInfo(0, 0, 0), graph.log());
        }
    }

    @Test
    void aTornTailIsDroppedAndTold() throws IOException {
        LogFile file = new LogFile(LOGGED);
        List<Integer> records = file.records();
        int last = records.get(4);
        for (int end = last + 1; end < file.bytes.length; end += 40) {
            checkRecords(4, end - last, Arrays.copyOf(file.bytes, end));
        }
        int behindHead = file.payload(last);
        file.bytes[behindHead] ^= 1;
        checkRecords(4, file.bytes.length - last, file.bytes);
        checkRecords(4, 0, Arrays.copyOf(file.bytes, last));
    }

    /** No later record proves that the missing record was durable. */
    @Test
    void aMissingRecordInTheMiddleIsDroppedWithThoseBehind() throws IOException {
        LogFile file = new LogFile(LOGGED);
        int second = file.records().get(1);
        file.bytes[second + 64] ^= 1;
        checkRecords(1, file.bytes.length - second, file.bytes);
    }

    @Test
    void aMissingRecordThatWasDurableIsDamageWithItsNumber() throws IOException {
        LogFile file = new LogFile(LOGGED);
        file.setDurable(file.records().get(4), 2);
        file.repair();
        checkRecords(5, 0, file.bytes);
        int second = file.records().get(1);
        file.bytes[second + 64] ^= 1;
        DamagedFileException damage = assertThrows(DamagedFileException.class, () -> open(file.bytes));
        assertTrue(damage.getMessage().contains("log record 2"), damage.getMessage());
        assertEquals(second, damage.offset());
        // A damaged record is dropped if no later record proves that it was durable.
        file.bytes[second + 64] ^= 1;
        int third = file.records().get(2);
        file.bytes[third + 64] ^= 1;
        checkRecords(2, file.bytes.length - third, file.bytes);
    }

    @Test
    void recordsOfAnotherGenerationOrFileAreNoLog() throws IOException {
        LogFile other = new LogFile(LOGGED);
        int first = other.records().get(0);
        other.setGeneration(first, 2);
        other.repair();
        checkRecords(0, other.bytes.length - other.end(), other.bytes);
    }

    @Test
    void aRecordOfAnOperationThatNoGraphCouldHaveIsDamage() throws IOException {
        LogFile file = new LogFile(LOGGED);
        int third = file.records().get(2);
        // Replace the operations with zeros, so that the payload is longer than its operations.
        Arrays.fill(file.bytes, file.payload(third), file.payload(third) + file.payloadLength(third), (byte) 0);
        file.repair();
        DamagedFileException damage = assertThrows(DamagedFileException.class, () -> open(file.bytes));
        assertTrue(damage.getMessage().contains("log record 3"), damage.getMessage());
    }

    private void checkRecords(int records, long leftover, byte[] bytes) throws IOException {
        try (Graph graph = open(bytes)) {
            assertEquals(records, graph.log().records());
            assertEquals(leftover, graph.log().leftoverBytes());
            EveryValue.read(graph);
        }
    }

    private Graph open(byte[] bytes) throws IOException {
        return Graph.open(Files.write(folder.resolve("log.varvite"), bytes));
    }
}
