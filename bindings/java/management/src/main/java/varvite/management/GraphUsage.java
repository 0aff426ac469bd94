package varvite.management;

import java.util.ArrayList;
import java.util.List;
import varvite.Graph;
import varvite.GraphMemory;
import varvite.error.GraphClosedException;

/**
 * The memory of an open graph in bytes, as in {@link GraphMemory}, and the path of the graph's file.
 *
 * @param path the file
 * @param mapped bytes of address space that the file is mapped to
 * @param touched bytes of the segments of opened columns
 * @param resident bytes of the map that are in memory now, or -1 if the system does not report it
 * @param decoded bytes of private buffers that hold decoded blocks
 * @param pinned decoded bytes that readers are using
 */
public record GraphUsage(String path, long mapped, long touched, long resident, long decoded, long pinned) {
    /** The usage of all open graphs. A graph that is closed during this call is omitted. */
    static List<GraphUsage> ofAll() {
        List<GraphUsage> usages = new ArrayList<>();
        for (Graph graph : Graph.openGraphs()) {
            try {
                usages.add(of(graph));
            } catch (GraphClosedException e) {
                // The graph was closed, so it uses no memory.
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
