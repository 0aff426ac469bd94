package varvite.bench.walks.varvite;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.walks.Session;

/**
 * {@code Main TABLES GRAPH}: runs Varvite for Java in the benchmark of walks. The graph file GRAPH was
 * imported from the tables.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Session.serve(() -> VarviteSide.open(Path.of(arguments[1])));
    }
}
