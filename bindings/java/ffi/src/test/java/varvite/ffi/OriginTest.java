package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import varvite.Graph;
import varvite.Label;
import varvite.NodeSet;
import varvite.Origin;
import varvite.Profile;

/**
 * Tests flatgraph's numbers of nodes in the file of a real graph. {@code cargo xtask test-joern} compares
 * them with the numbers that flatgraph itself reports.
 */
class OriginTest {
    @Test
    void everyPlaceOfAKindHasOneNode() throws IOException {
        try (Graph graph = Graphs.open(Profile.DIRECT)) {
            int moved = 0;
            for (Label label : graph.labels()) {
                NodeSet nodes = graph.nodes(label);
                Origin origin = graph.origin(label);
                assertEquals(label.originCount(), origin.count());
                assertEquals(nodes.size(), origin.count(), "the graph has no deleted nodes");
                for (int number = 0; number < origin.count(); number++) {
                    int node = origin.node(number);
                    assertEquals(number, origin.number(node));
                    moved += nodes.memberRank(node) == number ? 0 : 1;
                }
            }
            assertTrue(moved > 1000, "ids are in another order than places");
        }
    }
}
