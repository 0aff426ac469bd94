package varvite.examples;

import java.io.IOException;
import java.nio.file.Path;
import varvite.Adjacency;
import varvite.Graph;
import varvite.TextProperty;

/**
 * Prints every call of {@code zlib.varvite} with the METHODs that it may call. READMEs show these lines; a
 * test of the command compares them.
 */
public final class Callees {
    private Callees() {}

    /** Reads {@code zlib.varvite} in the current folder. */
    public static void main(String[] args) throws IOException {
        try (Graph graph = Graph.open(Path.of("zlib.varvite"))) {
            Adjacency callees = graph.out("CALL");
            TextProperty fullName = graph.texts("FULL_NAME");
            graph.nodes("CALL").forEach(call -> callees.forEach(
                    call, method -> System.out.println(call + " calls " + fullName.get(method))));
        }
    }
}
