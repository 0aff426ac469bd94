package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import varvite.BytesProperty;
import varvite.Graph;
import varvite.Profile;
import varvite.TextProperty;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;

/** Tests of reading values as bytes, which are copied or pinned. */
class FillOrPinTest {
    private static final long BUFFER_BYTES = 1 << 20;

    @Test
    void everyWayGivesTheTextThatTheGraphGives() throws IOException {
        for (Profile profile : Profile.values()) {
            for (long threshold : new long[] {0, 64, Long.MAX_VALUE}) {
                compare(profile, threshold);
            }
        }
        assertEquals(0, Call.liveHandles());
    }

    private static void compare(Profile profile, long threshold) throws IOException {
        int lent = 0;
        try (Graph expected = Graph.open(Graphs.of(Profile.DIRECT));
                NativeGraph graph = NativeGraph.open(Graphs.of(profile), false);
                NativeProperty code = graph.property("CODE");
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER_BYTES);
            TextProperty texts = expected.texts("CODE");
            for (int node = 0; node < Graphs.NODES; node += 3) {
                Value value = code.fillOrPin(node, buffer, threshold);
                String text = switch (value) {
                    case Value.Borrowed borrowed -> {
                        lent++;
                        try (borrowed) {
                            yield text(borrowed.bytes());
                        }
                    }
                    case Value.Filled filled -> text(buffer.asSlice(0, filled.length()));
                    case Value.TooSmall tooSmall -> throw new AssertionError(tooSmall);
                    case Value.Absent absent -> null;
                };
                assertEquals(texts.get(node), text, () -> profile + ", threshold " + threshold);
            }
        }
        assertEquals(profile == Profile.ARCHIVE && threshold == Long.MAX_VALUE, lent == 0);
    }

    private static String text(MemorySegment bytes) {
        return new String(bytes.toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Test
    void aBufferThatIsTooSmallIsToldAndLeftAlone() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.COMPACT), false);
                NativeProperty line = graph.property("LINE_NUMBER");
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(2);
            int node = 0;
            while (line.fillOrPin(node, buffer, 64) instanceof Value.Absent) {
                node++;
            }
            Value.TooSmall value = assertInstanceOf(Value.TooSmall.class, line.fillOrPin(node, buffer, 64));
            assertEquals(4, value.needed());
            assertEquals(0, buffer.get(JAVA_BYTE, 0) | buffer.get(JAVA_BYTE, 1));
        }
    }

    /** A value is copied up to the threshold, and a longer value is pinned (decision 15). */
    @Test
    void theThresholdDecidesUnlessItIsGiven() {
        int lent = 0;
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.ARCHIVE), false);
                NativeProperty code = graph.property("CODE");
                ValueCursor value = code.cursor();
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(NativeProperty.THRESHOLD_BYTES);
            for (int node = 0; node < Graphs.NODES; node++) {
                boolean isCopied = switch (value.fillOrPin(node, buffer)) {
                    case ABSENT, FILLED -> true;
                    case BORROWED -> false;
                    case TOO_SMALL -> throw new AssertionError("node " + node);
                };
                assertEquals(value.length() <= NativeProperty.THRESHOLD_BYTES, isCopied);
                lent += isCopied ? 0 : 1;
            }
            assertInstanceOf(Value.Absent.class, code.fillOrPin(0, buffer));
        }
        assertTrue(lent > 0, "no text is long enough for this test");
    }

    @Test
    void aPinOutlivesItsPropertyAndGraph() {
        Value.Borrowed pinned;
        byte[] bytes;
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.ARCHIVE), false);
                NativeProperty code = graph.property("CODE")) {
            pinned = firstOf(code);
            bytes = pinned.bytes().toArray(JAVA_BYTE);
            assertTrue(graph.pinnedBytes() > 0);
        }
        assertEquals(bytes.length, pinned.bytes().byteSize());
        assertEquals(MemorySegment.ofArray(bytes).mismatch(pinned.bytes()), -1);
        pinned.close();
        pinned.close();
        assertThrows(IllegalStateException.class, () -> pinned.bytes().get(JAVA_BYTE, 0));
    }

    @Test
    void aCursorReadsWhatAnObjectReads() {
        for (Profile profile : Profile.values()) {
            for (long threshold : new long[] {0, 64, Long.MAX_VALUE}) {
                compareCursor(profile, threshold);
            }
        }
        assertEquals(0, Call.liveHandles());
    }

    private static void compareCursor(Profile profile, long threshold) {
        try (Graph expected = Graphs.open(Profile.DIRECT);
                NativeGraph graph = NativeGraph.open(Graphs.of(profile), false);
                NativeProperty code = graph.property("CODE");
                ValueCursor value = code.cursor();
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER_BYTES);
            BytesProperty texts = expected.bytes("CODE");
            byte[] out = new byte[(int) BUFFER_BYTES];
            for (int node = 0; node < Graphs.NODES; node += 3) {
                boolean isAbsent = value.fillOrPin(node, buffer, threshold) == ValueCursor.Result.ABSENT;
                byte[] text = texts.get(node);
                assertEquals(text == null, isAbsent);
                int length = value.copyInto(out, 0);
                assertArrayEquals(text == null ? new byte[0] : text, Arrays.copyOf(out, length));
                for (int i = 0; i < length; i += 7) {
                    assertEquals(text[i], value.get(i));
                }
                assertThrows(IndexOutOfBoundsException.class, () -> value.get(value.length()));
                assertThrows(IndexOutOfBoundsException.class, () -> value.getLong(value.length() - 7));
            }
        }
    }

    @Test
    void aCursorHoldsItsPinAndNothingElse() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.ARCHIVE), false)) {
            NativeProperty code = graph.property("CODE");
            ValueCursor value = code.cursor();
            int node = 0;
            while (value.fillOrPin(node, MemorySegment.NULL, 0) != ValueCursor.Result.BORROWED || value.length() == 0) {
                node++;
            }
            byte first = value.get(0);
            code.close();
            int owner = node;
            assertEquals(first, value.get(0), "a pin outlives its property");
            assertThrows(GraphClosedException.class, () -> value.fillOrPin(owner, MemorySegment.NULL, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> value.get(0));
            value.close();
            value.close();
            assertThrows(GraphClosedException.class, () -> value.fillOrPin(owner, MemorySegment.NULL, 0));
        }
        assertEquals(0, Call.liveHandles());
    }

    @Test
    void whatACursorBorrowedDiesWithItsProperty() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false)) {
            NativeProperty name = graph.property("NAME");
            ValueCursor value = name.cursor();
            assertEquals(ValueCursor.Result.BORROWED, value.fillOrPin(1, MemorySegment.NULL, 0));
            assertTrue(value.length() > 0 && value.get(0) != 0);
            name.close();
            assertThrows(GraphClosedException.class, () -> value.get(0));
            assertThrows(GraphClosedException.class, () -> value.copyInto(new byte[100], 0));
            value.close();
        }
    }

    /** The first value that is not empty. */
    private static Value.Borrowed firstOf(NativeProperty property) {
        for (int node = 0; ; node++) {
            if (property.fillOrPin(node, MemorySegment.NULL, 0) instanceof Value.Borrowed value) {
                if (value.bytes().byteSize() > 0) {
                    return value;
                }
                value.close();
            }
        }
    }

    @Test
    void closedThingsThrow() {
        NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
        NativeProperty name = graph.property("NAME");
        Value.Borrowed value = (Value.Borrowed) name.fillOrPin(1, MemorySegment.NULL, 0);
        assertThrows(UnsupportedOperationException.class, () -> write(value.bytes()));
        name.close();
        name.close();
        assertThrows(IllegalStateException.class, () -> value.bytes().get(JAVA_BYTE, 0));
        assertThrows(GraphClosedException.class, () -> name.fillOrPin(1, MemorySegment.NULL, 0));
        graph.close();
        graph.close();
        assertThrows(GraphClosedException.class, () -> graph.property("NAME"));
    }

    private static void write(MemorySegment bytes) {
        try {
            bytes.fill((byte) 1);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    @Test
    void whatDoesNotExistIsToldWithTheNearest() {
        try (NativeGraph graph = NativeGraph.open(Graphs.of(Profile.DIRECT), false);
                NativeProperty name = graph.property("NAME")) {
            EngineException unknown = assertThrows(EngineException.class, () -> graph.property("NAMES"));
            assertEquals("VARVITE_E_UNKNOWN", unknown.codeName());
            assertTrue(unknown.getMessage().contains("nearest is \"NAME\""), unknown.getMessage());
            EngineException node =
                    assertThrows(EngineException.class, () -> name.fillOrPin(Graphs.NODES, MemorySegment.NULL, 0));
            assertEquals("VARVITE_E_NO_SUCH_NODE", node.codeName());
        }
    }
}
