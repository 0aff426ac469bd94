package varvite.examples;

import java.io.IOException;
import java.nio.file.Path;
import varvite.Adjacency;
import varvite.Cardinality;
import varvite.Graph;
import varvite.TextProperty;
import varvite.ValueType;
import varvite.change.Diff;
import varvite.ffi.GraphChange;
import varvite.ffi.LayerSpec;

/** Marks the calls to a METHOD in a layer of their own, and prints the marked calls. */
public final class MarkCalls {
    private MarkCalls() {}

    /** Usage: {@code MarkCalls FILE NAME}. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: MarkCalls FILE NAME");
            System.exit(2);
        }
        Path path = Path.of(args[0]);
        // Replaces the layer of an earlier run.
        GraphChange.of(path).addLayer(LayerSpec.of("marks", "mark_calls", "1"), marks(path, args[1]));
        try (Graph graph = Graph.open(path)) {
            TextProperty code = graph.texts("CODE");
            graph.property("MARKED").owners().forEach(call -> System.out.println(call + "\t" + code.get(call)));
        }
    }

    private static Diff marks(Path path, String name) throws IOException {
        Diff diff = new Diff();
        diff.declareProperty("MARKED", ValueType.BOOL, Cardinality.OPTIONAL);
        try (Graph graph = Graph.open(path)) {
            TextProperty names = graph.texts("NAME");
            Adjacency calls = graph.in("CALL");
            graph.nodes("METHOD").stream()
                    .filter(method -> name.equals(names.get(method)))
                    .flatMap(calls::neighbors)
                    .forEach(call -> diff.set(call, "MARKED", true));
        }
        return diff;
    }
}
