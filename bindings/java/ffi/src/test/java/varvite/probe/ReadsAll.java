package varvite.probe;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.IntList;
import varvite.Property;
import varvite.PropertyInfo;
import varvite.TextProperty;
import varvite.error.VarviteException;

/**
 * A program that reads graphs with the modules on its path. For each graph, prints a line with sums over its
 * content, or the error.
 */
public final class ReadsAll {
    /** Every {@code STRIDE}th node is read. */
    private static final int STRIDE = 7;

    private ReadsAll() {}

    /** Reads the graphs at these paths. For the path after {@code --codes}, reads only the codes of NAME. */
    public static void main(String[] paths) throws Exception {
        boolean isOfCodes = false;
        for (String path : paths) {
            if (path.equals("--codes")) {
                isOfCodes = true;
                continue;
            }
            try (Graph graph = Graph.open(Path.of(path))) {
                System.out.println(isOfCodes ? "codes " + codes(graph.texts("NAME"), graph) : Arrays.toString(sums(graph)));
            } catch (VarviteException e) {
                System.out.println(e.number() + " " + e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }

    /**
     * Four sums, for nodes from all parts of the graph: one depends on neighbours and their places, one on
     * codes, one on texts, and one on bulk reads.
     */
    public static long[] sums(Graph graph) {
        return new long[] {edges(graph), codes(graph), texts(graph), batches(graph)};
    }

    /** A sum over everything that can be read for many nodes at a time. */
    private static long batches(Graph graph) {
        int nodes = graph.nodeCount();
        long sum = 0;
        long[] numbers = new long[nodes];
        long[] present = new long[(nodes + 63) / 64];
        for (PropertyInfo info : graph.properties()) {
            if (info.edgeLabel().isEmpty()) {
                graph.property(info).fill(0, nodes, numbers, present);
                sum = sum * 31 + Arrays.hashCode(numbers) + Arrays.hashCode(present);
            }
        }
        int[] frontier = IntStream.range(0, nodes).toArray();
        for (EdgeLabel label : graph.edgeLabels()) {
            IntList out = new IntList();
            graph.out(label.name()).expand(frontier, nodes, out);
            graph.in(label.name()).expand(frontier, nodes, out);
            sum = sum * 31 + Arrays.hashCode(out.toArray());
        }
        return sum;
    }

    private static long edges(Graph graph) {
        long edges = 0;
        IntList list = new IntList();
        for (EdgeLabel label : graph.edgeLabels()) {
            for (Direction direction : Direction.values()) {
                var adjacency = graph.adjacency(label, direction);
                for (int node = 0; node < graph.nodeCount(); node += STRIDE) {
                    list.clear();
                    adjacency.append(node, list);
                    for (int i = 0; i < list.size(); i++) {
                        edges = edges * 31 + list.get(i);
                    }
                }
            }
        }
        return edges;
    }

    /** The sum of codes, which needs no reads of texts. */
    private static long codes(Graph graph) {
        long codes = 0;
        for (PropertyInfo info : graph.properties()) {
            if (info.edgeLabel().isEmpty() && graph.property(info) instanceof TextProperty property) {
                codes = codes * 31 + codes(property, graph);
            }
        }
        return codes;
    }

    /** The sum of the codes of one property. */
    public static long codes(TextProperty property, Graph graph) {
        long codes = 0;
        for (int node = 0; node < graph.nodeCount(); node += STRIDE) {
            codes = codes * 31 + property.code(node);
        }
        return codes;
    }

    private static long texts(Graph graph) {
        long texts = 0;
        for (PropertyInfo info : graph.properties()) {
            Property property = graph.property(info);
            if (info.edgeLabel().isEmpty() && property instanceof TextProperty text) {
                for (int node = 0; node < graph.nodeCount(); node += STRIDE) {
                    String value = text.get(node);
                    texts = texts * 31 + (value == null ? 7 : value.hashCode());
                }
            }
        }
        return texts;
    }
}
