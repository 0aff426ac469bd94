package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.function.Executable;
import varvite.error.GraphClosedException;
import varvite.error.TruncatedFileException;
import varvite.format.Header;

/**
 * Tests that using a closed graph throws an exception and never crashes the process. {@link SoakTest} closes
 * graphs while other threads read.
 */
class CloseTest {
    private static final Path FILE = Golden.file("blocks.direct.varvite");

    @Test
    void anIndexOfAClosedGraphFindsNothing() throws IOException {
        Graph graph = Golden.open("awkward.indexed.varvite");
        TextIndex index = graph.textIndex("NAME").orElseThrow();
        graph.close();
        for (Executable read : List.<Executable>of(
                () -> index.find(""), () -> index.find("main"), () -> index.first(0), () -> index.count(0), () -> index.append(0, new IntList()))) {
            assertThrows(GraphClosedException.class, read);
        }
    }

    @Test
    void everyReadAfterCloseSaysSo() throws IOException {
        Graph graph = Graph.open(FILE);
        Labels labels = graph.labelSets();
        LabelTest test = labels.test(graph.label("CALL"));
        Adjacency tree = graph.out("AST");
        Adjacency flow = graph.out("CFG");
        NeighborCursor cursor = flow.cursor().of(0);
        NodeSet every = graph.nodes("EVERY");
        NodeSet methods = graph.nodes("METHOD");
        IntProperty zero = graph.ints("ZERO");
        LongProperty number = graph.longs("NUMBER");
        TextProperty name = graph.texts("NAME");
        BytesProperty key = graph.bytes("KEY");
        BytesCursor bytes = key.cursor();
        bytes.of(0);
        RecentNumbers recent = zero.recentNumbers();
        recent.get(0, -1);
        RecentTexts recentTexts = name.recentTexts();
        recentTexts.get(0);
        Subtree subtree = graph.subtree().orElseThrow();
        Places places = graph.places(graph.edgeLabel("REACHING_DEF")).orElseThrow();
        graph.close();
        assertFalse(graph.isOpen());
        List<Executable> reads = List.of(
                graph::labelSets,
                graph::subtree,
                graph::memory,
                () -> graph.nodes("CALL"),
                () -> graph.out("CFG"),
                () -> graph.property("NAME"),
                () -> graph.ints("ZERO"),
                () -> labels.code(0),
                () -> test.matches(0),
                () -> tree.first(0),
                () -> tree.append(0, new IntList()),
                () -> tree.expand(new int[] {0}, 1, new IntList()),
                () -> flow.expand(new int[] {0, 3}, 2, new IntList(), new int[2]),
                () -> flow.degree(0),
                () -> flow.firstRank(3),
                () -> flow.cursor().of(0),
                cursor::next,
                () -> every.contains(0),
                () -> every.next(0),
                () -> every.bits(0, 70, new long[2]),
                () -> methods.bits(0, 70, new long[2]),
                () -> methods.rank(5),
                () -> methods.select(0),
                () -> zero.get(0, -1),
                () -> number.get(0, -1),
                () -> zero.fill(0, 9, new long[9], new long[1]),
                () -> name.fill(0, 9, new long[9], new long[1]),
                () -> recent.get(0, -1),
                () -> recentTexts.get(0),
                () -> name.code(0),
                () -> name.texts().get(0),
                () -> key.get(0),
                () -> key.copyInto(0, new byte[64], 0),
                () -> key.slice(0),
                () -> key.length(0),
                () -> key.table().length(0),
                () -> key.table().slice(0),
                () -> key.table().copyInto(0, new byte[64], 0),
                () -> key.table().find(""),
                () -> key.table().find("no such key"),
                () -> bytes.get(0),
                () -> bytes.copyInto(new byte[64], 0),
                () -> bytes.contentEquals(new byte[bytes.length()]),
                () -> bytes.of(0),
                () -> subtree.size(0),
                () -> places.place(0));
        for (int i = 0; i < reads.size(); i++) {
            GraphClosedException error = assertThrows(GraphClosedException.class, reads.get(i), "read number " + i);
            assertEquals(FILE, error.path());
            assertTrue(error.getMessage().contains("blocks.direct.varvite is closed"), error.getMessage());
        }
    }

    @Test
    void namesOutliveTheFile() throws IOException {
        Graph graph = Graph.open(FILE);
        graph.close();
        assertEquals("CALL", graph.label("CALL").name());
        assertEquals(FILE, graph.path());
        assertNotNull(graph.toString());
    }

    @Test
    void aSliceDiesWithItsGraph() throws IOException {
        Graph graph = Graph.open(FILE);
        MemorySegment slice = graph.bytes("KEY").slice(0);
        assertEquals(16, slice.byteSize());
        assertThrows(UnsupportedOperationException.class, () -> writableFails(slice));
        graph.close();
        assertThrows(IllegalStateException.class, () -> slice.get(ValueLayout.JAVA_BYTE, 0));
    }

    /**
     * Checks that Java refuses to write to a read-only map. The type of the exception depends on the version
     * of Java.
     */
    private static void writableFails(MemorySegment slice) {
        try {
            slice.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    @Test
    void closingTwiceIsClosingOnce() throws IOException {
        Graph graph = Graph.open(FILE);
        graph.close();
        graph.close();
        assertFalse(graph.isOpen());
    }

    @Test
    void aFileMayBeReplacedWhileItIsOpen(@TempDir Path folder) throws IOException {
        Path path = Files.copy(FILE, folder.resolve("a.varvite"));
        try (Graph graph = Graph.open(path)) {
            Path other = Files.copy(Golden.file("awkward.direct.varvite"), folder.resolve("b.varvite"));
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            assertEquals(1300, graph.nodes("EVERY").size());
            assertEquals(0, graph.ints("ZERO").get(1299, -1));
            graph.checkLength();
            Files.delete(path);
            graph.checkLength();
        }
    }

    @Test
    void aFileInMemoryMayBeCutShort(@TempDir Path folder) throws IOException {
        Path path = Files.copy(FILE, folder.resolve("cut.varvite"));
        Graph graph = Graph.open(path, OpenMode.BUFFERED);
        try (graph;
                Graph expected = Graph.open(FILE);
                FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            assertEquals(EveryHop.sum(expected), EveryHop.sum(graph));
        }
        assertThrows(GraphClosedException.class, () -> EveryHop.sum(graph));
    }

    /**
     * A program that shortens an open file breaks the contract. The reading thread then gets an error, and
     * the process continues.
     */
    @Test
    void aFileThatIsCutShortIsAnErrorAndNoCrash(@TempDir Path folder) throws IOException {
        Path path = Files.copy(FILE, folder.resolve("cut.varvite"));
        try (Graph graph = Graph.open(path)) {
            IntProperty slope = graph.ints("SLOPE");
            assertEquals(0, slope.get(0, -1) / 37);
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(Header.PAGE);
            }
            assertThrows(InternalError.class, () -> EveryHop.sum(graph));
            TruncatedFileException why = assertThrows(TruncatedFileException.class, graph::checkLength);
            assertEquals(Header.PAGE, why.length());
        }
    }
}
