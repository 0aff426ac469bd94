package varvite.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import varvite.error.UnsupportedFileException;

/** Directories that this module does not read. */
class DirectoryTest {
    @Test
    void aGraphWithChangesIsRefusedByNameOfWhatHelps() {
        int changes = 24;
        ByteBuffer bytes = ByteBuffer.allocate(72 + changes).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("VVDIRECT".getBytes(StandardCharsets.US_ASCII));
        for (int column : new int[] {12, 16, 20, 64}) {
            bytes.putInt(column, -1);
        }
        bytes.putInt(68, changes);
        Faults faults = new Faults(Path.of("changed.varvite"));
        UnsupportedFileException refused = assertThrows(
                UnsupportedFileException.class, () -> Directory.of(bytes, 12288, 12288, faults));
        assertEquals(UnsupportedFileException.UNKNOWN_FEATURE, refused.number());
        assertTrue(refused.getMessage().contains("varvite compact"), refused.getMessage());
    }
}
