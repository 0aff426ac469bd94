package varvite.bench.walks.varvite;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.walks.Session;

/** {@code Main TABLES GRAPH}: Varvite with the tree in a graph file, which was imported from these tables. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Session.serve(() -> VarviteSide.open(Path.of(arguments[1])));
    }
}
