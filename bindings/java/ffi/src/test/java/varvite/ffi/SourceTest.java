package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import varvite.BytesProperty;
import varvite.Graph;
import varvite.LongProperty;
import varvite.TextProperty;

/** The layer of sources: texts in compressed blocks, although the profile of the file is compact. */
class SourceTest {
    private static final String FILE = "changes/sourced.varvite";

    @Test
    void theTextOfAFileIsRead() throws IOException {
        try (Graph graph = Graph.open(Graphs.golden(FILE))) {
            TextProperty content = graph.texts("CONTENT");
            BytesProperty bytes = graph.bytes("CONTENT");
            for (int node : new int[] {1, 4}) {
                assertEquals(source(node), content.get(node));
                assertArrayEquals(source(node).getBytes(StandardCharsets.UTF_8), bytes.get(node));
            }
            assertNull(content.get(0));
        }
        assertEquals(0, Call.liveHandles());
    }

    @Test
    void theOffsetsOfLinesLeadToLines() throws IOException {
        try (Graph graph = Graph.open(Graphs.golden(FILE))) {
            LongProperty lines = graph.longs("CONTENT_LINES");
            byte[] text = graph.bytes("CONTENT").get(4);
            assertEquals(2, lines.count(4));
            int at = (int) lines.at(4, 1);
            String rest = new String(text, at, text.length - at, StandardCharsets.UTF_8);
            assertEquals(line(4, 64), rest.substring(0, rest.indexOf('\n') + 1));
        }
    }

    private static String source(int node) {
        return IntStream.range(0, 100).mapToObj(line -> line(node, line)).collect(Collectors.joining());
    }

    private static String line(int node, int line) {
        return "line %02d of node %d: \u00e4\ud83d\ude00\n".formatted(line, node);
    }
}
