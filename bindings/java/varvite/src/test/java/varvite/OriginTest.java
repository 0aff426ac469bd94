package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of the numbers that nodes have in the file from which a graph was imported. The tests of module
 * {@code ffi} use a graph that was imported from a real file.
 */
class OriginTest {
    @Test
    void everyNodeHasANumberAndThoseOfDeletedNodesAreFree() throws IOException {
        int free = 0;
        for (String file : List.of("blocks.direct.varvite", "blocks.compact.varvite", "graphs/labels.varvite")) {
            try (Graph graph = Graph.open(Golden.file(file))) {
                for (Label label : graph.labels()) {
                    NodeSet nodes = graph.nodes(label);
                    Origin origin = graph.origin(label);
                    assertEquals(label.originCount(), origin.count());
                    int taken = 0;
                    for (int node = 0; node < graph.nodeCount(); node++) {
                        int number = origin.number(node);
                        assertEquals(nodes.contains(node), number >= 0);
                        assertEquals(number < 0 ? -1 : node, origin.node(number));
                        taken += number < 0 ? 0 : 1;
                    }
                    free += origin.count() - taken;
                }
            }
        }
        assertTrue(free > 0, "some nodes were deleted");
    }

    @Test
    void numbersThatNobodyHasGiveNoNode() throws IOException {
        try (Graph graph = Graph.open(Golden.file("blocks.direct.varvite"))) {
            Origin origin = graph.origin(graph.labels().getFirst());
            for (int number : new int[] {-1, origin.count(), Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertEquals(-1, origin.node(number));
            }
            for (int node : new int[] {-1, graph.nodeCount(), Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertEquals(-1, origin.number(node));
            }
        }
    }

    @Test
    void nodesOfNumbersThatFollowEachOtherAreCopied() throws IOException {
        for (String file : List.of("graphs/labels.varvite", "changes/history-3.direct.varvite")) {
            try (Graph graph = Graph.open(Golden.file(file))) {
                for (Label label : graph.labels()) {
                    Origin origin = graph.origin(label);
                    int[] nodes = new int[origin.count()];
                    for (int start = 0; start <= origin.count(); start++) {
                        origin.fill(start, origin.count(), nodes);
                        for (int number = start; number < origin.count(); number++) {
                            assertEquals(origin.node(number), nodes[number - start]);
                        }
                    }
                    int behind = origin.count() + 1;
                    assertThrows(IndexOutOfBoundsException.class, () -> origin.fill(0, behind, new int[behind]));
                    assertThrows(IndexOutOfBoundsException.class, () -> origin.fill(-1, 0, nodes));
                }
            }
        }
    }

    @Test
    void aRemovedNodeLeavesItsNumberAndAnAppendedOneFollows() throws IOException {
        try (Graph graph = Graph.open(Golden.file("changes/history-3.direct.varvite"))) {
            int gaps = 0;
            for (Label label : graph.labels()) {
                NodeSet nodes = graph.nodes(label);
                Origin origin = graph.origin(label);
                int last = -1;
                for (int node = nodes.next(0); node >= 0; node = nodes.next(node + 1)) {
                    int number = origin.number(node);
                    assertEquals(node, origin.node(number));
                    assertTrue(number > last, "numbers rise with ids where none were kept");
                    last = number;
                }
                gaps += origin.count() - nodes.size();
                for (int node = 0; node < graph.nodeCount(); node++) {
                    assertEquals(nodes.contains(node), origin.number(node) >= 0);
                }
            }
            assertTrue(gaps > 0, "the graph has removed nodes");
        }
    }

    @Test
    void aLabelOfAnotherGraphIsRefused() throws IOException {
        try (Graph graph = Graph.open(Golden.file("blocks.direct.varvite"));
                Graph other = Graph.open(Golden.file("graphs/labels.varvite"))) {
            assertThrows(IllegalArgumentException.class, () -> graph.origin(other.labels().getLast()));
        }
    }
}
