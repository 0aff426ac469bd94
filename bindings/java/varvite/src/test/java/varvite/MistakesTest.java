package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.NoSuchNodeException;
import varvite.error.NotAFileException;
import varvite.error.TruncatedFileException;

/**
 * Tests that the binding reports a caller's mistake as such and never as damage of the file, and that the
 * call changes nothing.
 */
class MistakesTest {
    private static final Graph GRAPH = Golden.open("blocks.compact.varvite");
    private static final Graph OTHER = Golden.open("awkward.direct.varvite");

    @AfterAll
    static void close() {
        GRAPH.close();
        OTHER.close();
    }

    @Test
    void aPlaceThatIsNoneIsNoDamage() {
        int node = GRAPH.bytes("KEY").owners().next(0);
        BytesCursor cursor = GRAPH.bytes("KEY").cursor();
        cursor.of(node);
        Places places = GRAPH.places(GRAPH.edgeLabel("REACHING_DEF")).orElseThrow();
        for (Executable mistake : List.<Executable>of(
                () -> GRAPH.nodes("CALL").next(-1),
                () -> GRAPH.nodes("EVERY").next(Integer.MIN_VALUE),
                () -> GRAPH.bytes("KEY").copyInto(node, new byte[64], -1),
                () -> GRAPH.bytes("KEY").copyInto(node, new byte[64], 65),
                () -> GRAPH.bytes("KEY").table().copyInto(0, new byte[64], -1),
                () -> cursor.copyInto(new byte[64], -1),
                () -> GRAPH.ints("SLOPE").copyInto(node, new int[4], -1),
                () -> GRAPH.longs("NUMBER").copyInto(node, new long[4], -1),
                () -> GRAPH.refs("EVIDENCE").copyInto(node, new int[4], -1),
                () -> GRAPH.out("CFG").copyInto(node, new int[4], -1),
                () -> GRAPH.nodes("CALL").bits(0, 65, new long[1]),
                () -> GRAPH.nodes("CALL").bits(1, 0, new long[1]),
                () -> GRAPH.ints("SLOPE").fill(0, 4, new long[3], new long[1]),
                () -> GRAPH.ints("SLOPE").fill(0, 65, new long[65], new long[1]),
                () -> GRAPH.ints("SLOPE").fill(2, 1, new long[1], new long[1]),
                () -> GRAPH.ints("SLOPE").fill(0, 4, new int[3], new long[1]),
                () -> GRAPH.ints("SLOPE").fill(0, 65, new int[65], new long[1]),
                () -> GRAPH.texts("NAME").fill(2, 1, new int[1], new long[1]),
                () -> GRAPH.ints("SLOPE").select(0, 9, 0, 65, new long[1]),
                () -> GRAPH.ints("SLOPE").select(0, 9, 2, 1, new long[1]),
                () -> GRAPH.ints("SLOPE").selectPresent(0, 65, new long[1]),
                () -> GRAPH.ints("SLOPE").countIn(0, 9, 2, 1),
                () -> GRAPH.ints("SLOPE").sum(2, 1),
                () -> GRAPH.out("CFG").expand(new int[1], 2, new IntList()),
                () -> GRAPH.out("AST").expand(new int[2], 2, new IntList(), new int[1]),
                () -> places.place(-1),
                () -> places.place(Long.MAX_VALUE))) {
            assertThrows(IndexOutOfBoundsException.class, mistake);
        }
    }

    @Test
    void nodesThatDoNotExistAreRefusedInBatches() {
        int nodes = GRAPH.nodeCount();
        long[] numbers = new long[4];
        long[] bits = new long[1];
        for (Executable mistake : List.<Executable>of(
                () -> GRAPH.ints("SLOPE").fill(nodes - 2, nodes + 1, numbers, bits),
                () -> GRAPH.ints("LIST").fill(-1, 1, numbers, bits),
                () -> GRAPH.ints("SLOPE").fill(nodes - 2, nodes + 1, new int[4], bits),
                () -> GRAPH.ints("SLOPE").select(0, 9, nodes - 2, nodes + 1, bits),
                () -> GRAPH.ints("LIST").selectPresent(-1, 1, bits),
                () -> GRAPH.ints("LIST").countIn(0, 9, -1, 1),
                () -> GRAPH.longs("NUMBER").sum(nodes, nodes + 1),
                () -> GRAPH.texts("NAME").recentNumbers().get(nodes, 0),
                () -> GRAPH.texts("NAME").recentNumbers().get(Integer.MIN_VALUE, 0),
                () -> GRAPH.texts("NAME").recentTexts().get(-1),
                () -> GRAPH.nodes("CALL").bits(nodes, nodes + 1, bits),
                () -> GRAPH.out("CFG").expand(new int[] {0, nodes}, 2, new IntList()),
                () -> GRAPH.in("AST").expand(new int[] {0, -1}, 2, new IntList()))) {
            assertThrows(NoSuchNodeException.class, mistake);
        }
    }

