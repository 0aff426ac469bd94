package varvite.change;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import varvite.Cardinality;
import varvite.ValueType;
import varvite.format.Faults;
import varvite.format.LogOperation;
import varvite.format.LogOperation.NodeOf;
import varvite.format.LogOperations;
import varvite.testing.Allocation;

/**
 * Tests of the operations that a diff stores. The log's reader can read them, because a log stores the same
 * bytes without the diff's magic number.
 */
class DiffTest {
    private static final int MAGIC_BYTES = 8;

    private static byte[] sent(Diff diff) {
        byte[] bytes = new byte[(int) diff.byteSize()];
        diff.copyTo(MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static List<LogOperation> operations(Diff diff) {
        byte[] bytes = sent(diff);
        byte[] payload = Arrays.copyOfRange(bytes, MAGIC_BYTES, bytes.length);
        return LogOperations.read(payload, "diff", new Faults(Path.of("diff")));
    }

    @Test
    void operationsComeBackInTheirOrder() {
        Diff diff = new Diff();
        assertTrue(diff.isEmpty());
        NewNode call = diff.addNode("CALL", "SITE");
        NewEdge edge = diff.addEdge("AST", 7, call);
        diff.addEdge("AST", call, 8);
        diff.addEdge("CFG", call, call);
        diff.addEdge("CFG", 1, 2);
        diff.removeNode(12);
        diff.removeEdge("CFG", 3);
        diff.set(call, "NAME", "größe", null);
        diff.append(edge, "WEIGHT", 0.5);
        diff.set(new EdgeRef("CFG", 4), "FLAG", true);
        diff.setUnsigned(NodeRef.of(9), "COUNT", -1);
        diff.append(5, "COUNT", 1, -2);
        diff.set(5, "NEXT", NodeRef.of(6), call, null);
        diff.clear(5, "NAME");
        assertEquals(14, diff.size());
        assertEquals(1, diff.newNodeCount());
        assertEquals(4, diff.newEdgeCount());
        NodeOf isNew = new NodeOf(0, true);
        List<LogOperation> expected = List.of(
                new LogOperation.AddNode(List.of("CALL", "SITE")),
                new LogOperation.AddEdge("AST", new NodeOf(7, false), isNew),
                new LogOperation.AddEdge("AST", isNew, new NodeOf(8, false)),
                new LogOperation.AddEdge("CFG", isNew, isNew),
                new LogOperation.AddEdge("CFG", new NodeOf(1, false), new NodeOf(2, false)),
                new LogOperation.RemoveNode(12),
                new LogOperation.RemoveEdge("CFG", 3),
                new LogOperation.Values(new LogOperation.OwnerNode(isNew), "NAME", false, Arrays.asList("größe", null)),
                new LogOperation.Values(new LogOperation.OwnerNewEdge(0), "WEIGHT", true, List.of(0.5)),
                new LogOperation.Values(new LogOperation.OwnerEdge("CFG", 4), "FLAG", false, List.of(true)),
                new LogOperation.Values(ofNode(9), "COUNT", false, List.of(new LogOperation.Unsigned(-1))),
                new LogOperation.Values(ofNode(5), "COUNT", true, List.of(1L, -2L)),
                new LogOperation.Values(ofNode(5), "NEXT", false, Arrays.asList(new NodeOf(6, false), isNew, null)),
                new LogOperation.Values(ofNode(5), "NAME", false, List.of()));
        assertEquals(expected, operations(diff));
    }

    /**
     * Adds every kind of operation except declarations. {@code node} and {@code edge} are the numbers of the
     * next new node and edge.
     */
    private static void addEverything(Diff diff, NewNode node, NewEdge edge) {
        diff.addNode("CALL", "SITE");
        diff.addNode();
        diff.addEdge("AST", node, 7);
        diff.addEdge("CFG", 3, node);
        diff.removeNode(12);
        diff.removeEdge("CFG", 3);
        diff.set(node, "NAME", "größe", null, "x".repeat(5_000));
        diff.append(edge, "WEIGHT", 0.5, -1.0);
        diff.set(new EdgeRef("CFG", 4), "FLAG", true, false);
        diff.setUnsigned(NodeRef.of(9), "COUNT", -1);
        diff.append(5, "COUNT", 1, -2);
        diff.set(5, "NEXT", NodeRef.of(6), node, null);
        diff.clear(5, "NAME");
    }

    /**
     * A diff that absorbs another diff equals a diff with the same operations, except for the order of names.
     */
    @Test
    void takenUpIsAsIfMadeHere() {
        Diff one = new Diff();
        addEverything(one, new NewNode(0), new NewEdge(0));
        Diff all = new Diff();
        all.addNode("NAME");
        all.addEdge("WEIGHT", 1, 2);
        byte[] before = sent(one);
        Diff.Absorbed absorbed = all.absorb(one);
        assertArrayEquals(before, sent(one));
        assertEquals(new NewNode(2), absorbed.node(new NewNode(1)));
        assertEquals(new NewEdge(1), absorbed.edge(new NewEdge(0)));
        assertEquals(List.of(3, 3), List.of(all.newNodeCount(), all.newEdgeCount()));
        Diff expected = new Diff();
        expected.addNode("NAME");
        expected.addEdge("WEIGHT", 1, 2);
        addEverything(expected, new NewNode(1), new NewEdge(1));
        assertEquals(operations(expected), operations(all));
        assertEquals(expected.size(), all.size());

        // A diff that absorbs itself then has every operation twice.
        all.absorb(all);
        expected.addNode("NAME");
        expected.addEdge("WEIGHT", 1, 2);
        addEverything(expected, new NewNode(4), new NewEdge(4));
        assertEquals(operations(expected), operations(all));
    }

    /** A diff also absorbs byte values and declarations, which a log does not contain. */
    @Test
    void declarationsAndBytesAreTakenUp() {
        Diff diff = new Diff();
        diff.declareLabel("SITE");
        diff.declareEdgeLabel("CFG");
        diff.declareProperty("COUNT", ValueType.U64, Cardinality.LIST);
        diff.declareEdgeProperty("AST", "WEIGHT", ValueType.F64, Cardinality.OPTIONAL);
        diff.set(5, "DATA", new byte[] {1, 2}, new byte[3_000_000], null);
        Diff copy = new Diff();
        copy.absorb(diff);
        assertArrayEquals(sent(diff), sent(copy));
    }

    private static LogOperation.Owner ofNode(int id) {
        return new LogOperation.OwnerNode(new NodeOf(id, false));
    }

    /** The pieces in which operations are stored are sent one after another, no matter where a piece ends. */
    @Test
    void piecesAreSentEndToEnd() {
        Diff diff = new Diff();
        byte[] large = new byte[5_000_001];
        Arrays.fill(large, (byte) 7);
        for (int i = 0; i < 300_000; i++) {
            diff.addEdge("CFG", i, i + 1);
            if (i % 100_000 == 0) {
                diff.set(i, "DATA", large);
            }
        }
        List<LogOperation> operations = operations(diff);
        assertEquals(300_003, operations.size());
        int edges = 0;
        for (LogOperation operation : operations) {
            switch (operation) {
                case LogOperation.AddEdge edge -> {
                    assertEquals(new NodeOf(edges, false), edge.from());
                    edges++;
                }
                case LogOperation.Values values -> assertArrayEquals(large, (byte[]) values.values().getFirst());
                default -> throw new AssertionError(operation);
            }
        }
        assertEquals(300_000, edges);
    }

    /** A diff without names and operations consists of its magic number and two counts. */
    @Test
    void nothingIsSixteenBytes() {
        Diff diff = new Diff();
        byte[] bytes = sent(diff);
        assertArrayEquals(Arrays.copyOf("VVDIFF01".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 16), bytes);
        assertThrows(IndexOutOfBoundsException.class, () -> diff.copyTo(MemorySegment.ofArray(new byte[15])));
    }

    /** A diff refuses at once operations that are not valid in any graph, and remains unchanged. */
    @Test
    void whatCannotBeIsRefusedAtOnce() {
        Diff diff = new Diff();
        diff.addEdge("CFG", 1, 2);
        byte[] before = sent(diff);
        assertThrows(IllegalArgumentException.class, () -> diff.addEdge("CFG", -1, 2));
        assertThrows(IllegalArgumentException.class, () -> diff.addEdge("CFG", 1, -2));
        assertThrows(IllegalArgumentException.class, () -> diff.removeNode(-1));
        assertThrows(IllegalArgumentException.class, () -> diff.removeEdge("CFG", -1));
        assertThrows(IllegalArgumentException.class, () -> diff.set(-1, "CFG", 1));
        assertThrows(IllegalArgumentException.class, () -> diff.set(1, "CFG", "fine", "\ud800"));
        assertThrows(IllegalArgumentException.class, () -> diff.addNode("CFG", "\udc00"));
        assertThrows(NullPointerException.class, () -> diff.addEdge("CFG", null, NodeRef.of(1)));
        assertThrows(NullPointerException.class, () -> diff.clear((ElementRef) null, "CFG"));
        assertThrows(NullPointerException.class, () -> diff.declareProperty("CFG", null, Cardinality.ONE));
        assertThrows(NullPointerException.class, () -> diff.declareProperty("CFG", ValueType.I8, null));
        assertArrayEquals(before, sent(diff));
        diff.addEdge("CFG", 2, 3);
        assertEquals(2, operations(diff).size());
    }

    /** An edge takes only the bytes that are sent; a diff also has room for the next piece. */
    @Test
    void anEdgeTakesAFewBytes() {
        assumeTrue(Allocation.isCounted());
        Diff diff = new Diff();
        NewNode call = diff.addNode("CALL");
        double bytes = Allocation.perCall(100_000, node -> {
            diff.addEdge("CFG", node, call);
            return node;
        });
        assertTrue(bytes < 80, bytes + " bytes allocated for each");
    }
}
