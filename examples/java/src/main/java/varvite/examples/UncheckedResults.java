package varvite.examples;

import java.io.IOException;
import java.nio.file.Path;
import varvite.Adjacency;
import varvite.Graph;
import varvite.NodeSet;
import varvite.TextProperty;
import varvite.ffi.NativeGraph;
import varvite.ffi.Site;

/** Prints the calls to a METHOD that are statements, so that the program drops their results. */
public final class UncheckedResults {
    private UncheckedResults() {}

    /** Usage: {@code UncheckedResults FILE NAME}. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: UncheckedResults FILE NAME");
            System.exit(2);
        }
        Path path = Path.of(args[0]);
        try (Graph graph = Graph.open(path);
                NativeGraph engine = NativeGraph.open(path, false)) {
            TextProperty name = graph.texts("NAME");
            TextProperty code = graph.texts("CODE");
            NodeSet blocks = graph.nodes("BLOCK");
            Adjacency callers = graph.in("CALL");
            Adjacency parents = graph.in("AST");
            // A child of a BLOCK is a statement: the program does not use its value.
            int[] dropped = graph.nodes("METHOD").stream()
                    .filter(method -> args[1].equals(name.get(method)))
                    .flatMap(callers::neighbors)
                    .filter(call -> blocks.contains(parents.first(call)))
                    .toArray();
            int row = 0;
            for (Site site : engine.sites(dropped)) {
                System.out.println(site.file().orElse("?") + ":" + site.line().orElse(0) + "\t" + code.get(dropped[row++]));
            }
        }
    }
}
