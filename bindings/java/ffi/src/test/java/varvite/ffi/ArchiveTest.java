package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.IntList;
import varvite.Profile;
import varvite.Property;
import varvite.PropertyInfo;
import varvite.TextProperty;
import varvite.error.DamagedFileException;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.error.UnsupportedFileException;

/** Columns in blocks of a codec, read through the engine. */
class ArchiveTest {
    @Test
    void everyProfileHoldsTheSame() throws IOException {
        try (Graph direct = Graph.open(Graphs.of(Profile.DIRECT));
                Graph compact = Graph.open(Graphs.of(Profile.COMPACT));
                Graph archive = Graph.open(Graphs.of(Profile.ARCHIVE))) {
            long[] expected = sums(direct);
            assertTrue(expected[0] != 0 && expected[1] != 0);
            assertEquals(java.util.Arrays.toString(expected), java.util.Arrays.toString(sums(compact)));
            assertEquals(java.util.Arrays.toString(expected), java.util.Arrays.toString(sums(archive)));
            assertTrue(archive.memory().decoded() > 0 && archive.memory().pinned() > 0);
            assertEquals(0, direct.memory().decoded());
        }
        assertEquals(0, Call.liveHandles());
    }

    /** Sums that depend on every neighbour with its place, and on every text of a node. */
    private static long[] sums(Graph graph) {
        long edges = 0;
        IntList list = new IntList();
        for (EdgeLabel label : graph.edgeLabels()) {
            for (Direction direction : Direction.values()) {
                var adjacency = graph.adjacency(label, direction);
                for (int node = 0; node < graph.nodeCount(); node++) {
                    list.clear();
                    adjacency.append(node, list);
                    for (int i = 0; i < list.size(); i++) {
                        edges = edges * 31 + list.get(i);
                    }
                }
            }
        }
        long texts = 0;
        for (PropertyInfo info : graph.properties()) {
            Property property = graph.property(info);
            if (info.edgeLabel().isEmpty() && property instanceof TextProperty text) {
                for (int node = 0; node < graph.nodeCount(); node++) {
                    String value = text.get(node);
                    texts = texts * 31 + (value == null ? 7 : value.hashCode());
                }
            }
        }
        return new long[] {edges, texts};
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

    @Test
    void aFileThatWasReplacedMeanwhileIsNotMixedIn() throws IOException {
        Path folder = Files.createTempDirectory("varvite-ffi");
        Path path = folder.resolve("replaced.varvite");
        Files.copy(Graphs.of(Profile.ARCHIVE), path);
        try (Graph graph = Graph.open(path)) {
            Path other = folder.resolve("other.varvite");
            Files.copy(Graphs.of(Profile.COMPACT), other);
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            assertThrows(UnsupportedFileException.class, () -> graph.texts("CODE").get(1));
        } finally {
            Files.delete(path);
            Files.delete(folder);
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
            EngineException e = assertThrows(EngineException.class, () -> sums(graph));
            assertEquals("VARVITE_E_DAMAGED", e.codeName());
            assertTrue(e.getMessage().contains("checksum"), e.getMessage());
        } catch (DamagedFileException e) {
            assertTrue(e.getMessage().contains("checksum"), e.getMessage());
        } finally {
            Files.delete(path);
        }
    }
}
