package varvite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import varvite.error.GraphClosedException;

/**
 * Tests that iterators, streams and forEach give the same results as loops, for neighbours, nodes of a label,
 * owners of a property, and lists.
 */
class IterationTest {
    private static final Graph GRAPH = Golden.open("blocks.direct.varvite");

    /** Adjacencies of every shape. */
    static Stream<Adjacency> adjacencies() {
        return Stream.of(GRAPH.out("CFG"), GRAPH.in("CFG"), GRAPH.out("AST"), GRAPH.in("AST"), GRAPH.out("NEVER"));
    }

    @ParameterizedTest
    @MethodSource("adjacencies")
    void neighboursAreTheSameInEveryWay(Adjacency adjacency) {
        IntList expected = new IntList();
        IntList found = new IntList();
        for (int node = 0; node < GRAPH.nodeCount(); node++) {
            expected.clear();
            adjacency.append(node, expected);
            found.clear();
            adjacency.forEach(node, found::add);
            assertArrayEquals(expected.toArray(), found.toArray());
            assertArrayEquals(expected.toArray(), drain(adjacency.iterator(node)));
            assertArrayEquals(expected.toArray(), adjacency.neighbors(node).toArray());
            assertArrayEquals(expected.toArray(), adjacency.neighbors(node).parallel().toArray());
            assertEquals(expected.size(), adjacency.neighbors(node).count());
        }
    }

    /** Sets of nodes and of owners. */
    static Stream<NodeSet> sets() {
        return Stream.of(
                GRAPH.nodes("CALL"),
                GRAPH.nodes("METHOD"),
                GRAPH.nodes("EVERY"),
                GRAPH.nodes("NOBODY"),
                GRAPH.texts("NAME").owners(),
                GRAPH.ints("LIST").owners(),
                GRAPH.edgeProperty("REACHING_DEF", "VARIABLE").owners());
    }

    @ParameterizedTest
    @MethodSource("sets")
    void membersAreTheSameInEveryWay(NodeSet set) {
        int[] expected = set.toArray();
        assertEquals(set.size(), expected.length);
        IntList found = new IntList();
        set.forEach(found::add);
        assertArrayEquals(expected, found.toArray());
        assertArrayEquals(expected, drain(set.iterator()));
        assertArrayEquals(expected, set.stream().toArray());
        assertArrayEquals(expected, set.stream().parallel().toArray());
        assertArrayEquals(expected, set.stream().sorted().distinct().toArray());
        assertEquals(IntStream.of(expected).filter(node -> node % 3 == 0).count(), set.stream().filter(node -> node % 3 == 0).count());
    }

    @ParameterizedTest
    @MethodSource("sets")
    void partsOfASplitKnowTheirSize(NodeSet set) {
        Spliterator.OfInt right = set.spliterator();
        assertTrue(right.hasCharacteristics(Spliterator.SIZED | Spliterator.SUBSIZED | Spliterator.SORTED));
        assertEquals(null, right.getComparator());
        right.tryAdvance((int first) -> {});
        Spliterator.OfInt left = right.trySplit();
        long expected = Math.max(0, set.size() - 1);
        assertEquals(expected, right.estimateSize() + (left == null ? 0 : left.estimateSize()));
        IntList found = new IntList();
        if (left != null) {
            assertEquals(left.estimateSize(), StreamSupport.intStream(left, false).peek(found::add).filter(node -> true).count());
        }
        right.forEachRemaining((int node) -> found.add(node));
        assertArrayEquals(set.stream().skip(1).toArray(), found.toArray());
        assertEquals(0, right.estimateSize());
        assertFalse(right.tryAdvance((int node) -> {}));
    }

    @Test
    void aListIsIteratedInItsOrder() {
        IntList list = new IntList();
        IntStream.of(3, 1, 2).forEach(list::add);
        assertArrayEquals(new int[] {3, 1, 2}, drain(list.iterator()));
        assertArrayEquals(new int[] {3, 1, 2}, StreamSupport.intStream(list.spliterator(), true).toArray());
    }

    @Test
    void iteratorsEndWithTheException() {
        assertThrows(NoSuchElementException.class, GRAPH.nodes("NOBODY").iterator()::nextInt);
        assertThrows(NoSuchElementException.class, GRAPH.out("NEVER").iterator(0)::nextInt);
    }

    @Test
    void iteratorsAndStreamsOfAClosedGraphSaySo() {
        Graph graph = Golden.open("blocks.direct.varvite");
        NodeSet calls = graph.nodes("CALL");
        PrimitiveIterator.OfInt members = calls.iterator();
        IntStream stream = calls.stream();
        Adjacency flow = graph.out("CFG");
        IntStream neighbors = flow.neighbors(IntStream.range(0, 1300).filter(node -> flow.degree(node) > 0).findFirst().orElseThrow());
        graph.close();
        assertThrows(GraphClosedException.class, members::nextInt);
        assertThrows(GraphClosedException.class, stream::sum);
        assertThrows(GraphClosedException.class, neighbors::sum);
        assertThrows(GraphClosedException.class, calls::iterator);
    }

    private static int[] drain(PrimitiveIterator.OfInt iterator) {
        IntList list = new IntList();
        while (iterator.hasNext()) {
            list.add(iterator.nextInt());
        }
        return list.toArray();
    }
}
