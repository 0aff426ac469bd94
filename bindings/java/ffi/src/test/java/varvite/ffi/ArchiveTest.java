package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import varvite.BytesCursor;
import varvite.BytesProperty;
import varvite.Graph;
import varvite.GraphMemory;
import varvite.OpenMode;
import varvite.Profile;
import varvite.TextProperty;
import varvite.TextTable;
import varvite.error.DamagedFileException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.probe.ReadsAll;

/** Tests of compressed columns, which are read through the engine. */
class ArchiveTest {
    /** The plain bytes of a block of compressed texts. */
    private static final int BLOCK = 1 << 18;

    @Test
    void everyProfileHoldsTheSame() throws IOException {
        try (Graph direct = Graph.open(Graphs.of(Profile.DIRECT));
                Graph compact = Graph.open(Graphs.of(Profile.COMPACT));
                Graph archive = Graph.open(Graphs.of(Profile.ARCHIVE))) {
            long[] expected = ReadsAll.sums(direct);
            assertTrue(expected[0] != 0 && expected[1] != 0);
            assertEquals(Arrays.toString(expected), Arrays.toString(ReadsAll.sums(compact)));
            assertEquals(Arrays.toString(expected), Arrays.toString(ReadsAll.sums(archive)));
            assertTrue(archive.memory().decoded() > 0 && archive.memory().pinned() > 0);
            assertEquals(0, direct.memory().decoded());
        }
        assertEquals(0, Call.liveHandles());
    }

