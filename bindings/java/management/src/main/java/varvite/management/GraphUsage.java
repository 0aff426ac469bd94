package varvite.management;

import java.util.ArrayList;
import java.util.List;
import varvite.Graph;
import varvite.GraphMemory;
import varvite.error.GraphClosedException;

/**
 * The memory of one open graph, in bytes: as {@link GraphMemory}, with the file.
 *
 * @param path the file
 * @param mapped addresses of the file
 * @param touched segments of columns that were opened
 * @param resident pages of the map that are in memory now, or -1
 * @param decoded private buffers of decoded blocks
 * @param pinned decoded bytes in use by readers
 */
public record GraphUsage(String path, long mapped, long touched, long resident, long decoded, long pinned) {
    /** All open graphs. One that is closed meanwhile is left out. */
    static List<GraphUsage> ofAll() {
        List<GraphUsage> usages = new ArrayList<>();
        for (Graph graph : Graph.openGraphs()) {
            try {
                usages.add(of(graph));
            } catch (GraphClosedException e) {
                // It takes nothing any more.
            }
        }
        return usages;
    }

    private static GraphUsage of(Graph graph) {
        GraphMemory memory = graph.memory();
        return new GraphUsage(
                graph.path().toString(),
                memory.mapped(),
                memory.touched(),
                memory.resident(),
                memory.decoded(),
                memory.pinned());
    }
}