    @Test
    void aCursorThatThrowsIsAsItWas() {
        for (Adjacency adjacency : List.of(GRAPH.out("CFG"), GRAPH.out("AST"), GRAPH.in("AST"), OTHER.out("AST"))) {
            int node = 0;
            while (adjacency.degree(node) == 0) {
                node++;
            }
            NeighborCursor cursor = adjacency.cursor().of(node);
            assertTrue(cursor.next());
            int neighbor = cursor.node();
            long rank = cursor.rank();
            assertThrows(NoSuchNodeException.class, () -> cursor.of(-1));
            assertThrows(NoSuchNodeException.class, () -> cursor.of(1 << 30));
            assertEquals(List.of(node, neighbor), List.of(cursor.source(), cursor.node()));
            assertEquals(rank, cursor.rank());
            int left = adjacency.degree(node) - 1;
            while (cursor.next()) {
                left--;
            }
            assertEquals(0, left);
        }
    }

    @Test
    void aLabelOfAnotherGraphIsRefused() {
        Label call = OTHER.label("CALL");
        EdgeLabel cfg = OTHER.edgeLabel("CFG");
        Labels labels = GRAPH.labelSets();
        for (Executable mistake : List.<Executable>of(
                () -> GRAPH.nodes(call),
                () -> labels.has(0, call),
                () -> labels.codeHas(0, call),
                () -> labels.test(call),
                () -> GRAPH.adjacency(cfg, Direction.OUT),
                () -> GRAPH.places(cfg),
                () -> GRAPH.property(OTHER.property("NAME").info()))) {
            IllegalArgumentException error = assertThrows(IllegalArgumentException.class, mistake);
            assertTrue(error.getMessage().contains("belongs to another graph"), error.getMessage());
        }
        try (Graph again = Golden.open("blocks.compact.varvite")) {
            assertEquals(GRAPH.nodes("CALL").size(), GRAPH.nodes(again.label("CALL")).size());
        }
    }

    @Test
    void halfASurrogatePairIsNoText() throws IOException {
        try (Graph indexed = Golden.open("awkward.indexed.varvite")) {
            for (Graph graph : List.of(GRAPH, indexed)) {
                TextTable texts = graph.texts("NAME").texts();
                assertEquals(texts.find("?"), texts.find("?".getBytes(StandardCharsets.UTF_8)));
                for (String text : List.of("\ud800", "?\udc00", "\udc00\ud800", "name\ud800")) {
                    assertEquals(-1, texts.find(text));
                }
            }
            TextIndex index = indexed.textIndex("NAME").orElseThrow();
            assertEquals(-1, index.find("\ud800"));
        }
    }

    @Test
    void aPipeIsRefusedAtOnce(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe.varvite");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        NotAFileException error = assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> assertThrows(NotAFileException.class, () -> Graph.open(pipe)));
        assertEquals(-11, error.number());
        assertTrue(error.getMessage().contains("pipe.varvite is not a regular file"), error.getMessage());
    }

    @Test
    void aFileThatIsCutShortHasTheNumberOfTheEngine(@TempDir Path folder) throws IOException {
        Path path = Files.copy(Golden.file("blocks.direct.varvite"), folder.resolve("cut.varvite"));
        for (long length : new long[] {Files.size(path) - 1, 5000}) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(length);
            }
            TruncatedFileException error = assertThrows(TruncatedFileException.class, () -> Graph.open(path));
            assertEquals(List.of(-12L, length), List.of((long) error.number(), error.length()));
        }
    }
}