    @Test
    void aClosedGraphThrowsAndGivesEverythingBack() throws IOException {
        Graph graph = Graph.open(Graphs.of(Profile.ARCHIVE));
        TextProperty code = graph.texts("CODE");
        MemorySegment slice = graph.bytes("CODE").slice(graph.nodes("METHOD").next(0));
        assertTrue(slice.byteSize() > 0 && Call.liveHandles() > 0);
        graph.close();
        assertEquals(0, Call.liveHandles());
        assertThrows(GraphClosedException.class, () -> code.get(100));
        assertThrows(IllegalStateException.class, () -> slice.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0));
    }

    /**
     * A graph keeps the state that its file had when it was opened, even in columns that were not read
     * before.
     */
    @Test
    void anArchiveThatWasReplacedIsReadAsItWas(@TempDir Path folder) throws IOException {
        Path path = Files.copy(Graphs.of(Profile.ARCHIVE), folder.resolve("replaced.varvite"));
        try (Graph graph = Graph.open(path);
                Graph expected = Graphs.open(Profile.DIRECT)) {
            Path other = Files.copy(Graphs.golden("awkward.archive.varvite"), folder.resolve("other.varvite"));
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            assertEquals(Arrays.toString(ReadsAll.sums(expected)), Arrays.toString(ReadsAll.sums(graph)));
        }
    }

    /**
     * A program that shortens the file breaks the contract. The engine then reports an error number, and the
     * process continues.
     */
    @Test
    void anArchiveThatIsCutShortIsAnErrorAndNoCrash(@TempDir Path folder) throws IOException {
        Path path = Files.copy(Graphs.of(Profile.ARCHIVE), folder.resolve("cut.varvite"));
        try (Graph graph = Graph.open(path)) {
            TextProperty name = graph.texts("NAME");
            assertTrue(name.code(0) >= -1);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(3 * 4096);
            }
            EngineException error = assertThrows(EngineException.class, () -> ReadsAll.sums(graph));
            assertEquals("VARVITE_E_TRUNCATED", error.codeName(), error.getMessage());
        }
    }

    @Test
    void anArchiveInMemoryMayBeCutShort(@TempDir Path folder) throws IOException {
        Path path = Files.copy(Graphs.of(Profile.ARCHIVE), folder.resolve("cut.varvite"));
        try (Graph graph = Graph.open(path, OpenMode.BUFFERED);
                Graph expected = Graphs.open(Profile.DIRECT);
                FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            assertEquals(Arrays.toString(ReadsAll.sums(expected)), Arrays.toString(ReadsAll.sums(graph)));
        }
    }

    @Test
    void oneTextDecodesItsBlockAndHoldsNothing() throws IOException {
        try (Graph graph = Graph.open(Graphs.of(Profile.ARCHIVE))) {
            TextProperty code = graph.texts("CODE");
            int node = code.owners().next(0);
            int text = code.code(node);
            int all = IntStream.range(0, code.texts().count()).map(code.texts()::length).sum();
            assertTrue(all > 2 * BLOCK, "one block is all there is");
            GraphMemory before = graph.memory();
            assertTrue(code.texts().length(text) >= 0);
            assertEquals(before.decoded(), graph.memory().decoded(), "a length needs no text");
            code.get(node);
            assertTrue(graph.memory().decoded() - before.decoded() <= BLOCK, () -> before + " became " + graph.memory());
            assertEquals(before.pinned(), graph.memory().pinned());
            code.slice(node);
            assertTrue(graph.memory().pinned() - before.pinned() <= BLOCK, () -> before + " became " + graph.memory());
        }
    }

    /** Reads texts in the order of their codes, in random order, and across block boundaries. */
    @Test
    void textsInBlocksAreReadInEveryWay() throws IOException {
        try (Graph archive = Graph.open(Graphs.of(Profile.ARCHIVE));
                Graph direct = Graphs.open(Profile.DIRECT)) {
            for (String name : List.of("CODE", "FULL_NAME", "NAME")) {
                TextTable texts = archive.texts(name).texts();
                TextTable expected = direct.texts(name).texts();
                assertEquals(expected.count(), texts.count());
                assertTrue(texts.isReadable());
                for (int i = 0; i < expected.count(); i++) {
                    compare(expected, texts, (int) (i * 7919L % expected.count()));
                }
                compareCursors(direct.bytes(name), archive.bytes(name), 1);
                compareCursors(direct.bytes(name), archive.bytes(name), 7919);
                for (int code = 0; code < expected.count(); code += expected.count() / 5) {
                    assertEquals(expected.find(expected.get(code)), texts.find(expected.get(code)));
                }
                assertEquals(-1, texts.find("no node has such a text"));
            }
        }
    }

    private static void compare(TextTable expected, TextTable texts, int code) {
        byte[] text = expected.get(code).getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[text.length + 2];
        assertEquals(text.length, texts.copyInto(code, out, 1));
        assertArrayEquals(text, Arrays.copyOfRange(out, 1, out.length - 1));
        assertEquals(expected.get(code), texts.get(code));
        assertArrayEquals(text, texts.slice(code).toArray(JAVA_BYTE));
        assertTrue(texts.slice(code).isReadOnly());
    }

    private static void compareCursors(BytesProperty expected, BytesProperty texts, int stride) {
        BytesCursor cursor = texts.cursor();
        for (int i = 0; i < Graphs.NODES; i++) {
            int node = (int) ((long) i * stride % Graphs.NODES);
            byte[] text = expected.get(node);
            assertEquals(text != null, cursor.of(node));
            if (text != null) {
                assertEquals(text.length, cursor.length());
                assertTrue(cursor.contentEquals(text));
                assertTrue(text.length == 0 || cursor.get(text.length - 1) == text[text.length - 1]);
                assertArrayEquals(text, cursor.segment().asSlice(cursor.offset(), cursor.length()).toArray(JAVA_BYTE));
            }
        }
    }

    @Test
    void aCursorOfAClosedArchiveThrows() throws IOException {
        Graph graph = Graph.open(Graphs.of(Profile.ARCHIVE));
        BytesProperty code = graph.bytes("CODE");
        BytesCursor cursor = code.cursor();
        int node = code.owners().next(0);
        assertTrue(cursor.of(node) && cursor.length() > 0);
        graph.close();
        for (Executable read : List.<Executable>of(
                () -> cursor.get(0),
                () -> cursor.copyInto(new byte[1 << 16], 0),
                () -> cursor.contentEquals(new byte[cursor.length()]),
                () -> cursor.ofCode(0),
                () -> code.table().slice(0),
                () -> code.table().find("x"))) {
            assertThrows(GraphClosedException.class, read);
        }
    }

    @Test
    void damageOfABlockIsTold() throws IOException {
        Path path = Files.createTempFile("varvite-ffi", ".varvite");
        byte[] bytes = Files.readAllBytes(Graphs.of(Profile.ARCHIVE));
        for (int at = 12_288; at < bytes.length / 2; at += 512) {
            bytes[at] ^= 1;
        }
        Files.write(path, bytes);
        try (Graph graph = Graph.open(path)) {
            EngineException e = assertThrows(EngineException.class, () -> ReadsAll.sums(graph));
            assertEquals("VARVITE_E_DAMAGED", e.codeName());
            assertTrue(e.getMessage().contains("checksum"), e.getMessage());
        } catch (DamagedFileException e) {
            assertTrue(e.getMessage().contains("checksum"), e.getMessage());
        } finally {
            Files.delete(path);
        }
    }
}
